//! The query part of an address: pairs of keys and values, percent-encoded no more than needed, so that a link stays readable.

/// Splits `a=1&b=2`, with or without `?` before it, and decodes each part. Broken escapes are kept as they stand.
pub fn parse(query: &str) -> Vec<(String, String)> {
    let query = query.strip_prefix('?').unwrap_or(query);
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(key), decode(value))
        })
        .collect()
}

/// Joins pairs to `a=1&b=2`.
pub fn print(pairs: &[(String, String)]) -> String {
    let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{}={}", encode(key), encode(value))).collect();
    pairs.join("&")
}

/// Whether RFC 3986 lets a byte stand in a query unescaped and no parser of `&`, `=` or `+` takes it for something else.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~/:,@!*()".contains(&byte)
}

fn encode(text: &str) -> String {
    use std::fmt::Write as _;
    text.bytes().fold(String::with_capacity(text.len()), |mut encoded, byte| {
        if is_plain(byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match (byte, escaped(bytes, at)) {
            (b'%', Some(escaped)) => {
                decoded.push(escaped);
                at += 3;
                continue;
            }
            // Forms and some chat programs write spaces so.
            (b'+', _) => decoded.push(b' '),
            _ => decoded.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn escaped(bytes: &[u8], at: usize) -> Option<u8> {
    let digits = std::str::from_utf8(bytes.get(at + 1..at + 3)?).ok()?;
    if digits.starts_with('+') { None } else { u8::from_str_radix(digits, 16).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn readable_where_possible() {
        let pairs = vec![("trace".to_owned(), "https://example.org/a b/c?d".to_owned())];
        assert_eq!(print(&pairs), "trace=https://example.org/a%20b/c%3Fd");
    }

    #[test]
    fn broken_escapes_stay() {
        assert_eq!(parse("?a=%zz%4&b"), [("a".to_owned(), "%zz%4".to_owned()), ("b".to_owned(), String::new())]);
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(pairs in proptest::collection::vec((".+", ".*"), 0..6)) {
            prop_assert_eq!(parse(&print(&pairs)), pairs);
        }
    }
}
