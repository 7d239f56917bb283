//! Many messages in planes of bytes, of designs that give the sum of a chaining value and a block
//! to one permutation and the block to another: Groestl and Kupyna.

use std::arch::x86_64::*;
use std::hint::black_box;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use super::avx512::sum;
use crate::Digest;
use crate::many::{Design, last_bytes};
use crate::padding::{Endian, Padding};
use crate::parts::lanes::Lanes;
use crate::parts::lanes::planes::{Plane, of_long_words, to_long_words};

/// A column of each of 64 messages, its rows apart.
pub(crate) type Column = [Plane; 8];

/// The permutations of a design with so many columns.
///
/// What makes the calls of those of planes sound is that these are reached only below a kernel that
/// is compiled for VBMI and GFNI.
pub(crate) trait Permutations<const N: usize> {
    /// As [`Design::MIN_FILL`].
    const MIN_FILL: usize;
    /// As [`Design::PADDING`].
    const PADDING: Padding;

    /// As [`Design::trailer`].
    fn trailer(tail_len: usize, message_len: u64) -> [u64; 4];
    /// The first permutation of one message.
    fn permuted(columns: [u64; N]) -> [u64; N];
    /// The first. `others` is room for every second round.
    fn first(columns: &mut [Column; N], others: &mut [Column; N]);
    /// The second, likewise.
    fn second(columns: &mut [Column; N], others: &mut [Column; N]);
}

/// The kernel of a design.
pub(crate) struct Planes<P, const N: usize>(PhantomData<P>);

impl<P: Permutations<N>, const N: usize> Design<u64, N, N> for Planes<P, N> {
    const MIN_FILL: usize = P::MIN_FILL;
    const PADDING: Padding = P::PADDING;
    const ENDIAN: Endian = Endian::Little;

    #[inline(always)]
    fn trailer(_: &Digest, tail_len: usize, message_len: u64) -> [u64; 4] {
        P::trailer(tail_len, message_len)
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u64>>(chain: &mut [L; N], block: &[L; N]) {
        // SAFETY: the kernel is compiled for this and needs it.
        unsafe { compress::<P, N>(bytemuck::cast_mut(chain), bytemuck::cast_ref(block)) }
    }

    /// What the output transformation leaves of the chain.
    #[inline(always)]
    fn output<L: Lanes<Word = u64>>(mut chain: [L; N], output_len: usize) -> [L; N] {
        if L::COUNT == 1 {
            let words: &mut [u64; N] =
                L::words(&mut chain).try_into().expect("a lane has a word of each");
            let permuted = P::permuted(*words);
            for (word, with) in words.iter_mut().zip(permuted) {
                *word ^= with;
            }
        } else {
            // SAFETY: as in `compress`.
            unsafe { transform::<P, N>(bytemuck::cast_mut(&mut chain)) };
        }
        last_bytes(chain, output_len)
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn compress<P: Permutations<N>, const N: usize>(chain: &mut [Column; N], block: &[Column; N]) {
    let mut rooms = MaybeUninit::<Rooms<N>>::uninit();
    // LLVM would give each room a place of its own.
    let rooms = black_box(&mut rooms).as_mut_ptr();
    for column in 0..N {
        let (mut p, q) = (of_long_words(chain[column]), of_long_words(block[column]));
        add(&mut p, q);
        // SAFETY: in this way all columns are written.
        unsafe {
            (&raw mut (*rooms).p[column]).write(p);
            (&raw mut (*rooms).q[column]).write(q);
            (&raw mut (*rooms).others[column]).write([_mm512_setzero_si512(); 8]);
        }
    }
    // SAFETY: they have been written, and nothing else knows of them.
    let Rooms { p, q, others } = unsafe { &mut *rooms };
    P::first(p, others);
    P::second(q, others);
    for column in 0..N {
        add(&mut p[column], q[column]);
        add(&mut chain[column], to_long_words(p[column]));
    }
}

/// What the permutations of a block take turns in. Each is as long as whole pages, so that a column
/// has one place of a page in all of them: with `others` half a page further, loads wait for stores
/// that end in the same 12 bits, which costs Kupyna 4 % on a Zen 4.
#[repr(C)]
struct Rooms<const N: usize> {
    p: [Column; N],
    q: [Column; N],
    others: [Column; N],
}

/// The output transformation, but that nothing is cut off.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn transform<P: Permutations<N>, const N: usize>(chain: &mut [Column; N]) {
    let [mut p, mut others] = [[[_mm512_setzero_si512(); 8]; N]; 2];
    for column in 0..N {
        p[column] = of_long_words(chain[column]);
    }
    P::first(&mut p, &mut others);
    for column in 0..N {
        add(&mut chain[column], to_long_words(p[column]));
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn add(column: &mut Column, other: Column) {
    for (words, other) in column.iter_mut().zip(other) {
        *words = sum(*words, other);
    }
}
