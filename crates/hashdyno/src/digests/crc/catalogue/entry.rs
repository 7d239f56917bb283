//! What a CRC of the catalogue is computed with.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use std::marker::PhantomData;
use std::sync::OnceLock;

use bytemuck::{Pod, Zeroable};

use super::super::parameters::Parameters;
use super::super::{after, reflected};
use super::ENTRIES;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::factors::{Factors, Of};
use crate::parts::arrays::Mapped;
use crate::{Digest, Kernel, State, Tail};

/// `[n][b]`: the register after byte b and n bytes of 0.
type Tables = [[u64; 256]; 16];

/// A CRC of up to 64 bits.
pub(super) struct Entry {
    parameters: Parameters,
    /// Made when they are first wanted: few programs use more than a few of the catalogue.
    tables: OnceLock<Box<Tables>>,
    /// The register of the empty message.
    start: u64,
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    factors: Factors,
}

/// What is kept between blocks. Kernels are given this alone, so that it says whose it is.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Running {
    /// The remainder as [`reflected`] has it, the highest power of x lowest.
    pub(super) register: u64,
    /// The place in [`ENTRIES`].
    place: u64,
}

impl Running {
    pub(super) fn entry(&self) -> &'static Entry {
        ENTRIES[self.place as usize]
    }

    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    pub(super) fn folding<O>(&self) -> Of<O> {
        Of(&self.entry().factors, PhantomData)
    }
}

impl Entry {
    pub(super) const fn new(parameters: Parameters) -> Self {
        assert!(parameters.width <= 64);
        Self {
            parameters,
            tables: OnceLock::new(),
            start: reflected(parameters.reversed(parameters.init) as u64, !parameters.refin),
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            factors: Factors::new(
                parameters.reversed(parameters.polynomial) as u64,
                !parameters.refin,
            ),
        }
    }

    fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| {
            let polynomial = self.parameters.reversed(self.parameters.polynomial) as u64;
            let mut tables = Box::new([[0; 256]; 16]);
            for byte in 0..=255u8 {
                let bits = reflected(byte.into(), !self.parameters.refin);
                tables[0][usize::from(byte)] =
                    reflected(after(polynomial, bits, 1), !self.parameters.refin);
            }
            for row in 1..16 {
                tables[row] = tables[row - 1].mapped(|register| shifted(&tables[0], register));
            }
            tables
        })
    }

    /// The register after `bytes`, by tables.
    pub(super) fn after(&self, register: u64, bytes: &[u8]) -> u64 {
        let tables = self.tables();
        let (blocks, rest) = bytes.as_chunks::<16>();
        let register = blocks.iter().fold(register, |register, block| {
            let sum = u128::from_le_bytes(*block) ^ u128::from(register);
            (0..16).fold(0, |found, byte| {
                found ^ tables[15 - byte][usize::from((sum >> (8 * byte)) as u8)]
            })
        });
        rest.iter()
            .fold(register, |register, &byte| shifted(&tables[0], register ^ u64::from(byte)))
    }
}

/// The register after a byte of 0.
fn shifted(table: &[u64; 256], register: u64) -> u64 {
    table[usize::from(register as u8)] ^ register >> 8
}

pub(super) const fn portable() -> Kernel {
    Kernel::portable(|state, bytes| {
        let running: &mut Running = state.view();
        running.register = running.entry().after(running.register, bytes);
    })
}

/// [`Digest::start`] of the CRC at that place.
pub(super) fn start<const PLACE: usize>(state: &mut State) {
    state.init(Running { register: ENTRIES[PLACE].start, place: PLACE as u64 });
}

/// [`Digest::finish`].
pub(super) fn finish(state: &mut State, _: Tail<'_>, out: &mut [u8]) {
    let running: Running = state.read();
    let parameters = &running.entry().parameters;
    // Twice the other way round is as it was: the commonest two take an instruction or none.
    let bits = running.register;
    let result = match (parameters.refin, parameters.refout) {
        (true, true) => bits,
        (false, false) => bits.swap_bytes() >> (64 - parameters.width),
        (true, false) => bits.reverse_bits() >> (64 - parameters.width),
        (false, true) => bits.swap_bytes().reverse_bits(),
    };
    let bytes = (result ^ parameters.xorout as u64).to_be_bytes();
    // Each length has a copy of its own: one of any length would be a call.
    match out.len() {
        1 => out.copy_from_slice(&bytes[7..]),
        2 => out.copy_from_slice(&bytes[6..]),
        4 => out.copy_from_slice(&bytes[4..]),
        8 => out.copy_from_slice(&bytes),
        len => out.copy_from_slice(&bytes[8 - len..]),
    }
}

/// Whether bytes from outside can be the state of this digest.
pub(super) fn admits(digest: &Digest, state: &[u8], _: u64) -> bool {
    let mut own = State::new();
    (digest.start)(&mut own);
    // The 82 bits of DARC's are any.
    own.as_bytes().len() == state.len()
        && (digest.output_len > 8 || state[8..] == own.as_bytes()[8..])
}

/// The parameters of a digest of the catalogue.
pub(crate) fn parameters(digest: &Digest) -> Option<&'static Parameters> {
    let place = super::DIGESTS.iter().position(|known| *known == digest)?;
    Some(ENTRIES.get(place).map_or(&super::DARC, |entry| &entry.parameters))
}
