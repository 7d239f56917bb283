//! Many messages in one call.

use std::ffi::c_void;

use engine::{Cpu, Digest, Messages, digest_many_on};

use crate::algorithm::{self, Algorithm};
use crate::cpu::{self, CpuSet};
use crate::pointers;
use crate::status::{Status, answer};

/// The digests of `count` messages, message i being the `lens[i]` bytes at `messages[i]` (null if
/// there are none): that of message i to `out` from `i * output_len` on. `out_len` is `count *
/// output_len`; `cpu` null: this machine's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_digest_many(
    algorithm: *const Algorithm,
    cpu: *const CpuSet,
    messages: *const *const c_void,
    lens: *const usize,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise.
        unsafe {
            let batch = Batch::new(algorithm::digest(algorithm)?, cpu, count, out, out_len)?;
            batch.slices(messages, lens, count)
        }
    })
}

/// As hashdyno_digest_many, for messages that lie one after another in `data`: message i from
/// `offsets[i]` up to `offsets[i + 1]`. There are `count + 1` offsets. Arrow's binary and string
/// layout.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_digest_offsets(
    algorithm: *const Algorithm,
    cpu: *const CpuSet,
    data: *const c_void,
    data_len: usize,
    offsets: *const i32,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise.
        let (batch, data, offsets) = unsafe {
            let (data, offsets) = (pointers::bytes(data, data_len)?, ends(offsets, count)?);
            pointers::apart(data, out, out_len)?;
            pointers::apart(offsets, out, out_len)?;
            (Batch::new(algorithm::digest(algorithm)?, cpu, count, out, out_len)?, data, offsets)
        };
        check(offsets, data_len)?;
        batch.digest(Messages::Offsets { data, offsets });
        Ok(())
    })
}

/// As hashdyno_digest_offsets, with 64-bit offsets: Arrow's large layout.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_digest_large_offsets(
    algorithm: *const Algorithm,
    cpu: *const CpuSet,
    data: *const c_void,
    data_len: usize,
    offsets: *const i64,
    count: usize,
    out: *mut u8,
    out_len: usize,
) -> Status {
    answer(|| {
        // SAFETY: the header's promise.
        let (batch, data, offsets) = unsafe {
            let (data, offsets) = (pointers::bytes(data, data_len)?, ends(offsets, count)?);
            pointers::apart(data, out, out_len)?;
            pointers::apart(offsets, out, out_len)?;
            (Batch::new(algorithm::digest(algorithm)?, cpu, count, out, out_len)?, data, offsets)
        };
        check(offsets, data_len)?;
        batch.digest(Messages::LargeOffsets { data, offsets });
        Ok(())
    })
}

/// As hashdyno_digest_offsets, for rows of `width` bytes, which is not 0: there are `data_len /
/// width`, and no rest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_digest_rows(
    algorithm: *const Algorithm,
    cpu: *const CpuSet,
    data: *const c_void,
    data_len: usize,
    width: usize,
    out: *mut u8,
    out_len: usize,
) -> Status {
    answer(|| {
        if width == 0 || !data_len.is_multiple_of(width) {
            return Err(Status::WrongLength);
        }
        // SAFETY: the header's promise.
        let (batch, data) = unsafe {
            let data = pointers::bytes(data, data_len)?;
            pointers::apart(data, out, out_len)?;
            (Batch::new(algorithm::digest(algorithm)?, cpu, data_len / width, out, out_len)?, data)
        };
        batch.digest(Messages::Rows { data, width });
        Ok(())
    })
}

/// What digests many messages: an algorithm, or a key.
pub(crate) trait ManyDigests {
    /// As the header's `output_len`.
    fn output_len(&self) -> usize;

    fn digest_many(&self, cpu: &Cpu, messages: Messages<'_>, out: &mut [u8]);
}

impl ManyDigests for &'static Digest {
    fn output_len(&self) -> usize {
        self.output_len
    }

    fn digest_many(&self, cpu: &Cpu, messages: Messages<'_>, out: &mut [u8]) {
        digest_many_on(self, cpu, messages, out);
    }
}

/// What digests many messages, on which CPU, and where the digests go.
pub(crate) struct Batch<'a, M> {
    many: M,
    cpu: Cpu,
    out: &'a mut [u8],
}

impl<M: ManyDigests> Batch<'_, M> {
    /// # Safety
    /// Pointers that are not null point to what they say.
    pub(crate) unsafe fn new(
        many: M,
        cpu: *const CpuSet,
        count: usize,
        out: *mut u8,
        out_len: usize,
    ) -> Result<Self, Status> {
        if count.checked_mul(many.output_len()) != Some(out_len) {
            return Err(Status::WrongLength);
        }
        // SAFETY: this function's own condition.
        let (cpu, out) = unsafe { (cpu::given(cpu)?, pointers::values_mut(out, out_len)?) };
        Ok(Self { many, cpu, out })
    }

    /// Digests all messages.
    pub(crate) fn digest(self, messages: Messages<'_>) {
        self.many.digest_many(&self.cpu, messages, self.out);
    }

    /// Digests `count` messages of these lengths at these pointers; none, if one is null that must
    /// not be.
    ///
    /// # Safety
    /// As [`Batch::new`].
    pub(crate) unsafe fn slices(
        self,
        messages: *const *const c_void,
        lens: *const usize,
        count: usize,
    ) -> Result<(), Status> {
        // SAFETY: this function's own condition.
        let (messages, lens) = unsafe { pairs(messages, lens, count) }?;
        let step = AT_ONCE * self.many.output_len();
        let mut slices = Vec::with_capacity(AT_ONCE.min(count));
        for ((messages, lens), out) in
            messages.chunks(AT_ONCE).zip(lens.chunks(AT_ONCE)).zip(self.out.chunks_mut(step))
        {
            slices.clear();
            for (message, len) in messages.iter().zip(lens) {
                // SAFETY: this function's own condition.
                slices.push(unsafe { pointers::bytes(*message, *len) }?);
            }
            self.many.digest_many(&self.cpu, Messages::Slices(&slices), out);
        }
        Ok(())
    }
}

/// Pointers to messages, of which none is null that must not be, and their lengths.
///
/// # Safety
/// As [`Batch::new`].
pub(crate) unsafe fn pairs<'a>(
    messages: *const *const c_void,
    lens: *const usize,
    count: usize,
) -> Result<(&'a [*const c_void], &'a [usize]), Status> {
    // SAFETY: this function's own condition.
    let (messages, lens) =
        unsafe { (pointers::values(messages, count)?, pointers::values(lens, count)?) };
    let mut pairs = messages.iter().zip(lens);
    match pairs.any(|(message, len)| message.is_null() && *len > 0) {
        true => Err(Status::NullPointer),
        false => Ok((messages, lens)),
    }
}

/// How many slices are made of pointers and lengths at a time: few enough to stay in the
/// first-level cache.
const AT_ONCE: usize = 1024;

/// The offsets of `count` messages; none at all may be said by null.
///
/// # Safety
/// A pointer that is not null points to `count + 1` of them.
pub(crate) unsafe fn ends<'a, T>(offsets: *const T, count: usize) -> Result<&'a [T], Status> {
    if count == 0 {
        return Ok(&[]);
    }
    // SAFETY: this function's own condition.
    unsafe { pointers::values(offsets, count.checked_add(1).ok_or(Status::WrongLength)?) }
}

pub(crate) fn check<T: Copy + Into<i64>>(offsets: &[T], data_len: usize) -> Result<(), Status> {
    let ascending = offsets
        .iter()
        .zip(offsets.iter().skip(1))
        .all(|(begin, end)| (*begin).into() <= (*end).into());
    let within =
        |offset: &T| usize::try_from((*offset).into()).is_ok_and(|offset| offset <= data_len);
    let ends = offsets.first().into_iter().chain(offsets.last());
    if ascending && { ends }.all(within) { Ok(()) } else { Err(Status::BadOffsets) }
}
