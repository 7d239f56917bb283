#!/usr/bin/env python3
"""Reduces a folder of oracles and published vectors to the facts that the tests keep: NAME.txt per
digest, and php-algos.txt.

    python3 make.py FOLDER

FOLDER holds php-oracle.json.xz, extra-oracle.json.xz and kat-small.jsonl, as its README.md
describes them. What is made:

    vector MESSAGE DIGEST SOURCES    a published vector. MESSAGE is hex, `-` if empty, `0..N` for
                                     the bytes 0, 1, 2 ... N-1 modulo 256, `N*HEX` for N times HEX,
                                     `+HEX` for a tail.
                                     DIGEST is as long as the source prints it: extendable digests
                                     come in many lengths.
    oracle BYTES ENGINES             the answers that follow are BYTES long and were given by these
                                     engines, all alike.
    answers N FINGERPRINT...         for the messages M(n), n = the oracle's lengths from N on, the
                                     first four bytes of the SHA-256 of the answer, so that a
                                     failure names its length. m[i] = (i*131 + 17*n + (i>>8)) & 255.

Which digests there are is read from sweeps.txt; those of crc-catalogue.txt are crcs.py's, and the
head of a file that another script made says so. Vectors with a seed are keys.py's.
"""

import hashlib
import json
import lzma
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
LENGTHS = [
    *range(301),
    511,
    512,
    513,
    1000,
    1023,
    1024,
    1025,
    4095,
    4096,
    4097,
    5000,
    8191,
    8192,
    65543,
]
SPELLINGS = {
    "snefru": "snefru256",
    "crc32": "crc32-bzip2",
    "cksum-posix": "cksum",
    "crc64-xz(ecma)": "crc64-xz",
    "crc64-ecma": "crc64-xz",
}
PER_LINE = 13


def canonical(name):
    """The oracle's name -> ours: haval128,3 is haval128-3, skein-512-256 is skein512-256,
    shake128(256) is shake128.
    """
    name = SPELLINGS.get(name, name)
    return re.sub(
        r"[,/]",
        "-",
        re.sub(r"^(shake\d+)\(\d+\)", r"\1", re.sub(r"^skein-(\d+)-", r"skein\1-", name)),
    )


def message(vector):
    if "m" in vector:
        length = len(vector["m"]) // 2
        counted = length > 2 and vector["m"] == bytes(i % 256 for i in range(length)).hex()
        return f"0..{length}" if counted else vector["m"] or "-"
    unit, times = vector["r"]
    return f"{times}*{unit}" + ("+" + vector["tail"] if vector.get("tail") else "")


def vectors(folder):
    """Digest -> lines, shortest message first."""
    lines = {}
    for line in open(folder / "kat-small.jsonl"):
        vector = json.loads(line)
        if "seed" in vector:
            continue
        sources = ",".join(sorted({source.split("/")[0] for source in vector["s"]}))
        lines.setdefault(canonical(vector["a"]), set()).add(
            f"vector {message(vector)} {vector['d']} {sources}"
        )
    return {
        name: sorted(those, key=lambda line: ("*" in line, len(line), line))
        for name, those in lines.items()
    }


def answers(digests):
    prints = [hashlib.sha256(bytes.fromhex(digest)).hexdigest()[:8] for digest in digests]
    return [
        f"answers {LENGTHS[i]} {' '.join(prints[i : i + PER_LINE])}"
        for i in range(0, len(prints), PER_LINE)
    ]


def oracles(folder):
    """Digest -> lines; PHP's answers were each confirmed by at least one other engine when they
    were taken.
    """
    php, extra = (
        json.load(lzma.open(folder / f"{name}-oracle.json.xz")) for name in ("php", "extra")
    )
    assert php["lengths"] == extra["lengths"] == LENGTHS
    lines = {}
    for oracle, engines in [
        (php, lambda _: ["php-" + php["php"], "another"]),
        (extra, lambda name: extra["engines"][name]),
    ]:
        for name, digests in oracle["digests"].items():
            if name == "snefru":
                assert digests == php["digests"]["snefru256"]
                continue
            given_by = ",".join(engine.replace(" ", "-") for engine in engines(name))
            block = [f"oracle {len(digests[0]) // 2} {given_by}", *answers(digests)]
            lines.setdefault(canonical(name), []).extend(block)
    return lines, sorted(php["digests"])


def made_elsewhere(name):
    """Whether the head of its file names another script."""
    path = HERE / f"{name}.txt"
    return path.exists() and "Made by" in path.read_text().partition("\n")[0]


def main():
    folder = pathlib.Path(sys.argv[1])
    published, (given, php_names) = vectors(folder), oracles(folder)
    names = [line.split()[0] for line in open(HERE / "sweeps.txt") if not line.startswith("#")]
    catalogue = {
        line.split()[1] for line in open(HERE / "crc-catalogue.txt") if line.startswith("digest ")
    }
    names = [name for name in names if name not in catalogue and not made_elsewhere(name)]
    for name in names:
        found = published.get(name, [])
        sources = sorted({source for line in found for source in line.split()[-1].split(",")})
        head = (
            f"# {name}: {len(found)} published vectors, from {', '.join(sources)}"
            if found
            else f"# {name}: no published vectors"
        )
        lines = [
            head + "; answers of other engines to M(n). The format is told in make.py.",
            *found,
            *given[name],
        ]
        (HERE / f"{name}.txt").write_text("\n".join(lines) + "\n")
    head = "# The names of PHP 8.2's hash_algos(). Made by make.py."
    (HERE / "php-algos.txt").write_text("\n".join([head, *php_names]) + "\n")
    print(
        f"{len(names)} digests; left out: "
        f"{' '.join(sorted((published.keys() | given.keys()) - set(names)))}"
    )


if __name__ == "__main__":
    main()
