"""Spark: `hashdyno.spark.digest(frame, "name", "sha256")`, `hashdyno.spark.expression("name",
"sha256")`, and the engine of `hashdyno.files.hash_tree(..., engine="spark")`.

With `hashdyno-spark.jar` in `spark.jars`, `digest` hashes inside of the JVM. Without it, and in an
expression, columns travel from the JVM to Python and back, which takes longer than the hash; there
Spark's own `md5`, `sha1`, `sha2`, `crc32` and `xxhash64` are faster. hashdyno must then be
installed on the executors.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import pyarrow
import pyspark
from pyspark.sql import Column, DataFrame, SparkSession, functions
from pyspark.sql.types import BinaryType, StringType, StructField, StructType

from . import Algorithm, algorithm, digest_column

__all__ = ["digest", "expression", "submit"]

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

    They are strings in hexadecimal, or binary without `hex`. Null stays null. Nothing is computed
    yet. With `hashdyno-spark.jar` the JVM computes them, unless there is a `key`, or the frame is a
    stream.
    """
    chosen = algorithm(name)
    by_python = key is not None or frame.isStreaming
    columns = None if by_python else _columns_of_the_jvm(frame.sparkSession)
    if columns is not None:
        made = columns.digest(frame._jdf, column, chosen.name, out, hex)
        return type(frame)(made, frame.sparkSession)

    def work(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            digests = _digests(batch.column(column), chosen, hex, key)
            yield batch.append_column(out, digests)

    return frame.mapInArrow(work, StructType([*frame.schema.fields, StructField(out, _kind(hex))]))


def expression(
    column: str | Column,
    name: str | Algorithm,
    *,
    hex: bool = True,
    key: bytes | None = None,
) -> Column:
    """The digests of a column as an expression, for `select`, `withColumn` and `where`: by Python,
    with or without the jar. Spark 4.1 or newer.

    ```python
    frame.select("name", hashdyno.spark.expression("name", "blake3").alias("digest"))
    ```
    """
    chosen = algorithm(name)
    if not hasattr(functions, "arrow_udf"):
        raise NotImplementedError(
            f"expected Spark 4.1 or newer, got {pyspark.__version__}: it has no Arrow functions\n"
            "hint: take hashdyno.spark.digest(frame, column, name)"
        )

    def work(values: pyarrow.Array) -> pyarrow.Array:
        return _digests(values, chosen, hex, key)

    return functions.arrow_udf(work, _kind(hex))(column)


def _digests(
    values: pyarrow.Array, chosen: Algorithm, hex: bool, key: bytes | None
) -> pyarrow.Array:
    digests = pyarrow.array(digest_column(chosen, values, hex=hex, key=key))
    return digests if hex else digests.cast(pyarrow.binary())


def _kind(hex: bool) -> StringType | BinaryType:
    return StringType() if hex else BinaryType()


def _columns_of_the_jvm(session: SparkSession) -> Any:
    """The class of `hashdyno-spark.jar`; none without the jar, and on Spark Connect."""
    jvm = getattr(session, "_jvm", None)
    if jvm is None:
        return None
    from py4j.java_gateway import JavaClass  # a client of Spark Connect may lack it

    found = jvm.hashdyno.spark.Columns
    return found if isinstance(found, JavaClass) else None  # a name without a class is a package


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
