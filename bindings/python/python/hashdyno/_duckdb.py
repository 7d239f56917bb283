"""Files that DuckDB loads: a library, and behind it a footer that says what the library is.

As a program:   _duckdb.py LIBRARY PLATFORM >hashdyno.duckdb_extension
"""

import sys
from pathlib import Path

C_API = "v1.2.0"
"""The oldest version of DuckDB's C API that will do."""


def extension(library: str | Path, platform: str, version: str) -> bytes:
    """The content of an extension's file, for a platform as `PRAGMA platform` names it."""
    # As WebAssembly marks a section of its own: number, length, length of the name, name, length of
    # what follows.
    section = b"\x00\x93\x04\x10duckdb_signature\x80\x04"
    fields = ["", "", "", "C_STRUCT", version, C_API, platform, "4"]  # from the eighth to the first
    signature = bytes(256)  # none: nobody but DuckDB's makers can sign
    return (
        Path(library).read_bytes()
        + section
        + b"".join(field.encode().ljust(32, b"\0") for field in fields)
        + signature
    )


if __name__ == "__main__":
    sys.stdout.buffer.write(extension(sys.argv[1], sys.argv[2], "0.1.0"))
