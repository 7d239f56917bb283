//! The rule about ciphers.
//!
//! Each cipher that is offered is asked in each direction that is offered. Published vectors come
//! first, because the host's own code might share an error with the runner's. The longest message,
//! 65552 bytes, is longer than a pipe holds. Forged tags differ in one bit of one of their last
//! seven bytes.

use super::super::Runner;
use super::super::vectors::vectors;
use super::{Broken, Outcome, message, refused_with};
use crate::protocol::{Job, Kind};
use crate::work::{Cipher, Direction};

/// Published vectors, then messages both ways; a forged tag is refused.
pub(super) fn ciphers(mut runner: Runner) -> Outcome {
    let (mut count, mut published, mut tags) = (0, 0, 0);
    let offers: Vec<_> =
        runner.list().iter().filter(|offer| offer.kind == Kind::Cipher).cloned().collect();
    for offer in &offers {
        let cipher = Cipher::find(&offer.name)
            .ok_or_else(|| Broken(format!("there is no cipher {}", offer.name)))?;
        for direction in offer.variants.iter().filter_map(|name| Direction::find(name)) {
            for (job, source) in vectors(cipher, direction) {
                runner.job(&job).map_err(|error| Broken(format!("{source}: {error}")))?;
                published += 1;
            }
            for len in [16, 64, 1024, 16384, 65552] {
                let job = Job::cipher(cipher, direction, message(len));
                runner.job(&job)?;
                runner.run(1)?;
                runner.again()?;
                count += 1;
                // A library that does not check its tag would be faster than all others.
                let checks = matches!(direction, Direction::Decrypt | Direction::Verify);
                if checks && cipher.tag_len() > 0 {
                    let mut forged = job.payload().to_vec();
                    let last = forged.len() - 1;
                    forged[last - len % 7] ^= 0x20;
                    refused_with(&mut runner, &job.to_string(), &forged)?;
                    tags += 1;
                }
            }
        }
    }
    Ok(format!(
        "{published} published vectors; {count} messages of {} ciphers, twice each; {tags} forged \
            tags refused",
        offers.len()
    ))
}
