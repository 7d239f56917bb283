//! Bars: a group for each row, published figures as dots on them.

use super::pen::{INK, MUTED, Pen, RULE, hue, legend_height, tick, ticks_to, width};
use super::{MARGIN, Section, Sheet, WIDTH};
use crate::report::bars::{Bar, Bars, Set};
use crate::report::cells::figure;
use crate::report::colours::Mark;

/// The drawing.
pub struct Drawn<'a>(pub &'a Bars);

impl Section for Drawn<'_> {
    fn height(&self) -> u32 {
        (self.top() + self.0.rows.len() as i32 * self.row() + FOOT) as u32
    }

    fn draw(&self, sheet: &Sheet<'_>) {
        let (pen, bars) = (Pen(sheet), self.0);
        pen.bold(&bars.title, (MARGIN, 14), 14, INK);
        pen.text(&format!("{}. {}", bars.unit, self.note()), (MARGIN, 34), 12, MUTED);
        pen.legend(&self.names(), 56);
        self.axis(&pen);
        for (row, name) in bars.rows.iter().enumerate() {
            let middle = self.top() + row as i32 * self.row() + self.row() / 2;
            pen.text_to(name, (self.left() - 8, middle), 12, INK);
            if let Some(end) = bars.ends.get(row) {
                pen.text(end, (self.right() + 12, middle), 12, INK);
            }
            let measured = bars.sets.iter().filter(|set| set.on.is_none());
            for set in measured {
                set.bars
                    .iter()
                    .filter(|bar| bar.row == row)
                    .for_each(|bar| self.bar(&pen, set, bar));
            }
            for set in bars.sets.iter().filter(|set| set.on.is_some()) {
                set.bars
                    .iter()
                    .filter(|bar| bar.row == row)
                    .for_each(|bar| self.dot(&pen, set, bar));
            }
        }
    }
}

impl Drawn<'_> {
    fn note(&self) -> String {
        let beyond = self.0.sets.iter().any(|set| {
            set.on.is_some() && set.bars.iter().any(|bar| bar.value.value > self.0.most)
        });
        let more = if beyond { " ›: the published figure lies beyond the axis." } else { "" };
        format!("{}{more}", self.0.note)
    }

    fn names(&self) -> Vec<(String, Mark)> {
        let square = |set: &Set| Mark {
            shape: if set.on.is_none() { 1 } else { set.mark.shape },
            ..set.mark
        };
        self.0.sets.iter().map(|set| (set.name.clone(), square(set))).collect()
    }

    /// Where the first row begins.
    fn top(&self) -> i32 {
        52 + legend_height(&self.names())
    }

    /// How many bars a row has room for.
    fn slots(&self) -> i32 {
        self.0.sets.iter().filter(|set| set.on.is_none()).count() as i32
    }

    /// A few bars have their figure at their end.
    fn are_few(&self) -> bool {
        self.slots() <= 3
    }

    /// Pixels of a bar with the room to the next.
    fn pitch(&self) -> i32 {
        if self.are_few() { 13 } else { 7 }
    }

    fn row(&self) -> i32 {
        self.slots() * self.pitch() + 8
    }

    fn left(&self) -> i32 {
        let longest = self.0.rows.iter().map(|name| width(name, 12)).max().unwrap_or(0);
        MARGIN + longest.min(300) + 12
    }

    fn right(&self) -> i32 {
        let ends = self.0.ends.iter().map(|end| width(end, 12)).max().map_or(0, |end| end + 14);
        let figures = if self.are_few() { 44 } else { 0 };
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
        let slot = self.0.sets[..set].iter().filter(|set| set.on.is_none()).count() as i32;
        self.top() + row as i32 * self.row() + 4 + slot * self.pitch() + self.pitch() / 2
    }

    fn place(&self, set: &Set) -> usize {
        self.0.sets.iter().position(|other| std::ptr::eq(other, set)).expect("it is one of them")
    }

    fn bar(&self, pen: &Pen<'_, '_>, set: &Set, bar: &Bar) {
        let (y, half) = (self.y(self.place(set), bar.row), self.pitch() / 2 - 1);
        let (from, to) = (self.x(0.0), self.x(bar.value.value));
        pen.bar((from, y - half), (to, y + half - 1), bar.mark.unwrap_or(set.mark));
        let mut end = self.x(bar.value.high).max(to);
        pen.line((self.x(bar.value.low), y), (end, y), INK);
        if let Some(within) = bar.within {
            let to = self.x(within);
            pen.line(
                (from, y + half + 1),
                (to, y + half + 1),
                hue(bar.mark.unwrap_or(set.mark).hue),
            );
            end = end.max(to);
        }
        if self.are_few() {
            pen.text(&figure(bar.value.value), (end + 5, y), 11, MUTED);
        }
    }

    fn dot(&self, pen: &Pen<'_, '_>, set: &Set, bar: &Bar) {
        let y = self.y(set.on.unwrap_or(0), bar.row);
        if bar.value.value > self.0.most {
            pen.bold("›", (self.right() + 2, y), 14, INK);
        } else {
            pen.mark((self.x(bar.value.value), y), set.mark);
        }
    }
}

/// Pixels.
const FOOT: i32 = 44;
