//! The meaning of every star in a study, here and now: the sources that its providers offer.
//!
//! ```text
//! *            hashdyno by its default, every other provider by its default, then its other
//!              implementations by name; no engine of columns, no variant of another provider
//! PROVIDER/*   each implementation by name, the default, too
//! ```
//!
//! Each provider is started once to be asked, and ends again. The record has the sources in place
//! of the stars: it says years later which they were. A provider that is not here keeps its place,
//! so that the record says why it is missing.

use runner::{Algorithm, OURS, Options, Provider, Runner, providers};

use super::Stop;
use crate::study::{EVERY, Source, Study, Table};

/// The study with the sources in place of every star, as providers offer them here and now.
pub(super) fn spelled_out(mut study: Study, options: &Options, stop: &Stop) -> Study {
    let stars: Vec<_> = study
        .tables
        .iter()
        .flat_map(|table| &table.providers)
        .filter(|source| source.is_every())
        .collect();
    let asked = |provider: &&Provider| {
        // An engine of columns takes part only where a study names it.
        let named = |star: &str| star == provider.name || star == EVERY && !provider.columns;
        stars.iter().any(|star| named(&star.provider))
    };
    let here: Vec<_> = providers()
        .iter()
        .filter(asked)
        .take_while(|_| !stop.is_asked())
        .map(|provider| (provider, provider.start(options).ok()))
        .collect();
    for table in
        study.tables.iter_mut().filter(|table| table.providers.iter().any(Source::is_every))
    {
        let offered: Vec<_> = here
            .iter()
            .map(|(provider, runner)| Offered::by(provider, runner.as_ref(), table))
            .collect();
        table.providers = expanded(&table.providers, &offered);
        // The stars are gone now. Crew needs to know that defaults may stand under two names.
        table.every = true;
    }
    study
}

/// What a provider offers of a table's algorithms.
struct Offered<'a> {
    provider: &'a str,
    /// Whether it is another way to call what another provider is.
    variant: bool,
    /// Of each algorithm that it has, for one message and for many, its implementations, the
    /// default first.
    implementations: Vec<Vec<String>>,
}

impl<'a> Offered<'a> {
    fn by(provider: &'a Provider, runner: Option<&Runner>, table: &Table) -> Self {
        let of = |algorithm: Algorithm| {
            let one = runner?.offer(algorithm).filter(|_| !table.sizes.is_empty()).cloned();
            let many = runner?.offer_of_many(algorithm).filter(|_| !table.many.is_empty());
            let column = runner?.offer_of_column(algorithm).filter(|_| !table.column.is_empty());
            Some(
                [one, many, column.cloned()]
                    .into_iter()
                    .flatten()
                    .map(move |offer| offer.implementations(algorithm).to_vec()),
            )
        };
        let known = table.algorithms.iter().filter_map(|name| Algorithm::find(name));
        let implementations = known.filter_map(of).flatten().collect();
        Self { provider: &provider.name, variant: provider.variant_of.is_some(), implementations }
    }

    /// What `star` stands for here. A provider that only calls another's code has no part in `*`;
    /// one that is not here has, so that the record says so.
    fn sources(&self, star: &Source) -> Vec<Source> {
        let like = |implementation| Source {
            provider: self.provider.to_owned(),
            implementation,
            ..star.clone()
        };
        let named =
            |skipped| self.implementations.iter().flat_map(move |list| list.iter().skip(skipped));
        let named = |skipped| named(skipped).map(|name| like(Some(name.clone())));
        // `named(1)` leaves out the default, which stands without its name already.
        match (&star.provider, self.provider) {
            (every, _) if every == EVERY && self.variant => Vec::new(),
            (every, OURS) if every == EVERY => vec![like(None)],
            (every, _) if every == EVERY => [like(None)].into_iter().chain(named(1)).collect(),
            (provider, this) if provider == this => named(0).collect(),
            _ => Vec::new(),
        }
    }
}

/// The sources in the place of stars; each once.
fn expanded(written: &[Source], offered: &[Offered<'_>]) -> Vec<Source> {
    let stands_for = |source: &Source| match source.is_every() {
        true => offered.iter().flat_map(|one| one.sources(source)).collect(),
        false => vec![source.clone()],
    };
    let mut sources = Vec::new();
    for source in written.iter().flat_map(stands_for) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered<'a>(provider: &'a str, implementations: &[&[&str]]) -> Offered<'a> {
        let list = |names: &&[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Offered {
            provider,
            variant: provider.contains('+'),
            implementations: implementations.iter().map(list).collect(),
        }
    }

    fn expand(written: &[&str]) -> Vec<String> {
        let written: Vec<_> = written.iter().map(|&text| Source::from(text.to_owned())).collect();
        let here = [
            offered(OURS, &[&["sha-ni", "portable"], &["portable"]]),
            offered("php", &[&["hash", "function"], &["hash"]]),
            offered("php+hashdyno", &[&["hash"]]),
            offered("go", &[]),
        ];
        expanded(&written, &here).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_star_is_every_provider_and_every_way_that_it_offers() {
        assert_eq!(expand(&["*"]), ["hashdyno", "php", "php/function", "go"]);
        assert_eq!(
            expand(&["*@scalar"]),
            ["hashdyno@scalar", "php@scalar", "php/function@scalar", "go@scalar"]
        );
        assert_eq!(expand(&["php", "*"]), ["php", "hashdyno", "php/function", "go"]);
    }

    #[test]
    fn a_star_after_a_provider_is_each_implementation_by_name() {
        assert_eq!(
            expand(&["ours", "ours/*"]),
            ["hashdyno", "hashdyno/sha-ni", "hashdyno/portable"]
        );
        assert_eq!(expand(&["php+hashdyno/*", "go/*"]), ["php+hashdyno/hash"]);
    }
}
