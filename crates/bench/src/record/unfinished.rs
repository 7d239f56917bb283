//! Records of runs that have not ended, or not yet.
//!
//! A run consists of steps. Each is recorded whole or not at all, in this order:
//!
//! ```text
//! Start -> FirstCalls* -> Told* -> Group* (random order) -> Group again* -> Tree* -> Tools*
//! ```
//!
//! A group that was measured again stands twice among the steps, and its later entries count. So
//! `--resume` knows how often each group was measured, and goes on as the run would have.

use std::fmt;

use runner::Size;
use serde::{Deserialize, Serialize};

use super::{Line, Record, digits};

/// A part of a run that is recorded whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Step {
    /// Who answers, and what each does apart from its work.
    Start,
    /// The first calls of a table, by its id.
    FirstCalls(String),
    /// The programs of a table that time themselves, by the table's id.
    Told(String),
    /// An algorithm at a size, in every source.
    Group(String, Size),
    /// A table of photographs, by its id.
    Tree(String),
    /// The file tools of a table on a file of this length in bytes.
    Tools(String, u64),
}

/// How much of its run a record holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Unfinished {
    /// Groups that are there.
    pub groups: usize,
    /// Groups that the run was to have; not known where a record has lost its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            Some(of) => write!(f, "{} of {of} groups are there", self.groups),
            None => write!(f, "{} groups are there, the end is missing", self.groups),
        }
    }
}

/// When a run went on that had been stopped.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Resumed {
    /// The date.
    pub date: String,
    /// The core that everything ran on from then on.
    pub core: usize,
}

/// The steps of a run that are done, in their order; one that was done again stands there again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Done(Vec<Step>);

impl Done {
    /// How many times a step was done.
    pub(crate) fn times(&self, step: &Step) -> usize {
        self.0.iter().filter(|done| *done == step).count()
    }

    /// How many steps are done, each counted once, the start left out.
    pub(crate) fn groups(&self) -> usize {
        // A person counts groups that are there. The start gives no figure.
        let first = |&(place, step): &(usize, &Step)| {
            *step != Step::Start && !self.0[..place].contains(step)
        };
        self.0.iter().enumerate().filter(first).count()
    }
}

impl Record {
    /// Takes what a step gave, in place of what it gave before.
    pub(crate) fn commit(&mut self, done: &mut Done, step: Step, lines: Vec<Line>) {
        // Only groups are measured again. Entries of one group stand beside each other in a record.
        if let Step::Group(algorithm, size) = &step {
            self.entries.retain(|entry| entry.algorithm != *algorithm || entry.size != *size);
        }
        for line in lines {
            // A tool is asked for its version for each file.
            let is_known = matches!(&line, Line::Provider(provider)
                if self.providers.iter().any(|known| known.source() == provider.source()));
            if !is_known {
                self.take(line);
            }
        }
        done.0.push(step);
    }

    /// Takes a line that holds results.
    pub(super) fn take(&mut self, line: Line) {
        match line {
            Line::Provider(provider) => self.providers.push(provider),
            Line::Loop(mut bare) => {
                digits::series(&mut bare.series);
                self.loops.push(*bare);
            }
            Line::Open(mut open) => {
                digits::series(&mut open.series);
                self.opens.push(*open);
            }
            Line::Cold(cold) => self.cold.push(cold),
            Line::Told(told) => self.told.push(told),
            Line::Series(mut entry) => {
                digits::series(&mut entry.series);
                self.entries.push(*entry);
            }
            Line::Ratio(kept) => self.kept.take_ratio(*kept),
            Line::Cost(kept) => self.kept.take_cost(*kept),
            Line::Files(line) => self.files.take(line),
            Line::Resumed(resumed) => self.head.resumed.push(resumed),
            Line::Head(_) | Line::Begun { .. } | Line::Done { .. } | Line::End { .. } => {}
        }
    }
}
