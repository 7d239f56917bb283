//! Whirlpool by look-ups in assembly. Rounds are inlined: as calls they take a fifth longer.

use bytemuck::cast;

use super::{TABLES, absorb_by};
use crate::parts::mds::x86_64::shifted;
use crate::{Code, Features, Kernel, State};

/// For CPUs without AVX2: every x86-64 CPU has SSE2.
pub(super) const X86_64: Kernel = Kernel::of("x86-64", Features::SSE2, Code::Blocks(absorb));

fn absorb(state: &mut State, blocks: &[u8]) {
    absorb_by(state, blocks, |rows, key, result| {
        *result = cast(shifted(&TABLES, rows, cast(*key)));
    });
}
