#!/usr/bin/env python3
"""Makes sweeps.txt: what engines that owe nothing to this project answer to `check` and `sweep`.

    python3 sweeps.py [FILE...] > sweeps.txt

FILE holds further lines `name check sweep engine`, such as sweeps.rs prints. Engines found here are
asked themselves: PHP, hashlib and zlib, pycryptodome, the Python packages blake3 and xxhash,
coreutils, and by ctypes libgcrypt, Botan (BOTAN=path of the library) and RHash's library. Ends with
an error, and no file, if two engines differ.
"""

import ctypes as c
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zlib

PATTERN = bytes(i % 251 for i in range(4096))
CHECK = b"123456789"
answers = {}  # name -> engine -> (check, sweep)


def canonical(name):
    """PHP's name -> ours."""
    return {"snefru": "snefru256", "crc32": "crc32-bzip2"}.get(name, re.sub("[,/]", "-", name))


def record(name, engine, check, sweep):
    answers.setdefault(canonical(name), {})[engine] = (check, sweep)


def sweep(name, engine, digest):
    """`digest` takes bytes and gives bytes."""
    whole = b"".join(digest(PATTERN[:n]) for n in range(4096))
    record(name, engine, digest(CHECK).hex(), digest(whole).hex())


def php():
    version = subprocess.run(
        ["php", "-r", "echo PHP_VERSION;"], capture_output=True, text=True
    ).stdout
    script = """$p=''; for ($i=0; $i<4096; $i++) $p .= chr($i % 251);
        foreach (hash_algos() as $a) { $s='';
            for ($n=0; $n<4096; $n++) $s .= hash($a, substr($p, 0, $n), true);
            echo "$a ", hash($a, '123456789'), ' ', hash($a, $s), "\\n"; }"""
    for line in subprocess.run(
        ["php", "-r", script], capture_output=True, text=True, check=True
    ).stdout.splitlines():
        name, check, swept = line.split()
        record(name, f"php-{version}", check, swept)


def python():
    import ssl

    openssl = "hashlib-openssl-" + ssl.OPENSSL_VERSION.split()[1]
    for ours, theirs in {
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
        "ripemd160": "ripemd160",
        "sm3": "sm3",
        "md5-sha1": "md5-sha1",
    }.items():
        sweep(ours, openssl, lambda m: hashlib.new(theirs, m).digest())
    sweep("shake128", openssl, lambda m: hashlib.shake_128(m).digest(32))
    sweep("shake256", openssl, lambda m: hashlib.shake_256(m).digest(64))
    for bits in (128, 160, 224, 256, 384, 512):
        sweep(
            f"blake2b-{bits}",
            "hashlib",
            lambda m: hashlib.blake2b(m, digest_size=bits // 8).digest(),
        )
        if bits <= 256:
            sweep(
                f"blake2s-{bits}",
                "hashlib",
                lambda m: hashlib.blake2s(m, digest_size=bits // 8).digest(),
            )
    sweep("crc32b", "zlib", lambda m: zlib.crc32(m).to_bytes(4, "big"))
    sweep("adler32", "zlib", lambda m: zlib.adler32(m).to_bytes(4, "big"))


def packages():
    import blake3
    import Crypto
    import xxhash
    from Crypto.Hash import MD2, MD4, RIPEMD160, keccak

    name = f"pycryptodome-{Crypto.__version__}"
    sweep("md2", name, lambda m: MD2.new(m).digest())
    sweep("md4", name, lambda m: MD4.new(m).digest())
    sweep("ripemd160", name, lambda m: RIPEMD160.new(m).digest())
    for bits in (224, 256, 384, 512):
        sweep(f"keccak-{bits}", name, lambda m: keccak.new(digest_bits=bits, data=m).digest())
    sweep("blake3", f"python-blake3-{blake3.__version__}", lambda m: blake3.blake3(m).digest())
    for ours, theirs in {
        "xxh32": "xxh32",
        "xxh64": "xxh64",
        "xxh3": "xxh3_64",
        "xxh128": "xxh3_128",
    }.items():
        sweep(
            ours,
            f"python-xxhash-{xxhash.VERSION}",
            lambda m: getattr(xxhash, f"{theirs}_digest")(m),
        )


def libgcrypt():
    lib = c.CDLL("libgcrypt.so.20")
    lib.gcry_check_version.restype = c.c_char_p
    engine = "libgcrypt-" + lib.gcry_check_version(None).decode()
    ids = {
        "md5": 1,
        "sha1": 2,
        "ripemd160": 3,
        "sha256": 8,
        "sha384": 9,
        "sha512": 10,
        "sha224": 11,
        "md4": 301,
        "whirlpool": 305,
        "tiger192-3": 306,
        "tiger2": 307,
        "gost": 308,
        "streebog-256": 309,
        "streebog-512": 310,
        "gost-crypto": 311,
        "sha3-224": 312,
        "sha3-256": 313,
        "sha3-384": 314,
        "sha3-512": 315,
        "blake2b-512": 318,
        "blake2b-384": 319,
        "blake2b-256": 320,
        "blake2b-160": 321,
        "blake2s-256": 322,
        "blake2s-224": 323,
        "blake2s-160": 324,
        "blake2s-128": 325,
        "sm3": 326,
        "sha512-256": 327,
        "sha512-224": 328,
    }
    for name, number in ids.items():
        out = c.create_string_buffer(lib.gcry_md_get_algo_dlen(number))

        def digest(m):
            lib.gcry_md_hash_buffer(number, out, m, c.c_size_t(len(m)))
            return out.raw

        sweep(name, engine, digest)


def botan():
    lib = c.CDLL(os.environ.get("BOTAN", "libbotan-2.so.19"))
    engine = (
        f"botan-{lib.botan_version_major()}.{lib.botan_version_minor()}.{lib.botan_version_patch()}"
    )
    names = {
        "md4": "MD4",
        "md5": "MD5",
        "sha1": "SHA-160",
        "sha224": "SHA-224",
        "sha256": "SHA-256",
        "sha384": "SHA-384",
        "sha512": "SHA-512",
        "sha512-256": "SHA-512-256",
        "ripemd160": "RIPEMD-160",
        "whirlpool": "Whirlpool",
        "sm3": "SM3",
        "tiger128-3": "Tiger(16,3)",
        "tiger160-3": "Tiger(20,3)",
        "tiger192-3": "Tiger(24,3)",
        "tiger128-4": "Tiger(16,4)",
        "tiger160-4": "Tiger(20,4)",
        "tiger192-4": "Tiger(24,4)",
        "streebog-256": "Streebog-256",
        "streebog-512": "Streebog-512",
        "gost-crypto": "GOST-34.11",
        "shake128": "SHAKE-128(256)",
        "shake256": "SHAKE-256(512)",
        "crc32b": "CRC32",
        "adler32": "Adler32",
    }
    for bits in (224, 256, 384, 512):
        names |= {
            f"keccak-{bits}": f"Keccak-1600({bits})",
            f"sha3-{bits}": f"SHA-3({bits})",
            f"skein512-{bits}": f"Skein-512({bits})",
        }
        names |= {f"blake2b-{bits}": f"BLAKE2b({bits})"}
    for name, theirs in names.items():
        handle, size = c.c_void_p(), c.c_size_t()
        if lib.botan_hash_init(c.byref(handle), theirs.encode(), 0):
            print(f"botan: no {theirs}", file=sys.stderr)
            continue
        lib.botan_hash_output_length(handle, c.byref(size))
        out = c.create_string_buffer(size.value)

        def digest(m):
            lib.botan_hash_update(handle, m, c.c_size_t(len(m)))
            lib.botan_hash_final(handle, out)
            return out.raw

        sweep(name, engine, digest)


def librhash():
    lib = c.CDLL("librhash.so.0")
    lib.rhash_library_init()
    version = (
        subprocess.run(["rhash", "--version"], capture_output=True, text=True)
        .stdout.split("v")[-1]
        .strip()
    )
    for name, bit in {
        "crc32b": 0,
        "md4": 1,
        "md5": 2,
        "sha1": 3,
        "whirlpool": 9,
        "ripemd160": 10,
        "gost": 11,
        "gost-crypto": 12,
        "streebog-256": 14,
        "streebog-512": 15,
        "sha224": 16,
        "sha256": 17,
        "sha384": 18,
        "sha512": 19,
        "sha3-224": 22,
        "sha3-256": 23,
        "sha3-384": 24,
        "sha3-512": 25,
        "crc32c": 26,
        "snefru128": 27,
        "snefru256": 28,
        "blake2s-256": 29,
        "blake2b-512": 30,
    }.items():
        out = c.create_string_buffer(lib.rhash_get_digest_size(1 << bit))

        def digest(m):
            lib.rhash_msg(1 << bit, m, c.c_size_t(len(m)), out)
            return out.raw

        sweep(name, f"librhash-{version}", digest)


def coreutils():
    version = (
        subprocess.run(["cksum", "--version"], capture_output=True, text=True)
        .stdout.split("\n")[0]
        .split()[-1]
    )
    for name, command, size in [
        ("cksum", ["cksum"], 4),
        ("sum-bsd", ["sum", "-r"], 2),
        ("sum-sysv", ["sum", "-s"], 2),
    ]:
        with tempfile.TemporaryDirectory() as folder:

            def digests(messages):
                paths = [f"{folder}/{i}" for i in range(len(messages))]
                for path, message in zip(paths, messages):
                    with open(path, "wb") as file:
                        file.write(message)
                out = subprocess.run(
                    command + paths, capture_output=True, text=True, check=True
                ).stdout
                return [int(line.split()[0]).to_bytes(size, "big") for line in out.splitlines()]

            whole = b"".join(digests([PATTERN[:n] for n in range(4096)]))
            check, swept = digests([CHECK, whole])
            record(name, f"coreutils-{version}", check.hex(), swept.hex())


def definitions():
    """CRC-64/XZ bit by bit (ECMA-182 polynomial, reflected), and the FNV offset and prime: too
    short to have one author.
    """
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0xC96C5795D7870F42 if byte & 1 else 0)
        table.append(byte)

    def crc64(m):
        value = (1 << 64) - 1
        for byte in m:
            value = value >> 8 ^ table[(value ^ byte) & 255]
        return (value ^ (1 << 64) - 1).to_bytes(8, "big")

    assert (
        crc64(CHECK).hex() == "995dc9bbdf1939fa"
    )  # as the XZ file format's test and the CRC catalogue give it
    sweep("crc64-xz", "definition-in-python", crc64)

    def fnv(bits, prime, offset, xor_first):
        def digest(m):
            value = offset
            for byte in m:
                value = (
                    (value ^ byte) * prime % 2**bits
                    if xor_first
                    else value * prime % 2**bits ^ byte
                )
            return value.to_bytes(bits // 8, "big")

        return digest

    for bits, prime, offset in [
        (32, 0x01000193, 0x811C9DC5),
        (64, 0x100000001B3, 0xCBF29CE484222325),
    ]:
        sweep(f"fnv1{bits}", "definition-in-python", fnv(bits, prime, offset, False))
        sweep(f"fnv1a{bits}", "definition-in-python", fnv(bits, prime, offset, True))


def main():
    engines = [php, python, packages, libgcrypt, botan, librhash, coreutils, definitions]
    for engine in engines:
        try:
            engine()
        except (OSError, ImportError) as missing:
            print(f"{engine.__name__}: {missing}", file=sys.stderr)
    for path in sys.argv[1:]:
        for line in open(path):
            name, check, swept, engine = line.split()
            record(name, engine, check, swept)
    differ = [name for name, by in answers.items() if len(set(by.values())) != 1]
    if differ:
        sys.exit(
            "\n".join(
                f"{name} {engine} {check} {swept}"
                for name in differ
                for engine, (check, swept) in answers[name].items()
            )
        )
    print(
        "# name, digest of `123456789`, digest of the 4096 digests of the first n bytes of i % 251 "
        "(n = 0..4095), the engines that gave"
    )
    print(
        "# both, all independent of this project, "
        "and `weak` if there was only one. Made by sweeps.py."
    )
    for name, by in sorted(answers.items()):
        check, swept = next(iter(by.values()))
        print(name, check, swept, "+".join(sorted(by)), *["weak"][len(by) - 1 :])


main()
