//! What the calling thread does at one destination: give files their names, and bring them and the
//! journal to the device.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use jiff::Timestamp;
use rustix::fs::{FileType, Stat};

use super::job::{Failure, Job, OnConflict, Renamed, Watch};
use super::journal::{Earlier, Finished, Journal, hash};
use super::report::Tally;
use super::site::{Line, Site};
use super::stage::{Staged, State, exhausted, has, is_file_of, taken};
use super::suffix::suffixed;
use super::target::{Target, Temp, parent};
use crate::list::algorithm::alone;
use crate::list::{Claim, Entry};
use crate::read::names::{path, quoted};
use crate::read::open::reason;

/// A destination's books.
pub struct Ledger {
    pub journal: Journal,
    pub tally: Tally,
    /// Where the lines of earlier runs end.
    earlier_end: u64,
    /// Lines that this run has found to hold no longer.
    void: BTreeSet<u64>,
    /// Files that have their names, and are not in the journal yet.
    pending: Vec<Finished>,
    bytes: u64,
    /// Folders that hold those names.
    touched: BTreeSet<Vec<u8>>,
    /// Hashes of the names that files of this job have.
    given: BTreeSet<u64>,
    /// Files that new ones have replaced, by the names of the new ones, until those are proved.
    replaced: BTreeMap<Vec<u8>, Vec<u8>>,
}

/// So many files are brought to the device together, or so many bytes.
const TOGETHER: usize = 64;
const TOGETHER_BYTES: u64 = 64 << 20;

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
            pending: Vec::new(),
            bytes: 0,
            touched: BTreeSet::new(),
            given: BTreeSet::new(),
            replaced: BTreeMap::new(),
        }
    }

    /// Gives a file its name, or says why it has none. Gives the name that it has, or should have.
    pub fn place(
        &mut self,
        job: &Job,
        site: &Site,
        file: &mut Staged,
        at: usize,
        wanted: &[u8],
        watch: &mut dyn Watch,
    ) -> io::Result<Vec<u8>> {
        let states =
            file.states.as_mut().expect("a file that cannot be copied at all is not placed");
        let state = std::mem::replace(&mut states[at], Err(io::Error::other("was placed already")));
        let placed = match state {
            Err(error) => Err(error),
            Ok(State::Earlier(line, _)) if self.is_void(line) => {
                Err(io::Error::other("another file has its name by now: it must be copied again"))
            }
            Ok(State::Earlier(_, finished)) => {
                self.tally.earlier += 1;
                self.given.insert(hash(&finished.entry.name));
                return Ok(finished.entry.name);
            }
            Ok(State::Present(name)) => Ok((name, true)),
            Ok(State::Temp(mut temp, unkept, stale)) => {
                stale.into_iter().for_each(|line| self.void(line));
                let placed = self.give(job, site, &mut temp, file, wanted);
                if matches!(placed, Ok((_, false))) {
                    self.unkept(unkept, file);
                }
                placed
            }
        };
        match placed {
            Ok((name, present)) => {
                self.given.insert(hash(&name));
                self.supersede(&site.earlier, file, &name);
                if name != wanted || self.replaced.contains_key(&name) {
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
                self.touched.extend(present.then(|| parent(&name).to_vec()));
                Ok(name)
            }
            Err(error) => {
                self.tally.failed += 1;
                let destination = Some(site.target.path());
                watch.failed(&Failure {
                    source: &file.source,
                    destination,
                    reason: reason(&error),
                })?;
                Ok(wanted.to_vec())
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
        self.void.insert(line);
        let _ = self.journal.void(line);
    }

    /// Whether this run has struck out that line.
    pub fn is_void(&self, line: u64) -> bool {
        self.void.contains(&line)
    }

    /// Counts a file as failed that was counted as in place.
    pub fn uncount(&mut self, (line, finished): &Line) {
        let counted = match (*line < self.earlier_end, finished.present) {
            (true, _) => &mut self.tally.earlier,
            (false, true) => &mut self.tally.present,
            (false, false) => &mut self.tally.copied,
        };
        // A resumed job need not name again what an earlier run had copied.
        *counted = counted.saturating_sub(1);
        self.tally.failed += 1;
    }

    fn give(
        &mut self,
        job: &Job,
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

    /// Whether a file may replace the one of that name: not one that this job has copied from
    /// another source, now or in an earlier run.
    fn may_replace(&self, earlier: &Earlier, file: &Staged, name: &[u8]) -> bool {
        let of_this = |(line, finished): (u64, Finished)| {
            self.is_void(line) || finished.source == file.source
        };
        !self.given.contains(&hash(name)) && earlier.named(name).all(of_this)
    }

    /// Strikes out the lines of earlier runs that say of a name what it no longer holds: else they
    /// would find the new file damaged.
    fn supersede(&mut self, earlier: &Earlier, file: &Staged, name: &[u8]) {
        let holds = |finished: &Finished| {
            finished.entry.claims.iter().all(|claim| file.values.contains(&claim.value))
        };
        let wrong =
            earlier.named(name).filter(|(line, finished)| !self.is_void(*line) && !holds(finished));
        let wrong: Vec<_> = wrong.map(|(line, _)| line).collect();
        wrong.into_iter().for_each(|line| self.void(line));
    }

    /// Takes a name from another content, which is kept until the new file is proved.
    fn replace(
        &mut self,
        target: &Target,
        temp: &mut Temp,
        name: Vec<u8>,
        there: Option<Stat>,
    ) -> io::Result<(Vec<u8>, bool)> {
        if !there.is_some_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile)
        {
            return Err(io::Error::other(format!(
                "{} is not a file, and is not replaced",
                quoted(&name)
            )));
        }
        let aside = target.keep(&name)?;
        match target.give(temp, &name, &mut self.touched) {
            Ok(true) => {
                self.replaced.insert(name.clone(), aside);
                Ok((name, false))
            }
            failed => {
                target.restore(&aside, &name)?;
                Err(failed.err().unwrap_or_else(|| {
                    io::Error::other(format!("{} was made meanwhile", quoted(&name)))
                }))
            }
        }
    }

    /// The new file of that name is proved: the file that it has replaced is removed. Where that
    /// fails, it stays under its other name.
    pub fn remove_replaced(&mut self, target: &Target, name: &[u8]) {
        let removed = self.replaced.remove(name).is_some_and(|aside| target.remove(&aside).is_ok());
        self.tally.replaced += u64::from(removed);
    }

    /// The new file of that name is damaged and was moved away: what it has replaced gets its name
    /// again. Gives words about it.
    pub fn restore_replaced(&mut self, target: &Target, name: &[u8]) -> String {
        match self.replaced.remove(name).map(|aside| (target.restore(&aside, name), aside)) {
            None => String::new(),
            Some((Ok(true), _)) => "; the file that it replaced has its name again".to_owned(),
            Some((_, aside)) => format!("; the file that it replaced is {}", quoted(&aside)),
        }
    }

    fn unkept(&mut self, unkept: Option<String>, file: &Staged) {
        if let Some(what) = unkept {
            self.tally.unkept += 1;
            self.tally
                .unkept_reason
                .get_or_insert_with(|| format!("{}: {what}", path(&file.source).display()));
        }
    }
}

fn finished(job: &Job, file: &Staged, name: Vec<u8>, present: bool) -> Finished {
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

#[cfg(test)]
mod tests {
    use super::super::layout::Layout;
    use super::super::write::Seen;
    use super::*;

    #[test]
    fn the_first_file_that_lost_something_says_what() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::open(folder.path()).unwrap();
        let journal = target.journal().unwrap();
        let (journal, _) = Journal::open(journal, false, &Layout::default(), &[]).unwrap();
        let mut ledger = Ledger::new(&target, journal);
        for (name, unkept) in
            [("whole", None), ("first", Some("its mode: refused")), ("second", Some("its times"))]
        {
            let file = Staged {
                source: name.into(),
                place: name.into(),
                sidecar: None,
                states: Ok(Vec::new()),
                seen: Seen { size: 0, modified: (0, 0) },
                values: Vec::new(),
            };
            ledger.unkept(unkept.map(str::to_owned), &file);
        }
        assert_eq!(ledger.tally.unkept, 2);
        assert_eq!(ledger.tally.unkept_reason.unwrap(), "first: its mode: refused");
    }
}
