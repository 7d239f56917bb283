//! The implementations `plain` and `evp` of OpenSSL call different functions: a library in front of
//! libcrypto counts them.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use runner::{Job, Options, Provider};

#[test]
fn plain_and_evp_are_two_code_paths() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("openssl_paths");
    fs::create_dir_all(&folder).unwrap();
    let counting = compiled(&folder);
    // What the list of offers takes is in both counts, and is less than the calls asked for.
    let (below, through) = counts(&folder, &counting, "plain");
    assert!(below >= CALLS && through < CALLS, "plain: {below} MD5_Update, {through} EVP");
    let (_, through) = counts(&folder, &counting, "evp");
    assert!(through >= CALLS, "evp: {through} EVP_DigestUpdate");
}

/// Calls of `MD5_Update` and of `EVP_DigestUpdate` in a runner that was asked for [`CALLS`] digests
/// by that implementation.
fn counts(folder: &Path, libcrypto: &Path, implementation: &str) -> (u64, u64) {
    let told = folder.join(implementation);
    let options = Options {
        libcrypto: Some(libcrypto.to_owned()),
        env: vec![("COUNTS".to_owned(), told.to_string_lossy().into_owned())],
        ..Options::default()
    };
    let mut runner = Provider::find("openssl").unwrap().start(&options).unwrap();
    let offer = runner.list().iter().find(|offer| offer.name == "md5").unwrap().clone();
    let md5 = runner.names().digest("md5").unwrap();
    runner.job(&Job::digest(md5, &offer, vec![1; 64].into()).by(implementation)).unwrap();
    runner.run(CALLS).unwrap();
    runner.finish().unwrap();
    let text = fs::read_to_string(told).unwrap();
    let (below, through) = text.trim().split_once(' ').unwrap();
    (below.parse().unwrap(), through.parse().unwrap())
}

/// The counting library, linked to the libcrypto that the runner finds.
fn compiled(folder: &Path) -> std::path::PathBuf {
    let runner = Provider::find("openssl").unwrap().start(&Options::default()).unwrap();
    let libcrypto = runner.greeting.facts["path"].clone();
    let library = folder.join("counting.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counting.c");
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let done = Command::new(compiler)
        .args(["-shared", "-fPIC", "-Wl,--no-as-needed", "-o"])
        .args([&library, &source, Path::new(&libcrypto)])
        .arg("-ldl")
        .status();
    assert!(done.unwrap().success(), "cc cannot compile counting.c");
    library
}

const CALLS: u64 = 5000;
