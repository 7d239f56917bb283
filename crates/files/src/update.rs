//! A list brought up to date: what is new is added, what changed is told and never blessed. An
//! entry that was rewritten would vouch for a file that a disk or a person has spoiled.
//!
//! ```text
//! step                                          left by a power cut behind it
//! 1. open and lock the list                     the old list
//! 2. old list and new lines to a temporary file, the old list, and a temporary file
//!    `.NAME.xxxxxx.hashdyno-part`, synced       that the next update removes
//! 3. renamed over the list, folder synced       the new list, whole
//! ```
//!
//! The lock is on the old file, which step 3 takes out of its place. Whoever waited for it looks
//! whether it still has the name, and begins anew if not. The list's entries are in memory.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use atomic_file::AtomicFile;
use hashdyno::Output;

use crate::list::algorithm;
use crate::list::{Algorithm, Claim, Entry, Format, Grammar, Reader, Writer};
use crate::read::digests::{Request, of_files};
use crate::read::method::Method;
use crate::read::names::{plain, quoted};
use crate::read::open::{Root, reason};
use crate::read::skip::Skip;
use crate::sum::{Answer, Item, each};

/// What came of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// Entries added.
    pub added: u64,
    /// Files that are as listed.
    pub same: u64,
    /// Files that are not: their entries stay.
    pub changed: u64,
    /// Files that could not be read, or whose names the list cannot carry.
    pub failed: u64,
}

/// Adds to the list at `path` each of the files that it lacks, in its own dialect, with its own
/// digests. `told` is the digest of values without a tag that have its length; by default that
/// which the list's own name tells, or which a listed file has. If it has a key, it is what the
/// list has of each file, and other lines count for nothing. The list is locked meanwhile, and
/// replaced whole or left as it was; its mode and, where the system allows that, its owner stay.
/// What changed or could not be read is told to `errors`.
///
/// # Errors
/// If the list cannot be read, written or told, or has several names (hard links), of which only
/// one would be updated. Of the kind `InvalidInput`: it does not show which digest it has, or has
/// not the one that was told.
pub fn update(
    root: &Root,
    path: &Path,
    told: Option<Method>,
    sources: impl Iterator<Item = Result<Vec<u8>, (Vec<u8>, io::Error)>>,
    threads: usize,
    errors: &mut dyn Write,
) -> io::Result<Update> {
    let path = &fs::canonicalize(path)?; // a link stays, and the list that it leads to is replaced
    let locked = locked(path)?;
    atomic_file::remove_left(path); // before the sources are walked: it may lie among them
    let mut own = Skip::default();
    own.file(&locked.metadata()?);
    let list = List::read(path, told)?;
    let digests: Arc<[_]> = list.digests.clone().into();
    let mut writer = Writer::new(Vec::new(), list.format, &list.digests).zero(list.zero);
    let mut update = Update::default();
    let mut new = HashSet::new(); // a file may be named twice
    let mut state = (sources, &mut update, errors);
    each(
        root,
        threads,
        &mut state,
        |(sources, ..)| {
            let mut sources =
                sources.filter(|found| found.as_ref().map_or(true, |name| !own.has(name)));
            Ok(sources.next().map(|found| match found {
                Ok(name) => Item::File(Request::new(name, digests.clone(), None)),
                Err(failed) => Item::Pass(Some(failed)),
            }))
        },
        |(_, update, errors), answer| {
            let (name, problem) = match answer {
                Answer::Pass(failed) => {
                    failed.map_or((Vec::new(), None), |(name, error)| (name, Some(reason(&error))))
                }
                Answer::File(request, Err(error)) => (request.name, Some(reason(&error))),
                Answer::File(request, Ok(digested)) => match list.known.get(plain(&request.name)) {
                    Some(known) if list.agrees(known, &digested.values) => {
                        update.same += 1;
                        return Ok(());
                    }
                    Some(_) => {
                        update.changed += 1;
                        let _ = writeln!(
                            errors,
                            "hashdyno: {}: changed; its entry stays",
                            quoted(&request.name)
                        );
                        return Ok(());
                    }
                    None if digested.changed => {
                        (request.name, Some("changed while it was read".to_owned()))
                    }
                    None if !new.insert(plain(&request.name).to_vec()) => return Ok(()),
                    None => {
                        let pairs = list.digests.iter().zip(digested.values);
                        let claims = pairs
                            .map(|(digest, value)| Claim { digests: vec![digest.clone()], value })
                            .collect();
                        let entry = Entry {
                            name: request.name.clone(),
                            claims,
                            size: Some(digested.size),
                            modified: digested.modified,
                        };
                        let refused = writer.entry(&entry).err().map(|error| error.to_string());
                        update.added += u64::from(refused.is_none());
                        (request.name, refused)
                    }
                },
            };
            if let Some(problem) = problem {
                update.failed += 1;
                let _ = writeln!(errors, "hashdyno: {}: {problem}", quoted(&name));
            }
            io::Result::Ok(())
        },
    )?;
    let added = writer.into_inner();
    if !added.is_empty() {
        replace(path, &locked, &added, if list.zero { 0 } else { b'\n' })?;
    }
    Ok(update)
}

/// Opens the list and waits until no other update has it. Whoever had it may have put another file
/// in its place: then it begins anew.
fn locked(path: &Path) -> io::Result<File> {
    loop {
        let list = File::open(path)?;
        list.lock()?;
        let (locked, there) = (list.metadata()?, fs::metadata(path)?);
        if (locked.dev(), locked.ino()) != (there.dev(), there.ino()) {
            continue;
        }
        if locked.permissions().readonly() {
            return Err(io::Error::other("the list is read-only: chmod u+w allows an update"));
        }
        if locked.nlink() > 1 {
            let message = format!(
                "the list has {} names (hard links), and only one would be updated",
                locked.nlink()
            );
            return Err(io::Error::other(message));
        }
        return Ok(list);
    }
}

/// A list in memory.
struct List {
    /// The claims of each file, by its plain name.
    known: HashMap<Vec<u8>, Vec<Claim>>,
    digests: Vec<Method>,
    format: Format,
    zero: bool,
}

impl List {
    fn read(path: &Path, told: Option<Method>) -> io::Result<Self> {
        let name =
            path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let asked = told.as_ref().map(|told| told.name);
        let told = told.or_else(|| algorithm::of_list_name(&name));
        let algorithm = match &told {
            // Under a key, lines without a code count for nothing. Otherwise a digest is told, and
            // a list of tagged lines may have others.
            Some(told) if told.keyed().is_some() => Algorithm::One(told.clone()),
            Some(told) => Algorithm::Told(told.clone()),
            None => Algorithm::Any,
        };
        let grammar = Grammar { algorithm, ..Grammar::ANY };
        let mut reader = Reader::named(File::open(path)?, grammar, &name);
        let mut known: HashMap<Vec<u8>, Vec<Claim>> = HashMap::new();
        let mut digests: Vec<Method> = Vec::new();
        let mut entries = Vec::new();
        while let Some(line) = reader.next_line()? {
            entries.extend(line.entry);
        }
        if let Some(asked) = asked {
            holds(&entries, asked)?;
        }
        let open = || entries.iter().filter(|it| is_open(it)).take(TRIES).find_map(fitting);
        let told = told.or_else(open);
        for entry in entries {
            for claim in &entry.claims {
                let digest = the_one(claim, told.as_ref())?;
                if !digests.contains(&digest) {
                    digests.push(digest);
                }
            }
            // Tagged lines have a line for each digest.
            known.entry(plain(&entry.name).to_vec()).or_default().extend(entry.claims);
        }
        let (format, zero) = reader
            .format()
            .ok_or_else(|| io::Error::other("the list has no entry, so its format is unknown"))?;
        // Its head dates one reading of a card, and the chain of ASC MHL holds the list's digest.
        if matches!(format, Format::Mhl(_)) {
            return Err(io::Error::other(
                "a media hash list is one state of a card: write a new one",
            ));
        }
        Ok(Self { known, digests, format, zero })
    }

    fn agrees(&self, claims: &[Claim], values: &[Output]) -> bool {
        claims.iter().all(|claim| {
            let mut computed = self.digests.iter().zip(values);
            computed.any(|(digest, value)| {
                claim.digests.iter().any(|it| it.name == digest.name)
                    && digest.same(value, &claim.value)
            })
        })
    }
}

/// Checks that a list with entries has this digest: what is added would be of another one.
fn holds(entries: &[Entry], asked: &str) -> io::Result<()> {
    let mut read = Vec::new();
    for digest in entries.iter().flat_map(|entry| &entry.claims).flat_map(|it| &it.digests) {
        if digest.name == asked {
            return Ok(());
        }
        if !read.contains(&digest.name) {
            read.push(digest.name);
        }
    }
    if read.is_empty() {
        return Ok(());
    }
    let message = format!("its lines read as {}, not {asked}", read.join(" or "));
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

/// Whether an entry has a value that may be of two digests.
fn is_open(entry: &Entry) -> bool {
    entry.claims.iter().any(|claim| claim.digests.len() > 1)
}

/// The digest of such a value by which the file is as listed.
fn fitting(entry: &Entry) -> Option<Method> {
    let claim = entry.claims.iter().find(|claim| claim.digests.len() > 1)?;
    let digests = claim.digests.clone().into();
    let request = Request::new(entry.name.clone(), digests, ());
    let root = Root::anywhere().special(false).stdin(false); // a listed pipe has no writer
    let values = of_files(&root, &[request], 1).remove(0).ok()?.values;
    let at = values.iter().position(|value| *value == claim.value)?;
    Some(claim.digests[at].clone())
}

/// How many listed files are read to see which digest a list has.
const TRIES: usize = 16;

/// An entry to come needs one digest, not two that it might be.
fn the_one(claim: &Claim, told: Option<&Method>) -> io::Result<Method> {
    match (&claim.digests[..], told) {
        // Parts may have a length of their own.
        ([digest], Some(told)) if digest.name == told.name => Ok(told.clone()),
        ([digest], _) => Ok(digest.clone()),
        (several, Some(told)) if several.contains(told) => Ok(told.clone()),
        (several, _) => {
            let names: Vec<_> = several.iter().map(|digest| digest.name).collect();
            let message = format!("the list can be of {}", names.join(" or "));
            Err(io::Error::new(io::ErrorKind::InvalidInput, message))
        }
    }
}

/// Writes the old list and the added lines beside it, makes the file durable, and puts it in the
/// old one's place.
fn replace(path: &Path, mut old: &File, added: &[u8], end: u8) -> io::Result<()> {
    let mut new = AtomicFile::new(path)?;
    let len = io::copy(&mut old, &mut new)?;
    // A last line without its end would swallow the first new one.
    let ended = len == 0 || {
        let mut last = [0];
        std::os::unix::fs::FileExt::read_exact_at(old, &mut last, len - 1)?;
        last[0] == end
    };
    if !ended {
        new.write_all(&[end])?;
    }
    new.write_all(added)?;
    let before = old.metadata()?;
    new.own(before.uid(), before.gid());
    new.finish(true, Some(before.permissions()))
}
