//! One call of a kernel between two breakpoints, so that a debugger can read which instructions it
//! takes: `campaigns/ports` does. Without a debugger the first breakpoint ends the program.
//!
//! usage: stepped DIGEST KERNEL LENGTH [COUNT]
//!
//! KERNEL is a kernel's name. `function` and `loop` stand for the best kernel for one message.

use hashdyno::{Cpu, Digest, Messages, ReadyKernel, digest_many_by};

fn main() {
    let mut words = std::env::args().skip(1);
    let mut word = || words.next();
    let (Some(digest), Some(kernel), Some(length)) = (word(), word(), word()) else {
        panic!("expected DIGEST KERNEL LENGTH [COUNT]");
    };
    let digest = hashdyno::find(&digest).expect("a digest");
    let length = length.parse().expect("bytes");
    match word() {
        None => one(digest, &kernel, length),
        Some(count) => many(digest, &kernel, length, count.parse().expect("messages")),
    }
}

fn one(digest: &'static Digest, kernel: &str, length: usize) {
    let (kernel, message) = (one_kernel(digest, kernel).expect("a kernel"), vec![0x5a; length]);
    let mut out = vec![0; digest.output_len];
    stepped(|| digest.digest_into(&kernel, &message, &mut out));
}

fn many(digest: &'static Digest, kernel: &str, width: usize, count: usize) {
    let many = digest.ready_lanes(Cpu::native()).find(|many| many.name() == kernel);
    let one = if many.is_none() { one_kernel(digest, kernel) } else { None };
    assert!(many.is_some() || one.is_some(), "a kernel");
    let one = one.unwrap_or_else(|| digest.bind(Cpu::native()));
    let (data, mut out) = (vec![0x5a; width * count], vec![0; digest.output_len * count]);
    let messages = Messages::Rows { data: &data, width };
    stepped(|| digest_many_by(digest, many.as_ref(), &one, messages, &mut out));
}

fn one_kernel(digest: &'static Digest, name: &str) -> Option<ReadyKernel> {
    match name {
        "function" | "loop" => Some(digest.bind(Cpu::native())),
        name => digest.ready(Cpu::native()).find(|kernel| kernel.name() == name),
    }
}

/// Calls it three times, the last time between breakpoints: then nothing is done for the first
/// time.
fn stepped(mut call: impl FnMut()) {
    call();
    call();
    breakpoint();
    call();
    breakpoint();
}

#[cfg(target_arch = "x86_64")]
fn breakpoint() {
    // SAFETY: a debugger goes on behind it, and without one the program ends.
    unsafe { std::arch::asm!("int3") }
}

#[cfg(not(target_arch = "x86_64"))]
fn breakpoint() {
    panic!("`campaigns/ports` has models of x86-64 CPUs alone");
}
