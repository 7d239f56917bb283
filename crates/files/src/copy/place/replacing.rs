//! Files that take names from other contents, or lose theirs.
//!
//! ```text
//!                                NAME    NAME.replaced   NAME.damaged
//! before                         old     -               -
//! keep(), folder synced          -       old             -
//! give()                         new     old             -
//! proved: remove_replaced()      new     -               -
//! damaged: set_aside()           -       old             new
//!          void line synced      -       old             new
//!          restore_replaced()    old     -               new
//! not proved                     new     old             -
//! interrupted, then resumed: recover() finds
//!   the line of keep() alone     old     -               -          nothing was done
//!   no new file                  old     -               -          old has its name again
//!   a file under the name        new     old             -          old goes when new is proved
//! ```
//!
//! At every moment the old content has a name. It is moved before the new file comes, as a rename
//! over it could not be undone. It is removed only when the new file was read back and is right.
//! The line of the new file is void on the device before the old content has the name again. A line
//! that a power cut brought back would have `--resume` take the old content for a damaged copy.

use std::io;

use rustix::fs::{FileType, Stat};

use super::super::job::{CopyJob, Failure, Watch};
use super::super::journal::asides::Aside;
use super::super::journal::{Earlier, Finished, folded, folded_hash};
use super::super::site::{Line, Site};
use super::super::stage::{Staged, exhausted, has};
use super::super::suffix::suffixed;
use super::super::target::{Target, Temp};
use super::{Ledger, TAKEN};
use crate::read::names::quoted;

impl Ledger {
    /// A file that was there when it was staged. If an earlier file of this job has taken its name
    /// since, what that one moved aside is this one's content, and gets a name of its own.
    pub(super) fn still_present(
        &mut self,
        job: &CopyJob,
        target: &Target,
        file: &Staged,
        name: Vec<u8>,
        wanted: &[u8],
    ) -> io::Result<(Vec<u8>, bool)> {
        let key = folded(&name);
        let Some((_, aside)) = self.replaced.get(&key).cloned() else { return Ok((name, true)) };
        if has(job, target, &name, &file.values)? {
            return Ok((name, true));
        }
        // Whoever has the name holds another content, and so does the file that was moved aside.
        if !has(job, target, &aside, &file.values)? {
            return Err(io::Error::other(TAKEN));
        }
        for free in suffixed(wanted) {
            if target.restore(&aside, &free)? {
                self.replaced.remove(&key);
                return Ok((free, true));
            }
        }
        Err(exhausted())
    }

    /// Whether a file may replace the one of that name: not one that this job has copied from
    /// another source, now or in an earlier run.
    pub(super) fn may_replace(&self, earlier: &Earlier, file: &Staged, name: &[u8]) -> bool {
        let of_this = |(line, finished): (u64, Finished)| {
            self.is_void(line) || finished.source == file.source
        };
        !self.given.contains(&folded_hash(name)) && earlier.named(name).all(of_this)
    }

    /// Strikes out the lines of earlier runs that say of a name what it no longer holds: else they
    /// would find the new file damaged. And those that say the same of the same source.
    pub(super) fn supersede(
        &mut self,
        site: &Site,
        file: &Staged,
        name: &[u8],
        watch: &mut dyn Watch,
    ) -> io::Result<()> {
        let holds = |finished: &Finished| {
            finished.entry.claims.iter().all(|claim| file.values.contains(&claim.value))
        };
        // The same file was copied again, as when it was gone: one line of it is enough.
        let again = |(line, finished): &Line| {
            finished.source == file.source
                && finished.entry.name == name
                && !self.claimed.contains(line)
        };
        let wrong: Vec<Line> = site
            .earlier
            .named(name)
            .filter(|line| !self.is_void(line.0))
            .filter(|line| {
                again(line)
                    || !holds(&line.1) && is_one_file(&site.target, &line.1.entry.name, name)
            })
            .collect();
        for line in wrong {
            // A file of this job was found finished under that line, and counted. Its content is
            // gone by now.
            let was_counted = self.claimed.contains(&line.0);
            self.void(line.0);
            if was_counted {
                self.uncount(&line);
                watch.failed(&Failure {
                    source: &line.1.source,
                    destination: Some(site.target.path()),
                    reason: TAKEN.to_owned(),
                })?;
            }
        }
        Ok(())
    }

    /// Takes a name from another content, which is kept until the new file is proved.
    pub(super) fn replace(
        &mut self,
        target: &Target,
        temp: &mut Temp,
        name: Vec<u8>,
        there: Option<Stat>,
    ) -> io::Result<(Vec<u8>, bool)> {
        // A folder would take all that is in it along, and a link is not the file that it leads to.
        if !there.is_some_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile)
        {
            return Err(io::Error::other(format!(
                "{} is not a file, and is not replaced",
                quoted(&name)
            )));
        }
        let inode = there.map_or(0, |stat| stat.st_ino);
        let aside = target.keep(&name, |aside| {
            self.journal.aside(&Aside { name: name.clone(), aside: aside.to_vec(), inode })
        })?;
        match target.give(temp, &name, &mut self.touched) {
            Ok(true) => {
                self.replaced.insert(folded(&name), (name.clone(), aside));
                Ok((name, false))
            }
            failed => {
                // Nothing was lost: the old content gets its name back before the failure is told.
                target.restore(&aside, &name)?;
                Err(failed.err().unwrap_or_else(|| {
                    io::Error::other(format!("{} was made meanwhile", quoted(&name)))
                }))
            }
        }
    }

    /// Goes on with the contents that an interrupted run had moved aside. Where nothing has taken a
    /// name, the old content gets it back.
    pub fn recover(&mut self, site: &mut Site) -> io::Result<()> {
        for Aside { name, aside, inode } in site.earlier.asides() {
            // Another file of that name is a user's. What cannot be looked at stays where it is:
            // by now, a link may be in the place of its folder.
            let (Ok(Some(moved)), Ok(there)) = (site.target.stat(&aside), site.target.stat(&name))
            else {
                continue;
            };
            if moved.st_ino != inode {
                continue;
            }
            if there.is_some() {
                self.replaced.insert(folded(&name), (name, aside));
                continue;
            }
            let lines: Vec<u64> = site.earlier.named(&name).map(|(line, _)| line).collect();
            for line in lines {
                self.void_durably(line)?;
                site.earlier.strike_out(line);
            }
            site.target.restore(&aside, &name)?;
        }
        Ok(())
    }

    /// The new file of that name is proved: the file that it has replaced is removed. Where that
    /// fails, it stays under its other name.
    pub fn remove_replaced(&mut self, target: &Target, name: &[u8]) {
        let removed = self.take_replaced(name).is_some_and(|aside| target.remove(&aside).is_ok());
        self.tally.replaced += u64::from(removed);
    }

    /// The new file of that name, of that line, is damaged and was moved away: what it has replaced
    /// gets its name again, if the line is durably void. Gives words about it.
    pub fn restore_replaced(&mut self, target: &Target, line: u64, name: &[u8]) -> String {
        let Some(aside) = self.take_replaced(name) else { return String::new() };
        match self.void_durably(line).and_then(|()| target.restore(&aside, name)) {
            Ok(true) => "; the file that it replaced has its name again".to_owned(),
            _ => format!("; the file that it replaced is {}", quoted(&aside)),
        }
    }

    pub(super) fn has_replaced(&self, name: &[u8]) -> bool {
        self.replaced.get(&folded(name)).is_some_and(|(new, _)| new == name)
    }

    /// What the new file of that name has replaced.
    fn take_replaced(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let replaced =
            if self.has_replaced(name) { self.replaced.remove(&folded(name)) } else { None };
        replaced.map(|(_, aside)| aside)
    }
}

/// Whether two names are one file's: a file system that ignores case knows it by many.
pub(super) fn is_one_file(target: &Target, one: &[u8], other: &[u8]) -> bool {
    let identity =
        |name: &[u8]| target.stat(name).ok().flatten().map(|stat| (stat.st_dev, stat.st_ino));
    one == other || identity(one).is_some_and(|one| identity(other) == Some(one))
}
