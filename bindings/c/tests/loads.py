"""A program that is not ours, CPython, loads libhashdyno.so by ctypes; its hashlib and zlib say
what is right.
"""

import ctypes
import hashlib
import sys
import zlib

HASHER_SIZE = 3072

library = ctypes.CDLL(sys.argv[1])
library.hashdyno_find.restype = ctypes.c_void_p
library.hashdyno_message.restype = ctypes.c_char_p
library.hashdyno_version.restype = ctypes.c_char_p


def call(name, *arguments):
    status = getattr(library, "hashdyno_" + name)(*arguments)
    assert status == 0, (name, library.hashdyno_message(status).decode())


def digest(algorithm, length, pieces):
    memory = ctypes.create_string_buffer(HASHER_SIZE + 16)
    hasher = ctypes.c_void_p(ctypes.addressof(memory) + -ctypes.addressof(memory) % 16)
    out = ctypes.create_string_buffer(length)
    call("start", hasher, ctypes.c_void_p(algorithm))
    for piece in pieces:
        call("update", hasher, piece, ctypes.c_size_t(len(piece)))
    call("finish", hasher, out, ctypes.c_size_t(length))
    return out.raw


assert library.hashdyno_hasher_size() == HASHER_SIZE, library.hashdyno_version()
message = bytes(i % 251 for i in range(5000))
pieces = [message[:1], message[1:200], b"", message[200:]]
agreed = 0
for name in sorted(hashlib.algorithms_guaranteed):
    algorithm = library.hashdyno_find(name.encode())
    assert algorithm, name
    length = hashlib.new(name).digest_size or 32
    expected = hashlib.new(name, message)
    expected = expected.digest(length) if name.startswith("shake") else expected.digest()
    assert digest(algorithm, length, pieces) == expected, name
    agreed += 1
for name, function in {"crc32b": zlib.crc32, "adler32": zlib.adler32}.items():
    assert digest(library.hashdyno_find(name.encode()), 4, pieces) == function(message).to_bytes(
        4, "big"
    ), name
    agreed += 1
print(agreed, "algorithms agree")
assert agreed >= 15
