//! Runs any unmodified program with CPU features hidden from it.
//!
//! A program asks the CPU what it can do by the instruction CPUID. [`run`] traces a program and
//! whatever it starts, and answers each CPUID itself, with the bits of a [`Mask`] cleared;
//! everything else runs at full speed. Two [`Mechanism`]s make CPUID stop:
//!
//! - *faulting*: the kernel is asked to let CPUID fault (`arch_prctl(ARCH_SET_CPUID)`); the CPU and
//!   its hypervisor must offer it.
//! - *patching*: each CPUID in memory that becomes executable is overwritten by CLTS, an
//!   instruction of the same two bytes' length that only a kernel may execute, so that no program
//!   has one of its own.
//!
//! What cannot be hidden: XGETBV and /proc/cpuinfo; what code that was compiled for one CPU uses
//! anyway. Under patching also a CPUID that a program writes into memory which it has already
//! executed, and one among data. A [`Gap`] tells of code that may see the real CPU, where that is
//! noticed.
//!
//! A CPUID stops by SIGSEGV. The program never gets it, and its own handler stays, even where it
//! blocks the signal. Two things are lost: a SIGSEGV that is blocked and has no handler is
//! unblocked; and until a CPUID with SIGSEGV blocked is answered, the handler is not there for
//! other threads.
//!
//! ```no_run
//! let mask = cpumask::Mask::parse("-pclmulqdq").unwrap();
//! let mut php = std::process::Command::new("php");
//! php.args(["-r", "echo hash('crc32b', 'abc');"]);
//! let outcome = cpumask::run(&mask, cpumask::mechanism()?, php)?;
//! assert_eq!(outcome.code(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod leaves;
mod mask;
mod mechanism;
mod outcome;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod elsewhere;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod linux;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
use elsewhere as system;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use linux as system;

pub use leaves::{FEATURES, Feature, Register};
pub use mask::{Mask, MaskError, PRESETS, Preset};
pub use mechanism::{Mechanism, Unavailable, mechanism};
pub use outcome::{Gap, Outcome};
pub use system::{run, watch};
