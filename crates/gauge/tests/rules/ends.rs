//! When a group ends, and for whom it goes on.

use std::time::Duration;

use gauge::fake::{Fake, IPC, World};
use gauge::{Engine, Plan, Subject, paired};

use super::*;

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
    let looks: Vec<usize> =
        std::iter::successors(Some(20), |at| Some(at + at / 4 + 1)).take(30).collect();
    assert!(noisy[0].samples.len() > 100, "{}", noisy[0].samples.len());
    assert!(looks.contains(&noisy[0].samples.len()), "{} of {looks:?}", noisy[0].samples.len());
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
    assert_eq!(rounds(0.0, long), (20, true), "a neighbour who stays is not waited for");
    assert_eq!(rounds(0.0, short), (10, true));
}

/// In no round do both count: the wait for their pairs has an end.
#[test]
fn a_group_without_pairs_ends_after_three_times_its_rounds() {
    let world = World::new();
    let rounds = |max_samples| {
        let fake = |phase: u32| {
            let mut runs = phase;
            Fake::new(&world, 3.5e6).handover(move || {
                runs += 1;
                if runs.is_multiple_of(3) { 1e4 } else { 1e6 }
            })
        };
        let plan = Plan { budget: Duration::from_secs(9), min_samples: 5, max_samples, ..plan() };
        let series = measure_with(plan, &world, &mut [fake(0), fake(1)]);
        assert!(paired(&series[0], &series[1], 0.99).is_none());
        series[0].samples.len()
    };
    assert_eq!([rounds(10), rounds(25)], [60, 75], "sixty where these are more");
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
    // A budget for each: three runs to calibrate, and five.
    let runs = std::rc::Rc::new(std::cell::Cell::new(0));
    let counted = |cycles| {
        let runs = runs.clone();
        Fake::new(&world, cycles).reports(move |ns| {
            runs.set(runs.get() + 1);
            ns
        })
    };
    assert_eq!(fastest(&mut [counted(3.5e7), counted(3.4e7)]), Some(1));
    assert_eq!(runs.get(), 2 * (3 + 5));
}

#[test]
fn each_wait_in_vain_halves_the_next() {
    let world = World::new().ipc(move |now| if now < 3e6 { IPC } else { IPC / 2.0 });
    let plan = Plan { budget: Duration::from_millis(20), max_samples: 20, ..plan() };
    let mut engine = Engine::with(plan, Box::new(world.clone())).unwrap();
    let mut took = |fake: Fake| {
        let (mut fake, start) = (fake, world.time());
        engine.measure(&mut [&mut fake]);
        (world.time() - start) / 1e6
    };
    // The first group's samples wait for the core, too: it goes on long after its wait.
    let mut runs = 0;
    took(Fake::new(&world, 350.0).handover(move || {
        runs += 1;
        if runs % 3 > 0 { 1e6 } else { 1e4 }
    }));
    let all = [(); 4].map(|()| took(Fake::new(&world, 350.0)));
    // What a group takes beside its wait is the same for all.
    for (pair, less) in all.windows(2).zip([5.0, 2.5, 1.25]) {
        assert!((pair[0] - pair[1] - less).abs() < 0.1, "{all:?} ms");
    }
}

/// A neighbour who stayed long is waited for in vain, and then less. One who comes after a quiet
/// group is waited for as at first.
#[test]
fn the_patience_is_whole_again_after_a_quiet_group() {
    let (first, second) = (3e6..3e9, 4e9..4.015e9);
    let is_there = move |now: f64| first.contains(&now) || second.contains(&now);
    let world = World::new().ipc(move |now| if is_there(now) { IPC / 2.0 } else { IPC });
    let plan = Plan { budget: Duration::from_millis(20), max_samples: 20, ..plan() };
    let mut engine = Engine::with(plan, Box::new(world.clone())).unwrap();
    let mut state = |at: f64| {
        world.wait(at - world.time());
        let series = engine.measure(&mut [&mut Fake::new(&world, 350.0)]);
        estimate(&series[0]).state
    };
    let (quiet, shared) = (gauge::CoreState::Quiet, gauge::CoreState::Shared);
    assert_eq!([1e9, 1.2e9, 1.4e9, 1.6e9, 1.8e9, 2e9].map(&mut state), [shared; 6]);
    assert_eq!([3.5e9, 4.001e9].map(state), [quiet; 2]);
}

/// A loaded machine whose neighbour never leaves: many groups, and the time that they take in all,
/// in budgets of one group.
#[test]
fn the_wait_for_a_quiet_core_is_bounded_however_many_groups_there_are() {
    let budgets = |ipc: f64| {
        let world = World::new().ipc(move |now| if now < 3e6 { IPC } else { ipc });
        let mut engine = Engine::with(plan(), Box::new(world.clone())).unwrap();
        let start = world.time();
        for _ in 0..50 {
            engine.measure(&mut [&mut Fake::new(&world, 350.0), &mut Fake::new(&world, 700.0)]);
        }
        (world.time() - start) / (2.0 * plan().budget.as_nanos() as f64)
    };
    let (quiet, shared) = (budgets(IPC), budgets(0.6 * IPC));
    assert!(shared - quiet < 3.0, "{quiet} budgets on a quiet core, {shared} on a shared one");
}

#[test]
fn what_cannot_win_takes_part_in_few_rounds() {
    let world = World::new();
    let fake = |cycles, seed| Fake::new(&world, cycles).noise(0.05, seed);
    let measured = |fakes: &mut [Fake]| {
        let budget = Duration::from_secs(1);
        measure_with(Plan { few_beyond: Some(4.0), budget, ..plan() }, &world, fakes)
    };
    let counts = |series: &[Series]| -> Vec<_> {
        series.iter().map(|series| series.samples.len()).collect()
    };
    let series =
        measured(&mut [fake(350.0, 1), fake(1330.0, 2), fake(1500.0, 3), fake(35_000.0, 4)]);
    assert_eq!(counts(&series), [60, 60, 12, 12]);
    assert!(paired(&series[2], &series[0], 0.99).is_some_and(|ratio| ratio.low > 4.0));
    // Within four times the fastest's time all take part, the second fastest or not.
    let series = measured(&mut [fake(350.0, 1), fake(700.0, 2), fake(1300.0, 3)]);
    assert_eq!(counts(&series), [60, 60, 60]);
    // The fastest two stay, however far they are apart.
    let series = measured(&mut [fake(350.0, 1), fake(35_000.0, 2), fake(36_000.0, 3)]);
    assert_eq!(counts(&series), [60, 60, 12]);
}

/// The first look takes the shortest of five samples: who is slow in the first alone takes part.
#[test]
fn a_first_look_has_five_samples() {
    let rounds = |slow_until: f64| {
        let world = World::new();
        let fake = || Fake::new(&world, 3.5e6);
        let clock = world.clone();
        let late =
            fake().disturbed(move |ns| if clock.time() < slow_until { 10.0 * ns } else { ns });
        let budget = Duration::from_secs(9);
        let plan = Plan { few_beyond: Some(4.0), budget, ..plan() };
        measure_with(plan, &world, &mut [fake(), fake(), late])[2].samples.len()
    };
    // Three runs of each to calibrate take 36 ms, and a round 12 ms.
    assert_eq!([rounds(47e6), rounds(95e6)], [60, 12]);
}

/// Two of three samples of the slow one wait for the core: it goes on until it has a figure.
#[test]
fn what_cannot_win_has_a_figure_all_the_same() {
    let world = World::new();
    let mut runs = 0;
    let slow = Fake::new(&world, 3500.0).noise(0.05, 1).handover(move || {
        runs += 1;
        if runs % 3 > 0 { 1e6 } else { 1e4 }
    });
    let plan = Plan { few_beyond: Some(4.0), budget: Duration::from_secs(9), ..plan() };
    let fast = || Fake::new(&world, 350.0);
    let series = measure_with(plan, &world, &mut [fast(), slow, fast()]);
    let (samples, found) = (series[1].samples.len(), estimate(&series[1]));
    assert!((13..60).contains(&samples) && found.few, "{samples} {found:?}");
    let rounds: Vec<u32> = series[1].samples.iter().map(|sample| sample.round).collect();
    assert!(rounds.iter().copied().eq(0..samples as u32), "no round without it: {rounds:?}");
    assert_eq!(series[0].samples.len(), 60);
}

#[test]
fn a_limit_ends_a_group_whatever_it_lacks() {
    let changes = |now: f64| if (now / 2e4) as u64 % 2 == 1 && now > 3e6 { IPC / 2.0 } else { IPC };
    let world = World::new().ipc(changes);
    let mut engine = Engine::with(plan(), Box::new(world.clone())).unwrap();
    let mut took = |limit| {
        let start = world.time();
        engine.limit(Some(limit));
        let series = engine.measure(&mut [&mut Fake::new(&world, 3.5e6)]);
        (world.time() - start, series[0].samples.len())
    };
    let (ns, samples) = took(Duration::from_millis(20));
    assert!(ns < 24e6 && samples < 20, "{samples} samples in {ns} ns");
    let (_, samples) = took(Duration::ZERO);
    assert_eq!(samples, 1, "one round in any case");
}
