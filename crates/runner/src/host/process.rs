//! A child process that is talked to line by line, and never waited for without a time limit.
//!
//! The child has three channels. Its input and output are pipes that never block the host: each
//! read and write waits by `poll` until the question's deadline. Its stderr is a file without a
//! name.
//!
//! ```text
//! ask    the pipe must be empty, then the line and the payload are written
//! line   up to the next line feed, less than 64 KiB
//! bytes  a long answer, whose length its line has told
//! close  the input ends, and the child is waited for until the deadline
//! kill   the whole process group is killed, and the child is waited for
//! ```
//!
//! The order at the end matters: the group is killed before the child is waited for, because
//! afterwards its number may belong to another process.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{WaitId, WaitIdOptions, waitid};

use super::group::Group;
use crate::protocol::RunnerError;

/// A child with its pipes. When it is dropped, the child's input is closed, and if that does not
/// end it, it is killed. Whatever it started goes with it.
pub(crate) struct Process {
    program: String,
    child: Child,
    /// The child and its descendants; none once it has been waited for.
    group: Option<Group>,
    /// None once it was closed, which tells the runner to end.
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// What was read and not yet taken.
    unread: Vec<u8>,
    /// A file rather than a pipe: it needs no reader, and so cannot block the child.
    errors: File,
}

/// What the child is asked, and how long it has.
pub(crate) struct Question<'a> {
    text: &'a str,
    limit: Duration,
    /// From the beginning of the question, for all reads and writes that it needs.
    deadline: Instant,
}

impl<'a> Question<'a> {
    pub(crate) fn new(text: &'a str, limit: Duration) -> Self {
        Self { text, limit, deadline: Instant::now() + limit }
    }

    fn timeout(&self) -> RunnerError {
        RunnerError::Timeout { request: self.text.to_owned(), limit: self.limit }
    }

    pub(crate) fn malformed(&self, line: &str, expected: &'static str) -> RunnerError {
        RunnerError::Malformed { request: self.text.to_owned(), line: line.to_owned(), expected }
    }
}

impl Process {
    /// Starts `command`; if there is no such program, the error says `hint`.
    pub(crate) fn start(mut command: Command, hint: &str) -> Result<Self, RunnerError> {
        let program = command.get_program().to_string_lossy().into_owned();
        Self::spawn(&mut command, &program).map_err(|source| match source.kind() {
            ErrorKind::NotFound => RunnerError::Missing { program, hint: hint.to_owned() },
            _ => RunnerError::System { program, source },
        })
    }

    fn spawn(command: &mut Command, program: &str) -> io::Result<Self> {
        let errors = tempfile::tempfile()?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors.try_clone()?);
        let mut child = command.process_group(0).spawn()?;
        let group = Some(Group::led_by(&child));
        let input = child.stdin.take().expect("stdin is piped");
        let output = child.stdout.take().expect("stdout is piped");
        let process = Self {
            program: program.to_owned(),
            child,
            group,
            input: Some(input),
            output,
            unread: Vec::new(),
            errors,
        };
        for end in [process.input.as_ref().expect("just set").as_fd(), process.output.as_fd()] {
            fcntl_setfl(end, fcntl_getfl(end)? | OFlags::NONBLOCK)?;
        }
        Ok(process)
    }

    /// Sends the question's line and `payload`. That nothing unasked was said before is checked
    /// first, also in the pipe.
    pub(crate) fn ask(
        &mut self,
        question: &Question<'_>,
        payload: &[u8],
    ) -> Result<(), RunnerError> {
        // Whatever waits here answers no question: a runner that answers ahead would look
        // infinitely fast.
        let now = Question::new(question.text, Duration::ZERO);
        if self.unread.is_empty() && self.ready(Some(self.output.as_fd()), PollFlags::IN, &now)? {
            self.read(question)?;
        }
        if !self.unread.is_empty() {
            let line =
                String::from_utf8_lossy(&self.unread).lines().next().unwrap_or_default().to_owned();
            return Err(question.malformed(&line, "nothing before the question"));
        }
        self.send(question, format!("{}\n", question.text).as_bytes())?;
        self.send(question, payload)
    }

    fn send(&mut self, question: &Question<'_>, mut bytes: &[u8]) -> Result<(), RunnerError> {
        while let (Some(input), false) = (&mut self.input, bytes.is_empty()) {
            match input.write(bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                    return Err(self.died(question));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if !self.ready(
                        self.input.as_ref().map(AsFd::as_fd),
                        PollFlags::OUT,
                        question,
                    )? {
                        return Err(question.timeout());
                    }
                }
                Err(error) => return Err(self.system(error)),
            }
        }
        Ok(())
    }

    /// The next line of the answer, without its end.
    pub(crate) fn line(&mut self, question: &Question<'_>) -> Result<String, RunnerError> {
        let mut seen = 0;
        loop {
            // Bytes that were searched before are not searched again: a line may come in many
            // pieces.
            let end = self.unread[seen..].iter().position(|&byte| byte == b'\n');
            let len = end.map_or(self.unread.len(), |at| seen + at);
            // One read may bring the rest of a line that is too long, with its end.
            if len >= LONGEST_LINE {
                return Err(question.malformed(
                    &String::from_utf8_lossy(&self.unread[..60]),
                    "a line of less than 64 KiB",
                ));
            }
            if end.is_some() {
                let rest = self.unread.split_off(len + 1);
                let line = std::mem::replace(&mut self.unread, rest);
                return Ok(String::from_utf8_lossy(&line[..len]).into_owned());
            }
            seen = len;
            self.read(question)?;
        }
    }

    /// The next `count` bytes of the answer.
    pub(crate) fn bytes(
        &mut self,
        question: &Question<'_>,
        count: usize,
    ) -> Result<Vec<u8>, RunnerError> {
        while self.unread.len() < count {
            self.read(question)?;
        }
        let rest = self.unread.split_off(count);
        Ok(std::mem::replace(&mut self.unread, rest))
    }

    /// Reads what there is, once there is something.
    fn read(&mut self, question: &Question<'_>) -> Result<(), RunnerError> {
        if !self.ready(Some(self.output.as_fd()), PollFlags::IN, question)? {
            return Err(question.timeout());
        }
        let mut piece = [0; 64 << 10];
        match self.output.read(&mut piece) {
            // The end between two lines is a death, the end inside of a line is half an answer.
            Ok(0) if self.unread.is_empty() => Err(self.died(question)),
            Ok(0) => Err(RunnerError::Truncated {
                request: question.text.to_owned(),
                line: String::from_utf8_lossy(&self.unread[..self.unread.len().min(60)])
                    .into_owned(),
            }),
            Ok(count) => {
                self.unread.extend_from_slice(&piece[..count]);
                Ok(())
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) =>
            {
                Ok(())
            }
            Err(error) => Err(self.system(error)),
        }
    }

    /// Waits until the pipe's end can be used; false if that takes too long.
    fn ready(
        &self,
        end: Option<BorrowedFd<'_>>,
        flags: PollFlags,
        question: &Question<'_>,
    ) -> Result<bool, RunnerError> {
        let Some(end) = end else { return Ok(false) };
        loop {
            let left = question.deadline.saturating_duration_since(Instant::now());
            let left =
                Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
            match poll(&mut [PollFd::from_borrowed_fd(end, flags)], Some(&left)) {
                Ok(count) => return Ok(count > 0),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(self.system(error.into())),
            }
        }
    }

    /// Closes the child's input.
    pub(crate) fn end_input(&mut self) {
        self.input = None;
    }

    /// Closes the child's input and waits for its end.
    pub(crate) fn close(&mut self, question: &Question<'_>) -> Result<ExitStatus, RunnerError> {
        self.end_input();
        loop {
            if self.has_ended().map_err(|error| self.system(error))? {
                return self.reap().map_err(|error| self.system(error));
            }
            if Instant::now() > question.deadline {
                return Err(question.timeout());
            }
            sleep(Duration::from_millis(1));
        }
    }

    /// Whether the child has ended. It is not waited for: until then nobody else gets its number.
    fn has_ended(&self) -> io::Result<bool> {
        let Some(group) = &self.group else { return Ok(true) };
        let only_look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(group.leader()), only_look)?.is_some())
    }

    /// Kills the child and whatever it started, and waits for the child.
    fn reap(&mut self) -> io::Result<ExitStatus> {
        drop(self.group.take());
        self.child.wait()
    }

    /// Kills the child, if it is still there, and whatever it started.
    pub(crate) fn kill(&mut self) {
        self.end_input();
        // An error says that the child is gone already, which is what was wanted.
        let _ = self.reap();
    }

    /// The error that tells how the child ended, after its pipes have; one that lives on without
    /// them is killed.
    pub(crate) fn died(&mut self, question: &Question<'_>) -> RunnerError {
        match self.close(&Question::new(question.text, PATIENCE)) {
            Ok(status) => RunnerError::Died {
                request: question.text.to_owned(),
                status,
                stderr: self.last_words(),
            },
            Err(error) => error,
        }
    }

    /// The end of what the child wrote to stderr.
    fn last_words(&mut self) -> String {
        let mut bytes = Vec::new();
        let read = self.errors.seek(SeekFrom::End(0)).and_then(|end| {
            self.errors.seek(SeekFrom::Start(end.saturating_sub(LAST_WORDS)))?;
            self.errors.read_to_end(&mut bytes)
        });
        read.map_or_else(
            |error| format!("(stderr cannot be read: {error})"),
            |_| String::from_utf8_lossy(&bytes).trim().to_owned(),
        )
    }

    fn system(&self, source: io::Error) -> RunnerError {
        RunnerError::System { program: self.program.clone(), source }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.close(&Question::new("end of input", PATIENCE / 5)).is_err() {
            self.kill();
        }
    }
}

/// How long a child that has closed its output may take to end; a fifth of it, once its input has
/// ended and nobody asks more.
const PATIENCE: Duration = Duration::from_secs(1);

const LONGEST_LINE: usize = 64 << 10;

/// How much of stderr is kept, in bytes.
const LAST_WORDS: u64 = 600;
