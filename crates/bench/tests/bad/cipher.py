"""PHP's runner but for the one fault that the first argument names; the rest is the command of the
good one.
"""

import subprocess
import sys
import time

FAULT, *GOOD = sys.argv[1:]
good = subprocess.Popen(GOOD, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
job = []


def ask(line, payload=b""):
    """The good runner's answer: a line, and what follows it."""
    good.stdin.write(line + b"\n" + payload)
    good.stdin.flush()
    answer = good.stdout.readline().rstrip(b"\n")
    words = answer.split(b" ")
    behind = words[0] == b"ready" and words[1].startswith(b"+")
    return answer, good.stdout.read(int(words[1])) if behind else b""


def say(line, behind=b""):
    sys.stdout.buffer.write(line + b"\n" + behind)
    sys.stdout.buffer.flush()


def changed(answer, behind, place):
    """The answer with one bit turned in the byte at `place`."""
    words = answer.split(b" ")
    if words[0] != b"ready":
        return answer, behind
    data = bytearray(behind or bytes.fromhex(words[1].decode()))
    data[place] ^= 1
    return (
        (answer, bytes(data))
        if behind
        else (b" ".join([b"ready", data.hex().encode(), *words[2:]]), b"")
    )


def answered(line, payload=b""):
    answer, behind = ask(line, payload)
    encrypts = job[3:4] == [b"encrypt"]
    if FAULT == "ciphertext" and encrypts:
        return changed(answer, behind, 5)
    if FAULT == "later" and encrypts and line == b"again":
        return changed(answer, behind, 5)
    if FAULT == "tag" and encrypts:
        return changed(answer, behind, -1)
    if FAULT == "plain" and job[3:4] == [b"decrypt"]:
        return changed(answer, behind, 5)
    if FAULT == "accepts" and answer.startswith(b"error") and job[3:4] == [b"decrypt"]:
        return b"ready " + payload[:-16].hex().encode(), b""
    return answer, behind


def claimed(calls):
    """A claim of a nanosecond for each call, and it takes as long by any clock: 8 KiB cannot even
    be read in that time.
    """
    end = time.perf_counter_ns() + calls
    while time.perf_counter_ns() < end:
        pass
    return b"ran %d" % calls


say(good.stdout.readline().rstrip(b"\n"))
for line in iter(sys.stdin.buffer.readline, b""):
    line = line.rstrip(b"\n")
    words = line.split(b" ")
    if words[0] == b"job" and words[1] == b"cipher":
        job = words
        payload = sys.stdin.buffer.read(int(words[4].removeprefix(b"len=")))
        if FAULT == "swapped":
            other = {b"encrypt": b"decrypt", b"decrypt": b"encrypt"}[words[3]]
            line = b" ".join([*words[:3], other, *words[4:]])
        say(*answered(line, payload))
    elif words[0] == b"job":
        job = words
        length = dict(word.split(b"=") for word in words[2:] if b"=" in word).get(b"len", b"0")
        say(*ask(line, sys.stdin.buffer.read(int(length))))
    elif line == b"again":
        say(*answered(line))
    elif words[0] == b"run" and FAULT == "fast" and job[1:2] == [b"cipher"]:
        say(claimed(int(words[1])))
    elif line == b"list":
        answer, _ = ask(line)
        while answer != b"end":
            say(answer)
            answer = good.stdout.readline().rstrip(b"\n")
        say(answer)
    else:
        say(*ask(line))
good.stdin.close()
sys.exit(good.wait())
