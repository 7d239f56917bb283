//! Many messages on all cores.

use rayon::prelude::*;

use super::digest_many_on;
use crate::{Cpu, Digest, Messages};

/// As [`digest_many`](crate::digest_many()), by all threads of the rayon pool that it is called in.
/// Needs the feature `rayon`.
///
/// # Panics
/// As [`digest_many`](crate::digest_many()) does.
pub fn par_digest_many<'a>(digest: &Digest, messages: impl Into<Messages<'a>>) -> Vec<u8> {
    let messages = messages.into();
    let mut out = vec![0; messages.len() * digest.output_len];
    par_digest_many_on(digest, Cpu::native(), messages, &mut out);
    out
}

/// As [`digest_many_on`](crate::digest_many_on()), by all threads of the rayon pool that it is
/// called in: the messages are cut into runs of like number, enough for the threads to take work
/// from each other where lengths differ. Needs the feature `rayon`.
///
/// # Panics
/// As [`digest_many_on`](crate::digest_many_on()) does.
pub fn par_digest_many_on(digest: &Digest, cpu: &Cpu, messages: Messages<'_>, out: &mut [u8]) {
    in_runs(digest.output_len, messages, out, |messages, out| {
        digest_many_on(digest, cpu, messages, out);
    });
}

/// Gives `digest_many` runs of messages, and where their digests go, which have `len` bytes each.
pub(crate) fn in_runs(
    len: usize,
    messages: Messages<'_>,
    out: &mut [u8],
    digest_many: impl Fn(Messages<'_>, &mut [u8]) + Sync,
) {
    let count = messages.len();
    assert_eq!(out.len(), count * len, "the output must have {len} bytes for each message");
    let at_once = count.div_ceil(RUNS * rayon::current_num_threads()).clamp(MIN_RUN, MAX_RUN);
    out.par_chunks_mut(at_once * len).enumerate().for_each(|(number, out)| {
        let first = number * at_once;
        digest_many(messages.range(first..first + out.len() / len), out);
    });
}

/// How many runs each thread has, if there are messages for them.
const RUNS: usize = 4;

/// How many messages a run has at least: twice what fills the widest kernel.
const MIN_RUN: usize = 64;

/// How many messages a run has at most: as many as are put in order at a time, four times.
const MAX_RUN: usize = 4096;
