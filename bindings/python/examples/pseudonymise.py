"""Replaces a column of a CSV file by pseudonyms.   pseudonymise.py IN OUT COLUMN KEY-FILE

A pseudonym is the HMAC-SHA-256 of the value under the key. Equal values have equal pseudonyms, so
that tables still join. Without the key nobody can check a guess, as anybody can with a plain digest
of a name or a telephone number. Keep the key apart from the data, and delete it where nobody is to
check again.
"""

import sys
from pathlib import Path

import hashdyno.polars  # noqa: F401 -- the namespace
import polars as pl

LEAST = 16
"""Bytes of a key. `head -c 32 /dev/urandom >KEY-FILE` makes one."""


def pseudonymised(rows: pl.LazyFrame, column: str, key: bytes) -> pl.LazyFrame:
    if len(key) < LEAST:
        raise ValueError(f"the key has {len(key)} bytes: expected {LEAST} at least")
    return rows.with_columns(pl.col(column).hashdyno.digest("sha256", hex=True, key=key))


if __name__ == "__main__":
    source, out, column, key_file = sys.argv[1:]
    # Numbers as text: 0123 is not 123.
    rows = pl.scan_csv(source, infer_schema=False)
    pseudonymised(rows, column, Path(key_file).read_bytes()).collect().write_csv(out)
