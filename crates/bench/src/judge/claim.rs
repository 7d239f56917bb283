//! Verdicts on claims, by published figures and by measured ones.
//!
//! ```text
//! ratio = left / right       [low ------ high] of its interval
//!
//! Holds               low  >= bound below  and  high <= bound above
//! Fails               high <  bound below  or   low  >  bound above
//! NotDistinguishable  a bound lies in the interval
//! NotMeasured         there is no ratio
//! ```

use runner::ALL;
use serde::Serialize;

use super::files;
use crate::record::{Entry, Record};
use crate::study::{Claim, Published, Relation, Source, Study, Table, Term};
use crate::text::figure;

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
    /// The algorithms that were asked for where `term` is, whatever its own algorithm; none where
    /// some were left out.
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
        format!(
            "{} {} at {}{first} {} ns",
            self.source(term),
            term.algorithm,
            term.size.describe(),
            figure(ns)
        )
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
            // Equal figures in print were rounded: neither is known to be the slower one.
            Some(ratio) if (ratio.low, ratio.high) == (1.0, 1.0) && self.factor.is_none() => {
                Verdict::NotDistinguishable
            }
            Some(ratio) if ratio.low >= low && ratio.high <= high => Verdict::Holds,
            Some(ratio) if ratio.high < low || ratio.low > high => Verdict::Fails,
            Some(_) => Verdict::NotDistinguishable,
        };
        let detail = match (&ratio, pair) {
            (Some(_), Some((left, right))) => {
                format!("{}, {}", evidence.describe(&left), evidence.describe(&right))
            }
            _ => "a figure that it needs is missing".to_owned(),
        };
        Judgement { on: evidence.name(), verdict, ratio, detail }
    }

    /// The verdicts: by the document's own figures, and at last by what was measured here.
    pub fn judgements(&self, record: &Record) -> Vec<Judgement> {
        let study = &record.head.study;
        let table =
            self.files.as_ref().and_then(|id| study.files.iter().find(|table| table.id == *id));
        match table {
            Some(table) => {
                let blocks = |set: &Vec<String>| {
                    table.published.iter().filter(|block| set.contains(&block.id)).collect()
                };
                let printed = self
                    .published
                    .iter()
                    .map(|set| self.judge(&files::Printed { table, blocks: blocks(set) }));
                printed.chain([self.judge(&files::Here { record, table })]).collect()
            }
            None => self.judge_published(study).into_iter().chain([self.judge(record)]).collect(),
        }
    }

    fn judge_published(&self, study: &Study) -> Vec<Judgement> {
        let blocks = study.published();
        let sets =
            self.published.iter().map(|set| set.iter().map(|id| blocks[id.as_str()]).collect());
        sets.map(|blocks| self.judge(&Printed { blocks })).collect()
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
    let members = term
        .algorithm
        .split('|')
        .map(|algorithm| Term { algorithm: algorithm.to_owned(), ..term.clone() });
    let mut timed: Vec<_> =
        members.map(|member| (evidence.ns(&member).unwrap_or(f64::NAN), member)).collect();
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let unknown = timed.iter().position(|(ns, _)| ns.is_nan());
    let place = unknown.unwrap_or(if fastest { 0 } else { timed.len() - 1 });
    timed.into_iter().nth(place).map(|(_, member)| member)
}

/// The slowest and the fastest algorithm that a term with `*` stands for. One without a figure may
/// be either.
fn extremes(term: &Term, evidence: &dyn Evidence) -> Option<(Term, Term)> {
    let members = evidence.algorithms(term);
    let members = members.into_iter().map(|algorithm| Term { algorithm, ..term.clone() });
    let timed: Option<Vec<_>> =
        members.map(|member| Some((evidence.ns(&member)?, member))).collect();
    let mut timed = timed.filter(|timed| timed.len() > 1)?;
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (fastest, slowest) = (timed.first()?.1.clone(), timed.last()?.1.clone());
    Some((slowest, fastest))
}

/// What a document printed, as evidence.
struct Printed<'a> {
    blocks: Vec<(&'a Table, &'a Published)>,
}

impl Printed<'_> {
    /// What stands for the source; for one under a mask also what stands for it without: the
    /// document had what is left.
    fn block(&self, source: &Source) -> Option<&(&Table, &Published)> {
        let of = |source: &Source| self.blocks.iter().find(|(_, block)| block.here == *source);
        of(source).or_else(|| of(&source.clone().under(ALL)))
    }
}

impl Printed<'_> {
    /// Core cycles of a message, where the document counts them.
    fn cycles(&self, term: &Term) -> Option<f64> {
        let (table, block) = self.block(&term.provider)?;
        let value = Published::number(block.printed(&term.algorithm, term.size)?)?;
        block.unit.unwrap_or(table.unit).to_cycles(value, term.size.mean())
    }
}

impl Evidence for Printed<'_> {
    fn name(&self) -> String {
        let machines: Vec<_> =
            self.blocks.iter().map(|(_, block)| block.machine.as_str()).collect();
        machines.join(" and ")
    }

    fn algorithms(&self, term: &Term) -> Vec<String> {
        let Some((_, block)) = self.block(&term.provider) else { return Vec::new() };
        let names = block.rows.iter().map(|row| row[0].clone());
        let is_printed =
            |name: &String| self.ns(&Term { algorithm: name.clone(), ..term.clone() }).is_some();
        names.filter(is_printed).collect()
    }

    fn ns(&self, term: &Term) -> Option<f64> {
        let (table, block) = self.block(&term.provider)?;
        let value = Published::number(block.printed(&term.algorithm, term.size)?)?;
        block.unit.unwrap_or(table.unit).to_ns(value, term.size.mean(), table.iterations)
    }

    fn source(&self, term: &Term) -> Source {
        self.block(&term.provider)
            .map_or_else(|| term.provider.clone(), |(_, block)| block.here.clone())
    }

    /// Of two figures in cycles, which are no times, the ratio all the same.
    fn ratio(&self, left: &Term, right: &Term) -> Option<gauge::Ratio> {
        let of = |amount: &dyn Fn(&Term) -> Option<f64>| Some(amount(left)? / amount(right)?);
        let value = of(&|term| self.ns(term)).or_else(|| of(&|term| self.cycles(term)))?;
        Some(gauge::Interval::exact(value).into())
    }

    fn describe(&self, term: &Term) -> String {
        let (amount, unit) = match (self.ns(term), self.cycles(term)) {
            (None, Some(cycles)) => (cycles, "cycles"),
            (ns, _) => (ns.unwrap_or(f64::NAN), "ns"),
        };
        let (source, size) = (self.source(term), term.size.describe());
        format!("{source} {} at {size} {} {unit}", term.algorithm, figure(amount))
    }
}

impl Evidence for Record {
    fn name(&self) -> String {
        "here".to_owned()
    }

    fn algorithms(&self, term: &Term) -> Vec<String> {
        if self.head.study.narrowed {
            return Vec::new();
        }
        let same = |entry: &&Entry| entry.source == term.provider && entry.size == term.size;
        self.entries.iter().filter(same).map(|entry| entry.algorithm.clone()).collect()
    }

    fn ns(&self, term: &Term) -> Option<f64> {
        if let Some(order) = term.first {
            let cold = self.cold(&term.provider, &term.algorithm, term.size.one()?, order)?;
            return Some(cold.interval(self.head.plan.confidence)?.value);
        }
        Some(self.entry(&term.provider, &term.algorithm, term.size)?.estimate()?.ns.value)
    }

    fn ratio(&self, left: &Term, right: &Term) -> Option<gauge::Ratio> {
        let first =
            |term: &Term| self.cold(&term.provider, &term.algorithm, term.size.one()?, term.first?);
        if left.first.is_some() || right.first.is_some() {
            return first(left)?.ratio(first(right)?, self.head.plan.confidence);
        }
        let entry = |term: &Term| self.entry(&term.provider, &term.algorithm, term.size);
        Record::ratio(self, entry(left)?, entry(right)?)
    }
}

#[cfg(test)]
mod tests {
    use runner::Size;

    use super::*;
    use crate::study::{Cache, Clock};

    /// Figures in nanoseconds, each plus or minus a hundredth; a figure equals itself. What is not
    /// a number is void.
    struct Given(&'static [(&'static str, f64)]);

    impl Evidence for Given {
        fn name(&self) -> String {
            "here".to_owned()
        }
        fn algorithms(&self, _: &Term) -> Vec<String> {
            self.0.iter().map(|(algorithm, _)| (*algorithm).to_owned()).collect()
        }
        fn ns(&self, term: &Term) -> Option<f64> {
            let of = |(algorithm, _): &&(&str, f64)| *algorithm == term.algorithm;
            self.0.iter().find(of).map(|(_, ns)| *ns).filter(|ns| !ns.is_nan())
        }
        fn ratio(&self, left: &Term, right: &Term) -> Option<gauge::Ratio> {
            let value = self.ns(left)? / self.ns(right)?;
            if left.algorithm == right.algorithm {
                return Some(gauge::Interval::exact(value).into());
            }
            Some(gauge::Interval { value, low: value * 0.98, high: value * 1.02 }.into())
        }
    }

    fn term(algorithm: &str) -> Term {
        let (cache, clock) = (Cache::Warm, Clock::Real);
        Term {
            provider: "php".to_owned().into(),
            algorithm: algorithm.to_owned(),
            size: Size::One(5),
            first: None,
            cache,
            clock,
        }
    }

    fn verdict(
        relation: Relation,
        factor: Option<[f64; 2]>,
        left: &str,
        right: Option<&str>,
    ) -> Verdict {
        let given = Given(&[("crc32", 100.0), ("md5", 101.0), ("md2", 5000.0)]);
        claim(relation, factor, left, right).judge(&given).verdict
    }

    fn claim(
        relation: Relation,
        factor: Option<[f64; 2]>,
        left: &str,
        right: Option<&str>,
    ) -> Claim {
        Claim {
            says: String::new(),
            place: String::new(),
            files: None,
            left: term(left),
            relation,
            right: right.map(term),
            factor,
            published: Vec::new(),
            note: None,
        }
    }

    #[test]
    fn a_spread_is_of_every_algorithm() {
        let spread = claim(Relation::Spread, Some([1.0, 2.0]), "*", None);
        let of = |figures| spread.judge(&Given(figures)).verdict;
        assert_eq!(of(&[("md5", 100.0), ("sha1", 150.0)]), Verdict::Holds);
        assert_eq!(of(&[("md5", 100.0)]), Verdict::NotMeasured);
        assert_eq!(of(&[("md5", 100.0), ("sha1", 150.0), ("md2", f64::NAN)]), Verdict::NotMeasured);
        assert_eq!(of(&[]), Verdict::NotMeasured);
    }

    #[test]
    fn the_interval_decides() {
        use Relation::{Equal, Faster, Slower, Spread, Times};
        use Verdict::{Fails, Holds, NotDistinguishable, NotMeasured};
        assert_eq!(verdict(Slower, None, "md2", Some("md5")), Holds);
        assert_eq!(verdict(Slower, None, "md5", Some("md2")), Fails);
        assert_eq!(verdict(Slower, None, "md5", Some("crc32")), NotDistinguishable);
        assert_eq!(verdict(Faster, None, "md5", Some("md2")), Holds);
        assert_eq!(verdict(Slower, None, "md5", Some("md5")), NotDistinguishable);
        assert_eq!(verdict(Faster, None, "md5", Some("md5")), NotDistinguishable);
        assert_eq!(verdict(Times, Some([0.5, 1.0]), "md5", Some("md5")), Holds);
        assert_eq!(verdict(Equal, Some([0.9, 1.1]), "md5", Some("crc32")), Holds);
        assert_eq!(verdict(Times, Some([8.0, 12.0]), "md2", Some("md5")), Fails);
        assert_eq!(verdict(Times, Some([45.0, 50.0]), "md2", Some("md5")), NotDistinguishable);
        // The interval from 49 to 51 ends where the claim begins, and begins where it ends.
        assert_eq!(verdict(Times, Some([51.0, 60.0]), "md2", Some("crc32")), NotDistinguishable);
        assert_eq!(verdict(Times, Some([40.0, 49.0]), "md2", Some("crc32")), NotDistinguishable);
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
            assert!(
                judgement.detail.starts_with("php crc32b at 5000 bytes"),
                "{}",
                judgement.detail
            );
        }
    }
}
