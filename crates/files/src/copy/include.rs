//! Which files of a source are copied.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::read::names::path;

/// Patterns of a shell, one of which a file must match: `*.jpg` by its name in any folder,
/// `2026/**` by its path below the source.
#[derive(Clone, Debug, Default)]
pub struct Include(Option<GlobSet>);

impl Include {
    /// Reads patterns; with none, every file is copied.
    ///
    /// # Errors
    /// The pattern that is malformed, and why.
    pub fn parse(patterns: &[String]) -> Result<Self, String> {
        if patterns.is_empty() {
            return Ok(Self(None));
        }
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let anywhere =
                if pattern.contains('/') { pattern.clone() } else { format!("**/{pattern}") };
            let glob = GlobBuilder::new(&anywhere).literal_separator(true).build();
            set.add(
                glob.map_err(|error| format!("'{pattern}' is not a pattern: {}", error.kind()))?,
            );
        }
        set.build().map(|set| Self(Some(set))).map_err(|error| error.to_string())
    }

    /// Whether a file is copied that has this path below the source.
    pub fn takes(&self, below: &[u8]) -> bool {
        self.0.as_ref().is_none_or(|set| set.is_match(path(below)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_of_the_name_or_with_a_slash_of_the_path() {
        let takes = |patterns: &[&str], path: &str| {
            let patterns: Vec<_> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
            Include::parse(&patterns).unwrap().takes(path.as_bytes())
        };
        for path in ["a.jpg", "deep/er/a.jpg"] {
            assert!(
                takes(&[], path) && takes(&["*.jpg"], path) && takes(&["*.raw", "*.jpg"], path),
                "{path}"
            );
            assert!(!takes(&["*.raw"], path) && !takes(&["jpg"], path), "{path}");
        }
        assert!(takes(&["DCIM/**"], "DCIM/100/a.jpg") && !takes(&["DCIM/*"], "DCIM/100/a.jpg"));
        assert!(
            Include::parse(&["[".to_owned()]).unwrap_err().starts_with("'[' is not a pattern: ")
        );
    }
}
