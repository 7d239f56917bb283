//! Which features are hidden, and the text that says so.
//!
//! A mask is a set of rows of `FEATURES`, a bit for each row. The set is closed: with a feature it
//! holds every feature that builds on it. Each set has one text, and `Mask::parse` reads that text
//! back:
//!
//! ```text
//! -vaes, -aes               is   -aes             VAES builds on AES
//! -sha,avx2                 is   avx2,-sha        the preset first, then single features
//! -avx512f                  is   no-avx512        a preset where one hides the same
//! ```
//!
//! An unknown word is a `MaskError` with that word.

use std::fmt;

use crate::leaves::{FEATURES, Register};

/// A set of CPU features to hide. With a feature go all that build on it.
///
/// ```
/// let mask = cpumask::Mask::parse("avx2,-aes").unwrap();
/// assert!(mask.hides("avx512f") && mask.hides("aes") && !mask.hides("sha"));
/// assert_eq!(mask.to_string(), "avx2,-aes");
/// assert_eq!(cpumask::Mask::parse("-vaes,-aes").unwrap().to_string(), "-aes");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mask {
    /// Bit `n` hides feature `n` of the table.
    hidden: u128,
}

/// A mask that has a name.
#[derive(Debug)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// What is left.
    pub about: &'static str,
    hides: Hides,
}

#[derive(Debug)]
enum Hides {
    /// Hides these features and whatever builds on them.
    These(&'static [&'static str]),
    /// Hides every feature of the table but these. A feature that is added to the table is hidden,
    /// too.
    AllBut(&'static [&'static str]),
}
use Hides::{AllBut, These};

/// The presets.
pub static PRESETS: &[Preset] = &[
    Preset { name: "all", about: "all that the CPU has", hides: These(&[]) },
    Preset { name: "no-avx512", about: "all but AVX-512 and AVX10", hides: These(&["avx512f"]) },
    Preset {
        name: "avx2",
        about: "AVX2, FMA, AES, SHA; no vector instruction newer than these",
        hides: These(AFTER_AVX2),
    },
    Preset {
        name: "sse42",
        about: "vectors of 128 bits: no AVX; AES, PCLMULQDQ and SHA stay",
        hides: These(&["avx"]),
    },
    Preset {
        name: "as-2008",
        about: "a CPU of 2008 (Nehalem): SSE4.2 and POPCNT, nothing newer",
        hides: AllBut(NEHALEM),
    },
    Preset {
        name: "scalar",
        about: "SSE2, which every x86-64 has, and nothing else",
        hides: AllBut(&[]),
    },
];

// Each is the root of its branch: the rest of AVX-512, AMX and AVX10 goes with the features that it
// needs.
const AFTER_AVX2: &[&str] = &[
    "avx512f",
    "vaes",
    "vpclmulqdq",
    "gfni",
    "sha512",
    "sm3",
    "sm4",
    "avxvnni",
    "avxifma",
    "avxvnniint8",
    "avxneconvert",
    "avxvnniint16",
    "amx-tile",
    "apxf",
];
const NEHALEM: &[&str] = &["sse3", "ssse3", "sse4.1", "sse4.2", "popcnt"];

impl Preset {
    /// The mask that it names.
    pub fn mask(&self) -> Mask {
        let hidden = FEATURES.iter().enumerate().filter(|(_, feature)| match self.hides {
            These(names) => names.contains(&feature.name),
            AllBut(names) => !names.contains(&feature.name),
        });
        Mask { hidden: hidden.fold(0, |bits, (index, _)| bits | 1 << index) }.closed()
    }
}

impl Mask {
    /// Reads presets and features to hide, separated by commas: `scalar`, `-aes,-vaes`,
    /// `avx2,-sha`.
    ///
    /// # Errors
    /// [`MaskError`]: a word is neither a preset nor a feature to hide.
    pub fn parse(text: &str) -> Result<Self, MaskError> {
        text.split(',').map(str::trim).try_fold(Self::default(), |mask, word| {
            let more = match PRESETS.iter().find(|preset| preset.name == word) {
                Some(preset) => preset.mask(),
                None => word
                    .strip_prefix('-')
                    .and_then(Self::of)
                    .ok_or_else(|| MaskError { word: word.to_owned() })?,
            };
            Ok(Self { hidden: mask.hidden | more.hidden })
        })
    }

    /// Whether the feature of this name is hidden; of an unknown one, false.
    pub fn hides(&self, name: &str) -> bool {
        FEATURES
            .iter()
            .position(|feature| feature.name == name)
            .is_some_and(|index| self.has(index))
    }

    /// The bits to clear in CPUID's answer to `leaf` and `subleaf`: EAX, EBX, ECX, EDX.
    pub fn cleared(&self, leaf: u32, subleaf: u32) -> [u32; 4] {
        let hidden = FEATURES
            .iter()
            .enumerate()
            .filter(|(index, feature)| self.has(*index) && feature.answers(leaf, subleaf));
        hidden.fold([0; 4], |mut bits, (_, feature)| {
            bits[feature.register as usize] |= 1 << feature.bit;
            bits
        })
    }

    fn of(name: &str) -> Option<Self> {
        let index = FEATURES.iter().position(|feature| feature.name == name)?;
        Some(Self { hidden: 1 << index }.closed())
    }

    fn has(&self, index: usize) -> bool {
        self.hidden & 1 << index != 0
    }

    /// With all that builds on what is hidden. A feature stands below its needs in the table, so
    /// one pass is enough.
    fn closed(self) -> Self {
        FEATURES.iter().enumerate().fold(self, |mask, (index, feature)| {
            let hide = feature.needs.iter().any(|need| mask.hides(need));
            Self { hidden: mask.hidden | u128::from(hide) << index }
        })
    }
}

impl fmt::Display for Mask {
    /// The one text of this set: the preset that hides most of it, then the features that nothing
    /// else of it implies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inside = PRESETS
            .iter()
            .map(|preset| (preset.name, preset.mask()))
            .filter(|(_, mask)| mask.hidden & !self.hidden == 0);
        let (preset, base) = inside
            .max_by_key(|(_, mask)| mask.hidden.count_ones())
            // The preset `all` hides nothing, so it lies inside of every mask, and there is always
            // a preset.
            .unwrap_or(("all", Self::default()));
        let roots = FEATURES.iter().enumerate().filter(|(index, feature)| {
            self.has(*index)
                && !base.has(*index)
                && !feature.needs.iter().any(|need| self.hides(need))
        });
        let roots: Vec<_> = roots.map(|(_, feature)| format!("-{}", feature.name)).collect();
        match (base.hidden, roots.is_empty()) {
            (_, true) => f.write_str(preset),
            (0, false) => f.write_str(&roots.join(",")),
            (_, false) => write!(f, "{preset},{}", roots.join(",")),
        }
    }
}

impl std::str::FromStr for Mask {
    type Err = MaskError;

    fn from_str(text: &str) -> Result<Self, MaskError> {
        Self::parse(text)
    }
}

/// A word of a mask that means nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{word}' is not a CPU mask: expected features to hide, such as -aes,-vaes, or one of {}",
    presets()
)]
pub struct MaskError {
    /// The word.
    pub word: String,
}

fn presets() -> String {
    PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ")
}

const _: () = assert!(Register::Edx as usize == 3 && FEATURES.len() <= 128);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hiding_a_feature_hides_what_builds_on_it() {
        let mask = Mask::parse("-avx").unwrap();
        for gone in [
            "avx",
            "avx2",
            "fma",
            "f16c",
            "vaes",
            "vpclmulqdq",
            "avx512f",
            "avx512vbmi2",
            "avx10.1",
            "sha512",
        ] {
            assert!(mask.hides(gone), "{gone}");
        }
        for left in ["sse4.2", "aes", "pclmulqdq", "sha", "bmi2"] {
            assert!(!mask.hides(left), "{left}");
        }
        assert!(Mask::parse("-sse4.2").unwrap().hides("avx"));
        assert!(Mask::parse("-xsave").unwrap().hides("amx-int8"));
    }

    #[test]
    fn a_mask_clears_its_bits_and_no_others() {
        let mask = Mask::parse("-aes,-sha,-lzcnt,-sha512").unwrap();
        assert_eq!(mask.cleared(1, 7), [0, 0, 1 << 25, 0]);
        assert_eq!(mask.cleared(7, 0), [0, 1 << 29, 1 << 9, 0]);
        assert_eq!(mask.cleared(7, 1), [1, 0, 0, 0]);
        assert_eq!(mask.cleared(7, 2), [0; 4]);
        assert_eq!(mask.cleared(0x8000_0001, 9), [0, 0, 1 << 5, 0]);
        assert_eq!(mask.cleared(0xd, 0), [0; 4]);
    }

    #[test]
    fn the_text_is_canonical() {
        for (text, canonical) in [
            ("all", "all"),
            ("-vaes, -aes", "-aes"),
            ("-sha,avx2", "avx2,-sha"),
            ("-avx512f", "no-avx512"),
            ("no-avx512,scalar", "scalar"),
            ("-sse4.2,-avx2,-popcnt", "sse42,-sse4.2,-popcnt"),
        ] {
            assert_eq!(Mask::parse(text).unwrap().to_string(), canonical);
        }
        for feature in FEATURES {
            let mask = Mask::of(feature.name).unwrap();
            assert_eq!(Mask::parse(&mask.to_string()), Ok(mask), "{}", feature.name);
        }
        for preset in PRESETS {
            assert_eq!(preset.mask().to_string(), preset.name);
        }
    }

    #[test]
    fn a_word_that_means_nothing_is_named() {
        for word in ["aes", "-aess", "", "-", "none"] {
            let error = Mask::parse(&format!("-sha,{word}")).unwrap_err().to_string();
            assert!(error.contains(&format!("'{word}'")) && error.contains("scalar"), "{error}");
        }
    }
}
