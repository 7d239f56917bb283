"""Trees of files, in folders and object stores: one list, the same bytes whatever computes it.

- `hash_tree("/data", ["sha256"])` hashes by threads.
- `hash_tree("s3://bucket/data", ["sha256"], engine="dask", client=client)` hashes by the workers of
  a Dask cluster, `engine="spark"` by the executors of a Spark session.
- `verify_tree("/copy", list)` reads a tree and compares it with a list.
- `compare_trees("/data", "s3://bucket/data")` compares two trees without a list.

URLs need fsspec, and the package of their store, on every worker.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from . import Algorithm, algorithm, digest_many, new
from . import algorithm as _algorithm
from ._lists import TAGS, USUAL, by_file, read_list, write_whole
from ._sources import Bin, source_of

__all__ = ["Difference", "Tree", "compare_trees", "hash_tree", "verify_tree"]


@dataclass(frozen=True)
class Outcome:
    """How one file went: its digests, or why there are none."""

    file: tuple[str, int]
    digests: tuple[bytes, ...] | None
    error: str | None = None


Engine = Callable[[Callable[[Bin], list[Outcome]], list[Bin]], Iterable[list[Outcome]]]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Tree:
    """What `hash_tree` found."""

    list: bytes
    """A tagged line for each file and algorithm, `SHA256 (name) = digest`, in the order of the
    names' bytes. Names are relative to the tree's root. `hashdyno check` reads it, and `sha256sum
    --check` where it knows the algorithm.
    """

    failed: dict[str, str]
    """The files that could not be read after all rounds, and why."""

    def write(self, path: "str | os.PathLike[str]") -> None:
        """Writes the list to a file, which is there whole or not at all. It gets the permissions
        of the file that it replaces.

        Raises ValueError if files failed: a list that lacks them would look whole.
        """
        if self.failed:
            count, name = len(self.failed), min(self.failed)
            raise ValueError(
                f"{count} files could not be read, {name!r} among them: expected none\n"
                "hint: Tree.failed says why; Tree.list has the others"
            )
        write_whole(path, self.list)


@dataclass(frozen=True)
class Difference:
    """How a tree differs from a list, or the second tree from the first. It is true if there is any
    difference.
    """

    matching: int
    """How many files are the same."""

    changed: list[str]
    """Files with another content."""

    missing: list[str]
    """Files that the list or the first tree has, and the tree or the second one lacks."""

    added: list[str]
    """Files that the list or the first tree lacks."""

    failed: dict[str, str]
    """Files that could not be read after all rounds, and why; of two trees, in which."""

    def __bool__(self) -> bool:
        return bool(self.changed or self.missing or self.added or self.failed)


def hash_tree(
    url: "str | os.PathLike[str]",
    algorithms: Iterable[str | Algorithm],
    *,
    engine: str | Engine = "threads",
    workers: int | None = None,
    client: Any = None,
    storage_options: dict[str, Any] | None = None,
    rounds: int = 3,
    progress: Progress | None = None,
) -> Tree:
    """Hashes every regular file below a folder or a URL.

    - `engine` is "threads" (`workers` of them, one a core if None), "dask" or "spark" (by
      `client`: the distributed client or the Spark session, the active one if None), or a function
      of a function and of bins that yields what the first gives for each bin.
    - Links are not followed.
    - Files that fail are tried again alone, in `rounds` rounds in all. Files that are missing or
      forbidden are not.
    - `progress` is called with the number of files that are done and of their bytes, after each
      bin, on the caller's thread.

    Raises OSError if the tree itself or a folder in it cannot be listed, or if there is no such
    tree, ValueError for an unknown engine or algorithm, or less than one round.
    """
    chosen = [algorithm(name) for name in algorithms]
    source = source_of(os.fspath(url), storage_options or {})
    how = _How(_engine(engine, workers, client), rounds, progress)
    done = how.hash(source, [it.name for it in chosen], source.files())
    return Tree(b"".join(_lines(chosen, done.values())), _failed(done))


def verify_tree(
    url: "str | os.PathLike[str]",
    list: "bytes | os.PathLike[str] | Tree",
    *,
    algorithm: str | Algorithm | None = None,
    engine: str | Engine = "threads",
    workers: int | None = None,
    client: Any = None,
    storage_options: dict[str, Any] | None = None,
    rounds: int = 3,
    progress: Progress | None = None,
) -> Difference:
    """Reads every file that a list names below a folder or a URL, and compares all of its digests.

    `list` is what `hash_tree` made, the path of a file, or the bytes of a list: of tagged lines
    (`SHA256 (name) = digest`) or, with `algorithm`, of `digest  name` as `sha256sum` writes them.
    The other parameters are those of `hash_tree`.

    Raises ValueError for a line that is neither, a digest of another length than the algorithm's,
    or a file with two values of one algorithm; OSError as `hash_tree`.
    """
    claims = read_list(_bytes_of(list), algorithm)
    source = source_of(os.fspath(url), storage_options or {})
    how = _How(_engine(engine, workers, client), rounds, progress)
    found = dict(source.files())
    listed = by_file(claims, found)
    groups: dict[tuple[str, ...], Bin] = {}
    for name, values in listed.items():
        if name in found:
            groups.setdefault(tuple(values), []).append((name, found[name]))
    done: dict[str, Outcome] = {}
    for names, files in groups.items():
        done.update(how.hash(source, names, files))
    wrong = [
        name for name, it in done.items() if it.digests not in (None, tuple(listed[name].values()))
    ]
    return _difference(listed, found, wrong, _failed(done))


def compare_trees(
    first: "str | os.PathLike[str]",
    second: "str | os.PathLike[str]",
    *,
    algorithm: str | Algorithm = "blake3",
    engine: str | Engine = "threads",
    workers: int | None = None,
    client: Any = None,
    storage_options: dict[str, Any] | None = None,
    rounds: int = 3,
    progress: Progress | None = None,
) -> Difference:
    """Compares the files of two trees, each a folder or a URL, by name, length and digest.

    Files of different lengths are not read. The parameters are those of `hash_tree`;
    `storage_options` are of both, and `progress` counts the files of both.
    """
    chosen = _algorithm(algorithm).name
    sources = [source_of(os.fspath(url), storage_options or {}) for url in (first, second)]
    how = _How(_engine(engine, workers, client), rounds, progress)
    one, two = (dict(source.files()) for source in sources)
    both = sorted((name, size) for name, size in one.items() if two.get(name) == size)
    left, right = (how.hash(source, (chosen,), both) for source in sources)
    sides = [(first, _failed(left)), (second, _failed(right))]
    failed = {
        name: "; ".join(f"{os.fspath(url)}: {why[name]}" for url, why in sides if name in why)
        for name in sorted({name for _, why in sides for name in why})
    }
    wrong = [name for name, size in one.items() if name in two and two[name] != size]
    wrong += [
        name for name, _ in both if name not in failed and left[name].digests != right[name].digests
    ]
    return _difference(one, two, wrong, failed)


def _difference(
    wanted: Iterable[str], found: Iterable[str], wrong: list[str], failed: dict[str, str]
) -> Difference:
    wanted, found = set(wanted), set(found)
    matching = len(wanted & found) - len(wrong) - len(failed)
    return Difference(
        matching, sorted(wrong), sorted(wanted - found), sorted(found - wanted), failed
    )


def _bytes_of(list: "bytes | os.PathLike[str] | Tree") -> bytes:
    if isinstance(list, Tree):
        return list.list
    if isinstance(list, bytes):
        return list
    with open(list, "rb") as file:
        return file.read()


@dataclass
class _How:
    """The engine, the number of rounds and the progress callback of one call, and how many files
    and bytes are done.
    """

    engine: Engine
    rounds: int
    progress: Progress | None
    files: int = 0
    size: int = 0

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError(f"rounds: expected 1 at least, got {self.rounds}")

    def hash(self, source: Any, names: Iterable[str], files: Bin) -> dict[str, Outcome]:
        """The outcome of each file."""
        work = partial(_hash_bin, source, [*names])
        done: dict[str, Outcome] = {}
        rest = files
        for number in range(self.rounds):
            bins = [*_bins(rest)] if number == 0 else [[file] for file in rest]
            for outcomes in self.engine(work, bins):
                sizes = [it.file[1] for it in outcomes if it.file[0] not in done]
                self.files += len(sizes)
                self.size += sum(sizes)
                done.update({outcome.file[0]: outcome for outcome in outcomes})
                if self.progress:
                    self.progress(self.files, self.size)
            rest = [file for file in rest if _heals(done.get(file[0]))]
            if not rest:
                break
        for file in rest:
            done.setdefault(file[0], Outcome(file, None, "its worker was lost in every round"))
        return done


def _failed(done: dict[str, Outcome]) -> dict[str, str]:
    return dict(sorted((name, it.error) for name, it in done.items() if it.error is not None))


def _heals(outcome: Outcome | None) -> bool:
    """Whether another try may help. A file without an outcome was in a bin of a lost worker."""
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
        from . import dask

        return partial(dask.submit, client)
    if engine == "spark":
        from . import spark

        return partial(spark.submit, client)
    raise ValueError(f"expected the engine threads, dask or spark, got {engine!r}")


def _threads(
    workers: int, work: Callable[[Bin], list[Outcome]], bins: list[Bin]
) -> Iterator[list[Outcome]]:
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(work, bins)


def _bins(files: Bin) -> Iterator[Bin]:
    """Files put together until they have 64 MiB or are 512: a task must outweigh what it costs to
    send.
    """
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
    opened = source.opener()
    for file in files:
        try:
            with opened(file[0]) as stream:
                if file[1] <= SMALL:
                    data = _whole(stream, file[1])
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


def _whole(stream: Any, size: int) -> bytes:
    """All bytes of a small file, or more than a small one has. Streams of the web give those that
    have come, which may be fewer than they are asked for.
    """
    data: bytes = stream.read(SMALL + 1)
    if len(data) < size:
        while len(data) <= SMALL and (piece := stream.read(SMALL + 1)):
            data += piece
    return data


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
        raise OSError(
            f"changed meanwhile: it had {listed} bytes when it was listed, {read} when it was read"
        )


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


SMALL = 256 << 10
"""Files of up to so many bytes are read whole and hashed in lanes, beside each other."""
