"""A local Spark cluster of two executors."""

import os

import pytest
from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark():
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("hashdyno")
    options = {
        # What bindings/jvm/build makes. Tests that are to go by Python hide it.
        "spark.jars": os.environ["HASHDYNO_SPARK_JAR"],
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
