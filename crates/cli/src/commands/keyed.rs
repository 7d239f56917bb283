//! `sum` and `check` under a key.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use files::check::Options;
use files::keyed::{check, key, sum, write};
use files::list::WriteError;
use files::names::{self, quoted};
use files::open::{Root, reason};
use files::sum::Sources;
use hashdyno::{Digest, Mode};
use zeroize::Zeroizing;

use crate::failure::{self, BadInput};
use crate::stdio::message;
use crate::unwritten::unwritten;

/// The key that a file holds, or standard input if that is `-`: every byte of it, a newline at its
/// end, too.
pub struct Secret {
    bytes: Zeroizing<Vec<u8>>,
    from_stdin: bool,
}

impl Secret {
    /// Reads it.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let from_stdin = file == Path::new("-");
        let mut bytes = Zeroizing::new(Vec::new());
        let read = if from_stdin {
            io::stdin().read_to_end(&mut bytes)
        } else {
            File::open(file).and_then(|mut file| file.read_to_end(&mut bytes))
        };
        read.with_context(|| format!("cannot read the key in {}", quoted(names::name(file))))?;
        if bytes.is_empty() {
            let message = format!("{} holds no key: it is empty", quoted(names::name(file)));
            return Err(BadInput::new(message, "head -c 32 /dev/urandom > FILE makes one").into());
        }
        Ok(Self { bytes, from_stdin })
    }

    /// Standard input cannot be both.
    fn apart_from(&self, names: &[Vec<u8>]) -> Result<(), BadInput> {
        if self.from_stdin && names.iter().any(|name| name == b"-") {
            return Err(BadInput::new(
                "standard input is the key: expected the names of files",
                "--key-file FILE reads the key from a file",
            ));
        }
        Ok(())
    }
}

/// Prints the codes of files.
pub fn print(
    secret: &Secret,
    mode: Mode,
    digests: &[&'static Digest],
    paths: Vec<Vec<u8>>,
    recursive: bool,
    threads: usize,
) -> anyhow::Result<ExitCode> {
    secret.apart_from(&paths)?;
    let keys: Result<Vec<_>, _> =
        digests.iter().map(|digest| key(mode, digest, &secret.bytes)).collect();
    let keys = keys.map_err(|error| BadInput::new(error.to_string(), hint(mode, secret)))?;
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut failed = false;
    let sources = Sources::new(paths, recursive);
    let result = sum(&Root::anywhere(), sources, &keys, threads, |name, codes| {
        let written = match codes {
            Err(error) => Err(reason(&error)),
            Ok(codes) => keys.iter().zip(codes).try_for_each(|(key, code)| {
                write(&mut out, name, key, code).map_err(|error| match error {
                    WriteError::Io(error) => error.to_string(),
                    WriteError::Name(reason) => reason.to_owned(),
                })
            }),
        };
        if let Err(problem) = written {
            failed = true;
            message!("hashdyno: {}: {problem}", quoted(name));
        }
        io::Result::Ok(())
    });
    match result.and_then(|()| out.flush()) {
        Err(error) => Ok(unwritten("hashdyno", &error, true)),
        Ok(()) => Ok(ExitCode::from(if failed { failure::INCOMPLETE } else { 0 })),
    }
}

/// What helps where there is no such key.
fn hint(mode: Mode, secret: &Secret) -> &'static str {
    match mode {
        Mode::Hmac => "--hmac takes any cryptographic hash, such as -a sha256",
        _ if secret.bytes.ends_with(b"\n") => {
            "the key ends with a newline, which counts: printf %s makes a key without one"
        }
        _ => "--hmac takes a key of any length",
    }
}

/// Checks lists of codes; one that cannot be read fails like one that does not hold.
pub fn verify(
    secret: &Secret,
    lists: Vec<OsString>,
    options: &Options,
    directory: Option<PathBuf>,
    outside: bool,
    special: bool,
) -> anyhow::Result<ExitCode> {
    let mut lists: Vec<_> = lists.into_iter().map(OsString::into_vec).collect();
    if lists.is_empty() {
        lists.push(b"-".to_vec());
    }
    secret.apart_from(&lists)?;
    let directory = directory.unwrap_or_else(|| PathBuf::from("."));
    let root = Root::at(&directory)
        .with_context(|| format!("cannot open {}", directory.display()))?
        .confined(!outside)
        .special(special);
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut holds = true;
    for list in lists {
        match Root::anywhere().special(true).open(&list) {
            Err(error) => {
                message!("hashdyno: {}: {}", quoted(&list), reason(&error));
                holds = false;
            }
            Ok(file) => {
                let tally =
                    check(&root, file, &list, &secret.bytes, options, &mut out, &mut io::stderr());
                match tally {
                    Ok(tally) => holds &= tally.holds(options.strict),
                    Err(error) => return Ok(unwritten("hashdyno", &error, false)),
                }
            }
        }
    }
    Ok(ExitCode::from(if holds { 0 } else { failure::INCOMPLETE }))
}
