//! Codes under a key: `hashdyno sum --key-file` and `hashdyno check --key-file` as they are called.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use hashdyno::Key;

/// Exit code, standard output and standard error.
fn hashdyno(folder: &Path, arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut command = Command::new(cargo_bin("hashdyno"));
    let command = command.current_dir(folder).args(arguments);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    // A program that reads no input may have ended by now.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().expect("it ends by itself"), text(output.stdout), text(output.stderr))
}

/// A folder with a key and two files: RFC 4231, test case 2, and a name that is escaped.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("key"), "Jefe").unwrap();
    fs::write(folder.path().join("message"), "what do ya want for nothing?").unwrap();
    fs::write(folder.path().join("new\nline"), "").unwrap();
    folder
}

const SHA256: &str = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

#[test]
fn an_hmac_is_printed_and_checked() {
    let folder = folder();
    let at = folder.path();
    let sum = ["sum", "--hmac", "-a", "sha256", "--key-file", "key", "message", "new\nline"];
    let (code, list, errors) = hashdyno(at, &sum, b"");
    assert_eq!((code, errors.as_str()), (0, ""));
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines[0], format!("HMAC-SHA256 (message) = {SHA256}"));
    assert!(lines[1].starts_with(r"\HMAC-SHA256 (new\nline) = "), "{list}");
    let check = ["check", "--key-file", "key", "list"];
    fs::write(at.join("list"), &list).unwrap();
    let expected = "message: OK\n\\new\\nline: OK\n";
    assert_eq!(hashdyno(at, &check, b""), (0, expected.to_owned(), String::new()));
    // OpenSSL's spellings: those of dgst -hmac in versions 3 and 1.
    for spelling in ["HMAC-SHA2-256(message)= ", "HMAC-SHA256(message)= "] {
        fs::write(at.join("list"), format!("{spelling}{SHA256}\n")).unwrap();
        assert_eq!(hashdyno(at, &check, b""), (0, "message: OK\n".to_owned(), String::new()));
    }
}

#[test]
fn a_changed_file_and_another_key_fail() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("list"), format!("HMAC-SHA256 (message) = {SHA256}\n")).unwrap();
    let (code, out, errors) = hashdyno(at, &["check", "--key-file", "-", "list"], b"Jefe\n");
    assert_eq!((code, out.as_str()), (1, "message: FAILED\n"), "a newline is part of the key");
    assert!(errors.contains("WARNING: 1 computed code did NOT match"), "{errors}");
    assert_eq!(hashdyno(at, &["check", "--key-file", "-", "list"], b"Jefe").0, 0);
    fs::write(at.join("message"), "What do ya want for nothing?").unwrap();
    assert_eq!(hashdyno(at, &["check", "--key-file", "key", "list"], b"").0, 1);
    fs::remove_file(at.join("message")).unwrap();
    let (code, out, errors) = hashdyno(at, &["check", "--key-file", "key", "list"], b"");
    assert_eq!((code, out.as_str()), (1, "message: FAILED open or read\n"));
    assert!(errors.contains("message: No such file"), "{errors}");
}

/// A list of digests without a key is refused: anybody can compute those.
#[test]
fn lines_without_a_key_are_none() {
    let folder = folder();
    let at = folder.path();
    let (_, list, _) = hashdyno(at, &["sum", "--tag", "message"], b"");
    fs::write(at.join("list"), list).unwrap();
    let (code, out, errors) = hashdyno(at, &["check", "--key-file", "key", "list"], b"");
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(errors.contains("no lines of codes under a key found"), "{errors}");
}

/// A line whose digest takes no key of that length is not checked, and the list does not hold.
#[test]
fn a_line_that_the_key_does_not_fit_fails() {
    let folder = folder();
    let at = folder.path();
    let good = format!("HMAC-SHA256 (message) = {SHA256}\n");
    fs::write(at.join("list"), format!("{good}KEYED-BLAKE3 (message) = {SHA256}\n")).unwrap();
    let (code, out, errors) = hashdyno(at, &["check", "--key-file", "key", "list"], b"");
    assert_eq!((code, out.as_str()), (1, "message: OK\nmessage: FAILED open or read\n"));
    assert!(errors.contains("message: blake3 takes no key of 4 bytes: expected 32"), "{errors}");
}

#[test]
fn codes_are_written_and_checked_in_every_dialect_that_has_them() {
    let folder = folder();
    let at = folder.path();
    let hmac = ["--hmac", "-a", "sha256", "--key-file", "key"];
    let none: &[&str] = &[];
    let base64 = "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=";
    for (options, line, told) in [
        (&["--tag", "--base64"][..], format!("HMAC-SHA256 (message) = {base64}\n"), none),
        (&["--zero"], format!("HMAC-SHA256 (message) = {SHA256}\0"), none),
        (&["--untagged"], format!("{SHA256}  message\n"), &["--hmac", "-a", "sha256"]),
        (&["--untagged", "--base64"], format!("{base64}  message\n"), &["--hmac", "-a", "sha256"]),
        (&["--format", "reversed"], format!("{SHA256} message\n"), &["--hmac", "-a", "sha256"]),
        (&["--format", "json"], format!("\"digests\":{{\"hmac-sha256\":\"{SHA256}\"}}"), none),
    ] {
        let sum = [&["sum"][..], &hmac[..], options, &["message"]].concat();
        let (code, list, errors) = hashdyno(at, &sum, b"");
        assert_eq!((code, errors.as_str()), (0, ""), "{options:?}");
        assert!(list.contains(&line), "{options:?}: {list}");
        fs::write(at.join("list"), &list).unwrap();
        let check = [&["check", "--key-file", "key", "list"][..], told].concat();
        let good = (0, "message: OK\n".to_owned(), String::new());
        assert_eq!(hashdyno(at, &check, b""), good, "{options:?}");
        let without = hashdyno(at, &["check", "list"], b"");
        assert_eq!(without.0, 1, "no list of codes holds without the key");
        if !told.is_empty() {
            let (code, _, errors) = hashdyno(at, &["check", "--key-file", "key", "list"], b"");
            assert_eq!(code, 1, "what is not tagged is told by -a");
            assert!(errors.contains("no lines of codes under a key found"), "{errors}");
        }
    }
    for format in ["oci", "sfv", "hashdeep", "bagit", "mhl", "ascmhl"] {
        let sum = [&["sum"][..], &hmac[..], &["--format", format, "message"]].concat();
        let (code, out, errors) = hashdyno(at, &sum, b"");
        assert_eq!((code, out.as_str()), (2, ""), "{format}");
        assert!(errors.contains("this format cannot hold hmac-sha256"), "{errors}");
    }
}

#[test]
fn verdicts_are_json_under_a_key_too() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("list"), format!("HMAC-SHA256 (message) = {SHA256}\n")).unwrap();
    let check = ["check", "--json", "--key-file", "key", "list"];
    let (code, out, errors) = hashdyno(at, &check, b"");
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(out.starts_with(r#"{"name":"message","schema":1,"verdict":"ok"}"#), "{out}");
    assert!(out.contains(r#""holds":true"#) && out.lines().count() == 2, "{out}");
}

/// Small files go through lanes, a large one piece by piece or, of BLAKE3, as a tree.
#[test]
fn folders_hold_small_and_large_files() {
    let folder = folder();
    let at = folder.path();
    let key = [7; 32];
    fs::write(at.join("key"), key).unwrap();
    fs::create_dir(at.join("in")).unwrap();
    let message: Vec<u8> = (0..3_000_001u32).map(|at| (at.wrapping_mul(131) >> 7) as u8).collect();
    let lens = [0, 1, 64, 1000, 200_000, 1 << 20, message.len()];
    for len in lens {
        fs::write(at.join("in").join(format!("{len:07}")), &message[..len]).unwrap();
    }
    for (mode, name) in [
        (&["--hmac"][..], "sha256"),
        (&[], "blake3"),
        (&[], "blake2b-160"),
        (&["--hmac"], "blake3"),
    ] {
        let digest = hashdyno::find(name).unwrap();
        let made = if mode.is_empty() { Key::keyed(digest, &key) } else { Key::hmac(digest, &key) };
        let expected = |len: &usize| made.as_ref().unwrap().digest(&message[..*len]);
        for threads in ["1", "3"] {
            let options =
                ["sum", "-r", "-j", threads, "--untagged", "-a", name, "--key-file", "key"];
            let (code, list, errors) = hashdyno(at, &[&options[..], mode, &["in"]].concat(), b"");
            assert_eq!((code, errors.as_str()), (0, ""));
            let line = |len| format!("{}  in/{len:07}\n", hashdyno::hex(&expected(len)));
            assert_eq!(list, lens.iter().map(line).collect::<String>(), "{name} {mode:?}");
        }
    }
    let long = ["sum", "-a", "blake3", "--length", "512", "--key-file", "key", "message"];
    let (code, list, _) = hashdyno(at, &long, b"");
    assert!(code == 0 && list.starts_with("KEYED-BLAKE3-512 (message) = "), "{list}");
    fs::write(at.join("list"), list).unwrap();
    let check = ["check", "--quiet", "--key-file", "key", "list"];
    assert_eq!(hashdyno(at, &check, b""), (0, String::new(), String::new()));
}

#[test]
fn a_list_of_codes_is_updated_and_audited() {
    let folder = folder();
    let at = folder.path();
    fs::remove_file(at.join("new\nline")).unwrap();
    fs::create_dir(at.join("in")).unwrap();
    for name in ["a", "b"] {
        fs::write(at.join("in").join(name), name).unwrap();
    }
    let hmac = ["--hmac", "-a", "sha256", "--key-file", "key"];
    let (_, list, _) = hashdyno(at, &[&["sum"][..], &hmac[..], &["in/a"]].concat(), b"");
    fs::write(at.join("list"), &list).unwrap();
    let update = [&["sum", "--update", "list", "-r"][..], &hmac[..], &["in"]].concat();
    let (code, _, errors) = hashdyno(at, &update, b"");
    assert!(code == 0 && errors.contains("1 added, 1 as listed"), "{errors}");
    let (_, both, _) = hashdyno(at, &[&["sum", "-r"][..], &hmac[..], &["in"]].concat(), b"");
    assert_eq!(fs::read_to_string(at.join("list")).unwrap(), both);
    let audit = ["check", "--audit", "in", "--key-file", "key", "list"];
    let (code, out, _) = hashdyno(at, &audit, b"");
    assert!(code == 0 && out.contains("Audit passed"), "{out}");
    fs::write(at.join("in/b"), "B").unwrap();
    let (code, out, _) = hashdyno(at, &audit, b"");
    assert!(code == 1 && out.contains("in/b: changed"), "{out}");
    let (code, _, errors) = hashdyno(at, &update, b"");
    assert!(code == 1 && errors.contains("in/b: changed; its entry stays"), "{errors}");
}

#[test]
fn each_line_has_its_code() {
    let folder = folder();
    let sum = ["sum", "--lines", "--hmac", "-a", "sha256,md5", "--key-file", "key"];
    let (code, out, _) = hashdyno(folder.path(), &sum, b"what do ya want for nothing?\n\n");
    assert_eq!(code, 0);
    let md5 = "750c783e6ab0b503eaa86e310a5db738"; // RFC 2202, test case 2
    assert!(out.starts_with(&format!("{SHA256}\t{md5}\n")) && out.lines().count() == 2, "{out}");
}

/// BLAKE3's test vectors for its key, of one byte.
#[test]
fn blake3_has_a_keyed_mode_of_its_own() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("key"), "whats the Elvish word for friend").unwrap();
    fs::write(at.join("zero"), [0]).unwrap();
    let (code, list, errors) =
        hashdyno(at, &["sum", "-a", "blake3,blake2b-512", "--key-file", "key", "zero"], b"");
    assert_eq!((code, errors.as_str()), (0, ""));
    let value = "6d7878dfff2f485635d39013278ae14f1454b8c0a3a2d34bc1ab38228a80c95b";
    assert_eq!(list.lines().next(), Some(&*format!("KEYED-BLAKE3 (zero) = {value}")));
    assert!(list.lines().nth(1).unwrap().starts_with("KEYED-BLAKE2b (zero) = "), "{list}");
    fs::write(at.join("list"), list).unwrap();
    let check = ["check", "--quiet", "--key-file", "key", "list"];
    assert_eq!(hashdyno(at, &check, b""), (0, String::new(), String::new()));
    fs::write(at.join("key"), "whats the Elvish word for friend\n").unwrap();
    let (code, _, errors) =
        hashdyno(at, &["sum", "-a", "blake3", "--key-file", "key", "zero"], b"");
    assert_eq!(code, 2);
    assert!(errors.contains("blake3 takes no key of 33 bytes: expected 32"), "{errors}");
    assert!(errors.contains("ends with a newline"), "{errors}");
}

#[test]
fn what_cannot_be_says_so() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("empty"), "").unwrap();
    for (arguments, code, said) in [
        (&["sum", "--hmac", "message"][..], 2, "--key-file <FILE>"),
        (&["sum", "--hmac", "-a", "crc32", "--key-file", "key", "message"], 2, "has no HMAC"),
        (&["sum", "-a", "sha256", "--key-file", "key", "message"], 2, "--hmac takes a key"),
        (&["sum", "--hmac", "--key-file", "empty", "message"], 2, "holds no key: it is empty"),
        (&["sum", "--hmac", "--key-file", "none", "message"], 3, "cannot read the key in none"),
        (&["sum", "--hmac", "--key-file", "-", "-"], 2, "standard input is the key"),
        (&["sum", "--hmac", "--key-file", "key", "none"], 1, "none: No such file"),
        (&["check", "--key-file", "-"], 2, "standard input is the key"),
        (&["check", "--hmac", "list"], 2, "--key-file <FILE>"),
        (&["check", "--key-file", "key", "-a", "sha256", "list"], 2, "--hmac takes a key"),
        (&["check", "--key-file", "key", "-a", "tth", "list"], 2, "has no digests of parts"),
        (&["check", "--key-file", "key", ".", "."], 2, "compared without a key"),
        (
            &["sum", "--hmac", "-a", "ascon-hash256", "--key-file", "key", "message"],
            2,
            "longer than its block",
        ),
    ] {
        let (status, out, errors) = hashdyno(at, arguments, b"a key");
        assert_eq!((status, out.as_str()), (code, ""), "{arguments:?}: {errors}");
        assert!(errors.contains(said), "{arguments:?}: {errors}");
    }
}

/// What OpenSSL prints, where there is one.
#[test]
fn openssl_prints_the_same() {
    let folder = folder();
    let at = folder.path();
    let openssl = Command::new("openssl")
        .current_dir(at)
        .args(["dgst", "-sha512", "-hmac", "Jefe", "message"])
        .output();
    let Ok(output) = openssl else { return };
    fs::write(at.join("list"), output.stdout).unwrap();
    let check = ["check", "--key-file", "key", "list"];
    assert_eq!(hashdyno(at, &check, b""), (0, "message: OK\n".to_owned(), String::new()));
}
