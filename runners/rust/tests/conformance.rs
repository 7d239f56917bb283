//! Every runner of the table keeps to the protocol, on this machine. (Ours is tested where it
//! lives, in `bench`.)

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use runner::{Algorithm, Job, Options, Provider, RunnerError, conformance, providers};

fn conforms(name: &str) {
    let report =
        conformance::check(Provider::find(name).expect("it is in the table"), &Options::default());
    println!("{report}");
    assert!(report.passed(), "{name} breaks the protocol:\n{report}");
}

#[test]
fn openssl() {
    conforms("openssl");
}

#[test]
fn php() {
    conforms("php");
}

#[test]
fn python() {
    conforms("python");
}

#[test]
fn node() {
    conforms("node");
}

/// Those that a machine may lack: what is there keeps to the protocol, and what is not says how to
/// get it. Some take a minute, which the tests before need not wait for.
#[test]
#[ignore = "`make test` runs it beside the others"]
fn optional() {
    let others = Mutex::new(
        providers().iter().filter(|provider| !REQUIRED.contains(&provider.name.as_str())),
    );
    let next = || others.lock().expect("nothing panics that holds it").next();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(provider) = next() {
                    match provider.start(&Options::default()) {
                        Err(error @ RunnerError::Missing { .. }) => {
                            println!("{}: not here: {error}", provider.name)
                        }
                        _ => conforms(&provider.name),
                    }
                }
            });
        }
    });
}

/// Those that `install-tools` insists on, and our own.
const REQUIRED: [&str; 5] = ["hashdyno", "openssl", "php", "python", "node"];

/// It warms up when it gets a job. That takes 50 ms to 400 ms, and the whole budget of a quick plan
/// is 80 ms.
#[test]
#[ignore = "`make test` runs it beside the others"]
fn java_is_warm_before_it_is_timed() {
    let mut java = match Provider::find("java").unwrap().start(&Options::default()) {
        Err(error @ RunnerError::Missing { .. }) => return println!("java: not here: {error}"),
        java => java.unwrap(),
    };
    let sha256 = Algorithm::find("sha256").unwrap();
    let offer = java.offer(sha256).unwrap().clone();
    let first_run = |len: usize| {
        java.job(&Job::of_algorithm(sha256, &offer, len.into())).unwrap();
        let begin = Instant::now();
        java.run(1).unwrap();
        begin.elapsed()
    };
    let shortest = [1000, 2000, 4000].map(first_run).into_iter().min().unwrap();
    assert!(shortest < Duration::from_millis(50), "{shortest:?}");
}

#[test]
fn a_libcrypto_that_is_not_there_is_missing() {
    let options = Options { libcrypto: Some("/no/such/libcrypto.so".into()), ..Options::default() };
    let error = Provider::find("openssl").unwrap().start(&options).err().unwrap();
    assert!(matches!(error, runner::RunnerError::Missing { .. }), "{error}");
    assert!(error.to_string().contains("/no/such/libcrypto.so"), "{error}");
}

#[test]
fn a_mask_reaches_libcrypto_and_the_receipt() {
    let capabilities = |env: &[(String, String)]| {
        let options = Options { env: env.to_vec(), ..Options::default() };
        let runner = Provider::find("openssl").unwrap().start(&options).unwrap();
        runner.greeting.facts.get("ia32cap").cloned().unwrap_or_default()
    };
    let mask = ("OPENSSL_ia32cap".to_owned(), "~0x200000200000000".to_owned());
    if cfg!(target_arch = "x86_64") {
        assert_ne!(capabilities(&[]), capabilities(&[mask]));
    }
}
