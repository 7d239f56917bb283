//! Where kernels and clocks meet: whatever computes a digest is a child process on a line protocol, ours too.
//!
//! ```no_run
//! use bench::{Job, Options, Provider};
//!
//! let mut php = Provider::find("php").unwrap().start(&Options::default())?;
//! let md5 = hashdyno::find("md5").unwrap();
//! let offer = php.offers(md5).expect("PHP has MD5");
//! let job = Job::digest(md5, offer, b"a message"[..].into());
//! php.job(&job)?; // an error, unless the answer is right
//! let elapsed = php.run(1000)?;
//! println!("{} {}: {elapsed:?} for 1000 calls", php.greeting.name, php.greeting.version);
//! php.again()?;
//! # Ok::<(), bench::RunnerError>(())
//! ```
#![forbid(unsafe_code)]

mod aes;
mod board;
mod bound;
mod cipher;
mod claim;
mod cold;
mod columns;
mod compare;
pub mod conformance;
mod crew;
mod error;
mod every;
mod execute;
pub mod files;
mod group;
pub mod import;
mod job;
mod masking;
mod narrow;
mod ours;
mod preset;
mod process;
mod protocol;
mod provider;
mod record;
pub mod report;
mod runner;
pub mod serve;
mod size;
mod source;
pub mod study;
mod table;
mod team;
pub mod temporary;
mod unit;

pub use board::{Agreement, Board, Counts, Figure, Row, Rules, Standing};
pub use bound::{Bound, Messages};
pub use cipher::{Algorithm, CIPHERS, Cipher, Direction, Mode};
pub use claim::{Claim, Evidence, Judgement, Term, Verdict};
pub use cold::{Cold, Order};
pub use compare::{Compared, Incomparable, Side, compare};
pub use error::RunnerError;
pub use execute::{ExecuteError, OnlyWarnings, Progress, Request, run};
pub use job::Job;
pub use masking::{check_mask, sweep};
pub use ours::Ours;
pub use preset::Preset;
pub use protocol::{Greeting, Kind, Offer};
pub use provider::{Names, Options, Provider, providers};
pub use record::{Entry, Head, Loop, ProviderLine, Record, RecordError, SCHEMA};
pub use runner::Runner;
pub use size::{Shape, Size};
pub use study::{Study, StudyError};

/// The Rust code of the README is compiled and run as a documentation example.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
