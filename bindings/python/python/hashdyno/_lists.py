"""Lists that `hash_tree` writes and `sha256sum` does, read."""

import os
import re

from . import Algorithm, algorithm

TAGS = {
    "BLAKE2S": "BLAKE2S-256",
    "CRC32B": "CRC32",
    "SHA512-224": "SHA512/224",
    "SHA512-256": "SHA512/256",
    "SHAKE-128": "SHAKE128",
    "SHAKE-256": "SHAKE256",
    "TIGER192-3": "TIGER",
}
"""Tags that are not the name in capitals."""


def read_list(text: bytes, chosen: "str | Algorithm | None") -> dict[str, dict[str, bytes]]:
    """The digests of each file by the algorithm's name. Lines are tagged, or of the `chosen`
    algorithm.

    Raises ValueError for any other line, and for two values of one algorithm for one file.
    """
    listed: dict[str, dict[str, bytes]] = {}
    for number, line in enumerate(text.split(b"\n"), 1):
        if not line or line.startswith(b"#"):
            continue
        entry = _tagged(line) or (chosen and _plain(line, algorithm(chosen).name))
        if not entry:
            raise ValueError(
                f"line {number}: expected 'TAG (name) = digest'"
                + ("" if chosen else "\nhint: give algorithm= for lines 'digest  name'")
            )
        name, tag, value = entry
        if listed.setdefault(name, {}).setdefault(tag, value) != value:
            raise ValueError(f"line {number}: expected one {tag} of {name!r}, got two values")
    return listed


def _tagged(line: bytes) -> tuple[str, str, bytes] | None:
    found = re.fullmatch(rb"(\\?)([A-Za-z0-9/_-]+) \((.*)\) = ([0-9A-Fa-f]+)", line, re.DOTALL)
    if not found or len(found[4]) % 2:
        return None
    tag = found[2].decode()
    names = {value: key for key, value in TAGS.items()}
    try:
        chosen = algorithm(names.get(tag, tag).lower())
    except ValueError:
        return None
    return _name(found[3], found[1]), chosen.name, bytes.fromhex(found[4].decode())


def _plain(line: bytes, tag: str) -> tuple[str, str, bytes] | None:
    found = re.fullmatch(rb"(\\?)([0-9A-Fa-f]+) [ *](.+)", line, re.DOTALL)
    if not found or len(found[2]) % 2:
        return None
    return _name(found[3], found[1]), tag, bytes.fromhex(found[2].decode())


def _name(name: bytes, mark: bytes) -> str:
    """The file's name: a line that begins with a backslash has its line ends and backslashes
    escaped.
    """
    if mark:
        name = re.sub(rb"\\(.)", lambda it: {b"n": b"\n", b"r": b"\r"}.get(it[1], it[1]), name)
    return os.fsdecode(name).removeprefix("./")
