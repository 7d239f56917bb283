//! Programs that time themselves, and the questions that they are asked.
//!
//! ```text
//! command = ["openssl", "speed", "-mr", "-seconds", "1", "-bytes", "{bytes}", "{names}"]
//!        -> openssl speed -mr -seconds 1 -bytes 16 md5 sha1 sha256 sha512
//! ```
//!
//! This run prints four figures. Without `{names}` each algorithm has a run of its own.
//! METHODOLOGY.md says why such figures take part in no verdict.

use runner::Algorithm;
use serde::{Deserialize, Serialize};

use super::source::Source;
use super::tool;

/// A program that says itself how fast it is. Nobody sees what it computes, so its figures are not
/// verified and no claim is judged by them.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// What reports call it.
    pub id: String,
    /// Program and arguments, one run for each algorithm and size. `{name}` is the algorithm
    /// without its direction, `{bytes}` the length of the messages, `{decrypt}` the word `-decrypt`
    /// on the way back and no word else. With `{names}` one run has all algorithms, a word each.
    pub command: Vec<String>,
    /// A command whose first line says what is run.
    pub version: Vec<String>,
    /// The provider that its figures are set against.
    pub here: Source,
    /// Algorithms of the table.
    pub algorithms: Vec<String>,
    /// Message lengths of the table, in bytes.
    pub sizes: Vec<usize>,
}

/// A run of such a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Program and arguments.
    pub words: Vec<String>,
    /// What is to be told, one or several.
    pub algorithms: Vec<String>,
    /// Bytes of a message.
    pub size: usize,
}

impl Told {
    /// Every run, of the algorithms and sizes that its table still measures.
    pub fn asked(&self, algorithms: &[String], sizes: &[usize]) -> Vec<Asked> {
        let there = |name: &&String| algorithms.contains(name);
        let algorithms: Vec<_> = self.algorithms.iter().filter(there).cloned().collect();
        let sizes = self.sizes.iter().filter(|size| sizes.contains(size));
        // A list of names is another measurement than one name: `-evp` takes the first name alone.
        let together = self.command.iter().any(|word| word == NAMES);
        let groups: Vec<&[String]> = match (together, algorithms.is_empty()) {
            (_, true) => Vec::new(),
            (true, false) => vec![&algorithms],
            (false, false) => algorithms.chunks(1).collect(),
        };
        let of_size = |&size: &usize| {
            let run = |group: &&[String]| Asked {
                words: self.words(group, size),
                algorithms: group.to_vec(),
                size,
            };
            groups.iter().map(run).collect::<Vec<_>>()
        };
        sizes.flat_map(of_size).collect()
    }

    fn words(&self, algorithms: &[String], size: usize) -> Vec<String> {
        let word = |word: &String| match word.as_str() {
            // A word may become several, or none: a list of names, a direction.
            NAMES => algorithms.iter().map(|name| parted(name).0.to_owned()).collect(),
            "{decrypt}" if algorithms.iter().all(|name| parted(name).1 == "decrypt") => {
                vec!["-decrypt".to_owned()]
            }
            "{decrypt}" => Vec::new(),
            word => {
                let name = algorithms.first().map_or("", |name| parted(name).0);
                vec![word.replace("{name}", name).replace("{bytes}", &size.to_string())]
            }
        };
        self.command.iter().flat_map(word).collect()
    }

    /// The first line of its version command.
    ///
    /// # Errors
    /// In words: the program is not here, cannot be run, or prints nothing.
    pub fn ask_version(&self) -> Result<String, String> {
        tool::first_line(&self.version)
    }

    /// Checks it against the sizes of its table.
    ///
    /// # Errors
    /// The first part that is wrong, and the expected one.
    pub(crate) fn check(&self, sizes: &[usize]) -> Result<(), (String, String)> {
        let wrong = |what: String| (format!("{what} of '{}'", self.id), EXPECTED.to_owned());
        if self.command.is_empty() || self.version.is_empty() {
            return Err(wrong("no command or no version".to_owned()));
        }
        if let Some(name) = self.algorithms.iter().find(|name| Algorithm::find(name).is_none()) {
            return Err(wrong(format!("the algorithm '{name}'")));
        }
        if let Some(size) = self.sizes.iter().find(|size| !sizes.contains(size)) {
            return Err(wrong(format!("{size} bytes")));
        }
        Ok(())
    }
}

impl Asked {
    /// The algorithm that a program means by a name of its own, among those that were asked for.
    pub fn named(&self, name: &str) -> Option<&String> {
        let is = |asked: &&String| parted(asked).0.eq_ignore_ascii_case(parted(name).0);
        match self.algorithms.as_slice() {
            // A run of one algorithm prints one row, in the program's own spelling.
            [only] => Some(only),
            several => several.iter().find(is),
        }
    }
}

/// The name without its direction, and the direction.
fn parted(algorithm: &str) -> (&str, &str) {
    algorithm.split_once(' ').unwrap_or((algorithm, ""))
}

const NAMES: &str = "{names}";
const EXPECTED: &str = "expected a command and a version command, and algorithms and sizes of its \
    table";

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the table.
    const SIZES: [usize; 2] = [16, 8192];

    /// Of the table.
    fn algorithms() -> [String; 3] {
        ["aes-128-cbc encrypt", "aes-128-cbc decrypt", "aes-192-cbc encrypt"].map(str::to_owned)
    }

    fn told(command: &str, algorithms: &[&str]) -> Told {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        Told {
            id: "openssl-speed".to_owned(),
            command: words(command),
            version: words("openssl version"),
            here: Source::from("openssl".to_owned()),
            algorithms: algorithms.iter().map(|&name| name.to_owned()).collect(),
            sizes: vec![8192],
        }
    }

    #[test]
    fn one_run_has_one_algorithm_in_one_direction() {
        let one =
            told("openssl speed -bytes {bytes} {decrypt} -evp {name}", &["aes-128-cbc decrypt"]);
        let asked = one.asked(&algorithms(), &SIZES);
        assert_eq!(asked.len(), 1);
        assert_eq!(asked[0].words.join(" "), "openssl speed -bytes 8192 -decrypt -evp aes-128-cbc");
        assert_eq!(asked[0].named("AES-128-CBC"), Some(&"aes-128-cbc decrypt".to_owned()));
    }

    #[test]
    fn with_names_one_run_has_them_all() {
        let names = ["aes-128-cbc encrypt", "aes-192-cbc encrypt"];
        let list = told("openssl speed {decrypt} -evp {names}", &names);
        let asked = list.asked(&algorithms(), &SIZES);
        assert_eq!(asked.len(), 1);
        assert_eq!(asked[0].words.join(" "), "openssl speed -evp aes-128-cbc aes-192-cbc");
        assert_eq!(asked[0].named("aes-192-cbc encrypt"), Some(&names[1].to_owned()));
        assert_eq!(asked[0].named("aes-256-cbc"), None);
        let narrowed = list.asked(&[names[1].to_owned()], &SIZES);
        assert_eq!(narrowed[0].words.join(" "), "openssl speed -evp aes-192-cbc");
        assert!(list.asked(&algorithms(), &[16]).is_empty());
    }

    #[test]
    fn what_the_table_has_not_is_an_error() {
        let right = told("openssl speed -evp {name}", &["aes-128-cbc encrypt"]);
        assert!(right.check(&SIZES).is_ok());
        let wrong = Told { sizes: vec![17], ..right.clone() };
        assert!(wrong.check(&SIZES).unwrap_err().0.contains("17 bytes"));
        let wrong = Told { algorithms: vec!["aes-129-cbc encrypt".to_owned()], ..right.clone() };
        assert!(wrong.check(&SIZES).unwrap_err().0.contains("aes-129-cbc"));
        assert!(Told { command: Vec::new(), ..right }.check(&SIZES).is_err());
    }
}
