//! How a series is written: its samples as columns of numbers, since a record holds a hundred
//! thousand of them.
//!
//! ```text
//! "round":[0,1,2],"each":[4645088,4645088,5363936],"ns":[4758104,4723652,5521433],
//! "handover_ns":[19520,22965,18429],"preempted":[[1,1]],
//! "mhz":[[4476,4501],[4452,4476],[4428,4476]],"mipc":[[5021,5023],[5016,5021],[5011,4989]],
//! "rejected":[[1,{"rejected":"preempted"}]]
//! ```
//!
//! Columns of one kind of number compress well, and names stand once in a series. Rare facts are
//! pairs of a sample's place and the fact. A summary has the same form, with empty columns.
//!
//! Probes are rounded to thousandths: their noise is larger. Times are whole and stay exact.

use gauge::{Outcome, Probe, Sample, Series, Verdict};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A series with its samples turned on their side.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Columns {
    iterations: u64,
    clock_step_ns: u64,
    first_call_ns: Option<f64>,
    outcome: Outcome,
    round: Vec<u32>,
    /// Iterations of each sample, where they differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    each: Vec<u64>,
    ns: Vec<u64>,
    /// The engine's clock less the subject's.
    handover_ns: Vec<i64>,
    /// Where the engine's thread lost its core: the sample's place and how often.
    preempted: Vec<(usize, u64)>,
    /// Before and after each sample, in MHz.
    mhz: Vec<[u32; 2]>,
    /// Before and after each sample, in thousandths of an instruction per cycle.
    mipc: Vec<[u32; 2]>,
    /// What is not clean: the sample's place and why.
    rejected: Vec<(usize, Verdict)>,
}

/// Writes a series; `serde(with = "columns")`.
pub fn serialize<S: Serializer>(series: &Series, serializer: S) -> Result<S::Ok, S::Error> {
    let samples = &series.samples;
    let thousandths = |of: fn(&Probe) -> f64| {
        let pair = |sample: &Sample| {
            [&sample.before, &sample.after].map(|probe| (of(probe) * 1000.0).round() as u32)
        };
        samples.iter().map(pair).collect()
    };
    Columns {
        iterations: series.iterations,
        clock_step_ns: series.clock_step_ns,
        // JSON has no NaN: the time of a first call that failed is `null`.
        first_call_ns: Some(series.first_call_ns).filter(|ns| ns.is_finite()),
        outcome: series.outcome.clone(),
        round: samples.iter().map(|sample| sample.round).collect(),
        // Only samples of files differ: an iteration of theirs is a byte.
        each: match samples.iter().all(|sample| sample.iterations == series.iterations) {
            true => Vec::new(),
            false => samples.iter().map(|sample| sample.iterations).collect(),
        },
        ns: samples.iter().map(|sample| sample.ns).collect(),
        handover_ns: samples
            .iter()
            .map(|sample| sample.wall_ns as i64 - sample.ns as i64)
            .collect(),
        preempted: places(samples, |sample| Some(sample.preemptions).filter(|&times| times > 0)),
        mhz: thousandths(|probe| probe.ghz),
        mipc: thousandths(|probe| probe.ipc),
        rejected: places(samples, |sample| {
            Some(sample.verdict).filter(|&verdict| verdict != Verdict::Clean)
        }),
    }
    .serialize(serializer)
}

/// Reads a series; columns of different lengths are an error.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Series, D::Error> {
    let columns = Columns::deserialize(deserializer)?;
    let count = columns.round.len();
    let each = if columns.each.is_empty() { count } else { columns.each.len() };
    let lengths =
        [each, columns.ns.len(), columns.handover_ns.len(), columns.mhz.len(), columns.mipc.len()];
    if lengths.iter().any(|&length| length != count) {
        return Err(serde::de::Error::custom(format!(
            "columns of different lengths: {count} rounds, but {lengths:?}"
        )));
    }
    // A time beyond `i64` has no difference that the columns could hold when it is written again.
    let wall_ns = |index: usize| {
        Some(columns.ns[index])
            .filter(is_time)?
            .checked_add_signed(columns.handover_ns[index])
            .filter(is_time)
    };
    if let Some(index) = (0..count).find(|&index| wall_ns(index).is_none()) {
        return Err(serde::de::Error::custom(format!(
            "sample {index} has no time: expected 0 to {} ns",
            i64::MAX
        )));
    }
    let probe = |index: usize, side: usize| Probe {
        ghz: f64::from(columns.mhz[index][side]) / 1000.0,
        ipc: f64::from(columns.mipc[index][side]) / 1000.0,
    };
    let sample = |index: usize| Sample {
        round: columns.round[index],
        iterations: columns.each.get(index).copied().unwrap_or(columns.iterations),
        ns: columns.ns[index],
        wall_ns: wall_ns(index).unwrap_or_default(),
        preemptions: 0,
        before: probe(index, 0),
        after: probe(index, 1),
        verdict: Verdict::Clean,
    };
    let mut samples: Vec<_> = (0..count).map(sample).collect();
    let missing = |index: usize| serde::de::Error::custom(format!("there is no sample {index}"));
    for &(index, verdict) in &columns.rejected {
        samples.get_mut(index).ok_or_else(|| missing(index))?.verdict = verdict;
    }
    for &(index, times) in &columns.preempted {
        samples.get_mut(index).ok_or_else(|| missing(index))?.preemptions = times;
    }
    let first_call_ns = columns.first_call_ns.unwrap_or(f64::NAN);
    let Columns { iterations, clock_step_ns, outcome, .. } = columns;
    Ok(Series { iterations, clock_step_ns, samples, first_call_ns, outcome })
}

/// Whether the difference of two such times is a number of columns.
fn is_time(ns: &u64) -> bool {
    i64::try_from(*ns).is_ok()
}

/// The few samples of which there is something to say, by their place.
fn places<T>(samples: &[Sample], what: impl Fn(&Sample) -> Option<T>) -> Vec<(usize, T)> {
    samples.iter().enumerate().filter_map(|(place, sample)| Some((place, what(sample)?))).collect()
}

#[cfg(test)]
mod tests {
    use gauge::{Engine, Plan, fake};

    use crate::record::Loop;
    use crate::study::Source;

    #[test]
    fn a_series_read_again_is_the_same() {
        let world = fake::World::new();
        let mut engine = Engine::with(Plan::quick(), Box::new(world.clone())).unwrap();
        let mut subject = fake::Fake::new(&world, 350.0);
        let series = engine.measure(&mut [&mut subject]).remove(0);
        let written = serde_json::to_string(&Loop {
            source: Source::from("ours".to_owned()),
            series: series.clone(),
        })
        .unwrap();
        let read: Loop = serde_json::from_str(&written).unwrap();
        assert_eq!(read.series.outcome, series.outcome);
        assert_eq!(read.series.clean_ns(), series.clean_ns());
        assert_eq!(serde_json::to_string(&read).unwrap(), written);
        let torn = written.replacen("\"ns\":[", "\"ns\":[1,", 1);
        assert!(
            serde_json::from_str::<Loop>(&torn)
                .unwrap_err()
                .to_string()
                .contains("columns of different lengths")
        );
    }
}
