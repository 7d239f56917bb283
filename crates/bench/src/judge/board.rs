//! The scoreboard: in every cell of a study ours beside the best of the others, and who wins.
//!
//! ```text
//! peer / ours, paired round by round, with its interval
//!
//! Win          value > win   and  low > 1         win = 1.05 and loss = 0.95 in the scoreboard
//! Loss         value < loss  and  high < 1
//! Tie          every other ratio
//! Alone        ours has a figure, and nobody else who started has the algorithm
//! NotMeasured  a figure or the ratio is missing
//! ```
//!
//! Two conditions make a win or a loss. The bound of 5 % is far above the bias that choosing the
//! fastest peer brings. The interval keeps noise out (METHODOLOGY.md, "The scoreboard").
//!
//! Ours is the source `hashdyno`, by its default. Named kernels are shown and never judged.

use gauge::{CoreState, Outcome, Plan, Ratio};
use runner::{Algorithm, OURS, Provider, Size};
use serde::Serialize;

use crate::record::{Entry, Record};
use crate::study::{Core, Load, Rules, Source};

/// What a record says of ours, cell by cell.
#[derive(Clone, Debug, Serialize)]
pub struct Board {
    /// The rules' [`Rules::win`].
    pub win: f64,
    /// The rules' [`Rules::loss`].
    pub loss: f64,
    /// In the study's order.
    pub rows: Vec<Row>,
}

/// A cell: an algorithm on one message of some length, or on many. Its figures are of one message.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// As the study writes it.
    pub algorithm: String,
    /// Message length in bytes, or many messages.
    pub size: Size,
    /// Ours by its default.
    #[serde(rename = "hashdyno")]
    pub ours: Option<Figure>,
    /// The fastest of the others.
    pub peer: Option<Figure>,
    /// The peer's time / our time, paired round by round.
    pub ratio: Option<Ratio>,
    /// Who wins.
    pub standing: Standing,
    /// Core cycles that a message takes at least on this CPU, where that is known.
    pub bound: Option<f64>,
    /// Each of our kernels that was measured by its name, and the best peer's time / its time.
    pub kernels: Vec<(Figure, Option<Ratio>)>,
}

/// What somebody takes for a message.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Who.
    pub source: Source,
    /// By which implementation.
    pub implementation: String,
    /// Nanoseconds.
    pub ns: f64,
    /// Core cycles.
    pub cycles: f64,
    /// Too few of its samples count.
    pub few: bool,
    /// The state of the core in them.
    pub state: CoreState,
}

/// How ours stands in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The ratio is above the rules' `win`, and its whole interval above 1.
    Win,
    /// Neither.
    Tie,
    /// The ratio is below the rules' `loss`, and its whole interval below 1.
    Loss,
    /// Nobody else who is here has the algorithm.
    Alone,
    /// A figure that it needs is missing.
    NotMeasured,
}

impl Standing {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 5] = [Self::Win, Self::Tie, Self::Loss, Self::Alone, Self::NotMeasured];

    /// Whether ours and a peer were compared.
    pub fn is_decided(self) -> bool {
        matches!(self, Self::Win | Self::Tie | Self::Loss)
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Tie => "tie",
            Self::Loss => "loss",
            Self::Alone => "alone",
            Self::NotMeasured => "not measured",
        }
    }
}

impl Standing {
    /// How these rules see a ratio.
    fn by(rules: &Rules, ratio: &Ratio) -> Self {
        match ratio {
            Ratio { value, low, .. } if *value > rules.win && *low > 1.0 => Self::Win,
            Ratio { value, high, .. } if *value < rules.loss && *high < 1.0 => Self::Loss,
            _ => Self::Tie,
        }
    }
}

impl Board {
    /// The board of a record, if its study has one.
    pub fn new(record: &Record) -> Option<Self> {
        let rules = record.head.study.board.as_ref()?;
        // Our runner names the features that the run's mask left it.
        let ours = record.providers.iter().find(|line| line.source() == ours());
        let features = ours.and_then(|line| line.facts.get("cpu")).map_or("", String::as_str);
        let core = Core { machine: &record.head.machine, features };
        // Entries of one cell stand beside each other in a record.
        let cells = record.entries.chunk_by(|a, b| a.algorithm == b.algorithm && a.size == b.size);
        let rows = cells.map(|entries| row(record, rules, &core, entries)).collect();
        Some(Self { win: rules.win, loss: rules.loss, rows })
    }

    /// How many rows stand how, of those that `wanted` takes.
    pub fn count(&self, wanted: impl Fn(&Row) -> bool) -> Counts {
        let rows: Vec<_> = self.rows.iter().filter(|row| wanted(row)).collect();
        let count = |standing| rows.iter().filter(|row| row.standing == standing).count();
        let [win, tie, loss, alone, not_measured] = Standing::ALL.map(count);
        Counts { win, tie, loss, alone, not_measured }
    }

    /// The geometric mean of the ratios of the rows that `wanted` takes, and how many have one.
    /// Ratios multiply: by an arithmetic mean 2 and 1/2 would not cancel.
    pub fn mean(&self, wanted: impl Fn(&Row) -> bool) -> Option<(f64, usize)> {
        let ratios = self
            .rows
            .iter()
            .filter(|row| wanted(row))
            .filter_map(|row| Some(row.ratio?.value.ln()));
        let (sum, count) = ratios.fold((0.0, 0), |(sum, count), ratio| (sum + ratio, count + 1));
        (count > 0).then(|| ((sum / count as f64).exp(), count))
    }

    /// The rows that have a ratio, the smallest first: where ours is furthest behind, or least
    /// ahead.
    pub fn ranked(&self) -> Vec<&Row> {
        let mut rows: Vec<_> =
            self.rows.iter().filter_map(|row| Some((row.ratio?.value, row))).collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// How far two boards agree.
    pub fn agreement<'a>(&'a self, other: &'a Self) -> Agreement<'a> {
        let twin = |row: &Row| {
            other.rows.iter().find(|twin| twin.algorithm == row.algorithm && twin.size == row.size)
        };
        let pairs: Vec<_> = self.rows.iter().filter_map(|row| Some((row, twin(row)?))).collect();
        let decided = pairs
            .iter()
            .filter(|(row, twin)| row.standing.is_decided() && twin.standing.is_decided())
            .count();
        Agreement {
            cells: pairs.len(),
            decided,
            differ: pairs.into_iter().filter(|(row, twin)| row.standing != twin.standing).collect(),
        }
    }
}

/// How many rows stand how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Wins.
    pub win: usize,
    /// Ties.
    pub tie: usize,
    /// Losses.
    pub loss: usize,
    /// Nobody else has the algorithm.
    pub alone: usize,
    /// A figure is missing.
    pub not_measured: usize,
}

impl Counts {
    /// Cells that were decided.
    pub fn decided(&self) -> usize {
        self.win + self.tie + self.loss
    }

    /// All cells.
    pub fn total(&self) -> usize {
        self.decided() + self.alone + self.not_measured
    }
}

/// How far two boards agree on the cells that both have.
pub struct Agreement<'a> {
    /// How many these are.
    pub cells: usize,
    /// Those that both decided: win, tie or loss.
    pub decided: usize,
    /// Those that stand otherwise in the second, the undecided ones among them.
    pub differ: Vec<(&'a Row, &'a Row)>,
}

impl Agreement<'_> {
    /// How many of the decided ones stand alike.
    pub fn alike(&self) -> usize {
        let otherwise = self
            .differ
            .iter()
            .filter(|(row, twin)| row.standing.is_decided() && twin.standing.is_decided());
        self.decided - otherwise.count()
    }
}

impl Row {
    /// Whether it is of one message.
    pub fn is_of_one(&self) -> bool {
        self.size.one().is_some()
    }

    /// Whether it is of one message, and that is no shorter than a block of most digests.
    pub fn is_of_a_long_one(&self) -> bool {
        self.size.one().is_some_and(|len| len >= 64)
    }

    /// Whether what ran is a kernel of ours and not a crate's.
    pub fn is_own_kernel(&self) -> bool {
        self.ours.as_ref().is_some_and(|ours| !ours.implementation.starts_with(CRATE))
    }

    /// Whether PHP has the algorithm, or it was a finalist of the SHA-3 contest.
    pub fn is_of_php_or_sha3(&self) -> bool {
        let Some(Algorithm::Digest(digest)) = Algorithm::find(&self.algorithm) else {
            return false;
        };
        digest.spelling.php.is_some() || FINALISTS.contains(&digest.family)
    }
}

/// The row of a cell's entries.
fn row(record: &Record, rules: &Rules, core: &Core<'_>, entries: &[Entry]) -> Row {
    // Of a runner that never started nobody knows which algorithms it has.
    let known = entries.iter().filter(|entry| !record.never_started(&entry.source));
    let (of_ours, peers): (Vec<_>, Vec<_>) = known.partition(|entry| is_ours(&entry.source));
    let default = of_ours.iter().copied().find(|entry| entry.source == ours());
    let peer = best(&peers, default);
    let beside = |entry: &Entry| peer.and_then(|peer| record.ratio(peer, entry));
    let ratio = default.and_then(beside);
    let standing = match &ratio {
        Some(ratio) => Standing::by(rules, ratio),
        None if peers.is_empty() && default.is_some_and(|entry| entry.estimate().is_some()) => {
            Standing::Alone
        }
        None => Standing::NotMeasured,
    };
    let Entry { algorithm, size, .. } = &entries[0];
    let messages = if size.one().is_some() { Load::One } else { Load::Many };
    // A named kernel is beside the default: its ratio shows if the default is the right choice.
    let named = of_ours.iter().filter(|entry| entry.source.implementation.is_some());
    Row {
        algorithm: algorithm.clone(),
        size: *size,
        ours: default.and_then(figure),
        peer: peer.and_then(figure),
        ratio,
        standing,
        bound: core.least(&rules.bounds, algorithm, messages, size.mean()),
        kernels: named.filter_map(|entry| Some((figure(entry)?, beside(entry)))).collect(),
    }
}

fn ours() -> Source {
    Source::from(OURS.to_owned())
}

/// Ours, or what only calls it.
fn is_ours(source: &Source) -> bool {
    let variant_of = || Provider::find(&source.provider)?.variant_of.as_deref();
    source.provider == OURS || variant_of() == Some(OURS)
}

/// The fastest peer by its estimate, among the peers in the same state of the core as `ours`.
/// Without such a peer, the fastest in any state.
fn best<'a>(peers: &[&'a Entry], ours: Option<&Entry>) -> Option<&'a Entry> {
    let state = |entry: &Entry| entry.estimate().map(|estimate| estimate.state);
    let wanted = ours.and_then(state);
    let timed = peers.iter().filter_map(|entry| Some((entry.estimate()?.ns.value, *entry)));
    let fastest = timed.min_by(|(one, a), (other, b)| {
        // A peer of another state has no ratio to ours, so that it would leave the cell unmeasured.
        let apart = |entry: &Entry| wanted.is_some() && state(entry) != wanted;
        apart(a).cmp(&apart(b)).then(one.total_cmp(other))
    });
    fastest.map(|(_, entry)| entry)
}

fn figure(entry: &Entry) -> Option<Figure> {
    let estimate = entry.estimate()?;
    let (source, implementation) = (entry.source.clone(), entry.implementation.clone());
    Some(Figure {
        source,
        implementation,
        ns: estimate.ns.value,
        cycles: estimate.cycles.value,
        few: estimate.few,
        state: estimate.state,
    })
}

/// Whether nothing is gained by measuring a cell again: ours and the best peer have a ratio, or one
/// of them has no sample at all.
pub fn is_decided(entries: &[Entry], plan: &Plan) -> bool {
    let peers: Vec<_> = entries.iter().filter(|entry| !is_ours(&entry.source)).collect();
    let default = entries.iter().find(|entry| entry.source == ours());
    // A void cell without samples, such as a wrong answer, stays void however often it is run.
    let sampled = default
        .zip(best(&peers, default))
        .filter(|(default, _)| !default.series.samples.is_empty());
    sampled.is_none_or(|(default, peer)| {
        gauge::paired(&peer.series, &default.series, plan.confidence).is_some()
    })
}

/// Takes their samples from the peers that are out of the running, so that a record stays small:
/// those that take more than a tenth longer than the fastest. Their estimates stay.
pub fn thin(entries: &mut [Entry]) {
    for cell in entries.chunk_by_mut(|a, b| a.algorithm == b.algorithm && a.size == b.size) {
        let peers: Vec<_> = cell.iter().filter(|entry| !is_ours(&entry.source)).collect();
        let default = cell.iter().find(|entry| entry.source == ours());
        let Some(fastest) = best(&peers, default)
            .and_then(|entry| entry.estimate())
            .map(|estimate| estimate.ns.value)
        else {
            continue;
        };
        let is_out = |entry: &&mut Entry| match &entry.series.outcome {
            Outcome::Estimate(estimate) => {
                !is_ours(&entry.source) && estimate.ns.value > fastest * IN_THE_RUNNING
            }
            Outcome::Void { .. } => false,
        };
        cell.iter_mut().filter(is_out).for_each(|entry| entry.series.samples.clear());
    }
}

/// A peer that takes this many times as long as the fastest is not it by accident.
const IN_THE_RUNNING: f64 = 1.1;
/// How kernels are called that are a crate's.
const CRATE: &str = "crate";
/// The families of the five finalists; SHA-3 itself is of Keccak's.
const FINALISTS: [&str; 5] = ["blake", "groestl", "jh", "keccak", "skein"];
