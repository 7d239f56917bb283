//! BLAKE3 of a file whose pieces are hashed in any order: each is a subtree, and the roots of the
//! subtrees are merged.

use std::collections::BTreeMap;

use blake3::hazmat::{
    ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root,
};
use blake3::{Hash, Hasher};
use hashdyno::Output;

use crate::read::method::Method;

/// The roots of pieces, merged as far as is known what they belong to.
#[derive(Default)]
pub struct Subtrees {
    /// Of subtrees from left to right, each larger than the next but for the last two.
    roots: Vec<ChainingValue>,
    /// Pieces that are in `roots`.
    pushed: u64,
    /// Pieces that came before those to their left.
    early: BTreeMap<u64, ChainingValue>,
    /// The digest of the file if the first piece is all of it.
    first: Option<Hash>,
}

/// What a piece is in the tree.
pub struct Subtree {
    root: ChainingValue,
    first: Option<Hash>,
}

impl Subtrees {
    /// Whether the digest is such a tree.
    pub fn fit(digest: &Method) -> bool {
        digest.name == "blake3"
    }

    /// Hashes the piece that begins at byte `offset`. Pieces are as long as each other, a power of
    /// two chunks of 1024 bytes; the last one may be shorter, not empty.
    pub fn hash(offset: u64, piece: &[u8]) -> Subtree {
        let root = Hasher::new().set_input_offset(offset).update(piece).finalize_non_root();
        // Only its end tells whether the file has a second piece, and the root is not hashed as the
        // others are.
        Subtree { root, first: (offset == 0).then(|| blake3::hash(piece)) }
    }

    /// Takes piece number `number`.
    pub fn push(&mut self, number: u64, subtree: Subtree) {
        self.first = self.first.or(subtree.first);
        self.early.insert(number, subtree.root);
        while let Some(root) = self.early.remove(&self.pushed) {
            // Two subtrees are merged only when something follows them: else they may be what the
            // root is made of.
            while self.roots.len() > self.pushed.count_ones() as usize {
                self.merge(merge_subtrees_non_root);
            }
            self.roots.push(root);
            self.pushed += 1;
        }
    }

    /// The digest of all pieces.
    pub fn root(mut self) -> Output {
        while self.roots.len() > 2 {
            self.merge(merge_subtrees_non_root);
        }
        let root = match (&self.roots[..], self.first) {
            ([left, right], _) => merge_subtrees_root(left, right, Mode::Hash),
            (_, Some(first)) => first,
            (_, None) => blake3::hash(b""),
        };
        root.as_bytes()[..].try_into().expect("an Output is longer")
    }

    fn merge(&mut self, by: impl Fn(&ChainingValue, &ChainingValue, Mode) -> ChainingValue) {
        let [.., left, right] = self.roots[..] else { return };
        self.roots.truncate(self.roots.len() - 2);
        self.roots.push(by(&left, &right, Mode::Hash));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_in_any_order_make_the_digest_of_the_whole() {
        const PIECE: usize = 4096;
        let blake3 = hashdyno::find("blake3").unwrap();
        let message: Vec<u8> = (0..9 * PIECE).map(|i| (i * 131 + (i >> 8)) as u8).collect();
        for len in (0..10)
            .flat_map(|pieces| [pieces * PIECE, pieces * PIECE + 1, pieces * PIECE + 1025])
            .filter(|len| *len <= message.len())
        {
            let mut subtrees = Subtrees::default();
            let pieces: Vec<_> = message[..len].chunks(PIECE).enumerate().collect();
            // Odd ones first, then even ones backwards.
            let (odd, even): (Vec<_>, Vec<_>) =
                pieces.into_iter().partition(|(number, _)| number % 2 == 1);
            for (number, piece) in odd.into_iter().chain(even.into_iter().rev()) {
                subtrees.push(number as u64, Subtrees::hash((number * PIECE) as u64, piece));
            }
            assert_eq!(subtrees.root(), blake3.digest(&message[..len]), "{len} bytes");
        }
    }
}
