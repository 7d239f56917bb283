//! The same message in other pieces gives the same digest.

use hashdyno::{Cpu, FittedHasher, update_many_by};

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

/// Many messages that come in pieces at the same time, one after another, and once for the digest
/// by each kernel that takes many: as each message in one call.
pub fn running(subject: &Subject<'_>, tally: &mut Tally) {
    let lanes = subject.digest.ready_lanes(Cpu::native());
    let lanes = lanes.filter(|lanes| subject.is_portable() && lanes.updates());
    for lanes in lanes.map(Some).chain([None]) {
        let mut random = fastrand::Rng::with_seed(5);
        let counts = if lanes.is_some() { &[1, 2, 4, 7, 8, 16, 17, 33, 65][..] } else { &[0, 3] };
        for &count in counts {
            for (shape, longest) in [("alike", 1), ("unlike", 300), ("long", 3000)] {
                let mut hashers = vec![subject.hasher(); count];
                let mut messages = vec![Vec::new(); count];
                for round in 0..3 {
                    let common = random.usize(..400);
                    for (number, message) in messages.iter_mut().enumerate() {
                        let more = if number % 3 == 0 { random.usize(..longest) } else { 0 };
                        let bytes = (0..common + more).map(|at| (at * 7 + number + round) as u8);
                        message.push(bytes.collect::<Vec<_>>());
                    }
                    let mut each: Vec<&mut FittedHasher> =
                        hashers.iter_mut().map(|hasher| &mut **hasher).collect();
                    let pieces: Vec<_> = messages.iter().map(|pieces| &pieces[round][..]).collect();
                    update_many_by(lanes.as_ref(), &mut each, &pieces);
                }
                let wrong = hashers.into_iter().zip(messages).position(|(hasher, message)| {
                    *hasher.finish() != *subject.expected(&message.concat())
                });
                tally.case(wrong.is_none(), || {
                    let by = lanes.map_or("one after another", |lanes| lanes.name());
                    format!("{count} {shape} messages in pieces, {by}: number {wrong:?} is wrong")
                });
            }
        }
    }
}

/// What `work` gives in another thread, where there are threads.
fn elsewhere<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    if cfg!(target_family = "wasm") {
        return work();
    }
    std::thread::spawn(work).join().expect("it does not panic")
}
