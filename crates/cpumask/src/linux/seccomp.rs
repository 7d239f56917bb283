//! A seccomp filter that stops the system calls by which memory becomes executable, and costs no other a stop.

use std::io;

use libc::{BPF_ABS, BPF_JEQ, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

/// From here on, mmap, mprotect and pkey_mprotect with PROT_EXEC are stops for the tracer, in this thread and in all that comes of
/// it. Without a tracer they fail.
pub fn stop_at_new_code() -> io::Result<()> {
    let mut filter = [
        load(4), // the architecture: a 32-bit program is not followed
        unless(BPF_JEQ, AUDIT_ARCH_X86_64, 6),
        load(0), // the number of the system call
        when(libc::SYS_mmap as u32, 2),
        when(libc::SYS_mprotect as u32, 1),
        unless(BPF_JEQ, libc::SYS_pkey_mprotect as u32, 2),
        load(PROTECTION),
        when_set(libc::PROT_EXEC as u32, 1),
        give(libc::SECCOMP_RET_ALLOW),
        give(libc::SECCOMP_RET_TRACE),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    install(&program).or_else(|error| match error.raw_os_error() {
        Some(libc::EACCES) => no_new_privileges().and_then(|()| install(&program)),
        _ => Err(error),
    })
}

fn install(program: &libc::sock_fprog) -> io::Result<()> {
    // Without SPEC_ALLOW older kernels switch mitigations on that slow down what is measured.
    let flags = libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    // SAFETY: the program and its instructions outlive the call.
    check(unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, program) })
}

/// What a user without privileges must promise before a filter. A traced program gains none by a set-user-id bit anyway.
fn no_new_privileges() -> io::Result<()> {
    // SAFETY: numbers only.
    check(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }.into())
}

fn check(result: libc::c_long) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Loads a word of `struct seccomp_data`.
const fn load(offset: u32) -> sock_filter {
    sock_filter { code: (BPF_LD | BPF_W | BPF_ABS) as u16, jt: 0, jf: 0, k: offset }
}

/// Skips `skip` instructions if the word is `k`.
const fn when(k: u32, skip: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | BPF_JEQ | BPF_K) as u16, jt: skip, jf: 0, k }
}

/// Skips `skip` instructions if the word has a bit of `k`.
const fn when_set(k: u32, skip: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | BPF_JSET | BPF_K) as u16, jt: skip, jf: 0, k }
}

/// Skips `skip` instructions unless the test with `k` holds.
const fn unless(test: u32, k: u32, skip: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | test | BPF_K) as u16, jt: 0, jf: skip, k }
}

const fn give(verdict: u32) -> sock_filter {
    sock_filter { code: (BPF_RET | BPF_K) as u16, jt: 0, jf: 0, k: verdict }
}

/// The lower half of the third argument: the protection, in all three calls.
const PROTECTION: u32 = 32;
const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;
