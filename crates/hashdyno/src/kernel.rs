//! Kernels: each is one way to compute a digest, with the CPU features that its code needs.
//!
//! A digest has a list of kernels for one message and a list for many (`Digest::one`,
//! `Digest::many`). The macros in `kernel/rows.rs` write both lists for each architecture.
//!
//! ```text
//! Kernel                       a constant of the library
//!     needs                    CPU features without which the code must not run
//!     suits, beaten_by         where the kernel is worth it; no matter of soundness
//!     resumes, updates,        abilities of lanes beside whole messages that begin
//!       iterates                 with the initial value
//!     code = Blocks            absorb(state, blocks): whole blocks of one message
//!            OneShot           the same, and functions of whole messages without a state
//!            Lanes             absorb(batch): many messages, one in each lane
//!       |
//!       |  Kernel::bind, Kernel::bind_many: has this CPU all of `needs`?
//!       v
//! ReadyKernel, ReadyLanes      a kernel with the proof, which safe code may call
//! ```
//!
//! `Digest::kernel` chooses the first kernel of the list that the CPU can run and that is worth it
//! there. If no kernel suits it, it chooses the first that the CPU can run.
//!
//! Invariants:
//!
//! - Only `bind` and `bind_many` make a `ReadyKernel` or a `ReadyLanes`. So the CPU has the
//!   features whenever the code is called.
//! - Safe code cannot declare fewer features than its code has. The fields of `Kernel` are private,
//!   and `Kernel::new` is unsafe.
//! - `absorb` is given whole blocks, and at least one.
//! - A one-shot function writes `OneShot::output_len` bytes. Its caller compares that number with
//!   the length of the output. Kernels without such functions have `usize::MAX` there.
//!
//! One-shot functions serve short messages. To set up a state and to call through pointers takes
//! longer than a checksum of five bytes.

use std::fmt;

use crate::{Batch, Cores, Cpu, Features, State};

mod rows;

pub(crate) use rows::{kernels, many_kernels};

/// One way to compute a digest: straight Rust, an instruction set, somebody's crate.
///
/// Safe code cannot make one that needs less than its code does:
///
/// ```compile_fail,E0451
/// # use hashdyno::{Features, Kernel};
/// fn lie(kernel: &Kernel) -> Kernel {
///     Kernel { needs: Features::empty(), ..*kernel }
/// }
/// ```
///
/// ```compile_fail,E0133
/// # use hashdyno::{Features, Kernel, builder::{Code, State}};
/// #[target_feature(enable = "avx512f")]
/// fn absorb(_: &mut State, _: &[u8]) {}
/// let kernel = Kernel::new("lie", Features::empty(), Code::Blocks(absorb));
/// ```
///
/// ```compile_fail,E0308
/// # use hashdyno::{Kernel, builder::State};
/// #[target_feature(enable = "avx512f")]
/// fn absorb(_: &mut State, _: &[u8]) {}
/// let kernel = Kernel::portable(absorb);
/// ```
pub struct Kernel {
    name: &'static str,
    needs: Features,
    suits: Cores,
    beaten_by: Option<Features>,
    resumes: bool,
    updates: bool,
    iterates: bool,
    code: Code,
}

/// The code of a kernel.
#[derive(Clone, Copy)]
pub enum Code {
    /// Takes a run of whole blocks of one message (never empty). A `#[target_feature]` function
    /// stays safe and coerces to this.
    Blocks(unsafe fn(&mut State, &[u8])),
    /// The same, and whole messages by functions that need no state: for digests of which a short
    /// message takes less than one.
    OneShot(unsafe fn(&mut State, &[u8]), OneShot),
    /// Takes whole messages, so many at a time, one in each lane of its vectors.
    Lanes(usize, unsafe fn(&mut Batch<'_>)),
}

/// What a kernel does with whole messages, for digests of one length. Both functions give what
/// [`Code::Blocks`] and `Digest::finish` would.
#[derive(Clone, Copy)]
pub struct OneShot {
    /// That length in bytes; other digests of the message, where there are any, are not computed by
    /// these functions.
    pub output_len: usize,
    /// Writes the digest of a message to where there is room for it.
    pub digest: unsafe fn(&[u8], out: *mut u8),
    /// Digests every message of a batch of digests of that length: `Batch::each` of the function
    /// above, compiled into one loop.
    pub each: unsafe fn(&mut Batch<'_>),
}

impl OneShot {
    /// For kernels without such functions: no output is so long. One comparison says whether they
    /// can be called.
    const NONE: Self = Self { output_len: usize::MAX, digest: |_, _| (), each: |_| () };
}

/// Makes a [`OneShot`] from an expression that writes the digest of a message to all of `out`.
///
/// Parameters: the CPU features of its code, if it needs any; in brackets the generic parameters of
/// its functions and the arguments for them; the length of the digest in bytes; the expression.
/// This is a macro because the compiler would not always inline a function that is passed to one.
///
/// ```ignore
/// one_shot!("avx2", [<H: Hash>] [::<H>] size_of::<H>(), |message, out| {
///     H::short(message).write(out)
/// })
/// ```
macro_rules! one_shot {
    (
        $($features:literal,)? [$($generics:tt)*] [$($arguments:tt)*] $len:expr,
        |$message:ident, $out:ident| $digest:expr
    ) => {{
        $(#[target_feature(enable = $features)])?
        #[inline]
        unsafe fn one_shot$($generics)*($message: &[u8], out: *mut u8) {
            // SAFETY: this function's own condition. A length that the compiler knows is not
            // checked.
            let $out = unsafe { std::slice::from_raw_parts_mut(out, $len) };
            $digest
        }

        $(#[target_feature(enable = $features)])?
        unsafe fn every$($generics)*(batch: &mut $crate::Batch<'_>) {
            // SAFETY: this function's own condition.
            batch.each(|message, out| unsafe { one_shot$($arguments)*(message, out.as_mut_ptr()) });
        }

        $crate::OneShot {
            output_len: $len,
            digest: one_shot$($arguments)*,
            each: every$($arguments)*,
        }
    }};
}
pub(crate) use one_shot;

impl Kernel {
    /// A kernel of that name for CPUs with these features.
    ///
    /// # Safety
    /// Every CPU that has `needs` can run the code. The code reads the blocks or messages that it
    /// is given and writes the state or the digests that it is given, and nothing else.
    pub const unsafe fn new(name: &'static str, needs: Features, code: Code) -> Self {
        Self::of(name, needs, code)
    }

    /// The same within this crate, each of whose kernels is tried by `tests/every_kernel.rs`.
    ///
    /// On a CPU that has every feature, tests notice no mistake in `needs`. So macros compare it
    /// with what the code is compiled for, by [`Features::covering`]. A test reads all other calls:
    /// `crates/cli/tests/attributes.rs`.
    pub(crate) const fn of(name: &'static str, needs: Features, code: Code) -> Self {
        Self {
            name,
            needs,
            suits: Cores::all(),
            beaten_by: None,
            resumes: false,
            updates: false,
            iterates: false,
            code,
        }
    }

    /// A kernel that any CPU can run.
    pub const fn portable(absorb: fn(&mut State, &[u8])) -> Self {
        Self::of("portable", Features::empty(), Code::Blocks(absorb))
    }

    /// The same, worth it on these cores alone.
    pub(crate) const fn only(self, cores: Cores) -> Self {
        Self { suits: self.suits.intersection(cores), ..self }
    }

    /// The same, not worth it on these cores.
    pub(crate) const fn except(self, cores: Cores) -> Self {
        Self { suits: self.suits.difference(cores), ..self }
    }

    /// The same, which goes on from a state that a batch gives (`Batch::start`, `Batch::taken`).
    pub(crate) const fn resuming(self) -> Self {
        Self { resumes: true, ..self }
    }

    /// The same, which takes pieces of messages that go on (`Batch::of_chains`).
    pub(crate) const fn updating(self) -> Self {
        Self { updates: true, ..self }
    }

    /// The same, which iterates HMACs where a batch says so (`Batch::iterated`), if that is true.
    pub(crate) const fn iterating(self, iterates: bool) -> Self {
        Self { iterates, ..self }
    }

    /// The same lanes, not worth it where the CPU has these features: a kernel for one message that
    /// needs them is faster.
    pub(crate) const fn beaten_by(self, features: Features) -> Self {
        Self { beaten_by: Some(features), ..self }
    }

    /// The kernel's name: `portable`, `sha-ni`, `avx512vl` ...
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What the CPU must have: without that the code must not run.
    pub fn needs(&self) -> Features {
        self.needs
    }

    /// On which cores it is worth it.
    pub fn suits(&self) -> Cores {
        self.suits
    }

    /// Whether it is worth it on this CPU, if the CPU can run it.
    #[inline]
    pub(crate) fn is_worth_it(&self, cpu: &Cpu) -> bool {
        self.suits.contains(cpu.core()) && self.beaten_by.is_none_or(|features| !cpu.has(features))
    }

    /// The code, which only an `unsafe` block can call.
    #[doc(hidden)]
    pub fn code(&self) -> Code {
        self.code
    }

    /// This kernel, if it takes one message and `cpu` has what it needs.
    pub fn bind(&'static self, cpu: &Cpu) -> Option<ReadyKernel> {
        match self.code {
            Code::Blocks(absorb) => cpu.has(self.needs).then_some(ReadyKernel {
                name: self.name,
                absorb,
                one_shot: OneShot::NONE,
            }),
            Code::OneShot(absorb, one_shot) => {
                cpu.has(self.needs).then_some(ReadyKernel { name: self.name, absorb, one_shot })
            }
            Code::Lanes(..) => None,
        }
    }

    /// This kernel, if it takes many messages and `cpu` has what it needs.
    pub fn bind_many(&'static self, cpu: &Cpu) -> Option<ReadyLanes> {
        match self.code {
            Code::Blocks(_) | Code::OneShot(..) => None,
            Code::Lanes(lanes, absorb) => {
                let Self { name, resumes, updates, iterates, .. } = *self;
                let ready = ReadyLanes { name, lanes, resumes, updates, iterates, absorb };
                cpu.has(self.needs).then_some(ready)
            }
        }
    }
}

/// A kernel for one message together with the proof that the CPU has what it needs.
#[derive(Clone, Copy)]
pub struct ReadyKernel {
    name: &'static str,
    absorb: unsafe fn(&mut State, &[u8]),
    one_shot: OneShot,
}

impl ReadyKernel {
    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Absorbs whole blocks: the length of `blocks` is a multiple of the digest's block length, and
    /// not 0.
    #[inline]
    pub(crate) fn absorb(&self, state: &mut State, blocks: &[u8]) {
        // SAFETY: a `ReadyKernel` is made by `Kernel::bind` alone, which has checked that the CPU
        // has the features that the function was compiled for.
        unsafe { (self.absorb)(state, blocks) }
    }

    /// Writes the digest of a whole message to all of `out`; false if this kernel has no function
    /// for that.
    #[inline]
    pub(crate) fn digest_one_shot(&self, message: &[u8], out: &mut [u8]) -> bool {
        let can = self.one_shot.output_len == out.len();
        if can {
            // SAFETY: as in `absorb`; there is room for the digest.
            unsafe { (self.one_shot.digest)(message, out.as_mut_ptr()) };
        }
        can
    }

    /// The function for whole messages, if this kernel has one for digests of `output_len` bytes.
    pub(crate) fn one_shot(&self, output_len: usize) -> Option<unsafe fn(&[u8], *mut u8)> {
        (self.one_shot.output_len == output_len).then_some(self.one_shot.digest)
    }

    /// Digests every message of a batch, which is of a digest that has this kernel.
    pub(crate) fn digest_each(&self, batch: &mut Batch<'_>) {
        if self.one_shot.output_len == batch.output_len() && !batch.is_begun() {
            // SAFETY: as in `absorb`; each output is as long as the digest.
            unsafe { (self.one_shot.each)(batch) };
        } else {
            batch.one_by_one();
        }
    }
}

impl fmt::Debug for ReadyKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReadyKernel").field(&self.name()).finish()
    }
}

/// A kernel for many messages together with the proof that the CPU has what it needs.
#[derive(Clone, Copy)]
pub struct ReadyLanes {
    name: &'static str,
    lanes: usize,
    resumes: bool,
    updates: bool,
    iterates: bool,
    absorb: unsafe fn(&mut Batch<'_>),
}

impl ReadyLanes {
    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How many messages it takes at a time.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// Whether its messages can begin in a state that others have in common.
    pub(crate) fn resumes(&self) -> bool {
        self.resumes
    }

    /// Whether it takes pieces of messages that go on (`update_many_by`).
    pub fn updates(&self) -> bool {
        self.updates
    }

    /// Whether it iterates HMACs.
    pub(crate) fn iterates(&self) -> bool {
        self.iterates
    }

    /// Takes all messages of the batch, which is of a digest that has this kernel.
    pub(crate) fn absorb(&self, batch: &mut Batch<'_>) {
        // SAFETY: a `ReadyLanes` is made by `Kernel::bind_many` alone, which has checked that the
        // CPU has the features that the function was compiled for.
        unsafe { (self.absorb)(batch) }
    }
}

impl fmt::Debug for ReadyLanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReadyLanes").field(&self.name()).finish()
    }
}
