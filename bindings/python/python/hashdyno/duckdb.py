"""DuckDB: `hashdyno.duckdb.load(connection)`, then `SELECT hashdyno_hexdigest(name, 'blake3') FROM
people`.

DuckDB loads extensions that its makers have signed. Others, as this one, it loads if it is told so
at the beginning: `duckdb.connect(config={"allow_unsigned_extensions": True})`. Where that cannot
be, `hashdyno.duckdb.register(connection)` makes functions in Python. They take longer,
and need pyarrow, by which DuckDB hands columns to Python.
"""

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import duckdb

from . import Algorithm, __version__, _hashdyno, algorithm, algorithms, digest_column
from ._duckdb import extension

__all__ = ["load", "register"]


def load(connection: duckdb.DuckDBPyConnection) -> None:
    """Loads SQL functions that hash without Python, for all connections to that database.

    | function | result |
    |---|---|
    | `hashdyno_digest(value, algorithm)` | BLOB |
    | `hashdyno_hexdigest(value, algorithm)` | VARCHAR, lower-case hexadecimal |
    | `hashdyno_intdigest(value, algorithm)` | UBIGINT, of digests of at most eight bytes |

    A value is a VARCHAR, whose UTF-8 bytes are hashed, or a BLOB. The algorithm is a VARCHAR, which
    may be a column. NULL gives NULL. `duckdb.Error` if the connection does not allow unsigned
    extensions.
    """
    cursor = connection.cursor()  # a result that the connection has stays there
    [(platform,)] = cursor.execute("PRAGMA platform").fetchall()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "hashdyno.duckdb_extension")
        path.write_bytes(extension(_hashdyno.__file__, platform, __version__))
        cursor.load_extension(str(path))


def register(
    connection: duckdb.DuckDBPyConnection,
    names: Iterable[str | Algorithm] | None = None,
    *,
    hex: bool = True,
    key: bytes | None = None,
    prefix: str = "hashdyno_",
) -> list[str]:
    """Makes SQL functions of algorithms, all or those that are named, and returns the functions'
    names.

    `hashdyno_md5(VARCHAR)` hashes the UTF-8 bytes of text, `hashdyno_md5_blob(BLOB)` hashes a BLOB.
    The result is a VARCHAR in hexadecimal, or a BLOB without `hex`. NULL stays NULL. With `key` the
    functions are HMAC; give them another `prefix`.
    """
    # Before 1.4.1 DuckDB had them by another name.
    types: Any = getattr(duckdb, "sqltypes", None) or duckdb.typing  # type: ignore[attr-defined]
    result = types.VARCHAR if hex else types.BLOB
    registered = []
    for chosen in algorithms() if names is None else map(algorithm, names):
        function = _function(chosen, hex, key)
        name = prefix + chosen.name.replace("-", "_")
        for suffix, argument in ("", types.VARCHAR), ("_blob", types.BLOB):
            # DuckDB takes the names of its enumerations; its stubs do not say so.
            connection.create_function(  # type: ignore[call-overload]
                name + suffix,
                function,
                [argument],
                result,
                type="arrow",
                null_handling="special",
            )
            registered.append(name + suffix)
    return registered


def _function(chosen: Algorithm, hex: bool, key: bytes | None) -> Callable[[Any], Any]:
    import pyarrow

    def function(column: Any) -> Any:
        digests = pyarrow.array(digest_column(chosen, column, hex=hex, key=key))
        return digests if hex else digests.cast(pyarrow.binary())

    return function
