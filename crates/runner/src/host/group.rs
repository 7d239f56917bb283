//! Process groups that end with this program, or before.
//!
//! A runner may be a script that starts an interpreter, a compiler or a virtual machine. To kill
//! the script alone would leave the rest running on a core that is measured. So each runner leads a
//! process group, and the group is killed as a whole.
//!
//! The static list is for signals: a handler's thread has no access to the values that own the
//! groups.

use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// A child that leads a process group, and its descendants in it. They are killed when this value
/// is dropped, which must be before the child is waited for: then another process may get its
/// number.
pub(crate) struct Group(Pid);

impl Group {
    /// The group of a child that was started by `process_group(0)`.
    pub(crate) fn led_by(child: &Child) -> Self {
        let leader = Pid::from_child(child);
        all().push(leader);
        Self(leader)
    }

    /// The child.
    pub(crate) fn leader(&self) -> Pid {
        self.0
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        all().retain(|leader| *leader != self.0);
        kill(self.0);
    }
}

/// Kills all of them: for a program that a signal is about to end.
pub(crate) fn kill_all() {
    all().iter().copied().for_each(kill);
}

fn kill(leader: Pid) {
    // An error says that nobody is left in the group.
    let _ = kill_process_group(leader, Signal::KILL);
}

fn all() -> MutexGuard<'static, Vec<Pid>> {
    static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}
