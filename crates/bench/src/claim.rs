//! A claim: a sentence of a document as a test on a ratio of times, judged on what was published and on what was measured.

use serde::{Deserialize, Serialize};

use crate::cold::Order;
use crate::files::{self, Cache, Clock};
use crate::record::Record;
use crate::report::figure;
use crate::study::{ALL, Published, Size, Source, Study, Table};

/// A sentence and its test.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The sentence, in our words.
    pub says: String,
    /// Where the document says it.
    pub place: String,
    /// The `[[files]]` table that it is about; one of messages if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
    /// What is compared. The algorithm `*` stands for all of the table in a `spread`; of several with `|` between them the one
    /// decides that is the hardest for the claim.
    pub left: Term,
    /// How its time relates to `right`'s.
    pub relation: Relation,
    /// What it is compared with; nothing for `spread`.
    pub right: Option<Term>,
    /// Bounds of the ratio of times, left / right: of `times` and `equal`; of `spread` the most that slowest / fastest may be.
    pub factor: Option<[f64; 2]>,
    /// The published blocks to judge by: each entry is a set that together gives both sides.
    #[serde(default)]
    pub published: Vec<Vec<String>>,
    /// What a reader should know beside the verdict.
    pub note: Option<String>,
}

/// One figure: what a source takes for an algorithm on a message length.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The provider here; in a published block, the one that stands for it.
    pub provider: Source,
    /// As the study's tables write it.
    pub algorithm: String,
    /// Message length in bytes, or many messages; of a tool, the file's length. A tree of photographs has none.
    #[serde(default)]
    pub size: Size,
    /// Of the first calls of fresh processes those that went through the sizes in this order; a document's figure is what it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Order>,
    /// Of a tool: where the file is before it is read.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cache: Cache,
    /// Of a tool: which of its times.
    #[serde(default, skip_serializing_if = "is_default")]
    pub clock: Clock,
}

impl Term {
    /// An algorithm of a provider over a whole tree.
    pub(crate) fn whole_tree(provider: Source, algorithm: &str) -> Self {
        Self {
            provider,
            algorithm: algorithm.to_owned(),
            size: Size::default(),
            first: None,
            cache: Cache::Warm,
            clock: Clock::Real,
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// How the time of `left` relates to that of `right`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// It takes longer.
    Slower,
    /// It takes less.
    Faster,
    /// It takes about as long: the ratio is within `factor`.
    Equal,
    /// It takes as many times longer as `factor` says.
    Times,
    /// All algorithms of `left` take about the same: slowest / fastest is within `factor`.
    Spread,
}

/// What becomes of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The whole interval of the ratio agrees with it.
    Holds,
    /// The whole interval contradicts it.
    Fails,
    /// The interval reaches over the border.
    NotDistinguishable,
    /// A figure that it needs is missing.
    NotMeasured,
}

/// A verdict, on what, and the ratio that led to it.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// The machine, or `here`.
    pub on: String,
    /// Holds or not.
    pub verdict: Verdict,
    /// Time of left / time of right (of `spread`: slowest / fastest), with its interval.
    pub ratio: Option<gauge::Ratio>,
    /// The figures behind it in words.
    pub detail: String,
}

/// Figures to judge by.
pub trait Evidence {
    /// What the judgement calls it.
    fn name(&self) -> String;
    /// The algorithms that have a figure where `term` has one, whatever its own algorithm.
    fn algorithms(&self, term: &Term) -> Vec<String>;
    /// Nanoseconds per call.
    fn ns(&self, term: &Term) -> Option<f64>;
    /// Where that figure comes from.
    fn source(&self, term: &Term) -> Source {
        term.provider.clone()
    }
    /// The ratio of times with its interval.
    fn ratio(&self, left: &Term, right: &Term) -> Option<gauge::Ratio>;
    /// The figure in words.
    fn describe(&self, term: &Term) -> String {
        let ns = self.ns(term).unwrap_or(f64::NAN);
        let first = term.first.map(|order| format!(" (first calls, {order})")).unwrap_or_default();
        format!("{} {} at {}{first} {} ns", self.source(term), term.algorithm, term.size.describe(), figure(ns))
    }
}

impl Claim {
    /// The verdict by these figures.
    pub fn judge(&self, evidence: &dyn Evidence) -> Judgement {
        let (low, high) = self.bounds();
        let pair = self.pair(evidence);
        let ratio = pair.as_ref().and_then(|(left, right)| evidence.ratio(left, right));
        let verdict = match &ratio {
            None => Verdict::NotMeasured,
            Some(ratio) if ratio.low >= low && ratio.high <= high => Verdict::Holds,
            Some(ratio) if ratio.high < low || ratio.low > high => Verdict::Fails,
            Some(_) => Verdict::NotDistinguishable,
        };
        let detail = match (&ratio, pair) {
            (Some(_), Some((left, right))) => format!("{}, {}", evidence.describe(&left), evidence.describe(&right)),
            _ => "a figure that it needs is missing".to_owned(),
        };
        Judgement { on: evidence.name(), verdict, ratio, detail }
    }

    /// The verdicts: by the document's own figures, and at last by what was measured here.
    pub fn judgements(&self, record: &Record) -> Vec<Judgement> {
        let study = &record.head.study;
        let table = self.files.as_ref().and_then(|id| study.files.iter().find(|table| table.id == *id));
        match table {
            Some(table) => {
                let blocks = |set: &Vec<String>| table.published.iter().filter(|block| set.contains(&block.id)).collect();
                let printed = self.published.iter().map(|set| self.judge(&files::Printed { table, blocks: blocks(set) }));
                printed.chain([self.judge(&files::Here { record, table })]).collect()
            }
            None => self.judge_published(study).into_iter().chain([self.judge(record)]).collect(),
        }
    }

    fn judge_published(&self, study: &Study) -> Vec<Judgement> {
        let blocks = study.published();
        let sets = self.published.iter().map(|set| set.iter().map(|id| blocks[id.as_str()]).collect());
        sets.map(|blocks| self.judge(&Printed { blocks })).collect()
    }

    /// Checks what the claim names; the error is what it named and what was expected.
    pub(crate) fn check(&self, study: &Study) -> Result<(), (String, String)> {
        let known: Vec<_> = match &self.files {
            None => study.published().into_keys().collect(),
            Some(id) => {
                let table = study.files.iter().find(|table| table.id == *id);
                let table =
                    table.ok_or_else(|| (format!("the files table '{id}' in a claim"), "expected the id of one".to_owned()))?;
                table.published.iter().map(|block| block.id.as_str()).collect()
            }
        };
        if let Some(id) = self.published.iter().flatten().find(|id| !known.contains(&id.as_str())) {
            return Err((format!("the published block '{id}' in a claim"), format!("expected one of {}", known.join(", "))));
        }
        let needs_right = self.relation != Relation::Spread;
        if needs_right != self.right.is_some() {
            let expected = if needs_right { "expected a right side" } else { "'spread' has no right side" };
            return Err((format!("the claim '{}'", self.says), expected.to_owned()));
        }
        let needs_factor = matches!(self.relation, Relation::Equal | Relation::Times | Relation::Spread);
        if needs_factor != self.factor.is_some() {
            let expected = if needs_factor { "expected factor = [low, high]" } else { "this relation has no factor" };
            return Err((format!("the claim '{}'", self.says), expected.to_owned()));
        }
        Ok(())
    }

    /// Between what the ratio of times must lie.
    fn bounds(&self) -> (f64, f64) {
        match (self.relation, self.factor) {
            (Relation::Slower, _) => (1.0, f64::INFINITY),
            (Relation::Faster, _) => (0.0, 1.0),
            (_, Some([low, high])) => (low, high),
            (_, None) => (f64::NAN, f64::NAN),
        }
    }

    fn pair(&self, evidence: &dyn Evidence) -> Option<(Term, Term)> {
        let Some(right) = &self.right else { return extremes(&self.left, evidence) };
        let quick = self.relation == Relation::Slower;
        Some((hardest(&self.left, quick, evidence)?, hardest(right, !quick, evidence)?))
    }
}

/// Of several algorithms the fastest or the slowest; one that has no figure is an answer too.
fn hardest(term: &Term, fastest: bool, evidence: &dyn Evidence) -> Option<Term> {
    let members = term.algorithm.split('|').map(|algorithm| Term { algorithm: algorithm.to_owned(), ..term.clone() });
    let mut timed: Vec<_> = members.map(|member| (evidence.ns(&member).unwrap_or(f64::NAN), member)).collect();
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let unknown = timed.iter().position(|(ns, _)| ns.is_nan());
    let place = unknown.unwrap_or(if fastest { 0 } else { timed.len() - 1 });
    timed.into_iter().nth(place).map(|(_, member)| member)
}

/// The slowest and the fastest algorithm that a term with `*` stands for.
fn extremes(term: &Term, evidence: &dyn Evidence) -> Option<(Term, Term)> {
    let members = evidence.algorithms(term);
    let members = members.into_iter().map(|algorithm| Term { algorithm, ..term.clone() });
    let mut timed: Vec<_> = members.filter_map(|member| Some((evidence.ns(&member)?, member))).collect();
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (fastest, slowest) = (timed.first()?.1.clone(), timed.last()?.1.clone());
    Some((slowest, fastest))
}

/// What a document printed, as evidence.
struct Printed<'a> {
    blocks: Vec<(&'a Table, &'a Published)>,
}

impl Printed<'_> {
    /// What stands for the source; for one under a mask also what stands for it without: the document had what is left.
    fn block(&self, source: &Source) -> Option<&(&Table, &Published)> {
        let of = |source: &Source| self.blocks.iter().find(|(_, block)| block.here == *source);
        of(source).or_else(|| of(&source.clone().under(ALL)))
    }
}

impl Evidence for Printed<'_> {
    fn name(&self) -> String {
        let machines: Vec<_> = self.blocks.iter().map(|(_, block)| block.machine.as_str()).collect();
        machines.join(" and ")
    }

    fn algorithms(&self, term: &Term) -> Vec<String> {
        self.block(&term.provider).map_or_else(Vec::new, |(_, block)| block.rows.iter().map(|row| row[0].clone()).collect())
    }

    fn ns(&self, term: &Term) -> Option<f64> {
        let (table, block) = self.block(&term.provider)?;
        let value = Published::number(block.printed(&term.algorithm, term.size)?)?;
        block.unit.unwrap_or(table.unit).to_ns(value, term.size.mean(), table.iterations)
    }

    fn source(&self, term: &Term) -> Source {
        self.block(&term.provider).map_or_else(|| term.provider.clone(), |(_, block)| block.here.clone())
    }

    fn ratio(&self, left: &Term, right: &Term) -> Option<gauge::Ratio> {
        let value = self.ns(left)? / self.ns(right)?;
        Some(gauge::Ratio { value, low: value, high: value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures in nanoseconds, each plus or minus a hundredth.
    struct Given(&'static [(&'static str, f64)]);

    impl Evidence for Given {
        fn name(&self) -> String {
            "here".to_owned()
        }
        fn algorithms(&self, _: &Term) -> Vec<String> {
            self.0.iter().map(|(algorithm, _)| (*algorithm).to_owned()).collect()
        }
        fn ns(&self, term: &Term) -> Option<f64> {
            self.0.iter().find(|(algorithm, _)| *algorithm == term.algorithm).map(|(_, ns)| *ns)
        }
        fn ratio(&self, left: &Term, right: &Term) -> Option<gauge::Ratio> {
            let value = self.ns(left)? / self.ns(right)?;
            Some(gauge::Ratio { value, low: value * 0.98, high: value * 1.02 })
        }
    }

    fn term(algorithm: &str) -> Term {
        let (cache, clock) = (Cache::Warm, Clock::Real);
        Term { provider: "php".to_owned().into(), algorithm: algorithm.to_owned(), size: Size::One(5), first: None, cache, clock }
    }

    fn verdict(relation: Relation, factor: Option<[f64; 2]>, left: &str, right: Option<&str>) -> Verdict {
        let (left, right) = (term(left), right.map(term));
        let (says, place) = (String::new(), String::new());
        let claim = Claim { says, place, files: None, left, relation, right, factor, published: Vec::new(), note: None };
        claim.judge(&Given(&[("crc32", 100.0), ("md5", 101.0), ("md2", 5000.0)])).verdict
    }

    #[test]
    fn the_interval_decides() {
        use Relation::{Equal, Faster, Slower, Spread, Times};
        use Verdict::{Fails, Holds, NotDistinguishable, NotMeasured};
        assert_eq!(verdict(Slower, None, "md2", Some("md5")), Holds);
        assert_eq!(verdict(Slower, None, "md5", Some("md2")), Fails);
        assert_eq!(verdict(Slower, None, "md5", Some("crc32")), NotDistinguishable);
        assert_eq!(verdict(Faster, None, "md5", Some("md2")), Holds);
        assert_eq!(verdict(Equal, Some([0.9, 1.1]), "md5", Some("crc32")), Holds);
        assert_eq!(verdict(Times, Some([8.0, 12.0]), "md2", Some("md5")), Fails);
        assert_eq!(verdict(Times, Some([45.0, 50.0]), "md2", Some("md5")), NotDistinguishable);
        assert_eq!(verdict(Spread, Some([1.0, 2.0]), "*", None), Fails);
        assert_eq!(verdict(Spread, Some([1.0, 60.0]), "*", None), Holds);
        assert_eq!(verdict(Slower, None, "sha1", Some("md5")), NotMeasured);
        assert_eq!(verdict(Slower, None, "md2", Some("crc32|md5")), Holds);
        assert_eq!(verdict(Slower, None, "md2|md5", Some("crc32")), NotDistinguishable);
        assert_eq!(verdict(Faster, None, "md5", Some("crc32|md2")), NotDistinguishable);
        assert_eq!(verdict(Faster, None, "crc32|md5", Some("md2")), Holds);
        assert_eq!(verdict(Faster, None, "crc32|sha1", Some("md2")), NotMeasured);
    }

    #[test]
    fn under_a_mask_it_is_judged_by_what_was_printed_without() {
        let study = Study::load("php-hash").unwrap();
        let claim = study.claims.iter().find(|claim| claim.left.provider.mask.is_some()).unwrap();
        let printed = claim.judge_published(&study);
        assert_eq!(printed.len(), 2);
        for judgement in printed {
            assert_eq!(judgement.verdict, Verdict::Holds);
            assert!(judgement.detail.starts_with("php crc32b at 5000 bytes"), "{}", judgement.detail);
        }
    }
}
