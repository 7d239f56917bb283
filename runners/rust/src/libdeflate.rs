//! libdeflate's checksums.
//!
//! `libdeflate_crc32` begins with 0 and `libdeflate_adler32` with 1, as zlib's do. They choose the
//! instructions of the CPU at the first call, and own no memory.

use crate::dlopen::Shared;
use crate::functions::Functions;

/// A checksum so far, and what follows.
type Update = unsafe extern "C" fn(u32, *const u8, usize) -> u32;

/// The libdeflate of this machine.
pub fn load() -> Result<Functions, String> {
    let library = Shared::open("libdeflate.so.0")?;
    // SAFETY: the types are those of libdeflate.h.
    let (crc32, adler32) = unsafe {
        (
            library.function::<Update>("libdeflate_crc32")?,
            library.function::<Update>("libdeflate_adler32")?,
        )
    };
    let mut functions = Functions::new("libdeflate", &library.version(), [("path", library.path)]);
    functions.add("crc32b", "libdeflate", 4, move |message, out| {
        // SAFETY: the length is the message's.
        let sum = unsafe { crc32(0, message.as_ptr(), message.len()) };
        out.copy_from_slice(&sum.to_be_bytes());
    });
    functions.add("adler32", "libdeflate", 4, move |message, out| {
        // SAFETY: the length is the message's.
        let sum = unsafe { adler32(1, message.as_ptr(), message.len()) };
        out.copy_from_slice(&sum.to_be_bytes());
    });
    Ok(functions)
}
