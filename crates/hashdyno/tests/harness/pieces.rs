//! The same message in other pieces gives the same digest.

use super::facts::{LENGTHS, family};
use super::{Subject, Tally, pattern};

/// Lengths of pieces, other than one block and irregular.
const STEPS: [usize; 5] = [1, 3, 64, 127, 1000];

/// Random pairs of a length and a plan for every kernel.
const SPLITS: u64 = 10_000;

/// Every length of the oracles in regular pieces, in pieces of a block, and in irregular ones, some
/// of them empty.
pub fn plans(subject: &Subject<'_>, tally: &mut Tally) {
    let mut random = fastrand::Rng::with_seed(1);
    for n in LENGTHS {
        let message = family(n);
        let expected = subject.expected(&message);
        for step in STEPS.into_iter().chain([subject.digest.block_len]) {
            let right = subject.in_pieces(message.chunks(step)) == expected;
            tally.case(right, || format!("M({n}) in pieces of {step} gives another digest"));
        }
        let pieces = cut(&message, &mut random);
        let right = subject.in_pieces(pieces.iter().copied()) == expected;
        tally.case(right, || {
            format!("M({n}) gives another digest in pieces of {:?}", lengths(&pieces))
        });
    }
}

/// Random messages in random pieces.
pub fn splits(subject: &Subject<'_>, tally: &mut Tally) {
    for seed in 0..SPLITS {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut message = vec![0; random.usize(..=5 * subject.granule())];
        random.fill(&mut message);
        let pieces = cut(&message, &mut random);
        let right = subject.in_pieces(pieces.iter().copied()) == subject.expected(&message);
        tally.case(right, || {
            format!("seed {seed}: another digest in pieces of {:?}", lengths(&pieces))
        });
    }
}

/// `message` in random pieces, mostly short, about every fourth of them empty.
fn cut<'m>(mut message: &'m [u8], random: &mut fastrand::Rng) -> Vec<&'m [u8]> {
    let mut pieces = vec![];
    while !message.is_empty() {
        let longest = random.usize(1..=message.len());
        let len = if random.u8(..4) == 0 { 0 } else { random.usize(1..=longest) };
        let (piece, rest) = message.split_at(len);
        pieces.push(piece);
        message = rest;
    }
    pieces.push(&[]);
    pieces
}

fn lengths(pieces: &[&[u8]]) -> Vec<usize> {
    pieces.iter().map(|piece| piece.len()).collect()
}

/// A message that is copied half-way, moved, finished, and goes on: both copies are right, and
/// neither disturbs the other.
pub fn clones(subject: &Subject<'_>, tally: &mut Tally) {
    let block = subject.digest.block_len;
    let message = pattern(2 * subject.granule() + 3 * block + 1);
    let (one, other) = (&message[..block + 1], &message[3..]);
    for at in
        [0, 1, block - 1, block, block + 1, 2 * block - 1, 2 * block, 2 * block + 1, 3 * block]
    {
        let head = &message[..at];
        let mut first = subject.hasher();
        first.update(head);
        let (mut second, finished) = (Box::new(first.clone()), first.clone());
        first.update(one);
        second.update(other);
        let (again, second) = (first.clone(), elsewhere(move || second.finish()));
        let right = |got: &[u8], tail: &[u8]| got == subject.expected(&[head, tail].concat());
        tally.case(right(&finished.finish(), &[]), || {
            format!("finished after {at} bytes, the copy is wrong")
        });
        tally.case(right(&first.finish(), one), || {
            format!("copied after {at} bytes, the original is wrong")
        });
        tally.case(right(&second, other), || format!("copied after {at} bytes, the copy is wrong"));
        tally.case(right(&again.finish(), one), || {
            format!("copied after {at} bytes, the original does not finish twice alike")
        });
    }
}

/// What `work` gives in another thread, where there are threads.
fn elsewhere<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    if cfg!(target_family = "wasm") {
        return work();
    }
    std::thread::spawn(work).join().expect("it does not panic")
}
