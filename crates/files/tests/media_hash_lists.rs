//! Media hash lists of both versions: as they are written, and what is read of odd ones.

use files::algorithm::{alone, by_name};
use files::list::{Claim, Entry, Format, Grammar, Reader, Version, Writer};

const MD5: &str = "b1946ac92492d2347c6235b4d2611184";

fn entry(name: &str, digests: &[&str]) -> Entry {
    let digest = |name: &&str| by_name(name).unwrap();
    let claim = |name: &&str| Claim {
        digests: alone(digest(name)),
        value: digest(name).digest(b"hello\n"),
    };
    let modified = Some("2026-01-31T12:34:56Z".parse().unwrap());
    Entry {
        name: name.into(),
        claims: digests.iter().map(claim).collect(),
        size: Some(6),
        modified,
    }
}

fn written(version: Version, entry: &Entry) -> String {
    let mut writer = Writer::new(Vec::new(), Format::Mhl(version), &[]);
    writer.entry(entry).unwrap();
    writer.finish().unwrap();
    String::from_utf8(writer.into_inner()).unwrap()
}

/// What a list says, an entry after another, and the error that ends it.
fn read(list: &str) -> (Vec<Option<Entry>>, Option<String>) {
    let mut reader = Reader::named(list.as_bytes(), Grammar::ANY, "x.mhl");
    let mut found = Vec::new();
    loop {
        match reader.next_line() {
            Ok(Some(line)) => found.push(line.entry),
            Ok(None) => return (found, None),
            Err(error) => return (found, Some(error.to_string())),
        }
    }
}

/// The entry of a list whose only `<hash>` has these children.
fn hash(children: &str) -> Option<Entry> {
    let (mut found, error) = read(&format!("<hashlist>\n<hash>{children}</hash>\n</hashlist>\n"));
    assert_eq!((found.len(), error), (1, None), "{children}");
    found.remove(0)
}

fn error(list: &str) -> String {
    read(list).1.unwrap_or_else(|| panic!("no error: {list}"))
}

#[test]
fn both_versions_are_written_and_read_again() {
    let one = entry("a & b/<c>.mov", &["xxh64", "md5", "sha1", "xxh32"]);
    let list = written(Version::Mhl, &one);
    let times = "    <lastmodificationdate>2026-01-31T12:34:56+00:00</lastmodificationdate>\n";
    let file =
        format!("  <hash>\n    <file>a &amp; b/&lt;c&gt;.mov</file>\n    <size>6</size>\n{times}");
    assert!(
        list.starts_with(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<hashlist \
            version=\"1.1\">\n  <creatorinfo>\n"
        ),
        "{list}"
    );
    assert!(list.contains(&file) && list.ends_with("  </hash>\n</hashlist>\n"), "{list}");
    let number =
        u32::from_be_bytes(by_name("xxh32").unwrap().digest(b"hello\n")[..].try_into().unwrap());
    assert!(
        list.contains(&format!("    <md5>{MD5}</md5>\n"))
            && list.contains(&format!("    <xxhash>{number}</xxhash>\n"))
    );
    let [md5, sha1, xxh32, xxh64] =
        ["<md5>", "<sha1>", "<xxhash>", "<xxhash64be>"].map(|element| list.find(element).unwrap());
    assert!(md5 < sha1 && sha1 < xxh32 && xxh32 < xxh64);

    let two = entry("a", &["sha512", "xxh128", "xxh3", "md5"]);
    let asc = written(Version::Asc, &two);
    assert!(
        asc.contains(
            "    <hash>\n      <path size=\"6\" \
            lastmodificationdate=\"2026-01-31T12:34:56+00:00\">a</path>\n"
        ),
        "{asc}"
    );
    assert!(
        asc.contains("<c4 action=\"original\" hashdate=\"")
            && asc.contains("      <pattern>ascmhl/</pattern>\n")
    );
    assert!(asc.ends_with("    </hash>\n  </hashes>\n</hashlist>\n"));

    // The file was not as an earlier generation says.
    let failed = asc.replacen("action=\"original\"", "action=\"failed\"", 1);
    assert_eq!(read(&failed), (vec![None], None));

    for (expected, list) in [(one, list), (two, asc)] {
        let (mut found, error) = read(&list);
        assert_eq!((found.len(), error), (1, None));
        let found = found.remove(0).unwrap();
        assert_eq!(
            (&found.name, found.size, found.modified),
            (&expected.name, expected.size, expected.modified)
        );
        assert_eq!(found.claims.len(), 4);
        assert!(expected.claims.iter().all(|claim| found.claims.contains(claim)));
    }
    let untimed = Entry { modified: None, size: None, ..entry("a", &["md5"]) };
    assert!(written(Version::Mhl, &untimed).contains("<size>0</size>\n    <md5>"));
}

#[test]
fn digests_of_film_tools_are_read_in_their_spelling() {
    let value = |name: &str| by_name(name).unwrap().digest(b"hello\n");
    let be = hashdyno::hex(&value("xxh64"));
    let le = hashdyno::hex(&value("xxh64").iter().rev().copied().collect::<Vec<_>>());
    let number = u32::from_be_bytes(value("xxh32")[..].try_into().unwrap());
    let sha1 = hashdyno::hex(&value("sha1"));
    for (digest, element) in [
        ("xxh64", format!("<xxhash64be>{be}</xxhash64be>")),
        ("xxh64", format!("<xxhash64>{le}</xxhash64>")),
        ("xxh64", format!("<xxh64> {be}\n</xxh64>")),
        ("xxh32", format!("<xxhash>{number}</xxhash>")),
        ("sha1", format!("<sha1>{sha1}</sha1>")),
        ("sha1", format!("<x:sha1>{}</x:sha1>", sha1.to_uppercase())),
    ] {
        let entry =
            hash(&format!("<file>a</file>{element}")).unwrap_or_else(|| panic!("{element}"));
        assert_eq!(
            (entry.claims[0].digests[0].name, &entry.claims[0].value),
            (digest, &value(digest)),
            "{element}"
        );
        assert_eq!((entry.size, entry.modified), (None, None));
    }
    for broken in [
        "<md5>b1</md5>",
        "<md5></md5>",
        "<xxhash>-1</xxhash>",
        "<c4>c41</c4>",
        "<sha256>00</sha256>",
        "",
    ] {
        assert!(hash(&format!("<file>a</file>{broken}")).is_none(), "{broken}");
    }
    // Both spellings of one digest: one value, or no entry.
    let both = |be: &str, le: &str| {
        hash(&format!("<file>a</file><xxhash64be>{be}</xxhash64be><xxhash64>{le}</xxhash64>"))
    };
    assert_eq!(both(&be, &le).map(|entry| entry.claims.len()), Some(1));
    assert!(both(&be, &be).is_none());
    // An element that is no digest says nothing, but spoils nothing.
    assert!(hash(&format!("<file>a</file><comment>b</comment><md5>{MD5}</md5>")).is_some());
}

#[test]
fn only_children_of_a_hash_speak_of_its_file() {
    let md5 = format!("<md5>{MD5}</md5>");
    let name = |children: &str| {
        hash(&format!("{children}{md5}")).map(|entry| String::from_utf8(entry.name).unwrap())
    };
    assert_eq!(
        name("<file>a</file><metadata><path>b</path><size>7</size></metadata>").unwrap(),
        "a"
    );
    assert_eq!(name("<file>a</file><metadata>x<x><y/>z</x>w</metadata>").unwrap(), "a");
    assert_eq!(name("<file>a&amp;<![CDATA[<b>]]>&#x41;</file>").unwrap(), "a&<b>A");
    assert_eq!(name("text<file>a</file>text").unwrap(), "a");
    for broken in [
        "<file>a<b>c</b></file>",
        "<file>a<b>c</b>d</file>",
        "<file>a&foo;b</file>",
        "<file></file>",
        "<file>a&#0;</file>",
        "<file/>",
        "",
    ] {
        assert_eq!(name(broken), None, "{broken}");
    }
    assert!(hash(&format!("<file>a</file><md5>{MD5}<b/></md5>")).is_some());
    assert!(hash(&format!("<file>a</file><md5>{MD5}<b></b></md5>")).is_none());
    assert!(hash(&format!("<hash><file>a</file>{md5}</hash>")).is_none(), "a hash within a hash");
}

#[test]
fn sizes_and_times_are_children_or_attributes() {
    let md5 = format!("<md5>{MD5}</md5>");
    let of = |children: &str| {
        hash(&format!("{children}{md5}"))
            .map(|entry| (entry.size, entry.modified.map(|time| time.to_string())))
    };
    let time = "2026-01-31T12:34:56+01:00";
    let told = Some((Some(6), Some("2026-01-31T11:34:56Z".to_owned())));
    assert_eq!(
        of(&format!(
            "<file>a</file><size> 6 </size><lastmodificationdate> {time} </lastmodificationdate>"
        )),
        told
    );
    assert_eq!(
        of(&format!("<path size=\"6\" lastmodificationdate=\"{time}\" other=\"7\">a</path>")),
        told
    );
    let of_file = format!("<file size=\"7\" lastmodificationdate=\"{time}\">a</file>");
    assert_eq!(of(&of_file), Some((None, None)), "a path alone has attributes");
    assert_eq!(
        of("<file>a</file><lastmodificationdate>never</lastmodificationdate>"),
        Some((None, None))
    );
    for broken in [
        "<file>a</file><size>-6</size>",
        "<file>a</file><size>6.5</size>",
        "<path size=\"x\">a</path>",
    ] {
        assert_eq!(of(broken), None, "{broken}");
    }
}

#[test]
fn what_is_no_xml_is_told_with_its_line() {
    let head = "<?xml version=\"1.0\"?>\n<hashlist>\n";
    let one = format!("<hash><file>a</file>\n<md5>{MD5}</md5></hash>\n");
    for (list, told) in [
        (format!("{head}{one}"), "line 5: the list ends within <hashlist>"),
        (format!("{head}<hash>\n<file>a"), "line 4: the list ends within <file>"),
        (format!("{head}<hash>\n<fil"), "line 4: "),
        (format!("{head}<hash>\n<file a=\"b"), "line 4: "),
        (format!("{head}</hash>"), "line 3: </hash> where </hashlist> was expected"),
        (
            format!("{head}</hashlist>\n</hashlist>"),
            "line 4: </hashlist> of an element that was not opened",
        ),
        (format!("{head}<a b=\"<\">"), "line 3: <a>: `<` in an attribute"),
        (format!("{head}<a b=\"1\" b=\"2\"/>"), "line 3: <a>: "),
    ] {
        let error = error(&list);
        assert!(error.starts_with(told), "{error}: {list}");
    }
    let (found, error) = read(&format!("{head}{one}{one}</hashlist>"));
    assert_eq!((found.iter().flatten().count(), error), (2, None));
    let list = format!("{head}{one}{one}</hashlist>");
    let mut reader = Reader::named(list.as_bytes(), Grammar::ANY, "x.mhl");
    let mut number = || reader.next_line().unwrap().map(|line| line.number);
    assert_eq!([number(), number(), number()], [Some(1), Some(2), None]);
}

#[test]
fn what_is_kept_of_a_list_has_an_end() {
    let deep = |depth: usize| {
        format!("<hashlist>{}{}</hashlist>", "<a>".repeat(depth), "</a>".repeat(depth))
    };
    assert_eq!(read(&deep(63)), (vec![], None));
    assert!(error(&deep(64)).contains("more than 64 elements within each other"));
    let hash = |len: usize| {
        format!("<hash><file>a</file><md5>{MD5}</md5><comment>{}</comment></hash>", "c".repeat(len))
    };
    // A hash at a time has a mebibyte: two of them together have more.
    let (found, none) = read(&format!("<hashlist>{}{}</hashlist>", hash(900_000), hash(900_000)));
    assert_eq!((found.iter().flatten().count(), none), (2, None));
    for long in [
        hash(1_200_000),
        format!("<!--{}-->", "c".repeat(1_200_000)),
        "<a/>".repeat(3) + &"b".repeat(1_200_000),
    ] {
        let told = error(&format!("<hashlist>{long}{}</hashlist>", "d".repeat(1_200_000)));
        assert!(told.contains("an element or a comment longer than 1 MiB"), "{told}");
    }
}
