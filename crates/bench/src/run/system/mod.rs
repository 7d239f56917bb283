//! Calls that Linux answers for a run, and other systems do not.
//!
//! Each function stands in both files with one signature. On other systems a run ends with the
//! error of `allowed_cores`; records are read, compared and shown there.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

#[cfg(target_os = "linux")]
pub use linux::*;
#[cfg(not(target_os = "linux"))]
pub use other::*;
