"""The big points, by `bindings/python/test --scale [FRACTION]`: ten million strings through four
engines, 20,000 files and a bucket of 2,000 objects by three, with a worker killed. Answers are
equal, lists the same bytes, and memory is bounded.
"""

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import hashdyno
import hashdyno.spark
import numpy
import pyarrow
import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet
import pytest
from executors import executor_processes
from hashdyno import files
from pyspark.sql import functions

SCALE = float(os.environ.get("HASHDYNO_SCALE", "1"))
ROWS, FILES, OBJECTS = (int(SCALE * count) for count in (10_000_000, 20_000, 2_000))
PARTS = 16
ROUNDS = 4
MOST_MIB = 1500
"""Of one process, whatever the number of rows; ten million rows and their digests are 900 MiB in
Parquet alone.
"""

ALGORITHMS = ["sha256", "blake3"]


def strings(count, seed):
    """A column of random letters, 5 to 40 in a row."""
    source = numpy.random.default_rng(seed)
    offsets = numpy.zeros(count + 1, "int32")
    numpy.cumsum(source.integers(5, 41, count), out=offsets[1:])
    letters = source.integers(97, 123, offsets[-1], "uint8")
    return pyarrow.StringArray.from_buffers(
        count, pyarrow.py_buffer(offsets), pyarrow.py_buffer(letters)
    )


@pytest.fixture(scope="module")
def column(tmp_path_factory):
    """A folder of Parquet files, and what `summed` has to give of them with their digests."""
    folder = tmp_path_factory.mktemp("strings")
    total = 0
    for part in range(PARTS):
        rows = strings(ROWS // PARTS, part)
        pyarrow.parquet.write_table(pyarrow.table({"s": rows}), folder / f"{part:02}.parquet")
        for text in rows.to_pylist():
            total += zlib.crc32((text + hashlib.md5(text.encode()).hexdigest()).encode())
    return folder, (ROWS // PARTS * PARTS, total)


def summed(folder):
    """How many rows there are, and a sum over rows and their digests that does not depend on their
    order.
    """
    count = total = 0
    for batch in pyarrow.dataset.dataset(folder).to_batches(columns=["s", "d"]):
        texts = [batch[name].cast(pyarrow.string()) for name in ("s", "d")]
        joined = pyarrow.compute.binary_join_element_wise(*texts, "")
        sums = pyarrow.array(hashdyno.digest_column("crc32", joined, integer=True))
        count += len(batch)
        total += pyarrow.compute.sum(sums).as_py() or 0
    return count, total


@pytest.fixture(scope="module")
def told():
    """Lines to print at the end."""
    lines = []
    yield lines
    print(
        f"\n{ROWS} rows, {FILES} files, {OBJECTS} objects, {os.cpu_count()} cores", *lines, sep="\n"
    )


@pytest.mark.parametrize("engine", ["polars", "duckdb", "dask"])
def test_strings(column, engine, told, tmp_path):
    source, expected = column
    for way in ("ours", "own"):
        out = tmp_path / way
        out.mkdir()
        command = [
            sys.executable,
            Path(__file__).with_name("scale_engine.py"),
            engine,
            way,
            source,
            out,
        ]
        seconds, most = map(float, subprocess.check_output(command, text=True).split()[-2:])
        told.append(f"{engine:7} {way:6}  {seconds:7.2f} s  {most:5.0f} MiB at most in a process")
        assert summed(out) == expected
        assert most <= MOST_MIB


def test_strings_by_spark(column, spark, told, tmp_path, monkeypatch):
    source, expected = column

    def by_jar(frame):
        return hashdyno.spark.digest(frame, "s", "md5", out="d")

    def by_python(frame):
        with monkeypatch.context() as patch:
            patch.setattr(hashdyno.spark, "_columns_of_the_jvm", lambda _: None)
            return by_jar(frame)

    ways = {
        "jar": by_jar,
        "python": by_python,
        "own": lambda frame: frame.withColumn("d", functions.md5("s")),
    }
    frame = spark.read.parquet(str(source))
    seconds = {}
    # In turn: the JVM's compiler is never done with what it sees for the first time.
    for way, turn in [(way, turn) for turn in range(ROUNDS) for way in ways]:
        out = tmp_path / f"{way} {turn}"
        for kind, save in {
            "rows": lambda made: made.write.format("noop").mode("overwrite").save(),
            "Parquet": lambda made, out=out: made.write.parquet(str(out)),
        }.items():
            begin = time.monotonic()
            save(ways[way](frame))
            seconds.setdefault((kind, way), []).append(time.monotonic() - begin)
        assert summed(out) == expected
    for (kind, way), each in seconds.items():
        told.append(
            f"spark   {way:6}  {min(each):7.2f} s  {kind}, the best of {ROUNDS}, executors of 1 GiB"
        )


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    root, source = tmp_path_factory.mktemp("tree"), random.Random(9)
    for index in range(FILES):
        folder = root / f"d{index % 97}"
        folder.mkdir(exist_ok=True)
        (folder / f"file {index}").write_bytes(
            source.randbytes(source.choice([0, 700, 9000, 20_000]))
        )
    (root / "large").write_bytes(source.randbytes(40 << 20))
    return str(root), {}


@pytest.fixture(scope="module")
def bucket(s3):
    import fsspec

    store, source = fsspec.filesystem("s3", **s3), random.Random(10)
    store.mkdir("scale")
    for begin in range(0, OBJECTS, 500):
        names = range(begin, min(begin + 500, OBJECTS))
        store.pipe(
            {
                f"scale/{it % 7}/{it}": source.randbytes(source.choice([0, 700, 9000]))
                for it in names
            }
        )
    return "s3://scale", s3


@pytest.fixture(scope="module")
def dask():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client, lambda: cluster.workers[0].process.process.kill()


@pytest.fixture(scope="module")
def executors(spark):
    return spark, lambda: os.kill(executor_processes()[0], signal.SIGKILL)


@pytest.mark.parametrize("place", ["tree", "bucket"])
def test_one_list(place, request, dask, executors, told, monkeypatch):
    # Else all of it is one job, and the executor is killed after that.
    monkeypatch.setattr(hashdyno.spark, "WAVE", 8)
    url, options = request.getfixturevalue(place)
    hashed = lambda **how: files.hash_tree(url, ALGORITHMS, storage_options=options, **how)
    known = hashed(workers=1)
    assert not known.failed
    count = FILES + 1 if place == "tree" else OBJECTS
    assert known.list.count(b"\n") == len(ALGORITHMS) * count
    assert hashed(workers=4) == known
    for engine, (client, kill) in {"dask": dask, "spark": executors}.items():
        begin = time.monotonic()
        assert hashed(engine=engine, client=client) == known
        told.append(f"{place:7} {engine:5} {time.monotonic() - begin:7.2f} s")
        killed = []

        def progress(done, size, kill=kill, killed=killed):
            if not killed:  # after the first of several bins, unless the fraction is small
                killed.append(done)
                kill()

        begin = time.monotonic()
        assert hashed(engine=engine, client=client, progress=progress) == known
        assert killed[0] < count or count < 1024
        told.append(
            f"{place:7} {engine:5} {time.monotonic() - begin:7.2f} s, "
            f"a worker killed after {killed[0]}"
        )
