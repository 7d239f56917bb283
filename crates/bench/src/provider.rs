use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;
use std::{env, fs, io};

use hashdyno::{ALL, Digest};
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use tempfile::TempDir;

use crate::masking::Masking;
use crate::source::provider_name;
use crate::{Runner, RunnerError, temporary};

/// Somebody's implementation of digests, and the program that runs it for us: a table of `runners/runners.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// What it is called in commands and studies.
    pub name: String,
    /// What it is called in reports.
    pub title: String,
    /// Whose names for digests it uses.
    pub names: Names,
    /// Program and arguments. `{self}` is this program, `{rust}` the program of `runners/rust`, `{runners}` the folder of the scripts,
    /// `{extension}` the PHP extension.
    pub command: Vec<String>,
    /// The options that its runner takes, of `cpu` and `libcrypto`.
    #[serde(default)]
    pub accepts: Vec<String>,
    /// How long its first start may take, in seconds, if that is longer than any other answer: it compiles its runner.
    #[serde(default)]
    pub compiles_for: u64,
    /// Whether all that it computes is OpenSSL's, so that `OPENSSL_ia32cap` can hide CPU features where nothing else can.
    #[serde(default)]
    pub ia32cap: bool,
    /// The provider that it is another way to call: `*` in a study leaves it out.
    #[serde(default)]
    pub variant_of: Option<String>,
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

/// How to start a runner.
#[derive(Clone, Debug)]
pub struct Options {
    /// CPU features to do without: a mask as [`cpumask::Mask::parse`] or [`hashdyno::Cpu::masked`] reads it.
    pub cpu: Option<String>,
    /// The libcrypto to load instead of the one that the system finds.
    pub libcrypto: Option<PathBuf>,
    /// Environment variables on top of ours, such as `OPENSSL_ia32cap`.
    pub env: Vec<(String, String)>,
    /// How long any answer may take; work that is long by its nature gets more in proportion.
    pub limit: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { cpu: None, libcrypto: None, env: Vec::new(), limit: Duration::from_secs(10) }
    }
}

/// All that `runners/runners.toml` names, in its order.
pub fn providers() -> &'static [Provider] {
    static PROVIDERS: LazyLock<Vec<Provider>> = LazyLock::new(|| {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            provider: Vec<Provider>,
        }
        let text = RUNNERS.get_file("runners.toml").and_then(|file| file.contents_utf8()).expect("runners.toml is embedded");
        toml::from_str::<Table>(text).expect("runners.toml is right, or no test passes").provider
    });
    &PROVIDERS
}

impl Provider {
    /// The provider of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        providers().iter().find(|provider| provider.name == provider_name(name))
    }

    /// Starts its runner, and hears its greeting and its list.
    pub fn start(&self, options: &Options) -> Result<Runner, RunnerError> {
        let system = |source| RunnerError::System { program: self.command[0].clone(), source };
        let masking = Masking::of(self, options.cpu.as_deref())?;
        let scripts = self.scripts().map_err(system)?;
        let mut words = Vec::new();
        for word in &self.command {
            words.push(self.expand(word, scripts.path())?);
        }
        words.extend(self.arguments(options, &masking));
        let program = words[0].to_string_lossy().into_owned();
        let words = masking.wrap(words, own_program()?.into());
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).envs(options.env.iter().cloned());
        let patience = options.limit.max(Duration::from_secs(self.compiles_for)) + masking.patience();
        let mut runner = Runner::start(command, self, options.limit, patience, scripts).map_err(|error| match error {
            RunnerError::Died { status, .. } if masking.wraps() && status.code() == Some(NOT_FOUND) => {
                RunnerError::Missing { program, hint: self.hint.clone() }
            }
            error => error,
        })?;
        runner.greeting.facts.extend(masking.mechanism().map(|by| ("masked".to_owned(), by)));
        Ok(runner)
    }

    /// The arguments that carry those options which the runner takes.
    fn arguments(&self, options: &Options, masking: &Masking) -> impl Iterator<Item = OsString> {
        let cpu = if let Masking::Own(mask) = masking { Some(OsString::from(mask)) } else { None };
        let given = [("cpu", cpu), ("libcrypto", options.libcrypto.as_ref().map(OsString::from))];
        given.into_iter().filter(|(name, _)| self.accepts.iter().any(|known| known == name)).filter_map(|(name, value)| {
            let mut word = OsString::from(format!("--{name}="));
            word.push(value?);
            Some(word)
        })
    }

    /// Writes the embedded scripts to a folder of their own.
    fn scripts(&self) -> io::Result<TempDir> {
        let folder = temporary::folder("hashdyno-")?;
        for file in RUNNERS.dirs().filter(|dir| dir.path() != Path::new("rust")).flat_map(|dir| dir.files()) {
            let path = folder.path().join(file.path());
            fs::create_dir_all(path.parent().expect("a file lies in a folder"))?;
            fs::write(path, file.contents())?;
        }
        Ok(folder)
    }

    fn expand(&self, word: &str, scripts: &Path) -> Result<OsString, RunnerError> {
        let missing = || RunnerError::Missing { program: RUST.to_owned(), hint: self.hint.clone() };
        Ok(match word {
            "{self}" => own_program()?.into(),
            "{rust}" => beside(&own_program()?, RUST).ok_or_else(missing)?.into(),
            "extension={extension}" => {
                let built = beside(&own_program()?, EXTENSION).unwrap_or_else(|| "hashdyno".into());
                OsString::from_iter(["extension=".as_ref(), built.as_os_str()])
            }
            _ => word.replace("{runners}", &scripts.to_string_lossy()).into(),
        })
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

    /// The digest that this runner calls `name`: as it is spelled, or by another of its names (PHP's `snefru256` is its `snefru`).
    pub fn digest(self, name: &str) -> Option<&'static Digest> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        let spelled = ALL.into_iter().find(|digest| self.of(digest).is_some_and(is));
        spelled.or_else(|| ALL.into_iter().find(|digest| digest.aliases.iter().any(|alias| is(alias))))
    }
}

fn own_program() -> Result<PathBuf, RunnerError> {
    env::current_exe().map_err(|source| RunnerError::System { program: "this program".to_owned(), source })
}

/// A file that the build makes for runners: beside `program`, or where the build puts it, seen from where Cargo puts `program`.
fn beside(program: &Path, file: &str) -> Option<PathBuf> {
    let near = program.ancestors().skip(1).take(3);
    near.flat_map(|folder| [folder.join(file), folder.join("release").join(file)]).find(|path| path.is_file())
}

/// The exit status of `hashdyno mask` and of env where there is no such program.
const NOT_FOUND: i32 = 127;

/// The program of `runners/rust`.
const RUST: &str = "hashdyno-runners";

/// The PHP extension that `bindings/php/compile` makes.
const EXTENSION: &str = "php/modules/hashdyno.so";

pub(crate) static RUNNERS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../runners");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_right() {
        let names: Vec<_> = providers().iter().map(|provider| provider.name.as_str()).collect();
        assert_eq!(names[..5], ["hashdyno", "openssl", "php", "python", "node"]);
        for provider in providers() {
            assert!(provider.accepts.iter().all(|option| ["cpu", "libcrypto"].contains(&option.as_str())), "{provider:?}");
            assert_eq!(Provider::find(&provider.name).unwrap().title, provider.title);
            assert!(provider.variant_of.iter().all(|name| Provider::find(name).is_some()), "{provider:?}");
        }
    }

    #[test]
    fn only_options_that_it_takes_reach_a_runner() {
        let options = Options { cpu: Some("-avx2".into()), libcrypto: Some("/x".into()), ..Options::default() };
        let arguments = |name| {
            let provider = Provider::find(name).unwrap();
            provider.arguments(&options, &Masking::Own("-avx2".into())).collect::<Vec<_>>()
        };
        assert_eq!(arguments("ours"), ["--cpu=-avx2"]);
        assert_eq!(arguments("openssl"), ["--libcrypto=/x"]);
        assert!(arguments("php").is_empty());
    }

    #[test]
    fn a_program_that_is_not_there_says_how_to_get_it() {
        let provider = Provider { command: vec!["no-such-program".into()], ..Provider::find("php").unwrap().clone() };
        let error = provider.start(&Options::default()).err().unwrap();
        assert!(matches!(&error, RunnerError::Missing { program, .. } if program == "no-such-program"), "{error}");
        assert!(error.to_string().contains("hint: apt-get install"), "{error}");
    }
}
