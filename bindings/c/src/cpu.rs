use std::ffi::c_char;

use engine::{Cpu, Digest, Features, ReadyKernel};

use crate::algorithm::{self, Algorithm};
use crate::pointers;
use crate::status::{Status, answer};

/// A CPU, or what a mask leaves of it. Features that this machine lacks count for nothing, whatever
/// the bits say.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CpuSet {
    /// A bit for each feature; which is which may change with the version.
    pub features: u64,
}

/// This machine's CPU, all that it has.
#[unsafe(no_mangle)]
pub extern "C" fn hashdyno_cpu_native() -> CpuSet {
    CpuSet { features: Cpu::native().features().bits() }
}

/// This machine's CPU under a mask, to `cpu`: `all`, `none`, or features to take away, such as
/// `-avx512f,-sha`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_cpu_masked(mask: *const c_char, cpu: *mut CpuSet) -> Status {
    answer(|| {
        // SAFETY: the header's promise.
        let (mask, cpu) = unsafe {
            (
                pointers::text(mask, Status::BadMask)?.ok_or(Status::NullPointer)?,
                pointers::place(cpu)?,
            )
        };
        let masked = Cpu::native().masked(mask).map_err(|_| Status::BadMask)?;
        *cpu = CpuSet { features: masked.features().bits() };
        Ok(())
    })
}

/// The names of the CPU's features (null: of this machine's), separated by blanks and ended by a
/// zero byte, to `text`, as far as its `len` bytes reach. Returns the length of all of it without
/// the zero byte, as snprintf does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_cpu_features(
    cpu: *const CpuSet,
    text: *mut c_char,
    len: usize,
) -> usize {
    // SAFETY: the header's promise.
    let (cpu, text) = unsafe { (given(cpu), pointers::values_mut(text.cast::<u8>(), len)) };
    let features = cpu.unwrap_or(*Cpu::native()).features().to_string();
    if let Ok(text) = text
        && let Some(room) = text.len().checked_sub(1)
    {
        let fits = features.len().min(room);
        text[..fits].copy_from_slice(&features.as_bytes()[..fits]);
        text[fits] = 0;
    }
    features.len()
}

/// Which of the algorithm's kernels a hasher gets on this CPU (null: this machine's) if none is
/// asked for: its place in `kernels`, to `index`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_kernel_of(
    algorithm: *const Algorithm,
    cpu: *const CpuSet,
    index: *mut usize,
) -> Status {
    answer(|| {
        let digest = algorithm::digest(algorithm)?;
        // SAFETY: the header's promise.
        let (cpu, index) = unsafe { (given(cpu)?, pointers::place(index)?) };
        let chosen = digest.kernel(&cpu);
        *index = digest
            .kernels()
            .position(|kernel| std::ptr::eq(kernel, chosen))
            .ok_or(Status::Internal)?;
        Ok(())
    })
}

/// The CPU that was handed over; this machine's for null.
///
/// # Safety
/// A pointer that is not null points to one.
pub(crate) unsafe fn given(cpu: *const CpuSet) -> Result<Cpu, Status> {
    let native = *Cpu::native();
    if cpu.is_null() {
        return Ok(native);
    }
    // SAFETY: this function's own condition.
    let set = unsafe { pointers::values(cpu, 1) }?[0];
    Ok(native.without(!Features::from_bits_truncate(set.features)))
}

/// Does `body` with the digest that `algorithm` describes, and its kernel of that name, or the
/// best, on that CPU. The best of this machine is lent, not copied: to copy it took longer than a
/// checksum of a few bytes.
///
/// # Safety
/// Pointers that are not null point to what they say.
#[inline]
pub(crate) unsafe fn with_kernel(
    algorithm: *const Algorithm,
    kernel: *const c_char,
    cpu: *const CpuSet,
    body: impl FnOnce(&'static Digest, &ReadyKernel) -> Result<(), Status>,
) -> Result<(), Status> {
    if kernel.is_null() && cpu.is_null() {
        let (digest, best) = algorithm::best(algorithm)?;
        return body(digest, best);
    }
    // SAFETY: this function's own condition.
    let (digest, chosen) = unsafe { chosen(algorithm, kernel, cpu) }?;
    body(digest, &chosen)
}

/// What [`with_kernel`] takes where the caller has a wish.
///
/// # Safety
/// As [`with_kernel`].
#[cold]
unsafe fn chosen(
    algorithm: *const Algorithm,
    kernel: *const c_char,
    cpu: *const CpuSet,
) -> Result<(&'static Digest, ReadyKernel), Status> {
    let digest = algorithm::digest(algorithm)?;
    // SAFETY: this function's own condition.
    let (name, cpu) = unsafe { (pointers::text(kernel, Status::UnknownKernel)?, given(cpu)?) };
    let Some(name) = name else {
        return Ok((digest, digest.bind(&cpu)));
    };
    let kernel =
        digest.kernels().find(|kernel| kernel.name() == name).ok_or(Status::UnknownKernel)?;
    kernel.bind(&cpu).map(|ready| (digest, ready)).ok_or(Status::UnsupportedKernel)
}
