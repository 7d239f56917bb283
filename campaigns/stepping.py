"""Which instructions a program takes between two breakpoints of its own, by ptrace."""

import collections
import contextlib
import ctypes
import os
import re
import signal
import subprocess

TRACEME, CONTINUE, STEP, GETREGS = 0, 7, 9, 12  # <sys/ptrace.h>
# <sys/user.h>: in which order GETREGS answers on x86-64; ten more follow.
REGISTERS = (
    "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp".split()
)
RIP = REGISTERS.index("rip")
LONGEST = 15  # bytes of an instruction
BREAKPOINT = b"\xcc"
NEAR = 64  # bytes between instructions that are disassembled together

Step = collections.namedtuple("Step", "text address code registers")

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]


def taken(command, most):
    """The instructions in the order in which they were taken; None if they are more than that.

    Of each: its text, its address, its bytes, and the registers before it, as in `REGISTERS`.
    """
    child = os.fork()
    if not child:
        libc.ptrace(TRACEME, 0, None, None)
        os.execv(command[0], command)
    try:
        stopped(child, signal.SIGTRAP, command)  # by its execve
        libc.ptrace(CONTINUE, child, None, None)
        stopped(child, signal.SIGTRAP, command)
        steps, codes = stepped(child, command, most)
        texts = disassembled(child, codes)
    finally:
        with contextlib.suppress(ProcessLookupError):  # it may have ended
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    if len(steps) > most:
        return None
    return [Step(texts[at], at, codes[at], registers) for at, registers in steps]


def stopped(child, by, command):
    _, status = os.waitpid(child, 0)
    if not os.WIFSTOPPED(status) or os.WSTOPSIG(status) != by:
        words = " ".join(command)
        raise SystemExit(f"error: {words} ended\nhint: does this CPU have that kernel?")


def stepped(child, command, most):
    """Each step to the next breakpoint or one beyond `most`: where it is, and the registers. And
    the bytes at each such place.
    """
    codes, steps = {}, []
    room = (ctypes.c_ulonglong * 32)()
    with open(f"/proc/{child}/mem", "rb", buffering=0) as memory:
        while len(steps) <= most:
            libc.ptrace(GETREGS, child, None, room)
            registers = tuple(room[: len(REGISTERS)])
            at = registers[RIP]
            if at not in codes:
                memory.seek(at)
                codes[at] = memory.read(LONGEST)
            if codes[at].startswith(BREAKPOINT):
                break
            steps.append((at, registers))
            libc.ptrace(STEP, child, None, None)
            stopped(child, signal.SIGTRAP, command)
    return steps, codes


def disassembled(child, addresses):
    """The text of the instruction at each address."""
    texts = {}
    for (file, base), places in by_file(child, addresses).items():
        for first, last in ranges(sorted(places)):
            run = subprocess.run(
                ["objdump", "--disassemble", "--no-show-raw-insn"]
                + [f"--start-address={first - base}", f"--stop-address={last - base + 16}", file],
                capture_output=True,
                text=True,
                check=True,
            )
            for line in run.stdout.splitlines():
                found = re.match(r" *([0-9a-f]+):\s+(.*)", line)
                if found:
                    texts[int(found[1], 16) + base] = assembly(found[2])
    return texts


def assembly(text):
    """What objdump prints, as an assembler takes it: no names, and a target is a number."""
    text = re.sub(r"\s*(<.*>|#.*)", "", text)
    return re.sub(r"^((?:bnd |notrack )?(?:j\w+|call\w*) +)([0-9a-f]+)$", r"\1 0x\2", text)


def by_file(child, addresses):
    """The addresses by the file that is mapped there, and by where its address 0 would be."""
    with open(f"/proc/{child}/maps", encoding="utf-8") as lines:
        fields = [line.split() for line in lines]
    starts = {}
    for field in fields:
        if len(field) == 6:
            starts.setdefault(field[5], int(field[0].split("-")[0], 16))
    found = collections.defaultdict(set)
    for field in fields:
        first, end = (int(word, 16) for word in field[0].split("-"))
        inside = {address for address in addresses if first <= address < end}
        if inside:
            found[field[5], starts[field[5]]] |= inside
    return found


def ranges(places):
    """First and last of the addresses that lie close to each other."""
    first = last = places[0]
    for place in places[1:]:
        if place - last > NEAR:
            yield first, last
            first = place
        last = place
    yield first, last
