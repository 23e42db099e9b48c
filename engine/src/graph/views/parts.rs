//! Views of parts along one dimension.

use super::{View, dim};
use crate::graph::{Call, OpError, wrap_dim};
use crate::tensor::Layout;

type Layouts = Result<Vec<Layout>, OpError>;

/// Most parts that a call may give: an expanded dimension can be of any size, and each part takes memory.
const MAX_PARTS: usize = 1 << 16;

/// `torch.chunk(input, chunks, dim=0)`: at most `chunks` parts of equal size, the last one smaller.
pub static CHUNK: View = View { name: "chunk", params: &["input", "chunks", "dim"], layout: chunk };
/// `torch.split(input, split_size, dim=0)`: parts of one size, or a list of sizes.
pub static SPLIT: View = View { name: "split", params: &["input", "split_size", "dim"], layout: split };
/// `torch.unbind(input, dim=0)`.
pub static UNBIND: View = View { name: "unbind", params: &["input", "dim"], layout: unbind };
/// `torch.narrow(input, dim, start, length)`.
pub static NARROW: View = View { name: "narrow", params: &["input", "dim", "start", "length"], layout: narrow };

fn chunk(call: &Call<Layout>) -> Layouts {
    let input = call.tensor("input")?;
    let at = dim(call, "dim", call.int("dim", 0)?, input.rank())?;
    let size = input.shape[at];
    let chunks = call.required_int("chunks")?;
    let chunks = usize::try_from(chunks)
        .ok()
        .filter(|&chunks| chunks > 0)
        .ok_or_else(|| call.error("chunks", format!("must be positive, not {chunks}")))?;
    if size == 0 {
        // PyTorch gives as many empty parts as it is asked for.
        few(call, "chunks", chunks)?;
        return Ok(vec![input.clone(); chunks]);
    }
    parts(call, "chunks", input, at, size.div_ceil(chunks))
}

fn split(call: &Call<Layout>) -> Layouts {
    let sizes = call.ints("split_size")?;
    if !matches!(call.plain("split_size"), crate::graph::Arg::Int(_)) {
        return super::sized_parts(call, "split_size", &sizes);
    }
    let input = call.tensor("input")?;
    let at = dim(call, "dim", call.int("dim", 0)?, input.rank())?;
    let size = input.shape[at];
    match sizes.first().map(|&part| (part, usize::try_from(part))) {
        // Parts of nothing fill only nothing.
        Some((0, _)) if size == 0 => Ok(vec![input.clone()]),
        Some((1.., Ok(_))) if size == 0 => Ok(vec![input.clone()]),
        Some((1.., Ok(part))) => parts(call, "split_size", input, at, part),
        _ => Err(call.error("split_size", format!("{sizes:?} does not split size {size}"))),
    }
}

/// Parts of `part` elements along dimension `at`, which is not empty; the last may be smaller.
fn parts(call: &Call<Layout>, name: &str, input: &Layout, at: usize, part: usize) -> Layouts {
    let size = input.shape[at];
    few(call, name, size.div_ceil(part))?;
    let piece = |start: usize| {
        let mut layout = input.clone();
        layout.offset += start * layout.strides[at];
        layout.shape[at] = part.min(size - start);
        layout
    };
    Ok((0..size).step_by(part).map(piece).collect())
}

fn few(call: &Call<Layout>, name: &str, count: usize) -> Result<(), OpError> {
    if count <= MAX_PARTS {
        return Ok(());
    }
    Err(call.error(name, format!("gives {count} parts; {MAX_PARTS} is the most")))
}

fn unbind(call: &Call<Layout>) -> Layouts {
    let mut rest = call.tensor("input")?.clone();
    let at = dim(call, "dim", call.int("dim", 0)?, rest.rank())?;
    let (size, stride) = (rest.shape.remove(at), rest.strides.remove(at));
    few(call, "dim", size)?;
    let row = |index: usize| Layout { offset: rest.offset + index * stride, ..rest.clone() };
    Ok((0..size).map(row).collect())
}

fn narrow(call: &Call<Layout>) -> Layouts {
    let mut layout = call.tensor("input")?.clone();
    let at = dim(call, "dim", call.required_int("dim")?, layout.rank())?;
    let size = layout.shape[at];
    let (start, length) = (call.required_int("start")?, call.required_int("length")?);
    // A start at the end of the dimension is allowed, of which wrapping knows nothing.
    let first = match usize::try_from(start) {
        Ok(first) => Some(first),
        Err(_) => wrap_dim(start, size).filter(|&first| first < size),
    };
    let length = usize::try_from(length).ok();
    let end = first.zip(length).and_then(|(first, length)| first.checked_add(length)).filter(|&end| end <= size);
    let (Some(first), Some(end)) = (first, end) else {
        let rule = format!("with start {start} leaves size {size} of dimension {at}");
        return Err(call.error("length", rule));
    };
    layout.offset += first * layout.strides[at];
    layout.shape[at] = end - first;
    Ok(vec![layout])
}
