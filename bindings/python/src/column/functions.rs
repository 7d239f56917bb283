//! Checksums that are compiled into their callers. Of a short row they take a few nanoseconds, as
//! much as it takes to put its place into a list and its digest into another order.
//!
//! Such a function is inlined into the loop over the rows, with no call by a pointer. Under a key,
//! and for hexadecimal, the usual way is taken.

use std::ops::Range;

use hashdyno::Digest;

use super::values::{Problem, Values};

/// Fills a slot for each of these values, if the digest is such a function; says whether it is.
/// Integers have the machine's order of bytes, others the most significant byte first.
pub fn fill(
    digest: &Digest,
    is_integer: bool,
    values: &Values<'_>,
    numbers: Range<usize>,
    slots: &mut [u8],
) -> Result<bool, Problem> {
    macro_rules! functions {
        ($($name:literal $function:path),*) => {
            match digest.name {
                $($name => each(values, numbers, slots, |row| {
                    let value = $function(row);
                    if is_integer { value.to_ne_bytes() } else { value.to_be_bytes() }
                })?,)*
                _ => return Ok(false),
            }
        };
    }
    functions!(
        "xxh3" hashdyno::xxh3, "crc32b" hashdyno::crc32b, "crc32c" hashdyno::crc32c,
        "crc64-nvme" hashdyno::crc64_nvme, "crc64-xz" hashdyno::crc64_xz
    );
    Ok(true)
}

fn each<const LEN: usize>(
    values: &Values<'_>,
    numbers: Range<usize>,
    slots: &mut [u8],
    function: impl Fn(&[u8]) -> [u8; LEN],
) -> Result<(), Problem> {
    let mut slots = slots.as_chunks_mut::<LEN>().0.iter_mut();
    values.each(numbers, |row| {
        if let Some(slot) = slots.next() {
            *slot = function(row);
        }
    })
}
