//! Units: of tables, of printed figures, and of `speed --unit`.
//!
//! A record has nanoseconds and core cycles of one message. `from_message` turns them into a unit
//! for a table. `to_ns` and `to_cycles` turn a printed figure back, for a claim.
//!
//! Time and cycles are never turned into each other: the frequency of a document's machine is not
//! known. So a claim that needs a time has no figure in a document that prints cycles alone.

use serde::{Deserialize, Serialize};

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Seconds for the table's `iterations` calls.
    Seconds,
    /// Thousands of bytes per second, as `openssl speed` prints.
    KilobytesPerSecond,
    /// Core cycles per call, or per message of many.
    Cycles,
    /// Core cycles per byte.
    CyclesPerByte,
    /// 10^6 bytes per second.
    MegabytesPerSecond,
    /// 10^6 messages per second.
    MillionsPerSecond,
    /// Messages per second, of what takes its time for each, such as a signature.
    OperationsPerSecond,
    /// 10^9 bytes per second.
    GigabytesPerSecond,
    /// Nanoseconds per call, or per message of many.
    Nanoseconds,
    /// Microseconds per call, or per message of many.
    Microseconds,
}

/// A unit that figures of `speed` may be asked in.
pub struct Named {
    /// The unit.
    pub unit: Unit,
    /// What asks for it.
    pub name: &'static str,
    /// What asks for it, too.
    pub aliases: &'static [&'static str],
    /// What it counts, for the help.
    pub about: &'static str,
}

/// Every unit with a name.
pub const UNITS: &[Named] = &[
    Named {
        unit: Unit::GigabytesPerSecond,
        name: "gb/s",
        aliases: &["gigabytes-per-second"],
        about: "10^9 bytes per second",
    },
    Named {
        unit: Unit::MegabytesPerSecond,
        name: "mb/s",
        aliases: &["megabytes-per-second"],
        about: "10^6 bytes per second",
    },
    Named {
        unit: Unit::KilobytesPerSecond,
        name: "kb/s",
        aliases: &["kilobytes-per-second"],
        about: "10^3 bytes per second",
    },
    Named {
        unit: Unit::MillionsPerSecond,
        name: "rows/s",
        aliases: &["messages/s"],
        about: "10^6 messages per second",
    },
    Named {
        unit: Unit::OperationsPerSecond,
        name: "ops/s",
        aliases: &["operations-per-second"],
        about: "Messages per second",
    },
    Named {
        unit: Unit::Nanoseconds,
        name: "ns",
        aliases: &["nanoseconds"],
        about: "Nanoseconds per message",
    },
    Named { unit: Unit::Cycles, name: "cycles", aliases: &[], about: "Core cycles per message" },
    Named {
        unit: Unit::CyclesPerByte,
        name: "cpb",
        aliases: &["cycles-per-byte"],
        about: "Core cycles per byte",
    },
];

impl Unit {
    /// The unit that has this name, or this alias, in any case.
    pub fn find(name: &str) -> Option<Self> {
        let is_its = |known: &&str| known.eq_ignore_ascii_case(name);
        let found = UNITS.iter().find(|of| is_its(&of.name) || of.aliases.iter().any(is_its));
        found.map(|of| of.unit)
    }

    /// The unit in words; `iterations` of the table it stands in.
    pub fn describe(self, iterations: u64) -> String {
        match self {
            Self::Seconds if iterations == 1 => "s per call".to_owned(),
            Self::Seconds => format!("s per {iterations} calls"),
            Self::KilobytesPerSecond => "kB/s".to_owned(),
            Self::Cycles => "cycles per call".to_owned(),
            Self::CyclesPerByte => "cycles/byte".to_owned(),
            Self::MegabytesPerSecond => "MB/s".to_owned(),
            Self::MillionsPerSecond => "million messages/s".to_owned(),
            Self::OperationsPerSecond => "operations/s".to_owned(),
            Self::GigabytesPerSecond => "GB/s".to_owned(),
            Self::Nanoseconds => "ns per call".to_owned(),
            Self::Microseconds => "µs per call".to_owned(),
        }
    }

    /// Whether more is faster.
    pub fn is_rate(self) -> bool {
        !matches!(
            self,
            Self::Seconds
                | Self::Cycles
                | Self::CyclesPerByte
                | Self::Nanoseconds
                | Self::Microseconds
        )
    }

    /// A message's `ns` (and `cycles`) on `bytes` in this unit, a mean if it is one of many.
    pub fn from_message(self, ns: f64, cycles: f64, bytes: f64, iterations: u64) -> f64 {
        match self {
            Self::Seconds => ns * iterations as f64 * 1e-9,
            Self::KilobytesPerSecond => bytes / ns * 1e6,
            Self::Cycles => cycles,
            Self::CyclesPerByte => cycles / bytes,
            Self::MegabytesPerSecond => bytes / ns * 1e3,
            Self::MillionsPerSecond => 1e3 / ns,
            Self::OperationsPerSecond => 1e9 / ns,
            Self::GigabytesPerSecond => bytes / ns,
            Self::Nanoseconds => ns,
            Self::Microseconds => ns / 1000.0,
        }
    }

    /// A figure of a message of `bytes`, printed in this unit, as core cycles, where it says that
    /// much.
    pub fn to_cycles(self, value: f64, bytes: f64) -> Option<f64> {
        match self {
            Self::Cycles => Some(value),
            Self::CyclesPerByte => Some(value * bytes),
            _ => None,
        }
    }

    /// A figure of a message of `bytes`, printed in this unit, as nanoseconds, where it says that
    /// much.
    pub fn to_ns(self, value: f64, bytes: f64, iterations: u64) -> Option<f64> {
        match self {
            Self::Seconds => Some(value * 1e9 / iterations as f64),
            Self::KilobytesPerSecond => Some(bytes / value * 1e6),
            Self::Cycles | Self::CyclesPerByte => None,
            Self::MegabytesPerSecond => Some(bytes / value * 1e3),
            Self::MillionsPerSecond => Some(1e3 / value),
            Self::OperationsPerSecond => Some(1e9 / value),
            Self::GigabytesPerSecond => Some(bytes / value),
            Self::Nanoseconds => Some(value),
            Self::Microseconds => Some(value * 1000.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_turn_into_each_other() {
        assert_eq!(Unit::KilobytesPerSecond.to_ns(1000.0, 5.0, 1), Some(5000.0));
        assert_eq!(Unit::KilobytesPerSecond.from_message(5000.0, 0.0, 5.0, 1), 1000.0);
        assert_eq!(Unit::Seconds.to_ns(0.05, 5.0, 5000), Some(10_000.0));
        assert_eq!(Unit::Seconds.from_message(10_000.0, 0.0, 5.0, 5000), 0.05);
        assert_eq!(Unit::MegabytesPerSecond.from_message(10.0, 0.0, 50.0, 1), 5000.0);
        assert_eq!(Unit::MillionsPerSecond.from_message(200.0, 0.0, 50.0, 1), 5.0);
        assert_eq!(Unit::MillionsPerSecond.to_ns(5.0, 50.0, 1), Some(200.0));
        assert_eq!(Unit::OperationsPerSecond.from_message(250_000.0, 0.0, 64.0, 1), 4000.0);
        assert_eq!(Unit::OperationsPerSecond.to_ns(4000.0, 64.0, 1), Some(250_000.0));
        assert_eq!(Unit::CyclesPerByte.to_ns(1.0, 5.0, 1), None);
        assert_eq!(Unit::CyclesPerByte.to_cycles(1.2, 5000.0), Some(6000.0));
        assert_eq!(Unit::Nanoseconds.to_cycles(1.2, 5000.0), None);
        assert_eq!(Unit::Cycles.from_message(5.0, 20.0, 5.0, 1), 20.0);
    }
}
