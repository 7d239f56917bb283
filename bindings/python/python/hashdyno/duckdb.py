"""DuckDB: `hashdyno.duckdb.register(connection)`, then `SELECT hashdyno_blake3(name) FROM people`.

It needs pyarrow, by which DuckDB hands columns to Python.
"""

from collections.abc import Callable, Iterable

import duckdb
import pyarrow

from . import Algorithm, algorithm, algorithms, digest_column

__all__ = ["register"]


def register(
    connection: duckdb.DuckDBPyConnection,
    names: Iterable[str | Algorithm] | None = None,
    *,
    hex: bool = True,
    key: bytes | None = None,
    prefix: str = "hashdyno_",
) -> list[str]:
    """Makes SQL functions of algorithms, all or those that are named, and returns the functions' names.

    `hashdyno_md5(VARCHAR)` hashes the UTF-8 bytes of text, `hashdyno_md5_blob(BLOB)` hashes a BLOB. The result is a VARCHAR in
    hexadecimal, or a BLOB without `hex`. NULL stays NULL. With `key` the functions are HMAC; give them another `prefix`.
    """
    result = duckdb.sqltypes.VARCHAR if hex else duckdb.sqltypes.BLOB
    registered = []
    for chosen in algorithms() if names is None else map(algorithm, names):
        function = _function(chosen, hex, key)
        name = prefix + chosen.name.replace("-", "_")
        for suffix, argument in ("", duckdb.sqltypes.VARCHAR), ("_blob", duckdb.sqltypes.BLOB):
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


def _function(
    chosen: Algorithm, hex: bool, key: bytes | None
) -> Callable[[pyarrow.Array], pyarrow.Array]:
    def function(column: pyarrow.Array) -> pyarrow.Array:
        digests = pyarrow.array(digest_column(chosen, column, hex=hex, key=key))
        return digests if hex else digests.cast(pyarrow.binary())

    return function
