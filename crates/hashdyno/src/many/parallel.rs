//! Many messages on all cores.

use rayon::prelude::*;

use super::digest_many;
use crate::{Cpu, Digest, Messages};

/// As [`digest_many`](crate::digest_many()), by all threads of the rayon pool that it is called in: the messages are cut into runs
/// of like number, enough for the threads to take work from each other where lengths differ. Needs the feature `rayon`.
///
/// # Panics
/// As [`digest_many`](crate::digest_many()) does.
pub fn par_digest_many(digest: &Digest, cpu: &Cpu, messages: Messages<'_>, out: &mut [u8]) {
    let (count, len) = (messages.len(), digest.output_len);
    assert_eq!(out.len(), count * len, "the output must have {len} bytes for each message");
    let at_once = count.div_ceil(RUNS * rayon::current_num_threads()).clamp(FEWEST, MOST);
    out.par_chunks_mut(at_once * len).enumerate().for_each(|(number, out)| {
        let first = number * at_once;
        digest_many(digest, cpu, messages.range(first..first + out.len() / len), out);
    });
}

/// How many runs each thread has, if there are messages for them.
const RUNS: usize = 4;

/// How many messages a run has at least: twice what fills the widest kernel.
const FEWEST: usize = 64;

/// How many messages a run has at most: as many as are put in order at a time, four times.
const MOST: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;

    #[test]
    fn all_cores_give_what_one_gives() {
        let data: Vec<u8> = (0..200_000).map(|at| (at % 251) as u8).collect();
        for (name, count) in [("md5", 0), ("md5", 1), ("sha256", 63), ("md5", 1000), ("xxh64", 10_000)] {
            let digest = find(name).unwrap();
            let slices: Vec<&[u8]> = (0..count).map(|number| &data[number..number + number * 7919 % 601]).collect();
            let mut out = [vec![0; count * digest.output_len], vec![0x55; count * digest.output_len]];
            digest_many(digest, Cpu::native(), Messages::Slices(&slices), &mut out[0]);
            par_digest_many(digest, Cpu::native(), Messages::Slices(&slices), &mut out[1]);
            assert_eq!(out[0], out[1], "{name} of {count} messages");
        }
    }
}
