//! How figures, units and lists are written.
//!
//! `figure` is for tables, where readers compare columns of four digits. `short` is for sentences,
//! with three digits. A plan asks for intervals of 0.3 % (METHODOLOGY.md, "How a figure is made").
//! More digits would show noise. No figure has an exponent: units take its place.

/// Four significant digits, without an exponent.
pub fn figure(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    // The digits are counted before rounding: 999.96 becomes `1000.0`, with five digits.
    let decimals = (3 - value.abs().log10().floor() as i32).max(0) as usize;
    format!("{value:.decimals$}")
}

/// As a sentence has it: three digits, and all before the point.
pub fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let digits = value.abs().log10().floor() as i32;
    // 9.996 has one digit before the point, and shown with two behind it two.
    let decimals = |digits: i32| (2 - digits).max(0) as usize;
    let rounded: f64 = format!("{value:.0$}", decimals(digits)).parse().unwrap_or(value);
    format!("{value:.0$}", decimals(rounded.abs().log10().floor() as i32))
}

/// A share in words: `96 %`, and of a small one `0.42 %`. Ceilings of AES are shown so.
pub fn percent(share: f64) -> String {
    if share >= 0.1 { format!("{:.0} %", 100.0 * share) } else { format!("{:.2} %", 100.0 * share) }
}

/// Bytes per nanosecond in words: `4.23 GB/s`, `540 MB/s`.
/// Units of rates are powers of 1000, units of lengths powers of 1024.
pub fn rate(bytes_per_ns: f64) -> String {
    match bytes_per_ns {
        rate if rate >= 1.0 => format!("{} GB/s", short(rate)),
        rate if rate >= 1e-3 => format!("{} MB/s", short(rate * 1e3)),
        rate => format!("{} kB/s", short(rate * 1e6)),
    }
}

/// Nanoseconds in words: `55.3 ns`, `1.20 ms`.
pub fn time(ns: f64) -> String {
    match ns {
        ns if ns >= 1e9 => format!("{} s", short(ns * 1e-9)),
        ns if ns >= 1e6 => format!("{} ms", short(ns * 1e-6)),
        ns if ns >= 1e3 => format!("{} µs", short(ns * 1e-3)),
        ns => format!("{} ns", short(ns)),
    }
}

/// A length in bytes for people: `64 KiB`, rounded. It serves computed lengths, which are seldom
/// whole, such as the smallest good chunk.
pub fn length(bytes: f64) -> String {
    let (scale, unit) = match bytes {
        bytes if bytes >= f64::from(1 << 20) => (f64::from(1 << 20), "MiB"),
        bytes if bytes >= 1024.0 => (1024.0, "KiB"),
        _ => (1.0, "bytes"),
    };
    let value = bytes / scale;
    if (value - value.round()).abs() < 0.005 {
        format!("{value:.0} {unit}")
    } else {
        format!("{value:.1} {unit}")
    }
}

/// A length in bytes, exactly: `7 MiB`, where it is a whole number of them.
pub fn whole_length(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = units.into_iter().find(|(unit, _)| bytes.is_multiple_of(*unit));
    unit.map_or(format!("{bytes} bytes"), |(unit, name)| format!("{} {name}", bytes / unit))
}

/// One, two and three.
pub fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_has_three_digits_and_a_unit() {
        for (value, text) in
            [(1.0, "1.00"), (9.996, "10.0"), (16.84, "16.8"), (4226.2, "4226"), (0.0512, "0.0512")]
        {
            assert_eq!(short(value), text);
        }
        assert_eq!([rate(4.226), rate(0.54), rate(0.000_2)], ["4.23 GB/s", "540 MB/s", "200 kB/s"]);
        assert_eq!([time(55.32), time(1200.0), time(2.5e6)], ["55.3 ns", "1.20 µs", "2.50 ms"]);
        assert_eq!(time(1.5e9), "1.50 s");
    }

    #[test]
    fn a_share_is_told_in_percent() {
        let told = [0.962, 1.0, 0.099, 0.004_2].map(percent);
        assert_eq!(told, ["96 %", "100 %", "9.90 %", "0.42 %"]);
    }

    #[test]
    fn lengths_are_whole() {
        assert_eq!(whole_length(7_340_032), "7 MiB");
        assert_eq!(whole_length(1 << 30), "1 GiB");
        assert_eq!(whole_length(1000), "1000 bytes");
    }

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
