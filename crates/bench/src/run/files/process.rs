//! A process measured as a whole, and the page cache that it finds.
//!
//! ```text
//! real        from before the start to after the wait
//! user, sys   of all children of this process: the difference of getrusage before and after
//! device      blocks of 512 bytes that a device read for them, likewise
//! ```
//!
//! One process runs at a time, since the kernel adds up the times of all children. METHODOLOGY.md,
//! "Whole files", says which runs count.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeVal;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::run::system::{end_of, leave_cache};
use crate::study::Cache;

/// What a process took, and what it said.
pub struct Completed {
    /// From before it was started until after it had ended.
    pub real: Duration,
    /// What the CPUs spent in it and its children.
    pub user: Duration,
    /// What the CPUs spent in the system for them.
    pub sys: Duration,
    /// Bytes that they had a block device read.
    pub device_bytes: u64,
    /// What it wrote to its standard output.
    pub output: Vec<u8>,
    /// How it ended.
    pub status: ExitStatus,
}

/// Runs a process from start to end; one that takes longer than `limit` is killed. It may use every
/// CPU that this thread may.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Completed> {
    // What the children of this process used is counted in one sum: nobody else may wait for one
    // meanwhile.
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let before = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let start = Instant::now();
    let mut child = command.stderr(Stdio::null()).spawn()?;
    // The output is read while the process runs: a full pipe would stop it.
    let output = hear(&mut child, start + limit);
    if output.is_err() {
        // An error says that it has ended already, which is what is wanted.
        let _ = child.kill();
    }
    let status = child.wait()?;
    let real = start.elapsed();
    let after = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let spent =
        |of: fn(&Usage) -> TimeVal| duration(of(&after)).saturating_sub(duration(of(&before)));
    let blocks = (after.block_reads() - before.block_reads()) as u64;
    let (user, sys) = (spent(Usage::user_time), spent(Usage::system_time));
    Ok(Completed { real, user, sys, device_bytes: 512 * blocks, output: output?, status })
}

/// Everything that a child writes, until it has ended; where the kernel cannot tell the latter,
/// until it has closed its output.
fn hear(child: &mut Child, deadline: Instant) -> io::Result<Vec<u8>> {
    let end = end_of(child);
    let (mut output, mut pipe) = (Vec::new(), child.stdout.take());
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "it did not end in time, and was killed",
            ));
        }
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        let mut waited: Vec<_> =
            pipe.iter().map(|pipe| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)).collect();
        // It closed its output and may work on: its end is waited for by its descriptor.
        if waited.is_empty() {
            let Some(end) = &end else { return Ok(output) };
            waited.push(PollFd::new(end, PollFlags::IN));
        }
        match poll(&mut waited, Some(&left)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        let Some(open) = &mut pipe else { return Ok(output) };
        let mut piece = [0; 4096];
        match open.read(&mut piece)? {
            0 => pipe = None,
            count => output.extend(&piece[..count]),
        }
        if output.len() > LONGEST_OUTPUT {
            return Err(io::Error::other("it printed more than a digest"));
        }
    }
}

/// Brings a file to where a run wants it: into the page cache, or out of it. Whether the latter
/// happened, [`Completed::device_bytes`] tells.
pub fn prepare(file: &Path, cache: Cache) -> io::Result<()> {
    let mut file = File::open(file)?;
    match cache {
        // Reading brings the file into the cache. A pipe is fed from there, at its own rate.
        Cache::Warm | Cache::Throttled => io::copy(&mut file, &mut io::sink()).map(drop),
        Cache::Cold => {
            file.sync_all()?;
            leave_cache(&file)
        }
    }
}

fn duration(time: TimeVal) -> Duration {
    Duration::from_secs(time.tv_sec() as u64) + Duration::from_micros(time.tv_usec() as u64)
}

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// In bytes; a digest and a file's name are far shorter.
const LONGEST_OUTPUT: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    #[test]
    fn a_process_is_heard_to_its_end() {
        let whole = run(
            Command::new("sh").args(["-c", "printf abc; exit 3"]).stdout(Stdio::piped()),
            PATIENCE,
        )
        .unwrap();
        assert_eq!((whole.output.as_slice(), whole.status.code()), (&b"abc"[..], Some(3)));
        let silent =
            run(Command::new("sh").args(["-c", "printf abc"]).stdout(Stdio::null()), PATIENCE)
                .unwrap();
        assert!(silent.output.is_empty() && silent.status.success());
        assert!(run(&mut Command::new("/no/such/program"), PATIENCE).is_err());
    }

    #[test]
    fn a_process_that_does_not_end_is_killed() {
        let begin = Instant::now();
        let endless =
            run(Command::new("sleep").arg("600").stdout(Stdio::piped()), Duration::from_millis(50));
        assert_eq!(endless.err().map(|error| error.kind()), Some(io::ErrorKind::TimedOut));
        assert!(begin.elapsed() < Duration::from_secs(600));
    }
}
