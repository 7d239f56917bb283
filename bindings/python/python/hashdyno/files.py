"""Trees of files, in folders and object stores: one list, the same bytes whatever computes it.

`hash_tree("/data", ["sha256"])` hashes by threads, `hash_tree("s3://bucket/data", ["sha256"], engine="dask", client=client)` by the
workers of a Dask cluster. URLs need fsspec, and the package of their store, on every worker.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from . import Algorithm, algorithm, digest_many, new

__all__ = ["Tree", "hash_tree"]

@dataclass(frozen=True)
class Outcome:
    """How one file went: its digests, or why there are none."""

    file: tuple[str, int]
    digests: tuple[bytes, ...] | None
    error: str | None = None


Bin = list[tuple[str, int]]
Engine = Callable[[Callable[[Bin], list[Outcome]], list[Bin]], Iterable[list[Outcome]]]


@dataclass(frozen=True)
class Tree:
    """What `hash_tree` found."""

    list: bytes
    """A tagged line for each file and algorithm, `SHA256 (name) = digest`, in the order of the names' bytes. Names are relative
    to the tree's root. `hashdyno check` reads it, and `sha256sum --check` where it knows the algorithm."""

    failed: dict[str, str]
    """The files that could not be read after all rounds, and why."""

    def write(self, path: "str | os.PathLike[str]") -> None:
        """Writes the list to a file, which is there whole or not at all.

        Raises ValueError if files failed: a list that lacks them would look whole.
        """
        if self.failed:
            count, name = len(self.failed), min(self.failed)
            raise ValueError(
                f"{count} files could not be read, {name!r} among them: expected none\n"
                "hint: Tree.failed says why; Tree.list has the others"
            )
        folder = os.path.dirname(os.path.abspath(path))
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            try:
                file.write(self.list)
                file.flush()
                os.fsync(file.fileno())
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise


def hash_tree(
    url: "str | os.PathLike[str]",
    algorithms: Iterable[str | Algorithm],
    *,
    engine: str | Engine = "threads",
    workers: int | None = None,
    client: Any = None,
    storage_options: dict[str, Any] | None = None,
    rounds: int = 3,
) -> Tree:
    """Hashes every regular file below a folder or a URL.

    `engine` is "threads" (`workers` of them, one a core if None), "dask" (by `client`, the distributed client of this process if
    None), or a function of a function and of bins that yields what the first gives for each bin. Links are not followed.
    Files that fail are tried again alone, in `rounds` rounds in all. Files that are missing or forbidden are not.

    Raises OSError if the tree itself cannot be listed, ValueError for an unknown engine or algorithm.
    """
    chosen = [algorithm(name) for name in algorithms]
    source = _source(os.fspath(url), storage_options or {})
    submit = _engine(engine, workers, client)
    work = partial(_hash_bin, source, [it.name for it in chosen])
    done: dict[str, Outcome] = {}
    rest = source.files()
    for number in range(rounds):
        bins = list(_bins(rest)) if number == 0 else [[file] for file in rest]
        for outcomes in submit(work, bins):
            done.update({outcome.file[0]: outcome for outcome in outcomes})
        rest = [file for file in rest if _heals(done.get(file[0]))]
        if not rest:
            break
    failed = {name: outcome.error for name, outcome in done.items() if outcome.error is not None}
    return Tree(b"".join(_lines(chosen, done.values())), dict(sorted(failed.items())))


def _heals(outcome: Outcome | None) -> bool:
    """Whether another try may help. A file without an outcome was in a bin whose worker was lost."""
    if outcome is None:
        return True
    lasting = ("FileNotFoundError", "PermissionError")
    return outcome.error is not None and not outcome.error.startswith(lasting)


def _engine(engine: str | Engine, workers: int | None, client: Any) -> Engine:
    if callable(engine):
        return engine
    if engine == "threads":
        return partial(_threads, workers or os.cpu_count() or 1)
    if engine == "dask":
        from .dask import submit

        return partial(submit, client)
    raise ValueError(f"expected the engine threads or dask, got {engine!r}")


def _threads(
    workers: int, work: Callable[[Bin], list[Outcome]], bins: list[Bin]
) -> Iterator[list[Outcome]]:
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(work, bins)


def _bins(files: Bin) -> Iterator[Bin]:
    """Files put together until they have 64 MiB or are 512: a task must outweigh what it costs to send."""
    held: Bin = []
    size = 0
    for file in files:
        held.append(file)
        size += file[1]
        if size >= 64 << 20 or len(held) == 512:
            yield held
            held, size = [], 0
    if held:
        yield held


def _hash_bin(source: Any, names: list[str], files: Bin) -> list[Outcome]:
    """Hashes files, the small ones together in lanes. A file that fails is an outcome, too."""
    outcomes: list[Outcome] = []
    small: list[tuple[tuple[str, int], bytes]] = []
    for file in files:
        try:
            with source.open(file[0]) as stream:
                if file[1] <= SMALL:
                    data = stream.read(SMALL + 1)
                    _check_size(len(data), file[1])
                    small.append((file, data))
                else:
                    outcomes.append(Outcome(file, _streamed(stream, names, file[1])))
        except Exception as error:
            outcomes.append(Outcome(file, None, f"{type(error).__name__}: {error}"))
    columns = [digest_many(name, [data for _, data in small]) for name in names]
    digests = zip(*columns, strict=True) if names else iter(() for _ in small)
    outcomes += [Outcome(file, row) for (file, _), row in zip(small, digests, strict=True)]
    return outcomes


def _streamed(stream: Any, names: list[str], size: int) -> tuple[bytes, ...]:
    hashers = [new(name) for name in names]
    read = 0
    while piece := stream.read(1 << 20):
        read += len(piece)
        for hasher in hashers:
            hasher.update(piece)
    _check_size(read, size)
    usual = [() if hasher.digest_size else (USUAL[hasher.name],) for hasher in hashers]
    return tuple(hasher.digest(*length) for hasher, length in zip(hashers, usual, strict=True))


def _check_size(read: int, listed: int) -> None:
    if read != listed:
        raise OSError(f"changed meanwhile: it had {listed} bytes when it was listed, and {read} when it was read")


def _lines(chosen: list[Algorithm], outcomes: Iterable[Outcome]) -> Iterator[bytes]:
    read = [outcome for outcome in outcomes if outcome.digests is not None]
    for outcome in sorted(read, key=lambda outcome: os.fsencode(outcome.file[0])):
        name = os.fsencode(outcome.file[0])
        escaped = name.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
        mark = b"\\" if escaped != name else b""
        for it, digest in zip(chosen, outcome.digests or (), strict=True):
            yield b"%s%s (%s) = %s\n" % (mark, _tag(it).encode(), escaped, digest.hex().encode())


def _tag(chosen: Algorithm) -> str:
    """The tag that `hashdyno sum --tag` writes."""
    tag = chosen.name.upper().replace("_", "-").replace("BLAKE2B", "BLAKE2b")
    return TAGS.get(tag, tag)


@dataclass(frozen=True)
class _Folder:
    """A folder of this machine, or one that all workers see by the same name."""

    root: str

    def files(self) -> Bin:
        found: Bin = []
        folders = [""]
        while folders:
            folder = folders.pop()
            with os.scandir(os.path.join(self.root, folder)) as entries:
                for entry in entries:
                    name = os.path.join(folder, entry.name)
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(name)
                    elif entry.is_file(follow_symlinks=False):
                        found.append((name, entry.stat(follow_symlinks=False).st_size))
        return sorted(found)

    def open(self, name: str) -> Any:
        return open(os.path.join(self.root, name), "rb")


@dataclass(frozen=True)
class _Store:
    """Whatever fsspec reads. Its connection is made where it is used: it does not survive a fork."""

    url: str
    options: dict[str, Any]

    def _system(self) -> tuple[Any, str]:
        from fsspec.core import url_to_fs

        # A listing that was kept would name files that are gone.
        system, root = url_to_fs(self.url, use_listings_cache=False, **self.options)
        return system, root.rstrip("/")

    def files(self) -> Bin:
        system, root = self._system()
        found = system.find(root, detail=True)
        return sorted((name.removeprefix(root + "/"), int(it["size"])) for name, it in found.items())

    def open(self, name: str) -> Any:
        system, root = self._system()
        return system.open(f"{root}/{name}", "rb")


def _source(url: str, options: dict[str, Any]) -> "_Folder | _Store":
    return _Store(url, options) if "://" in url else _Folder(os.path.abspath(url))


SMALL = 256 << 10
"""Files of up to so many bytes are read whole and hashed in lanes, beside each other."""

USUAL = {"shake_128": 32, "shake_256": 64}

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
