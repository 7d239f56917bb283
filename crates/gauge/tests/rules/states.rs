//! A core that a neighbour shares: its samples count for themselves, and are mixed with no others.

use std::collections::HashMap;

use gauge::fake::{Fake, GHZ, IPC, World};
use gauge::{CoreState, Engine, Ratio, Relation, Sample, fit, paired, stats, unpaired};

use super::*;

/// What a neighbour leaves of the instructions per cycle.
const LEFT: f64 = 0.6;

/// A core of which an engine learns at first what it can, and which is `shared` at a time in
/// nanoseconds or not.
fn core(shared: impl Fn(f64) -> bool + 'static) -> World {
    World::new().ipc(move |now| if now > 3e6 && shared(now) { LEFT * IPC } else { IPC })
}

/// In each state of the core: how often a difference is claimed of 100 pairs of subjects, of which
/// the first does `more` times the work.
fn claims(more: f64) -> [usize; 2] {
    CoreState::ALL.map(|state| {
        let is_claimed = |seed: &u64| {
            let world = core(move |_| !state.is_quiet());
            let fake = |cycles, seed| Fake::new(&world, cycles).noise(0.05, seed);
            let series =
                measure(&world, &mut [fake(more * 350.0, *seed), fake(350.0, seed + 1000)]);
            let ratio = paired(&series[0], &series[1], 0.99).unwrap();
            assert_eq!((ratio.state, estimate(&series[0]).state), (state, state));
            ratio.verdict(1.0) != Relation::NotDistinguishable
        };
        (0..100).filter(is_claimed).count()
    })
}

#[test]
fn a_subject_against_itself_is_one_in_each_state() {
    let claims = claims(1.0);
    println!("claimed of 100 on a quiet and on a shared core: {claims:?}");
    assert!(claims.iter().all(|&claims| claims <= 5), "{claims:?}");
}

#[test]
fn three_per_cent_are_found_in_each_state() {
    let claims = claims(1.03);
    println!("found of 100 on a quiet and on a shared core: {claims:?}");
    assert!(claims.iter().all(|&claims| claims >= 90), "{claims:?}");
}

/// The ratio of all samples that count in whatever state, as if there were but one.
fn mixed(a: &Series, b: &Series) -> f64 {
    let counts = |sample: &&Sample| sample.verdict.state().is_some();
    let others: HashMap<_, _> = b.samples.iter().filter(counts).map(|s| (s.round, s)).collect();
    let ratio =
        |one: &Sample| Some(one.ns_per_iteration() / others.get(&one.round)?.ns_per_iteration());
    stats::median(&mut a.samples.iter().filter(counts).filter_map(ratio).collect::<Vec<_>>())
}

/// A neighbour is there seven of ten milliseconds. One subject is bound by throughput and takes 3 %
/// less time than the other on a quiet core; the other is bound by latency and does not notice the
/// neighbour.
#[test]
fn the_mixed_estimate_would_have_been_wrong() {
    let run = |part: f64| {
        let world = core(move |now| (now / 1e7).fract() < part);
        let fakes = &mut [
            Fake::new(&world, 339.5).noise(0.02, 1),
            Fake::new(&world, 350.0).noise(0.02, 2).bound_by_latency(),
        ];
        let series = measure(&world, fakes);
        (paired(&series[0], &series[1], 0.99).unwrap(), mixed(&series[0], &series[1]))
    };
    let (truth, (found, mixed)) = (0.97, run(0.7));
    println!("true 0.97 on a quiet core: found {found:?}; of mixed samples {mixed:.3}");
    assert_eq!((found.state, found.verdict(1.0)), (CoreState::Quiet, Relation::Below));
    assert!((found.value / truth - 1.0).abs() < 0.01, "{found:?}");
    assert!(mixed / truth > 1.6, "the other one would have won by two thirds: {mixed}");
    // Where the neighbour stays, the figure is the true one of a shared core.
    let (found, _) = run(1.0);
    assert_eq!((found.state, found.verdict(1.0)), (CoreState::Shared, Relation::Above));
    assert!((found.value / (truth / LEFT) - 1.0).abs() < 0.01, "{found:?}");
}

/// Whatever the neighbour does: the samples of a figure are of one state, and so are the two of
/// each pair.
#[test]
fn two_states_are_never_mixed() {
    let mut seen = [0; 2];
    for run in 0..60 {
        let (period, part) = (f64::from(run / 5 + 1) * 1e6, 1.0 - 0.05 * f64::from(run % 5));
        let world = core(move |now| (now / period).fract() < part);
        let fakes = &mut [
            Fake::new(&world, 350.0),
            Fake::new(&world, 700.0),
            Fake::new(&world, 350.0).bound_by_latency(),
        ];
        let series = measure(&world, fakes);
        let times = |state: CoreState| if state.is_quiet() { 100.0 } else { 100.0 / LEFT };
        for (series, factor) in series[..2].iter().zip([1.0, 2.0]) {
            let Some(found) = series.estimate() else { continue };
            seen[usize::from(!found.state.is_quiet())] += 1;
            let due = factor * times(found.state);
            assert!(series.clean_ns().iter().all(|ns| (ns / due - 1.0).abs() < 0.02), "{found:?}");
        }
        if let Some(Ratio { low, high, state, .. }) = paired(&series[0], &series[2], 0.99) {
            let due = times(state) / 100.0;
            assert!(low > 0.98 * due && high < 1.02 * due, "{low} to {high} on a {state:?} core");
        }
    }
    assert!(seen.iter().all(|&count| count > 10), "figures of each state: {seen:?}");
}

#[test]
fn a_neighbour_who_stays_gives_the_figures_of_a_shared_core() {
    let world = core(|_| true);
    let series = measure(&world, &mut [Fake::new(&world, 350.0), Fake::new(&world, 700.0)]);
    for (series, ns) in series.iter().zip([100.0, 200.0]) {
        let found = estimate(series);
        assert!((found.ns.value / (ns / LEFT) - 1.0).abs() < 0.01, "{found:?}");
        assert!((found.ipc / (LEFT * IPC) - 1.0).abs() < 0.01, "{found:?}");
        assert_eq!((found.state, found.clean, found.few), (CoreState::Shared, 60, false));
    }
    let json = serde_json::to_string(&series[0]).unwrap();
    assert_eq!(serde_json::from_str::<Series>(&json).unwrap(), series[0]);
}

/// A series of before has no state in its estimate, and is read as one of a quiet core.
#[test]
fn what_was_written_before_is_of_a_quiet_core() {
    let world = World::new();
    let series = measure(&world, &mut [Fake::new(&world, 350.0)]).remove(0);
    let mut json = serde_json::to_value(&series).unwrap();
    let estimate = json["outcome"]["estimate"].as_object_mut().unwrap();
    assert!(!estimate.contains_key("state") && estimate.remove("ipc").is_some());
    let read: Series = serde_json::from_value(json).unwrap();
    assert_eq!(read.clean_ns(), series.clean_ns());
    assert!(paired(&read, &series, 0.99).is_some() && unpaired(&read, &series, 0.99).is_some());
}

/// A neighbour doubles the time of one size. The fit leaves that size out.
#[test]
fn a_cost_is_of_sizes_in_one_state() {
    let of = |bytes: u64, left: f64| {
        let world = World::new().ipc(move |now| if now > 3e6 { left * IPC } else { IPC });
        let mut fake = Fake::new(&world, 420.0 + 2.1 * bytes as f64).noise(0.02, bytes);
        let mut engine = Engine::with(plan(), Box::new(world.clone())).unwrap();
        (bytes, engine.measure(&mut [&mut fake]).remove(0))
    };
    let fitted = |sizes: &[(u64, f64)]| {
        let series: Vec<_> = sizes.iter().map(|&(bytes, left)| of(bytes, left)).collect();
        fit(&series.iter().map(|(bytes, series)| (*bytes, series)).collect::<Vec<_>>(), 0.99)
    };
    let near = |found: f64, cycles: f64| (found / (1.01 * cycles / GHZ) - 1.0).abs() < 0.02;
    let cost = fitted(&[(5, 1.0), (1000, 1.0), (5000, 0.5)]).unwrap();
    assert!(cost.state.is_quiet() && near(cost.call.value, 420.0), "{cost:?}");
    assert!(near(cost.byte.value, 2.1), "{cost:?}");
    // One quiet size is no cost; two that are shared are, of the same neighbour.
    let cost = fitted(&[(5, 0.5), (1000, 1.0), (5000, 0.5), (9000, 0.5)]).unwrap();
    assert!(!cost.state.is_quiet() && near(cost.byte.value, 4.2), "{cost:?}");
    let cost = fitted(&[(5, 0.5), (1000, 0.8), (5000, 0.5), (9000, 0.5)]).unwrap();
    assert!(near(cost.byte.value, 4.2), "{cost:?}");
}

/// Series that were not measured in turn are compared if they are of one state and, of a shared
/// core, beside the same neighbour.
#[test]
fn figures_of_two_states_are_not_compared() {
    let of = |left: f64| {
        let world = World::new().ipc(move |now| if now > 3e6 { left * IPC } else { IPC });
        let mut engine = Engine::with(plan(), Box::new(world.clone())).unwrap();
        engine.measure(&mut [&mut Fake::new(&world, 350.0).noise(0.05, 1)]).remove(0)
    };
    let (quiet, shared, like, other) = (of(1.0), of(0.6), of(0.62), of(0.8));
    let compared = |a: &Series, b: &Series| {
        let apart = unpaired(a, b, 0.99).map(|ratio| ratio.state);
        assert_eq!(apart, gauge::of_estimates(estimate(a), estimate(b)).map(|ratio| ratio.state));
        apart
    };
    assert_eq!(compared(&quiet, &quiet), Some(CoreState::Quiet));
    assert_eq!((compared(&quiet, &shared), compared(&shared, &quiet)), (None, None));
    assert_eq!(
        (compared(&shared, &like), compared(&shared, &other)),
        (Some(CoreState::Shared), None)
    );
}
