//! The CRC of two messages from theirs.

#[cfg(feature = "crc-catalogue")]
use super::catalogue;
use super::parameters::Parameters;
use super::{CRC32_BZIP2, CRC32B, CRC32C, CRC64_NVME, CRC64_XZ};
use crate::{Digest, Output};

/// The parameters of a digest, if it is a CRC of the message and of nothing else.
fn parameters(digest: &Digest) -> Option<Parameters> {
    const IEEE: u128 = 0x04c1_1db7;
    let known = [
        (&CRC32_BZIP2, Parameters::new(32, IEEE, false)),
        (&CRC32B, Parameters::new(32, IEEE, true)),
        (&CRC32C, Parameters::new(32, 0x1edc_6f41, true)),
        (&CRC64_NVME, Parameters::new(64, 0xad93_d235_94c9_3659, true)),
        (&CRC64_XZ, Parameters::new(64, 0x42f0_e1eb_a9ea_3693, true)),
    ];
    let known = known.into_iter().find(|(known, _)| *known == digest);
    #[cfg(feature = "crc-catalogue")]
    if known.is_none() {
        return catalogue::parameters(digest).copied();
    }
    Some(known?.1)
}

/// The CRC of two messages, one behind the other, from the CRC of each and the second's length in
/// bytes: parts of a file are summed at once, or an object's parts are checked without its bytes.
/// None if the digest is no CRC, or counts the message's length as `cksum` does.
///
/// ```
/// let crc = hashdyno::find("crc64-nvme").unwrap();
/// let (first, second) = (crc.digest(b"hello "), crc.digest(b"world"));
/// let both = hashdyno::crc_combine(crc, &first, &second, 5).unwrap();
/// assert_eq!(both, crc.digest(b"hello world"));
/// ```
///
/// # Panics
/// If a CRC is not [`Digest::output_len`] bytes long.
pub fn crc_combine(
    digest: &Digest,
    first: &[u8],
    second: &[u8],
    second_len: u64,
) -> Option<Output> {
    let parameters = parameters(digest)?;
    for crc in [first, second] {
        if crc.len() != digest.output_len {
            digest.refuse(crc.len());
        }
    }
    // PHP's prints its least significant byte first.
    let swapped = *digest == CRC32_BZIP2;
    let remainder = |crc: &[u8]| {
        parameters.read(&Output::written(crc.len(), |out| {
            out.copy_from_slice(crc);
            if swapped {
                out.reverse();
            }
        }))
    };
    let combined = parameters.combined(remainder(first), remainder(second), second_len);
    Some(Output::written(first.len(), |out| {
        parameters.write(combined, out);
        if swapped {
            out.reverse();
        }
    }))
}
