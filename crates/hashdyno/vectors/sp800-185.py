#!/usr/bin/env python3
"""Writes sp800-185.txt: answers of other engines for cSHAKE, KMAC, TupleHash and ParallelHash.

    python3 sp800-185.py LINES

LINES are answers of the crate tiny-keccak, as sp800-185.rs prints and explains them. The Python
package pycryptodome is asked for all that it has. Ends with an error, and no file, if the two
differ. Of an answer longer than 32 bytes the file has the SHA-256, in brackets.
"""

import hashlib
import pathlib
import sys

import Crypto
from Crypto.Hash import KMAC128, KMAC256, TupleHash128, TupleHash256, cSHAKE128, cSHAKE256

HERE = pathlib.Path(__file__).parent


def family(n):
    return bytes((i * 131 + 17 * n + (i >> 8)) & 255 for i in range(n))


def pycryptodome(function, bits, key, custom, message, size):
    """The answer, or None where it has no such function or refuses that length of a key or an
    output.
    """
    if function == "cshake" and key == 0:
        return (
            {128: cSHAKE128, 256: cSHAKE256}[bits]
            .new(data=family(int(message)), custom=family(custom))
            .read(size)
        )
    if function == "kmac" and key >= bits // 8 and size >= 8:
        return (
            {128: KMAC128, 256: KMAC256}[bits]
            .new(key=family(key), data=family(int(message)), mac_len=size, custom=family(custom))
            .digest()
        )
    if function == "tuple-hash" and size >= 8:
        hasher = {128: TupleHash128, 256: TupleHash256}[bits].new(
            digest_bytes=size, custom=family(custom)
        )
        for part in message.split(","):
            hasher.update(family(int(part)))
        return hasher.digest()
    return None


def main():
    lines, compared = [], 0
    for line in open(sys.argv[1]):
        function, bits, key, custom, message, size, *digest = line.split()
        digest = bytes.fromhex("".join(digest))
        other = pycryptodome(function, int(bits), int(key), int(custom), message, int(size))
        assert other is None or other == digest, line
        compared += other is not None
        shown = digest.hex() if len(digest) <= 32 else f"[{hashlib.sha256(digest).hexdigest()}]"
        engines = "tiny-keccak-2.0.2" + (
            f",pycryptodome-{Crypto.__version__}" if other is not None else ""
        )
        lines.append(f"{function} {bits} {key} {custom} {message} {size} {shown or '-'} {engines}")
    head = [
        "# FUNCTION BITS KEY CUSTOMIZATION MESSAGE OUTPUT, lengths in bytes; the answer; "
        "the engines that gave it. Made by sp800-185.py,",
        "# which tells more.",
    ]
    (HERE / "sp800-185.txt").write_text("\n".join(head + lines) + "\n")
    print(f"{len(lines)} answers, {compared} of both engines")


main()
