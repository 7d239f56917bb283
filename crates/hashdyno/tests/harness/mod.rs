//! The dynamometer's own bench: every digest x every kernel of it x every kind of case.

mod choice;
pub mod facts;
#[cfg(not(target_family = "wasm"))]
mod guard;
mod known;
mod pieces;
mod places;
// A kernel that panics ends a module of WebAssembly.
#[cfg(all(feature = "full", not(target_family = "wasm")))]
mod planted;
mod report;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use facts::Facts;
use hashdyno::{Cpu, Digest, Hasher, Kernel, ReadyKernel};

pub use report::{RECORD, Report};

/// A kernel of a digest that this machine can run, and what is known of the digest.
pub struct Subject<'a> {
    /// The algorithm.
    pub digest: &'static Digest,
    /// The way to compute it.
    pub kernel: &'static Kernel,
    /// The same, with the proof.
    pub ready: ReadyKernel,
    /// What other engines and documents say.
    pub facts: &'a Facts,
}

/// A kind of case: its name, and what makes its cases for a subject.
pub type Kind = (&'static str, fn(&Subject<'_>, &mut Tally));

/// The kind of case that tries kernels for many messages.
pub const LANES: &str = "lanes";

/// Set this variable to kinds of cases, separated by commas, to have these alone: for an emulator,
/// where all of them take minutes.
const CHOSEN: &str = "HASHDYNO_KINDS";

/// Set this variable to try the shortest kinds of cases first and to end the process with the first
/// failure: for mutants, of which nobody asks how many cases they fail.
const FIRST: &str = "HASHDYNO_FIRST_FAILURE";

/// Every kind of case, the longest first, so that no thread is left alone with it at the end.
pub const KINDS: &[Kind] = &[
    ("sweep", known::sweep),
    ("splits", pieces::splits),
    ("many", choice::many),
    (LANES, choice::lanes),
    ("each", choice::each),
    ("plans", pieces::plans),
    ("vectors", known::vectors),
    ("alignment", places::alignment),
    ("long", places::long),
    ("oracle", known::oracle),
    ("masks", choice::masks),
    #[cfg(not(target_family = "wasm"))] // its memory has no pages to protect
    ("guard pages", places::guard_pages),
    #[cfg(not(target_family = "wasm"))]
    ("fitted", places::fitted),
    ("output", places::output),
    ("running", pieces::running),
    ("clone", pieces::clones),
    ("extend", choice::extend),
    ("check", known::check),
];

/// Cases made of one kind for one subject, and what went wrong.
#[derive(Default)]
pub struct Tally {
    /// How many cases.
    pub made: usize,
    /// How many of them failed.
    pub failed: usize,
    /// What the first of the failed say.
    pub failures: Vec<String>,
}

impl Tally {
    /// Counts a case; `what` tells of it if it is not right.
    pub fn case(&mut self, right: bool, what: impl FnOnce() -> String) {
        self.made += 1;
        if !right {
            self.fail(what());
        }
    }

    fn fail(&mut self, what: String) {
        if std::env::var_os(FIRST).is_some() {
            eprintln!("{what}");
            std::process::exit(1);
        }
        self.failed += 1;
        if self.failures.len() < 8 {
            self.failures.push(what);
        }
    }
}

impl Subject<'_> {
    /// The digest by this kernel in one call.
    pub fn one_shot(&self, message: &[u8]) -> Vec<u8> {
        self.extended(message, self.digest.output_len)
    }

    /// The same, `output_len` bytes of it.
    pub fn extended(&self, message: &[u8], output_len: usize) -> Vec<u8> {
        let mut out = vec![0; output_len];
        self.digest.digest_into(&self.ready, message, &mut out);
        out
    }

    /// The digest by this kernel of a message in pieces.
    pub fn in_pieces<'m>(&self, pieces: impl IntoIterator<Item = &'m [u8]>) -> Vec<u8> {
        let mut hasher = self.hasher();
        pieces.into_iter().for_each(|piece| hasher.update(piece));
        hasher.finish().to_vec()
    }

    /// An empty message by this kernel.
    pub fn hasher(&self) -> Hasher {
        Hasher::with_kernel(self.digest, self.ready)
    }

    /// The digest by the portable kernel in one call: what the others are held against, itself held
    /// against the facts.
    pub fn expected(&self, message: &[u8]) -> Vec<u8> {
        let mut out = vec![0; self.digest.output_len];
        self.digest.digest_into(&self.portable(), message, &mut out);
        out
    }

    /// The kernel that every CPU can run.
    pub fn portable(&self) -> ReadyKernel {
        self.portable_kernel().bind(Cpu::native()).expect("a portable kernel needs no CPU feature")
    }

    /// Whether this is the kernel that every CPU can run.
    pub fn is_portable(&self) -> bool {
        std::ptr::eq(self.kernel, self.portable_kernel())
    }

    /// After it may come others that need nothing, kept for what they teach.
    fn portable_kernel(&self) -> &'static Kernel {
        self.digest
            .one
            .iter()
            .rfind(|kernel| kernel.name() == "portable")
            .expect("every digest has a portable kernel")
    }

    /// The granule around which lengths are chosen: a block, or 64 bytes if blocks are shorter.
    pub fn granule(&self) -> usize {
        self.digest.block_len.max(64)
    }
}

/// Bytes that do not repeat within any block: period 251.
pub fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

/// Runs every kind of case for every kernel of these digests.
pub fn run(digests: &[&'static Digest]) -> Report {
    let mut report = Report::default();
    let known: Vec<_> =
        digests.iter().map(|digest| (*digest, guarded(|| Facts::of(digest.name)))).collect();
    let subjects: Vec<_> =
        known.iter().flat_map(|(digest, facts)| subjects(digest, facts, &mut report)).collect();
    let jobs: Vec<_> = chosen()
        .into_iter()
        .flat_map(|kind| subjects.iter().map(move |subject| (subject, kind)))
        .collect();
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    let work = |sender: mpsc::Sender<_>| {
        while let Some(&(subject, kind)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (tally, took) = make(subject, kind);
            sender.send((subject, kind.0, tally, took)).expect("the report outlives the threads");
        }
    };
    std::thread::scope(|scope| {
        // One of them is this thread: WebAssembly has no other.
        for _ in 1..std::thread::available_parallelism().map_or(1, usize::from) {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move || work(sender));
        }
        work(sender);
        results
            .into_iter()
            .for_each(|(subject, kind, tally, took)| report.add(subject, kind, tally, took));
    });
    report
}

/// The kinds of cases that are asked for.
fn chosen() -> Vec<&'static Kind> {
    let Ok(names) = std::env::var(CHOSEN) else {
        return match std::env::var_os(FIRST) {
            Some(_) => KINDS.iter().rev().collect(),
            None => KINDS.iter().collect(),
        };
    };
    let kind = |name| KINDS.iter().find(|kind| kind.0 == name);
    names
        .split(',')
        .map(|name| {
            kind(name).unwrap_or_else(|| panic!("{CHOSEN} names '{name}', no kind of case"))
        })
        .collect()
}

/// The kernels for one message of a digest that this machine can run; those that it cannot are
/// listed in the report.
fn subjects<'a>(
    digest: &'static Digest,
    facts: &'a Result<Facts, String>,
    report: &mut Report,
) -> Vec<Subject<'a>> {
    let facts = match facts {
        Ok(facts) => facts,
        Err(why) => {
            report.failures.push(format!("{}: {why}", digest.name));
            return vec![];
        }
    };
    report.know(digest, facts);
    let bind = |kernel: &'static Kernel| match kernel.bind(Cpu::native()) {
        Some(ready) => {
            report.running(digest, kernel);
            Some(Subject { digest, kernel, ready, facts })
        }
        None => {
            match kernel.bind_many(Cpu::native()) {
                Some(_) => report.running_many(),
                None => report.lacking(digest, kernel),
            }
            None
        }
    };
    digest.kernels().filter_map(bind).collect()
}

/// Makes the cases of one kind; a panic is a failure like any other.
fn make(subject: &Subject<'_>, (_, kind): &Kind) -> (Tally, Duration) {
    let start = Instant::now();
    let mut tally = Tally::default();
    if let Err(panic) = guarded(|| kind(subject, &mut tally)) {
        tally.fail(panic);
    }
    (tally, start.elapsed())
}

/// What `work` gives, or what it panicked with.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(panic.downcast_ref::<&str>().copied());
        format!("panicked: {}", text.unwrap_or("with no message"))
    })
}
