#!/usr/bin/env python3
"""Writes the facts of the hash functions of data frames: NAME.txt for each, and their lines of
sweeps.txt to standard output.

    python3 frames.py FOLDER FILE

FOLDER holds the references: rapidhash.h of the tag rapidhash_v3, komihash.h and README.md of
komihash 5.29, src/*.h and src/metrohash64.cpp and metrohash128.cpp of MetroHash 1.1.3. FILE is what
frames.rs prints. Ends with an error, and no file, if a reference and a crate differ.
"""

import ctypes
import pathlib
import re
import subprocess
import sys
import tempfile

from make import LENGTHS, answers

HERE = pathlib.Path(__file__).parent
PATTERN = bytes(i % 251 for i in range(4096))
SOURCE = r"""
#include "rapidhash.h"
#include "komihash.h"
#include "metrohash64.h"
#include "metrohash128.h"
extern "C" uint64_t rapid(const void *m, size_t n) { return rapidhash(m, n); }
extern "C" uint64_t nano(const void *m, size_t n) { return rapidhashNano(m, n); }
extern "C" uint64_t komi(const void *m, size_t n) { return komihash(m, n, 0); }
extern "C" void metro64(const uint8_t *m, size_t n, uint8_t *out)
{ MetroHash64::Hash(m, n, out, 0); }
extern "C" void metro128(const uint8_t *m, size_t n, uint8_t *out)
{ MetroHash128::Hash(m, n, out, 0); }
"""
# Name: the reference and its version, the crate's.
ENGINES = {
    "rapidhash": "rapidhash.h-3,rapidhash-crate-4.5.1",
    "rapidhash-nano": "rapidhash.h-3,rapidhash-crate-4.5.1",
    "komihash": "komihash.h-5.29,komihash-crate-0.4.1",
    "metrohash64": "metrohash-1.1.3,metrohash-crate-1.0.7",
    "metrohash128": "metrohash-1.1.3,metrohash-crate-1.0.7",
}


def references(folder):
    """Name -> function from bytes to bytes."""
    with tempfile.TemporaryDirectory() as made:
        made = pathlib.Path(made)
        (made / "all.cpp").write_text(SOURCE)
        sources = [
            made / "all.cpp",
            folder / "src/metrohash64.cpp",
            folder / "src/metrohash128.cpp",
        ]
        subprocess.run(
            [
                "g++",
                "-O1",
                "-shared",
                "-fPIC",
                "-I",
                folder,
                "-I",
                folder / "src",
                *sources,
                "-o",
                made / "all.so",
            ],
            check=True,
        )
        library = ctypes.CDLL(str(made / "all.so"))
    number = lambda function: (
        lambda message: function(message, ctypes.c_size_t(len(message))).to_bytes(8, "big")
    )
    for name in ("rapid", "nano", "komi"):
        getattr(library, name).restype = ctypes.c_uint64

    def filled(function, size):
        def digest(message):
            out = ctypes.create_string_buffer(size)
            function(message, ctypes.c_size_t(len(message)), out)
            return out.raw

        return digest

    return {
        "rapidhash": number(library.rapid),
        "rapidhash-nano": number(library.nano),
        "komihash": number(library.komi),
        "metrohash64": filled(library.metro64, 8),
        "metrohash128": filled(library.metro128, 16),
    }


def message(n):
    return bytes((i * 131 + 17 * n + (i >> 8)) & 255 for i in range(n))


def published(folder):
    """Name -> lines of published vectors."""
    readme = (folder / "README.md").read_text()
    part = readme.split("komihash UseSeed = 0x0000000000000000:")[1].split("komihash UseSeed")[0]
    komi = [
        (text.encode(), digest) for text, digest in re.findall(r'"(.+)" = 0x([0-9a-f]{16})', part)
    ]
    komi += [
        (bytes(range(int(n))), digest)
        for n, digest in re.findall(r"bulk\((\d+)\) = 0x([0-9a-f]{16})", part)
    ]
    metro = {}
    for bits in ("64", "128"):
        text = (folder / f"src/metrohash{bits}.cpp").read_text()
        key = re.search(r'test_string = "(\d+)"', text)[1].encode()
        digest = "".join(
            re.findall(
                r"0x([0-9A-F]{2})", re.search(r"test_seed_0\[\d+\] = +\{(.*?)\};", text, re.S)[1]
            )
        ).lower()
        metro["metrohash" + bits] = [(key, digest)]
    return {"komihash": komi, **metro}


def main():
    folder = pathlib.Path(sys.argv[1])
    crates = {}
    for line in pathlib.Path(sys.argv[2]).read_text().splitlines():
        name, length, digest, _engine = line.split()
        crates[name, length] = digest
    vectors = published(folder)
    files, sweeps = {}, []
    for name, digest in references(folder).items():
        all_answers = [digest(message(n)).hex() for n in LENGTHS]
        assert all_answers == [crates[name, str(n)] for n in LENGTHS], name
        check, swept = (
            digest(b"123456789").hex(),
            digest(b"".join(digest(PATTERN[:n]) for n in range(4096))).hex(),
        )
        assert (check, swept) == (crates[name, "check"], crates[name, "sweep"]), name
        lines = []
        for text, value in vectors.get(name, []):
            assert digest(text).hex() == value, (name, text)
            lines.append(f"vector {text.hex()} {value} reference,{ENGINES[name].split(',')[1]}")
        head = (
            f"# {name}: {len(lines)} published vectors; answers of its reference "
            "and of a crate to M(n). Made by frames.py; the format is told in make.py."
        )
        files[name] = [
            head,
            *lines,
            f"oracle {len(all_answers[0]) // 2} {ENGINES[name]}",
            *answers(all_answers),
        ]
        sweeps.append(f"{name} {check} {swept} {ENGINES[name].replace(',', '+')}")
    for name, lines in files.items():
        (HERE / f"{name}.txt").write_text("\n".join(lines) + "\n")
    print("\n".join(sorted(sweeps)))


main()
