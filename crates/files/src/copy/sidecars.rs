//! Side-car files: `IMG.xmp` and `IMG.JPG.xmp` belong to the photo `IMG.JPG`, and so do `IMG.Xmp`
//! and every other spelling.
//!
//! ```text
//! beside it lie        IMG.JPG.xmp belongs to   IMG.xmp belongs to
//! IMG.JPG              IMG.JPG                  IMG.JPG
//! IMG.JPG, IMG.CR3     IMG.JPG                  IMG.CR3: the raw file
//! no photo             none: it is copied like any other file
//! ```
//!
//! `photo_of` decides. `sidecars_of` keeps a file only if that leads back to the photo. So a walk,
//! which leaves side-cars to their photos, and the photo, which brings them, agree: each side-car
//! is copied once.

use std::io;

use rustix::fs::{AtFlags, CWD, Dev, Dir, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;

use super::layout::{name, stem};
use super::target::parent;
use crate::read::names;

/// A file that travels with a photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sidecar {
    /// Its name.
    pub source: Vec<u8>,
    /// What of it comes after the photo's stem, or after the photo's whole name.
    tail: Vec<u8>,
    /// Whether it follows the whole name, as `IMG.JPG.xmp` does, or the stem, as `IMG.xmp`.
    whole: bool,
}

/// Why a side-car is not copied where its photo has got no name.
pub const PHOTO_NOT_THERE: &str = "its photo is not there";

/// Why a side-car is not copied whose photo is copied nowhere.
pub const PHOTO_NOT_COPIED: &str = "its photo cannot be copied";

impl Sidecar {
    /// Its name beside its photo, wherever that has gone.
    pub fn beside(&self, photo: &[u8]) -> Vec<u8> {
        [if self.whole { photo } else { stem(photo) }, &self.tail].concat()
    }

    /// Bytes of the side-car's name that the user wrote, where `of_photo` bytes of the photo's name
    /// are the user's. The user wrote the folder at most, never the side-car's last part.
    pub fn named(&self, of_photo: usize) -> usize {
        of_photo.min(self.source.len() - name(&self.source).len())
    }
}

/// The side-cars of a photo, by its name; none of what is no photo.
///
/// # Errors
/// If the system cannot tell whether there is one.
pub fn sidecars_of(photo: &[u8]) -> io::Result<Vec<Sidecar>> {
    let mut found = Vec::new();
    if !is_photo(photo) {
        return Ok(found);
    }
    let own = identity(photo)?;
    for (whole, base) in [(true, photo), (false, stem(photo))] {
        for source in spelled(base)? {
            // By identity: on a file system that ignores case, the photo is found by another
            // spelling.
            if photo_of(&source)?.map(|photo| photo.identity) == own {
                let tail = source[base.len()..].to_vec();
                found.push(Sidecar { source, tail, whole });
            }
        }
    }
    Ok(found)
}

/// The files of that name with any spelling of `.xmp` behind it.
fn spelled(base: &[u8]) -> io::Result<Vec<Vec<u8>>> {
    let mut there = Vec::new();
    for tail in TAILS {
        let source = [base, tail.as_bytes()].concat();
        if identity(&source)?.is_some() {
            there.push(source);
        }
    }
    if there.len() > 1 {
        // On a file system that ignores case, one file answers to every spelling. Its identity does
        // not tell that from hard links, each of which is copied.
        let entries = entries_beside(base)?;
        let first = there[0].clone();
        there.retain(|source| entries.iter().any(|entry| entry == name(source)));
        if there.is_empty() {
            // The rest of its name is spelled otherwise than its photo's.
            there.push(first);
        }
    }
    Ok(there)
}

/// The names in the folder of a file.
fn entries_beside(file: &[u8]) -> io::Result<Vec<Vec<u8>>> {
    let folder = [parent(file), b"."].concat();
    let flags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    // The standard library's reader panics where a folder cannot be closed, as on a disk that
    // fails.
    let opened = openat(CWD, names::path(&folder), flags, Mode::empty())?;
    let mut entries = Vec::new();
    for entry in Dir::read_from(&opened)? {
        entries.push(entry?.file_name().to_bytes().to_vec());
    }
    Ok(entries)
}

/// Which file a name stands for: device and inode.
pub type Identity = (Dev, u64);

/// The photo that a side-car belongs to.
pub struct Photo {
    /// A name that leads to it, beginning as its side-car's does.
    name: Vec<u8>,
    /// Which file it is.
    pub identity: Identity,
}

impl Photo {
    /// The names that its folder has for it: others than the one by which it was found where the
    /// file system ignores case, several where it has hard links.
    ///
    /// # Errors
    /// If the system cannot tell.
    pub fn names(&self) -> io::Result<Vec<Vec<u8>>> {
        let mut flipped = self.name.clone();
        for letter in flipped[stem(&self.name).len()..].iter_mut() {
            // Bit 5 tells small ASCII letters from capitals.
            *letter ^= u8::from(letter.is_ascii_alphabetic()) << 5;
        }
        if identity(&flipped)? != Some(self.identity) {
            // Cases differ here, so this is the name, and no folder need be read.
            return Ok(vec![self.name.clone()]);
        }
        let mut names = Vec::new();
        for entry in entries_beside(&self.name)? {
            let path = [parent(&self.name), &entry].concat();
            if path.eq_ignore_ascii_case(&self.name) && identity(&path)? == Some(self.identity) {
                names.push(path);
            }
        }
        Ok(names)
    }
}

/// The one photo beside a side-car that it belongs to: where a raw file and a JPEG have the same
/// stem, the raw file.
///
/// # Errors
/// If the system cannot tell whether there is one.
pub fn photo_of(sidecar: &[u8]) -> io::Result<Option<Photo>> {
    let base = stem(sidecar);
    if !extension(sidecar).eq_ignore_ascii_case(b"xmp") || name(base).is_empty() {
        return Ok(None);
    }
    let photo = |name: Vec<u8>| -> io::Result<Option<Photo>> {
        let found = identity(&name)?;
        Ok(found.map(|identity| Photo { name, identity }))
    };
    if is_photo(base)
        && let Some(photo) = photo(base.to_vec())?
    {
        return Ok(Some(photo));
    }
    // Three spellings are tried, as cameras write them: a folder is not read for each side-car.
    let spellings = PHOTOS.iter().flat_map(|photo| {
        let title = photo[..1].to_ascii_uppercase() + &photo[1..];
        [(*photo).to_owned(), photo.to_ascii_uppercase(), title]
    });
    spellings
        .map(|extension| [base, b".", extension.as_bytes()].concat())
        .find_map(|name| photo(name).transpose())
        .transpose()
}

/// Whether a file is a photo or a film, by its name.
pub fn is_photo(name: &[u8]) -> bool {
    PHOTOS.iter().any(|photo| extension(name).eq_ignore_ascii_case(photo.as_bytes()))
}

fn extension(name: &[u8]) -> &[u8] {
    name[stem(name).len()..].strip_prefix(b".").unwrap_or_default()
}

/// The regular file of that name; a link is none.
///
/// # Errors
/// If the system cannot tell whether there is one.
pub fn identity(name: &[u8]) -> io::Result<Option<Identity>> {
    match statat(CWD, names::path(name), AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok((FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile)
            .then_some((stat.st_dev, stat.st_ino))),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Every spelling of a side-car's extension, the usual ones first.
const TAILS: [&str; 8] = [".xmp", ".XMP", ".Xmp", ".xMp", ".xmP", ".XMp", ".XmP", ".xMP"];

/// Extensions of photos and films, raw files first: `photo_of` takes the first that is there.
const PHOTOS: &[&str] = &[
    "3fr", "arw", "cr2", "cr3", "crw", "dcr", "dng", "erf", "iiq", "kdc", "mef", "mos", "mrw",
    "nef", "nrw", "orf", "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f", "heic",
    "heif", "hif", "avif", "jxl", "jpg", "jpeg", "png", "tif", "tiff", "webp", "mov", "mp4", "m4v",
    "mts", "avi", "3gp",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sidecars_belong_to_one_photo() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "a.JPG",
            "a.JPG.xmp",
            "a.CR3",
            "a.xmp",
            "b.Jpg",
            "b.XMP",
            "lonely.xmp",
            "c.txt",
            "c.xmp",
            ".xmp",
        ] {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        let path = |name: &str| names::name(&folder.path().join(name)).to_vec();
        let of = |name: &str| {
            sidecars_of(&path(name))
                .unwrap()
                .into_iter()
                .map(|found| found.source)
                .collect::<Vec<_>>()
        };
        assert_eq!(of("a.JPG"), [path("a.JPG.xmp")]);
        assert_eq!(of("a.CR3"), [path("a.xmp")]);
        assert_eq!(of("b.Jpg"), [path("b.XMP")]);
        assert!(of("c.txt").is_empty() && of("a.xmp").is_empty());
        let travels: Vec<_> =
            ["a.JPG.xmp", "a.xmp", "b.XMP", "lonely.xmp", "c.xmp", ".xmp", "a.JPG"]
                .into_iter()
                .filter(|name| photo_of(&path(name)).unwrap().is_some())
                .collect();
        assert_eq!(travels, ["a.JPG.xmp", "a.xmp", "b.XMP"]);
        let names: Vec<_> = sidecars_of(&path("a.JPG"))
            .unwrap()
            .iter()
            .map(|found| found.beside(b"2024/a-1.JPG"))
            .collect();
        assert_eq!(names, [b"2024/a-1.JPG.xmp"]);
        assert_eq!(sidecars_of(&path("a.CR3")).unwrap()[0].beside(b"x/a-1.CR3"), b"x/a-1.xmp");
    }

    #[test]
    fn a_photo_has_both_of_its_sidecars_and_other_files_have_none() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["IMG.JPG", "IMG.xmp", "IMG.JPG.xmp", "notes.txt", "notes.txt.xmp"] {
            std::fs::write(folder.path().join(file), file).unwrap();
        }
        let at = |file: &str| names::name(&folder.path().join(file)).to_vec();
        let found = sidecars_of(&at("IMG.JPG")).unwrap();
        let sources: Vec<_> = found.iter().map(|sidecar| sidecar.source.clone()).collect();
        assert_eq!(sources, [at("IMG.JPG.xmp"), at("IMG.xmp")]);
        assert_eq!(sidecars_of(&at("notes.txt")).unwrap(), []);

        // The user wrote the folder and the slash behind it, or less.
        let folder_len = at("").len();
        for sidecar in found {
            assert_eq!(sidecar.named(usize::MAX), folder_len);
            assert_eq!(sidecar.named(folder_len - 2), folder_len - 2);
        }
    }

    #[test]
    fn every_spelling_is_found_and_each_hard_link_is_a_side_car() {
        let folder = tempfile::tempdir().unwrap();
        let at = |file: &str| names::name(&folder.path().join(file)).to_vec();
        let write = |file: &str| std::fs::write(folder.path().join(file), file).unwrap();
        let link = |old: &str, new: &str| {
            std::fs::hard_link(folder.path().join(old), folder.path().join(new)).unwrap();
        };
        let found = |photo: &str| -> Vec<_> {
            sidecars_of(&at(photo)).unwrap().into_iter().map(|sidecar| sidecar.source).collect()
        };
        write("IMG.JPG");
        for tail in TAILS {
            for sidecar in [format!("IMG{tail}"), format!("IMG.JPG{tail}")] {
                write(&sidecar);
                assert_eq!(found("IMG.JPG"), [at(&sidecar)]);
                assert!(photo_of(&at(&sidecar)).unwrap().is_some(), "{sidecar}");
                std::fs::remove_file(folder.path().join(&sidecar)).unwrap();
            }
        }
        write("b.JPG");
        write("b.xmp");
        link("b.xmp", "b.XMP");
        link("b.xmp", "b.JPG.xmp");
        assert_eq!(found("b.JPG"), [at("b.JPG.xmp"), at("b.xmp"), at("b.XMP")]);
    }

    #[test]
    fn a_photo_has_the_names_that_its_folder_has() {
        let folder = tempfile::tempdir().unwrap();
        let at = |file: &str| names::name(&folder.path().join(file)).to_vec();
        for file in ["a.JPG", "a.xmp", "b.jpg", "b.xmp", "B.JPG"] {
            std::fs::write(folder.path().join(file), file).unwrap();
        }
        let names = |sidecar: &str| {
            let mut names = photo_of(&at(sidecar)).unwrap().unwrap().names().unwrap();
            names.sort();
            names
        };
        assert_eq!(names("a.xmp"), [at("a.JPG")]);
        // As on a file system that ignores case, another spelling leads to the same file.
        std::fs::hard_link(folder.path().join("b.jpg"), folder.path().join("b.JPG")).unwrap();
        assert_eq!(names("b.xmp"), [at("b.JPG"), at("b.jpg")], "another file is B.JPG");
    }
}
