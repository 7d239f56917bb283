"""Polars, DuckDB, pandas: each from its own columns and back to them."""

import hashlib
import hmac
import zlib

import duckdb
import hashdyno
import hashdyno.duckdb
import hashdyno.pandas
import hashdyno.polars  # noqa: F401 -- the namespaces
import pandas
import polars as pl
import pyarrow as pa
import pytest
import xxhash
from polars.testing import assert_frame_equal

VALUES = [None if it % 7 == 3 else f"value {it}, é" * (it % 5) for it in range(5000)]
BYTES = [it if it is None else it.encode() for it in VALUES]


def known(name="sha256", hex=True):
    hashers = [None if it is None else hashlib.new(name, it.encode()) for it in VALUES]
    return [it if it is None else it.hexdigest() if hex else it.digest() for it in hashers]


class TestPolars:
    frame = pl.DataFrame({"s": VALUES, "b": BYTES})

    def test_expression(self):
        made = self.frame.select(
            binary=pl.col("s").hashdyno.digest("sha256"),
            hex=pl.col("b").fill_null(b"").hashdyno.digest("sha256", hex=True),
            number=pl.col("s").hashdyno.digest(hashdyno.xxh3, integer=True),
            small=pl.col("s").hashdyno.digest("crc32", integer=True),
            key=pl.col("s").hashdyno.digest("sha256", key=b"k"),
        )
        assert made.dtypes == [pl.Binary, pl.String, pl.UInt64, pl.UInt32, pl.Binary]
        assert made["binary"].to_list() == known(hex=False)
        bytes_ = [(it or "").encode() for it in VALUES]
        assert made["hex"].to_list() == [hashlib.sha256(it).hexdigest() for it in bytes_]
        assert made["number"].to_list() == [
            it if it is None else xxhash.xxh3_64_intdigest(it.encode()) for it in VALUES
        ]
        assert made["key"][0] == hmac.digest(b"k", VALUES[0].encode(), "sha256")

    @pytest.mark.parametrize("engine", ["in-memory", "streaming"])
    def test_lazily_and_in_groups(self, engine):
        lazy = self.frame.lazy().with_columns(d=pl.col("s").hashdyno.digest("md5", hex=True))
        assert lazy.collect_schema()["d"] == pl.String
        assert lazy.collect(engine=engine)["d"].to_list() == known("md5")
        few = (
            lazy.filter(pl.col("s").str.len_bytes() > 10)
            .select("d")
            .head(10)
            .collect(engine=engine)
        )
        direct = self.frame.filter(pl.col("s").str.len_bytes() > 10).head(10)
        assert_frame_equal(few, direct.select(d=pl.col("s").hashdyno.digest("md5", hex=True)))

    def test_digests_that_lie_in_their_views(self):
        made = self.frame.select(
            binary=pl.col("s").hashdyno.digest("crc32"),
            hex=pl.col("s").hashdyno.digest("crc32", hex=True),
        )
        known = [it if it is None else zlib.crc32(it.encode()).to_bytes(4, "big") for it in VALUES]
        assert made["binary"].to_list() == known
        assert made["hex"].to_list() == [it if it is None else it.hex() for it in known]

    def test_series(self):
        made = self.frame["s"].slice(3, 100).hashdyno.digest("sha256", hex=True, threads=0)
        assert made.to_list() == known()[3:103] and made.name == "s"
        assert pl.Series("e", [], pl.String).hashdyno.digest("md5").to_list() == []

    @pytest.mark.parametrize("form", [{"hex": True}, {"integer": True}, {"key": b"k"}, {}])
    def test_chunks_stay(self, form):
        """Else more digests in hexadecimal than 2 GiB could not be had."""
        name = "xxh3" if "integer" in form else "sha256"
        series = pl.concat([self.frame["s"]] * 2, rechunk=False)
        made = series.hashdyno.digest(name, threads=2, **form)
        assert (series.n_chunks(), made.n_chunks()) == (2, 2)
        once = self.frame["s"].hashdyno.digest(name, threads=2, **form)
        assert made.to_list() == 2 * once.to_list() and made.dtype == once.dtype
        none = pl.Series("e", [], pl.String).hashdyno.digest(name, threads=2, **form)
        assert none.to_list() == [] and none.dtype == once.dtype

    def test_wrong_use(self):
        with pytest.raises(ValueError, match="unsupported hash type"):
            pl.col("s").hashdyno.digest("nope")
        with pytest.raises(Exception, match="expected a column of strings"):
            pl.select(pl.lit(1).hashdyno.digest("md5"))


class TestDuckdb:
    @pytest.fixture
    def connection(self):
        connection = duckdb.connect()
        table = pa.table({"s": VALUES, "b": BYTES})
        connection.register("t", table)
        return connection

    def test_functions(self, connection):
        names = hashdyno.duckdb.register(connection, ["sha256", "md5", hashdyno.sha512_256])
        assert names[0] == "hashdyno_sha256" and names[-1] == "hashdyno_sha512_256_blob"
        rows = connection.sql(
            "SELECT hashdyno_sha256(s), hashdyno_sha256_blob(b), hashdyno_md5(s), md5(s) FROM t"
        )
        first, second, third, fourth = map(list, zip(*rows.fetchall(), strict=True))
        assert first == second == known()
        assert third == fourth == known("md5")

    def test_binary_keys_and_constants(self, connection):
        hashdyno.duckdb.register(connection, ["sha256"], hex=False)
        hashdyno.duckdb.register(connection, ["sha256"], key=b"k", prefix="mac_")
        row = connection.sql(
            "SELECT hashdyno_sha256('a'), mac_sha256('a'), hashdyno_sha256(NULL)"
        ).fetchall()[0]
        mac = hmac.new(b"k", b"a", "sha256").hexdigest()
        assert row == (hashlib.sha256(b"a").digest(), mac, None)

    def test_all_algorithms(self, connection):
        names = hashdyno.duckdb.register(connection)
        assert len(names) == 2 * len(hashdyno.algorithms())
        assert connection.sql("SELECT hashdyno_crc64_xz('123456789')").fetchall() == [
            ("995dc9bbdf1939fa",)
        ]

    def test_a_duckdb_whose_types_have_their_former_name(self, connection, monkeypatch):
        monkeypatch.setattr(duckdb, "typing", duckdb.sqltypes, raising=False)
        monkeypatch.delattr(duckdb, "sqltypes")
        names = hashdyno.duckdb.register(connection, ["md5"])
        assert names == ["hashdyno_md5", "hashdyno_md5_blob"]

    def test_a_blob_is_not_taken_for_text(self, connection):
        hashdyno.duckdb.register(connection, ["md5"])
        with pytest.raises(duckdb.Error):
            connection.sql("SELECT hashdyno_md5('\\xAA'::BLOB)").fetchall()

    def test_relations_and_results(self, connection):
        digests = hashdyno.digest_column("sha256", connection.sql("SELECT s FROM t"), hex=True)
        assert len(digests) == len(VALUES)
        hashdyno.duckdb.register(connection, ["sha256"])
        twice = hashdyno.digest_column(
            "md5", connection.sql("SELECT hashdyno_sha256(s) AS d FROM t"), hex=True
        )
        first = pa.array(twice)[0].as_py()
        assert first == hashlib.md5(known()[0].encode()).hexdigest()
        connection.register("made", pa.table({"d": pa.chunked_array(digests)}))
        assert [row[0] for row in connection.sql("SELECT d FROM made").fetchall()] == known()


class TestPandas:
    @pytest.mark.parametrize(
        "dtype", ["object", "str", "string[pyarrow]", pandas.ArrowDtype(pa.large_string())]
    )
    def test_strings(self, dtype):
        series = pandas.Series(VALUES, index=range(10, 5010), name="s", dtype=dtype)
        made = series.hashdyno.digest("sha256", hex=True)
        assert made.name == "s" and made.index.equals(series.index)
        assert [None if pandas.isna(it) else it for it in made] == known()
        binary = series[5:90].hashdyno.digest("sha256")
        assert [None if pandas.isna(it) else it for it in binary] == known(hex=False)[5:90]

    def test_chunks_stay(self):
        """Else more digests in hexadecimal than 2 GiB could not be had."""
        chunks = pa.chunked_array([VALUES, [], VALUES[:7]])
        series = pandas.Series(pandas.arrays.ArrowExtensionArray(chunks))
        made = pa.chunked_array(series.hashdyno.digest("sha256", hex=True))
        assert made.num_chunks > 1 and made.to_pylist() == known() + known()[:7]
        none = series[:0].hashdyno.digest("sha256", hex=True)
        assert list(none) == [] and none.dtype == pandas.ArrowDtype(pa.string())

    def test_bytes_and_numbers(self):
        series = pandas.Series([b"ab", None, b""])
        assert list(series.hashdyno.digest("crc32", integer=True).dropna()) == [0x9E83486D, 0]
        with pytest.raises(TypeError):
            pandas.Series([1, 2]).hashdyno.digest("md5")


def test_no_engine_is_imported_unless_it_is_used():
    import subprocess
    import sys

    code = "import sys, hashdyno; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "hashdyno" in loaded
    assert not {"polars", "duckdb", "pandas", "pyarrow", "numpy", "distributed", "pyspark"} & set(
        loaded
    )
