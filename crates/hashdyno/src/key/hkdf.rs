//! Keys made of keys: HKDF (RFC 5869).

use zeroize::Zeroizing;

use super::Key;
use crate::{Digest, KeyError, MAX_OUTPUT_LEN};

/// HKDF (RFC 5869) with HMAC over a digest: fills `out` with a key made of keying material; `info`
/// names what it is for. A salt may be empty; the best is as long as the digest, and random.
///
/// # Errors
/// If the digest has no HMAC, or the key has more than 255 digests.
pub fn hkdf(
    digest: &'static Digest,
    salt: &[u8],
    material: &[u8],
    info: &[u8],
    out: &mut [u8],
) -> Result<(), KeyError> {
    let mut extracted = Zeroizing::new([0; MAX_OUTPUT_LEN]);
    let extracted = &mut extracted[..digest.output_len];
    Key::hmac(digest, salt)?.digest_into(material, extracted);
    hkdf_expand(digest, extracted, info, out)
}

/// The second half of [`hkdf`] (RFC 5869, section 2.3), for a key that looks random already and is
/// no shorter than the digest. The first half is an HMAC of the material under the salt.
///
/// # Errors
/// As [`hkdf`] has them.
pub fn hkdf_expand(
    digest: &'static Digest,
    key: &[u8],
    info: &[u8],
    out: &mut [u8],
) -> Result<(), KeyError> {
    let key = Key::hmac(digest, key)?;
    let most = 255 * digest.output_len;
    if out.len() > most {
        return Err(KeyError::TooLong { digest: digest.name, len: out.len(), most });
    }
    let mut before = Zeroizing::new(Vec::new());
    for (number, part) in (1u8..=255).zip(out.chunks_mut(digest.output_len)) {
        let mut hasher = key.hasher();
        hasher.update(&before);
        hasher.update(info);
        hasher.update(&[number]);
        before.resize(digest.output_len, 0);
        hasher.finish_into(&mut before);
        part.copy_from_slice(&before[..part.len()]);
    }
    Ok(())
}
