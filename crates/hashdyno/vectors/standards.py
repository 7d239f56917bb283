#!/usr/bin/env python3
"""Writes the facts of LSH, Kupyna, Belt-hash, Bash, Shabal, HAS-160 and Edon-R: NAME.txt for each,
and prints their lines of sweeps.txt.

    python3 standards.py FOLDER LINES...

FOLDER holds checkouts: bee2 2.2.4, kupyna-reference, sphlib 3.0 and Crypto++ (include and lib of
8.7.0 in cryptopp) are compiled and asked, as is the librhash of this machine; the vectors that
they, RustCrypto's hashes, go-krypto and RHash publish are read. LINES are what standards.rs and
standards.go print. Ends with an error, and no file, if two engines differ.
"""

import ctypes as c
import pathlib
import re
import subprocess
import sys
import tempfile

from make import LENGTHS, answers

HERE = pathlib.Path(__file__).parent
PATTERN = bytes(i % 251 for i in range(4096))
LSH = {
    "lsh256-224": "LSH-224",
    "lsh256-256": "LSH-256",
    "lsh512-256": "LSH-512-256",
    "lsh512-384": "LSH-384",
    "lsh512-512": "LSH-512",
}
SIZES = {
    "lsh256-224": 28,
    "lsh256-256": 32,
    "lsh512-224": 28,
    "lsh512-256": 32,
    "lsh512-384": 48,
    "lsh512-512": 64,
    "belt-hash": 32,
}
SIZES |= {
    f"{family}{bits}": bits // 8
    for family in ("kupyna-", "shabal-")
    for bits in (224, 256, 384, 512)
}
SIZES |= {f"bash{bits}": bits // 8 for bits in (256, 384, 512)} | {
    "shabal-192": 24,
    "has160": 20,
    "edonr256": 32,
    "edonr512": 64,
}
BEE2 = [
    "bash/bash_hash",
    "bash/bash_f64",
    "belt/belt_hash",
    "belt/belt_compr",
    "belt/belt_block",
    "belt/belt_lcl",
]
SHIM = r"""
#include <cryptopp/lsh.h>
#define ONE(name) \
    extern "C" void name(const CryptoPP::byte *m, size_t n, CryptoPP::byte *out) \
    { CryptoPP::name().CalculateDigest(out, m, n); }
ONE(LSH224) ONE(LSH256) ONE(LSH384) ONE(LSH512) ONE(LSH512_256)
"""


def compiled(folder, engine, compiler, *arguments):
    library = pathlib.Path(tempfile.mkdtemp()) / "lib.so"
    subprocess.run(
        [compiler, "-O2", "-w", "-shared", "-fPIC", "-o", library, *arguments],
        check=True,
        cwd=folder,
    )
    return engine, c.CDLL(str(library), mode=1)


def one_shot(function, size):
    def digest(m):
        out = c.create_string_buffer(size)
        function(m, c.c_size_t(len(m)), out)
        return out.raw

    return digest


def cryptopp(folder):
    (folder / "shim.cpp").write_text(SHIM)
    options = ["-Icryptopp/include", "-Lcryptopp/lib", f"-Wl,-rpath,{folder}/cryptopp/lib"]
    engine, lib = compiled(folder, "cryptopp-8.7.0", "g++", *options, "shim.cpp", "-lcryptopp")
    return engine, {
        ours: one_shot(getattr(lib, theirs.replace("-", "", 1).replace("-", "_")), SIZES[ours])
        for ours, theirs in LSH.items()
    }


def bee2(folder):
    sources = [f"src/crypto/{name}.c" for name in BEE2] + [
        str(path) for path in sorted((folder / "bee2").glob("src/core/*.c"))
    ]
    engine, lib = compiled(folder / "bee2", "bee2-2.2.4", "cc", "-Iinclude", *sources)

    def belt(m, size, out):
        lib.beltHash(out, m, size)

    def bash(bits):
        return lambda m, size, out: lib.bashHash(out, c.c_size_t(bits // 2), m, size)

    return engine, {"belt-hash": one_shot(belt, 32)} | {
        f"bash{bits}": one_shot(bash(bits), bits // 8) for bits in (256, 384, 512)
    }


def kupyna(folder):
    engine, lib = compiled(
        folder / "kupyna-reference", "kupyna-reference", "cc", "kupyna.c", "tables.c"
    )

    def digest(bits):
        def one(m, size, out):
            context = c.create_string_buffer(4096)
            lib.KupynaInit(c.c_size_t(bits), context)
            lib.KupynaHash(context, m, c.c_size_t(8 * size.value), out)

        return one_shot(one, bits // 8)

    return engine, {f"kupyna-{bits}": digest(bits) for bits in (224, 256, 384, 512)}


def sphlib(folder):
    engine, lib = compiled(folder / "sphlib/src/c", "sphlib-3.0", "cc", "shabal.c")

    def digest(bits):
        def one(m, size, out):
            context = c.create_string_buffer(1024)
            getattr(lib, f"sph_shabal{bits}_init")(context)
            getattr(lib, f"sph_shabal{bits}")(context, m, size)
            getattr(lib, f"sph_shabal{bits}_close")(context, out)

        return one_shot(one, bits // 8)

    return engine, {f"shabal-{bits}": digest(bits) for bits in (192, 224, 256, 384, 512)}


def librhash():
    lib = c.CDLL("librhash.so.0")
    lib.rhash_library_init()
    version = lib.rhash_transmit(20, None, c.c_size_t(0), c.c_size_t(0))
    bits = {"has160": 13, "edonr256": 20, "edonr512": 21}

    def digest(bit):
        return lambda m, size, out: lib.rhash_msg(1 << bit, m, size, out)

    engine = "librhash-" + ".".join(str(version >> shift & 255) for shift in (24, 16, 8))
    return engine, {name: one_shot(digest(bit), SIZES[name]) for name, bit in bits.items()}


def blobs(path):
    """The pairs of a file of the crate blobby: the number of the blobs, that of those that repeat
    (none), and each with its length.
    """
    data, at = path.read_bytes(), 0

    def number():
        nonlocal at
        value = data[at] & 127
        while data[at] & 128:
            at += 1
            value = (value + 1) << 7 | data[at] & 127
        at += 1
        return value

    count, repeated = number(), number()
    assert repeated == 0
    found = []
    for _ in range(count):
        size = number()
        assert size % 2 == 0
        found.append(data[at : at + size // 2])
        at += size // 2
    assert at == len(data)
    return zip(found[::2], found[1::2])


def published(folder):
    """Name -> (message, digest) -> sources."""
    found = {name: {} for name in SIZES}

    def add(name, message, digest, source):
        assert len(digest) == SIZES[name], name
        found[name].setdefault((message, digest), set()).add(source)

    for ours, theirs in LSH.items():
        for path in (folder / "cryptopp/TestVectors").glob("lsh*.txt"):
            for part in path.read_text().split("\nName: ")[1:]:
                if part.split("\n")[0] == theirs:
                    for message, digest in re.findall(
                        r"Message:([0-9a-f ]*)\nDigest: ([0-9a-f ]*)", part
                    ):
                        if len(bytes.fromhex(message)) % 16 < 2:
                            add(ours, bytes.fromhex(message), bytes.fromhex(digest), "cryptopp")
    for name in [name for name in SIZES if name.startswith("lsh")]:
        family, bits = name.split("-")
        text = (folder / f"go-krypto/{family}/testcases_{bits}_test.go").read_text()
        for message, digest in re.findall(r"Msg:\s+`([0-9A-F]*)`,\s+MD:\s+`([0-9A-F]*)`", text):
            if len(message) <= 64 or len(message) % 64 < 4 and len(message) < 800:
                add(name, bytes.fromhex(message), bytes.fromhex(digest), "kisa-cavp")
    text = (folder / "go-krypto/has160/testcases_160_test.go").read_text()
    for message, digest in re.findall(
        r"MsgBytes: \[\]byte\(`([^`]*)`\),\s+MD:\s+`([0-9a-f ]*)`", text
    ):
        add("has160", message.encode(), bytes.fromhex(digest), "ttas")
    tests = (folder / "rhash/librhash/test_lib.c").read_text()
    for name in ("has160", "edonr256", "edonr512"):
        part = re.search(name + r"_tests\[\] = \{(.*?)\n\};", tests, re.S)[1]
        for message, digest in re.findall(r'"([^"]*)", "([0-9A-F]+)"', part):
            add(name, message.encode(), bytes.fromhex(digest), "librhash")
    for name, path, source in [
        *(
            (f"kupyna-{bits}", f"kupyna/tests/data/kupyna{bits}_kat.blb", "eprint-2015-885")
            for bits in (256, 384, 512)
        ),
        ("belt-hash", "belt-hash/tests/data/belt_hash_kat.blb", "stb-34.101.31"),
        *(
            (f"bash{bits}", f"bash-hash/tests/data/bash{bits}.blb", "stb-34.101.77")
            for bits in (256, 384, 512)
        ),
        *(
            (f"shabal-{bits}", f"shabal/tests/data/shabal{bits}_kat.blb", "rustcrypto")
            for bits in (192, 224, 256, 384, 512)
        ),
    ]:
        for message, digest in blobs(folder / "hashes" / path):
            add(name, message, digest, source)
    return found


def spelt(message):
    counted = len(message) > 2 and message == bytes(i % 256 for i in range(len(message)))
    return f"0..{len(message)}" if counted else message.hex() or "-"


def main():
    folder, *files = map(pathlib.Path, sys.argv[1:])
    lines = {name: {} for name in SIZES}  # name -> engine -> check, sweep, answers
    for path in files:
        for line in path.read_text().splitlines():
            name, *answer, engine = line.split()
            kept = lines[name].setdefault(engine, [[], []])
            if len(kept[0]) == 0:
                kept[0] = answer
            else:
                assert int(answer[0]) == LENGTHS[len(kept[1])]
                kept[1].append(answer[1])
    vectors = published(folder)
    family = [bytes((i * 131 + 17 * n + (i >> 8)) & 255 for i in range(n)) for n in LENGTHS]
    confirmed = {}
    for engine, digests in [
        cryptopp(folder),
        bee2(folder),
        kupyna(folder),
        sphlib(folder),
        librhash(),
    ]:
        for name, digest in digests.items():
            for message, expected in vectors[name]:
                assert digest(message) == expected, (name, engine, spelt(message))
            confirmed.setdefault(name, []).append(engine)
            whole = b"".join(digest(PATTERN[:n]) for n in range(4096))
            lines[name][engine] = [
                [digest(b"123456789").hex(), digest(whole).hex()],
                [digest(message).hex() for message in family],
            ]
    for name, engines in lines.items():
        first = next(iter(engines.values()))
        assert all(answer == first for answer in engines.values()), name
        assert len(first[1]) == len(LENGTHS), name
    for name, engines in lines.items():
        sweep, family = next(iter(engines.values()))
        print(name, *sweep, "+".join(sorted(engines)), *["weak"][len(engines) - 1 :])
        published_here = sorted(vectors[name].items(), key=lambda item: (len(item[0][0]), item[0]))
        sources = sorted({source for _, those in published_here for source in those})
        spell = lambda those: ",".join([*sorted(those), *confirmed.get(name, [])])
        text = [
            f"# {name}: {len(published_here)} published vectors"
            + (f", from {', '.join(sources)}" if sources else "")
            + "; answers of other engines to M(n). "
            "Made by standards.py; the format is told in make.py.",
            *(
                f"vector {spelt(message)} {digest.hex()} {spell(those)}"
                for (message, digest), those in published_here
            ),
            f"oracle {SIZES[name]} {','.join(sorted(engines))}",
            *answers(family),
        ]
        (HERE / f"{name}.txt").write_text("\n".join(text) + "\n")


main()
