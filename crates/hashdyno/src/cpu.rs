use std::{fmt, sync::OnceLock};

/// Declares [`Features`] and how to detect each, from one list: constant, the name in Rust and in masks, what it builds on.
macro_rules! features {
    ($($bit:literal $constant:ident = $name:tt needs [$($base:ident)*];)*) => {
        bitflags::bitflags! {
            /// A set of CPU features.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct Features: u64 {
                $(
                    #[doc = concat!("`", $name, "`")]
                    const $constant = 1 << $bit;
                )*
            }
        }

        /// Name, bit, and what the feature builds on.
        const TABLE: &[(&str, Features, Features)] =
            &[$(($name, Features::$constant, Features::empty()$(.union(Features::$base))*)),*];

        #[cfg(target_arch = "x86_64")]
        fn detect() -> Features {
            let mut found = Features::empty();
            // The standard library's macro asks XGETBV as well as CPUID: a feature whose registers the system does
            // not save is not offered.
            $(if std::arch::is_x86_feature_detected!($name) { found |= Features::$constant; })*
            found
        }
    };
}

features! {
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
    27 SSE4A = "sse4a" needs [SSE3];
    28 AVX512VP2INTERSECT = "avx512vp2intersect" needs [AVX512F];
}

/// What tells cores apart that have the same instructions and not the same speed. No kernel executes what these name.
impl Features {
    /// AMD's alone, since the first Zen. A vector that waits for itself does so for two cycles in a rotation (Zen 4) or in most of
    /// what it does (Zen 5), a general register for one.
    pub const AMD: Self = Self::SSE4A;
    /// Of AMD's, Zen 5 and what may follow.
    pub const ZEN5: Self = Self::SSE4A.union(Self::AVX512VP2INTERSECT);
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Features {
    Features::empty()
}

/// What a CPU can do: detected, and from there only narrowed, so that to hold one is proof.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cpu {
    features: Features,
}

impl Cpu {
    /// This machine's CPU, all that it has.
    #[inline]
    pub fn native() -> &'static Self {
        static NATIVE: OnceLock<Cpu> = OnceLock::new();
        NATIVE.get_or_init(|| Self { features: closed(detect()) })
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

    /// The same CPU without `features` and without whatever builds on them.
    #[must_use]
    pub fn without(&self, features: Features) -> Self {
        Self { features: closed(self.features - features) }
    }

    /// The same CPU under a mask: `all`, `none` (no feature at all), or features to take away: `-avx512f,-sha`.
    pub fn masked(&self, mask: &str) -> Result<Self, MaskError> {
        mask.split(',').map(str::trim).try_fold(*self, |cpu, word| match word {
            "all" => Ok(cpu),
            "none" => Ok(cpu.without(Features::all())),
            _ => {
                let name = word.strip_prefix('-').ok_or_else(|| MaskError(word.to_owned()))?;
                let row = TABLE.iter().find(|row| row.0 == name).ok_or_else(|| MaskError(word.to_owned()))?;
                Ok(cpu.without(row.1))
            }
        })
    }
}

/// `features` less those whose basis is not among them.
fn closed(features: Features) -> Features {
    let kept = TABLE.iter().filter(|row| features.contains(row.1 | row.2)).fold(Features::empty(), |kept, row| kept | row.1);
    if kept == features { kept } else { closed(kept) }
}

impl fmt::Display for Features {
    /// The names, separated by blanks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = TABLE.iter().filter(|row| self.contains(row.1)).map(|row| row.0).collect();
        f.write_str(&names.join(" "))
    }
}

impl fmt::Debug for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cpu({})", self.features)
    }
}

/// A word of a CPU mask that means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskError(String);

impl fmt::Display for MaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is no CPU mask: expected all, none, or features to take away, such as -avx512f,-sha", self.0)
    }
}

impl std::error::Error for MaskError {}
