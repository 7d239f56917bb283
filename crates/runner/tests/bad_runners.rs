//! Planted bad runners: each ends in the error that names its fault, in time, and never in a
//! figure.

use std::time::{Duration, Instant};

use bad::{bad, lives};
use runner::{Algorithm, Job, Options, Runner, RunnerError, Size, conformance};

mod bad;

/// How far a conversation got, in order.
#[derive(Debug, PartialEq)]
enum Step {
    Start,
    Job,
    Run,
    Again,
    Finish,
}

/// A whole conversation of a job with `message`; where it broke off, and why.
fn converse(fault: &str, message: &[u8], limit: Duration) -> Result<(), (Step, RunnerError)> {
    let mut runner = bad(fault)
        .start(&Options { limit, ..Options::default() })
        .map_err(|error| (Step::Start, error))?;
    let md5 = hashdyno::find("md5").unwrap();
    let job = Job::digest(md5, runner.offers(md5).unwrap(), message.into());
    runner.job(&job).map_err(|error| (Step::Job, error))?;
    runner.run(3).map_err(|error| (Step::Run, error))?;
    runner.again().map_err(|error| (Step::Again, error))?;
    runner.finish().map_err(|error| (Step::Finish, error))
}

/// Asserts that the runner with each of these faults breaks off at `step` with an error that
/// `named` knows.
#[track_caller]
fn breaks(faults: &[&str], step: Step, named: fn(&RunnerError) -> bool) {
    for fault in faults {
        let begin = Instant::now();
        let (at, error) = converse(fault, b"abc", LIMIT).expect_err(fault);
        assert_eq!(at, step, "{fault}: {error}");
        assert!(named(&error), "{fault}: {error:?}");
        assert!(begin.elapsed() < 3 * LIMIT, "{fault}: {:?}", begin.elapsed());
    }
}

/// Long enough for Python to start on a busy machine.
const LIMIT: Duration = Duration::from_secs(10);

#[test]
fn a_good_one_passes() {
    converse("none", b"abc", LIMIT).unwrap();
}

#[test]
fn it_greets_wrongly() {
    breaks(&["magic", "bytes-greeting", "blank-greeting"], Step::Start, |error| {
        matches!(error, RunnerError::WrongMagic { .. })
    });
    breaks(
        &["version"],
        Step::Start,
        |error| matches!(error, RunnerError::WrongVersion { version } if version == "2"),
    );
    breaks(&["receipt", "flood-greeting", "long-greeting"], Step::Start, |error| {
        matches!(error, RunnerError::Malformed { .. })
    });
    breaks(
        &["refuse-greeting"],
        Step::Start,
        |error| matches!(error, RunnerError::Missing { program, .. } if program == "not today"),
    );
}

#[test]
fn it_hangs() {
    let timeout = |error: &RunnerError| matches!(error, RunnerError::Timeout { .. });
    std::thread::scope(|scope| {
        scope.spawn(move || breaks(&["hang-greeting"], Step::Start, timeout));
        scope.spawn(move || breaks(&["hang-list"], Step::Start, timeout));
        scope.spawn(move || breaks(&["hang-job"], Step::Job, timeout));
        scope.spawn(move || breaks(&["hang-run"], Step::Run, timeout));
        scope.spawn(move || breaks(&["hang-again"], Step::Again, timeout));
        scope.spawn(move || breaks(&["close-run"], Step::Run, timeout));
        scope.spawn(move || breaks(&["deathless"], Step::Finish, timeout));
        scope.spawn(move || {
            let mut runner = with_a_job("century");
            assert_eq!(runner.run(1).unwrap(), Duration::from_nanos(u64::MAX));
            let begin = Instant::now();
            assert!(timeout(&runner.run(1).unwrap_err()), "it does not get a century");
            assert!(begin.elapsed() < 3 * LIMIT, "{:?}", begin.elapsed());
        });
    });
}

/// The runner with this fault, and a job that it has done.
fn with_a_job(fault: &str) -> Runner {
    let mut runner = bad(fault).start(&Options { limit: LIMIT, ..Options::default() }).unwrap();
    let md5 = hashdyno::find("md5").unwrap();
    let job = Job::digest(md5, runner.offers(md5).unwrap(), b"abc"[..].into());
    runner.job(&job).unwrap();
    runner
}

#[test]
fn what_it_says_late_and_unasked_is_no_answer() {
    let mut runner = with_a_job("late");
    // Long enough for its words to be in the pipe, where nobody has read them.
    std::thread::sleep(Duration::from_secs(1));
    let error = runner.run(1000).unwrap_err();
    assert!(matches!(&error, RunnerError::Malformed { line, .. } if line == "ran 1"), "{error}");
}

#[test]
fn its_children_end_with_it() {
    for fault in ["child", "child-deathless"] {
        let runner = bad(fault).start(&Options { limit: LIMIT, ..Options::default() }).unwrap();
        let child = runner.greeting.facts["child"].clone();
        assert!(lives(&child), "{fault}: it has a child");
        drop(runner);
        let begin = Instant::now();
        while lives(&child) {
            assert!(begin.elapsed() < LIMIT, "{fault}: the child lives on");
            std::thread::yield_now();
        }
    }
}

#[test]
fn it_does_not_read_what_it_is_sent() {
    let (at, error) = converse("deaf", &[0; 1 << 20], LIMIT).unwrap_err();
    assert!(at == Step::Job && matches!(error, RunnerError::Timeout { .. }), "{error}");
}

#[test]
fn it_dies() {
    let exits = |error: &RunnerError| {
        matches!(
            error,
            RunnerError::Died { status, stderr, .. }
                if status.code() == Some(3) && stderr == "the disk is on fire"
        )
    };
    breaks(&["exit-greeting", "exit-list"], Step::Start, exits);
    breaks(&["exit-job"], Step::Job, exits);
    breaks(&["exit-run"], Step::Run, exits);
    breaks(&["exit-again"], Step::Again, exits);
    breaks(
        &["sour"],
        Step::Finish,
        |error| matches!(error, RunnerError::Died { status, .. } if status.code() == Some(4)),
    );
    breaks(
        &["quit-greeting"],
        Step::Start,
        |error| matches!(error, RunnerError::Died { status, .. } if status.success()),
    );
    let killed = |error: &RunnerError| error.to_string().contains("SIGKILL");
    breaks(&["kill-greeting"], Step::Start, killed);
    breaks(&["kill-run"], Step::Run, killed);
}

#[test]
fn it_lies_about_an_answer() {
    let wrong = |error: &RunnerError| {
        matches!(
            error,
            RunnerError::WrongAnswer { expected, .. }
                if expected == "900150983cd24fb0d6963f7d28e17f72"
        )
    };
    breaks(&["lie-job", "short-job"], Step::Job, wrong);
    breaks(&["lie-again", "short-again"], Step::Again, wrong);
}

/// The error of a job with the messages of `lens`, which are all different.
fn wrong_of_many(fault: &str, lens: &[usize]) -> String {
    let mut runner = bad(fault).start(&Options { limit: LIMIT, ..Options::default() }).unwrap();
    let md5 = hashdyno::find("md5").unwrap();
    let messages =
        lens.iter().enumerate().flat_map(|(index, &len)| vec![index as u8; len]).collect();
    let job = Job::many(md5, runner.offers(md5).unwrap(), lens.into(), messages);
    let error = runner.job(&job).expect_err(fault);
    assert!(matches!(error, RunnerError::WrongAnswer { .. }), "{fault}: {error}");
    assert!(
        matches!(runner.run(1), Err(RunnerError::Refused { .. })),
        "{fault}: there is nothing to time"
    );
    error.to_string()
}

#[test]
fn it_lies_about_one_of_many_messages() {
    let lens = [5, 0, 300, 64];
    let mut good = bad("none").start(&Options { limit: LIMIT, ..Options::default() }).unwrap();
    let md5 = hashdyno::find("md5").unwrap();
    let thousand =
        Job::many(md5, good.offers(md5).unwrap(), vec![2; 1000].into(), vec![7; 2000].into());
    good.job(&thousand).unwrap();
    good.run(2).unwrap();
    good.again().unwrap();
    let left_out = wrong_of_many("leaves-one-out", &lens);
    assert!(left_out.contains("for message 3 of 4, 48 bytes in all, expected"), "{left_out}");
    let swapped = wrong_of_many("swaps-two", &lens);
    assert!(swapped.contains("for message 3 of 4, 64 bytes in all, expected"), "{swapped}");
    let last = wrong_of_many("leaves-one-out", &[1, 1]);
    assert!(last.contains(" for message 2 of 2, 16 bytes in all, expected"), "{last}");
    // A line of a thousand lengths is not shown to its end.
    assert!(wrong_of_many("swaps-two", &[3; 1000]).len() < 600);
}

#[test]
fn it_lies_about_a_row_of_a_column() {
    let converse = |fault: &str| {
        let options = Options { limit: LIMIT, ..Options::default() };
        let mut runner = bad(fault).start(&options).unwrap();
        let md5 = Algorithm::Digest(hashdyno::find("md5").unwrap());
        let column = Size::Column("7 rows of 3-9".parse().unwrap());
        let job = Job::of_algorithm(md5, runner.offer_of_column(md5).unwrap(), column);
        let given = runner.job(&job).map_err(|error| error.to_string());
        given?;
        runner.run(2).unwrap();
        runner.again().map(|digests| digests.len()).map_err(|error| error.to_string())
    };
    assert_eq!(converse("none"), Ok(7 * 16));
    let left_out = converse("leaves-one-out").unwrap_err();
    assert!(left_out.contains("for message 4 of 7, 96 bytes in all, expected"), "{left_out}");
    let swapped = converse("swaps-two").unwrap_err();
    assert!(swapped.contains("for message 6 of 7, 112 bytes in all, expected"), "{swapped}");
}

#[test]
fn it_speaks_in_riddles() {
    let malformed = |error: &RunnerError| matches!(error, RunnerError::Malformed { .. });
    breaks(
        &["nonsense", "bytes-list", "blank-list", "flood-list", "endless-list"],
        Step::Start,
        malformed,
    );
    breaks(&["word-job", "odd-job", "blank-job", "bytes-job", "flood-job"], Step::Job, malformed);
    breaks(
        &["word-run", "negative-run", "fraction-run", "huge-run", "lie-run", "blank-run"],
        Step::Run,
        malformed,
    );
    // What it says unasked is not taken for the next answer.
    breaks(&["twice-job"], Step::Run, malformed);
    breaks(&["truncate-job"], Step::Job, |error| matches!(error, RunnerError::Truncated { .. }));
    breaks(&["truncate-run"], Step::Run, |error| matches!(error, RunnerError::Truncated { .. }));
}

#[test]
fn it_refuses_and_lives_on() {
    let refused = |error: &RunnerError| {
        matches!(
            error,
            RunnerError::Refused { words, .. } if words == "not today"
        )
    };
    breaks(&["refuse-job"], Step::Job, refused);
    breaks(&["refuse-run"], Step::Run, refused);
    let mut runner = bad("refuse-run").start(&Options::default()).unwrap();
    let md5 = hashdyno::find("md5").unwrap();
    let job = Job::digest(md5, runner.offers(md5).unwrap(), b"abc"[..].into());
    runner.job(&job).unwrap();
    runner.run(1).unwrap_err();
    runner.again().unwrap();
}

#[test]
fn after_an_error_there_is_no_figure() {
    let start = |fault: &str| -> Runner { bad(fault).start(&Options::default()).unwrap() };
    let md5 = hashdyno::find("md5").unwrap();
    let job = |runner: &Runner| Job::digest(md5, runner.offers(md5).unwrap(), b"abc"[..].into());
    let no_job = |error: RunnerError| {
        matches!(
            error,
            RunnerError::Refused { words, .. } if words == "no job"
        )
    };
    let mut runner = start("lie-job");
    runner.job(&job(&runner)).unwrap_err();
    assert!(no_job(runner.run(1).unwrap_err()) && no_job(runner.again().unwrap_err()));
    let mut runner = start("word-run");
    runner.job(&job(&runner)).unwrap();
    runner.run(1).unwrap_err();
    assert!(matches!(runner.run(1), Err(RunnerError::Died { .. })));
    assert!(matches!(runner.job(&job(&runner)), Err(RunnerError::Died { .. })));
}

#[test]
fn the_check_finds_work_done_once() {
    let wrong = |fault| {
        let report =
            conformance::check(&bad(fault), &Options { limit: LIMIT, ..Options::default() });
        report
            .checks
            .into_iter()
            .filter(|check| check.outcome.is_err())
            .map(|check| check.rule)
            .collect::<Vec<_>>()
    };
    assert!(wrong("cache").contains(&"more calls take longer"));
    assert_eq!(wrong("magic"), ["it greets and lists"]);
    // In the middle of a payload it must not end as if all were well.
    assert!(wrong("drops").contains(&"a payload cut short gets no answer"));
}
