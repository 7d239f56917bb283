//! Folders held against lists, and lists brought up to date.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use files::audit::{Audit, Options, audit};
use files::list::{Format, Grammar, Reader, Version, Writer};
use files::method::Method;
use files::open::Root;
use files::skip::{Patterns, Skip};
use files::sum::{Sources, sum};
use files::update::{Update, update};
use files::verdict::Style;
use hashdyno::find;

fn write(folder: &Path, name: &str, content: &str, age: u64) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 - age))
        .unwrap();
}

fn list(folder: &Path, format: Format) -> Vec<u8> {
    let digests = ["md5", "sha256"].map(|name| Method::from(find(name).unwrap()));
    let mut writer = Writer::new(Vec::new(), format, &digests);
    writer.start(b"/", b"sum").unwrap();
    let sources = Sources::new(vec![files::names::name(folder).to_vec()], true);
    sum(&Root::anywhere(), sources, &digests, 2, |_, summed| writer.entry(&summed.unwrap().entry))
        .unwrap();
    writer.into_inner()
}

fn audited(folder: &Path, list: &[u8]) -> (Audit, String) {
    audited_without(&[], folder, list)
}

fn audited_without(patterns: &[&str], folder: &Path, list: &[u8]) -> (Audit, String) {
    let patterns: Vec<_> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
    let skip = Skip { patterns: Patterns::parse(&patterns).unwrap(), ..Skip::default() };
    let mut out = Vec::new();
    let found = audit(
        &Root::anywhere(),
        files::names::name(folder),
        list,
        b"L",
        Options { grammar: Grammar::ANY, skip, threads: 2, style: Style::Text },
        &mut out,
        &mut Vec::new(),
    )
    .unwrap();
    (found, String::from_utf8(out).unwrap())
}

#[test]
fn an_audit_tells_rot_from_edits_and_moves_from_losses() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["same", "edited", "rotten", "old/place", "lost"] {
        write(root, name, name, 5);
    }
    let (json, deep) = (list(root, Format::Json), list(root, Format::Hashdeep));
    assert!(audited(root, &json).0.passed() && audited(root, &deep).0.passed());

    write(root, "edited", "EDITED!", 1);
    write(root, "rotten", "rOtten", 5);
    write(root, "fresh", "fresh", 1);
    fs::rename(root.join("old/place"), root.join("place")).unwrap();
    fs::remove_file(root.join("lost")).unwrap();
    let (found, text) = audited(root, &json);
    assert_eq!(
        found,
        Audit {
            matched: 1,
            edited: 1,
            rotten: 1,
            moved: 1,
            new: 1,
            missing: 1,
            ..Audit::default()
        }
    );
    assert!(
        text.contains("rotten: ROTTEN")
            && text.contains("hashdyno: Audit failed\n")
            && text.contains("Known files not found: 1\n"),
        "{text}"
    );
    assert!(text.contains(&format!("place: moved from {}/old/place\n", root.display())), "{text}");
    // hashdeep's lists have no times.
    assert_eq!(
        audited(root, &deep).0,
        Audit { matched: 1, changed: 2, moved: 1, new: 1, missing: 1, ..Audit::default() }
    );
}

#[test]
fn what_is_left_out_is_neither_new_nor_missing() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for name in ["same", "cache/old"] {
        write(root, name, name, 5);
    }
    let json = list(root, Format::Json);
    fs::remove_file(root.join("cache/old")).unwrap();
    write(root, "cache/new", "new", 1);
    write(root, "x.tmp", "x", 1);
    let without = |patterns: &[&str]| audited_without(patterns, root, &json).0;
    assert!(without(&["cache", "*.tmp"]).passed() && without(&["cache/**", "/x.tmp"]).passed());
    assert_eq!(without(&["*.tmp"]), Audit { matched: 1, new: 1, missing: 1, ..Audit::default() });
}

#[test]
fn nothing_audited_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    assert!(!audited(folder.path(), b"").0.passed());
    assert!(!audited(folder.path(), b"# nothing\n").0.passed());
}

#[test]
fn an_update_adds_and_never_blesses() {
    let folder = tempfile::tempdir().unwrap();
    let lists = tempfile::tempdir().unwrap();
    for (format, name) in
        [(Format::Json, "x.json"), (Format::Hashdeep, "x.hash"), (Format::Tagged, "x.txt")]
    {
        let root = folder.path();
        let _ = fs::remove_file(root.join("new\\one"));
        write(root, "a", "a", 1);
        write(root, "b", "b", 1);
        let path = lists.path().join(name);
        let old = list(root, format);
        // Without its last line feed: what is added must not join the last line.
        fs::write(&path, old.strip_suffix(b"\n").unwrap()).unwrap();
        write(root, "b", "changed", 2);
        write(root, "new\\one", "new", 1);
        let sources = || Sources::new(vec![files::names::name(root).to_vec()], true);
        let mut errors = Vec::new();
        let did = update(&Root::anywhere(), &path, None, sources(), 2, &mut errors).unwrap();
        assert_eq!(did, Update { added: 1, same: 1, changed: 1, failed: 0 }, "{name}");
        assert!(String::from_utf8(errors).unwrap().contains("/b: changed; its entry stays"));
        let new = fs::read(&path).unwrap();
        assert!(new.starts_with(&old), "{name}");
        assert_eq!(
            audited(root, &new).0,
            Audit {
                matched: 2,
                edited: u64::from(name == "x.json"),
                changed: u64::from(name != "x.json"),
                ..Audit::default()
            }
        );
        let again = update(&Root::anywhere(), &path, None, sources(), 2, &mut Vec::new()).unwrap();
        assert_eq!((again.added, again.changed), (0, 1));
        assert_eq!(fs::read(&path).unwrap(), new);
    }
}

#[test]
fn a_check_says_how_many_entries_match_if_all_do() {
    use files::check::{Options, check};
    use files::list::Grammar;
    let folder = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        write(folder.path(), name, name, 1);
    }
    let said = |totals: bool| {
        let options = Options {
            program: "check".to_owned(),
            grammar: Grammar::ANY,
            strict: false,
            warn: false,
            quiet: false,
            status: false,
            ignore_missing: false,
            part_len: None,
            threads: 1,
            style: Style::Text,
            totals,
        };
        let (list, mut errors) = (list(folder.path(), Format::Json), Vec::new());
        let root = Root::anywhere();
        check(&root, &list[..], b"L", &options, &mut Vec::new(), &mut errors).unwrap();
        String::from_utf8(errors).unwrap()
    };
    assert_eq!(
        (said(true).as_str(), said(false).as_str()),
        ("check: L: all 2 entries match\n", "")
    );
}

#[test]
fn an_update_must_know_the_digest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list");
    fs::write(&path, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  a\n")
        .unwrap();
    let error =
        update(&Root::anywhere(), &path, None, Sources::new(vec![], true), 1, &mut Vec::new())
            .unwrap_err();
    assert!(error.to_string().contains("sha256 or blake3"), "{error}");
    let told = find("sha256").map(Method::from);
    write(folder.path(), "b", "b", 1);
    let sources = Sources::new(vec![files::names::name(&folder.path().join("b")).to_vec()], true);
    let did = update(&Root::anywhere(), &path, told, sources, 1, &mut Vec::new()).unwrap();
    assert_eq!(did.added, 1);
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .contains(&hashdyno::hex(&find("sha256").unwrap().digest(b"b")))
    );
    fs::write(&path, "<?xml version=\"1.0\"?>\n<hashlist></hashlist>\n").unwrap();
    let error =
        update(&Root::anywhere(), &path, None, Sources::new(vec![], true), 1, &mut Vec::new())
            .unwrap_err();
    assert!(error.to_string().contains("media hash list"), "{error}");
}

#[test]
fn an_update_is_of_the_digest_that_is_told_or_of_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list");
    for name in ["a", "b"] {
        write(folder.path(), name, name, 1);
    }
    let value =
        |digest: &str, of: &str| hashdyno::hex(&find(digest).unwrap().digest(of.as_bytes()));
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let add = |told: &str| {
        let names = [&a, &b].map(|name| name.clone().into_bytes());
        let sources = Sources::new(names.to_vec(), false);
        let told = find(told).map(Method::from);
        update(&Root::anywhere(), &path, told, sources, 1, &mut Vec::new())
    };
    for digest in ["xxh128", "xxh3", "ripemd160", "crc32c", "adler32", "sha3-384", "sha3-256"] {
        let listed = format!("{}  {a}\n", value(digest, "a"));
        fs::write(&path, &listed).unwrap();
        let expected = Update { added: 1, same: 1, ..Update::default() };
        assert_eq!(add(digest).unwrap(), expected, "{digest}");
        let new = format!("{listed}{}  {b}\n", value(digest, "b"));
        assert_eq!(fs::read_to_string(&path).unwrap(), new, "{digest}");
    }
    // A SHA-256 has as many characters as a SHA-384 in Base64.
    for (listed, told, read) in [
        (format!("{}  {a}\n", value("sha256", "a")), "sha384", "sha256 or blake3"),
        (format!("{}  {a}\n", value("md5", "a")), "sha256", "md5"),
        (format!("MD5 ({a}) = {}\n", value("md5", "a")), "xxh128", "md5"),
        (format!("a.txt {}\n", value("crc32b", "a").to_uppercase()), "md5", "crc32b"),
    ] {
        fs::write(&path, &listed).unwrap();
        let error = add(told).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
        assert_eq!(error.to_string(), format!("its lines read as {read}, not {told}"));
        assert_eq!(fs::read_to_string(&path).unwrap(), listed);
    }
    fs::write(&path, "").unwrap();
    assert!(add("md5").unwrap_err().to_string().contains("the list has no entry"));
}

#[test]
fn media_hash_lists_lead_back() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["Clips/A001 & <B>.mov", "x'\"y.wav", "ü"] {
        write(folder.path(), name, name, 1);
    }
    for (version, names) in [
        (Version::Mhl, &["md5", "sha1", "xxh64", "xxh32"][..]),
        (Version::Asc, &["md5", "sha512", "xxh64", "xxh3", "xxh128"]),
    ] {
        let digests: Vec<Method> = names.iter().map(|name| find(name).unwrap().into()).collect();
        assert!(
            digests.iter().all(|digest| Format::Mhl(version).has(digest))
                && !Format::Mhl(version).has(&find("sha256").unwrap().into())
        );
        let mut writer = Writer::new(Vec::new(), Format::Mhl(version), &digests);
        let mut written = Vec::new();
        sum(
            &Root::anywhere(),
            Sources::new(vec![files::names::name(folder.path()).to_vec()], true),
            &digests,
            1,
            |_, summed| {
                let entry = summed.unwrap().entry;
                writer.entry(&entry)?;
                written.push(entry);
                Ok::<_, files::list::WriteError>(())
            },
        )
        .unwrap();
        for refused in [&b"\xff"[..], b"a\nb"] {
            assert!(
                writer
                    .entry(&files::list::Entry { name: refused.to_vec(), ..written[0].clone() })
                    .is_err()
            );
        }
        writer.finish().unwrap();
        let list = writer.into_inner();
        let mut reader = Reader::new(&list[..], Grammar::ANY);
        for expected in &written {
            let mut read = reader.next_line().unwrap().unwrap().entry.unwrap();
            let mut expected = expected.clone();
            [&mut read, &mut expected]
                .into_iter()
                .for_each(|entry| entry.claims.sort_by_key(|claim| claim.digests[0].name));
            assert_eq!(read, expected);
        }
        assert_eq!(reader.next_line().unwrap(), None);
    }
}

#[test]
fn updates_at_the_same_time_lose_no_entry() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("SHA256SUMS");
    write(folder.path(), "first", "first", 1);
    fs::write(
        &path,
        format!("{}  first\n", hashdyno::hex(&find("sha256").unwrap().digest(b"first"))),
    )
    .unwrap();
    std::thread::scope(|scope| {
        for at in 0..40 {
            write(folder.path(), &at.to_string(), &at.to_string(), 1);
            let source = folder.path().join(at.to_string());
            let path = &path;
            scope.spawn(move || {
                let sources = Sources::new(vec![files::names::name(&source).to_vec()], true);
                update(&Root::anywhere(), path, None, sources, 1, &mut Vec::new()).unwrap()
            });
        }
    });
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 41);
}

#[test]
fn an_update_keeps_links_and_modes_and_refuses_lists_of_several_names() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("real.md5"), folder.path().join("link.md5"));
    let start = "b1946ac92492d2347c6235b4d2611184  a\n";
    fs::write(&path, start).unwrap();
    symlink("real.md5", &link).unwrap();
    write(folder.path(), "b", "b", 1);
    let add = || {
        let sources =
            Sources::new(vec![files::names::name(&folder.path().join("b")).to_vec()], true);
        update(&Root::anywhere(), &link, None, sources, 1, &mut Vec::new())
    };
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    // Only root gives a file to somebody else.
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    let owner = is_root.then_some(65534);
    chown(&path, owner, owner).unwrap();
    let before = path.metadata().unwrap();
    assert_eq!(add().unwrap().added, 1);
    let after = path.metadata().unwrap();
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(
        (
            fs::read_to_string(&path).unwrap().lines().count(),
            path.metadata().unwrap().permissions().mode() & 0o777
        ),
        (2, 0o600)
    );
    for (prepare, expected) in [
        (
            &|| {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o444)) as std::io::Result<()>
            },
            "read-only",
        ),
        (
            &|| {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o644))
                    .and(fs::hard_link(&path, folder.path().join("other")))
            },
            "hard links",
        ),
    ] as [(&dyn Fn() -> std::io::Result<()>, &str); 2]
    {
        fs::remove_file(&path).unwrap();
        fs::write(&path, start).unwrap();
        prepare().unwrap();
        let error = add().unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), start);
    }
}
