//! Every rule of the engine, on a virtual clock: exact, instant, without luck.

use std::time::Duration;

use gauge::fake::{Fake, World};
use gauge::{Engine, Estimate, Outcome, Plan, Reason, Series, Subject, Verdict};

mod disturbed;
mod ends;
mod figures;
mod refused;
mod states;

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
