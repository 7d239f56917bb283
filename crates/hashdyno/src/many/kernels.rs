//! The kernels for many messages of a [`Design`] or a [`Sponge`], one for each instruction set and
//! number of vectors. `lanes!` and `sponge!` name them.
//!
//! [`Design`]: super::Design
//! [`Sponge`]: super::Sponge

use super::Batch;
use super::out::MAX_LANES;
use super::step::{Room, Round, Rows, Step, Tiny};
use super::work::{Frame, Work};
pub(crate) use super::work::{Marked, OfDesign, OfSponge};
use crate::lanes::Lanes;
#[cfg(target_arch = "x86_64")]
use crate::lanes::x86_64::AVX512;
use crate::{Code, Features, Kernel};

/// The kernel for many messages of a [`crate::many::Design`] in so many vectors of an instruction
/// set (`sse2`, `avx2`, `avx512`; `vbmi` for planes of bytes; `neon`, `sha3`; `simd128`), each of
/// words of that type. One vector waits for itself where a round is a chain of few instructions:
/// two or more fill the waits.
///
/// ```ignore
/// const MANY: &[Kernel] =
///     kernels![lanes!(Md5Lanes, u32, 2 * avx512), lanes!(Md5Lanes, u32, 1 * avx2)];
/// ```
///
/// Digests that differ in the byte behind a message share a design, and say it: `lanes!(Design,
/// marked MARK, ...)`.
macro_rules! lanes {
    ($design:ty, $word:ident, $count:tt * $isa:ident) => {
        $crate::many::kernels::$isa::<$crate::many::lanes!(
            @ $design, $crate::many::lanes!(@ $count $crate::many::lanes!(@ $isa $word))
        )>()
    };
    ($design:ty, marked $mark:ident, $word:ident, $count:tt * $isa:ident) => {
        $crate::many::kernels::$isa::<$crate::many::kernels::Marked<$mark, $crate::many::lanes!(
            @ $design, $crate::many::lanes!(@ $count $crate::many::lanes!(@ $isa $word))
        )>>()
    };
    (@ $design:ty, $lanes:ty) => {
        $crate::many::kernels::OfDesign<
            $design,
            $lanes,
            _,
            _,
            { <$lanes as $crate::lanes::Lanes>::COUNT },
        >
    };
    (@ sse2 u32) => { $crate::lanes::x86_64::U32x4 };
    (@ avx2 u32) => { $crate::lanes::x86_64::U32x8 };
    (@ avx2 u64) => { $crate::lanes::x86_64::U64x4 };
    (@ avx512 u32) => { $crate::lanes::x86_64::U32x16 };
    (@ avx512 u64) => { $crate::lanes::x86_64::U64x8 };
    (@ vbmi u32) => { $crate::lanes::x86_64::U32x16 };
    (@ vbmi u64) => { $crate::lanes::x86_64::U64x8 };
    (@ neon u32) => { $crate::lanes::aarch64::U32x4 };
    (@ neon u64) => { $crate::lanes::aarch64::U64x2 };
    (@ sha3 u64) => { $crate::lanes::aarch64::U64x2 };
    (@ simd128 u32) => { $crate::lanes::wasm32::U32x4 };
    (@ simd128 u64) => { $crate::lanes::wasm32::U64x2 };
    (@ 1 $vector:ty) => { $vector };
    (@ 2 $vector:ty) => { $crate::lanes::wide::Wide2<$vector> };
    (@ 3 $vector:ty) => { $crate::lanes::wide::Wide3<$vector> };
    (@ 4 $vector:ty) => { $crate::lanes::wide::Wide4<$vector> };
    (@ 8 $vector:ty) => { $crate::lanes::wide::Wide8<$vector> };
}
pub(crate) use lanes;

/// The kernel for many messages of a [`crate::many::Sponge`], in vectors as [`lanes!`] names them.
///
/// ```ignore
/// const MANY: &[Kernel] = kernels![sponge!(Ascon, 2 * avx512), sponge!(Ascon, 1 * avx2)];
/// ```
macro_rules! sponge {
    ($sponge:ty, $count:tt * $isa:ident) => {
        $crate::many::sponge!(
            @ $sponge, $isa, $crate::many::lanes!(@ $count $crate::many::lanes!(@ $isa u64))
        )
    };
    (@ $sponge:ty, $isa:ident, $lanes:ty) => {
        $crate::many::kernels::$isa::<$crate::many::kernels::OfSponge<
            $sponge,
            $lanes,
            _,
            _,
            _,
            { <$lanes as $crate::lanes::Lanes>::COUNT },
        >>()
    };
}
pub(crate) use sponge;

/// Declares the functions of a [`Step`], compiled for these features, and gives the step of `W`.
macro_rules! step {
    ($work:ident $(, #[$feature:meta])?) => {{
        #[inline(never)]
        $(#[$feature])?
        unsafe fn blocks<R: Round>(
            chain: *mut (),
            before: *const (),
            rows: &Rows<'_>,
            first: usize,
            count: usize,
        ) {
            // SAFETY: by contract; a frame lends what is of this type.
            unsafe { *chain.cast() = R::blocks(&*before.cast(), rows, first, count) };
        }

        #[inline(never)]
        $(#[$feature])?
        unsafe fn tiny<R: Round>(
            batch: &mut Batch<'_>,
            chain: *const (),
            tiny: Tiny<'_, R::Word>,
        ) -> usize {
            // SAFETY: as in `blocks`.
            R::tiny(batch, unsafe { &*chain.cast() }, tiny)
        }

        #[inline(never)]
        $(#[$feature])?
        unsafe fn put_out<R: Round>(
            batch: &mut Batch<'_>,
            chain: *const (),
            numbers: &[usize; MAX_LANES],
        ) {
            // SAFETY: as in `blocks`.
            R::put_out(batch, unsafe { &*chain.cast() }, numbers);
        }

        #[inline(never)]
        $(#[$feature])?
        unsafe fn nest<R: Round>(
            chain: *mut (),
            start: *const (),
            padding: *const (),
            len: usize,
        ) {
            // SAFETY: as in `blocks`.
            unsafe { R::nest(&mut *chain.cast(), &*start.cast(), &*padding.cast(), len) };
        }

        #[inline(never)]
        $(#[$feature])?
        fn frame<W, F: Frame<W>>(batch: &mut Batch<'_>, room: &Room<'_, W>) {
            F::run(batch, room);
        }

        Step {
            blocks: blocks::<$work::Round>,
            tiny: tiny::<$work::Round>,
            put_out: put_out::<$work::Round>,
            nest: nest::<$work::Round>,
            frame: frame::<_, $work::Frame>,
        }
    }};
}

/// The code of a kernel in lanes that need no instruction set.
pub(crate) fn run_portable<W: Work>(batch: &mut Batch<'_>) {
    W::run(batch, step!(W));
}

/// Declares a kernel in lanes of an instruction set: the entry, the names by the number of lanes,
/// and the code, compiled for what these lanes need.
macro_rules! lane_kernel {
    (
        $(#[$doc:meta])* on $arch:literal: $isa:ident $run:ident,
        $features:literal, $needs:expr; $($count:literal $name:literal)*
    ) => {
        $(#[$doc])*
        #[cfg(target_arch = $arch)]
        pub(crate) const fn $isa<W: Work>() -> Kernel {
            assert!(
                $needs.contains(W::Lanes::NEEDS),
                "the lanes are those of another instruction set"
            );
            let name = match W::Lanes::COUNT {
                $($count => $name,)*
                _ => panic!("kernels are named by their lanes"),
            };
            let kernel = Kernel::of(name, $needs, Code::Lanes(W::Lanes::COUNT, $run::<W>));
            if W::RESUMES {
                kernel.resuming().updating().iterating(W::ITERATES)
            } else {
                kernel
            }
        }

        #[cfg(target_arch = $arch)]
        #[target_feature(enable = $features)]
        pub(crate) fn $run<W: Work>(batch: &mut Batch<'_>) {
            W::run(batch, step!(W, #[target_feature(enable = $features)]));
        }
    };
}

/// What `planes` needs.
#[cfg(target_arch = "x86_64")]
const PLANES: Features = AVX512.union(Features::AVX512VBMI).union(Features::GFNI);

lane_kernel! {
    /// By SSE2.
    on "x86_64": sse2 run_sse2, "sse2", Features::SSE2; 4 "sse2x4"
}
lane_kernel! {
    /// By AVX2.
    on "x86_64": avx2 run_avx2, "avx2", Features::AVX2;
    4 "avx2x4" 8 "avx2x8" 16 "avx2x16" 24 "avx2x24" 32 "avx2x32"
}
lane_kernel! {
    /// By AVX-512.
    on "x86_64": avx512 run_avx512, "avx512f,avx512bw,avx512vl", AVX512;
    8 "avx512x8" 16 "avx512x16" 32 "avx512x32" 64 "avx512x64"
}
lane_kernel! {
    /// By AVX-512 with VBMI's look-ups.
    on "x86_64": vbmi run_vbmi, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni", PLANES; 64 "vbmix64"
}
lane_kernel! {
    /// By NEON.
    on "aarch64": neon run_neon, "neon", Features::NEON;
    2 "neonx2" 4 "neonx4" 8 "neonx8" 16 "neonx16"
}
lane_kernel! {
    /// By NEON and the extension for SHA-3, which joins an exclusive or with one more, with a
    /// rotation, or with an AND: the compiler finds them.
    on "aarch64": sha3 run_sha3, "neon,sha3",
    Features::NEON.union(Features::SHA3); 2 "sha3x2"
}
lane_kernel! {
    /// By WebAssembly's vectors.
    on "wasm32": simd128 run_simd128, "simd128", Features::SIMD128;
    2 "simd128x2" 4 "simd128x4" 8 "simd128x8"
}
