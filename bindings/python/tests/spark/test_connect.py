"""Spark Connect: a server of its own, and a client that has no JVM."""

import hashdyno.spark
import pytest
from hashdyno import files
from pyspark.sql import SparkSession, functions


@pytest.fixture(scope="module")
def spark():
    session = SparkSession.builder.remote("local[2]").getOrCreate()
    yield session
    session.stop()


def test_columns_go_by_python(spark):
    assert hashdyno.spark._columns_of_the_jvm(spark) is None
    frame = spark.range(1000).selectExpr("cast(id AS string) AS s")
    made = hashdyno.spark.digest(frame, "s", "sha256", out="d")
    assert made.where("d = sha2(s, 256)").count() == 1000
    made = frame.where(hashdyno.spark.expression("s", "sha1") == functions.sha1("s"))
    assert made.count() == 1000


def test_a_tree(spark, tmp_path):
    for index in range(30):
        (tmp_path / f"{index}").write_bytes(bytes(index))
    known = files.hash_tree(tmp_path, ["sha256"])
    assert files.hash_tree(tmp_path, ["sha256"], engine="spark", client=spark) == known
