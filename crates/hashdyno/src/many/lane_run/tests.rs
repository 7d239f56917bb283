use super::*;
use crate::padding::{Endian, Padding};

/// A digest that pads as MD5 does, of blocks of 64 bytes.
struct Padded;

impl Design<u32, 4, 16> for Padded {
    const MIN_FILL: usize = 4;
    const PADDING: Padding = Padding::with_length(8, Endian::Little);

    fn compress<L: Lanes<Word = u32>>(_: &mut [L; 4], _: &[L; 16]) {}
}

#[test]
fn a_message_makes_its_blocks_and_one_or_two_for_its_end() {
    for (len, expected) in [(0, 1), (7, 1), (8, 1), (55, 1), (56, 2), (64, 2), (119, 2), (120, 3)] {
        assert_eq!(blocks::<Padded, u32, 4, 16>(false)(len), expected, "{len} bytes");
        let tiny = if len < 8 { 0 } else { expected };
        assert_eq!(
            blocks::<Padded, u32, 4, 16>(true)(len),
            tiny,
            "{len} bytes, where few are none"
        );
    }
}

#[test]
fn a_length_in_bits_fits_into_a_word_where_it_must() {
    assert!(u32::try_from(8 * (ONE_WORD_LEN as u64 - 1)).is_ok());
    assert!(u32::try_from(8 * ONE_WORD_LEN as u64).is_err());
}

#[test]
fn a_long_group_fills_48_kib() {
    assert_eq!(LaneRun::<Padded, u32, 4, 16>::LONG_GROUP, 48 * 1024 / 64);
}
