//! Measures first calls: the time of a job in a process that has done nothing yet, and in one that
//! has just begun.
//!
//! ```text
//! for each source, for each round, for each order:
//!     a fresh process: at each size in that order, each algorithm of the table once
//! ```
//!
//! The call that answers is the call that is timed: a call before it, to verify, would have warmed
//! the process. So no engine and no probes take part.

use std::collections::BTreeMap;

use runner::{Algorithm, Job, RunnerError};

use super::{Crew, Progress};
use crate::record::Cold;
use crate::study::{SizeOrder, Source, Table};

/// The table's cells, `rounds` fresh processes for each source and order. Those of a source that
/// fails are void. Where the run is to stop, these are not all.
pub(crate) fn measure(
    crew: &mut Crew<'_>,
    table: &Table,
    rounds: usize,
    progress: &mut dyn Progress,
) -> Vec<Cold> {
    let mut cells = Vec::new();
    for source in table.sources() {
        if crew.stop().is_asked() {
            break;
        }
        crew.revive(&source);
        let found = match crew.death(&source) {
            Some(reason) => Err(reason),
            None if crew.is_there(&source) => of_source(crew, table, &source, rounds)
                .map_err(|error| format!("{source}: {error}")),
            None => continue,
        };
        match found {
            Ok(found) => cells.extend(found),
            Err(_) if crew.stop().is_asked() => break,
            Err(reason) => {
                progress.warn(&reason);
                cells.extend(void(crew, table, &source, &reason));
            }
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
    // Working out the right answers takes longer than the calls: each job is made once.
    let mut jobs = BTreeMap::new();
    let mut times: BTreeMap<(SizeOrder, usize, usize), Vec<f64>> = BTreeMap::new();
    for _ in (0..rounds).take_while(|_| !crew.stop().is_asked()) {
        for order in ORDERS {
            // A process for each order: the second order would find a warm process.
            let mut team = crew.fresh(source)?;
            for (size, place) in cells(table, order) {
                let wanted = algorithm(table, place);
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
    let cold = |((order, size, place), ns): ((SizeOrder, usize, usize), Vec<f64>)| Cold {
        source: source.clone(),
        algorithm: table.algorithms[place].clone(),
        size,
        order,
        ns,
        void: None,
    };
    Ok(times.into_iter().map(cold).filter(|cold| !cold.ns.is_empty()).collect())
}

/// The cells of a source that failed: what it has, or all where nobody is left to say.
fn void(crew: &mut Crew<'_>, table: &Table, source: &Source, reason: &str) -> Vec<Cold> {
    let mut void = Vec::new();
    for order in ORDERS {
        for (size, place) in cells(table, order) {
            let wanted = algorithm(table, place);
            // A source lacks algorithms as long as it lives; a void cell would call that a failure.
            if crew.is_there(source) && crew.offer(source, wanted, size.into()).is_none() {
                continue;
            }
            void.push(Cold {
                source: source.clone(),
                algorithm: table.algorithms[place].clone(),
                size,
                order,
                ns: Vec::new(),
                void: Some(reason.to_owned()),
            });
        }
    }
    void
}

const ORDERS: [SizeOrder; 2] = [SizeOrder::Ascending, SizeOrder::Descending];

/// What a process does, one after another: each size, and the place of an algorithm in the table.
fn cells(table: &Table, order: SizeOrder) -> impl Iterator<Item = (usize, usize)> {
    let mut sizes = table.sizes.clone();
    sizes.sort_unstable();
    if order == SizeOrder::Descending {
        sizes.reverse();
    }
    let places = 0..table.algorithms.len();
    sizes.into_iter().flat_map(move |size| places.clone().map(move |place| (size, place)))
}

fn algorithm(table: &Table, place: usize) -> Algorithm {
    Algorithm::find(&table.algorithms[place]).expect("a study names only what there is")
}
