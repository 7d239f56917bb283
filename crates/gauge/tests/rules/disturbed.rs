//! What disturbs a sample, and that it does not count then.

use std::cell::Cell;
use std::rc::Rc;

use gauge::fake::{Fake, HANDOVER_NS, IPC, World};
use gauge::{Estimate, Reason, Verdict};

use super::*;

#[test]
fn samples_beside_a_neighbour_are_kept_marked_and_left_out() {
    let neighbour = |now: f64| if (now / 1e6) as u64 % 4 == 3 { IPC / 2.0 } else { IPC };
    let world = World::new().ipc(neighbour);
    let series = &measure(&world, &mut [Fake::new(&world, 350.0)])[0];
    let shared = series.samples.iter().filter(|sample| sample.verdict == Verdict::Shared).count();
    let changing = rejected(series, Reason::Neighbour);
    assert!((5..20).contains(&shared) && (1..5).contains(&changing), "{shared} {changing}");
    assert!(
        (estimate(series).ns.value - 100.0).abs() < 0.1 && estimate(series).ns.half_width() < 0.001
    );
    assert_eq!(estimate(series).clean + shared + changing, series.samples.len());
}

#[test]
fn a_neighbour_who_comes_and_goes_all_the_time_voids_the_series() {
    let there = Rc::new(Cell::new(false));
    let (comes, goes) = (there.clone(), there.clone());
    let world = World::new().ipc(move |_| if comes.get() { IPC / 2.0 } else { IPC });
    let fake = Fake::new(&world, 350.0).handover(move || {
        goes.set(!goes.get());
        HANDOVER_NS
    });
    let series = measure(&world, &mut [fake]);
    let reason = void_reason(&series[0]);
    assert!(reason.starts_with("too few of 180 samples count"), "three times the rounds: {reason}");
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
    let world = World::new();
    let mut runs = 0;
    let fake = Fake::new(&world, 350.0).handover(move || {
        runs += 1;
        if runs % 3 > 0 { HANDOVER_NS * (f64::from(runs) + 30.0) } else { HANDOVER_NS }
    });
    let found = measure(&world, &mut [fake]).remove(0);
    let Estimate { few, clean, total, .. } = estimate(&found);
    assert!(*few && 2 * clean < *total, "{clean} of {total}");
}
