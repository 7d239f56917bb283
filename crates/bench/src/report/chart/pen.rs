//! Text, marks, legends and axes, at pixels.
//!
//! The width of a text is estimated: 0.62 of its size for each character. No font is asked, since
//! the reader's may be another. The estimate is wide for most texts, so that none is cut.
//!
//! Log axes have ticks at 1, 2 and 5 of each decade, or at decades alone. Axes from 0 have nine
//! ticks at most.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::sheet::{FONT, MARGIN, MEMORY, Sheet, WIDTH};
use crate::report::colours::{Mark, hues};

pub const INK: RGBColor = RGBColor(0x1b, 0x1f, 0x24);
pub const MUTED: RGBColor = RGBColor(0x5d, 0x65, 0x70);
pub const RULE: RGBColor = RGBColor(0xdf, 0xe1, 0xe4);

/// Paper, ink, what is muted, and rules: light, then dark. The page's theme has the same.
pub const NEUTRALS: [(&str, &str); 4] = [
    ("#ffffff", "#171a1e"),
    ("#1b1f24", "#e7e9ec"),
    ("#5d6570", "#9aa3ae"),
    ("#dfe1e4", "#343a42"),
];

/// The colour of a mark, on light paper; ink for what is published.
pub fn colour(mark: Mark) -> RGBColor {
    if mark.hollow { INK } else { hue(mark.hue) }
}

/// A colour of the list.
pub fn hue(place: usize) -> RGBColor {
    let text = &hues()[place % hues().len()].light;
    let part = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("a test reads it");
    RGBColor(part(1), part(3), part(5))
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

    /// Text about its middle.
    pub fn text_about(&self, text: &str, at: (i32, i32), size: i32, colour: RGBColor) {
        self.write(text, at, (FONT, size).into_font().color(&colour), HPos::Center);
    }

    fn write(&self, text: &str, at: (i32, i32), style: TextStyle<'_>, side: HPos) {
        self.0
            .draw(&Text::new(text.to_owned(), at, style.pos(Pos::new(side, VPos::Center))))
            .expect(MEMORY);
    }

    /// A mark by its shape, hollow for what is published.
    pub fn mark(&self, (x, y): (i32, i32), mark: Mark) {
        let outline = outline((x, y), mark.shape);
        let own = colour(mark);
        let inside = if mark.hollow { WHITE } else { own };
        match outline {
            None => {
                self.0.draw(&Circle::new((x, y), 4, inside.filled())).expect(MEMORY);
                if mark.hollow {
                    self.0.draw(&Circle::new((x, y), 4, own.stroke_width(1))).expect(MEMORY);
                }
            }
            Some(mut corners) => {
                self.0.draw(&Polygon::new(corners.clone(), inside.filled())).expect(MEMORY);
                if mark.hollow {
                    corners.push(corners[0]);
                    self.0.draw(&PathElement::new(corners, own.stroke_width(1))).expect(MEMORY);
                }
            }
        }
    }

    /// A straight line.
    pub fn line(&self, from: (i32, i32), to: (i32, i32), colour: RGBColor) {
        self.0.draw(&PathElement::new(vec![from, to], colour.stroke_width(1))).expect(MEMORY);
    }

    /// A bar from one corner to the other, filled in this strength of its colour or as an outline.
    pub fn bar(&self, from: (i32, i32), to: (i32, i32), mark: Mark, strength: f64) {
        let own = hue(mark.hue).mix(strength);
        let style = if mark.hollow { own.stroke_width(1) } else { own.filled() };
        self.0.draw(&Rectangle::new([from, to], style)).expect(MEMORY);
    }

    /// Marks with their names, in as many lines as they need from this height on.
    pub fn legend(&self, names: &[(String, Mark)], top: i32) {
        for (name, mark, (x, line)) in places(names) {
            let y = top + line * LINE;
            self.mark((x + 4, y), mark);
            self.text(name, (x + 13, y), 12, INK);
        }
    }
}

/// How high a legend is, in pixels.
pub fn legend_height(names: &[(String, Mark)]) -> i32 {
    LINE * places(names).last().map_or(0, |(_, _, (_, line))| line + 1)
}

/// Where each name of a legend begins: x and line.
fn places(names: &[(String, Mark)]) -> Vec<(&str, Mark, (i32, i32))> {
    let (mut x, mut line) = (MARGIN, 0);
    let place = |(name, mark): &'_ (String, Mark)| {
        let width = 13 + width(name, 12) + 18;
        if x > MARGIN && x + width > WIDTH as i32 {
            (x, line) = (MARGIN, line + 1);
        }
        let here = (x, line);
        x += width;
        (*mark, here)
    };
    let found: Vec<_> = names.iter().map(place).collect();
    names.iter().zip(found).map(|((name, _), (mark, at))| (name.as_str(), mark, at)).collect()
}

/// About how wide a text is at that size, in pixels.
pub fn width(text: &str, size: i32) -> i32 {
    text.chars().count() as i32 * size * 62 / 100
}

/// A text of that size in lines that fit on the page.
pub fn wrapped(text: &str, size: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + size < WIDTH as i32 - MARGIN => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The corners of a shape; a circle has none.
fn outline((x, y): (i32, i32), shape: usize) -> Option<Vec<(i32, i32)>> {
    match shape % 4 {
        0 => None,
        1 => Some(vec![(x - 3, y - 3), (x + 3, y - 3), (x + 3, y + 3), (x - 3, y + 3)]),
        2 => Some(vec![(x, y - 5), (x + 5, y + 4), (x - 5, y + 4)]),
        _ => Some(vec![(x, y - 5), (x + 5, y), (x, y + 5), (x - 5, y)]),
    }
}

/// The ends of a log axis over these values, and its ticks: 1, 2, 5 in each decade, or the decades
/// where there are many.
pub fn log_axis(values: impl Iterator<Item = f64>) -> (f64, f64, Vec<f64>) {
    let positive = values.filter(|value| *value > 0.0 && value.is_finite());
    let (low, high) = positive
        .fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    // A twentieth on both sides, and a tenth where all values are alike.
    let room = (high / low).powf(0.05).max(1.1);
    // An infinite end would make an infinite number of ticks.
    let (low, high) = ((low / room).max(f64::MIN_POSITIVE), (high * room).min(f64::MAX));
    let steps: &[i32] = if (high / low).log10() > 3.0 { &[1] } else { &[1, 2, 5] };
    let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let ticks = decades
        .flat_map(|decade| steps.iter().map(move |&step| f64::from(step) * 10_f64.powi(decade)));
    (low, high, ticks.filter(|tick| (low..=high).contains(tick)).collect())
}

/// Ticks of an axis from 0, at most nine.
pub fn ticks_to(most: f64) -> Vec<f64> {
    let decade = 10_f64.powi(most.log10().floor() as i32 - 1);
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0].map(|step| step * decade);
    let step = steps.into_iter().find(|step| most / step <= 8.0).unwrap_or(most);
    (0..=8).map(|count| f64::from(count) * step).filter(|tick| *tick <= most).collect()
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

/// Pixels of a line of a legend.
const LINE: i32 = 19;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_short_and_inside() {
        assert_eq!([0.05, 1.0, 2000.0, 1e6].map(tick), ["0.05", "1", "2k", "1M"]);
        let (low, high, ticks) = log_axis([3.0, 40.0].into_iter());
        assert!(low < 3.0 && high > 40.0);
        assert_eq!(ticks.iter().map(|value| tick(*value)).collect::<Vec<_>>(), ["5", "10", "20"]);
        assert_eq!(ticks_to(4.1), [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(ticks_to(0.09).len(), 5);
    }

    #[test]
    fn a_long_text_has_lines_that_fit() {
        let text = "some words of a title ".repeat(20);
        let lines = wrapped(text.trim_end(), 14);
        assert!(lines.len() > 3 && lines.iter().all(|line| width(line, 14) < WIDTH as i32));
        assert_eq!(lines.join(" "), text.trim_end());
        assert_eq!(wrapped("a title", 14), ["a title"]);
    }

    #[test]
    fn a_legend_breaks_its_lines_within_the_page() {
        let name =
            |place: usize| (format!("a provider with a name, {place}"), Mark::published(place));
        let names: Vec<_> = (0..12).map(name).collect();
        assert!(places(&names).iter().all(|(name, _, (x, _))| x + width(name, 12) < WIDTH as i32));
        assert_eq!(legend_height(&names), 3 * LINE);
        assert_eq!(legend_height(&[]), 0);
    }
}
