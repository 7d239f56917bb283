//! Bars: a group for each row, published figures as dots on them.
//!
//! ```text
//! |title, note, legend                                             |
//! |     name | bar ======|--  figure, or words of the bar    | end |
//! MARGIN   left()                                       right()    WIDTH
//! ```
//!
//! The left end leaves room for the longest name of a row, 300 pixels at most. The right end leaves
//! room for the longest words behind a bar. A row is as high as the bars that it has.
//!
//! Up to three sets are named in the legend. More would send the reader to and fro: then each bar
//! has its name.

use super::pen::{INK, MUTED, Pen, RULE, legend_height, tick, ticks_to, width, wrapped};
use super::sheet::{MARGIN, Section, Sheet, WIDTH};
use crate::report::bars::{Bar, Bars, Set};
use crate::report::cells::figure;
use crate::report::colours::Mark;

/// The drawing.
pub struct Drawn<'a>(pub &'a Bars);

impl Section for Drawn<'_> {
    fn height(&self) -> u32 {
        (self.row_top(self.0.rows.len()) + FOOT) as u32
    }

    fn draw(&self, sheet: &Sheet<'_>) {
        let (pen, bars) = (Pen(sheet), self.0);
        for (line, words) in self.title().iter().enumerate() {
            pen.bold(words, (MARGIN, 14 + line as i32 * LINE), 14, INK);
        }
        let mut below = self.head();
        for words in self.note() {
            pen.text(&words, (MARGIN, below - 18), 12, MUTED);
            below += NOTE_LINE;
        }
        pen.legend(&self.names(), below - NOTE_LINE + 4);
        self.axis(&pen);
        for (row, name) in bars.rows.iter().enumerate() {
            let middle = (self.row_top(row) + self.row_top(row + 1)) / 2;
            pen.text_to(name, (self.left() - 8, middle), 12, INK);
            if let Some(end) = bars.ends.get(row) {
                pen.text_to(end, (WIDTH as i32 - MARGIN, middle), 12, INK);
            }
            for set in &bars.sets {
                for bar in set.bars.iter().filter(|bar| bar.row == row) {
                    match set.on {
                        None => self.bar(&pen, set, bar),
                        Some(on) => self.dot(&pen, set, bar, on),
                    }
                }
            }
        }
    }
}

impl Drawn<'_> {
    /// The title in lines that the page is wide enough for.
    fn title(&self) -> Vec<String> {
        wrapped(&self.0.title, 15)
    }

    /// Where the first line of the note ends.
    fn head(&self) -> i32 {
        34 + LINE * self.title().len() as i32
    }

    /// The unit and how the chart is read, in lines.
    fn note(&self) -> Vec<String> {
        let beyond = self.0.sets.iter().any(|set| {
            set.on.is_some() && set.bars.iter().any(|bar| bar.value.value > self.0.most)
        });
        let more = if beyond { " ›: the published figure lies beyond the axis." } else { "" };
        wrapped(&format!("{}. {}{more}", self.0.unit, self.0.note), 12)
    }

    fn names(&self) -> Vec<(String, Mark)> {
        // A bar is a rectangle, so that its sign in the legend is one, too.
        let square = |set: &Set| Mark {
            shape: if set.on.is_none() { 1 } else { set.mark.shape },
            ..set.mark
        };
        let listed = self.0.sets.iter().filter(|set| {
            let mut ends = set.bars.iter().map(|bar| bar.end.is_some());
            let is_nameless = !set.bars.is_empty() && !ends.any(|has_end| has_end);
            set.on.is_some() || self.are_few() && is_nameless
        });
        let mut names: Vec<_> = listed.map(|set| (set.name.clone(), square(set))).collect();
        names.dedup();
        names
    }

    /// Where the first row begins.
    fn top(&self) -> i32 {
        let notes = NOTE_LINE * (self.note().len() as i32 - 1);
        self.head() + notes + legend_height(&self.names())
    }

    /// Few sets are named by a legend, many each at its bar.
    fn are_few(&self) -> bool {
        self.0.sets.iter().filter(|set| set.on.is_none()).count() <= 3
    }

    /// Where a row begins: it has room for the bars that it has.
    fn row_top(&self, row: usize) -> i32 {
        let slots = |row| self.0.slots(row, self.0.sets.len()) as i32;
        let rows = (0..row).map(|row| slots(row).max(1) * PITCH + 8);
        self.top() + rows.sum::<i32>()
    }

    fn left(&self) -> i32 {
        let longest = self.0.rows.iter().map(|name| width(name, 12)).max().unwrap_or(0);
        MARGIN + longest.min(300) + 12
    }

    fn right(&self) -> i32 {
        let ends = self.0.ends.iter().map(|end| width(end, 12)).max().map_or(0, |end| end + 14);
        let bars = self.0.sets.iter().flat_map(|set| &set.bars);
        let ends_of_bars = bars.filter_map(|bar| Some(width(bar.end.as_ref()?, 11))).max();
        let figures = ends_of_bars.unwrap_or(if self.are_few() { 50 } else { 130 });
        WIDTH as i32 - MARGIN - ends - figures
    }

    fn x(&self, value: f64) -> i32 {
        let part = (value / self.0.most).clamp(0.0, 1.0);
        self.left() + (f64::from(self.right() - self.left()) * part).round() as i32
    }

    fn axis(&self, pen: &Pen<'_, '_>) {
        let (top, bottom) = (self.top(), self.height() as i32 - FOOT);
        for at in ticks_to(self.0.most) {
            pen.line((self.x(at), top), (self.x(at), bottom), RULE);
            pen.text_about(&tick(at), (self.x(at), bottom + 11), 12, MUTED);
        }
    }

    /// The middle of a set's bar.
    fn y(&self, set: usize, row: usize) -> i32 {
        self.row_top(row) + 4 + self.0.slots(row, set) as i32 * PITCH + PITCH / 2
    }

    /// The right end of the published dots on a bar that lie where its figure would stand.
    fn dots_end(&self, on: usize, bar: &Bar, end: i32) -> i32 {
        let sets = self.0.sets.iter().filter(|set| set.on == Some(on));
        let dots = sets.flat_map(|set| &set.bars).filter(|dot| dot.row == bar.row);
        let places = dots.filter(|dot| dot.value.value <= self.0.most);
        let places = places.map(|dot| self.x(dot.value.value));
        // Pixels in which the figure would be written.
        places.filter(|x| (end - 6..end + 56).contains(x)).map(|x| x + 6).max().unwrap_or(end)
    }

    fn place(&self, set: &Set) -> usize {
        self.0.sets.iter().position(|other| std::ptr::eq(other, set)).expect("it is one of them")
    }

    fn bar(&self, pen: &Pen<'_, '_>, set: &Set, bar: &Bar) {
        let place = self.place(set);
        let (y, half) = (self.y(place, bar.row), PITCH / 2 - 1);
        let (from, to) = (self.x(0.0), self.x(bar.value.value));
        let mark = bar.mark.unwrap_or(set.mark);
        let corners = ((from, y - half), (to, y + half - 1));
        match bar.parts {
            None => pen.bar(corners.0, corners.1, mark, 1.0),
            Some(parts) => self.parted(pen, corners, parts, mark),
        }
        let end = self.x(bar.value.high).max(to);
        pen.line((self.x(bar.value.low), y), (end, y), INK);
        let name = if self.are_few() { "" } else { &set.name };
        let words = format!("{} {name}", figure(bar.value.value));
        let words = bar.end.as_deref().unwrap_or(words.trim_end());
        pen.text(words, (self.dots_end(place, bar, end) + 5, y), 11, MUTED);
    }

    /// Its outline, and in it what is not waiting.
    fn parted(
        &self,
        pen: &Pen<'_, '_>,
        (from, to): ((i32, i32), (i32, i32)),
        [user, sys]: [f64; 2],
        mark: Mark,
    ) {
        let at = |part: f64| from.0 + (f64::from(to.0 - from.0) * part).round() as i32;
        let (middle, right) = (at(user), at(user + sys));
        // A share of no width would still be drawn as a line.
        if right > middle {
            pen.bar((middle, from.1), (right, to.1), mark, PALE);
        }
        if middle > from.0 {
            pen.bar(from, (middle, to.1), mark, 1.0);
        }
        pen.bar(from, to, Mark { hollow: true, ..mark }, 1.0);
    }

    fn dot(&self, pen: &Pen<'_, '_>, set: &Set, bar: &Bar, on: usize) {
        let y = self.y(on, bar.row);
        if bar.value.value > self.0.most {
            pen.bold("›", (self.right() + 2, y), 14, INK);
        } else {
            pen.mark((self.x(bar.value.value), y), set.mark);
        }
    }
}

/// Pixels of a bar with the room to the next, and below the last.
const PITCH: i32 = 13;
/// How strong the colour of system time is.
const PALE: f64 = 0.4;
const FOOT: i32 = 44;
/// Pixels of a line of the title, and of the note.
const LINE: i32 = 18;
const NOTE_LINE: i32 = 16;
