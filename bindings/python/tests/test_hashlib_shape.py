"""hashlib's shape: what CPython's test_hashlib and test_hmac hold of every constructor, and what
hashlib's users rely on.
"""

import copy
import hashlib
import hmac
import io
import os
import pickle
import signal
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import hashdyno
import numpy
import pytest

ALL = pytest.mark.parametrize("algorithm", hashdyno.algorithms(), ids=lambda it: it.name)
FIXED = [algorithm for algorithm in hashdyno.algorithms() if algorithm.digest_size]


def length(hasher):
    return () if hasher.digest_size else (32,)


@ALL
def test_attributes(algorithm):
    hasher = algorithm()
    assert isinstance(hasher.name, str) and hasher.name in hashdyno.algorithms_available
    assert hasher.name == hashdyno.new(hasher.name).name
    assert isinstance(hasher.digest_size, int) and isinstance(hasher.block_size, int)
    assert len(hasher.digest(*length(hasher))) == (hasher.digest_size or 32)
    assert hasher.hexdigest(*length(hasher)) == hasher.digest(*length(hasher)).hex()
    assert hasher.name in repr(hasher)
    assert hasher.security in {"sound", "legacy", "broken", "checksum"}
    identifier = algorithm.name.replace("-", "_")
    assert getattr(hashdyno, identifier) == algorithm
    assert all(hashdyno.algorithm(name.upper()) == algorithm for name in algorithm.names)


@ALL
def test_pieces_copy_save_and_pickle(algorithm):
    message = bytes(range(256)) * 40
    whole = algorithm(message)
    known = whole.digest(*length(whole))
    for cut in (0, 1, 63, 64, 65, 2047, 2048, 5000, len(message)):
        hasher = algorithm(message[:cut])
        before = hasher.digest(*length(hasher))
        twins = [
            hasher.copy(),
            hashdyno.restore(hasher.save()),
            pickle.loads(pickle.dumps(hasher)),
            copy.deepcopy(hasher),
        ]
        for twin in twins:
            twin.update(message[cut:])
            assert twin.digest(*length(twin)) == known
            assert twin.name == hasher.name
        assert hasher.digest(*length(hasher)) == before


def test_pickled_algorithms_are_equal():
    assert pickle.loads(pickle.dumps(hashdyno.sm3)) == hashdyno.sm3 != hashdyno.md5
    assert {hashdyno.sm3, hashdyno.algorithm("SM3")} == {hashdyno.sm3}


def test_what_is_no_saved_state_is_refused():
    saved = hashdyno.md5(b"abc").save()
    for damaged in (b"", b"abc", saved[:-1], saved[:5] + bytes([saved[5] ^ 1]) + saved[6:]):
        with pytest.raises(ValueError, match="no saved hasher"):
            hashdyno.restore(damaged)


def test_errors_are_hashlibs_word_for_word():
    cases = [
        lambda lib: lib.new("spam spam spam spam spam"),
        lambda lib: lib.md5("text"),
        lambda lib: lib.md5(5),
        lambda lib: lib.md5([]),
        lambda lib: lib.sha256().update("text"),
        lambda lib: lib.sha256().update(5),
        lambda lib: lib.sha256().update(numpy.zeros(9)[::2]),
    ]
    for case in cases:
        with pytest.raises(Exception) as theirs:
            case(hashlib)
        with pytest.raises(type(theirs.value)) as ours:
            case(hashdyno)
        assert str(ours.value) == str(theirs.value)
    for name in (1, None, b"md5"):
        with pytest.raises(TypeError):
            hashdyno.new(name)
    for call in (lambda: hashdyno.sha256().digest(5), lambda: hashdyno.shake_128().digest()):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError):
        hashdyno.new("blake2b", digest_size=16)


def test_lengths_of_extendable_digests():
    for name in ("shake_128", "shake_256", "blake3"):
        for wrong in (-1, -10, 2**29, 2**32 - 10, 2**61, 2**64 - 10, 2**64 + 10):
            for method in ("digest", "hexdigest"):
                with pytest.raises((ValueError, OverflowError)):
                    getattr(hashdyno.new(name), method)(wrong)
        assert hashdyno.new(name).digest(0) == b""
        assert len(hashdyno.new(name).digest(length=100_000)) == 100_000


def test_buffers():
    known = hashlib.sha256(b"abcd" * 600).digest()
    data = b"abcd" * 600
    for buffer in (data, bytearray(data), memoryview(data), numpy.frombuffer(data, numpy.uint32)):
        assert hashdyno.sha256(buffer).digest() == known
        assert hashdyno.new("sha256", data=buffer, usedforsecurity=False).digest() == known
    square = numpy.arange(9).reshape(3, 3)
    assert hashdyno.sha256(square).digest() == hashlib.sha256(square).digest()
    held = bytearray(b"abc")
    hashdyno.sha256(held)
    held += b"d"  # a buffer that was not given back could not grow


@pytest.mark.parametrize("algorithm", FIXED, ids=lambda it: it.name)
def test_hmac(algorithm):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of block sizes below 16: checksums
        ours = hmac.new(b"key", b"message", algorithm)
        ours.update(b" and more")
        again = hmac.new(b"key", b"message and more", algorithm.name and algorithm)
        assert ours.digest() == again.digest() and ours.copy().hexdigest() == ours.hexdigest()
    if algorithm.name in hashlib.algorithms_available:
        assert ours.digest() == hmac.digest(b"key", b"message and more", algorithm.name)
        long = b"k" * 500
        assert hmac.digest(long, b"m", algorithm) == hmac.digest(long, b"m", algorithm.name)


def test_hmac_of_rfc_4231():
    known = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    assert hmac.new(b"\x0b" * 20, b"Hi There", hashdyno.sha256).hexdigest() == known


def test_file_digest(tmp_path):
    data = bytes(range(256)) * 5000
    path = tmp_path / "file"
    path.write_bytes(data)
    known = hashlib.sha256(data).digest()
    with path.open("rb") as file:
        assert hashlib.file_digest(file, hashdyno.sha256).digest() == known
    assert (
        hashlib.file_digest(io.BytesIO(data), hashdyno.sm3).digest() == hashdyno.sm3(data).digest()
    )
    for file in (path, str(path), bytes(path), io.BytesIO(data)):
        assert hashdyno.file_digest(file, "sha256").digest() == known
    with path.open("rb") as buffered, path.open("rb", buffering=0) as raw:
        assert hashdyno.file_digest(buffered, hashdyno.sha256).digest() == known
        assert hashdyno.file_digest(raw, hashlib.sha256).digest() == known
    key = hashdyno.Key("sha256", b"key")
    for file in (path, str(path), bytes(path)):
        assert hashdyno.file_digest(file, hashlib.sha256).digest() == known
        assert hashdyno.file_digest(file, key.new).digest() == key.digest(data)
    with pytest.raises(FileNotFoundError) as theirs:
        open(tmp_path / "none")
    for constructor in ("md5", hashlib.md5):
        with pytest.raises(FileNotFoundError) as ours:
            hashdyno.file_digest(tmp_path / "none", constructor)
        assert str(ours.value) == str(theirs.value)
    with pytest.raises(IsADirectoryError):
        hashdyno.file_digest(tmp_path, "md5")
    with path.open() as text, pytest.raises(ValueError):
        hashdyno.file_digest(text, "md5")
    with path.open("ab") as written, pytest.raises(ValueError):
        hashdyno.file_digest(written, "md5")


@pytest.mark.parametrize("make", [hashdyno.md5, lambda: hashdyno.composite("tth")])
def test_a_signal_ends_the_wait_for_a_pipe(tmp_path, make):
    class Alarm(Exception):
        pass

    def rang(*_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise Alarm

    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)
    end_of_file = threading.Timer(10, os.close, [writer])
    end_of_file.start()
    before = signal.signal(signal.SIGALRM, rang)
    signal.setitimer(signal.ITIMER_REAL, 0.2, 1)
    try:
        with pytest.raises(Alarm):
            make().update_file(str(tmp_path / "pipe"))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert end_of_file.is_alive()
    end_of_file.cancel()
    os.close(writer)


def test_threads_that_share_a_hasher():
    hasher, pieces = hashdyno.sha256(), 200
    blocks = [b"a" * 1000, b"a" * 5000, b"a" * 100]

    def work(_):
        for block in blocks:
            hasher.update(block)
            hasher.copy().digest()
            hasher.save()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(pieces)))
    assert hasher.digest() == hashlib.sha256(b"a" * 6100 * pieces).digest()


def test_other_threads_run_while_much_is_hashed():
    data, done, ticks = bytes(64 << 20), threading.Event(), 0

    def work():
        hashdyno.new("snefru256", data[: 8 << 20])
        hashdyno.digest_many("sha256", [data[: 16 << 20]])
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.0005):
        ticks += 1
    thread.join()
    assert ticks > 2
