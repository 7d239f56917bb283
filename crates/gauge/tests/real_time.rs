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

use gauge::{CoreState, Engine, Plan, Reason, Relation, Series, Subject, Verdict, paired};

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

    let mut same = [InProcess { steps: 100 }, InProcess { steps: 100 }];
    let [one, other] = &mut same;
    println!("in process, against itself; a difference claimed (expected: at most 5 %):");
    claims(&mut engine, runs, one, other);
    let (mut one, mut other) = (Process::start()?, Process::start()?);
    println!("two processes of one program; a difference claimed (expected: at most 5 %):");
    claims(&mut engine, runs, &mut one, &mut other);
    let mut more = [InProcess { steps: 103 }, InProcess { steps: 100 }];
    let [one, other] = &mut more;
    println!("in process, 3 % more work; a difference claimed (expected: at least 90 %):");
    claims(&mut engine, runs / 2, one, other);

    drop(engine);
    let mut engine = Engine::new(Plan::quick())?;
    let mut one = Process::start()?; // on the new engine's core
    let seen = beside_a_busy_loop(&mut engine, runs / 5, &mut one);
    println!(
        "process beside a busy loop on its core: {seen} of {} runs marked disturbed \
             (expected: all)",
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

/// Measures the two against each other and prints, for each state of the core, in how many runs a
/// difference is claimed.
fn claims(engine: &mut Engine, runs: usize, a: &mut dyn Subject, b: &mut dyn Subject) {
    let (mut ratios, mut counts) = (Vec::new(), [0; 3]);
    for _ in 0..runs {
        let series = engine.measure(&mut [a, b]);
        ratios.extend(paired(&series[0], &series[1], engine.plan().confidence));
        for sample in series.iter().flat_map(|series| &series.samples) {
            let place = sample.verdict.state().map_or(2, |state| usize::from(!state.is_quiet()));
            counts[place] += 1;
        }
    }
    let [quiet, shared, rejected] = counts;
    println!("  {quiet} samples of a quiet core, {shared} of a shared one, {rejected} rejected");
    for state in CoreState::ALL {
        let found: Vec<_> = ratios.iter().filter(|ratio| ratio.state == state).collect();
        let claimed =
            found.iter().filter(|ratio| ratio.verdict(1.0) != Relation::NotDistinguishable);
        let mut widths: Vec<_> =
            found.iter().map(|ratio| 50.0 * (ratio.high - ratio.low)).collect();
        println!(
            "  {state:?} core: claimed in {} of {} runs; median half width {:.2} %",
            claimed.count(),
            found.len(),
            gauge::stats::median(&mut widths)
        );
    }
    println!("  no ratio in {} of {runs} runs", runs - ratios.len());
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
    print!("  {} quiet, {} shared,", count(Verdict::Clean), count(Verdict::Shared));
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
