//! The answers to a study's question: its templates, filled from measured cells. A cell of several
//! candidates is a `Field`. A missing figure outside of brackets makes the answer *not measured*.

use std::collections::BTreeMap;

use gauge::Ratio;
use runner::Algorithm;
use serde::Serialize;

use super::{Evidence, Here, Verdict, of_ceiling};
use crate::record::{Entry, Record};
use crate::study::{
    self, Claim, Part, Pick, Size, Source, Study, Template, Term, Test, What, Which,
};
use crate::text::{length, list, percent, rate, short, time};

/// A sentence, and the cells and ratios behind it.
#[derive(Clone, Debug, Serialize)]
pub struct Answered {
    /// The part of the question.
    pub about: String,
    /// The sentence.
    pub says: String,
    /// Which of the template's texts it is; one without a test holds where all is measured.
    pub verdict: Verdict,
    /// The cells that it names.
    pub cells: Vec<Cited>,
    /// The ratios that it names or was decided by.
    pub ratios: Vec<Quotient>,
}

/// A cell that a sentence rests on.
#[derive(Clone, Debug, Serialize)]
pub struct Cited {
    /// Its name in the template.
    pub cell: String,
    /// The source, algorithm and size, and of files the cache and clock.
    #[serde(flatten)]
    pub term: Term,
    /// Nanoseconds of a message or of the files.
    pub ns: f64,
    /// The other candidates that cannot be told apart from it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ties: Vec<Term>,
}

/// Time of one cell over time of another.
#[derive(Clone, Debug, Serialize)]
pub struct Quotient {
    /// The cell above.
    pub left: String,
    /// The cell below.
    pub right: String,
    /// With its interval.
    #[serde(flatten)]
    pub ratio: Ratio,
}

/// The answers to the question of the record's study. A record of before the study had answers is
/// read with those that it has today.
pub fn answers(record: &Record) -> Vec<Answered> {
    let study = &record.head.study;
    let today = if study.answers.is_empty() { of_today(study) } else { None };
    let templates = today.as_ref().map_or(&study.answers, |today| &today.answers);
    templates.iter().map(|template| answered(record, template)).collect()
}

/// The study as it comes with this program, if it asks the same.
fn of_today(study: &Study) -> Option<Study> {
    let today = Study::load(&study.name).ok().filter(|_| !study.is_asked())?;
    let same = today.title == study.title
        && today.answers.iter().all(|answer| {
            answer.files.as_ref().is_none_or(|id| study.files.iter().any(|of| of.id == *id))
        });
    same.then_some(today)
}

fn answered(record: &Record, template: &Template) -> Answered {
    let files = template.files.as_ref();
    let table = files.and_then(|id| record.head.study.files.iter().find(|of| of.id == *id));
    let here = table.map(|table| Here { record, table });
    let evidence = Measured { record, here };
    Filling::of(&evidence, template).answered()
}

/// Evidence with a ratio also where no samples are left.
struct Measured<'a> {
    record: &'a Record,
    here: Option<Here<'a>>,
}

impl Measured<'_> {
    fn of(&self) -> &dyn Evidence {
        self.here.as_ref().map_or(self.record, |here| here as &dyn Evidence)
    }

    /// Bytes of a message or of the files.
    fn bytes(&self, term: &Term) -> Option<f64> {
        match &self.here {
            None => Some(term.size.mean()),
            Some(here) => here.length(term).map(|bytes| bytes as f64),
        }
    }

    fn entry(&self, term: &Term) -> Option<&Entry> {
        self.record.entry(&term.provider, &term.algorithm, term.size)
    }

    /// By the estimates alone: a summary has no samples, and keeps only what its report showed.
    fn of_estimates(&self, left: &Term, right: &Term) -> Option<Ratio> {
        if self.here.is_some() || left.first.is_some() || right.first.is_some() {
            return None;
        }
        let estimate = |term: &Term| self.entry(term)?.estimate();
        gauge::of_estimates(estimate(left)?, estimate(right)?)
    }
}

impl Evidence for Measured<'_> {
    fn name(&self) -> String {
        self.of().name()
    }

    fn algorithms(&self, term: &Term) -> Vec<String> {
        self.of().algorithms(term)
    }

    fn ns(&self, term: &Term) -> Option<f64> {
        self.of().ns(term)
    }

    fn ratio(&self, left: &Term, right: &Term) -> Option<Ratio> {
        self.of().ratio(left, right).or_else(|| self.of_estimates(left, right))
    }
}

/// The candidates of a cell that have a figure, the fastest first, and which one it is.
struct Field {
    timed: Vec<(f64, Term)>,
    which: Which,
    /// How many from its end cannot be told apart.
    tied: usize,
}

impl Field {
    /// `None` where there is nothing to choose from.
    fn of(evidence: &Measured<'_>, pick: &Pick) -> Option<Self> {
        let sources = pick.sources();
        let terms = sources.iter().flat_map(|source| candidates(evidence, pick, source));
        let mut timed: Vec<_> =
            terms.filter_map(|term| Some((evidence.ns(&term)?, term))).collect();
        timed.sort_by(|a, b| a.0.total_cmp(&b.0));
        if timed.len() < if pick.is_choice() { 2 } else { 1 } {
            return None;
        }
        let mut field = Self { timed, which: pick.which, tied: 1 };
        field.tied = field.ties(evidence);
        Some(field)
    }

    fn ties(&self, evidence: &Measured<'_>) -> usize {
        let chosen = self.chosen();
        let tie = |term: &&Term| match self.which {
            Which::Fastest => evidence.ratio(term, chosen).is_none_or(|ratio| ratio.low <= 1.0),
            Which::Slowest => evidence.ratio(chosen, term).is_none_or(|ratio| ratio.low <= 1.0),
        };
        1 + self.in_order().skip(1).take_while(tie).count()
    }

    /// From the one that it is to the one that is farthest from it.
    fn in_order(&self) -> Box<dyn Iterator<Item = &Term> + '_> {
        let terms = self.timed.iter().map(|(_, term)| term);
        match self.which {
            Which::Fastest => Box::new(terms),
            Which::Slowest => Box::new(terms.rev()),
        }
    }

    fn chosen(&self) -> &Term {
        self.in_order().next().expect("there is one candidate at least")
    }

    /// What it is called, and what cannot be told apart from it.
    fn name(&self, of: impl Fn(&Term) -> String) -> String {
        let mut names: Vec<String> = Vec::new();
        for name in self.in_order().take(self.tied).map(of) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let Some((name, others)) = names.split_first().filter(|(_, others)| !others.is_empty())
        else {
            return names.concat();
        };
        let mut shown: Vec<_> = others.iter().take(MOST_NAMES).cloned().collect();
        match others.len() - shown.len() {
            0 => {}
            1 => shown.push(others[MOST_NAMES].clone()),
            more => shown.push(format!("{more} others")),
        }
        format!("{name} (not distinguishable: {})", list(&shown))
    }
}

/// More names that cannot be told apart are counted.
const MOST_NAMES: usize = 2;

fn candidates(evidence: &Measured<'_>, pick: &Pick, source: &Source) -> Vec<Term> {
    let any = pick.term(source, "*");
    let names = pick.algorithms().unwrap_or_else(|| evidence.algorithms(&any));
    let fits = |name: &String| pick.security.as_ref().is_none_or(|word| is_of(name, word));
    names.iter().filter(|name| fits(name)).map(|name| pick.term(source, name)).collect()
}

fn is_of(algorithm: &str, security: &str) -> bool {
    let wanted = study::security(security);
    match Algorithm::find(algorithm) {
        Some(Algorithm::Digest(digest)) => Some(digest.security) == wanted,
        _ => false,
    }
}

/// A template with the candidates of its cells.
struct Filling<'a> {
    evidence: &'a Measured<'a>,
    template: &'a Template,
    fields: BTreeMap<&'a str, Field>,
}

impl<'a> Filling<'a> {
    fn of(evidence: &'a Measured<'a>, template: &'a Template) -> Self {
        let field =
            |(name, pick): (&'a String, &Pick)| Some((name.as_str(), Field::of(evidence, pick)?));
        let fields = template.cells.iter().filter_map(field).collect();
        Self { evidence, template, fields }
    }

    fn answered(&self) -> Answered {
        let verdict = self.verdict();
        let text = match verdict {
            Verdict::Holds => Some(&self.template.holds),
            Verdict::Fails => self.template.fails.as_ref(),
            Verdict::NotDistinguishable => self.template.tie.as_ref(),
            Verdict::NotMeasured => None,
        };
        let filled = text.and_then(|text| Some((text.as_str(), self.fill(text)?)));
        match filled {
            Some((text, says)) => Answered {
                about: self.template.about.clone(),
                says,
                verdict,
                cells: self.cited(),
                ratios: self.quotients(text),
            },
            None => self.not_measured(),
        }
    }

    fn not_measured(&self) -> Answered {
        let says = self.fill(&self.template.missing).unwrap_or_default();
        let (about, verdict) = (self.template.about.clone(), Verdict::NotMeasured);
        Answered { about, says, verdict, cells: self.cited(), ratios: Vec::new() }
    }

    fn verdict(&self) -> Verdict {
        let Some(test) = &self.template.test else { return Verdict::Holds };
        let [left, right] = [&test.left, &test.right].map(|name| self.term(name));
        match (left, right) {
            (Some(left), Some(right)) if same(left, right) => Verdict::NotDistinguishable,
            (Some(left), Some(right)) => claim(test, left, right).judge(self.evidence).verdict,
            _ => Verdict::NotMeasured,
        }
    }

    /// The text with its figures; nothing where one is missing.
    fn fill(&self, text: &str) -> Option<String> {
        let mut filled = String::new();
        for (is_optional, run) in study::runs(text).ok()? {
            let parts = study::parts(run).ok()?;
            match parts.into_iter().map(|part| self.part(part)).collect::<Option<String>>() {
                Some(run) => filled += &run,
                None if is_optional => {}
                None => return None,
            }
        }
        Some(filled)
    }

    fn part(&self, part: Part<'_>) -> Option<String> {
        match part {
            Part::Text(text) => Some(text.to_owned()),
            Part::Figure(cell, what) => self.figure(cell, what),
            Part::Ratio(left, right) => Some(short(self.ratio(left, right)?.value)),
            Part::Missing => Some(self.missing()),
        }
    }

    fn figure(&self, cell: &str, what: What) -> Option<String> {
        let (field, evidence) = (self.fields.get(cell)?, self.evidence);
        let term = field.chosen();
        let (ns, bytes) = (evidence.ns(term)?, evidence.bytes(term));
        match what {
            What::Name => Some(field.name(|term| term.algorithm.clone())),
            What::Cell => Some(field.name(|term| format!("{} {}", term.provider, term.algorithm))),
            What::Provider => Some(field.name(|term| term.provider.to_string())),
            What::Size if evidence.here.is_some() => bytes.map(length),
            What::Size => Some(term.size.describe()),
            What::Rate => Some(rate(bytes? / ns)),
            What::Time => Some(time(ns)),
            What::Cycles => Some(short(evidence.entry(term)?.estimate()?.cycles.value / bytes?)),
            What::Ceiling => of_ceiling(evidence.record, evidence.entry(term)?).map(percent),
            What::Byte => Some(short(ns / bytes?)),
            What::Order => self.order(field),
        }
    }

    /// Every candidate with its rate, the fastest first.
    fn order(&self, field: &Field) -> Option<String> {
        let rated = |(ns, term): &(f64, Term)| {
            Some(format!("{} {}", term.algorithm, rate(self.evidence.bytes(term)? / ns)))
        };
        let rated: Option<Vec<_>> = field.timed.iter().map(rated).collect();
        Some(rated?.join(", "))
    }

    /// The cells without a figure; where all have one, why these have no ratio.
    fn missing(&self) -> String {
        let cells = self.template.cells.iter();
        let missing = cells.filter(|(name, _)| !self.fields.contains_key(name.as_str()));
        let named = missing.map(|(_, pick)| {
            let algorithm = if pick.algorithm == "*" { "digests" } else { &pick.algorithm };
            let size = Some(pick.size).filter(|size| *size != Size::default());
            let at = size.map(|size| format!(" at {}", size.describe())).unwrap_or_default();
            format!("{} {algorithm}{at}", pick.provider).replace('|', " or ")
        });
        match named.collect::<Vec<_>>().as_slice() {
            [] if self.evidence.here.is_some() => "the samples give no ratio".to_owned(),
            [] => "figures of two states of the core have no ratio".to_owned(),
            named => list(named),
        }
    }

    fn term(&self, cell: &str) -> Option<&Term> {
        self.fields.get(cell).map(Field::chosen)
    }

    fn ratio(&self, left: &str, right: &str) -> Option<Ratio> {
        self.evidence.ratio(self.term(left)?, self.term(right)?)
    }

    fn cited(&self) -> Vec<Cited> {
        let cited = |(name, field): (&&str, &Field)| {
            let term = field.chosen().clone();
            let ties = field.in_order().skip(1).take(field.tied - 1).cloned().collect();
            Some(Cited { cell: (*name).to_owned(), ns: self.evidence.ns(&term)?, term, ties })
        };
        self.fields.iter().filter_map(cited).collect()
    }

    /// The ratios of a text, and the one that decided.
    fn quotients(&self, text: &str) -> Vec<Quotient> {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        pairs.extend(
            self.template.test.iter().map(|test| (test.left.as_str(), test.right.as_str())),
        );
        for part in study::parts(text).unwrap_or_default() {
            if let Part::Ratio(left, right) = part
                && !pairs.contains(&(left, right))
            {
                pairs.push((left, right));
            }
        }
        let quotient = |(left, right): (&str, &str)| {
            let ratio = self.ratio(left, right)?;
            Some(Quotient { left: left.to_owned(), right: right.to_owned(), ratio })
        };
        pairs.into_iter().filter_map(quotient).collect()
    }
}

/// The test between two cells as a claim, which is judged as any other.
fn claim(test: &Test, left: &Term, right: &Term) -> Claim {
    Claim {
        says: String::new(),
        place: String::new(),
        files: None,
        left: left.clone(),
        relation: test.relation,
        right: Some(right.clone()),
        factor: test.factor,
        published: Vec::new(),
        note: None,
    }
}

fn same(left: &Term, right: &Term) -> bool {
    let of = |term: &Term| (term.provider.clone(), term.algorithm.clone(), term.size);
    of(left) == of(right)
        && (left.first, left.cache, left.clock) == (right.first, right.cache, right.clock)
}
