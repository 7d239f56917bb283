"""One engine adds a column of digests to Parquet files, in a process of its own whose memory can be
seen.

usage: scale_engine.py ENGINE ours|own IN OUT

Prints the seconds of the work, and the most MiB that one of its processes had.
"""

import contextlib
import hashlib
import resource
import sys
import time


def with_polars(ours, source, out, _):
    import hashdyno.polars  # noqa: F401 -- the namespace
    import polars as pl
    import polars_hash  # noqa: F401 -- the namespace

    s = pl.col("s")
    digest = s.hashdyno.digest("md5", hex=True) if ours else s.nchash.md5()
    rows = pl.scan_parquet(f"{source}/*.parquet").with_columns(d=digest)
    return lambda: rows.sink_parquet(f"{out}/one.parquet")


def with_duckdb(ours, source, out, _):
    import duckdb
    import hashdyno.duckdb

    connection = duckdb.connect(config={"memory_limit": "1GB", "allow_unsigned_extensions": True})
    hashdyno.duckdb.load(connection)
    digest = "hashdyno_hexdigest(s, 'md5')" if ours else "md5(s)"
    rows = f"SELECT s, {digest} AS d FROM read_parquet('{source}/*.parquet')"
    return lambda: connection.execute(f"COPY ({rows}) TO '{out}/one.parquet' (FORMAT parquet)")


def with_dask(ours, source, out, stack):
    import dask.dataframe
    import hashdyno.dask
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    client = stack.enter_context(Client(stack.enter_context(cluster)))
    client.run(warmed)
    frame = dask.dataframe.read_parquet(source)
    if ours:
        frame["d"] = hashdyno.dask.digest(frame["s"], "md5", hex=True)
    else:
        frame["d"] = frame["s"].map_partitions(looped, meta=("d", "str"))
    return lambda: frame.to_parquet(out)


def warmed():
    """Imports in a worker what its tasks will."""
    import dask.dataframe  # noqa: F401
    import hashdyno.pandas  # noqa: F401


def looped(series):
    """What people write."""
    return series.map(lambda text: hashlib.md5(text.encode()).hexdigest())


ENGINES = {"polars": with_polars, "duckdb": with_duckdb, "dask": with_dask}


def main(engine, way, source, out):
    with contextlib.ExitStack() as stack:
        work = ENGINES[engine](way == "ours", source, out, stack)
        begin = time.monotonic()
        work()
        seconds = time.monotonic() - begin
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    print(seconds, max(resource.getrusage(it).ru_maxrss for it in who) // 1024)


if __name__ == "__main__":
    main(*sys.argv[1:])
