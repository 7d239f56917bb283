//! Text, dots and legends, at pixels.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{FONT, MEMORY, Sheet};

pub const INK: RGBColor = RGBColor(0x1b, 0x1f, 0x24);
pub const MUTED: RGBColor = RGBColor(0x5d, 0x65, 0x70);
pub const RULE: RGBColor = RGBColor(0xdf, 0xe1, 0xe4);

/// The page's colours, so that a source looks the same in both.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0x16, 0x68, 0xb8),
    RGBColor(0xc4, 0x45, 0x1c),
    RGBColor(0x1a, 0x87, 0x54),
    RGBColor(0x9a, 0x5b, 0xc2),
    RGBColor(0xb0, 0x7c, 0x00),
    RGBColor(0x0e, 0x8a, 0x94),
    RGBColor(0xc2, 0x41, 0x7c),
    RGBColor(0x66, 0x70, 0x7c),
];

/// The colour of a source by its place.
pub fn colour(place: usize) -> RGBColor {
    COLOURS[place % COLOURS.len()]
}

/// Writes and draws on a sheet.
pub struct Pen<'a, 'b>(pub &'a Sheet<'b>);

impl Pen<'_, '_> {
    /// Text from its left end; `at` is its middle in height.
    pub fn text(&self, text: &str, at: (i32, i32), size: i32, colour: RGBColor) {
        self.write(text, at, (FONT, size).into_font().color(&colour), HPos::Left);
    }

    /// The same in bold.
    pub fn bold(&self, text: &str, at: (i32, i32), size: i32, colour: RGBColor) {
        self.write(text, at, (FONT, size, FontStyle::Bold).into_font().color(&colour), HPos::Left);
    }

    /// Text to its right end.
    pub fn text_to(&self, text: &str, at: (i32, i32), size: i32, colour: RGBColor) {
        self.write(text, at, (FONT, size).into_font().color(&colour), HPos::Right);
    }

    fn write(&self, text: &str, at: (i32, i32), style: TextStyle<'_>, side: HPos) {
        self.0
            .draw(&Text::new(text.to_owned(), at, style.pos(Pos::new(side, VPos::Center))))
            .expect(MEMORY);
    }

    /// A dot, hollow for what is published.
    pub fn dot(&self, at: (i32, i32), colour: RGBColor, hollow: bool) {
        if hollow {
            self.0.draw(&Circle::new(at, 4, WHITE.filled())).expect(MEMORY);
            self.0.draw(&Circle::new(at, 4, colour.stroke_width(1))).expect(MEMORY);
        } else {
            self.0.draw(&Circle::new(at, 3, colour.filled())).expect(MEMORY);
        }
    }

    /// A straight line.
    pub fn line(&self, from: (i32, i32), to: (i32, i32), colour: RGBColor) {
        self.0.draw(&PathElement::new(vec![from, to], colour.stroke_width(1))).expect(MEMORY);
    }

    /// A row of dots with their names; hollow or not.
    pub fn legend(&self, names: &[(String, RGBColor, bool)], at: (i32, i32)) {
        let mut x = at.0;
        for (name, colour, hollow) in names {
            self.dot((x + 4, at.1), *colour, *hollow);
            self.text(name, (x + 13, at.1), 11, INK);
            x += 13 + 13 * name.chars().count() as i32 / 2 + 20;
        }
    }
}

/// The ends of a log axis over these values, and its ticks: 1, 2, 5 in each decade, or the decades
/// where there are many.
pub fn log_axis(values: impl Iterator<Item = f64>) -> (f64, f64, Vec<f64>) {
    let positive = values.filter(|value| *value > 0.0 && value.is_finite());
    let (low, high) = positive
        .fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    let room = (high / low).powf(0.05).max(1.1);
    let (low, high) = (low / room, high * room);
    let steps: &[i32] = if (high / low).log10() > 3.0 { &[1] } else { &[1, 2, 5] };
    let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let ticks = decades
        .flat_map(|decade| steps.iter().map(move |&step| f64::from(step) * 10_f64.powi(decade)));
    (low, high, ticks.filter(|tick| (low..=high).contains(tick)).collect())
}

/// A tick, short: `0.05`, `2k`, `1M`.
pub fn tick(value: f64) -> String {
    let (unit, name) = [(1e9, "G"), (1e6, "M"), (1e3, "k")]
        .into_iter()
        .find(|(unit, _)| value >= *unit)
        .unwrap_or((1.0, ""));
    let digits = format!("{:.6}", value / unit);
    format!("{}{name}", digits.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_short_and_inside() {
        assert_eq!([0.05, 1.0, 2000.0, 1e6].map(tick), ["0.05", "1", "2k", "1M"]);
        let (low, high, ticks) = log_axis([3.0, 40.0].into_iter());
        assert!(low < 3.0 && high > 40.0);
        assert_eq!(ticks.iter().map(|value| tick(*value)).collect::<Vec<_>>(), ["5", "10", "20"]);
    }
}
