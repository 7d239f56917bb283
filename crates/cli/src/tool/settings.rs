//! Arguments of md5sum and its kin, read and refused as those programs do.
//!
//! Arguments are read as by getopt_long. A long name may be cut where it stays unambiguous, and a
//! value may be glued to its letter. Options may follow names, up to `--`. The last of `--quiet`,
//! `--status` and `--warn` wins. A complaint has the program's own words:
//!
//! ```text
//! md5sum: invalid option -- 'q'
//! Try 'md5sum --help' for more information.
//! ```

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use super::kind::{Kind, help};

/// What the arguments ask for.
#[derive(Default)]
pub struct Settings {
    pub files: Vec<OsString>,
    /// `-b` is true, `-t` false; the mark of GNU's lines.
    pub binary: Option<bool>,
    /// `--tag` is true, `--untagged` false.
    pub tag: Option<bool>,
    pub check: bool,
    pub ignore_missing: bool,
    pub quiet: bool,
    pub status: bool,
    pub strict: bool,
    pub warn: bool,
    pub zero: bool,
    pub base64: bool,
    /// b3sum's `--no-names`.
    pub bare: bool,
    pub threads: Option<usize>,
    pub algorithm: Option<String>,
    /// Bits of the digest; 0 is the algorithm's usual length.
    pub length: usize,
}

/// Arguments that make sense.
pub enum Parsed {
    Settings(Settings),
    /// The text of `--help` or `--version`: nothing else is done.
    Print(String),
}

/// What is wrong with the arguments, and whether a line about `--help` follows.
pub struct Complaint {
    pub lines: Vec<String>,
    pub usage: bool,
}

fn complaint<T>(line: impl Into<String>) -> Result<T, Complaint> {
    Err(Complaint { lines: vec![line.into()], usage: true })
}

impl Settings {
    /// Reads arguments as GNU's getopt_long does.
    ///
    /// # Errors
    /// [`Complaint`]: arguments that the program refuses.
    pub fn parse(
        kind: Kind,
        program: &str,
        arguments: impl Iterator<Item = OsString>,
    ) -> Result<Parsed, Complaint> {
        let mut settings = Self::default();
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            match argument.as_bytes() {
                b"--" => settings.files.extend(arguments.by_ref()),
                [b'-', b'-', long @ ..] => {
                    let (name, value) =
                        long_option(kind, &String::from_utf8_lossy(long), &mut arguments)?;
                    match name {
                        "help" | "version" => return Ok(printed(kind, program, name)),
                        name => settings.set(name, value)?,
                    }
                }
                [b'-', letters @ ..] if !letters.is_empty() => {
                    if let Some(name) = settings.letters(kind, letters, &mut arguments)? {
                        return Ok(printed(kind, program, name));
                    }
                }
                _ => settings.files.push(argument),
            }
        }
        settings.judge(kind)?;
        Ok(Parsed::Settings(settings))
    }

    /// Takes letters behind one hyphen; gives the name of that which ends the program, if there is
    /// one.
    fn letters(
        &mut self,
        kind: Kind,
        letters: &[u8],
        rest: &mut impl Iterator<Item = OsString>,
    ) -> Result<Option<&'static str>, Complaint> {
        for (at, &letter) in letters.iter().enumerate() {
            let option = kind
                .options()
                .into_iter()
                .find(|(_, short, _)| *short == char::from(letter) && letter != 0);
            match option {
                None => return complaint(format!("invalid option -- '{}'", char::from(letter))),
                Some((name @ ("help" | "version"), ..)) => return Ok(Some(name)),
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
                    return self.set(name, value.to_string_lossy().into_owned()).map(|()| None);
                }
            }
        }
        Ok(None)
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
}

/// What is printed for `--help` or `--version`.
fn printed(kind: Kind, program: &str, name: &str) -> Parsed {
    Parsed::Print(match name {
        "help" => help(kind, program),
        _ => format!("{program} (hashdyno) {}", env!("CARGO_PKG_VERSION")),
    })
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
