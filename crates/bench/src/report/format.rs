//! The form of a format. The list of formats is `FORMATS` in `report`.
//!
//! ```text
//! format file        Render::One        one record:        terminal, csv, json, markdown, openssl
//!                    Render::Several    a part for each:   html, results
//! ```
//!
//! A format is a constant, and has a file of its own. It names only the fields in which it differs
//! from `Format::by`.

use super::{Grid, Report};

/// How a report is written: a value of the format's own file, and a place in [`super::FORMATS`].
pub struct Format {
    /// What asks for it: `--format NAME`.
    pub name: &'static str,
    /// What the names of files end in that are written so, the usual ending first.
    pub endings: &'static [&'static str],
    /// What it is, for the help.
    pub about: &'static str,
    /// Whether an algorithm has one row, so that one provider is measured for each.
    pub one_row_each: bool,
    /// The same on one screen, without tables; none where tables are all there is.
    pub brief: Option<&'static Self>,
    /// Writes a table alone, where the format can.
    pub grid: Option<fn(&Grid) -> String>,
    /// Writes reports.
    pub render: Render,
}

/// What writes reports.
#[derive(Clone, Copy)]
pub enum Render {
    /// One report.
    One(fn(&Report<'_>) -> String),
    /// One or more, a part each.
    Several(fn(&[Part<'_>]) -> String),
}

/// A report and the record that it was made from.
pub struct Part<'a> {
    /// What the record says.
    pub report: &'a Report<'a>,
    /// The record's file name.
    pub file: String,
    /// The record's bytes, where they are to be part of what is written.
    pub bytes: Option<&'a [u8]>,
}

impl Format {
    /// A format that writes so and has nothing else, for its file to complete.
    pub(super) const fn by(render: Render) -> Self {
        Self {
            name: "",
            endings: &[],
            about: "",
            one_row_each: false,
            brief: None,
            grid: None,
            render,
        }
    }

    /// Whether it can show several records.
    pub fn takes_several(&self) -> bool {
        matches!(self.render, Render::Several(_))
    }

    /// The same with tables, or on one screen where that differs.
    pub fn full(&'static self, full: bool) -> &'static Self {
        if full { self } else { self.brief.unwrap_or(self) }
    }

    /// Reports as text.
    ///
    /// # Panics
    /// If there is no part, or more than one and the format takes one.
    pub fn render(&self, parts: &[Part<'_>]) -> String {
        match (self.render, parts) {
            (Render::Several(render), parts) => render(parts),
            (Render::One(render), [part]) => render(part.report),
            (Render::One(_), parts) => panic!("{} parts in the format {}", parts.len(), self.name),
        }
    }
}
