"""Rows of a Parquet file, each once: the first of those with the same value in every column.

usage: deduplicate.py IN OUT

What is compared is 16 bytes a row, not the row. Nobody finds two rows with one BLAKE3 of 16 bytes
by chance. Whoever may choose the rows wants 32: leave out `.bin.head`.
"""

import sys

import hashdyno.polars  # noqa: F401 -- the namespace
import polars as pl
import polars.selectors as cs


def is_plain(kind: pl.DataType) -> bool:
    """Whether JSON tells all values of a type: it has no bytes, and NaN and infinity are null."""
    if isinstance(kind, pl.Struct):
        return all(is_plain(field.dtype) for field in kind.fields)
    if isinstance(kind, (pl.List, pl.Array)):
        return is_plain(kind.inner)
    return not kind.is_float() and kind != pl.Binary


def deduplicated(rows: pl.LazyFrame) -> pl.LazyFrame:
    for name, kind in rows.collect_schema().items():
        if kind.is_nested() and not is_plain(kind):
            raise ValueError(f"column {name!r}: expected no floats or bytes within {kind}")
    text = pl.struct(
        ~(cs.float() | cs.binary()),
        cs.float().cast(pl.String),
        cs.binary().bin.encode("hex"),
    ).struct.json_encode()
    digest = text.hashdyno.digest("blake3").bin.head(16)
    return rows.filter(digest.is_first_distinct())


if __name__ == "__main__":
    source, out = sys.argv[1:]
    rows = pl.scan_parquet(source)
    count = rows.select(pl.len()).collect().item()  # before OUT takes the place of IN
    kept = deduplicated(rows).collect()
    kept.write_parquet(out)
    print(f"{count} rows, {count - len(kept)} of them copies")
