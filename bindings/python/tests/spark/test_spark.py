"""Spark, in a local cluster of two executors."""

import hashlib
import hmac
import os
import random
import signal
import threading
import time
from itertools import pairwise

import hashdyno.spark
import pytest
from executors import executor_processes
from hashdyno import files
from pyspark.errors import IllegalArgumentException, PythonException
from pyspark.sql import functions

VALUES = [None if it % 7 == 3 else f"value {it}, é" * (it % 5) for it in range(20_000)]


@pytest.fixture(params=["jar", "python"])
def way(request, spark, monkeypatch):
    """The way that columns go: in the JVM, or through Python."""
    columns = hashdyno.spark._columns_of_the_jvm
    assert columns(spark) is not None
    if request.param == "python":
        monkeypatch.setattr(hashdyno.spark, "_columns_of_the_jvm", lambda _: None)


def test_digests(spark, way):
    frame = spark.createDataFrame([(it,) for it in VALUES], "s string").repartition(5)
    made = hashdyno.spark.digest(frame, "s", "sha256", out="d")
    rows = made.selectExpr("s", "d", "sha2(s, 256) AS own").collect()
    assert sorted(row.s or "" for row in rows) == sorted(it or "" for it in VALUES)
    assert all(row.d == row.own for row in rows)
    assert sum(row.d is None for row in rows) == VALUES.count(None)


def test_binary(spark, way):
    frame = spark.createDataFrame([("a",), (None,)], "s string")
    rows = hashdyno.spark.digest(frame, "s", "sm3", hex=False).collect()
    known = hashlib.new("sm3", b"a").digest()
    assert [row.digest and bytes(row.digest) for row in rows] == [known, None]


def test_columns_of_bytes_of_all_lengths(spark, way):
    # More rows than a batch of the jar has, and more bytes.
    source = random.Random(6)
    values = [source.randbytes(it % 90) for it in range(5000)] + [source.randbytes(5 << 20), b""]
    rows = [(it, value, str(it)) for it, value in enumerate(values)]
    frame = spark.createDataFrame(rows, "number int, b binary, t string")
    made = hashdyno.spark.digest(frame, "b", "md5", out="d").where("number % 3 = 0")
    found = made.select("number", "t", "d").collect()
    expected = {it: hashlib.md5(value).hexdigest() for it, value, _ in rows if it % 3 == 0}
    assert {row.number: row.d for row in found} == expected
    assert all(row.t == str(row.number) for row in found)


def test_digests_of_digests(spark, way):
    frame = spark.range(100).selectExpr("cast(id AS string) AS s")
    made = hashdyno.spark.digest(frame, "s", "sha1", out="first")
    made = hashdyno.spark.digest(made, "first", "md5", out="second")
    assert made.where("second <> md5(sha1(s))").count() == 0 and made.count() == 100


def test_a_column_is_refused_before_any_row_is_read(spark):
    frame = spark.range(3).selectExpr("id", "cast(id AS string) AS s")
    for column, words in ("id", "strings or binary, got id of type bigint"), ("none", "none"):
        with pytest.raises(IllegalArgumentException, match=words):
            hashdyno.spark.digest(frame, column, "md5")
    with pytest.raises(ValueError, match="unsupported hash type nothing"):
        hashdyno.spark.digest(frame, "s", "nothing")
    # Whoever calls the class without Python hears of the name as soon.
    columns = hashdyno.spark._columns_of_the_jvm(spark)
    with pytest.raises(IllegalArgumentException, match="no algorithm is called 'nothing'"):
        columns.digest(frame._jdf, "s", "nothing", "digest", True)


def test_a_stream_goes_by_python(spark, tmp_path):
    spark.range(10).selectExpr("cast(id AS string) AS s").write.parquet(str(tmp_path / "in"))
    stream = spark.readStream.schema("s string").parquet(str(tmp_path / "in"))
    made = hashdyno.spark.digest(stream, "s", "md5", out="d")
    query = made.writeStream.trigger(availableNow=True).format("memory").queryName("made").start()
    query.awaitTermination()
    assert spark.table("made").where("d = md5(s)").count() == 10
    columns = hashdyno.spark._columns_of_the_jvm(spark)
    with pytest.raises(IllegalArgumentException, match="no stream"):
        columns.digest(stream._jdf, "s", "md5", "d", True)


def test_rows_outlive_a_task_that_ends_early(spark):
    # Python's runner reads ahead of a limit.
    frame = spark.range(0, 200_000, 1, 4).selectExpr("concat('row ', id) AS s")
    made = hashdyno.spark.digest(frame, "s", "blake3", out="d")
    for _ in range(5):
        rows = made.mapInArrow(lambda batches: batches, made.schema).limit(3).collect()
        assert len(rows) == 3 and all(len(row.d) == 64 for row in rows)


def test_nothing_runs_before_an_action(spark, way, request):
    group = request.node.name
    spark.sparkContext.setJobGroup(group, "")
    frame = spark.range(1000).selectExpr("id % 7 AS k", "cast(id AS string) AS s")
    made = hashdyno.spark.digest(frame.groupBy("k").agg(functions.max("s").alias("s")), "s", "md5")
    jobs = spark.sparkContext.statusTracker().getJobIdsForGroup
    assert not jobs(group)
    assert made.where("digest = md5(s)").count() == 7
    assert jobs(group)
    spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)


def test_an_expression(spark):
    frame = spark.createDataFrame([("a",), (None,)], "s string")
    made = frame.where(hashdyno.spark.expression("s", "md5") == functions.md5("s"))
    assert [row.s for row in made.collect()] == ["a"]
    keyed = hashdyno.spark.expression(functions.upper("s"), "sha256", hex=False, key=b"key")
    rows = frame.select(keyed.alias("d")).collect()
    assert [row.d and bytes(row.d) for row in rows] == [hmac.digest(b"key", b"A", "sha256"), None]


def test_an_older_spark_has_no_expressions(monkeypatch):
    monkeypatch.delattr(functions, "arrow_udf")
    with pytest.raises(NotImplementedError, match=r"expected Spark 4\.1 or newer, got 4"):
        hashdyno.spark.expression("s", "md5")


def test_a_column_of_which_an_executor_is_killed(spark):
    # Each of forty parts waits, so that the executor dies in the middle.
    wait = "if(id % 100 = 0, reflect('java.lang.Thread', 'sleep', 100L), '')"
    frame = spark.range(0, 4000, 1, 40).selectExpr("concat('row ', id) AS s", f"{wait} AS wait")
    made = hashdyno.spark.digest(frame, "s", "sha256", out="d")
    killed = threading.Timer(1, lambda: os.kill(executor_processes()[0], signal.SIGKILL))
    killed.start()
    assert made.where("d = sha2(s, 256)").count() == 4000
    assert killed.finished.is_set()


def test_items_are_worked_on_beside_each_other(spark, monkeypatch):
    def work(_):
        begin = time.time()
        time.sleep(0.5)
        return begin, time.time()

    monkeypatch.setattr(hashdyno.spark, "WAVE", 6)  # the last has fewer items
    made = sorted(hashdyno.spark.submit(spark, work, range(8)))
    assert len(made) == 8
    assert any(second[0] < first[1] for first, second in pairwise(made))
    assert [*hashdyno.spark.submit(spark, work, [])] == []


def test_an_item_that_no_executor_survives_is_missing_alone(spark):
    made = hashdyno.spark.submit(spark, lambda it: it or os._exit(1), range(3))
    assert sorted(made) == [1, 2]
    # What the task itself raises is no lost executor.
    with pytest.raises(PythonException, match="ZeroDivisionError"):
        [*hashdyno.spark.submit(spark, lambda it: 1 // it, [0])]


def test_a_tree_by_executors_one_of_which_is_killed(spark, tmp_path):
    source = random.Random(5)
    for index in range(700):
        (tmp_path / f"{index}").write_bytes(source.randbytes(3000))
    known = files.hash_tree(tmp_path, ["sha256", "crc32"])
    made = files.hash_tree(tmp_path, ["sha256", "crc32"], engine="spark", client=spark)
    assert made == known and known.list.count(b"\n") == 1400
    executors = executor_processes()
    assert len(executors) == 2
    os.kill(executors[0], signal.SIGKILL)
    made = files.hash_tree(tmp_path, ["sha256", "crc32"], engine="spark", client=spark)
    assert made == known
