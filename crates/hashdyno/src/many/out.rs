//! Where words in lanes become digests of messages.

use super::Batch;
use crate::parts::lanes::Lanes;
use crate::parts::unroll::sixteen;

/// The most lanes that a kernel may have.
pub(crate) const MAX_LANES: usize = 64;

/// In place of the number of a message that has not ended.
pub(crate) const NOT_YET: usize = usize::MAX;

impl Batch<'_> {
    /// Puts out the digests of a run of messages from number `first` on, one for each lane: digests
    /// of one word or of 16 bytes, as they are in memory.
    #[inline(always)]
    pub(crate) fn put_out_run<L: Lanes, const WORDS: usize>(
        &mut self,
        words: [L; WORDS],
        first: usize,
    ) {
        let len = self.digest.output_len;
        put_run(words, len, &mut self.out[first * len..]);
    }

    /// Puts out the digests of the messages of these numbers, one for each lane: words as they are
    /// in memory.
    #[inline(always)]
    pub(crate) fn put_out<L: Lanes, const WORDS: usize>(
        &mut self,
        words: [L; WORDS],
        numbers: &[usize; MAX_LANES],
    ) {
        let (len, out) = (self.digest.output_len, &mut *self.out);
        if len == size_of::<L::Word>() {
            return put_words(words[0], numbers, 0, len, out);
        }
        let first = numbers[0];
        // Zero if the numbers are a run.
        let apart = numbers[..L::COUNT]
            .iter()
            .zip(0..)
            .fold(0, |apart, (number, lane)| apart | (number ^ first.wrapping_add(lane)));
        if len == 16 && apart == 0 && first != NOT_YET {
            // All of them, one behind the other.
            return put_run(words, 16, &mut out[16 * first..]);
        }
        let mut lanes = [[0; 16]; MAX_LANES];
        sixteen!(RUN => {
            if const { 16 * RUN < WORDS * size_of::<L::Word>() } && 16 * RUN < len {
                if size_of::<L::Word>() == 4
                    && len - 16 * RUN == 4
                    && let Some(last) = words.get(4 * RUN)
                {
                    return put_words(*last, numbers, 16 * RUN, len, out);
                }
                L::run(&words, RUN, &mut lanes[..L::COUNT]);
                if len - 16 * RUN < 16 {
                    return put_last(&lanes[..L::COUNT], numbers, len, out);
                }
                for (bytes, number) in lanes[..L::COUNT].iter().zip(&numbers[..L::COUNT]) {
                    if *number != NOT_YET {
                        *out[number * len + 16 * RUN..].first_chunk_mut().expect("digests have \
                            their place") = *bytes;
                    }
                }
            }
        });
    }
}

/// Puts out digests of one word or of 16 bytes, one behind the other.
#[inline(always)]
fn put_run<L: Lanes, const WORDS: usize>(mut words: [L; WORDS], len: usize, out: &mut [u8]) {
    let out = &mut out[..L::COUNT * len];
    match len {
        16 => L::run(&words, 0, out.as_chunks_mut().0),
        _ => out.copy_from_slice(bytemuck::cast_slice(L::words(&mut words[..1]))),
    }
}

/// Puts out a word of each digest of `len` bytes, from byte `from` of the digest on.
#[inline(always)]
fn put_words<L: Lanes>(
    mut words: L,
    numbers: &[usize; MAX_LANES],
    from: usize,
    len: usize,
    out: &mut [u8],
) {
    for (word, number) in L::words(std::slice::from_mut(&mut words)).iter().zip(numbers) {
        if *number != NOT_YET {
            out[number * len + from..][..size_of::<L::Word>()]
                .copy_from_slice(bytemuck::bytes_of(word));
        }
    }
}

/// Puts out the last bytes of digests, fewer than 16, of the messages of these numbers.
#[inline(never)]
fn put_last(lanes: &[[u8; 16]], numbers: &[usize], len: usize, out: &mut [u8]) {
    let mut piece = |from: usize, size: usize| {
        for (bytes, number) in lanes.iter().zip(numbers) {
            if *number != NOT_YET {
                out[number * len + len / 16 * 16 + from..][..size]
                    .copy_from_slice(&bytes[from..][..size]);
            }
        }
    };
    // With a size known to the compiler: a copy of unknown length would be a call.
    if len & 8 != 0 {
        piece(0, 8);
    }
    match len & 12 {
        4 => piece(0, 4),
        12 => piece(8, 4),
        _ => {}
    }
    if len & 3 != 0 {
        piece(len % 16 / 4 * 4, len % 4);
    }
}

/// A word for each lane.
#[inline(always)]
pub(crate) fn load<L: Lanes>(words: &[L::Word], first: usize) -> L {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&words[first..][..L::COUNT]))
}

/// The same words in every lane.
#[inline(always)]
pub(crate) fn splat<L: Lanes, const WORDS: usize>(words: [L::Word; WORDS]) -> [L; WORDS] {
    let mut vectors: [L; WORDS] = bytemuck::Zeroable::zeroed();
    for (vector, word) in vectors.iter_mut().zip(words) {
        *vector = L::splat(word);
    }
    vectors
}
