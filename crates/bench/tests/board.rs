//! The scoreboard's rules on records that are written here.

use bench::report::{Format, Grid, Report, agreement, chart};
use bench::study::Source;
use bench::{Board, Counts, Entry, ProviderLine, Record, Row, Shape, Size, Standing, Study};
use gauge::{Estimate, Interval, Outcome, Probe, Ratio, Sample, Series, Verdict};

/// Rounds of every series.
const ROUNDS: u32 = 40;

/// A record of these cells, whose study has a board.
fn record(entries: Vec<Entry>) -> Record {
    let study =
        Study::parse("board", include_str!("board.toml")).unwrap_or_else(|error| panic!("{error}"));
    Record { providers: vec![ours("sse2 sha")], entries, ..Record::empty(study) }
}

fn ours(features: &str) -> ProviderLine {
    let facts = [("cpu".to_owned(), features.to_owned())].into();
    ProviderLine {
        name: "hashdyno".to_owned(),
        mask: None,
        threads: 1,
        version: Some("1".to_owned()),
        facts,
        missing: None,
    }
}

/// A cell that takes `ns` and, every other round, `more` times as long.
fn wavering(source: &str, algorithm: &str, size: impl Into<Size>, ns: f64, more: f64) -> Entry {
    let core = Probe { ghz: 2.0, ipc: 4.0 };
    let sample = |round: u32| {
        let ns = (1e6 * ns * if round.is_multiple_of(2) { 1.0 } else { more }) as u64;
        Sample {
            round,
            iterations: 1_000_000,
            ns,
            wall_ns: ns,
            preemptions: 0,
            before: core,
            after: core,
            verdict: Verdict::Clean,
        }
    };
    let clean = ROUNDS as usize;
    let (cycles, ns) = (Interval::exact(2.0 * ns), Interval::exact(ns));
    let estimate = Estimate {
        state: gauge::CoreState::Quiet,
        ns,
        cycles,
        ghz: 2.0,
        ipc: 4.0,
        clean,
        total: clean,
        narrow: true,
        few: false,
        drift: 1.0,
    };
    let outcome = Outcome::Estimate(estimate);
    let samples = (0..ROUNDS).map(sample).collect();
    let series = Series {
        iterations: 1_000_000,
        clock_step_ns: 1,
        samples,
        first_call_ns: ns.value,
        outcome,
    };
    let source = Source::from(source.to_owned());
    let implementation = source.implementation.clone().unwrap_or_else(|| "usual".to_owned());
    Entry {
        source,
        algorithm: algorithm.to_owned(),
        size: size.into(),
        implementation,
        began_ms: None,
        series,
    }
}

fn cell(source: &str, algorithm: &str, size: impl Into<Size>, ns: f64) -> Entry {
    wavering(source, algorithm, size, ns, 1.0)
}

fn void(source: &str, algorithm: &str, size: usize) -> Entry {
    let mut entry = cell(source, algorithm, size, 1.0);
    entry.void("a wrong answer".to_owned());
    entry
}

/// How ours stands in the one cell that these make.
fn standing(entries: Vec<Entry>) -> Standing {
    let board = Board::new(&record(entries)).expect("the study has a board");
    assert_eq!(board.rows.len(), 1);
    board.rows[0].standing
}

#[test]
fn ratio_and_interval_decide() {
    let against = |ns| standing(vec![cell("hashdyno", "md5", 5, 100.0), cell("php", "md5", 5, ns)]);
    assert_eq!([106.0, 105.0, 104.0, 100.0, 96.0, 95.0, 94.0].map(against), {
        use Standing::{Loss, Tie, Win};
        [Win, Tie, Tie, Tie, Tie, Tie, Loss]
    });
    // The median of the pairs is above 1.05 or below 0.95, and its interval reaches over 1.
    for (ns, more) in [(90.0, 1.4), (60.0, 2.0)] {
        let entries = vec![cell("hashdyno", "md5", 5, 100.0), wavering("php", "md5", 5, ns, more)];
        let board = Board::new(&record(entries)).unwrap();
        let Ratio { value, low, high, .. } = board.rows[0].ratio.expect("there are enough pairs");
        assert!(!(0.95..=1.05).contains(&value) && low < 1.0 && high > 1.0, "{low} {value} {high}");
        assert_eq!(board.rows[0].standing, Standing::Tie);
    }
}

#[test]
fn the_fastest_peer_counts_and_who_lies_does_not() {
    let entries = vec![
        cell("hashdyno", "md5", 5, 100.0),
        cell("php", "md5", 5, 150.0),
        void("openssl", "md5", 5),
        cell("go", "md5", 5, 130.0),
    ];
    let record = record(entries);
    let board = Board::new(&record).unwrap();
    assert_eq!(board.rows[0].peer.as_ref().unwrap().source.to_string(), "go");
    assert_eq!(board.rows[0].ratio.unwrap().value, 1.3);
    assert!(
        Report::new(&record)
            .gaps
            .iter()
            .any(|gap| gap.starts_with("openssl md5 at 5 bytes is void: a wrong answer"))
    );
}

#[test]
fn what_is_missing_decides_nothing() {
    let mine = || cell("hashdyno", "md5", 5, 100.0);
    assert_eq!(standing(vec![mine()]), Standing::Alone);
    assert_eq!(
        standing(vec![mine(), cell("php+hashdyno", "md5", 5, 300.0)]),
        Standing::Alone,
        "that is ours, too"
    );
    assert_eq!(standing(vec![mine(), void("php", "md5", 5)]), Standing::NotMeasured);
    let mut refused = record(vec![mine(), void("x86-32", "md5", 5)]);
    let missing = Some("it sees the real CPU".to_owned());
    refused.providers.push(ProviderLine { name: "x86-32".to_owned(), missing, ..ours("") });
    assert_eq!(Board::new(&refused).unwrap().rows[0].standing, Standing::Alone);
    assert_eq!(standing(vec![void("hashdyno", "md5", 5)]), Standing::NotMeasured);
    assert_eq!(
        standing(vec![void("hashdyno", "md5", 5), cell("php", "md5", 5, 100.0)]),
        Standing::NotMeasured
    );
    assert_eq!(standing(vec![cell("php", "md5", 5, 100.0)]), Standing::NotMeasured);
    let mut short = cell("php", "md5", 5, 200.0);
    short.series.samples.truncate(7);
    assert_eq!(standing(vec![mine(), short]), Standing::NotMeasured, "a ratio wants eight pairs");
}

/// Seven cells: a loss, a tie, a win of PHP's MD5; two wins of BLAKE2b; BLAKE3 by a crate's kernel;
/// nobody else has Snefru-128.
fn seven() -> Vec<Entry> {
    let mut blake3 = cell("hashdyno", "blake3", 64, 100.0);
    blake3.implementation = "crate".to_owned();
    vec![
        cell("hashdyno", "md5", 5, 100.0),
        cell("php", "md5", 5, 50.0),
        cell("hashdyno", "md5", 64, 100.0),
        cell("php", "md5", 64, 100.0),
        cell("hashdyno", "md5", 1000, 100.0),
        cell("php", "md5", 1000, 800.0),
        cell("hashdyno", "blake2b-512", 5, 100.0),
        cell("python", "blake2b-512", 5, 800.0),
        cell("hashdyno", "blake2b-512", 1000, 100.0),
        cell("python", "blake2b-512", 1000, 200.0),
        blake3,
        cell("rust", "blake3", 64, 120.0),
        cell("hashdyno", "snefru128", 64, 100.0),
    ]
}

#[test]
fn counts_and_means_are_of_what_is_asked_for() {
    let board = Board::new(&record(seven())).unwrap();
    assert_eq!(
        board.count(|_| true),
        Counts { win: 4, tie: 1, loss: 1, alone: 1, not_measured: 0 }
    );
    assert_eq!(
        board.count(|row| row.is_of_a_long_one() && row.is_own_kernel()),
        Counts { win: 2, tie: 1, loss: 0, alone: 1, not_measured: 0 }
    );
    assert_eq!(board.count(|row| row.is_of_php_or_sha3()).total(), 3);
    let (mean, cells) = board.mean(|row| row.size == Size::One(1000)).unwrap();
    assert!((mean - 4.0).abs() < 1e-9 && cells == 2, "{mean}");
    assert!(board.mean(|row| row.algorithm == "snefru128").is_none());
}

#[test]
fn the_worst_stand_beside_the_best() {
    let record = record(seven());
    let ratios = |board: &Board| {
        board.ranked().iter().map(|row| row.ratio.unwrap().value).collect::<Vec<_>>()
    };
    assert_eq!(ratios(&Board::new(&record).unwrap()), [0.5, 1.0, 1.2, 2.0, 8.0, 8.0]);
    let report = Report::new(&record);
    let lines = |most| {
        let text = report.top(most, Format::named("markdown")).expect("it has a board");
        text.lines()
            .filter(|line| line.starts_with("| md5 ") || line.starts_with("| blake"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(1).len(), 1);
    assert!(
        lines(1)[0].starts_with("| md5 | 5 bytes | php/usual | 0.5000x |")
            && lines(1)[0].ends_with("| win |"),
        "{:?}",
        lines(1)
    );
    assert_eq!(lines(10).len(), 3, "no row stands on both sides");
    assert!(report.top(1, Format::named("csv")).is_none());
}

#[test]
fn two_boards_agree_where_they_stand_alike() {
    let (before, mut other) = (record(seven()), seven());
    other[1] = cell("php", "md5", 5, 200.0);
    other[5] = cell("php", "md5", 1000, 300.0);
    other[9] = void("python", "blake2b-512", 1000);
    other.pop();
    let after = record(other);
    let (before, after) = (Board::new(&before).unwrap(), Board::new(&after).unwrap());
    let agreed = before.agreement(&after);
    assert_eq!((agreed.cells, agreed.decided, agreed.differ.len()), (6, 5, 2));
    let grid = agreement(&agreed);
    assert_eq!(grid.title, "The boards agree in 4 of 5 decided cells, 80.0 %");
    assert_eq!(
        [0, 2, 5].map(|column| grid.rows[1][column].as_str()),
        ["blake2b-512", "win", "not measured"]
    );
    assert_eq!(
        [0, 1, 2, 5].map(|column| grid.rows[0][column].as_str()),
        ["md5", "5 bytes", "loss", "win"]
    );
}

#[test]
fn a_bound_is_shown_on_a_cpu_that_has_what_it_presumes() {
    let bound = |features: &str| {
        let mut record = record(vec![
            cell("hashdyno", "sha256", 1000, 1500.0),
            cell("hashdyno", "sha256", 5, 100.0),
        ]);
        record.providers = vec![ours(features)];
        Board::new(&record).unwrap().rows.iter().map(|row| row.bound).collect::<Vec<_>>()
    };
    assert_eq!(bound("sse2 sha"), [Some(2000.0), Some(145.0)]);
    assert_eq!(bound("sse2"), [None, None]);
    let record = record(vec![cell("hashdyno", "sha256", 1000, 1500.0)]);
    let grid = Report::new(&record)
        .grids
        .into_iter()
        .find(|grid| grid.header.contains(&"hashdyno / bound".to_owned()))
        .unwrap();
    assert_eq!(grid.rows[0][8..], ["2.000/byte", "1.500"]);
}

#[test]
fn many_messages_are_a_cell_of_their_own() {
    let shape = |text: &str| text.parse::<Shape>().unwrap();
    let mut entries = vec![cell("hashdyno", "sha256", 64, 100.0), cell("php", "sha256", 64, 200.0)];
    for (text, ns) in [("1000x64", 400.0), ("1000x300", 1600.0)] {
        entries.extend([
            cell("hashdyno", "sha256", shape(text), 100.0),
            cell("php", "sha256", shape(text), ns),
        ]);
    }
    let mut record = record(entries);
    let board = Board::new(&record).unwrap();
    assert_eq!(board.rows.iter().map(Row::is_of_one).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(board.rows[1].bound, None, "that of one message is not that of many");
    let mean = |grid: &Grid| grid.rows.iter().map(|row| row[..2].join(" ")).collect::<Vec<_>>();
    let grids = Report::new(&record).grids;
    assert_eq!(
        mean(&grids[1]),
        ["64 bytes 2.000x", "1000x64 bytes 4.000x", "1000x300 bytes 16.00x"]
    );
    assert!(
        grids[0].rows.iter().any(|row| row[..3].join(" ") == "many messages 2 2"),
        "{:?}",
        grids[0].rows
    );
    assert_eq!(grids[2].rows[1][3], "200.0/message");
    let drawn = chart::svg(&record).expect("a board has a chart");
    for words in ["hashdyno against the best of the others", "1 win, 0 tie, 0 loss", "win: 3"] {
        assert!(drawn.contains(words), "{words}");
    }
    record.head.study.board = None;
    let drawn = chart::svg(&record).expect("two lengths make a chart");
    assert!(
        drawn.contains("Throughput of many messages by their size")
            && !drawn.contains("Throughput by message size")
    );
}

#[test]
fn every_kernel_of_ours_has_a_row_of_its_own() {
    let entries = vec![
        cell("hashdyno", "sha256", 64, 100.0),
        cell("hashdyno/portable", "sha256", 64, 400.0),
        cell("php", "sha256", 64, 200.0),
        cell("openssl", "sha256", 64, 150.0),
    ];
    let record = record(entries);
    let board = Board::new(&record).unwrap();
    let (figure, ratio) = &board.rows[0].kernels[0];
    assert_eq!((figure.implementation.as_str(), ratio.unwrap().value), ("portable", 0.375));
    assert_eq!(board.rows[0].standing, Standing::Win, "the default decides");
    assert_eq!(
        Report::new(&record).grids.last().unwrap().title,
        "hashdyno's other kernels, core cycles"
    );
}

#[test]
fn every_format_has_the_board() {
    let record = record(seven());
    let report = Report::new(&record);
    for format in [Format::named("terminal"), Format::named("markdown")] {
        let text = report.render(format);
        assert!(
            ["hashdyno against the best", "Geometric mean", "hashdyno beside the best"]
                .iter()
                .all(|title| text.contains(title)),
            "{text}"
        );
    }
    let json: serde_json::Value =
        serde_json::from_str(&report.render(Format::named("json"))).unwrap();
    assert_eq!(json["board"]["rows"][0]["standing"], "loss");
    assert_eq!(json["board"]["counts"][0]["counts"]["win"], 4);
    let csv = report.render(Format::named("csv"));
    let lines: Vec<_> = csv.lines().collect();
    assert!(
        lines[0].ends_with(
            ",core,standing,best_peer,peer_over_hashdyno,peer_over_hashdyno_low,\
             peer_over_hashdyno_high,peer_over_hashdyno_core,bound_cycles"
        ),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].contains(",loss,php/usual,0.5,") && lines[2].ends_with(",,,,,,"),
        "{} {}",
        lines[1],
        lines[2]
    );
    assert!(
        report.answer.contains(
            &"Of 7 cells hashdyno wins 4, ties in 1 and loses 1; in 1 it is alone, 0 \
                could not be measured."
                .to_owned()
        )
    );
}

#[test]
fn a_board_that_cannot_be_is_refused() {
    let head = record(Vec::new()).head;
    for (win, loss, rounds, says) in
        [(0.9, 0.95, 40, "win = 0.9"), (1.05, 1.2, 40, "loss = 1.2"), (1.05, 0.95, 8, "rounds = 8")]
    {
        let mut study = head.study.clone();
        let board = study.board.as_mut().unwrap();
        (board.win, board.loss, board.rounds) = (win, loss, rounds);
        let error = study.check().unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("expected"), "{error}");
    }
}
