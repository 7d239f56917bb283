//! Side-car files: `IMG.xmp` and `IMG.JPG.xmp` belong to the photo `IMG.JPG`.

use std::io;

use rustix::fs::{AtFlags, CWD, Dev, FileType, statat};
use rustix::io::Errno;

use super::layout::{name, stem};
use crate::read::names;

/// A file that travels with a photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sidecar {
    /// Its name.
    pub source: Vec<u8>,
    /// What of it comes after the photo's stem, or after the photo's whole name.
    tail: Vec<u8>,
    whole: bool,
}

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
    let mut found: Vec<(Identity, Sidecar)> = Vec::new();
    if !is_photo(photo) {
        return Ok(Vec::new());
    }
    let own = identity(photo)?;
    for (whole, base) in [(true, photo), (false, stem(photo))] {
        for tail in [&b".xmp"[..], b".XMP"] {
            let source = [base, tail].concat();
            // On a file system that ignores case, both spellings are one file.
            let Some(identity) = identity(&source)?
                .filter(|identity| found.iter().all(|(known, _)| known != identity))
            else {
                continue;
            };
            if photo_of(&source)? == own {
                found.push((identity, Sidecar { source, tail: tail.to_vec(), whole }));
            }
        }
    }
    Ok(found.into_iter().map(|(_, sidecar)| sidecar).collect())
}

/// Which file a name stands for: device and inode.
pub type Identity = (Dev, u64);

/// The one photo beside a side-car that it belongs to: where a raw file and a JPEG have the same
/// stem, the raw file.
///
/// # Errors
/// If the system cannot tell whether there is one.
pub fn photo_of(sidecar: &[u8]) -> io::Result<Option<Identity>> {
    let base = stem(sidecar);
    if !extension(sidecar).eq_ignore_ascii_case(b"xmp") || name(base).is_empty() {
        return Ok(None);
    }
    if is_photo(base)
        && let Some(identity) = identity(base)?
    {
        return Ok(Some(identity));
    }
    let spellings = PHOTOS.iter().flat_map(|photo| {
        let title = photo[..1].to_ascii_uppercase() + &photo[1..];
        [(*photo).to_owned(), photo.to_ascii_uppercase(), title]
    });
    spellings
        .map(|extension| [base, b".", extension.as_bytes()].concat())
        .find_map(|photo| identity(&photo).transpose())
        .transpose()
}

fn is_photo(name: &[u8]) -> bool {
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

/// Extensions of photos and films, raw files first.
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
}
