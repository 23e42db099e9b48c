//! How numbers are printed.

/// A value with `digits` significant digits, short enough for a table: plain from 1e-4 to 1e5 (or as far as the digits
/// reach), else with an exponent.
pub fn significant(value: f64, digits: usize) -> String {
    let digits = digits.max(1);
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "\u{2212}Inf" }.to_owned();
    }
    if value == 0.0 {
        return if value.is_sign_negative() { "\u{2212}0" } else { "0" }.to_owned();
    }
    // The exponent after rounding: 9.999 with two digits is 1.0e1.
    let scientific = format!("{:.*e}", digits - 1, value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let text = if (-4..digits.max(5) as i32).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        trim_zeros(&format!("{:.*}", decimals, value.abs()))
    } else {
        format!("{}e{exponent}", trim_zeros(mantissa))
    };
    if value < 0.0 { format!("\u{2212}{text}") } else { text }
}

/// A count with thin spaces between groups of three digits.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

/// A size in bytes with a binary unit.
pub fn bytes(value: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut amount = value as f64;
    let mut unit = 0;
    while amount >= 1024.0 && unit < UNITS.len() - 1 {
        amount /= 1024.0;
        unit += 1;
    }
    // In range: the loop stops at the last unit.
    format!("{} {}", significant(amount, if unit == 0 { 4 } else { 3 }), UNITS[unit])
}

/// Milliseconds as a duration.
pub fn duration(ms: f64) -> String {
    match ms {
        ms if ms < 1.0 => format!("{} µs", significant(ms * 1e3, 2)),
        ms if ms < 1e3 => format!("{} ms", significant(ms, 3)),
        ms => format!("{} s", significant(ms / 1e3, 3)),
    }
}

fn trim_zeros(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        for (value, digits, text) in [
            (0.0, 4, "0"),
            (-0.0, 4, "−0"),
            (1.5, 4, "1.5"),
            (-1234.567, 4, "−1235"),
            (0.000123456, 3, "0.000123"),
            (0.0000123456, 3, "1.23e-5"),
            (9.999, 2, "10"),
            (65504.0, 3, "65504"),
            (492_631.0, 2, "4.9e5"),
            (999_999.9, 3, "1e6"),
            (123_456_789.0, 9, "123456789"),
            (6.02214e23, 4, "6.022e23"),
            (f64::NEG_INFINITY, 4, "−Inf"),
            (f64::NAN, 4, "NaN"),
        ] {
            assert_eq!(significant(value, digits), text, "{value}");
        }
    }

    #[test]
    fn counts_bytes_and_durations() {
        assert_eq!(count(1_234_567), "1\u{2009}234\u{2009}567");
        assert_eq!(count(123), "123");
        assert_eq!(bytes(512), "512 B");
        assert_eq!(bytes(134_217_728), "128 MiB");
        assert_eq!(duration(0.0123), "12 µs");
        assert_eq!(duration(1500.0), "1.5 s");
    }
}
