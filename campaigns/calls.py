"""Fails the n-th system call of a kind that a program makes, whichever thread makes it, by seccomp;
or has all calls of some kinds do nothing.

strace counts the calls of each thread apart. Here the kernel asks before each call of that kind,
so that of all threads together one call fails, and all others are as ever.
"""

import collections
import ctypes
import errno
import fcntl
import os
import platform
import select
import signal
import socket
import struct
import subprocess
import sys

MACHINE = platform.machine()

# Numbers of calls: <asm/unistd.h>; AUDIT_ARCH_...: <linux/audit.h>.
ARCHITECTURE = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
TABLES = {
    "x86_64": """
        read 0, write 1, close 3, lseek 8, pread64 17, pwrite64 18, flock 73, fsync 74,
        fdatasync 75, ftruncate 77, rename 82, mkdir 83, unlink 87, fchmod 91, fchown 93,
        sync 162, fadvise64 221, openat 257, mkdirat 258, newfstatat 262, unlinkat 263,
        renameat 264, linkat 265, utimensat 280, syncfs 306, renameat2 316, copy_file_range 326,
        statx 332, openat2 437
    """,
    "aarch64": """
        read 63, write 64, close 57, lseek 62, pread64 67, pwrite64 68, flock 32, fsync 82,
        fdatasync 83, sync 81, syncfs 267, ftruncate 46, fchmod 52, fchown 55, fadvise64 223,
        openat 56, mkdirat 34, newfstatat 79, unlinkat 35, renameat 38, linkat 37, utimensat 88,
        renameat2 276, copy_file_range 285, statx 291, openat2 437
    """,
}
NUMBERS = {
    machine: {call: int(number) for call, number in (line.split() for line in table.split(","))}
    for machine, table in TABLES.items()
}

# A call that is hit: `kill` ends the program before it; `error` is its answer, or `value`. Of a
# `path` only the calls count whose file descriptor leads to a name that ends so.
Fault = collections.namedtuple("Fault", "error value path kill", defaults=[0, 0, "", False])
KILL = Fault(kill=True)

# <linux/seccomp.h>: struct seccomp_notif and struct seccomp_notif_resp.
NOTICE = struct.Struct("=QIIiIQ6Q")
ANSWER = struct.Struct("=QqiI")
RECEIVE, SEND = 0xC050_2100, 0xC018_2101
CONTINUE = 1


def parse(words):
    """`error=EIO` or `value=1`, and after a space the end of a path."""
    how, _, path = words.partition(" ")
    kind, value = how.split("=")
    if kind == "error":
        return Fault(error=getattr(errno, value), path=path)
    return Fault(value=int(value), path=path)


def known(call):
    """Whether this machine has a call of that name."""
    return call in NUMBERS.get(MACHINE, {})


def run(command, call, number, fault):
    """The run, and whether the call was hit. Calls on standard streams do not count."""
    ours, theirs = socket.socketpair()
    launcher = [sys.executable, "-IS", __file__, str(theirs.fileno()), str(NUMBERS[MACHINE][call])]
    pipe = subprocess.PIPE
    started = subprocess.Popen(
        [*launcher, *map(str, command)],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=pipe,
        stderr=pipe,
        text=True,
    )
    theirs.close()
    with ours:
        try:
            listener = socket.recv_fds(ours, 1, 1)[1][0]
        except (IndexError, ConnectionError):
            raise OSError(started.communicate()[1]) from None
    try:
        hit = serve(listener, started, os.path.realpath(command[0]), number, fault)
    finally:
        os.close(listener)
    out, told = started.communicate()
    return subprocess.CompletedProcess(command, started.returncode, out, told), hit


def serve(listener, started, program, number, fault):
    """Answers until the program has ended; whether it has come to that call."""
    count, hit = 0, False
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    while True:
        [(_, event)] = poll.poll()
        if not event & select.POLLIN:
            return hit
        notice = bytearray(NOTICE.size)
        try:
            fcntl.ioctl(listener, RECEIVE, notice)
        except OSError:  # whoever called has been killed meanwhile
            continue
        identity, thread, _, _, _, _, first, *_ = NOTICE.unpack(notice)
        answer = (identity, 0, 0, CONTINUE)
        if not hit and counts(thread, first, program, fault):
            count += 1
            if count == number:
                hit = True
                if fault.kill:
                    started.send_signal(signal.SIGKILL)
                    continue
                answer = (identity, fault.value, -fault.error, 0)
        try:
            fcntl.ioctl(listener, SEND, bytearray(ANSWER.pack(*answer)))
        except OSError:
            pass


def counts(thread, first, program, fault):
    """Whether a call is one of those that are counted."""
    try:
        if os.readlink(f"/proc/{thread}/exe") != program:
            return False
        if fault.path:
            return os.readlink(f"/proc/{thread}/fd/{first}").endswith(fault.path)
    except OSError:
        return False
    return first > 2


def launch(channel, number, *command):
    """Has the kernel ask the other end of the channel before each call of that number, and becomes
    the program.
    """
    new_listener = 8
    listener = restrict([number], ASK, new_listener)
    socket.send_fds(socket.socket(fileno=channel), [b"."], [listener])
    os.set_inheritable(listener, False)
    os.execv(command[0], command)


def without(names):
    """What to put before a command so that calls of these names do nothing in it, and succeed."""
    numbers = [str(NUMBERS[MACHINE][name]) for name in names if known(name)]
    return [sys.executable, "-IS", __file__, "without", ",".join(numbers)]


# <linux/seccomp.h>: what becomes of a call.
ALLOW, ASK, DO_NOTHING = 0x7FFF_0000, 0x7FC0_0000, 0x0005_0000


def restrict(numbers, verdict, flags=0):
    """Has the kernel treat calls of these numbers so from now on; gives what it answers."""
    libc = ctypes.CDLL(None, use_errno=True)
    statement = struct.Struct("=HBBI")  # struct sock_filter of <linux/filter.h>
    load, equal, give = 0x20, 0x15, 0x06
    last = len(numbers)
    code = b"".join(
        statement.pack(*line)
        for line in [
            (load, 0, 0, 4),  # seccomp_data.arch
            (equal, 0, last + 1, ARCHITECTURE[MACHINE]),
            (load, 0, 0, 0),  # seccomp_data.nr
            *((equal, last - at, 0, number) for at, number in enumerate(numbers)),
            (give, 0, 0, ALLOW),
            (give, 0, 0, verdict),
        ]
    )
    text = ctypes.create_string_buffer(code)
    program = ctypes.create_string_buffer(
        struct.pack("@HP", len(code) // statement.size, ctypes.addressof(text))
    )
    no_new_privileges, filter_mode = 38, 1
    libc.prctl(no_new_privileges, 1, 0, 0, 0)
    seccomp = {"x86_64": 317, "aarch64": 277}[MACHINE]
    answer = libc.syscall(seccomp, filter_mode, flags, program)
    if answer < 0:
        sys.exit(f"seccomp: {os.strerror(ctypes.get_errno())}")
    return answer


if __name__ == "__main__":
    if sys.argv[1] == "without":
        restrict([int(number) for number in sys.argv[2].split(",")], DO_NOTHING)
        os.execv(sys.argv[3], sys.argv[3:])
    launch(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
