//! How figures are written.

/// Four significant digits, without an exponent.
pub fn figure(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let decimals = (3 - value.abs().log10().floor() as i32).max(0) as usize;
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits_whatever_the_size() {
        for (value, text) in [
            (0.000_123_456, "0.0001235"),
            (1.0, "1.000"),
            (12_345.6, "12346"),
            (0.0, "0"),
            (999.96, "1000.0"),
        ] {
            assert_eq!(figure(value), text);
        }
    }
}
