//! Times two versions of the library in turn: `duel MESSAGES MASK [DIGEST...]`, as `campaigns/duel`
//! calls it. A line is a digest, its messages, the nanoseconds before and after, and the kernels.

use std::hint::black_box;
use std::time::Instant;

use aligned::Aligned;

mod aligned;

/// The name of a kernel, and a function that makes a given number of calls.
type Job = (String, Box<dyn FnMut(u64)>);

mod before {
    use library_before as library;
    include!("side.rs");
}

mod after {
    use library_after as library;
    include!("side.rs");
}

const TURNS: usize = 20;

/// How long a turn lasts, about.
const TURN_NS: f64 = 60_000.0;

/// Bytes that look like any others, at the place of a page where runners have messages.
fn message(len: usize) -> Aligned {
    let mut state = 1u64;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    };
    Aligned::from(&(0..len).map(next).collect::<Vec<_>>()[..])
}

/// The lengths of `COUNTxLENGTH` or `COUNTxLEAST-MOST`; `None` of one message.
fn lens(messages: &str) -> Option<Vec<usize>> {
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let (count, lens) = messages.split_once('x')?;
    let (least, most) = lens.split_once('-').unwrap_or((lens, lens));
    let (least, most) = (number(least), number(most));
    let mut state = 1u64;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        least + (state >> 33) as usize % (most - least + 1)
    };
    Some((0..number(count)).map(next).collect())
}

fn ns(job: &mut Job, calls: u64) -> f64 {
    let begin = Instant::now();
    (job.1)(calls);
    begin.elapsed().as_nanos() as f64 / calls as f64
}

fn run() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [messages, mask, wanted @ ..] = &arguments[..] else { panic!("see campaigns/duel") };
    let known = before::names();
    for name in after::names() {
        let is_wanted = wanted.is_empty() || wanted.iter().any(|digest| digest == name);
        if !is_wanted || !known.contains(&name) {
            continue;
        }
        for messages in messages.split(',') {
            let mut before = before::job(name, messages, mask);
            let mut after = after::job(name, messages, mask);
            let mut calls = 1;
            while ns(&mut before, calls) * (calls as f64) < TURN_NS && calls < 1 << 20 {
                calls *= 2;
            }
            let mut least = [f64::MAX; 2];
            for turn in 0..TURNS {
                // Neither is always the first.
                for side in [turn % 2, 1 - turn % 2] {
                    let job = if side == 0 { &mut before } else { &mut after };
                    least[side] = least[side].min(ns(job, calls));
                }
            }
            let kernel = match before.0 == after.0 {
                true => after.0,
                false => format!("{}->{}", before.0, after.0),
            };
            println!("{name} {messages} {:.3} {:.3} {kernel}", least[0], least[1]);
        }
    }
}

fn main() {
    // The stack of another thread begins on a page, in every process.
    std::thread::spawn(run).join().expect("it has said why");
}
