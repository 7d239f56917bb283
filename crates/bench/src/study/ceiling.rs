//! The rate at which the AES units of a CPU do the rounds of a mode alone.
//!
//! `aes-units.toml` has a row for each kind of core. The first row that fits counts:
//!
//! ```text
//! [[units]]
//! vendor = "AuthenticAMD"
//! families = [26]
//! needs = ["vaes", "avx512f"]
//! latency = 4
//! blocks = 8
//! because = "Zen 5: two units of 512 bits"
//! ```
//!
//! A bound presumes a technique of software. A ceiling counts units of hardware, so that no program
//! passes it. METHODOLOGY.md, "Ceilings of AES", has the rules.

use std::sync::LazyLock;

use gauge::Machine;
use runner::{Algorithm, Cipher, Direction, Family, Mode};
use serde::Deserialize;

/// A row of `aes-units.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Units {
    /// As CPUID has it: `AuthenticAMD`, `GenuineIntel`.
    vendor: String,
    #[serde(default)]
    /// CPU families of that vendor; any where none is given.
    families: Vec<u32>,
    needs: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
    /// Core cycles of a round whose input is the round before.
    latency: f64,
    /// Rounds of independent blocks in a core cycle.
    blocks: f64,
    /// The cores that have these units, for the reader.
    because: String,
}

/// The fewest core cycles that a byte can take, and how they are counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Ceiling {
    /// Core cycles for each byte of a long message.
    pub cycles_per_byte: f64,
    /// In words.
    pub because: String,
}

impl Ceiling {
    /// That of a mode of AES on this machine. `None` for what is not AES alone, and for a CPU whose
    /// units are not listed.
    pub fn of(machine: &Machine, algorithm: &str) -> Option<Self> {
        let Algorithm::Cipher(cipher, direction) = Algorithm::find(algorithm)? else { return None };
        let (rounds, is_chain) = (rounds(cipher)?, is_chain(cipher.mode, direction)?);
        // Rows go from new cores to old ones: a new core has the features of an old one, too.
        let units = UNITS.iter().find(|units| units.are_of(machine))?;
        let Units { latency, blocks, because, .. } = units;
        let (cycles, how) = match is_chain {
            // A chain waits for each round, so that more units are of no use.
            true => (rounds * latency, format!("{rounds} rounds of {latency} cycles, a chain")),
            false => (rounds / blocks, format!("{rounds} rounds, {blocks} in a cycle")),
        };
        Some(Self {
            cycles_per_byte: cycles / BLOCK,
            because: format!("{how}, in 16 bytes ({because})"),
        })
    }
}

impl Units {
    fn are_of(&self, machine: &Machine) -> bool {
        let has = |name: &String| machine.flags.contains(name);
        self.vendor == machine.vendor
            && (self.families.is_empty() || self.families.contains(&machine.family))
            && self.needs.iter().all(has)
            && !self.lacks.iter().any(has)
    }
}

/// FIPS 197, figure 4.
fn rounds(cipher: Cipher) -> Option<f64> {
    // XTS has two keys of one length in one string, and enciphers data with one of them.
    let keys = if cipher.mode == Mode::Xts { 2 } else { 1 };
    match cipher.key_len / keys {
        _ if cipher.family != Family::Aes => None,
        16 => Some(10.0),
        24 => Some(12.0),
        _ => Some(14.0),
    }
}

/// Whether each block waits for the one before; `None` where AES is not most of the work. A tag by
/// multiplication is other units' work, and is not counted.
fn is_chain(mode: Mode, direction: Direction) -> Option<bool> {
    match mode {
        // Decrypting, the block before is known already: blocks are independent.
        Mode::Cbc => Some(direction == Direction::Encrypt),
        Mode::Ccm | Mode::Ige => Some(true),
        Mode::Ecb | Mode::Ctr | Mode::Gcm | Mode::GcmSiv | Mode::Xts => Some(false),
        // An envelope derives its key first; the other modes have no AES.
        Mode::Stream | Mode::Poly1305 | Mode::Hmac | Mode::Envelope | Mode::Signature => None,
    }
}

/// Bytes.
const BLOCK: f64 = 16.0;

static UNITS: LazyLock<Vec<Units>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        units: Vec<Units>,
    }
    toml::from_str::<File>(include_str!("aes-units.toml"))
        .expect("aes-units.toml is right, or no test passes")
        .units
});

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(vendor: &str, family: u32, flags: &str) -> Machine {
        let flags = flags.split(' ').map(str::to_owned).collect();
        Machine { vendor: vendor.to_owned(), family, flags, ..Machine::default() }
    }

    #[test]
    fn rounds_are_counted_over_the_units_or_along_the_chain() {
        let zen_5 = machine("AuthenticAMD", 26, "aes vaes avx512f");
        let cycles = |machine: &Machine, name: &str| {
            Some(Ceiling::of(machine, name)?.cycles_per_byte * BLOCK)
        };
        for (name, expected) in [
            ("aes-128-cbc encrypt", 40.0),
            ("aes-256-cbc encrypt", 56.0),
            ("aes-192-ccm decrypt", 48.0),
            ("aes-128-ige decrypt", 40.0),
            ("aes-128-cbc decrypt", 10.0 / 8.0),
            ("aes-256-xts encrypt", 14.0 / 8.0),
            ("aes-128-gcm encrypt", 10.0 / 8.0),
        ] {
            assert_eq!(cycles(&zen_5, name), Some(expected), "{name}");
        }
        for name in ["rc4 encrypt", "des-cbc encrypt", "aes-256-cbc-envelope encrypt", "md5"] {
            assert_eq!(cycles(&zen_5, name), None, "{name}");
        }
        let ecb =
            |vendor, family, flags| cycles(&machine(vendor, family, flags), "aes-128-ecb encrypt");
        assert_eq!(ecb("AuthenticAMD", 25, "aes vaes avx512f"), Some(2.5));
        assert_eq!(ecb("AuthenticAMD", 23, "aes avx2"), Some(5.0));
        assert_eq!(ecb("GenuineIntel", 6, "aes avx2 clflushopt"), Some(10.0));
        assert_eq!(ecb("GenuineIntel", 6, "aes avx2 clflushopt vaes"), Some(2.5));
        assert_eq!(ecb("GenuineIntel", 6, "avx2"), None);
        assert_eq!(ecb("AuthenticAMD", 21, "aes"), None);
        let because = Ceiling::of(&zen_5, "aes-128-cbc encrypt").unwrap().because;
        assert_eq!(
            because,
            "10 rounds of 4 cycles, a chain, in 16 bytes (Zen 5: two units of 512 bits)"
        );
    }
}
