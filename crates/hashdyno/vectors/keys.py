#!/usr/bin/env python3
"""Answers of others to messages under keys, as fingerprints: writes keys.txt.

    python3 keys.py BLAKE2-KAT.json TEST_VECTORS.json VECTORS.h HIGHWAYHASH_TEST.cc KAT-SMALL.jsonl

The files are the published vectors of BLAKE2 (github.com/BLAKE2/BLAKE2), BLAKE3
(github.com/BLAKE3-team/BLAKE3), SipHash (github.com/veorq/SipHash) and HighwayHash
(github.com/google/highwayhash), and those that make.py takes. A fingerprint is the first 16 bytes
of the SHA-256 of all answers, one after another.

    hmac NAME SOURCE FINGERPRINT     for each key of KEYS bytes, each message of MESSAGES bytes
    keyed NAME SOURCE FINGERPRINT    for each key of 1 byte to the most, each message of MESSAGES
                                     bytes
    pbkdf2 NAME SOURCE FINGERPRINT   for each password of PASSWORDS bytes, each number of ROUNDS,
                                     100 bytes; the salt is `salt`
    hkdf NAME SOURCE FINGERPRINT     for each key of KEYS bytes as material, 100 bytes; salt and
                                     info are `salt` and `info`
    kat NAME SOURCE FINGERPRINT      all vectors with a key, in their order
    seed NAME SOURCE SEED MESSAGE DIGEST    a vector with a seed; `-` is the empty message

Byte i of a key is (7 * i + 3) % 256, byte i of a message i % 251.
"""

import hashlib
import hmac
import json
import pathlib
import re
import ssl
import sys
from importlib.metadata import version

import cryptography
import spookyhash
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEYS = [0, 1, 20, 63, 64, 65, 71, 72, 73, 127, 128, 129, 135, 136, 137, 143, 144, 145, 200, 300]
MESSAGES = [0, 1, 3, 8, 31, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 200, 256, 1000]
PASSWORDS = [0, 1, 63, 64, 65, 200]
ROUNDS = [1, 2, 500]
SEED = 0x9E3779B97F4A7C15
HMACS = {
    "md5": "md5",
    "sha1": "sha1",
    "sha224": "sha224",
    "sha256": "sha256",
    "sha384": "sha384",
    "sha512": "sha512",
    "sha512-224": "sha512_224",
    "sha512-256": "sha512_256",
    "sha3-224": "sha3_224",
    "sha3-256": "sha3_256",
    "sha3-384": "sha3_384",
    "sha3-512": "sha3_512",
    "blake2b-512": "blake2b",
    "blake2s-256": "blake2s",
    "ripemd160": "ripemd160",
    "sm3": "sm3",
    "md5-sha1": "md5-sha1",
}
PYTHON = (
    f"python-{sys.version.split()[0]}-{ssl.OPENSSL_VERSION.split()[0].lower()}"
    f"-{ssl.OPENSSL_VERSION.split()[1]}"
)


def key(length):
    return bytes((7 * i + 3) % 256 for i in range(length))


def messages():
    return [bytes(i % 251 for i in range(length)) for length in MESSAGES]


def line(kind, name, source, answers):
    return f"{kind} {name} {source} {hashlib.sha256(b''.join(answers)).hexdigest()[:32]}"


def spooky(message, bits, seed):
    """Of 128 bits, both of its seeds are the same."""
    number = getattr(spookyhash, f"hash{bits}")(message, *[seed] * (2 if bits == 128 else 1))
    return number.to_bytes(bits // 8, "little")


def main(blake2, blake3, siphash, highwayhash, seeds):
    lines = ["# Messages under keys. The format is told in keys.py."]
    for name, theirs in HMACS.items():
        lines.append(
            line(
                "hmac",
                name,
                PYTHON,
                [hmac.digest(key(k), m, theirs) for k in KEYS for m in messages()],
            )
        )
        answers = [
            hashlib.pbkdf2_hmac(theirs, key(k), b"salt", rounds, 100)
            for k in PASSWORDS
            for rounds in ROUNDS
        ]
        lines.append(line("pbkdf2", name, PYTHON, answers))
    for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3-256", "sm3"):
        algorithm = getattr(hashes, name.upper().replace("-", "_"))()
        answers = [HKDF(algorithm, 100, b"salt", b"info").derive(key(k)) for k in KEYS]
        lines.append(line("hkdf", name, f"cryptography-{cryptography.__version__}", answers))
    for bits in (128, 160, 224, 256, 384, 512):
        answers = [
            hashlib.blake2b(m, key=key(k), digest_size=bits // 8).digest()
            for k in range(1, 65)
            for m in messages()
        ]
        lines.append(line("keyed", f"blake2b-{bits}", PYTHON, answers))
    for bits in (128, 160, 224, 256):
        answers = [
            hashlib.blake2s(m, key=key(k), digest_size=bits // 8).digest()
            for k in range(1, 33)
            for m in messages()
        ]
        lines.append(line("keyed", f"blake2s-{bits}", PYTHON, answers))
    kat = [case for case in json.load(open(blake2)) if case["key"]]
    for name in ("blake2b", "blake2s", "blake2bp", "blake2sp"):
        answers = [bytes.fromhex(case["out"]) for case in kat if case["hash"] == name]
        assert len(answers) == 256
        lines.append(line("kat", name, "blake2-kat.json", answers))
    vectors = json.load(open(blake3))
    assert vectors["key"] == "whats the Elvish word for friend"
    assert vectors["context_string"] == "BLAKE3 2019-12-27 16:29:52 test vectors context"
    lines.append("# of inputs of " + " ".join(str(case["input_len"]) for case in vectors["cases"]))
    for name in ("keyed_hash", "derive_key"):
        answers = [bytes.fromhex(case[name]) for case in vectors["cases"]]
        assert all(len(answer) == 131 for answer in answers)
        lines.append(line("kat", f"blake3-{name}", "test_vectors.json", answers))
    text = open(siphash).read()
    for bits in (64, 128):
        body = re.search(rf"vectors_sip{bits}\[64\]\[\d+\] = \{{(.*?)\}};", text, re.S).group(1)
        answers = bytes(int(byte, 16) for byte in re.findall(r"0x([0-9a-f]{2})", body))
        assert len(answers) == 64 * bits // 8
        lines.append(
            line("kat", "siphash-2-4" + ("-128" if bits == 128 else ""), "vectors.h", [answers])
        )
    text = open(highwayhash).read()
    for bits in (64, 128, 256):
        body = re.search(rf"kExpected{bits}\[kMaxSize \+ 1\] = \{{(.*?)\}};", text, re.S).group(1)
        answers = [
            int(word, 16).to_bytes(8, "little") for word in re.findall(r"0x([0-9A-F]{16})", body)
        ]
        assert len(answers) == 65 * bits // 64
        lines.append(line("kat", f"highwayhash-{bits}", "highwayhash_test.cc", answers))
    for vector in map(json.loads, open(seeds)):
        if "seed" in vector:
            lines.append(
                f"seed {vector['a']} {vector['s'][0]} {vector['seed']} "
                f"{vector['m'] or '-'} {vector['d']}"
            )
    for bits in (32, 64, 128):
        seed = SEED % 2**32 if bits == 32 else SEED
        lines += [
            f"seed spookyhash-{bits} spookyhash-{version('spookyhash')} {seed} "
            f"{m.hex() or '-'} {spooky(m, bits, seed).hex()}"
            for m in messages()
        ]
    pathlib.Path(__file__).with_name("keys.txt").write_text("\n".join(lines) + "\n")


main(*sys.argv[1:])
