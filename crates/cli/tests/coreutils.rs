//! hashdyno under the names of GNU's tools, and those tools themselves on the same files: every
//! byte of stdout and stderr and the exit code are the same. Tools that this machine lacks are left
//! out; messages are compared in the C locale.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

/// Options and files of calls that every one of these tools has.
const COMMON: &[&str] = &[
    "a.txt",
    "a.txt big sp*ace new*line back*slash",
    "-b a.txt new*line",
    "-t a.txt",
    "-z a.txt new*line",
    "--zero a.txt",
    "--tag a.txt new*line big",
    "--tag -z new*line",
    "--tag -t a.txt",
    "-t --tag a.txt",
    "gone.txt a.txt",
    "folder a.txt",
    "-- -dash",
    "./-dash a.txt",
    "",
    "-",
    "- a.txt",
    "-bt a.txt",
    "--bin a.txt",
    "--s a.txt",
    "--nonsense a.txt",
    "--tag=x a.txt",
    "-q a.txt",
    "--status a.txt",
    "--quiet a.txt",
    "--strict a.txt",
    "-w a.txt",
    "--ignore-missing a.txt",
    "-c -z list",
    "-c -b list",
    "-c gone.list",
    "-c folder",
    "--check --status list",
    "-c list list",
    "-c --quiet list",
    "-c --strict list",
    "-c -w list",
    "-c -w --quiet list",
    "-c --status -w list",
    "-c --ignore-missing list",
    "-c --ignore-missing --strict --quiet list",
    "-c none.list",
    "-c --status none.list",
    "-c --ignore-missing missing.list",
    "-c",
    "-c -",
    "list -c",
    "--version-is-not-an-option",
];

#[test]
fn md5sum_and_its_kin_say_the_same() {
    for tool in ["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum"] {
        let extra: &[&str] = if tool == "b2sum" {
            &[
                "-l 8 a.txt",
                "-l 256 a.txt",
                "--length=384 --tag a.txt",
                "-l 12 a.txt",
                "-l x a.txt",
                "-l0 a.txt",
                "-l",
                "--length",
            ]
        } else {
            &["-l 8 a.txt"]
        };
        compare(tool, &[COMMON, extra].concat());
    }
}

#[test]
fn cksum_says_the_same() {
    let calls = [
        "a.txt big",
        "",
        "- a.txt",
        "-a bsd a.txt big",
        "-a sysv a.txt big",
        "-a bsd",
        "-a sysv",
        "-a md5 a.txt new*line",
        "-a sha256 --untagged a.txt new*line",
        "-a sm3 a.txt",
        "-a sha512 -z a.txt",
        "-a blake2b -l 256 a.txt",
        "-a blake2b -l 8 --untagged a.txt",
        "--algorithm=sha1 --tag a.txt",
        "gone.txt",
        "-a crc gone.txt a.txt",
        "-a bsd -c list",
        "-c tagged.list",
        "-c --strict tagged.list",
        "-c list",
        "-a sha256 -c tagged.list",
    ];
    compare("cksum", &calls);
}

fn compare(tool: &str, calls: &[&str]) {
    let there = ["/usr/bin", "/bin"]
        .iter()
        .map(|folder| Path::new(folder).join(tool))
        .find(|path| path.exists());
    // Messages have changed between versions; these are of the one that the checklists were
    // recorded with.
    let Some(theirs) =
        there.filter(|path| version(path).starts_with(&format!("{tool} (GNU coreutils) 9.1")))
    else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path(), &theirs);
    let ours = Path::new(env!("CARGO_BIN_EXE_hashdyno"));
    for call in calls {
        let words: Vec<_> = call
            .split(' ')
            .filter(|word| !word.is_empty())
            .map(|word| {
                word.replace("sp*", "sp ").replace("new*", "new\n").replace("back*", "back\\")
            })
            .collect();
        let [expected, found] =
            [&theirs, ours].map(|program| run(program, tool, &words, folder.path()));
        let shown =
            |output: &Output| (output.status.code(), text(&output.stdout), text(&output.stderr));
        assert_eq!(
            shown(&found),
            shown(&expected),
            "left: hashdyno as `{tool} {call}`; right: {tool} itself"
        );
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn version(program: &Path) -> String {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .map(|output| output.stdout)
        .unwrap_or_default();
    text(&output)
}

fn run(program: &Path, name: &str, words: &[String], folder: &Path) -> Output {
    let stdin = fs::File::open(folder.join("list")).unwrap();
    Command::new(program)
        .arg0(name)
        .args(words)
        .current_dir(folder)
        .stdin(stdin)
        .env("LC_ALL", "C")
        .output()
        .unwrap()
}

/// Files with awkward names, and lists of them with good, wrong, missing and improper lines.
fn prepare(folder: &Path, tool: &Path) {
    fs::create_dir(folder.join("folder")).unwrap();
    let big: Vec<u8> = (0..700_001u32).map(|i| (i * 131 + (i >> 8)) as u8).collect();
    for (name, content) in [
        (&b"a.txt"[..], &b"hello\n"[..]),
        (b"sp ace", b""),
        (b"new\nline", b"x"),
        (b"back\\slash", b"y"),
        (b"-dash", b"z"),
        (b"\xff\xfe", b"w"),
        (b"big", &big),
    ] {
        fs::write(folder.join(OsStr::from_bytes(name)), content).unwrap();
    }
    let sum = |arguments: &[&[u8]]| {
        let arguments = arguments.iter().map(|argument| OsStr::from_bytes(argument));
        Command::new(tool).args(arguments).current_dir(folder).output().unwrap().stdout
    };
    let good =
        sum(&[b"a.txt", b"sp ace", b"new\nline", b"back\\slash", b"./-dash", b"\xff\xfe", b"big"]);
    let wrong = String::from_utf8(sum(&[b"a.txt"])).unwrap().replace("a.txt", "big");
    let missing = wrong.replace("big", "gone.txt");
    let list = [
        &good[..],
        wrong.as_bytes(),
        b"# comment\n\nnot a line\n",
        missing.as_bytes(),
        b"neither\r\n",
    ]
    .concat();
    fs::write(folder.join("list"), list).unwrap();
    fs::write(folder.join("missing.list"), missing).unwrap();
    fs::write(folder.join("none.list"), "nothing\n").unwrap();
    let tagged = [&b"--tag"[..], b"a.txt", b"new\nline", b"big"];
    fs::write(
        folder.join("tagged.list"),
        [
            sum(&tagged),
            b"MD5 (a.txt) = b1946ac92492d2347c6235b4d2611184\nSHA1 (a.txt) = 0\n".to_vec(),
        ]
        .concat(),
    )
    .unwrap();
}

/// What shasum 6.02 and xxhsum 0.8.1 print of a file that holds `abc`.
const OTHERS: &[(&str, &str, i32, &str)] = &[
    ("shasum", "a.txt", 0, "a9993e364706816aba3e25717850c26c9cd0d89d  a.txt\n"),
    (
        "shasum",
        "-a 224 -b a.txt",
        0,
        "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7 *a.txt\n",
    ),
    (
        "shasum",
        "-a 512256 --tag a.txt",
        0,
        "SHA512/256 (a.txt) = 53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23\n",
    ),
    ("shasum", "-a 999 a.txt", 1, ""),
    ("shasum", "-c sha.list", 0, "a.txt: OK\na.txt: OK\n"),
    ("shasum", "-q -c sha.list", 0, ""),
    ("shasum", "-s -c wrong.list", 1, ""),
    ("shasum", "-c wrong.list", 1, "a.txt: FAILED\n"),
    ("xxhsum", "a.txt", 0, "44bc2cf5ad770999  a.txt\n"),
    ("xxhsum", "-H0 a.txt", 0, "32d153ff  a.txt\n"),
    ("xxhsum", "-H2 a.txt", 0, "06b05ab6733a618578af5f94892f3950  a.txt\n"),
    ("xxhsum", "-H3 a.txt", 0, "XXH3 (a.txt) = 78af5f94892f3950\n"),
    ("xxh128sum", "--tag a.txt", 0, "XXH128 (a.txt) = 06b05ab6733a618578af5f94892f3950\n"),
    ("xxh32sum", "a.txt", 0, "32d153ff  a.txt\n"),
    ("xxhsum", "-c xxh.list", 0, "a.txt: OK\na.txt: OK\na.txt: OK\na.txt: OK\n"),
    ("xxhsum", "-H9 a.txt", 1, ""),
    // A list of another program must not pass by a digest that is easier to forge.
    ("xxhsum", "-c wrong.list", 1, ""),
    ("rhash", "a.txt", 2, ""),
];

#[test]
fn as_shasum_and_xxhsum() {
    let folder = tempfile::tempdir().unwrap();
    let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.txt\n";
    let sha = format!("{}{sha256}", OTHERS[0].3);
    let xxh = [8, 9, 10, 11].map(|at| OTHERS[at].3).concat();
    let wrong = OTHERS[0].3.replace("a9", "aa");
    for (name, text) in [
        ("a.txt", "abc"),
        ("list", ""),
        ("sha.list", &sha),
        ("xxh.list", &xxh),
        ("wrong.list", &wrong),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let ours = Path::new(env!("CARGO_BIN_EXE_hashdyno"));
    for (tool, call, code, printed) in OTHERS {
        let words: Vec<_> = call.split(' ').map(str::to_owned).collect();
        let output = run(ours, tool, &words, folder.path());
        assert_eq!(
            (output.status.code(), text(&output.stdout).as_str()),
            (Some(*code), *printed),
            "{tool} {call}: {}",
            text(&output.stderr)
        );
    }
}
