//! The published vectors of ciphers.

use crate::protocol::Job;
use crate::text::unhex;
use crate::work::{Cipher, Direction};

/// The published vectors of a cipher as jobs, each with its source.
pub(super) fn vectors(
    cipher: Cipher,
    direction: Direction,
) -> impl Iterator<Item = (Job, &'static str)> {
    let lines = include_str!("vectors.txt")
        .lines()
        .filter(move |line| line.split(' ').next() == Some(cipher.name));
    lines.map(move |line| {
        let mut words = line.splitn(6, ' ').skip(1);
        let mut bytes = || {
            words
                .next()
                .and_then(|word| if word == "-" { Some(Vec::new()) } else { unhex(word) })
                .expect("hexadecimal")
        };
        let (secret, texts) = ([bytes(), bytes()], [bytes().into(), bytes().into()]);
        (Job::published(cipher, direction, secret, texts), words.next().expect("a source"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{CIPHERS, Mode};

    #[test]
    fn every_aes_has_a_published_vector_and_ours_gives_it() {
        for cipher in CIPHERS.iter().filter(|cipher| cipher.mode != Mode::Envelope) {
            assert_eq!(vectors(*cipher, Direction::Encrypt).count(), 1, "{}", cipher.name);
            for (job, source) in vectors(*cipher, Direction::Encrypt) {
                let Job::Cipher { key, iv, input, expected, .. } = job else {
                    panic!("a cipher's job")
                };
                assert_eq!(cipher.seal(&key, &iv, &input), *expected, "{} {source}", cipher.name);
            }
        }
    }
}
