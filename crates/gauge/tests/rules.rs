//! Every rule of the engine, on a virtual clock: exact, instant, without luck.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use gauge::fake::{Fake, GHZ, HANDOVER_NS, IPC, World};
use gauge::{
    Engine, Estimate, Outcome, Plan, Reason, Relation, Series, Subject, Verdict, fit, paired,
    unpaired,
};

/// Always 60 samples: no interval is as narrow as this wants it.
fn plan() -> Plan {
    Plan { min_samples: 20, max_samples: 60, width: -1.0, span: Duration::ZERO, ..Plan::quick() }
}

fn measure_with(plan: Plan, world: &World, fakes: &mut [Fake]) -> Vec<Series> {
    let mut subjects: Vec<&mut dyn Subject> =
        fakes.iter_mut().map(|fake| fake as &mut dyn Subject).collect();
    Engine::with(plan, Box::new(world.clone())).unwrap().measure(&mut subjects)
}

fn measure(world: &World, fakes: &mut [Fake]) -> Vec<Series> {
    measure_with(plan(), world, fakes)
}

fn estimate(series: &Series) -> &Estimate {
    series.estimate().unwrap_or_else(|| panic!("{:?}", series.outcome))
}

fn void_reason(series: &Series) -> &str {
    match &series.outcome {
        Outcome::Void { reason } => reason,
        Outcome::Estimate(estimate) => panic!("{estimate:?}"),
    }
}

fn rejected(series: &Series, reason: Reason) -> usize {
    series.samples.iter().filter(|sample| sample.verdict == Verdict::Rejected(reason)).count()
}

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
fn samples_beside_a_neighbour_are_kept_marked_and_left_out() {
    let neighbour = |now: f64| if (now / 1e6) as u64 % 4 == 3 { IPC / 2.0 } else { IPC };
    let world = World::new().ipc(neighbour);
    let series = &measure(&world, &mut [Fake::new(&world, 350.0)])[0];
    let count = rejected(series, Reason::Neighbour);
    assert!((5..20).contains(&count), "{count}");
    assert!(
        (estimate(series).ns.value - 100.0).abs() < 0.1 && estimate(series).ns.half_width() < 0.001
    );
    assert_eq!(estimate(series).clean + count, series.samples.len());
}

#[test]
fn a_neighbour_who_stays_voids_the_series() {
    let come = Rc::new(Cell::new(false));
    let there = come.clone();
    let world = World::new().ipc(move |_| if there.get() { IPC / 2.0 } else { IPC });
    let mut engine = Engine::with(plan(), Box::new(world.clone())).unwrap();
    come.set(true);
    let series = engine.measure(&mut [&mut Fake::new(&world, 350.0)]);
    assert!(
        void_reason(&series[0]).contains("180 beside a neighbour"),
        "three times as many rounds: {}",
        void_reason(&series[0])
    );
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
fn a_frequency_that_jumps_is_rejected() {
    let world = World::new().ghz(|now| if (now / 3e5) % 2.0 < 1.0 { 3.5 } else { 3.2 });
    let series = &measure(&world, &mut [Fake::new(&world, 350.0)])[0];
    let count = rejected(series, Reason::Frequency);
    assert!((5..20).contains(&count), "{count}");
}

#[test]
fn within_a_long_sample_the_frequency_may_drift_by_a_tenth() {
    let rejected_at = |low: f64, cycles: f64| {
        let world = World::new().ghz(move |now| if (now / 7.3e6) % 2.0 < 1.0 { 3.5 } else { low });
        let plan = Plan { budget: Duration::from_secs(2), ..plan() };
        rejected(
            &measure_with(plan, &world, &mut [Fake::new(&world, cycles)])[0],
            Reason::Frequency,
        )
    };
    let (long, short) = (12e6 * 3.5, 8e6 * 3.5);
    assert_eq!(rejected_at(3.25, long), 0);
    assert!(rejected_at(3.25, short) > 0 && rejected_at(3.0, long) > 0);
}

#[test]
fn a_preempted_sample_is_rejected() {
    let world = World::new();
    let thief = world.clone();
    let late = Rc::new(Cell::new(0.0));
    let (came, mut runs) = (late.clone(), 0);
    let fake = Fake::new(&world, 350.0).handover(move || {
        runs += 1;
        came.set(if runs % 10 == 0 { 3e6 } else { 0.0 });
        if runs % 10 == 0 {
            thief.preempt(0.0);
        }
        HANDOVER_NS + came.get() / 100.0
    });
    let series = &measure(&world, &mut [fake.disturbed(move |ns| ns + late.get())])[0];
    assert!((5..=7).contains(&rejected(series, Reason::Preempted)));
    assert!(estimate(series).ns.half_width() < 0.001);
}

#[test]
fn a_runner_that_starts_the_moment_it_is_told_to_disturbs_nothing() {
    let world = World::new();
    let runner = world.clone();
    let mut runs = 0;
    let eager = Fake::new(&world, 350.0).handover(move || {
        runs += 1;
        if runs % 3 == 0 {
            runner.preempt(0.0);
            return 0.8 * HANDOVER_NS;
        }
        HANDOVER_NS
    });
    let series = &measure(&world, &mut [eager])[0];
    assert!(series.samples.iter().filter(|sample| sample.preemptions > 0).count() >= 19);
    assert_eq!(estimate(series).clean, 60);
}

#[test]
fn waiting_for_the_core_is_seen_in_the_handing_over() {
    let world = World::new();
    let mut runs = 0;
    let fake = Fake::new(&world, 350.0).handover(move || {
        runs += 1;
        if runs % 5 == 0 { 3e6 } else { 12_000.0 }
    });
    let series = &measure(&world, &mut [fake])[0];
    let count = rejected(series, Reason::Waited);
    assert!((10..=14).contains(&count), "{count}: {:?}", series.samples[..6].to_vec());
}

#[test]
fn too_few_clean_samples_are_said_to_be_few() {
    let world = World::new()
        .ipc(|now| if (now / 1e5) as u64 % 10 > 6 || now < 3e6 { IPC } else { IPC / 2.0 });
    let found = measure(&world, &mut [Fake::new(&world, 350.0)]).remove(0);
    let Estimate { few, clean, total, .. } = estimate(&found);
    assert!(*few && 2 * clean < *total, "{clean} of {total}");
}

#[test]
fn a_group_stops_when_every_interval_is_narrow() {
    let world = World::new();
    let plan = Plan { width: 0.01, max_samples: 5000, budget: Duration::from_secs(9), ..plan() };
    let narrow = measure_with(
        plan.clone(),
        &world,
        &mut [Fake::new(&world, 350.0), Fake::new(&world, 700.0)],
    );
    assert!(narrow.iter().all(|series| series.samples.len() == 20 && estimate(series).narrow));
    let span = measure_with(
        Plan { span: Duration::from_millis(12), ..plan.clone() },
        &world,
        &mut [Fake::new(&world, 350.0)],
    );
    assert!(
        (100..300).contains(&span[0].samples.len()),
        "{} in twelve milliseconds",
        span[0].samples.len()
    );
    let noisy = measure_with(
        plan,
        &world,
        &mut [Fake::new(&world, 350.0), Fake::new(&world, 350.0).noise(0.4, 3)],
    );
    assert!(noisy.iter().all(|series| estimate(series).narrow), "both, in the end");
    assert_eq!(noisy[0].samples.len(), noisy[1].samples.len());
    assert!(noisy[0].samples.len() > 100, "{}", noisy[0].samples.len());
}

#[test]
fn a_group_stops_when_its_budget_is_spent() {
    let world = World::new();
    let plan = Plan { budget: Duration::from_millis(30), max_samples: usize::MAX, ..plan() };
    let mut fakes =
        [Fake::new(&world, 350.0).noise(0.1, 1), Fake::new(&world, 350.0).noise(0.1, 2)];
    let mut engine = Engine::with(plan, Box::new(world.clone())).unwrap();
    let start = world.time();
    let [a, b] = &mut fakes;
    let series = engine.measure(&mut [a, b]);
    let took = (world.time() - start) / 1e6;
    assert!((60.0..60.4).contains(&took), "{took} ms for two subjects of 30 ms");
    assert!(series.iter().all(|series| series.samples.len() > 100 && !estimate(series).narrow));
}

#[test]
fn a_slow_subject_gets_the_rounds_that_a_ratio_needs() {
    let world = World::new();
    let plan = Plan { budget: Duration::from_millis(30), ..plan() };
    let series =
        measure_with(plan, &world, &mut [Fake::new(&world, 175e6), Fake::new(&world, 350e6)]);
    assert!(series.iter().all(|series| series.samples.len() == 10 && !estimate(series).narrow));
    assert!((paired(&series[1], &series[0], 0.99).unwrap().value - 2.0).abs() < 0.01);
}

#[test]
fn a_group_goes_on_until_every_two_have_their_pairs() {
    let rounds = |undisturbed: f64, budget: Duration| {
        let world = World::new().ipc(move |now| {
            if now < 3e6 || (now / 4.3e5) % 1.0 < undisturbed { IPC } else { IPC / 2.0 }
        });
        let plan = Plan { budget, max_samples: 20, ..plan() };
        let fake = |seed| Fake::new(&world, 350.0).noise(0.02, seed);
        let series = measure_with(plan, &world, &mut [fake(1), fake(2)]);
        (series[0].samples.len(), paired(&series[0], &series[1], 0.99).is_some())
    };
    let (long, short) = (Duration::from_millis(80), Duration::from_micros(600));
    assert_eq!(rounds(1.0, long), (20, true));
    assert_eq!(rounds(1.0, short), (10, true), "its budget was spent before");
    for budget in [long, short] {
        let (more, has_ratio) = rounds(0.75, budget);
        assert!((11..60).contains(&more) && has_ratio, "{more}");
    }
    assert_eq!(
        rounds(0.0, long),
        (60, false),
        "a neighbour who stays is not waited for without end"
    );
    assert_eq!(rounds(0.0, short), (60, false));
}

#[test]
fn a_group_waits_for_a_neighbour_to_go() {
    let (come, gone) = (3e6, 40e6);
    let world =
        World::new().ipc(move |now| if (come..gone).contains(&now) { IPC / 2.0 } else { IPC });
    let plan = Plan { budget: Duration::from_millis(20), max_samples: 20, ..plan() };
    let mut engine = Engine::with(plan, Box::new(world.clone())).unwrap();
    let series =
        engine.measure(&mut [&mut Fake::new(&world, 350.0), &mut Fake::new(&world, 700.0)]);
    assert!(
        paired(&series[1], &series[0], 0.99).is_some_and(|ratio| (ratio.value - 2.0).abs() < 0.01)
    );
    assert!(series[0].samples.len() < 60, "{}", series[0].samples.len());
}

#[test]
fn even_the_slowest_subject_gets_one_sample() {
    let world = World::new();
    let series = &measure(&world, &mut [Fake::new(&world, 35e9)])[0];
    let found = estimate(series);
    assert_eq!(
        (series.samples.len(), series.iterations, found.few, found.narrow),
        (1, 1, true, false)
    );
    assert!((found.ns.value / 10e9 - 1.0).abs() < 1e-6);
}

#[test]
fn samples_are_a_thousand_steps_of_a_coarse_clock() {
    let world = World::new().step(2000);
    let series = &measure(&world, &mut [Fake::new(&world, 350.0)])[0];
    assert!((19_900..20_100).contains(&series.iterations), "{}", series.iterations);
}

#[test]
fn a_quantised_subject_widens_the_interval_and_a_coarse_one_is_void() {
    let world = World::new();
    let quantised = |step: f64| {
        let mut left = 0.0;
        Fake::new(&world, 350.0).noise(0.05, 9).reports(move |ns| {
            let due = ns + left;
            let told = (due / step).floor() * step;
            left = due - told;
            told
        })
    };
    let series = measure(&world, &mut [quantised(200.0), quantised(1000.0)]);
    assert!(estimate(&series[0]).ns.half_width() > 200.0 / 42_000.0);
    assert!(
        void_reason(&series[1]).contains("steps of the subject's clock"),
        "{}",
        void_reason(&series[1])
    );
}

#[test]
fn clocks_and_units_that_lie_are_refused() {
    let world = World::new();
    let constant = Fake::new(&world, 3500.0).reports(|_| 300.0);
    let frozen = Fake::new(&world, 3500.0).reports(|_| 0.0);
    let microseconds_as_ns = Fake::new(&world, 3500.0).reports(|ns| ns / 1000.0);
    let ns_as_microseconds = Fake::new(&world, 3500.0).reports(|ns| ns * 1000.0);
    for series in measure(&world, &mut [constant, frozen, microseconds_as_ns, ns_as_microseconds]) {
        assert!(void_reason(&series).contains("the subject claims"), "{}", void_reason(&series));
    }
}

#[test]
fn a_subject_that_dies_is_void_and_the_others_go_on() {
    let world = World::new();
    let dies = |after| Fake::new(&world, 350.0).fails_after(after);
    let series = measure(&world, &mut [dies(0), Fake::new(&world, 350.0), dies(80)]);
    assert_eq!(void_reason(&series[0]), "the subject has died");
    assert!(series[0].first_call_ns.is_nan() && series[0].samples.is_empty());
    assert_eq!(estimate(&series[1]).clean, 60);
    assert!(void_reason(&series[2]).contains("died") && !series[2].samples.is_empty());
    assert_eq!(
        (paired(&series[1], &series[2], 0.99), unpaired(&series[0], &series[1], 0.99)),
        (None, None)
    );
}

#[test]
fn the_fastest_of_a_few_is_found_whatever_disturbs_it() {
    let world = World::new();
    let fastest = |fakes: &mut [Fake]| {
        let mut subjects: Vec<&mut dyn Subject> =
            fakes.iter_mut().map(|fake| fake as &mut dyn Subject).collect();
        Engine::with(plan(), Box::new(world.clone())).unwrap().fastest(&mut subjects)
    };
    let noisy = |cycles, seed| Fake::new(&world, cycles).noise(0.05, seed);
    assert_eq!(fastest(&mut [noisy(700.0, 1), noisy(350.0, 2), noisy(500.0, 3)]), Some(1));
    let dies = |after| Fake::new(&world, 100.0).fails_after(after);
    assert_eq!(fastest(&mut [dies(0), noisy(700.0, 1)]), Some(1));
    assert_eq!(fastest(&mut [dies(0), dies(0)]), None);
    // Long calls get one sample each when the budget is spent.
    let before = world.time();
    assert_eq!(fastest(&mut [Fake::new(&world, 3.5e8), Fake::new(&world, 3.4e8)]), Some(1));
    assert!(world.time() - before < 1.2e9, "{} ns", world.time() - before);
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
    assert!(cost.call.half_width() < 0.01 && cost.worst < 0.01, "{cost:?}");
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
