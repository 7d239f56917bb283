//! The kernels for many messages of a [`Design`], one for each instruction set and number of
//! vectors. `lanes!` names them.

use super::Lanes;
use super::x86_64::AVX512;
use crate::many::{Absorber, Batch, Design};
use crate::{Absorb, Features, Kernel};

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
        }

        #[target_feature(enable = $features)]
        pub(crate) fn $run<D, L, const CHAIN: usize, const WORDS: usize>(batch: &mut Batch<'_>)
        where
            D: Design<L::Word, CHAIN, WORDS>,
            L: Lanes,
        {
            Absorber::<D, L, CHAIN, WORDS>::run(batch);
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
