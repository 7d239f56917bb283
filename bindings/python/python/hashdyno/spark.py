"""Spark: `hashdyno.spark.digest(frame, "name", "sha256")`.

Columns travel from the JVM to Python and back, which takes longer than the hash. Where Spark has the algorithm itself (`md5`,
`sha1`, `sha2`, `crc32`, `xxhash64`), Spark's function is faster. This is for those that it lacks, and for HMAC.
hashdyno must be installed on the executors.
"""

from collections.abc import Iterable, Iterator

import pyarrow
from pyspark.sql import DataFrame
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

from . import Algorithm, algorithm, digest_column

__all__ = ["digest"]


def digest(
    frame: DataFrame,
    column: str,
    name: str | Algorithm,
    *,
    out: str = "digest",
    hex: bool = True,
    key: bytes | None = None,
) -> DataFrame:
    """The frame with one more column, `out`: the digests of a column of strings or binary; HMAC under `key`.

    They are strings in hexadecimal, or binary without `hex`. Null stays null.
    """
    chosen = algorithm(name)

    def work(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            digests = pyarrow.array(digest_column(chosen, batch.column(column), hex=hex, key=key))
            yield batch.append_column(out, digests if hex else digests.cast(pyarrow.binary()))

    kind = StringType() if hex else BinaryType()
    return frame.mapInArrow(work, StructType([*frame.schema.fields, StructField(out, kind)]))
