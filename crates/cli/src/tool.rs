//! Called by the name of md5sum and its kin, hashdyno answers as that program does: options,
//! messages, exit codes.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::ExitCode;

use files::algorithm::{blake2b, by_name};
use files::check::Options;
use files::list::{Algorithm, Format, Grammar};
use files::open::Root;
use files::sum::fitting_threads;
use files::verdict::Style;
use hashdyno::Digest;

use crate::commands::{MOST_THREADS, SumJob, check_lists, unwritten};
use crate::progress::Bytes;
use crate::stdio::message;

/// What the program answers if it was called by another name than its own.
pub fn called_by_name() -> Option<ExitCode> {
    let mut arguments = std::env::args_os();
    let program = arguments.next()?.to_string_lossy().into_owned();
    let kind = Kind::of(program.rsplit('/').next()?)?;
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

/// Which program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `md5sum`, `sha256sum` ...: one digest.
    One(&'static str),
    B2sum,
    B3sum,
    Cksum,
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        const ONE: [(&str, &str); 6] = [
            ("md5sum", "md5"),
            ("sha1sum", "sha1"),
            ("sha224sum", "sha224"),
            ("sha256sum", "sha256"),
            ("sha384sum", "sha384"),
            ("sha512sum", "sha512"),
        ];
        match name {
            "b2sum" => Some(Self::B2sum),
            "b3sum" => Some(Self::B3sum),
            "cksum" => Some(Self::Cksum),
            _ => ONE.iter().find(|(tool, _)| *tool == name).map(|(_, digest)| Self::One(digest)),
        }
    }

    /// Its options: the long name, the letter, and whether a value follows.
    fn options(self) -> Vec<(&'static str, char, bool)> {
        const COMMON: &[(&str, char, bool)] = &[
            ("binary", 'b', false),
            ("check", 'c', false),
            ("ignore-missing", '\0', false),
            ("quiet", '\0', false),
            ("status", '\0', false),
            ("strict", '\0', false),
            ("tag", '\0', false),
            ("text", 't', false),
            ("warn", 'w', false),
            ("zero", 'z', false),
            ("help", '\0', false),
            ("version", '\0', false),
        ];
        let own: &[(&str, char, bool)] = match self {
            Self::One(_) => &[],
            Self::B2sum => &[("length", 'l', true)],
            Self::B3sum => &[("no-names", '\0', false), ("num-threads", '\0', true)],
            Self::Cksum => &[
                ("algorithm", 'a', true),
                ("length", 'l', true),
                ("untagged", '\0', false),
                ("base64", '\0', false),
                ("debug", '\0', false),
            ],
        };
        [COMMON, own].concat()
    }
}

#[derive(Default)]
struct Settings {
    files: Vec<OsString>,
    binary: Option<bool>,
    tag: Option<bool>,
    check: bool,
    ignore_missing: bool,
    quiet: bool,
    status: bool,
    strict: bool,
    warn: bool,
    zero: bool,
    base64: bool,
    bare: bool,
    threads: Option<usize>,
    algorithm: Option<String>,
    length: usize,
}

enum Parsed {
    Settings(Settings),
    Print(String),
}

/// What is wrong with the arguments, and whether a line about `--help` follows.
struct Complaint {
    lines: Vec<String>,
    usage: bool,
}

fn complaint<T>(line: impl Into<String>) -> Result<T, Complaint> {
    Err(Complaint { lines: vec![line.into()], usage: true })
}

impl Settings {
    fn parse(
        kind: Kind,
        program: &str,
        arguments: impl Iterator<Item = OsString>,
    ) -> Result<Parsed, Complaint> {
        let mut settings = Self::default();
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let bytes = argument.as_bytes();
            match bytes {
                b"--" => settings.files.extend(arguments.by_ref()),
                [b'-', b'-', long @ ..] => {
                    let (name, value) =
                        long_option(kind, &String::from_utf8_lossy(long), &mut arguments)?;
                    match name {
                        "help" => return Ok(Parsed::Print(help(kind, program))),
                        "version" => {
                            return Ok(Parsed::Print(format!(
                                "{program} (hashdyno) {}",
                                env!("CARGO_PKG_VERSION")
                            )));
                        }
                        name => settings.set(name, value)?,
                    }
                }
                [b'-', letters @ ..] if !letters.is_empty() => {
                    settings.letters(kind, letters, &mut arguments)?
                }
                _ => settings.files.push(argument),
            }
        }
        settings.judge(kind)?;
        Ok(Parsed::Settings(settings))
    }

    fn letters(
        &mut self,
        kind: Kind,
        letters: &[u8],
        rest: &mut impl Iterator<Item = OsString>,
    ) -> Result<(), Complaint> {
        for (at, &letter) in letters.iter().enumerate() {
            let option = kind
                .options()
                .into_iter()
                .find(|(_, short, _)| *short == char::from(letter) && letter != 0);
            match option {
                None => return complaint(format!("invalid option -- '{}'", char::from(letter))),
                Some((name, _, false)) => self.set(name, String::new())?,
                Some((name, _, true)) => {
                    let glued = OsString::from_vec(letters[at + 1..].to_vec());
                    let value =
                        Some(glued).filter(|glued| !glued.is_empty()).or_else(|| rest.next());
                    let Some(value) = value else {
                        return complaint(format!(
                            "option requires an argument -- '{}'",
                            char::from(letter)
                        ));
                    };
                    return self.set(name, value.to_string_lossy().into_owned());
                }
            }
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: String) -> Result<(), Complaint> {
        match name {
            "binary" => self.binary = Some(true),
            "text" => self.binary = Some(false),
            "tag" => (self.tag, self.binary) = (Some(true), Some(true)),
            "untagged" => self.tag = Some(false),
            "check" => self.check = true,
            "ignore-missing" => self.ignore_missing = true,
            "quiet" => (self.quiet, self.status, self.warn) = (true, false, false),
            "status" => (self.quiet, self.status, self.warn) = (false, true, false),
            "warn" => (self.quiet, self.status, self.warn) = (false, false, true),
            "strict" => self.strict = true,
            "zero" => self.zero = true,
            "base64" => self.base64 = true,
            "no-names" => self.bare = true,
            "num-threads" => self.threads = Some(threads(&value)?),
            "algorithm" => self.algorithm = Some(value),
            "length" => self.length = length(&value)?,
            _ => {}
        }
        Ok(())
    }

    /// What GNU's tools refuse, in their order.
    fn judge(&self, kind: Kind) -> Result<(), Complaint> {
        let cksum = kind == Kind::Cksum;
        if cksum && self.check && matches!(self.algorithm.as_deref(), Some("bsd" | "sysv" | "crc"))
        {
            let lines = vec!["--check is not supported with --algorithm={bsd,sysv,crc}".to_owned()];
            return Err(Complaint { lines, usage: false });
        }
        let only_checking = [
            (self.ignore_missing, "ignore-missing"),
            (self.status, "status"),
            (self.warn, "warn"),
            (self.quiet, "quiet"),
            (self.strict, "strict"),
        ];
        if self.tag.unwrap_or(cksum) && self.binary == Some(false) {
            return complaint("--tag does not support --text mode");
        }
        if self.zero && self.check {
            return complaint("the --zero option is not supported when verifying checksums");
        }
        if self.tag == Some(true) && self.check && !cksum {
            return complaint("the --tag option is meaningless when verifying checksums");
        }
        if self.binary.is_some() && self.check {
            return complaint(
                "the --binary and --text options are meaningless when verifying checksums",
            );
        }
        match only_checking.iter().find(|(given, _)| *given && !self.check) {
            Some((_, name)) => complaint(format!(
                "the --{name} option is meaningful only when verifying checksums"
            )),
            None => Ok(()),
        }
    }

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
        let algorithm = match kind {
            Kind::B2sum => Algorithm::Blake2b,
            Kind::Cksum if self.algorithm.is_none() => Algorithm::Tagged,
            Kind::Cksum if digest.name.starts_with("blake2b") => Algorithm::Blake2b,
            _ => Algorithm::One(digest),
        };
        let options = Options {
            program,
            grammar: Grammar { algorithm, exact: true, base64: kind == Kind::Cksum, least: 0 },
            strict: self.strict,
            warn: self.warn,
            quiet: self.quiet,
            status: self.status,
            ignore_missing: self.ignore_missing,
            threads,
            style: Style::Text,
        };
        check_lists(self.files, &options, &Bytes::hidden(), |_| {
            Ok(Root::at(".".as_ref())?.stdin(true))
        })
    }

    fn sum(self, kind: Kind, program: &str, digest: &'static Digest, threads: usize) -> ExitCode {
        let named = !self.files.is_empty();
        let mut paths: Vec<_> = self.files.into_iter().map(OsString::into_vec).collect();
        if !named {
            paths.push(b"-".to_vec());
        }
        let decimal = matches!(digest.name, "cksum" | "sum-bsd" | "sum-sysv");
        let format = match self.tag.unwrap_or(kind == Kind::Cksum) {
            _ if self.bare => Format::Bare,
            _ if decimal => Format::Decimal { named },
            true => Format::Tagged,
            false => Format::Gnu { binary: self.binary == Some(true) },
        };
        let job = SumJob {
            program,
            paths,
            recursive: false,
            digests: &[digest],
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

fn length(value: &str) -> Result<usize, Complaint> {
    let told = |second: Option<&str>| Complaint {
        lines: [Some(format!("invalid length: '{value}'")), second.map(str::to_owned)]
            .into_iter()
            .flatten()
            .collect(),
        usage: false,
    };
    let bits: usize = value.parse().map_err(|_| told(None))?;
    if bits.is_multiple_of(8) { Ok(bits) } else { Err(told(Some("length is not a multiple of 8"))) }
}

fn threads(value: &str) -> Result<usize, Complaint> {
    let lines = vec![format!("invalid number of threads: '{value}'")];
    value.parse().map_err(|_| Complaint { lines, usage: false })
}

/// The option that `text` names in full or by an unambiguous beginning, and its value.
fn long_option(
    kind: Kind,
    text: &str,
    rest: &mut impl Iterator<Item = OsString>,
) -> Result<(&'static str, String), Complaint> {
    let (name, value) =
        text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value.to_owned())));
    let options = kind.options();
    let mut fitting: Vec<_> = options.iter().filter(|(long, ..)| long.starts_with(name)).collect();
    if let Some(exact) = fitting.iter().position(|(long, ..)| *long == name) {
        fitting = vec![fitting[exact]];
    }
    match (fitting.as_slice(), value) {
        ([], _) => complaint(format!("unrecognized option '--{name}'")),
        ([(long, _, false)], None) => Ok((long, String::new())),
        ([(long, _, true)], Some(value)) => Ok((long, value)),
        ([(long, _, false)], Some(_)) => {
            complaint(format!("option '--{long}' doesn't allow an argument"))
        }
        ([(long, _, true)], None) => match rest.next() {
            Some(value) => Ok((long, value.to_string_lossy().into_owned())),
            None => complaint(format!("option '--{long}' requires an argument")),
        },
        (many, _) => {
            let names: Vec<_> = many.iter().map(|(long, ..)| format!("'--{long}'")).collect();
            complaint(format!("option '--{name}' is ambiguous; possibilities: {}", names.join(" ")))
        }
    }
}

/// What an option does.
fn meaning(option: &str) -> &'static str {
    match option {
        "binary" => "write the mark of binary mode",
        "check" => "read digests from the FILEs and check them",
        "ignore-missing" => "do not report listed files that do not exist",
        "quiet" => "do not print files that match",
        "status" => "print nothing; the exit code tells",
        "strict" => "fail on lines that are not checksums",
        "tag" => "write BSD-style lines",
        "text" => "write the mark of text mode (default)",
        "warn" => "warn about lines that are not checksums",
        "zero" => "end lines with NUL and do not escape names",
        "length" => "length of the digest, in bits",
        "no-names" => "print digests without names",
        "num-threads" => "threads at most",
        "algorithm" => "the algorithm",
        "untagged" => "write lines without the algorithm",
        "base64" => "write digests in Base64",
        "debug" => "accepted, without effect",
        "help" => "print this help",
        "version" => "print the version",
        _ => "",
    }
}

fn help(kind: Kind, program: &str) -> String {
    let options = kind.options().into_iter().map(|(long, short, valued)| {
        let short = if short == '\0' { "   ".to_owned() } else { format!("-{short},") };
        let name = format!("--{long}{}", if valued { "=VALUE" } else { "" });
        format!("  {short} {name:<20} {}", meaning(long)).trim_end().to_owned()
    });
    let options: Vec<_> = options.collect();
    format!(
        "Usage: {program} [OPTION]... [FILE]...\nPrint or check digests, as the program of this \
            name does; this is hashdyno.\n\n\
         With no FILE, or when FILE is -, read standard input.\n{}\n\n`hashdyno sum` and \
         `hashdyno check` have more.",
        options.join("\n")
    )
}
