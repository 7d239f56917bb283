"""Every digest and checksum of hashlib, zlib, OpenSSL and PHP, and many messages in one call.

A hasher has hashlib's shape:

>>> import hashdyno
>>> hashdyno.sm3(b"abc").hexdigest()[:16]
'66c7f0f462eeedd9'
>>> hasher = hashdyno.new("blake3")
>>> hasher.update(b"a message")
>>> hasher.digest_size, hasher.security
(32, 'sound')

Many messages go into the lanes of the CPU's vectors:

>>> [digest.hex() for digest in hashdyno.digest_many("crc32", [b"one", b"two"])]
['7a6c86f1', '11ca8a66']

Digests of guessable values, such as names and telephone numbers, do not hide them: whoever guesses
a value can check the guess. `digest_column(..., key=secret)` makes an HMAC, which only the holder
of the key can check.

A key, bound to an algorithm, has many messages in lanes, too:

>>> key = hashdyno.Key("sha256", b"Jefe")
>>> [code.hex()[:8] for code in key.digest_many([b"what do ya want for nothing?"])]
['5bdcc146']
>>> hashdyno.Key("xxh64", seed=2654435761).hexdigest(b"")
'ac75fda2929b17ef'
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO

from . import _hashdyno
from ._hashdyno import *  # the constructors, and all that is computed
from ._hashdyno import Algorithm, Hash, algorithms, new

if TYPE_CHECKING:
    from _typeshed import StrOrBytesPath

__all__ = ["algorithms_available", "algorithms_guaranteed", "file_digest"]
__all__ += _hashdyno.__all__

algorithms_available: set[str] = {algorithm.name for algorithm in algorithms()}
"""The names of all algorithms, as `Hash.name` has them."""

algorithms_guaranteed: set[str] = set(algorithms_available)
"""The same: every build has every algorithm."""


def file_digest(
    file: "StrOrBytesPath | BinaryIO", algorithm: str | Algorithm | Callable[[], Any], /
) -> Hash:
    """The hasher that has taken a file: a path, or an object that is open for reading bytes.

    A path is read without the GIL. An open file is read from where it stands to its end; an
    `io.BytesIO` is taken whole, as `hashlib.file_digest` takes it.

    Raises OSError if the path cannot be read, and ValueError if the object cannot be read as bytes.

    >>> import io
    >>> file_digest(io.BytesIO(b"abc"), "md5").hexdigest()
    '900150983cd24fb0d6963f7d28e17f72'
    """
    is_name = isinstance(algorithm, (str, Algorithm))
    hasher: Hash = new(algorithm) if is_name else algorithm()  # type: ignore[arg-type, operator]
    if isinstance(file, (str, bytes, os.PathLike)):
        if hasattr(hasher, "update_file"):
            hasher.update_file(os.fsdecode(file))
        else:  # one under a key, or of another library
            with open(file, "rb", buffering=0) as opened:
                _read(opened, hasher)
    elif hasattr(file, "getbuffer"):
        with file.getbuffer() as view:
            hasher.update(view)
    else:
        _read(file, hasher)
    return hasher


def _read(file: Any, hasher: Hash) -> None:
    if not (hasattr(file, "readinto") and hasattr(file, "readable") and file.readable()):
        raise ValueError(f"'{file!r}' is not a file-like object in binary reading mode.")
    room = bytearray(256 << 10)
    view = memoryview(room)
    while (size := file.readinto(room)) != 0:
        if size is None:
            raise BlockingIOError("I/O operation would block.")
        hasher.update(view[:size])
