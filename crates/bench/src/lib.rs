//! Where kernels and clocks meet. A study (a document as data) is run; a run leaves a record;
//! verdicts and reports read records.
//!
//! ```text
//! TOML --study--> Study --run--> Record --record--> a file of JSON lines
//!                                  |
//!                                  +--judge--> verdicts --report--> text, tables, charts
//! ```
//!
//! A record holds its study. So each verdict and each report can be made again from the file alone.
//!
//! Each module knows only those before it: `text`, `study`, `record`, `judge`, then `run` and
//! `report`, which do not know each other. Runners and what they compute are a crate of their own,
//! [`runner`].
#![forbid(unsafe_code)]

pub mod judge;
pub mod record;
pub mod report;
pub mod run;
pub mod study;
mod text;

pub use judge::{
    Agreement, Answered, Board, Change, Compared, Counts, Evidence, Figure, Incomparable,
    Judgement, Row, Side, Standing, Verdict, change, compare, missing, only_in,
};
pub use record::{
    Cold, Entry, Head, Loop, ProviderLine, Record, RecordError, Resumed, SCHEMA, Unfinished, import,
};
pub use run::{
    ExecuteError, Keep, OnlyWarnings, Progress, Ran, Request, Stop, Work, run, run_and_keep,
    settle_unfinished,
};
pub use runner::{
    Algorithm, CIPHERS, Cipher, Direction, Greeting, Job, Kind, Mode, Names, Offer, Options, Ours,
    Payload, Provider, Runner, RunnerError, Shape, Size, check_mask, conformance, providers, serve,
    sweep, temporary,
};
pub use study::{Bound, Claim, Load, Preset, Rules, SizeOrder, Study, StudyError, Term};

/// Whole files: what a study says of them, what was measured, and how.
pub mod files {
    pub use crate::record::files::{FilesLine, Hashed, Measured, Pass, Process, Run, Timing};
    pub use crate::run::files::{FilesError, Place, measure_tools, photos};
    pub use crate::study::{
        Answer, Cache, Clock, FileTable, Measures, Photos, PublishedFiles, Quick, READING,
        Throttle, Tool, seconds, tools,
    };
}

/// The Rust code of the README is compiled and run as a documentation example.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
