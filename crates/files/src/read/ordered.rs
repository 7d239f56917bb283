//! Work on several threads, results in the order of the work.
//!
//! ```text
//! next() -> queue -> whichever thread is free -> an answer of its own for each item
//! sink() <- the answers, the oldest first
//! ```
//!
//! At most twice the threads and two more items are between `next` and `sink`. That bounds memory,
//! and one slow item lets the threads do that many others meanwhile.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Builder, Scope};

/// Gives every item to one of `threads` threads and hands the results to `sink` in the order of the
/// items, until it fails. Items are taken when there is room for them: what is in work at a time
/// does not grow with their number. `next` and `sink` run on the calling thread and share `state`.
pub fn ordered<S, T: Send, R: Send, E>(
    threads: usize,
    state: &mut S,
    mut next: impl FnMut(&mut S) -> Result<Option<T>, E>,
    work: impl Fn(T) -> R + Sync,
    mut sink: impl FnMut(&mut S, R) -> Result<(), E>,
) -> Result<(), E> {
    let window = 2 * threads + 2;
    let (send, receive) = sync_channel::<(T, SyncSender<R>)>(window);
    let queue = Mutex::new(receive);
    thread::scope(|scope| {
        let started = start(scope, threads, || serve(&queue, &work));
        assert!(started > 0, "the system allows no further thread");
        // Moved in here so that it is dropped, and the threads end, however this closure is left.
        let send = send;
        let mut pending: VecDeque<Receiver<R>> = VecDeque::new();
        loop {
            while pending.len() < window
                && let Some(item) = next(state)?
            {
                let (answer, result) = sync_channel(1);
                send.send((item, answer)).expect("the threads live until the channel is closed");
                pending.push_back(result);
            }
            match pending.pop_front() {
                None => return Ok(()),
                Some(result) => {
                    sink(state, result.recv().expect("a thread answers every item, or panics"))?
                }
            }
        }
    })
}

/// Starts that many threads, or as many as the system allows; gives their number.
pub(crate) fn start<'scope>(
    scope: &'scope Scope<'scope, '_>,
    count: usize,
    work: impl Fn() + Copy + Send + 'scope,
) -> usize {
    (0..count).take_while(|_| Builder::new().spawn_scoped(scope, work).is_ok()).count()
}

fn serve<T, R>(queue: &Mutex<Receiver<(T, SyncSender<R>)>>, work: &impl Fn(T) -> R) {
    loop {
        let taken = queue.lock().expect("no thread panics while it takes an item").recv();
        let Ok((item, answer)) = taken else { return };
        // Nobody listens any more if the sink has failed.
        let _ = answer.send(work(item));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let mut state = (0u64, Vec::new());
        let next = |state: &mut (u64, Vec<u64>)| {
            state.0 += 1;
            Ok::<_, ()>(Some(state.0).filter(|&item| item <= 1000))
        };
        ordered(
            4,
            &mut state,
            next,
            |item| (0..item % 7 * 1000).fold(item, |item, _| std::hint::black_box(item)),
            |state, result| {
                state.1.push(result);
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(state.1, (1..=1000).collect::<Vec<_>>());
    }

    #[test]
    fn a_failing_sink_ends_it() {
        let result = ordered(3, &mut (), |()| Ok(Some(1)), |item| item, |(), _| Err("full"));
        assert_eq!(result, Err("full"));
    }
}
