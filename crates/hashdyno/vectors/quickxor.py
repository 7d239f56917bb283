#!/usr/bin/env python3
"""Writes quickxor.txt of rclone's published vectors, and prints its line of sweeps.txt by the
definition in Python.

python3 quickxor.py rclone/backend/onedrive/quickxorhash/quickxorhash_test.go
"""

import base64
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
PATTERN = bytes(i % 251 for i in range(4096))


def quickxor(message):
    """Microsoft Graph, "Code snippets: QuickXorHash Algorithm": byte i is added 11 i bits up a ring
    of 160 bits.
    """
    ring = 0
    for i, byte in enumerate(message):
        ring ^= byte << (11 * i % 160)
        ring = ring & (1 << 160) - 1 ^ ring >> 160
    out = bytearray(ring.to_bytes(20, "little"))
    for i, byte in enumerate(len(message).to_bytes(8, "little")):
        out[12 + i] ^= byte
    return bytes(out)


def main():
    text = pathlib.Path(sys.argv[1]).read_text()
    lines = []
    for _, message, digest in re.findall(r"\{(\d+), `([^`]*)`, \"([^\"]+)\"\}", text):
        message, digest = base64.b64decode(message), base64.b64decode(digest)
        assert quickxor(message) == digest
        lines.append(f"vector {message.hex() or '-'} {digest.hex()} rclone,definition-in-python")
    head = (
        f"# quickxor: {len(lines)} published vectors, from rclone. "
        "Made by quickxor.py; the format is told in make.py."
    )
    (HERE / "quickxor.txt").write_text("\n".join([head, *lines]) + "\n")
    swept = quickxor(b"".join(quickxor(PATTERN[:n]) for n in range(4096)))
    print("quickxor", quickxor(b"123456789").hex(), swept.hex(), "definition-in-python")


main()
