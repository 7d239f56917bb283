//! Clocks and subjects that cannot be believed.

use gauge::fake::{Fake, World};
use gauge::{paired, unpaired};

use super::*;

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
