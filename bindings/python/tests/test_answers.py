"""Every algorithm against the vectors, and against other packages."""

import hashlib
import random
import zlib

import blake3
import hashdyno
import pytest
import vectors
import xxhash

CHECKS = vectors.checks()
RANDOM = random.Random(28)
MESSAGES = [RANDOM.randbytes(n) for n in [*range(0, 300), 1000, 2047, 2048, 5000, 100_000]]


def own_name(algorithm: hashdyno.Algorithm) -> str:
    (name,) = [name for name in algorithm.names if name in CHECKS]
    return name


ALL = pytest.mark.parametrize("algorithm", hashdyno.algorithms(), ids=lambda it: it.name)


def test_there_are_as_many_algorithms_as_in_the_library():
    assert sorted(map(own_name, hashdyno.algorithms())) == sorted(CHECKS)
    assert len(hashdyno.algorithms_available) == len(CHECKS)


@ALL
def test_check(algorithm):
    known = bytes.fromhex(CHECKS[own_name(algorithm)])
    assert hashdyno.digest_many(algorithm, [b"123456789"]) == [known]
    hasher = algorithm()
    for byte in b"123456789":
        hasher.update(bytes([byte]))
    assert digest(hasher, len(known)) == known


@ALL
def test_published_vectors(algorithm):
    count = 0
    for message, known in vectors.published(own_name(algorithm)):
        assert digest(algorithm(message), len(known)) == known
        count += 1
    if not count:
        pytest.skip("there are none")


@ALL
def test_other_engines_answers_one_by_one_and_many(algorithm):
    size, known = vectors.answers(own_name(algorithm))
    one = {message: vectors.fingerprint(digest(algorithm(message), size)) for message in known}
    assert one == known
    usual = hashdyno.digest_many(algorithm, list(known))
    if known and len(usual[0]) == size:
        assert list(map(vectors.fingerprint, usual)) == list(known.values())


def digest(hasher, size):
    return hasher.digest(size) if extendable(hasher) else hasher.digest()


def extendable(hasher):
    return hashdyno.algorithm(hasher.name).extendable


SHARED = sorted(hashlib.algorithms_available & hashdyno.algorithms_available)


@pytest.mark.parametrize("name", SHARED)
def test_hashlib(name):
    theirs, ours = hashlib.new(name), hashdyno.new(name)
    shape = [(it.name, it.digest_size, it.block_size) for it in (ours, theirs)]
    assert shape[0] == shape[1]
    length = () if theirs.digest_size else (100,)
    for message in MESSAGES:
        known = hashlib.new(name, message)
        assert hashdyno.new(name, message).digest(*length) == known.digest(*length)
        assert hashdyno.new(name, message).hexdigest(*length) == known.hexdigest(*length)
    if theirs.digest_size:
        known = [hashlib.new(name, message).digest() for message in MESSAGES]
        assert hashdyno.digest_many(name, MESSAGES) == known


def test_hashlib_has_nothing_that_is_missing_here():
    assert set(hashlib.algorithms_guaranteed) <= hashdyno.algorithms_available


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("crc32", lambda m: zlib.crc32(m).to_bytes(4, "big")),
        ("adler32", lambda m: zlib.adler32(m).to_bytes(4, "big")),
        ("xxh32", lambda m: xxhash.xxh32_digest(m)),
        ("xxh64", lambda m: xxhash.xxh64_digest(m)),
        ("xxh3", lambda m: xxhash.xxh3_64_digest(m)),
        ("xxh128", lambda m: xxhash.xxh3_128_digest(m)),
        ("blake3", lambda m: blake3.blake3(m).digest()),
    ],
)
def test_zlib_xxhash_and_blake3(name, theirs):
    assert hashdyno.digest_many(name, MESSAGES) == [theirs(message) for message in MESSAGES]
    assert [hashdyno.new(name, message).digest() for message in MESSAGES] == [
        theirs(message) for message in MESSAGES
    ]


def test_blake3_gives_any_length():
    known = blake3.blake3(b"abc").digest(length=1000)
    assert hashdyno.blake3(b"abc").digest(1000) == known
    assert hashdyno.blake3(b"abc").digest() == known[:32]
