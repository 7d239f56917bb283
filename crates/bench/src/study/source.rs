//! Where a figure comes from: provider, implementation, CPU mask, threads.
//!
//! ```text
//! provider[/implementation][@mask][*threads]
//! php                        the default of PHP
//! hashdyno/avx2x8@scalar*2   one kernel, under a mask, two processes at once
//! ```
//!
//! Studies, records and reports all have this text. A source is the key of a cell beside algorithm
//! and size, so that two texts of one source must be equal when read: `php@all*1` is `php`.

use std::fmt;

use runner::{ALL, provider_name};
use serde::{Deserialize, Deserializer, Serialize};

/// Where a figure comes from: a provider, which of its ways if it has several, the CPU features
/// that are hidden from it, and how many of it run at once. As text
/// `provider[/implementation][@mask][*threads]`: `php`, `hashdyno/avx2x8@-sha`, `openssl*2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(from = "String", into = "String")]
pub struct Source {
    /// The provider's name in `runners.toml`.
    pub provider: String,
    /// The implementation, `None` for the provider's first.
    pub implementation: Option<String>,
    /// What the CPU is made to lack, `None` for nothing.
    pub mask: Option<String>,
    /// Processes that run at once, each on a core of its own.
    pub threads: usize,
}

impl Source {
    /// The same under this mask; [`ALL`] takes the mask away.
    #[must_use]
    pub fn under(self, mask: &str) -> Self {
        Self { mask: Some(mask.to_owned()).filter(|mask| mask != ALL), ..self }
    }

    /// The same on so many threads.
    #[must_use]
    pub fn on(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// The mask in words: [`ALL`] where there is none.
    pub fn mask(&self) -> &str {
        self.mask.as_deref().unwrap_or(ALL)
    }
}

/// Reads a provider's name.
/// Older records call hashdyno `ours`; both are one provider.
pub(crate) fn read_provider_name<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    String::deserialize(deserializer).map(|name| provider_name(&name).to_owned())
}

impl From<String> for Source {
    /// Any text is a source; whether there is such a provider, mask or number of threads is asked
    /// where a study is checked.
    fn from(text: String) -> Self {
        let (rest, threads) =
            match text.rsplit_once('*').map(|(rest, threads)| (rest, threads.parse())) {
                // `php/*` is a star and no number of threads.
                Some((rest, Ok(threads))) => (rest, threads),
                _ => (text.as_str(), 1),
            };
        let (rest, mask) = rest.split_once('@').map_or((rest, ALL), |(rest, mask)| (rest, mask));
        let (provider, implementation) =
            rest.split_once('/').map_or((rest, None), |(provider, name)| (provider, Some(name)));
        let (provider, implementation) =
            (provider_name(provider).to_owned(), implementation.map(str::to_owned));
        Self { provider, implementation, mask: None, threads }.under(mask)
    }
}

impl From<Source> for String {
    fn from(source: Source) -> Self {
        source.to_string()
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.provider)?;
        self.implementation.iter().try_for_each(|implementation| write!(f, "/{implementation}"))?;
        self.mask.iter().try_for_each(|mask| write!(f, "@{mask}"))?;
        if self.threads == 1 { Ok(()) } else { write!(f, "*{}", self.threads) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (String, Option<String>, Option<String>, usize) {
        let Source { provider, implementation, mask, threads } = Source::from(text.to_owned());
        (provider, implementation, mask, threads)
    }

    #[test]
    fn a_source_is_read_as_it_is_written() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(parts("php"), ("php".into(), None, None, 1));
        assert_eq!(parts("php/function"), ("php".into(), some("function"), None, 1));
        assert_eq!(parts("php@-pclmulqdq,-sha"), ("php".into(), None, some("-pclmulqdq,-sha"), 1));
        assert_eq!(parts("openssl*2"), ("openssl".into(), None, None, 2));
        assert_eq!(
            parts("hashdyno/avx2x8@scalar*2"),
            ("hashdyno".into(), some("avx2x8"), some("scalar"), 2)
        );
        for text in [
            "php",
            "php/function",
            "php@-pclmulqdq,-sha",
            "openssl*2",
            "hashdyno/avx2x8@scalar*2",
            "openssl*many",
            "php*0",
        ] {
            assert_eq!(Source::from(text.to_owned()).to_string(), text);
        }
        assert_eq!(Source::from("ours/portable*2".to_owned()).to_string(), "hashdyno/portable*2");
        assert_eq!(Source::from("php@all*1".to_owned()).to_string(), "php");
    }
}
