"""Lists that `hash_tree` writes and `sha256sum` does, read, and written to a file."""

import codecs
import os
import re
import stat
import tempfile
from collections.abc import Container, Iterable
from typing import NamedTuple

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

USUAL = {"shake_128": 32, "shake_256": 64}
"""Lengths in bytes of digests that have no length of their own."""


class Claim(NamedTuple):
    """What a line says of a file."""

    line: int
    name: str
    algorithm: str
    value: bytes


def read_list(text: bytes, chosen: "str | Algorithm | None") -> list[Claim]:
    """What each line says. Lines are tagged, or of the `chosen` algorithm.

    Raises ValueError for any other line, and for a digest of another length.
    """
    claims = []
    for number, line in enumerate(text.removeprefix(codecs.BOM_UTF8).split(b"\n"), 1):
        line = line.removesuffix(b"\r")
        if not line or line.startswith(b"#"):
            continue
        entry = _tagged(line) or (chosen and _plain(line, algorithm(chosen)))
        if not entry:
            raise ValueError(
                f"line {number}: expected 'TAG (name) = digest'"
                + ("" if chosen else "\nhint: give algorithm= for lines 'digest  name'")
            )
        name, it, digits = entry
        wanted = 2 * (it.digest_size or USUAL[it.name])
        if len(digits) != wanted:
            raise ValueError(
                f"line {number}: expected {wanted} hexadecimal digits of {it.name}, "
                f"got {len(digits)}"
            )
        claims.append(Claim(number, name, it.name, bytes.fromhex(digits)))
    return claims


def by_file(claims: Iterable[Claim], found: Container[str]) -> dict[str, dict[str, bytes]]:
    """The digests of each file by the algorithm's name. `./a` is the file `a`, unless one is
    `found` by that very name, as objects may be.

    Raises ValueError for two values of one algorithm for one file.
    """
    listed: dict[str, dict[str, bytes]] = {}
    for line, name, tag, value in claims:
        file = name if name in found else name.removeprefix("./")
        if listed.setdefault(file, {}).setdefault(tag, value) != value:
            raise ValueError(f"line {line}: expected one {tag} of {file!r}, got two values")
    return listed


def _tagged(line: bytes) -> tuple[str, Algorithm, str] | None:
    found = re.fullmatch(rb"(\\?)([A-Za-z0-9/_-]+) \((.*)\) = ([0-9A-Fa-f]+)", line, re.DOTALL)
    if not found:
        return None
    tag = found[2].decode()
    names = {value: key for key, value in TAGS.items()}
    try:
        chosen = algorithm(names.get(tag, tag).lower())
    except ValueError:
        return None
    return _name(found[3], found[1]), chosen, found[4].decode()


def _plain(line: bytes, chosen: Algorithm) -> tuple[str, Algorithm, str] | None:
    found = re.fullmatch(rb"(\\?)([0-9A-Fa-f]+) [ *](.+)", line, re.DOTALL)
    if not found:
        return None
    return _name(found[3], found[1]), chosen, found[2].decode()


def _name(name: bytes, mark: bytes) -> str:
    """The file's name: a line that begins with a backslash has its line ends and backslashes
    escaped.
    """
    if mark:
        name = re.sub(rb"\\(.)", lambda it: {b"n": b"\n", b"r": b"\r"}.get(it[1], it[1]), name)
    return os.fsdecode(name)


def write_whole(path: "str | os.PathLike[str]", text: bytes) -> None:
    """Writes a file, which is there whole or not at all. It gets the permissions of the file
    that it replaces.
    """
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
        try:
            file.write(text)
            file.flush()
            os.fchmod(file.fileno(), _mode(path))  # a temporary file is its owner's alone
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def _mode(path: "str | os.PathLike[str]") -> int:
    """The permissions of a file, or those of a new one."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        # The mask is told only by setting it. What other threads make meanwhile is private.
        mask = os.umask(0o077)
        os.umask(mask)
        return 0o666 & ~mask
