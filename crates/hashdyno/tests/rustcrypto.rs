//! RustCrypto's traits and crates over hashers of ours.
#![cfg(all(feature = "digest", feature = "md5", feature = "sha2", feature = "crc"))]
#![forbid(unsafe_code)]

use digest::common::BlockSizeUser;
use digest::{Digest, DynDigest, FixedOutput, FixedOutputReset, OutputSizeUser, Reset, Update};
use hashdyno::typed::{Crc32b, Md5, Sha256, Sha384, Sha512_224};
use hashdyno::{TypedHasher, hex, sha256};
use hmac::{KeyInit, Mac, SimpleHmac};

/// RFC 4231 (SHA-2) and RFC 2202 (MD5): test cases 1, 2 and 6, the last with a key longer than a
/// block.
#[test]
fn hmac_gives_the_published_values() {
    fn check<D: Digest + BlockSizeUser + Clone>(key: &[u8], message: &[u8], expected: &str) {
        let mut mac = SimpleHmac::<D>::new_from_slice(key).expect("any length is right");
        Mac::update(&mut mac, message);
        assert_eq!(hex(&mac.finalize().into_bytes()), expected);
    }
    check::<Sha256>(
        &[0x0b; 20],
        b"Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    );
    check::<Sha256>(
        b"Jefe",
        b"what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
    let block = b"Test Using Larger Than Block-Size Key - Hash Key First";
    check::<Sha256>(
        &[0xaa; 131],
        block,
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    );
    check::<Sha384>(
        b"Jefe",
        b"what do ya want for nothing?",
        "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47\
         e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
    );
    check::<Md5>(&[0x0b; 16], b"Hi There", "9294727a3638bb1c13f48ef8158bfc9d");
    check::<Md5>(&[0xaa; 80], block, "6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd");
}

/// Each trait, by way of which the digest is the same.
#[test]
fn every_trait_gives_the_digest() {
    fn sizes<D: BlockSizeUser + OutputSizeUser>() -> (usize, usize) {
        (D::block_size(), <D as OutputSizeUser>::output_size())
    }
    assert_eq!(sizes::<Sha256>(), (64, 32));
    assert_eq!(sizes::<Sha512_224>(), (128, 28));
    let expected = sha256(b"a message");
    assert_eq!(Sha256::digest(b"a message")[..], expected);
    assert_eq!(
        Digest::finalize(Sha256::new_with_prefix("a ").chain_update("message"))[..],
        expected
    );
    let mut hasher = Sha256::default();
    Update::update(&mut hasher, b"something else");
    Reset::reset(&mut hasher);
    Update::update(&mut hasher, b"a message");
    assert_eq!(FixedOutput::finalize_fixed(hasher.clone())[..], expected);
    assert_eq!(FixedOutputReset::finalize_fixed_reset(&mut hasher)[..], expected);
    assert_eq!(hasher.finish(), sha256(b""));
    let mut dynamic: Box<dyn DynDigest> = Box::new(Sha256::new());
    dynamic.update(b"a message");
    let mut out = [0; 32];
    dynamic.finalize_into_reset(&mut out).unwrap();
    assert_eq!(out, expected);
    assert!(dynamic.finalize_into_reset(&mut [0; 31]).is_err());
}

/// Checksums have the traits of any digest, but are no cryptographic hashes.
#[test]
fn a_checksum_is_updated_and_finished() {
    let mut checksum = Crc32b::new();
    Update::update(&mut checksum, b"123456789");
    assert_eq!(checksum.finalize_fixed()[..], 0xcbf4_3926u32.to_be_bytes());
}

/// What `hmac`, `rsa` and others ask of a hash.
#[test]
fn hashers_are_what_generic_code_asks_for() {
    fn usual<
        D: Digest + FixedOutputReset + BlockSizeUser + Default + Clone + Send + Sync + 'static,
    >() {
    }
    usual::<Md5>();
    usual::<Sha256>();
    fn debug<D: std::fmt::Debug + std::io::Write>() {}
    debug::<TypedHasher<()>>();
}

/// PKCS #1 (RFC 8017, appendix B.1) names the hashes of signatures so.
#[test]
fn hashes_have_their_object_identifiers() {
    use digest::const_oid::AssociatedOid;
    assert_eq!(Sha256::OID.to_string(), "2.16.840.1.101.3.4.2.1");
    assert_eq!(Sha384::OID.to_string(), "2.16.840.1.101.3.4.2.2");
    assert_eq!(Sha512_224::OID.to_string(), "2.16.840.1.101.3.4.2.5");
    assert_eq!(Md5::OID.to_string(), "1.2.840.113549.2.5");
}
