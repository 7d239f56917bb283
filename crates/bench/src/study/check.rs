//! Errors of a study: it does not fit together, or it names something that is not there.
//!
//! The two kinds of errors are found apart:
//!
//! ```text
//! check_shape   keys that contradict each other   a study to run, and each record that is read
//! check_names   names that this program lacks     a study to run only
//! ```
//!
//! A record of another machine or of years ago must stay readable. So its study passes
//! `check_shape` alone: providers and algorithms may have gone since.
//!
//! The first error ends the check. It says the wrong name, and the names that were expected.

use runner::{Algorithm, Provider, check_mask_of, providers};

use super::star::EVERY;
use super::{FileTable, Published, Source, Study, StudyError, Table};

/// What a study names wrongly, and what was expected.
type Wrong = (String, String);

impl Study {
    /// Checks that the study can be run: it fits together, and whatever it names is there.
    ///
    /// # Errors
    /// [`StudyError::Names`]: the first thing that is wrong, and what was expected.
    pub fn check(&self) -> Result<(), StudyError> {
        self.check_shape()?;
        let rules = self.board.iter().try_for_each(|board| board.check_bounds());
        let tables = || self.tables.iter().try_for_each(names_of_table);
        let files = || self.files.iter().try_for_each(FileTable::check_names);
        let claims = || self.claims.iter().try_for_each(|claim| claim.check_names(self));
        let answers = || self.answers.iter().try_for_each(|answer| answer.check_names(self));
        rules
            .and_then(|()| tables())
            .and_then(|()| files())
            .and_then(|()| claims())
            .and_then(|()| answers())
            .map_err(|wrong| self.wrong(wrong))
    }

    /// Checks that the study fits together, which is all that a report needs: the study in a record
    /// may name a provider that is no longer there, and tables of which `--only` left nothing.
    pub(crate) fn check_shape(&self) -> Result<(), StudyError> {
        let tables = self.tables.iter().try_for_each(shape_of_table);
        let files = || self.files.iter().try_for_each(FileTable::check_shape);
        let board = || self.board.iter().try_for_each(|board| board.check());
        let claims = || self.claims.iter().try_for_each(|claim| claim.check(self));
        let answers = || self.answers.iter().try_for_each(|answer| answer.check_shape(self));
        tables
            .and_then(|()| files())
            .and_then(|()| board())
            .and_then(|()| claims())
            .and_then(|()| answers())
            .map_err(|wrong| self.wrong(wrong))
    }

    fn wrong(&self, (what, expected): Wrong) -> StudyError {
        self.names(what, expected)
    }
}

fn shape_of_table(table: &Table) -> Result<(), Wrong> {
    let of = |what: &str| format!("{what} in the table '{}'", table.id);
    if table.providers.is_empty() {
        return Err((of("no provider"), "expected one at least".to_owned()));
    }
    if table.iterations == 0 {
        return Err((of("iterations = 0"), "expected one call at least".to_owned()));
    }
    if let Some(source) = sources(table).find(|source| source.threads == 0) {
        return Err((format!("'{source}'"), "expected one thread at least".to_owned()));
    }
    table.published.iter().try_for_each(shape_of_published)
}

fn shape_of_published(block: &Published) -> Result<(), Wrong> {
    // Readers of rows index the name by 0 and the figures behind it. This check makes that safe.
    match block.rows.iter().find(|row| row.len() != block.sizes.len() + 1) {
        None => Ok(()),
        Some(row) => Err((
            format!("the row {row:?} in the published block '{}'", block.id),
            format!("expected an algorithm and {} figures", block.sizes.len()),
        )),
    }
}

fn names_of_table(table: &Table) -> Result<(), Wrong> {
    table.algorithms.iter().try_for_each(|name| name_of_algorithm(table, name))?;
    // First calls are of one message; interfaces for many would be their own first calls.
    let only_sizes = table.many.is_empty() && table.column.is_empty();
    if table.columns().is_empty() || table.first_calls && !only_sizes {
        let expected = "expected `sizes`, `many` or `column`, and of first calls `sizes` only";
        return Err((
            format!("nothing to measure in the table '{}'", table.id),
            expected.to_owned(),
        ));
    }
    if let Some(payload) = table.payload.iter().find(|payload| !payload.is_here()) {
        let what = format!("the payload '{payload}' in the table '{}'", table.id);
        return Err((what, "expected a file of yours, by --payload FILE".to_owned()));
    }
    if let Some(size) = table.quick.iter().find(|size| !table.sizes.contains(size)) {
        let what = format!("{size} bytes for --quick in the table '{}'", table.id);
        return Err((what, "expected one of its sizes".to_owned()));
    }
    table.told.iter().try_for_each(|told| told.check(&table.sizes))?;
    let told = table.told.iter().map(|told| told.here.clone());
    sources(table)
        .chain(told)
        // Runners name the providers behind `*`, when the study is run.
        .filter(|source| source.provider != EVERY)
        .try_for_each(|source| name_of_source(&source))
}

fn name_of_algorithm(table: &Table, name: &str) -> Result<(), Wrong> {
    let Some(found) = Algorithm::find(name) else {
        let expected = "expected a name or alias that `hashdyno list` shows, or a cipher such as \
            'aes-256-gcm decrypt'";
        return Err((format!("the algorithm '{name}'"), expected.to_owned()));
    };
    match table.columns().into_iter().find(|&size| !found.takes(size)) {
        None => Ok(()),
        Some(size) => Err((format!("{} for '{name}'", size.describe()), found.limits().to_owned())),
    }
}

fn name_of_source(source: &Source) -> Result<(), Wrong> {
    let Some(provider) = Provider::find(&source.provider) else {
        let known: Vec<_> = providers().iter().map(|provider| provider.name.as_str()).collect();
        return Err((
            format!("the provider '{source}'"),
            format!("expected one of {}", known.join(", ")),
        ));
    };
    let mask = source.mask.iter().try_for_each(|mask| check_mask_of(provider, mask));
    mask.map_err(|error| (format!("'{source}'"), error))
}

/// Whatever the table measures, and whatever stands in the place of its document's providers.
fn sources(table: &Table) -> impl Iterator<Item = Source> {
    let here = table.published.iter().map(|block| block.here.clone());
    table.sources().into_iter().chain(here)
}
