"""hashdyno's runner for engines of data: the digests of a column, from the engine's memory and back
to it.

usage: runner.py ENGINE

Ways end in what they give: `-hex` strings, `-int` integers, others bytes. `own` is the engine's
function, `loop` the loop that people write. One core: the engine is told so. The protocol:
docs/PROTOCOL.md.
"""

import hashlib
import os
import sys
import zlib
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

sys.modules["cryptography"] = None  # no ciphers here, and importing them takes time
sys.path.insert(0, str(Path(__file__).parent.parent / "python"))
from runner import NUMBER, Job, payload, serve  # noqa: E402 -- it lies there

os.environ["POLARS_MAX_THREADS"] = "1"

try:
    import blake3
    import hashdyno
    import pyarrow
    import xxhash
except ImportError as error:
    sys.exit(print(f"error {error}"))

OF_BYTES = {
    "md5": "hashlib.md5({}).digest()",
    "sha1": "hashlib.sha1({}).digest()",
    "sha256": "hashlib.sha256({}).digest()",
    "sha512": "hashlib.sha512({}).digest()",
    "blake3": "blake3.blake3({}).digest()",
    "xxh3": "xxhash.xxh3_64_digest({})",
    "crc32b": "zlib.crc32({})",
}
"""What people call for the digest of one message."""


def of_text(name):
    """The same for a string, as text or a number."""
    call = OF_BYTES[name].format("text.encode()").replace("3_64_digest", "3_64_intdigest")
    return call.replace(".digest()", ".hexdigest()")


def loops(name):
    """The way that a loop over text is."""
    return "loop-hex" if "hexdigest" in of_text(name) else "loop-int"


def ours(call, name):
    """Ways of ours, by a `call` that takes the digest's form."""
    forms = {"hashdyno": "", "hashdyno-hex": ", hex=True"}
    if hashdyno.algorithm(name).digest_size in (4, 8):
        forms["hashdyno-int"] = ", integer=True"
    return {way: call.format(form) for way, form in forms.items()}


class Arrow:
    """pyarrow has no digests of its own."""

    packages = ["pyarrow"]

    def names(self, column):
        return {"column": column, "array": pyarrow.array, "digest_column": hashdyno.digest_column}

    def ways(self, name):
        kind = ", 'uint64'" if loops(name) == "loop-int" else ""
        loop = f"array([{of_text(name)} for text in column.to_pylist()]{kind})"
        return {**ours("array(digest_column(name, column{}))", name), loops(name): loop}


class List:
    """A list of bytes, as Python has it."""

    packages = ["xxhash", "blake3"]

    def names(self, column):
        return {"rows": column.cast(pyarrow.binary()).to_pylist(), "hashdyno": hashdyno}

    def ways(self, name):
        return {
            "hashdyno": "hashdyno.digest_many(name, rows)",
            "hashdyno-hex": "hashdyno.hexdigest_many(name, rows)",
            "loop": f"[{OF_BYTES[name].format('row')} for row in rows]",
        }


class Pandas:
    packages = ["pandas", "pyarrow"]

    def __init__(self):
        import hashdyno.pandas  # noqa: F401 -- the accessor
        import pandas

        self.pandas = pandas

    def names(self, column):
        return {"series": self.pandas.Series(column.to_pandas(), dtype="str")}

    def ways(self, name):
        loop = f"series.map(lambda text: {of_text(name)})"
        return {**ours("series.hashdyno.digest(name{})", name), loops(name): loop}


class Polars:
    packages = ["polars", "polars-hash"]
    own = {
        "md5": "nchash.md5",
        "sha1": "nchash.sha1",
        "sha256": "chash.sha2_256",
        "sha512": "chash.sha2_512",
        "blake3": "chash.blake3",
    }

    def __init__(self):
        import hashdyno.polars  # noqa: F401 -- the namespace
        import polars
        import polars_hash  # noqa: F401 -- its namespaces

        self.polars = polars

    def names(self, column):
        return {
            "frame": self.polars.DataFrame({"s": self.polars.from_arrow(column)}),
            "s": self.polars.col("s"),
        }

    def ways(self, name):
        found = ours("frame.select(s.hashdyno.digest(name{}))['s']", name)
        if name in self.own:
            found["own-hex"] = f"frame.select(s.{self.own[name]}())['s']"
        if name == "xxh3":
            found["own-int"] = "frame.select(s.nchash.xxh3_64())['s']"
        return found


class DuckDb:
    packages = ["duckdb", "pyarrow"]

    def __init__(self):
        import duckdb
        import hashdyno.duckdb

        self.connection = duckdb.connect(config={"threads": 1, "allow_unsigned_extensions": True})
        hashdyno.duckdb.load(self.connection)

    def names(self, column):
        self.connection.register("source", pyarrow.table({"s": column}))
        self.connection.execute("CREATE OR REPLACE TABLE t AS SELECT s FROM source")
        self.connection.unregister("source")
        return {"table": self.table}

    def table(self, expression):
        self.connection.execute(
            f"CREATE OR REPLACE TABLE digests AS SELECT {expression} AS d FROM t"
        )
        return self

    def __arrow_c_stream__(self, schema=None):
        return self.connection.table("digests").__arrow_c_stream__(schema)

    def ways(self, name):
        found = {
            "hashdyno": f"hashdyno_digest(s, '{name}')",
            "hashdyno-hex": f"hashdyno_hexdigest(s, '{name}')",
        }
        if hashdyno.algorithm(name).digest_size <= 8:
            found["hashdyno-int"] = f"hashdyno_intdigest(s, '{name}')"
        if name in ("md5", "sha1", "sha256"):
            found["own-hex"] = f"{name}(s)"
        return {way: f"table({expression!r})" for way, expression in found.items()}


class DataFusion:
    packages = ["datafusion", "pyarrow"]

    def __init__(self):
        import datafusion

        self.context = datafusion.SessionContext(
            datafusion.SessionConfig().with_target_partitions(1)
        )
        for name in OF_BYTES:
            for suffix, kind in (
                ("", pyarrow.binary(hashdyno.algorithm(name).digest_size)),
                ("_hex", pyarrow.string()),
            ):
                self.context.register_udf(
                    datafusion.udf(
                        function(name, bool(suffix)),
                        [pyarrow.string()],
                        kind,
                        "immutable",
                        f"ours_{name}{suffix}",
                    )
                )

    def names(self, column):
        if self.context.table_exist("t"):
            self.context.deregister_table("t")
        self.context.register_record_batches("t", [pyarrow.table({"s": column}).to_batches(8192)])
        return {"table": self.table}

    def table(self, expression):
        return self.context.sql(f"SELECT {expression} AS d FROM t").collect()

    def ways(self, name):
        found = {"hashdyno": f"ours_{name}(s)", "hashdyno-hex": f"ours_{name}_hex(s)"}
        if name == "md5":
            found["own-hex"] = "md5(s)"
        if name in ("sha256", "sha512", "blake3"):
            found |= {
                "own": f"digest(s, '{name}')",
                "own-hex": f"encode(digest(s, '{name}'), 'hex')",
            }
        return {way: f'table("{expression}")' for way, expression in found.items()}


def function(name, is_hex):
    return lambda column: pyarrow.array(hashdyno.digest_column(name, column, hex=is_hex))


ENGINES = {
    "arrow": Arrow,
    "list": List,
    "pandas": Pandas,
    "polars": Polars,
    "duckdb": DuckDb,
    "datafusion": DataFusion,
}


def column_of(layout, rows):
    """The strings of a payload: their offsets, and then their bytes."""
    buffer = pyarrow.py_buffer(layout)
    offsets = buffer.slice(0, 4 * (rows + 1)) if len(layout) >= 4 * (rows + 1) else None
    if not offsets or not rows:
        raise ValueError("the payload must hold an offset for each row, and one more")
    column = pyarrow.StringArray.from_buffers(rows, offsets, buffer.slice(offsets.size))
    column.validate(full=True)
    return column


def rows_of(given):
    """What an engine gave, row by row."""
    if isinstance(given, list) and given and hasattr(given[0], "num_rows"):
        given = pyarrow.Table.from_batches(given)
    if hasattr(given, "__arrow_c_stream__"):
        given = (
            pyarrow.chunked_array(given)
            if hasattr(given, "name")
            else pyarrow.table(given).column(0)
        )
    return given.to_pylist() if hasattr(given, "to_pylist") else given


def spelled(given: Iterable, width):
    """The digests one after another, whatever their form; an error if a row has another width."""
    kinds = {str: bytes.fromhex, int: lambda row: row.to_bytes(width, "big"), bytes: bytes}
    digests = []
    for row in rows_of(given):
        digest = kinds[type(row)](row)
        if len(digest) != width or isinstance(row, str) and row != digest.hex():
            raise ValueError(
                f"row {len(digests)} is {row!r}, expected {width} bytes, or lower-case hexadecimal"
            )
        digests.append(digest)
    return b"".join(digests)


def job_of(engine):
    """What makes a job of the words of a line."""

    def job(words):
        options = dict(word.partition("=")[::2] for word in words[3:])
        layout = payload(options.pop("len", ""))
        rows, how, out = (options.pop(name, None) for name in ("rows", "impl", "out"))
        if words[1] != "column" or len(words) < 3 or options or not NUMBER.fullmatch(rows or ""):
            raise ValueError(f"cannot do: {' '.join(words)}")
        name = words[2]
        ways = engine.ways(name) if name in OF_BYTES else {}
        how = how or next(iter(ways), None)
        width = ways and hashdyno.algorithm(name).digest_size
        if how not in ways or out not in (None, str(width)):
            raise ValueError(f"cannot do {name} by {how}, {out or 'no'} bytes")
        names = engine.names(column_of(layout, int(rows)))
        modules = {"hashlib": hashlib, "blake3": blake3, "xxhash": xxhash, "zlib": zlib}
        return Job(
            ways[how], spell=lambda given: spelled(given, width), name=name, **modules, **names
        )

    return job


def listing(engine):
    return "\n".join(
        [*(" ".join(["column", name, *engine.ways(name)]) for name in OF_BYTES), "end"]
    )


def main(name):
    try:
        engine = ENGINES[name]()
    except ImportError as error:
        sys.exit(print(f"error {error}"))
    facts = {package: version(package) for package in engine.packages} | {
        "hashdyno": hashdyno.__version__,
        "python": sys.version.split()[0],
    }
    words = [f"{key}={quote(value)}" for key, value in facts.items()]
    serve(
        " ".join(["runner 1", name, quote(next(iter(facts.values()))), *words]),
        lambda: listing(engine),
        job_of(engine),
    )


main(sys.argv[1])
