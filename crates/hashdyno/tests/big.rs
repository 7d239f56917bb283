//! Lengths beyond 2^32 bits and beyond 2^32 bytes, where counters overflow, against the answers of
//! other engines in `vectors/big.txt`.
//!
//! To hash whole messages of that size takes minutes: `make big` does it. Most tests here restore
//! hashers that have taken all but the end. `vectors/big-states.txt` has them. It needs no trust:
//! only the right state leads to the other engine's answer.
#![cfg(feature = "full")]

#[path = "harness/facts.rs"]
#[allow(dead_code)]
mod facts;

use std::sync::{LazyLock, Mutex};
use std::{env, fs};

use hashdyno::{ALL, Cpu, Digest, Hasher, Messages, digest_many_by, find, hex};

const STATES: &str = "big-states.txt";

/// Set this variable to write that file anew, which takes about 20 minutes of one core. It is to be
/// done where the layout of a saved hasher or of a state has changed.
const RECORD: &str = "HASHDYNO_RECORD_STATES";

/// Bytes of the message that the saved hashers lack: more than the chunks that BLAKE3 takes at a
/// time.
const LACKING: u64 = 40_000;

/// The test saves and restores each hasher once more at this distance from the end. All lengths are
/// 17 above a power of two.
const LAST: usize = 9;

#[test]
fn restored_hashers_count_beyond_32_bits() {
    if cfg!(any(target_endian = "big", not(target_pointer_width = "64"))) {
        return; // a saved hasher has the byte order of its machine
    }
    if env::var_os(RECORD).is_some() {
        record();
    }
    let states = facts::read(STATES);
    for (digest, len, expected) in ALL.into_iter().flat_map(answers) {
        let what = format!("{} of {len} bytes", digest.name);
        let saved =
            states.iter().find(|words| words[0] == digest.name && words[1] == len.to_string());
        let saved = saved.unwrap_or_else(|| panic!("{STATES} lacks {what}\nhint: set {RECORD}=1"));
        let restored = |saved: &[u8]| {
            Hasher::restore(saved)
                .unwrap_or_else(|why| panic!("{what}: {why}\nhint: set {RECORD}=1"))
        };
        let end = pattern(len - LACKING, len);
        let (middle, last) = end.split_at(end.len() - LAST);
        let mut hasher = restored(&facts::message(&saved[2]));
        hasher.update(middle);
        let mut hasher = restored(&hasher.save());
        hasher.update(last);
        assert_eq!(hasher.message_len(), len, "{what}");
        assert_eq!(hex(&hasher.finish()), expected, "{what}");
    }
}

/// Nobody hashes a message of 2^64 bits: the length in a saved hasher is changed. SHA-512 has a
/// length field of 128 bits. The expected digest is by the compression function of the crate
/// `sha2`, with the padding of FIPS 180-4, 5.1.2.
#[test]
fn sha512_counts_beyond_64_bits() {
    const LENGTH_AT: usize = 2 + "sha512".len();
    let digest = find("sha512").expect("a digest");
    let mut hasher = Hasher::new(digest);
    hasher.update(&[1; 128]);
    let mut saved = hasher.save();
    saved.truncate(saved.len() - 8);
    saved[LENGTH_AT..][..8].copy_from_slice(&((1_u64 << 61) + 128).to_ne_bytes());
    let checksum = find("xxh64").expect("a digest").digest(&saved);
    saved.extend_from_slice(&checksum);
    let mut hasher = Hasher::restore(&saved).expect("the checksum is right");
    hasher.update(b"the end");

    let mut chain: [u64; 8] = std::array::from_fn(|word| {
        let bytes =
            saved[LENGTH_AT + 10 + 8 * word..].first_chunk().expect("the state has eight words");
        u64::from_ne_bytes(*bytes)
    });
    let mut block = [0; 128];
    block[..8].copy_from_slice(b"the end\x80");
    block[112..].copy_from_slice(&(8 * ((1_u128 << 61) + 128 + 7)).to_be_bytes());
    sha2::block_api::compress512(&mut chain, &[block]);
    assert_eq!(*hasher.finish(), *chain.map(u64::to_be_bytes).as_flattened());
}

/// The two ways to hash a message in one call: by a state, and by functions for whole messages,
/// which end it by themselves. All of the latter that are fast.
#[test]
#[cfg_attr(not(target_arch = "x86_64"), ignore = "it takes minutes under an emulator")]
fn one_call_counts_beyond_32_bits() {
    let by_state = ["blake2b-512"];
    let whole = [
        "blake3", "cksum", "murmur3a", "murmur3c", "murmur3f", "sha256", "xxh128", "xxh3", "xxh32",
        "xxh64",
    ];
    for digest in ALL
        .into_iter()
        .filter(|digest| by_state.iter().chain(&whole).any(|name| *name == digest.name))
    {
        assert_eq!(hex(&digest.digest(&MESSAGE)), answer(digest), "{}", digest.name);
    }
}

/// Messages in lanes, which end them in a way of their own; each digest is for one such way.
/// Kernels of four lanes are the quickest here. Those by SHA-NI end a message as one call does.
#[test]
#[cfg_attr(not(target_arch = "x86_64"), ignore = "there are no such kernels")]
fn lanes_count_beyond_32_bits() {
    let one_length: [&[u8]; 4] = [&MESSAGE; 4];
    let other_lengths: [&[u8]; 4] = [&MESSAGE, &MESSAGE, &MESSAGE, b""];
    for (name, messages) in [("blake2b-512", one_length), ("sha1", other_lengths)] {
        let digest = find(name).expect("a digest");
        let mut kernels = digest.ready_lanes(Cpu::native());
        let four =
            kernels.find(|kernel| kernel.lanes() == 4 && !kernel.name().starts_with("sha-ni"));
        let Some(kernel) = four else { continue };
        let mut out = vec![0; 4 * digest.output_len];
        digest_many_by(
            digest,
            Some(&kernel),
            &digest.bind(Cpu::native()),
            Messages::Slices(&messages),
            &mut out,
        );
        for (message, out) in messages.iter().zip(out.chunks(digest.output_len)) {
            let expected =
                if message.is_empty() { hex(&digest.digest(message)) } else { answer(digest) };
            assert_eq!(hex(out), expected, "{name} by {}", kernel.name());
        }
    }
}

/// The shorter of the messages in `big.txt`.
static MESSAGE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut message = pattern(0, 251).repeat(SHORTER / 251 + 1);
    message.truncate(SHORTER);
    message
});

const SHORTER: usize = (1 << 29) + 17;

/// What another engine answers to [`MESSAGE`].
fn answer(digest: &'static Digest) -> String {
    let known = answers(digest).into_iter().find(|(_, len, _)| *len == SHORTER as u64);
    known.unwrap_or_else(|| panic!("big.txt lacks {}", digest.name)).2
}

/// What other engines answer to the first bytes of the pattern, with the number of these bytes.
fn answers(digest: &'static Digest) -> Vec<(&'static Digest, u64, String)> {
    let lines = facts::read("big.txt").into_iter().filter(|words| words[0] == digest.name);
    lines
        .map(|mut words| (digest, words[1].parse().expect("a length"), words.swap_remove(2)))
        .collect()
}

/// Bytes `from..to` of the message of which the answers are.
fn pattern(from: u64, to: u64) -> Vec<u8> {
    (from..to).map(|at| (at % 251) as u8).collect()
}

/// Writes the file of states: hashes every message of `big.txt` but for its end, the digests on all
/// cores.
fn record() {
    let (left, lines) = (Mutex::new(ALL.to_vec()), Mutex::new(vec![]));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let next = || left.lock().expect("no panic").pop();
                while let Some(digest) = next() {
                    let states = states(digest);
                    lines.lock().expect("no panic").extend(states);
                }
            });
        }
    });
    let mut lines = lines.into_inner().expect("no panic");
    lines.sort_unstable();
    let head = format!(
        "# name, bytes of the message in big.txt, the hasher of its first bytes as saved on a \
            little-endian machine: all but {LACKING}.\n\
         # {RECORD}=1 cargo test -p hashdyno --features full --test big\n"
    );
    fs::write(facts::path(STATES), head + &lines.concat()).expect("the file can be written");
}

/// A line for each length.
fn states(digest: &'static Digest) -> Vec<String> {
    let piece = pattern(0, 251 * 4099);
    let mut hasher = Hasher::new(digest);
    let mut lens: Vec<u64> = answers(digest).into_iter().map(|(_, len, _)| len).collect();
    lens.sort_unstable();
    let line = |len: u64| {
        while hasher.message_len() < len - LACKING {
            let left = len - LACKING - hasher.message_len();
            let from = (hasher.message_len() % 251) as usize;
            let now = left.min((piece.len() - from) as u64) as usize;
            hasher.update(&piece[from..][..now]);
        }
        format!("{} {len} {}\n", digest.name, hex(&hasher.save()))
    };
    lens.into_iter().map(line).collect()
}
