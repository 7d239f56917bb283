//! libxxhash: xxHash by its author.
//!
//! The calls for a whole message take bytes and a seed, and need no state. Of XXH3 there are two:
//!
//! ```text
//! xxhash     XXH3_64bits            by the instructions that its compiler may use: SSE2 in Debian
//! dispatch   XXH3_64bits_dispatch   by the best instructions of this CPU
//! ```
//!
//! A C program that includes `xxhash.h` gets the first. The second is offered where the library has
//! it.

use std::ffi::c_uint;

use crate::dlopen::Shared;
use crate::functions::Functions;

/// `XXH128_hash_t`.
#[repr(C)]
struct Hash128 {
    low: u64,
    high: u64,
}

/// The libxxhash of this machine.
pub fn load() -> Result<Functions, String> {
    let library = Shared::open("libxxhash.so.0")?;
    // SAFETY: the types are those of xxhash.h.
    let (version, xxh32, xxh64) = unsafe {
        (
            library.function::<unsafe extern "C" fn() -> c_uint>("XXH_versionNumber")?(),
            library.function::<unsafe extern "C" fn(*const u8, usize, u32) -> u32>("XXH32")?,
            library.function::<unsafe extern "C" fn(*const u8, usize, u64) -> u64>("XXH64")?,
        )
    };
    let version = format!("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
    let mut functions = Functions::new("libxxhash", &version, [("path", library.path.clone())]);
    functions.add("xxh32", "xxhash", 4, move |message, out| {
        // SAFETY: the length is the message's.
        let sum = unsafe { xxh32(message.as_ptr(), message.len(), 0) };
        out.copy_from_slice(&sum.to_be_bytes());
    });
    functions.add("xxh64", "xxhash", 8, move |message, out| {
        // SAFETY: the length is the message's.
        let sum = unsafe { xxh64(message.as_ptr(), message.len(), 0) };
        out.copy_from_slice(&sum.to_be_bytes());
    });
    // What the compiler was allowed to use, and what the library chooses for this CPU where Debian
    // builds that in.
    for (name, suffix) in [("xxhash", ""), ("dispatch", "_dispatch")] {
        // SAFETY: the types are those of xxhash.h and xxh_x86dispatch.h.
        let (xxh3, xxh128) = unsafe {
            (
                library.function::<unsafe extern "C" fn(*const u8, usize) -> u64>(&format!(
                    "XXH3_64bits{suffix}"
                )),
                library.function::<unsafe extern "C" fn(*const u8, usize) -> Hash128>(&format!(
                    "XXH3_128bits{suffix}"
                )),
            )
        };
        if let (Ok(xxh3), Ok(xxh128)) = (xxh3, xxh128) {
            functions.add("xxh3", name, 8, move |message, out| {
                // SAFETY: the length is the message's.
                let sum = unsafe { xxh3(message.as_ptr(), message.len()) };
                out.copy_from_slice(&sum.to_be_bytes());
            });
            functions.add("xxh128", name, 16, move |message, out| {
                // SAFETY: the length is the message's.
                let Hash128 { low, high } = unsafe { xxh128(message.as_ptr(), message.len()) };
                out.copy_from_slice(&(u128::from(high) << 64 | u128::from(low)).to_be_bytes());
            });
        }
    }
    Ok(functions)
}
