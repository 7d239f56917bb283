//! How each provider looks in every chart: the colour and the shape of its table in `runners.toml`
//! or `tools.toml`. `report/colours.json` has the colours; the page reads the same file.
//!
//! A provider looks alike in all charts, so that readers learn its mark once. Its ways, such as a
//! mask or a named implementation, have its colour, another shape and a dashed line. Published
//! figures are hollow and in ink.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::study::{Source, Study, tools};

/// The colour and the shape of a set of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// Place in the list of colours.
    pub hue: usize,
    /// Place in the list of shapes.
    pub shape: usize,
    /// One of several ways of a provider: under a mask, on threads, by a named implementation.
    pub dashed: bool,
    /// Published, not measured.
    pub hollow: bool,
}

/// The list of colours.
#[derive(Deserialize)]
struct Palette {
    hues: Vec<Hue>,
    shapes: Vec<String>,
}

/// A colour, on light paper and on dark.
#[derive(Deserialize)]
pub struct Hue {
    name: String,
    /// `#rrggbb`.
    pub light: String,
    /// `#rrggbb`.
    pub dark: String,
}

impl Mark {
    /// That of a provider or a file tool. One that no table has, as in a record of elsewhere, gets
    /// a colour and a shape by its letters.
    pub fn of_provider(name: &str) -> Self {
        let listed = named().find(|(known, _)| *known == name).and_then(|(_, [hue, shape])| {
            let hue = PALETTE.hues.iter().position(|known| known.name == *hue)?;
            Some((hue, PALETTE.shapes.iter().position(|known| known == shape)?))
        });
        let (hue, shape) = listed.unwrap_or_else(|| by_letters(name));
        Self { hue, shape, dashed: false, hollow: false }
    }

    /// That of a published block, by its place in its table.
    pub fn published(place: usize) -> Self {
        Self { hue: 0, shape: (3 + place) % PALETTE.shapes.len(), dashed: false, hollow: true }
    }
}

/// Every provider and file tool, and its mark.
fn named() -> impl Iterator<Item = (&'static str, &'static [String; 2])> {
    let providers = runner::providers().iter().map(|provider| (&*provider.name, &provider.mark));
    providers.chain(tools().iter().map(|tool| (&*tool.name, &tool.mark)))
}

/// The marks of a study's sources, in the order of `sources`. Ways of one provider have its colour
/// and differ by shape, in the order of their names.
pub fn marks(study: &Study, sources: &[Source]) -> Vec<Mark> {
    let of_tables = study.tables.iter().flat_map(|table| table.sources());
    let of_files = study.files.iter().flat_map(|table| table.providers.clone());
    // The ways of the whole study are counted: a way has one shape in all of its charts.
    let mut ways: Vec<_> = of_tables.chain(of_files).filter(|source| !is_plain(source)).collect();
    ways.sort();
    ways.dedup();
    sources.iter().map(|source| mark(source, &ways)).collect()
}

fn mark(source: &Source, ways: &[Source]) -> Mark {
    let own = Mark::of_provider(&source.provider);
    let mut alike = ways.iter().filter(|way| way.provider == source.provider);
    match alike.position(|way| way == source) {
        Some(place) => {
            Mark { shape: (own.shape + 1 + place) % PALETTE.shapes.len(), dashed: true, ..own }
        }
        None => own,
    }
}

fn is_plain(source: &Source) -> bool {
    source.implementation.is_none() && source.mask.is_none() && source.threads == 1
}

/// FNV-1a of the name: the same colour in every run.
fn by_letters(name: &str) -> (usize, usize) {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let hash = name.bytes().fold(0x811c_9dc5, step) as usize;
    (hash % PALETTE.hues.len(), hash / PALETTE.hues.len() % PALETTE.shapes.len())
}

/// The colours, in the order of [`Mark::hue`].
pub fn hues() -> &'static [Hue] {
    &PALETTE.hues
}

static PALETTE: LazyLock<Palette> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../report/colours.json"))
        .expect("the list of colours is read by a test")
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_provider_has_a_mark_of_its_own() {
        let mut seen = BTreeMap::new();
        for (name, [hue, shape]) in named() {
            assert!(PALETTE.hues.iter().any(|known| known.name == *hue), "{name}: {hue}");
            assert!(PALETTE.shapes.contains(shape), "{name}: {shape}");
            // Providers, engines of data and programs for files stand in different tables.
            let kind = runner::Provider::find(name).map(|provider| provider.columns);
            let other = seen.insert((kind, hue, shape), name);
            // RHash is a library and a program.
            assert!(
                other.is_none_or(|other| other == name),
                "{name} has the mark of {}, {hue} {shape}: choose another, or add a colour",
                other.unwrap_or_default()
            );
        }
    }

    #[test]
    fn ways_of_a_provider_have_its_colour_whatever_stands_beside_them() {
        let study = |providers: &str| {
            let text = format!(
                "title = 't'\nsource = 's'\nquestion = 'q'\n[[table]]\nid = 'a'\ntitle = 'a'\n\
                 algorithms = ['md5']\nsizes = [5]\nproviders = [{providers}]\nunit = 'nanoseconds'"
            );
            Study::parse("x", &text).unwrap()
        };
        let source = |name: &str| Source::from(name.to_owned());
        let (few, more) =
            (study("'php', 'php/function'"), study("'openssl', 'php/function', 'php'"));
        let asked = [source("php"), source("php/function")];
        let found = marks(&few, &asked);
        assert_eq!(found, marks(&more, &asked));
        assert_eq!(found[0].hue, found[1].hue);
        assert_ne!(found[0].shape, found[1].shape);
        assert!(found[1].dashed && !found[0].dashed);
        assert_eq!(Mark::of_provider("nobody"), Mark::of_provider("nobody"));
    }
}
