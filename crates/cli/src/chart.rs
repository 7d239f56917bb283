//! `--chart FILE`: a record's chart as SVG or PNG.
//!
//! The ending of the file says the kind. `bench` draws SVG; a PNG is the same drawing by resvg,
//! with two pixels for each unit. A PNG needs the chart's font on this system, because an SVG
//! leaves text to its viewer. Nothing to draw, and a missing font, are errors of the input: exit
//! code 2.

use std::path::{Path, PathBuf};

use anyhow::Context;
use bench::Record;
use bench::report::chart;
use resvg::{tiny_skia, usvg};

use crate::commands::output;
use crate::failure::BadInput;

/// The file that a chart is written to; its ending says what kind.
#[derive(Clone, Debug)]
pub struct ChartFile {
    /// As the user wrote it; the ending is in it.
    path: PathBuf,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Svg,
    Png,
}

impl std::str::FromStr for ChartFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        let kind = match path.extension().and_then(|ending| ending.to_str()) {
            Some("svg") => Kind::Svg,
            Some("png") => Kind::Png,
            _ => return Err("expected a file ending in .svg or .png".to_owned()),
        };
        Ok(Self { path, kind })
    }
}

impl ChartFile {
    /// Where it is to be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Draws the record and writes the file, whole or not at all.
    pub fn write(&self, record: &Record) -> anyhow::Result<()> {
        let svg = chart::svg(record).ok_or_else(|| BadInput {
            message: "nothing to draw: expected figures of two message lengths, or published ones"
                .to_owned(),
            hint: "`--format html` shows every figure".to_owned(),
        })?;
        let bytes = match self.kind {
            Kind::Svg => svg.into_bytes(),
            Kind::Png => png(&svg)?,
        };
        output::write(&self.path, &bytes)
    }
}

/// The same in pixels, two to each of the drawing's either way.
fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    let mut options = usvg::Options::default();
    options.fontdb_mut().load_system_fonts();
    let wanted = usvg::fontdb::Query {
        families: &[usvg::fontdb::Family::Name(chart::FONT)],
        ..Default::default()
    };
    // resvg would leave all text out without a word.
    if options.fontdb.query(&wanted).is_none() {
        let message = format!(
            "cannot draw text in a .png: expected the font '{}' on this system",
            chart::FONT
        );
        return Err(BadInput {
            message,
            hint: "apt-get install fonts-dejavu-core, or ask for an .svg".to_owned(),
        }
        .into());
    }
    let tree = usvg::Tree::from_str(svg, &options)?;
    let size = tree.size().to_int_size();
    let mut pixels = tiny_skia::Pixmap::new(2 * size.width(), 2 * size.height())
        .context("the chart has no size")?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(2.0, 2.0), &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}
