//! Messages that begin alike: under a key, or behind bytes that are taken once for all of them.

use bytemuck::Pod;
use zeroize::Zeroizing;

use crate::{Digest, ReadyKernel, State};

/// What is kept of a message after its first blocks. Wiped when it is dropped.
pub(crate) struct Begun {
    state: Zeroizing<Box<[u8]>>,
    /// How many bytes of the message the state has taken: whole blocks.
    pub(crate) taken: u64,
}

impl Begun {
    /// A message of which so many bytes have made the state, which is wiped.
    pub(crate) fn new(state: &mut State, taken: u64) -> Self {
        let begun = Self { state: Zeroizing::new(state.as_bytes().into()), taken };
        state.wipe();
        begun
    }

    /// The state.
    pub(crate) fn state(&self) -> &[u8] {
        &self.state
    }

    /// The state as what the digest's kernels keep.
    pub(crate) fn chain<Chain: Pod>(&self) -> Chain {
        let mut state = State::new();
        state.fill(&self.state);
        state.read()
    }

    /// The same after blocks more.
    pub(crate) fn after(&self, kernel: &ReadyKernel, blocks: &[u8]) -> Self {
        let mut state = State::new();
        state.fill(&self.state);
        kernel.absorb(&mut state, blocks);
        Self::new(&mut state, self.taken + blocks.len() as u64)
    }

    /// The digest of a message that goes on with these bytes.
    #[inline]
    pub(crate) fn digest_into(
        &self,
        digest: &Digest,
        kernel: &ReadyKernel,
        message: &[u8],
        out: &mut [u8],
    ) {
        let mut state = State::new();
        state.fill(&self.state);
        digest.digest_from(&mut state, self.taken, kernel, message, out);
        state.wipe();
    }
}

/// How messages begin under a key of the digest's own.
pub(crate) struct Keyed {
    /// What they are hashed by.
    pub(crate) digest: &'static Digest,
    /// What is kept before their first byte.
    pub(crate) first: Begun,
    /// Bytes that come before those of each message.
    pub(crate) prefix: Zeroizing<Vec<u8>>,
}

impl Keyed {
    /// Messages that differ from others of that digest in the state that they begin in, which is
    /// wiped.
    pub(crate) fn starting(digest: &'static Digest, state: &mut State) -> Self {
        Self { digest, first: Begun::new(state, 0), prefix: Zeroizing::default() }
    }
}
