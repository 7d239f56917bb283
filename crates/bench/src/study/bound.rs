//! The time below which no kernel of an algorithm can get on a CPU, from first principles.
//!
//! `bounds.toml` has the rows. A study's `[board]` may give rows of its own:
//!
//! ```text
//! [[bound]]
//! algorithms = ["sha224", "sha256"]
//! messages = "one"
//! cycles_per_byte = 2.0
//! cycles_per_message = 145
//! needs = ["sha"]
//! because = "32 times sha256rnds2, of 4 cycles, in 64 bytes"
//! ```
//!
//! Several rows may fit an algorithm: one for each technique. The lowest one counts. A row fits
//! a CPU that has all of `needs` and none of `lacks`, and that is of `vendor`. METHODOLOGY.md, "The
//! scoreboard", has the rule.

use gauge::Machine;
use runner::Algorithm;
use serde::{Deserialize, Serialize};

/// Core cycles that no kernel goes below by the technique that it presumes.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// Any names that the registry knows.
    pub algorithms: Vec<String>,
    /// Whether it is of one message or of many that are hashed together.
    pub messages: Load,
    /// Core cycles for each byte of a message.
    pub cycles_per_byte: f64,
    /// Core cycles that each message takes at least, however short it is: a block and what stands
    /// around it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cycles_per_message: f64,
    /// It holds only for CPUs with these features.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<String>,
    /// It holds only for CPUs without these features: with them a kernel takes less time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
    /// The vendor whose cores have the latencies and ports that it is counted from; none where it
    /// is the same on all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vendor: Option<String>,
    /// How it was counted.
    pub because: String,
}

/// How many messages a call has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Load {
    /// One. The latencies along its chain bound it.
    One,
    /// A thousand and the like. The ports that all instructions share bound them.
    Many,
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

impl Bound {
    /// Those of `bounds.toml`.
    pub(crate) fn known() -> Vec<Self> {
        Self::read(include_str!("bounds.toml")).expect("bounds.toml is right, or no test passes")
    }

    fn read(text: &str) -> Result<Vec<Self>, toml::de::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            bound: Vec<Bound>,
        }
        toml::from_str::<File>(text).map(|file| file.bound)
    }

    /// What the bound names that there is not, and what was expected.
    pub(crate) fn check(&self) -> Result<(), (String, String)> {
        if let Some(name) = self.algorithms.iter().find(|name| Algorithm::find(name).is_none()) {
            return Err((
                format!("the algorithm '{name}' in a bound"),
                "expected one that `hashdyno list` shows".to_owned(),
            ));
        }
        // A mask names every feature that a bound can name. The parser of masks knows the words.
        let unknown = |word: &&String| hashdyno::Cpu::native().masked(&format!("-{word}")).is_err();
        if let Some(word) = self.needs.iter().chain(&self.lacks).find(unknown) {
            return Err((
                format!("the CPU feature '{word}' in a bound"),
                "expected one that `hashdyno list cpu` can show".to_owned(),
            ));
        }
        Ok(())
    }

    /// Core cycles that a message of `len` bytes takes at least.
    fn cycles(&self, len: f64) -> f64 {
        // A short message is one block with its padding: it takes the same at any length.
        (self.cycles_per_byte * len).max(self.cycles_per_message)
    }

    fn is_of(&self, algorithm: &str) -> bool {
        self.algorithms.iter().any(|name| Algorithm::same(name, algorithm))
    }
}

/// A CPU as bounds see it.
pub(crate) struct Core<'a> {
    /// As the kernel names it.
    pub(crate) machine: &'a Machine,
    /// The features that our kernels may use, blanks between them.
    pub(crate) features: &'a str,
}

impl Core<'_> {
    /// Of the bounds whose presumptions this CPU meets the lowest: that of the best technique it
    /// has. Core cycles for a message of `len` bytes; of several messages, their mean length.
    pub(crate) fn least(
        &self,
        bounds: &[Bound],
        algorithm: &str,
        messages: Load,
        len: f64,
    ) -> Option<f64> {
        let has = |word: &String| self.features.split_whitespace().any(|feature| feature == word);
        let meets = |bound: &&Bound| {
            let Bound { needs, lacks, vendor, .. } = bound;
            // Without a vendor the bound counts instructions, which take as long on all cores.
            let is_its = vendor.as_ref().is_none_or(|vendor| *vendor == self.machine.vendor);
            is_its && needs.iter().all(has) && !lacks.iter().any(has)
        };
        let known =
            bounds.iter().filter(|bound| bound.messages == messages && bound.is_of(algorithm));
        known.filter(meets).map(|bound| bound.cycles(len)).min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
        [[bound]]
        algorithms = ['sha256']
        messages = 'one'
        cycles_per_byte = 2.0
        cycles_per_message = 145
        needs = ['sha']
        because = 'a test'
        [[bound]]
        algorithms = ['sha256']
        messages = 'many'
        cycles_per_byte = 0.8
        needs = ['avx512f']
        vendor = 'GenuineIntel'
        because = 'a test'
        [[bound]]
        algorithms = ['sha256']
        messages = 'many'
        cycles_per_byte = 1.5
        needs = ['sha']
        because = 'a test'
        [[bound]]
        algorithms = ['sha256']
        messages = 'many'
        cycles_per_byte = 0.5
        lacks = ['avx512f']
        vendor = 'AuthenticAMD'
        because = 'a test'
    ";

    fn least(vendor: &str, features: &str, messages: Load, len: f64) -> Option<f64> {
        let machine = Machine { vendor: vendor.to_owned(), ..Machine::default() };
        Core { machine: &machine, features }.least(
            &Bound::read(TEXT).unwrap(),
            "SHA256",
            messages,
            len,
        )
    }

    #[test]
    fn a_bound_is_shown_where_the_cpu_has_what_it_presumes() {
        assert_eq!(least("AuthenticAMD", "sse2 sha", Load::One, 1000.0), Some(2000.0));
        assert_eq!(least("AuthenticAMD", "sse2", Load::One, 1000.0), None);
        assert_eq!(least("AuthenticAMD", "sha avx512f", Load::Many, 10.0), Some(15.0));
        assert_eq!(least("GenuineIntel", "sha avx512f", Load::Many, 10.0), Some(8.0));
        assert_eq!(least("GenuineIntel", "sha", Load::Many, 10.0), Some(15.0));
        assert_eq!(least("AuthenticAMD", "sha", Load::Many, 10.0), Some(5.0));
    }

    #[test]
    fn a_short_message_takes_what_any_takes() {
        assert_eq!(least("AuthenticAMD", "sha", Load::One, 5.0), Some(145.0));
        assert_eq!(least("AuthenticAMD", "sha", Load::One, 73.0), Some(146.0));
    }

    #[test]
    fn a_bound_names_only_what_there_is() {
        assert!(
            Bound::known()
                .iter()
                .chain(&Bound::read(TEXT).unwrap())
                .all(|bound| bound.check().is_ok())
        );
        for (from, to) in [("sha256", "sha257"), ("'sha'", "'shoe'")] {
            let bounds = Bound::read(&TEXT.replace(from, to)).unwrap();
            assert!(
                bounds.iter().any(|bound| bound
                    .check()
                    .is_err_and(|(what, _)| what.contains(&to.replace('\'', "")))),
                "{to}"
            );
        }
    }
}
