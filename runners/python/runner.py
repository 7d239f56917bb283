"""hashdyno's runner for Python: hashlib and zlib. The protocol: docs/PROTOCOL.md."""

import hashlib
import re
import sys
import timeit
import zlib
from time import perf_counter_ns
from urllib.parse import quote

CHECKSUMS = {"zlib.adler32": zlib.adler32, "zlib.crc32": zlib.crc32}
NUMBER = re.compile(r"[0-9]{1,18}")
MAX_PAYLOAD = 1 << 30


class Job:
    """A call, as a programmer writes it, and the names that it uses; timed by timeit's own loop."""

    def __init__(self, call, **names):
        self.call, self.names = call, names
        self.timer = timeit.Timer(call, timer=perf_counter_ns, globals=names)

    def answer(self):
        digest = eval(self.call, self.names)
        return digest.to_bytes(4, "big") if isinstance(digest, int) else digest or b""

    def run(self, calls):
        return self.timer.timeit(calls)


def digest_job(name, how, out, message):
    """The job of hashing `message` with `out` bytes of digest, by `how` or else by the best way there is."""
    ways = implementations(name)
    how = how or next(iter(ways), None)
    if how not in ways:
        raise ValueError(f"cannot do {name} by {how}")
    if out is not None and not name.startswith("shake"):
        raise ValueError(f"{name} gives a digest of one length only")
    # A SHAKE must be told a length; the usual one is twice its security.
    length = out or (int(name[-3:]) // 4 if name.startswith("shake") else "")
    call = {"constructor": f"make(message).digest({length})", "new": f"new(name, message).digest({length})", "zlib": "checksum(message)"}
    return Job(call[how], make=getattr(hashlib, name, None), new=hashlib.new, name=name, checksum=CHECKSUMS.get(name), message=message)


def implementations(name):
    """The ways to compute `name`, the best first; none if it is unknown or if hashlib only says that it has it."""
    if name in CHECKSUMS:
        return ["zlib"]
    try:
        hashlib.new(name, b"")
    except (ValueError, TypeError):
        return []
    return ["constructor", "new"] if name in hashlib.algorithms_guaranteed else ["new"]


def job(words):
    """The job of a line, its payload read."""
    if words == ["job", "empty"]:
        return Job("None")
    options = dict(word.partition("=")[::2] for word in words[3:])
    message = payload(options.pop("len", ""))
    how, out = options.pop("impl", None), options.pop("out", None)
    if words[1] != "digest" or options or out is not None and not NUMBER.fullmatch(out):
        raise ValueError(f"cannot do: {' '.join(words)}")
    return digest_job(words[2], how, out and int(out), message)


def payload(length):
    if not NUMBER.fullmatch(length) or int(length) > MAX_PAYLOAD:
        raise ValueError(f"len must be a number of bytes up to {MAX_PAYLOAD}")
    message = sys.stdin.buffer.read(int(length))
    if len(message) != int(length):
        sys.exit("the input ends in the middle of the payload")
    return message


def ready(current):
    return "ready " + (current.answer().hex() or "-")


def listing():
    names = [*sorted(hashlib.algorithms_available), *CHECKSUMS]
    lines = [" ".join(["digest", name, *implementations(name)]) for name in names if implementations(name)]
    return "\n".join([*lines, "end"])


def greeting():
    facts = {"zlib": zlib.ZLIB_RUNTIME_VERSION, "path": sys.executable}
    try:
        import ssl

        facts["openssl"] = ssl.OPENSSL_VERSION
    except ImportError:
        pass
    words = [f"{key}={quote(value)}" for key, value in facts.items()]
    return " ".join(["runner 1 python", quote(sys.version.split()[0]), *words])


def main():
    print(greeting(), flush=True)
    current = None
    for line in iter(sys.stdin.buffer.readline, b""):
        words = line.decode("utf-8", "replace").rstrip("\n").split(" ")
        try:
            if words == ["list"]:
                reply = listing()
            elif words[0] == "job" and len(words) > 1:
                current = None
                candidate = job(words)
                reply = ready(candidate)
                current = candidate
            elif current is None:
                raise ValueError(f"no job, or not understood: {' '.join(words)}")
            elif words == ["again"]:
                reply = ready(current)
            elif words[0] == "run" and len(words) == 2 and NUMBER.fullmatch(words[1]):
                reply = f"ran {current.run(int(words[1]))}"
            else:
                raise ValueError(f"not understood: {' '.join(words)}")
        except Exception as error:
            reply = "error " + " ".join(f"{type(error).__name__}: {error}".split())
        print(reply, flush=True)


main()
