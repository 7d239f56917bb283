//! What `copy` says: files and the report on standard output, failures on standard error.
//!
//! ```text
//! to/a.txt: copied, verified on the device                      standard output, without --quiet
//! to: 2 copied, 0 present, 0 failed, 2 verified on the device   standard output
//! hashdyno: a: to: no room                                      standard error
//! ```
//!
//! With `--json` the same events are lines of JSON on standard output. An error of standard output
//! is remembered, so that `copy` tells it from an error of the files.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Stdout, Write};
use std::process::ExitCode;

use files::copy::{
    CopyError, CopyJob, CopyReport, Failure, Fate, Proof, Renamed, Settled, Tally, Watch,
};
use files::list::Entry;
use files::names::{self, quoted, shown};
use files::open::reason;
use indicatif::HumanBytes;

use super::Written;
use super::manifest::Manifest;
use crate::failure;
use crate::progress::{Beside, Bytes};
use crate::stdio::message;
use crate::unwritten::unwritten;

/// Says what a copy does.
pub struct Teller {
    bar: Bytes,
    out: BufWriter<Beside<Stdout>>,
    manifest: Option<Manifest>,
    json: bool,
    quiet: bool,
    cannot_write: bool,
}

impl Teller {
    /// Speaks beside a bar.
    pub fn new(bar: Bytes, manifest: Option<Manifest>, json: bool, quiet: bool) -> Self {
        let out = BufWriter::with_capacity(1 << 16, bar.beside(io::stdout()));
        Self { bar, out, manifest, json, quiet, cannot_write: false }
    }

    /// Whether standard output took no more.
    pub fn cannot_write(&self) -> bool {
        self.cannot_write
    }

    /// Puts the list in its place; `false` if it lacks a name, or waits until the whole copy holds.
    pub fn finish_manifest(&mut self, holds: bool) -> anyhow::Result<bool> {
        let Some(manifest) = self.manifest.take() else { return Ok(true) };
        if !holds && let Some(words) = manifest.waits() {
            self.bar.aside(|| message!("hashdyno: {words}"));
            return Ok(false);
        }
        manifest.finish()
    }

    /// Says what came of it all; `again` is the command that checks the list later.
    pub fn report(&mut self, report: &CopyReport, again: Option<&str>) -> Written {
        self.bar.finish();
        if self.json {
            writeln!(self.out, "{}", report.json())?;
            return self.out.flush();
        }
        let left_out = match report.left_out {
            0 => String::new(),
            count => format!("; {count} not copied, as they are links, pipes or devices"),
        };
        let files = counted(report.files);
        writeln!(
            self.out,
            "{files}, {} ({} bytes) read{left_out}",
            HumanBytes(report.bytes),
            report.bytes
        )?;
        report.destinations.iter().try_for_each(|tally| self.tally(tally))?;
        let seconds = &report.seconds;
        writeln!(
            self.out,
            "seconds: {:.2}\nof all threads: reading {:.2}, hashing {:.2}, writing {:.2}, \
                verifying {:.2}",
            seconds.elapsed, seconds.reading, seconds.hashing, seconds.writing, seconds.verifying
        )?;
        if let Some(again) = again.filter(|_| !self.quiet) {
            writeln!(self.out, "to check the list later: {again}")?;
        }
        self.out.flush()
    }

    fn tally(&mut self, tally: &Tally) -> Written {
        let proofs = Proof::ALL.into_iter().filter(|proof| tally.proved(*proof) > 0);
        let proofs = proofs.map(|proof| format!(", {} {}", tally.proved(proof), verified(proof)));
        let proofs = proofs.collect::<String>();
        let renamed = if tally.renamed > 0 {
            format!(", {} beside another content", tally.renamed)
        } else {
            String::new()
        };
        let replaced = if tally.replaced > 0 {
            format!(", {} replaced another content", tally.replaced)
        } else {
            String::new()
        };
        let earlier = if tally.earlier > 0 {
            format!(", {} finished earlier", tally.earlier)
        } else {
            String::new()
        };
        self.out.write_all(&shown(names::name(&tally.path)))?;
        let (copied, present, failed) = (tally.copied, tally.present, tally.failed);
        writeln!(
            self.out,
            ": {copied} copied, {present} present{earlier}, {failed} \
                failed{renamed}{replaced}{proofs}"
        )?;
        if let Some(reason) = &tally.unkept_reason {
            let count = tally.unkept;
            let files = counted(count);
            self.bar.aside(|| {
                message!(
                    "hashdyno: {files} without all of their times, mode and attributes: {reason}"
                )
            });
        }
        Ok(())
    }

    fn written(&mut self, written: Written) -> Written {
        written.inspect_err(|_| self.cannot_write = true)
    }
}

impl Watch for Teller {
    fn failed(&mut self, failure: &Failure<'_>) -> Written {
        if self.json {
            let written = writeln!(self.out, "{}", failure.json());
            self.written(written)?;
        }
        let destination = failure
            .destination
            .map_or(String::new(), |path| format!("{}: ", quoted(names::name(path))));
        self.bar.aside(|| {
            message!("hashdyno: {}: {destination}{}", quoted(failure.source), failure.reason)
        });
        Ok(())
    }

    fn renamed(&mut self, renamed: &Renamed<'_>) -> Written {
        if self.json {
            let written = writeln!(self.out, "{}", renamed.json());
            return self.written(written);
        }
        let wanted = [names::name(renamed.destination), renamed.wanted].join(&b"/"[..]);
        let became = match renamed.wanted == renamed.name {
            true => "it is replaced when the new file is verified".to_owned(),
            false => format!("{} is beside it as {}", quoted(renamed.source), quoted(renamed.name)),
        };
        self.bar.aside(|| message!("hashdyno: {} has another content: {became}", quoted(&wanted)));
        Ok(())
    }

    fn settled(&mut self, settled: &Settled<'_>) -> Written {
        let written = match (self.json, self.quiet) {
            (true, _) => writeln!(self.out, "{}", settled.json()),
            (false, true) => Ok(()),
            (false, false) => {
                let name = names::name(settled.destination)
                    .strip_suffix(b"/")
                    .unwrap_or(names::name(settled.destination));
                let outcome = if settled.present { "present" } else { "copied" };
                let name = [name, &settled.entry.name].join(&b'/');
                self.out
                    .write_all(&shown(&name))
                    .and_then(|()| writeln!(self.out, ": {outcome}, {}", verified(settled.proof)))
            }
        };
        self.written(written)
    }

    fn listed(&mut self, entry: &Entry) -> Written {
        let Some(manifest) = &mut self.manifest else { return Ok(()) };
        if let Some(reason) = manifest.add(entry)? {
            self.bar.aside(|| message!("hashdyno: {}: {reason}", quoted(&entry.name)));
        }
        Ok(())
    }
}

/// Where a copy was read back from, in words.
fn verified(proof: Proof) -> &'static str {
    match proof {
        Proof::Device => "verified on the device",
        Proof::Cache => "verified in the system's memory",
        Proof::Unknown => "verified, from the device or from memory",
        Proof::None => "not verified",
    }
}

/// `1 file`, `2 files`.
fn counted(count: u64) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}

/// Prints what a copy would do, and does nothing. A job that would be refused is an error.
pub fn plan(job: &CopyJob, json: bool, quiet: bool) -> Result<ExitCode, CopyError> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
    let (mut fates, mut failed): (BTreeMap<(&std::path::Path, &str), u64>, u64) =
        (BTreeMap::new(), 0);
    let mut refused = 0;
    let written = files::copy::plan(
        job,
        &mut |planned| {
            let at = job.destinations.iter().find(|path| path.as_path() == planned.destination);
            let words = fate(planned.fate);
            refused += u64::from(planned.fate == Fate::Refuse);
            *fates.entry((at.map_or(std::path::Path::new(""), |path| path), words)).or_default() +=
                1;
            match (json, quiet) {
                (true, _) => writeln!(out, "{}", planned.json()),
                (false, true) if matches!(planned.fate, Fate::Copy | Fate::Present) => Ok(()),
                (false, _) => {
                    let name = [names::name(planned.destination), planned.name].join(&b"/"[..]);
                    out.write_all(&shown(&name)).and_then(|()| writeln!(out, ": {words}"))
                }
            }
        },
        &mut |name, error| {
            failed += 1;
            message!("hashdyno: {}: {}", quoted(name), reason(&error));
            Ok(())
        },
    );
    // An error of standard output is not a job that is refused: both are `CopyError`.
    let written = match written {
        Ok(()) => Ok(()),
        Err(CopyError::Io(error)) => Err(error),
        Err(refused) => return Err(refused),
    };
    let written = written.and_then(|()| {
        if !json {
            for ((path, words), count) in &fates {
                out.write_all(&shown(names::name(path)))?;
                writeln!(out, ": {} {words}", counted(*count))?;
            }
        }
        out.flush()
    });
    Ok(match written {
        Err(error) => unwritten("hashdyno", &error, true),
        Ok(()) => ExitCode::from(if failed + refused > 0 { failure::INCOMPLETE } else { 0 }),
    })
}

fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::Copy => "would be copied",
        Fate::Present => "present",
        Fate::Beside => "would be copied beside another content",
        Fate::Replace => "would replace another content",
        Fate::Refuse => "would be refused: another content has its name",
    }
}

/// Length of a file in bytes, as far as can be told.
pub fn len(name: &[u8]) -> u64 {
    names::path(name).metadata().map_or(0, |metadata| metadata.len())
}
