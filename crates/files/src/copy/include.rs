//! Which files of a source are copied.
//!
//! `*.jpg` is of a name in any folder, `DCIM/**` of a path below the source. The path has neither
//! the source's own name nor the layout in it.

use crate::read::skip::Patterns;

/// Patterns one of which a file must match, by its name or its path below the source.
#[derive(Clone, Debug, Default)]
pub struct Include(Patterns);

impl Include {
    /// Reads patterns; with none, every file is copied.
    ///
    /// # Errors
    /// The pattern that is malformed, and why.
    pub fn parse(patterns: &[String]) -> Result<Self, String> {
        Patterns::parse(patterns).map(Self)
    }

    /// Whether every file is copied.
    pub fn takes_all(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a file is copied that has this path below the source.
    pub fn takes(&self, below: &[u8]) -> bool {
        self.takes_all() || self.0.match_path(below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_pattern_is_enough_and_with_none_every_file_is_copied() {
        let takes = |patterns: &[&str], path: &str| {
            let patterns: Vec<_> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
            Include::parse(&patterns).unwrap().takes(path.as_bytes())
        };
        assert!(takes(&[], "a.jpg") && takes(&["*.raw", "*.jpg"], "deep/a.jpg"));
        assert!(!takes(&["*.raw"], "a.jpg"));
    }
}
