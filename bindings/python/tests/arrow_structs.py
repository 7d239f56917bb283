"""Arrays of Arrow's C data interface made by hand, to say what no library would."""

import ctypes

P = ctypes.c_void_p
INT = ctypes.c_int64
Release = ctypes.CFUNCTYPE(None, P)


class Schema(ctypes.Structure):
    _fields_ = [
        ("format", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("metadata", ctypes.c_char_p),
        ("flags", INT),
        ("n_children", INT),
        ("children", P),
        ("dictionary", P),
        ("release", Release),
        ("private_data", P),
    ]


class Array(ctypes.Structure):
    _fields_ = [
        ("length", INT),
        ("null_count", INT),
        ("offset", INT),
        ("n_buffers", INT),
        ("n_children", INT),
        ("buffers", P),
        ("children", P),
        ("dictionary", P),
        ("release", Release),
        ("private_data", P),
    ]


@Release
def _release_schema(pointer):
    RELEASED.append("schema")
    Schema.from_address(pointer).release = Release()


@Release
def _release_array(pointer):
    RELEASED.append("array")
    Array.from_address(pointer).release = Release()


RELEASED: list[str] = []
_new = ctypes.pythonapi.PyCapsule_New
_new.restype = ctypes.py_object
_new.argtypes = [P, ctypes.c_char_p, P]


class Column:
    """One array; buffers are bytes, or None for null. It must outlive what reads it."""

    def __init__(self, format, length, buffers, *, offset=0, null_count=0, indices=None):
        self.held = [
            ctypes.create_string_buffer(it, len(it) or 1) if it is not None else None
            for it in buffers
        ]
        pointers = [ctypes.addressof(it) if it is not None else None for it in self.held]
        self.pointers = (P * len(buffers))(*pointers)
        self.schema = Schema(format.encode(), b"", None, 2, release=_release_schema)
        self.array = Array(
            length,
            null_count,
            offset,
            len(buffers),
            buffers=ctypes.addressof(self.pointers),
            release=_release_array,
        )
        if indices is not None:
            self.values = indices
            self.schema.dictionary = ctypes.addressof(indices.schema)
            self.array.dictionary = ctypes.addressof(indices.array)

    def __arrow_c_array__(self, requested_schema=None):
        return (
            _new(ctypes.addressof(self.schema), b"arrow_schema", None),
            _new(ctypes.addressof(self.array), b"arrow_array", None),
        )
