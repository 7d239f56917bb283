//! SEED (RFC 4269) as plainly as it can be written: what ciphers that are measured are held
//! against. Nobody measures this, and it must not guard a secret.
//!
//! The tables S1 and S2 are computed by the RFC's formula: 512 copied numbers would be harder to
//! review. The four vectors of the RFC's appendix B are the test.

use super::aes::{blocks, xor};

/// Cipher block chaining (SP 800-38A, 6.2), whole blocks; `key` has 16 bytes.
pub(super) fn cbc(key: &[u8], iv: &[u8], message: &[u8]) -> Vec<u8> {
    let keys = round_keys(key.try_into().expect("16 bytes"));
    let mut chain = iv.try_into().expect("16 bytes");
    let next = |block| {
        chain = encrypt(&keys, xor(block, chain));
        chain
    };
    blocks(message).flat_map(next).collect()
}

/// RFC 4269, 2.1.
fn encrypt(keys: &[[u32; 2]; 16], block: [u8; 16]) -> [u8; 16] {
    let [a, b, c, d] = words(block);
    let (mut left, mut right) = ([a, b], [c, d]);
    for key in keys {
        let mixed = f(*key, right);
        (left, right) = (right, [left[0] ^ mixed[0], left[1] ^ mixed[1]]);
    }
    // The last round does not change sides.
    let sides = [right[0], right[1], left[0], left[1]];
    sides.map(u32::to_be_bytes).as_flattened().try_into().expect("four words")
}

/// RFC 4269, 2.4: 16 keys of two words.
fn round_keys(key: [u8; 16]) -> [[u32; 2]; 16] {
    let [a, b, c, d] = words(key);
    let [mut front, mut back] = [[a, b], [c, d]].map(|[high, low]| pair(high, low));
    std::array::from_fn(|round| {
        let constant = 0x9e37_79b9_u32.rotate_left(round as u32);
        let ([a, b], [c, d]) = (apart(front), apart(back));
        let keys = [
            g(a.wrapping_add(c).wrapping_sub(constant)),
            g(b.wrapping_sub(d).wrapping_add(constant)),
        ];
        if round % 2 == 0 {
            front = front.rotate_right(8);
        } else {
            back = back.rotate_left(8);
        }
        keys
    })
}

/// RFC 4269, 2.2.
fn f(key: [u32; 2], half: [u32; 2]) -> [u32; 2] {
    let first = half[0] ^ key[0];
    let one = g(first ^ half[1] ^ key[1]);
    let two = g(one.wrapping_add(first));
    let three = g(two.wrapping_add(one));
    [three.wrapping_add(two), three]
}

/// RFC 4269, 2.3: each byte through its box, and of each byte of the result two bits from every
/// box left out.
fn g(word: u32) -> u32 {
    let [y3, y2, y1, y0] = word.to_be_bytes();
    let boxed =
        [S1[usize::from(y0)], S2[usize::from(y1)], S1[usize::from(y2)], S2[usize::from(y3)]];
    let byte = |first: usize| {
        let part = |(place, byte): (usize, &u8)| byte & MASKS[(first + place) % 4];
        boxed.iter().enumerate().map(part).fold(0, |sum, part| sum ^ part)
    };
    u32::from_be_bytes([byte(3), byte(2), byte(1), byte(0)])
}

const MASKS: [u8; 4] = [0xfc, 0xf3, 0xcf, 0x3f];

/// RFC 4269, 2.3: a power in the field, a matrix by its columns, and a constant.
const S1: [u8; 256] = table(247, [0x2c, 0xd0, 0x69, 0xc2, 0x41, 0x44, 0x58, 0xe2], 169);
const S2: [u8; 256] = table(251, [0xd0, 0x2a, 0xe1, 0x2c, 0x21, 0x30, 0xa2, 0x6c], 56);

const fn table(power: u32, columns: [u8; 8], constant: u8) -> [u8; 256] {
    let mut table = [constant; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut raised, mut step) = (1, 0);
        while step < power {
            raised = product(raised, byte as u8);
            step += 1;
        }
        let mut bit = 0;
        while bit < 8 {
            if raised >> bit & 1 == 1 {
                table[byte] ^= columns[bit];
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// Modulo x^8 + x^6 + x^5 + x + 1.
const fn product(a: u8, b: u8) -> u8 {
    let (mut sum, mut shifted, mut bit) = (0, a, 0);
    while bit < 8 {
        if b >> bit & 1 == 1 {
            sum ^= shifted;
        }
        shifted = shifted << 1 ^ if shifted >> 7 == 1 { 0x63 } else { 0 };
        bit += 1;
    }
    sum
}

fn words(block: [u8; 16]) -> [u32; 4] {
    std::array::from_fn(|place| u32::from_be_bytes(block.as_chunks::<4>().0[place]))
}

fn pair(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn apart(pair: u64) -> [u32; 2] {
    [(pair >> 32) as u32, pair as u32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::unhex;
    use hashdyno::hex;

    /// RFC 4269, appendix B.
    #[test]
    fn rfc_4269() {
        for (key, message, expected) in [
            (
                "00000000000000000000000000000000",
                "000102030405060708090a0b0c0d0e0f",
                "5ebac6e0054e166819aff1cc6d346cdb",
            ),
            (
                "000102030405060708090a0b0c0d0e0f",
                "00000000000000000000000000000000",
                "c11f22f20140505084483597e4370f43",
            ),
            (
                "4706480851e61be85d74bfb3fd956185",
                "83a2f8a288641fb9a4e9a5cc2f131c7d",
                "ee54d13ebcae706d226bc3142cd40d4a",
            ),
            (
                "28dbc3bc49ffd87dcfa509b11d422be7",
                "b41e6be2eba84a148e2eed84593c5ec7",
                "9b9b7bfcd1813cb95d0b3618f40f5122",
            ),
        ] {
            let [key, message] = [key, message].map(|text| unhex(text).unwrap());
            assert_eq!(hex(&cbc(&key, &[0; 16], &message)), expected);
        }
    }
}
