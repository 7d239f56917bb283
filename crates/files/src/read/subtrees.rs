//! BLAKE3 of a file whose pieces are hashed in any order, with or without a key: each is a subtree,
//! and the roots of the subtrees are merged.
//!
//! ```text
//! pieces   0   1   2   3   4        roots: a tree of 4 pieces, and piece 4
//!           \ /     \ /    |
//!            +---+---+     |
//!                +----+----+        the last merge is the root's, and is hashed in another way
//! ```
//!
//! So nothing is merged before something follows it. `roots` is a binary counter: its trees have
//! the sizes of the bits of `pushed - 1`, and the newest piece is behind them.

use std::collections::BTreeMap;

use blake3::hazmat::{
    ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root,
};
use blake3::{Hash, Hasher};
use hashdyno::Output;
use zeroize::Zeroize;

use crate::read::key::Keyed;
use crate::read::method::Method;

/// Which tree: that of the digest, or that under a key.
#[derive(Clone)]
pub struct Tree(Option<Keyed>);

impl Tree {
    /// The tree of the digest, if it is one.
    pub fn of(digest: &Method) -> Option<Self> {
        match digest.keyed() {
            None => (digest.name == "blake3").then_some(Self(None)),
            Some(keyed) => keyed.tree().is_some().then(|| Self(Some(keyed.clone()))),
        }
    }

    /// Hashes the piece that begins at byte `offset`. Pieces are as long as each other, a power of
    /// two chunks of 1024 bytes; the last one may be shorter, not empty.
    pub fn hash(&self, offset: u64, piece: &[u8]) -> Subtree {
        let root =
            self.hashed(|hasher| hasher.set_input_offset(offset).update(piece).finalize_non_root());
        // Only its end tells whether the file has a second piece, and the root is not hashed as the
        // others are.
        Subtree { root, first: (offset == 0).then(|| self.whole(piece)) }
    }

    /// The digest of a message.
    fn whole(&self, message: &[u8]) -> Hash {
        self.hashed(|hasher| hasher.update(message).finalize())
    }

    /// What `work` does with a hasher, which is wiped.
    fn hashed<T>(&self, work: impl FnOnce(&mut Hasher) -> T) -> T {
        let mut hasher = self.key().map_or_else(Hasher::new, Hasher::new_keyed);
        let done = work(&mut hasher);
        if self.0.is_some() {
            hasher.zeroize();
        }
        done
    }

    fn key(&self) -> Option<&[u8; 32]> {
        self.0.as_ref().and_then(Keyed::tree)
    }

    fn mode(&self) -> Mode<'_> {
        self.key().map_or(Mode::Hash, Mode::KeyedHash)
    }
}

/// The roots of pieces, merged as far as is known what they belong to.
pub struct Subtrees {
    tree: Tree,
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
    /// No pieces yet.
    pub fn new(tree: Tree) -> Self {
        Self { tree, roots: Vec::new(), pushed: 0, early: BTreeMap::new(), first: None }
    }

    /// Which tree it is.
    pub fn tree(&self) -> Tree {
        self.tree.clone()
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
            ([left, right], _) => merge_subtrees_root(left, right, self.tree.mode()),
            (_, Some(first)) => first,
            (_, None) => self.tree.whole(b""),
        };
        root.as_bytes()[..].try_into().expect("an Output is longer")
    }

    fn merge(&mut self, by: impl Fn(&ChainingValue, &ChainingValue, Mode) -> ChainingValue) {
        let [.., left, right] = self.roots[..] else { return };
        self.roots.truncate(self.roots.len() - 2);
        self.roots.push(by(&left, &right, self.tree.mode()));
    }
}

#[cfg(test)]
mod tests {
    use zeroize::Zeroizing;

    use super::*;
    use crate::read::key::Secret;

    #[test]
    fn pieces_in_any_order_make_the_digest_of_the_whole() {
        const PIECE: usize = 4096;
        let blake3 = hashdyno::find("blake3").unwrap();
        let key = *b"whats the Elvish word for friend";
        let keyed = Secret::new(Zeroizing::new(key.to_vec())).keyed(hashdyno::Mode::Keyed, blake3);
        let message: Vec<u8> = (0..9 * PIECE).map(|i| (i * 131 + (i >> 8)) as u8).collect();
        for len in (0..10)
            .flat_map(|pieces| [pieces * PIECE, pieces * PIECE + 1, pieces * PIECE + 1025])
            .filter(|len| *len <= message.len())
        {
            let root = |tree: Tree| {
                let mut subtrees = Subtrees::new(tree.clone());
                let pieces: Vec<_> = message[..len].chunks(PIECE).enumerate().collect();
                // Odd ones first, then even ones backwards.
                let (odd, even): (Vec<_>, Vec<_>) =
                    pieces.into_iter().partition(|(number, _)| number % 2 == 1);
                for (number, piece) in odd.into_iter().chain(even.into_iter().rev()) {
                    subtrees.push(number as u64, tree.hash((number * PIECE) as u64, piece));
                }
                subtrees.root()
            };
            let message = &message[..len];
            assert_eq!(root(Tree(None)), blake3.digest(message), "{len} bytes");
            let code = *blake3::keyed_hash(&key, message).as_bytes();
            assert_eq!(root(Tree(Some(keyed.clone()))), code, "{len} bytes under a key");
        }
    }

    #[test]
    fn only_blake3_of_its_own_length_and_mode_is_a_tree() {
        let secret = Secret::new(Zeroizing::new(vec![1; 32]));
        let keyed = |mode, name| {
            Tree::of(&secret.keyed(mode, hashdyno::find(name).unwrap()).into()).is_some()
        };
        assert!(keyed(hashdyno::Mode::Keyed, "blake3"));
        assert!(!keyed(hashdyno::Mode::Hmac, "blake3"));
        assert!(!keyed(hashdyno::Mode::Keyed, "blake3-512"));
        assert!(!keyed(hashdyno::Mode::Keyed, "blake2s-256"));
        assert!(Tree::of(&hashdyno::find("md5").unwrap().into()).is_none());
    }
}
