//! Messages of one chunk in the lanes of vectors.

use bytemuck::cast;

use super::eight::{Words, compress, initial};
use super::node::{BLOCK_LEN, CHUNK_END, CHUNK_LEN, CHUNK_START, ROOT};
use crate::Batch;
use crate::lanes::Lanes;

/// Messages of one chunk, eight at a time; longer ones alone.
#[target_feature(enable = "avx2")]
pub(super) fn many(batch: &mut Batch<'_>) {
    let blocks = |len: usize| len.min(CHUNK_LEN + 1).div_ceil(BLOCK_LEN);
    let mut groups = batch.groups::<LANES, _>(2, blocks);
    while let Some(group) = groups.next(batch) {
        roots(&group, batch);
    }
}

/// The digests of messages, one in each lane.
#[target_feature(enable = "avx2")]
#[inline]
fn roots(group: &[(usize, &[u8]); LANES], batch: &mut Batch<'_>) {
    let mut lanes = Ends { tails: [[0; BLOCK_LEN]; LANES], bodies: [NONE; LANES], lens: [0; LANES] };
    let len = group[0].1.len();
    if len <= CHUNK_LEN && group.iter().all(|(_, message)| message.len() == len) {
        // What depends on the length alone is then done once.
        (0..LANES).for_each(|lane| lanes.end(lane, &group[lane].1[..len]));
    } else {
        for (lane, (index, message)) in group.iter().enumerate() {
            if message.len() <= CHUNK_LEN {
                lanes.end(lane, message);
            } else if lane == 0 || *index != group[0].0 {
                // A lane without a message of its own has the first's again.
                batch.digest_one(*index);
            }
        }
    }
    let Ends { tails, bodies, lens } = &lanes;
    let most = bodies.iter().fold(0, |most, body| if *body == NONE { most } else { most.max(*body) });
    let mut chain = initial();
    let mut flags = CHUNK_START;
    for block in 0..=most {
        let mut rows = [&tails[0]; LANES];
        let mut ended = false;
        let (mut lens_here, mut flags_here) = ([0; LANES], [0; LANES]);
        for lane in 0..LANES {
            let last = bodies[lane] == block;
            rows[lane] = match group[lane].1.get(block as usize * BLOCK_LEN..).and_then(<[u8]>::first_chunk) {
                Some(row) if !last => row,
                _ => &tails[lane],
            };
            lens_here[lane] = if last { lens[lane] } else { BLOCK_LEN as u32 };
            flags_here[lane] = if last { flags | CHUNK_END | ROOT } else { flags };
            ended |= last;
        }
        let words = Words::read::<16>(|lane| rows[lane]);
        compress(&mut chain, &words, [Words::splat(0), Words::splat(0), cast(lens_here), cast(flags_here)]);
        flags = 0;
        if ended {
            let mut halves = [[[0; 16]; LANES]; 2];
            Words::run(&chain, 0, &mut halves[0]);
            Words::run(&chain, 1, &mut halves[1]);
            for (lane, (index, _)) in group.iter().enumerate() {
                if bodies[lane] == block {
                    let (first, second) = batch.output(*index).split_at_mut(16);
                    first.copy_from_slice(&halves[0][lane]);
                    second.copy_from_slice(&halves[1][lane]);
                }
            }
        }
    }
}

/// How the message of each lane ends.
struct Ends {
    /// The last block, with zeros.
    tails: [[u8; BLOCK_LEN]; LANES],
    /// How many blocks come before it: [`NONE`] if the lane has no message of one chunk.
    bodies: [u32; LANES],
    /// How many bytes of the message it has.
    lens: [u32; LANES],
}

impl Ends {
    #[inline(always)]
    fn end(&mut self, lane: usize, message: &[u8]) {
        let body = message.len().saturating_sub(1) / BLOCK_LEN;
        let rest = message.len() - body * BLOCK_LEN;
        (self.bodies[lane], self.lens[lane]) = (body as u32, rest as u32);
        Words::pad(&mut self.tails[lane], message, rest, 0, [0; 4]);
    }
}

/// In place of the number of blocks of a message of more than one chunk.
const NONE: u32 = u32::MAX;

const LANES: usize = Words::COUNT;
