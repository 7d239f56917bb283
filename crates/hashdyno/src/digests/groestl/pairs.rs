//! Groestl with 8 columns and two rows of both permutations in a vector, four apart: P's eight
//! bytes and Q's of the one, then of the other. MixBytes needs the vectors both ways round and
//! leaves all but the first with the greater row first; so they are throughout.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::rows::{SHIFT_ROWS, constants, half, shuffles};
use crate::parts::lines::Lines;
use crate::parts::mds::Rows;
use crate::parts::mds::avx2::{Pair, columns, four, rows, sum};
use crate::{Code, Features, Kernel, State};

pub(super) const VAES: Kernel =
    Kernel::of("vaes", Features::AVX2.union(Features::VAES), Code::Blocks(absorb));

#[target_feature(enable = "avx2,aes,vaes")]
fn absorb(state: &mut State, blocks: &[u8]) {
    let chain = state.view::<Rows>();
    let mut h = four!(|N| of_p(paired(chain)[N]));
    for block in blocks.as_chunks().0 {
        let m = paired(block);
        let mut a = four!(|N| sum(sum(m[N], h[N]), cast(INITIAL[N])));
        for constants in &CONSTANTS.0 {
            a = round(a, constants);
        }
        h = four!(|N| sum(h[N], of_p(sum(a[N], _mm256_bsrli_epi128::<8>(a[N])))));
    }
    *chain = rows(four!(|N| {
        let [low, high] = cast::<_, [__m128i; 2]>(h[N]);
        if N == 0 { _mm_unpacklo_epi64(low, high) } else { _mm_unpacklo_epi64(high, low) }
    }));
}

/// SubBytes, ShiftBytes and MixBytes, and AddRoundConstant of the next round.
#[inline]
#[target_feature(enable = "avx2,aes,vaes")]
fn round(a: [__m256i; 4], constants: &[Pair; 4]) -> [__m256i; 4] {
    let [u, v, w, x] = four!(|N| {
        let shuffled = _mm256_shuffle_epi8(a[N], cast(SHUFFLES[N]));
        _mm256_aesenclast_epi128(shuffled, _mm256_setzero_si256())
    });
    // Rows n and n + 4.
    let a = [u, turned(v), turned(w), turned(x), turned(u), v, w, x];
    let t = |n: usize| sum(a[n % 8], a[(n + 1) % 8]);
    let y = |n: usize| sum(sum(t(n), t(n + 2)), a[(n + 6) % 8]);
    let [p, q, r, s] = four!(|N| {
        let x = sum(sum(t(N), t(N + 3)), cast(constants[N]));
        sum(doubled(sum(doubled(x), y(N + 4))), y(N + 1))
    });
    [s, p, q, r]
}

/// The halves exchanged. The compiler would do it by VPERMQ, which takes AMD's processors twice the
/// time.
#[inline]
#[target_feature(enable = "avx2")]
fn turned(a: __m256i) -> __m256i {
    let turned;
    // SAFETY: the instruction reads and writes registers alone.
    unsafe {
        std::arch::asm!(
            "vperm2i128 {0}, {1}, {1}, 1",
            out(ymm_reg) turned,
            in(ymm_reg) a,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    turned
}

#[inline]
#[target_feature(enable = "avx2")]
fn doubled(a: __m256i) -> __m256i {
    let overflow = _mm256_cmpgt_epi8(_mm256_setzero_si256(), a);
    sum(_mm256_add_epi8(a, a), _mm256_and_si256(overflow, _mm256_set1_epi8(0x1b)))
}

/// P's part alone.
#[inline]
#[target_feature(enable = "avx2")]
fn of_p(a: __m256i) -> __m256i {
    _mm256_unpacklo_epi64(a, _mm256_setzero_si256())
}

/// The rows of a block, the same for P and Q. To this the columns of the specification are rows of
/// memory.
#[inline]
#[target_feature(enable = "avx2")]
fn paired(block: &Rows) -> [__m256i; 4] {
    let pairs = columns(block);
    four!(|N| {
        let (n, next) =
            (_mm_unpacklo_epi64(pairs[N], pairs[N]), _mm_unpackhi_epi64(pairs[N], pairs[N]));
        if N == 0 { _mm256_set_m128i(next, n) } else { _mm256_set_m128i(n, next) }
    })
}

/// The rows of each vector.
const ROWS: [[usize; 2]; 4] = [[0, 4], [5, 1], [6, 2], [7, 3]];

static SHUFFLES: [Pair; 4] = {
    let (of_rows, mut pairs, mut at) = (shuffles::<16>(&SHIFT_ROWS), [[[0; 16]; 2]; 4], 0);
    while at < 8 {
        pairs[at / 2][at % 2] = of_rows[ROWS[at / 2][at % 2]];
        at += 1;
    }
    pairs
};

static INITIAL: [Pair; 4] = {
    let (mut pairs, mut at) = ([[[0; 16]; 2]; 4], 0);
    while at < 8 {
        pairs[at / 2][at % 2] = of_row(0, ROWS[at / 2][at % 2]);
        at += 1;
    }
    pairs
};

/// A quarter of the constants of the rounds from 1 on, and zeros: those of rows n + 5 and n + 1, to
/// which vector n goes.
static CONSTANTS: Lines<[[Pair; 4]; 10]> = {
    let (mut quarters, mut at) = ([[[[0; 16]; 2]; 4]; 10], 0);
    while at < 9 * 8 * 16 {
        let (round, n, which, byte) = (at / 128, at / 32 % 4, at / 16 % 2, at % 16);
        let constant = of_row(round + 1, (n + 5 + 4 * which) % 8)[byte];
        quarters[round][n][which][byte] = half(half(constant));
        at += 1;
    }
    Lines(quarters)
};

/// What AddRoundConstant adds to a row in a round.
const fn of_row(round: usize, row: usize) -> [u8; 16] {
    let [first, middle, last] = constants(round);
    match row {
        0 => first,
        7 => last,
        _ => middle,
    }
}
