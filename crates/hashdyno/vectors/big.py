#!/usr/bin/env python3
"""Makes big.txt: what engines that owe nothing to this project answer to messages beyond 2^32 bits and 2^32 bytes.

    python3 big.py [FILE...] > big.txt

FILE holds further lines `name bytes digest engine`, such as big.rs prints. Engines found here are asked themselves: PHP and hashlib. They
take the message, the bytes i % 251, in pieces, so none needs it in memory. Minutes. Ends with an error, and no file,
if two engines differ.
"""
import hashlib, re, subprocess, sys

LENGTHS = [(1 << 29) + 17, (1 << 32) + 17]
PIECE = bytes(range(251)) * (1 << 12)

# One of each family, and of each way to count. The slow ones only beyond 2^32 bits.
PHP = "ripemd160 tiger192,3 adler32 crc32b fnv1a32 joaat murmur3a murmur3f xxh32 xxh64 xxh3".split()
SLOW = "whirlpool haval256,5 gost".split()
HASHLIB = "md5 sha1 sha256 sha512 sha3_256 blake2b blake2s".split()
answers = {}  # (name, bytes) -> engine -> digest


def record(name, length, digest, engine):
    answers.setdefault((name, length), {})[engine] = digest


def php():
    version = subprocess.run(["php", "-r", "echo PHP_VERSION;"], capture_output=True, text=True).stdout
    script = """[, $algo, $left] = $argv; $hash = hash_init($algo); $piece = '';
        for ($i = 0; $i < 251; $i++) $piece .= chr($i);
        for ($piece = str_repeat($piece, 4096); $left > 0; $left -= strlen($now)) {
            hash_update($hash, $now = $left < strlen($piece) ? substr($piece, 0, $left) : $piece); }
        echo hash_final($hash);"""
    for algo in PHP + SLOW:
        for length in LENGTHS[: 1 if algo in SLOW else 2]:
            command = ["php", "-n", "-r", script, "--", algo, str(length)]
            digest = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            record(re.sub("[,/]", "-", algo), length, digest, f"php-{version}")


def python():
    for algo in HASHLIB:
        for length in LENGTHS:
            hasher = hashlib.new(algo)
            for at in range(0, length, len(PIECE)):
                hasher.update(PIECE[: length - at])
            name = {"blake2b": "blake2b-512", "blake2s": "blake2s-256"}.get(algo, algo.replace("_", "-"))
            record(name, length, hasher.hexdigest(), "hashlib")


def main():
    for file in sys.argv[1:]:
        for line in open(file):
            record(*(int(word) if word.isdigit() and at == 1 else word for at, word in enumerate(line.split())))
    php()
    python()
    lines = []
    for (name, length), engines in sorted(answers.items()):
        if len(set(engines.values())) > 1:
            sys.exit(f"error: the engines differ in {name} of {length} bytes: {engines}")
        lines.append(f"{name} {length} {next(iter(engines.values()))} {'+'.join(sorted(engines))}")
    print("# name, bytes, digest of the first so many bytes of i % 251, the engines that gave it, all independent of this project.")
    print("# Made by big.py.", *lines, sep="\n")


main()
