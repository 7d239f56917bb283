//! The creation time of a film's header where it has 64 bits (ISO/IEC 14496-12, 8.2.2): nom-exif
//! reads its upper half alone.
//!
//! ```text
//! box    length: 4 bytes | kind: 4 bytes | body        length 0: to the end of what holds the box
//!        length 1: its length is in the 8 bytes behind the kind
//! moov   boxes, of which mvhd is: version, 3 bytes of flags, seconds since 1904
//!                                 in 4 bytes (version 0) or 8 (version 1)
//! ```
//!
//! Films come from strangers. A box of an impossible length ends the search.

use std::fs::File;
use std::os::unix::fs::FileExt;

use jiff::{Timestamp, civil, tz::Offset};

/// Where a header has 64 bits.
pub struct LongTime {
    /// The time, in UTC; `None` if no calendar has it.
    pub date: Option<civil::DateTime>,
    /// The time by the upper half of the bits.
    pub by_upper_half: Option<civil::DateTime>,
}

/// Reads the film's header, if it has 64 bits. The place in the file stays.
pub fn long_time(file: &File) -> Option<LongTime> {
    let movie = find(file, b"moov", 0..file.metadata().ok()?.len())?;
    let head = find(file, b"mvhd", movie)?;
    let mut start = [0; 12];
    file.read_exact_at(&mut start, head.start).ok()?;
    let [version, _, _, _, time @ ..] = start;
    let seconds = u64::from_be_bytes(time);
    (version == 1)
        .then(|| LongTime { date: since_1904(seconds), by_upper_half: since_1904(seconds >> 32) })
}

/// The body of the first box of that kind among those that follow each other there.
fn find(file: &File, kind: &[u8; 4], within: std::ops::Range<u64>) -> Option<std::ops::Range<u64>> {
    let mut at = within.start;
    for _ in 0..MOST_BOXES {
        let mut head = [0; 16];
        file.read_exact_at(&mut head[..8], at).ok()?;
        let (start, len) = match u32::from_be_bytes(*head.first_chunk()?) {
            0 => (8, within.end - at),
            1 => {
                file.read_exact_at(&mut head[8..], at + 8).ok()?;
                (16, u64::from_be_bytes(*head.last_chunk()?))
            }
            len => (8, len.into()),
        };
        let end = at.checked_add(len).filter(|end| len >= start && *end <= within.end)?;
        if head[4..8] == *kind {
            return Some(at + start..end);
        }
        at = end;
    }
    None
}

fn since_1904(seconds: u64) -> Option<civil::DateTime> {
    let since_1970 = i64::try_from(seconds).ok()? - FROM_1904_TO_1970;
    Timestamp::from_second(since_1970).ok().map(|time| Offset::UTC.to_datetime(time))
}

/// Seconds.
const FROM_1904_TO_1970: i64 = 2_082_844_800;

/// More boxes beside each other than any film has: a file made of empty boxes takes no minutes.
const MOST_BOXES: usize = 10_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(len: u32, kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
        [&len.to_be_bytes()[..], kind, body].concat()
    }

    /// A header of 64 bits with the first second of 1970, in a movie whose length is told as `len`.
    fn movie(len: u32) -> Vec<u8> {
        let head =
            [&[1, 0, 0, 0][..], &(FROM_1904_TO_1970 as u64).to_be_bytes(), &[0; 100]].concat();
        unit(len, b"moov", &unit(8 + head.len() as u32, b"mvhd", &head))
    }

    fn date(content: &[u8]) -> Option<String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, content).unwrap();
        long_time(file.as_file())?.date.map(|date| date.to_string())
    }

    #[test]
    fn boxes_may_tell_their_length_in_three_ways() {
        let whole = movie(0).len() as u32;
        let found = Some("1970-01-01T00:00:00".to_owned());
        let before = unit(24, b"ftyp", &[0; 16]);
        assert_eq!(date(&[&before[..], &movie(whole)].concat()), found);
        assert_eq!(date(&[&before[..], &movie(0)].concat()), found, "to the end");
        let long = [&unit(1, b"mdat", &[])[..], &40u64.to_be_bytes(), &[0; 24]].concat();
        assert_eq!(date(&[&before[..], &long, &movie(whole)].concat()), found, "in 64 bits");
    }

    #[test]
    fn a_box_of_an_impossible_length_ends_the_search() {
        let whole = movie(0).len() as u32;
        assert_eq!(date(&movie(whole + 1)), None, "beyond the end");
        // A box of four bytes: the next would begin in its own head.
        assert_eq!(date(&[&4u32.to_be_bytes()[..], &movie(whole)].concat()), None, "too short");
    }
}
