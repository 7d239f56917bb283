from collections.abc import Iterable
from typing import Final, Protocol, final

from typing_extensions import Buffer, CapsuleType

__all__ = [
    "Algorithm",
    "DigestColumn",
    "Hash",
    "__version__",
    "adler32",
    "algorithm",
    "algorithms",
    "blake2b",
    "blake2b_128",
    "blake2b_160",
    "blake2b_224",
    "blake2b_256",
    "blake2b_384",
    "blake2b_512",
    "blake2s",
    "blake2s_128",
    "blake2s_160",
    "blake2s_224",
    "blake2s_256",
    "blake3",
    "blake_224",
    "blake_256",
    "blake_384",
    "blake_512",
    "cksum",
    "crc32",
    "crc32_bzip2",
    "crc32b",
    "crc32c",
    "crc64_xz",
    "digest_column",
    "digest_many",
    "digest_rows",
    "fnv132",
    "fnv164",
    "fnv1a32",
    "fnv1a64",
    "gost",
    "gost_crypto",
    "groestl_224",
    "groestl_256",
    "groestl_384",
    "groestl_512",
    "haval128_3",
    "haval128_4",
    "haval128_5",
    "haval160_3",
    "haval160_4",
    "haval160_5",
    "haval192_3",
    "haval192_4",
    "haval192_5",
    "haval224_3",
    "haval224_4",
    "haval224_5",
    "haval256_3",
    "haval256_4",
    "haval256_5",
    "hexdigest_many",
    "jh_224",
    "jh_256",
    "jh_384",
    "jh_512",
    "joaat",
    "keccak_224",
    "keccak_256",
    "keccak_384",
    "keccak_512",
    "md2",
    "md4",
    "md5",
    "md5_sha1",
    "murmur3a",
    "murmur3c",
    "murmur3f",
    "new",
    "restore",
    "ripemd128",
    "ripemd160",
    "ripemd256",
    "ripemd320",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha3_224",
    "sha3_256",
    "sha3_384",
    "sha3_512",
    "sha512",
    "sha512_224",
    "sha512_256",
    "shake128",
    "shake256",
    "shake_128",
    "shake_256",
    "skein1024_1024",
    "skein256_256",
    "skein512_224",
    "skein512_256",
    "skein512_384",
    "skein512_512",
    "sm3",
    "snefru128",
    "snefru256",
    "streebog_256",
    "streebog_512",
    "sum_bsd",
    "sum_sysv",
    "tiger128_3",
    "tiger128_4",
    "tiger160_3",
    "tiger160_4",
    "tiger192_3",
    "tiger192_4",
    "tiger2",
    "whirlpool",
    "xxh128",
    "xxh3",
    "xxh32",
    "xxh64",
]

__version__: Final[str]

class _ArrowArray(Protocol):
    def __arrow_c_array__(
        self, requested_schema: object | None = None, /
    ) -> tuple[object, object]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None, /) -> object: ...

@final
class Algorithm:
    def __call__(self, data: Buffer | None = None, *, usedforsecurity: bool = True) -> Hash: ...
    @property
    def name(self) -> str: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    @property
    def extendable(self) -> bool: ...
    @property
    def security(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def specified_in(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[object, tuple[str]]: ...

@final
class Hash:
    def update(self, data: Buffer, /) -> None: ...
    def update_file(self, path: str, /) -> None: ...
    def digest(self, length: int | None = None) -> bytes: ...
    def hexdigest(self, length: int | None = None) -> str: ...
    def copy(self) -> Hash: ...
    def save(self) -> bytes: ...
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    @property
    def security(self) -> str: ...
    def __reduce__(self) -> tuple[object, tuple[bytes]]: ...

@final
class DigestColumn:
    def __len__(self) -> int: ...
    @property
    def null_count(self) -> int: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...
    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[CapsuleType, CapsuleType]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> CapsuleType: ...

def algorithm(name: str | Algorithm, /) -> Algorithm: ...
def algorithms() -> list[Algorithm]: ...
def new(
    name: str | Algorithm, data: Buffer | None = None, *, usedforsecurity: bool = True
) -> Hash: ...
def restore(saved: Buffer, /) -> Hash: ...
def digest_many(algorithm: str | Algorithm, messages: Iterable[Buffer], /) -> list[bytes]: ...
def hexdigest_many(algorithm: str | Algorithm, messages: Iterable[Buffer], /) -> list[str]: ...
def digest_rows(algorithm: str | Algorithm, rows: Buffer, /) -> bytes: ...
def digest_column(
    algorithm: str | Algorithm,
    column: _ArrowStream | _ArrowArray,
    /,
    *,
    hex: bool = False,
    integer: bool = False,
    key: Buffer | None = None,
    threads: int = 1,
) -> DigestColumn: ...

adler32: Final[Algorithm]
blake2b: Final[Algorithm]
blake2b_128: Final[Algorithm]
blake2b_160: Final[Algorithm]
blake2b_224: Final[Algorithm]
blake2b_256: Final[Algorithm]
blake2b_384: Final[Algorithm]
blake2b_512: Final[Algorithm]
blake2s: Final[Algorithm]
blake2s_128: Final[Algorithm]
blake2s_160: Final[Algorithm]
blake2s_224: Final[Algorithm]
blake2s_256: Final[Algorithm]
blake3: Final[Algorithm]
blake_224: Final[Algorithm]
blake_256: Final[Algorithm]
blake_384: Final[Algorithm]
blake_512: Final[Algorithm]
cksum: Final[Algorithm]
crc32: Final[Algorithm]
crc32_bzip2: Final[Algorithm]
crc32b: Final[Algorithm]
crc32c: Final[Algorithm]
crc64_xz: Final[Algorithm]
fnv132: Final[Algorithm]
fnv164: Final[Algorithm]
fnv1a32: Final[Algorithm]
fnv1a64: Final[Algorithm]
gost: Final[Algorithm]
gost_crypto: Final[Algorithm]
groestl_224: Final[Algorithm]
groestl_256: Final[Algorithm]
groestl_384: Final[Algorithm]
groestl_512: Final[Algorithm]
haval128_3: Final[Algorithm]
haval128_4: Final[Algorithm]
haval128_5: Final[Algorithm]
haval160_3: Final[Algorithm]
haval160_4: Final[Algorithm]
haval160_5: Final[Algorithm]
haval192_3: Final[Algorithm]
haval192_4: Final[Algorithm]
haval192_5: Final[Algorithm]
haval224_3: Final[Algorithm]
haval224_4: Final[Algorithm]
haval224_5: Final[Algorithm]
haval256_3: Final[Algorithm]
haval256_4: Final[Algorithm]
haval256_5: Final[Algorithm]
jh_224: Final[Algorithm]
jh_256: Final[Algorithm]
jh_384: Final[Algorithm]
jh_512: Final[Algorithm]
joaat: Final[Algorithm]
keccak_224: Final[Algorithm]
keccak_256: Final[Algorithm]
keccak_384: Final[Algorithm]
keccak_512: Final[Algorithm]
md2: Final[Algorithm]
md4: Final[Algorithm]
md5: Final[Algorithm]
md5_sha1: Final[Algorithm]
murmur3a: Final[Algorithm]
murmur3c: Final[Algorithm]
murmur3f: Final[Algorithm]
ripemd128: Final[Algorithm]
ripemd160: Final[Algorithm]
ripemd256: Final[Algorithm]
ripemd320: Final[Algorithm]
sha1: Final[Algorithm]
sha224: Final[Algorithm]
sha256: Final[Algorithm]
sha384: Final[Algorithm]
sha3_224: Final[Algorithm]
sha3_256: Final[Algorithm]
sha3_384: Final[Algorithm]
sha3_512: Final[Algorithm]
sha512: Final[Algorithm]
sha512_224: Final[Algorithm]
sha512_256: Final[Algorithm]
shake128: Final[Algorithm]
shake256: Final[Algorithm]
shake_128: Final[Algorithm]
shake_256: Final[Algorithm]
skein1024_1024: Final[Algorithm]
skein256_256: Final[Algorithm]
skein512_224: Final[Algorithm]
skein512_256: Final[Algorithm]
skein512_384: Final[Algorithm]
skein512_512: Final[Algorithm]
sm3: Final[Algorithm]
snefru128: Final[Algorithm]
snefru256: Final[Algorithm]
streebog_256: Final[Algorithm]
streebog_512: Final[Algorithm]
sum_bsd: Final[Algorithm]
sum_sysv: Final[Algorithm]
tiger128_3: Final[Algorithm]
tiger128_4: Final[Algorithm]
tiger160_3: Final[Algorithm]
tiger160_4: Final[Algorithm]
tiger192_3: Final[Algorithm]
tiger192_4: Final[Algorithm]
tiger2: Final[Algorithm]
whirlpool: Final[Algorithm]
xxh128: Final[Algorithm]
xxh3: Final[Algorithm]
xxh32: Final[Algorithm]
xxh64: Final[Algorithm]
