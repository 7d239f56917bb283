//! Opening what a list or a command line names, and nothing else.
//!
//! ```text
//! Root          names lead                          opened
//! anywhere()    as the command line's               any kind of file, `-` is standard input
//! at()          from the folder, also out of it     regular files
//! confined()    nowhere out of the folder           with openat2; links only to inside
//! open_found()  below a folder that a walk met      with openat2, through no link at all
//! ```
//!
//! A list comes from a stranger, and its names must not reach other files: a verdict tells whether
//! a file is there and has a guessed content. A folder's owner may put a link in the place of a
//! file at any time. So the kernel checks while it opens, and this program does not check before.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, fstat, openat, statat};
use rustix::io::Errno;

use crate::read::meter::Meter;
use crate::read::names;
use crate::read::system::{FOLDER, open_beneath};

/// The folder that names are relative to, and what they may lead to.
pub struct Root {
    /// The folder by name: for systems that cannot open beneath a handle.
    folder: PathBuf,
    /// The folder; without one it is the current folder.
    handle: Option<OwnedFd>,
    confined: bool,
    /// Links are followed, where they stay within the folder.
    links: bool,
    special: bool,
    stdin: bool,
    meter: Meter,
}

impl Root {
    /// The current folder: any name, any kind of file, as a command line names them.
    pub fn anywhere() -> Self {
        Self {
            folder: PathBuf::from("."),
            handle: None,
            confined: false,
            links: true,
            special: true,
            stdin: true,
            meter: Meter::default(),
        }
    }

    /// That folder: names may lead out of it, but only to regular files.
    ///
    /// # Errors
    /// The folder cannot be opened.
    pub fn at(folder: &Path) -> io::Result<Self> {
        let handle = openat(CWD, folder, FOLDER | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Self {
            folder: folder.to_owned(),
            handle: Some(handle),
            confined: false,
            links: true,
            special: false,
            stdin: false,
            meter: Meter::default(),
        })
    }

    /// Refuses absolute names, `..` and links that lead out of the folder.
    pub fn confined(mut self, confined: bool) -> Self {
        self.confined = confined;
        self
    }

    /// Lets names lead to named pipes and devices.
    pub fn special(mut self, special: bool) -> Self {
        self.special = special;
        self
    }

    /// Whether the name `-` stands for standard input, as in the lists of GNU's tools; by default
    /// only [`Root::anywhere`] reads it.
    pub fn stdin(mut self, stdin: bool) -> Self {
        self.stdin = stdin;
        self
    }

    /// Counts by `meter` what is read of its files.
    pub fn metered(mut self, meter: Meter) -> Self {
        self.meter = meter;
        self
    }

    /// What counts the bytes that are read of its files.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Whether that name stands for standard input. Where this is a regular file, its names below
    /// `/dev` and `/proc` open that file anew.
    pub fn is_stdin(&self, name: &[u8]) -> bool {
        let is_stream = || {
            fstat(io::stdin())
                .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile)
        };
        self.stdin
            && match name {
                b"-" => true,
                b"/dev/stdin" | b"/dev/fd/0" | b"/proc/self/fd/0" => is_stream(),
                _ => false,
            }
    }

    /// Opens a file for reading; `-` is standard input.
    ///
    /// # Errors
    /// It is not there, may not be read, is no regular file, or leads out of the root.
    pub fn open(&self, name: &[u8]) -> io::Result<File> {
        if self.is_stdin(name) {
            return Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?));
        }
        self.open_file(name, OFlags::empty())
    }

    /// Opens what has that name, with these flags besides; `-` is a name like any other.
    fn open_file(&self, name: &[u8], flags: OFlags) -> io::Result<File> {
        // Without O_NONBLOCK the open of a named pipe waits for a writer that may never come.
        let waits = if self.special { OFlags::empty() } else { OFlags::NONBLOCK };
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | waits | flags;
        let file = File::from(self.open_with(name, flags)?);
        if !self.special {
            // By the open file: the name may lead to another one by now.
            let kind = FileType::from_raw_mode(fstat(&file)?.st_mode);
            refusal(kind).map_or(Ok(()), |reason| Err(io::Error::other(reason)))?;
        }
        Ok(file)
    }

    /// Length in bytes, as far as can be told without opening: work is divided by it.
    pub fn size_hint(&self, name: &[u8]) -> u64 {
        let folder = self.handle.as_ref().map_or(CWD, AsFd::as_fd);
        statat(folder, names::path(name), AtFlags::empty())
            .map_or(0, |stat| stat.st_size.try_into().unwrap_or(0))
    }

    fn open_with(&self, name: &[u8], flags: OFlags) -> io::Result<OwnedFd> {
        let folder = self.handle.as_ref().map_or(CWD, AsFd::as_fd);
        let path = names::path(name);
        if !self.confined {
            return Ok(openat(folder, path, flags, Mode::empty())?);
        }
        loop {
            return match open_beneath(folder, path, flags, self.links) {
                Ok(file) => Ok(file),
                // Something on the way was renamed meanwhile, and the kernel cannot tell where it
                // led.
                Err(Errno::AGAIN) => continue,
                Err(Errno::XDEV) => Err(outside()),
                Err(Errno::LOOP) if !self.links => Err(link()),
                Err(Errno::NOSYS) => self.open_resolved(path, flags),
                Err(error) => Err(error.into()),
            };
        }
    }

    /// For systems without [`open_beneath`]: resolves every link first. A link that changes
    /// meanwhile can still mislead it.
    fn open_resolved(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let resolved = self.folder.join(path).canonicalize()?;
        // `openat2` refuses absolute names, wherever they lead; so does this.
        if path.is_absolute() || !resolved.starts_with(self.folder.canonicalize()?) {
            return Err(outside());
        }
        if !self.links && resolved != self.folder.canonicalize()?.join(path) {
            return Err(link());
        }
        Ok(openat(CWD, &resolved, flags | OFlags::NOFOLLOW, Mode::empty())?)
    }
}

/// Opens a file that lies below a folder of the command line, with these flags besides. That
/// folder's name has `named` bytes of the file's; no link is followed in the rest, as its owner can
/// put one there at any time.
pub(crate) fn open_found(name: &[u8], named: usize, flags: OFlags) -> io::Result<File> {
    let (folder, below) = name.split_at(named);
    if below.is_empty() {
        return Root::anywhere().special(false).open_file(name, flags);
    }
    let folder = if folder.is_empty() { &b"."[..] } else { folder };
    Root { confined: true, links: false, ..Root::at(names::path(folder))? }.open_file(below, flags)
}

/// What went wrong, in the system's words alone.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

fn link() -> io::Error {
    io::Error::other("has become a link, which is not followed")
}

fn outside() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "leads out of the folder")
}

fn refusal(kind: FileType) -> Option<&'static str> {
    match kind {
        FileType::Fifo => Some("Is a named pipe, not a file"),
        FileType::Socket => Some("Is a socket, not a file"),
        FileType::CharacterDevice | FileType::BlockDevice => Some("Is a device, not a file"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn nothing_outside_is_opened() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        std::fs::create_dir_all(root.join("dir")).unwrap();
        std::fs::write(outer.path().join("secret"), "x").unwrap();
        std::fs::write(root.join("a"), "x").unwrap();
        symlink("../secret", root.join("link-out")).unwrap();
        symlink("..", root.join("dir-out")).unwrap();
        symlink("a", root.join("link-in")).unwrap();
        let absolute = root.join("a");
        let confined = Root::at(&root).unwrap().confined(true);
        for name in [
            &b"../secret"[..],
            b"link-out",
            b"dir-out/secret",
            b"dir/../../secret",
            names::name(&absolute),
        ] {
            assert_eq!(confined.open(name).unwrap_err().to_string(), "leads out of the folder");
        }
        for name in [&b"a"[..], b"link-in", b"dir/../a"] {
            confined.open(name).unwrap();
        }
        assert!(confined.open_resolved(Path::new("../secret"), OFlags::RDONLY).is_err());
        assert!(confined.open_resolved(Path::new("a"), OFlags::RDONLY).is_ok());
        Root::at(&root).unwrap().open(b"../secret").unwrap();
    }

    #[test]
    fn a_link_that_takes_the_place_of_a_file_is_not_followed() {
        let outer = tempfile::tempdir().unwrap();
        std::fs::create_dir(outer.path().join("folder")).unwrap();
        std::fs::write(outer.path().join("folder/file"), "x").unwrap();
        symlink("folder", outer.path().join("named")).unwrap();
        symlink("file", outer.path().join("folder/link")).unwrap();
        let path = |name: &str| names::name(&outer.path().join(name)).to_vec();
        let outer = path("").len();
        // The command line may name a link. A walk finds none: here is one that came later.
        for (name, named) in
            [("named/file", outer + "named/".len()), ("named/file", path("named/file").len())]
        {
            open_found(&path(name), named, OFlags::empty()).unwrap();
        }
        let link = path("folder/link");
        open_found(&link, link.len(), OFlags::empty()).unwrap();
        for name in ["folder/link", "named/file"] {
            assert_eq!(
                open_found(&path(name), outer, OFlags::empty()).unwrap_err().to_string(),
                "has become a link, which is not followed"
            );
        }
        let root = Root {
            confined: true,
            links: false,
            ..Root::at(names::path(&path("folder"))).unwrap()
        };
        assert!(root.open_resolved(Path::new("link"), OFlags::RDONLY).is_err());
        assert!(root.open_resolved(Path::new("file"), OFlags::RDONLY).is_ok());
    }

    #[test]
    fn pipes_and_devices_are_refused_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        rustix::fs::mknodat(CWD, folder.path().join("pipe"), FileType::Fifo, Mode::RUSR, 0)
            .unwrap();
        let root = Root::at(folder.path()).unwrap();
        assert_eq!(root.open(b"pipe").unwrap_err().to_string(), "Is a named pipe, not a file");
        assert_eq!(root.open(b"/dev/null").unwrap_err().to_string(), "Is a device, not a file");
        assert_eq!(reason(&root.open(b"gone").unwrap_err()), "No such file or directory");
    }
}
