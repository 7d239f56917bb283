//! The scoreboard as one chart: a row for each length of message, in it a dot for each algorithm.
//!
//! ```text
//!     64 bytes        o        .     row: the length, win / tie / loss counts
//!                 o  ooo  oo   .     a dot: an algorithm, further right where ours leads by more
//!                     o        .     dots of one place are heaped up and down
//! ```
//!
//! The chart shows all of a board at once. Names stand on the page only, under the pointer.

use gauge::Ratio;
use serde::Serialize;

use super::cells;
use crate::judge::{Board, Row, Standing};

/// The chart.
#[derive(Serialize)]
pub struct Strip {
    /// Above it a row says `win`.
    pub win: f64,
    /// Below it a row says `loss`.
    pub loss: f64,
    /// From the top, in the board's order.
    pub rows: Vec<Line>,
}

/// The rows of the board that are of one length.
#[derive(Serialize)]
pub struct Line {
    /// The length.
    pub name: String,
    /// How many dots are a win, a tie and a loss.
    pub counts: [usize; 3],
    /// From the smallest ratio.
    pub dots: Vec<Dot>,
}

/// A row of the board.
#[derive(Serialize)]
pub struct Dot {
    /// The algorithm.
    pub name: String,
    /// Who the best of the others is.
    pub peer: String,
    /// Time of the best of the others / time of hashdyno.
    pub ratio: Ratio,
    /// Win, tie or loss.
    pub standing: Standing,
    /// How far it is moved up, in dots, so that none lies on another.
    pub up: i32,
}

impl Strip {
    /// `None` where no row of the board has a ratio.
    pub fn new(board: &Board) -> Option<Self> {
        let mut names: Vec<String> = Vec::new();
        for name in board.rows.iter().map(length) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let rows: Vec<_> = names.into_iter().filter_map(|name| line(board, name)).collect();
        (!rows.is_empty()).then_some(Self { win: board.win, loss: board.loss, rows })
    }
}

fn line(board: &Board, name: String) -> Option<Line> {
    let rows = board.rows.iter().filter(|row| length(row) == name);
    let mut dots: Vec<_> = rows.filter_map(dot).collect();
    dots.sort_by(|a, b| a.ratio.value.total_cmp(&b.ratio.value));
    spread(&mut dots);
    let count = |standing| dots.iter().filter(|dot| dot.standing == standing).count();
    let counts = [Standing::Win, Standing::Tie, Standing::Loss].map(count);
    (!dots.is_empty()).then_some(Line { name, counts, dots })
}

fn length(row: &Row) -> String {
    format!("{} bytes", row.size)
}

fn dot(row: &Row) -> Option<Dot> {
    let peer = row.peer.as_ref()?;
    Some(Dot {
        name: row.algorithm.clone(),
        peer: peer.source.to_string(),
        ratio: row.ratio?,
        standing: row.standing,
        up: 0,
    })
}

/// Moves dots of one step of the axis up and down in turn.
fn spread(dots: &mut [Dot]) {
    let step = |dot: &Dot| (STEPS * dot.ratio.value.log10()).round() as i64;
    for alike in dots.chunk_by_mut(|a, b| step(a) == step(b)) {
        for (place, dot) in alike.iter_mut().enumerate() {
            // 0, 1 up, 1 down, 2 up ...: the heap stays about the middle of its row.
            let far = place.div_ceil(2) as i32;
            dot.up = if place % 2 == 1 { far } else { -far };
        }
    }
}

/// What is said of a dot.
pub fn words(dot: &Dot) -> String {
    let standing = dot.standing.name();
    format!("{}: {standing}, {} of {}", dot.name, cells::ratio(&dot.ratio), dot.peer)
}

/// Steps of a decade: dots that are nearer would lie on each other.
const STEPS: f64 = 45.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_of_one_place_are_spread() {
        let dot = |value: f64| Dot {
            name: String::new(),
            peer: String::new(),
            ratio: Ratio { value, low: value, high: value, state: Default::default() },
            standing: Standing::Tie,
            up: 0,
        };
        let mut dots = [1.0, 1.001, 1.002, 2.0].map(dot);
        spread(&mut dots);
        assert_eq!(dots.map(|dot| dot.up), [0, 1, -1, 0]);
    }
}
