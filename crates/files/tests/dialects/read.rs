//! Lists as they are read.

use super::*;

#[test]
fn a_reader_says_in_which_dialect_to_go_on() {
    let gnu = |binary| Some((Format::Gnu { binary }, false));
    let cases = [
        (format!("{MD5}  a\n"), "L", gnu(false)),
        (format!("{MD5} *a\n{MD5}  b\n"), "L", gnu(true)),
        (format!("{MD5} a\n"), "L", Some((Format::Reversed, false))),
        (format!("MD5 (a) = {MD5}\n"), "L", Some((Format::Tagged, false))),
        ("a 363A3020\n".to_owned(), "L", Some((Format::Sfv, false))),
        ("a 363A3020\n".to_owned(), "x.sfv", Some((Format::Sfv, false))),
        (format!("{MD5}  data/a\n"), "tagmanifest-md5.txt", Some((Format::Bagit, false))),
        (
            format!("{{\"name\":\"a\",\"digests\":{{\"md5\":\"{MD5}\"}}}}\n"),
            "L",
            Some((Format::Json, false)),
        ),
        (format!("{MD5}  a\0{MD5}  b\0"), "L", Some((Format::Gnu { binary: false }, true))),
        (format!("MD5 (a) = {MD5}\0"), "L", Some((Format::Tagged, true))),
        (
            format!("%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n6,{MD5},a\n"),
            "L",
            Some((Format::Hashdeep, false)),
        ),
        (
            format!("<hashlist><hash><file>a</file><md5>{MD5}</md5></hash></hashlist>"),
            "L",
            Some((Format::Mhl(Version::Mhl), false)),
        ),
        ("no list\n".to_owned(), "L", None),
    ];
    for (list, name, format) in cases {
        let mut reader = Reader::named(list.as_bytes(), Grammar::ANY, name);
        while reader.next_line().unwrap().is_some() {}
        assert_eq!(reader.format(), format, "{list}");
    }
}

#[test]
fn lines_are_counted_and_comments_say_nothing() {
    let list = format!("\n# comment\r\n; comment\n{MD5}  a\n\r\n#b\n{MD5}  c\r\nno entry\n");
    let found: Vec<_> = lines(Grammar::ANY, "L", list.as_bytes())
        .into_iter()
        .map(|line| (line.number, line.entry.is_some()))
        .collect();
    assert_eq!(found, [(4, true), (7, true), (8, false)]);
    let sfv = lines(Grammar::ANY, "x.sfv", b"; comment\na 363A3020\n");
    assert_eq!(sfv.len(), 1);
    // GNU's tools know `#` alone.
    let exact = lines(
        only(Algorithm::One(digest("md5"))),
        "L",
        format!("; comment\n# comment\n{MD5}  a\n").as_bytes(),
    );
    assert_eq!(exact.iter().map(|line| line.entry.is_some()).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn the_longest_line_has_a_mebibyte() {
    for (more, accepted) in [(0, true), (1, false)] {
        let name = "n".repeat((1 << 20) - MD5.len() - 2 + more);
        let list = format!("{MD5}  {name}\n{MD5}  b\n");
        let found = lines(Grammar::ANY, "L", list.as_bytes());
        assert_eq!(
            found.iter().map(|line| line.entry.is_some()).collect::<Vec<_>>(),
            [accepted, true]
        );
    }
}

#[test]
fn an_interrupted_read_is_read_again() {
    struct Interrupted<'a>(&'a [u8], bool);
    impl Read for Interrupted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                self.0.read(&mut buffer[..1])
            } else {
                Err(io::ErrorKind::Interrupted.into())
            }
        }
    }
    let list = format!("{MD5}  a\n");
    let mut reader =
        Reader::new(Interrupted(list.as_bytes(), false), only(Algorithm::One(digest("md5"))));
    while reader.next_line().is_err() {}
    assert_eq!(reader.next_line().unwrap(), None);
    let mut reader =
        Reader::new(Interrupted(list.as_bytes(), true), only(Algorithm::One(digest("md5"))));
    assert!(reader.next_line().unwrap().is_some(), "nor does the first look at a list fail");
}

#[test]
fn a_read_that_fails_is_an_error() {
    /// Fails once, and then is at its end.
    struct FailsOnce(bool);
    impl Read for FailsOnce {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, false) {
                Err(io::ErrorKind::Other.into())
            } else {
                Ok(0)
            }
        }
    }
    // Longer than the first look at a list.
    let list = format!("{MD5}  a\n").repeat(50_000);
    let source = list.as_bytes().chain(FailsOnce(true));
    let mut reader = Reader::new(source, only(Algorithm::One(digest("md5"))));
    let last = loop {
        match reader.next_line() {
            Ok(Some(_)) => {}
            last => break last,
        }
    };
    assert_eq!(last.err().map(|error| error.kind()), Some(io::ErrorKind::Other));
}

#[test]
fn marks_of_an_encoding_are_told() {
    let note = |list: &[u8]| {
        let mut reader = Reader::new(list, Grammar::ANY);
        let found = reader.next_line().unwrap().is_some();
        (reader.note(), found)
    };
    let line = format!("{MD5}  a\n");
    assert_eq!(note(line.as_bytes()), (None, true));
    assert_eq!(
        note(&[b"\xef\xbb\xbf", line.as_bytes()].concat()),
        (Some(Note::ByteOrderMark), true)
    );
    assert_eq!(note(&[b"\xff\xfe", line.as_bytes()].concat()), (Some(Note::Utf16), false));
    assert_eq!(note(&[b"\xfe\xff", line.as_bytes()].concat()), (Some(Note::Utf16), false));
}

#[test]
fn nul_ends_lines_of_a_list_that_ends_with_it_or_is_longer_than_was_looked_at() {
    let line = |name: &str| format!("{MD5}  {name}\0");
    let long: String = (0..3000).map(|at| line(&at.to_string())).collect();
    assert_eq!(lines(Grammar::ANY, "L", long.as_bytes()).len(), 3000);
    // Its last line is cut, but so is what was looked at.
    assert_eq!(lines(Grammar::ANY, "L", format!("{long}{MD5}  last").as_bytes()).len(), 3001);
    // A list with line feeds may have a NUL in it.
    assert_eq!(read("L", format!("{MD5}  a\0rest").as_bytes()), [None]);
    assert_eq!(read("L", format!("{MD5}  a\n{MD5}  b\0\0").as_bytes()).len(), 2);
    // What GNU's tools escape is not escaped here.
    assert_eq!(read("L", format!("\\{MD5}  a\0").as_bytes()), [None]);
    let exact = lines(only(Algorithm::One(digest("md5"))), "L", line("a").as_bytes());
    assert!(exact[0].entry.is_none());
}

#[test]
fn an_entry_has_each_digest_once() {
    let other = "0".repeat(32);
    let json = |second: &str| {
        format!("{{\"name\":\"a\",\"digests\":{{\"md5\":\"{MD5}\",\"MD5\":\"{second}\"}}}}\n")
    };
    assert_eq!(read("L", json(MD5).as_bytes()), [Some(("a".to_owned(), vec!["md5"]))]);
    assert_eq!(read("L", json(&other).as_bytes()), [None]);
}

#[test]
fn json_lines_carry_every_name() {
    for name in [&b"a"[..], b"\xff\xfe", "é\n\"".as_bytes()] {
        let entry = Entry {
            modified: Some("2026-01-31T12:00:00.5Z".parse().unwrap()),
            ..entry(name, &["md5", "crc32"])
        };
        let list = try_write(Format::Json, false, &entry).unwrap();
        let [line] = lines(Grammar::ANY, "L", &list).try_into().unwrap();
        let read = line.entry.unwrap();
        assert_eq!(
            (&read.name, read.size, read.modified),
            (&entry.name, entry.size, entry.modified)
        );
        assert_eq!(read.claims.len(), 2);
        assert!(entry.claims.iter().all(|claim| read.claims.contains(claim)));
    }
    let digests = format!("\"digests\":{{\"md5\":\"{MD5}\"}}");
    assert_eq!(
        read("L", format!("{{\"name_bytes\":\"ff61\",{digests}}}\n").as_bytes())[0]
            .as_ref()
            .unwrap()
            .0,
        "\u{fffd}a"
    );
    let broken = [
        format!("{{{digests}}}"),
        format!("{{\"name\":\"\",{digests}}}"),
        format!("{{\"name\":\"a\\u0000b\",{digests}}}"),
        format!("{{\"name\":\"a\",\"name_bytes\":\"61\",{digests}}}"),
        format!("{{\"name\":\"a\",\"size\":-6,{digests}}}"),
        format!("{{\"name_bytes\":\"6\",{digests}}}"),
        "{\"name\":\"a\",\"digests\":{}}".to_owned(),
        "{\"name\":\"a\",\"digests\":[]}".to_owned(),
        format!("{{\"name\":\"a\",\"digests\":{{\"md5\":\"{}\"}}}}", &MD5[2..]),
        format!("{{\"name\":\"a\",\"digests\":{{\"nothing\":\"{MD5}\"}}}}"),
    ];
    for line in broken {
        assert_eq!(read("L", line.as_bytes()), [None], "{line}");
    }
}

#[test]
fn a_grammar_admits_the_digests_that_were_asked_for() {
    let accepts = |grammar: Grammar, line: &str| {
        let line = Reader::new(line.as_bytes(), grammar).next_line().unwrap();
        line.unwrap().entry.map(|entry| entry.claims[0].digests[0].name)
    };
    let tagged = format!("MD5 (a) = {MD5}");
    let untagged = format!("{MD5}  a");
    let blake = |bits| hashdyno::hex(&blake2b(bits).unwrap().digest(HELLO));
    for (grammar, line, digest) in [
        (only(Algorithm::Tagged), &tagged, Some("md5")),
        (only(Algorithm::Tagged), &untagged, None),
        (only(Algorithm::One(digest("sha256"))), &tagged, None),
        (only(Algorithm::One(digest("md5"))), &tagged, Some("md5")),
        (only(Algorithm::One(digest("md5"))), &format!("md5:{MD5}  a"), None),
        (
            Grammar { exact: false, ..only(Algorithm::One(digest("md5"))) },
            &format!("md5:{MD5}  a"),
            Some("md5"),
        ),
        (only(Algorithm::Blake2b), &tagged, None),
        (
            only(Algorithm::Blake2b),
            &format!("BLAKE2b-256 (a) = {}", blake(256)),
            Some("blake2b-256"),
        ),
        (only(Algorithm::Blake2b), &format!("{}  a", blake(256)), Some("blake2b-256")),
        (only(Algorithm::Blake2b), &format!("{}  a", blake(512)), Some("blake2b-512")),
        (only(Algorithm::Blake2b), &"b1946ac92  a".to_owned(), None),
        (
            Grammar { base64: true, ..only(Algorithm::One(digest("md5"))) },
            &"sZRqySSS0jR8YjW00mERhA==  a".to_owned(),
            Some("md5"),
        ),
        (
            Grammar { algorithm: Algorithm::Blake2b, ..Grammar::ANY },
            &format!("{}\ta", blake(8)),
            Some("blake2b-8"),
        ),
        (Grammar::ANY, &format!("{MD5}\t*a"), Some("md5")),
        (Grammar::ANY, &"crc32(a)= 36:3a:30:20".to_owned(), Some("crc32b")),
        (Grammar::ANY, &"crc32(a)= 363a:3020".to_owned(), None),
        (Grammar { exact: true, ..Grammar::ANY }, &"CRC32 (a) = 36:3a:30:20".to_owned(), None),
        (
            Grammar { base64: false, ..Grammar::ANY },
            &"sZRqySSS0jR8YjW00mERhA==  a".to_owned(),
            None,
        ),
        (Grammar { least: 16, ..Grammar::ANY }, &untagged, Some("md5")),
        (Grammar { least: 17, ..Grammar::ANY }, &untagged, None),
        (
            Grammar { algorithm: Algorithm::One(digest("sha256")), ..Grammar::ANY },
            &"a 363A3020".to_owned(),
            None,
        ),
    ] {
        assert_eq!(accepts(grammar, line), digest, "{line}");
    }
}

#[test]
fn a_digest_that_is_told_is_taken_where_the_length_is_its_own() {
    let aich = hashdyno::composite::find("aich").expect("it is a composite digest");
    let hex = "e".repeat(64);
    for (told, value, digest) in [
        (digest("sha3-256"), &hex[..], "sha3-256"),
        // In Base64 they would be the 48 bytes of a SHA-384.
        (digest("sha384"), &hex, "sha256"),
        (digest("sha256"), MD5, "md5"),
        // In Base32. In Base64 they would be the 24 bytes of a Tiger.
        (Method::from(*aich), &hex[..32].to_uppercase(), "aich"),
    ] {
        let grammar = Grammar { algorithm: Algorithm::Told(told), ..Grammar::ANY };
        let line = &lines(grammar, "list", format!("{value}  a").as_bytes())[0];
        let claim = &line.entry.as_ref().expect("it is a line of a list").claims[0];
        assert_eq!(claim.digests[0].name, digest, "{value}");
    }
}

/// A digest without a key, which anybody can compute, is never taken for a code.
#[test]
fn a_grammar_of_codes_admits_no_digest() {
    let secret = Secret::new(Zeroizing::new(b"key".to_vec()));
    let [md5, blake3] = ["md5", "blake3"].map(|name| by_name(name).unwrap());
    let hmac = Method::from(secret.keyed(Mode::Hmac, md5));
    let any = Grammar { algorithm: Algorithm::Keyed(secret.clone()), ..Grammar::ANY };
    let one = Grammar { algorithm: Algorithm::One(hmac), ..Grammar::ANY };
    let json = |names: &[&str]| {
        let digests: Vec<_> = names.iter().map(|name| format!("\"{name}\":\"{MD5}\"")).collect();
        format!("{{\"name\":\"a\",\"digests\":{{{}}}}}", digests.join(","))
    };
    let said = |grammar: &Grammar, list: &str, name: &str| {
        let claims = |entry: Entry| {
            entry.claims.iter().map(|claim| claim.digests[0].name).collect::<Vec<_>>()
        };
        lines(grammar.clone(), name, list.as_bytes()).remove(0).entry.map(claims)
    };
    for line in [
        format!("HMAC-MD5 (a) = {MD5}"),
        format!("HMAC-MD5(a)= {MD5}"),
        "hmac-md5 (a) = sZRqySSS0jR8YjW00mERhA==".to_owned(),
        json(&["hmac-md5"]),
    ] {
        for name in ["L", "x.sfv", "manifest-md5.txt"] {
            assert_eq!(said(&any, &line, name), Some(vec!["hmac-md5"]), "{line}");
            assert_eq!(said(&one, &line, name), Some(vec!["hmac-md5"]), "{line}");
        }
        assert_eq!(said(&Grammar::ANY, &line, "L"), None, "without a key");
    }
    for line in [
        format!("MD5 (a) = {MD5}"),
        format!("md5:{MD5}  a"),
        json(&["md5"]),
        json(&["hmac-md5", "md5"]),
        "a 363A3020".to_owned(),
        format!("%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n6,{MD5},a"),
        format!(
            "<?xml version=\"1.0\"?>\n<hashlist><hash><file>a</file><md5>{MD5}</md5></hash>\
             </hashlist>"
        ),
        format!("KEYED-TTH (a) = {MD5}"),
    ] {
        for name in ["L", "x.sfv", "manifest-md5.txt"] {
            assert_eq!(said(&any, &line, name), None, "{line}");
        }
    }
    // Of one code a line need not say which.
    let untagged = format!("{MD5}  a");
    assert_eq!(said(&any, &untagged, "L"), None);
    assert_eq!(said(&one, &untagged, "L"), Some(vec!["hmac-md5"]));
    for line in [format!("MD5 (a) = {MD5}"), json(&["md5"]), format!("HMAC-SHA1 (a) = {MD5}")] {
        assert_eq!(said(&one, &line, "L"), None, "{line}");
    }
    let keyed = format!("KEYED-BLAKE3 (a) = {}", hashdyno::hex(&blake3.digest(HELLO)));
    assert_eq!(said(&any, &keyed, "L"), Some(vec!["keyed-blake3"]));
    assert_eq!(said(&one, &keyed, "L"), None);
}

#[test]
fn a_list_that_says_its_digest_passes_by_no_shorter_one() {
    for (name, accepted) in [
        ("SHA1SUMS", false),
        ("MD5SUMS", true),
        ("dir/MD5SUMS", true),
        ("list", true),
        ("x.crc32", true),
    ] {
        assert_eq!(read(name, format!("{MD5}  a\n").as_bytes())[0].is_some(), accepted, "{name}");
    }
    assert_eq!(read("MD5SUMS", b"a 363A3020\n"), [None]);
    assert!(read("x.sfv", b"a 363A3020\n")[0].is_some());
    assert_eq!(read("x.sfv", b"a\0 363A3020\n"), [None]);
}

#[test]
fn of_several_digests_the_length_of_a_value_tells_which() {
    for name in ["sha1", "sha256"] {
        let value = hashdyno::hex(&by_name(name).unwrap().digest(HELLO));
        let grammar = only(Algorithm::Among(&["sha1", "sha256"]));
        let entry = lines(grammar, "L", format!("{value}  a\n").as_bytes()).remove(0).entry;
        assert_eq!(entry.unwrap().claims[0].digests[0].name, name);
    }
}

#[test]
fn bagit_undoes_three_encodings_and_no_other() {
    let md5 = |name: &str| {
        read("manifest-md5.txt", format!("{MD5} {name}\n").as_bytes())
            .remove(0)
            .map(|(name, _)| name)
    };
    for (written, name) in [
        ("a%0Ab%0ac", "a\nb\nc"),
        ("%0D%0d", "\r\r"),
        ("%250A", "%0A"),
        ("%20%", "%20%"),
        ("100%2", "100%2"),
        ("*a", "a"),
        ("  a", "a"),
    ] {
        assert_eq!(md5(written).unwrap(), name);
    }
    assert!(md5("").is_none() && md5("*").is_none() && md5("a\0").is_none());
    assert_eq!(
        read("manifest-md5.txt", format!("{MD5}\ta\n").as_bytes()),
        [Some(("a".to_owned(), vec!["md5"]))]
    );
    assert_eq!(read("manifest-sha1.txt", format!("{MD5} a\n").as_bytes()), [None]);
}
