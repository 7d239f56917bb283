//! What systems differ in. Each has a module with the same functions. Where a system lacks a call,
//! its function says so (`NOSYS`, `None`, `false`), and callers prove less or take a longer way.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

#[cfg(target_os = "linux")]
pub use linux::*;
#[cfg(not(target_os = "linux"))]
pub use other::*;
