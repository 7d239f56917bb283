#!/usr/bin/env python3
"""Makes big.txt: what engines that owe nothing to this project answer to messages beyond 2^32 bits
and beyond 2^32 bytes. An hour.

    python3 big.py PROGRAM LINES > big.txt

PROGRAM is hashdyno-runners, whose libraries are asked for messages of 2^29 + 17 bytes, as PHP's
runner is. Of longer ones those programs are asked that read the message from their standard input;
LINES is a file of answers that are known, such as an earlier big.txt. It has those of the crates
blake-hash and skein, each fed by a program of a few lines: no program has these digests. For
murmur3f of the longer message it has the answer of Python's mmh3: PHP keeps the length in 32 bits,
where the algorithm adds it to words of 64.
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SHORT, LONG = (1 << 29) + 17, (1 << 32) + 17
PIECE = bytes(range(251)) * (1 << 12)

# The engine's version, its command, and our names, with its own where they differ.
PROGRAMS = [
    (
        "php -v",
        "php -n -r echo(hash_file('{}','php://stdin'));",
        {
            name: name
            for name in """md4 md5 sha1 sha256 sha512 sha3-256 ripemd160 whirlpool adler32 crc32b
        crc32c fnv1a32 fnv1a64 joaat murmur3a murmur3c xxh32 xxh64 xxh3 xxh128""".split()
        }
        | {"tiger192-3": "tiger192,3", "haval256-5": "haval256,5"},
    ),
    (
        "openssl version",
        "openssl dgst -r -{}",
        {"sm3": "sm3", "blake2b-512": "blake2b512", "blake2s-256": "blake2s256"},
    ),
    (
        "rhash --version",
        "rhash --simple --{} -",
        {"streebog-512": "gost12-512", "gost": "gost94", "snefru256": "snefru256"},
    ),
    ("b3sum --version", "b3sum --no-names", {"blake3": ""}),
    ("cksum --version", "cksum", {"cksum": ""}),
    ("sum --version", "sum -r", {"sum-bsd": ""}),
    ("sum --version", "sum -s", {"sum-sysv": ""}),
]
DECIMAL = {
    "cksum": 4,
    "sum-bsd": 2,
    "sum-sysv": 2,
}  # printed as decimal numbers; the digests' bytes
RUNNERS = [
    "openssl",
    "php",
    "rustcrypto",
    "gcrypt",
    "botan",
    "rhash",
    "rust",
]  # the first that offers a digest
# Not asked of PHP 8.2: it counts a bit too many each time that the lower word of its counter
# overflows, beyond 2^32 bits.
MISCOUNTED = ["gost", "gost-crypto", "snefru256"]
OUTPUT = {"shake128": 32, "shake256": 64}


def program(command, length):
    """What the program prints first when it has read so many bytes of i % 251."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for at in range(0, length, len(PIECE)):
        process.stdin.write(PIECE[: length - at])
    words = process.communicate()[0].decode().split()
    return (
        words[0]
        if process.returncode == 0 and words
        else sys.exit(f"error: {' '.join(command)} failed")
    )


def version(command):
    """`OpenSSL 3.0.19 27 Jan 2026` -> openssl-3.0.19."""
    words = subprocess.run(
        command.split(), capture_output=True, text=True, check=True
    ).stdout.split()
    number = next(word for word in words if word.strip("v")[0].isdigit() and "." in word)
    return f"{command.split()[0]}-{number.strip('v')}"


class Runner:
    """A runner of docs/PROTOCOL.md."""

    def __init__(self, name):
        php = ["php", "-d", "memory_limit=-1", f"{HERE}/../../../runners/php/runner.php"]
        command = php if name == "php" else [sys.argv[1], name]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        greeting = self.line()
        self.engine = f"{greeting[2]}-{greeting[3]}"
        self.say("list")
        self.names = {}
        while (line := self.line()) != ["end"]:
            if line[0] == "digest":
                ours = {"snefru": "snefru256", "crc32": "crc32-bzip2"}.get(
                    line[1], re.sub("[,/]", "-", line[1])
                )
                if name != "php" or ours not in MISCOUNTED:
                    self.names[ours] = line[1]

    def say(self, text, payload=b""):
        self.process.stdin.write(text.encode() + b"\n" + payload)
        self.process.stdin.flush()

    def line(self):
        return self.process.stdout.readline().decode().split()

    def digest(self, name, message):
        out = f" out={OUTPUT[name]}" if name in OUTPUT else ""
        self.say(f"job digest {self.names[name]} len={len(message)}{out}", message)
        line = self.line()
        return (
            line[1]
            if line[0] == "ready"
            else sys.exit(f"error: {self.engine}, {name}: {' '.join(line)}")
        )


def main():
    lines = {}

    def take(name, length, digest, engine):
        lines[name, length] = f"{name} {length} {digest} {engine}"
        print(lines[name, length], file=sys.stderr)

    for line in open(sys.argv[2]):
        if not line.startswith("#"):
            name, length, digest, engine = line.split()
            take(name, int(length), digest, engine)
    for versioned, command, names in PROGRAMS:
        for name, theirs in names.items():
            for length in (SHORT, LONG):
                if (name, length) not in lines:
                    digest = program(command.format(theirs).split(), length)
                    digest = (
                        int(digest).to_bytes(DECIMAL[name], "big").hex()
                        if name in DECIMAL
                        else digest
                    )
                    take(name, length, digest, version(versioned))
    message = bytes(range(251)) * (SHORT // 251 + 1)
    for name in RUNNERS:
        runner = Runner(name)
        for digest in runner.names:
            if digest in ours() and (digest, SHORT) not in lines:
                take(
                    digest,
                    SHORT,
                    runner.digest(digest, memoryview(message)[:SHORT].tobytes()),
                    runner.engine,
                )
        runner.process.stdin.close()
    for name in ours():
        if (name, SHORT) not in lines:
            print(f"nobody has {name}", file=sys.stderr)
    print(
        "# name, bytes, digest of the first so many bytes of i % 251, "
        "the engine that gave it, independent of this project."
    )
    print("# Made by big.py.", *sorted(lines.values()), sep="\n")


def ours():
    return [line.split()[0] for line in open(f"{HERE}/sweeps.txt") if not line.startswith("#")]


main()
