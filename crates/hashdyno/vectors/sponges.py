#!/usr/bin/env python3
"""Writes turboshake128.txt, turboshake256.txt, kt128.txt, kt256.txt, ascon-hash256.txt and
ascon-xof128.txt, and prints their lines of sweeps.txt.

    python3 sponges.py RFC ASCON LINES

RFC has the test vectors of RFC 9861, section 5, each as `// NAME(ARGUMENTS):` and the digest in
back quotes, as noble-hashes (test/vectors-keccak.ts) copies them from the RFC. ASCON is a checkout
of ascon-c: its published vectors, and its reference code, which is compiled here. LINES are the
answers of Rust crates, such as sponges.rs prints. The Python package pycryptodome is asked, too.
Ends with an error, and no file, if two of them differ. The format of the files is told in make.py.
"""

import ctypes as c
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile

import Crypto
from Crypto.Hash import KangarooTwelve, TurboSHAKE128, TurboSHAKE256

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
PATTERN = bytes(i % 251 for i in range(17**6))
CHECK = b"123456789"
OUTPUT = {
    "turboshake128": 32,
    "turboshake256": 64,
    "kt128": 32,
    "kt256": 64,
    "ascon-hash256": 32,
    "ascon-xof128": 32,
}
PER_LINE = 13


def pycryptodome():
    """Name -> digest. It has no KT256."""
    engine = f"pycryptodome-{Crypto.__version__}"
    return engine, {
        "turboshake128": lambda m, size: TurboSHAKE128.new(data=m).read(size),
        "turboshake256": lambda m, size: TurboSHAKE256.new(data=m).read(size),
        "kt128": lambda m, size: KangarooTwelve.new(data=m).read(size),
    }


def kt256():
    """KT256 by RFC 9861, section 3, over pycryptodome's TurboSHAKE256."""

    def turbo(m, domain, size):
        return TurboSHAKE256.new(data=m, domain=domain).read(size)

    def digest(m, size):
        chunks = [(m + b"\0")[at : at + 8192] for at in range(0, len(m) + 1, 8192)]
        if len(chunks) == 1:
            return turbo(chunks[0], 7, size)
        count = len(chunks) - 1
        number = count.to_bytes((count.bit_length() + 7) // 8, "big")
        values = b"".join(turbo(chunk, 0x0B, 64) for chunk in chunks[1:])
        return turbo(
            chunks[0] + b"\3" + bytes(7) + values + number + bytes([len(number)]) + b"\xff\xff",
            6,
            size,
        )

    return f"definition-over-pycryptodome-{Crypto.__version__}", {"kt256": digest}


def ascon_c(folder):
    """Name -> digest by the reference code; its XOF gives 64 bytes."""
    digests = {}
    for name, size in [("ascon-hash256", 32), ("ascon-xof128", 64)]:
        source = folder / "crypto_hash" / name.replace("-", "") / "ref"
        library = pathlib.Path(tempfile.mkdtemp()) / "lib.so"
        (library.parent / "crypto_hash.h").write_text(
            "int crypto_hash(unsigned char*, const unsigned char*, unsigned long long);"
        )
        subprocess.run(
            [
                "cc",
                "-O2",
                "-shared",
                "-fPIC",
                f"-I{library.parent}",
                "-o",
                library,
                source / "hash.c",
            ],
            check=True,
        )
        lib = c.CDLL(str(library))

        def digest(m, wanted, lib=lib, size=size):
            out = c.create_string_buffer(size)
            lib.crypto_hash(out, m, c.c_ulonglong(len(m)))
            return out.raw[:wanted]

        digests[name] = digest
    return "ascon-c-1.3.0", digests


def published(rfc, ascon):
    """Name -> (message as the files spell it, the message, digest, source)."""
    found = {name: [] for name in OUTPUT}
    pattern = re.compile(
        r"//\s+(\w+)\(M=([^,]*), (?:D=`1F`|C=`00`\^0), (\d+)\):"
        r"(?:(?!\n  //).)*?exp: fromHex\(\s*`([^`]*)`",
        re.S,
    )
    for name, spelt, size, digest in pattern.findall(rfc.read_text()):
        if spelt == "`00`^0":
            message, spelling = b"", "-"
        else:
            base, _, power = re.fullmatch(r"ptn\((\d+)(\*\*(\d+))? bytes\)", spelt).groups()
            message = PATTERN[: int(base) ** int(power or 1)]
            times, rest = divmod(len(message), 251)
            spelling = f"{times}*{PATTERN[:251].hex()}" if times else ""
            spelling += ("+" if times and rest else "") + PATTERN[:rest].hex()
        digest = bytes.fromhex(digest)
        assert len(digest) == int(size)
        found[name.lower()].append((spelling, message, digest, "rfc9861"))
    for name in ["ascon-hash256", "ascon-xof128"]:
        (path,) = (ascon / "crypto_hash" / name.replace("-", "")).glob("LWC_*_KAT_*.txt")
        for message, digest in re.findall(r"Msg = (\w*)\nMD = (\w+)", path.read_text()):
            message = bytes.fromhex(message)
            if len(message) > 272 and len(message) % 64:
                continue  # every length of the answers below is one of these or longer
            assert message == bytes(i % 256 for i in range(len(message)))
            spelling = f"0..{len(message)}" if len(message) > 2 else message.hex() or "-"
            found[name].append((spelling, message, bytes.fromhex(digest), "ascon-c"))
    return found


def main():
    rfc, ascon, lines = map(pathlib.Path, sys.argv[1:])
    engines = [pycryptodome(), kt256(), ascon_c(ascon)]
    crates = {}  # name -> engine -> line
    for line in lines.read_text().splitlines():
        name, *answer, engine = line.split()
        crates.setdefault(name, {}).setdefault(engine, []).append(answer)
    vectors = published(rfc, ascon)
    for name, size in OUTPUT.items():
        asked = {engine: digests[name] for engine, digests in engines if name in digests}
        swept, answers = {}, {}
        for engine, digest in asked.items():
            for spelt, message, expected, source in vectors[name]:
                assert digest(message, len(expected)) == expected, (name, spelt, engine)
            whole = b"".join(digest(PATTERN[:n], size) for n in range(4096))
            swept[engine] = [digest(CHECK, size).hex(), digest(whole, size).hex()]
            family = [bytes((i * 131 + 17 * n + (i >> 8)) & 255 for i in range(n)) for n in LENGTHS]
            answers[engine] = [digest(message, size).hex() for message in family]
        for engine, (sweep, *family) in crates[name].items():
            assert [int(n) for n, _ in family] == LENGTHS
            swept[engine], answers[engine] = sweep, [digest for _, digest in family]
        first = next(iter(asked))
        assert all(sweep == swept[first] for sweep in swept.values()), name
        assert all(answer == answers[first] for answer in answers.values()), name
        print(name, *swept[first], "+".join(sorted(swept)))
        prints = [
            hashlib.sha256(bytes.fromhex(digest)).hexdigest()[:8] for digest in answers[first]
        ]
        sources = sorted({source for *_, source in vectors[name]})
        text = [
            f"# {name}: {len(vectors[name])} published vectors, from {', '.join(sources)}; "
            "answers of other engines to M(n). "
            "Made by sponges.py; the format is told in make.py.",
            *(
                f"vector {spelt} {digest.hex()} {','.join([source, *sorted(asked)])}"
                for spelt, _, digest, source in vectors[name]
            ),
            f"oracle {size} {','.join(sorted(answers))}",
            *(
                f"answers {LENGTHS[i]} {' '.join(prints[i : i + PER_LINE])}"
                for i in range(0, len(prints), PER_LINE)
            ),
        ]
        (HERE / f"{name}.txt").write_text("\n".join(text) + "\n")


main()
