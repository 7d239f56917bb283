//! AES (FIPS 197) and its modes as plainly as they can be written: what ciphers that are measured
//! are held against. Nobody measures this, and it must not guard a secret: its time depends on the
//! key.
//!
//! ```text
//! Aes::new -> encrypt, a block -> ecb, cbc, ctr, ige, xts      the message, sealed
//!                              -> ccm, gcm, gcm_siv            the same and a tag of 16 bytes
//! ```
//!
//! There is no decryption: a runner's `decrypt` is held against the message that was sealed.

/// A key, expanded for encryption.
pub(crate) struct Aes {
    round_keys: Vec<Columns>,
}

/// A block as its four columns, each with its first row in the highest byte.
type Columns = [u32; 4];

impl Aes {
    /// `key` has 16, 24 or 32 bytes.
    pub(crate) fn new(key: &[u8]) -> Self {
        let words = key.len() / 4;
        let mut expanded: Vec<u32> =
            key.as_chunks::<4>().0.iter().map(|&word| u32::from_be_bytes(word)).collect();
        let mut constant = 1;
        for index in words..4 * (words + 7) {
            let mut word = expanded[index - 1];
            if index % words == 0 {
                word = sub_word(word.rotate_left(8)) ^ u32::from(constant) << 24;
                constant = double(constant);
            } else if words > 6 && index % words == 4 {
                word = sub_word(word);
            }
            expanded.push(expanded[index - words] ^ word);
        }
        Self { round_keys: expanded.as_chunks::<4>().0.to_vec() }
    }

    /// The block, encrypted.
    pub(crate) fn encrypt(&self, block: [u8; 16]) -> [u8; 16] {
        let (first, rest) =
            self.round_keys.split_first().expect("a key has eleven round keys at least");
        let (last, middle) = rest.split_last().expect("as above");
        let start = std::array::from_fn(|column| {
            first[column] ^ u32::from_be_bytes(block.as_chunks::<4>().0[column])
        });
        let state = middle.iter().fold(start, |state, key| {
            std::array::from_fn(|column| {
                let [a, b, c, d] = shifted(state, column).map(|byte| MIXED[usize::from(byte)]);
                key[column] ^ a ^ b.rotate_right(8) ^ c.rotate_right(16) ^ d.rotate_right(24)
            })
        });
        let end: Columns = std::array::from_fn(|column| {
            last[column] ^ u32::from_be_bytes(shifted(state, column).map(sub))
        });
        end.map(u32::to_be_bytes).as_flattened().try_into().expect("four columns of four")
    }

    /// Electronic code book (SP 800-38A, 6.1): whole blocks, each by itself.
    pub(crate) fn ecb(&self, message: &[u8]) -> Vec<u8> {
        blocks(message).flat_map(|block| self.encrypt(block)).collect()
    }

    /// Cipher block chaining (SP 800-38A, 6.2), whole blocks.
    pub(crate) fn cbc(&self, iv: [u8; 16], message: &[u8]) -> Vec<u8> {
        let mut chain = iv;
        let next = |block| {
            chain = self.encrypt(xor(block, chain));
            chain
        };
        blocks(message).flat_map(next).collect()
    }

    /// Counter mode (SP 800-38A, 6.5) from this first block on, of which the last `width` bytes
    /// count.
    pub(crate) fn ctr(&self, first: [u8; 16], width: usize, message: &[u8]) -> Vec<u8> {
        let mut counter = first;
        let mut next = || {
            let stream = self.encrypt(counter);
            for byte in counter[16 - width..].iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
            stream
        };
        blocks(message).flat_map(|block| xor(block, next())).take(message.len()).collect()
    }

    /// Counter with CBC-MAC (SP 800-38C) without associated data: ciphertext and a tag of 16 bytes,
    /// for a nonce of 12.
    pub(crate) fn ccm(&self, nonce: [u8; 12], message: &[u8]) -> Vec<u8> {
        // The formatting of appendix A: flags, nonce, and three bytes of length or counter.
        let block = |flags: u8, count: usize| {
            let mut block = [0; 16];
            block[0] = flags;
            block[1..13].copy_from_slice(&nonce);
            block[13..].copy_from_slice(&(count as u32).to_be_bytes()[1..]);
            block
        };
        let first = self.encrypt(block(7 << 3 | 2, message.len()));
        let tag = blocks(message).fold(first, |sum, block| self.encrypt(xor(sum, block)));
        let mut sealed = self.ctr(block(2, 1), 3, message);
        sealed.extend(xor(tag, self.encrypt(block(2, 0))));
        sealed
    }

    /// Galois/counter mode (SP 800-38D) without associated data: ciphertext and a tag of 16 bytes,
    /// for a nonce of 12.
    pub(crate) fn gcm(&self, nonce: [u8; 12], message: &[u8]) -> Vec<u8> {
        let block = |count: u8| {
            let mut block = [0; 16];
            block[..12].copy_from_slice(&nonce);
            block[15] = count;
            block
        };
        let hash_key = u128::from_be_bytes(self.encrypt([0; 16]));
        let mut sealed = self.ctr(block(2), 4, message);
        let lengths = 8 * message.len() as u128;
        let all = blocks(&sealed).map(u128::from_be_bytes).chain([lengths]);
        let sum = all.fold(0, |sum, block| times(sum ^ block, hash_key));
        sealed.extend(xor(sum.to_be_bytes(), self.encrypt(block(1))));
        sealed
    }

    /// The mode of RFC 8452 without associated data, under a key of `key_len` bytes: ciphertext and
    /// a tag of 16 bytes, for a nonce of 12. This key makes those of the message.
    pub(crate) fn gcm_siv(&self, key_len: usize, nonce: [u8; 12], message: &[u8]) -> Vec<u8> {
        let derived: Vec<u8> = (0..(2 + key_len / 8) as u32)
            .flat_map(|counter| {
                let mut block = [0; 16];
                block[..4].copy_from_slice(&counter.to_le_bytes());
                block[4..].copy_from_slice(&nonce);
                self.encrypt(block).into_iter().take(8)
            })
            .collect();
        let (hash_key, key) = derived.split_at(16);
        let (hash_key, aes) = (hash_key.try_into().expect("16 bytes"), Self::new(key));
        let mut sum = polyval(hash_key, message);
        sum.iter_mut().zip(nonce).for_each(|(byte, nonce)| *byte ^= nonce);
        sum[15] &= 0x7f;
        let tag = aes.encrypt(sum);
        let mut counter = tag;
        counter[15] |= 0x80;
        let mut next = || {
            let stream = aes.encrypt(counter);
            let number = u32::from_le_bytes(*counter.first_chunk().expect("four bytes"));
            counter[..4].copy_from_slice(&number.wrapping_add(1).to_le_bytes());
            stream
        };
        let stream = blocks(message).flat_map(|block| xor(block, next()));
        let mut sealed: Vec<u8> = stream.take(message.len()).collect();
        sealed.extend(tag);
        sealed
    }

    /// Infinite garble extension (C. Campbell, 1978; B. Laurie, "OpenSSL's Implementation of
    /// Infinite Garble Extension", 2006), whole blocks: the first half of `iv` stands for the
    /// ciphertext before the message, the second for the message before it.
    pub(crate) fn ige(&self, iv: [u8; 32], message: &[u8]) -> Vec<u8> {
        let [mut sealed, mut plain] = *iv.as_chunks::<16>().0 else { unreachable!("two halves") };
        let next = |block| {
            sealed = xor(self.encrypt(xor(block, sealed)), plain);
            plain = block;
            sealed
        };
        blocks(message).flat_map(next).collect()
    }

    /// XEX with tweak (IEEE 1619, SP 800-38E), whole blocks of one data unit whose number is
    /// `unit`; `tweaks` has the second half of the key.
    pub(crate) fn xts(&self, tweaks: &Self, unit: [u8; 16], message: &[u8]) -> Vec<u8> {
        let mut tweak = tweaks.encrypt(unit);
        let next = |block| {
            let sealed = xor(self.encrypt(xor(block, tweak)), tweak);
            let number = u128::from_le_bytes(tweak);
            let carry = if number >> 127 == 1 { 0x87 } else { 0 };
            tweak = (number << 1 ^ carry).to_le_bytes();
            sealed
        };
        blocks(message).flat_map(next).collect()
    }
}

/// The message in blocks, the last filled up with zeros.
pub(super) fn blocks(message: &[u8]) -> impl Iterator<Item = [u8; 16]> {
    message.chunks(16).map(|chunk| {
        let mut block = [0; 16];
        block[..chunk.len()].copy_from_slice(chunk);
        block
    })
}

pub(super) fn xor(a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
    (u128::from_ne_bytes(a) ^ u128::from_ne_bytes(b)).to_ne_bytes()
}

/// ShiftRows: the bytes that come into a column, from one column further for each row down.
fn shifted(state: Columns, column: usize) -> [u8; 4] {
    std::array::from_fn(|row| state[(column + row) % 4].to_be_bytes()[row])
}

fn sub_word(word: u32) -> u32 {
    u32::from_be_bytes(word.to_be_bytes().map(sub))
}

/// Times x in the field of AES.
const fn double(byte: u8) -> u8 {
    byte << 1 ^ if byte >> 7 == 1 { 0x1b } else { 0 }
}

fn sub(byte: u8) -> u8 {
    SBOX[usize::from(byte)]
}

/// FIPS 197, 5.1.1: the inverse in the field, then an affine map. The powers of x + 1 are all
/// elements but 0, and those of its inverse are theirs.
const SBOX: [u8; 256] = {
    let mut table = [0x63; 256];
    let (mut element, mut inverse, mut index) = (1u8, 1u8, 0);
    while index < 255 {
        let affine = inverse
            ^ inverse.rotate_left(1)
            ^ inverse.rotate_left(2)
            ^ inverse.rotate_left(3)
            ^ inverse.rotate_left(4);
        table[element as usize] = affine ^ 0x63;
        element ^= double(element);
        inverse ^= inverse << 1;
        inverse ^= inverse << 2;
        inverse ^= inverse << 4;
        inverse ^= if inverse >> 7 == 1 { 0x09 } else { 0 };
        index += 1;
    }
    table
};

/// SubBytes and MixColumns (FIPS 197, 5.1.3) of a byte in a column's first row; the other rows are
/// its rotations. A table, because answers of 64 MiB are compared, too.
const MIXED: [u32; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let byte = SBOX[index];
        let twice = double(byte);
        table[index] = u32::from_be_bytes([twice, byte, byte, byte ^ twice]);
        index += 1;
    }
    table
};

/// POLYVAL (RFC 8452, 3) of a message and its length, by GHASH: the bytes of each block from the
/// other end, and a key that is multiplied by x (appendix A).
fn polyval(key: [u8; 16], message: &[u8]) -> [u8; 16] {
    let key = u128::from_le_bytes(key);
    let key = key >> 1 ^ if key & 1 == 1 { 0xe1 << 120 } else { 0 };
    let lengths = (8 * message.len() as u128) << 64;
    let all = blocks(message).map(u128::from_le_bytes).chain([lengths]);
    all.fold(0, |sum, block| times(sum ^ block, key)).to_le_bytes()
}

/// The product in GHASH's field (SP 800-38D, 6.3): bits from the left.
fn times(a: u128, b: u128) -> u128 {
    let (mut sum, mut shifted) = (0, b);
    for bit in (0..128).rev() {
        if a >> bit & 1 == 1 {
            sum ^= shifted;
        }
        shifted = shifted >> 1 ^ if shifted & 1 == 1 { 0xe1 << 120 } else { 0 };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::unhex;
    use hashdyno::hex;

    fn bytes<const N: usize>(text: &str) -> [u8; N] {
        unhex(text).unwrap().try_into().unwrap()
    }

    #[test]
    fn fips_197() {
        let block = bytes("00112233445566778899aabbccddeeff");
        for (key_len, expected) in [
            (16, "69c4e0d86a7b0430d8cdb78070b4c55a"),
            (24, "dda97ca4864cdfe06eaf70a0ec0d7191"),
            (32, "8ea2b7ca516745bfeafc49904b496089"),
        ] {
            let key: Vec<u8> = (0..key_len).collect();
            assert_eq!(hex(&Aes::new(&key).encrypt(block)), expected);
        }
    }

    /// SP 800-38A, F.1.1, F.2.1 and F.5.1: the first two blocks.
    #[test]
    fn sp_800_38a() {
        let aes = Aes::new(&bytes::<16>("2b7e151628aed2a6abf7158809cf4f3c"));
        let message =
            bytes::<32>("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
        let iv = bytes("000102030405060708090a0b0c0d0e0f");
        let counter = bytes("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
        assert_eq!(
            hex(&aes.ecb(&message)),
            "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
        );
        assert_eq!(
            hex(&aes.cbc(iv, &message)),
            "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
        );
        assert_eq!(
            hex(&aes.ctr(counter, 16, &message)),
            "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
        );
    }

    /// Test cases 2 and 3 of McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B.
    #[test]
    fn gcm() {
        let sealed = Aes::new(&[0; 16]).gcm([0; 12], &[0; 16]);
        assert_eq!(
            hex(&sealed),
            "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"
        );
        let aes = Aes::new(&bytes::<16>("feffe9928665731c6d6a8f9467308308"));
        let message = bytes::<64>(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
        );
        let sealed = aes.gcm(bytes("cafebabefacedbaddecaf888"), &message);
        assert_eq!(hex(&sealed[64..]), "4d5c2af327cd64a62cf35abd2ba6fab4");
        assert_eq!(hex(&sealed[..16]), "42831ec2217774244b7221b784d0d49c");
    }

    /// RFC 8452, appendices C.1 and C.2, and C.3, where the counter wraps around.
    #[test]
    fn gcm_siv() {
        let nonce = bytes("030000000000000000000000");
        for (key, expected) in [
            (
                "01000000000000000000000000000000",
                "743f7c8077ab25f8624e2e948579cf77303aaf90f6fe21199c6068577437a0c4",
            ),
            (
                "0100000000000000000000000000000000000000000000000000000000000000",
                "85a01b63025ba19b7fd3ddfc033b3e76c9eac6fa700942702e90862383c6c366",
            ),
        ] {
            let (key, message) =
                (unhex(key).unwrap(), bytes::<16>("01000000000000000000000000000000"));
            assert_eq!(hex(&Aes::new(&key).gcm_siv(key.len(), nonce, &message)), expected);
        }
        let key: [u8; 32] = std::array::from_fn(|_| 0);
        let message =
            bytes::<32>("000000000000000000000000000000004db923dc793ee6497c76dcc03a98e108");
        let sealed = Aes::new(&key).gcm_siv(32, [0; 12], &message);
        assert_eq!(
            hex(&sealed),
            "f3f80f2cf0cb2dd9c5984fcda908456cc537703b5ba70324\
             a6793a7bf218d3eaffffffff000000000000000000000000"
        );
    }
}
