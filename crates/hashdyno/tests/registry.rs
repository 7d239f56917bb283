//! The table of digests says of each all that it must, once, and nothing twice.

#[path = "harness/facts.rs"]
#[allow(dead_code)]
mod facts;

use std::collections::{BTreeMap, BTreeSet};

use hashdyno::builder::Code;
use hashdyno::{ALL, Cores, Cpu, Features, MAX_BLOCK_LEN, MAX_OUTPUT_LEN, find};

/// Says what is wrong with every digest that is not `right`, all at once.
fn each(what: &str, right: impl Fn(&'static hashdyno::Digest) -> bool) {
    let wrong: Vec<_> =
        ALL.into_iter().filter(|digest| !right(digest)).map(|digest| digest.name).collect();
    assert!(wrong.is_empty(), "{what}: not so for {}", wrong.join(", "));
}

/// First word of each line.
#[cfg(feature = "full")]
fn names(file: &str) -> BTreeSet<String> {
    facts::read(file).into_iter().map(|mut words| words.swap_remove(0)).collect()
}

#[cfg(feature = "full")]
#[test]
fn there_are_at_least_a_hundred() {
    assert!(ALL.len() >= 100, "{} digests", ALL.len());
}

#[cfg(feature = "full")]
#[test]
fn all_of_phps_are_there_and_found_by_phps_names() {
    let php = names("php-algos.txt");
    assert_eq!(php.len(), 60);
    // PHP has one digest under two names.
    let spelling =
        |name: &str| if name == "snefru" { "snefru256".to_owned() } else { name.to_owned() };
    let wrong: Vec<_> = php
        .iter()
        .filter(|name| find(name).and_then(|digest| digest.spelling.php) != Some(&spelling(name)))
        .collect();
    assert!(wrong.is_empty(), "not found by PHP's name, or spelt otherwise: {wrong:?}");
    each("what is called PHP's is PHP's", |digest| {
        digest.spelling.php.is_none_or(|name| php.contains(name))
    });
}

#[cfg(feature = "full")]
#[test]
fn all_with_known_answers_are_there_and_none_lacks_them() {
    let known = names("sweeps.txt");
    let missing: Vec<_> = known
        .iter()
        .filter(|name| find(name).is_none_or(|digest| digest.name != name.as_str()))
        .collect();
    assert!(missing.is_empty(), "known answers, but no digest: {missing:?}");
    each("its answers are known", |digest| {
        known.contains(digest.name) && !facts::known(digest.name).is_empty()
    });
}

#[test]
fn what_takes_whole_messages_gives_the_digests_length() {
    let wrong = |digest: &hashdyno::Digest| {
        digest.kernels().any(|kernel| {
            matches!(
                kernel.code(),
                Code::OneShot(_, whole) if whole.output_len != digest.output_len
            )
        })
    };
    each("a kernel gives digests of its length", |digest| !wrong(digest));
}

#[test]
fn no_name_means_two_digests() {
    let mut owners = BTreeMap::<String, BTreeSet<&str>>::new();
    for digest in ALL {
        digest.names().for_each(|name| {
            owners.entry(name.to_ascii_lowercase()).or_default().insert(digest.name);
        });
    }
    owners.retain(|_, owners| owners.len() > 1);
    assert!(owners.is_empty(), "{owners:?}");
    let own: BTreeSet<_> = ALL.iter().map(|digest| digest.name).collect();
    assert_eq!(own.len(), ALL.len(), "a name is declared twice");
    each("its aliases differ from each other and from its name", |digest| {
        let all: BTreeSet<_> = digest.aliases.iter().chain([&digest.name]).collect();
        all.len() == digest.aliases.len() + 1
    });
}

#[test]
fn names_are_lower_case_with_hyphens() {
    let canonical = |name: &str| {
        let letters = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        name.split('-').all(letters) && name.as_bytes()[0].is_ascii_lowercase()
    };
    each("its name is lower case with hyphens", |digest| canonical(digest.name));
    each("its family is lower case with hyphens", |digest| canonical(digest.family));
    each("no name has white space", |digest| {
        digest.names().all(|name| !name.is_empty() && !name.contains(char::is_whitespace))
    });
}

#[test]
fn a_digest_is_found_by_each_of_its_names_in_any_case() {
    each("it is found by all of its names", |digest| {
        let cases =
            |name: &str| [name.to_owned(), name.to_ascii_uppercase(), name.to_ascii_lowercase()];
        digest.names().flat_map(cases).all(|name| find(&name) == Some(digest))
    });
    for no_name in ["", " ", "md", "md55", "md5 ", "sha-0", "sha256\0"] {
        assert_eq!(find(no_name), None, "{no_name:?}");
    }
}

#[test]
fn lengths_fit() {
    each("its output fits", |digest| (1..=MAX_OUTPUT_LEN).contains(&digest.output_len));
    each("its block fits", |digest| (1..=MAX_BLOCK_LEN).contains(&digest.block_len));
    let is_output = |hex: &str, len: usize| {
        hex.len() == 2 * len
            && hex.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    let answers = |digest: &hashdyno::Digest| [digest.check(), digest.sweep()];
    each("its known answers are as long as its output", |digest| {
        answers(digest).iter().all(|hex| hex.is_some_and(|hex| is_output(hex, digest.output_len)))
    });
    let made = find("blake2b-200");
    assert!(made.is_none_or(|digest| answers(digest) == [None, None]), "nobody was asked");
}

#[test]
fn where_it_is_specified_is_said() {
    each("a document is named", |digest| !digest.specified_in.trim().is_empty());
    each("a family is named", |digest| !digest.family.is_empty());
}

#[test]
fn the_last_kernel_needs_nothing() {
    each("its last kernel needs nothing", |digest| {
        digest.one.last().is_some_and(|kernel| kernel.needs() == Features::empty())
    });
    each("its kernels have different names", |digest| {
        let names: BTreeSet<_> = digest.kernels().map(|kernel| kernel.name()).collect();
        names.len() == digest.kernels().count()
    });
    let none = Cpu::native().masked("none").unwrap();
    each("a CPU without features gets a kernel", |digest| {
        digest.bind(&none).name() == first_needing_nothing(digest)
    });
}

/// The first kernel for one message that needs nothing: what any CPU can run, the best of it first.
fn first_needing_nothing(digest: &hashdyno::Digest) -> &'static str {
    digest.one.iter().find(|kernel| kernel.needs().is_empty()).expect("there is one").name()
}

#[test]
fn each_list_has_its_kind_of_kernels() {
    each("its kernels for one take one, those for many take many", |digest| {
        let takes_many = |kernel: &hashdyno::Kernel| matches!(kernel.code(), Code::Lanes(..));
        digest.many.iter().all(takes_many) && !digest.one.iter().any(takes_many)
    });
}

#[test]
fn every_core_has_a_kernel_that_suits_it_and_needs_nothing() {
    each("a kernel needs nothing and suits every core", |digest| {
        digest.one.iter().any(|kernel| kernel.needs().is_empty() && kernel.suits() == Cores::all())
    });
}

#[cfg(feature = "blake2")]
#[test]
fn blake2b_has_every_length() {
    use hashdyno::{blake2b, hex};
    for bits in (8..=512).step_by(8) {
        let digest = blake2b(bits).expect("it has every length");
        assert_eq!(
            (digest.name, digest.output_len),
            (format!("blake2b-{bits}").as_str(), bits / 8)
        );
        assert_eq!(blake2b(bits), Some(digest));
        assert!(
            find(digest.name).is_none_or(|known| known == digest),
            "{bits}: the one of the table"
        );
    }
    // b2sum -l 8, and -l 504 of the same line.
    assert_eq!(hex(&blake2b(8).unwrap().digest(b"hello\n")), "27");
    assert!([0, 4, 12, 520].iter().all(|&bits| blake2b(bits).is_none()));
}
