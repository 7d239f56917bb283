//! Called by the name of md5sum and its kin, hashdyno answers as that program does: options,
//! messages, exit codes.
//!
//! ```text
//! argv[0]                              answers as             exit codes
//! md5sum, sha256sum ..., b2sum, cksum  GNU coreutils          0, 1
//! b3sum, shasum, xxhsum                their own programs     0, 1
//! rhash, hashdeep                      nobody: a hint         2
//! any other name                       None: it is hashdyno
//! ```
//!
//! Options are parsed by `settings`, tables are in `kind`. The work is done by the same code as
//! `sum` and `check`. Only the grammar is exact: GNU's tools refuse the lines of other dialects.

mod kind;
mod settings;

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::OsStringExt;
use std::process::ExitCode;

use files::algorithm::{blake2b, by_name};
use files::check::Options;
use files::list::{Algorithm, Format, Grammar};
use files::open::Root;
use files::skip::Skip;
use files::sum::fitting_threads;
use files::verdict::Style;
use hashdyno::Digest;

use crate::commands::{MOST_THREADS, SumJob, check_lists};
use crate::failure;
use crate::progress::Bytes;
use crate::stdio::message;
use crate::unwritten::unwritten;
use kind::Kind;
use settings::{Complaint, Parsed, Settings};

/// What the program answers if it was called by another name than its own.
pub fn called_by_name() -> Option<ExitCode> {
    let mut arguments = std::env::args_os();
    let program = arguments.next()?.to_string_lossy().into_owned();
    let name = program.rsplit('/').next()?;
    let Some(kind) = Kind::of(name) else { return not_imitated(name) };
    let settings = match Settings::parse(kind, &program, arguments) {
        Ok(Parsed::Settings(settings)) => settings,
        Ok(Parsed::Print(text)) => {
            return Some(match writeln!(io::stdout(), "{text}") {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => unwritten(&program, &error, true),
            });
        }
        Err(Complaint { lines, usage }) => {
            lines.iter().for_each(|line| message!("{program}: {line}"));
            if usage {
                message!("Try '{program} --help' for more information.");
            }
            return Some(ExitCode::FAILURE);
        }
    };
    Some(settings.run(kind, program))
}

/// What is said under the name of a program whose options are others altogether.
fn not_imitated(name: &str) -> Option<ExitCode> {
    let (_, command) = ELSEWHERE.iter().find(|(known, _)| *known == name)?;
    message!("{name}: hashdyno does not answer as {name}");
    message!("hint: {command}; hashdyno check LIST reads its lists");
    Some(ExitCode::from(failure::BAD_INPUT))
}

/// Programs that are not imitated, and what to call instead.
const ELSEWHERE: [(&str, &str); 2] = [
    ("rhash", "hashdyno sum -a crc32 --format sfv FILE"),
    ("hashdeep", "hashdyno sum -a md5,sha256 --format hashdeep -r FOLDER"),
];

impl Settings {
    fn run(self, kind: Kind, program: String) -> ExitCode {
        let digest = match self.digest(kind) {
            Ok(digest) => digest,
            Err(line) => {
                message!("{program}: {line}");
                return ExitCode::FAILURE;
            }
        };
        let threads =
            self.threads.unwrap_or_else(|| fitting_threads(b".")).clamp(1, MOST_THREADS as usize);
        if self.check {
            self.verify(kind, program, digest, threads)
        } else {
            self.sum(kind, &program, digest, threads)
        }
    }

    fn verify(
        self,
        kind: Kind,
        program: String,
        digest: &'static Digest,
        threads: usize,
    ) -> ExitCode {
        // Where no algorithm is told, the tag or the length of a value decides among the program's
        // own.
        let algorithm = match kind {
            Kind::B2sum => Algorithm::Blake2b,
            Kind::Cksum if self.algorithm.is_none() => Algorithm::Tagged,
            Kind::Shasum if self.algorithm.is_none() => Algorithm::Among(SHA),
            Kind::Xxhsum(_) if self.algorithm.is_none() => Algorithm::Among(XXHASH),
            Kind::Cksum if digest.name.starts_with("blake2b") => Algorithm::Blake2b,
            _ => Algorithm::One(digest.into()),
        };
        let options = Options {
            program,
            grammar: Grammar { algorithm, exact: true, base64: kind == Kind::Cksum, least: 0 },
            strict: self.strict,
            warn: self.warn,
            quiet: self.quiet,
            status: self.status,
            ignore_missing: self.ignore_missing,
            part_len: None,
            threads,
            style: Style::Text,
            totals: false,
        };
        check_lists(self.files, &options, &Bytes::hidden(), |_| {
            Ok(Root::at(".".as_ref())?.stdin(true))
        })
    }

    fn sum(self, kind: Kind, program: &str, digest: &'static Digest, threads: usize) -> ExitCode {
        let named = !self.files.is_empty();
        let mut paths: Vec<_> = self.files.into_iter().map(OsString::into_vec).collect();
        if !named {
            // Without a name the decimal formats print none: `named` remembers that.
            paths.push(b"-".to_vec());
        }
        let decimal = matches!(digest.name, "cksum" | "sum-bsd" | "sum-sysv");
        // xxhsum tells XXH3 from XXH64, which is as long, by the tag.
        let is_tagged = kind == Kind::Cksum || digest.name == "xxh3";
        let format = match self.tag.unwrap_or(is_tagged) {
            _ if self.bare => Format::Bare,
            _ if decimal => Format::Decimal { named },
            true => Format::Tagged,
            false => Format::Gnu { binary: self.binary == Some(true) },
        };
        let job = SumJob {
            program,
            paths,
            recursive: false,
            skip: Skip::default(),
            output: None,
            digests: &[digest.into()],
            format,
            zero: self.zero,
            base64: self.base64,
            threads,
            tells_changes: false,
            shows_progress: false,
        };
        job.run()
    }

    fn digest(&self, kind: Kind) -> Result<&'static Digest, String> {
        let found = match (kind, self.algorithm.as_deref()) {
            (Kind::One(name), _) => by_name(name),
            (Kind::Shasum | Kind::Xxhsum(_), value) => kind.variant(value).and_then(by_name),
            (Kind::B3sum, _) => by_name("blake3"),
            (Kind::B2sum, _) | (_, Some("blake2b")) => {
                blake2b(if self.length == 0 { 512 } else { self.length })
            }
            (Kind::Cksum, Some("crc") | None) => by_name("cksum"),
            (Kind::Cksum, Some("sha2" | "sha3")) => by_name(&format!(
                "{}-{}",
                self.algorithm.as_deref().unwrap_or_default(),
                self.length
            )),
            (Kind::Cksum, Some(name)) => by_name(name),
        };
        found.ok_or_else(|| match self.algorithm.as_deref() {
            Some(name) if name != "blake2b" => {
                format!("invalid argument '{name}' for '--algorithm'")
            }
            _ => format!("maximum digest length for 'BLAKE2b' is 512 bits, not {}", self.length),
        })
    }
}

/// What `shasum --check` takes, by the length of a value.
const SHA: &[&str] = &["sha1", "sha224", "sha256", "sha384", "sha512", "sha512-224", "sha512-256"];

/// What `xxhsum --check` takes, by the length of a value.
const XXHASH: &[&str] = &["xxh32", "xxh64", "xxh128", "xxh3"];
