//! Lists that are odd, forged or written here before: `hashdyno sum` and `hashdyno check` as they
//! are called.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;

/// Exit code, standard output and standard error; standard input is empty.
fn hashdyno(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(cargo_bin("hashdyno"));
    let output = command.current_dir(folder).args(arguments).stdin(Stdio::null()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().expect("it ends by itself"), text(output.stdout), text(output.stderr))
}

/// A folder with the file `a.txt` of one line.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "hello\n").unwrap();
    folder
}

const MD5: &str = "b1946ac92492d2347c6235b4d2611184";
const CRC32: &str = "363a3020";

#[test]
fn a_digest_that_is_named_twice_counts_once() {
    let folder = folder();
    let at = folder.path();
    let one = hashdyno(at, &["sum", "-a", "md5", "a.txt"]);
    for twice in ["md5,md5", "md5,MD5"] {
        assert_eq!(hashdyno(at, &["sum", "-a", twice, "a.txt"]), one);
    }
    assert_eq!(hashdyno(at, &["copy", "-a", "md5,MD5", "a.txt", "to"]).0, 0);
    assert!(at.join("to/a.txt").exists());

    let other = "0".repeat(32);
    let json = |second: &str| {
        format!(r#"{{"name":"a.txt","digests":{{"md5":"{MD5}","MD5":"{second}"}}}}"#)
    };
    let mhl = |second: &str| {
        let hash = format!("<hash><file>a.txt</file><md5>{MD5}</md5><md5>{second}</md5></hash>");
        format!(r#"<?xml version="1.0"?><hashlist version="1.1">{hash}</hashlist>"#)
    };
    for (name, list, code) in [
        ("same.json", json(MD5), 0),
        ("other.json", json(&other), 1),
        ("key.json", json(MD5).replace("MD5", "md5"), 0),
        ("other-key.json", json(&other).replace("MD5", "md5"), 1),
        ("same.mhl", mhl(MD5), 0),
        ("other.mhl", mhl(&other), 1),
        (
            "twice.hashdeep",
            format!("%%%% HASHDEEP-1.0\n%%%% size,md5,md5,filename\n6,{MD5},{MD5},a.txt\n"),
            1,
        ),
    ] {
        fs::write(at.join(name), list).unwrap();
        assert_eq!(hashdyno(at, &["check", name]).0, code, "{name}");
    }
}

/// BLAKE2b as `b2sum -l 8` prints it, SHAKE256 as `openssl dgst -xoflen 5` does.
#[test]
fn a_digest_has_the_length_that_is_asked_for() {
    let folder = folder();
    let at = folder.path();
    let sum = |arguments: &[&str]| hashdyno(at, &[&["sum"], arguments, &["a.txt"]].concat());
    assert_eq!(sum(&["-a", "blake2b", "-l", "8"]).1, "27  a.txt\n");
    let tagged = sum(&["-a", "shake256,kt128,skein512,blake2s", "--length", "40"]);
    assert_eq!(tagged.0, 0, "{}", tagged.2);
    let tags: Vec<_> = tagged.1.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(tags, ["SHAKE256-40", "KT128-40", "SKEIN512-40", "BLAKE2S-40"]);
    assert_eq!(sum(&["-a", "shake256-40,kt128-40,skein512-40,blake2s-40"]), tagged);
    fs::write(at.join("list"), &tagged.1).unwrap();
    assert_eq!(hashdyno(at, &["check", "list"]).0, 0);
    fs::write(at.join("list"), tagged.1.replace(" = ", " = 00")).unwrap();
    assert_ne!(hashdyno(at, &["check", "list"]).0, 0);

    let (code, out, said) = sum(&["-a", "sha256", "--length", "128"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(said.contains("sha256 has 256 bits and no other length, not 128"), "{said}");
    assert!(said.contains("hint: --length is for BLAKE2"), "{said}");
    let (_, _, said) = sum(&["-a", "blake2b", "--length", "12"]);
    assert!(said.contains("expected a multiple of 8 from 8 to 512"), "{said}");
}

/// Standard input is empty: read in place of the file, it would give another digest.
#[test]
fn a_file_called_dash_is_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("-"), "hello\n").unwrap();
    let line = format!("{MD5}  ./-\n");
    assert_eq!(hashdyno(at, &["sum", "-a", "md5", "-r", "."]), (0, line.clone(), String::new()));
    fs::write(at.join("x.md5"), &line).unwrap();
    assert_eq!(hashdyno(at, &["check", "x.md5"]), (0, "./-: OK\n".to_owned(), String::new()));
    fs::write(at.join("written-elsewhere"), line.replace("./-", "-")).unwrap();
    assert_eq!(
        hashdyno(at, &["check", "written-elsewhere"]),
        (0, "-: OK\n".to_owned(), String::new())
    );
    fs::remove_file(at.join("written-elsewhere")).unwrap();
    fs::write(at.join("new"), "new").unwrap();
    assert_eq!(hashdyno(at, &["sum", "--update", "x.md5", "-r", "."]).0, 0);
    fs::write(at.join("y.md5"), "b1946ac92492d2347c6235b4d2611184  x\n").unwrap();
    assert_eq!(hashdyno(at, &["sum", "--update", "y.md5", "-r", "."]).0, 0);
    assert!(fs::read_to_string(at.join("y.md5")).unwrap().contains(&line));
    fs::remove_file(at.join("y.md5")).unwrap();
    let (code, out, _) = hashdyno(at, &["check", "--audit", ".", "x.md5"]);
    assert_eq!(code, 0, "{out}");
    assert!(!out.contains("-: changed"), "{out}");
    fs::create_dir(at.join("other")).unwrap();
    fs::copy(at.join("-"), at.join("other/-")).unwrap();
    let same = "1 same, 0 differ, 0 missing, 0 new\n";
    let other = at.join("other");
    let (code, out, _) = hashdyno(&other, &["check", ".", other.to_str().unwrap()]);
    assert_eq!((code, out.as_str()), (0, same));
}

#[test]
fn a_list_of_a_digest_does_not_pass_by_an_easier_one() {
    let folder = folder();
    let at = folder.path();
    let sfv = format!("a.txt {CRC32}\n");
    let json = format!("{{\"name\":\"a.txt\",\"digests\":{{\"crc32\":\"{CRC32}\"}}}}\n");
    let mhl = format!(
        "<?xml version=\"1.0\"?><hashlist><hash><file>a.txt</file><md5>{MD5}</md5></hash>\
         </hashlist>"
    );
    let deep = format!("%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n6,{MD5},a.txt\n");
    for (name, list, arguments) in [
        ("list", &sfv, &["-a", "sha256"][..]),
        ("list", &json, &["-a", "sha256"]),
        ("x.mhl", &mhl, &["-a", "sha256"]),
        ("list", &deep, &["-a", "sha256"]),
        ("x.sfv", &sfv, &["-a", "sha256"]),
        ("manifest-md5.txt", &format!("{MD5} a.txt\n"), &["-a", "sha256"]),
        ("SHA256SUMS", &sfv, &[]),
        ("SHA256SUMS", &format!("{MD5}  a.txt\n"), &[]),
    ] {
        fs::write(at.join(name), list).unwrap();
        let (code, out, err) = hashdyno(at, &[&["check"], arguments, &[name]].concat());
        assert_eq!((code, out.as_str()), (1, ""), "{name}: {list}");
        assert!(err.contains("no properly formatted checksum lines found"), "{err}");
    }
    for (name, list) in [
        ("list", &sfv),
        ("x.sfv", &sfv),
        ("list", &json),
        ("SHA1SUMS", &format!("MD5 (a.txt) = {MD5}\n")),
    ] {
        fs::write(at.join(name), list).unwrap();
        assert_eq!(hashdyno(at, &["check", name]).0, 0, "{name}: {list}");
    }
}

#[test]
fn crc32_is_that_of_zip_and_the_other_is_told() {
    let folder = folder();
    let at = folder.path();
    assert_eq!(hashdyno(at, &["sum", "-a", "crc32", "a.txt"]).1, format!("{CRC32}  a.txt\n"));
    let php = hashdyno(at, &["sum", "-a", "php-crc32", "a.txt"]).1;
    assert_eq!(php, "e280c0c1  a.txt\n");
    assert_eq!(hashdyno(at, &["sum", "-a", "crc32-bzip2", "a.txt"]).1, php);
    fs::write(at.join("list"), &php).unwrap();
    let (code, out, err) = hashdyno(at, &["check", "list"]);
    assert_eq!((code, out.as_str()), (1, "a.txt: FAILED\n"));
    assert!(
        err.contains("a.txt: the value is its crc32-bzip2\nhint: check -a crc32-bzip2"),
        "{err}"
    );
    assert_eq!(hashdyno(at, &["check", "-a", "crc32-bzip2", "list"]).0, 0);
    fs::write(at.join("list"), format!("{CRC32}  a.txt\n")).unwrap();
    let (code, _, err) = hashdyno(at, &["check", "-a", "php-crc32", "list"]);
    assert_eq!(code, 1);
    assert!(err.contains("the value is its crc32b"), "{err}");
}

/// Every digest in every dialect that can carry it.
#[test]
fn lists_that_were_written_here_are_read_here() {
    let folder = folder();
    let at = folder.path();
    for digest in hashdyno::ALL
        .into_iter()
        .filter(|digest| !matches!(digest.name, "cksum" | "sum-bsd" | "sum-sysv"))
    {
        let lists = ["gnu", "tag", "reversed", "hashdeep", "json", "bagit"].map(|format| {
            let arguments = ["sum", "-a", digest.name, "--format", format, "a.txt"];
            let (code, list, err) = hashdyno(at, &arguments);
            assert_eq!(code, 0, "{err}");
            let name = match format {
                "bagit" => format!("manifest-{}.txt", digest.name),
                format => format.to_owned(),
            };
            fs::write(at.join(&name), list).unwrap();
            name
        });
        let lists = lists.each_ref().map(String::as_str);
        let (code, out, err) = hashdyno(at, &[&["check", "-a", digest.name], &lists[..]].concat());
        assert_eq!((code, out), (0, "a.txt: OK\n".repeat(lists.len())), "{}: {err}", digest.name);
    }
}

fn mhl(hashes: &str) -> String {
    format!("<?xml version=\"1.0\"?>\n<hashlist version=\"1.1\">\n{hashes}\n</hashlist>\n")
}

fn hash(children: &str) -> String {
    format!("<hash>{children}</hash>")
}

#[test]
fn a_media_hash_list_that_is_cut_does_not_pass() {
    let folder = folder();
    let good = hash(&format!("<file>a.txt</file><size>6</size><md5>{MD5}</md5>"));
    let list = mhl(&format!("{good}\n<!-- second -->\n{}", good.replace("a.txt", "b.txt")));
    fs::write(folder.path().join("b.txt"), "hello\n").unwrap();
    let check = |list: &[u8]| {
        fs::write(folder.path().join("x.mhl"), list).unwrap();
        hashdyno(folder.path(), &["check", "x.mhl"])
    };
    assert_eq!(check(list.as_bytes()).0, 0);
    for end in 0..list.trim_end().len() {
        let (code, _, err) = check(&list.as_bytes()[..end]);
        assert_eq!(code, 1, "cut at {end}: {err}");
    }
    for (wrong, place) in [
        ("<a <b>", "line 3"),
        ("</x>", "line 3"),
        ("<a b=\"<\"></a>", "line 3"),
        ("<a></b>", "line 3"),
    ] {
        let (code, _, err) = check(mhl(&format!("{wrong}{good}")).as_bytes());
        assert_eq!(code, 1, "{wrong}");
        assert!(err.contains("x.mhl: ") && err.contains(place), "{err}");
    }
}

#[test]
fn a_media_hash_list_speaks_of_the_file_that_it_names() {
    let folder = folder();
    for (children, code) in [
        ("<file>a.txt</file>".to_owned(), 0),
        ("<file>a&#46;txt</file>".to_owned(), 0),
        ("<file><![CDATA[a.txt]]></file>".to_owned(), 0),
        ("<file>a.txt</file><metadata><path>b.txt</path></metadata>".to_owned(), 0),
        ("<file>a&foo;.txt</file>".to_owned(), 1),
        ("<file>a&#0;.txt</file>".to_owned(), 1),
        ("<metadata><path>a.txt</path></metadata><file>b.txt</file>".to_owned(), 1),
        ("<file>b.txt</file><metadata><path>a.txt</path></metadata>".to_owned(), 1),
        ("<file>a<x>b</x>.txt</file>".to_owned(), 1),
        ("<file>a.txt</file><size>-6</size>".to_owned(), 1),
        ("<file>a.txt</file><size>6.5</size>".to_owned(), 1),
        ("<path size=\"x\">a.txt</path>".to_owned(), 1),
    ] {
        fs::write(folder.path().join("x.mhl"), mhl(&hash(&format!("{children}<md5>{MD5}</md5>"))))
            .unwrap();
        let (found, _, err) = hashdyno(folder.path(), &["check", "x.mhl"]);
        assert_eq!(found, code, "{children}: {err}");
    }
}

#[test]
fn sizes_that_are_none_make_a_line_improper() {
    let folder = folder();
    for size in ["-6", "6.5", "\"6\""] {
        let line =
            format!("{{\"name\":\"a.txt\",\"size\":{size},\"digests\":{{\"md5\":\"{MD5}\"}}}}\n");
        fs::write(folder.path().join("list"), line).unwrap();
        assert_eq!(hashdyno(folder.path(), &["check", "list"]).0, 1, "{size}");
    }
}

/// `timeout` ends a program that waits for a writer that never comes.
#[test]
fn a_list_in_a_named_pipe_is_read_once() {
    let folder = folder();
    let at = folder.path();
    assert!(Command::new("mkfifo").arg(at.join("pipe")).status().unwrap().success());
    let line = format!("printf '{MD5}  missing\\n' > pipe & exec timeout 60 \"$0\" check pipe");
    let mut command = Command::new("sh");
    command.current_dir(at).args(["-c", &line]).arg(cargo_bin("hashdyno"));
    let output = command.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("hint: names of a list") && said.contains("try -C FOLDER"), "{said}");
}

#[test]
fn options_of_lists_are_refused_between_two_folders() {
    let folder = folder();
    let at = folder.path();
    let check = |options: &[&str]| hashdyno(at, &[&["check", ".", "."], options].concat());
    for (options, name) in [
        (&["-a", "md5"][..], "--algorithm"),
        (&["-C", "."], "--directory"),
        (&["--strict"], "--strict"),
        (&["-w"], "--warn"),
        (&["-q"], "--quiet"),
        (&["--ignore-missing"], "--ignore-missing"),
        (&["--part-size", "5MiB"], "--part-size"),
        (&["--allow-outside"], "--allow-outside"),
        (&["--allow-special"], "--allow-special"),
        (&["--warn", "--strict"], "--strict, --warn"),
    ] {
        let (code, out, err) = check(options);
        assert_eq!((code, out.as_str()), (2, ""), "{options:?}: {err}");
        assert!(err.contains(&format!("not {name}\n")), "{options:?}: {err}");
        assert!(err.contains("hint: hashdyno check FOLDER FOLDER takes --exclude"), "{err}");
    }
    for options in [
        &["--exclude", "*.tmp"][..],
        &["-x"],
        &["--status"],
        &["--json"],
        &["--format", "json"],
        &["-j", "1"],
    ] {
        let (code, _, err) = check(options);
        assert_eq!((code, err.as_str()), (0, ""), "{options:?}");
    }
}

#[test]
fn options_that_an_audit_does_not_hear_are_refused() {
    let folder = folder();
    let at = folder.path();
    std::fs::write(at.join("list"), "").unwrap();
    for option in ["--allow-outside", "--allow-special", "--strict", "--ignore-missing"] {
        let (code, _, err) = hashdyno(at, &["check", "--audit", ".", "list", option]);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("'--audit <FOLDER>' cannot be used with"), "{err}");
    }
}
