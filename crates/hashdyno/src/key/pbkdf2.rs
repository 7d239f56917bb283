//! Keys made of passwords: PBKDF2 (RFC 8018, section 5.2).

use zeroize::{Zeroize, Zeroizing};

use super::{Key, is_whole_words};
use crate::many::Iterated;
use crate::{Batch, Cpu, Digest, Kernel, KeyError, Messages, ReadyLanes};

/// PBKDF2 (RFC 8018, section 5.2) with HMAC over a digest: fills `out` with the key that a
/// password, a salt and a number of iterations make. The parts of a key that is longer than a
/// digest are computed together, one in each lane of a vector, with the feature `many`.
///
/// ```
/// # #[cfg(feature = "sha1")] {
/// let mut key = [0; 20];
/// hashdyno::pbkdf2(hashdyno::SHA1, b"password", b"salt", 4096, &mut key)?; // RFC 6070
/// assert!(hashdyno::hex(&key).starts_with("4b007901b765489abead49d926f721d0"));
/// # }
/// # Ok::<(), hashdyno::KeyError>(())
/// ```
///
/// # Errors
/// If the digest has no HMAC, there are no iterations, or the key has more than 2^32 - 1 digests.
pub fn pbkdf2(
    digest: &'static Digest,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    out: &mut [u8],
) -> Result<(), KeyError> {
    let (passwords, salts) = ([password], [salt]);
    pbkdf2_many(digest, (&passwords).into(), (&salts).into(), iterations, out)
}

/// The same for many passwords on one core, each with the salt of its number: the keys one after
/// another, all of one length. They are computed together, a part of a key in each lane.
///
/// # Errors
/// As [`pbkdf2`] has them.
///
/// # Panics
/// If there is not a salt for each password, or the length of `out` is no multiple of their number;
/// or as [`Messages::len`] and [`Messages::message`] do.
pub fn pbkdf2_many(
    digest: &'static Digest,
    passwords: Messages<'_>,
    salts: Messages<'_>,
    iterations: u32,
    out: &mut [u8],
) -> Result<(), KeyError> {
    pbkdf2_many_on(digest, Cpu::native(), passwords, salts, iterations, out)
}

/// The same by one core of a CPU.
///
/// # Errors
/// As [`pbkdf2`] has them.
///
/// # Panics
/// As [`pbkdf2_many`] does.
pub fn pbkdf2_many_on(
    digest: &'static Digest,
    cpu: &Cpu,
    passwords: Messages<'_>,
    salts: Messages<'_>,
    iterations: u32,
    out: &mut [u8],
) -> Result<(), KeyError> {
    let count = passwords.len();
    assert_eq!(count, salts.len(), "every password has a salt");
    let left = out.len().checked_rem(count).unwrap_or(out.len());
    assert_eq!(left, 0, "the keys are alike in length, and each has a password");
    // Also where there is no password.
    Key::hmac(digest, b"")?;
    if iterations == 0 {
        return Err(KeyError::NoIterations);
    }
    let (len, part_len) = (out.len() / count.max(1), digest.output_len);
    let most = (u32::MAX as usize).saturating_mul(part_len);
    if len > most {
        return Err(KeyError::TooLong { digest: digest.name, len, most });
    }
    if count == 0 || len == 0 {
        return Ok(());
    }
    let mut parts = Parts {
        digest,
        cpu,
        iterations,
        keys: Vec::new(),
        codes: Zeroizing::default(),
        places: Vec::new(),
    };
    for (number, out) in out.chunks_exact_mut(len).enumerate() {
        let key = Key::hmac(digest, passwords.message(number))?;
        for (index, place) in (1u32..).zip(out.chunks_mut(part_len)) {
            let mut hasher = key.hasher();
            hasher.update(salts.message(number));
            hasher.update(&index.to_be_bytes());
            parts.codes.extend_from_slice(&hasher.finish());
            parts.keys.push(key.clone());
            parts.places.push(place);
            if parts.places.len() == WINDOW {
                parts.finish();
            }
        }
    }
    parts.finish();
    Ok(())
}

/// How many parts are computed together at most.
const WINDOW: usize = 256;

/// Parts of keys: the HMAC of each is iterated.
struct Parts<'a, 'out> {
    digest: &'static Digest,
    cpu: &'a Cpu,
    iterations: u32,
    /// The password of each part.
    keys: Vec<Key>,
    /// The first HMACs.
    codes: Zeroizing<Vec<u8>>,
    places: Vec<&'out mut [u8]>,
}

impl Parts<'_, '_> {
    /// Computes them, and leaves none.
    fn finish(&mut self) {
        let count = self.places.len();
        if count == 0 {
            return;
        }
        let len = self.digest.output_len;
        let mut sums = Zeroizing::new(vec![0; self.codes.len()]);
        match self.kernel(count) {
            Some(many) => self.iterate_in_lanes(&many, &mut sums),
            None => self.iterate_each(&mut sums),
        }
        for ((sum, code), place) in
            sums.chunks_exact_mut(len).zip(self.codes.chunks_exact(len)).zip(self.places.drain(..))
        {
            add(sum, code);
            place.copy_from_slice(&sum[..place.len()]);
        }
        self.codes.zeroize();
        self.keys.clear();
    }

    /// The kernel of so many lanes that at least half of them are used.
    fn kernel(&self, count: usize) -> Option<ReadyLanes> {
        let whole = is_whole_words(self.digest);
        let worth_it = |kernel: &&Kernel| whole && kernel.is_worth_it(self.cpu);
        let worth_it = self.digest.many.iter().filter(worth_it);
        worth_it
            .filter_map(|kernel| kernel.bind_many(self.cpu))
            .find(|many| many.iterates() && many.lanes() <= 2 * count)
    }

    fn iterate_in_lanes(&self, many: &ReadyLanes, sums: &mut [u8]) {
        let states = |outer: bool| -> Zeroizing<Vec<u8>> {
            let state = |key: &Key| key.0.part(outer).state().to_vec();
            Zeroizing::new(self.keys.iter().flat_map(state).collect())
        };
        let (inner, outer) = (states(false), states(true));
        let iterated = Iterated { states: [&inner, &outer], rounds: self.iterations - 1 };
        let messages = Messages::Rows { data: &self.codes, width: self.digest.output_len };
        let one = self.digest.bind(self.cpu);
        Batch::new(self.digest, &one, messages, sums).iterating(iterated).run(Some(many));
    }

    fn iterate_each(&self, sums: &mut [u8]) {
        let (len, kernel) = (self.digest.output_len, self.digest.bind(self.cpu));
        let each =
            self.keys.iter().zip(self.codes.chunks_exact(len)).zip(sums.chunks_exact_mut(len));
        let mut code = Zeroizing::new(vec![0; len]);
        let mut next = code.clone();
        for ((key, first), sum) in each {
            code.copy_from_slice(first);
            for _ in 1..self.iterations {
                key.digest_by(&kernel, &code, &mut next);
                std::mem::swap(&mut code, &mut next);
                add(sum, &code);
            }
        }
    }
}

/// Adds bytes without carry.
fn add(sum: &mut [u8], bytes: &[u8]) {
    sum.iter_mut().zip(bytes).for_each(|(sum, byte)| *sum ^= byte);
}
