//! What is known of a digest from elsewhere: the files of `vectors/`, whose format
//! `vectors/make.py` tells.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// All that is known of one digest.
pub struct Facts {
    /// Digest of `123456789`.
    pub check: String,
    /// Digest of the digests of the first n bytes of the pattern i % 251, n = 0..4096.
    pub sweep: String,
    /// Where vectors were published, and the engines that gave the other answers.
    pub sources: BTreeSet<String>,
    /// Published vectors.
    pub vectors: Vec<Vector>,
    /// What other engines answer to the messages M(n).
    pub oracles: Vec<Oracle>,
}

/// A published vector.
pub struct Vector {
    /// As the file spells it; [`message`] reads it.
    pub message: String,
    /// Expected, in hexadecimal.
    pub digest: String,
    /// Where it was published.
    pub sources: Vec<String>,
}

/// Answers to M(n) for all of [`LENGTHS`].
pub struct Oracle {
    /// Bytes of each answer.
    pub output_len: usize,
    /// The first four bytes of the SHA-256 of each answer, in hexadecimal.
    pub fingerprints: Vec<String>,
}

impl Facts {
    /// The facts of the digest of that name; panics, and so fails the test, if there are none.
    pub fn of(name: &str) -> Self {
        let sweeps = read("sweeps.txt");
        let line = sweeps
            .iter()
            .find(|words| words[0] == name)
            .unwrap_or_else(|| panic!("vectors/sweeps.txt lacks {name}"));
        let mut facts = Self {
            check: line[1].clone(),
            sweep: line[2].clone(),
            sources: line[3].split('+').map(str::to_owned).collect(),
            vectors: vec![],
            oracles: vec![],
        };
        known(name).into_iter().for_each(|words| facts.take(words));
        for oracle in &facts.oracles {
            assert_eq!(oracle.fingerprints.len(), LENGTHS.len(), "{name}");
        }
        facts
    }

    /// Takes one line.
    fn take(&mut self, words: Vec<String>) {
        match (words[0].as_str(), &words[1..]) {
            ("vector", [message, digest, sources]) => {
                let sources: Vec<_> = sources.split(',').map(str::to_owned).collect();
                self.sources.extend(sources.iter().cloned());
                self.vectors.push(Vector {
                    message: message.clone(),
                    digest: digest.clone(),
                    sources,
                });
            }
            ("oracle", [output_len, engines]) => {
                self.sources.extend(engines.split(',').map(str::to_owned));
                self.oracles
                    .push(Oracle { output_len: output_len.parse().unwrap(), fingerprints: vec![] });
            }
            ("answers", [from, fingerprints @ ..]) => {
                let oracle = self.oracles.last_mut().expect("an oracle line comes first");
                assert_eq!(
                    *from,
                    LENGTHS[oracle.fingerprints.len()].to_string(),
                    "the answers are out of order"
                );
                oracle.fingerprints.extend_from_slice(fingerprints);
            }
            _ => panic!("no line of a vectors file: {words:?}"),
        }
    }
}

/// The lines of a digest: those of its own file, or those behind `digest NAME` in the file of the
/// CRCs that are known by their parameters. None if there is neither.
pub fn known(name: &str) -> Vec<Vec<String>> {
    let own = format!("{name}.txt");
    if path(&own).exists() {
        return read(&own);
    }
    let lines = read("crc-catalogue.txt").into_iter();
    lines
        .skip_while(|words| words[0] != "digest" || words[1] != name)
        .skip(1)
        .take_while(|words| words[0] != "digest")
        .collect()
}

/// The lines of a file of `vectors/` as words, comments aside.
pub fn read(file: &str) -> Vec<Vec<String>> {
    let path = path(file);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

/// Where a file of `vectors/` lies.
pub fn path(file: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "vectors", file].iter().collect()
}

/// The message that a vector spells: hexadecimal, `-`, `0..N` for counting bytes, `N*HEX` for
/// repetition, `+HEX` for a tail.
pub fn message(spelt: &str) -> Vec<u8> {
    if let Some((head, tail)) = spelt.split_once('+') {
        return [message(head), message(tail)].concat();
    }
    if let Some((times, unit)) = spelt.split_once('*') {
        return message(unit).repeat(times.parse().unwrap());
    }
    if let Some(count) = spelt.strip_prefix("0..") {
        return (0..count.parse().unwrap()).map(|i: usize| i as u8).collect();
    }
    let digits = spelt.trim_start_matches('-');
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
        .collect()
}

/// M(n), the message family of the oracles.
pub fn family(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 131 + 17 * n + (i >> 8)) as u8).collect()
}

/// The n of the oracles.
pub const LENGTHS: [usize; 315] = {
    const LONG: [usize; 14] =
        [511, 512, 513, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 5000, 8191, 8192, 65543];
    let mut lengths = [0; 315];
    let mut i = 0;
    while i < lengths.len() {
        lengths[i] = if i <= 300 { i } else { LONG[i - 301] };
        i += 1;
    }
    lengths
};
