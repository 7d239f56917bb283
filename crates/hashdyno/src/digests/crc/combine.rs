//! The parameters of CRCs, and the CRC of two messages from theirs.

#[cfg(feature = "crc-catalogue")]
use super::catalogue;
use super::{CRC32_BZIP2, CRC32B, CRC32C, CRC64_NVME, CRC64_XZ};
use crate::{Digest, Output};

/// A CRC as the catalogues write it (R. Williams, "A Painless Guide to CRC Error Detection
/// Algorithms", 1993).
#[derive(Clone, Copy)]
pub(super) struct Parameters {
    /// Bits of the remainder, at most 128.
    pub width: u32,
    /// The polynomial without its highest term; bit 0 is the coefficient of x^0.
    pub polynomial: u128,
    /// The remainder at the start.
    pub init: u128,
    /// Whether each byte is taken least significant bit first.
    pub refin: bool,
    /// Whether bit 0 of the result is the coefficient of the highest power of x.
    pub refout: bool,
    /// What is added to the result.
    pub xorout: u128,
}

impl Parameters {
    const fn new(width: u32, polynomial: u128, refin: bool) -> Self {
        let ones = u128::MAX >> (128 - width);
        Self { width, polynomial, init: ones, refin, refout: refin, xorout: ones }
    }

    /// A polynomial of fewer than `width` terms the other way round: bit 0 is the coefficient of
    /// the highest power of x. It is that of one of any greater width, too, multiplied by a power of x.
    pub const fn reversed(&self, polynomial: u128) -> u128 {
        polynomial.reverse_bits() >> (128 - self.width)
    }

    /// Writes the result that a remainder, reversed, gives, its most significant byte first.
    pub fn write(&self, remainder: u128, out: &mut [u8]) {
        let result = if self.refout { remainder } else { self.reversed(remainder) } ^ self.xorout;
        out.copy_from_slice(&result.to_be_bytes()[16 - out.len()..]);
    }

    /// The remainder, reversed, that a result was given of.
    fn read(&self, result: &[u8]) -> u128 {
        let number = result.iter().fold(0, |number, &byte| number << 8 | u128::from(byte));
        let remainder = number ^ self.xorout;
        if self.refout { remainder } else { self.reversed(remainder) }
    }

    /// The remainder of a message whose end is a message of `len` bytes, from both remainders.
    fn combined(&self, first: u128, second: u128, len: u64) -> u128 {
        self.times(first ^ self.reversed(self.init), self.power(len)) ^ second
    }

    /// x^(8 bytes) modulo the polynomial.
    fn power(&self, mut bytes: u64) -> u128 {
        let (mut power, mut square) = (1 << 127, 1 << (127 - 8));
        while bytes > 0 {
            if bytes & 1 == 1 {
                power = self.times(power, square);
            }
            square = self.times(square, square);
            bytes >>= 1;
        }
        power
    }

    /// The product of two remainders of 128 bits, reversed: those of the polynomial times a power
    /// of x.
    fn times(&self, a: u128, b: u128) -> u128 {
        let polynomial = self.reversed(self.polynomial);
        (0..128).fold(0u128, |product, bit| {
            (product >> 1) ^ ((product & 1) * polynomial) ^ ((b >> bit & 1) * a)
        })
    }
}

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
