//! What comes before messages under a key: an HMAC has it twice.

use zeroize::Zeroizing;

use crate::many::digest_many_by;
use crate::parts::arrays::Mapped;
use crate::{
    Batch, Begun, Cpu, Digest, FittedHasher, Hasher, Keyed, Messages, ReadyKernel, ReadyLanes,
};

/// A key in the form that messages need: a state after whole blocks, or bytes before each message.
pub(super) struct Part {
    /// Before the prefix.
    first: Begun,
    /// Bytes that come before each message, often a block of the key.
    prefix: Zeroizing<Vec<u8>>,
    /// Behind the prefix, if that is whole blocks. Of an empty message, a digest that holds its
    /// last block would have held the prefix.
    begun: Option<Begun>,
}

impl Part {
    pub(super) fn new(keyed: Keyed) -> Self {
        let Keyed { digest, first, prefix } = keyed;
        let whole = prefix.len().is_multiple_of(digest.block_len);
        let begun = (whole && !prefix.is_empty())
            .then(|| first.after(&digest.bind(Cpu::native()), &prefix));
        Self { first, prefix, begun }
    }

    /// Where a message begins that is not empty; `None` if it does within a block.
    fn begun(&self) -> Option<&Begun> {
        if self.prefix.is_empty() { Some(&self.first) } else { self.begun.as_ref() }
    }

    /// What is kept before a message that is not empty, whole blocks having come before.
    pub(super) fn state(&self) -> &[u8] {
        self.begun().expect("the key fills blocks").state()
    }

    /// Whether the prefix may be a message's last block.
    fn is_held(&self, digest: &Digest) -> bool {
        digest.holds_last_block && !self.prefix.is_empty()
    }

    /// Where any message begins, and which bytes come before its own.
    fn start(&self, digest: &Digest) -> (&Begun, &[u8]) {
        match self.begun() {
            Some(begun) if !self.is_held(digest) => (begun, &[]),
            _ => (&self.first, &self.prefix),
        }
    }

    pub(super) fn hasher(&self, digest: &'static Digest, kernel: ReadyKernel) -> Hasher {
        let (begun, prefix) = self.start(digest);
        let mut hasher = Hasher::begun(begun, digest, kernel);
        hasher.update(prefix);
        hasher
    }

    /// Bytes of a hasher that [`Part::place`] writes.
    pub(super) fn fitted_size(&self, digest: &Digest) -> usize {
        FittedHasher::size_from(digest, self.start(digest).0.state())
    }

    /// # Safety
    /// As [`FittedHasher::place`], with [`Part::fitted_size`] bytes.
    pub(super) unsafe fn place<'a>(
        &self,
        place: *mut u8,
        digest: &'static Digest,
        kernel: ReadyKernel,
    ) -> &'a mut FittedHasher {
        let (begun, prefix) = self.start(digest);
        let (start, taken) = (begun.state(), begun.taken);
        // SAFETY: this function's own condition.
        let hasher = unsafe { FittedHasher::place_from(place, digest, kernel, start, taken) };
        hasher.update(prefix);
        hasher
    }

    pub(super) fn digest_into(
        &self,
        digest: &'static Digest,
        kernel: &ReadyKernel,
        message: &[u8],
        out: &mut [u8],
    ) {
        match self.begun() {
            Some(begun) if !(message.is_empty() && self.is_held(digest)) => {
                begun.digest_into(digest, kernel, message, out);
            }
            _ => {
                let mut hasher = self.hasher(digest, *kernel);
                hasher.update(message);
                hasher.end(out);
                hasher.wipe();
            }
        }
    }

    /// The digests of many messages, by kernels as [`digest_many_by`] takes them.
    pub(super) fn digest_many(
        &self,
        digest: &'static Digest,
        many: Option<&ReadyLanes>,
        one: &ReadyKernel,
        messages: Messages<'_>,
        out: &mut [u8],
    ) {
        match self.begun() {
            Some(begun) if many.is_none_or(|many| many.resumes()) => {
                Batch::new(digest, one, messages, out).from(begun).run(many);
            }
            _ => return self.digest_copies(digest, many, one, messages, out),
        }
        if self.is_held(digest) && messages.shortest() == 0 {
            for (index, out) in out.chunks_exact_mut(digest.output_len).enumerate() {
                if messages.message(index).is_empty() {
                    self.digest_into(digest, one, &[], out);
                }
            }
        }
    }

    /// The HMACs of many messages, this being the inner part, by a kernel that iterates them.
    pub(super) fn digest_many_within(
        &self,
        digest: &'static Digest,
        many: &ReadyLanes,
        one: &ReadyKernel,
        outer: &Self,
        messages: Messages<'_>,
        out: &mut [u8],
    ) {
        let parts = [self, outer].mapped(|part| part.begun().expect("the key fills blocks"));
        Batch::new(digest, one, messages, out).from(parts[0]).within(parts[1]).run(Some(many));
    }

    /// The digests by kernels that begin at a message's first byte: the prefix is copied before
    /// each.
    fn digest_copies(
        &self,
        digest: &'static Digest,
        many: Option<&ReadyLanes>,
        one: &ReadyKernel,
        messages: Messages<'_>,
        out: &mut [u8],
    ) {
        let (mut data, mut offsets) = (Zeroizing::new(Vec::new()), vec![0]);
        for (window, out) in out.chunks_mut(WINDOW * digest.output_len).enumerate() {
            data.clear();
            offsets.truncate(1);
            for index in window * WINDOW..window * WINDOW + out.len() / digest.output_len {
                data.extend_from_slice(&self.prefix);
                data.extend_from_slice(messages.message(index));
                offsets.push(data.len() as i64);
            }
            let copies = Messages::LargeOffsets { data: &data, offsets: &offsets };
            digest_many_by(digest, many, one, copies, out);
        }
    }
}

/// How many messages are copied at a time.
const WINDOW: usize = 256;
