//! The one CRC of the catalogue that is longer than 64 bits.
//!
//! The kernels of the others fold words of 64 bits. This one takes one byte at a time, by a table
//! of 256 registers of 128 bits. Bits come least significant first, so the next byte meets the
//! lowest byte of the register.

use super::super::parameters::Parameters;
use super::base;
use crate::parts::checksum::{self, Checksum, checksum_kernel};
use crate::{Digest, Features};

pub(in super::super) const PARAMETERS: Parameters = Parameters {
    width: 82,
    polynomial: 0x308c_0111_0114_0144_0411,
    init: 0,
    refin: true,
    refout: true,
    xorout: 0,
};

pub(in super::super) static CRC82_DARC: Digest = Digest {
    name: "crc82-darc",
    aliases: &["crc-82/darc"],
    specified_in: "ETSI EN 300 751",
    start: checksum::start::<Darc>,
    finish: checksum::finish::<Darc>,
    one: &[checksum_kernel!("portable", Features::empty(), Darc, after)],
    ..base(82, true)
};

struct Darc;

impl Checksum for Darc {
    type Register = u128;
    const START: u128 = 0;
    const LEN: usize = 11;

    #[inline(always)]
    fn finish(register: u128, _: &[u8], _: u64, out: &mut [u8]) {
        PARAMETERS.write(register, out);
    }
}

/// The register after each byte.
static TABLE: [u128; 256] = {
    let polynomial = PARAMETERS.reversed(PARAMETERS.polynomial);
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut register, mut bit) = (byte as u128, 0);
        // A bit that leaves the register takes the polynomial with it.
        while bit < 8 {
            register = (register >> 1) ^ ((register & 1) * polynomial);
            bit += 1;
        }
        table[byte] = register;
        byte += 1;
    }
    table
};

#[inline]
fn after(register: u128, bytes: &[u8]) -> u128 {
    bytes
        .iter()
        .fold(register, |register, &byte| TABLE[usize::from(register as u8 ^ byte)] ^ register >> 8)
}
