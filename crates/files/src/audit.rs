//! A folder held against a list: what matches, what changed and how, what moved, what is missing,
//! what is new.
//!
//! The list is read whole before the walk begins, so its entries are in memory. The verdicts:
//!
//! ```text
//! listed, and every claim and the size hold      matched
//! listed, differs, the list has no time          changed
//! listed, differs, size and time as listed       rotten     nobody wrote it: a disk, or an attack
//! listed, differs in any other way               edited
//! not listed, has the content of a listed file that is gone     moved
//! not listed, any other content                  new
//! listed, and never met by the walk              missing
//! ```
//!
//! Moved, new and missing are known only when the walk has ended: until then a listed file may
//! still be met. Files that are not listed wait for that with their digests.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;

use hashdyno::Output;
use jiff::Timestamp;

use crate::list::{Entry, Grammar, Reader};
use crate::read::digests::{Digested, Request};
use crate::read::method::Method;
use crate::read::names::{plain, quoted};
use crate::read::open::{Root, reason};
use crate::read::skip::Skip;
use crate::read::walk::Walk;
use crate::sum::{Answer, Item, each};
use crate::verdict::{self, Style, VerdictLine};

/// How an audit is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// How lines are read.
    pub grammar: Grammar,
    /// What is left out of the folder, and its entries of the list.
    pub skip: Skip,
    /// Threads at once.
    pub threads: usize,
    /// How verdicts are written.
    pub style: Style,
}

/// How many files are what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// As the list says.
    pub matched: u64,
    /// Content and time changed: somebody wrote it.
    pub edited: u64,
    /// Content changed, size and time did not: nobody wrote it, or somebody hid it.
    pub rotten: u64,
    /// Content changed, and the list has no time to tell how.
    pub changed: u64,
    /// Listed under a name that is gone.
    pub moved: u64,
    /// Not listed.
    pub new: u64,
    /// Listed, and not there.
    pub missing: u64,
    /// Could not be read.
    pub unreadable: u64,
    /// Lines of the list that are none.
    pub malformed: u64,
}

impl Audit {
    /// Whether folder and list are the same, and there was something to compare.
    pub fn passed(&self) -> bool {
        self.matched > 0 && *self == Self { matched: self.matched, ..Self::default() }
    }

    /// Every count with its key in JSON and its label in text.
    fn counts(&self) -> [(&'static str, &'static str, u64); 9] {
        [
            ("matched", "Files matched", self.matched),
            ("edited", "Files edited", self.edited),
            ("rotten", "Files rotten", self.rotten),
            ("changed", "Files changed", self.changed),
            ("moved", "Files moved", self.moved),
            ("new", "New files found", self.new),
            ("missing", "Known files not found", self.missing),
            ("unreadable", "Files not readable", self.unreadable),
            ("malformed", "Improper lines", self.malformed),
        ]
    }
}

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "hashdyno: Audit {}", if self.passed() { "passed" } else { "failed" })?;
        self.counts().iter().try_for_each(|(_, label, count)| writeln!(f, "{label:>23}: {count}"))
    }
}

/// What a list says of a file, and whether the file was met.
struct Known {
    entry: Entry,
    met: bool,
}

struct Auditing<'a> {
    root: &'a Root,
    known: HashMap<Vec<u8>, Known>,
    /// All digests of the list: a file that is not listed may be any listed file that moved.
    every: Arc<[Method]>,
    /// Files that are not listed, with their values of `every`.
    strangers: Vec<(Vec<u8>, Vec<Output>)>,
    walk: Walk,
    /// The plain name of the list itself, which may lie in the folder.
    skip: &'a [u8],
    audit: Audit,
    style: Style,
    out: &'a mut dyn Write,
    errors: &'a mut dyn Write,
}

/// Holds the files below `folder` against the list, which is read whole: it must fit in memory.
/// `list` is left out where it lies in the folder. Each file that is not as listed is a line to
/// `out`.
///
/// # Errors
/// The list cannot be read, or `out` cannot be written.
pub fn audit(
    root: &Root,
    folder: &[u8],
    source: impl Read,
    list: &[u8],
    options: Options,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> io::Result<Audit> {
    let Options { grammar, skip: left_out, threads, style } = options;
    let mut audit = Audit::default();
    let reader = Reader::named(source, grammar, &String::from_utf8_lossy(list));
    let mut known = read(reader, list, &mut audit, errors)?;
    // The walk meets no file that a pattern excludes. Its entry would count as missing.
    known.retain(|name, _| !below(folder, name).is_some_and(|it| left_out.patterns.cover(it)));
    let mut every: Vec<Method> = Vec::new();
    for digest in
        known.values().flat_map(|known| &known.entry.claims).flat_map(|claim| &claim.digests)
    {
        if !every.contains(digest) {
            every.push(digest.clone());
        }
    }
    let walk = Walk::skipping(folder, left_out);
    let skip = plain(list);
    let mut auditing = Auditing {
        root,
        known,
        every: every.into(),
        strangers: Vec::new(),
        walk,
        skip,
        audit,
        style,
        out,
        errors,
    };
    each(root, threads, &mut auditing, |auditing| Ok(auditing.next()), Auditing::judge)?;
    auditing.strangers()?;
    auditing.missing()?;
    match style {
        Style::Text | Style::Coloured => write!(auditing.out, "{}", auditing.audit)?,
        Style::Json => verdict::report(
            auditing.out,
            &auditing.audit.counts().map(|(key, _, count)| (key, count.into())),
        )?,
    }
    auditing.out.flush()?;
    Ok(auditing.audit)
}

fn read(
    mut reader: Reader<impl Read>,
    list: &[u8],
    audit: &mut Audit,
    errors: &mut dyn Write,
) -> io::Result<HashMap<Vec<u8>, Known>> {
    let mut known = HashMap::new();
    loop {
        let line = match reader.next_line() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                // What is behind this place is unknown: an audit of such a list never passes.
                audit.malformed += 1;
                let _ = writeln!(errors, "hashdyno: {}: {}", quoted(list), reason(&error));
                break;
            }
        };
        match line.entry {
            None => audit.malformed += 1,
            Some(entry) => match known.entry(plain(&entry.name).to_vec()) {
                Slot::Vacant(slot) => drop(slot.insert(Known { entry, met: false })),
                // Tagged lines have a line for each digest.
                Slot::Occupied(mut slot) => slot.get_mut().entry.claims.extend(entry.claims),
            },
        }
    }
    Ok(known)
}

/// The path of a name below a folder; nothing of a name that lies elsewhere.
fn below<'a>(folder: &[u8], name: &'a [u8]) -> Option<&'a [u8]> {
    let folder = plain(folder.strip_suffix(b"/").unwrap_or(folder));
    match folder {
        b"" | b"." => Some(name),
        folder => name.strip_prefix(folder)?.strip_prefix(b"/"),
    }
}

type Failure = Option<io::Error>;

impl Auditing<'_> {
    fn next(&mut self) -> Option<Item<Failure>> {
        loop {
            return Some(match self.walk.next()? {
                Ok(name) if plain(&name) == self.skip => continue,
                Ok(name) => {
                    let digests = self.methods(&name);
                    Item::File(Request::new(name, digests, None))
                }
                Err((name, error)) => {
                    let _ =
                        writeln!(self.errors, "hashdyno: {}: {}", quoted(&name), reason(&error));
                    Item::Pass(Some(error))
                }
            });
        }
    }

    /// What is to be computed of a file: all that the list has, or of a file in parts what the
    /// number of its parts may mean.
    fn methods(&mut self, name: &[u8]) -> Arc<[Method]> {
        let known = self.known.get_mut(plain(name));
        let Some(known) = known.filter(|known| known.entry.is_in_parts()) else {
            return self.every.clone();
        };
        known.entry.settle_parts(self.root.size_hint(name), None);
        known.entry.claims.iter().flat_map(|claim| &claim.digests).cloned().collect()
    }

    fn judge(&mut self, answer: Answer<Failure>) -> io::Result<()> {
        match answer {
            Answer::Pass(_) => self.audit.unreadable += 1,
            Answer::File(request, Err(error)) => {
                self.audit.unreadable += 1;
                // The file is there: it must not count as missing, too.
                if let Some(known) = self.known.get_mut(plain(&request.name)) {
                    known.met = true;
                }
                let _ = writeln!(
                    self.errors,
                    "hashdyno: {}: {}",
                    quoted(&request.name),
                    reason(&error)
                );
            }
            Answer::File(request, Ok(digested)) => match self.known.get_mut(plain(&request.name)) {
                None => self.strangers.push((request.name, digested.values)),
                Some(known) => {
                    known.met = true;
                    let verdict = verdict(&known.entry, &request.digests, &digested);
                    return self.count(&request.name, verdict);
                }
            },
        }
        Ok(())
    }

    fn count(&mut self, name: &[u8], verdict: Verdict) -> io::Result<()> {
        let (count, word) = match verdict {
            Verdict::Matched => (&mut self.audit.matched, None),
            Verdict::Edited => (&mut self.audit.edited, Some(("edited", "edited"))),
            Verdict::Rotten => (
                &mut self.audit.rotten,
                Some(("ROTTEN: content changed, size and time did not", "rotten")),
            ),
            Verdict::Changed => (&mut self.audit.changed, Some(("changed", "changed"))),
        };
        *count += 1;
        word.map_or(Ok(()), |(text, word)| {
            VerdictLine { name, text, word, other: None }.write(self.out, self.style)
        })
    }

    /// A file that is not listed has moved if its content is that of a listed file that is gone.
    fn strangers(&mut self) -> io::Result<()> {
        let mut gone: HashMap<Output, Vec<Vec<u8>>> = HashMap::new();
        // One claim is enough here. A wrong pair would call a file moved in place of new and
        // missing, and the audit fails by either.
        for (name, known) in self.known.iter().filter(|(_, known)| !known.met) {
            gone.entry(known.entry.claims[0].value.clone()).or_default().push(name.clone());
        }
        // `pop` takes from the end: files of one content are paired in the order of their names.
        gone.values_mut().for_each(|names| names.sort_unstable_by(|a, b| b.cmp(a)));
        for (name, values) in std::mem::take(&mut self.strangers) {
            let from = values.iter().find_map(|value| gone.get_mut(value).and_then(Vec::pop));
            match from {
                Some(from) => {
                    self.audit.moved += 1;
                    VerdictLine {
                        name: &name,
                        text: "moved from",
                        word: "moved",
                        other: Some(("from", &from)),
                    }
                    .write(self.out, self.style)?;
                    self.known.get_mut(&from).expect("it was found there").met = true;
                }
                None => {
                    self.audit.new += 1;
                    VerdictLine { name: &name, text: "new", word: "new", other: None }
                        .write(self.out, self.style)?;
                }
            }
        }
        Ok(())
    }

    fn missing(&mut self) -> io::Result<()> {
        let mut missing: Vec<_> =
            self.known.iter().filter(|(_, known)| !known.met).map(|(name, _)| name).collect();
        missing.sort_unstable();
        self.audit.missing = missing.len() as u64;
        let line = |name| VerdictLine { name, text: "missing", word: "missing", other: None };
        missing.into_iter().try_for_each(|name| line(name).write(self.out, self.style))
    }
}

enum Verdict {
    Matched,
    Edited,
    Rotten,
    Changed,
}

fn verdict(entry: &Entry, digests: &[Method], digested: &Digested) -> Verdict {
    let same_size = entry.size.is_none_or(|size| size == digested.size);
    // Every claim must hold: a list may not pass by the easiest of its digests.
    let matches = entry.claims.iter().all(|claim| {
        let mut computed = digests.iter().zip(&digested.values);
        computed.any(|(digest, value)| {
            claim.digests.contains(digest) && digest.same(value, &claim.value)
        })
    });
    match (matches && same_size, entry.modified) {
        (true, _) => Verdict::Matched,
        (false, None) => Verdict::Changed,
        (false, Some(then))
            if same_size && digested.modified.is_some_and(|now| same_time(then, now)) =>
        {
            Verdict::Rotten
        }
        (false, Some(_)) => Verdict::Edited,
    }
}

/// As far as the list tells: media hash lists have whole seconds.
fn same_time(then: Timestamp, now: Timestamp) -> bool {
    then == now || then.subsec_nanosecond() == 0 && then.as_second() == now.as_second()
}
