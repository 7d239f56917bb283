use std::fmt;

use crate::{Batch, Cpu, Features, State};

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
    /// The same, and whole messages by functions that need no state: for digests of which a short message takes less than one.
    Whole(unsafe fn(&mut State, &[u8]), Whole),
    /// Takes whole messages, so many at a time, one in each lane of its vectors.
    Many(usize, unsafe fn(&mut Batch<'_>)),
}

/// What a kernel does with whole messages. Both functions give what [`Absorb::One`] and [`crate::Digest::finish`] would.
#[derive(Clone, Copy)]
pub struct Whole {
    /// Writes the digest of a message to all of the output, as long as [`crate::Digest::finish`] takes it.
    pub digest: unsafe fn(&[u8], out: &mut [u8]),
    /// Digests every message of a batch: `Batch::each` of the function above, compiled into one loop.
    pub each: unsafe fn(&mut Batch<'_>),
}

/// [`Whole`] of a function from a message to all of its output, marked `#[inline]` and compiled for the same features; in brackets
/// what it is generic over.
///
/// ```ignore
/// whole!("avx2", [H: Hash] digest::<H>)
/// ```
macro_rules! whole {
    ($($features:literal,)? [$($hash:ident: $bound:path)?] $digest:expr) => {{
        $(#[target_feature(enable = $features)])?
        fn every$(<$hash: $bound>)?(batch: &mut $crate::Batch<'_>) {
            batch.each(|message, out| $digest(message, out));
        }
        $crate::Whole { digest: $digest, each: every$(::<$hash>)? }
    }};
}
pub(crate) use whole;

impl Kernel {
    /// A kernel that any CPU can run.
    pub const fn portable(absorb: fn(&mut State, &[u8])) -> Self {
        Self { name: "portable", needs: Features::empty(), absorb: Absorb::One(absorb) }
    }

    /// This kernel, if it takes one message and `cpu` has what it needs.
    pub fn bind(&'static self, cpu: &Cpu) -> Option<Bound> {
        match self.absorb {
            Absorb::One(absorb) => cpu.has(self.needs).then_some(Bound { name: self.name, absorb, whole: None }),
            Absorb::Whole(absorb, whole) => cpu.has(self.needs).then_some(Bound { name: self.name, absorb, whole: Some(whole) }),
            Absorb::Many(..) => None,
        }
    }

    /// This kernel, if it takes many messages and `cpu` has what it needs.
    pub fn bind_many(&'static self, cpu: &Cpu) -> Option<BoundMany> {
        match self.absorb {
            Absorb::One(_) | Absorb::Whole(..) => None,
            Absorb::Many(lanes, absorb) => cpu.has(self.needs).then_some(BoundMany { name: self.name, lanes, absorb }),
        }
    }
}

/// A kernel for one message together with the proof that the CPU has what it needs.
#[derive(Clone, Copy)]
pub struct Bound {
    name: &'static str,
    absorb: unsafe fn(&mut State, &[u8]),
    whole: Option<Whole>,
}

impl Bound {
    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Absorbs whole blocks: the length of `blocks` is a multiple of the digest's block length, and not 0.
    #[inline]
    pub fn absorb(&self, state: &mut State, blocks: &[u8]) {
        // SAFETY: a `Bound` is made by `Kernel::bind` alone, which has checked that the CPU has the features that
        // the function was compiled for.
        unsafe { (self.absorb)(state, blocks) }
    }

    /// Writes the digest of a whole message to `out`; false if this kernel has no function for that.
    #[inline]
    pub(crate) fn digest_whole(&self, message: &[u8], out: &mut [u8]) -> bool {
        let Some(whole) = &self.whole else { return false };
        // SAFETY: as in `absorb`.
        unsafe { (whole.digest)(message, out) };
        true
    }

    /// Digests every message of a batch, which is of a digest that has this kernel.
    pub(crate) fn digest_each(&self, batch: &mut Batch<'_>) {
        match &self.whole {
            // SAFETY: as in `absorb`.
            Some(whole) => unsafe { (whole.each)(batch) },
            None => batch.one_by_one(),
        }
    }
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Bound").field(&self.name()).finish()
    }
}

/// A kernel for many messages together with the proof that the CPU has what it needs.
#[derive(Clone, Copy)]
pub struct BoundMany {
    name: &'static str,
    lanes: usize,
    absorb: unsafe fn(&mut Batch<'_>),
}

impl BoundMany {
    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How many messages it takes at a time.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Takes all messages of the batch, which is of a digest that has this kernel.
    pub(crate) fn absorb(&self, batch: &mut Batch<'_>) {
        // SAFETY: a `BoundMany` is made by `Kernel::bind_many` alone, which has checked that the CPU has the features that
        // the function was compiled for.
        unsafe { (self.absorb)(batch) }
    }
}

impl fmt::Debug for BoundMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BoundMany").field(&self.name()).finish()
    }
}
