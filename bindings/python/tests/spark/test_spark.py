"""Spark, in a local cluster of two executors."""

import hashlib
import os
import random
import signal
import time
from itertools import pairwise

import hashdyno.spark
import pytest
from executors import executor_processes
from hashdyno import files
from pyspark.errors import PythonException

VALUES = [None if it % 7 == 3 else f"value {it}, é" * (it % 5) for it in range(20_000)]


def test_digests(spark):
    frame = spark.createDataFrame([(it,) for it in VALUES], "s string").repartition(5)
    made = hashdyno.spark.digest(frame, "s", "sha256", out="d")
    rows = made.selectExpr("s", "d", "sha2(s, 256) AS own").collect()
    assert sorted(row.s or "" for row in rows) == sorted(it or "" for it in VALUES)
    assert all(row.d == row.own for row in rows)
    assert sum(row.d is None for row in rows) == VALUES.count(None)


def test_binary(spark):
    frame = spark.createDataFrame([("a",), (None,)], "s string")
    rows = hashdyno.spark.digest(frame, "s", "sm3", hex=False).collect()
    known = hashlib.new("sm3", b"a").digest()
    assert [row.digest and bytes(row.digest) for row in rows] == [known, None]


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
