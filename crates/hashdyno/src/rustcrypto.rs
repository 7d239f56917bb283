//! RustCrypto's traits (crate `digest`): its `hmac`, `pbkdf2` and `rsa` take our hashers by them.

use digest::array::{ArraySize, AssocArraySize};
use digest::common::BlockSizeUser;
use digest::const_oid::{AssociatedOid, ObjectIdentifier};
use digest::{FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update};

use crate::TypedHasher;
use crate::typed::Typed;

/// The type that stands for a number of bytes.
pub type Size<const LEN: usize> = <[u8; LEN] as AssocArraySize>::Size;

/// The length of a digest.
pub trait OutputLen: Typed {
    /// That length.
    type Output: ArraySize;
}

/// A cryptographic hash.
pub trait Cryptographic: OutputLen {
    /// The length of a block as HMAC takes it.
    type Block: ArraySize;
}

impl<D: Cryptographic> HashMarker for TypedHasher<D> {}

impl<D: Cryptographic> BlockSizeUser for TypedHasher<D> {
    type BlockSize = D::Block;
}

impl<D: OutputLen> OutputSizeUser for TypedHasher<D> {
    type OutputSize = D::Output;
}

impl<D: Typed> Update for TypedHasher<D> {
    fn update(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }
}

impl<D: OutputLen> FixedOutput for TypedHasher<D> {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        self.finish_reset_into(out);
    }
}

impl<D: Typed> Reset for TypedHasher<D> {
    fn reset(&mut self) {
        self.reset();
    }
}

impl<D: OutputLen> FixedOutputReset for TypedHasher<D> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        self.finish_reset_into(out);
    }
}

/// The object identifiers by which signatures (PKCS #1, RFC 8017) name the hash of the message, as
/// OpenSSL has them: those of each family behind its feature.
macro_rules! object_identifiers {
    ($($feature:literal: $($type:ident $identifier:literal),+;)+) => {
        $($(
            #[cfg(feature = $feature)]
            impl AssociatedOid for crate::typed::$type {
                const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($identifier);
            }
        )+)+
    };
}

object_identifiers! {
    "md2": Md2 "1.2.840.113549.2.2";
    "md4": Md4 "1.2.840.113549.2.4";
    "md5": Md5 "1.2.840.113549.2.5";
    "sha1": Sha1 "1.3.14.3.2.26";
    "sha2":
        Sha224 "2.16.840.1.101.3.4.2.4",
        Sha256 "2.16.840.1.101.3.4.2.1",
        Sha384 "2.16.840.1.101.3.4.2.2",
        Sha512 "2.16.840.1.101.3.4.2.3",
        Sha512_224 "2.16.840.1.101.3.4.2.5",
        Sha512_256 "2.16.840.1.101.3.4.2.6";
    "keccak":
        Sha3_224 "2.16.840.1.101.3.4.2.7",
        Sha3_256 "2.16.840.1.101.3.4.2.8",
        Sha3_384 "2.16.840.1.101.3.4.2.9",
        Sha3_512 "2.16.840.1.101.3.4.2.10";
    "ripemd": Ripemd160 "1.3.36.3.2.1";
    "whirlpool": Whirlpool "1.0.10118.3.0.55";
    "sm3": Sm3 "1.2.156.10197.1.401";
    "streebog": Streebog256 "1.2.643.7.1.1.2.2", Streebog512 "1.2.643.7.1.1.2.3";
    "blake2": Blake2b512 "1.3.6.1.4.1.1722.12.2.1.16", Blake2s256 "1.3.6.1.4.1.1722.12.2.2.8";
}
