//! Prints the digest file: for every digest its name, its `check` and its sweep, by the kernels that this CPU chooses, in the format of
//! `vectors/sweeps.txt`. It is the same on every CPU, at every level of optimisation: `make profiles`. With a number as argument, a sweep
//! of every so many-th length only.

use hashdyno::{ALL, Cpu, Digest, Hasher, Messages, digest_many, hex};

/// Bytes of the longest message of a sweep, less one.
#[allow(dead_code, reason = "tests include this file and take fewer lengths")]
pub const SWEEP: usize = 4096;

/// Prints the whole file.
#[allow(dead_code, reason = "tests include this file and take fewer lengths")]
pub fn main() {
    let step = std::env::args().nth(1).map_or(1, |step| step.parse().expect("the argument is a number"));
    let lengths: Vec<usize> = (0..SWEEP).step_by(step).collect();
    ALL.iter().for_each(|digest| println!("{}", line(digest, &lengths)));
}

/// Name, digest of `123456789`, and the digest of the digests of the first n bytes of the pattern i % 251, for the n of `lengths`. They
/// are computed in one call for all, in one each, and in pieces; an answer that depends on how is said instead.
pub fn line(digest: &'static Digest, lengths: &[usize]) -> String {
    let pattern: Vec<u8> = (0..lengths.iter().max().map_or(0, |len| *len)).map(|at| (at % 251) as u8).collect();
    let messages: Vec<&[u8]> = lengths.iter().map(|len| &pattern[..*len]).collect();
    let mut many = vec![0; messages.len() * digest.output_len];
    digest_many(digest, Cpu::native(), Messages::Slices(&messages), &mut many);
    for (message, expected) in messages.iter().zip(many.chunks(digest.output_len)) {
        let (whole, pieces) = (digest.digest(message), in_pieces(digest, message));
        if whole.as_ref() != expected || pieces.as_ref() != expected {
            let answers = [expected, whole.as_ref(), pieces.as_ref()].map(hex);
            return format!("{} of {} bytes: {}", digest.name, message.len(), answers.join(", "));
        }
    }
    format!("{} {} {}", digest.name, hex(&digest.digest(b"123456789")), hex(&digest.digest(&many)))
}

/// Cut at a third, which is as often within a block as not.
fn in_pieces(digest: &'static Digest, message: &[u8]) -> impl AsRef<[u8]> + use<> {
    let mut hasher = Hasher::new(digest);
    let (head, tail) = message.split_at(message.len() / 3);
    hasher.update(head);
    hasher.update(tail);
    hasher.finish()
}
