"""Dask: the engine of `hashdyno.files.hash_tree(..., engine="dask")`, and digests of a Dask column.

hashdyno must be installed on the workers. A task does not start threads: Dask has a task for each
core already.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from distributed import Client, Future, as_completed, get_client
from distributed.scheduler import KilledWorker

from . import Algorithm, algorithm

__all__ = ["digest", "submit"]

T = TypeVar("T")
R = TypeVar("R")


def submit(client: Client | None, work: Callable[[T], R], items: list[T]) -> Iterator[R]:
    """What `work` gives for each item, in the order in which they end. What is lost with its worker
    is missing. Raises what `work` raises.
    """
    client = client or get_client()
    # pure: else a second call would be answered from the first's results. retries: a worker may be
    # killed.
    futures = client.map(work, items, pure=False, retries=2)
    for future in as_completed(futures):
        if not _is_lost(future):
            yield future.result()
        future.release()


def _is_lost(future: "Future[Any]") -> bool:
    """Whether a future that has ended is one of a lost worker. That of a failed task is not: to
    repeat it would hide why, such as a package that the workers lack.
    """
    if future.status == "error":
        return isinstance(future.exception(), KilledWorker)
    return future.status != "finished"


def digest(
    series: Any,
    name: str | Algorithm,
    *,
    hex: bool = False,
    integer: bool = False,
    key: bytes | None = None,
) -> Any:
    """The digests of a series of dask.dataframe, as `hashdyno.pandas` makes them of a partition."""
    chosen = algorithm(name)
    form = {"hex": hex, "integer": integer, "key": key}
    return series.map_partitions(_digest, chosen, form, meta=_digest(series._meta, chosen, form))


def _digest(series: Any, chosen: Algorithm, form: dict[str, Any]) -> Any:
    from . import pandas  # noqa: F401 -- the accessor

    return series.hashdyno.digest(chosen, **form)
