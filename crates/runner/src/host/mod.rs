//! The host's side: who can be measured, how a runner is started, spoken to and ended, and whether
//! it keeps to the protocol.

mod child;
pub mod conformance;
mod group;
mod launch;
mod masking;
mod process;
mod provider;
mod ready;
pub mod temporary;
mod vectors;

pub use child::{Runner, Running};
pub use launch::Options;
pub use masking::{ALL, check_mask, check_mask_of, sweep};
pub use provider::{Names, OURS, Provider, provider_name, providers};
