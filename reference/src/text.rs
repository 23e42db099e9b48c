//! Numbers for people.

/// "1 token", "12,345 tokens".
pub fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

/// Thousands separated by commas.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes in the largest binary unit that leaves at least 1: "512 B", "8.0 MiB".
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if number < 1024 {
        return format!("{number} B");
    }
    let mut size = number as f64;
    let mut unit = "B";
    for larger in UNITS {
        if size < 1024.0 {
            break;
        }
        size /= 1024.0;
        unit = larger;
    }
    format!("{size:.1} {unit}")
}

/// Text that may hold anything, made safe for a terminal: control characters but line breaks are replaced.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// A float in as few digits as tell it from its neighbours at a glance: "0", "1.25e-7", "3.142".
pub fn float(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let magnitude = value.abs();
    if (1e-3..1e5).contains(&magnitude) { format!("{value:.4}") } else { format!("{value:.2e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(1, "token"), "1 token");
        assert_eq!(count(1_234_567, "operator"), "1,234,567 operators");
        assert_eq!((bytes(1023), bytes(1024), bytes(8 << 20)), ("1023 B".into(), "1.0 KiB".into(), "8.0 MiB".into()));
        assert_eq!(printable("a\u{1b}[2Jb\nc"), "a\u{fffd}[2Jb\nc");
        assert_eq!((float(0.0), float(1.25e-7), float(2.5)), ("0".into(), "1.25e-7".into(), "2.5000".into()));
    }
}
