"""Spark: `hashdyno.spark.digest(frame, "name", "sha256")`, and the engine of
`hashdyno.files.hash_tree(..., engine="spark")`.

Columns travel from the JVM to Python and back, which takes longer than the hash. Where Spark has
the algorithm itself (`md5`, `sha1`, `sha2`, `crc32`, `xxhash64`), Spark's function is faster. This
is for those that it lacks, and for HMAC. hashdyno must be installed on the executors.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import pyarrow
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

from . import Algorithm, algorithm, digest_column

__all__ = ["digest", "submit"]

T = TypeVar("T")
R = TypeVar("R")

WAVE = 4096
"""How many items are a job. The driver holds the results of a job: about 0.3 GB, of 4096 bins with
512 files each.
"""

LOST = ("ExecutorLostFailure", "FetchFailedException", "Python worker exited unexpectedly")
"""What Spark says of a job that it gives up because executors, or their Python, are lost."""


def digest(
    frame: DataFrame,
    column: str,
    name: str | Algorithm,
    *,
    out: str = "digest",
    hex: bool = True,
    key: bytes | None = None,
) -> DataFrame:
    """The frame with one more column, `out`: the digests of a column of strings or binary; HMAC
    under `key`.

    They are strings in hexadecimal, or binary without `hex`. Null stays null.
    """
    chosen = algorithm(name)

    def work(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            digests = pyarrow.array(digest_column(chosen, batch.column(column), hex=hex, key=key))
            yield batch.append_column(out, digests if hex else digests.cast(pyarrow.binary()))

    kind = StringType() if hex else BinaryType()
    return frame.mapInArrow(work, StructType([*frame.schema.fields, StructField(out, kind)]))


def submit(session: SparkSession | None, work: Callable[[T], R], items: list[T]) -> Iterator[R]:
    """The result of `work` for each item, in any order. `WAVE` items are a job, which has as many
    tasks: Spark may give several items to one, and none to another.

    Spark itself repeats the tasks of an executor that it loses. An item whose executors are lost in
    every try is missing. What `work` raises is raised as Spark's exception.

    Items and results travel in a column of bytes, so that it works on Spark Connect, too.
    """
    session = session or SparkSession.getActiveSession()
    if session is None:
        raise ValueError("expected a Spark session: there is none\nhint: give it as client=")

    def each(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            results = [pickle.dumps(work(pickle.loads(item))) for item in batch["item"].to_pylist()]
            yield pyarrow.record_batch({"item": pyarrow.array(results, pyarrow.binary())})

    waves = [items[at : at + WAVE] for at in range(0, len(items), WAVE)]
    while waves:
        wave = waves.pop()
        rows = [(pickle.dumps(item),) for item in wave]
        frame = session.createDataFrame(rows, "item binary").repartition(len(rows))
        try:
            done = frame.mapInArrow(each, "item binary").collect()
        except Exception as error:
            if not any(words in str(error) for words in LOST):
                raise
            # Halves are tried, until the item that no executor survives is alone.
            half = len(wave) // 2
            waves += [wave[half:], wave[:half]] if half else []
            continue
        for row in done:
            yield pickle.loads(row["item"])
