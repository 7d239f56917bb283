//! Kernels of the catalogue by carry-less multiplication: those of `crc/aarch64.rs`, with numbers
//! from memory.

use super::super::BitOrder;
use super::super::aarch64::{PMULL, after_blocks};
use super::entry::Running;
use crate::{Code, Kernel, State};

/// 16 bytes at a time.
pub(super) const fn pmull<O: BitOrder>() -> Kernel {
    Kernel::of("pmull", PMULL, Code::Blocks(absorb::<O>))
}

#[target_feature(enable = "neon,aes")]
fn absorb<O: BitOrder>(state: &mut State, bytes: &[u8]) {
    let running: &mut Running = state.view();
    running.register = if bytes.len() < 16 {
        running.entry().after(running.register, bytes)
    } else {
        after_blocks(running.folding::<O>(), running.register, bytes)
    };
}
