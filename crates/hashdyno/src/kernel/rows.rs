//! The kernels of a digest: a list for each architecture, from one text.
//!
//! On AArch64 and WebAssembly, a row of AVX2's lanes stands for other lanes:
//!
//! | AVX2 | AArch64 | WebAssembly |
//! |---|---|---|
//! | `lanes!`, 1 vector of 32-bit words | 2 of NEON, 1 of NEON | 1 |
//! | `lanes!`, 2 vectors of 32-bit words | 4 of NEON | 2 |
//! | `lanes!`, 1 vector of 64-bit words | 1 by SHA3's instructions, 1 of NEON | 1 |
//! | `chains!` | 4 of NEON | 4 |
//! | `sponge!`, 1 vector | 1 by SHA3's instructions, 1 of NEON | 1 |
//! | other rows | none | none |
//!
//! A macro sees tokens, not kernels. So the second `kernels!` goes over the row token by token
//! (`@`). It collects the kernels found in brackets, and writes the list at the end (`>`).

/// A list of kernels: those of x86-64, and behind a semicolon those of any CPU. Where there are two
/// semicolons, those of AArch64 are between them; where there are three, those of WebAssembly's
/// vectors follow.
///
/// The many-message kernels of AArch64 and of WebAssembly with vectors follow from those in AVX2's
/// lanes, whose registers are two of NEON's. WebAssembly has one for one: engines on x86-64 have 16
/// registers, and SHA-256 in two of them for each word took 1.7 times as long as in one.
#[cfg(target_arch = "x86_64")]
macro_rules! kernels {
    (
        $($x86_64:expr),* $(,)? ; $($aarch64:expr),* $(,)? ; $($wasm:expr),* $(,)? ;
        $($any:expr),* $(,)?
    ) => {
        &[$($x86_64,)* $($any,)*]
    };
    ($($x86_64:expr),* $(,)? ; $($aarch64:expr),* $(,)? ; $($any:expr),* $(,)?) => {
        &[$($x86_64,)* $($any,)*]
    };
    ($($x86_64:expr),* $(,)? ; $($any:expr),* $(,)?) => {
        &[$($x86_64,)* $($any,)*]
    };
    ($($x86_64:expr),* $(,)?) => {
        &[$($x86_64),*]
    };
}

/// The same for other architectures: of what is x86-64's only the lanes count, which are looked for
/// token by token; they come behind AArch64's own kernels.
#[cfg(not(target_arch = "x86_64"))]
macro_rules! kernels {
    (
        @ $found:tt lanes!($design:ty, $word:ident, $count:tt * avx2).beaten_by($features:expr)
        $($rest:tt)*
    ) => {
        $crate::kernel::kernels![@ $word $count $found [$design] [.beaten_by($features)] $($rest)*]
    };
    (@ $found:tt lanes!($design:ty, $word:ident, $count:tt * avx2) $($rest:tt)*) => {
        $crate::kernel::kernels![@ $word $count $found [$design] [] $($rest)*]
    };
    (@ [$($found:tt)*] chains!($chain:ty, $word:ident, $count:tt * avx2) $($rest:tt)*) => {
        $crate::kernel::kernels![@ [
            $($found)*
            #[cfg(target_arch = "aarch64")]
            $crate::parts::chains::chains!($chain, $word, 4 * neon),
            #[cfg(target_feature = "simd128")]
            $crate::parts::chains::chains!($chain, $word, 4 * simd128),
        ] $($rest)*]
    };
    (@ [$($found:tt)*] sponge!($sponge:ty, 1 * avx2) $($rest:tt)*) => {
        $crate::kernel::kernels![@ [
            $($found)*
            #[cfg(target_arch = "aarch64")]
            $crate::many::sponge!($sponge, 1 * sha3),
            #[cfg(target_arch = "aarch64")]
            $crate::many::sponge!($sponge, 1 * neon),
            #[cfg(target_feature = "simd128")]
            $crate::many::sponge!($sponge, 1 * simd128),
        ] $($rest)*]
    };
    (@ u32 1 [$($found:tt)*] [$design:ty] [$($but:tt)*] $($rest:tt)*) => {
        $crate::kernel::kernels![@ [
            $($found)*
            #[cfg(target_arch = "aarch64")]
            $crate::many::lanes!($design, u32, 2 * neon)$($but)*,
            #[cfg(target_arch = "aarch64")]
            $crate::many::lanes!($design, u32, 1 * neon)$($but)*,
            #[cfg(target_feature = "simd128")]
            $crate::many::lanes!($design, u32, 1 * simd128)$($but)*,
        ] $($rest)*]
    };
    (@ u32 2 [$($found:tt)*] [$design:ty] [$($but:tt)*] $($rest:tt)*) => {
        $crate::kernel::kernels![@ [
            $($found)*
            #[cfg(target_arch = "aarch64")]
            $crate::many::lanes!($design, u32, 4 * neon)$($but)*,
            #[cfg(target_feature = "simd128")]
            $crate::many::lanes!($design, u32, 2 * simd128)$($but)*,
        ] $($rest)*]
    };
    (@ u64 1 [$($found:tt)*] [$design:ty] [$($but:tt)*] $($rest:tt)*) => {
        $crate::kernel::kernels![@ [
            $($found)*
            #[cfg(target_arch = "aarch64")]
            $crate::many::lanes!($design, u64, 1 * sha3)$($but)*,
            #[cfg(target_arch = "aarch64")]
            $crate::many::lanes!($design, u64, 1 * neon)$($but)*,
            #[cfg(target_feature = "simd128")]
            $crate::many::lanes!($design, u64, 1 * simd128)$($but)*,
        ] $($rest)*]
    };
    // For more there is no room in the registers; nor is there for two of words of 64 bits, of
    // which designs have 24 and more.
    (@ $word:ident $count:tt $found:tt [$design:ty] $but:tt $($rest:tt)*) => {
        $crate::kernel::kernels![@ $found $($rest)*]
    };
    // The semicolon ends the x86-64 kernels.
    (@ $found:tt ; $($rest:tt)*) => {
        $crate::kernel::kernels![> $found $($rest)*]
    };
    (@ $found:tt) => {
        $crate::kernel::kernels![> $found]
    };
    // Any other token is x86-64's alone.
    (@ $found:tt $other:tt $($rest:tt)*) => {
        $crate::kernel::kernels![@ $found $($rest)*]
    };
    (> [$($found:tt)*] $($aarch64:expr),* $(,)? ; $($wasm:expr),* $(,)? ; $($any:expr),* $(,)?) => {
        &[
            $(
                #[cfg(target_arch = "aarch64")]
                $aarch64,
            )*
            $(
                #[cfg(target_feature = "simd128")]
                $wasm,
            )*
            $($found)*
            $($any,)*
        ]
    };
    (> [$($found:tt)*] $($aarch64:expr),* $(,)? ; $($any:expr),* $(,)?) => {
        &[
            $(
                #[cfg(target_arch = "aarch64")]
                $aarch64,
            )*
            $($found)*
            $($any,)*
        ]
    };
    (> [$($found:tt)*] $($any:expr),* $(,)?) => {
        &[$($found)* $($any,)*]
    };
    ($($row:tt)*) => {
        $crate::kernel::kernels![@ [] $($row)*]
    };
}
pub(crate) use kernels;

/// The kernels for many messages, as [`kernels!`] takes them. Without the feature `many` the list
/// is empty, and none of them is compiled.
#[cfg(not(feature = "many"))]
macro_rules! many_kernels {
    ($($row:tt)*) => {
        &[]
    };
}
#[cfg(feature = "many")]
pub(crate) use kernels as many_kernels;
#[cfg(not(feature = "many"))]
pub(crate) use many_kernels;
