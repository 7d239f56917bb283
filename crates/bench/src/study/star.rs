//! The meaning of `*` in a study: every digest; every provider that is here, by every
//! implementation that it offers.
//!
//! ```text
//! algorithms = "*"        spelled out when the study is read    here
//! providers = "*"         spelled out when the study is run     run::stars
//! providers = ["php/*"]   the same
//! ```
//!
//! The registry of digests is part of the program. Providers differ between machines.

use serde::{Deserialize, Deserializer};

use super::Source;

/// In place of a name: all there are.
pub(crate) const EVERY: &str = "*";

/// Reads a list of algorithms, or one word; `*` is every digest but the rare ones.
pub(crate) fn algorithms<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<String>, D::Error> {
    let names = Words::deserialize(deserializer)?.list();
    Ok(names
        .into_iter()
        .flat_map(|name| if name == EVERY { digests() } else { vec![name] })
        .collect())
}

/// Reads a list of sources, or one word. What `*` stands for is known only where the study is run.
pub(crate) fn sources<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Source>, D::Error> {
    Ok(Words::deserialize(deserializer)?.list().into_iter().map(Source::from).collect())
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Several(Vec<String>),
}

impl Words {
    fn list(self) -> Vec<String> {
        match self {
            Self::One(word) => vec![word],
            Self::Several(words) => words,
        }
    }
}

/// The name of every digest in the registry's order, but those of the catalogue of CRCs: they would
/// make every table of all digests twice as long.
fn digests() -> Vec<String> {
    let common = hashdyno::ALL.iter().filter(|digest| !digest.is_rare());
    common.map(|digest| digest.name.to_owned()).collect()
}

impl Source {
    /// Whether it is a star: `*`, or `ours/*`.
    pub(crate) fn is_every(&self) -> bool {
        self.provider == EVERY || self.implementation.as_deref() == Some(EVERY)
    }
}

#[cfg(test)]
mod tests {
    use crate::study::Study;

    #[test]
    fn a_star_among_algorithms_is_every_digest() {
        let text = |algorithms: &str| {
            format!(
                "title = 't'\nsource = 's'\nquestion = 'q'\n[[table]]\nid = 'i'\ntitle = \
                    't'\nalgorithms = {algorithms}\nsizes = [16]\nproviders = '*'\nunit = \
                    'nanoseconds'"
            )
        };
        let named = |algorithms| {
            Study::parse("stars", &text(algorithms)).unwrap().tables.remove(0).algorithms
        };
        let common = hashdyno::ALL.iter().filter(|digest| !digest.is_rare()).count();
        assert_eq!(named("'*'").len(), common);
        assert_eq!(named("['aes-128-ecb encrypt', '*']").len(), 1 + common);
        assert_eq!(named("'md5'"), ["md5"]);
    }
}
