#!/usr/bin/env python3
"""Writes crc-catalogue.txt, and prints lines of sweeps.txt for sweeps.py: `name check sweep
engine`, for every CRC of the catalogue.

    pip install anycrc==2.1.0; python3 crcs.py > FILE; python3 sweeps.py FILE ...

The parameters are anycrc's own, taken from Greg Cook's catalogue. crc-catalogue.txt has the lines
of make.py's files, those of a digest behind a line `digest NAME`: one file for over a hundred
digests that differ in their parameters alone.
"""

import pathlib

import anycrc

HERE = pathlib.Path(__file__).parent
CHECK, PATTERN, LONG = b"123456789", bytes(i % 251 for i in range(4096)), b"a" * 1_000_000
ENGINE = "anycrc-2.1.0"
OTHER_NAMES = {
    "CRC32-ISO-HDLC": "crc32b",
    "CRC32-ISCSI": "crc32c",
    "CRC32-BZIP2": "crc32-aal5",
}  # the rest: in lower case


def darc(message):
    """CRC-82/DARC bit by bit (ETSI EN 300 751): longer than any of anycrc's."""
    polynomial, value = int(f"{0x0308C0111011401440411:082b}"[::-1], 2), 0
    for byte in message:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ polynomial * (value & 1)
    return value


def crcs():
    """Name, bytes, engine, function."""
    models = {OTHER_NAMES.get(name, name.lower()): model for name, model in anycrc.models.items()}
    ones = 2**32 - 1
    koopman = anycrc.CRC(32, 0x741B8CD7, ones, True, True, ones)
    for name, model in models.items():
        parameters = model.width, model.poly, model.init, model.refin, model.refout, model.xorout
        yield name, (model.width + 7) // 8, ENGINE, anycrc.CRC(*parameters).calc
    yield "crc32-koopman", 4, ENGINE, koopman.calc
    yield "crc82-darc", 11, "definition-in-python", darc


def main():
    lines = [
        "# The catalogue's CRCs: its check value, and a long message. "
        "Made by crcs.py; the format is told in make.py."
    ]
    for name, size, engine, crc in sorted(crcs(), key=lambda crc: crc[0]):

        def digest(message):
            return crc(message).to_bytes(size, "big")

        swept = digest(b"".join(digest(PATTERN[:n]) for n in range(4096)))
        print(name, digest(CHECK).hex(), swept.hex(), engine)
        if name not in ("crc32b", "crc32c", "crc64-xz"):
            long = f"vector 1000000*61 {digest(LONG).hex()} {engine}"
            sources = engine if name == "crc32-koopman" else f"reveng,{engine}"
            lines += [
                f"digest {name}",
                f"vector {CHECK.hex()} {digest(CHECK).hex()} {sources}",
                long,
            ]
    (HERE / "crc-catalogue.txt").write_text("\n".join(lines) + "\n")


main()
