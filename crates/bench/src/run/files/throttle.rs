//! A disk slower than this machine's: a pipe with a fixed number of bytes a second.
//!
//! ```text
//! file in the page cache --feed: 64 KiB, wait, 64 KiB, wait ...--> pipe --> /dev/stdin of the tool
//! ```
//!
//! The tool works while the next piece is on its way, as with a disk that reads ahead. A tool that
//! is slower than the rate is not held back by it.

use std::fs::File;
use std::io::{self, PipeWriter, Read, Write};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::process::{self, Completed};

/// Where a process finds the file: at its standard input.
pub const PLACE: &str = "/dev/stdin";

/// Runs a process from start to end that reads `file` from its standard input, at `rate` bytes a
/// second at most. One that takes longer than `limit` is killed.
pub fn run(mut command: Command, file: &Path, rate: u64, limit: Duration) -> io::Result<Completed> {
    let (reader, writer) = io::pipe()?;
    let file = File::open(file)?;
    command.stdin(reader);
    let feeder = thread::spawn(move || feed(file, writer, rate));
    let whole = process::run(&mut command, limit);
    // The command holds an end to read from: without it a feeder that nobody reads from ends.
    drop(command);
    // That a process reads no more is no error here: its answer is compared.
    let _ = feeder.join();
    whole
}

fn feed(mut file: File, mut pipe: PipeWriter, rate: u64) -> io::Result<()> {
    let time = |bytes: usize| Duration::from_secs_f64(bytes as f64 / rate as f64);
    let (mut piece, mut due) = (vec![0; PIECE], Instant::now());
    loop {
        let count = file.read(&mut piece)?;
        if count == 0 {
            return Ok(());
        }
        // A disk has read a piece when it gives it. Where nobody took a piece for a while, the
        // disk did not read ahead: it catches up one piece, which is what a sleep is late.
        let caught_up = Instant::now().checked_sub(time(PIECE)).unwrap_or(due);
        due = due.max(caught_up) + time(count);
        thread::sleep(due.saturating_duration_since(Instant::now()));
        pipe.write_all(&piece[..count])?;
    }
}

/// In bytes: half a millisecond of a disk with 100 MB/s, and as much as a pipe holds.
const PIECE: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn sum_of(bytes: usize, rate: u64) -> Completed {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&vec![b'a'; bytes]).unwrap();
        let mut command = Command::new("wc");
        command.arg("-c").arg(PLACE).stdout(Stdio::piped());
        run(command, file.path(), rate, PATIENCE).unwrap()
    }

    #[test]
    fn a_file_comes_whole_and_no_faster_than_it_may() {
        let whole = sum_of(1_000_000, 10_000_000);
        assert!(String::from_utf8_lossy(&whole.output).starts_with("1000000 "));
        // The pipe has a piece before the process begins, and the feeder has one more.
        assert!(whole.real >= Duration::from_millis(70), "{:?}", whole.real);
    }

    #[test]
    fn a_process_that_does_not_read_on_ends_the_run() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&vec![0; 10_000_000]).unwrap();
        let mut command = Command::new("true");
        command.stdout(Stdio::null());
        let whole = run(command, file.path(), 1_000_000, PATIENCE).unwrap();
        assert!(whole.status.success() && whole.real < Duration::from_secs(5));
    }
}
