"""Batches of Python's own objects and of rows."""

import hashlib
import random
import threading

import hashdyno
import numpy
import pytest

RANDOM = random.Random(3)
MESSAGES = [RANDOM.randbytes(RANDOM.choice([0, 3, 20, 40, 63, 64, 65, 300])) for _ in range(10_000)]
KNOWN = [hashlib.sha256(message).digest() for message in MESSAGES]


@pytest.mark.parametrize("kind", [list, tuple, iter])
def test_digest_many(kind):
    assert hashdyno.digest_many("sha256", kind(MESSAGES)) == KNOWN
    assert hashdyno.hexdigest_many(hashdyno.sha256, kind(MESSAGES)) == [it.hex() for it in KNOWN]


def test_digest_many_of_no_and_of_few_messages():
    assert hashdyno.digest_many("sha256", []) == hashdyno.hexdigest_many("sha256", ()) == []
    for count in (1, 2, 15, 16, 17, 4095, 4096, 4097):
        assert hashdyno.digest_many("sha256", MESSAGES[:count]) == KNOWN[:count]


def test_update_many_is_update_of_each():
    names = ["md5", "sha256", "blake3", "crc32", "shake_128"]
    pieces = [bytes(range(256)) * (7 * index % 11) + b"end" * index for index in range(40)]
    hashers = [hashdyno.new(names[index % 5]) for index in range(40)]
    for _ in range(3):
        hashdyno.update_many(hashers, pieces)
        hashdyno.update_many(iter(hashers[:3]), [b"a", bytearray(b"b"), memoryview(b"c")])
    for index, (hasher, piece) in enumerate(zip(hashers, pieces)):
        message = (piece + (b"a", b"b", b"c", b"")[min(index, 3)]) * 3
        assert hasher.digest(16 if index % 5 == 4 else None) == hashdyno.new(
            names[index % 5], message
        ).digest(16 if index % 5 == 4 else None)
    hashdyno.update_many([], ())


def test_update_many_takes_all_or_nothing():
    a, b = hashdyno.md5(), hashdyno.md5()
    for hashers, pieces, error in [
        ([a, b], [b"x"], ValueError),
        ([a, a], [b"x", b"y"], ValueError),
        ([a, b], [b"x", "y"], TypeError),
        ([a, "b"], [b"x", b"y"], TypeError),
        ([a, b], b"xy", TypeError),
    ]:
        with pytest.raises(error):
            hashdyno.update_many(hashers, pieces)
    assert a.digest() == b.digest() == hashdyno.md5().digest()


def test_update_many_of_the_same_hashers_by_threads():
    hashers = [hashdyno.sha256() for _ in range(12)]
    piece = bytes(4096)

    def update(order):
        for _ in range(20):
            hashdyno.update_many(order, [piece] * 12)

    threads = [
        threading.Thread(target=update, args=(order,)) for order in (hashers, hashers[::-1]) * 2
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    known = hashdyno.sha256(piece * 80).digest()
    assert all(hasher.digest() == known for hasher in hashers)


def test_a_list_that_another_thread_empties():
    """The digests of what was there, or an error; never of what has been freed."""
    for _ in range(5):
        messages = [b"message of %d" % index * 400 for index in range(5000)]
        known = hashlib.md5(messages[-1]).digest()
        begun = threading.Event()

        def empty():
            begun.wait()
            messages.clear()

        thread = threading.Thread(target=empty)
        thread.start()
        begun.set()
        try:
            assert hashdyno.digest_many("md5", messages)[-1] == known
        except RuntimeError as error:
            assert str(error) == "list changed size while it was hashed"
        thread.join()


def test_digest_many_of_all_buffers():
    mixed = [bytearray(b"ab"), memoryview(b"abc"), b"abc", numpy.array([97, 98], numpy.uint8)]
    ab, abc = hashlib.md5(b"ab").digest(), hashlib.md5(b"abc").digest()
    assert hashdyno.digest_many("md5", mixed) == [ab, abc, abc, ab]
    mixed[0] += b"c"  # was given back


@pytest.mark.parametrize("wrong", ["text", b"bytes", ["text"], [5], 5, None, [b"a", None]])
def test_what_is_no_sequence_of_buffers(wrong):
    for function in (hashdyno.digest_many, hashdyno.hexdigest_many):
        with pytest.raises(TypeError):
            function("md5", wrong)


def test_unknown_algorithm():
    with pytest.raises(ValueError, match="unsupported hash type nope"):
        hashdyno.digest_many("nope", [])


ROWS = [
    numpy.arange(70_000, dtype=numpy.uint8).reshape(-1, 7),
    numpy.arange(3000, dtype=numpy.uint32).reshape(-1, 5),
    numpy.arange(1000, dtype=numpy.int64),
    numpy.array([b"ab", b"", b"abcde"], dtype="S5"),
    numpy.array([b"ab", b"", b"abcde"], dtype="V5"),
    numpy.zeros((4, 1), numpy.uint8),
    numpy.zeros((0, 9), numpy.uint8),
    memoryview(bytes(range(60))).cast("B", (12, 5)),
]


@pytest.mark.parametrize("rows", ROWS, ids=lambda it: f"{it.shape}-{it.itemsize}")
@pytest.mark.parametrize("name", ["sha256", "xxh3", "crc32"])
def test_digest_rows(rows, name):
    width = rows.nbytes // len(rows) if len(rows) else 1
    raw = rows.tobytes()
    known = [hashdyno.new(name, raw[at : at + width]).digest() for at in range(0, len(raw), width)]
    assert hashdyno.digest_rows(name, rows) == b"".join(known)


def test_rows_without_bytes():
    assert (
        hashdyno.digest_rows("md5", numpy.zeros((3, 0), numpy.uint8)) == 3 * hashlib.md5().digest()
    )
    with pytest.raises(MemoryError):
        hashdyno.digest_rows("md5", numpy.zeros((2**60, 0), numpy.uint8))


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (b"bytes", ValueError),
        (numpy.zeros((3, 4))[:, ::2], ValueError),
        (numpy.zeros((3, 4), order="F"), ValueError),
        (numpy.zeros((2, 2, 2)), ValueError),
        (numpy.array(5), BufferError),
        (numpy.array(["a", "b"]), TypeError),
        (numpy.array([b"a", None]), (TypeError, ValueError)),
        (numpy.zeros(3, [("a", "u1"), ("b", "u4")]), TypeError),
        ("text", TypeError),
        (5, TypeError),
    ],
)
def test_what_is_no_rows(wrong, error):
    with pytest.raises(error):
        hashdyno.digest_rows("md5", wrong)
