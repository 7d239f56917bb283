//! ISA-L's checksums.
//!
//! Each function takes a checksum so far and bytes, without a context: nothing is freed. The entry
//! points choose the instructions of the CPU themselves. `isal_adler32` and `crc64_ecma_refl` come
//! from other headers than the CRCs of 32 bits, and `libisal.so.2` has all five. The library does
//! not tell its version, so it is read from the file's name.

use std::ffi::{c_int, c_uint};

use crate::dlopen::Shared;
use crate::functions::Functions;

type Crc32 = unsafe extern "C" fn(u32, *const u8, u64) -> u32;

/// The ISA-L of this machine.
pub fn load() -> Result<Functions, String> {
    let library = Shared::open("libisal.so.2")?;
    // SAFETY: the types are those of crc.h, crc64.h and igzip_lib.h.
    let (gzip, ieee, adler32, iscsi, ecma) = unsafe {
        (
            library.function::<Crc32>("crc32_gzip_refl")?,
            library.function::<Crc32>("crc32_ieee")?,
            library.function::<Crc32>("isal_adler32")?,
            library.function::<unsafe extern "C" fn(*const u8, c_int, c_uint) -> c_uint>(
                "crc32_iscsi",
            )?,
            library
                .function::<unsafe extern "C" fn(u64, *const u8, u64) -> u64>("crc64_ecma_refl")?,
        )
    };
    let mut functions = Functions::new("isa-l", &library.version(), [("path", library.path)]);
    functions.add("crc32b", "isa-l", 4, move |message, out| {
        // SAFETY: the length is the message's.
        let sum = unsafe { gzip(0, message.as_ptr(), message.len() as u64) };
        out.copy_from_slice(&sum.to_be_bytes());
    });
    // PHP's order of the bytes, which is ours too.
    functions.add("crc32-bzip2", "isa-l", 4, move |message, out| {
        // SAFETY: the length is the message's.
        let sum = unsafe { ieee(0, message.as_ptr(), message.len() as u64) };
        out.copy_from_slice(&sum.to_le_bytes());
    });
    functions.add("adler32", "isa-l", 4, move |message, out| {
        // SAFETY: the length is the message's.
        let sum = unsafe { adler32(1, message.as_ptr(), message.len() as u64) };
        out.copy_from_slice(&sum.to_be_bytes());
    });
    functions.add("crc32c", "isa-l", 4, move |message, out| {
        // Unlike the other functions, `crc32_iscsi` inverts neither before nor after.
        // SAFETY: the length is the message's, which the protocol keeps within an int.
        let sum = unsafe { iscsi(message.as_ptr(), message.len() as c_int, !0) };
        out.copy_from_slice(&(!sum).to_be_bytes());
    });
    functions.add("crc64-xz", "isa-l", 8, move |message, out| {
        // SAFETY: the length is the message's.
        let sum = unsafe { ecma(0, message.as_ptr(), message.len() as u64) };
        out.copy_from_slice(&sum.to_be_bytes());
    });
    Ok(functions)
}
