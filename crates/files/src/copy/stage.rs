//! What threads do for a file: find its place, look what is there, copy it to a temporary file.
//!
//! ```text
//! for each destination                                          state
//! an earlier run finished it, and its name has that length      Earlier
//! its name has the same content                                 Present
//! else: copied to DEST/.hashdyno-copy/N, attributes, fsync      Temp
//! ```
//!
//! One reading of a source serves all destinations that lack it. It is read once more only where
//! its name has a file of its length. To look is a forecast: files that are staged beside this one
//! may take the name first. So `place` looks again, on the one thread that gives names.

use std::fs::File;
use std::io::{self, Seek};
use std::os::fd::AsFd;

use hashdyno::Output;
use jiff::Timestamp;
use jiff::tz::Offset;
use rustix::fs::{FileType, OFlags, Stat, fstat, fsync};

use super::date::Taken;
use super::job::{CopyJob, OnConflict, Undated};
use super::journal::Finished;
use super::report::{Clock, Phase};
use super::sidecars::{Sidecar, sidecars_of};
use super::site::Site;
use super::sources::Found;
use super::suffix::{LAST_SUFFIX, is_suffixed, suffixed};
use super::target::{Target, Temp};
use super::verify::{Verify, read_back};
use super::write::{Seen, changed, finish, transfer};
use crate::read::names::{name, quoted};
use crate::read::open::open_found;

/// A file that is ready to be given its name.
pub struct Staged {
    /// Its name in the source.
    pub source: Vec<u8>,
    /// Its name below a destination, if nothing is in the way; empty for a side-car, whose name
    /// follows from its photo's.
    pub place: Vec<u8>,
    /// What it is, if it travels with a photo.
    pub sidecar: Option<Sidecar>,
    /// For each destination, what there is of it; or why it cannot be copied at all.
    pub states: io::Result<Vec<io::Result<SiteState>>>,
    /// What was seen of it, when it could be opened.
    pub seen: Seen,
    /// Its digests, unless every destination has it from an earlier run.
    pub values: Vec<Output>,
}

/// What a destination has of a file.
pub enum SiteState {
    /// All, by an earlier run of this job, whose line is at that offset.
    Earlier(u64, Finished),
    /// All, under this name. With it the line of the journal that once gave it another name, if
    /// that has gone since.
    Present(Vec<u8>, Option<u64>),
    /// A temporary file. With it what of times, mode and attributes was not kept, and the line of
    /// the journal that once spoke of this file, if it has gone since.
    Temp(Temp, Option<String>, Option<u64>),
}

/// How the name of a file is found.
#[derive(Clone, Copy)]
enum Goes<'a> {
    /// By the layout, from its path in the source.
    By(&'a [u8]),
    /// It is a side-car: the name at each destination where that of its photo is known already.
    Beside(&'a [Option<Vec<u8>>]),
}

/// Copies a file and its side-cars to temporary files.
pub fn stage(job: &CopyJob, sites: &[Site], found: &Found, clock: &Clock) -> Vec<Staged> {
    let goes = Goes::By(&found.path);
    let mut staged = vec![stage_one(job, sites, &found.source, found.named, goes, clock)];
    let sidecars = match sidecars_of(&found.source) {
        Ok(sidecars) => sidecars,
        Err(error) => {
            staged[0].states = Err(error);
            return staged;
        }
    };
    // A photo with a temporary file gets its name later. Until then its side-car's name is not
    // known.
    let name = |state: &io::Result<SiteState>| match state {
        Ok(SiteState::Earlier(_, finished)) => Some(finished.entry.name.clone()),
        Ok(SiteState::Present(name, _)) => Some(name.clone()),
        _ => None,
    };
    let photos: Vec<Option<Vec<u8>>> = match &staged[0].states {
        Ok(states) => states.iter().map(name).collect(),
        Err(_) => vec![None; sites.len()],
    };
    for sidecar in sidecars {
        let beside = |photo: &Option<Vec<u8>>| Some(sidecar.beside(photo.as_deref()?));
        let beside: Vec<_> = photos.iter().map(beside).collect();
        let (named, goes) = (sidecar.named(found.named), Goes::Beside(&beside));
        let one = stage_one(job, sites, &sidecar.source, named, goes, clock);
        staged.push(Staged { sidecar: Some(sidecar), ..one });
    }
    staged
}

/// Stages a file.
fn stage_one(
    job: &CopyJob,
    sites: &[Site],
    source: &[u8],
    named: usize,
    goes: Goes,
    clock: &Clock,
) -> Staged {
    let nothing = Seen { size: 0, modified: (0, 0) };
    let mut staged = Staged {
        source: source.to_vec(),
        place: Vec::new(),
        sidecar: None,
        states: Ok(Vec::new()),
        seen: nothing,
        values: Vec::new(),
    };
    staged.states = open_found(source, named, OFlags::empty())
        .and_then(|file| fill(job, sites, file, goes, clock, &mut staged));
    staged
}

fn fill(
    job: &CopyJob,
    sites: &[Site],
    file: File,
    goes: Goes,
    clock: &Clock,
    staged: &mut Staged,
) -> io::Result<Vec<io::Result<SiteState>>> {
    let before = fstat(&file)?;
    // By the open file: its name may lead elsewhere since the walk has met it.
    if FileType::from_raw_mode(before.st_mode) != FileType::RegularFile {
        return Err(is_folder_by_now());
    }
    staged.seen = Seen::of(&before);
    let wanted = match goes {
        Goes::By(path) => {
            staged.place = place(job, &file, &before, path)?;
            vec![Some(staged.place.clone()); sites.len()]
        }
        Goes::Beside(names) => names.to_vec(),
    };
    // A side-car's name can change until its photo is placed, so nothing is compared with it here.
    let settled = matches!(goes, Goes::By(_));
    let mut source = Source { job, file, before, clock, values: None };
    let mut looks: Vec<_> = sites
        .iter()
        .zip(&wanted)
        .map(|(site, wanted)| look(&mut source, site, staged, wanted.as_deref(), settled))
        .collect();
    let missing: Vec<_> = looks.iter().map(|look| matches!(look, Ok(Look::Missing(_)))).collect();
    if missing.contains(&true) {
        let wanting = sites.iter().zip(&missing).filter(|(_, missing)| **missing);
        let mut temps =
            source.copy(wanting.map(|(site, _)| site.target.temp()).collect())?.into_iter();
        for look in looks.iter_mut() {
            if let Ok(Look::Missing(stale)) = look {
                let temp = temps
                    .next()
                    .expect("there is a temporary file for each destination that lacks this one");
                *look = temp.map(|(temp, unkept)| Look::Is(SiteState::Temp(temp, unkept, *stale)));
            }
        }
    }
    staged.values = source.values.unwrap_or_default();
    let is = |look| match look {
        Ok(Look::Is(state)) => Ok(state),
        Ok(Look::Missing(_)) => unreachable!("it was copied, or that failed"),
        Err(error) => Err(error),
    };
    Ok(looks.into_iter().map(is).collect())
}

/// What was a file when its folder was read is none any more.
pub fn is_folder_by_now() -> io::Error {
    io::Error::other("is a folder by now, not a file")
}

/// Where a file goes below each destination.
pub fn place(job: &CopyJob, file: &File, before: &Stat, path: &[u8]) -> io::Result<Vec<u8>> {
    let mut taken = if job.layout.asks_photos() { Taken::read(file) } else { Taken::default() };
    if taken.date.is_none() && job.undated == Undated::FileTime {
        let time = Timestamp::from_second(before.st_mtime).map_err(io::Error::other)?;
        (taken.date, taken.offset) = (Some(Offset::UTC.to_datetime(time)), Some(Offset::UTC));
    }
    job.layout.place(path, &taken).map_err(io::Error::other)
}

/// A finished temporary file, and what of times, mode and attributes was not kept.
type Ready = (Temp, Option<String>);

enum Look {
    /// It has all of the file.
    Is(SiteState),
    /// It must be copied; the line of the journal that says otherwise.
    Missing(Option<u64>),
}

/// What a destination has of a file. Whether a side-car is there is seen only when its photo has
/// its name; an earlier run has finished it only if it is beside that name.
fn look(
    source: &mut Source,
    site: &Site,
    staged: &Staged,
    wanted: Option<&[u8]>,
    settled: bool,
) -> io::Result<Look> {
    let mut stale = None;
    // The earlier run may have given it a suffix, or have been called with other sources.
    let fits = |name: &[u8]| wanted.is_some_and(|wanted| is_suffixed(wanted, name));
    if let Some((line, finished)) = site.earlier.find(&staged.source, staged.seen, fits) {
        match site.target.stat(&finished.entry.name)? {
            Some(stat) if is_file_of(&stat, staged.seen.size) => {
                return Ok(Look::Is(SiteState::Earlier(line, finished)));
            }
            // Somebody removed or changed the file: its line holds no longer, and it is copied
            // again.
            _ => stale = Some(line),
        }
    }
    if !settled {
        return Ok(Look::Missing(stale));
    }
    for place in suffixed(&staged.place) {
        match site.target.stat(&place)? {
            None => return Ok(Look::Missing(stale)),
            Some(stat) if is_file_of(&stat, staged.seen.size) => {
                let values = source.values()?;
                if has(source.job, &site.target, &place, &values)? {
                    return Ok(Look::Is(SiteState::Present(place, stale)));
                }
            }
            Some(_) => {}
        }
        // Whether it may replace that file depends on files that are placed before it: `place`
        // decides, with the temporary file at hand.
        if source.job.on_conflict == OnConflict::Replace {
            return Ok(Look::Missing(stale));
        }
        taken(source.job, &site.target, &place)?;
    }
    Err(exhausted())
}

/// Whether the file of that name has these digests; if so, it is durable.
pub fn has(job: &CopyJob, target: &Target, place: &[u8], values: &[Output]) -> io::Result<bool> {
    match compare(job, target, place, values) {
        // It was moved aside since its name was seen: an earlier file of the job replaces it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        compared => compared,
    }
}

/// As [`has`], of a file that must be there.
fn compare(job: &CopyJob, target: &Target, place: &[u8], values: &[Output]) -> io::Result<bool> {
    let back = read_back(|flags| target.read(place, flags), Verify::Cache, &job.digests, |_| {})?;
    if back.values != values {
        return Ok(false);
    }
    // Whoever wrote the file may have left it in memory. A journal line says that it is durable.
    fsync(target.read(place, OFlags::empty())?.as_fd())?;
    Ok(true)
}

/// Whether that is a file of that length.
pub fn is_file_of(stat: &Stat, size: u64) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && Seen::of(stat).size == size
}

/// A name that has another content is an error, if that was asked for.
pub fn taken(job: &CopyJob, target: &Target, place: &[u8]) -> io::Result<()> {
    match job.on_conflict {
        OnConflict::Suffix | OnConflict::Replace => Ok(()),
        OnConflict::Refuse => {
            let shown = [name(target.path()), place].join(&b'/');
            Err(io::Error::other(format!("{} has another content", quoted(&shown))))
        }
    }
}

/// No name is left.
pub fn exhausted() -> io::Error {
    io::Error::other(format!("{LAST_SUFFIX} other contents have its name"))
}

/// A source that is read once if nothing of its length is in the way, else twice.
struct Source<'a> {
    job: &'a CopyJob,
    file: File,
    before: Stat,
    clock: &'a Clock,
    values: Option<Vec<Output>>,
}

impl Source<'_> {
    fn values(&mut self) -> io::Result<Vec<Output>> {
        if self.values.is_none() {
            self.values = Some(self.read(&mut [])?);
        }
        Ok(self.values.clone().unwrap_or_default())
    }

    fn copy(&mut self, mut temps: Vec<io::Result<Temp>>) -> io::Result<Vec<io::Result<Ready>>> {
        let values = self.read(&mut temps)?;
        if temps.iter().any(Result::is_ok) {
            // The first reading was compared with files of the destination. This one must agree
            // with it.
            if self.values.as_ref().is_some_and(|before| *before != values) {
                return Err(changed());
            }
            self.values = Some(values);
        }
        let done = |temp: io::Result<Temp>| {
            let temp = temp?;
            let unkept = finish(&temp, &self.file, &self.before, self.clock)?;
            Ok((temp, unkept))
        };
        Ok(temps.into_iter().map(done).collect())
    }

    fn read(&mut self, temps: &mut [io::Result<Temp>]) -> io::Result<Vec<Output>> {
        self.clock.time(Phase::Reading, || self.file.rewind())?;
        transfer(&self.file, &self.before, temps, &self.job.digests, self.clock)
    }
}
