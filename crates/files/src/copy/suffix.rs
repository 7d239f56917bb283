//! Names for a file whose own name has another content: `a.b/IMG.JPG`, then `a.b/IMG-1.JPG` up to
//! `a.b/IMG-9999.JPG`.
//!
//! `is_suffixed` knows all names that `suffixed` makes, and no others. A resumed copy knows by it
//! that a file of the journal has the name that it would get today.

use super::layout::stem;

/// The name, then `name-1.ext`, `name-2.ext` and so on.
pub fn suffixed(place: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let (base, tail) = place.split_at(stem(place).len());
    let more =
        (1..=LAST_SUFFIX).map(move |count| [base, format!("-{count}").as_bytes(), tail].concat());
    std::iter::once(place.to_vec()).chain(more)
}

/// Whether a file that should have the name `place` may have got this one.
pub fn is_suffixed(place: &[u8], name: &[u8]) -> bool {
    let (base, tail) = place.split_at(stem(place).len());
    let count = name
        .strip_prefix(base)
        .and_then(|rest| rest.strip_suffix(tail))
        .and_then(|rest| rest.strip_prefix(b"-"));
    name == place
        || count.is_some_and(|count| {
            count.first().is_some_and(|first| *first != b'0')
                && count.iter().all(u8::is_ascii_digit)
        })
}

/// The last number: as many other contents of one name are no accident.
pub const LAST_SUFFIX: u32 = 9999;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffixed_name_is_known_as_one() {
        for place in [&b"a.b/IMG.JPG"[..], b"a.b/IMG", b".rc", b"IMG-1.JPG"] {
            assert!(suffixed(place).take(12).all(|name| is_suffixed(place, &name)));
        }
        for name in ["IMG-.JPG", "IMG-0.JPG", "IMG-1a.JPG", "IMG1.JPG", "IMG-1.jpg", "b/IMG.JPG"] {
            assert!(!is_suffixed(b"IMG.JPG", name.as_bytes()), "{name}");
        }
        assert!(!is_suffixed(b"IMG-1.JPG", b"IMG.JPG"));
    }

    #[test]
    fn suffixes_come_before_the_extension() {
        let names: Vec<_> = suffixed(b"a.b/IMG.JPG").take(3).collect();
        assert_eq!(names, [&b"a.b/IMG.JPG"[..], b"a.b/IMG-1.JPG", b"a.b/IMG-2.JPG"]);
        assert_eq!(suffixed(b"a.b/IMG").nth(1).unwrap(), b"a.b/IMG-1");
        assert_eq!(suffixed(b".rc").nth(1).unwrap(), b".rc-1");
    }
}
