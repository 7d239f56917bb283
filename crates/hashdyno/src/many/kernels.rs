//! The kernels for many messages of a [`Design`] or a [`Sponge`], one for each instruction set and
//! number of vectors. `lanes!` and `sponge!` name them.

use std::marker::PhantomData;

use super::lane_run::LaneRun;
use super::out::MAX_LANES;
use super::sponges::{self, Sponge};
use super::step::Step;
use super::{Batch, Design, iterated, running};
use crate::parts::lanes::Lanes;
#[cfg(target_arch = "x86_64")]
use crate::parts::lanes::x86_64::AVX512;
use crate::{Code, Features, Kernel};

/// The kernel for many messages of a [`Design`] in so many vectors of an instruction
/// set (`sse2`, `avx2`, `avx512`; `vbmi` for planes of bytes; `neon`, `sha3`; `simd128`), each of
/// words of that type. One vector waits for itself where a round is a chain of few instructions:
/// two or more fill the waits.
///
/// ```ignore
/// const MANY: &[Kernel] =
///     many_kernels![lanes!(Md5Lanes, u32, 2 * avx512), lanes!(Md5Lanes, u32, 1 * avx2)];
/// ```
macro_rules! lanes {
    ($design:ty, $word:ident, $count:tt * $isa:ident) => {
        $crate::many::kernels::$isa::<$crate::many::kernels::OfDesign<
            $design,
            $crate::many::lanes!(@ $count $crate::many::lanes!(@ $isa $word)),
            _,
            _,
        >>()
    };
    (@ sse2 u32) => { $crate::parts::lanes::x86_64::U32x4 };
    (@ avx2 u32) => { $crate::parts::lanes::x86_64::U32x8 };
    (@ avx2 u64) => { $crate::parts::lanes::x86_64::U64x4 };
    (@ avx512 u32) => { $crate::parts::lanes::x86_64::U32x16 };
    (@ avx512 u64) => { $crate::parts::lanes::x86_64::U64x8 };
    (@ vbmi u32) => { $crate::parts::lanes::x86_64::U32x16 };
    (@ vbmi u64) => { $crate::parts::lanes::x86_64::U64x8 };
    (@ neon u32) => { $crate::parts::lanes::aarch64::U32x4 };
    (@ neon u64) => { $crate::parts::lanes::aarch64::U64x2 };
    (@ sha3 u64) => { $crate::parts::lanes::aarch64::U64x2 };
    (@ simd128 u32) => { $crate::parts::lanes::wasm32::U32x4 };
    (@ simd128 u64) => { $crate::parts::lanes::wasm32::U64x2 };
    (@ 1 $vector:ty) => { $vector };
    (@ 2 $vector:ty) => { $crate::parts::lanes::wide::Wide2<$vector> };
    (@ 3 $vector:ty) => { $crate::parts::lanes::wide::Wide3<$vector> };
    (@ 4 $vector:ty) => { $crate::parts::lanes::wide::Wide4<$vector> };
    (@ 8 $vector:ty) => { $crate::parts::lanes::wide::Wide8<$vector> };
}
pub(crate) use lanes;

/// The kernel for one message of a [`Design`] in a register of AVX-512: see `alone.rs`.
macro_rules! alone {
    ($design:ty) => {
        $crate::many::alone::kernel::<$design, _, _>()
    };
}
pub(crate) use alone;

/// The kernel for many messages of a [`Sponge`], in vectors as [`lanes!`] names them.
///
/// ```ignore
/// const MANY: &[Kernel] = many_kernels![sponge!(Ascon, 2 * avx512), sponge!(Ascon, 1 * avx2)];
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
            { <$lanes as $crate::parts::lanes::Lanes>::COUNT },
        >>()
    };
}
pub(crate) use sponge;

/// What is done with a batch in lanes.
pub(crate) trait Work {
    /// The lanes.
    type Lanes: Lanes;
    /// Whether messages may have begun already, and may come in pieces.
    const RESUMES: bool;
    /// As [`Design::ITERATES`].
    const ITERATES: bool;

    /// What is compiled as a function of its own.
    type Round: Round;

    /// Digests all messages; `step` has the functions of [`Round`], compiled for the lanes.
    fn run(batch: &mut Batch<'_>, step: StepOf<Self>);
}

/// What the functions of a [`Step`] do.
pub(crate) trait Round {
    /// What is kept of each message between blocks.
    type Chain;
    /// A block of each message.
    type Block;

    /// Compresses one block of each message.
    fn compress(chain: &mut Self::Chain, block: &Self::Block);

    /// Puts out the digests of the lanes that have numbers.
    fn put_out(batch: &mut Batch<'_>, chain: &Self::Chain, numbers: &[usize; MAX_LANES]);
}

/// The step of a [`Work`].
type StepOf<W> = Step<<<W as Work>::Round as Round>::Chain, <<W as Work>::Round as Round>::Block>;

/// No function: the text is inlined.
impl Round for () {
    type Chain = ();
    type Block = ();

    #[inline(always)]
    fn compress((): &mut (), (): &()) {}

    #[inline(always)]
    fn put_out(_: &mut Batch<'_>, (): &(), _: &[usize; MAX_LANES]) {}
}

/// The work of a design.
pub(crate) struct OfDesign<D, L, const CHAIN: usize, const WORDS: usize>(PhantomData<(D, L)>);

impl<D, L, const CHAIN: usize, const WORDS: usize> Work for OfDesign<D, L, CHAIN, WORDS>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    type Lanes = L;
    const RESUMES: bool = true;
    const ITERATES: bool = D::ITERATES;
    type Round = Self;

    #[inline(always)]
    fn run(batch: &mut Batch<'_>, step: Step<[L; CHAIN], [L; WORDS]>) {
        if batch.running {
            running::run::<D, L, CHAIN, WORDS>(batch, step);
        } else if D::ITERATES
            && let Some(iterated) = batch.iterated
        {
            iterated::run::<D, L, CHAIN, WORDS>(batch, iterated, step);
        } else {
            LaneRun::<D, L, CHAIN, WORDS>::run(batch, step);
        }
    }
}

impl<D, L, const CHAIN: usize, const WORDS: usize> Round for OfDesign<D, L, CHAIN, WORDS>
where
    D: Design<L::Word, CHAIN, WORDS>,
    L: Lanes,
{
    type Chain = [L; CHAIN];
    type Block = [L; WORDS];

    #[inline(always)]
    fn compress(chain: &mut [L; CHAIN], block: &[L; WORDS]) {
        D::compress(chain, block);
    }

    #[inline(always)]
    fn put_out(batch: &mut Batch<'_>, chain: &[L; CHAIN], numbers: &[usize; MAX_LANES]) {
        batch.put_out(D::output(*chain, batch.output_len()), numbers);
    }
}

/// The work of a sponge.
pub(crate) struct OfSponge<
    S,
    L,
    const STATE: usize,
    const RATE: usize,
    const BLOCK: usize,
    const LANES: usize,
>(PhantomData<(S, L)>);

impl<S, L, const STATE: usize, const RATE: usize, const BLOCK: usize, const LANES: usize> Work
    for OfSponge<S, L, STATE, RATE, BLOCK, LANES>
where
    S: Sponge<STATE, RATE, BLOCK>,
    L: Lanes<Word = u64>,
{
    type Lanes = L;
    const RESUMES: bool = false;
    const ITERATES: bool = false;
    type Round = ();

    #[inline(always)]
    fn run(batch: &mut Batch<'_>, _: Step<(), ()>) {
        sponges::run::<S, L, STATE, RATE, BLOCK, LANES>(batch);
    }
}

/// The code of a kernel in lanes that need no instruction set.
pub(crate) fn run_portable<W: Work>(batch: &mut Batch<'_>) {
    let step = Step { compress: W::Round::compress, put_out: W::Round::put_out };
    W::run(batch, step);
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
            let needs = $needs.covering($features);
            assert!(
                needs.contains(W::Lanes::NEEDS),
                "the lanes are those of another instruction set"
            );
            let name = match W::Lanes::COUNT {
                // Names are literals: a constant cannot make text of a number.
                $($count => $name,)*
                _ => panic!("kernels are named by their lanes"),
            };
            let kernel = Kernel::of(name, needs, Code::Lanes(W::Lanes::COUNT, $run::<W>));
            if W::RESUMES {
                kernel.resuming().updating().iterating(W::ITERATES)
            } else {
                kernel
            }
        }

        #[cfg(target_arch = $arch)]
        #[target_feature(enable = $features)]
        pub(crate) fn $run<W: Work>(batch: &mut Batch<'_>) {
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn compress<R: Round>(chain: &mut R::Chain, block: &R::Block) {
                R::compress(chain, block);
            }

            #[inline(never)]
            #[target_feature(enable = $features)]
            fn put_out<R: Round>(
                batch: &mut Batch<'_>,
                chain: &R::Chain,
                numbers: &[usize; MAX_LANES],
            ) {
                R::put_out(batch, chain, numbers);
            }

            W::run(batch, Step { compress: compress::<W::Round>, put_out: put_out::<W::Round> });
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
