//! The program alone: its arguments, and a host that is gone.

use std::ffi::OsStr;
use std::io::pipe;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

fn runner(arguments: &[&[u8]]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hashdyno-runners"));
    command.args(arguments.iter().map(|argument| OsStr::from_bytes(argument)));
    command
}

#[test]
fn a_path_need_not_be_text() {
    let output = runner(&[b"openssl", b"--libcrypto=/no/such/\xff"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.starts_with("error libcrypto (") && said.contains("/no/such/"), "{said}");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_name_that_is_no_text_is_refused() {
    refused(&[b"\xff"]);
    refused(&[b"openssl", b"\xff"]);
    refused(&[b"openssl", b"--cpu=all"]);
}

fn refused(arguments: &[&[u8]]) {
    let output = runner(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("usage: "), "{output:?}");
}

#[test]
fn a_host_that_is_gone_gets_no_word() {
    let (reader, writer) = pipe().unwrap();
    drop(reader);
    let mut command = runner(&[b"openssl", b"--libcrypto=/no/such/library"]);
    let output = command.stdout(writer).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
