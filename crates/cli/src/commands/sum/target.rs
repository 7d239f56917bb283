//! Where `sum` prints.

use std::fs::{self, File, Permissions};
use std::io::{self, Stdout, Write};
use std::path::Path;

use atomic_file::AtomicFile;
use files::skip::Skip;

use crate::progress::{Beside, Bytes};

/// Standard output, or a file.
pub enum Target {
    Stdout(Beside<Stdout>),
    /// A list, and the permissions of the old one: it is there whole or not at all.
    List(AtomicFile, Option<Permissions>),
    /// A pipe or a device, which stays what it is.
    Special(File),
}

impl Target {
    /// Begins to write; `-` and nothing are standard output. A walk leaves the list out, the old
    /// one and the new one.
    pub fn open(output: Option<&Path>, bar: &Bytes, skip: &mut Skip) -> io::Result<Self> {
        let Some(path) = output.filter(|&path| path != Path::new("-")) else {
            return Ok(Self::Stdout(bar.beside(io::stdout())));
        };
        // A link stays, and what it leads to is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let old = path.metadata().ok();
        if old.as_ref().is_some_and(|old| !old.is_file() && !old.is_dir()) {
            return Ok(Self::Special(File::options().write(true).open(path)?));
        }
        let new = AtomicFile::new(&path)?;
        old.iter().for_each(|old| skip.file(old));
        skip.file(&new.metadata()?);
        Ok(Self::List(new, old.map(|old| old.permissions())))
    }

    /// Ends: a list takes its place.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Stdout(mut out) => out.flush(),
            Self::Special(mut file) => file.flush(),
            Self::List(list, permissions) => list.finish(true, permissions),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::List(list, _) => list.write(bytes),
            Self::Special(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::List(list, _) => list.flush(),
            Self::Special(file) => file.flush(),
        }
    }
}
