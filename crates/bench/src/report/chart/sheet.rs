//! The page that charts are drawn on, and its parts.

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, SVGBackend};

/// The family that the text is set in; whoever turns the SVG into pixels needs it.
pub const FONT: &str = "DejaVu Sans";

/// The page that charts are drawn on.
pub type Sheet<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A part of the page, as wide as the page.
pub trait Section {
    /// In pixels.
    fn height(&self) -> u32;
    /// Draws it on a sheet of that height.
    fn draw(&self, sheet: &Sheet<'_>);
}

/// Pixels from the left end of the page to its right end.
pub const WIDTH: u32 = 960;
/// Pixels that stay free at both ends.
pub const MARGIN: i32 = 16;

/// What is expected of a drawing in memory.
pub const MEMORY: &str = "drawing to memory does not fail";
