//! Many messages that come in pieces at the same time.

use std::collections::BTreeMap;

use zeroize::Zeroizing;

use super::FittedHasher;
use crate::many::Batch;
use crate::{Cpu, ReadyLanes};

/// Takes the next bytes of many messages, a piece for each hasher: by one core of this machine,
/// many messages at a time in the lanes of its vectors. It gives what [`FittedHasher::update`]
/// gives, one after another, and is several times as fast where pieces have many blocks and are of
/// like length: files, parts of files, streams of a server.
///
/// ```
/// # #[cfg(feature = "md5-sha1")] {
/// use hashdyno::{FittedHasher, Hasher, MD5, md5, update_many};
///
/// let mut hashers = vec![Hasher::new(MD5); 20];
/// let mut each: Vec<&mut FittedHasher> = hashers.iter_mut().map(|hasher| &mut **hasher).collect();
/// update_many(&mut each, &[b"a ".as_slice(); 20]);
/// update_many(&mut each, &[b"message".as_slice(); 20]);
/// assert!(hashers.into_iter().all(|hasher| hasher.finish() == md5(b"a message")));
/// # }
/// ```
///
/// Hashers of different digests are taken one digest after another.
///
/// # Panics
/// If there are not as many pieces as hashers.
pub fn update_many(hashers: &mut [&mut FittedHasher], pieces: &[&[u8]]) {
    assert_eq!(hashers.len(), pieces.len(), "there must be a piece for each hasher");
    let mut of_digest = BTreeMap::<&str, (Vec<&mut FittedHasher>, Vec<&[u8]>)>::new();
    for (hasher, piece) in hashers.iter_mut().zip(pieces) {
        let (hashers, pieces) = of_digest.entry(hasher.digest().name).or_default();
        hashers.push(hasher);
        pieces.push(piece);
    }
    for (mut hashers, pieces) in of_digest.into_values() {
        update_alike(&mut hashers, &pieces);
    }
}

/// The same for hashers of one digest.
fn update_alike(mut hashers: &mut [&mut FittedHasher], mut pieces: &[&[u8]]) {
    while let Some(first) = hashers.first() {
        let lanes = first.digest().bind_update(Cpu::native(), hashers.len());
        let count = hashers.len();
        let count = lanes.map_or(count, |lanes| taken(count, lanes.lanes()));
        let (now, later) = hashers.split_at_mut(count);
        update_many_by(lanes.as_ref(), now, &pieces[..count]);
        (hashers, pieces) = (later, &pieces[count..]);
    }
}

/// How many of the messages a kernel takes. The last messages, if they fill less than half of its
/// lanes, are left to a kernel with fewer lanes.
fn taken(messages: usize, lanes: usize) -> usize {
    let last = messages % lanes;
    if 2 * last < lanes { messages - last } else { messages }
}

/// The same by a given kernel for many messages of that digest. Without one, or by one whose
/// messages must be whole ([`ReadyLanes::updates`]), it takes one piece after another.
///
/// # Panics
/// As [`update_many`] does, and if the hashers are of different digests. With a kernel of another
/// digest it may panic or give something else.
pub fn update_many_by(
    lanes: Option<&ReadyLanes>,
    hashers: &mut [&mut FittedHasher],
    pieces: &[&[u8]],
) {
    assert_eq!(hashers.len(), pieces.len(), "there must be a piece for each hasher");
    let Some(first) = hashers.first() else { return };
    let (digest, one, chain_len) = (first.digest(), first.kernel(), first.chain().len());
    assert!(
        hashers.iter().all(|hasher| hasher.digest().name == digest.name),
        "hashers of different digests have no kernel in common"
    );
    let Some(lanes) = lanes.filter(|lanes| lanes.updates()) else {
        return hashers.iter_mut().zip(pieces).for_each(|(hasher, piece)| hasher.update(piece));
    };
    let cut = hashers.iter_mut().zip(pieces).map(|(hasher, piece)| hasher.begin_update(piece));
    let (blocks, rests): (Vec<_>, Vec<_>) = cut.unzip();
    let mut chains = Zeroizing::new(Vec::with_capacity(hashers.len() * chain_len));
    hashers.iter().for_each(|hasher| chains.extend_from_slice(hasher.chain()));
    Batch::of_chains(digest, &one, &blocks, &mut chains).run(Some(lanes));
    let chains = chains.chunks_exact(chain_len);
    for ((hasher, rest), chain) in hashers.iter_mut().zip(rests).zip(chains) {
        hasher.end_update(chain, rest);
    }
}

impl FittedHasher {
    /// Takes the next bytes of the message but for whole blocks and what follows them, which it
    /// gives back: the state is to take the blocks, and [`FittedHasher::push`] the rest.
    #[inline]
    pub(super) fn begin_update<'b>(&mut self, mut bytes: &'b [u8]) -> (&'b [u8], &'b [u8]) {
        self.message_len += bytes.len() as u64;
        if self.buffered > 0 {
            let room = self.digest.block_len - self.buffered as usize;
            let (head, rest) = bytes.split_at(room.min(bytes.len()));
            self.push(head);
            bytes = rest;
            let held = self.digest.holds_last_block && bytes.is_empty();
            if head.len() < room || held {
                return (&[], &[]);
            }
            let kernel = self.kernel;
            let (state, block) = self.parts();
            kernel.absorb(state, block);
            self.buffered = 0;
        }
        bytes.split_at(bytes.len() - self.digest.tail_len(bytes.len()))
    }

    /// Takes a state that has taken the blocks of [`FittedHasher::begin_update`], and the rest.
    fn end_update(&mut self, chain: &[u8], rest: &[u8]) {
        self.parts().0.fill(chain);
        self.push(rest);
    }

    /// What the algorithm keeps between blocks.
    fn chain(&self) -> &[u8] {
        self.parts_read().0.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_messages_are_taken_if_they_fill_half_of_the_lanes() {
        for (messages, lanes, expected) in
            [(8, 8, 8), (11, 8, 8), (12, 8, 12), (15, 8, 15), (17, 8, 16), (4, 3, 3), (5, 3, 5)]
        {
            assert_eq!(taken(messages, lanes), expected, "{messages} messages, {lanes} lanes");
        }
    }
}
