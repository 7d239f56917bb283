//! Measures first calls: what a job takes in a process that has done nothing yet, and in one that
//! has just begun.

use std::collections::BTreeMap;

use runner::{Algorithm, Job, RunnerError};

use super::{Crew, Progress};
use crate::record::Cold;
use crate::study::{SizeOrder, Source, Table};

/// The table's cells, `rounds` fresh processes for each source and order. A source that fails has
/// none. Where the run is to stop, these are not all.
pub(crate) fn measure(
    crew: &Crew<'_>,
    table: &Table,
    rounds: usize,
    progress: &mut dyn Progress,
) -> Vec<Cold> {
    let mut cells = Vec::new();
    for source in table.sources().iter().filter(|source| crew.is_there(source)) {
        match of_source(crew, table, source, rounds) {
            Ok(found) => cells.extend(found),
            Err(_) if crew.stop().is_asked() => break,
            Err(error) => progress.warn(&format!("{source}: {error}")),
        }
    }
    cells
}

fn of_source(
    crew: &Crew<'_>,
    table: &Table,
    source: &Source,
    rounds: usize,
) -> Result<Vec<Cold>, RunnerError> {
    let mut jobs = BTreeMap::new();
    let mut times: BTreeMap<(SizeOrder, usize, usize), Vec<f64>> = BTreeMap::new();
    for _ in (0..rounds).take_while(|_| !crew.stop().is_asked()) {
        for order in [SizeOrder::Ascending, SizeOrder::Descending] {
            let mut team = crew.fresh(source)?;
            for size in sizes(table, order) {
                for (place, algorithm) in table.algorithms.iter().enumerate() {
                    let wanted =
                        Algorithm::find(algorithm).expect("a study names only what there is");
                    let Some(offer) = team.offer(wanted, size.into()) else { continue };
                    let by = source.implementation.as_ref();
                    // Another implementation's time must not stand under this one's name.
                    if by.is_some_and(|name| !offer.implementations(wanted).contains(name)) {
                        continue;
                    }
                    let job: &Job = jobs.entry((size, place)).or_insert_with(|| {
                        let job = Job::of_algorithm(wanted, &offer, size.into());
                        by.into_iter().fold(job, |job, name| job.by(name))
                    });
                    team.job(job)?;
                    times.entry((order, size, place)).or_default().extend(team.first_call_ns());
                }
            }
        }
    }
    let cold = |((order, size, place), ns): ((SizeOrder, usize, usize), Vec<f64>)| Cold {
        source: source.clone(),
        algorithm: table.algorithms[place].clone(),
        size,
        order,
        ns,
    };
    Ok(times.into_iter().map(cold).filter(|cold| !cold.ns.is_empty()).collect())
}

fn sizes(table: &Table, order: SizeOrder) -> Vec<usize> {
    let mut sizes = table.sizes.clone();
    sizes.sort_unstable();
    if order == SizeOrder::Descending {
        sizes.reverse();
    }
    sizes
}
