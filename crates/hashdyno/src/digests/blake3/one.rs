//! One block after another, by rows: four words in a vector, so that the four G of half a round are
//! one. The chaining value stays in registers, and so does the message, which a few shuffles
//! permute from round to round.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::super::blake::arx::{Word, unroll};
use super::super::blake::rows;
use super::node::{BLOCK_LEN, ChainingValue, ORDER, PARENT};
use crate::parts::arrays::Mapped;
use crate::parts::barrier;
use crate::parts::words::{copy, few};

/// Declares the module for a CPU: the features that its functions are compiled for; the xor of a
/// row and of one that comes late, and its rotation to the right, which may take [`orders`]; and a
/// vector with one word of another.
macro_rules! blake3_rows {
    ($module:ident: $features:literal, $xor_right:ident, $blend:ident) => {
        pub(super) mod $module {
            use super::*;

            /// The chaining value after `bytes` from the initial one; the last block may be
            /// shorter than the others, and is the first where there are no bytes. `first` and
            /// `last` are the flags of the first block and of the last.
            #[target_feature(enable = $features)]
            #[inline(never)]
            pub(in crate::digests::blake3) fn value(
                mut bytes: &[u8],
                counter: u64,
                first: u32,
                last: u32,
            ) -> ChainingValue {
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
                    let [low, high] = u32::split(counter.into()).mapped(|word| word as i32);
                    chain = next(chain, block, _mm_set_epi32(flags as i32, len as i32, high, low));
                    if rest.is_empty() {
                        return cast(chain);
                    }
                    (bytes, flags) = (rest, 0);
                }
            }

            /// The next chaining value; `d` is the last row that goes into the rounds: counter,
            /// length and flags.
            #[target_feature(enable = $features)]
            #[inline]
            fn next(
                [mut a, mut b]: [__m128i; 2],
                block: [__m128i; 4],
                mut d: __m128i,
            ) -> [__m128i; 2] {
                let [mut c, _] = cast::<_, [__m128i; 2]>(u32::INITIAL);
                let orders = orders();
                let mut message = first_order(block);
                macro_rules! half {
                    ($x:expr, $right_d:literal, $right_b:literal) => {
                        a = _mm_add_epi32(_mm_add_epi32(a, $x), b);
                        d = $xor_right::<$right_d>(d, a, orders);
                        c = _mm_add_epi32(c, d);
                        b = $xor_right::<$right_b>(b, c, orders);
                    };
                }
                unroll!(|ROUND| if const { ROUND < ORDER.len() } {
                    half!(message[0], 16, 12);
                    half!(message[1], 8, 7);
                    // From columns to diagonals all rows turn but the second, which is the one
                    // that the next addition waits for.
                    (a, c, d) = (
                        turned::<0b10_01_00_11>(a),
                        turned::<0b00_11_10_01>(c),
                        turned::<0b01_00_11_10>(d),
                    );
                    half!(message[2], 16, 12);
                    half!(message[3], 8, 7);
                    (a, c, d) = (
                        turned::<0b00_11_10_01>(a),
                        turned::<0b10_01_00_11>(c),
                        turned::<0b01_00_11_10>(d),
                    );
                    message = next_order(message);
                });
                [_mm_xor_si128(a, c), _mm_xor_si128(b, d)]
            }

            /// From the order of one round to that of the next.
            #[target_feature(enable = $features)]
            #[inline]
            fn next_order([a, b, c, d]: [__m128i; 4]) -> [__m128i; 4] {
                [
                    turned::<0b01_11_10_00>(pick::<0b11_01_10_01>(a, b)),
                    pick::<0b11_00_10_11>($blend::<2>(a, c), $blend::<3>(a, d)),
                    pick::<0b01_11_01_00>(_mm_unpacklo_epi32(d, b), $blend::<3>(d, c)),
                    pick::<0b00_10_10_01>($blend::<2>(c, d), $blend::<2>(c, b)),
                ]
            }
        }
    };
}

blake3_rows!(sse2: "sse2", xor_right_sse2, blend_sse2);
blake3_rows!(sse41: "sse4.1", xor_right_ssse3, blend_sse41);
blake3_rows!(avx2: "avx2", xor_right_ssse3, blend_avx2);
blake3_rows!(avx512vl: "avx512f,avx512vl", xor_right_avx512vl, blend_avx2);
blake3_rows!(split: "avx512f,avx512vl", xor_right_split, blend_avx2);

/// The value of the node above two others; `flags` are those beyond [`PARENT`].
#[target_feature(enable = "avx2")]
pub(super) fn parent(halves: &[ChainingValue; 2], flags: u32) -> ChainingValue {
    avx2::value(bytemuck::bytes_of(halves), 0, PARENT, flags)
}

#[inline]
fn load(block: &[u8; BLOCK_LEN]) -> [__m128i; 4] {
    bytemuck::pod_read_unaligned(block)
}

/// Less than a block, and zeros.
#[inline(always)]
fn padded(bytes: &[u8]) -> [__m128i; 4] {
    if bytes.len() < 16 {
        return cast([few(bytes), 0, 0, 0]);
    }
    let mut block = [0; BLOCK_LEN];
    copy(bytes, &mut block);
    load(&block)
}

/// The words in the order of the first round, in the order of its four additions; those for
/// diagonals begin with the last of them.
#[target_feature(enable = "sse2")]
#[inline]
fn first_order([w0, w1, w2, w3]: [__m128i; 4]) -> [__m128i; 4] {
    [
        pick::<0b10_00_10_00>(w0, w1),
        pick::<0b11_01_11_01>(w0, w1),
        turned::<0b10_01_00_11>(pick::<0b10_00_10_00>(w2, w3)),
        turned::<0b10_01_00_11>(pick::<0b11_01_11_01>(w2, w3)),
    ]
}

/// Two words of `a`, then two of `b`.
#[target_feature(enable = "sse2")]
#[inline]
fn pick<const WHICH: i32>(a: __m128i, b: __m128i) -> __m128i {
    _mm_castps_si128(_mm_shuffle_ps::<WHICH>(_mm_castsi128_ps(a), _mm_castsi128_ps(b)))
}

#[target_feature(enable = "sse2")]
#[inline]
fn turned<const ORDER: i32>(row: __m128i) -> __m128i {
    _mm_shuffle_epi32::<ORDER>(row)
}

/// The orders of bytes of rotations by 16 bits and by 8. The compiler knows nothing of them: it
/// would make two shuffles of one.
#[target_feature(enable = "sse2")]
#[inline]
fn orders() -> [__m128i; 2] {
    [
        [2u8, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13],
        [1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12],
    ]
    .mapped(|order| barrier::register!(xmm_reg cast::<_, __m128i>(order)))
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn xor_right_split<const BITS: i32>(row: __m128i, late: __m128i, _: [__m128i; 2]) -> __m128i {
    rows::split::xor_right_u32::<BITS>(row, late)
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn xor_right_avx512vl<const BITS: i32>(row: __m128i, late: __m128i, _: [__m128i; 2]) -> __m128i {
    rows::avx512::xor_right_u32::<BITS>(row, late)
}

#[target_feature(enable = "ssse3")]
#[inline]
fn xor_right_ssse3<const BITS: i32>(
    row: __m128i,
    late: __m128i,
    [by_16, by_8]: [__m128i; 2],
) -> __m128i {
    let row = _mm_xor_si128(row, late);
    match BITS {
        16 => _mm_shuffle_epi8(row, by_16),
        8 => _mm_shuffle_epi8(row, by_8),
        _ => shifted::<BITS>(row),
    }
}

#[target_feature(enable = "sse2")]
#[inline]
fn xor_right_sse2<const BITS: i32>(row: __m128i, late: __m128i, _: [__m128i; 2]) -> __m128i {
    let row = _mm_xor_si128(row, late);
    match BITS {
        16 => _mm_shufflehi_epi16::<0b10_11_00_01>(_mm_shufflelo_epi16::<0b10_11_00_01>(row)),
        _ => shifted::<BITS>(row),
    }
}

/// A rotation by two shifts.
#[target_feature(enable = "sse2")]
#[inline]
fn shifted<const BITS: i32>(row: __m128i) -> __m128i {
    let (down, up) = (_mm_cvtsi32_si128(BITS), _mm_cvtsi32_si128(32 - BITS));
    _mm_or_si128(_mm_srl_epi32(row, down), _mm_sll_epi32(row, up))
}

/// `a` with the word of that number, 2 or 3, of `b`.
#[target_feature(enable = "avx2")]
#[inline]
fn blend_avx2<const WORD: usize>(a: __m128i, b: __m128i) -> __m128i {
    if WORD == 2 { _mm_blend_epi32::<0b0100>(a, b) } else { _mm_blend_epi32::<0b1000>(a, b) }
}

/// As [`blend_avx2`].
#[target_feature(enable = "sse4.1")]
#[inline]
fn blend_sse41<const WORD: usize>(a: __m128i, b: __m128i) -> __m128i {
    if WORD == 2 { _mm_blend_epi16::<0x30>(a, b) } else { _mm_blend_epi16::<0xc0>(a, b) }
}

/// As [`blend_avx2`].
#[target_feature(enable = "sse2")]
#[inline]
fn blend_sse2<const WORD: usize>(a: __m128i, b: __m128i) -> __m128i {
    let mut of_b = [0u32; 4];
    of_b[WORD] = !0;
    let of_b = cast(of_b);
    _mm_or_si128(_mm_andnot_si128(of_b, a), _mm_and_si128(of_b, b))
}
