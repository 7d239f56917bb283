"""What `bench` runs."""

import datetime
import hashlib
import platform
import random
import statistics
import sys
import time
import zlib
from collections.abc import Callable

import blake3
import duckdb
import hashdyno
import hashdyno.duckdb
import hashdyno.polars  # noqa: F401 -- the namespaces
import polars as pl
import polars_hash  # noqa: F401 -- its namespaces
import pyarrow as pa
import xxhash

ROWS, ROUNDS = 1_000_000, 7

LOOPS: dict[str, Callable[[bytes], bytes]] = {
    "md5": lambda m: hashlib.md5(m).digest(),
    "sha1": lambda m: hashlib.sha1(m).digest(),
    "sha256": lambda m: hashlib.sha256(m).digest(),
    "blake3": lambda m: blake3.blake3(m).digest(),
    "xxh3": lambda m: xxhash.xxh3_64_digest(m),
    "crc32": lambda m: zlib.crc32(m).to_bytes(4, "big"),
}


class Data:
    """One million strings, as each engine has them."""

    def __init__(self) -> None:
        source = random.Random(1)
        letters = "abcdefghijklmnopqrstuvwxyz0123456789"
        texts = ["".join(source.choices(letters, k=source.randint(5, 40))) for _ in range(ROWS)]
        self.bytes = [text.encode() for text in texts]
        self.arrow = pa.array(texts)
        self.polars = pl.Series("s", texts)
        self.frame = pl.DataFrame({"s": self.polars})
        self.duckdb = duckdb.connect(config={"threads": 1})
        self.duckdb.register("source", pa.table({"s": self.arrow}))
        self.duckdb.execute("CREATE TABLE t AS SELECT s FROM source")
        hashdyno.duckdb.register(self.duckdb, list(LOOPS))


def contenders(name: str, data: Data) -> dict[str, Callable[[], object]]:
    """What is timed for an algorithm, by name. Ours first."""
    one = LOOPS[name]
    column = pl.col("s")
    found: dict[str, Callable[[], object]] = {
        "hashdyno, Arrow to binary": lambda: pa.array(hashdyno.digest_column(name, data.arrow)),
        "hashdyno, Arrow to hex": lambda: pa.array(hashdyno.digest_column(name, data.arrow, hex=True)),
        "hashdyno, Polars to binary": lambda: data.frame.select(column.hashdyno.digest(name))["s"],
        "hashdyno, Polars to hex": lambda: data.frame.select(column.hashdyno.digest(name, hex=True))["s"],
        "hashdyno, DuckDB to hex": lambda: duck(data, f"hashdyno_{name if name != 'crc32' else 'crc32b'}(s)"),
        "hashdyno, list to list": lambda: hashdyno.digest_many(name, data.bytes),
        "loop, list to list": lambda: [one(message) for message in data.bytes],
    }
    if name in ("md5", "sha1", "sha256"):
        found["DuckDB's own, to hex"] = lambda: duck(data, f"{name}(s)")
    if name in ("md5", "sha1"):
        found["polars-hash, to hex"] = lambda: data.frame.select(getattr(column.nchash, name)())["s"]
    if name in ("sha256", "blake3"):
        method = {"sha256": "sha2_256"}.get(name, name)
        found["polars-hash, to hex"] = lambda: data.frame.select(getattr(column.chash, method)())["s"]
    if name == "xxh3":
        found["hashdyno, Polars to UInt64"] = lambda: data.frame.select(
            column.hashdyno.digest(name, integer=True)
        )["s"]
        found["polars-hash, to UInt64"] = lambda: data.frame.select(column.nchash.xxh3_64())["s"]
    return found


def duck(data: Data, expression: str) -> object:
    return data.duckdb.sql(f"SELECT {expression} AS d FROM t").to_arrow_table()["d"]


def verify(name: str, what: str, result: object, known: list[bytes]) -> None:
    rows = result if isinstance(result, list) else (
        result.to_list() if isinstance(result, pl.Series) else result.to_pylist()
    )
    for row, digest in zip(rows, known, strict=True):
        as_number = int.from_bytes(digest, "big")
        if row not in (digest, digest.hex(), as_number):
            sys.exit(f"error: {what} gives {row!r} for {name}, expected {digest.hex()}")


def main(names: list[str]) -> None:
    data = Data()
    print(f"{datetime.date.today()}, {cpu()}, Python {platform.python_version()}, one core, {ROWS} strings of 5 to 40 bytes")
    print(f"median of {ROUNDS} interleaved rounds, every row verified; x: times as long as hashdyno of the same form")
    for name in names or list(LOOPS):
        subjects = contenders(name, data)
        known = [LOOPS[name](message) for message in data.bytes]
        for what, subject in subjects.items():
            verify(name, what, subject(), known)
        times: dict[str, list[float]] = {what: [] for what in subjects}
        for _ in range(ROUNDS):
            for what, subject in subjects.items():
                begin = time.perf_counter()
                subject()
                times[what].append(time.perf_counter() - begin)
        print(f"\n| {name} | million rows/s | ns a row | x |\n|---|---:|---:|---:|")
        for what, measured in times.items():
            median = statistics.median(measured)
            pair = times[twin(what, subjects)]
            ratio = statistics.median(a / b for a, b in zip(measured, pair, strict=True))
            print(f"| {what} | {ROWS / median / 1e6:.1f} | {median / ROWS * 1e9:.1f} | {ratio:.2f} |")


def twin(what: str, subjects: dict[str, Callable[[], object]]) -> str:
    """Ours of the same engine and form."""
    pairs = {
        "loop, list to list": "hashdyno, list to list",
        "DuckDB's own, to hex": "hashdyno, DuckDB to hex",
        "polars-hash, to hex": "hashdyno, Polars to hex",
        "polars-hash, to UInt64": "hashdyno, Polars to UInt64",
    }
    return pairs.get(what, what)


def cpu() -> str:
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.processor()


if __name__ == "__main__":
    main(sys.argv[1:])
