//! What `copy` says: files and the report on standard output, failures on standard error.

use std::io::{self, BufWriter, Stdout, Write};

use files::copy::{Failure, Proof, Report, Settled, Tally, Watch};
use files::list::Entry;
use files::names::{self, quoted, shown};
use indicatif::HumanBytes;

use super::Written;
use super::manifest::Manifest;
use crate::progress::{Beside, Bytes};
use crate::stdio::message;

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

    /// Puts the list in its place; `false` if it lacks a name.
    pub fn finish_manifest(&mut self) -> anyhow::Result<bool> {
        self.manifest.take().map_or(Ok(true), |manifest| manifest.finish())
    }

    /// Says what came of it all.
    pub fn report(&mut self, report: &Report) -> Written {
        self.bar.finish();
        if self.json {
            writeln!(self.out, "{}", report.json())?;
            return self.out.flush();
        }
        let left_out = match report.left_out {
            0 => String::new(),
            count => format!("; {count} links, pipes or devices left out"),
        };
        writeln!(self.out, "{} files, {} ({} bytes) read{left_out}", report.files, HumanBytes(report.bytes), report.bytes)?;
        report.destinations.iter().try_for_each(|tally| self.tally(tally))?;
        let seconds = &report.seconds;
        writeln!(
            self.out,
            "seconds: reading {:.2}, hashing {:.2}, writing {:.2}, verifying {:.2}, summed over threads; {:.2} by the clock",
            seconds.reading, seconds.hashing, seconds.writing, seconds.verifying, seconds.elapsed
        )?;
        self.out.flush()
    }

    fn tally(&mut self, tally: &Tally) -> Written {
        let proofs = Proof::ALL.into_iter().filter(|proof| tally.proved(*proof) > 0);
        let proofs: Vec<_> = proofs.map(|proof| format!("{}: {}", proof.name(), tally.proved(proof))).collect();
        let earlier = if tally.earlier > 0 { format!(", {} finished earlier", tally.earlier) } else { String::new() };
        self.out.write_all(&shown(names::name(&tally.path)))?;
        let (copied, present, failed) = (tally.copied, tally.present, tally.failed);
        write!(self.out, ": {copied} copied, {present} present{earlier}, {failed} failed; proof ")?;
        writeln!(self.out, "{}", if proofs.is_empty() { "of none".to_owned() } else { proofs.join(", ") })?;
        if let Some(reason) = &tally.unkept_reason {
            let count = tally.unkept;
            self.bar.aside(|| message!("hashdyno: {count} files without all of their times, mode and attributes: {reason}"));
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
        let destination = failure.destination.map_or(String::new(), |path| format!("{}: ", quoted(names::name(path))));
        self.bar.aside(|| message!("hashdyno: {}: {destination}{}", quoted(failure.source), failure.reason));
        Ok(())
    }

    fn settled(&mut self, settled: &Settled<'_>) -> Written {
        let written = match (self.json, self.quiet) {
            (true, _) => writeln!(self.out, "{}", settled.json()),
            (false, true) => Ok(()),
            (false, false) => {
                let name = names::name(settled.destination).strip_suffix(b"/").unwrap_or(names::name(settled.destination));
                let outcome = if settled.present { "present" } else { "copied" };
                let name = [name, &settled.entry.name].join(&b'/');
                self.out.write_all(&shown(&name)).and_then(|()| writeln!(self.out, ": {outcome}, {}", settled.proof.name()))
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

/// Length of a file in bytes, as far as can be told.
pub fn len(name: &[u8]) -> u64 {
    names::path(name).metadata().map_or(0, |metadata| metadata.len())
}
