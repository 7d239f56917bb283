//! The files of a folder, in the order of their names, whatever the order on disk.
//!
//! The order is that of the parts of a path, byte by byte: `b/z` comes before `b.txt`, though `.`
//! is less than `/`. Lists of one folder are then alike on every machine, and two walks can be
//! merged (`trees`). A folder is read whole, sorted, and closed before its files are given out: the
//! number of open folders does not grow with the depth.

use std::fs;
use std::io;

use rustix::fs::{AtFlags, CWD, Dev, Dir, FileType, Mode, OFlags, fstat, openat, statat};

use crate::read::names;
use crate::read::skip::Skip;

/// Whether a path leads to a folder. What is not there leads to none: whoever opens it hears why.
///
/// # Errors
/// If the system cannot tell, as of a disk that fails.
pub fn is_folder(path: &[u8]) -> io::Result<bool> {
    match fs::metadata(names::path(path)) {
        Ok(metadata) => Ok(metadata.is_dir()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The regular files below a folder, depth first, each folder's names sorted by their bytes. Links
/// are not followed; pipes, sockets and devices are left out. What cannot be read comes as an error
/// with its name. Only the folders on the way to the current file are in memory, eight bytes and
/// its name for each entry.
pub struct Walk {
    skip: Skip,
    /// How much of each name is the folder's own.
    cut: usize,
    /// The file system where the walk began.
    device: Option<Dev>,
    stack: Vec<Folder>,
    failed: Option<(Vec<u8>, io::Error)>,
    left_out: u64,
}

/// A folder whose entries are being given out.
struct Folder {
    /// With the slash that comes before the entries' names.
    prefix: Vec<u8>,
    /// Names, one after another.
    bytes: Vec<u8>,
    /// Where each begins, its length, and whether it is a folder; in reverse order of names.
    left: Vec<(u32, u16, bool)>,
}

impl Walk {
    /// The files below `folder`; their names begin with its name, unless it is `.`.
    pub fn new(folder: &[u8]) -> Self {
        Self::skipping(folder, Skip::default())
    }

    /// The same without what `skip` leaves out.
    pub fn skipping(folder: &[u8], skip: Skip) -> Self {
        let mut prefix = if folder == b"." { Vec::new() } else { folder.to_vec() };
        if !prefix.is_empty() && !prefix.ends_with(b"/") {
            prefix.push(b'/');
        }
        let cut = prefix.len();
        let (stack, failed) = (Vec::new(), None);
        let mut walk = Self { skip, cut, device: None, stack, failed, left_out: 0 };
        walk.enter(folder, prefix);
        walk
    }

    /// How many links, pipes, sockets and devices were left out so far.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    fn enter(&mut self, folder: &[u8], prefix: Vec<u8>) {
        match self.read(folder, prefix) {
            Ok(Some(folder)) => self.stack.push(folder),
            Ok(None) => {}
            Err(error) => self.failed = Some((folder.to_vec(), error)),
        }
    }

    /// A folder's entries; nothing of one that lies on a file system that is left out.
    fn read(&mut self, path: &[u8], prefix: Vec<u8>) -> io::Result<Option<Folder>> {
        // The standard library's reader panics where a folder cannot be closed, as on a disk that
        // fails.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        // The user may name a link to a folder. Below it, a link came there after the listing.
        let is_below = prefix.len() > self.cut;
        let links = if is_below { OFlags::NOFOLLOW } else { OFlags::empty() };
        let opened = openat(CWD, names::path(path), flags | links, Mode::empty())?;
        if self.skip.other_file_systems {
            let device = fstat(&opened)?.st_dev;
            if *self.device.get_or_insert(device) != device {
                return Ok(None);
            }
        }
        let (below, skip) = (&prefix[self.cut..], &self.skip);
        let is_named = |name: &[u8]| {
            !skip.patterns.is_empty() && skip.patterns.match_path(&[below, name].concat())
        };
        let mut folder = Folder { prefix: Vec::new(), bytes: Vec::new(), left: Vec::new() };
        for entry in Dir::read_from(&opened)? {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") || is_named(name.to_bytes()) {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not say in a folder what its entries are.
                FileType::Unknown => FileType::from_raw_mode(
                    statat(&opened, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode,
                ),
                kind => kind,
            };
            let is_one = || skip.has(&[&prefix[..], name.to_bytes()].concat());
            match kind {
                FileType::Directory => folder.push(name.to_bytes(), true)?,
                FileType::RegularFile if !skip.files.is_empty() && is_one() => {}
                FileType::RegularFile => folder.push(name.to_bytes(), false)?,
                _ => self.left_out += 1,
            }
        }
        folder.sort();
        Ok(Some(Folder { prefix, ..folder }))
    }
}

impl Iterator for Walk {
    type Item = Result<Vec<u8>, (Vec<u8>, io::Error)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(failed) = self.failed.take() {
                return Some(Err(failed));
            }
            let folder = self.stack.last_mut()?;
            let Some((start, len, is_folder)) = folder.left.pop() else {
                self.stack.pop();
                continue;
            };
            let mut name = folder.prefix.clone();
            name.extend(&folder.bytes[start as usize..][..usize::from(len)]);
            if !is_folder {
                // A name `-` stands for standard input: a file that is called so needs another
                // spelling.
                return Some(Ok(if name == b"-" { b"./-".to_vec() } else { name }));
            }
            let prefix = [&name[..], b"/"].concat();
            self.enter(&name, prefix);
        }
    }
}

impl Folder {
    /// Puts the names in order; the last comes first.
    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.left.sort_unstable_by(|&(a, a_len, _), &(b, b_len, _)| {
            bytes[b as usize..][..usize::from(b_len)]
                .cmp(&bytes[a as usize..][..usize::from(a_len)])
        });
    }

    fn push(&mut self, name: &[u8], is_folder: bool) -> io::Result<()> {
        let start = u32::try_from(self.bytes.len())
            .map_err(|_| io::Error::other("more than 4 GiB of names in one folder"))?;
        let len =
            u16::try_from(name.len()).map_err(|_| io::Error::other("a name longer than 64 KiB"))?;
        self.bytes.extend(name);
        self.left.push((start, len, is_folder));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::skip::Patterns;

    #[test]
    fn what_the_system_cannot_tell_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| names::name(&folder.path().join(name)).to_vec();
        std::os::unix::fs::symlink("loop", folder.path().join("loop")).unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        assert!(is_folder(&path("")).unwrap());
        assert!(!is_folder(&path("file")).unwrap() && !is_folder(&path("gone")).unwrap());
        is_folder(&path("loop")).unwrap_err();
    }

    #[test]
    fn a_folder_that_has_become_a_link_is_not_entered() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("b")).unwrap();
        fs::create_dir(outer.path().join("outside")).unwrap();
        fs::write(outer.path().join("outside/secret"), "").unwrap();
        let mut walk = Walk::new(names::name(&root));
        // The walk has listed `root` by now.
        fs::remove_dir(root.join("b")).unwrap();
        std::os::unix::fs::symlink("../outside", root.join("b")).unwrap();
        let (name, _) = walk.next().unwrap().unwrap_err();
        assert_eq!(names::path(&name), root.join("b"));
        assert!(walk.next().is_none());

        // A link that the user names is followed.
        let found = Walk::new(names::name(&root.join("b"))).next().unwrap().unwrap();
        assert_eq!(names::path(&found), root.join("b/secret"));
    }

    #[test]
    fn files_come_sorted_and_links_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("b/deep")).unwrap();
        for name in ["c", "a", "b/z", "b/deep/y", "b.txt"] {
            fs::write(root.join(name), name).unwrap();
        }
        std::os::unix::fs::symlink("a", root.join("link")).unwrap();
        let prefix = names::name(root);
        let walked = |skip: Skip| -> Vec<String> {
            Walk::skipping(prefix, skip)
                .map(|name| String::from_utf8(name.unwrap()[prefix.len() + 1..].to_vec()).unwrap())
                .collect()
        };
        assert_eq!(walked(Skip::default()), ["a", "b/deep/y", "b/z", "b.txt", "c"]);
        std::fs::create_dir(root.join("b/cache")).unwrap();
        for name in ["b/cache/x", "b/list", "b/old.txt"] {
            fs::write(root.join(name), name).unwrap();
        }
        let mut skip = Skip { other_file_systems: true, ..Skip::default() };
        skip.patterns = Patterns::parse(&["cache".to_owned(), "*.txt".to_owned()]).unwrap();
        skip.file(&root.join("b/list").metadata().unwrap());
        assert_eq!(walked(skip), ["a", "b/deep/y", "b/z", "c"]);
        let (name, error) = Walk::new(b"/no such folder").next().unwrap().unwrap_err();
        assert_eq!(
            (name.as_slice(), error.kind()),
            (&b"/no such folder"[..], io::ErrorKind::NotFound)
        );
    }
}
