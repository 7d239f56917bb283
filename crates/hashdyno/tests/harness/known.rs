//! Cases whose answers come from elsewhere.

use hashdyno::hex;
use sha2::{Digest as _, Sha256};

use super::facts::{LENGTHS, family, message};
use super::{Subject, Tally, pattern};

/// `check`, computed and known.
pub fn check(subject: &Subject<'_>, tally: &mut Tally) {
    let computed = hex(&subject.one_shot(b"123456789"));
    agree(tally, "check", &computed, &subject.facts.check);
}

/// `sweep`, computed and known.
pub fn sweep(subject: &Subject<'_>, tally: &mut Tally) {
    let message = pattern(4096);
    let digests: Vec<u8> = (0..4096).flat_map(|n| subject.one_shot(&message[..n])).collect();
    let computed = hex(&subject.one_shot(&digests));
    agree(tally, "sweep", &computed, &subject.facts.sweep);
    tally.made += 4096 - 1;
}

fn agree(tally: &mut Tally, what: &str, computed: &str, known: &str) {
    tally.case(computed == known, || format!("{what} is computed as {computed}, not {known}"));
}

/// Published vectors.
pub fn vectors(subject: &Subject<'_>, tally: &mut Tally) {
    for vector in &subject.facts.vectors {
        let got = hex(&subject.extended(&message(&vector.message), vector.digest.len() / 2));
        tally.case(got == vector.digest, || {
            let spelt: String = vector.message.chars().take(80).collect();
            format!(
                "vector of {}: {spelt} gives {got}, expected {}",
                vector.sources.join(", "),
                vector.digest
            )
        });
    }
}

/// The answers of other engines to M(n).
pub fn oracle(subject: &Subject<'_>, tally: &mut Tally) {
    for oracle in &subject.facts.oracles {
        for (n, expected) in LENGTHS.into_iter().zip(&oracle.fingerprints) {
            let answer = subject.extended(&family(n), oracle.output_len);
            let got = hex(&Sha256::digest(&answer)[..4]);
            tally.case(got == *expected, || {
                format!("M({n}) gives {}, which the oracle's engines deny", hex(&answer))
            });
        }
    }
}
