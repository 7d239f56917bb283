//! Two folders compared by their contents, without a list.
//!
//! Both walks give names in one order, so they are merged like two sorted lists:
//!
//! ```text
//! first < second           missing    the name is in the first folder only
//! first > second           new        in the second only
//! equal, other lengths     differs    nothing is read
//! equal, one length        both files are hashed, the first and right after it its partner
//! ```
//!
//! Answers keep the order of requests. So the answer of a first file waits in `first`, and the next
//! one is its partner's. The folders agree only if a file is the same and no file is anything else.

use std::io::{self, Write};
use std::iter::Peekable;
use std::sync::Arc;

use hashdyno::Output;

use crate::read::digests::{Digested, Request};
use crate::read::method::Method;
use crate::read::names::{self, quoted};
use crate::read::open::{Root, reason};
use crate::read::skip::Skip;
use crate::read::walk::Walk;
use crate::sum::{Answer, Item, each};
use crate::verdict::{self, Style, VerdictLine};

/// How two folders are compared.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is left out of both folders.
    pub skip: Skip,
    /// Threads at once.
    pub threads: usize,
    /// Whether no line is written for a file.
    pub status: bool,
    /// How the lines are written.
    pub style: Style,
}

/// How many files of two folders are what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trees {
    /// The same content under the same name in both folders.
    pub same: u64,
    /// Another content.
    pub differs: u64,
    /// In the first folder only.
    pub missing: u64,
    /// In the second folder only.
    pub new: u64,
    /// Files and folders that could not be read.
    pub unreadable: u64,
}

impl Trees {
    /// Whether both folders have the same files, and at least one.
    pub fn agree(&self) -> bool {
        self.same > 0 && *self == Self { same: self.same, ..Self::default() }
    }
}

/// Compares the regular files below `first` and `second`, name by name: by their sizes, then by
/// BLAKE3 of their contents. A line for each file that is not the same goes to `out`, then the
/// counts; what cannot be read goes to `errors`.
///
/// # Errors
/// An error of writing to `out`.
pub fn compare(
    root: &Root,
    [first, second]: [&[u8]; 2],
    options: &Options,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> io::Result<Trees> {
    let digest = hashdyno::find("blake3").expect("the library has BLAKE3");
    let side = |folder: &[u8]| {
        // A walk of `.` spells a file `-` as `./-`; here all names have a folder to be cut off.
        let folder = if folder == b"." { b"./" } else { folder };
        Side {
            walk: Walk::skipping(folder, options.skip.clone()).peekable(),
            cut: folder.len() + usize::from(!folder.ends_with(b"/")),
        }
    };
    let mut comparing = Comparing {
        sides: [side(first), side(second)],
        digests: [digest.into()].into(),
        second: None,
        first: None,
        trees: Trees::default(),
        options,
        out,
        errors,
    };
    each(
        root,
        options.threads,
        &mut comparing,
        |comparing| Ok(comparing.next()),
        Comparing::judge,
    )?;
    comparing.summary()?;
    Ok(comparing.trees)
}

struct Side {
    walk: Peekable<Walk>,
    /// How much of each name is the folder's own.
    cut: usize,
}

struct Comparing<'a> {
    sides: [Side; 2],
    digests: Arc<[Method]>,
    /// The file of the second folder whose partner was given out just before.
    second: Option<Vec<u8>>,
    /// The answer of that partner.
    first: Option<Vec<Output>>,
    trees: Trees,
    options: &'a Options,
    out: &'a mut dyn Write,
    errors: &'a mut dyn Write,
}

/// What is known of a name without reading.
enum Tag {
    /// The first file of a pair. Its answer waits for the second's.
    First,
    /// The second file of a pair, with its path below the folder.
    Second(Vec<u8>),
    /// Names or lengths gave the verdict.
    Known(Vec<u8>, Verdict),
    Failed(Vec<u8>, io::Error),
}

#[derive(Clone, Copy)]
enum Verdict {
    Same,
    Differs,
    Missing,
    New,
}

impl Comparing<'_> {
    fn next(&mut self) -> Option<Item<Tag>> {
        if let Some(name) = self.second.take() {
            let below = name[self.sides[1].cut..].to_vec();
            return Some(Item::File(Request::new(name, self.digests.clone(), Tag::Second(below))));
        }
        // Errors of the walks come first, so that `peek` below gives a name or the end. An error
        // that was taken for the end would call all names of the other folder missing or new.
        for side in &mut self.sides {
            if let Some(Err((name, error))) = side.walk.next_if(Result::is_err) {
                return Some(Item::Pass(Tag::Failed(name, error)));
            }
        }
        let [first, second] = [0, 1].map(|at| {
            let side = &mut self.sides[at];
            let cut = side.cut;
            side.walk.peek().and_then(|found| found.as_ref().ok()).map(|name| name[cut..].to_vec())
        });
        let order = match (&first, &second) {
            (None, None) => return None,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(first), Some(second)) => parts(first).cmp(parts(second)),
        };
        let mut take =
            |at: usize| self.sides[at].walk.next().and_then(Result::ok).unwrap_or_default();
        Some(match order {
            std::cmp::Ordering::Less => {
                take(0);
                Item::Pass(Tag::Known(first.unwrap_or_default(), Verdict::Missing))
            }
            std::cmp::Ordering::Greater => {
                take(1);
                Item::Pass(Tag::Known(second.unwrap_or_default(), Verdict::New))
            }
            std::cmp::Ordering::Equal => {
                let (one, other) = (take(0), take(1));
                // Only lengths that are both known can differ. Else reading decides.
                if len(&one).zip(len(&other)).is_some_and(|(one, other)| one != other) {
                    return Some(Item::Pass(Tag::Known(
                        first.unwrap_or_default(),
                        Verdict::Differs,
                    )));
                }
                self.second = Some(other);
                Item::File(Request::new(one, self.digests.clone(), Tag::First))
            }
        })
    }

    fn judge(&mut self, answer: Answer<Tag>) -> io::Result<()> {
        match answer {
            Answer::Pass(Tag::Failed(name, error)) => self.unreadable(&name, &error),
            Answer::Pass(Tag::Known(name, verdict)) => self.count(&name, verdict),
            Answer::Pass(_) => Ok(()),
            Answer::File(Request { name, tag: Tag::Second(below), .. }, answer) => {
                let second = self.values(&name, answer)?;
                match (self.first.take(), second) {
                    (Some(first), Some(second)) => self.count(
                        &below,
                        if first == second { Verdict::Same } else { Verdict::Differs },
                    ),
                    // One of the pair could not be read. That was counted, and is no verdict on the
                    // content.
                    _ => Ok(()),
                }
            }
            Answer::File(request, answer) => {
                self.first = self.values(&request.name, answer)?;
                Ok(())
            }
        }
    }

    /// The values of a file; nothing where it cannot be read, or changed meanwhile, which is told.
    fn values(
        &mut self,
        name: &[u8],
        answer: io::Result<Digested>,
    ) -> io::Result<Option<Vec<Output>>> {
        match answer {
            Ok(digested) if digested.changed => {
                self.unreadable(name, &io::Error::other("changed while it was read"))?
            }
            Ok(digested) => return Ok(Some(digested.values)),
            Err(error) => self.unreadable(name, &error)?,
        }
        Ok(None)
    }

    fn unreadable(&mut self, name: &[u8], error: &io::Error) -> io::Result<()> {
        self.trees.unreadable += 1;
        let _ = writeln!(self.errors, "hashdyno: {}: {}", quoted(name), reason(error));
        if self.options.style.is_text() { Ok(()) } else { self.say(name, "unreadable") }
    }

    fn count(&mut self, name: &[u8], verdict: Verdict) -> io::Result<()> {
        let (count, word) = match verdict {
            Verdict::Same => {
                self.trees.same += 1;
                return Ok(());
            }
            Verdict::Differs => (&mut self.trees.differs, "differs"),
            Verdict::Missing => (&mut self.trees.missing, "missing"),
            Verdict::New => (&mut self.trees.new, "new"),
        };
        *count += 1;
        self.say(name, word)
    }

    fn say(&mut self, name: &[u8], word: &str) -> io::Result<()> {
        if self.options.status {
            return Ok(());
        }
        VerdictLine { name, text: word, word, other: None }.write(self.out, self.options.style)
    }

    fn summary(&mut self) -> io::Result<()> {
        let Trees { same, differs, missing, new, unreadable } = self.trees;
        if !self.options.status {
            let counts = [
                ("same", same),
                ("differs", differs),
                ("missing", missing),
                ("new", new),
                ("unreadable", unreadable),
            ];
            match self.options.style {
                Style::Json => {
                    verdict::report(self.out, &counts.map(|(key, count)| (key, count.into())))?
                }
                Style::Text | Style::Coloured => {
                    let unread = if unreadable > 0 {
                        format!(", {unreadable} not readable")
                    } else {
                        String::new()
                    };
                    writeln!(
                        self.out,
                        "{same} same, {differs} differ, {missing} missing, {new} new{unread}"
                    )?;
                }
            }
        }
        self.out.flush()
    }
}

/// A walk's order is that of the parts of names.
fn parts(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    name.split(|&byte| byte == b'/')
}

fn len(name: &[u8]) -> Option<u64> {
    names::path(name).metadata().ok().map(|metadata| metadata.len())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn compared(first: &str, second: &str, style: Style) -> (Trees, String, String) {
        let (mut out, mut errors) = (Vec::new(), Vec::new());
        let options = Options { skip: Skip::default(), threads: 2, status: false, style };
        let names = [first.as_bytes(), second.as_bytes()];
        let trees = compare(&Root::anywhere(), names, &options, &mut out, &mut errors).unwrap();
        (trees, String::from_utf8(out).unwrap(), String::from_utf8(errors).unwrap())
    }

    #[test]
    fn every_difference_is_told_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| format!("{}/{name}", folder.path().display());
        let put = |name: &str, content: &str| {
            fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
            fs::write(at(name), content).unwrap();
        };
        for name in ["b/deep", "b.txt", "same"] {
            put(&format!("one/{name}"), "content");
            put(&format!("two/{name}"), "content");
        }
        let (trees, text, _) = compared(&at("one"), &at("two/"), Style::Text);
        assert!(trees.agree() && text == "3 same, 0 differ, 0 missing, 0 new\n", "{text}");
        put("two/b/deep", "CONTENT");
        put("two/b.txt", "longer content");
        put("one/only", "");
        put("two/a/new", "");
        let (trees, text, errors) = compared(&at("one"), &at("two"), Style::Text);
        assert_eq!(
            text,
            "a/new: new\nb/deep: differs\nb.txt: differs\nonly: missing\n1 same, 2 differ, 1 \
                missing, 1 new\n"
        );
        assert!(!trees.agree() && errors.is_empty(), "{errors}");
        let (_, text, _) = compared(&at("one"), &at("two"), Style::Json);
        assert!(
            text.starts_with("{\"name\":\"a/new\",\"schema\":1,\"verdict\":\"new\"}\n"),
            "{text}"
        );
        assert!(
            text.lines()
                .last()
                .unwrap()
                .contains("\"report\":{\"differs\":2,\"missing\":1,\"new\":1,\"same\":1"),
            "{text}"
        );
    }

    #[test]
    fn two_empty_folders_or_one_that_is_not_there_never_agree() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().to_str().unwrap();
        assert!(!compared(name, name, Style::Text).0.agree());
        let (trees, _, errors) = compared(name, "/no such folder", Style::Text);
        assert!(trees.unreadable == 1 && errors.contains("No such file"), "{errors}");
    }
}
