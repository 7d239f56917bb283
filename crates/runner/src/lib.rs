//! Whatever computes a digest or a cipher is a child process on a line protocol, our own kernels
//! too. This crate is both ends of that line: the host's, which starts runners, and the runner's,
//! for programs in Rust.
//!
//! ```no_run
//! use runner::{Job, Options, Provider};
//!
//! let mut php = Provider::find("php").unwrap().start(&Options::default())?;
//! let md5 = hashdyno::find("md5").unwrap();
//! let offer = php.offers(md5).expect("PHP has MD5");
//! let job = Job::digest(md5, offer, b"a message"[..].into());
//! php.job(&job)?; // an error, unless the answer is right
//! let elapsed = php.run(1000)?;
//! println!("{} {}: {elapsed:?} for 1000 calls", php.greeting.name, php.greeting.version);
//! php.again()?;
//! # Ok::<(), runner::RunnerError>(())
//! ```
#![forbid(unsafe_code)]

mod host;
mod protocol;
pub mod serve;
pub mod text;
mod work;

pub use host::{
    ALL, Names, OURS, Options, Provider, Runner, Running, check_mask, check_mask_of, conformance,
    provider_name, providers, sweep, temporary,
};
pub use protocol::{Greeting, Job, Kind, Offer, RunnerError, portable};
pub use serve::Ours;
pub use work::{Algorithm, CIPHERS, Cipher, Column, Direction, Family, Mode, Payload, Shape, Size};

/// The Rust code of the README of the repository is tried with this crate's documentation: it is
/// not part of the package `hashdyno`.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
