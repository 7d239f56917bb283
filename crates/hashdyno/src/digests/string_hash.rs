//! Hash functions of strings, of 32 bits, which take a byte at a time: for tables, and to name
//! things in old formats. The most significant byte comes first.
//!
//! | hash | start | for each byte |
//! |---|---|---|
//! | `djb2` | 5381 | `hash * 33 + byte` |
//! | `djb2a` | 5381 | `hash * 33 ^ byte` |
//! | `sdbm` | 0 | `hash * 65599 + byte` |
//! | `java-hashcode` | 0 | `hash * 31 + byte` |
//! | `elf` | 0 | `(hash << 4) + byte`, bits 28 to 31 joined with bits 4 to 7 |
//!
//! Three of the hashes are polynomials in their factor, so eight bytes are one sum of products.

use crate::parts::checksum::{self, Checksum, checksum_kernel};
use crate::{Digest, Features, Kernel, Purpose, Security};

digests! {
    DJB2 djb2 Djb2: u32,
    DJB2A djb2a Djb2a: u32,
    SDBM sdbm Sdbm: u32,
    ELF elf Elf: u32,
    JAVA_HASHCODE java_hashcode JavaHashcode: u32,
}

/// GNU's hash sections of ELF files have it, too.
static DJB2: Digest = Digest {
    name: "djb2",
    aliases: &["gnu-hash", "dt-gnu-hash"],
    specified_in: "comp.lang.c, D. J. Bernstein, 1990",
    one: &[portable::<Polynomial<33, 5381>>()],
    ..base::<Polynomial<33, 5381>>()
};

static DJB2A: Digest = Digest {
    name: "djb2a",
    aliases: &["djb2-xor", "cdb-hash"],
    specified_in: "cdb (D. J. Bernstein, 1996)",
    one: &[portable::<Djb2a>()],
    ..base::<Djb2a>()
};

static SDBM: Digest = Digest {
    name: "sdbm",
    aliases: &[],
    specified_in: "sdbm (O. S. Yigit, 1990)",
    one: &[portable::<Polynomial<65599, 0>>()],
    ..base::<Polynomial<65599, 0>>()
};

/// P. J. Weinberger's hash, as the tables of symbols in ELF files have it.
static ELF: Digest = Digest {
    name: "elf",
    aliases: &["elf-hash", "pjw"],
    specified_in: "System V Application Binary Interface, Hash Table",
    one: &[portable::<Pjw>()],
    ..base::<Pjw>()
};

/// Of a string whose characters are the bytes: of ISO 8859-1.
static JAVA_HASHCODE: Digest = Digest {
    name: "java-hashcode",
    aliases: &["java-string-hashcode"],
    specified_in: "Java SE, java.lang.String.hashCode()",
    one: &[portable::<Polynomial<31, 0>>()],
    ..base::<Polynomial<31, 0>>()
};

const fn base<C: Strings>() -> Digest {
    Digest {
        family: "string-hash",
        purpose: Purpose::HashTable,
        specified_in: "",
        security: Security::Checksum,
        output_len: 4,
        block_len: 1,
        start: checksum::start::<C>,
        finish: checksum::finish::<C>,
        one: &[],
        ..Digest::BASE
    }
}

const fn portable<C: Strings>() -> Kernel {
    checksum_kernel!("portable", Features::empty(), C: Strings, after::<C>)
}

#[inline(always)]
fn after<C: Strings>(hash: u32, bytes: &[u8]) -> u32 {
    C::after(hash, bytes)
}

/// A hash of its last value and a byte.
trait Strings: Checksum<Register = u32> {
    fn after(hash: u32, bytes: &[u8]) -> u32;
}

/// Writes a hash.
#[inline(always)]
fn written(hash: u32, out: &mut [u8]) {
    crate::parts::words::write(hash.to_be_bytes(), out);
}

/// The hash is multiplied by a factor, then the byte is added.
struct Polynomial<const FACTOR: u32, const START: u32>;

impl<const FACTOR: u32, const START: u32> Polynomial<FACTOR, START> {
    /// By what the bytes of a group are multiplied.
    const POWERS: [u32; 8] = {
        let (mut powers, mut at) = ([1; 8], 7);
        while at > 0 {
            powers[at - 1] = FACTOR.wrapping_mul(powers[at]);
            at -= 1;
        }
        powers
    };
}

impl<const FACTOR: u32, const START: u32> Checksum for Polynomial<FACTOR, START> {
    type Register = u32;
    const START: u32 = START;

    #[inline(always)]
    fn finish(hash: u32, _: &[u8], _: u64, out: &mut [u8]) {
        written(hash, out);
    }
}

impl<const FACTOR: u32, const START: u32> Strings for Polynomial<FACTOR, START> {
    /// The products of a group do not wait for each other.
    #[inline(always)]
    fn after(mut hash: u32, bytes: &[u8]) -> u32 {
        let (groups, rest) = bytes.as_chunks::<8>();
        let power = const { FACTOR.wrapping_mul(Self::POWERS[0]) };
        for group in groups {
            let mut sum = 0u32;
            for (&byte, power) in group.iter().zip(Self::POWERS) {
                sum = sum.wrapping_add(u32::from(byte).wrapping_mul(power));
            }
            // The only product that waits for the hash: by the eighth power of the factor.
            hash = hash.wrapping_mul(power).wrapping_add(sum);
        }
        let step = |hash: u32, &byte: &u8| hash.wrapping_mul(FACTOR).wrapping_add(byte.into());
        rest.iter().fold(hash, step)
    }
}

/// As [`Polynomial`] of 33, but by an exclusive or.
struct Djb2a;

impl Checksum for Djb2a {
    type Register = u32;
    const START: u32 = 5381;

    #[inline(always)]
    fn finish(hash: u32, _: &[u8], _: u64, out: &mut [u8]) {
        written(hash, out);
    }
}

impl Strings for Djb2a {
    #[inline(always)]
    fn after(hash: u32, bytes: &[u8]) -> u32 {
        bytes.iter().fold(hash, |hash, &byte| hash.wrapping_mul(33) ^ u32::from(byte))
    }
}

/// P. J. Weinberger's hash: four bits more for a byte, those that leave 28 bits are joined again.
struct Pjw;

impl Checksum for Pjw {
    type Register = u32;
    const START: u32 = 0;

    #[inline(always)]
    fn finish(hash: u32, _: &[u8], _: u64, out: &mut [u8]) {
        written(hash, out);
    }
}

impl Strings for Pjw {
    #[inline(always)]
    fn after(hash: u32, bytes: &[u8]) -> u32 {
        bytes.iter().fold(hash, |hash, &byte| {
            let hash = (hash << 4).wrapping_add(byte.into());
            // The bits leave their place, so the next shift loses none.
            let upper = hash & 0xf000_0000;
            hash ^ upper ^ upper >> 24
        })
    }
}
