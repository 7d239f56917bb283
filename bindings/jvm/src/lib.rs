//! What `hashdyno.spark.Native` calls, by the Java Native Interface. Only numbers cross it:
//! messages and digests lie outside of the JVM's heap, and are given by their addresses. So no
//! function of the JVM is called, and the garbage collector may run meanwhile.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use hashdyno::{Cpu, Digest, Messages};

/// The algorithm with that name of `len` bytes, as an address; 0 if none has it.
///
/// # Safety
/// The name's bytes lie at that address.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_hashdyno_spark_Native_find(
    _environment: *const c_void,
    _class: *const c_void,
    name: i64,
    len: i32,
) -> i64 {
    // SAFETY: this function's own condition.
    let name = unsafe { slice::from_raw_parts(name as *const u8, len as usize) };
    let found = str::from_utf8(name).ok().and_then(hashdyno::find_outside_php);
    found.map_or(0, |digest| &raw const *digest as i64)
}

/// How many bytes a digest has.
///
/// # Safety
/// An algorithm that was found.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_hashdyno_spark_Native_digestLen(
    _environment: *const c_void,
    _class: *const c_void,
    algorithm: i64,
) -> i32 {
    // SAFETY: this function's own condition; algorithms live as long as the program.
    unsafe { &*(algorithm as *const Digest) }.output_len as i32
}

/// The digests of `count` messages to `digests`, one after another, and in lower-case hexadecimal
/// to `hex` unless that is 0. Message i lies at `data`, from `offsets[i]` up to `offsets[i + 1]`.
/// Whether it was done: if not, this library has an error.
///
/// # Safety
/// - The algorithm was found.
/// - There are `count + 1` offsets of 64 bits, sorted, and as many bytes of data as the last says.
/// - `digests` has room for as many digests, `hex` for twice as many bytes. Nobody else uses both.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_hashdyno_spark_Native_digest(
    _environment: *const c_void,
    _class: *const c_void,
    algorithm: i64,
    data: i64,
    offsets: i64,
    count: i32,
    digests: i64,
    hex: i64,
) -> bool {
    let count = count as usize;
    // SAFETY: this function's own condition.
    let (digest, data, offsets, digests, hex) = unsafe {
        let digest = &*(algorithm as *const Digest);
        let offsets = slice::from_raw_parts(offsets as *const i64, count + 1);
        let data = slice::from_raw_parts(data as *const u8, offsets[count] as usize);
        let len = count * digest.output_len;
        let digests = slice::from_raw_parts_mut(digests as *mut u8, len);
        let hex = (hex != 0).then(|| slice::from_raw_parts_mut(hex as *mut u8, 2 * len));
        (digest, data, offsets, digests, hex)
    };
    // A panic must not cross the interface.
    catch_unwind(AssertUnwindSafe(|| {
        let messages = Messages::LargeOffsets { data, offsets };
        hashdyno::digest_many_on(digest, Cpu::native(), messages, digests);
        if let Some(hex) = hex {
            const_hex::encode_to_slice(digests, hex).expect("two digits for each byte");
        }
    }))
    .is_ok()
}
