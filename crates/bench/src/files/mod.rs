//! Whole files: a tree of photographs hashed by runners, and file tools measured as whole processes.
//!
//! A study's `[[files]]` tables ([`Table`]) say what; what was measured is [`Measured`], a part of the record.

mod evidence;
pub mod photos;
mod place;
mod processes;
mod table;
mod tool;
mod tree;
mod whole;

use serde::{Deserialize, Serialize};

pub(crate) use evidence::{Here, Printed};
pub use place::{FilesError, Place};
pub use processes::{Process, Run, Timing, measure as measure_tools};
pub(crate) use table::MOST_PHOTOS;
pub use table::{Cache, Clock, Measures, Photos, Published, Quick, Table, seconds};
pub use tool::{Answer, READING, Tool, tools};
pub(crate) use tree::measure as measure_tree;
pub use tree::{Hashed, Pass};

/// What was measured of whole files.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Each tree of photographs.
    pub trees: Vec<Pass>,
    /// Who hashed them, and how fast.
    pub hashed: Vec<Hashed>,
    /// File tools.
    pub processes: Vec<Process>,
}

/// A line of the record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "kebab-case")]
pub enum Line {
    /// A tree of photographs.
    Tree(Pass),
    /// An algorithm in a provider over the tree.
    Hashed(Box<Hashed>),
    /// A tool on a file.
    Process(Box<Process>),
}

impl Measured {
    /// As the record's lines.
    pub fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        let trees = self.trees.iter().cloned().map(Line::Tree);
        let hashed = self.hashed.iter().map(|cell| Line::Hashed(Box::new(cell.clone())));
        trees.chain(hashed).chain(self.processes.iter().map(|cell| Line::Process(Box::new(cell.clone()))))
    }

    /// Takes a line of the record.
    pub fn take(&mut self, line: Line) {
        match line {
            Line::Tree(tree) => self.trees.push(tree),
            Line::Hashed(cell) => self.hashed.push(*cell),
            Line::Process(cell) => self.processes.push(*cell),
        }
    }

    /// How many lines it has.
    pub fn count(&self) -> usize {
        self.trees.len() + self.hashed.len() + self.processes.len()
    }
}
