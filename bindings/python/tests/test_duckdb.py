"""DuckDB's extension: by the package, and the library that stands alone."""

import hashlib
import os
import zlib
from pathlib import Path

import duckdb
import hashdyno.duckdb
import pyarrow as pa
import pytest
from hashdyno._duckdb import extension

VALUES = ["", "a", "exactly 12 b", "thirteen byte", None, "ä" * 40, "x" * 5000, "a"]
"""Around the longest string that lies in its own row, 12 bytes."""
BYTES = [None if value is None else value.encode() for value in VALUES]
UNSIGNED = {"allow_unsigned_extensions": True}


@pytest.fixture
def connection():
    connection = duckdb.connect(config=UNSIGNED)
    hashdyno.duckdb.load(connection)
    connection.register("t", pa.table({"s": VALUES, "b": BYTES}))
    return connection


def column(connection, query):
    return [row[0] for row in connection.sql(query).fetchall()]


def expected(function):
    return [None if value is None else function(value) for value in BYTES]


def test_forms_of_text_and_bytes(connection):
    for s in "sb":
        assert column(connection, f"SELECT hashdyno_digest({s}, 'sha256') FROM t") == expected(
            lambda v: hashlib.sha256(v).digest()
        )
        assert column(connection, f"SELECT hashdyno_hexdigest({s}, 'MD5') FROM t") == expected(
            lambda v: hashlib.md5(v).hexdigest()
        )
        assert column(connection, f"SELECT hashdyno_intdigest({s}, 'crc32') FROM t") == expected(
            zlib.crc32
        )
    xxh3 = expected(lambda v: int(hashdyno.new("xxh3", v).hexdigest(), 16))
    assert column(connection, "SELECT hashdyno_intdigest(s, 'xxh3') FROM t") == xxh3


def test_every_algorithm_is_known(connection):
    for algorithm in hashdyno.algorithms():
        name = (
            algorithm.names[0]
            if algorithm.name not in ("shake_128", "shake_256")
            else algorithm.name.replace("_", "")
        )
        [digest] = column(connection, f"SELECT hashdyno_digest('abc', '{name}')")
        length = [len(digest)] if algorithm.digest_size == 0 else []
        assert digest == hashdyno.new(name, b"abc").digest(*length), name


def test_an_algorithm_for_each_row(connection):
    rows = "('x', 'md5'), ('y', 'md5'), ('z', 'sha1'), ('z', NULL), (NULL, 'md5')"
    query = f"SELECT hashdyno_hexdigest(s, a) FROM (VALUES {rows}) AS v(s, a)"
    assert column(connection, query) == [
        hashlib.md5(b"x").hexdigest(),
        hashlib.md5(b"y").hexdigest(),
        hashlib.sha1(b"z").hexdigest(),
        None,
        None,
    ]


def test_many_chunks_and_threads(connection):
    connection.execute("SET threads = 4")
    connection.execute(
        """CREATE TABLE n AS
        SELECT CASE WHEN i % 7 = 0 THEN NULL ELSE repeat(i::VARCHAR, i::INTEGER % 9) END AS s
        FROM range(300000) AS r(i)"""
    )
    for name in "md5", "sha256":
        differs = f"hashdyno_hexdigest(s, '{name}') IS DISTINCT FROM {name}(s)"
        assert column(connection, f"SELECT count(*) FROM n WHERE {differs}") == [0]
    equal = "SELECT hashdyno_hexdigest(s, 'sha1') = sha1(s) FROM n"
    assert set(column(connection, f"{equal} WHERE length(s) > 12 AND s LIKE '%77%'")) == {True}


@pytest.mark.parametrize("name", ["adler32", "crc64-xz", "md5", "sha512"])
def test_results_are_strings_like_others(connection, name):
    """They are compared, sorted and grouped; digits and bytes around the length of 12, NULL
    first."""
    values = [None, *(str(number % 700) for number in range(5000))]
    connection.register("v", pa.table({"s": values}))
    known = {value: hashdyno.new(name, value.encode()) for value in values if value}
    for form in "hexdigest", "digest":
        query = f"SELECT DISTINCT hashdyno_{form}(s, '{name}') AS d FROM v ORDER BY d NULLS LAST"
        expected = sorted({getattr(it, form)() for it in known.values()})
        assert column(connection, query) == [*expected, None]
    wrong = f"lower(hex(hashdyno_digest(s, '{name}'))) <> hashdyno_hexdigest(s, '{name}')"
    assert column(connection, f"SELECT count(*) FROM v WHERE {wrong}") == [0]


def test_constants(connection):
    values = [("'a'", "'sha1'"), ("NULL", "'sha1'"), ("'a'", "NULL")]
    calls = ", ".join(f"hashdyno_hexdigest({value}, {name})" for value, name in values)
    row = connection.sql(f"SELECT {calls}").fetchall()
    assert row == [(hashlib.sha1(b"a").hexdigest(), None, None)]


def test_other_connections_have_the_functions(connection):
    assert column(connection.cursor(), "SELECT hashdyno_intdigest('123456789', 'crc32')") == [
        0xCBF43926
    ]
    hashdyno.duckdb.load(connection)  # again: nothing happens


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("hashdyno_digest(s, 'nope')", "no algorithm is called 'nope'"),
        ("hashdyno_intdigest(s, 'md5')", "has 16 bytes, expected at most 8"),
        ("hashdyno_digest(1, 'md5')", "No function matches"),
    ],
)
def test_errors(connection, expression, words):
    with pytest.raises(duckdb.Error, match=words):
        connection.sql(f"SELECT {expression} FROM t").fetchall()
    assert column(connection, "SELECT hashdyno_hexdigest('', 'crc32')") == ["00000000"]


def test_a_connection_that_wants_signatures():
    with pytest.raises(duckdb.Error, match="(?i)unsigned|signature"):
        hashdyno.duckdb.load(duckdb.connect())


def test_a_pending_result_stays(connection):
    pending = connection.execute("SELECT s FROM t")
    hashdyno.duckdb.load(connection)
    assert [row[0] for row in pending.fetchall()] == VALUES


@pytest.mark.skipif(
    "HASHDYNO_LIBS" not in os.environ,
    reason="the library lies where the workspace's tests build it",
)
def test_the_library_alone(tmp_path):
    connection = duckdb.connect(config=UNSIGNED)
    [platform] = column(connection, "PRAGMA platform")
    path = tmp_path / "hashdyno.duckdb_extension"
    path.write_bytes(
        extension(Path(os.environ["HASHDYNO_LIBS"], "libhashdyno_duckdb.so"), platform, "0.1.0")
    )
    connection.execute(f"LOAD '{path}'")
    assert column(connection, "SELECT hashdyno_hexdigest('abc', 'sha256')") == [
        hashlib.sha256(b"abc").hexdigest()
    ]
