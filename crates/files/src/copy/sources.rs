//! The files that are to be copied, and where they lie in their source.
//!
//! ```text
//! command line     source            named: bytes that the user wrote     path
//! photos           photos/a.jpg      7, `photos/`                         photos/a.jpg
//! photos/.         photos/./a.jpg    9, `photos/./`                       a.jpg
//! photos/a.jpg     photos/a.jpg      12, all                              a.jpg
//! ```
//!
//! Links are followed in the part that the user wrote, and nowhere else. A side-car is left out
//! here if a photo of the job brings it. If `--include` leaves the photo out, it is a file of its
//! own.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use super::include::Include;
use super::layout::{name, tidy};
use super::sidecars::{Identity, identity, is_photo, photo_of, sidecars_of};
use crate::read::names;
use crate::read::walk::{Walk, is_folder};

/// A file to copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its name, as it is opened.
    pub source: Vec<u8>,
    /// How many bytes of that name the command line gave. No link is followed in the rest.
    pub named: usize,
    /// Its name below the destination if it lies there as in the source: `photos/a.jpg` of the
    /// folder `photos`, `a.jpg` of the folder `photos/.`, `a.jpg` of the file `photos/a.jpg`.
    pub path: Vec<u8>,
}

/// The files of a command line, folders opened up, in the order of their names. A side-car is left
/// to its photo, if that is among them.
pub struct Sources {
    paths: std::vec::IntoIter<Vec<u8>>,
    /// Photos of the command line, each by all the names that it has there.
    photos: HashMap<Identity, Vec<Vec<u8>>>,
    /// The manifest of the job, which may lie among the sources.
    list: Option<Identity>,
    include: Include,
    folder: Option<Folder>,
    left_out: u64,
}

struct Folder {
    walk: Walk,
    /// How much of each name is the source's own.
    cut: usize,
    /// What comes in its place.
    base: Vec<u8>,
}

impl Sources {
    /// Files and folders; links among them are followed, links in folders are not. `list` is a file
    /// that is no source.
    pub fn new(paths: Vec<Vec<u8>>, list: Option<&Path>, include: Include) -> Self {
        let mut photos: HashMap<Identity, Vec<Vec<u8>>> = HashMap::new();
        for path in paths.iter().filter(|path| is_photo(path)) {
            if let Ok(Some(photo)) = identity(path) {
                photos.entry(photo).or_default().push(path.clone());
            }
        }
        let list = list.and_then(|list| identity(names::name(list)).ok().flatten());
        Self { paths: paths.into_iter(), photos, list, include, folder: None, left_out: 0 }
    }

    /// Links, pipes and devices passed by so far.
    pub fn left_out(&self) -> u64 {
        self.left_out + self.folder.as_ref().map_or(0, |folder| folder.walk.left_out())
    }

    /// Whether a file of the command line is brought by a photo that is there, too.
    fn is_with_its_photo(&self, path: &[u8]) -> io::Result<bool> {
        let Some(photo) = photo_of(path)? else { return Ok(false) };
        // No photo brings a link.
        let Some(own) = identity(path)? else { return Ok(false) };
        let photos = self.photos.get(&photo.identity).into_iter().flatten();
        for photo in photos.filter(|photo| self.include.takes(name(photo))) {
            // Under its name in another folder, a hard link, it has other side-cars.
            for sidecar in sidecars_of(photo)? {
                if identity(&sidecar.source)? == Some(own) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a file of a folder is left out: the list, or a side-car that its photo brings. Its
    /// path below the source begins after `cut` bytes.
    fn is_left(&self, found: &[u8], cut: usize) -> io::Result<bool> {
        if self.list.is_some() && identity(found)? == self.list {
            return Ok(true);
        }
        let Some(photo) = photo_of(found)? else { return Ok(false) };
        // A pattern may take the photo by one of its names only. All are asked where it has
        // several.
        Ok(self.include.takes_all()
            || photo.names()?.iter().any(|name| self.include.takes(&name[cut..])))
    }
}

impl Iterator for Sources {
    type Item = Result<Found, (Vec<u8>, io::Error)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(folder) = &mut self.folder {
                match folder.walk.next() {
                    Some(Err(failed)) => return Some(Err(failed)),
                    Some(Ok(found)) => {
                        let (named, path) =
                            (folder.cut, [&folder.base[..], &found[folder.cut..]].concat());
                        // Patterns before side-cars: to look for a photo takes calls of the system.
                        if !self.include.takes(&found[named..]) {
                            continue;
                        }
                        match self.is_left(&found, named) {
                            Ok(true) => continue,
                            Ok(false) => return Some(Ok(Found { source: found, named, path })),
                            Err(error) => return Some(Err((found, error))),
                        }
                    }
                    None => {
                        // The walk goes, and its count with it.
                        self.left_out += folder.walk.left_out();
                        self.folder = None;
                    }
                }
            }
            let path = self.paths.next()?;
            let is_folder = match is_folder(&path) {
                Ok(is_folder) => is_folder,
                Err(error) => return Some(Err((path, error))),
            };
            if is_folder {
                self.folder = Some(Folder::new(&path));
                continue;
            }
            match self.is_with_its_photo(&path) {
                Ok(true) => {}
                Ok(false) => {
                    let below = name(&path).to_vec();
                    if !self.include.takes(&below) {
                        continue;
                    }
                    let source = opened(path);
                    return Some(Ok(Found { named: source.len(), source, path: below }));
                }
                Err(error) => return Some(Err((path, error))),
            }
        }
    }
}

impl Folder {
    fn new(path: &[u8]) -> Self {
        let whole = path.len() + usize::from(!path.ends_with(b"/"));
        // A walk of `.` gives names without a folder before them.
        let cut = if path == b"." { 0 } else { whole };
        let last = name(path.strip_suffix(b"/").unwrap_or(path));
        // `photos/.` and `photos/..` have no name that a copy could have.
        let base = if matches!(last, b"." | b"..") { None } else { tidy(last) };
        Self {
            walk: Walk::new(path),
            cut,
            base: base.map_or(Vec::new(), |base| [&base[..], b"/"].concat()),
        }
    }
}

/// A file that is called `-` is no standard input here.
fn opened(name: Vec<u8>) -> Vec<u8> {
    if name == b"-" { b"./-".to_vec() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(paths: &[&str]) -> (Vec<String>, u64) {
        included(paths, &[])
    }

    fn included(paths: &[&str], patterns: &[&str]) -> (Vec<String>, u64) {
        let patterns: Vec<_> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        let mut sources = Sources::new(
            paths.iter().map(|path| path.as_bytes().to_vec()).collect(),
            None,
            Include::parse(&patterns).unwrap(),
        );
        let paths =
            sources.by_ref().map(|found| String::from_utf8(found.unwrap().path).unwrap()).collect();
        (paths, sources.left_out())
    }

    #[test]
    fn files_keep_their_place_and_sidecars_are_left_to_photos() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_str().unwrap();
        std::fs::create_dir_all(format!("{root}/card/DCIM")).unwrap();
        for name in ["DCIM/a.JPG", "DCIM/a.xmp", "DCIM/a.JPG.xmp", "b.txt", "lonely.xmp"] {
            std::fs::write(format!("{root}/card/{name}"), name).unwrap();
        }
        for link in ["link", "other link"] {
            std::os::unix::fs::symlink("b.txt", format!("{root}/card/{link}")).unwrap();
        }
        for (source, base) in
            [("card", "card/"), ("card/", "card/"), ("card/.", ""), ("card/DCIM/..", "")]
        {
            let expected =
                ["DCIM/a.JPG", "b.txt", "lonely.xmp"].map(|name| format!("{base}{name}"));
            assert_eq!(found(&[&format!("{root}/{source}")]), (expected.to_vec(), 2), "{source}");
        }
        let named = ["a.JPG", "a.xmp", "gone"].map(|name| format!("{root}/card/DCIM/{name}"));
        assert_eq!(found(&[&named[0], &named[1], &named[2]]).0, ["a.JPG", "gone"]);
        assert_eq!(found(&[&named[1]]).0, ["a.xmp"]);
    }

    #[test]
    fn a_sidecar_is_left_only_to_a_photo_that_brings_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_str().unwrap();
        std::fs::create_dir(format!("{root}/card")).unwrap();
        for name in ["a.CR3", "a.JPG", "a.JPG.xmp", "a.xmp"] {
            std::fs::write(format!("{root}/card/{name}"), name).unwrap();
        }
        let card = format!("{root}/card/.");
        let named = ["a.CR3", "a.JPG", "a.JPG.xmp", "a.xmp"].map(|name| format!("{card}/{name}"));
        let named = named.each_ref().map(String::as_str);
        for (patterns, expected) in [
            (&["*.xmp"][..], &["a.JPG.xmp", "a.xmp"][..]),
            // The raw file has `a.xmp`, and is not copied.
            (&["*.JPG", "*.xmp"], &["a.JPG", "a.xmp"]),
            (&["a.*"], &["a.CR3", "a.JPG"]),
            (&["*.CR3"], &["a.CR3"]),
        ] {
            assert_eq!(included(&[&card], patterns).0, expected, "{patterns:?}");
            assert_eq!(included(&named, patterns).0, expected, "{patterns:?}");
        }

        // A hard link of the photo in another folder has no side-car there. No photo brings a link.
        let [other, link] = ["b.JPG", "c.JPG.xmp"].map(|name| format!("{root}/{name}"));
        std::fs::hard_link(format!("{root}/card/a.CR3"), &other).unwrap();
        assert_eq!(found(&[&other, named[3]]).0, ["b.JPG", "a.xmp"]);
        std::os::unix::fs::symlink("card/a.xmp", &link).unwrap();
        let photo = format!("{root}/c.JPG");
        std::fs::write(&photo, "a photo").unwrap();
        assert_eq!(found(&[&photo, &link]).0, ["c.JPG", "c.JPG.xmp"]);
    }
}
