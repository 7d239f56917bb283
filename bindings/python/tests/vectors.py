"""The known answers of crates/hashdyno/vectors, read as its make.py describes them."""

import hashlib
import pathlib
from collections.abc import Iterator

FOLDER = pathlib.Path(__file__).parents[3] / "crates/hashdyno/vectors"
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
MESSAGES = [
    bytes((i * 131 + 17 * n + (i >> 8)) & 255 for i in range(n)) for n in LENGTHS if n < 65543
]


def checks() -> dict[str, str]:
    """Each algorithm's digest of 123456789."""
    lines = (FOLDER / "sweeps.txt").read_text().splitlines()
    return {line.split()[0]: line.split()[1] for line in lines if not line.startswith("#")}


def published(name: str) -> Iterator[tuple[bytes, bytes]]:
    """Messages of up to 1 MiB, and their digests."""
    for line in _lines(name):
        word, *fields = line.split()
        if word == "vector":
            message = _message(fields[0])
            if len(message) <= 1 << 20:
                yield message, bytes.fromhex(fields[1])


def answers(name: str) -> tuple[int, dict[bytes, str]]:
    """Length of the digest in bytes, and for messages the first four bytes of the SHA-256 of the
    digest, in hexadecimal.
    """
    size, found = 0, {}
    for line in _lines(name):
        word, *fields = line.split()
        if word == "oracle":
            if size:
                break  # another length of an extendable digest
            size = int(fields[0])
        elif word == "answers":
            first = LENGTHS.index(int(fields[0]))
            known = zip(MESSAGES[first:], fields[1:], strict=False)
            found.update(known)
    return size, found


def fingerprint(digest: bytes) -> str:
    return hashlib.sha256(digest).hexdigest()[:8]


def _lines(name: str) -> list[str]:
    """The lines about a digest: of its own file, or of its section in the catalogue of CRCs."""
    own = FOLDER / f"{name}.txt"
    if own.exists():
        return own.read_text().splitlines()
    sections = (FOLDER / "crc-catalogue.txt").read_text().split("\ndigest ")[1:]
    (lines,) = [section.splitlines()[1:] for section in sections if section.split()[0] == name]
    return lines


def _message(text: str) -> bytes:
    head, _, tail = text.partition("+")
    if head == "-":
        message = b""
    elif ".." in head:
        message = bytes(i % 256 for i in range(int(head.split("..")[1])))
    elif "*" in head:
        times, piece = head.split("*")
        message = int(times) * bytes.fromhex(piece)
    else:
        message = bytes.fromhex(head)
    return message + bytes.fromhex(tail)
