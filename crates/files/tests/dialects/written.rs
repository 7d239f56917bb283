//! Lists as they are written.

use super::*;

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
    let tiger = hashdyno::hex(&by_name("tiger192-3").unwrap().digest(HELLO));
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
    for name in [&b"a\nb"[..], b"a\rb", b";a", b"#a"] {
        assert!(refused(Format::Sfv, name), "{name:?}");
    }
    assert!(refused(Format::Hashdeep, b"a\nb") && !refused(Format::Hashdeep, b"a\rb"));
    assert!(refused(Format::Hashdeep, b"ab\r"), "a reader would take it for the line's end");
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
    // Readers would take the first character for a mark, or for what stands before the name.
    for name in [&b" a"[..], b"*a", b"*", b" *\n"] {
        assert!(refused(Format::Reversed, name) && refused(Format::Bagit, name), "{name:?}");
    }
    assert!(refused(Format::Bagit, b"\ta"));
    let list = try_write(Format::Reversed, false, &entry("\ta", &["md5"])).unwrap();
    assert_eq!(read("L", &list), [Some(("\ta".to_owned(), vec!["md5"]))]);
    for name in [&b"a *"[..], b"a\t", b""] {
        assert!(!refused(Format::Reversed, name) && !refused(Format::Bagit, name), "{name:?}");
    }
    let failed = WriteError::from(io::Error::other("the disk is full"));
    assert_eq!(failed.to_string(), "the disk is full");
}

#[test]
fn a_format_has_the_digests_that_its_programs_know() {
    let has = |format: Format, names: &[&str]| {
        names.iter().map(|name| format.has(&digest(name))).collect::<Vec<_>>()
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
