//! Cyclic redundancy checks of 32 and 64 bits.
//!
//! Every CRC here is computed least significant bit first, with the register's next byte in its low
//! bits. One defined most significant bit first is that same computation on bytes whose bits are
//! reversed; its register is kept byte-swapped, so that its tables alone differ.

use std::ops::BitXor;

use bytemuck::Pod;

use crate::function::function;
use crate::kernel::kernels;
use crate::parts::checksum::{self, Checksum};
use crate::{Digest, Kernel, Security, Spelling};

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod castagnoli;
#[cfg(feature = "crc-catalogue")]
pub(super) mod catalogue;
mod combine;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod folding;
mod ladder;
mod parameters;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub use combine::crc_combine;
use portable::{after_few, portable};

digests! {
    CRC32_BZIP2 crc32_bzip2 Crc32Bzip2: u32,
    CRC32B (crc32b) Crc32b: u32,
    CRC32C (crc32c) Crc32c: u32,
    CRC64_NVME (crc64_nvme) Crc64Nvme: u64,
    CRC64_XZ (crc64_xz) Crc64Xz: u64,
    CKSUM cksum Cksum: u32,
}

/// PHP's `crc32`; unlike others it prints the register's least significant byte first.
static CRC32_BZIP2: Digest = Digest {
    name: "crc32-bzip2",
    aliases: &["crc-32/bzip2"],
    spelling: Spelling { php: Some("crc32"), ..Spelling::NONE },
    specified_in: "bzip2 and ITU-T I.363.5",
    ..base::<MsbFirst>()
};

static CRC32B: Digest = Digest {
    name: "crc32b",
    aliases: &[
        "crc-32",
        "crc32-ieee",
        "crc-32/iso-hdlc",
        "crc-32/adccp",
        "crc-32/v-42",
        "crc-32/xz",
    ],
    spelling: Spelling { php: Some("crc32b"), openssl: None, python: Some("zlib.crc32") },
    specified_in: "IEEE 802.3",
    #[cfg(target_arch = "aarch64")]
    one: &[
        aarch64::instruction_and_pmull::<Ieee>(),
        aarch64::pmull::<Ieee>(),
        aarch64::instruction::<Ieee>(),
        portable::<Ieee>(),
        ladder::slicing_by_8::<Ieee>(),
        ladder::unrolled::<Ieee>(),
        ladder::bytewise::<Ieee>(),
    ],
    ..base::<Ieee>()
};

static CRC32C: Digest = Digest {
    name: "crc32c",
    aliases: &[
        "crc-32c",
        "crc32-castagnoli",
        "crc-32/iscsi",
        "crc-32/castagnoli",
        "crc-32/base91-c",
    ],
    spelling: Spelling { php: Some("crc32c"), ..Spelling::NONE },
    specified_in: "RFC 3720",
    one: kernels![
        castagnoli::zen5::kernel(),
        x86_64::vpclmulqdq::<Castagnoli>(),
        castagnoli::fused_256_or_six(),
        castagnoli::fused_256(),
        x86_64::vpclmulqdq_avx2::<Castagnoli>(),
        castagnoli::six_chains(),
        castagnoli::chains(),
        castagnoli::fused_128(),
        castagnoli::sse42();
        aarch64::instruction_and_pmull::<Castagnoli>(),
        aarch64::pmull::<Castagnoli>(),
        aarch64::instruction::<Castagnoli>();
        portable::<Castagnoli>(),
        ladder::slicing_by_8::<Castagnoli>(),
        ladder::unrolled::<Castagnoli>(),
        ladder::bytewise::<Castagnoli>(),
    ],
    many: &[],
    ..base::<Castagnoli>()
};

/// What object stores take for the checksum of a whole object; Amazon S3 does so unless told
/// otherwise.
static CRC64_NVME: Digest = Digest {
    name: "crc64-nvme",
    aliases: &["crc-64/nvme", "crc64nvme"],
    specified_in: "NVM Express, NVM Command Set Specification 1.0d, 5.2.1.3.4",
    ..base::<Nvme>()
};

static CRC64_XZ: Digest = Digest {
    name: "crc64-xz",
    aliases: &["crc64", "crc-64/xz", "crc-64/go-ecma"],
    specified_in: "ECMA-182 and the .xz file format",
    ..base::<Ecma>()
};

/// The message's length follows it, least significant byte first, as many bytes as it needs: none
/// for an empty message.
static CKSUM: Digest = Digest {
    name: "cksum",
    aliases: &["cksum-posix"],
    specified_in: "POSIX, cksum",
    ..base::<Posix>()
};

function! {
    /// CRC-32 of IEEE 802.3 of a message, as zlib has it.
    crc32b: u32 = CRC32B, ..=8 => of_word::<Ieee>
}

function! {
    /// CRC-32C (RFC 3720) of a message.
    crc32c: u32 = CRC32C, ..=8 => of_word::<Castagnoli>
}

function! {
    /// CRC-64/NVME of a message, as Amazon S3 has it.
    crc64_nvme: u64 = CRC64_NVME, ..=8 => of_word::<Nvme>
}

function! {
    /// CRC-64 of ECMA-182 of a message, as the .xz format has it.
    crc64_xz: u64 = CRC64_XZ, ..=8 => of_word::<Ecma>
}

const fn base<C: Crc>() -> Digest {
    Digest {
        family: "crc",
        specified_in: "",
        security: Security::Checksum,
        output_len: size_of::<C::Register>(),
        block_len: 1,
        start: checksum::start::<C>,
        finish: checksum::finish::<C>,
        one: C::ONE,
        ..Digest::BASE
    }
}

/// The order in which a message's bits are taken.
trait BitOrder: 'static {
    /// Whether the most significant of each byte come first.
    const MSB_FIRST: bool;
}

/// A CRC: a polynomial, and the order of the bits.
trait Crc: Sized + BitOrder + Checksum<Register: Register> {
    /// The polynomial without its highest term, the coefficient of x^0 in the highest bit of the
    /// register.
    const POLYNOMIAL: u64;
    /// Whether SSE 4.2 has an instruction for it, which is faster for short messages than to
    /// multiply without carry.
    const INSTRUCTION: bool = false;
    /// `TABLES[n][b]`: the register after byte b and n bytes of 0.
    const TABLES: &'static [[Self::Register; 256]; 16];
    /// The register after so many bytes of 0.
    const STARTS: &'static [Self::Register; 9];
    const ONE: &'static [Kernel] = kernels![
        x86_64::vpclmulqdq::<Self>(),
        x86_64::vpclmulqdq_avx2::<Self>(),
        x86_64::pclmulqdq_avx::<Self>(),
        x86_64::pclmulqdq::<Self>();
        aarch64::pmull::<Self>();
        portable::<Self>(),
        ladder::slicing_by_8::<Self>(),
        ladder::unrolled::<Self>(),
        ladder::bytewise::<Self>(),
    ];
}

/// The integer that holds the remainder.
trait Register: Pod + BitXor<Output = Self> + Into<u128> {
    /// The initial value, and what the result is added to.
    const ONES: Self;
    /// What is left of the register when `bytes` bytes of it have been shifted out.
    fn without(self, bytes: usize) -> Self;
    /// The low bits of 64.
    fn from_low(bits: u64) -> Self;
    /// Writes the register, its last byte first.
    fn write(self, out: &mut [u8]);
}

/// Declares the integers that are registers, each with the function that narrows tables to it.
macro_rules! registers {
    ($($register:ident $tables:ident $starts:ident)*) => {$(
        impl Register for $register {
            const ONES: Self = !0;
            #[inline(always)]
            fn without(self, bytes: usize) -> Self {
                self.checked_shr(8 * bytes as u32).unwrap_or(0)
            }
            #[inline(always)]
            fn from_low(bits: u64) -> Self {
                bits as Self
            }
            #[inline(always)]
            fn write(self, out: &mut [u8]) {
                out.copy_from_slice(&self.to_be_bytes());
            }
        }

        const fn $tables(polynomial: u64, msb_first: bool) -> [[$register; 256]; 16] {
            let of_byte = bytes_after(polynomial);
            let (mut tables, mut registers) = ([[0; 256]; 16], of_byte);
            let mut index = 0;
            while index < 16 * 256 {
                let byte = index as u8;
                let bits = if msb_first { byte.reverse_bits() } else { byte };
                let register = &mut registers[bits as usize];
                tables[index / 256][byte as usize] = reflected(*register, msb_first) as $register;
                *register = *register >> 8 ^ of_byte[*register as u8 as usize];
                index += 1;
            }
            tables
        }

        const fn $starts(polynomial: u64, msb_first: bool) -> [$register; 9] {
            let mut starts = [0; 9];
            let mut bytes = 0;
            while bytes < starts.len() {
                starts[bytes] =
                    reflected(after(polynomial, $register::MAX as u64, bytes), msb_first)
                        as $register;
                bytes += 1;
            }
            starts
        }
    )*};
}

registers! { u32 tables32 starts32 u64 tables64 starts64 }

/// A register with the bits of each byte in the order in which they are taken.
const fn reflected(register: u64, msb_first: bool) -> u64 {
    if msb_first { register.reverse_bits().swap_bytes() } else { register }
}

/// The register after each byte.
const fn bytes_after(polynomial: u64) -> [u64; 256] {
    let (mut registers, mut byte) = ([0; 256], 0);
    while byte < 256 {
        registers[byte] = after(polynomial, byte as u64, 1);
        byte += 1;
    }
    registers
}

/// The register after `bytes` bytes of 0.
const fn after(polynomial: u64, register: u64, bytes: usize) -> u64 {
    times_power(polynomial, register, 8 * bytes)
}

/// The remainder times x^`n`. Where the result is a constant, a step of this loop costs the
/// compiler microseconds.
const fn times_power(polynomial: u64, mut remainder: u64, mut n: usize) -> u64 {
    while n > 0 {
        remainder = times_x(polynomial, remainder);
        n -= 1;
    }
    remainder
}

/// The remainder times x.
const fn times_x(polynomial: u64, remainder: u64) -> u64 {
    remainder >> 1 ^ if remainder & 1 == 1 { polynomial } else { 0 }
}

/// Declares CRCs: name of the type, register, [`Crc::TABLES`], [`Crc::STARTS`], polynomial, whether
/// the most significant bits come first, [`Crc::INSTRUCTION`]. The register starts as ones, and
/// ones are added to it at the end.
macro_rules! crcs {
    ($(
        $crc:ident $register:ident $tables:ident $starts:ident
        $polynomial:literal $msb_first:literal $instruction:literal;
    )*) => {$(
        struct $crc;
        impl BitOrder for $crc {
            const MSB_FIRST: bool = $msb_first;
        }
        impl Crc for $crc {
            const POLYNOMIAL: u64 = $polynomial;
            const INSTRUCTION: bool = $instruction;
            const TABLES: &'static [[$register; 256]; 16] = {
                static TABLES: [[$register; 256]; 16] = $tables($polynomial, $msb_first);
                &TABLES
            };
            const STARTS: &'static [$register; 9] = &$starts($polynomial, $msb_first);
        }
        impl Checksum for $crc {
            type Register = $register;
            const START: $register = $register::ONES;

            #[inline(always)]
            fn finish(register: $register, _: &[u8], _: u64, out: &mut [u8]) {
                (register ^ $register::ONES).write(out);
            }
        }
    )*};
}

crcs! {
    Ieee u32 tables32 starts32 0xedb8_8320 false false;
    MsbFirst u32 tables32 starts32 0xedb8_8320 true false;
    Castagnoli u32 tables32 starts32 0x82f6_3b78 false true;
    Ecma u64 tables64 starts64 0xc96c_5795_d787_0f42 false false;
    Nvme u64 tables64 starts64 0x9a6c_9329_ac4b_c9b5 false false;
}

/// That of `cksum`: starts from 0, and the message's length comes after it.
struct Posix;

impl BitOrder for Posix {
    const MSB_FIRST: bool = true;
}

impl Crc for Posix {
    const POLYNOMIAL: u64 = MsbFirst::POLYNOMIAL;
    const TABLES: &'static [[u32; 256]; 16] = MsbFirst::TABLES;
    const STARTS: &'static [u32; 9] = &[0; 9];
}

impl Checksum for Posix {
    type Register = u32;
    const START: u32 = 0;

    #[inline(always)]
    fn finish(register: u32, _: &[u8], len: u64, out: &mut [u8]) {
        let used = 8 - len.leading_zeros() as usize / 8;
        let register = after_few::<Self>(register, len.into(), used);
        out.copy_from_slice(&(!register).to_le_bytes());
    }
}

/// The checksum of up to 8 bytes, for [`function!`].
#[inline(always)]
fn of_word<C: Crc>(bytes: &[u8]) -> C::Register {
    /// By tables. The first call on a CPU with multiplications without carry comes here, too.
    #[inline(never)]
    fn by_tables<C: Crc>(bytes: &[u8]) -> C::Register {
        #[cfg(target_arch = "x86_64")]
        x86_64::learn();
        portable::of_word::<C>(C::START, bytes)
    }
    #[cfg(target_arch = "x86_64")]
    if x86_64::is_known() {
        // SAFETY: the CPU has it.
        return C::Register::ONES ^ unsafe { x86_64::of_word::<C>(bytes) };
    }
    C::Register::ONES ^ by_tables::<C>(bytes)
}
