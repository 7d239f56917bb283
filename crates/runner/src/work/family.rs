//! The designs of ciphers.

/// What is done with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// FIPS 197.
    Aes,
    /// Schneier, "Description of a New Variable-Length Key, 64-Bit Block Cipher", 1993.
    Blowfish,
    /// RFC 3713.
    Camellia,
    /// RFC 2144, called CAST-128 there.
    Cast5,
    /// RFC 8439.
    ChaCha20,
    /// FIPS 46-3.
    Des,
    /// The same three times, with three keys.
    DesEde3,
    /// FIPS 186-5, over P-256, of a SHA-256; signatures in DER.
    Ecdsa,
    /// RFC 8032.
    Ed25519,
    /// RFC 2104, with the digest that its name ends in.
    Hmac,
    /// Lai and Massey, "A Proposal for a New Block Encryption Standard", 1990.
    Idea,
    /// RFC 2268, with as many effective bits as the key has.
    Rc2,
    /// RFC 6229 has its vectors.
    Rc4,
    /// RFC 8017, RSASSA-PKCS1-v1_5 of a SHA-256.
    Rsa,
    /// RFC 4269.
    Seed,
}
