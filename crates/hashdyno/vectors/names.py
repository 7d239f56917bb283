#!/usr/bin/env python3
"""Writes the facts of digests that few libraries have: NAME.txt for each, and their lines of
sweeps.txt to standard output.

    python3 names.py FOLDER FILE...

FOLDER holds BLAKE2's reference, github.com/BLAKE2/BLAKE2 at ed1974e, and spookyhash2.c,
spookyhash2.h and ctassert.h of github.com/cemeyer/pd-fast-hashes at 88b49c8. FILEs hold what
names.go, names.java, names.mjs and names.rs print, a line `name length digest engine` each. Python
packages: crccheck, dpkt, minimalmodbus, pyelftools, pyskein, scapy, spookyhash. Ends with an error,
and no file, if two engines differ.
"""

import ctypes as c
import functools
import hashlib
import importlib.metadata
import pathlib
import re
import subprocess
import sys
import tempfile

from make import LENGTHS, answers

HERE = pathlib.Path(__file__).parent
PATTERN = bytes(i % 251 for i in range(4096))
engines = {}  # name -> engine -> function from bytes to bytes


def engine(name, package, digest):
    version = package if "-" in package else f"{package}-{importlib.metadata.version(package)}"
    engines.setdefault(name, {})[version] = digest


def blake2(folder):
    """BLAKE2bp and BLAKE2sp: the reference, and hashlib's BLAKE2 of a tree's nodes."""
    with tempfile.TemporaryDirectory() as made:
        sources = [folder / "ref" / f"blake2{kind}-ref.c" for kind in ("b", "s", "bp", "sp")]
        subprocess.run(
            ["gcc", "-O2", "-shared", "-fPIC", *sources, "-o", f"{made}/all.so"], check=True
        )
        library = c.CDLL(f"{made}/all.so")

    def reference(function, size):
        def digest(message):
            out = c.create_string_buffer(size)
            assert (
                function(
                    out, c.c_size_t(size), message, c.c_size_t(len(message)), None, c.c_size_t(0)
                )
                == 0
            )
            return out.raw

        return digest

    def tree(node, leaves, block, size):
        def digest(message):
            nodes = []
            for leaf in range(leaves):
                taken = b"".join(
                    message[at : at + block]
                    for at in range(leaf * block, len(message), leaves * block)
                )
                last = leaf == leaves - 1
                nodes.append(
                    node(
                        taken,
                        fanout=leaves,
                        depth=2,
                        node_offset=leaf,
                        inner_size=size,
                        last_node=last,
                    ).digest()
                )
            return node(
                b"".join(nodes),
                fanout=leaves,
                depth=2,
                node_depth=1,
                inner_size=size,
                last_node=True,
            ).digest()

        return digest

    for name, size, of_tree in [
        ("blake2bp", 64, tree(hashlib.blake2b, 4, 128, 64)),
        ("blake2sp", 32, tree(hashlib.blake2s, 8, 64, 32)),
    ]:
        engine(name, "blake2-reference", reference(getattr(library, name), size))
        engine(name, "hashlib-" + sys.version.split()[0], of_tree)


def skein():
    import skein

    for size, bits in [
        (256, 128),
        (256, 160),
        (256, 224),
        (512, 128),
        (512, 160),
        (1024, 384),
        (1024, 512),
    ]:
        kind = getattr(skein, f"skein{size}")
        engine(
            f"skein{size}-{bits}",
            "pyskein",
            lambda m, kind=kind, bits=bits: kind(m, digest_bits=bits).digest(),
        )


def fnv():
    """As RFC 9923 defines them: the prime, and the FNV-0 of the authors' line as the offset
    basis."""
    line = b"chongo <Landon Curt Noll> /\\../\\"
    for bits, place, rest in [
        (128, 88, 0x3B),
        (256, 168, 0x63),
        (512, 344, 0x57),
        (1024, 680, 0x8D),
    ]:
        prime = 2**place + 2**8 + rest

        def digest(message, first, offset, bits=bits, prime=prime):
            value, mask = offset, 2**bits - 1
            for byte in message:
                value = (value ^ byte) * prime & mask if first else value * prime & mask ^ byte
            return value.to_bytes(bits // 8, "big")

        offset = int.from_bytes(digest(line, False, 0), "big")
        engine(
            f"fnv1-{bits}",
            "definition-in-python",
            functools.partial(digest, first=False, offset=offset),
        )
        engine(
            f"fnv1a-{bits}",
            "definition-in-python",
            functools.partial(digest, first=True, offset=offset),
        )


def spooky(folder):
    import spookyhash

    with tempfile.TemporaryDirectory() as made:
        sources = [
            "gcc",
            "-O2",
            "-fno-strict-aliasing",
            "-shared",
            "-fPIC",
            "-I",
            folder,
            folder / "spookyhash2.c",
            "-o",
            f"{made}/all.so",
        ]
        subprocess.run(sources, check=True)
        library = c.CDLL(f"{made}/all.so")

    def reference(message):
        words = (c.c_uint64 * 2)(0, 0)
        library.SpookyHash128(message, c.c_size_t(len(message)), c.byref(words), c.byref(words, 8))
        return bytes(words)

    for bits in (32, 64, 128):
        engine(
            f"spookyhash-{bits}", "pd-fast-hashes", lambda m, bits=bits: reference(m)[: bits // 8]
        )
        package = getattr(spookyhash, f"hash{bits}")
        engine(
            f"spookyhash-{bits}",
            "spookyhash",
            lambda m, bits=bits, package=package: package(m).to_bytes(bits // 8, "little"),
        )


def fletcher():
    """As J. Fletcher's paper defines them, of little-endian words, the last filled up with
    zeros."""
    for size in (1, 2, 4):

        def digest(message, size=size):
            low, high, modulus = 0, 0, 2 ** (8 * size) - 1
            for at in range(0, len(message), size):
                low = (low + int.from_bytes(message[at : at + size], "little")) % modulus
                high = (high + low) % modulus
            return (high << 8 * size | low).to_bytes(2 * size, "big")

        engine(f"fletcher{16 * size}", "definition-in-python", digest)


def strings():
    from elftools.elf.hash import ELFHashTable, GNUHashTable

    def steps(start, step):
        def digest(message):
            value = start
            for byte in message:
                value = step(value, byte) & 0xFFFFFFFF
            return value.to_bytes(4, "big")

        return digest

    def pjw(value, byte):
        value = (value << 4) + byte
        upper = value & 0xF0000000
        return value ^ upper ^ upper >> 24

    for name, start, step in [
        ("djb2", 5381, lambda value, byte: value * 33 + byte),
        ("djb2a", 5381, lambda value, byte: value * 33 ^ byte),
        ("sdbm", 0, lambda value, byte: byte + (value << 6) + (value << 16) - value),
        ("java-hashcode", 0, lambda value, byte: value * 31 + byte),
        ("elf", 0, pjw),
    ]:
        engine(name, "definition-in-python", steps(start, step))
    engine("djb2", "pyelftools", lambda message: GNUHashTable.gnu_hash(message).to_bytes(4, "big"))
    engine("elf", "pyelftools", lambda message: ELFHashTable.elf_hash(message).to_bytes(4, "big"))


def sums():
    import dpkt
    import minimalmodbus
    from crccheck.checksum import ChecksumXor8
    from scapy.utils import checksum

    engine("internet-checksum", "scapy", lambda message: checksum(message).to_bytes(2, "big"))
    engine("internet-checksum", "dpkt", lambda message: dpkt.in_cksum(message).to_bytes(2, "big"))
    engine("lrc", "minimalmodbus", minimalmodbus._calculate_lrc)
    engine("lrc", "definition-in-python", lambda message: bytes([-sum(message) & 255]))
    engine("xor8", "crccheck", lambda message: bytes([ChecksumXor8.calc(message)]))
    engine(
        "xor8",
        "definition-in-python",
        lambda message: bytes([functools.reduce(lambda a, b: a ^ b, message, 0)]),
    )


def published(folder):
    """Name -> published vectors: message as the files spell it, digest, source."""
    kat = (folder / "testvectors/blake2-kat.h").read_text()
    found = {}
    for name in ("blake2bp", "blake2sp"):
        table = kat.split(f" {name}_kat[")[1].split("};")[0]
        rows = ["".join(re.findall("0x(..)", row)).lower() for row in table.split("{")[2:]]
        assert len(rows) == 256
        found[name] = [
            (f"0..{n}" if n else "-", rows[n], "blake2-kat")
            for n in (0, 1, 2, 63, 64, 65, 127, 128, 129, 254, 255)
        ]
    for name, texts in {
        "fletcher16": {"abcde": "c8f0", "abcdef": "2057", "abcdefgh": "0627"},
        "fletcher32": {"abcde": "f04fc729", "abcdef": "56502d2a", "abcdefgh": "ebe19591"},
        "fletcher64": {
            "abcde": "c8c6c527646362c6",
            "abcdef": "c8c72b276463c8c6",
            "abcdefgh": "312e2b28cccac8c6",
        },
    }.items():
        found[name] = [(text.encode().hex(), digest, "wikipedia") for text, digest in texts.items()]
    # Section 8.3, of "foobar" and of text that is not ASCII; between the two parts are zeros.
    for bits, of_foobar, of_bytes in [
        (128, ("343e1662793c64bf", "6f0d3597ba446f18"), ("74202c600b051c16", "5b1acafed10d1419")),
        (
            256,
            ("b055ea2f306cadad4f0f81c02d3889dc", "32453dad5ae35b753ba1a91084af3428"),
            ("0c5a44402c6538cf98ef20c403a80f65", "9b80c9a5b01a6a87342e2672644567b1"),
        ),
        (
            512,
            (
                "b0ec738d9c6fd969d05f0b35f6c0ed53adcacccd8e",
                "4bf99f58ee4196afb9700e20110830fea5396b76280e47fd022b6e81331ca1a9ced729c364be7788",
            ),
            (
                "4fdf00ecb9bc04dd1938618fe5c4fbb880a82b15f5b6bd721ec2eafe03c46248",
                "f7a6c247899280d6d2f42ff6b47bf22079dfd4bfe87bf0bb4e71eacb1e287735",
            ),
        ),
        (
            1024,
            (
                "00000631175fa7ae643ad08723d312c9fd024adb"
                "91f77f6b19587197a22bcdf23727166c4572d0b985d5ae",
                "4270d11ef418ef08b8a49e1e825e547eb39937f8"
                "19222f3b7fc92a0e4707900888847a554bacec98b0",
            ),
            (
                "f6f747af25a9de26e8a493431e31b4a1ed2a9230"
                "4af6ca976bc1d96ffcad35244e8d385d55f42fdcc8f299",
                "f7ca87ce43227b98c144607e67cc50af99bcc5d1"
                "514bb0d923eededd69e8e7470205083a0c0227d0cc69de23",
            ),
        ),
    ]:
        whole = lambda parts: parts[0] + parts[1].rjust(bits // 4 - len(parts[0]), "0")
        found[f"fnv1a-{bits}"] = [
            ("666f6f626172", whole(of_foobar), "rfc9923"),
            ("48656c6c6f2101ffed", whole(of_bytes), "rfc9923"),
        ]
    # The sum of its example is ddf2; the checksum is the complement.
    found["internet-checksum"] = [("0001f203f4f5f6f7", "220d", "rfc1071")]
    return found


def message(n):
    return bytes((i * 131 + 17 * n + (i >> 8)) & 255 for i in range(n))


def spelt(text):
    return (
        bytes(i % 256 for i in range(int(text[3:])))
        if text.startswith("0..")
        else bytes.fromhex(text.strip("-"))
    )


def main():
    folder = pathlib.Path(sys.argv[1])
    blake2(folder), skein(), fnv(), spooky(folder), fletcher(), strings(), sums()
    lines_of_others = {}
    for path in sys.argv[2:]:
        for line in pathlib.Path(path).read_text().splitlines():
            name, length, digest, by = line.split()
            lines_of_others.setdefault(name, {}).setdefault(by, {})[length] = digest
    vectors, files, sweeps = published(folder), {}, []
    for name, by in sorted(engines.items()):
        given = {}
        for who, digest in by.items():
            swept = digest(b"".join(digest(PATTERN[:n]) for n in range(4096))).hex()
            given[who] = {"check": digest(b"123456789").hex(), "sweep": swept} | {
                str(n): digest(message(n)).hex() for n in LENGTHS
            }
        given |= lines_of_others.pop(name, {})
        first = next(iter(given.values()))
        wrong = [who for who, those in given.items() if those != first]
        assert not wrong, (name, wrong)
        lines = []
        for text, value, source in vectors.get(name, []):
            assert all(digest(spelt(text)).hex() == value for digest in by.values()), (name, text)
            lines.append(f"vector {text} {value} {source}")
        who = sorted(given)
        head = (
            f"# {name}: {len(lines)} published vectors; answers of other engines to M(n). "
            "Made by names.py; the format is told in make.py."
        )
        oracle = [first[str(n)] for n in LENGTHS]
        files[name] = [
            head,
            *lines,
            f"oracle {len(oracle[0]) // 2} {','.join(who)}",
            *answers(oracle),
        ]
        sweeps.append(
            " ".join(
                [name, first["check"], first["sweep"], "+".join(who), *["weak"][len(who) - 1 :]]
            )
        )
    assert not lines_of_others, f"no digest of these names: {lines_of_others.keys()}"
    for name, lines in files.items():
        (HERE / f"{name}.txt").write_text("\n".join(lines) + "\n")
    print("\n".join(sweeps))


main()
