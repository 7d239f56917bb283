//! JH with a whole word in a vector: one text, where AVX-512 makes one instruction of each step of
//! the S-box.
//!
//! The state is bitsliced: each word holds one bit of each of 128 elements, in one register.
//!
//! ```text
//! even = x0 x2 x4 x6     the four bits of each even element
//! odd  = x1 x3 x5 x7     the four bits of each odd element
//! for each block m0 m1 m2 m3:
//!     x0 .. x3 ^= m0 .. m3
//!     42 rounds, seven in a turn of the loop:
//!         even, odd = L(S-box(even), S-box(odd))         the constant of a bit chooses the S-box
//!         odd: runs of 1, 2, 4 .. 64 bits swap places    instead of a permutation of all elements
//!     x4 .. x7 ^= m0 .. m3
//! ```
//!
//! After seven rounds the swaps have come round, so seven rounds are written out. Each swap has its
//! own instructions: masks and shifts below a byte, shuffles from a byte on. `linear` adds words
//! of the S-box's result where it can, not words that it has just computed.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::{CONSTANTS, Chain, Word};
use crate::parts::arrays::{Mapped, from_fn};
use crate::{Code, Features, Kernel, State};

pub(super) const AVX512: Kernel =
    avx512::kernel("avx512vl", Features::AVX512VL.union(Features::AVX512BW));

pub(super) const AVX2: Kernel = avx2::kernel("avx2", Features::AVX2);

/// A word of the chain is a register of SSE2 already.
pub(super) const SSE2: Kernel = sse2::kernel("sse2", Features::SSE2);

type Half = [__m128i; 4];

/// Declares a kernel: its module, its features, how neighbouring bytes are swapped, and
/// neighbouring pairs of bytes.
macro_rules! bitslice_kernel {
    ($name:ident, $features:literal, $x:ident, $bytes:expr, $pairs:expr) => {
        mod $name {
            use super::*;

            pub(super) const fn kernel(name: &'static str, needs: Features) -> Kernel {
                Kernel::of(name, needs.covering($features), Code::Blocks(absorb))
            }

            #[target_feature(enable = $features)]
            fn absorb(state: &mut State, blocks: &[u8]) {
                let chain = state.view::<Chain>();
                let [mut x0, mut x1, mut x2, mut x3, mut x4, mut x5, mut x6, mut x7] =
                    cast::<_, [__m128i; 8]>(*chain);
                for block in blocks.as_chunks::<64>().0 {
                    let [m0, m1, m2, m3] = cast::<_, [__m128i; 4]>(*block);
                    // m0 and m2 are of even elements, m1 and m3 of odd ones.
                    let mut even = [_mm_xor_si128(x0, m0), _mm_xor_si128(x2, m2), x4, x6];
                    let mut odd = [_mm_xor_si128(x1, m1), _mm_xor_si128(x3, m3), x5, x7];
                    for seven in CONSTANTS.as_chunks::<7>().0 {
                        (even, odd) = linear(even, odd, &seven[0]);
                        odd = odd.mapped(|x| bits_swapped::<1>(x));
                        (even, odd) = linear(even, odd, &seven[1]);
                        odd = odd.mapped(|x| bits_swapped::<2>(x));
                        (even, odd) = linear(even, odd, &seven[2]);
                        odd = odd.mapped(|x| bits_swapped::<4>(x));
                        (even, odd) = linear(even, odd, &seven[3]);
                        odd = odd.mapped(|$x| $bytes);
                        (even, odd) = linear(even, odd, &seven[4]);
                        odd = odd.mapped(|$x| $pairs);
                        (even, odd) = linear(even, odd, &seven[5]);
                        odd = odd.mapped(|x| _mm_shuffle_epi32::<0b10_11_00_01>(x));
                        (even, odd) = linear(even, odd, &seven[6]);
                        odd = odd.mapped(|x| _mm_shuffle_epi32::<0b01_00_11_10>(x));
                    }
                    [x0, x2, x4, x6] = even;
                    [x1, x3, x5, x7] = odd;
                    (x4, x5) = (_mm_xor_si128(x4, m0), _mm_xor_si128(x5, m1));
                    (x6, x7) = (_mm_xor_si128(x6, m2), _mm_xor_si128(x7, m3));
                }
                *chain = cast([x0, x1, x2, x3, x4, x5, x6, x7]);
            }

            /// The S-boxes and L.
            #[target_feature(enable = $features)]
            #[inline]
            fn linear(even: Half, odd: Half, [for_even, for_odd]: &[Word; 2]) -> (Half, Half) {
                let ([a, b, c, d], [e, f, g, h]) =
                    (sbox(even, cast(*for_even)), sbox(odd, cast(*for_odd)));
                let (before_e, before_f) = (e, f);
                let (e, f, g, h) = (
                    _mm_xor_si128(e, b),
                    _mm_xor_si128(f, c),
                    _mm_xor_si128(_mm_xor_si128(g, a), d),
                    _mm_xor_si128(h, a),
                );
                // a + f and d + e, without waiting for what has just been computed.
                let (a, b, c, d) = (
                    _mm_xor_si128(_mm_xor_si128(a, before_f), c),
                    _mm_xor_si128(b, g),
                    _mm_xor_si128(_mm_xor_si128(c, e), h),
                    _mm_xor_si128(_mm_xor_si128(d, before_e), b),
                );
                ([a, b, c, d], [e, f, g, h])
            }

            /// S-box 1 where the constant's bit is set, S-box 0 elsewhere.
            #[target_feature(enable = $features)]
            #[inline]
            fn sbox([a, b, c, d]: Half, constant: __m128i) -> Half {
                let a = _mm_xor_si128(a, _mm_andnot_si128(c, constant));
                let t = _mm_xor_si128(constant, _mm_and_si128(a, b));
                let a = _mm_xor_si128(a, _mm_andnot_si128(d, c));
                let not_d = _mm_xor_si128(d, _mm_andnot_si128(b, c));
                let b = _mm_xor_si128(b, _mm_and_si128(a, c));
                let c = _mm_xor_si128(c, _mm_and_si128(a, not_d));
                let d = _mm_xor_si128(not_d, _mm_set1_epi8(-1));
                let a = _mm_xor_si128(a, _mm_or_si128(b, d));
                let d = _mm_xor_si128(d, _mm_and_si128(b, c));
                let b = _mm_xor_si128(b, _mm_and_si128(t, a));
                [a, b, _mm_xor_si128(c, t), d]
            }

            /// Swaps neighbouring runs of so many bits.
            #[target_feature(enable = $features)]
            #[inline]
            fn bits_swapped<const RUN: i32>(x: __m128i) -> __m128i {
                let mask = _mm_set1_epi8((0xff / ((1 << RUN) + 1)) as i8);
                let (up, down) = (_mm_slli_epi64::<RUN>(x), _mm_srli_epi64::<RUN>(x));
                _mm_or_si128(_mm_andnot_si128(mask, up), _mm_and_si128(mask, down))
            }
        }
    };
}

bitslice_kernel!(
    avx512,
    "avx512f,avx512vl,avx512bw",
    x,
    bytes_swapped::<1>(x),
    bytes_swapped::<2>(x)
);
bitslice_kernel!(avx2, "avx2", x, bytes_swapped::<1>(x), bytes_swapped::<2>(x));
bitslice_kernel!(
    sse2,
    "sse2",
    x,
    _mm_or_si128(_mm_slli_epi16::<8>(x), _mm_srli_epi16::<8>(x)),
    _mm_shufflehi_epi16::<0b10_11_00_01>(_mm_shufflelo_epi16::<0b10_11_00_01>(x))
);

/// Swaps neighbouring runs of `RUN` bytes.
#[target_feature(enable = "ssse3")]
#[inline]
fn bytes_swapped<const RUN: usize>(x: __m128i) -> __m128i {
    let places: [u8; 16] = from_fn(|place| (place ^ RUN) as u8);
    _mm_shuffle_epi8(x, cast(places))
}
