//! Names for a file whose own name has another content.

use super::layout::stem;

/// The name, then `name-1.ext`, `name-2.ext` and so on.
pub fn suffixed(place: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let (base, tail) = place.split_at(stem(place).len());
    let more =
        (1..=LAST_SUFFIX).map(move |count| [base, format!("-{count}").as_bytes(), tail].concat());
    std::iter::once(place.to_vec()).chain(more)
}

/// The last number: as many other contents of one name are no accident.
pub const LAST_SUFFIX: u32 = 9999;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_come_before_the_extension() {
        let names: Vec<_> = suffixed(b"a.b/IMG.JPG").take(3).collect();
        assert_eq!(names, [&b"a.b/IMG.JPG"[..], b"a.b/IMG-1.JPG", b"a.b/IMG-2.JPG"]);
        assert_eq!(suffixed(b"a.b/IMG").nth(1).unwrap(), b"a.b/IMG-1");
        assert_eq!(suffixed(b".rc").nth(1).unwrap(), b".rc-1");
    }
}
