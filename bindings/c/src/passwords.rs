//! Keys made of passwords.

use std::ffi::c_void;

use engine::pbkdf2_many_on;

use crate::algorithm::{self, Algorithm};
use crate::cpu::{self, CpuSet};
use crate::keyed::refused;
use crate::many::pairs;
use crate::pointers;
use crate::status::{Status, answer};

/// The keys that `count` passwords make by PBKDF2 (RFC 8018) with HMAC over the algorithm, each
/// with the salt of its number: password i being the `password_lens[i]` bytes at `passwords[i]`
/// (null if there are none), salts alike. They are computed together and go to `out` one after
/// another, all of one length: `out_len` is a multiple of `count`. No iterations are a wrong
/// length, too. `cpu` null: this machine's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_pbkdf2_many(
    algorithm: *const Algorithm,
    cpu: *const CpuSet,
    passwords: *const *const c_void,
    password_lens: *const usize,
    salts: *const *const c_void,
    salt_lens: *const usize,
    count: usize,
    iterations: u32,
    out: *mut u8,
    out_len: usize,
) -> Status {
    answer(|| {
        let digest = algorithm::digest(algorithm)?;
        // SAFETY: the header's promise.
        let (cpu, passwords, salts, out) = unsafe {
            (
                cpu::given(cpu)?,
                slices(passwords, password_lens, count)?,
                slices(salts, salt_lens, count)?,
                pointers::values_mut(out, out_len)?,
            )
        };
        if out_len.checked_rem(count).unwrap_or(out_len) != 0 {
            return Err(Status::WrongLength);
        }
        let (passwords, salts) = (passwords[..].into(), salts[..].into());
        pbkdf2_many_on(digest, &cpu, passwords, salts, iterations, out).map_err(refused)
    })
}

/// The bytes at these pointers.
///
/// # Safety
/// Pointers that are not null point to what they say.
unsafe fn slices<'a>(
    places: *const *const c_void,
    lens: *const usize,
    count: usize,
) -> Result<Vec<&'a [u8]>, Status> {
    // SAFETY: this function's own condition.
    let (places, lens) = unsafe { pairs(places, lens, count) }?;
    let pairs = places.iter().zip(lens);
    // SAFETY: as above.
    pairs.map(|(place, len)| unsafe { pointers::bytes(*place, *len) }).collect()
}
