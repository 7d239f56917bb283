//! How thoroughly a run measures, by name.
//!
//! A record has the preset as text: `quick`, `standard`, `as printed by another program`, or the
//! words of `speed`, such as `0.4 s for each cell`. Records of two presets are not compared: their
//! intervals have different widths. Any text is read, so that a record of a newer program is, too.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a run was told of its thoroughness; in a record it is a word or two.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(from = "String", into = "String")]
pub enum Preset {
    /// A study with `--quick`.
    Quick,
    /// A study without.
    Standard,
    /// Another program's figures, imported: nobody knows how they were measured.
    Printed,
    /// What `speed` was told, in words.
    Told(String),
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Quick => QUICK,
            Self::Standard => STANDARD,
            Self::Printed => PRINTED,
            Self::Told(words) => words,
        })
    }
}

impl From<String> for Preset {
    fn from(text: String) -> Self {
        match text.as_str() {
            QUICK => Self::Quick,
            STANDARD => Self::Standard,
            PRINTED => Self::Printed,
            _ => Self::Told(text),
        }
    }
}

impl From<Preset> for String {
    fn from(preset: Preset) -> Self {
        preset.to_string()
    }
}

const QUICK: &str = "quick";
const STANDARD: &str = "standard";
const PRINTED: &str = "as printed by another program";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_is_read_as_it_is_written() {
        for preset in [
            Preset::Quick,
            Preset::Standard,
            Preset::Printed,
            Preset::Told("0.4 s for each cell".to_owned()),
        ] {
            assert_eq!(Preset::from(preset.to_string()), preset);
        }
    }
}
