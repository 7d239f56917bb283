//! Starts a provider's runner: its command, its scripts, the options that it takes, the mask that
//! it runs under.
//!
//! ```text
//! command in runners.toml   python3 {runners}/python/runner.py
//! braces are replaced       python3 /tmp/hashdyno-Oh71ys/python/runner.py
//! options that it accepts   ... --cpu=-avx2   or   --libcrypto=/x
//! a mask, if it has one     hashdyno mask --strict -sha -- python3 ...
//! ```
//!
//! The scripts are embedded in the program and are written to a new folder for each runner. The
//! folder lives as long as the `Runner`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, io};

use tempfile::TempDir;

use super::masking::Masking;
use super::provider::{Provider, RUNNERS};
use super::{Runner, temporary};
use crate::protocol::RunnerError;

/// How to start a runner.
#[derive(Clone, Debug)]
pub struct Options {
    /// CPU features to do without: a mask as [`cpumask::Mask::parse`] or [`hashdyno::Cpu::masked`]
    /// reads it.
    pub cpu: Option<String>,
    /// The libcrypto to load instead of the one that the system finds.
    pub libcrypto: Option<PathBuf>,
    /// Environment variables on top of ours, such as `OPENSSL_ia32cap`.
    pub env: Vec<(String, String)>,
    /// How long any answer may take; work that is long by its nature gets more in proportion.
    pub limit: Duration,
    /// Whether a program of ours is started from a copy of its file. All processes of one file
    /// share its pages, and where those lie in memory decides how fast some code runs.
    pub copied: bool,
}

impl Default for Options {
    fn default() -> Self {
        let limit = Duration::from_secs(10);
        Self { cpu: None, libcrypto: None, env: Vec::new(), limit, copied: false }
    }
}

impl Provider {
    /// Starts its runner, and hears its greeting and its list.
    ///
    /// # Errors
    /// [`RunnerError`]: the program is not here, cannot be run, cannot be masked here, or does not
    /// speak the protocol.
    pub fn start(&self, options: &Options) -> Result<Runner, RunnerError> {
        let system = |source| RunnerError::System { program: self.command[0].clone(), source };
        let masking = Masking::of(self, options.cpu.as_deref())?;
        let scripts = self.scripts().map_err(system)?;
        let mut words = Vec::new();
        for word in &self.command {
            words.push(self.expand(word, scripts.path())?);
        }
        // An interpreter may find its libraries by the place of its file, so only our programs are
        // copied.
        if options.copied && PROGRAMS.contains(&self.command[0].as_str()) {
            words[0] = copy(Path::new(&words[0]), scripts.path()).map_err(system)?.into();
        }
        words.extend(self.arguments(options, &masking));
        let program = words[0].to_string_lossy().into_owned();
        let words = masking.wrap(words, own_program()?.into());
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).envs(options.env.iter().cloned());
        let patience =
            options.limit.max(Duration::from_secs(self.compiles_for)) + masking.patience();
        let mut runner =
            Runner::start(command, self, options.limit, patience, scripts).map_err(|error| {
                match error {
                    // `hashdyno mask` and `env` are found, and say by 127 that the program behind
                    // them is not.
                    RunnerError::Died { status, .. }
                        if masking.wraps() && status.code() == Some(NOT_FOUND) =>
                    {
                        RunnerError::Missing { program, hint: self.hint.clone() }
                    }
                    error => error,
                }
            })?;
        runner.greeting.facts.extend(masking.mechanism().map(|by| ("masked".to_owned(), by)));
        Ok(runner)
    }

    /// The arguments that carry those options which the runner takes.
    fn arguments(&self, options: &Options, masking: &Masking) -> impl Iterator<Item = OsString> {
        let cpu = masking.own().map(OsString::from);
        let given = [("cpu", cpu), ("libcrypto", options.libcrypto.as_ref().map(OsString::from))];
        given
            .into_iter()
            .filter(|(name, _)| self.accepts.iter().any(|known| known == name))
            .filter_map(|(name, value)| {
                let mut word = OsString::from(format!("--{name}="));
                word.push(value?);
                Some(word)
            })
    }

    /// Writes the embedded scripts to a folder of their own.
    fn scripts(&self) -> io::Result<TempDir> {
        let folder = temporary::folder("hashdyno-")?;
        // The folder `rust` is the source of a program, which a build has made.
        for file in
            RUNNERS.dirs().filter(|dir| dir.path() != Path::new("rust")).flat_map(|dir| dir.files())
        {
            let path = folder.path().join(file.path());
            fs::create_dir_all(path.parent().expect("a file lies in a folder"))?;
            fs::write(path, file.contents())?;
        }
        Ok(folder)
    }

    /// What a word of the command stands for; `runners.toml` says what braces mean.
    fn expand(&self, word: &str, scripts: &Path) -> Result<OsString, RunnerError> {
        let word = match word {
            "{self}" => return Ok(own_program()?.into()),
            "{rust}" => "{built:hashdyno-runners}",
            word => word,
        };
        let word = word.replace("{runners}", &scripts.to_string_lossy());
        let Some((before, built)) = word.split_once("{built:") else { return Ok(word.into()) };
        let (built, after) = built.split_once('}').unwrap_or((built, ""));
        let (file, other) = built.split_once('|').map_or((built, None), |(a, b)| (a, Some(b)));
        let missing = || RunnerError::Missing { program: file.to_owned(), hint: self.hint.clone() };
        let found =
            beside(&own_program()?, file).or(other.map(PathBuf::from)).ok_or_else(missing)?;
        Ok(OsString::from_iter([before.as_ref(), found.as_os_str(), after.as_ref()]))
    }
}

/// Copies a program into a folder.
fn copy(program: &Path, folder: &Path) -> io::Result<PathBuf> {
    let copy = folder.join(program.file_name().unwrap_or_default());
    fs::copy(program, &copy)?;
    Ok(copy)
}

fn own_program() -> Result<PathBuf, RunnerError> {
    env::current_exe()
        .map_err(|source| RunnerError::System { program: "this program".to_owned(), source })
}

/// A file that the build makes for runners: beside `program`, or where the build puts it, seen from
/// where Cargo puts `program`.
fn beside(program: &Path, file: &str) -> Option<PathBuf> {
    // Cargo puts programs into `target/release`, tests into `target/debug/deps`. Runners are built
    // for speed always, so each folder's `release` is looked into as well.
    let near = program.ancestors().skip(1).take(3);
    near.flat_map(|folder| [folder.join(file), folder.join("release").join(file)])
        .find(|path| path.is_file())
}

/// The exit status of `hashdyno mask` and of env where there is no such program.
const NOT_FOUND: i32 = 127;

/// The words of a command that stand for a program of this project.
const PROGRAMS: [&str; 2] = ["{self}", "{rust}"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_options_that_it_takes_reach_a_runner() {
        let options = Options {
            cpu: Some("-avx2".into()),
            libcrypto: Some("/x".into()),
            ..Options::default()
        };
        let arguments = |name| {
            let provider = Provider::find(name).unwrap();
            provider.arguments(&options, &Masking::Own("-avx2".into())).collect::<Vec<_>>()
        };
        assert_eq!(arguments("ours"), ["--cpu=-avx2"]);
        assert_eq!(arguments("openssl"), ["--libcrypto=/x"]);
        assert!(arguments("php").is_empty());
    }

    #[test]
    fn a_copy_of_a_program_is_another_file_that_can_be_run() {
        let folder = tempfile::tempdir().unwrap();
        let copy = copy(Path::new("/bin/true"), folder.path()).unwrap();
        assert_eq!(copy, folder.path().join("true"));
        assert!(Command::new(&copy).status().unwrap().success());
        assert!(!fs::symlink_metadata(copy).unwrap().is_symlink());
    }

    #[test]
    fn what_a_build_did_not_make_is_missing_or_has_a_stand_in() {
        let expand = |word| Provider::find("php").unwrap().expand(word, Path::new("/scripts"));
        assert_eq!(expand("{runners}/a.php").unwrap(), "/scripts/a.php");
        assert_eq!(expand("x={built:no/such.file|other},y").unwrap(), "x=other,y");
        let error = expand("{built:no/such.file}").unwrap_err();
        assert!(
            matches!(&error, RunnerError::Missing { program, .. } if program == "no/such.file"),
            "{error}"
        );
        let own = own_program().unwrap();
        let name = own.file_name().unwrap().to_string_lossy();
        assert_eq!(expand(&format!("{{built:{name}|other}}")).unwrap(), own);
    }

    #[test]
    fn a_program_that_is_not_there_says_how_to_get_it() {
        let provider = Provider {
            command: vec!["no-such-program".into()],
            ..Provider::find("php").unwrap().clone()
        };
        let error = provider.start(&Options::default()).err().unwrap();
        assert!(
            matches!(&error, RunnerError::Missing { program, .. } if program == "no-such-program"),
            "{error}"
        );
        assert!(error.to_string().contains("hint: apt-get install"), "{error}");
    }
}
