//! Streebog by look-ups in assembly. Rounds are inlined, as those of Whirlpool are.

use bytemuck::cast;

use super::{TABLES, absorb_by};
use crate::parts::mds::x86_64::transposed;
use crate::{Code, Features, Kernel, State};

/// For CPUs without the vectors of the other kernels: every x86-64 CPU has SSE2.
pub(super) const X86_64: Kernel = Kernel::of("x86-64", Features::SSE2, Code::Blocks(absorb));

fn absorb(state: &mut State, blocks: &[u8]) {
    absorb_by(state, blocks, |rows, key, result| {
        *result = cast(transposed(&TABLES, rows, cast(*key)));
    });
}
