//! After everything is in place: every file is read back and compared with what was read from its
//! source.
//!
//! ```text
//! verdict   the file                            its line      a content that it replaced
//! Good      keeps its name                      proved        is removed
//! Damaged   is moved to NAME.damaged; one       void          gets its name back
//!           that was there before stays
//! Failed    stays: its content is not known     void          stays as NAME.replaced
//! ```
//!
//! A content gets its name back only when the void line is on the device (`replacing` says why).
//! Damaged and Failed count as failures, so the journal stays and `--resume` tries them again.
//! With `--verify none` no file is read back and none is proved: what was replaced stays beside it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::sync::Mutex;

use super::job::{CopyJob, Failure, Settled, Watch};
use super::journal::Finished;
use super::place::Ledger;
use super::report::{Clock, Phase};
use super::site::{Line, Site};
use super::verify::{Proof, ReadBack, Verify, read_back};
use crate::read::names;
use crate::read::open::{open_found, reason};
use crate::read::ordered::ordered;

/// Files that are proved before the journal says so.
const TOGETHER: usize = 64;

/// What the second reading of each source has shown: whether it was the first one's content. A
/// source is read again once, whatever the number of destinations. Names stand by their hashes, as
/// memory must not grow with their lengths.
#[derive(Default)]
pub struct Reread(Mutex<HashMap<u64, bool>>);

impl Reread {
    fn is_same(
        &self,
        finished: &Finished,
        read: impl FnOnce() -> io::Result<ReadBack>,
    ) -> io::Result<bool> {
        let mut hasher = DefaultHasher::new();
        // A resumed job may know a source by two contents.
        (&finished.source, finished.entry.size).hash(&mut hasher);
        finished.entry.claims.iter().for_each(|claim| claim.value[..].hash(&mut hasher));
        let source = hasher.finish();
        let known = self.0.lock().expect("nothing panics under the lock").get(&source).copied();
        if let Some(is_same) = known {
            return Ok(is_same);
        }
        let is_same = same(&read()?, finished);
        self.0.lock().expect("nothing panics under the lock").insert(source, is_same);
        Ok(is_same)
    }
}

/// Reads back every finished file of a destination that no earlier run has proved, and its source
/// too if the job asks for that.
pub fn prove(
    job: &CopyJob,
    site: &Site,
    ledger: &mut Ledger,
    reread: &Reread,
    clock: &Clock,
    watch: &mut dyn Watch,
) -> io::Result<()> {
    let files = ledger.journal.files(ledger.journal.len())?;
    let mut state = (ledger, watch, files, Vec::new());
    ordered(
        job.threads,
        &mut state,
        |(ledger, _, files, _)| {
            let unproved = |line: &u64| {
                !site.earlier.is_void(*line)
                    && !site.earlier.is_proved(*line)
                    && !ledger.is_void(*line)
            };
            files.find(|file| file.as_ref().map_or(true, |(line, _)| unproved(line))).transpose()
        },
        |line| {
            let verdict = clock.time(Phase::Verifying, || judge(job, site, &line, reread, clock));
            (line, verdict)
        },
        |(ledger, watch, _, proved), (line, verdict)| {
            settle(site, ledger, &line, verdict, *watch, proved)?;
            if proved.len() >= TOGETHER {
                // A line that is missing costs a second reading, no more.
                let _ = ledger.journal.proved(&std::mem::take(proved));
            }
            Ok(())
        },
    )?;
    let (ledger, _, _, proved) = state;
    let _ = ledger.journal.proved(&proved);
    Ok(())
}

/// What reading a file back has shown.
enum Verdict {
    Good(Proof),
    /// Its content is not that of the source, or the source has two.
    Damaged(String),
    /// Its content is not known, or that of the source is not.
    Failed(String),
}

fn judge(
    job: &CopyJob,
    site: &Site,
    (_, finished): &Line,
    reread: &Reread,
    clock: &Clock,
) -> Verdict {
    let proof = match job.verify {
        Verify::None => Proof::None,
        verify => match read_back(
            |flags| site.target.read(&finished.entry.name, flags),
            verify,
            &job.digests,
            |len| clock.meter().add(len),
        ) {
            Err(error) => {
                return Verdict::Failed(format!("cannot be read back: {}", reason(&error)));
            }
            Ok(back) if !same(&back, finished) => {
                return Verdict::Damaged(format!(
                    "reads back differently (from: {})",
                    back.proof.name()
                ));
            }
            Ok(back) => back.proof,
        },
    };
    if job.reread_source {
        // The journal does not tell which part of the name the user wrote, so links are followed in
        // all of it. A link to another content fails the comparison.
        let open = |flags| Ok(open_found(&finished.source, finished.source.len(), flags)?.into());
        // From the device: the cache would only repeat what the first reading has left in it.
        let read = || read_back(open, Verify::Device, &job.digests, |len| clock.meter().add(len));
        match reread.is_same(finished, read) {
            Err(error) => {
                return Verdict::Failed(format!(
                    "its source cannot be read again: {}",
                    reason(&error)
                ));
            }
            // Which of the two readings was right, nobody knows.
            Ok(false) => {
                return Verdict::Damaged("its source reads differently the second time".to_owned());
            }
            Ok(true) => {}
        }
    }
    Verdict::Good(proof)
}

fn same(back: &ReadBack, finished: &Finished) -> bool {
    finished.entry.size == Some(back.size)
        && finished.entry.claims.iter().map(|claim| &claim.value).eq(&back.values)
}

fn settle(
    site: &Site,
    ledger: &mut Ledger,
    line: &Line,
    verdict: Verdict,
    watch: &mut dyn Watch,
    proved: &mut Vec<u64>,
) -> io::Result<()> {
    let (offset, finished) = line;
    let (source, destination) = (&finished.source, site.target.path());
    let why = match verdict {
        Verdict::Good(proof) => {
            ledger.tally.prove(proof);
            proved.extend((proof != Proof::None).then_some(*offset));
            // A file that was not read back is no ground to remove the only other content of its
            // name.
            if proof != Proof::None {
                ledger.remove_replaced(&site.target, &finished.entry.name);
            }
            return watch.settled(&Settled {
                source,
                destination,
                entry: &finished.entry,
                present: finished.present,
                proof,
            });
        }
        Verdict::Failed(why) => why,
        // What was there before is not ours to move.
        Verdict::Damaged(why) if finished.present => why,
        Verdict::Damaged(why) => match site.target.set_aside(&finished.entry.name) {
            // The damaged file has left the name by now, so the old content can have it.
            Ok(aside) => {
                let name = &finished.entry.name;
                let restored = ledger.restore_replaced(&site.target, *offset, name);
                format!("{why}; moved to {}{restored}", names::quoted(&aside))
            }
            Err(error) => format!("{why}; it keeps its name: {}", reason(&error)),
        },
    };
    ledger.void(*offset);
    ledger.uncount(line);
    let shown = names::quoted(&finished.entry.name);
    watch.failed(&Failure {
        source,
        destination: Some(destination),
        reason: format!("{shown} {why}"),
    })
}
