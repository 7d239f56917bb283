//! A digest as a value: `Digest` says all there is to say of an algorithm, declared once.
//!
//! Each family declares its digests as statics in its file of `digests/`. A digest is its names,
//! lengths, start and end, two lists of kernels and its modes. `Digest::kernel` chooses a kernel
//! for a CPU. `Digest::digest_into` digests a whole message: by a one-shot function if the kernel
//! has one, else by a state.

use std::fmt;

use crate::modes::Modes;
use crate::parts::barrier;
use crate::{ALL, Cpu, Kernel, Output, ReadyKernel, ReadyLanes, State, Tail};

/// A digest or checksum algorithm: all there is to say of it, declared once.
///
/// Safe code cannot make one, as its parts must fit each other:
///
/// ```compile_fail,E0639
/// let md5 = hashdyno::find("md5").unwrap();
/// let other = hashdyno::Digest { block_len: 1, ..*md5 };
/// ```
#[non_exhaustive]
pub struct Digest {
    /// The one name used in output: lower case, hyphens.
    pub name: &'static str,
    /// Other names that [`crate::find`] accepts, those of [`Digest::spelling`] aside.
    pub aliases: &'static [&'static str],
    /// What other software calls it, where it has it.
    pub spelling: Spelling,
    /// The design it belongs to: `md5`, `sha2`, `haval` ...
    pub family: &'static str,
    /// The document that defines it.
    pub specified_in: &'static str,
    /// What it is good for today.
    pub security: Security,
    /// Who asks for it.
    pub purpose: Purpose,
    /// Length of the digest in bytes; of an extendable one, the length given when none is asked
    /// for.
    pub output_len: usize,
    /// Whether any output length may be asked for (SHAKE, BLAKE3).
    pub extendable: bool,
    /// Bytes per block: kernels are given whole blocks. 1 where the algorithm takes bytes as they
    /// come.
    pub block_len: usize,
    /// Whether the end of a message must be given the last block even if it is full, because it is
    /// compressed in another way than the rest (BLAKE2, Skein).
    pub holds_last_block: bool,
    /// Puts the initial value into an empty state.
    pub(crate) start: fn(&mut State),
    /// Absorbs what is left of the message, with its padding, and writes the digest to `out`, whose
    /// length is `output_len`, or any if the digest is extendable.
    pub(crate) finish: fn(&mut State, Tail<'_>, out: &mut [u8]),
    /// The first byte after a message, where digests that differ in nothing else share kernels for
    /// many: Keccak, SHA-3 and SHAKE; Tiger and Tiger2. Else 0.
    pub(crate) mark: u8,
    /// The ways to compute the digest of one message, best first; one of them needs no CPU feature
    /// and suits every core.
    pub one: &'static [Kernel],
    /// The ways to compute those of many messages at a time, best first; none without the feature
    /// `many`.
    pub many: &'static [Kernel],
    /// Keys, seeds, other lengths.
    pub(crate) modes: &'static Modes,
}

/// What other software calls a digest; `None` where it lacks it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    /// In PHP's `hash_algos()`.
    pub php: Option<&'static str>,
    /// In OpenSSL's `EVP_get_digestbyname` or `EVP_MD_fetch`.
    pub openssl: Option<&'static str>,
    /// In Python's `hashlib` (or `zlib`).
    pub python: Option<&'static str>,
}

impl Spelling {
    /// No other software has it.
    pub const NONE: Self = Self { php: None, openssl: None, python: None };
}

/// What a digest is good for today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// Finds accidents, not adversaries; never was meant to.
    Checksum,
    /// Was cryptographic; collisions are practical.
    Broken,
    /// No practical attack, but too short, too little studied or superseded: not for new designs.
    Legacy,
    /// Sound for new designs.
    Sound,
}

/// Who asks for a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Whoever needs what its [`Security`] says.
    General,
    /// The standards of one country.
    NationalStandard,
    /// Hash tables, of programs and of databases.
    HashTable,
}

impl fmt::Display for Security {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Checksum => "checksum",
            Self::Broken => "broken",
            Self::Legacy => "legacy",
            Self::Sound => "sound",
        })
    }
}

/// The family of the CRCs that are known by their parameters.
pub(crate) const CATALOGUE: &str = "crc-catalogue";

/// The digest of the list of that name, by any of its names, in any case.
pub(crate) fn listed(name: &str) -> Option<&'static Digest> {
    ALL.into_iter().find(|digest| digest.names().any(|known| known.eq_ignore_ascii_case(name)))
}

impl Digest {
    /// What a digest is that says nothing of itself: one length, no other names, nothing beside the
    /// hashing of a message. Every digest says its family, specification, length, start, end and
    /// kernels.
    pub(crate) const BASE: Self = Self {
        name: "",
        aliases: &[],
        spelling: Spelling::NONE,
        family: "",
        specified_in: "",
        security: Security::Checksum,
        purpose: Purpose::General,
        output_len: 0,
        extendable: false,
        block_len: 1,
        holds_last_block: false,
        start: |_| unreachable!("a digest says how it starts"),
        finish: |_, _, _| unreachable!("a digest says how it ends"),
        mark: 0,
        one: &[],
        many: &[],
        modes: &Modes::NONE,
    };

    /// Length of a block in bytes as HMAC (RFC 2104) takes it: [`Digest::block_len`], but for
    /// BLAKE3 and KangarooTwelve, whose kernels are given chunks or parts of them. Of sponges it is
    /// the rate.
    pub const fn hmac_block_len(&self) -> usize {
        match self.modes.hmac_block_len {
            Some(len) => len,
            None => self.block_len,
        }
    }

    /// Every name that [`crate::find`] knows this digest by, its own first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let Spelling { php, openssl, python } = self.spelling;
        [self.name]
            .into_iter()
            .chain(self.aliases.iter().copied())
            .chain([php, openssl, python].into_iter().flatten())
    }

    /// Whether it is one of the catalogue of over a hundred CRCs, which few want: lists and studies
    /// of all digests leave it out unless it is asked for.
    pub fn is_rare(&self) -> bool {
        self.family == CATALOGUE
    }

    /// All kernels: those for many messages, then those for one.
    pub fn kernels(&self) -> impl Iterator<Item = &'static Kernel> + use<> {
        self.many.iter().chain(self.one)
    }

    /// The kernel for one message that is chosen on `cpu`: the first that it can run and that is
    /// worth it on its core, else the first that it can run.
    pub fn kernel(&self, cpu: &Cpu) -> &'static Kernel {
        let can_run = |kernel: &&Kernel| cpu.has(kernel.needs());
        let best = self.one.iter().find(|kernel| can_run(kernel) && kernel.is_worth_it(cpu));
        best.or_else(|| self.one.iter().find(can_run))
            .expect("a kernel of every digest needs no CPU feature")
    }

    /// [`Digest::kernel`], ready.
    pub fn bind(&self, cpu: &Cpu) -> ReadyKernel {
        self.kernel(cpu).bind(cpu).expect("it is a kernel for one message that the CPU can run")
    }

    /// The kernel for `count` messages at a time that is chosen on `cpu`: the first that it can
    /// run, that the messages fill, and that is worth it there. None if one message after another
    /// is faster, and without the feature `many`.
    pub fn bind_many(&self, cpu: &Cpu, count: usize) -> Option<ReadyLanes> {
        let better = self.many.iter().filter(|kernel| kernel.is_worth_it(cpu));
        better.filter_map(|kernel| kernel.bind_many(cpu)).find(|kernel| kernel.lanes() <= count)
    }

    /// The same for pieces of messages that go on (`update_many`); none, too, if the
    /// chosen kernel takes whole messages only.
    pub fn bind_update(&self, cpu: &Cpu, count: usize) -> Option<ReadyLanes> {
        self.bind_many(cpu, count).filter(ReadyLanes::updates)
    }

    /// The kernels for one message that `cpu` can run, the chosen one first.
    pub fn ready(&self, cpu: &Cpu) -> impl Iterator<Item = ReadyKernel> + use<> {
        let (chosen, cpu) = (self.kernel(cpu), *cpu);
        let others = self.one.iter().filter(move |kernel| !std::ptr::eq(*kernel, chosen));
        [chosen].into_iter().chain(others).filter_map(move |kernel| kernel.bind(&cpu))
    }

    /// The kernels for many messages that `cpu` can run, best first.
    pub fn ready_lanes(&self, cpu: &Cpu) -> impl Iterator<Item = ReadyLanes> + use<> {
        let cpu = *cpu;
        self.many.iter().filter_map(move |kernel| kernel.bind_many(&cpu))
    }

    /// The digest of one whole message, by the best kernel of this machine.
    pub fn digest(&self, message: &[u8]) -> Output {
        Output::written(self.output_len, |out| {
            self.digest_into(&self.bind(Cpu::native()), message, out);
        })
    }

    /// The digest of one whole message, by a given kernel of this digest, into `out`.
    ///
    /// # Panics
    /// If the length of `out` is not `output_len` and the digest is not extendable. With a kernel
    /// of another digest it may panic or give something else.
    #[inline]
    pub fn digest_into(&self, kernel: &ReadyKernel, message: &[u8], out: &mut [u8]) {
        if kernel.digest_one_shot(message, out) {
            return;
        }
        barrier::cold_path();
        if out.len() != self.output_len {
            self.allow(out.len());
        }
        self.digest_by_state(kernel, message, out);
    }

    /// Panics unless the digest can have that length, which is not its own.
    #[cold]
    fn allow(&self, len: usize) {
        if !self.extendable {
            self.refuse(len);
        }
    }

    /// Says that the digest has another length.
    #[cold]
    pub(crate) fn refuse(&self, len: usize) -> ! {
        panic!("{} gives {} bytes, not {len}", self.name, self.output_len)
    }

    /// The same by a kernel that has no function for whole messages. Inlined: as a call it would
    /// save registers anew for each message, five cycles.
    #[inline(always)]
    fn digest_by_state(&self, kernel: &ReadyKernel, message: &[u8], out: &mut [u8]) {
        let mut state = State::new();
        (self.start)(&mut state);
        self.digest_from(&mut state, 0, kernel, message, out);
    }

    /// The digest of a message of which `taken` bytes, whole blocks, have made the state.
    #[inline(always)]
    pub(crate) fn digest_from(
        &self,
        state: &mut State,
        taken: u64,
        kernel: &ReadyKernel,
        message: &[u8],
        out: &mut [u8],
    ) {
        let (blocks, tail) = message.split_at(message.len() - self.tail_len(message.len()));
        if !blocks.is_empty() {
            kernel.absorb(state, blocks);
        }
        let message_len = taken + message.len() as u64;
        (self.finish)(state, Tail { bytes: tail, message_len, kernel }, out);
    }

    /// How many of `len` bytes must be kept for [`Digest::finish`].
    #[inline]
    pub(crate) fn tail_len(&self, len: usize) -> usize {
        let block = self.block_len;
        if len < block {
            return len;
        }
        // Both ways to spare a division, which costs as much as the checksum of a short message.
        let tail_len = if block & (block - 1) == 0 { len & (block - 1) } else { len % block };
        if tail_len == 0 && self.holds_last_block { block } else { tail_len }
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Digest").field(&self.name).finish()
    }
}

impl PartialEq for Digest {
    /// By identity: an algorithm is declared once.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Digest {}
