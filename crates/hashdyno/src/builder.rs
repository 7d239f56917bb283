//! What a digest and its kernels are made of, for the tests that plant bugs into them. It may
//! change at any time.

pub use crate::digests::NAMES;
pub use crate::kernel::{Code, OneShot};
pub use crate::many::Batch;
pub use crate::state::{State, Tail};
use crate::{Cores, Cpu, Digest, Features, Kernel, ReadyKernel};

/// A digest with other parts.
///
/// # Safety
/// Start, end and kernels fit each other: each kernel takes the state that `start` leaves, and
/// writes no more than it is given.
pub unsafe fn digest(
    like: &Digest,
    start: fn(&mut State),
    finish: fn(&mut State, Tail<'_>, &mut [u8]),
    one: &'static [Kernel],
    many: &'static [Kernel],
) -> Digest {
    Digest { start, finish, one, many, ..*like }
}

/// The kind of core of a vendor and a signature, as CPUID gives them.
pub fn core(vendor: &[u8; 12], signature: u32) -> Cores {
    Cores::of(vendor, signature)
}

/// The CPU with a core of another kind.
pub fn on(cpu: &Cpu, core: Cores) -> Cpu {
    cpu.on(core)
}

/// A CPU as it is said to be.
///
/// # Safety
/// Either this machine's CPU has the features, or no kernel that was bound for the CPU is called.
pub unsafe fn forged(features: Features, core: Cores) -> Cpu {
    // SAFETY: this function's own condition.
    unsafe { Cpu::forged(features, core) }
}

/// How a digest starts.
pub fn start(digest: &Digest) -> fn(&mut State) {
    digest.start
}

/// Ends a message.
///
/// # Safety
/// The state is one of this digest, and so is the kernel in `last`.
pub unsafe fn finish(digest: &Digest, state: &mut State, tail: Tail<'_>, out: &mut [u8]) {
    (digest.finish)(state, tail, out);
}

/// Absorbs whole blocks.
///
/// # Safety
/// The state is one of the kernel's digest, and `blocks` is a multiple of its block length, and not
/// empty.
pub unsafe fn absorb(kernel: &ReadyKernel, state: &mut State, blocks: &[u8]) {
    kernel.absorb(state, blocks);
}
