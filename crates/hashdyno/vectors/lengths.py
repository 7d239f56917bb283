#!/usr/bin/env python3
"""Writes lengths.txt: what other engines answer to M(200), which make.py tells of, by BLAKE2 and
Skein of every length.

    python3 lengths.py LINES

LINES has `skein256 BITS DIGEST` and so on, such as lengths.rs prints. Each row has the first four
bytes of the SHA-256 of each answer.
"""

import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
MESSAGE = bytes((i * 131 + 17 * 200 + (i >> 8)) & 255 for i in range(200))
ENGINES = {"blake2b": "hashlib", "blake2s": "hashlib"} | {
    f"skein{bits}": "rustcrypto-skein-0.2.0" for bits in (256, 512, 1024)
}
PER_LINE = 13


def main():
    answers = {name: {} for name in ENGINES}
    for name, most in [("blake2b", 64), ("blake2s", 32)]:
        for size in range(1, most + 1):
            answers[name][8 * size] = getattr(hashlib, name)(MESSAGE, digest_size=size).digest()
    for line in open(sys.argv[1]):
        name, bits, digest = line.split()
        answers[name][int(bits)] = bytes.fromhex(digest)
    lines = [
        "# NAME BITS: of M(200), the first four bytes of the SHA-256 of each answer, "
        "from so many bits on. Made by lengths.py."
    ]
    for name, engine in ENGINES.items():
        bits = sorted(answers[name])
        assert bits == list(range(8, bits[-1] + 8, 8)) and all(
            8 * len(answers[name][each]) == each for each in bits
        )
        lines.append(f"# {name}: {engine}")
        prints = [hashlib.sha256(answers[name][each]).hexdigest()[:8] for each in bits]
        lines += [
            f"{name} {bits[i]} {' '.join(prints[i : i + PER_LINE])}"
            for i in range(0, len(prints), PER_LINE)
        ]
    (HERE / "lengths.txt").write_text("\n".join(lines) + "\n")


main()
