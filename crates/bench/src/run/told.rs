//! Runs programs that time themselves, and keeps their words.
//!
//! Each run of `openssl speed` prints rates. The module `record::import` reads them, as it reads a
//! file of such lines. Nobody compares an answer and no probe runs beside it. A run that fails, or
//! prints no figure of an algorithm, leaves a line with the reason.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::files::process;
use super::{Progress, Stop, Work};
use crate::record::{Told, import};
use crate::study::{Asked, Table};

/// What every program of the table says; where the run is to stop, these are not all.
pub(super) fn measure(table: &Table, progress: &mut dyn Progress, stop: &Stop) -> Vec<Told> {
    let mut all = Vec::new();
    for told in &table.told {
        let version = told.ask_version();
        for asked in
            told.asked(&table.algorithms, &table.sizes).iter().take_while(|_| !stop.is_asked())
        {
            progress.group(&asked.words.join(" "));
            // A program that says no version is not run: its figures would be nobody's.
            let said = version.clone().and_then(|_| run(asked));
            all.extend(asked.algorithms.iter().map(|algorithm| Told {
                table: table.id.clone(),
                id: told.id.clone(),
                command: asked.words.join(" "),
                version: version.clone().ok(),
                algorithm: algorithm.clone(),
                size: asked.size,
                rate: said.as_ref().ok().and_then(|said| rate(said, asked, algorithm)),
                missing: match &said {
                    Err(reason) => Some(reason.clone()),
                    Ok(said) if rate(said, asked, algorithm).is_none() => {
                        Some("it printed no figure of it".to_owned())
                    }
                    Ok(_) => None,
                },
            }));
            progress.done(USUAL * asked.algorithms.len() as u32);
        }
    }
    all
}

/// How long the programs of a table take.
pub(super) fn work(table: &Table) -> Work {
    let runs = table.told.iter().flat_map(|told| told.asked(&table.algorithms, &table.sizes));
    let figures = runs.map(|asked| asked.algorithms.len()).sum::<usize>();
    Work { groups: usize::from(figures > 0), cells: 0, planned: USUAL * figures as u32 }
}

/// The names and rates that a run printed, in bytes a second.
type Said = Vec<(String, usize, f64)>;

fn run(asked: &Asked) -> Result<Said, String> {
    let mut command = Command::new(&asked.words[0]);
    command.args(&asked.words[1..]).env("LC_ALL", "C").stdin(Stdio::null()).stdout(Stdio::piped());
    let whole = process::run(&mut command, LIMIT).map_err(|error| error.to_string())?;
    if !whole.status.success() {
        return Err(format!("it ended with {}", whole.status));
    }
    import::rates_of_openssl(&String::from_utf8_lossy(&whole.output))
}

fn rate(said: &Said, asked: &Asked, algorithm: &String) -> Option<f64> {
    let is = |(name, size, _): &&(String, usize, f64)| {
        *size == asked.size && asked.named(name) == Some(algorithm)
    };
    said.iter().find(is).map(|(.., rate)| *rate)
}

/// A figure of one second and the program's start; a study may ask for longer ones.
const USUAL: Duration = Duration::from_millis(1100);

/// More than any number of seconds that a study should ask for.
const LIMIT: Duration = Duration::from_secs(600);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::OnlyWarnings;
    use crate::study::{self, Source, Unit};

    fn table(command: &[&str], algorithms: &[&str]) -> Table {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let mut table = Table::new("t", "", Unit::KilobytesPerSecond);
        (table.algorithms, table.sizes) = (words(algorithms), vec![8192]);
        table.told = vec![study::Told {
            id: "speed".to_owned(),
            command: words(command),
            version: words(&["echo", "a program, 1.0"]),
            here: Source::from("openssl".to_owned()),
            algorithms: words(algorithms),
            sizes: vec![8192],
        }];
        table
    }

    fn told(command: &[&str], algorithms: &[&str]) -> Vec<(String, Option<f64>, Option<String>)> {
        let all = measure(&table(command, algorithms), &mut OnlyWarnings, &Stop::default());
        let rate = |told: &Told| told.rate.map(f64::round);
        all.into_iter().map(|told| (told.algorithm.clone(), rate(&told), told.missing)).collect()
    }

    #[test]
    fn what_a_program_says_is_kept_as_it_says_it() {
        let one = ["printf", "+H:{bytes}\\n+F:1:AES-128-CCM:996000000000.00\\n"];
        let name = "aes-128-ccm decrypt";
        assert_eq!(told(&one, &[name]), [(name.to_owned(), Some(996e9), None)]);
        let list = ["sh", "-c", "printf '+H:8192\\n+F:1:aes-128-cbc:2.0\\n'", "sh", "{names}"];
        let found = told(&list, &["aes-128-cbc encrypt", "aes-192-cbc encrypt"]);
        assert_eq!(found[0].1, Some(2.0));
        assert_eq!(found[1].2.as_deref(), Some("it printed no figure of it"));
    }

    #[test]
    fn a_program_that_fails_says_why() {
        let missing = |command: &[&str]| told(command, &["md5"]).remove(0).2.unwrap();
        assert!(missing(&["false"]).contains("exit status: 1"));
        assert!(missing(&["echo", "nothing"]).contains("no rates"));
        assert!(missing(&["/no/such/program"]).contains("No such file"));
    }
}
