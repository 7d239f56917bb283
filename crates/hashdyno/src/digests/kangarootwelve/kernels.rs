//! The kernels: the same text for each instruction set.
//!
//! | kernel | single sponges | chunks at a time |
//! |---|---|---|
//! | `avx512` | by BMI | 8, a lane of AVX-512 each |
//! | `avx2` | by BMI | 4, a lane of AVX2 each |
//! | `bmi2` | by BMI | 1 |
//! | `portable` | by straight Rust | 1 |
//!
//! The root and a chunk in pieces are single sponges. Only whole chunks fill lanes. `absorb` takes
//! pieces into the `Tree` of a state, and `digest` needs no state.

#[cfg(target_arch = "x86_64")]
use super::node::Bmi2;
use super::node::Portable;
use super::tree::Tree;
use super::{BLOCK, node::Form};
#[cfg(target_arch = "x86_64")]
use crate::digests::keccak::BMI;
use crate::kernel::one_shot;
use crate::parts::lanes;
#[cfg(target_arch = "x86_64")]
use crate::parts::lanes::x86_64::{AVX512, U64x4, U64x8};
use crate::{Code, Features, Kernel, State};

/// Declares a kernel: what it needs, the form of its single sponges, and its lanes.
macro_rules! tree_kernel {
    (
        $(#[$attribute:meta])* $kernel:ident $name:literal $needs:expr; $($features:literal,)?
        $form:ty, $count:literal in $lanes:ty
    ) => {
        $(#[$attribute])*
        pub(super) const fn $kernel<const RATE: usize, const WORDS: usize>() -> Kernel {
            $(#[target_feature(enable = $features)])?
            fn absorb<const RATE: usize, const WORDS: usize>(state: &mut State, blocks: &[u8]) {
                state.view::<Tree>().step::<$form, $lanes, RATE, WORDS, $count>(blocks);
            }
            let one_shot = one_shot!(
                $($features,)?
                [<const RATE: usize, const WORDS: usize>]
                [::<RATE, WORDS>]
                200 - RATE,
                |message, out| digest::<$form, $lanes, RATE, WORDS, $count>(message, out)
            );
            Kernel::of(
                $name,
                $needs$(.covering($features))?,
                Code::OneShot(absorb::<RATE, WORDS>, one_shot),
            )
        }
    };
}

tree_kernel! {
    #[cfg(target_arch = "x86_64")]
    avx512 "avx512" AVX512.union(BMI); "avx512f,avx512bw,avx512vl,bmi1,bmi2", Bmi2, 8 in U64x8
}
tree_kernel! {
    #[cfg(target_arch = "x86_64")]
    avx2 "avx2" Features::AVX2.union(BMI); "avx2,bmi1,bmi2", Bmi2, 4 in U64x4
}
tree_kernel! {
    #[cfg(target_arch = "x86_64")]
    bmi2 "bmi2" BMI; "bmi1,bmi2", Bmi2, 1 in u64
}
tree_kernel! { portable "portable" Features::empty(); Portable, 1 in u64 }

/// The digest of a whole message, without a state.
#[inline(always)]
fn digest<F, L, const RATE: usize, const WORDS: usize, const LANES: usize>(
    message: &[u8],
    out: &mut [u8],
) where
    F: Form,
    L: lanes::Lanes<Word = u64>,
{
    // `end` takes less than a block, as from a hasher, so both ways share it.
    let (blocks, rest) = message.split_at(message.len() - message.len() % BLOCK);
    let mut tree = Tree::EMPTY;
    tree.take::<F, L, RATE, WORDS, LANES>(blocks);
    tree.end::<F, RATE>(rest);
    tree.output(out);
}
