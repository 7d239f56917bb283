//! Skein of many messages.

use super::{FIRST, LAST, MESSAGE, OUTPUT, last_subkey, place, rotation};
use crate::Digest;
use crate::lanes::Lanes;
use crate::many::Design;
use crate::padding::Order;

/// A state of `N` words; a chain of `ROWS` is twice as long, for the tweak is the first two words of a row of its own.
pub(super) struct Many<const N: usize, const ROWS: usize>;

impl<const N: usize, const ROWS: usize> Design<u64, ROWS, N> for Many<N, ROWS> {
    const WORTH: usize = 3;
    const ORDER: Order = Order::Little;
    const MARK: u8 = 0;
    const ADJUSTS: bool = true;
    const HOLDS_LAST_BLOCK: bool = true;

    /// The last of the message, and one of zeros for the output.
    #[inline(always)]
    fn tail_blocks(_: usize) -> usize {
        2
    }

    #[inline(always)]
    fn trailer(_: &Digest, _: usize, _: u64) -> [u64; 4] {
        [0; 4]
    }

    /// A block adds its full length to the position; the message's last is to end at the length of the message, and the
    /// output's counter has eight bytes.
    #[inline(always)]
    fn adjust(mut set: impl FnMut(usize, u64), block: usize, rest: usize, message_len: u64) {
        let only = if rest as u64 == message_len { FIRST } else { 0 };
        let (position, kind) = if block == 0 { (message_len, MESSAGE | LAST | only) } else { (8, FIRST | LAST | OUTPUT) };
        set(N, position.wrapping_sub(8 * N as u64));
        set(N + 1, kind);
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u64>>(chain: &mut [L; ROWS], words: &[L; N]) {
        let last = const { last_subkey(N) };
        chain[N] = chain[N].plus(L::splat(8 * N as u64));
        let (mut keys, mut tweaks) = ([L::splat(0); last_subkey(16) + 16], [L::splat(0); last_subkey(16) + 2]);
        keys[..N].copy_from_slice(&chain[..N]);
        keys[N] = L::splat(0x1bd1_1bda_a9fc_1a22);
        for word in 0..N {
            keys[N] = keys[N] ^ keys[word];
        }
        (tweaks[0], tweaks[1]) = (chain[N], chain[N + 1]);
        tweaks[2] = tweaks[0] ^ tweaks[1];
        for at in N + 1..last + N {
            keys[at] = keys[at - N - 1];
        }
        for at in 3..last + 2 {
            tweaks[at] = tweaks[at - 3];
        }
        let mut x = *words;
        for s in (0..last).step_by(2) {
            add::<L, N>(&mut x, &keys[s..], &tweaks[s..], COUNT[s]);
            mix::<L, N, 0>(&mut x);
            mix::<L, N, 1>(&mut x);
            mix::<L, N, 2>(&mut x);
            mix::<L, N, 3>(&mut x);
            add::<L, N>(&mut x, &keys[s + 1..], &tweaks[s + 1..], COUNT[s + 1]);
            mix::<L, N, 4>(&mut x);
            mix::<L, N, 5>(&mut x);
            mix::<L, N, 6>(&mut x);
            mix::<L, N, 7>(&mut x);
        }
        add::<L, N>(&mut x, &keys[last..], &tweaks[last..], COUNT[last]);
        for word in 0..N {
            chain[word] = x[word] ^ words[word];
        }
        chain[N + 1] = chain[N + 1] & L::splat(!FIRST);
    }
}

/// Adds a subkey.
#[inline(always)]
fn add<L: Lanes<Word = u64>, const N: usize>(x: &mut [L; N], keys: &[L], tweaks: &[L], count: u64) {
    for word in 0..N {
        x[word] = x[word].plus(keys[word]);
    }
    x[N - 3] = x[N - 3].plus(tweaks[0]);
    x[N - 2] = x[N - 2].plus(tweaks[1]);
    x[N - 1] = x[N - 1].plus(L::splat(count));
}

/// As `super::mix`: the pairs take their words from where they are.
#[inline(always)]
fn mix<L: Lanes<Word = u64>, const N: usize, const ROUND: usize>(x: &mut [L; N]) {
    macro_rules! pairs {
        ($($pair:literal)*) => { $(if $pair < N / 2 {
            let (a, b) = const { (place(N, ROUND % 4, 2 * $pair % N), place(N, ROUND % 4, (2 * $pair + 1) % N)) };
            x[a] = x[a].plus(x[b]);
            x[b] = x[b].left(const { rotation(N, ROUND, $pair % (N / 2)) }) ^ x[a];
        })* };
    }
    pairs!(0 1 2 3 4 5 6 7);
}

/// What a subkey adds is loaded, even its number: the compiler regroups chains of additions with known terms or the counter
/// of a loop in them, to half the speed.
const COUNT: [u64; last_subkey(16) + 1] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
