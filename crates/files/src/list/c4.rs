//! C4 identifiers (SMPTE ST 2114): a SHA-512 in base 58, 90 characters with the prefix `c4`.
//!
//! The digest is one number of 512 bits, the highest byte first. 58^88 is the first power of 58
//! that is more than 2^512, so 88 digits hold every digest and some numbers that are none.

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const DIGITS: usize = 88;

/// The identifier of a SHA-512.
pub fn encode(sha512: &[u8]) -> String {
    let mut digits = [0u8; DIGITS];
    for &byte in sha512 {
        let mut carry = u32::from(byte);
        // The number so far times 256, plus the next byte.
        for digit in digits.iter_mut().rev() {
            carry += u32::from(*digit) << 8;
            *digit = (carry % 58) as u8;
            carry /= 58;
        }
    }
    let digits = digits.iter().map(|&digit| char::from(ALPHABET[usize::from(digit)]));
    "c4".chars().chain(digits).collect()
}

/// The SHA-512 of an identifier; `None` if it is none.
pub fn decode(text: &str) -> Option<[u8; 64]> {
    let text = text.strip_prefix("c4").filter(|text| text.len() == DIGITS)?;
    let mut bytes = [0u8; 64];
    for character in text.bytes() {
        let mut carry =
            u32::try_from(ALPHABET.iter().position(|&known| known == character)?).ok()?;
        // The number so far times 58, plus the next digit.
        for byte in bytes.iter_mut().rev() {
            carry += u32::from(*byte) * 58;
            *byte = carry as u8;
            carry >>= 8;
        }
        // It has more than 512 bits: no digest is written so.
        if carry > 0 {
            return None;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The identifier of the empty file in SMPTE ST 2114.
    #[test]
    fn the_standards_example() {
        let empty = hashdyno::find("sha512").unwrap().digest(b"");
        let id = "c459dsjfscH38cYeXXYogktxf4Cd9ibshE3BHUo6a58hBXmRQdZrAkZzsWcbWtDg5oQstpDuni4Hirj7\
                  5GEmTc1sFT";
        assert_eq!(encode(&empty), id);
        assert_eq!(decode(id).unwrap()[..], empty[..]);
        assert_eq!(decode(&"c4".repeat(45)), None);
        assert_eq!(decode(&id.replace('5', "0")), None);
        assert_eq!(decode(&encode(&[0xff; 64])).unwrap(), [0xff; 64]);
        assert_eq!(decode(&encode(&[0; 64])).unwrap(), [0; 64]);
    }
}
