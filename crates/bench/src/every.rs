//! What `*` stands for in a study: every digest; every provider that is here, by every implementation that it offers.

use serde::{Deserialize, Deserializer};

use crate::study::{Source, Study, Table};
use crate::{Algorithm, Options, Provider, Runner, providers};

/// In place of a name: all there are.
pub const EVERY: &str = "*";

/// Reads a list of algorithms, or one word; `*` is every digest.
pub(crate) fn algorithms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let names = Words::deserialize(deserializer)?.list();
    Ok(names.into_iter().flat_map(|name| if name == EVERY { digests() } else { vec![name] }).collect())
}

/// Reads a list of sources, or one word. What `*` stands for is known only where the study is run.
pub(crate) fn sources<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Source>, D::Error> {
    Ok(Words::deserialize(deserializer)?.list().into_iter().map(Source::from).collect())
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Several(Vec<String>),
}

impl Words {
    fn list(self) -> Vec<String> {
        match self {
            Self::One(word) => vec![word],
            Self::Several(words) => words,
        }
    }
}

/// The name of every digest, in the registry's order.
fn digests() -> Vec<String> {
    hashdyno::ALL.iter().map(|digest| digest.name.to_owned()).collect()
}

impl Source {
    /// Whether it is a star: `*`, or `ours/*`.
    pub(crate) fn is_every(&self) -> bool {
        self.provider == EVERY || self.implementation.as_deref() == Some(EVERY)
    }
}

impl Study {
    /// The same with each of our kernels as a source of its own wherever `ours` stands.
    #[must_use]
    pub fn with_every_kernel(mut self) -> Self {
        for table in &mut self.tables {
            if table.providers.iter().any(|source| source.provider == OURS || source.provider == EVERY) {
                table.providers.push(Source::from(format!("{OURS}/{EVERY}")));
            }
        }
        self
    }

    /// The study with the sources in place of every star, as providers offer them here and now.
    pub(crate) fn spelled_out(mut self, options: &Options) -> Self {
        let stars: Vec<_> = self.tables.iter().flat_map(|table| &table.providers).filter(|source| source.is_every()).collect();
        let asked = |provider: &&Provider| stars.iter().any(|star| star.provider == EVERY || star.provider == provider.name);
        let here: Vec<_> = providers().iter().filter(asked).map(|provider| (provider, provider.start(options).ok())).collect();
        for table in self.tables.iter_mut().filter(|table| table.providers.iter().any(Source::is_every)) {
            let offered: Vec<_> = here.iter().map(|(provider, runner)| Offered::by(provider, runner.as_ref(), table)).collect();
            table.providers = expanded(&table.providers, &offered);
            table.every = true;
        }
        self
    }
}

/// What a provider offers of a table's algorithms.
struct Offered<'a> {
    provider: &'a str,
    /// Whether it is another way to call what another provider is.
    variant: bool,
    /// Of each algorithm that it has, for one message and for many, its implementations, the default first.
    implementations: Vec<Vec<String>>,
}

impl<'a> Offered<'a> {
    fn by(provider: &'a Provider, runner: Option<&Runner>, table: &Table) -> Self {
        let of = |algorithm: Algorithm| {
            let one = runner?.offer(algorithm).filter(|_| !table.sizes.is_empty()).cloned();
            let many = runner?.offer_of_many(algorithm).filter(|_| !table.many.is_empty());
            Some([one, many].into_iter().flatten().map(move |offer| algorithm.implementations(&offer).to_vec()))
        };
        let known = table.algorithms.iter().filter_map(|name| Algorithm::find(name));
        let implementations = known.filter_map(of).flatten().collect();
        Self { provider: &provider.name, variant: provider.variant_of.is_some(), implementations }
    }

    /// What `star` stands for here. A provider that only calls another's code has no part in `*`; one that is not here has, so that
    /// the record says so.
    fn sources(&self, star: &Source) -> Vec<Source> {
        let like = |implementation| Source { provider: self.provider.to_owned(), implementation, ..star.clone() };
        let named = |skipped| self.implementations.iter().flat_map(move |list| list.iter().skip(skipped));
        let named = |skipped| named(skipped).map(|name| like(Some(name.clone())));
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

/// The provider that is this program.
pub(crate) const OURS: &str = crate::source::OURS;

#[cfg(test)]
mod tests {
    use super::*;

    fn offered<'a>(provider: &'a str, implementations: &[&[&str]]) -> Offered<'a> {
        let list = |names: &&[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Offered { provider, variant: provider.contains('+'), implementations: implementations.iter().map(list).collect() }
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
        assert_eq!(expand(&["*@scalar"]), ["hashdyno@scalar", "php@scalar", "php/function@scalar", "go@scalar"]);
        assert_eq!(expand(&["php", "*"]), ["php", "hashdyno", "php/function", "go"]);
    }

    #[test]
    fn a_star_after_a_provider_is_each_implementation_by_name() {
        assert_eq!(expand(&["ours", "ours/*"]), ["hashdyno", "hashdyno/sha-ni", "hashdyno/portable"]);
        assert_eq!(expand(&["php+hashdyno/*", "go/*"]), ["php+hashdyno/hash"]);
    }

    #[test]
    fn a_star_among_algorithms_is_every_digest() {
        let text = |algorithms: &str| {
            format!(
                "title = 't'\nsource = 's'\nquestion = 'q'\n[[table]]\nid = 'i'\ntitle = 't'\nalgorithms = {algorithms}\nsizes = [16]\nproviders = '*'\nunit = 'nanoseconds'"
            )
        };
        let named = |algorithms| Study::parse("stars", &text(algorithms)).unwrap().tables.remove(0).algorithms;
        assert_eq!(named("'*'").len(), hashdyno::ALL.len());
        assert_eq!(named("['aes-128-ecb encrypt', '*']").len(), 1 + hashdyno::ALL.len());
        assert_eq!(named("'md5'"), ["md5"]);
    }

    #[test]
    fn every_kernel_is_asked_for_where_ours_stands() {
        let study = Study::load("php-hash").unwrap().with_every_kernel();
        for table in &study.tables {
            let has = |text: &str| table.providers.contains(&Source::from(text.to_owned()));
            assert_eq!(has("ours/*"), table.providers.iter().any(|source| source.provider == OURS && !source.is_every()));
        }
    }
}
