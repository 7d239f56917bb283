//! What a copy would do, without doing it: nothing is made, nothing is written.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{FileType, OFlags, fstat};

use super::job::{Job, OnConflict};
use super::sidecars::sidecars_of;
use super::sources::{Found, Sources};
use super::stage::{exhausted, is_folder_by_now, place};
use super::suffix::suffixed;
use super::verify::{Verify, read_back};
use crate::read::names;
use crate::read::open::open_found;

/// What would become of a file at one destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It would be copied under the name that it should have.
    Copy,
    /// It is there with the same content.
    Present,
    /// Its name has another content: it would be copied under a name of its own.
    Beside,
    /// It would take the place of another content.
    Replace,
    /// Its name has another content, and it would not be copied.
    Refuse,
}

impl Fate {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Copy => "would-copy",
            Self::Present => "present",
            Self::Beside => "would-copy-beside",
            Self::Replace => "would-replace",
            Self::Refuse => "would-refuse",
        }
    }
}

/// A file that a copy would come to.
#[derive(Debug)]
pub struct Planned<'a> {
    /// Its name in the source.
    pub source: &'a [u8],
    /// The destination.
    pub destination: &'a Path,
    /// Its name below the destination.
    pub name: &'a [u8],
    /// In bytes.
    pub size: u64,
    /// What would become of it.
    pub fate: Fate,
}

/// Tells `hear` of each file at each destination, and `fail` of what cannot be read.
///
/// # Errors
/// What `hear` or `fail` gives.
pub fn plan(
    job: &Job,
    hear: &mut dyn FnMut(&Planned<'_>) -> io::Result<()>,
    fail: &mut dyn FnMut(&[u8], io::Error) -> io::Result<()>,
) -> io::Result<()> {
    let mut taken = vec![HashSet::new(); job.destinations.len()];
    for found in Sources::new(job.sources.clone(), job.list.as_deref(), job.include.clone()) {
        let found = match found {
            Ok(found) => found,
            Err((folder, error)) => {
                fail(&folder, error)?;
                continue;
            }
        };
        let photo = match Wanted::of(job, &found) {
            Ok(photo) => photo,
            Err(error) => {
                fail(&found.source, error)?;
                continue;
            }
        };
        let sidecars = match sidecars_of(&found.source) {
            Ok(sidecars) => sidecars,
            Err(error) => {
                fail(&found.source, error)?;
                continue;
            }
        };
        for (destination, taken) in job.destinations.iter().zip(&mut taken) {
            let name = photo.at(job, destination, &photo.place, taken, hear, fail)?;
            for sidecar in &sidecars {
                match Wanted::open(&sidecar.source, sidecar.named(found.named)) {
                    Ok(wanted) => drop(wanted.at(
                        job,
                        destination,
                        &sidecar.beside(&name),
                        taken,
                        hear,
                        fail,
                    )?),
                    Err(error) => fail(&sidecar.source, error)?,
                }
            }
        }
    }
    Ok(())
}

/// A source and where it should go.
struct Wanted {
    source: Vec<u8>,
    /// Bytes of the source's name that somebody named: there links are followed.
    named: usize,
    place: Vec<u8>,
    size: u64,
}

impl Wanted {
    fn of(job: &Job, found: &Found) -> io::Result<Self> {
        let file = open_found(&found.source, found.named, OFlags::empty())?;
        let stat = fstat(&file)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(is_folder_by_now());
        }
        Ok(Self {
            place: place(job, &file, &stat, &found.path)?,
            source: found.source.clone(),
            named: found.named,
            size: stat.st_size as u64,
        })
    }

    fn open(source: &[u8], named: usize) -> io::Result<Self> {
        let size = open_found(source, named, OFlags::empty())?.metadata()?.len();
        Ok(Self { source: source.to_vec(), named, place: Vec::new(), size })
    }

    /// Tells what would become of it at a destination; gives the name that it would have.
    fn at(
        &self,
        job: &Job,
        destination: &Path,
        wanted: &[u8],
        taken: &mut HashSet<Vec<u8>>,
        hear: &mut dyn FnMut(&Planned<'_>) -> io::Result<()>,
        fail: &mut dyn FnMut(&[u8], io::Error) -> io::Result<()>,
    ) -> io::Result<Vec<u8>> {
        match self.fate(job, destination, wanted, taken) {
            Ok((name, fate)) => {
                taken.insert(name.clone());
                hear(&Planned {
                    source: &self.source,
                    destination,
                    name: &name,
                    size: self.size,
                    fate,
                })?;
                Ok(name)
            }
            Err(error) => {
                fail(&self.source, error)?;
                Ok(wanted.to_vec())
            }
        }
    }

    fn fate(
        &self,
        job: &Job,
        destination: &Path,
        wanted: &[u8],
        taken: &HashSet<Vec<u8>>,
    ) -> io::Result<(Vec<u8>, Fate)> {
        for name in suffixed(wanted) {
            let free = if name == wanted { Fate::Copy } else { Fate::Beside };
            let there = match destination.join(names::path(&name)).symlink_metadata() {
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                there => Some(there?),
            };
            match there {
                None if !taken.contains(&name) => return Ok((name, free)),
                Some(there)
                    if there.is_file()
                        && there.len() == self.size
                        && self.is_same(job, destination, &name)? =>
                {
                    return Ok((name, Fate::Present));
                }
                _ => {}
            }
            match job.on_conflict {
                OnConflict::Suffix => {}
                OnConflict::Refuse => return Ok((name, Fate::Refuse)),
                OnConflict::Replace => return Ok((name, Fate::Replace)),
            }
        }
        Err(exhausted())
    }

    /// Whether the file of that name has this content; both are read.
    fn is_same(&self, job: &Job, destination: &Path, name: &[u8]) -> io::Result<bool> {
        let values = |open: &dyn Fn(OFlags) -> io::Result<File>| {
            let open = |flags| Ok(open(flags)?.into());
            read_back(open, Verify::Cache, &job.digests, |_| {}).map(|back| back.values)
        };
        let own = values(&|flags| open_found(&self.source, self.named, flags))?;
        Ok(values(&|_| File::open(destination.join(names::path(name))))? == own)
    }
}
