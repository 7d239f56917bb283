//! `sum` into a file, without some files, and of lines; colours of `check`.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

fn run(folder: &Path, arguments: &[&str]) -> Assert {
    let mut command = Command::new(cargo_bin("hashdyno"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8");
    command.assert()
}

fn out(assert: Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn fixture(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

#[test]
fn a_list_is_written_whole_and_leaves_itself_out() {
    let folder = fixture(&[("a", "a"), ("b/c", "c"), ("old", "not a list")]);
    let at = folder.path();
    let read = |name: &str| fs::read_to_string(at.join(name)).unwrap();
    let list = out(run(at, &["sum", "-r", "a", "b"]));
    symlink("old", at.join("link")).unwrap();
    for name in ["old", "link", "./old"] {
        run(at, &["sum", "-r", "-o", name, "."]).success().stdout("").stderr("");
        assert_eq!(read("old"), list, "{name}");
    }
    assert!(at.join("link").symlink_metadata().unwrap().is_symlink());
    // Named by a shell's pattern, it is left out, too.
    run(at, &["sum", "-o", "old", "a", "old"]).success();
    assert_eq!(read("old"), list.lines().next().unwrap().to_owned() + "\n");
    run(at, &["sum", "-o", "old", "a", "gone"]).code(1).stderr(contains("gone: No such file"));
    run(at, &["sum", "-o", "no/folder", "a"]).code(3).stderr(contains("cannot write no/folder"));
    run(at, &["sum", "-o", "-", "a"]).success().stdout(contains("  a\n"));
    run(at, &["sum", "-o", "/dev/full", "a"]).code(3).stderr(contains("cannot write /dev/full"));
    run(at, &["sum", "-o", "/dev/null", "a"]).success();
    let left = at.read_dir().unwrap().count();
    assert_eq!(left, 4, "a temporary file was left");
}

#[test]
fn a_file_that_is_hashed_is_not_replaced() {
    let folder = fixture(&[("a", "a"), ("photo", "the only copy"), ("none", "")]);
    let at = folder.path();
    symlink("photo", at.join("link")).unwrap();
    for words in [
        &["photo", "-o", "photo"][..],
        &["a", "photo", "-o", "./photo"],
        &["link", "-o", "photo"],
        &["a", "photo", "-o", "link"],
        &["--lines", "photo", "-o", "photo"],
    ] {
        run(at, &[&["sum"], words].concat())
            .code(2)
            .stderr(contains(", which is to be hashed").and(contains("hint: ")));
        assert_eq!(fs::read_to_string(at.join("photo")).unwrap(), "the only copy");
    }
    for format in ["gnu", "tag", "json", "mhl", "hashdeep", "reversed"] {
        for _ in 0..2 {
            run(at, &["sum", "-a", "md5", "a", "none", "--format", format, "-o", "none"]).success();
        }
        run(at, &["sum", "none", "-o", "none"]).code(2);
        run(at, &["sum", "--lines", "none", "-o", "none"]).code(2);
    }
}

#[test]
fn patterns_leave_files_out() {
    let folder = fixture(&[("d/a", "a"), ("d/a.tmp", "a"), ("d/.git/x", "x"), ("e/a", "a")]);
    let at = folder.path();
    let list = out(run(at, &["sum", "-r", "-x", "--exclude", ".git", "--exclude", "*.tmp", "d"]));
    assert!(list.ends_with("  d/a\n") && list.lines().count() == 1, "{list}");
    run(at, &["check", "d", "e"]).code(1);
    run(at, &["check", "d", "e", "--exclude", ".git", "--exclude", "/a.tmp"])
        .success()
        .stdout("1 same, 0 differ, 0 missing, 0 new\n");
    fs::write(at.join("list"), list).unwrap();
    run(at, &["check", "--audit", "d", "list"]).code(1);
    run(at, &["check", "--audit", "d", "list", "--exclude", "a.tmp", "--exclude", ".git/"])
        .success();
    for arguments in [&["sum", "--exclude", "[", "d/a"][..], &["check", "-x", "list"]] {
        run(at, arguments).code(2).stderr(contains("hint:"));
    }
}

#[test]
fn lines_have_fields_and_stay_beside_their_digests() {
    let folder = fixture(&[("k.csv", "1,ann\r\n2,bob\r\n"), ("short", "1\n")]);
    let at = folder.path();
    let sum = |more: &[&str]| run(at, &[&["sum", "--lines", "-a", "crc32"], more].concat());
    let of = |text: &str| format!("{:08x}", hashdyno::crc32b(text.as_bytes()));
    let (ann, bob) = (of("ann"), of("bob"));
    let field = ["--field", "2", "--delimiter", ",", "k.csv"];
    sum(&[&field[..], &["--crlf"]].concat()).success().stdout(format!("{ann}\n{bob}\n"));
    sum(&[&field[..], &["--crlf", "--with-input"]].concat())
        .success()
        .stdout(format!("{ann},1,ann\n{bob},2,bob\n"));
    sum(&field).success().stdout(format!("{}\n{}\n", of("ann\r"), of("bob\r")));
    sum(&[&field[..], &["--crlf", "--json", "--with-input"]].concat()).success().stdout(contains(
        format!(r#"{{"digests":{{"crc32b":"{bob}"}},"input":"2,bob","line":2,"name":"k.csv"}}"#),
    ));
    sum(&[&field[..], &["short", "-o", "rows"]].concat()).code(1).stderr(
        contains("short: line 1 has 1 field only, expected field 2").and(contains("hint:")),
    );
    assert!(!at.join("rows").exists());
    sum(&["short", "-o", "rows"]).success();
    assert_eq!(fs::read_to_string(at.join("rows")).unwrap(), of("1") + "\n");
    sum(&["--delimiter", ",,", "short"]).code(2).stderr(contains("expected one ASCII character"));
    run(at, &["sum", "--field", "2", "short"]).code(2).stderr(contains("--lines"));
    run(at, &["sum", "--base64", "--format", "json", "short"]).code(2).stderr(contains("Base64"));
}

#[test]
fn on_a_terminal_what_is_wrong_is_red() {
    let folder = fixture(&[("a", "a"), ("b", "b")]);
    let at = folder.path();
    run(at, &["sum", "-o", "L", "a", "b"]).success();
    run(at, &["sum", "-c", "L"]).success().stdout("a: OK\nb: OK\n").stderr("");
    for quiet in [&["check", "-q", "L"][..], &["check", "--status", "L"], &["sum", "-cq", "L"]] {
        run(at, quiet).success().stderr("").stdout("");
    }
    fs::write(at.join("b"), "B").unwrap();
    let mut coloured = Command::new(cargo_bin("hashdyno"));
    coloured.args(["check", "L"]).current_dir(at).env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR");
    coloured.assert().code(1).stdout("a: OK\nb: \u{1b}[31mFAILED\u{1b}[0m\n");
}

#[test]
fn an_update_takes_the_digest_of_a_listed_file() {
    let folder = fixture(&[("a", "a"), ("b", "b")]);
    let at = folder.path();
    let read = || fs::read_to_string(at.join("L")).unwrap();
    for digest in ["sha256", "blake3"] {
        run(at, &["sum", "-a", digest, "-o", "L", "a"]).success();
        run(at, &["sum", "--update", "L", "b"]).success();
        assert_eq!(read(), out(run(at, &["sum", "-a", digest, "a", "b"])));
    }
    fs::remove_file(at.join("a")).unwrap();
    run(at, &["sum", "-o", "L", "b"]).success();
    fs::write(at.join("L"), read().replace("  b", "  a")).unwrap();
    run(at, &["sum", "--update", "L", "b"])
        .code(2)
        .stderr(contains("sha256 or blake3").and(contains("hint: -a says which")));
    run(at, &["sum", "--update", "L", "-a", "sha256", "b"]).success();
    assert_eq!(read().lines().last(), out(run(at, &["sum", "b"])).lines().last());
}

#[test]
fn an_update_adds_the_digest_that_is_told_or_nothing() {
    let folder = fixture(&[("a", "a"), ("b", "b"), ("empty", "")]);
    let at = folder.path();
    let read = || fs::read_to_string(at.join("L")).unwrap();
    for digest in ["xxh128", "xxh3", "ripemd160", "crc32c", "sha3-384", "sha3-256", "md5"] {
        run(at, &["sum", "-a", digest, "-o", "L", "a"]).success();
        run(at, &["sum", "--update", "L", "-a", digest, "a", "b"])
            .success()
            .stderr(contains("1 added, 1 as listed"));
        assert_eq!(read(), out(run(at, &["sum", "-a", digest, "a", "b"])), "{digest}");
    }
    for form in ["--untagged", "--tag", "--json"] {
        run(at, &["sum", "-a", "md5", form, "-o", "L", "a"]).success();
        let listed = read();
        run(at, &["sum", "--update", "L", "-a", "sha256", "b"]).code(2).stderr(
            contains("cannot update L: its lines read as md5, not sha256")
                .and(contains("hint: -a with the list's own algorithm")),
        );
        assert_eq!(read(), listed, "{form}");
    }
    // The name of a list tells it as -a does.
    run(at, &["sum", "-a", "xxh128", "-o", "x.xxh128", "a"]).success();
    run(at, &["sum", "--update", "x.xxh128", "b"]).success();
    let both = out(run(at, &["sum", "-a", "xxh128", "a", "b"]));
    assert_eq!(fs::read_to_string(at.join("x.xxh128")).unwrap(), both);
    run(at, &["sum", "--update", "empty", "-a", "md5", "b"])
        .failure()
        .stderr(contains("the list has no entry, so its format is unknown"));
}

#[test]
fn an_update_knows_a_file_by_any_spelling() {
    let folder = fixture(&[("a", "a"), ("b", "b")]);
    let at = folder.path();
    run(at, &["sum", "-a", "md5", "-o", "L", "./a"]).success();
    let listed = fs::read_to_string(at.join("L")).unwrap();
    fs::write(at.join("a"), "changed").unwrap();
    let own = at.join("L");
    run(at, &["sum", "--update", own.to_str().unwrap(), "-a", "md5", "-r", "."])
        .code(1)
        .stderr(contains("1 added, 0 as listed, 1 changed"));
    run(at, &["sum", "--update", "L", "-a", "md5", "b", "b", "c", "c"]).code(1);
    fs::write(at.join("c"), "c").unwrap();
    run(at, &["sum", "--update", "L", "-a", "md5", "c", "./c", "c"])
        .success()
        .stderr(contains("1 added"));
    let names = |list: &str| list.lines().map(|line| line[34..].to_owned()).collect::<Vec<_>>();
    let updated = fs::read_to_string(at.join("L")).unwrap();
    assert!(updated.starts_with(&listed));
    assert_eq!(names(&updated), ["./a", "b", "c"]);
}

#[test]
fn an_update_does_not_wait_for_a_listed_pipe() {
    let folder = fixture(&[("b", "b")]);
    let at = folder.path();
    std::process::Command::new("mkfifo").arg(at.join("pipe")).status().unwrap();
    fs::write(at.join("L"), format!("{}  pipe\n", "0".repeat(64))).unwrap();
    Command::new(cargo_bin("hashdyno"))
        .args(["sum", "--update", "L", "b"])
        .current_dir(at)
        .timeout(std::time::Duration::from_secs(60))
        .assert()
        .code(2)
        .stderr(contains("hint: -a says which"));
}

/// Its times change with each writing.
#[test]
fn a_named_pipe_has_a_digest() {
    let folder = fixture(&[]);
    let at = folder.path();
    std::process::Command::new("mkfifo").arg(at.join("pipe")).status().unwrap();
    let writer = std::thread::spawn({
        let pipe = at.join("pipe");
        move || fs::write(pipe, vec![7; 1 << 20]).unwrap()
    });
    let digest = hashdyno::hex(&hashdyno::find("md5").unwrap().digest(&vec![7; 1 << 20]));
    run(at, &["sum", "-a", "md5", "pipe"]).success().stdout(format!("{digest}  pipe\n"));
    writer.join().unwrap();
}

#[test]
fn a_name_that_a_list_would_change_is_refused() {
    let folder = fixture(&[("#1.jpg", "1"), (";2", "2"), ("x\r", "3")]);
    for (format, name) in [("sfv", "#1.jpg"), ("sfv", ";2"), ("sfv", "x\r"), ("hashdeep", "x\r")] {
        let arguments = ["sum", "--format", format, name];
        run(folder.path(), &arguments).code(1).stderr(
            contains("an SFV file").or(contains(
                "hashdeep's lists cannot carry a name that ends in a carriage return",
            )),
        );
    }
}

#[test]
fn a_name_that_a_reader_would_cut_is_refused() {
    let folder = fixture(&[(" a", "1"), ("*b", "2"), ("\tc", "3")]);
    for (format, name) in
        [("reversed", " a"), ("reversed", "*b"), ("bagit", " a"), ("bagit", "*b"), ("bagit", "\tc")]
    {
        let sum = run(folder.path(), &["sum", "--format", format, name]).code(1).stdout("");
        sum.stderr(contains("a reversed line takes a blank or `*` that begins a name").or(
            contains("a BagIt manifest cannot carry a name that begins with a blank, tab or `*`"),
        ));
    }
}

#[test]
fn decimal_sums_of_a_folder_have_names_without_a_path() {
    let folder = fixture(&[("a", "a"), ("d/b", "b")]);
    let at = folder.path();
    for digest in ["cksum", "sum-bsd", "sum-sysv"] {
        let sums = out(run(at, &["sum", "-r", "-a", digest]).success());
        assert!(sums.lines().count() == 2 && sums.contains(" a\n"), "{sums}");
        assert!(sums.ends_with(" d/b\n"), "{sums}");
        assert_eq!(sums, out(run(at, &["sum", "-r", "-a", digest, "."])));
    }
    // That of nothing, from standard input, has none.
    run(at, &["sum", "-a", "cksum"]).success().stdout("4294967295 0\n");
}

#[test]
fn nul_ends_lines_only_of_formats_that_are_read_so() {
    let folder = fixture(&[("d/a", "a")]);
    let at = folder.path();
    for (format, digest, path) in [
        ("json", "md5", "d/a"),
        ("sfv", "crc32", "d/a"),
        ("hashdeep", "md5", "d/a"),
        ("bagit", "md5", "d/a"),
        ("mhl", "md5", "d/a"),
        ("ascmhl", "xxh64", "d"),
    ] {
        let refused = run(at, &["sum", "-z", "--format", format, "-a", digest, path]);
        refused.code(2).stdout("").stderr(
            contains("no program reads this format with NUL at the ends of its lines")
                .and(contains("hint: leave -z out")),
        );
    }
    assert!(!at.join("d/ascmhl").exists());
    for format in ["gnu", "tag", "reversed", "oci", "bare"] {
        let list = out(run(at, &["sum", "-z", "--format", format, "d/a"]).success());
        assert!(list.ends_with('\0') && !list.contains('\n'), "{format}");
        fs::write(at.join("L"), list).unwrap();
        if format != "bare" {
            run(at, &["check", "L"]).success().stdout("d/a: OK\n");
        }
    }
    // Here it ends the lines of the input.
    run(at, &["sum", "--lines", "--json", "-z", "d/a"]).success().stdout(contains("\"line\":1"));
}

#[test]
fn a_copy_says_how_its_list_is_checked_and_an_audit_where_its_names_begin() {
    let folder = fixture(&[("card/a", "a")]);
    let at = folder.path();
    let check = "hashdyno check -C to list";
    run(at, &["copy", "card", "to", "--manifest", "list"]).success().stdout(contains(check));
    run(at, &["check", "-C", "to", "list"]).success();
    // The card has the same names: the hint is about the copy all the same.
    run(at, &["check", "--audit", "to", "list"]).code(1).stderr(contains("try -C to\n"));
}

/// Twenty files as long as photographs, which are hashed side by side, and standard input, which
/// is read once however often it is named.
#[test]
fn large_files_have_their_digests_in_their_order() {
    let folder = fixture(&[]);
    let content = |number: usize| vec![number as u8; 300_000 + 1000 * (number % 7)];
    let names: Vec<String> = (0..20).map(|number| format!("IMG_{number:02}.JPG")).collect();
    for (number, name) in names.iter().enumerate() {
        fs::write(folder.path().join(name), content(number)).unwrap();
    }
    let line = |bytes: &[u8], name: &str| {
        format!("{}  {name}\n", hashdyno::hex(&hashdyno::find("md5").unwrap().digest(bytes)))
    };
    let mut arguments = vec!["sum", "-a", "md5", "-"];
    arguments.extend(names.iter().map(String::as_str).chain(["-"]));
    let lines = names.iter().enumerate().map(|(number, name)| line(&content(number), name));
    let expected: String = [line(&content(3), "-")].into_iter().chain(lines).collect();
    let mut program = std::process::Command::new(cargo_bin("hashdyno"));
    let input = fs::File::open(folder.path().join(&names[3])).unwrap();
    let output = program.args(arguments).current_dir(&folder).stdin(input).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected + &line(b"", "-"));
}

/// Each large file is a batch of its own for XXH3, so that all of them are begun at the same time.
#[test]
fn standard_input_that_is_named_often_is_read_once_on_all_threads() {
    let folder = fixture(&[]);
    fs::write(folder.path().join("large"), vec![7; 20 << 20]).unwrap();
    let names = ["-", "large", "/dev/stdin", "large", "-", "large", "/dev/fd/0", "large"];
    let arguments = [&["sum", "-a", "xxh3", "--jobs", "4"], &names[..]].concat();
    let file = || std::process::Stdio::from(fs::File::open(folder.path().join("large")).unwrap());
    let digest = |bytes: &[u8]| hashdyno::hex(&hashdyno::find("xxh3").unwrap().digest(bytes));
    let (full, none) = (digest(&vec![7; 20 << 20]), digest(b""));
    let expected: Vec<&str> =
        (0..8).map(|at| if at % 2 == 1 || at == 0 { &*full } else { &*none }).collect();
    // Where it is a regular file, `/dev/stdin` opens that file anew.
    for (piped, expected) in [(true, &expected[..]), (false, &expected[..2])] {
        let pipe = || {
            let (reader, mut writer) = std::io::pipe().unwrap();
            std::thread::spawn(move || writer.write_all(&vec![7; 20 << 20]));
            std::process::Stdio::from(reader)
        };
        let output = std::process::Command::new(cargo_bin("hashdyno"))
            .args(&arguments[..5 + expected.len()])
            .current_dir(&folder)
            .stdin(if piped { pipe() } else { file() })
            .output()
            .unwrap();
        let lines = String::from_utf8(output.stdout).unwrap();
        let values: Vec<&str> = lines.lines().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(values, expected, "piped: {piped}");
    }
}
