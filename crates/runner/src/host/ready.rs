//! A runner's answer to a job.
//!
//! ```text
//! ready 900150983cd24fb0d6963f7d28e17f72 8119     the answer, and nanoseconds of its call
//! ready -                                         an answer of no bytes
//! ready +LEN NANOSECONDS                          LEN bytes follow the line feed
//! ```
//!
//! Any other line is `None`, which the caller makes `Malformed`.

use std::time::Duration;

use hashdyno::hex;

use crate::protocol::MAX_ANSWER;
use crate::text::{number, unhex};

/// A line that answers a job.
pub(super) struct Ready {
    pub(super) answer: Spelled,
    pub(super) took: Option<Duration>,
}

/// Where an answer's bytes are.
pub(super) enum Spelled {
    /// In the line.
    Here(Vec<u8>),
    /// Behind it; how many.
    Behind(usize),
}

impl Ready {
    pub(super) fn parse(line: &str) -> Option<Self> {
        let mut words = line.strip_prefix("ready ")?.split(' ');
        let answer = match words.next()? {
            "-" => Spelled::Here(Vec::new()),
            word => match word.strip_prefix('+') {
                Some(len) => Spelled::Behind(
                    usize::try_from(number(len)?).ok().filter(|&len| len <= MAX_ANSWER)?,
                ),
                None => Spelled::Here(unhex(word)?),
            },
        };
        let took = words.next().map(|word| number(word).map(Duration::from_nanos));
        (words.next().is_none() && took != Some(None))
            .then_some(Self { answer, took: took.flatten() })
    }
}

/// Two answers that differ in words: in hexadecimal, long ones only from where they do; about
/// `count` messages the digest of the first that is wrong.
pub(super) fn difference(answer: &[u8], expected: &[u8], count: usize) -> (String, String) {
    if count > 1 {
        let len = expected.len() / count;
        let digest = |bytes: &[u8], index| {
            hex(&bytes[bytes.len().min(index * len)..bytes.len().min((index + 1) * len)])
        };
        let wrong = (0..count).find(|&index| digest(answer, index) != digest(expected, index));
        let Some(wrong) = wrong else {
            let behind = digest(answer, count);
            return (
                format!("{behind} behind the last digest, {} bytes in all", answer.len()),
                format!("{} bytes", expected.len()),
            );
        };
        let place = format!("for message {} of {count}, {} bytes in all", wrong + 1, answer.len());
        return (
            format!("{} {place}", digest(answer, wrong)),
            format!("{}, {} bytes", digest(expected, wrong), expected.len()),
        );
    }
    if answer.len().max(expected.len()) <= 64 {
        return (hex(answer), hex(expected));
    }
    let at = answer
        .iter()
        .zip(expected)
        .position(|(a, b)| a != b)
        .unwrap_or(answer.len().min(expected.len()));
    let part = |bytes: &[u8]| hex(&bytes[at..bytes.len().min(at + 16)]);
    let (answer_part, expected_part) = (part(answer), part(expected));
    (
        format!("{answer_part} from byte {at} of {}", answer.len()),
        format!("{expected_part} of {}", expected.len()),
    )
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn bytes_behind_the_last_digest_are_no_message() {
        let expected: Vec<u8> = [[1_u8; 4], [2; 4], [3; 4]].concat();
        let answer: Vec<u8> = [&expected[..], &[0xAB]].concat();
        let (answer, expected) = difference(&answer, &expected, 3);
        assert_eq!(answer, "ab behind the last digest, 13 bytes in all");
        assert_eq!(expected, "12 bytes");
    }

    #[test]
    fn the_first_wrong_digest_is_told() {
        let expected: Vec<u8> = [[1_u8; 4], [2; 4], [3; 4]].concat();
        let (answer, expected) = difference(&expected[..8], &expected, 3);
        assert_eq!(answer, " for message 3 of 3, 8 bytes in all");
        assert_eq!(expected, "03030303, 12 bytes");
    }
}
