"""Rows of a Parquet file, each once: the first of those with the same value in every column.

usage: deduplicate.py IN OUT

What is compared is 16 bytes a row, not the row. Nobody finds two rows with one BLAKE3 of 16 bytes
by chance. Whoever may choose the rows wants 32: leave out `.bin.head`.
"""

import sys

import hashdyno.polars  # noqa: F401 -- the namespace
import polars as pl


def deduplicated(rows: pl.LazyFrame) -> pl.LazyFrame:
    text = pl.struct(pl.all()).struct.json_encode()
    digest = text.hashdyno.digest("blake3").bin.head(16)
    return rows.filter(digest.is_first_distinct())


if __name__ == "__main__":
    source, out = sys.argv[1:]
    rows = pl.scan_parquet(source)
    kept = deduplicated(rows).collect()
    kept.write_parquet(out)
    count = rows.select(pl.len()).collect().item()
    print(f"{count} rows, {count - len(kept)} of them copies")
