//! The key of `sum` and `check`.
//!
//! The key is in memory that is overwritten when it is freed. It is never taken from an argument,
//! since every user of the machine sees arguments. A file that cannot be read is exit code 3, an
//! empty one 2.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;
use files::key::Secret;
use files::method::Method;
use files::names::{self, quoted};
use hashdyno::{Digest, Mode};
use zeroize::Zeroizing;

use crate::failure::BadInput;

/// The key that a file holds, or standard input if that is `-`: every byte of it, a newline at its
/// end, too.
pub struct KeyFile {
    /// The secret.
    pub secret: Secret,
    from_stdin: bool,
    ends_with_newline: bool,
}

impl KeyFile {
    /// Reads it.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let from_stdin = file == Path::new("-");
        // Memory that grows leaves copies behind.
        let mut bytes = Zeroizing::new(Vec::with_capacity(1 << 16));
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
        let ends_with_newline = bytes.ends_with(b"\n");
        Ok(Self { secret: Secret::new(bytes), from_stdin, ends_with_newline })
    }

    /// Standard input cannot be both; whether it is what is read is told.
    pub fn apart_from(&self, from_stdin: bool) -> Result<(), BadInput> {
        if self.from_stdin && from_stdin {
            return Err(BadInput::new(
                "standard input is the key: expected the names of files",
                "--key-file FILE reads the key from a file",
            ));
        }
        Ok(())
    }

    /// These digests under the key: by HMAC, or each by its own keyed mode.
    pub fn methods(
        &self,
        hmac: bool,
        digests: &[&'static Digest],
    ) -> Result<Vec<Method>, BadInput> {
        let mode = if hmac { Mode::Hmac } else { Mode::Keyed };
        let method = |digest: &&'static Digest| {
            let method = Method::from(self.secret.keyed(mode, digest));
            let hint =
                |error: hashdyno::KeyError| BadInput::new(error.to_string(), self.hint(mode));
            method.usable().map_err(hint).map(|()| method)
        };
        digests.iter().map(method).collect()
    }

    /// What helps where there is no such key.
    fn hint(&self, mode: Mode) -> &'static str {
        match mode {
            Mode::Hmac => "--hmac takes any cryptographic hash, such as -a sha256",
            _ if self.ends_with_newline => {
                "the key ends with a newline, which counts: printf %s makes a key without one"
            }
            _ => "--hmac takes a key of any length",
        }
    }
}
