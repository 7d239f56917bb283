//! A program that a signal is about to end. It is alone in its process: all runners of the process
//! are killed.

use std::time::{Duration, Instant};

use bad::{bad, lives};
use runner::{Options, RunnerError, temporary};

mod bad;

#[test]
fn it_takes_its_runners_and_their_children_with_it() {
    let mut runner = bad("child-deathless").start(&Options::default()).unwrap();
    let child = runner.greeting.facts["child"].clone();
    assert!(lives(&child), "it has a child");
    temporary::remove();
    let begin = Instant::now();
    while lives(&child) {
        assert!(begin.elapsed() < Duration::from_secs(10), "the child lives on");
        std::thread::yield_now();
    }
    let md5 = hashdyno::find("md5").unwrap();
    let job = runner::Job::digest(md5, runner.offers(md5).unwrap(), b"abc"[..].into());
    let error = runner.job(&job).expect_err("it is gone");
    assert!(
        matches!(error, RunnerError::Died { .. }) && error.to_string().contains("SIGKILL"),
        "{error}"
    );
}
