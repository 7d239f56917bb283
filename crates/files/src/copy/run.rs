//! A copy from beginning to end: stage and place every file, then prove every file.
//!
//! Worker threads stage and read back. Only the calling thread gives names and writes journals, so
//! two files of one job never race for a name.
//!
//! ```text
//! site::open          destinations opened and locked, earlier runs read, their rests removed
//! recover             contents that an earlier run had moved aside
//! stage, then take    each file with its side-cars, at each destination
//! flush               the last files get their lines: all files are in place
//! prove               each destination, by its journal
//! standing            the journal accounts for every file that was counted
//! listed              the manifest of the first destination
//! tidy                the journal goes where no file failed
//! ```
//!
//! The journal is removed last. A run that is killed before that is gone on with by `--resume`.

use std::io;

use super::job::{CopyError, CopyJob, Failure, Watch};
use super::place::Ledger;
use super::proving::{Reread, prove};
use super::report::{Clock, CopyReport};
use super::sidecars::{PHOTO_NOT_COPIED, PHOTO_NOT_THERE};
use super::site::{self, Site};
use super::sources::Sources;
use super::stage::{Staged, stage};
use crate::read::meter::Meter;
use crate::read::open::reason;
use crate::read::ordered::ordered;

/// Copies everything, then reads everything back. Of a file that fails, or changes while it is
/// read, nothing has its final name; the others go on. Files that are finished are in the
/// destination's journal, by which an interrupted job goes on: it is removed when nothing has
/// failed.
///
/// # Errors
/// [`CopyError`]: what ends the whole job, such as a destination that cannot be opened. A file that
/// fails is no error: it is told to `watch` and counted.
pub fn copy(job: &CopyJob, meter: Meter, watch: &mut dyn Watch) -> Result<CopyReport, CopyError> {
    let clock = Clock::new(meter);
    let (mut sites, journals) = site::open(job)?;
    let begun = sites.iter_mut().zip(journals).map(|(site, journal)| {
        let mut ledger = Ledger::new(&site.target, journal);
        ledger
            .recover(site)
            .map_err(|error| CopyError::Destination(site.target.path().to_owned(), error))?;
        Ok(ledger)
    });
    let ledgers = begun.collect::<Result<_, CopyError>>()?;
    let mut state = State {
        sources: Sources::new(job.sources.clone(), job.list.as_deref(), job.include.clone()),
        ledgers,
        files: 0,
        watch,
    };
    ordered(
        job.threads,
        &mut state,
        |state| Ok::<_, io::Error>(state.sources.next()),
        |found| match found {
            Ok(found) => Ok(stage(job, &sites, &found, &clock)),
            Err(failed) => Err(failed),
        },
        |state, staged| state.take(job, &sites, staged),
    )?;
    let State { sources, mut ledgers, files, watch } = state;
    // Reading back goes by the journal: a file without a line would not be proved.
    for (site, ledger) in sites.iter().zip(&mut ledgers) {
        ledger.flush(&site.target, watch)?;
    }
    watch.in_place()?;
    let reread = Reread::default();
    for (site, ledger) in sites.iter().zip(&mut ledgers) {
        prove(job, site, ledger, &reread, &clock, watch)?;
    }
    for (site, ledger) in sites.iter().zip(&ledgers) {
        let standing = ledger.standing(&site.earlier)?.count() as u64;
        let told = ledger.tally.copied + ledger.tally.present + ledger.claimed();
        if standing < told {
            // A file without a line was neither read back nor listed.
            let message =
                format!("the journal reads back {standing} of {told} files: its disk is damaged");
            return Err(CopyError::Destination(
                site.target.path().to_owned(),
                io::Error::other(message),
            ));
        }
    }
    // A list has names relative to one folder. Of several destinations it is the first.
    ledgers[0]
        .standing(&sites[0].earlier)?
        .try_for_each(|finished| watch.listed(&finished?.1.entry))?;
    for (site, ledger) in sites.iter().zip(&ledgers) {
        // With a failure the journal stays: `--resume` then copies only files without a line.
        if ledger.tally.failed == 0 {
            site.target.tidy()?;
        }
    }
    let (bytes, seconds) = clock.read_off();
    let destinations = ledgers.into_iter().map(|ledger| ledger.tally).collect();
    Ok(CopyReport { files, bytes, left_out: sources.left_out(), destinations, seconds })
}

/// What the calling thread holds while files are copied.
struct State<'a> {
    sources: Sources,
    ledgers: Vec<Ledger>,
    files: u64,
    watch: &'a mut dyn Watch,
}

impl State<'_> {
    /// Gives staged files their names, at every destination.
    fn take(
        &mut self,
        job: &CopyJob,
        sites: &[Site],
        staged: Result<Vec<Staged>, (Vec<u8>, io::Error)>,
    ) -> io::Result<()> {
        let staged = match staged {
            Ok(staged) => staged,
            Err((folder, error)) => {
                // Its files are not known, so the folder counts as one file that every destination
                // lacks.
                self.ledgers.iter_mut().for_each(|ledger| ledger.tally.failed += 1);
                return self.watch.failed(&Failure {
                    source: &folder,
                    destination: None,
                    reason: reason(&error),
                });
            }
        };
        self.files += staged.len() as u64;
        // A photo first, then its side-cars, which are named after the name that it has got.
        let mut photos: Vec<Option<Vec<u8>>> = vec![None; sites.len()];
        let photo_failed = staged[0].states.is_err();
        for mut file in staged {
            if photo_failed || file.states.is_err() {
                self.ledgers.iter_mut().for_each(|ledger| ledger.tally.failed += 1);
                let reason =
                    file.states.as_ref().map_or_else(reason, |_| PHOTO_NOT_COPIED.to_owned());
                self.watch.failed(&Failure { source: &file.source, destination: None, reason })?;
                continue;
            }
            for ((site, ledger), (at, photo)) in
                sites.iter().zip(&mut self.ledgers).zip(photos.iter_mut().enumerate())
            {
                let wanted = match (&file.sidecar, photo.as_deref()) {
                    (None, _) => file.place.clone(),
                    (Some(sidecar), Some(photo)) => sidecar.beside(photo),
                    (Some(_), None) => {
                        // Where its photo should be there may be another one, whose it is not.
                        ledger.tally.failed += 1;
                        self.watch.failed(&Failure {
                            source: &file.source,
                            destination: Some(site.target.path()),
                            reason: PHOTO_NOT_THERE.to_owned(),
                        })?;
                        continue;
                    }
                };
                let placed = ledger.place(job, site, &mut file, at, &wanted, self.watch)?;
                if file.sidecar.is_none() {
                    *photo = placed;
                }
            }
        }
        sites
            .iter()
            .zip(&mut self.ledgers)
            .try_for_each(|(site, ledger)| ledger.flush_if_full(&site.target, self.watch))
    }
}
