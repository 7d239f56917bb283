//! Studies that cannot be run or told of: each is an error that says what was expected.

use bench::Study;
use bench::study::{Source, Table, Unit};

/// A study with a table of each kind, right as it stands.
const STUDY: &str = "
title = 'T'
source = 'S'
question = 'Q'
[[table]]
id = 'small'
title = 'Small'
algorithms = ['md5']
sizes = [5]
providers = ['ours']
unit = 'seconds'
iterations = 5000
[[files]]
id = 'tree'
title = 'Tree'
measures = 'tree'
algorithms = ['md5']
providers = ['python']
photos = { count = 5, from = 4000, to = 6000 }
rounds = 2
quick = { rounds = 1, photos = 2 }
";

/// Asserts that the study is refused in these words where `from` is replaced by `to`.
#[track_caller]
fn refused(from: &str, to: &str, words: &str) {
    assert!(STUDY.contains(from), "{from}");
    let error = Study::parse("bad", &STUDY.replacen(from, to, 1)).expect_err(to).to_string();
    assert!(error.contains(words), "{error}");
}

#[test]
fn messages_of_a_digest_have_a_longest_length() {
    Study::parse("good", &STUDY.replacen("[5]", "[1073741824]", 1))
        .unwrap_or_else(|error| panic!("{error}"));
    for size in ["1073741825", "1099511627776", "18446744073709551615"] {
        let words =
            format!("names {size} bytes for 'md5': expected 1 GiB (1073741824 bytes) at most");
        refused("[5]", &format!("[{size}]"), &words);
    }
}

#[test]
fn so_have_those_of_the_command_line() {
    let mut table = Table::new("speed", "Speed", Unit::GigabytesPerSecond);
    table.algorithms = vec!["md5".to_owned()];
    table.providers = vec![Source::from("hashdyno".to_owned())];
    table.sizes = vec![1 << 40];
    let error = Study::new("speed", "Speed", "How fast?", vec![table])
        .check()
        .expect_err("too long")
        .to_string();
    assert!(error.contains("1099511627776 bytes for 'md5': expected 1 GiB"), "{error}");
}

#[test]
fn what_is_counted_is_there() {
    refused(
        "iterations = 5000",
        "iterations = 0",
        "iterations = 0 in the table 'small': expected one call at least",
    );
    refused("['ours']", "[]", "no provider in the table 'small': expected one at least");
    refused("['python']", "[]", "the files table 'tree': expected one provider at least");
    refused("rounds = 2", "rounds = 0", "the files table 'tree': expected 1 to 1000000 rounds");
    refused("{ rounds = 1,", "{ rounds = 0,", "expected 1 to 1000000 rounds");
    refused("rounds = 2", "rounds = 4294967295", "expected 1 to 1000000 rounds");
    refused("count = 5", "count = 0", "of 1 to 1000000 photographs");
    refused("photos = 2", "photos = 0", "of 1 to 1000000 photographs");
    refused("count = 5", "count = 18446744073709551615", "of 1 to 1000000 photographs");
}

#[test]
fn a_photograph_has_a_longest_length() {
    let study = STUDY.replacen("to = 6000", "to = 1000000000", 1);
    Study::parse("good", &study).unwrap_or_else(|error| panic!("{error}"));
    let words = "photographs, of 1000000000 bytes at most";
    refused("to = 6000", "to = 1000000001", words);
    refused("from = 4000, to = 6000", "from = 13000000000, to = 14000000000", words);
}
