//! How files are dealt out to threads: small ones by the hundred; large ones as many at a time as
//! are hashed side by side, if each thread gets enough of them, or else alone.
//!
//! ```text
//! next() -> ahead: items with the lengths of their files -> batch: one thread's work
//!           look_ahead(): work for all threads              128 files, 4 MiB or `share` large ones
//! ```
//!
//! Items stay in order, within a batch and from batch to batch. Lengths are hints that were taken
//! before a file is opened. A wrong one costs time and never a digest.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::read::abreast;
use crate::read::digests::Request;
use crate::read::method::Method;
use crate::read::open::Root;

/// The most files that are one thread's work at a time.
const FILES: usize = 128;

/// How many bytes are, but for files that are hashed side by side.
const BYTES: u64 = 4 << 20;

/// What a stream of requests holds.
pub enum Item<T> {
    /// Digests are wanted.
    File(Request<T>),
    /// Nothing is; the tag keeps its place in the order.
    Pass(T),
}

/// Items that no thread has yet.
pub struct Batches<T> {
    threads: usize,
    /// Items with the bytes of their files.
    ahead: VecDeque<(Item<T>, u64)>,
    /// The digests of the last file, and how many files of these are hashed side by side.
    digests: Option<Arc<[Method]>>,
    width: usize,
    /// How many of the next large files a batch has, and how many these are.
    share: usize,
    shared: usize,
    /// Whether standard input was asked for.
    stdin: bool,
}

impl<T> Batches<T> {
    /// An empty queue for a number of threads.
    pub fn new(threads: usize) -> Self {
        let ahead = VecDeque::new();
        Self { threads, ahead, digests: None, width: 1, share: 1, shared: 0, stdin: false }
    }

    /// The next batch of what `next` gives; none at the end.
    ///
    /// # Errors
    /// Those of `next`.
    pub fn next<E>(
        &mut self,
        root: &Root,
        next: impl FnMut() -> Result<Option<Item<T>>, E>,
    ) -> Result<Option<Vec<Item<T>>>, E> {
        if self.shared == 0 {
            self.look_ahead(root, next)?;
        }
        let (mut batch, mut bytes, mut large) = (Vec::new(), 0, 0);
        while batch.len() < FILES && bytes < BYTES && large < self.share {
            let Some((item, len)) = self.ahead.pop_front() else { break };
            // A large file that is not shared out counts by its length. It fills the batch, and
            // several threads hash it.
            if self.shared > 0 && abreast::is_fitting(len) {
                large += 1;
                self.shared -= 1;
            } else {
                bytes += len;
            }
            batch.push(item);
        }
        Ok(Some(batch).filter(|batch| !batch.is_empty()))
    }

    /// Fetches work for all threads, and divides the large files in it among them.
    fn look_ahead<E>(
        &mut self,
        root: &Root,
        mut next: impl FnMut() -> Result<Option<Item<T>>, E>,
    ) -> Result<(), E> {
        let mut bytes = 0;
        let mut large = 0usize;
        let mut count = |len, width| {
            if width > 1 && abreast::is_fitting(len) {
                large += 1
            } else {
                bytes += len
            }
            bytes < self.threads as u64 * BYTES
        };
        self.ahead.iter().for_each(|(_, len)| _ = count(*len, self.width));
        while self.ahead.len() < self.threads * FILES {
            let Some(mut item) = next()? else { break };
            let mut len = 0;
            if let Item::File(request) = &mut item {
                // Two threads would each read some of it, or both would read all.
                if root.is_stdin(&request.name) {
                    request.at_end = std::mem::replace(&mut self.stdin, true);
                }
                len = root.size_hint(&request.name);
                // Which kernels there are is asked once for files of the same digests, not for
                // each.
                if self.digests.as_ref() != Some(&request.digests) {
                    self.width = abreast::width(&request.digests, self.threads);
                    self.digests = Some(request.digests.clone());
                }
            }
            self.ahead.push_back((item, len));
            if !count(len, self.width) {
                break;
            }
        }
        // In several rounds if the files are many: results come when a whole batch is done.
        let rounds = large.div_ceil(self.threads * 2 * self.width).max(1);
        let share = large.div_ceil(self.threads * rounds);
        if self.digests.as_ref().is_some_and(|digests| abreast::gains(digests, share)) {
            (self.share, self.shared) = (share, large);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Arc;

    use super::*;
    use crate::read::method::Method;

    /// How many files each batch has, of files of these lengths.
    fn dealt(threads: usize, digest: &str, lens: &[u64]) -> Vec<usize> {
        let folder = tempfile::tempdir().unwrap();
        let digests: Arc<[Method]> = [hashdyno::find(digest).unwrap().into()].into();
        let mut items = lens.iter().enumerate().map(|(number, len)| {
            let path = folder.path().join(number.to_string());
            std::fs::File::create(&path).unwrap().set_len(*len).unwrap();
            let name = crate::read::names::name(&path).to_vec();
            Item::File(Request::new(name, digests.clone(), number))
        });
        let (mut batches, mut next, mut counts) = (Batches::new(threads), 0, Vec::new());
        while let Some(batch) =
            batches.next(&Root::anywhere(), || Ok::<_, Infallible>(items.next())).unwrap()
        {
            for item in &batch {
                let Item::File(request) = item else { panic!("all of them are files") };
                assert_eq!(request.tag, next, "they stay in order");
                next += 1;
            }
            counts.push(batch.len());
        }
        assert_eq!(next, lens.len());
        counts
    }

    #[test]
    fn small_files_come_by_the_hundred() {
        assert_eq!(dealt(2, "md5", &[100; 300]), [128, 128, 44]);
        assert_eq!(dealt(2, "md5", &[200 << 10; 42]), [21, 21]);
    }

    #[test]
    fn large_files_are_divided_where_that_fills_lanes() {
        let lanes = abreast::width(&[hashdyno::find("md5").unwrap().into()], 2);
        if lanes >= 16 {
            assert_eq!(dealt(2, "md5", &[5 << 20; 40]), [20, 20]);
            assert_eq!(dealt(3, "md5", &[5 << 20; 30]), [10, 10, 10]);
            assert_eq!(dealt(1, "md5", &[5 << 20; 128]), vec![64; 128 / 64], "in rounds");
            // Small ones stay where they are in the order.
            let mixed: Vec<u64> = (0..60).map(|at| if at % 2 == 0 { 5 << 20 } else { 9 }).collect();
            assert_eq!(dealt(2, "md5", &mixed).iter().sum::<usize>(), 60);
            assert_eq!(dealt(2, "md5", &mixed)[0], 29);
        }
        assert_eq!(dealt(2, "md5", &[5 << 20; 3]), [1, 1, 1]);
        assert_eq!(dealt(2, "xxh3", &[5 << 20; 40]), [1; 40], "it has no lanes for pieces");
        assert_eq!(dealt(2, "md5", &[1 << 30; 20]), [1; 20], "too long to be side by side");
    }
}
