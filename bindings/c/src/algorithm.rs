//! The table of algorithms, as C reads it.

use std::ffi::{CStr, CString, c_char};
use std::ptr::{addr_of, null};
use std::sync::LazyLock;

use engine::{ALL, Cpu, Digest, Kernel, ReadyKernel};

use crate::pointers;
use crate::status::Status;

/// What an algorithm is good for today.
#[repr(C)]
pub enum Security {
    /// Finds accidents, not adversaries; never was meant to.
    Checksum,
    /// Was cryptographic; collisions are practical.
    Broken,
    /// No practical attack, but too short, too little studied or superseded: not for new designs.
    Legacy,
    /// Sound for new designs.
    Sound,
}

/// One way to compute an algorithm.
#[repr(C)]
pub struct KernelInfo {
    /// `portable`, `sha-ni`, `avx512vl` ...
    pub name: *const c_char,
    /// The CPU features it needs, separated by blanks.
    pub needs: *const c_char,
}

/// An algorithm: all there is to say of it. It belongs to the library and lasts as long as the
/// process.
#[repr(C)]
pub struct Algorithm {
    /// Its one name in output: lower case, hyphens.
    pub name: *const c_char,
    /// Every name that hashdyno_find knows it by, its own first; null after the last.
    pub names: *const *const c_char,
    /// What PHP's hash() calls it; null if PHP lacks it.
    pub php: *const c_char,
    /// What OpenSSL calls it; null if OpenSSL lacks it.
    pub openssl: *const c_char,
    /// What Python's hashlib or zlib calls it; null if Python lacks it.
    pub python: *const c_char,
    /// The document that defines it.
    pub specified_in: *const c_char,
    /// What it is good for today.
    pub security: Security,
    /// Whether it gives any length of output that is asked for (SHAKE, BLAKE3).
    pub extendable: bool,
    /// Bytes of a digest; of an extendable one, the length that is usual.
    pub output_len: usize,
    /// Bytes of a block, as HMAC (RFC 2104) takes it.
    pub block_len: usize,
    /// The digest of the nine bytes 123456789, in hexadecimal.
    pub check: *const c_char,
    /// The ways to compute it, best first; the last needs no CPU feature.
    pub kernels: *const KernelInfo,
    /// How many kernels there are.
    pub kernel_count: usize,
}

/// All algorithms, and what is best for each on this machine, found once for all: to look for it
/// takes longer than a checksum of a few bytes. What it points to is never freed.
struct Table {
    algorithms: [Algorithm; ALL.len()],
    best: [ReadyKernel; ALL.len()],
}

// SAFETY: it is never written after it was made, and points to what is never written or freed.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

static TABLE: LazyLock<Table> = LazyLock::new(|| Table {
    algorithms: ALL.map(described),
    best: ALL.map(|digest| digest.bind(Cpu::native())),
});

/// All algorithms: the first of an array; how many there are goes to `count` unless it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_all(count: *mut usize) -> *const Algorithm {
    // SAFETY: the header's promise.
    if let Ok(count) = unsafe { pointers::place(count) } {
        *count = ALL.len();
    }
    TABLE.algorithms.as_ptr()
}

/// Finds an algorithm by any of its names, in any case. Gives null if no algorithm has the name.
/// `crc32` is PHP's checksum; the CRC-32 of zip is `crc32b`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_find(name: *const c_char) -> *const Algorithm {
    // SAFETY: the header's promise.
    let name = unsafe { pointers::text(name, Status::UnknownAlgorithm) };
    let digest = name.ok().flatten().and_then(engine::find);
    let index = digest.and_then(|digest| ALL.iter().position(|known| *known == digest));
    index.map_or(null(), |index| addr_of!(TABLE.algorithms[index]))
}

/// The digest that `algorithm` describes, if it is an element of the table. It is not read, so any
/// pointer may be asked about.
pub(crate) fn digest(algorithm: *const Algorithm) -> Result<&'static Digest, Status> {
    place(&TABLE, algorithm).map(|place| ALL[place])
}

/// That digest, and its best kernel on this machine.
#[inline]
pub(crate) fn best(
    algorithm: *const Algorithm,
) -> Result<(&'static Digest, &'static ReadyKernel), Status> {
    let table = &*TABLE;
    place(table, algorithm).map(|place| (ALL[place], &table.best[place]))
}

/// Where in the table `algorithm` is.
#[inline]
fn place(table: &Table, algorithm: *const Algorithm) -> Result<usize, Status> {
    let offset = (algorithm as usize).wrapping_sub(table.algorithms.as_ptr() as usize);
    let (place, whole) =
        (offset / size_of::<Algorithm>(), offset.is_multiple_of(size_of::<Algorithm>()));
    if whole && place < ALL.len() {
        Ok(place)
    } else if algorithm.is_null() {
        Err(Status::NullPointer)
    } else {
        Err(Status::UnknownAlgorithm)
    }
}

/// The element of the table that describes `digest`; none if it has a length that is not in the
/// table.
pub(crate) fn of(digest: &Digest) -> Option<*const Algorithm> {
    let index = ALL.iter().position(|known| *known == digest)?;
    Some(addr_of!(TABLE.algorithms[index]))
}

fn described(digest: &Digest) -> Algorithm {
    let names = digest.names().map(string).chain([null()]).collect::<Vec<_>>().leak();
    let kernels = digest.kernels().map(kernel).collect::<Vec<_>>().leak();
    Algorithm {
        name: names[0],
        names: names.as_ptr(),
        php: digest.spelling.php.map_or(null(), string),
        openssl: digest.spelling.openssl.map_or(null(), string),
        python: digest.spelling.python.map_or(null(), string),
        specified_in: string(digest.specified_in),
        security: match digest.security {
            engine::Security::Checksum => Security::Checksum,
            engine::Security::Broken => Security::Broken,
            engine::Security::Legacy => Security::Legacy,
            engine::Security::Sound => Security::Sound,
        },
        extendable: digest.extendable,
        output_len: digest.output_len,
        block_len: digest.hmac_block_len(),
        check: string(digest.check().expect("the answers of every digest of the list are known")),
        kernels: kernels.as_ptr(),
        kernel_count: kernels.len(),
    }
}

fn kernel(kernel: &Kernel) -> KernelInfo {
    KernelInfo { name: string(kernel.name()), needs: string(&kernel.needs().to_string()) }
}

/// `text` with the zero byte that C wants, never freed.
fn string(text: &str) -> *const c_char {
    let text: &'static CStr =
        Box::leak(CString::new(text).expect("no name holds a zero byte").into_boxed_c_str());
    text.as_ptr()
}
