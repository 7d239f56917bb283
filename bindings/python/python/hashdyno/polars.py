"""Polars: `import hashdyno.polars`, then `pl.col("name").hashdyno.digest("sha256")`, lazily or not.

A digest is a function of each value alone, so Polars may stream it. Null stays null.

The extension is a plugin of Polars, too: columns go there and back without Python. Under a key they
go through Python, for a plugin's arguments, and the key with them, would be shown by `explain`.
"""

from dataclasses import dataclass
from functools import partial

import polars as pl
from polars.plugins import register_plugin_function

from . import Algorithm, DigestColumn, _hashdyno, algorithm, digest_column

__all__ = ["HashdynoExpr", "HashdynoSeries"]


@pl.api.register_expr_namespace("hashdyno")
class HashdynoExpr:
    """The namespace `hashdyno` of an expression."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def digest(
        self,
        name: str | Algorithm,
        *,
        hex: bool = False,
        integer: bool = False,
        key: bytes | None = None,
    ) -> pl.Expr:
        """The digests of strings or binary: Binary, String if `hex`, UInt64 or UInt32 if `integer`;
        HMAC under `key`.
        """
        chosen = algorithm(name)
        if key is None:
            return register_plugin_function(
                plugin_path=_hashdyno.__file__,
                function_name=_function(chosen, hex, integer),
                args=[self._expr, pl.lit(chosen.name)],
                is_elementwise=True,
                use_abs_path=True,
            )
        function = partial(_digest, chosen, hex, integer, key)
        return self._expr.map_batches(
            function, return_dtype=_dtype(chosen, hex, integer), is_elementwise=True
        )


@pl.api.register_series_namespace("hashdyno")
class HashdynoSeries:
    """The namespace `hashdyno` of a Series."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def digest(
        self,
        name: str | Algorithm,
        *,
        hex: bool = False,
        integer: bool = False,
        key: bytes | None = None,
        threads: int = 1,
    ) -> pl.Series:
        """As for an expression. `threads`: on so many cores, 0 for all."""
        if key is None and threads == 1:
            digest = pl.first().hashdyno.digest  # type: ignore[attr-defined]
            made = digest(name, hex=hex, integer=integer)
            return self._series.to_frame().select(made).to_series()
        return _digest(algorithm(name), hex, integer, key, self._series, threads)


def _digest(
    chosen: Algorithm,
    hex: bool,
    integer: bool,
    key: bytes | None,
    series: pl.Series,
    threads: int = 1,
) -> pl.Series:
    column = digest_column(chosen, series, hex=hex, integer=integer, key=key, threads=threads)
    return pl.Series(_Stream(column), dtype=_dtype(chosen, hex, integer)).alias(series.name)


@dataclass(frozen=True)
class _Stream:
    """Digests in chunks: of the column itself Polars would take one array, and one of strings ends
    at 2 GiB.
    """

    column: DigestColumn

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.column.__arrow_c_stream__(requested_schema)


def _function(chosen: Algorithm, hex: bool, integer: bool) -> str:
    """The plugin's function that makes digests of this form. Raises ValueError for a form that they
    cannot have.
    """
    digest_column(chosen, _NONE, hex=hex, integer=integer)
    if integer:
        return "intdigest32" if chosen.digest_size == 4 else "intdigest64"
    return "hexdigest" if hex else "digest"


def _dtype(chosen: Algorithm, hex: bool, integer: bool) -> type[pl.DataType]:
    if integer:
        return pl.UInt32 if chosen.digest_size == 4 else pl.UInt64
    return pl.String if hex else pl.Binary


_NONE = pl.Series(dtype=pl.String)
