//! Digests of many files, given out in the order they were asked for.
//!
//! `each` is what all commands on files are made of:
//!
//! ```text
//! next          Batches           of_files          sink
//! items    ->   work for a   ->   digests on   ->   answers, in the order of the items
//!               thread            all threads
//! calling thread                  threads           calling thread
//! ```
//!
//! An item that asks for nothing, such as an error of a walk, keeps its place in that order. So
//! messages come beside the files that they belong to.

use std::io;
use std::sync::Arc;

use crate::batches::Batches;
pub use crate::batches::Item;
use crate::list::{Claim, Entry};
use crate::read::device::rotates;
use crate::read::digests::{Digested, Request, of_files};
use crate::read::method::Method;
use crate::read::names;
use crate::read::open::Root;
use crate::read::ordered::ordered;
use crate::read::skip::Skip;
use crate::read::walk::{Walk, is_folder};

/// The answer to a request, or what passed.
pub enum Answer<T> {
    /// A file's digests, or why there are none.
    File(Request<T>, io::Result<Digested>),
    /// What was handed in.
    Pass(T),
}

/// Answers every item in order, on `threads` threads. `next` and `sink` share `state` and may end
/// it with an error.
///
/// # Errors
/// The first error of `next` or `sink`.
pub fn each<S, T: Send, E>(
    root: &Root,
    threads: usize,
    state: &mut S,
    mut next: impl FnMut(&mut S) -> Result<Option<Item<T>>, E>,
    mut sink: impl FnMut(&mut S, Answer<T>) -> Result<(), E>,
) -> Result<(), E> {
    let mut batches = Batches::new(threads);
    let batch = |state: &mut S| batches.next(root, || next(state));
    ordered(
        threads,
        state,
        batch,
        |batch| answers(root, batch, threads),
        |state, answers| answers.into_iter().try_for_each(|answer| sink(state, answer)),
    )
}

fn answers<T>(root: &Root, batch: Vec<Item<T>>, threads: usize) -> Vec<Answer<T>> {
    let (mut requests, mut passes) = (Vec::with_capacity(batch.len()), Vec::new());
    for (at, item) in batch.into_iter().enumerate() {
        match item {
            Item::File(request) => requests.push(request),
            Item::Pass(tag) => passes.push((at, tag)),
        }
    }
    let results = of_files(root, &requests, threads);
    let mut answers: Vec<_> = requests
        .into_iter()
        .zip(results)
        .map(|(request, result)| Answer::File(request, result))
        .collect();
    // From left to right: what lies before a place is all there when it is filled.
    passes.into_iter().for_each(|(at, tag)| answers.insert(at, Answer::Pass(tag)));
    answers
}

/// The files that a command line names, folders opened up if that was asked for.
pub struct Sources {
    paths: std::vec::IntoIter<Vec<u8>>,
    recursive: bool,
    skip: Skip,
    walk: Option<Walk>,
}

impl Sources {
    /// These paths, in this order.
    pub fn new(paths: Vec<Vec<u8>>, recursive: bool) -> Self {
        Self { paths: paths.into_iter(), recursive, skip: Skip::default(), walk: None }
    }

    /// The same without what `skip` leaves out. A file that was named is left out only if it is one
    /// of the skipped files.
    pub fn skipping(mut self, skip: Skip) -> Self {
        self.skip = skip;
        self
    }
}

impl Iterator for Sources {
    type Item = Result<Vec<u8>, (Vec<u8>, io::Error)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.walk.as_mut().and_then(Iterator::next) {
                return Some(found);
            }
            let path = self.paths.next()?;
            // `-` on the command line is standard input, though a folder may have that name.
            let is_folder =
                if self.recursive && path != b"-" { is_folder(&path) } else { Ok(false) };
            match is_folder {
                Ok(true) => self.walk = Some(Walk::skipping(&path, self.skip.clone())),
                Ok(false) if self.skip.has(&path) => {}
                Ok(false) => return Some(Ok(path)),
                Err(error) => return Some(Err((path, error))),
            }
        }
    }
}

/// Digests of every source: `sink` is given each name with its entry or its error, in order.
///
/// # Errors
/// The first error of `sink`. A file that cannot be read is no error: `sink` is told.
pub fn sum<E>(
    root: &Root,
    sources: impl Iterator<Item = Result<Vec<u8>, (Vec<u8>, io::Error)>>,
    digests: &[Method],
    threads: usize,
    mut sink: impl FnMut(&[u8], io::Result<Summed>) -> Result<(), E>,
) -> Result<(), E> {
    let digests: Arc<[_]> = digests.into();
    let methods = digests.clone();
    let mut sources = sources;
    let next = |sources: &mut _| {
        let item = |found| match found {
            Ok(name) => Item::File(Request::new(name, digests.clone(), None)),
            Err(failed) => Item::Pass(Some(failed)),
        };
        Ok(Iterator::next(sources).map(item))
    };
    each(root, threads, &mut sources, next, |_, answer| match answer {
        Answer::Pass(failed) => failed.map_or(Ok(()), |(name, error)| sink(&name, Err(error))),
        Answer::File(request, Err(error)) => sink(&request.name, Err(error)),
        Answer::File(request, Ok(digested)) => {
            let claims = methods
                .iter()
                .zip(digested.values)
                .map(|(method, value)| Claim { digests: vec![method.clone()], value })
                .collect();
            let entry = Entry {
                name: request.name.clone(),
                claims,
                size: Some(digested.size),
                modified: digested.modified,
            };
            sink(&request.name, Ok(Summed { entry, changed: digested.changed }))
        }
    })
}

/// What came of a file.
pub struct Summed {
    /// Its line in a list.
    pub entry: Entry,
    /// Whether it changed while it was read.
    pub changed: bool,
}

/// How many threads suit the storage that holds `path`: one if it rotates, else one for each core.
pub fn fitting_threads(path: &[u8]) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let device = rustix::fs::stat(names::path(path)).map(|stat| stat.st_dev);
    if device.is_ok_and(rotates) { 1 } else { cores }
}
