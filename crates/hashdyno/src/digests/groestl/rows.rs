//! Groestl with a row of both permutations in a vector, P's in the lower half and Q's in the upper:
//! ShiftBytes is then a shuffle within a vector and MixBytes a sum of vectors.
//!
//! ```text
//!                lower half: P's row          upper half: Q's row
//! a[0] = row 0   byte of column 0, 1 ..       byte of column 0, 1 ..      8 columns:  16 bytes
//! a[1] = row 1                                                            16 columns: 32 bytes
//! ..
//! a[7] = row 7
//!
//! h = rows of the chain in the lower halves, zeros in the upper ones
//! for each block:
//!     m = rows of the block, the same in both halves
//!     a = m ^ h ^ constants of round 0           P(h ^ m) and Q(m) are one computation
//!     for each round:
//!         a[i] = SubBytes(ShiftBytes(a[i]))      one shuffle and one instruction for the S-box
//!         t[i] = a[i] ^ a[i+1]
//!         x[i] = t[i] ^ t[i+3] ^ a quarter of the next constant of row i+5
//!         y[i] = t[i] ^ t[i+2] ^ a[i+6]
//!         a[i] = 4 x[i+3] ^ 2 y[i+7] ^ y[i+4]    MixBytes, and AddRoundConstant of the next round
//!     h = h ^ lower halves ^ upper halves
//! ```
//!
//! The constant comes in before the multiplication by four, so it is a quarter. Indices are modulo
//! eight. The last round has zeros in place of constants.
//!
//! The S-box is AES's, and so is the field: GFNI has both. Without it, AESENCLAST has the S-box;
//! its ShiftRows is undone by the shuffle before it. Without VAES, a vector of 32 bytes is two of
//! them.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::shifts;
use crate::parts::lines::Lines;
use crate::{Code, Features, Kernel, State};

const GFNI: Features = Features::GFNI.union(Features::AVX512VL).union(Features::AVX512BW);
const AES: Features = Features::AES.union(Features::AVX2);

/// The kernels for 8 columns.
pub(super) const NARROW_GFNI: Kernel = narrow::gfni::kernel("gfni", GFNI);
pub(super) const NARROW_AES: Kernel = narrow::aes::kernel("aes", AES);

/// The kernels for 16 columns.
pub(super) const WIDE_GFNI: Kernel = wide::gfni::kernel("gfni", GFNI);
pub(super) const WIDE_VAES: Kernel = wide::vaes::kernel("vaes", AES.union(Features::VAES));
pub(super) const WIDE_AES: Kernel = wide::aes::kernel("aes", AES);

/// An expression for each of eight rows.
macro_rules! each {
    (|$row:ident| $body:expr) => {
        each!(@ $row $body; 0 1 2 3 4 5 6 7)
    };
    (@ $row:ident $body:expr; $($number:literal)*) => {
        [$({
            #[allow(dead_code, reason = "not every expression needs to know its row")]
            const $row: usize = $number;
            $body
        }),*]
    };
}

/// A kernel in the geometry of the module that calls this, by an S-box that expects and leaves
/// bytes in certain places.
macro_rules! row_kernel {
    ($name:ident, $features:literal, $places:expr, $substituted:ident, $combined:ident) => {
        pub(super) mod $name {
            use super::*;

            static SHUFFLES: [Bytes; 8] = shuffles(&$places);

            pub(in super::super) const fn kernel(name: &'static str, needs: Features) -> Kernel {
                Kernel::of(name, needs.covering($features), Code::Blocks(absorb))
            }

            #[target_feature(enable = $features)]
            fn absorb(state: &mut State, blocks: &[u8]) {
                let chain = state.view::<Block>();
                let rows = transposed(chain);
                let mut h = each!(|I| lower(rows[I]));
                for block in blocks.as_chunks().0 {
                    // P and Q are never computed apart: a row of both is one operand of each
                    // instruction.
                    let m = transposed(block);
                    let mut a = each!(|I| xor(xor(m[I], h[I]), of_row(&INITIAL, I)));
                    for constants in &CONSTANTS.0 {
                        a = each!(|I| $substituted(shuffle(a[I], cast(SHUFFLES[I]))));
                        let t = each!(|I| xor(a[I], a[(I + 1) % 8]));
                        let x = each!(|I| xor(
                            xor(t[I], t[(I + 3) % 8]),
                            of_row(constants, (I + 5) % 8)
                        ));
                        let y = each!(|I| xor(xor(t[I], t[(I + 2) % 8]), a[(I + 6) % 8]));
                        a = each!(|I| xor(
                            $combined(x[(I + 3) % 8], y[(I + 7) % 8]),
                            y[(I + 4) % 8]
                        ));
                    }
                    h = each!(|I| xor(h[I], folded(a[I])));
                }
                *chain = columns(h);
            }
        }
    };
}

/// Eight vectors, the bytes of those whose numbers differ in one bit interleaved: that bit becomes
/// the lowest of a byte's place, and the highest of its place takes the bit's part in the vector's
/// number. Done for every bit, this transposes.
macro_rules! interleaved {
    ($vectors:expr, $bit:literal, $low:ident, $high:ident) => {{
        let v = $vectors;
        each!(|I| if I & $bit == 0 { $low(v[I], v[I | $bit]) } else { $high(v[I ^ $bit], v[I]) })
    }};
}

/// 8 columns: a row of P and one of Q in 16 bytes.
mod narrow {
    use std::arch::x86_64::{_mm_shuffle_epi8 as shuffle, _mm_xor_si128 as xor};

    use super::*;

    type Row = __m128i;
    type Bytes = [u8; 16];
    type Block = [u8; 64];

    row_kernel!(gfni, "avx512f,avx512vl,avx512bw,gfni", IN_PLACE, substituted_gfni, combined_gfni);
    row_kernel!(aes, "avx2,aes", SHIFT_ROWS, substituted_aes, combined_aes);

    static INITIAL: [Bytes; 3] = constants(0);
    static CONSTANTS: Lines<[[Bytes; 3]; 10]> = Lines(quarters());

    /// What AddRoundConstant adds to a row.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn of_row([first, middle, last]: &[Bytes; 3], row: usize) -> Row {
        cast(*[first, middle, middle, middle, middle, middle, middle, last][row])
    }

    /// The rows of a block, each twice.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn transposed(block: &Block) -> [Row; 8] {
        let columns = block.as_chunks::<8>().0;
        let pairs = halves_transposed(each!(|I| _mm_cvtsi64_si128(i64::from_le_bytes(columns[I]))));
        each!(|I| {
            let pair = pairs[I / 2];
            if I & 1 == 0 { _mm_unpacklo_epi64(pair, pair) } else { _mm_unpackhi_epi64(pair, pair) }
        })
    }

    /// The block of these rows, of which the lower half counts.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn columns(rows: [Row; 8]) -> Block {
        cast(halves_transposed(rows))
    }

    /// The lower halves of eight vectors as an 8 x 8 matrix, transposed.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn halves_transposed(rows: [Row; 8]) -> [Row; 4] {
        let rows = interleaved!(rows, 4, _mm_unpacklo_epi8, _mm_unpackhi_epi8);
        let rows = interleaved!(rows, 2, _mm_unpacklo_epi8, _mm_unpackhi_epi8);
        let [a, b, c, d, ..] = interleaved!(rows, 1, _mm_unpacklo_epi8, _mm_unpackhi_epi8);
        [a, b, c, d]
    }

    /// The row of P alone.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn lower(row: Row) -> Row {
        _mm_move_epi64(row)
    }

    /// The sum of the rows of P and Q in the place of P's.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn folded(row: Row) -> Row {
        lower(_mm_xor_si128(row, _mm_srli_si128::<8>(row)))
    }

    #[target_feature(enable = "gfni,avx2")]
    #[inline]
    fn substituted_gfni(row: Row) -> Row {
        _mm_gf2p8affineinv_epi64_epi8::<0x63>(row, _mm_set1_epi64x(AFFINE))
    }

    /// 4x + 2y.
    #[target_feature(enable = "gfni,avx2")]
    #[inline]
    fn combined_gfni(x: Row, y: Row) -> Row {
        xor(_mm_gf2p8mul_epi8(x, _mm_set1_epi8(4)), _mm_gf2p8mul_epi8(y, _mm_set1_epi8(2)))
    }

    #[target_feature(enable = "aes,avx2")]
    #[inline]
    fn substituted_aes(row: Row) -> Row {
        _mm_aesenclast_si128(row, _mm_setzero_si128())
    }

    /// 4x + 2y.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn combined_aes(x: Row, y: Row) -> Row {
        doubled(xor(doubled(x), y))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn doubled(row: Row) -> Row {
        let overflow = _mm_cmpgt_epi8(_mm_setzero_si128(), row);
        _mm_xor_si128(_mm_add_epi8(row, row), _mm_and_si128(overflow, _mm_set1_epi8(0x1b)))
    }
}

/// 16 columns: a row of P and one of Q in 32 bytes.
mod wide {
    use std::arch::x86_64::{_mm256_shuffle_epi8 as shuffle, _mm256_xor_si256 as xor};

    use super::*;

    type Row = __m256i;
    type Bytes = [u8; 32];
    type Block = [u8; 128];

    row_kernel!(gfni, "avx512f,avx512vl,avx512bw,gfni", IN_PLACE, substituted_gfni, combined_gfni);
    row_kernel!(vaes, "avx2,aes,vaes", SHIFT_ROWS, substituted_vaes, combined_aes);
    row_kernel!(aes, "avx2,aes", SHIFT_ROWS, substituted_aes, combined_aes);

    static INITIAL: [Bytes; 3] = constants(0);
    static CONSTANTS: Lines<[[Bytes; 3]; 14]> = Lines(quarters());

    /// What AddRoundConstant adds to a row.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn of_row([first, middle, last]: &[Bytes; 3], row: usize) -> Row {
        cast(*[first, middle, middle, middle, middle, middle, middle, last][row])
    }

    /// The rows of a block, each twice.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn transposed(block: &Block) -> [Row; 8] {
        let columns = block.as_chunks::<16>().0;
        let rows = each!(|I| _mm256_broadcastsi128_si256(cast(columns[I])));
        let rows = interleaved!(rows, 4, _mm256_unpacklo_epi8, _mm256_unpackhi_epi8);
        let rows = interleaved!(rows, 2, _mm256_unpacklo_epi8, _mm256_unpackhi_epi8);
        let rows = interleaved!(rows, 1, _mm256_unpacklo_epi8, _mm256_unpackhi_epi8);
        // Two columns were together: a fourth time, after which the lowest bit of a row's number
        // has come to the top.
        let rows = interleaved!(rows, 4, _mm256_unpacklo_epi8, _mm256_unpackhi_epi8);
        each!(|I| rows[I % 2 * 4 + I / 2])
    }

    /// The block of these rows, of which the lower half counts.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn columns(rows: [Row; 8]) -> Block {
        let rows = each!(|I| _mm256_castsi256_si128(rows[I]));
        let rows = interleaved!(rows, 4, _mm_unpacklo_epi8, _mm_unpackhi_epi8);
        let rows = interleaved!(rows, 2, _mm_unpacklo_epi8, _mm_unpackhi_epi8);
        cast(interleaved!(rows, 1, _mm_unpacklo_epi8, _mm_unpackhi_epi8))
    }

    /// The row of P alone.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn lower(row: Row) -> Row {
        _mm256_zextsi128_si256(_mm256_castsi256_si128(row))
    }

    /// The sum of the rows of P and Q in the place of P's.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn folded(row: Row) -> Row {
        lower(_mm256_xor_si256(row, _mm256_castsi128_si256(_mm256_extracti128_si256::<1>(row))))
    }

    #[target_feature(enable = "gfni,avx2")]
    #[inline]
    fn substituted_gfni(row: Row) -> Row {
        _mm256_gf2p8affineinv_epi64_epi8::<0x63>(row, _mm256_set1_epi64x(AFFINE))
    }

    /// 4x + 2y.
    #[target_feature(enable = "gfni,avx2")]
    #[inline]
    fn combined_gfni(x: Row, y: Row) -> Row {
        xor(
            _mm256_gf2p8mul_epi8(x, _mm256_set1_epi8(4)),
            _mm256_gf2p8mul_epi8(y, _mm256_set1_epi8(2)),
        )
    }

    #[target_feature(enable = "vaes,avx2")]
    #[inline]
    fn substituted_vaes(row: Row) -> Row {
        _mm256_aesenclast_epi128(row, _mm256_setzero_si256())
    }

    #[target_feature(enable = "aes,avx2")]
    #[inline]
    fn substituted_aes(row: Row) -> Row {
        let [p, q] = cast::<_, [__m128i; 2]>(row);
        let zero = _mm_setzero_si128();
        _mm256_set_m128i(_mm_aesenclast_si128(q, zero), _mm_aesenclast_si128(p, zero))
    }

    /// 4x + 2y.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn combined_aes(x: Row, y: Row) -> Row {
        doubled(xor(doubled(x), y))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn doubled(row: Row) -> Row {
        let overflow = _mm256_cmpgt_epi8(_mm256_setzero_si256(), row);
        _mm256_xor_si256(
            _mm256_add_epi8(row, row),
            _mm256_and_si256(overflow, _mm256_set1_epi8(0x1b)),
        )
    }
}

/// The matrix of AES's S-box (FIPS 197, 5.1.1), as GFNI takes it.
pub(super) const AFFINE: i64 = 0xf1e3_c78f_1f3e_7cf8_u64 as i64;

/// GFNI leaves the bytes in their places.
const IN_PLACE: [usize; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// AES's ShiftRows (FIPS 197, 5.1.2): where the byte comes from that gets to each place.
pub(super) const SHIFT_ROWS: [usize; 16] = [0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11];

/// Where ShiftBytes takes the bytes of each row from, to put them to where the S-box expects them.
pub(super) const fn shuffles<const N: usize>(places: &[usize; 16]) -> [[u8; N]; 8] {
    let (mut shuffles, mut at) = ([[0; N]; 8], 0);
    while at < 8 * N {
        let (row, half, column, columns) = (at / N, at % N / (N / 2), at % (N / 2), N / 2);
        let from = half * columns + (column + shifts(columns, half == 0)[row]) % columns;
        // A shuffle counts within 16 bytes.
        let to = half * columns + column;
        shuffles[row][to / 16 * 16 + places[to % 16]] = (from % 16) as u8;
        at += 1;
    }
    shuffles
}

/// What AddRoundConstant adds in a round to the first row, to the last, and between them to the
/// others.
pub(super) const fn constants<const N: usize>(round: usize) -> [[u8; N]; 3] {
    let (mut constants, mut column, columns) = ([[0; N]; 3], 0, N / 2);
    while column < columns {
        let constant = (column << 4 ^ round) as u8;
        constants[0][column] = constant;
        constants[0][columns + column] = 0xff;
        constants[1][columns + column] = 0xff;
        constants[2][columns + column] = 0xff ^ constant;
        column += 1;
    }
    constants
}

/// A quarter of the constants of the rounds from 1 on, and zeros.
const fn quarters<const N: usize, const ROUNDS: usize>() -> [[[u8; N]; 3]; ROUNDS] {
    let (mut quarters, mut round) = ([[[0; N]; 3]; ROUNDS], 0);
    while round + 1 < ROUNDS {
        let (of_round, mut at) = (constants::<N>(round + 1), 0);
        while at < 3 * N {
            quarters[round][at / N][at % N] = half(half(of_round[at / N][at % N]));
            at += 1;
        }
        round += 1;
    }
    quarters
}

/// Half of `x` in the field: the inverse of [`super::double`].
pub(super) const fn half(x: u8) -> u8 {
    (x >> 1) ^ ((x & 1) * 0x8d)
}
