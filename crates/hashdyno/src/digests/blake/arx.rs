//! What BLAKE, BLAKE2 and BLAKE3 share: words of 32 or 64 bits, and the round that adds, rotates
//! and xors sixteen of them.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::__m256i;

use crate::parts::lanes::Lanes;

/// A word of the state: `u32` or `u64`.
pub(in crate::digests) trait Word: Lanes {
    /// The initial value of SHA-256 or SHA-512, which all of these designs take over.
    const INITIAL: [Self; 8];
    fn to_be(self) -> Self;
    fn to_le(self) -> Self;
    /// The two words of a counter, low and high.
    fn split(counter: u128) -> [Self; 2];
    /// The counter of two words, low and high.
    fn join(words: [Self; 2]) -> u128;
}

macro_rules! word {
    ($word:ident, $initial:expr) => {
        impl Word for $word {
            const INITIAL: [Self; 8] = $initial;

            #[inline(always)]
            fn to_be(self) -> Self {
                Self::to_be(self)
            }

            #[inline(always)]
            fn to_le(self) -> Self {
                Self::to_le(self)
            }

            #[inline(always)]
            fn split(counter: u128) -> [Self; 2] {
                [counter as Self, (counter >> Self::BITS) as Self]
            }

            #[inline(always)]
            fn join([low, high]: [Self; 2]) -> u128 {
                u128::from(high) << Self::BITS | u128::from(low)
            }
        }
    };
}

word!(
    u32,
    [
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
        0x5be0cd19
    ]
);
word!(
    u64,
    [
        0x6a09e667f3bcc908,
        0xbb67ae8584caa73b,
        0x3c6ef372fe94f82b,
        0xa54ff53a5f1d36f1,
        0x510e527fade682d1,
        0x9b05688c2b3e6c1f,
        0x1f83d9abfb41bd6b,
        0x5be0cd19137e2179,
    ]
);

/// Calls the macro's body once for each round, the round's number being a constant.
macro_rules! unroll {
    (|$round:ident| $body:expr; $($number:literal)*) => {
        $({
            const $round: usize = $number;
            $body
        })*
    };
    (|$round:ident| $body:expr) => {
        $crate::digests::blake::arx::unroll!(|$round| $body; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
}
pub(in crate::digests) use unroll;

/// The rounds of a design, for many messages.
pub(in crate::digests) trait Rounds {
    /// How many there are: 16 at most.
    const COUNT: usize;
    /// As of [`round`].
    const ROTATIONS: [u32; 4];
    /// Which word of the message each addition of a round takes; they start again behind the last.
    const ORDER: &'static [[usize; 16]];
    /// What each word is xored with where it comes in: the mask of the word that the other addition
    /// of that G takes. Masks of 32 bits stand there twice.
    const MASKS: Option<[u64; 16]> = None;
    /// Those of `columns` that turn and mask likewise.
    #[cfg(target_arch = "x86_64")]
    const ON_COLUMNS: OnColumns;
}

/// As [`super::rounds::rounds`].
///
/// # Safety
/// There is AVX2.
#[cfg(target_arch = "x86_64")]
pub(in crate::digests) type OnColumns = unsafe fn(&mut [__m256i; 8], &[__m256i; 8], &[__m256i; 16]);

/// One round on the 4 x 4 words `v`: G on the columns, then on the diagonals. `input(i)` is the
/// word that the round's i-th addition brings in; how far G rotates is what tells the designs
/// apart.
#[inline(always)]
pub(in crate::digests) fn round<W: Lanes>(
    v: &mut [W; 16],
    rotations: [u32; 4],
    input: impl Fn(usize) -> W,
) {
    mix(v, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]], rotations, &input);
    mix(v, [[0, 1, 2, 3], [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]], rotations, |i| {
        input(8 + i)
    });
}

/// Adds `bytes` or bits, less than half of a word's range, to a counter of two words, low and high.
#[inline(always)]
pub(in crate::digests) fn count<L: Lanes>(counter: &mut [L], added: L::Word) {
    let before = counter[0];
    counter[0] = before.plus(L::splat(added));
    // It has carried where the highest bit has gone.
    counter[1] = counter[1].plus((before & !counter[0]).down(8 * size_of::<L::Word>() as u32 - 1));
}

/// Four times G, step by step in turn: one G alone waits for itself, and a CPU does not look far
/// enough ahead to find the next.
#[inline(always)]
fn mix<W: Lanes>(
    v: &mut [W; 16],
    [a, b, c, d]: [[usize; 4]; 4],
    [r0, r1, r2, r3]: [u32; 4],
    input: impl Fn(usize) -> W,
) {
    advance(v, a, b, [input(0), input(2), input(4), input(6)]);
    turn(v, d, a, r0);
    add(v, c, d);
    turn(v, b, c, r1);
    advance(v, a, b, [input(1), input(3), input(5), input(7)]);
    turn(v, d, a, r2);
    add(v, c, d);
    turn(v, b, c, r3);
}

/// Adds four words and four inputs to four words. In lanes the words are ready last, so they are
/// added last. One message has fewer registers than words: its inputs are read from memory, and
/// BLAKE2s takes 1 % less time if they are added last (Zen 4).
#[inline(always)]
fn advance<W: Lanes>(v: &mut [W; 16], a: [usize; 4], b: [usize; 4], inputs: [W; 4]) {
    if W::COUNT == 1 {
        add(v, a, b);
        bring(v, a, inputs);
    } else {
        bring(v, a, inputs);
        add(v, a, b);
    }
}

/// Adds inputs to four words.
#[inline(always)]
fn bring<W: Lanes>(v: &mut [W; 16], [a0, a1, a2, a3]: [usize; 4], [x0, x1, x2, x3]: [W; 4]) {
    v[a0] = v[a0].plus(x0);
    v[a1] = v[a1].plus(x1);
    v[a2] = v[a2].plus(x2);
    v[a3] = v[a3].plus(x3);
}

/// Adds four words to four.
#[inline(always)]
fn add<W: Lanes>(v: &mut [W; 16], to: [usize; 4], [b0, b1, b2, b3]: [usize; 4]) {
    bring(v, to, [v[b0], v[b1], v[b2], v[b3]]);
}

/// Xors four words to four, and rotates the results right. Of one message, all four are xored
/// before the first is rotated: BLAKE2s takes 3.5 % less time (Zen 4). Lanes would be slower.
#[inline(always)]
fn turn<W: Lanes>(v: &mut [W; 16], d: [usize; 4], a: [usize; 4], distance: u32) {
    let ([d0, d1, d2, d3], [a0, a1, a2, a3]) = (d, a);
    if W::COUNT == 1 {
        v[d0] = v[d0] ^ v[a0];
        v[d1] = v[d1] ^ v[a1];
        v[d2] = v[d2] ^ v[a2];
        v[d3] = v[d3] ^ v[a3];
        v[d0] = v[d0].right(distance);
        v[d1] = v[d1].right(distance);
        v[d2] = v[d2].right(distance);
        v[d3] = v[d3].right(distance);
    } else {
        v[d0] = (v[d0] ^ v[a0]).right(distance);
        v[d1] = (v[d1] ^ v[a1]).right(distance);
        v[d2] = (v[d2] ^ v[a2]).right(distance);
        v[d3] = (v[d3] ^ v[a3]).right(distance);
    }
}

/// Which word of the message each addition of a round takes, in BLAKE and BLAKE2; from round 10 on
/// they start again.
#[rustfmt::skip]
pub(in crate::digests) const ORDER: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
