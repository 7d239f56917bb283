//! MD2 of many messages: byte n of 32 or 64 messages in a vector, or in each of some, for one would
//! wait for itself.
//!
//! A compression is a chain of 18 * 48 look-ups in a table of 256 bytes, and each look-up names the
//! next. One message can only wait. Here a look-up is one of all messages at once: shuffles whose
//! order is the bytes themselves. A *plane* holds one byte of each message, in `SETS` vectors:
//!
//! ```text
//! row: the 16 bytes of a message           transposed           plane: a byte of all messages
//! row 0      b0 b1 b2 .. b15                                    plane 0     b0 of rows 0, 1, 2 ..
//! row 1      b0 b1 b2 .. b15               ----------->         plane 1     b1 of rows 0, 1, 2 ..
//! row 2 ..   b0 b1 b2 .. b15                                    plane 2 ..  b2 of rows 0, 1, 2 ..
//! ```
//!
//! The way of a group, one message in each lane:
//!
//! ```text
//! longest = the most blocks that SETS * MIN_FILL messages have or exceed
//! for at = 0, 1 .. longest:
//!     row of a lane = block `at` of its message, its padded end, or zeros
//!     planes = transposed(rows), xored with the checksum where the message has no block left
//!     compress(digests, checksums, planes)
//!     put out the digests of lanes whose block was the checksum
//! lanes with more blocks than `longest` are left to the kernel for one
//! ```
//!
//! The digest of a lane that has ended is put out once; zeros go on into it for nothing. `avx2.rs`
//! and `avx512.rs` have the look-ups.

use std::cmp::Reverse;

use bytemuck::{Pod, cast};

use super::PI;
use crate::parts::arrays::Mapped;
use crate::{Batch, Code, Features, Kernel};

mod avx2;
mod avx512;

/// A byte of each of so many messages, in one register. What makes the calls sound is what does so
/// in `lanes::x86_64::vector`: the methods are reached below functions compiled for a vector's
/// features alone, which call those that are.
trait Bytes<const MESSAGES: usize>: Pod {
    /// [`PI`], as it is looked up in.
    type Table: Copy;
    fn table() -> Self::Table;
    /// The table's entry for each byte.
    fn looked_up(self, table: Self::Table) -> Self;
    /// Without carry.
    fn added(self, other: Self) -> Self;
    /// With carry, to each byte the same.
    fn plus(self, byte: u8) -> Self;
    /// The bits that `mask` has, too.
    fn masked(self, mask: Self) -> Self;
    /// In every 16 bytes those of the first half of both in turn; then those of the second.
    fn interleaved(self, other: Self) -> [Self; 2];
}

/// The kernel of that name for so many `$vector`s of as many messages as it has bytes.
macro_rules! plane_kernel {
    ($kernel:ident: $name:literal, $needs:expr, $features:literal, $sets:literal of $vector:ty) => {
        pub(in super::super) const $kernel: Kernel = {
            const MESSAGES: usize = size_of::<$vector>();
            const LANES: usize = $sets * MESSAGES;

            #[target_feature(enable = $features)]
            fn absorb(batch: &mut Batch<'_>) {
                let mut groups = batch.groups::<LANES, _>($sets * MIN_FILL, blocks);
                while let Some(group) = groups.next(batch) {
                    digest::<$vector, MESSAGES, $sets, LANES>(batch, group);
                }
            }
            Kernel::of($name, $needs.covering($features), Code::Lanes(LANES, absorb))
        };
    };
}
use plane_kernel;

/// One byte of each message.
type Plane<V, const SETS: usize> = [V; SETS];

/// How many messages in a set are no slower together.
const MIN_FILL: usize = 4;

/// How many blocks a message makes with its padding.
fn blocks(len: usize) -> usize {
    len / 16 + 1
}

/// The digests of a group. Messages of which too few are so long are left to the kernel for one.
#[inline(always)]
fn digest<V: Bytes<MESSAGES>, const MESSAGES: usize, const SETS: usize, const LANES: usize>(
    batch: &mut Batch<'_>,
    group: &[(usize, &[u8]); LANES],
) {
    // Lanes without a message of their own have the first one again. They count as no blocks.
    let is_new = |lane: usize| lane == 0 || group[lane].0 != group[0].0;
    let mut lens = [0; LANES];
    for lane in (0..LANES).filter(|lane| is_new(*lane)) {
        lens[lane] = blocks(group[lane].1.len());
    }
    let longest = *lens.select_nth_unstable_by_key(SETS * MIN_FILL - 1, |len| Reverse(*len)).1;
    // Beyond `longest` blocks too few lanes are in use: the kernel for one is faster.
    let table = V::table();
    let (mut digests, mut checksums) = ([[V::zeroed(); SETS]; 16], [[V::zeroed(); SETS]; 16]);
    for at in 0..=longest {
        let mut rows = [[[0; 16]; MESSAGES]; SETS];
        // Where the last block, the checksum, goes in.
        let mut ending = [[0u8; MESSAGES]; SETS];
        for set in 0..SETS {
            for lane in 0..MESSAGES {
                let message = group[MESSAGES * set + lane].1;
                match message.as_chunks::<16>() {
                    (full, _) if at < full.len() => rows[set][lane] = full[at],
                    (full, rest) if at == full.len() => rows[set][lane] = padded(rest),
                    (full, _) => ending[set][lane] = if at == full.len() + 1 { 0xff } else { 0 },
                }
            }
        }
        // The checksum is in planes already, so it joins behind the transposition.
        let mut planes = transposed::<V, MESSAGES, SETS>(&rows);
        for (plane, checksum) in planes.iter_mut().zip(&checksums) {
            for set in 0..SETS {
                plane[set] = plane[set].added(checksum[set].masked(cast(ending[set])));
            }
        }
        compress(table, &mut digests, &mut checksums, &planes);
        if ending != [[0; MESSAGES]; SETS] {
            // Through memory, byte by byte: each lane does this once.
            let planes = digests.mapped(|plane| plane.mapped(cast::<V, [u8; MESSAGES]>));
            for set in 0..SETS {
                for lane in (0..MESSAGES).filter(|lane| ending[set][*lane] != 0) {
                    for (byte, plane) in
                        batch.output(group[MESSAGES * set + lane].0).iter_mut().zip(&planes)
                    {
                        *byte = plane[set][lane];
                    }
                }
            }
        }
    }
    for lane in (0..LANES).filter(|lane| is_new(*lane) && blocks(group[*lane].1.len()) > longest) {
        batch.digest_one(group[lane].0);
    }
}

/// As many bytes as there is room for, each of them that number.
fn padded(rest: &[u8]) -> [u8; 16] {
    let mut block = [16 - rest.len() as u8; 16];
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// As `super::compress`, of each message.
#[inline(always)]
fn compress<V: Bytes<MESSAGES>, const MESSAGES: usize, const SETS: usize>(
    table: V::Table,
    digest: &mut [Plane<V, SETS>; 16],
    checksum: &mut [Plane<V, SETS>; 16],
    block: &[Plane<V, SETS>; 16],
) {
    let mut bytes = [[V::zeroed(); SETS]; 48];
    for at in 0..16 {
        bytes[at] = digest[at];
        bytes[16 + at] = block[at];
        bytes[32 + at] = each(digest[at], block[at], V::added);
    }
    // Of two planes the first, and what the second's bytes name added to it.
    let linked =
        |plane, link| each(plane, link, |byte: V, link: V| byte.added(link.looked_up(table)));
    let mut sum = checksum[15];
    let mut link = [V::zeroed(); SETS];
    for round in 0..18 {
        // The checksum is a chain of 16 look-ups of its own: it runs beside the other.
        if round < 16 {
            sum = linked(checksum[round], each(sum, block[round], V::added));
            checksum[round] = sum;
        }
        for byte in &mut bytes {
            link = linked(*byte, link);
            *byte = link;
        }
        for link in &mut link {
            *link = link.plus(round as u8);
        }
    }
    digest.copy_from_slice(&bytes[..16]);
}

#[inline(always)]
fn each<V: Copy, const SETS: usize>(
    mut a: Plane<V, SETS>,
    b: Plane<V, SETS>,
    both: impl Fn(V, V) -> V,
) -> Plane<V, SETS> {
    for set in 0..SETS {
        a[set] = both(a[set], b[set]);
    }
    a
}

/// Byte n of each row: the rows interleaved four times.
#[inline(always)]
fn transposed<V: Bytes<MESSAGES>, const MESSAGES: usize, const SETS: usize>(
    rows: &[[[u8; 16]; MESSAGES]; SETS],
) -> [Plane<V, SETS>; 16] {
    let mut planes = [[V::zeroed(); SETS]; 16];
    for set in 0..SETS {
        let mut v = [V::zeroed(); 16];
        for (at, v) in v.iter_mut().enumerate() {
            let mut sixteenth = [0; MESSAGES];
            for (to, row) in
                sixteenth.as_chunks_mut().0.iter_mut().zip(rows[set].iter().skip(at).step_by(16))
            {
                *to = *row;
            }
            *v = cast(sixteenth);
        }
        for _ in 0..4 {
            // A turn moves a bit of a byte's place into its register's number; four transpose.
            let from = v;
            for at in 0..8 {
                [v[2 * at], v[2 * at + 1]] = from[at].interleaved(from[8 + at]);
            }
        }
        for at in 0..16 {
            planes[at][set] = v[at];
        }
    }
    planes
}

pub(super) use avx2::{AVX2_X32, AVX2_X64};
pub(super) use avx512::{VBMI_X64, VBMI_X128, VBMI_X256};
