//! The CRCs that have names in Rust; every other one is found by its name.

use super::crc;
use super::names_of::named;
pub(crate) use crc::DIGESTS;
pub use crc::{crc32b, crc64_xz};

named! {
    [super::named(super::DIGESTS, "crc32-bzip2")] CRC32_BZIP2 crc32_bzip2 Crc32Bzip2: u32,
    [super::named(super::DIGESTS, "crc32b")] CRC32B (crc32b) Crc32b: u32,
    [super::named(super::DIGESTS, "crc32c")] CRC32C crc32c Crc32c: u32,
    [super::named(super::DIGESTS, "crc64-xz")] CRC64_XZ (crc64_xz) Crc64Xz: u64,
    [super::named(super::DIGESTS, "cksum")] CKSUM cksum Cksum: u32,
}
