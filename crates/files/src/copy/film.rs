//! The creation time of a film's header where it has 64 bits (ISO/IEC 14496-12, 8.2.2): nom-exif
//! reads its upper half alone.

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
