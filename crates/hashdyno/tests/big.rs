//! Messages beyond 2^32 bits and 2^32 bytes, where counters of lengths overflow, each in one call and in pieces: `make test-big`.
//! `HASHDYNO_BIG=md5,blake3` takes these only. Needs 4.1 GiB of memory.

#[allow(dead_code, reason = "the harness uses the rest")]
#[path = "harness/facts.rs"]
mod facts;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use hashdyno::{Cpu, Digest, Hasher, Messages, digest_many, find, hex};

/// An answer of `vectors/big.txt`.
struct Answer {
    digest: &'static Digest,
    len: usize,
    expected: String,
}

#[test]
#[ignore = "minutes, and 4.1 GiB: make test-big"]
fn messages_beyond_four_gibibytes() {
    let answers = chosen();
    let longest = answers.iter().map(|answer| answer.len).max().expect("HASHDYNO_BIG names digests of vectors/big.txt");
    let message: Vec<u8> = (0..=250).cycle().take(longest).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let taken = std::iter::from_fn(|| answers.get(next.fetch_add(1, Ordering::Relaxed)));
        taken.flat_map(|answer| wrong(answer, &message[..answer.len])).collect::<Vec<_>>()
    };
    let wrong: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..thread::available_parallelism().map_or(1, usize::from)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker ends")).collect()
    });
    assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), 3 * answers.len(), wrong.join("\n"));
}

/// What is wrong of one answer: computed in one call, in pieces of many lengths, and as one of two messages.
fn wrong(answer: &Answer, message: &[u8]) -> Vec<String> {
    let Answer { digest, len, expected } = answer;
    let mut many = vec![0; 2 * digest.output_len];
    digest_many(digest, Cpu::native(), Messages::Slices(&[b"", message]), &mut many);
    let computed = [
        ("in one call", hex(&digest.digest(message))),
        ("in pieces", in_pieces(digest, message)),
        ("beside another", hex(&many[digest.output_len..])),
    ];
    let wrong = computed.into_iter().filter(|(_, got)| got != expected);
    let wrong: Vec<_> =
        wrong.map(|(how, got)| format!("{} of {len} bytes {how}: {got}, expected {expected}", digest.name)).collect();
    println!("{} of {len} bytes: {}", digest.name, if wrong.is_empty() { "right" } else { "wrong" });
    wrong
}

/// Pieces up to 64 MiB, few of which end with a block.
fn in_pieces(digest: &'static Digest, message: &[u8]) -> String {
    let mut random = fastrand::Rng::with_seed(5);
    let (mut hasher, mut left) = (Hasher::new(digest), message);
    while !left.is_empty() {
        let (piece, rest) = left.split_at(random.usize(..64 << 20).min(left.len()));
        hasher.update(piece);
        left = rest;
    }
    hex(&hasher.finish())
}

fn chosen() -> Vec<Answer> {
    let names = std::env::var("HASHDYNO_BIG").unwrap_or_default();
    let asked = |name: &str| names.is_empty() || names.split(',').any(|one| one == name);
    let lines = facts::read("big.txt").into_iter().filter(|words| asked(&words[0]));
    lines
        .map(|words| Answer {
            digest: find(&words[0]).unwrap_or_else(|| panic!("vectors/big.txt: there is no {}", words[0])),
            len: words[1].parse().expect("the second word is a length"),
            expected: words[2].clone(),
        })
        .collect()
}
