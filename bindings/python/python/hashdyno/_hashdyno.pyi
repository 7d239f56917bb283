from collections.abc import Iterable
from typing import Final, Protocol, final

from typing_extensions import Buffer, CapsuleType

__all__ = [
    "Algorithm",
    "Composite",
    "DigestColumn",
    "Hash",
    "Key",
    "KeyedHash",
    "__version__",
    "adler32",
    "algorithm",
    "algorithms",
    "ascon_hash256",
    "ascon_xof128",
    "bash256",
    "bash384",
    "bash512",
    "belt_hash",
    "blake2b",
    "blake2b_128",
    "blake2b_160",
    "blake2b_224",
    "blake2b_256",
    "blake2b_384",
    "blake2b_512",
    "blake2bp",
    "blake2s",
    "blake2s_128",
    "blake2s_160",
    "blake2s_224",
    "blake2s_256",
    "blake2sp",
    "blake3",
    "blake_224",
    "blake_256",
    "blake_384",
    "blake_512",
    "cksum",
    "composite",
    "composites",
    "crc10_atm",
    "crc10_cdma2000",
    "crc10_gsm",
    "crc11_flexray",
    "crc11_umts",
    "crc12_cdma2000",
    "crc12_dect",
    "crc12_gsm",
    "crc12_umts",
    "crc13_bbc",
    "crc14_darc",
    "crc14_gsm",
    "crc15_can",
    "crc15_mpt1327",
    "crc16_arc",
    "crc16_cdma2000",
    "crc16_cms",
    "crc16_dds_110",
    "crc16_dect_r",
    "crc16_dect_x",
    "crc16_dnp",
    "crc16_en_13757",
    "crc16_genibus",
    "crc16_gsm",
    "crc16_ibm_3740",
    "crc16_ibm_sdlc",
    "crc16_iso_iec_14443_3_a",
    "crc16_kermit",
    "crc16_lj1200",
    "crc16_m17",
    "crc16_maxim_dow",
    "crc16_mcrf4xx",
    "crc16_modbus",
    "crc16_nrsc_5",
    "crc16_opensafety_a",
    "crc16_opensafety_b",
    "crc16_profibus",
    "crc16_riello",
    "crc16_spi_fujitsu",
    "crc16_t10_dif",
    "crc16_teledisk",
    "crc16_tms37157",
    "crc16_umts",
    "crc16_usb",
    "crc16_xmodem",
    "crc17_can_fd",
    "crc21_can_fd",
    "crc24_ble",
    "crc24_flexray_a",
    "crc24_flexray_b",
    "crc24_interlaken",
    "crc24_lte_a",
    "crc24_lte_b",
    "crc24_openpgp",
    "crc24_os_9",
    "crc30_cdma",
    "crc31_philips",
    "crc32",
    "crc32_aal5",
    "crc32_aixm",
    "crc32_autosar",
    "crc32_base91_d",
    "crc32_bzip2",
    "crc32_cd_rom_edc",
    "crc32_cksum",
    "crc32_jamcrc",
    "crc32_koopman",
    "crc32_mef",
    "crc32_mpeg_2",
    "crc32_xfer",
    "crc32b",
    "crc32c",
    "crc3_gsm",
    "crc3_rohc",
    "crc40_gsm",
    "crc4_g_704",
    "crc4_interlaken",
    "crc5_epc_c1g2",
    "crc5_g_704",
    "crc5_usb",
    "crc64_ecma_182",
    "crc64_go_iso",
    "crc64_ms",
    "crc64_nvme",
    "crc64_redis",
    "crc64_we",
    "crc64_xz",
    "crc6_cdma2000_a",
    "crc6_cdma2000_b",
    "crc6_darc",
    "crc6_g_704",
    "crc6_gsm",
    "crc7_mmc",
    "crc7_rohc",
    "crc7_umts",
    "crc82_darc",
    "crc8_autosar",
    "crc8_bluetooth",
    "crc8_cdma2000",
    "crc8_darc",
    "crc8_dvb_s2",
    "crc8_gsm_a",
    "crc8_gsm_b",
    "crc8_hitag",
    "crc8_i_432_1",
    "crc8_i_code",
    "crc8_lte",
    "crc8_maxim_dow",
    "crc8_mifare_mad",
    "crc8_nrsc_5",
    "crc8_opensafety",
    "crc8_rohc",
    "crc8_sae_j1850",
    "crc8_smbus",
    "crc8_tech_3250",
    "crc8_wcdma",
    "digest_column",
    "digest_many",
    "digest_rows",
    "djb2",
    "djb2a",
    "edonr256",
    "edonr512",
    "elf",
    "fletcher16",
    "fletcher32",
    "fletcher64",
    "fnv132",
    "fnv164",
    "fnv1_1024",
    "fnv1_128",
    "fnv1_256",
    "fnv1_512",
    "fnv1a32",
    "fnv1a64",
    "fnv1a_1024",
    "fnv1a_128",
    "fnv1a_256",
    "fnv1a_512",
    "gost",
    "gost_crypto",
    "groestl_224",
    "groestl_256",
    "groestl_384",
    "groestl_512",
    "has160",
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
    "highwayhash_128",
    "highwayhash_256",
    "highwayhash_64",
    "hmac",
    "internet_checksum",
    "java_hashcode",
    "jh_224",
    "jh_256",
    "jh_384",
    "jh_512",
    "joaat",
    "keccak_224",
    "keccak_256",
    "keccak_384",
    "keccak_512",
    "komihash",
    "kt128",
    "kt256",
    "kupyna_224",
    "kupyna_256",
    "kupyna_384",
    "kupyna_512",
    "lrc",
    "lsh256_224",
    "lsh256_256",
    "lsh512_224",
    "lsh512_256",
    "lsh512_384",
    "lsh512_512",
    "md2",
    "md4",
    "md5",
    "md5_sha1",
    "metrohash128",
    "metrohash64",
    "murmur3a",
    "murmur3c",
    "murmur3f",
    "new",
    "quickxor",
    "rapidhash",
    "rapidhash_nano",
    "restore",
    "ripemd128",
    "ripemd160",
    "ripemd256",
    "ripemd320",
    "sdbm",
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
    "shabal_192",
    "shabal_224",
    "shabal_256",
    "shabal_384",
    "shabal_512",
    "shake128",
    "shake256",
    "shake_128",
    "shake_256",
    "siphash_1_3",
    "siphash_1_3_128",
    "siphash_2_4",
    "siphash_2_4_128",
    "skein1024_1024",
    "skein1024_384",
    "skein1024_512",
    "skein256_128",
    "skein256_160",
    "skein256_224",
    "skein256_256",
    "skein512_128",
    "skein512_160",
    "skein512_224",
    "skein512_256",
    "skein512_384",
    "skein512_512",
    "sm3",
    "snefru128",
    "snefru256",
    "spookyhash_128",
    "spookyhash_32",
    "spookyhash_64",
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
    "turboshake128",
    "turboshake256",
    "update_many",
    "whirlpool",
    "xor8",
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

@final
class Key:
    def __new__(
        cls,
        algorithm: str | Algorithm,
        key: Buffer | None = None,
        /,
        *,
        mode: str = "hmac",
        seed: int | None = None,
    ) -> Key: ...
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    def digest(self, data: Buffer, /, length: int | None = None) -> bytes: ...
    def hexdigest(self, data: Buffer, /, length: int | None = None) -> str: ...
    def verify(self, data: Buffer, code: Buffer, /) -> bool: ...
    def digest_many(self, messages: Iterable[Buffer], /) -> list[bytes]: ...
    def hexdigest_many(self, messages: Iterable[Buffer], /) -> list[str]: ...
    def digest_rows(self, rows: Buffer, /) -> bytes: ...
    def new(self, data: Buffer | None = None, /) -> KeyedHash: ...

@final
class KeyedHash:
    def update(self, data: Buffer, /) -> None: ...
    def digest(self, length: int | None = None) -> bytes: ...
    def hexdigest(self, length: int | None = None) -> str: ...
    def copy(self) -> KeyedHash: ...
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...

@final
class Composite:
    def update(self, data: Buffer, /) -> None: ...
    def update_file(self, path: str, /) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def text(self) -> str: ...
    def part_digests(self) -> list[bytes]: ...
    def parts(self) -> int: ...
    @property
    def name(self) -> str: ...

def algorithm(name: str | Algorithm, /) -> Algorithm: ...
def algorithms() -> list[Algorithm]: ...
def new(
    name: str | Algorithm, data: Buffer | None = None, *, usedforsecurity: bool = True
) -> Hash: ...
def restore(saved: Buffer, /) -> Hash: ...
def update_many(hashers: Iterable[Hash], pieces: Iterable[Buffer], /) -> None: ...
def hmac(algorithm: str | Algorithm, key: Buffer, data: Buffer | None = None, /) -> KeyedHash: ...
def composite(
    name: str,
    data: Buffer | None = None,
    *,
    part_size: int | None = None,
    file: str | None = None,
    length: int | None = None,
) -> Composite: ...
def composites() -> list[str]: ...
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
    key: Key | Buffer | None = None,
    threads: int = 1,
) -> DigestColumn: ...

adler32: Final[Algorithm]
ascon_hash256: Final[Algorithm]
ascon_xof128: Final[Algorithm]
bash256: Final[Algorithm]
bash384: Final[Algorithm]
bash512: Final[Algorithm]
belt_hash: Final[Algorithm]
blake2b: Final[Algorithm]
blake2b_128: Final[Algorithm]
blake2b_160: Final[Algorithm]
blake2b_224: Final[Algorithm]
blake2b_256: Final[Algorithm]
blake2b_384: Final[Algorithm]
blake2b_512: Final[Algorithm]
blake2bp: Final[Algorithm]
blake2s: Final[Algorithm]
blake2s_128: Final[Algorithm]
blake2s_160: Final[Algorithm]
blake2s_224: Final[Algorithm]
blake2s_256: Final[Algorithm]
blake2sp: Final[Algorithm]
blake3: Final[Algorithm]
blake_224: Final[Algorithm]
blake_256: Final[Algorithm]
blake_384: Final[Algorithm]
blake_512: Final[Algorithm]
cksum: Final[Algorithm]
crc10_atm: Final[Algorithm]
crc10_cdma2000: Final[Algorithm]
crc10_gsm: Final[Algorithm]
crc11_flexray: Final[Algorithm]
crc11_umts: Final[Algorithm]
crc12_cdma2000: Final[Algorithm]
crc12_dect: Final[Algorithm]
crc12_gsm: Final[Algorithm]
crc12_umts: Final[Algorithm]
crc13_bbc: Final[Algorithm]
crc14_darc: Final[Algorithm]
crc14_gsm: Final[Algorithm]
crc15_can: Final[Algorithm]
crc15_mpt1327: Final[Algorithm]
crc16_arc: Final[Algorithm]
crc16_cdma2000: Final[Algorithm]
crc16_cms: Final[Algorithm]
crc16_dds_110: Final[Algorithm]
crc16_dect_r: Final[Algorithm]
crc16_dect_x: Final[Algorithm]
crc16_dnp: Final[Algorithm]
crc16_en_13757: Final[Algorithm]
crc16_genibus: Final[Algorithm]
crc16_gsm: Final[Algorithm]
crc16_ibm_3740: Final[Algorithm]
crc16_ibm_sdlc: Final[Algorithm]
crc16_iso_iec_14443_3_a: Final[Algorithm]
crc16_kermit: Final[Algorithm]
crc16_lj1200: Final[Algorithm]
crc16_m17: Final[Algorithm]
crc16_maxim_dow: Final[Algorithm]
crc16_mcrf4xx: Final[Algorithm]
crc16_modbus: Final[Algorithm]
crc16_nrsc_5: Final[Algorithm]
crc16_opensafety_a: Final[Algorithm]
crc16_opensafety_b: Final[Algorithm]
crc16_profibus: Final[Algorithm]
crc16_riello: Final[Algorithm]
crc16_spi_fujitsu: Final[Algorithm]
crc16_t10_dif: Final[Algorithm]
crc16_teledisk: Final[Algorithm]
crc16_tms37157: Final[Algorithm]
crc16_umts: Final[Algorithm]
crc16_usb: Final[Algorithm]
crc16_xmodem: Final[Algorithm]
crc17_can_fd: Final[Algorithm]
crc21_can_fd: Final[Algorithm]
crc24_ble: Final[Algorithm]
crc24_flexray_a: Final[Algorithm]
crc24_flexray_b: Final[Algorithm]
crc24_interlaken: Final[Algorithm]
crc24_lte_a: Final[Algorithm]
crc24_lte_b: Final[Algorithm]
crc24_openpgp: Final[Algorithm]
crc24_os_9: Final[Algorithm]
crc30_cdma: Final[Algorithm]
crc31_philips: Final[Algorithm]
crc32: Final[Algorithm]
crc32_aal5: Final[Algorithm]
crc32_aixm: Final[Algorithm]
crc32_autosar: Final[Algorithm]
crc32_base91_d: Final[Algorithm]
crc32_bzip2: Final[Algorithm]
crc32_cd_rom_edc: Final[Algorithm]
crc32_cksum: Final[Algorithm]
crc32_jamcrc: Final[Algorithm]
crc32_koopman: Final[Algorithm]
crc32_mef: Final[Algorithm]
crc32_mpeg_2: Final[Algorithm]
crc32_xfer: Final[Algorithm]
crc32b: Final[Algorithm]
crc32c: Final[Algorithm]
crc3_gsm: Final[Algorithm]
crc3_rohc: Final[Algorithm]
crc40_gsm: Final[Algorithm]
crc4_g_704: Final[Algorithm]
crc4_interlaken: Final[Algorithm]
crc5_epc_c1g2: Final[Algorithm]
crc5_g_704: Final[Algorithm]
crc5_usb: Final[Algorithm]
crc64_ecma_182: Final[Algorithm]
crc64_go_iso: Final[Algorithm]
crc64_ms: Final[Algorithm]
crc64_nvme: Final[Algorithm]
crc64_redis: Final[Algorithm]
crc64_we: Final[Algorithm]
crc64_xz: Final[Algorithm]
crc6_cdma2000_a: Final[Algorithm]
crc6_cdma2000_b: Final[Algorithm]
crc6_darc: Final[Algorithm]
crc6_g_704: Final[Algorithm]
crc6_gsm: Final[Algorithm]
crc7_mmc: Final[Algorithm]
crc7_rohc: Final[Algorithm]
crc7_umts: Final[Algorithm]
crc82_darc: Final[Algorithm]
crc8_autosar: Final[Algorithm]
crc8_bluetooth: Final[Algorithm]
crc8_cdma2000: Final[Algorithm]
crc8_darc: Final[Algorithm]
crc8_dvb_s2: Final[Algorithm]
crc8_gsm_a: Final[Algorithm]
crc8_gsm_b: Final[Algorithm]
crc8_hitag: Final[Algorithm]
crc8_i_432_1: Final[Algorithm]
crc8_i_code: Final[Algorithm]
crc8_lte: Final[Algorithm]
crc8_maxim_dow: Final[Algorithm]
crc8_mifare_mad: Final[Algorithm]
crc8_nrsc_5: Final[Algorithm]
crc8_opensafety: Final[Algorithm]
crc8_rohc: Final[Algorithm]
crc8_sae_j1850: Final[Algorithm]
crc8_smbus: Final[Algorithm]
crc8_tech_3250: Final[Algorithm]
crc8_wcdma: Final[Algorithm]
djb2: Final[Algorithm]
djb2a: Final[Algorithm]
edonr256: Final[Algorithm]
edonr512: Final[Algorithm]
elf: Final[Algorithm]
fletcher16: Final[Algorithm]
fletcher32: Final[Algorithm]
fletcher64: Final[Algorithm]
fnv132: Final[Algorithm]
fnv164: Final[Algorithm]
fnv1_1024: Final[Algorithm]
fnv1_128: Final[Algorithm]
fnv1_256: Final[Algorithm]
fnv1_512: Final[Algorithm]
fnv1a32: Final[Algorithm]
fnv1a64: Final[Algorithm]
fnv1a_1024: Final[Algorithm]
fnv1a_128: Final[Algorithm]
fnv1a_256: Final[Algorithm]
fnv1a_512: Final[Algorithm]
gost: Final[Algorithm]
gost_crypto: Final[Algorithm]
groestl_224: Final[Algorithm]
groestl_256: Final[Algorithm]
groestl_384: Final[Algorithm]
groestl_512: Final[Algorithm]
has160: Final[Algorithm]
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
highwayhash_128: Final[Algorithm]
highwayhash_256: Final[Algorithm]
highwayhash_64: Final[Algorithm]
internet_checksum: Final[Algorithm]
java_hashcode: Final[Algorithm]
jh_224: Final[Algorithm]
jh_256: Final[Algorithm]
jh_384: Final[Algorithm]
jh_512: Final[Algorithm]
joaat: Final[Algorithm]
keccak_224: Final[Algorithm]
keccak_256: Final[Algorithm]
keccak_384: Final[Algorithm]
keccak_512: Final[Algorithm]
komihash: Final[Algorithm]
kt128: Final[Algorithm]
kt256: Final[Algorithm]
kupyna_224: Final[Algorithm]
kupyna_256: Final[Algorithm]
kupyna_384: Final[Algorithm]
kupyna_512: Final[Algorithm]
lrc: Final[Algorithm]
lsh256_224: Final[Algorithm]
lsh256_256: Final[Algorithm]
lsh512_224: Final[Algorithm]
lsh512_256: Final[Algorithm]
lsh512_384: Final[Algorithm]
lsh512_512: Final[Algorithm]
md2: Final[Algorithm]
md4: Final[Algorithm]
md5: Final[Algorithm]
md5_sha1: Final[Algorithm]
metrohash128: Final[Algorithm]
metrohash64: Final[Algorithm]
murmur3a: Final[Algorithm]
murmur3c: Final[Algorithm]
murmur3f: Final[Algorithm]
quickxor: Final[Algorithm]
rapidhash: Final[Algorithm]
rapidhash_nano: Final[Algorithm]
ripemd128: Final[Algorithm]
ripemd160: Final[Algorithm]
ripemd256: Final[Algorithm]
ripemd320: Final[Algorithm]
sdbm: Final[Algorithm]
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
shabal_192: Final[Algorithm]
shabal_224: Final[Algorithm]
shabal_256: Final[Algorithm]
shabal_384: Final[Algorithm]
shabal_512: Final[Algorithm]
shake128: Final[Algorithm]
shake256: Final[Algorithm]
shake_128: Final[Algorithm]
shake_256: Final[Algorithm]
siphash_1_3: Final[Algorithm]
siphash_1_3_128: Final[Algorithm]
siphash_2_4: Final[Algorithm]
siphash_2_4_128: Final[Algorithm]
skein1024_1024: Final[Algorithm]
skein1024_384: Final[Algorithm]
skein1024_512: Final[Algorithm]
skein256_128: Final[Algorithm]
skein256_160: Final[Algorithm]
skein256_224: Final[Algorithm]
skein256_256: Final[Algorithm]
skein512_128: Final[Algorithm]
skein512_160: Final[Algorithm]
skein512_224: Final[Algorithm]
skein512_256: Final[Algorithm]
skein512_384: Final[Algorithm]
skein512_512: Final[Algorithm]
sm3: Final[Algorithm]
snefru128: Final[Algorithm]
snefru256: Final[Algorithm]
spookyhash_128: Final[Algorithm]
spookyhash_32: Final[Algorithm]
spookyhash_64: Final[Algorithm]
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
turboshake128: Final[Algorithm]
turboshake256: Final[Algorithm]
whirlpool: Final[Algorithm]
xor8: Final[Algorithm]
xxh128: Final[Algorithm]
xxh3: Final[Algorithm]
xxh32: Final[Algorithm]
xxh64: Final[Algorithm]
