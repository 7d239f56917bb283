//! Skein of many messages: a vector holds one word of each message.
//!
//! ```text
//! chain, two rows of N words:   key 0 .. N-1   |   position, kind of block, not used ..
//! compress:
//!     position += length of a block
//!     keys   = key words, their parity, and the key words again: subkey s begins at s mod (N + 1)
//!     tweaks = position, kind, position ^ kind, position
//!     x = block
//!     for each pair of subkeys:   add a subkey, four rounds, add a subkey, four rounds
//!     add the last subkey;  key = x ^ block;  the mark of a first block goes
//! ```
//!
//! A row of keys that repeats spares a choice for each word. Words are not permuted between rounds:
//! `mix` takes them from where they are, and after four rounds they are in place again. Position
//! and kind are words of the chain, so `adjust` can set them for the last blocks of each message.

use super::{FIRST, LAST, MESSAGE, OUTPUT, PARITY, last_subkey, place, rotation};
use crate::Digest;
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;

/// A state of `N` words; a chain of `ROWS` is twice as long, for the tweak is the first two words
/// of a row of its own.
pub(super) struct SkeinLanes<const N: usize, const ROWS: usize>;

impl<const N: usize, const ROWS: usize> Design<u64, ROWS, N> for SkeinLanes<N, ROWS> {
    const MIN_FILL: usize = 3;
    const PADDING: Padding = Padding::of_mark(0);
    const ADJUSTS: bool = true;
    const HOLDS_LAST_BLOCK: bool = super::HOLDS_LAST_BLOCK;

    /// The last of the message, and one of zeros for the output.
    #[inline(always)]
    fn tail_blocks(_: usize) -> usize {
        2
    }

    #[inline(always)]
    fn trailer(_: &Digest, _: usize, _: u64) -> [u64; 4] {
        [0; 4]
    }

    /// A block adds its full length to the position; the message's last is to end at the length of
    /// the message, and the output's counter has eight bytes.
    #[inline(always)]
    fn adjust(mut set: impl FnMut(usize, u64), block: usize, tail_len: usize, message_len: u64) {
        let only = if tail_len as u64 == message_len { FIRST } else { 0 };
        let (position, kind) = if block == 0 {
            (message_len, MESSAGE | LAST | only)
        } else {
            (8, FIRST | LAST | OUTPUT)
        };
        set(N, position.wrapping_sub(8 * N as u64));
        set(N + 1, kind);
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u64>>(chain: &mut [L; ROWS], words: &[L; N]) {
        let last = const { last_subkey(N) };
        chain[N] = chain[N].plus(L::splat(8 * N as u64));
        let mut parity = L::splat(PARITY);
        for word in &chain[..N] {
            parity = parity ^ *word;
        }
        let mut keys = *chain;
        keys[N] = parity;
        keys[N + 1..].copy_from_slice(&chain[..N - 1]);
        let [tweak, kind] = [chain[N], chain[N + 1]];
        let tweaks = [tweak, kind, tweak ^ kind, tweak];
        let mut x = *words;
        for s in (0..last).step_by(2) {
            add::<L, ROWS, N>(&mut x, &keys, &tweaks, s);
            mix::<L, N, 0>(&mut x);
            mix::<L, N, 1>(&mut x);
            mix::<L, N, 2>(&mut x);
            mix::<L, N, 3>(&mut x);
            add::<L, ROWS, N>(&mut x, &keys, &tweaks, s + 1);
            mix::<L, N, 4>(&mut x);
            mix::<L, N, 5>(&mut x);
            mix::<L, N, 6>(&mut x);
            mix::<L, N, 7>(&mut x);
        }
        add::<L, ROWS, N>(&mut x, &keys, &tweaks, last);
        for word in 0..N {
            chain[word] = x[word] ^ words[word];
        }
        chain[N + 1] = chain[N + 1] & L::splat(!FIRST);
    }
}

/// Adds subkey `s`: it begins at word `s` of key and tweak, which follow each other over and over.
#[inline(always)]
fn add<L: Lanes<Word = u64>, const ROWS: usize, const N: usize>(
    x: &mut [L; N],
    keys: &[L; ROWS],
    tweaks: &[L; 4],
    s: usize,
) {
    for (x, key) in x.iter_mut().zip(&keys[s % (N + 1)..]) {
        *x = x.plus(*key);
    }
    x[N - 3] = x[N - 3].plus(tweaks[s % 3]);
    x[N - 2] = x[N - 2].plus(tweaks[s % 3 + 1]);
    x[N - 1] = x[N - 1].plus(L::splat(COUNT[s]));
    // The compiler would follow one word through many rounds, and keep the others in memory.
    for word in x {
        *word = word.barrier();
    }
}

/// As `super::mix`: the pairs take their words from where they are.
#[inline(always)]
fn mix<L: Lanes<Word = u64>, const N: usize, const ROUND: usize>(x: &mut [L; N]) {
    macro_rules! pairs {
        ($($pair:literal)*) => { $(if $pair < N / 2 {
            let (a, b) = const {
                (place(N, ROUND % 4, 2 * $pair % N), place(N, ROUND % 4, (2 * $pair + 1) % N))
            };
            x[a] = x[a].plus(x[b]);
            x[b] = x[b].left(const { rotation(N, ROUND, $pair % (N / 2)) }) ^ x[a];
        })* };
    }
    pairs!(0 1 2 3 4 5 6 7);
}

/// What a subkey adds is loaded, even its number: the compiler regroups chains of additions with
/// known terms or the counter of a loop in them, to half the speed.
const COUNT: [u64; last_subkey(16) + 1] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
