"""A runner that keeps to the protocol but for the one fault that its argument names."""

import hashlib
import os
import signal
import struct
import subprocess
import sys
import time

FAULT = sys.argv[1]


def say(text):
    os.write(1, text.encode())


def hang():
    time.sleep(3600)


def end(code):
    print("the disk is on fire", file=sys.stderr, flush=True)
    os._exit(code)


def close_output():
    os.close(1)
    hang()


def strike(place):
    """The faults that every place knows: hang-run, exit-job, kill-greeting ..."""
    faults = {
        "hang": hang,
        "exit": lambda: end(3),
        "quit": lambda: end(0),
        "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
        "close": close_output,
        "truncate": lambda: (say("ready 900150983cd24fb0"), end(0)),
        "endless": lambda: [say("digest md5\n" * 6000) for _ in iter(int, 1)],
        "flood": lambda: [say("x" * 65536) for _ in iter(int, 1)],
        "long": lambda: say(f"runner 1 bad 1.0 fact={'x' * 65536}\n"),
        "bytes": lambda: os.write(1, b"\xff\xfe\x00\n"),
        "blank": lambda: say("\n"),
        "word": lambda: say("ran soon\n"),
        "negative": lambda: say("ran -5\n"),
        "fraction": lambda: say("ran 1.5\n"),
        "huge": lambda: say("ran 99999999999999999999999\n"),
        "odd": lambda: say("ready 123\n"),
        "lie": lambda: say("ready 00000000000000000000000000000000\n"),
        "short": lambda: say("ready 9001\n"),
        "twice": lambda: say("ready 900150983cd24fb0d6963f7d28e17f72\nran 1\n"),
        "refuse": lambda: say("error not today\n"),
    }
    fault, _, where = FAULT.partition("-")
    if where == place:
        faults[fault]()
        return True
    return False


def rows(layout, count):
    offsets = struct.unpack_from(f"<{count + 1}I", layout)
    return [layout[4 * (count + 1) :][begin:end] for begin, end in zip(offsets, offsets[1:])]


FACTS = ""
if FAULT in ("child", "child-deathless"):
    FACTS = f" child={subprocess.Popen(['sleep', '3600'], stdout=subprocess.DEVNULL).pid}"
if not strike("greeting"):
    say(
        {"magic": "hello, world\n", "version": "runner 2 bad 1\n", "receipt": "runner 1 bad\n"}.get(
            FAULT, f"runner 1 bad 1.0{FACTS}\n"
        )
    )
messages = [b""]
for line in iter(sys.stdin.buffer.readline, b""):
    words = line.decode().split()
    if words[0] == "job":
        options = dict(word.split("=") for word in words[3:])
        if FAULT == "deaf":
            hang()
        lengths = options.get("lens", options.get("len", "0")).split(",")
        lengths = [int(length) for length in lengths]
        messages = [sys.stdin.buffer.read(length) for length in lengths]
        if FAULT == "drops" and sum(map(len, messages)) < sum(lengths):
            end(0)
        if words[1] == "column":
            messages = rows(messages[0], int(options["rows"]))
        if len(messages) > 1 and FAULT == "leaves-one-out":
            del messages[len(messages) // 2]
        if len(messages) > 1 and FAULT == "swaps-two":
            messages[-2:] = messages[:-3:-1]
    if strike(words[0]):
        continue
    if words[0] == "list":
        say(
            "digest md5\ncolumn md5 loop\nend\n"
            if FAULT != "nonsense"
            else "digest md5\nmd5\nend\n"
        )
    elif words[0] in ("job", "again"):
        answer = b"".join(hashlib.md5(message).digest() for message in messages)
        if len(answer) <= 16384:
            say(f"ready {answer.hex()}\n")
        else:
            say(f"ready +{len(answer)}\n")
            os.write(1, answer)
        if FAULT == "late":
            time.sleep(0.05)
            say("ran 1\n")
    elif words[0] == "run" and FAULT == "century":
        say(f"ran {2**64 - 1}\n")
        FAULT = "hang-run"
    elif words[0] == "run":
        # The fault "cache" does the work once, however often it is asked to.
        begin = time.perf_counter_ns()
        for _ in range(1 if FAULT == "cache" else int(words[1])):
            if FAULT == "slow":
                time.sleep(0.001)
            [hashlib.md5(message).digest() for message in messages]
        say(f"ran {time.perf_counter_ns() - begin}\n")
if FAULT in ("deathless", "child-deathless"):
    hang()
if FAULT == "sour":
    end(4)
