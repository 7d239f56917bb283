"""Keys: as hmac and hashlib of Python have them, and the published vectors of BLAKE3 and xxHash."""

import hashlib
import hmac

import hashdyno
import pytest

MESSAGES = [b"", b"a", bytes(range(200)), b"x" * 1000]


@pytest.mark.parametrize("name", ["md5", "sha1", "sha256", "sha512", "sha3_256", "blake2b", "sm3"])
@pytest.mark.parametrize("secret", [b"", b"Jefe", b"k" * 200])
def test_hmac_is_that_of_python(name: str, secret: bytes) -> None:
    key = hashdyno.Key(name, secret)
    expected = [hmac.digest(secret, message, name) for message in MESSAGES]
    assert key.digest_many(MESSAGES) == expected
    assert key.hexdigest_many(MESSAGES) == [code.hex() for code in expected]
    assert [key.digest(message) for message in MESSAGES] == expected
    assert all(key.verify(message, code) for message, code in zip(MESSAGES, expected))
    assert not key.verify(b"another", expected[0])
    hasher = hashdyno.hmac(name, secret, b"a ")
    hasher.update(b"message")
    other = hasher.copy()
    assert hasher.digest() == hmac.digest(secret, b"a message", name)
    assert other.hexdigest() == hasher.hexdigest()
    assert (key.name, key.digest_size) == (hasher.name, hasher.digest_size)
    assert key.digest_rows(memoryview(bytes(64)).cast("B", [4, 16])) == 4 * hmac.digest(
        secret, bytes(16), name
    )


def test_blake2_under_a_key_is_that_of_hashlib() -> None:
    for secret in (b"k", bytes(range(64))):
        key = hashdyno.Key("blake2b", secret, mode="keyed")
        assert key.digest_many(MESSAGES) == [
            hashlib.blake2b(message, key=secret).digest() for message in MESSAGES
        ]


def test_blake3_under_a_key_gives_its_vector() -> None:
    key = hashdyno.Key("blake3", b"whats the Elvish word for friend", mode="keyed")
    expected = "92b2b75604ed3c761f9d6f62392c8a9227ad0ea3f09573e783f1498a4ed60d26"
    assert key.hexdigest(b"") == expected
    assert key.digest(b"", length=131)[:32].hex() == expected
    assert key.new().hexdigest(length=16) == expected[:32]


def test_seeds_and_secrets() -> None:
    assert hashdyno.Key("xxh64", seed=2654435761).hexdigest(b"") == "ac75fda2929b17ef"
    secret = hashdyno.Key("xxh3", bytes(range(136)), mode="secret")
    assert secret.digest(b"x") != hashdyno.xxh3(b"x").digest()


def test_a_column_under_a_key() -> None:
    pa = pytest.importorskip("pyarrow")
    column = pa.array([b"one", None, b"three"])
    key = hashdyno.Key("blake3", bytes(32), mode="keyed")
    got = pa.array(hashdyno.digest_column("blake3", column, key=key)).to_pylist()
    assert got == [key.digest(b"one"), None, key.digest(b"three")]
    with pytest.raises(ValueError, match="it is one of blake3, not of sha256"):
        hashdyno.digest_column("sha256", column, key=key)


def test_what_is_no_key_says_so() -> None:
    with pytest.raises(ValueError, match="HMAC is not defined for crc32"):
        hashdyno.hmac("crc32", b"k")
    with pytest.raises(ValueError, match="takes no key of 5 bytes: expected 32"):
        hashdyno.Key("blake3", b"short", mode="keyed")
    with pytest.raises(ValueError, match="expected 'hmac', 'keyed' or 'secret'"):
        hashdyno.Key("blake3", b"short", mode="other")
    with pytest.raises(ValueError, match="expected a key, or a seed"):
        hashdyno.Key("blake3")
    with pytest.raises(ValueError, match="has 32 bytes, not 5"):
        hashdyno.Key("sha256", b"k").digest(b"", length=5)


def test_a_code_may_be_as_long_as_a_digest() -> None:
    key = hashdyno.Key("blake3", bytes(32), mode="keyed")
    assert len(key.digest(b"", length=100_000)) == 100_000
    for length in (2**29, 2**62, 2**63, 2**64 - 1):
        for call in (key.digest, key.hexdigest):
            with pytest.raises(ValueError, match="^length is too large$"):
                call(b"", length)
        for call in (key.new().digest, key.new().hexdigest):
            with pytest.raises(ValueError, match="^length is too large$"):
                call(length)
