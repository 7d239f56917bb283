//! Fowler-Noll-Vo hashes of 32 and 64 bits (RFC 9923): FNV-1 multiplies, then adds the byte; FNV-1a does it the other way round.

use bytemuck::Pod;

use crate::{Digest, Kernel, Security, Spelling, State};

/// The digests of this family.
pub(crate) const DIGESTS: &[&Digest] = &[&FNV132, &FNV1A32, &FNV164, &FNV1A64];

static FNV132: Digest = Digest {
    name: "fnv132",
    aliases: &["fnv1-32"],
    spelling: Spelling { php: Some("fnv132"), ..Spelling::NONE },
    check: "24148816",
    sweep: "278ec717",
    kernels: &[Kernel::portable(absorb::<u32, false>)],
    ..base::<u32>()
};

static FNV1A32: Digest = Digest {
    name: "fnv1a32",
    aliases: &["fnv1a-32"],
    spelling: Spelling { php: Some("fnv1a32"), ..Spelling::NONE },
    check: "bb86b11c",
    sweep: "a9978081",
    kernels: &[Kernel::portable(absorb::<u32, true>)],
    ..base::<u32>()
};

static FNV164: Digest = Digest {
    name: "fnv164",
    aliases: &["fnv1-64"],
    spelling: Spelling { php: Some("fnv164"), ..Spelling::NONE },
    check: "a72ffc362bf916d6",
    sweep: "0534051f24a22fcc",
    kernels: &[Kernel::portable(absorb::<u64, false>)],
    ..base::<u64>()
};

static FNV1A64: Digest = Digest {
    name: "fnv1a64",
    aliases: &["fnv1a-64"],
    spelling: Spelling { php: Some("fnv1a64"), ..Spelling::NONE },
    check: "06d5573923c6cdfc",
    sweep: "eecdda289ffe0230",
    kernels: &[Kernel::portable(absorb::<u64, true>)],
    ..base::<u64>()
};

const fn base<W: Word>() -> Digest {
    Digest {
        name: "",
        aliases: &[],
        spelling: Spelling::NONE,
        family: "fnv",
        specified_in: "RFC 9923",
        security: Security::Checksum,
        output_len: size_of::<W>(),
        extendable: false,
        block_len: 1,
        holds_last_block: false,
        check: "",
        sweep: "",
        start: |state| state.init(W::OFFSET),
        finish: |state, _, out| {
            out.copy_from_slice(bytemuck::bytes_of(&state.read::<W>()));
            if cfg!(target_endian = "little") {
                out.reverse();
            }
        },
        kernels: &[],
    }
}

/// The integer that holds the hash, and its parameters.
trait Word: Pod {
    /// The hash of no bytes.
    const OFFSET: Self;
    /// The hash times the FNV prime.
    fn times_prime(self) -> Self;
    /// The hash with a byte added without carry.
    fn with(self, byte: u8) -> Self;
}

/// Implements [`Word`]: the type, the offset basis, the prime.
macro_rules! word {
    ($word:ty, $offset:literal, $prime:literal) => {
        impl Word for $word {
            const OFFSET: Self = $offset;
            #[inline(always)]
            fn times_prime(self) -> Self {
                self.wrapping_mul($prime)
            }
            #[inline(always)]
            fn with(self, byte: u8) -> Self {
                self ^ Self::from(byte)
            }
        }
    };
}

word!(u32, 0x811c_9dc5, 0x0100_0193);
word!(u64, 0xcbf2_9ce4_8422_2325, 0x0000_0100_0000_01b3);

fn absorb<W: Word, const XOR_FIRST: bool>(state: &mut State, bytes: &[u8]) {
    let hash = state.view::<W>();
    *hash = bytes.iter().fold(*hash, |hash, &byte| match XOR_FIRST {
        true => hash.with(byte).times_prime(),
        false => hash.times_prime().with(byte),
    });
}
