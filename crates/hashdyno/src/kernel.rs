use std::fmt;

use crate::{Cpu, Features, State};

/// One way to compute a digest: straight Rust, an instruction set, somebody's crate.
pub struct Kernel {
    /// `portable`, `sha-ni`, `avx512vl` ...
    pub name: &'static str,
    /// What the CPU must have.
    pub needs: Features,
    /// The code.
    pub absorb: Absorb,
}

/// The code of a kernel.
#[derive(Clone, Copy)]
pub enum Absorb {
    /// Takes a run of whole blocks of one message (never empty). A `#[target_feature]` function stays safe and coerces to this.
    One(unsafe fn(&mut State, &[u8])),
}

impl Kernel {
    /// A kernel that any CPU can run.
    pub const fn portable(absorb: fn(&mut State, &[u8])) -> Self {
        Self { name: "portable", needs: Features::empty(), absorb: Absorb::One(absorb) }
    }

    /// This kernel, if `cpu` has what it needs.
    pub fn bind(&'static self, cpu: &Cpu) -> Option<Bound> {
        cpu.has(self.needs).then_some(Bound { kernel: self })
    }
}

/// A kernel together with the proof that the CPU has what it needs.
#[derive(Clone, Copy)]
pub struct Bound {
    kernel: &'static Kernel,
}

impl Bound {
    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        self.kernel.name
    }

    /// Absorbs whole blocks: the length of `blocks` is a multiple of the digest's block length, and not 0.
    #[inline]
    pub fn absorb(&self, state: &mut State, blocks: &[u8]) {
        let Absorb::One(absorb) = self.kernel.absorb;
        // SAFETY: a `Bound` is made by `Kernel::bind` alone, which has checked that the CPU has the features that
        // the function was compiled for.
        unsafe { absorb(state, blocks) }
    }
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bound").field(&self.name()).finish()
    }
}
