//! The kernels for many messages of a [`Design`], one for each instruction set and number of
//! vectors. `lanes!` names them.

use super::absorber::Absorber;
use super::{Batch, Design, iterated};
use crate::lanes::Lanes;
use crate::lanes::x86_64::AVX512;
use crate::{Absorb, Features, Kernel};

/// The kernel for many messages of a [`Design`] in so many vectors of an instruction
/// set (`sse2`, `avx2`, `avx512`; `vbmi` for planes of bytes), each of words of that type. One
/// vector waits for itself where a round is a chain of few instructions: two or more fill the
/// waits.
///
/// ```ignore
/// const MANY: &[Kernel] = kernels![lanes!(Many, u32, 2 * avx512), lanes!(Many, u32, 1 * avx2)];
/// ```
macro_rules! lanes {
    ($design:ty, $word:ident, $count:tt * $isa:ident) => {
        $crate::many::kernels::$isa::<$design, $crate::many::lanes!(@ $count $crate::many::lanes!(@ $isa $word)), _, _>()
    };
    (@ sse2 u32) => { $crate::lanes::x86_64::U32x4 };
    (@ avx2 u32) => { $crate::lanes::x86_64::U32x8 };
    (@ avx2 u64) => { $crate::lanes::x86_64::U64x4 };
    (@ avx512 u32) => { $crate::lanes::x86_64::U32x16 };
    (@ avx512 u64) => { $crate::lanes::x86_64::U64x8 };
    (@ vbmi u32) => { $crate::lanes::x86_64::U32x16 };
    (@ vbmi u64) => { $crate::lanes::x86_64::U64x8 };
    (@ 1 $vector:ty) => { $vector };
    (@ 2 $vector:ty) => { $crate::lanes::beside::Two<$vector> };
    (@ 3 $vector:ty) => { $crate::lanes::beside::Three<$vector> };
    (@ 4 $vector:ty) => { $crate::lanes::beside::Four<$vector> };
    (@ 8 $vector:ty) => { $crate::lanes::beside::Eight<$vector> };
}
pub(crate) use lanes;

/// Declares a kernel in lanes of an instruction set: the entry for a design, the names by the
/// number of lanes, and the code, compiled for what these lanes need.
macro_rules! kernel {
    ($(#[$doc:meta])* $isa:ident $run:ident, $features:literal, $needs:expr; $($count:literal $name:literal)*) => {
        $(#[$doc])*
        pub(crate) const fn $isa<D, L, const CHAIN: usize, const WORDS: usize>() -> Kernel
        where
            D: Design<L::Word, CHAIN, WORDS>,
            L: Lanes,
        {
            assert!($needs.contains(L::NEEDS), "the lanes are those of another instruction set");
            let name = match L::COUNT {
                $($count => $name,)*
                _ => panic!("kernels are named by their lanes"),
            };
            Kernel::of(name, $needs, Absorb::Many(L::COUNT, $run::<D, L, CHAIN, WORDS>))
                .resuming()
                .iterating(D::ITERATES)
        }

        #[target_feature(enable = $features)]
        pub(crate) fn $run<D, L, const CHAIN: usize, const WORDS: usize>(batch: &mut Batch<'_>)
        where
            D: Design<L::Word, CHAIN, WORDS>,
            L: Lanes,
        {
            if D::ITERATES && let Some(iterated) = batch.iterated {
                iterated::run::<D, L, CHAIN, WORDS>(batch, iterated);
            } else {
                Absorber::<D, L, CHAIN, WORDS>::run(batch);
            }
        }
    };
}

/// What `planes` needs.
const PLANES: Features = AVX512.union(Features::AVX512VBMI).union(Features::GFNI);

kernel! {
    /// By SSE2.
    sse2 run_sse2, "sse2", Features::SSE2; 4 "sse2x4"
}
kernel! {
    /// By AVX2.
    avx2 run_avx2, "avx2", Features::AVX2; 4 "avx2x4" 8 "avx2x8" 16 "avx2x16" 24 "avx2x24" 32 "avx2x32"
}
kernel! {
    /// By AVX-512.
    avx512 run_avx512, "avx512f,avx512bw,avx512vl", AVX512; 8 "avx512x8" 16 "avx512x16" 32 "avx512x32" 64 "avx512x64"
}
kernel! {
    /// By AVX-512 with VBMI's look-ups.
    vbmi run_vbmi, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni", PLANES; 64 "vbmix64"
}
