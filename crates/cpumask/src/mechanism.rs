//! How CPUID is made to stop, and which way works here.
//!
//! `mechanism` tries faulting before patching: a CPU that faults lets no CPUID escape, and no
//! memory of the program is changed. Each probe forks a process and traces it, which takes
//! milliseconds. So a caller that starts many programs keeps the answer.
//!
//! ```text
//! faulting   the CPU, its hypervisor and the kernel must offer it; most AMD guests lack it
//! patching   ptrace and a seccomp filter must be allowed; some containers forbid them
//! ```

use std::fmt;

use crate::system;

/// How a program's CPUID is made to stop, so that it can be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mechanism {
    /// The CPU faults at CPUID: nothing escapes. Intel since 2012, some AMD, where the hypervisor
    /// lets it through.
    Faulting,
    /// Every CPUID in executable memory is overwritten: any x86-64 Linux where ptrace is allowed.
    Patching,
}

/// The best mechanism that works here, tried out on a process of its own.
///
/// # Errors
/// [`Unavailable`]: no mechanism works here, each with its reason.
pub fn mechanism() -> Result<Mechanism, Unavailable> {
    Mechanism::Faulting.probe().or_else(|_| Mechanism::Patching.probe())
}

impl Mechanism {
    /// All, best first.
    pub const ALL: [Self; 2] = [Self::Faulting, Self::Patching];

    /// Tries it out on a process of its own.
    ///
    /// # Errors
    /// [`Unavailable`]: it does not work here, and why.
    pub fn probe(self) -> Result<Self, Unavailable> {
        system::probe(self).map(|()| self).map_err(|reason| Unavailable { mechanism: self, reason })
    }
}

impl fmt::Display for Mechanism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Faulting => "faulting",
            Self::Patching => "patching",
        })
    }
}

impl std::str::FromStr for Mechanism {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|mechanism| mechanism.to_string() == text);
        found.ok_or_else(|| format!("'{text}' is not a mechanism: expected faulting or patching"))
    }
}

/// Why a mechanism does not work here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("CPU features cannot be hidden here by {mechanism}: {reason}")]
pub struct Unavailable {
    /// Which.
    pub mechanism: Mechanism,
    /// Why.
    pub reason: String,
}
