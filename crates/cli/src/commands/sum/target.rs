//! Where `sum` prints.
//!
//! ```text
//! no -o, -o -         standard output, beside the bar
//! -o FILE             a temporary file beside it, which takes the place at the end
//! -o PIPE or DEVICE   opened and written: it is not replaced
//! ```
//!
//! The old list and the temporary file are left out of a walk: a list does not hold its own digest.

use std::fs::{self, File, Permissions};
use std::io::{self, Read, Stdout, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use atomic_file::AtomicFile;
use files::list::{Grammar, Reader};
use files::names::{self, quoted};
use files::skip::Skip;

use crate::failure::BadInput;
use crate::progress::{Beside, Bytes};

/// Refuses to replace a file whose own digest is asked for, unless `is_list` says that it is an
/// older list: a shell's pattern names that one, too.
pub fn keep_input(
    output: Option<&Path>,
    paths: &[Vec<u8>],
    is_list: impl Fn(&Path) -> bool,
) -> Result<(), BadInput> {
    let content = |path: &Path| {
        let file = path.metadata().ok().filter(|file| file.is_file() && file.len() > 0);
        file.map(|file| (file.dev(), file.ino()))
    };
    let Some((path, replaced)) = output.and_then(|path| Some((path, content(path)?))) else {
        return Ok(());
    };
    let is_named = paths.iter().any(|name| content(names::path(name)) == Some(replaced));
    if !is_named || paths.len() > 1 && is_list(path) {
        return Ok(());
    }
    Err(BadInput::new(
        format!("-o would replace {}, which is to be hashed", quoted(names::name(path))),
        "name another file with -o",
    ))
}

/// Whether the first lines of a file have an entry of a checksum list.
pub fn is_list(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let name = path.to_string_lossy();
    let mut list = Reader::named(file.take(FIRST_BYTES), Grammar::ANY, &name);
    while list.format().is_none() {
        if !matches!(list.next_line(), Ok(Some(_))) {
            return false;
        }
    }
    true
}

/// Bytes that a list may begin with, such as comments, before its first entry.
const FIRST_BYTES: u64 = 1 << 20;

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
