"""Columns in Arrow's layouts, whole, sliced, chunked, with nulls, and damaged."""

import gc
import hashlib
import hmac
import random
import struct

import arrow_structs
import hashdyno
import pyarrow as pa
import pytest
import xxhash

RANDOM = random.Random(5)


def value():
    length = RANDOM.choice([0, 1, 5, 11, 12, 13, 40, 64, 300])
    return "".join(RANDOM.choice("abcdefgé") for _ in range(length))


VALUES = [None if RANDOM.random() < 0.2 else value() for _ in range(5000)]
FULL = [it or "" for it in VALUES]
KINDS = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.binary_view(),
    pa.dictionary(pa.int16(), pa.string()),
    pa.dictionary(pa.uint32(), pa.large_binary()),
    pa.dictionary(pa.int64(), pa.string_view()),
]
KIND = pytest.mark.parametrize("kind", KINDS, ids=str)


def column(values, kind):
    if pa.types.is_dictionary(kind):
        plain = pa.array(values, pa.string()).dictionary_encode()
        return pa.DictionaryArray.from_arrays(
            plain.indices.cast(kind.index_type),
            plain.dictionary.cast(pa.binary()).cast(kind.value_type)
            if kind.value_type == pa.large_binary()
            else plain.dictionary.cast(kind.value_type),
        )
    return pa.array([it if it is None else it.encode() for it in values], pa.binary()).cast(kind)


def known(values, algorithm="sha256", hex=False):
    hashers = [None if it is None else hashlib.new(algorithm, it.encode()) for it in values]
    return [it if it is None else it.hexdigest() if hex else it.digest() for it in hashers]


def check(column, values):
    """Every form of the digests of a column."""
    digests = hashdyno.digest_column("sha256", column)
    nulls = sum(it is None for it in values)
    assert len(digests) == len(values) and digests.null_count == nulls
    array = pa.array(digests)
    array.validate(full=True)
    assert array.type == pa.binary(32) and array.null_count == nulls
    assert array.to_pylist() == known(values)
    text = pa.array(hashdyno.digest_column("sha256", column, hex=True))
    text.validate(full=True)
    assert text.type == pa.string() and text.to_pylist() == known(values, hex=True)
    assert pa.chunked_array(digests).to_pylist() == known(values)


@KIND
@pytest.mark.parametrize("values", [VALUES, FULL, [], [None], [None] * 9, ["a"], [""]], ids=len)
def test_layouts(kind, values):
    check(column(values, kind), values)


@KIND
@pytest.mark.parametrize("cut", [(0, 5000), (1, 4000), (7, 9), (8, 100), (4999, 5000), (10, 10)])
def test_slices(kind, cut):
    begin, end = cut
    check(column(VALUES, kind)[begin:end], VALUES[begin:end])
    check(column(FULL, kind)[begin:end], FULL[begin:end])


@KIND
def test_chunks(kind):
    pieces = [VALUES[:1], [], VALUES[1:3000], FULL[:7], VALUES[3000:]]
    chunked = pa.chunked_array([column(piece, kind) for piece in pieces], column([], kind).type)
    check(chunked, [it for piece in pieces for it in piece])
    check(chunked[5:3010], [it for piece in pieces for it in piece][5:3010])
    check(pa.chunked_array([], kind), [])


def test_fixed_size_binary():
    values = [None if it % 5 == 0 else f"{it:07}" for it in range(3000)]
    array = pa.array([it if it is None else it.encode() for it in values], pa.binary(7))
    check(array, values)
    check(array[11:2000], values[11:2000])
    check(pa.array([b"", None, b""], pa.binary(0)), ["", None, ""])


def test_a_column_of_nulls_and_a_table_of_one_column():
    check(pa.nulls(10), [None] * 10)
    check(pa.table({"s": VALUES}), VALUES)
    check(pa.record_batch({"s": VALUES})[3:40], VALUES[3:40])


def test_nulls_in_a_dictionary():
    values = pa.array(["a", None, "b"])
    array = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 2, 0], pa.int8()), values)
    check(array, ["a", None, None, "b", "a"])
    array = pa.DictionaryArray.from_arrays(
        pa.array([None, None], pa.int8()), pa.array([], pa.string())
    )
    check(array, [None, None])


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary()], ids=str)
@pytest.mark.parametrize("name", ["xxh3", "crc32", "crc32c", "crc64-nvme", "crc64-xz", "sha256"])
def test_a_dictionary_without_values(kind, name):
    array = pa.array([None, None], kind).dictionary_encode()
    assert len(array.dictionary) == 0
    for form in [{}, {"hex": True}] + [{"integer": True}] * (name != "sha256"):
        made = hashdyno.digest_column(name, array, threads=2, **form)
        assert pa.array(made).to_pylist() == [None, None]


@pytest.mark.parametrize("threads", [0, 1, 2, 3, 100])
def test_threads(threads):
    for kind in (pa.string(), pa.string_view()):
        digests = hashdyno.digest_column("sha256", column(VALUES, kind), threads=threads)
        assert pa.array(digests).to_pylist() == known(VALUES)


def test_what_lies_under_a_null_does_not_come_out():
    secret = pa.Array.from_buffers(
        pa.string(),
        2,
        [pa.py_buffer(b"\x01"), pa.py_buffer(struct.pack("3i", 0, 1, 7)), pa.py_buffer(b"asecret")],
    )
    for hex in (False, True):
        slots = (
            pa.array(hashdyno.digest_column("sha256", secret, hex=hex)).buffers()[-1].to_pybytes()
        )
        assert hashlib.sha256(b"secret").digest() not in slots
        assert hashlib.sha256(b"secret").hexdigest().encode() not in slots


def test_the_memory_of_a_column_that_is_gone_holds_nothing_of_it():
    # Large enough to be taken again: 9.6 MB of digests, the second time a little less.
    for seed, rows in enumerate([150_000, 149_000, 150_000]):
        values = [None if it % 3 == seed else f"{seed} {it}" for it in range(rows)]
        made = pa.array(hashdyno.digest_column("sha256", pa.array(values), hex=True))
        known = [it and hashlib.sha256(it.encode()).hexdigest() for it in values]
        assert made.to_pylist() == known
        slots = bytes(made.buffers()[2])
        assert slots == b"".join((it or "0" * 64).encode() for it in known)
        del made


def test_integers():
    array = column(VALUES, pa.string())
    numbers = pa.array(hashdyno.digest_column("xxh3", array, integer=True))
    assert numbers.type == pa.uint64()
    assert numbers.to_pylist() == [
        None if it is None else xxhash.xxh3_64_intdigest(it.encode()) for it in VALUES
    ]
    assert pa.array(hashdyno.digest_column("crc32", array, integer=True)).type == pa.uint32()
    for wrong in ({"integer": True}, {"integer": True, "hex": True}):
        with pytest.raises(ValueError):
            hashdyno.digest_column("sha256", array, **wrong)


@pytest.mark.parametrize(
    "name", ["md5", "sha256", "sha512", "sha3_256", "blake2b", "sm3", "ripemd160"]
)
@pytest.mark.parametrize("key", [b"", b"key", b"k" * 64, b"k" * 200])
def test_keys(name, key):
    array = pa.array(hashdyno.digest_column(name, column(VALUES, pa.string()), key=key))
    assert array.to_pylist() == [
        it if it is None else hmac.digest(key, it.encode(), name) for it in VALUES
    ]


def test_keys_of_algorithms_that_hashlib_lacks():
    values = [it.encode() for it in FULL]
    for algorithm in hashdyno.algorithms():
        any_length = algorithm.extendable and algorithm.name != "blake3"
        if (
            algorithm.security == "checksum"
            or any_length
            or algorithm.digest_size > algorithm.block_size
        ):
            with pytest.raises(ValueError, match="HMAC is not defined"):
                hashdyno.digest_column(algorithm, pa.array(values), key=b"k")
            continue
        array = pa.array(hashdyno.digest_column(algorithm, pa.array(values[:50]), key=b"k" * 70))
        assert array.to_pylist() == [hmac.digest(b"k" * 70, it, algorithm) for it in values[:50]]


@pytest.mark.parametrize(
    "wrong", [pa.array([1, 2]), pa.array([["a"]]), pa.table({"a": ["x"], "b": ["y"]})]
)
def test_columns_of_other_types(wrong):
    with pytest.raises(TypeError, match="Arrow's format"):
        hashdyno.digest_column("md5", wrong)


@pytest.mark.parametrize("wrong", [["a"], b"a", "a", None, 5])
def test_what_is_no_column(wrong):
    with pytest.raises(TypeError, match="expected a column"):
        hashdyno.digest_column("md5", wrong)


def ints(*values):
    return struct.pack(f"{len(values)}i", *values)


def view(length, buffer, offset):
    return struct.pack("i4sii", length, b"abcd", buffer, offset)


DAMAGED = {
    "offsets decrease": ("u", 2, [None, ints(0, 3, 1), b"abc"]),
    "offset below 0": ("u", 2, [None, ints(-1, 1, 2), b"abc"]),
    "large offsets decrease": ("U", 1, [None, struct.pack("2q", 2, 1), b"abc"]),
    "large offset below 0": ("Z", 1, [None, struct.pack("2q", -(2**40), 1), b"abc"]),
    "no data": ("u", 1, [None, ints(0, 3), None]),
    "no offsets": ("u", 1, [None, None, b"abc"]),
    "no buffers": ("u", 1, []),
    "negative length": ("u", -1, [None, ints(0, 3), b"abc"]),
    "endless": ("u", 2**62, [None, ints(0, 3), b"abc"]),
    "view of no buffer": ("vu", 1, [None, view(20, 1, 0), b"a" * 30, struct.pack("q", 30)]),
    "view of negative buffer": ("vu", 1, [None, view(20, -1, 0), b"a" * 30, struct.pack("q", 30)]),
    "view beyond its buffer": ("vu", 1, [None, view(20, 0, 11), b"a" * 30, struct.pack("q", 30)]),
    "view before its buffer": ("vz", 1, [None, view(20, 0, -1), b"a" * 30, struct.pack("q", 30)]),
    "negative view": ("vz", 1, [None, view(-5, 0, 0), b"a" * 30, struct.pack("q", 30)]),
    "buffer below 0": ("vz", 1, [None, view(20, 0, 0), b"a" * 30, struct.pack("q", -30)]),
    "view without lengths": ("vz", 1, [None, view(20, 0, 0)]),
    "rows without data": ("w:5", 1, [None, None]),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged_columns_are_an_error(case):
    format, length, buffers = DAMAGED[case]
    wrong = arrow_structs.Column(format, length, buffers)
    with pytest.raises(ValueError, match="damaged"):
        hashdyno.digest_column("md5", wrong)


@pytest.mark.parametrize("index", [3, -1, 127])
def test_indices_outside_of_a_dictionary_are_an_error(index):
    values = arrow_structs.Column("u", 3, [None, ints(0, 1, 2, 3), b"abc"])
    wrong = arrow_structs.Column("c", 2, [None, struct.pack("2b", 0, index)], indices=values)
    with pytest.raises(ValueError, match="damaged: index"):
        hashdyno.digest_column("md5", wrong)


def test_offsets_that_are_not_aligned():
    column = arrow_structs.Column("u", 2, [None, b"x" + ints(0, 1, 3), b"abc"])
    column.pointers[1] += 1
    assert pa.array(hashdyno.digest_column("md5", column)).to_pylist() == known(["a", "bc"], "md5")


def test_both_structs_are_released_once():
    arrow_structs.RELEASED.clear()
    column = arrow_structs.Column("u", 1, [None, ints(0, 1), b"a"])
    hashdyno.digest_column("md5", column)
    assert sorted(arrow_structs.RELEASED) == ["array", "schema"]
    with pytest.raises((ValueError, TypeError)):
        hashdyno.digest_column("md5", arrow_structs.Column("q", 1, [None, None]))
    assert sorted(arrow_structs.RELEASED) == ["array", "array", "schema", "schema"]


def test_the_result_outlives_what_it_came_from():
    digests = hashdyno.digest_column("sha256", column(VALUES, pa.string()), hex=True)
    array = pa.array(digests)
    capsules = (
        digests.__arrow_c_array__(),
        digests.__arrow_c_stream__(),
        digests.__arrow_c_schema__(),
    )
    del digests, capsules
    gc.collect()
    assert array.to_pylist() == known(VALUES, hex=True)


def test_the_error_of_a_stream_is_told():
    def batches():
        yield pa.record_batch({"s": ["a"]})
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"s": pa.string()}), batches())
    with pytest.raises(ValueError, match="the disk is gone"):
        hashdyno.digest_column("md5", reader)


@pytest.mark.parametrize(
    ("offer", "column", "take"),
    [
        ("__arrow_c_array__", pa.array(["a"]), pa.array),
        ("__arrow_c_stream__", pa.chunked_array([["a"]]), pa.chunked_array),
    ],
)
def test_a_column_that_was_consumed_before(offer, column, take):
    capsules = getattr(column, offer)()
    kept = type("Kept", (), {offer: lambda self, requested_schema=None: capsules})()
    take(kept)
    for _ in range(2):
        with pytest.raises(ValueError, match="consumed before\nhint:"):
            hashdyno.digest_column("md5", kept)


def test_a_result_is_a_column_itself():
    twice = hashdyno.digest_column("md5", hashdyno.digest_column("sha256", pa.array(["a", None])))
    once = hashlib.sha256(b"a").digest()
    assert pa.array(twice).to_pylist() == [hashlib.md5(once).digest(), None]
