//! CPU features that kernels need, and kinds of cores on which they are worth it.
//!
//! - `Features` is a set of instruction-set features. One table for each architecture says their
//!   names in masks, how each is detected, and which others it builds on.
//! - `Cores` is a kind of core. Cores of two kinds have the same instructions and other latencies.
//! - `Cpu` is features and a core. `Cpu::native` detects both once. From there features are only
//!   taken away, so a `Cpu` that has a feature is the proof that this machine has it.
//!
//! A set is closed: a feature is in it only together with all features that it builds on. So a mask
//! such as `-avx2` takes AVX-512 away, too.

#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

use crate::parts::arrays::Mapped;

use std::{fmt, sync::OnceLock};

/// Declares [`Features`] and how to detect each, from a list for each architecture: constant, the
/// name in Rust and in masks, what it builds on. One that another list has, too, has its bit there.
macro_rules! features {
    (
        $($arch:literal {
            $($($bit:literal)? $constant:ident = $name:tt needs [$($base:ident)*];)*
        })*
    ) => {
        bitflags::bitflags! {
            /// A set of CPU features.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct Features: u64 {
                $($($(
                    #[doc = concat!("`", $name, "`")]
                    const $constant = 1 << $bit;
                )?)*)*
            }
        }

        /// Name, bit, and what the feature builds on, of those that this architecture has.
        const TABLE: &[(&str, Features, Features)] = &[$($(
            #[cfg(target_arch = $arch)]
            ($name, Features::$constant, Features::empty()$(.union(Features::$base))*),
        )*)*];

        fn detect() -> Features {
            #[allow(unused_mut, reason = "of other architectures none is known")]
            let mut found = Features::empty();
            // The standard library's macros ask the system as well as the CPU: a feature whose
            // registers it does not save is not offered.
            $($(
                #[cfg(target_arch = $arch)]
                if detected!($name) {
                    found |= Features::$constant;
                }
            )*)*
            found
        }
    };
}

#[cfg(target_arch = "aarch64")]
use std::arch::is_aarch64_feature_detected as detected;
#[cfg(target_arch = "x86_64")]
use std::arch::is_x86_feature_detected as detected;

/// A module of WebAssembly has the features that it was compiled with: an engine without them
/// refuses the whole module.
#[cfg(target_arch = "wasm32")]
macro_rules! detected {
    ($name:tt) => {
        cfg!(target_feature = $name)
    };
}

features! {
    "x86_64" {
        0 SSE2 = "sse2" needs [];
        1 SSE3 = "sse3" needs [SSE2];
        2 SSSE3 = "ssse3" needs [SSE3];
        3 SSE41 = "sse4.1" needs [SSSE3];
        4 SSE42 = "sse4.2" needs [SSE41];
        5 POPCNT = "popcnt" needs [];
        6 AVX = "avx" needs [SSE42];
        7 AVX2 = "avx2" needs [AVX];
        8 BMI1 = "bmi1" needs [];
        9 BMI2 = "bmi2" needs [];
        10 ADX = "adx" needs [];
        11 AES = "aes" needs [SSE2];
        12 PCLMULQDQ = "pclmulqdq" needs [SSE2];
        13 SHA = "sha" needs [SSSE3];
        14 AVX512F = "avx512f" needs [AVX2];
        15 AVX512VL = "avx512vl" needs [AVX512F];
        16 AVX512BW = "avx512bw" needs [AVX512F];
        17 AVX512DQ = "avx512dq" needs [AVX512F];
        18 AVX512VBMI = "avx512vbmi" needs [AVX512BW];
        19 AVX512VBMI2 = "avx512vbmi2" needs [AVX512BW];
        20 AVX512IFMA = "avx512ifma" needs [AVX512F];
        21 AVX512VNNI = "avx512vnni" needs [AVX512F];
        22 AVX512BITALG = "avx512bitalg" needs [AVX512BW];
        23 GFNI = "gfni" needs [SSE2];
        24 VAES = "vaes" needs [AES AVX];
        25 VPCLMULQDQ = "vpclmulqdq" needs [PCLMULQDQ AVX];
        26 SHA512 = "sha512" needs [AVX2];
    }
    "aarch64" {
        27 NEON = "neon" needs [];
        AES = "aes" needs [NEON];
        28 PMULL = "pmull" needs [AES];
        29 SHA2 = "sha2" needs [NEON];
        30 SHA3 = "sha3" needs [SHA2];
        31 CRC = "crc" needs [];
    }
    "wasm32" {
        32 SIMD128 = "simd128" needs [];
    }
}

impl Features {
    /// What has the instructions for SHA-1 and SHA-256.
    pub(crate) const FOR_SHA: Self =
        if cfg!(target_arch = "aarch64") { Self::SHA2 } else { Self::SHA };

    /// These features, which a kernel needs whose code has `#[target_feature(enable = text)]`. In a
    /// constant, a text that enables more is an error of compilation. A CPU without the feature
    /// must not run the code.
    #[must_use]
    pub(crate) const fn covering(self, text: &str) -> Self {
        assert!(
            self.with_bases().contains(Self::enabled_by(text)),
            "the code of a kernel is compiled for a feature that the kernel does not need"
        );
        self
    }

    /// What `#[target_feature(enable = text)]` enables. In a constant, an unknown name is an error
    /// of compilation.
    pub(crate) const fn enabled_by(text: &str) -> Self {
        let (mut enabled, mut rest) = (Self::empty(), text.as_bytes());
        loop {
            let mut len = 0;
            while len < rest.len() && rest[len] != b',' {
                len += 1;
            }
            let (name, behind) = rest.split_at(len);
            enabled = enabled.union(Self::named(name));
            match behind {
                [_, next @ ..] => rest = next,
                [] => break,
            }
        }
        // The compiler takes AVX2 for granted with VAES, CPUID does not.
        if enabled.contains(Self::VAES) {
            enabled = enabled.union(Self::AVX2);
        }
        enabled.with_bases()
    }

    /// The feature of that name.
    const fn named(name: &[u8]) -> Self {
        let mut row = 0;
        while row < TABLE.len() {
            if is_same(TABLE[row].0.as_bytes(), name) {
                return TABLE[row].1;
            }
            row += 1;
        }
        panic!("an attribute enables a feature that this architecture does not have")
    }

    /// These features and all that they build on. No [`Cpu`] has a feature without its basis.
    const fn with_bases(self) -> Self {
        let (mut all, mut row) = (self, 0);
        while row < TABLE.len() {
            let (_, feature, basis) = TABLE[row];
            if all.contains(feature) {
                all = all.union(basis);
            }
            row += 1;
        }
        if all.bits() == self.bits() { all } else { all.with_bases() }
    }
}

/// Whether both are equal. A constant cannot compare slices by `==`.
const fn is_same(mut left: &[u8], mut right: &[u8]) -> bool {
    while let ([a, others @ ..], [b, rest @ ..]) = (left, right) {
        if *a != *b {
            return false;
        }
        (left, right) = (others, rest);
    }
    left.is_empty() && right.is_empty()
}

bitflags::bitflags! {
    /// Kinds of cores that have the same instructions and other speeds. A [`Cpu`] is of exactly one
    /// kind.
    ///
    /// |core|latency of a vector's addition, exclusive or|of its rotation|of a general register's|
    /// |---|---|---|---|
    /// |`ZEN` (Zen 4)|1 cycle|2 cycles|1 cycle|
    /// |`ZEN5`|2 cycles|2 cycles|1 cycle|
    /// |`OTHER`, by Intel|1 cycle|1 cycle|1 cycle|
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Cores: u8 {
        /// AMD's from Zen to Zen 4 (families 17h and 19h) and Hygon's.
        const ZEN = 1;
        /// AMD's from Zen 5 on (family 1Ah and later).
        const ZEN5 = 1 << 1;
        /// All others: Intel's, AMD's before Zen, other architectures.
        const OTHER = 1 << 2;
    }
}

impl Cores {
    /// AMD's since the first Zen.
    pub const AMD: Self = Self::ZEN.union(Self::ZEN5);

    /// The kind of a core by CPUID's vendor and the signature in EAX of its leaf 1.
    pub(crate) fn of(vendor: &[u8], signature: u32) -> Self {
        // The family is the sum of two fields where the first is full (AMD 40332, "Family, Model,
        // and Stepping Identifiers").
        let (base, extended) = (signature >> 8 & 0xf, signature >> 20 & 0xff);
        let family = if base == 0xf { base + extended } else { base };
        match (vendor, family) {
            (b"AuthenticAMD", 0x1a..) => Self::ZEN5,
            (b"AuthenticAMD" | b"HygonGenuine", 0x17..) => Self::ZEN,
            _ => Self::OTHER,
        }
    }
}

/// The kind of this machine's core.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn detect_core() -> Cores {
    use std::arch::x86_64::__cpuid;
    // SAFETY: every CPU of x86-64 has the instruction CPUID, with these leaves.
    #[allow(unused_unsafe, reason = "a safe function in later versions of the standard library")]
    let (first, second) = unsafe { (__cpuid(0), __cpuid(1)) };
    let vendor = [first.ebx, first.edx, first.ecx].mapped(u32::to_le_bytes);
    Cores::of(vendor.as_flattened(), second.eax)
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn detect_core() -> Cores {
    Cores::OTHER
}

/// What a CPU can do: detected, and from there only narrowed, so that to hold one is proof. Masks
/// hide features and never the core.
///
/// ```
/// # #[cfg(feature = "md5")] {
/// use hashdyno::{Cpu, MD5};
///
/// let old = Cpu::native().masked("-avx512f,-avx2")?;
/// let kernel = MD5.bind(&old); // the best that needs neither
/// let mut digest = [0; 16];
/// MD5.digest_into(&kernel, b"a message", &mut digest);
/// assert_eq!(digest, hashdyno::md5(b"a message"));
/// # }
/// # Ok::<(), hashdyno::MaskError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cpu {
    features: Features,
    core: Cores,
}

impl Cpu {
    /// This machine's CPU, all that it has.
    #[inline]
    pub fn native() -> &'static Self {
        static NATIVE: OnceLock<Cpu> = OnceLock::new();
        NATIVE.get_or_init(|| Self { features: closed(detect()), core: detect_core() })
    }

    /// Whether the CPU has all of `needs`.
    #[inline]
    pub fn has(&self, needs: Features) -> bool {
        self.features.contains(needs)
    }

    /// What the CPU has.
    pub fn features(&self) -> Features {
        self.features
    }

    /// The kind of its core.
    #[inline]
    pub fn core(&self) -> Cores {
        self.core
    }

    /// A CPU as it is said to be.
    ///
    /// # Safety
    /// Either this machine's CPU has the features, or no kernel that was bound for the CPU is
    /// called.
    pub(crate) unsafe fn forged(features: Features, core: Cores) -> Self {
        Self { features: closed(features), core }
    }

    /// The same CPU, its core taken for one of another kind: that decides between kernels, and is
    /// never unsound.
    pub(crate) fn on(&self, core: Cores) -> Self {
        Self { core, ..*self }
    }

    /// The same CPU without `features` and without whatever builds on them.
    #[must_use]
    pub fn without(&self, features: Features) -> Self {
        Self { features: closed(self.features - features), ..*self }
    }

    /// The same CPU under a mask: `all`, `none` (no feature at all), or features to take away:
    /// `-avx512f,-sha`.
    ///
    /// # Errors
    /// [`MaskError`]: a word is none of these.
    pub fn masked(&self, mask: &str) -> Result<Self, MaskError> {
        mask.split(',').map(str::trim).try_fold(*self, |cpu, word| match word {
            "all" => Ok(cpu),
            "none" => Ok(cpu.without(Features::all())),
            _ => {
                let name = word.strip_prefix('-').ok_or_else(|| MaskError(word.to_owned()))?;
                let row = TABLE
                    .iter()
                    .find(|row| row.0 == name)
                    .ok_or_else(|| MaskError(word.to_owned()))?;
                Ok(cpu.without(row.1))
            }
        })
    }
}

/// `features` less those whose basis is not among them.
fn closed(features: Features) -> Features {
    let kept = TABLE
        .iter()
        .filter(|row| features.contains(row.1 | row.2))
        .fold(Features::empty(), |kept, row| kept | row.1);
    if kept == features { kept } else { closed(kept) }
}

impl fmt::Display for Features {
    /// The names, separated by blanks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> =
            TABLE.iter().filter(|row| self.contains(row.1)).map(|row| row.0).collect();
        f.write_str(&names.join(" "))
    }
}

impl fmt::Debug for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cpu({})", self.features)
    }
}

/// A mask that this architecture knows.
const EXAMPLE: &str = if cfg!(target_arch = "aarch64") {
    "-sha3,-pmull"
} else if cfg!(target_arch = "wasm32") {
    "-simd128"
} else {
    "-avx512f,-sha"
};

/// A word of a CPU mask that means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskError(String);

impl fmt::Display for MaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is not a CPU mask: expected all, none, or features to take away, such as \
                {EXAMPLE}",
            self.0
        )
    }
}

impl std::error::Error for MaskError {}
