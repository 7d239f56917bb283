//! The published vectors of ciphers.
//!
//! A line of `vectors.txt` has six words: cipher, key, initialisation vector, message, sealed
//! message, source. A minus stands for no bytes, and the source may have blanks. One line serves
//! both directions. Signatures come from `work/signatures.txt`.

use std::sync::Arc;

use crate::protocol::Job;
use crate::text::unhex;
use crate::work::{Cipher, Direction, signature};

/// The published vectors of a cipher as jobs, each with its source.
pub(super) fn vectors(
    cipher: Cipher,
    direction: Direction,
) -> impl Iterator<Item = (Job, &'static str)> {
    let lines = include_str!("vectors.txt")
        .lines()
        .filter(move |line| line.split(' ').next() == Some(cipher.name));
    let vectors = lines.map(move |line| {
        let mut words = line.splitn(6, ' ').skip(1);
        let mut bytes = || {
            words
                .next()
                .and_then(|word| if word == "-" { Some(Vec::new()) } else { unhex(word) })
                .expect("hexadecimal")
        };
        let (secret, texts) = ([bytes(), bytes()], [bytes().into(), bytes().into()]);
        (Job::published(cipher, direction, secret, texts), words.next().expect("a source"))
    });
    let known = signature::known(cipher.name)
        .map(move |known| (Job::cipher(cipher, direction, Arc::default()), known.source));
    vectors.chain(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{CIPHERS, Mode};

    /// Nobody has published a vector of these. OpenSSL agrees with ours in the conformance test.
    const UNPUBLISHED: [&str; 2] = ["aes-192-ige", "aes-256-ige"];

    #[test]
    fn every_cipher_has_a_published_vector_and_ours_gives_it() {
        let own = [Mode::Envelope, Mode::Signature];
        let published =
            |cipher: &&Cipher| !own.contains(&cipher.mode) && !UNPUBLISHED.contains(&cipher.name);
        for cipher in CIPHERS.iter().filter(published) {
            let direction = cipher.directions()[0];
            assert_eq!(vectors(*cipher, direction).count(), 1, "{}", cipher.name);
            for (job, source) in vectors(*cipher, direction) {
                let Job::Cipher { key, iv, input, expected, .. } = job else {
                    panic!("a cipher's job")
                };
                assert_eq!(cipher.seal(&key, &iv, &input), *expected, "{} {source}", cipher.name);
            }
        }
    }
}
