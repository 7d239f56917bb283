//! Messages beyond 2^32 bits and beyond 2^32 bytes, where counters of lengths overflow, against the
//! answers of other engines in `vectors/big.txt`: `make big`. Arguments name the digests to take;
//! none, all.
//!
//! Every answer is asked of a message in pieces, by the kernel that this CPU gets. The shorter
//! messages, of half a gibibyte, are taken in one call and in lanes, too.

use std::process::ExitCode;
use std::time::Instant;

use hashdyno::{ALL, Cpu, Digest, Hasher, Messages, digest_many_by, hex};

fn main() -> ExitCode {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let pattern: Vec<u8> = (0..=250).collect();
    let file = std::fs::read_to_string(FILE).unwrap_or_else(|error| panic!("{FILE}: {error}"));
    let in_memory = pattern.repeat(IN_MEMORY.div_ceil(pattern.len()));
    let mut wrong = 0;
    for digest in ALL
        .into_iter()
        .filter(|digest| asked.is_empty() || asked.iter().any(|name| name == digest.name))
    {
        let mut answers = answers(digest, &file);
        if answers.is_empty() {
            eprintln!(
                "{}: nobody else's answer in vectors/big.txt, so held against the portable kernel",
                digest.name
            );
            let portable = digest
                .one
                .iter()
                .rev()
                .find_map(|kernel| kernel.bind(Cpu::native()))
                .expect("it needs nothing");
            answers.push((
                IN_MEMORY,
                in_pieces(Hasher::with_kernel(digest, portable), &pattern, IN_MEMORY),
            ));
        }
        for (len, expected) in answers {
            let start = Instant::now();
            let mut given = vec![("in pieces", in_pieces(Hasher::new(digest), &pattern, len))];
            if len <= IN_MEMORY {
                given.push(("in one call", hex(&digest.digest(&in_memory[..len]))));
                given.extend(in_lanes(digest, &in_memory[..len]));
            }
            for (how, answer) in given.iter().filter(|(_, answer)| *answer != expected) {
                wrong += 1;
                eprintln!(
                    "{} of {len} bytes {how}: error: {answer}, expected {expected}",
                    digest.name
                );
            }
            let ways: Vec<_> = given.iter().map(|(how, _)| *how).collect();
            eprintln!(
                "{} of {len} bytes {}: {:.1} s",
                digest.name,
                ways.join(", "),
                start.elapsed().as_secs_f64()
            );
        }
    }
    eprintln!("{wrong} wrong");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Lengths, and what other engines answer to messages of them.
fn answers(digest: &Digest, file: &str) -> Vec<(usize, String)> {
    let lines = file.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let known = lines.filter(|words| words[0] == digest.name);
    known
        .map(|words| (words[1].parse().expect("the second word is a length"), words[2].to_owned()))
        .collect()
}

/// The message in pieces, of which few end with a block.
fn in_pieces(mut hasher: Hasher, pattern: &[u8], len: usize) -> String {
    let piece = pattern.repeat(4099);
    let mut left = len;
    while left > 0 {
        let now = left.min(piece.len());
        hasher.update(&piece[..now]);
        left -= now;
    }
    hex(&hasher.finish())
}

/// The message in every lane of the best kernel for many, if there is one, and an empty message
/// beside it; one digest, or those that differ.
fn in_lanes(digest: &Digest, message: &[u8]) -> Option<(&'static str, String)> {
    let cpu = Cpu::native();
    let many = digest.bind_many(cpu, usize::MAX)?;
    let mut messages = vec![message; many.lanes()];
    messages.push(b"");
    let mut out = vec![0; messages.len() * digest.output_len];
    digest_many_by(digest, Some(&many), &digest.bind(cpu), Messages::Slices(&messages), &mut out);
    let mut digests: Vec<_> = out.chunks(digest.output_len).take(many.lanes()).map(hex).collect();
    digests.dedup();
    Some(("in lanes", digests.join(" and ")))
}

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/big.txt");

/// Bytes of the longest message that is taken in one call.
const IN_MEMORY: usize = (1 << 29) + 17;
