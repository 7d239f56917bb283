#!/usr/bin/env python3
"""Writes siphash-*.txt and highwayhash-*.txt by the definitions in Python, and prints their lines
of sweeps.txt.

    python3 prf.py SIPHASH/vectors.h HIGHWAYHASH/highwayhash/highwayhash_test.cc FILE

FILE holds what prf.rs prints. The others are those of github.com/veorq/SipHash and
github.com/google/highwayhash: the definitions are checked with their vectors, which are all under
keys. SipHash-2-4 is asked of OpenSSL, too.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from make import LENGTHS, answers

HERE = pathlib.Path(__file__).parent
PATTERN = bytes(i % 251 for i in range(4096))
MASK = (1 << 64) - 1


def turned(word, by):
    return (word << by | word >> 64 - by) & MASK


def words(data):
    return [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]


def sip_rounds(a, b, c, d, count):
    for _ in range(count):
        a, c = a + b & MASK, c + d & MASK
        b, d = turned(b, 13) ^ a, turned(d, 16) ^ c
        a, c = turned(a, 32) + d & MASK, c + b & MASK
        b, d = turned(b, 17) ^ c, turned(d, 21) ^ a
        c = turned(c, 32)
    return a, b, c, d


def siphash(each, last, length):
    def hashed(message, key=bytes(16)):
        low, high = words(key)
        a, b = low ^ 0x736F6D6570736575, high ^ 0x646F72616E646F6D
        c, d = low ^ 0x6C7967656E657261, high ^ 0x7465646279746573
        b ^= 0xEE if length == 16 else 0
        whole = len(message) // 8 * 8
        for word in words(
            message[:whole] + message[whole:].ljust(7, b"\0") + bytes([len(message) % 256])
        ):
            a, b, c, d = sip_rounds(a, b, c, d ^ word, each)
            a ^= word
        c ^= 0xEE if length == 16 else 0xFF
        out = b""
        while len(out) < length:
            a, b, c, d = sip_rounds(a, b, c, d, last)
            out += (a ^ b ^ c ^ d).to_bytes(8, "little")
            b ^= 0xDD
        return out

    return hashed


INITIAL = [
    [0xDBE6D5D5FE4CCE2F, 0xA4093822299F31D0, 0x13198A2E03707344, 0x243F6A8885A308D3],
    [0x3BD39E10CB0EF593, 0xC0ACF169B5F18A8C, 0xBE5466CF34E90C6C, 0x452821E638D01377],
]
ZIPPER = [3, 12, 2, 5, 14, 1, 15, 0, 11, 4, 10, 13, 9, 6, 8, 7]


def zipped(four):
    data = b"".join(word.to_bytes(8, "little") for word in four)
    return words(bytes(data[half + from_] for half in (0, 16) for from_ in ZIPPER))


def highwayhash(length):
    def hashed(message, key=bytes(32)):
        v0 = [i ^ k for i, k in zip(INITIAL[0], words(key))]
        v1 = [i ^ turned(k, 32) for i, k in zip(INITIAL[1], words(key))]
        m0, m1 = list(INITIAL[0]), list(INITIAL[1])

        def update(packet):
            for i in range(4):
                v1[i] = v1[i] + m0[i] + packet[i] & MASK
                m0[i] ^= (v1[i] & 0xFFFFFFFF) * (v0[i] >> 32)
                v0[i] = v0[i] + m1[i] & MASK
                m1[i] ^= (v0[i] & 0xFFFFFFFF) * (v1[i] >> 32)
            v0[:] = [word + added & MASK for word, added in zip(v0, zipped(v1))]
            v1[:] = [word + added & MASK for word, added in zip(v1, zipped(v0))]

        whole = len(message) // 32 * 32
        for at in range(0, whole, 32):
            update(words(message[at : at + 32]))
        rest = message[whole:]
        if rest:
            n = len(rest)
            v0[:] = [word + (n << 32) + n & MASK for word in v0]
            for i, word in enumerate(v1):
                halves = [
                    (half << n | half >> 32 - n) & 0xFFFFFFFF
                    for half in (word & 0xFFFFFFFF, word >> 32)
                ]
                v1[i] = halves[0] | halves[1] << 32
            packet = bytearray(rest[: n & ~3].ljust(32, b"\0"))
            few = rest[n & ~3 :]
            if n & 16:
                packet[28:] = rest[-4:]
            elif few:
                packet[16:19] = bytes([few[0], few[len(few) // 2], few[-1]])
            update(words(bytes(packet)))
        for _ in range({8: 4, 16: 6, 32: 10}[length]):
            update([turned(v0[i], 32) for i in (2, 3, 0, 1)])
        if length == 8:
            out = [v0[0] + v1[0] + m0[0] + m1[0]]
        elif length == 16:
            out = [v0[i] + m0[i] + v1[i + 2] + m1[i + 2] for i in (0, 1)]
        else:
            out = []
            for i in (0, 2):
                a = [
                    v0[i] + m0[i] & MASK,
                    v0[i + 1] + m0[i + 1] & MASK,
                    v1[i] + m1[i] & MASK,
                    v1[i + 1] + m1[i + 1] & MASK,
                ]
                high = a[2] | (a[3] & MASK >> 2) << 64
                whole = (a[0] | a[1] << 64) ^ high << 1 ^ high << 2
                out += [whole & MASK, whole >> 64 & MASK]
        return b"".join((word & MASK).to_bytes(8, "little") for word in out)

    return hashed


def openssl(size):
    """SipHash-2-4 under a key of zeros."""

    def hashed(message):
        with tempfile.NamedTemporaryFile() as file:
            file.write(message)
            file.flush()
            options = [
                "-macopt",
                "hexkey:" + "00" * 16,
                "-macopt",
                f"size:{size}",
                "-in",
                file.name,
            ]
            return bytes.fromhex(
                subprocess.run(
                    ["openssl", "mac", *options, "SIPHASH"],
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout
            )

    return hashed


def main(sip_file, highway_file, printed):
    counted = bytes(range(65))
    text = pathlib.Path(sip_file).read_text()
    for length in (8, 16):
        body = re.search(rf"vectors_sip{8 * length}\[64\]\[\d+\] = \{{(.*?)\}};", text, re.S).group(
            1
        )
        published = bytes(int(byte, 16) for byte in re.findall(r"0x([0-9a-f]{2})", body))
        computed = [siphash(2, 4, length)(counted[:n], counted[:16]) for n in range(64)]
        assert b"".join(computed) == published
    text = pathlib.Path(highway_file).read_text()
    for length in (8, 16, 32):
        body = re.search(
            rf"kExpected{8 * length}\[kMaxSize \+ 1\] = \{{(.*?)\}};", text, re.S
        ).group(1)
        published = b"".join(
            int(word, 16).to_bytes(8, "little") for word in re.findall(r"0x([0-9A-F]{16})", body)
        )
        computed = [highwayhash(length)(counted[:n], counted[:32]) for n in range(65)]
        assert b"".join(computed) == published
    engines = {}
    for each, last in ((1, 3), (2, 4)):
        for length in (8, 16):
            name = f"siphash-{each}-{last}" + ("-128" if length == 16 else "")
            engines[name] = [("definition-in-python", siphash(each, last, length))]
            if each == 2:
                version = subprocess.run(
                    ["openssl", "version"], capture_output=True, text=True
                ).stdout.split()[1]
                engines[name].append((f"openssl-{version}", openssl(length)))
    for length in (8, 16, 32):
        engines[f"highwayhash-{8 * length}"] = [("definition-in-python", highwayhash(length))]
    crates = {}
    for line in pathlib.Path(printed).read_text().splitlines():
        name, what, digest, by = line.split()
        crates.setdefault(name, {}).setdefault(by, {})[what] = digest
    for name, those in engines.items():
        (_, first), *others = those
        digests = []
        for n in LENGTHS:
            message = bytes(i * 131 + 17 * n + (i >> 8) & 255 for i in range(n))
            digests.append(first(message).hex())
            assert all(other(message).hex() == digests[-1] for _, other in others)
        swept = first(b"".join(first(PATTERN[:n]) for n in range(4096))).hex()
        check = first(b"123456789").hex()
        given = dict(zip(map(str, LENGTHS), digests)) | {"check": check, "sweep": swept}
        for by, answered in crates.get(name, {}).items():
            assert answered == given, (name, by)
        by = [engine for engine, _ in those] + list(crates.get(name, {}))
        head = (
            f"# {name}: answers of {len(by)} engines to M(n), under a key of zeros. "
            "Made by prf.py; the format is told in make.py."
        )
        (HERE / f"{name}.txt").write_text(
            "\n".join([head, f"oracle {len(digests[0]) // 2} {','.join(by)}", *answers(digests)])
            + "\n"
        )
        print(name, check, swept, "+".join(by))


main(*sys.argv[1:])
