//! What came of a program under a mask.
//!
//! `Outcome` says how the program ended and counts the CPUIDs. `Gap` names code that may see the
//! real CPU: `watch` tells each gap when it is found, and the outcome holds all of them. Two gaps
//! are the same if kind and program are: a thousand doubtful bytes of one program are one gap.

use std::fmt;
use std::process::ExitStatus;

/// How the program ended, and what was done on its way.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The end of the program itself, whatever its children did.
    pub status: ExitStatus,
    /// How many CPUID instructions were answered.
    pub answered: u64,
    /// How many were overwritten; 0 under faulting.
    pub patched: u64,
    /// Bytes which may be a CPUID or data: left alone, and a [`Gap`].
    pub doubtful: u64,
    /// What may have seen the real CPU.
    pub gaps: Vec<Gap>,
}

impl Outcome {
    /// The exit code as a shell has it: 128 and the signal's number for a death by signal.
    #[cfg(unix)]
    pub fn code(&self) -> i32 {
        use std::os::unix::process::ExitStatusExt;
        self.status.code().unwrap_or_else(|| 128 + self.status.signal().unwrap_or(0))
    }
}

/// Code that may see the real CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// A CPUID in memory shared with other processes or with a file: it cannot be overwritten for
    /// this program alone.
    SharedCode {
        /// The program that has it.
        program: String,
    },
    /// Bytes which may be a CPUID or data: overwritten, data would be wrong.
    Doubtful {
        /// The program that has them.
        program: String,
    },
    /// A program of 32 bits: not followed.
    ThirtyTwoBit {
        /// The program.
        program: String,
    },
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SharedCode { program } => {
                write!(f, "{program} has a CPUID in shared memory: it sees the real CPU")
            }
            Self::Doubtful { program } => {
                write!(
                    f,
                    "{program} has bytes that may be a CPUID or data, left as they are: it may \
                        see the real CPU"
                )
            }
            Self::ThirtyTwoBit { program } => {
                write!(f, "{program} is a 32-bit program: it sees the real CPU")
            }
        }
    }
}
