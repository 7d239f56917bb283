//! What comes out of samples that count.

use std::rc::Rc;

use gauge::fake::{Fake, GHZ, World};
use gauge::{Estimate, Plan, Relation, Series, fit, paired, unpaired};

use super::*;

#[test]
fn a_steady_subject_is_measured_exactly() {
    let world = World::new();
    let series = &measure(&world, &mut [Fake::new(&world, 700.0).cold(5000.0)])[0];
    let found = estimate(series);
    assert!((found.ns.value - 200.0).abs() < 0.01, "{found:?}");
    assert!(
        (found.cycles.value / 700.0 - 1.0).abs() < 0.01 && (found.ghz / GHZ - 1.0).abs() < 0.01
    );
    assert_eq!((found.clean, found.total, found.few), (60, 60, false));
    assert_eq!((series.first_call_ns, series.samples[0].iterations), (5200.0, series.iterations));
    assert_eq!(found.drift, 1.0);
}

#[test]
fn a_subject_against_itself_is_one() {
    let mut claimed = 0;
    for seed in 0..200 {
        let world = World::new();
        let series = measure(
            &world,
            &mut [
                Fake::new(&world, 350.0).noise(0.05, seed),
                Fake::new(&world, 350.0).noise(0.05, seed + 1000),
            ],
        );
        let pair = paired(&series[0], &series[1], 0.99).unwrap();
        claimed += usize::from(pair.verdict(1.0) != Relation::NotDistinguishable);
    }
    assert!(claimed <= 6, "{claimed} of 200 at 99 %");
}

#[test]
fn three_per_cent_are_found() {
    for seed in 0..50 {
        let world = World::new();
        let series = measure(
            &world,
            &mut [
                Fake::new(&world, 360.5).noise(0.05, seed),
                Fake::new(&world, 350.0).noise(0.05, seed + 1000),
            ],
        );
        for ratio in [
            paired(&series[0], &series[1], 0.99).unwrap(),
            unpaired(&series[0], &series[1], 0.99).unwrap(),
        ] {
            assert_eq!(ratio.verdict(1.0), Relation::Above, "{ratio:?}");
            assert_eq!(ratio.verdict(1.10), Relation::Below);
            assert!((ratio.value - 1.03).abs() < 0.015, "{ratio:?}");
        }
    }
}

#[test]
fn cycles_do_not_follow_a_drifting_frequency() {
    let world = World::new().ghz(|now| 3.5 - 0.7 * (now / 20e6).fract());
    let found = measure(&world, &mut [Fake::new(&world, 350.0)]).remove(0);
    let Estimate { ns, cycles, .. } = estimate(&found);
    assert!((cycles.value / 350.0 - 1.0).abs() < 0.015, "{cycles:?}");
    assert!(ns.half_width() > 10.0 * cycles.half_width() && ns.value > 102.0, "{ns:?} {cycles:?}");
}

#[test]
fn drift_hits_a_pair_alike() {
    let world = World::new().ghz(|now| 3.5 - 0.7 * (now / 20e6).fract());
    let series = measure(&world, &mut [Fake::new(&world, 353.5), Fake::new(&world, 350.0)]);
    let ratio = paired(&series[0], &series[1], 0.99).unwrap();
    assert!(
        (ratio.value - 1.01).abs() < 0.004 && ratio.verdict(1.0) == Relation::Above,
        "{ratio:?}"
    );
}

#[test]
fn a_seed_is_an_order_and_rounds_are_shuffled() {
    let run = |seed| {
        let world = World::new();
        let turns = Rc::new(std::cell::RefCell::new(Vec::new()));
        let mut fakes: Vec<Fake> = (0..4)
            .map(|who| {
                let turns = turns.clone();
                Fake::new(&world, 3.5e6).reports(move |ns| {
                    turns.borrow_mut().push(who);
                    ns
                })
            })
            .collect();
        measure_with(Plan { seed, ..plan() }, &world, &mut fakes);
        turns.take()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn call_and_byte_are_told_apart() {
    let world = World::new();
    let sizes = [5u64, 90, 1000, 5000, 65_536];
    let mut fakes: Vec<Fake> = sizes
        .iter()
        .map(|&size| Fake::new(&world, 420.0 + 2.1 * size as f64).noise(0.02, size))
        .collect();
    let series = measure(&world, &mut fakes);
    let cost = fit(&sizes.into_iter().zip(&series).collect::<Vec<_>>(), 0.99).unwrap();
    // the noise is one-sided, its median 1 %
    let (call, byte) = (420.0 / GHZ * 1.01, 2.1 / GHZ * 1.01);
    assert!(
        (cost.call.value / call - 1.0).abs() < 0.01 && (cost.byte.value / byte - 1.0).abs() < 0.01,
        "{cost:?}"
    );
    for (found, true_one) in [(cost.call, call), (cost.byte, byte)] {
        let half_width = found.half_width();
        assert!(half_width > 1e-6 && half_width < 0.01, "{cost:?}");
        assert!((found.low / true_one - 1.0).abs() < 0.02, "{cost:?}");
    }
    assert!(cost.worst < 0.01, "{cost:?}");
    assert_eq!(fit(&[(5, &series[0]), (5, &series[1])], 0.99), None);
    assert_eq!(fit(&[], 0.99), None);
}

#[test]
fn series_survive_the_record() {
    let world = World::new();
    for series in measure(
        &world,
        &mut [Fake::new(&world, 350.0).noise(0.1, 1), Fake::new(&world, 1.0).cold(3.0)],
    ) {
        let json = serde_json::to_string(&series).unwrap();
        assert_eq!(serde_json::from_str::<Series>(&json).unwrap(), series);
    }
    let dead = measure(&world, &mut [Fake::new(&world, 350.0).fails_after(0)]).remove(0);
    let read: Series = serde_json::from_str(&serde_json::to_string(&dead).unwrap()).unwrap();
    assert!(read.first_call_ns.is_nan() && read.outcome == dead.outcome);
}
