//! What a run made, and how it compares with the run on record.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::fs;
use std::time::Duration;

use hashdyno::{Cpu, Digest, Kernel};

use super::choice::choosing;
use super::facts::{self, Facts};
use super::{KINDS, LANES, Subject, Tally};

/// Set this variable to [`Report::record`] a run.
pub const RECORD: &str = "HASHDYNO_RECORD_COUNTS";

/// Counts that follow from which kernels an architecture has; on record are those of x86_64.
const BY_ARCHITECTURE: [&str; 4] = ["each", "kernels", LANES, "masks"];

/// Kinds of cases that need pages which can be protected.
const WITH_PAGES: [&str; 2] = ["guard pages", "fitted"];

/// Cases of one kind.
#[derive(Default)]
struct Count {
    portable: usize,
    all: usize,
    took: Duration,
}

/// What a run made.
#[derive(Default)]
pub struct Report {
    /// What failed, in words.
    pub failures: Vec<String>,
    /// Digest -> kind -> how many cases of it failed.
    pub failed: BTreeMap<&'static str, BTreeMap<&'static str, usize>>,
    kinds: BTreeMap<&'static str, Count>,
    slowest: BTreeMap<&'static str, Duration>,
    digests: usize,
    kernels: usize,
    kernels_for_many: usize,
    kernels_lacking: Vec<String>,
    kernels_never_chosen: Vec<String>,
    one_source: Vec<&'static str>,
}

impl Report {
    /// Takes note of a digest.
    pub fn know(&mut self, digest: &'static Digest, facts: &Facts) {
        self.digests += 1;
        let is_explained =
            facts::read("one-source.txt").iter().any(|words| words[0] == digest.name);
        match (facts.sources.len() < 2, is_explained) {
            (false, false) => (),
            (true, true) => self.one_source.push(digest.name),
            (true, false) => self.failures.push(format!(
                "{}: all known answers are of one source: find another, or write why there is none \
                 into vectors/one-source.txt",
                digest.name
            )),
            (false, true) => self.failures.push(format!(
                "{}: vectors/one-source.txt names it, but its answers have {} sources",
                digest.name,
                facts.sources.len()
            )),
        }
    }

    /// Takes note of a kernel that this machine can run.
    pub fn running(&mut self, digest: &'static Digest, kernel: &'static Kernel) {
        self.kernels += 1;
        if choosing(digest, kernel).is_none() {
            self.kernels_never_chosen.push(format!("{} {}", digest.name, kernel.name()));
        }
    }

    /// Takes note of a kernel for many messages that this machine can run.
    pub fn running_many(&mut self) {
        self.kernels += 1;
        self.kernels_for_many += 1;
    }

    /// Takes note of a kernel that this machine cannot run.
    pub fn lacking(&mut self, digest: &'static Digest, kernel: &'static Kernel) {
        self.kernels_lacking.push(format!(
            "{} {} (needs {})",
            digest.name,
            kernel.name(),
            kernel.needs()
        ));
        if Cpu::native().has(kernel.needs()) {
            self.failures.push(format!(
                "{} {} was skipped, though the CPU has {}",
                digest.name,
                kernel.name(),
                kernel.needs()
            ));
        }
    }

    /// Takes the cases of one kind for one subject.
    pub fn add(&mut self, subject: &Subject<'_>, kind: &'static str, tally: Tally, took: Duration) {
        let (digest, kernel) = (subject.digest.name, subject.kernel.name());
        let count = self.kinds.entry(kind).or_default();
        count.all += tally.made;
        count.portable += if subject.is_portable() { tally.made } else { 0 };
        count.took += took;
        *self.slowest.entry(digest).or_default() += took;
        if tally.failed > 0 {
            *self.failed.entry(digest).or_default().entry(kind).or_default() += tally.failed;
            let head =
                format!("{digest} {kernel} {kind}: {} of {} failed", tally.failed, tally.made);
            self.failures.push([vec![head], tally.failures].concat().join("\n    "));
        }
    }

    /// Writes this run down as the one that later ones must reach.
    pub fn record(&self) {
        let mut text = format!(
            "# Digests, kernels, and cases of each kind by portable kernels (lanes: of each \
                kernel for many): a run that makes fewer fails. To\n\
             # change it deliberately:\n\
             # {RECORD}=1 cargo test -p hashdyno --features full --test every_kernel\n"
        );
        self.counts().iter().for_each(|(kind, count)| {
            writeln!(text, "{kind} {count}").expect("writing to a String does not fail")
        });
        fs::write(facts::path("counts.txt"), text).expect("vectors/counts.txt can be written");
    }

    /// Fails if this run made fewer cases than the one on record.
    pub fn compare_with_record(&mut self) {
        let made = self.counts();
        for words in facts::read("counts.txt") {
            let (kind, recorded) = (
                words[..words.len() - 1].join(" "),
                words[words.len() - 1].parse().expect("a number"),
            );
            let made = made.get(kind.as_str()).copied().unwrap_or(0);
            let excused = cfg!(not(target_arch = "x86_64")) && BY_ARCHITECTURE.contains(&&*kind)
                || cfg!(target_family = "wasm") && WITH_PAGES.contains(&&*kind);
            if made < recorded && !excused {
                self.failures.push(format!(
                    "{kind}: {made} made, {recorded} on record\nhint: if that is \
                        meant, see vectors/counts.txt"
                ));
            }
        }
    }

    /// What must not fall: digests, their kernels, run or not, and cases by the portable kernels,
    /// which every machine makes. Which kernels for many messages are tried follows from the CPU:
    /// of theirs it is how many each of them has.
    fn counts(&self) -> BTreeMap<&'static str, usize> {
        let of_each = |cases: usize| cases.checked_div(self.kernels_for_many).unwrap_or(0);
        let kinds = self.kinds.iter().map(|(kind, count)| {
            (*kind, if *kind == LANES { of_each(count.all) } else { count.portable })
        });
        kinds
            .chain([
                ("digests", self.digests),
                ("kernels", self.kernels + self.kernels_lacking.len()),
            ])
            .collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>12} {:>10} {:>10} {:>8}", "cases of", "portable", "all", "seconds")?;
        for (kind, _) in KINDS {
            if let Some(Count { portable, all, took }) = self.kinds.get(kind) {
                writeln!(f, "{kind:>12} {portable:>10} {all:>10} {:>8.2}", took.as_secs_f64())?;
            }
        }
        let total: usize = self.kinds.values().map(|count| count.all).sum();
        writeln!(
            f,
            "{total} cases = digest x kernel x case, of {} digests and {} kernels",
            self.digests, self.kernels
        )?;
        writeln!(f, "not run, for want of CPU features: {}", listed(&self.kernels_lacking))?;
        writeln!(
            f,
            "run, but not by many messages, as no mask makes them the best: {}",
            listed(&self.kernels_never_chosen)
        )?;
        writeln!(f, "known answers of one source, explained: {}", listed(&self.one_source))?;
        let mut slowest: Vec<_> = self.slowest.iter().map(|(name, took)| (took, name)).collect();
        slowest.sort_unstable_by(|one, other| other.cmp(one));
        let slowest: Vec<_> = slowest
            .iter()
            .take(8)
            .map(|(took, name)| format!("{name} {:.2} s", took.as_secs_f64()))
            .collect();
        writeln!(f, "slowest: {}", listed(&slowest))?;
        self.failures.iter().try_for_each(|failure| writeln!(f, "FAILED {failure}"))
    }
}

fn listed(items: &[impl AsRef<str>]) -> String {
    match items {
        [] => "none".to_owned(),
        items => items.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", "),
    }
}
