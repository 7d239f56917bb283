//! Files held against a list: verdicts and messages as GNU coreutils gives them.
//!
//! A value without a tag can fit two digests. Both are computed until a file matches one of them;
//! from there on that digest is the list's. A list holds if a file matched, none failed, and the
//! list was read to its end.

use std::io::{self, Read, Write};
use std::sync::Arc;

use crate::list::algorithm;
use crate::list::{Algorithm, Claim, Entry, Grammar, Note, Reader};
use crate::read::digests::{Digested, Request, of_files};
use crate::read::method::Method;
use crate::read::names;
use crate::read::names::quoted;
use crate::read::open::{Root, reason};
use crate::sum::{Answer, Item, each};
use crate::verdict::{self, Style, VerdictLine};

/// How lists are read and what is said of them.
pub struct Options {
    /// Whom messages come from.
    pub program: String,
    /// How lines are read.
    pub grammar: Grammar,
    /// A line that is none fails the check.
    pub strict: bool,
    /// Says which lines are none.
    pub warn: bool,
    /// Says nothing of files that match.
    pub quiet: bool,
    /// Says nothing at all of files.
    pub status: bool,
    /// Files that are not there are no failure.
    pub ignore_missing: bool,
    /// Length of the parts in which objects were uploaded, in bytes; by default the usual ones are
    /// tried.
    pub part_len: Option<usize>,
    /// On how many threads.
    pub threads: usize,
    /// How verdicts are written.
    pub style: Style,
    /// Says how many entries match where all of them do.
    pub totals: bool,
}

/// What came of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lines with an entry.
    pub entries: u64,
    /// Lines without.
    pub malformed: u64,
    /// Files that match.
    pub matched: u64,
    /// Files that do not.
    pub mismatched: u64,
    /// Files that could not be read.
    pub unreadable: u64,
    /// Files of them, or left out, that do not exist.
    pub absent: u64,
    /// Whether the list itself could not be read to its end.
    pub broken: bool,
}

impl Tally {
    /// Whether the list holds: never if nothing was verified.
    pub fn holds(&self, strict: bool) -> bool {
        let failures = self.mismatched + self.unreadable + if strict { self.malformed } else { 0 };
        self.matched > 0 && failures == 0 && !self.broken
    }
}

/// A list being checked.
struct Checking<'a, R> {
    root: &'a Root,
    reader: Reader<R>,
    list: &'a str,
    from_stdin: bool,
    options: &'a Options,
    /// The digests that the list's own name or a file that matched has shown.
    settled: Vec<Method>,
    /// Whether the note on the list as a whole was told.
    noted: bool,
    /// Whether `tell_part_len` gave its hint: once for a list.
    hinted: bool,
    tally: Tally,
    out: &'a mut dyn Write,
    errors: &'a mut dyn Write,
}

/// What a line said; `Err` is the number of one that is none.
type Said = Result<Entry, u64>;

/// Checks the files that `source`, called `list`, speaks of. Verdicts go to `out`, messages to
/// `errors`; an error is one of writing to `out`.
///
/// # Errors
/// `out` or `errors` cannot be written. A file that fails is no error: it is counted.
pub fn check<R: Read>(
    root: &Root,
    source: R,
    list: &[u8],
    options: &Options,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> io::Result<Tally> {
    let from_stdin = list == b"-";
    let shown_list = quoted(if from_stdin { b"standard input" } else { list });
    let reader = Reader::named(source, options.grammar.clone(), &String::from_utf8_lossy(list));
    let told = algorithm::of_list_name(&String::from_utf8_lossy(names::name(
        names::path(list).file_name().map_or("".as_ref(), AsRef::as_ref),
    )));
    let settled = if options.grammar.exact { Vec::new() } else { told.into_iter().collect() };
    let tally = Tally::default();
    let mut checking = Checking {
        root,
        reader,
        list: &shown_list,
        from_stdin,
        options,
        settled,
        noted: false,
        hinted: false,
        tally,
        out,
        errors,
    };
    each(root, options.threads, &mut checking, Checking::next, Checking::verdict)?;
    checking.summary()?;
    Ok(checking.tally)
}

impl<R: Read> Checking<'_, R> {
    fn next(&mut self) -> io::Result<Option<Item<Said>>> {
        let line = match self.reader.next_line() {
            Ok(line) => line,
            Err(error) => {
                // The lines so far are judged. The list fails even if all of them match.
                self.tally.broken = true;
                let what = if error.kind() == io::ErrorKind::InvalidData {
                    error.to_string()
                } else {
                    "read error".to_owned()
                };
                self.complain(&format!("{}: {what}", self.list))?;
                None
            }
        };
        self.tell_note()?;
        Ok(line.map(|line| {
            match line.entry.filter(|entry| !(self.from_stdin && entry.name == b"-")) {
                None => Item::Pass(Err(line.number)),
                Some(mut entry) => {
                    if entry.is_in_parts() {
                        let len = self.root.size_hint(&entry.name);
                        entry.settle_parts(len, self.options.part_len);
                    }
                    let digests: Arc<[_]> = entry
                        .claims
                        .iter()
                        .flat_map(|claim| self.candidates(claim))
                        .cloned()
                        .collect();
                    Item::File(Request::new(entry.name.clone(), digests, Ok(entry)))
                }
            }
        }))
    }

    /// What a claim can still be. Of two digests that fit, the first that a file matches is the one
    /// for the whole list.
    fn candidates<'c>(&self, claim: &'c Claim) -> &'c [Method] {
        let settled = claim.digests.iter().position(|digest| self.settled.contains(digest));
        settled.map_or(&claim.digests, |at| &claim.digests[at..=at])
    }

    fn verdict(&mut self, answer: Answer<Said>) -> io::Result<()> {
        match answer {
            Answer::Pass(Err(number)) => self.malformed(number),
            Answer::Pass(Ok(_)) => Ok(()),
            Answer::File(Request { name, digests, tag: Ok(entry), .. }, Ok(digested)) => {
                self.compare(&name, &entry, &digests, &digested)
            }
            Answer::File(request, Err(error)) => self.unreadable(&request.name, &error),
            Answer::File(Request { tag: Err(number), .. }, Ok(_)) => self.malformed(number),
        }
    }

    fn malformed(&mut self, number: u64) -> io::Result<()> {
        self.tally.malformed += 1;
        if !self.options.warn {
            return Ok(());
        }
        let kind = match &self.options.grammar.algorithm {
            Algorithm::One(digest) => algorithm::tag(digest) + " ",
            Algorithm::Blake2b => "BLAKE2b ".to_owned(),
            Algorithm::Any
            | Algorithm::Told(_)
            | Algorithm::Among(_)
            | Algorithm::Tagged
            | Algorithm::Keyed(_) => String::new(),
        };
        let value = self.value();
        self.complain(&format!("{}: {number}: improperly formatted {kind}{value} line", self.list))
    }

    fn unreadable(&mut self, name: &[u8], error: &io::Error) -> io::Result<()> {
        self.tally.entries += 1;
        self.tally.absent += u64::from(error.kind() == io::ErrorKind::NotFound);
        if self.options.ignore_missing && error.kind() == io::ErrorKind::NotFound {
            return Ok(());
        }
        self.tally.unreadable += 1;
        self.complain(&format!("{}: {}", quoted(name), reason(error)))?;
        self.say(name, "FAILED open or read", "unreadable")
    }

    fn compare(
        &mut self,
        name: &[u8],
        entry: &Entry,
        digests: &[Method],
        digested: &Digested,
    ) -> io::Result<()> {
        self.tally.entries += 1;
        let computed = digests.iter().zip(&digested.values);
        let mut matching = Vec::with_capacity(entry.claims.len());
        let matches = entry.claims.iter().all(|claim| {
            let allowed = self.candidates(claim);
            let found = computed.clone().find(|(digest, value)| {
                allowed.contains(digest) && digest.same(value, &claim.value)
            });
            let several = claim.digests.len() > 1;
            matching.extend(found.filter(|_| several).map(|(digest, _)| digest.clone()));
            found.is_some()
        });
        let sizes_differ = entry.size.is_some_and(|size| size != digested.size);
        if !matches || sizes_differ {
            self.tally.mismatched += 1;
            self.tell_other_crc32(name, entry, digested.size)?;
            self.tell_part_len(name, entry)?;
            return self.say(name, "FAILED", "failed");
        }
        self.tally.matched += 1;
        matching.retain(|digest| !self.settled.contains(digest));
        self.settled.append(&mut matching);
        if self.options.quiet { Ok(()) } else { self.say(name, "OK", "ok") }
    }

    /// Two digests are called CRC32: says of one that differs if the other is the one that was
    /// meant. The file is read once more.
    fn tell_other_crc32(&mut self, name: &[u8], entry: &Entry, size: u64) -> io::Result<()> {
        // What has another length than was read, as a pipe or standard input, cannot be read again.
        if self.options.grammar.exact || size == 0 || self.root.size_hint(name) != size {
            return Ok(());
        }
        let other = entry.claims.iter().find_map(|claim| {
            let other = claim.digests.iter().find_map(|digest| algorithm::other_crc32(digest))?;
            let request = Request::new(name.to_vec(), [other.into()].into(), ());
            let values = of_files(self.root, &[request], 1).remove(0).ok()?.values;
            (values == [claim.value.clone()]).then_some(other)
        });
        match other {
            None => Ok(()),
            Some(other) => {
                let other = other.name;
                self.complain(&format!(
                    "{}: the value is its {other}\nhint: check -a {other}",
                    quoted(name)
                ))
            }
        }
    }

    /// Says once that the parts of an object may have had another length than those tried.
    fn tell_part_len(&mut self, name: &[u8], entry: &Entry) -> io::Result<()> {
        let in_parts = |claim: &Claim| claim.digests[0].parts(&claim.value) > 0;
        let told = self.options.part_len.is_some() || self.hinted;
        if told || !entry.claims.iter().any(in_parts) {
            return Ok(());
        }
        self.hinted = true;
        self.complain(&format!(
            "{}: parts of the usual lengths do not give the value\nhint: --part-size, if the parts \
             had another length",
            quoted(name)
        ))
    }

    fn summary(&mut self) -> io::Result<()> {
        if self.options.style == Style::Json && !self.options.status {
            self.report()?;
        }
        self.out.flush()?;
        let Tally { entries, malformed, matched, mismatched, unreadable, broken, .. } = self.tally;
        if entries == 0 {
            return if broken {
                Ok(())
            } else {
                self.complain(&format!("{}: no {}", self.list, self.wanted()))
            };
        }
        if self.options.status {
            return Ok(());
        }
        self.count(malformed, "line is improperly formatted", "lines are improperly formatted")?;
        self.count(unreadable, "listed file could not be read", "listed files could not be read")?;
        let value = self.value();
        self.count(
            mismatched,
            &format!("computed {value} did NOT match"),
            &format!("computed {value}s did NOT match"),
        )?;
        if self.options.ignore_missing && matched == 0 {
            self.complain(&format!("{}: no file was verified", self.list))?;
        }
        if !self.options.totals || !self.tally.holds(true) {
            return Ok(());
        }
        let count = match matched {
            1 => "its entry matches".to_owned(),
            _ => format!("all {matched} entries match"),
        };
        self.complain(&format!("{}: {count}", self.list))
    }

    /// What came of the list, as the last line of JSON.
    fn report(&mut self) -> io::Result<()> {
        let Tally { entries, malformed, matched, mismatched, unreadable, broken, .. } = self.tally;
        let counts = [
            ("list", self.list.into()),
            ("holds", self.tally.holds(self.options.strict).into()),
            ("entries", entries.into()),
            ("malformed", malformed.into()),
            ("matched", matched.into()),
            ("mismatched", mismatched.into()),
            ("unreadable", unreadable.into()),
            ("broken", broken.into()),
        ];
        verdict::report(self.out, &counts)
    }

    /// What the list has of each file.
    fn value(&self) -> &'static str {
        if self.options.grammar.is_keyed() { "code" } else { "checksum" }
    }

    /// What a list has none of that holds nothing.
    fn wanted(&self) -> &'static str {
        match self.options.grammar.is_keyed() {
            true => "lines of codes under a key found",
            false => "properly formatted checksum lines found",
        }
    }

    fn count(&mut self, count: u64, one: &str, many: &str) -> io::Result<()> {
        match count {
            0 => Ok(()),
            1 => self.complain(&format!("WARNING: 1 {one}")),
            _ => self.complain(&format!("WARNING: {count} {many}")),
        }
    }

    fn tell_note(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.noted, true) {
            return Ok(());
        }
        match self.reader.note() {
            None => Ok(()),
            Some(Note::ByteOrderMark) => self.complain(&format!(
                "{}: begins with a byte order mark, which is skipped",
                self.list
            )),
            Some(Note::Utf16) => self
                .complain(&format!("{}: is UTF-16; a checksum list is UTF-8 or bytes", self.list)),
        }
    }

    fn say(&mut self, name: &[u8], text: &str, word: &str) -> io::Result<()> {
        if self.options.status {
            return Ok(());
        }
        VerdictLine { name, text, word, other: None }.write(self.out, self.options.style)
    }

    /// Messages are written at once. Whether anybody reads them changes no verdict.
    fn complain(&mut self, message: &str) -> io::Result<()> {
        let _ = writeln!(self.errors, "{}: {message}", self.options.program);
        Ok(())
    }
}
