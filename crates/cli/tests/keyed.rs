//! Codes under a key: `hashdyno sum --key-file` and `hashdyno check --key-file` as they are called.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;

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
    assert!(errors.contains("1 computed codes did NOT match"), "{errors}");
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
