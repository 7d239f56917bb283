//! Who can be measured: the table `runners/runners.toml`.
//!
//! The file is embedded in the program. An error in it is a panic, which the tests meet first. A
//! provider is a table:
//!
//! ```text
//! [[provider]]
//! name = "python"
//! title = "Python"
//! mark = ["ochre", "triangle"]
//! names = "python"
//! command = ["python3", "{runners}/python/runner.py"]
//! hint = "apt-get install python3"
//! ```
//!
//! `Names` translates between our names of digests and the names of the runner's own library. A
//! digest without a name there cannot be measured in that runner.

use std::sync::LazyLock;

use hashdyno::{ALL, Digest};
use include_dir::{Dir, include_dir};
use serde::Deserialize;

/// Somebody's implementation of digests, and the program that runs it for us: a table of
/// `runners/runners.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// What it is called in commands and studies.
    pub name: String,
    /// What it is called in reports.
    pub title: String,
    /// Its colour and its shape in charts: names of `report/colours.json`.
    pub mark: [String; 2],
    /// Whose names for digests it uses.
    pub names: Names,
    /// Program and arguments. `{self}` is this program, `{rust}` the program of `runners/rust`,
    /// `{runners}` the folder of the scripts, `{built:FILE}` a file that a build made below the
    /// target folder, `{built:FILE|OTHER}` the other where it did not.
    pub command: Vec<String>,
    /// The options that its runner takes, of `cpu` and `libcrypto`.
    #[serde(default)]
    pub accepts: Vec<String>,
    /// How long its first start may take, in seconds, if that is longer than any other answer: it
    /// compiles its runner.
    #[serde(default)]
    pub compiles_for: u64,
    /// Whether all that it computes is OpenSSL's, so that `OPENSSL_ia32cap` can hide CPU features
    /// where nothing else can.
    #[serde(default)]
    pub ia32cap: bool,
    /// The provider that it is another way to call: `*` in a study leaves it out.
    #[serde(default)]
    pub variant_of: Option<String>,
    /// Whether it computes columns and nothing else: it stands only in tables that name it.
    #[serde(default)]
    pub columns: bool,
    /// The target of the Makefile that builds it, for what is not a package: `make study` makes
    /// it before a study that measures this provider.
    #[serde(default)]
    pub make: Option<String>,
    /// How to get it where it is missing.
    pub hint: String,
}

/// Whose names for digests a runner uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Names {
    /// Ours.
    Hashdyno,
    /// Those of PHP's `hash_algos()`.
    Php,
    /// Those of `EVP_get_digestbyname`.
    OpenSsl,
    /// Those of `hashlib`; `zlib.crc32` and `zlib.adler32`.
    Python,
}

/// All that `runners/runners.toml` names, in its order.
pub fn providers() -> &'static [Provider] {
    static PROVIDERS: LazyLock<Vec<Provider>> = LazyLock::new(|| {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            provider: Vec<Provider>,
        }
        let text = RUNNERS
            .get_file("runners.toml")
            .and_then(|file| file.contents_utf8())
            .expect("runners.toml is embedded");
        toml::from_str::<Table>(text)
            .unwrap_or_else(|error| panic!("runners/runners.toml: {error}"))
            .provider
    });
    &PROVIDERS
}

impl Provider {
    /// The provider of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        providers().iter().find(|provider| provider.name == provider_name(name))
    }
}

impl Names {
    /// What this runner calls `digest`, if its people have a name for it.
    pub fn of(self, digest: &Digest) -> Option<&'static str> {
        match self {
            Self::Hashdyno => Some(digest.name),
            Self::Php => digest.spelling.php,
            Self::OpenSsl => digest.spelling.openssl,
            Self::Python => digest.spelling.python,
        }
    }

    /// The digest that this runner calls `name`: as it is spelled, or by another of its names
    /// (PHP's `snefru256` is its `snefru`).
    pub fn digest(self, name: &str) -> Option<&'static Digest> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        // The library's own names come first: PHP's `crc32` is another checksum than our alias
        // `crc32`.
        let spelled = ALL.into_iter().find(|digest| self.of(digest).is_some_and(is));
        spelled
            .or_else(|| ALL.into_iter().find(|digest| digest.aliases.iter().any(|alias| is(alias))))
    }
}

/// This project's own library as a provider.
pub const OURS: &str = "hashdyno";

/// The same in older studies, records and command lines.
const FORMERLY: &str = "ours";

/// The provider's name today: `hashdyno` for `ours`, any other as it is.
pub fn provider_name(name: &str) -> &str {
    if name == FORMERLY { OURS } else { name }
}

pub(super) static RUNNERS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../runners");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_right() {
        let names: Vec<_> = providers().iter().map(|provider| provider.name.as_str()).collect();
        assert_eq!(names[..5], ["hashdyno", "openssl", "php", "python", "node"]);
        for provider in providers() {
            assert!(
                provider
                    .accepts
                    .iter()
                    .all(|option| ["cpu", "libcrypto"].contains(&option.as_str())),
                "{provider:?}"
            );
            assert_eq!(Provider::find(&provider.name).unwrap().title, provider.title);
            assert!(
                provider.variant_of.iter().all(|name| Provider::find(name).is_some()),
                "{provider:?}"
            );
        }
    }
}
