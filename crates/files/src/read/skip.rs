//! What a walk leaves out.
//!
//! ```text
//! *.jpg       a name in any folder
//! .git/       the same: a slash at the end says that a folder is meant
//! DCIM/**     a path below the folder that is walked
//! /a          a path: `a` in that folder alone
//! ```

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::read::names::{name, path};

/// Patterns of a shell: `*.jpg` is of a name in any folder, `2026/**` of a path below the folder
/// that is walked.
#[derive(Clone, Debug, Default)]
pub struct Patterns(Option<GlobSet>);

impl Patterns {
    /// Reads patterns.
    ///
    /// # Errors
    /// The pattern that is malformed, and why.
    pub fn parse(patterns: &[String]) -> Result<Self, String> {
        if patterns.is_empty() {
            return Ok(Self(None));
        }
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            // A slash at the end says that a folder is meant; one at the begin, that its place is.
            let inner = pattern.trim_matches('/');
            let is_path = pattern.starts_with('/') || inner.contains('/');
            let whole = if is_path { inner.to_owned() } else { format!("**/{inner}") };
            let glob = GlobBuilder::new(&whole).literal_separator(true).build();
            set.add(
                glob.map_err(|error| format!("'{pattern}' is not a pattern: {}", error.kind()))?,
            );
        }
        set.build().map(|set| Self(Some(set))).map_err(|error| error.to_string())
    }

    /// Whether nothing is skipped.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether one of them is of this path below the folder that is walked.
    pub fn match_path(&self, below: &[u8]) -> bool {
        self.0.as_ref().is_some_and(|set| set.is_match(path(below)))
    }

    /// Whether one of them is of this path, or of a folder on the way to it.
    pub fn cover(&self, below: &[u8]) -> bool {
        !self.is_empty() && path(below).ancestors().any(|it| self.match_path(name(it)))
    }
}

/// A file, whatever it is called: its device and its number there.
pub type Identity = (u64, u64);

/// What a walk leaves out, besides links, pipes, sockets and devices.
#[derive(Clone, Debug, Default)]
pub struct Skip {
    /// Files and folders of these names and paths.
    pub patterns: Patterns,
    /// These files: the list that is being written lies where it is made.
    pub files: Vec<Identity>,
    /// Folders of another file system than the one where the walk began.
    pub other_file_systems: bool,
}

impl Skip {
    /// Leaves this file out, too.
    pub fn file(&mut self, file: &Metadata) {
        self.files.push((file.dev(), file.ino()));
    }

    /// Whether the file of this name is one of [`Self::files`].
    pub fn has(&self, name: &[u8]) -> bool {
        let is_one = |file: Metadata| self.files.contains(&(file.dev(), file.ino()));
        !self.files.is_empty() && path(name).metadata().is_ok_and(is_one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_of_the_name_or_with_a_slash_of_the_path() {
        let matches = |pattern: &str, path: &str| {
            Patterns::parse(&[pattern.to_owned()]).unwrap().match_path(path.as_bytes())
        };
        for path in ["a.jpg", "deep/er/a.jpg"] {
            assert!(matches("*.jpg", path) && !matches("*.raw", path), "{path}");
            assert!(!matches("jpg", path), "{path}");
        }
        assert!(matches("DCIM/**", "DCIM/100/a.jpg") && !matches("DCIM/*", "DCIM/100/a.jpg"));
        assert!(matches(".git/", "deep/.git") && matches("/a", "a") && !matches("/a", "deep/a"));
        let error = Patterns::parse(&["[".to_owned()]).unwrap_err();
        assert!(error.starts_with("'[' is not a pattern: "), "{error}");
    }

    #[test]
    fn a_folder_covers_what_is_in_it() {
        let patterns = Patterns::parse(&["cache".to_owned()]).unwrap();
        assert!(patterns.cover(b"a/cache/deep/b") && patterns.cover(b"cache"));
        assert!(!patterns.cover(b"a/b") && !Patterns::default().cover(b"cache"));
    }
}
