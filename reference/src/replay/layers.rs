//! The argument `--layer`: a layer, or a range of them, by position or by name.

use std::ops::Range;
use taproot_engine::trace::Layer;

/// An argument that names no layers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{given}' names no layers: {reason}; the trace has 0 ({first}) to {last_index} ({last})")]
pub struct LayersError {
    given: String,
    reason: String,
    first: String,
    last: String,
    last_index: usize,
}

/// Positions that `A`, `A..B`, `A..`, `..B` or `A..=B` name. Each end is a position or the name of a layer; `A..B` is
/// without B, as in Rust.
///
/// # Errors
/// When an end is neither, or the range is empty.
pub fn parse_layers(given: &str, layers: &[Layer]) -> Result<Range<usize>, LayersError> {
    let error = |reason: String| {
        let name = |layer: Option<&Layer>| layer.map(|layer| layer.name.clone()).unwrap_or_default();
        let (first, last) = (name(layers.first()), name(layers.last()));
        LayersError { given: given.to_owned(), reason, first, last, last_index: layers.len().saturating_sub(1) }
    };
    let position = |end: &str| {
        let by_name = layers.iter().position(|layer| layer.name == end);
        let by_number = || end.parse().ok().filter(|&at| at <= layers.len());
        by_name.or_else(by_number).ok_or_else(|| error(format!("there is no layer '{end}'")))
    };
    let range = match given.split_once("..") {
        None => {
            let at = position(given)?;
            at..at + 1
        }
        Some((start, end)) => {
            let start = if start.is_empty() { 0 } else { position(start)? };
            let end = match end.strip_prefix('=') {
                Some(end) => position(end)? + 1,
                None if end.is_empty() => layers.len(),
                None => position(end)?,
            };
            start..end
        }
    };
    if range.is_empty() || range.end > layers.len() {
        return Err(error("the range is empty or reaches past the last layer".to_owned()));
    }
    Ok(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_go_by_position_and_by_name() {
        let names = ["embeddings", "model.layers.0", "model.layers.1", "head"];
        let layers = names.map(|name| Layer { name: name.to_owned() });
        let parse = |given: &str| parse_layers(given, &layers).ok();
        assert_eq!(parse("2"), Some(2..3));
        assert_eq!(parse("1..3"), Some(1..3));
        assert_eq!(parse("1..=3"), Some(1..4));
        assert_eq!(parse("..2"), Some(0..2));
        assert_eq!(parse("2.."), Some(2..4));
        assert_eq!(parse("model.layers.0"), Some(1..2));
        assert_eq!(parse("model.layers.0..head"), Some(1..3));
        assert_eq!((parse("4"), parse("3..1"), parse("0..9"), parse("1..=4")), (None, None, None, None));
        let message = parse_layers("tail", &layers).err().map(|error| error.to_string()).unwrap_or_default();
        let expected = "'tail' names no layers: there is no layer 'tail'; the trace has 0 (embeddings) to 3 (head)";
        assert_eq!(message, expected);
    }
}
