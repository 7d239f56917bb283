"""pandas: `import hashdyno.pandas`, then `frame["name"].hashdyno.digest("sha256")`.

It needs pyarrow. Strings of pandas 3 and columns of Arrow are hashed where they lie; columns of
Python objects are converted.
"""

import pandas
import pyarrow

from . import Algorithm, digest_column

__all__ = ["HashdynoAccessor"]


@pandas.api.extensions.register_series_accessor("hashdyno")
class HashdynoAccessor:
    """The accessor `hashdyno` of a Series."""

    def __init__(self, series: "pandas.Series[str] | pandas.Series[bytes]") -> None:
        self._series = series

    def digest(
        self,
        name: str | Algorithm,
        *,
        hex: bool = False,
        integer: bool = False,
        key: bytes | None = None,
        threads: int = 1,
    ) -> "pandas.Series[bytes] | pandas.Series[str] | pandas.Series[int]":
        """The digests as a Series of an Arrow dtype with the same index and name; missing values
        stay missing.

        They are binary, strings if `hex`, uint64 or uint32 if `integer`; HMAC under `key`.
        `threads`: on so many cores, 0 for all. Raises TypeError unless the values are strings or
        bytes.
        """
        column = pyarrow.array(self._series, from_pandas=True)
        digests = digest_column(name, column, hex=hex, integer=integer, key=key, threads=threads)
        # In chunks, for one array of strings ends at 2 GiB.
        values = pandas.arrays.ArrowExtensionArray(pyarrow.chunked_array(digests))
        return pandas.Series(values, index=self._series.index, name=self._series.name)
