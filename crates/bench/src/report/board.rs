//! The scoreboard in words and tables.
//!
//! ```text
//! counts   a row for each selection of cells: all, one message, many ...
//! means    a row for each length: the geometric mean of peer / hashdyno
//! rows     every cell: hashdyno, the best peer, their ratio, the verdict, the bound
//! kernels  hashdyno's kernels by name, where the study asks for them
//! ```
//!
//! Figures are core cycles: boards of machines with other frequencies are read side by side.
//! Verdicts are of times, which both have from the same rounds.

use serde_json::{Value, json};

use super::Grid;
use super::cells::{self, figure};
use crate::judge::{Agreement, Board, Counts, Figure, Row, Standing};
use crate::study::Source;

/// Counts, means, every row, and every kernel of ours where they were asked for.
pub fn grids(board: &Board) -> Vec<Grid> {
    let kernels = board.rows.iter().any(|row| !row.kernels.is_empty()).then(|| kernels(board));
    [counts(board), means(board), rows(board)].into_iter().chain(kernels).collect()
}

/// The worst rows beside the best, so many of each, and the counts.
pub fn top(board: &Board, most: usize) -> Vec<Grid> {
    let ranked = board.ranked();
    // No row stands on both sides, unless there is only one.
    let most = most.min(ranked.len() / 2).max(ranked.len().min(1));
    let side = |row: &Row| {
        let peer = row.peer.as_ref().map(named).unwrap_or_default();
        vec![
            row.algorithm.clone(),
            messages(row),
            peer,
            row.ratio.as_ref().map(cells::ratio).unwrap_or_default(),
            row.standing.name().to_owned(),
        ]
    };
    let pairs = ranked.iter().zip(ranked.iter().rev()).take(most);
    let names = ["messages", "best peer", "peer / hashdyno", ""].map(str::to_owned);
    let header = [
        ["worst".to_owned()].to_vec(),
        names.to_vec(),
        ["best".to_owned()].to_vec(),
        names.to_vec(),
    ]
    .concat();
    let rows = pairs.map(|(worst, best)| [side(worst), side(best)].concat()).collect();
    let title = format!("The worst rows beside the best, {most} of {} each", ranked.len());
    vec![counts(board), Grid { title, note: PAIRED.to_owned(), header, rows }]
}

/// In a sentence.
pub fn answer(board: &Board) -> String {
    let Counts { win, tie, loss, alone, not_measured } = board.count(|_| true);
    format!(
        "Of {} cells hashdyno wins {win}, ties in {tie} and loses {loss}; in {alone} it is alone, \
            {not_measured} could not be measured.",
        board.rows.len()
    )
}

/// What two boards agree on, and what not.
pub fn agreement(agreement: &Agreement<'_>) -> Grid {
    let Agreement { cells, decided, differ } = agreement;
    let part = match decided {
        0 => String::new(),
        _ => format!(", {:.1} %", 100.0 * agreement.alike() as f64 / *decided as f64),
    };
    let row = |(before, after): &(&Row, &Row)| {
        let ratio = |row: &Row| row.ratio.as_ref().map(cells::ratio).unwrap_or_default();
        let peer = |row: &Row| row.peer.as_ref().map(named).unwrap_or_default();
        let of = |row: &Row| [row.standing.name().to_owned(), peer(row), ratio(row)];
        [vec![before.algorithm.clone(), messages(before)], of(before).into(), of(after).into()]
            .concat()
    };
    let header = [
        "algorithm",
        "messages",
        "before",
        "best peer",
        "peer / hashdyno",
        "after",
        "best peer",
        "peer / hashdyno",
    ];
    Grid {
        title: format!(
            "The boards agree in {} of {decided} decided cells{part}",
            agreement.alike()
        ),
        note: format!(
            "decided: win, tie or loss in both, of {cells} cells that both have; below: the {} \
                with another verdict",
            differ.len()
        ),
        header: header.map(str::to_owned).into(),
        rows: agreement.differ.iter().map(row).collect(),
    }
}

/// Everything, for machines.
pub fn json(board: &Board) -> Value {
    let counts =
        selections(board).into_iter().map(|(of, counts)| json!({ "of": of, "counts": counts }));
    let means = columns(board).into_iter().filter_map(|column| {
        let (value, rows) = board.mean(|row| messages(row) == column)?;
        Some(json!({ "messages": column, "peer_over_hashdyno": value, "rows": rows }))
    });
    json!({
        "rows": board.rows,
        "counts": counts.collect::<Vec<_>>(),
        "means": means.collect::<Vec<_>>(),
    })
}

/// What a row adds to the line of our default in a table of cells; [`COLUMNS`] names them.
pub fn fields(row: &Row) -> [String; 7] {
    let ratio = |of: fn(&gauge::Ratio) -> f64| {
        row.ratio.as_ref().map(|ratio| of(ratio).to_string()).unwrap_or_default()
    };
    [
        row.standing.name().to_owned(),
        row.peer.as_ref().map(named).unwrap_or_default(),
        ratio(|ratio| ratio.value),
        ratio(|ratio| ratio.low),
        ratio(|ratio| ratio.high),
        row.ratio.as_ref().map(|ratio| cells::core(ratio.state).to_owned()).unwrap_or_default(),
        row.bound.map(|cycles| cycles.to_string()).unwrap_or_default(),
    ]
}

/// The columns of [`fields`].
pub const COLUMNS: [&str; 7] = [
    "standing",
    "best_peer",
    "peer_over_hashdyno",
    "peer_over_hashdyno_low",
    "peer_over_hashdyno_high",
    "peer_over_hashdyno_core",
    "bound_cycles",
];

fn counts(board: &Board) -> Grid {
    let row = |(of, counts): (&str, Counts)| {
        let Counts { win, tie, loss, alone, not_measured } = counts;
        let part = match counts.decided() {
            0 => String::new(),
            decided => format!("{:.1} %", 100.0 * win as f64 / decided as f64),
        };
        let figures =
            [counts.total(), win, tie, loss, alone, not_measured].map(|count| count.to_string());
        [vec![of.to_owned()], figures.into(), vec![part]].concat()
    };
    let standings = Standing::ALL.map(|standing| standing.name().to_owned());
    let header = [
        vec!["cells".to_owned(), "all".to_owned()],
        standings.into(),
        vec!["wins of decided".to_owned()],
    ]
    .concat();
    let rows = selections(board).into_iter().map(row).collect();
    let Board { win, loss, .. } = board;
    let note = format!(
        "win: the best peer takes more than {win} times as long as hashdyno; loss: less than \
            {loss} times; the whole interval is on that side \
         of 1; tie: all others; alone: no other provider on this machine has the algorithm"
    );
    Grid { title: "hashdyno against the best of the others".to_owned(), note, header, rows }
}

/// The selections of rows that are counted, without empty ones.
fn selections(board: &Board) -> Vec<(&'static str, Counts)> {
    let all = [
        ("all", board.count(|_| true)),
        ("one message", board.count(Row::is_of_one)),
        ("one message from 64 bytes up", board.count(Row::is_of_a_long_one)),
        (
            "the same, by hashdyno's own kernels, without those of crates",
            board.count(|row| row.is_of_a_long_one() && row.is_own_kernel()),
        ),
        ("many messages", board.count(|row| !row.is_of_one())),
        ("algorithms of PHP and the SHA-3 finalists", board.count(Row::is_of_php_or_sha3)),
    ];
    all.into_iter().filter(|(_, counts)| counts.total() > 0).collect()
}

fn means(board: &Board) -> Grid {
    let row = |column: String| {
        let (value, rows) = board.mean(|row| messages(row) == column)?;
        Some(vec![column, format!("{}x", figure(value)), rows.to_string()])
    };
    Grid {
        title: "Geometric mean of the best peer's time / hashdyno's time".to_owned(),
        note: String::new(),
        header: ["messages", "mean", "cells"].map(str::to_owned).into(),
        rows: columns(board).into_iter().filter_map(row).collect(),
    }
}

/// What the rows are about, each once, in their order.
fn columns(board: &Board) -> Vec<String> {
    let mut columns = Vec::new();
    for column in board.rows.iter().map(messages) {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    columns
}

fn rows(board: &Board) -> Grid {
    let header = [
        "algorithm",
        "messages",
        "kernel",
        "hashdyno",
        "best peer",
        "peer",
        "peer / hashdyno",
        "standing",
        "bound",
        "hashdyno / bound",
    ];
    let row = |row: &Row| {
        let ours = row.ours.as_ref();
        let peer = row.peer.as_ref();
        let beyond = ours
            .zip(row.bound)
            .map(|(ours, bound)| figure(ours.cycles / bound))
            .unwrap_or_default();
        vec![
            row.algorithm.clone(),
            messages(row),
            ours.map(|ours| ours.implementation.clone()).unwrap_or_default(),
            ours.map(|ours| cycles_of(row, ours)).unwrap_or_default(),
            peer.map(named).unwrap_or_default(),
            peer.map(|peer| cycles_of(row, peer)).unwrap_or_default(),
            row.ratio.as_ref().map(cells::ratio).unwrap_or_default(),
            row.standing.name().to_owned(),
            row.bound.map(|bound| cycles(row, bound)).unwrap_or_default(),
            beyond,
        ]
    };
    Grid {
        title: "hashdyno beside the best of the others, core cycles".to_owned(),
        note: NOTE.to_owned(),
        header: header.map(str::to_owned).into(),
        rows: board.rows.iter().map(row).collect(),
    }
}

fn kernels(board: &Board) -> Grid {
    let of_row = |row: &Row| {
        let line = |(kernel, ratio): &(Figure, Option<gauge::Ratio>)| {
            let ratio = ratio.as_ref().map(cells::ratio).unwrap_or_default();
            vec![
                row.algorithm.clone(),
                messages(row),
                kernel.implementation.clone(),
                cycles_of(row, kernel),
                ratio,
            ]
        };
        row.kernels.iter().map(line).collect::<Vec<_>>()
    };
    Grid {
        title: "hashdyno's other kernels, core cycles".to_owned(),
        note: String::new(),
        header: ["algorithm", "messages", "kernel", "hashdyno", "peer / hashdyno"]
            .map(str::to_owned)
            .into(),
        rows: board.rows.iter().flat_map(of_row).collect(),
    }
}

/// What the row is about, in words.
fn messages(row: &Row) -> String {
    format!("{} bytes", row.size)
}

/// Who, by which implementation.
fn named(figure: &Figure) -> String {
    let implementation = Some(figure.implementation.clone()).filter(|name| !name.is_empty());
    Source { implementation, ..figure.source.clone() }.to_string()
}

fn cycles_of(row: &Row, figure: &Figure) -> String {
    cycles(row, figure.cycles) + cells::marks(figure.state, figure.few)
}

/// Core cycles of a message as the row shows them: a byte's where one long message is hashed.
fn cycles(row: &Row, cycles: f64) -> String {
    match row.is_of_a_long_one() {
        // A short message is mostly its padding: cycles of a byte would be cycles of that.
        true => format!("{}/byte", figure(cycles / row.size.mean())),
        false => format!("{}/message", figure(cycles)),
    }
}

const PAIRED: &str =
    "peer / hashdyno: time of the best peer / time of hashdyno, round by round, with its interval";
const NOTE: &str = "peer / hashdyno: time of the best peer / time of hashdyno, round by round, \
    with its interval; bound: the fewest cycles that \
    latencies and ports of this CPU allow; *: on a core that a neighbour shares; ?: too few \
    samples count, the figure is uncertain";
