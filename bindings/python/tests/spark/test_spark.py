"""Spark, in a local cluster of two executors."""

import hashlib
import os

import hashdyno.spark
import pytest
from pyspark.sql import SparkSession

VALUES = [None if it % 7 == 3 else f"value {it}, é" * (it % 5) for it in range(20_000)]


@pytest.fixture(scope="module")
def spark():
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("hashdyno")
    options = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


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
