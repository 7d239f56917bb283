//! One block after another, by rows: four words in a vector, so that the four G of half a round are
//! one. The chaining value stays in registers, and so does the message, which a few shuffles
//! permute from round to round.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::super::blake::arx::{Word, unroll};
use super::node::{BLOCK_LEN, ChainingValue, ORDER, PARENT};
use crate::barrier;
use crate::words::{copy, few};

/// The value of the node above two others; `flags` are those beyond [`PARENT`].
#[target_feature(enable = "avx2")]
pub(super) fn parent(halves: &[ChainingValue; 2], flags: u32) -> ChainingValue {
    value(bytemuck::bytes_of(halves), 0, PARENT, flags)
}

/// The chaining value after `bytes` from the initial one; the last block may be shorter than the
/// others, and is the first where there are no bytes. `first` and `last` are the flags of the first
/// block and of the last.
#[target_feature(enable = "avx2")]
#[inline(never)]
pub(super) fn value(mut bytes: &[u8], counter: u64, first: u32, last: u32) -> ChainingValue {
    let mut chain: [__m128i; 2] = cast(u32::INITIAL);
    let mut flags = first;
    loop {
        let (block, len, rest) = match bytes.split_first_chunk() {
            Some((block, rest)) => (load(block), BLOCK_LEN, rest),
            None => (padded(bytes), bytes.len(), [].as_slice()),
        };
        if rest.is_empty() {
            flags |= last;
        }
        let [low, high] = u32::split(counter.into()).map(|word| word as i32);
        chain = next(chain, block, _mm_set_epi32(flags as i32, len as i32, high, low));
        if rest.is_empty() {
            return cast(chain);
        }
        (bytes, flags) = (rest, 0);
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn load(block: &[u8; BLOCK_LEN]) -> [__m128i; 4] {
    bytemuck::pod_read_unaligned(block)
}

/// Less than a block, and zeros.
#[target_feature(enable = "avx2")]
#[inline]
fn padded(bytes: &[u8]) -> [__m128i; 4] {
    if bytes.len() < 16 {
        let few = few(bytes);
        let zero = _mm_setzero_si128();
        return [_mm_set_epi64x((few >> 64) as i64, few as i64), zero, zero, zero];
    }
    let mut block = [0; BLOCK_LEN];
    copy(bytes, &mut block);
    load(&block)
}

/// The next chaining value; `d` is the last row that goes into the rounds: counter, length and
/// flags.
#[target_feature(enable = "avx2")]
#[inline]
fn next([mut a, mut b]: [__m128i; 2], block: [__m128i; 4], mut d: __m128i) -> [__m128i; 2] {
    let [mut c, _] = cast::<_, [__m128i; 2]>(u32::INITIAL);
    let [turn_16, turn_8] = [
        barrier([2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13]),
        barrier([1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12]),
    ];
    let mut message = first_order(block);
    macro_rules! half {
        ($x:expr, $turn:ident, $down:literal, $up:literal) => {
            a = _mm_add_epi32(_mm_add_epi32(a, $x), b);
            d = _mm_shuffle_epi8(_mm_xor_si128(d, a), $turn);
            c = _mm_add_epi32(c, d);
            b = _mm_xor_si128(b, c);
            b = _mm_or_si128(_mm_srli_epi32::<$down>(b), _mm_slli_epi32::<$up>(b));
        };
    }
    unroll!(|ROUND| if const { ROUND < ORDER.len() } {
        half!(message[0], turn_16, 12, 20);
        half!(message[1], turn_8, 7, 25);
        // From columns to diagonals all rows turn but the second, which is the one that the next
        // addition waits for.
        (a, c, d) =
            (turned::<0b10_01_00_11>(a), turned::<0b00_11_10_01>(c), turned::<0b01_00_11_10>(d));
        half!(message[2], turn_16, 12, 20);
        half!(message[3], turn_8, 7, 25);
        (a, c, d) =
            (turned::<0b00_11_10_01>(a), turned::<0b10_01_00_11>(c), turned::<0b01_00_11_10>(d));
        message = next_order(message);
    });
    [_mm_xor_si128(a, c), _mm_xor_si128(b, d)]
}

/// The words in the order of the first round, in the order of its four additions; those for
/// diagonals begin with the last of them.
#[target_feature(enable = "avx2")]
#[inline]
fn first_order([w0, w1, w2, w3]: [__m128i; 4]) -> [__m128i; 4] {
    [
        pick::<0b10_00_10_00>(w0, w1),
        pick::<0b11_01_11_01>(w0, w1),
        turned::<0b10_01_00_11>(pick::<0b10_00_10_00>(w2, w3)),
        turned::<0b10_01_00_11>(pick::<0b11_01_11_01>(w2, w3)),
    ]
}

/// From the order of one round to that of the next.
#[target_feature(enable = "avx2")]
#[inline]
fn next_order([a, b, c, d]: [__m128i; 4]) -> [__m128i; 4] {
    [
        turned::<0b01_11_10_00>(pick::<0b11_01_10_01>(a, b)),
        pick::<0b11_00_10_11>(_mm_blend_epi32::<0b0100>(a, c), _mm_blend_epi32::<0b1000>(a, d)),
        pick::<0b01_11_01_00>(_mm_unpacklo_epi32(d, b), _mm_blend_epi32::<0b1000>(d, c)),
        pick::<0b00_10_10_01>(_mm_blend_epi32::<0b0100>(c, d), _mm_blend_epi32::<0b0100>(c, b)),
    ]
}

/// Two words of `a`, then two of `b`.
#[target_feature(enable = "avx2")]
#[inline]
fn pick<const WHICH: i32>(a: __m128i, b: __m128i) -> __m128i {
    _mm_castps_si128(_mm_shuffle_ps::<WHICH>(_mm_castsi128_ps(a), _mm_castsi128_ps(b)))
}

#[target_feature(enable = "avx2")]
#[inline]
fn turned<const ORDER: i32>(row: __m128i) -> __m128i {
    _mm_shuffle_epi32::<ORDER>(row)
}

/// An order of bytes that the compiler knows nothing of: it would make two shuffles of one.
#[target_feature(enable = "avx2")]
#[inline]
fn barrier(order: [u8; 16]) -> __m128i {
    barrier::register!(xmm_reg cast::<_, __m128i>(order))
}
