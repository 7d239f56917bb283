//! What the calling thread does at one destination: give files their names, and bring them and the
//! journal to the device.
//!
//! ```text
//! state      step                                              a power cut behind it leaves
//! staged     temporary file, synced                            nothing under the name
//! pending    place(): a rename that replaces nothing           the whole file, or nothing
//!            flush(): 1. fsync of every folder in `touched`    the file; the next run finds it
//!                     2. its line, then fdatasync              the file and its line
//! finished   `copied` or `present` counts it
//! ```
//!
//! Each file is counted once: when it fails, when it is found finished, or when its line is
//! durable. A file of a job takes no name from another of that job, whatever `--on-conflict` says:
//! `given` has the names that are taken, where files are replaced.
//!
//! A run that was killed may have made `a/` in DEST and not synced DEST. The next run finds `a/`,
//! and makes nothing in DEST. So the first file of a run in a folder touches all folders above it.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use jiff::Timestamp;

use super::job::{CopyJob, Failure, OnConflict, Renamed, Watch};
use super::journal::{Earlier, Finished, Journal, folded_hash};
use super::report::Tally;
use super::site::{Line, Site};
use super::stage::{SiteState, Staged, exhausted, has, is_file_of, taken};
use super::suffix::{is_suffixed, suffixed};
use super::target::{Target, Temp, parent};
use crate::list::algorithm::alone;
use crate::list::{Claim, Entry};
use crate::read::names::path;
use crate::read::open::reason;

/// A destination's books.
pub struct Ledger {
    pub journal: Journal,
    pub tally: Tally,
    /// Where the lines of earlier runs end.
    earlier_end: u64,
    /// Lines that this run has found to hold no longer.
    void: BTreeSet<u64>,
    /// Lines of earlier runs that speak of files of this job. Some may be void by now.
    claimed: BTreeSet<u64>,
    /// Files that have their names, and are not in the journal yet.
    pending: Vec<Finished>,
    /// Bytes of the pending files.
    bytes: u64,
    /// Folders that must reach the device for those names to last.
    touched: BTreeSet<Vec<u8>>,
    /// The folder of the file that got its name last: one, as memory must not grow with folders.
    last: Option<Vec<u8>>,
    /// Hashes of the names that files of this job have, whatever their case. It is filled only
    /// where files are replaced: nobody else asks.
    given: BTreeSet<u64>,
    /// New files and those that they have replaced, until the new ones are proved, by the folded
    /// names of the new ones: of names that differ in case alone, one replaces.
    replaced: BTreeMap<String, (Vec<u8>, Vec<u8>)>,
}

/// Pending files or bytes that are brought to the device together. A sync waits for the device, so
/// one for each file would take most of a copy of small files. Work that a power cut costs is at
/// most as much.
const TOGETHER: usize = 64;
const TOGETHER_BYTES: u64 = 64 << 20;

/// Why a file is not there that was there before.
const TAKEN: &str = "another file has its name by now: it must be copied again";

impl Ledger {
    /// Of a destination that nothing was done at.
    pub fn new(target: &Target, journal: Journal) -> Self {
        let tally = Tally { path: target.path().to_owned(), ..Tally::default() };
        let earlier_end = journal.len();
        Self {
            journal,
            tally,
            earlier_end,
            void: BTreeSet::new(),
            claimed: BTreeSet::new(),
            pending: Vec::new(),
            bytes: 0,
            touched: BTreeSet::new(),
            last: None,
            given: BTreeSet::new(),
            replaced: BTreeMap::new(),
        }
    }

    /// Gives a file its name, or says why it has none. Gives the name that it has.
    pub fn place(
        &mut self,
        job: &CopyJob,
        site: &Site,
        file: &mut Staged,
        at: usize,
        wanted: &[u8],
        watch: &mut dyn Watch,
    ) -> io::Result<Option<Vec<u8>>> {
        let states =
            file.states.as_mut().expect("a file that cannot be copied at all is not placed");
        let state = std::mem::replace(&mut states[at], Err(io::Error::other("was placed already")));
        let placed = match state {
            Err(error) => Err(error),
            // Another file has taken its name since it was staged.
            Ok(SiteState::Earlier(line, _)) if self.is_void(line) => Err(io::Error::other(TAKEN)),
            Ok(SiteState::Earlier(_, finished))
                if file.sidecar.is_some() && !is_suffixed(wanted, &finished.entry.name) =>
            {
                Err(io::Error::other("its photo has another name by now: it must be copied again"))
            }
            Ok(SiteState::Earlier(line, finished)) => {
                self.tally.earlier += 1;
                self.claimed.insert(line);
                self.note_given(job, &finished.entry.name);
                return Ok(Some(finished.entry.name));
            }
            // The stale line of this source is struck out before the new one is written.
            Ok(SiteState::Present(name, stale)) => {
                stale.into_iter().for_each(|line| self.void(line));
                self.still_present(job, &site.target, file, name, wanted)
            }
            Ok(SiteState::Temp(mut temp, unkept, stale)) => {
                stale.into_iter().for_each(|line| self.void(line));
                let placed = self.give(job, site, &mut temp, file, wanted);
                // A file that was there already has times of its own, and nothing of it was lost
                // here.
                if matches!(placed, Ok((_, false))) {
                    self.unkept(unkept, file);
                }
                placed
            }
        };
        match placed {
            Ok((name, present)) => {
                self.note_given(job, &name);
                // Before the new line, so that the sync of that one makes these durable, too.
                self.supersede(site, file, &name, watch)?;
                if name != wanted || self.has_replaced(&name) {
                    self.tally.renamed += u64::from(name != wanted);
                    watch.renamed(&Renamed {
                        source: &file.source,
                        destination: site.target.path(),
                        wanted,
                        name: &name,
                    })?;
                }
                self.pending.push(finished(job, file, name.clone(), present));
                self.bytes += file.seen.size;
                // Whoever made the file or the folders may not have brought them to the device.
                if present || self.last.as_deref() != Some(parent(&name)) {
                    self.touched.extend(folders(&name));
                    self.last = Some(parent(&name).to_vec());
                }
                Ok(Some(name))
            }
            Err(error) => {
                self.tally.failed += 1;
                // Else the file of an earlier run would be proved, and could fail a second time.
                let line =
                    site.earlier.find(&file.source, file.seen, |name| is_suffixed(wanted, name));
                line.into_iter().for_each(|(line, _)| self.void(line));
                let destination = Some(site.target.path());
                watch.failed(&Failure {
                    source: &file.source,
                    destination,
                    reason: reason(&error),
                })?;
                Ok(None)
            }
        }
    }

    /// Brings what has its name to the device, if that is enough at a time.
    pub fn flush_if_full(&mut self, target: &Target, watch: &mut dyn Watch) -> io::Result<()> {
        if self.pending.len() >= TOGETHER || self.bytes >= TOGETHER_BYTES {
            self.flush(target, watch)
        } else {
            Ok(())
        }
    }

    /// Brings what has its name to the device, and then says so in the journal.
    pub fn flush(&mut self, target: &Target, watch: &mut dyn Watch) -> io::Result<()> {
        let pending = std::mem::take(&mut self.pending);
        let touched = std::mem::take(&mut self.touched);
        self.bytes = 0;
        if pending.is_empty() {
            return Ok(());
        }
        // The folders before the lines: a line must not outlive the name that it speaks of.
        let durable = touched.iter().try_for_each(|folder| target.sync(folder));
        match durable.and_then(|()| self.journal.finished(&pending)) {
            Ok(()) => {
                let present = pending.iter().filter(|finished| finished.present).count() as u64;
                self.tally.present += present;
                self.tally.copied += pending.len() as u64 - present;
                Ok(())
            }
            Err(error) => {
                // A folder that is not on the device yet must still get there.
                self.touched.extend(touched);
                pending.iter().try_for_each(|finished| {
                    self.tally.failed += 1;
                    let reason = format!("is in place, but not in the journal: {}", reason(&error));
                    watch.failed(&Failure {
                        source: &finished.source,
                        destination: Some(target.path()),
                        reason,
                    })
                })
            }
        }
    }

    /// The finished files, of this run and earlier ones, whose lines still hold.
    pub fn standing<'a>(
        &'a self,
        earlier: &'a Earlier,
    ) -> io::Result<impl Iterator<Item = io::Result<Line>> + use<'a>> {
        let holds = |line: &u64| !earlier.is_void(*line) && !self.void.contains(line);
        let files = self.journal.files(self.journal.len())?;
        Ok(files.filter(move |line| line.as_ref().map_or(true, |(line, _)| holds(line))))
    }

    /// Strikes out a line of the journal. Where that cannot be written, the next run still looks
    /// whether the file is there.
    pub fn void(&mut self, line: u64) {
        if self.void.insert(line) {
            let _ = self.journal.void(line);
        }
    }

    /// Strikes out a line of the journal, and brings that to the device.
    pub fn void_durably(&mut self, line: u64) -> io::Result<()> {
        self.void.insert(line);
        self.journal.void_durably(line)
    }

    /// Whether this run has struck out that line.
    pub fn is_void(&self, line: u64) -> bool {
        self.void.contains(&line)
    }

    /// How many lines of earlier runs speak of files of this job: fewer than files where the job
    /// names one twice.
    pub fn claimed(&self) -> u64 {
        self.claimed.difference(&self.void).count() as u64
    }

    /// Counts a file as failed that was counted as in place. A resumed job need not name again what
    /// an earlier run had copied: such a file was not counted.
    pub fn uncount(&mut self, (line, finished): &Line) {
        let counted = match (*line < self.earlier_end, finished.present) {
            (true, _) => &mut self.tally.earlier,
            (false, true) => &mut self.tally.present,
            (false, false) => &mut self.tally.copied,
        };
        let was_counted = *line >= self.earlier_end || self.claimed.contains(line);
        *counted = counted.saturating_sub(was_counted.into());
        self.tally.failed += 1;
    }

    /// Gives a temporary file the first of its names that it can have. Of each name in turn:
    ///
    /// ```text
    /// nothing has it                  the file takes it
    /// a file with the same content    the file is there already, and this one is not needed
    /// another content                 it is replaced, or the next name is tried, or an error
    /// ```
    ///
    /// Staging has looked already. But other files of the job got their names since, and other
    /// programs write there, too.
    fn give(
        &mut self,
        job: &CopyJob,
        site: &Site,
        temp: &mut Temp,
        file: &Staged,
        wanted: &[u8],
    ) -> io::Result<(Vec<u8>, bool)> {
        let target = &site.target;
        for name in suffixed(wanted) {
            if target.give(temp, &name, &mut self.touched)? {
                return Ok((name, false));
            }
            let there = target.stat(&name)?;
            if there.is_some_and(|stat| is_file_of(&stat, file.seen.size))
                && has(job, target, &name, &file.values)?
            {
                return Ok((name, true));
            }
            if job.on_conflict == OnConflict::Replace
                && name == wanted
                && self.may_replace(&site.earlier, file, &name)
            {
                return self.replace(target, temp, name, there);
            }
            taken(job, target, &name)?;
        }
        Err(exhausted())
    }

    /// Remembers that a file of this job has that name, if the job replaces files.
    fn note_given(&mut self, job: &CopyJob, name: &[u8]) {
        if job.on_conflict == OnConflict::Replace {
            self.given.insert(folded_hash(name));
        }
    }

    /// Counts a file that lost times, mode or attributes; the first one says which.
    fn unkept(&mut self, unkept: Option<String>, file: &Staged) {
        if let Some(what) = unkept {
            self.tally.unkept += 1;
            self.tally
                .unkept_reason
                .get_or_insert_with(|| format!("{}: {what}", path(&file.source).display()));
        }
    }
}

/// The folders that a name lies in, from the destination itself on, each with the slash behind it.
fn folders(name: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let ends = (1..name.len()).filter(move |end| name[end - 1] == b'/');
    std::iter::once(0).chain(ends).map(move |end| name[..end].to_vec())
}

fn finished(job: &CopyJob, file: &Staged, name: Vec<u8>, present: bool) -> Finished {
    let claims = job
        .digests
        .iter()
        .zip(&file.values)
        .map(|(digest, value)| Claim { digests: alone(*digest), value: value.clone() });
    let (seconds, nanos) = file.seen.modified;
    let modified = i32::try_from(nanos).ok().and_then(|nanos| Timestamp::new(seconds, nanos).ok());
    let entry = Entry { name, claims: claims.collect(), size: Some(file.seen.size), modified };
    Finished { source: file.source.clone(), entry, present }
}

mod replacing;
#[cfg(test)]
mod tests;
