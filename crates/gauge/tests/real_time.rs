//! The engine on real time. It prints how often a difference was claimed and never fails on a
//! timing: on a machine that others use, a timing test proves nothing but their presence.
//!
//! `cargo test -p gauge --test real_time -- --nocapture`; any argument that is a number sets the
//! number of runs.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use gauge::{Engine, Plan, Reason, Relation, Series, Subject, Verdict, paired};

fn main() -> io::Result<()> {
    if std::env::args().any(|argument| argument == RUNNER) {
        return serve();
    }
    let runs = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(100);
    let plan = Plan { budget: Duration::from_millis(20), ..Plan::quick() };
    let mut engine = Engine::new(plan)?;
    println!(
        "core {}, clock {:?}, undisturbed {:?}",
        engine.core(),
        engine.clock(),
        engine.baseline()
    );

    let claims =
        claims(&mut engine, runs, &mut InProcess { steps: 100 }, &mut InProcess { steps: 100 });
    println!(
        "in process, against itself:  a difference claimed in {claims} of {runs} runs (expected: \
            at most 5 %)"
    );
    let (mut one, mut other) = (Process::start()?, Process::start()?);
    let claims = self::claims(&mut engine, runs, &mut one, &mut other);
    println!(
        "processes, against its like: a difference claimed in {claims} of {runs} runs (expected: \
            at most 5 %)"
    );
    let claims = self::claims(
        &mut engine,
        runs / 2,
        &mut InProcess { steps: 103 },
        &mut InProcess { steps: 100 },
    );
    println!(
        "in process, 3 % more work:   found in {claims} of {} runs (expected: at least 90 %)",
        runs / 2
    );

    drop(engine);
    let mut engine = Engine::new(Plan::quick())?;
    let mut one = Process::start()?; // on the new engine's core
    let seen = beside_a_busy_loop(&mut engine, runs / 5, &mut one);
    println!(
        "process beside a busy loop on its core: {seen} of {} runs marked disturbed (expected: all)",
        runs / 5
    );
    let seen = beside_a_busy_loop(&mut engine, runs / 5, &mut InProcess { steps: 100 });
    println!(
        "in process beside a busy loop: {seen} of {} runs marked disturbed (a short run may end \
            before the loop's turn)",
        runs / 5
    );
    Ok(())
}

fn claims(engine: &mut Engine, runs: usize, a: &mut dyn Subject, b: &mut dyn Subject) -> usize {
    let (mut claims, mut clean, mut total, mut widths, mut worst) = (0, 0, 0, Vec::new(), 1.0f64);
    for _ in 0..runs {
        let series = engine.measure(&mut [a, b]);
        let Some(ratio) = paired(&series[0], &series[1], engine.plan().confidence) else {
            continue;
        };
        claims += usize::from(ratio.verdict(1.0) != Relation::NotDistinguishable);
        widths.push((ratio.high - ratio.low) / 2.0);
        worst = if (ratio.value - 1.0).abs() > (worst - 1.0).abs() { ratio.value } else { worst };
        for series in &series {
            clean +=
                series.samples.iter().filter(|sample| sample.verdict == Verdict::Clean).count();
            total += series.samples.len();
        }
    }
    let half_width = 100.0 * gauge::stats::median(&mut widths);
    println!(
        "  {total} samples, {clean} clean; ratio furthest from 1: {worst:.4}; median half width \
            {half_width:.2} %"
    );
    claims
}

/// How many runs show the busy loop: rejected samples, or none clean at all.
fn beside_a_busy_loop(engine: &mut Engine, runs: usize, subject: &mut dyn Subject) -> usize {
    let stop = Arc::new(AtomicBool::new(false));
    let loop_stop = stop.clone();
    // A new thread inherits the engine's core.
    let busy = std::thread::spawn(move || while !loop_stop.load(Ordering::Relaxed) {});
    let all: Vec<Series> = (0..runs).flat_map(|_| engine.measure(&mut [subject])).collect();
    stop.store(true, Ordering::Relaxed);
    busy.join().expect("a loop does not panic");
    let count = |wanted| {
        let samples = all.iter().flat_map(|series| &series.samples);
        samples.filter(|sample| wanted == sample.verdict).count()
    };
    print!("  {} clean,", count(Verdict::Clean));
    for reason in [Reason::Preempted, Reason::Waited, Reason::Neighbour, Reason::Frequency] {
        print!(" {} {reason:?}", count(Verdict::Rejected(reason)));
    }
    println!();
    let disturbed = |series: &&Series| match series.estimate() {
        Some(estimate) => estimate.few || estimate.clean < estimate.total,
        None => true,
    };
    all.iter().filter(disturbed).count()
}

/// `steps` multiplications per iteration, each waiting for the last.
fn work(iterations: u64, steps: u64) -> Duration {
    let start = Instant::now();
    let mut x = std::hint::black_box(1u64);
    for _ in 0..iterations {
        for _ in 0..std::hint::black_box(steps) {
            x = (x ^ 0x5bd1_e995).wrapping_mul(0x5851_f42d_4c95_7f2d);
        }
    }
    std::hint::black_box(x);
    start.elapsed()
}

struct InProcess {
    steps: u64,
}

impl Subject for InProcess {
    fn run(&mut self, iterations: u64) -> io::Result<Duration> {
        Ok(work(iterations, self.steps))
    }
}

/// This program again, told what to do on a pipe: as the runners are.
struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    fn start() -> io::Result<Process> {
        let program = std::env::current_exe()?;
        let mut child = Command::new(program)
            .arg(RUNNER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (input, output) =
            (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        Ok(Process { child, input, output: BufReader::new(output) })
    }
}

impl Subject for Process {
    fn run(&mut self, iterations: u64) -> io::Result<Duration> {
        writeln!(self.input, "{iterations}")?;
        let mut answer = String::new();
        self.output.read_line(&mut answer)?;
        answer.trim().parse().map(Duration::from_nanos).map_err(io::Error::other)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve() -> io::Result<()> {
    for line in io::stdin().lines() {
        let iterations = line?.parse().map_err(io::Error::other)?;
        println!("{}", work(iterations, 100).as_nanos());
    }
    Ok(())
}

const RUNNER: &str = "--runner";
