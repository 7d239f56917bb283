//! Lists as they are written, byte for byte, and as they are read again.

use std::io::{self, Read};

use files::algorithm::{alone, blake2b, by_name};
use files::list::{
    Algorithm, Claim, Entry, Format, Grammar, Line, Note, Reader, Version, WriteError, Writer,
};
use hashdyno::Digest;

const HELLO: &[u8] = b"hello\n";
const MD5: &str = "b1946ac92492d2347c6235b4d2611184";

fn digest(name: &str) -> &'static Digest {
    by_name(name).unwrap()
}

/// What is known of a file of that name that holds `hello`.
fn entry(name: impl AsRef<[u8]>, digests: &[&str]) -> Entry {
    let claim =
        |name: &&str| Claim { digests: alone(digest(name)), value: digest(name).digest(HELLO) };
    Entry {
        name: name.as_ref().to_vec(),
        claims: digests.iter().map(claim).collect(),
        size: Some(6),
        modified: None,
    }
}

fn try_write(format: Format, zero: bool, entry: &Entry) -> Result<Vec<u8>, WriteError> {
    let digests: Vec<_> = entry.claims.iter().map(|claim| claim.digests[0]).collect();
    let mut writer = Writer::new(Vec::new(), format, &digests).zero(zero);
    writer.start(b"/home/a b", b"hashdeep -c\nmd5")?;
    writer.entry(entry)?;
    writer.finish()?;
    Ok(writer.into_inner())
}

fn written(format: Format, entry: &Entry) -> String {
    String::from_utf8(try_write(format, false, entry).unwrap()).unwrap()
}

/// Every line of a list of that name.
fn lines(grammar: Grammar, name: &str, list: &[u8]) -> Vec<Line> {
    let mut reader = Reader::named(list, grammar, name);
    std::iter::from_fn(|| reader.next_line().unwrap()).collect()
}

/// The names and digests of the entries of a list; `None` of what is no entry.
fn read(name: &str, list: &[u8]) -> Vec<Option<(String, Vec<&'static str>)>> {
    let digests = |entry: &Entry| entry.claims.iter().map(|claim| claim.digests[0].name).collect();
    let said = |entry: Entry| (String::from_utf8_lossy(&entry.name).into_owned(), digests(&entry));
    lines(Grammar::ANY, name, list).into_iter().map(|line| line.entry.map(said)).collect()
}

fn only(algorithm: Algorithm) -> Grammar {
    Grammar { algorithm, exact: true, base64: false, least: 0 }
}

#[test]
fn every_dialect_of_lines_is_written_byte_for_byte() {
    let md5 = |format| written(format, &entry("a b", &["md5"]));
    assert_eq!(md5(Format::Gnu { binary: false }), format!("{MD5}  a b\n"));
    assert_eq!(md5(Format::Gnu { binary: true }), format!("{MD5} *a b\n"));
    assert_eq!(md5(Format::Tagged), format!("MD5 (a b) = {MD5}\n"));
    assert_eq!(md5(Format::Reversed), format!("{MD5} a b\n"));
    assert_eq!(md5(Format::Bare), format!("{MD5}\n"));
    assert_eq!(md5(Format::Bagit), format!("{MD5}  a b\n"));
    assert_eq!(
        md5(Format::Json),
        format!("{{\"digests\":{{\"md5\":\"{MD5}\"}},\"name\":\"a b\",\"size\":6}}\n")
    );
    assert_eq!(written(Format::Sfv, &entry("a b", &["crc32"])), "a b 363A3020\n");
    let two = written(Format::Gnu { binary: false }, &entry("a", &["md5", "crc32"]));
    assert_eq!(two, format!("{MD5}  a\n363a3020  a\n"));
    let mut base64 =
        Writer::new(Vec::new(), Format::Gnu { binary: false }, &[digest("md5")]).base64(true);
    base64.entry(&entry("a", &["md5"])).unwrap();
    assert_eq!(base64.into_inner(), b"sZRqySSS0jR8YjW00mERhA==  a\n");
}

#[test]
fn names_are_escaped_where_the_dialect_escapes() {
    let odd = entry("a\\b\nc\rd", &["md5"]);
    assert_eq!(written(Format::Gnu { binary: false }, &odd), format!("\\{MD5}  a\\\\b\\nc\\rd\n"));
    assert_eq!(written(Format::Tagged, &odd), format!("\\MD5 (a\\\\b\\nc\\rd) = {MD5}\n"));
    assert_eq!(written(Format::Reversed, &odd), format!("\\{MD5} a\\\\b\\nc\\rd\n"));
    assert_eq!(
        written(Format::Bagit, &entry("50%\r\n", &["md5"])),
        format!("{MD5}  50%25%0D%0A\n")
    );
    let zero = try_write(Format::Gnu { binary: false }, true, &odd).unwrap();
    assert_eq!(zero, format!("{MD5}  a\\b\nc\rd\0").into_bytes());
}

#[test]
fn decimal_values_are_those_of_cksum_and_sum() {
    let of = |name: &str, size, named| {
        written(Format::Decimal { named }, &Entry { size: Some(size), ..entry("a", &[name]) })
    };
    // printf 'hello\n' | cksum; sum -r; sum -s
    assert_eq!(of("cksum", 6, true), "3015617425 6 a\n");
    assert_eq!(of("cksum", 6, false), "3015617425 6\n");
    assert_eq!(of("sum-bsd", 1025, true), "36979     2 a\n");
    assert_eq!(of("sum-sysv", 1025, true), "542 3 a\n");
}

#[test]
fn hashdeep_says_its_columns_and_its_command() {
    let list = written(Format::Hashdeep, &entry("a,b", &["md5", "tiger192-3"]));
    let tiger = hashdyno::hex(&digest("tiger192-3").digest(HELLO));
    let head = "%%%% HASHDEEP-1.0\n%%%% size,md5,tiger,filename\n## Invoked from: /home/a b\n## # \
        hashdeep -c\\nmd5\n##\n";
    assert_eq!(list, format!("{head}6,{MD5},{tiger},a,b\n"));
    assert_eq!(read("x", list.as_bytes()), [Some(("a,b".to_owned(), vec!["md5", "tiger192-3"]))]);
    assert!(!written(Format::Json, &entry("a", &["md5"])).contains('%'));
    for columns in
        ["size,md5,md5,filename", "size,md5,nothing,filename", "md5,filename", "size,md5,name"]
    {
        let list = format!("%%%% HASHDEEP-1.0\n%%%% {columns}\n6,{MD5},{MD5},a\n");
        assert_eq!(read("x", list.as_bytes()), [None], "{columns}");
    }
    let row = |row: &str| {
        read("x", format!("%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n{row}\n").as_bytes())
    };
    for bad in [
        format!("6,{MD5},"),
        format!("6,{MD5}"),
        format!("x,{MD5},a"),
        "6,b1,a".to_owned(),
        format!("6,{MD5},a\0b"),
    ] {
        assert_eq!(row(&bad), [None], "{bad}");
    }
}

#[test]
fn names_that_a_dialect_cannot_carry_are_refused() {
    let mhl = [Format::Mhl(Version::Mhl), Format::Mhl(Version::Asc)];
    let refused =
        |format, name: &[u8]| match try_write(format, false, &entry(name, &["md5", "crc32"])) {
            Err(WriteError::Name(reason)) => {
                assert_eq!(WriteError::Name(reason).to_string(), reason);
                true
            }
            written => written.map(|_| false).unwrap(),
        };
    for name in [&b"a\nb"[..], b"a\rb", b";a"] {
        assert!(refused(Format::Sfv, name), "{name:?}");
    }
    assert!(refused(Format::Hashdeep, b"a\nb") && !refused(Format::Hashdeep, b"a\rb"));
    assert!(refused(Format::Bagit, b"\xff") && !refused(Format::Bagit, "é".as_bytes()));
    for format in mhl {
        let broken = [
            &b"\xff"[..],
            b"a\nb",
            b"\x7f",
            "\u{fffe}".as_bytes(),
            "\u{ffff}".as_bytes(),
            "\u{85}".as_bytes(),
        ];
        assert!(broken.iter().all(|name| refused(format, name)));
        assert!(!refused(format, "é & <b>".as_bytes()));
    }
    for name in [&b"a;b"[..], b"\xff", b"a;"] {
        assert!(!refused(Format::Sfv, name), "{name:?}");
    }
    let failed = WriteError::from(io::Error::other("the disk is full"));
    assert_eq!(failed.to_string(), "the disk is full");
}

#[test]
fn a_format_has_the_digests_that_its_programs_know() {
    let has = |format: Format, names: &[&str]| {
        names.iter().map(|name| format.has(digest(name))).collect::<Vec<_>>()
    };
    assert_eq!(has(Format::Sfv, &["crc32", "md5"]), [true, false]);
    assert_eq!(has(Format::Json, &["crc32", "gost"]), [true, true]);
    let names = ["md5", "sha1", "xxh64", "xxh32", "sha512", "xxh3", "xxh128", "sha256"];
    assert_eq!(
        has(Format::Mhl(Version::Mhl), &names),
        [true, true, true, true, false, false, false, false]
    );
    assert_eq!(
        has(Format::Mhl(Version::Asc), &names),
        [true, true, true, true, true, true, true, false]
    );
}

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
    assert!(reader.next_line().is_err(), "the first look at a list is told");
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
        read("manifest-md5.txt", format!("{MD5}\ta\n").as_bytes())[0].as_ref().unwrap().0,
        "a"
    );
    assert_eq!(read("manifest-sha1.txt", format!("{MD5} a\n").as_bytes()), [None]);
}
