use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call went.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// As asked.
    Ok = 0,
    /// A pointer that must not be null is.
    NullPointer,
    /// A hasher, or an array of offsets, is not aligned as its type asks.
    Misaligned,
    /// It is no algorithm of this library: get it by hashdyno_find or hashdyno_all.
    UnknownAlgorithm,
    /// The algorithm has no kernel of that name.
    UnknownKernel,
    /// The CPU, or what the mask leaves of it, lacks what the kernel needs.
    UnsupportedKernel,
    /// A word of the CPU mask means nothing.
    BadMask,
    /// The output has not the length that the algorithm gives, or overlaps an input, or a length is
    /// beyond what memory can hold.
    WrongLength,
    /// Offsets are not ascending, or reach out of the data.
    BadOffsets,
    /// The hasher was never started.
    NotStarted,
    /// The bytes are no saved hasher.
    BadSaved,
    /// A defect of the library: please report it.
    Internal,
    /// The algorithm takes no such key, seed or secret at all.
    NoKey,
    /// The algorithm takes no key of that length, or no seed so great.
    WrongKey,
    /// A hasher stands twice among those that go on side by side.
    SameHasher,
}

/// The sentence of each status, in the order of the codes.
const SENTENCES: [&CStr; 15] = [
    c"ok",
    c"a pointer is null that must not be",
    c"a pointer is not aligned as its type asks",
    c"no such algorithm: expected one of hashdyno_find or hashdyno_all",
    c"the algorithm has no kernel of that name",
    c"the CPU, or what the mask leaves of it, lacks what the kernel needs",
    c"no CPU mask: expected all, none, or features to take away, such as -avx512f,-sha",
    c"a wrong length: expected the algorithm's output_len for each message, and no output over an \
        input",
    c"the offsets are not ascending, or reach out of the data",
    c"the hasher was not started: expected hashdyno_start before",
    c"these bytes are no saved hasher: damaged, or saved by another version or on a machine of \
        the other byte order",
    c"a defect of hashdyno: please report it",
    c"the algorithm takes no such key: expected a cryptographic hash for HMAC, a keyed BLAKE2, \
        BLAKE3, Skein, SipHash or HighwayHash, a seed of xxHash, \
        Murmur3 or SpookyHash, a secret of XXH3",
    c"a wrong key: expected another length, or a smaller seed",
    c"a hasher is there twice: expected another one for each piece",
];

/// What a status says, as a sentence; never null, and for a number that is no status "unknown
/// status".
#[unsafe(no_mangle)]
pub extern "C" fn hashdyno_message(status: i32) -> *const c_char {
    let sentence = usize::try_from(status).ok().and_then(|index| SENTENCES.get(index));
    sentence.unwrap_or(&c"unknown status").as_ptr()
}

/// Runs the body of an exported function: its error, or its panic, becomes a status.
pub(crate) fn answer(body: impl FnOnce() -> Result<(), Status>) -> Status {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(status)) => status,
        Err(_) => Status::Internal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status() {
        assert_eq!(answer(|| panic!("meant to")), Status::Internal);
        assert_eq!(answer(|| Err(Status::BadMask)), Status::BadMask);
        assert_eq!(answer(|| Ok(())), Status::Ok);
    }

    #[test]
    fn every_status_has_its_sentence() {
        assert_eq!(Status::SameHasher as usize + 1, SENTENCES.len());
    }
}
