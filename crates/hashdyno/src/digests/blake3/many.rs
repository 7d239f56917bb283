//! Messages of a few chunks, each in a lane of vectors.
//!
//! ```text
//! a group, the longest message first:
//!     up to 1 chunk:    a message in each lane, from its first block to its digest
//!     up to 8 chunks:   `trees`: chunk `number` of every message at a time, then the nodes above
//!                       the chunks of each message
//!     more chunks:      a message alone, whose chunks fill the lanes
//! a block of all lanes:   full, the last one with zeros, or (the chunk has ended) any
//! ```
//!
//! Flags and lengths are vectors, so lanes may be at different blocks of their ends.

use bytemuck::{bytes_of, bytes_of_mut, cast};

use super::keyed::Keyed;
use super::lanes::{compress, initial, put, put_out};
use super::leaves::below_top;
use super::node::{BLOCK_LEN, CHUNK_END, CHUNK_LEN, CHUNK_START, ChainingValue, ROOT};
use super::one;
use crate::many::splat;
use crate::parts::arrays::Mapped;
use crate::parts::lanes::Lanes;
use crate::parts::lanes::x86_64::{AVX512, U32x8, U32x16};
use crate::{Batch, Code, Features, Kernel};

/// Declares a kernel for as many messages as the lanes hold.
macro_rules! chunk_kernels {
    (
        $kernel:ident $keyed:ident: $name:literal, $needs:expr, $features:literal,
        $count:literal in $lanes:ty
    ) => {
        pub(super) const $kernel: Kernel = {
            #[target_feature(enable = $features)]
            fn absorb(batch: &mut Batch<'_>) {
                let mut groups = batch.groups::<$count, _>(2, work);
                while let Some(group) = groups.next(batch) {
                    // The first is the longest.
                    if group[0].1.len() <= CHUNK_LEN {
                        messages::<$lanes, $count>(batch, group, initial(), 0);
                    } else {
                        trees(batch, group);
                    }
                }
            }

            #[inline(never)]
            #[target_feature(enable = $features)]
            fn trees(batch: &mut Batch<'_>, group: &[(usize, &[u8]); $count]) {
                let mut values: [[ChainingValue; MAX_CHUNKS]; $count] =
                    [[[0; 8]; MAX_CHUNKS]; $count];
                // Lanes of other messages, or of none of their own, have none here.
                let messages: [&[u8]; $count] = crate::parts::arrays::from_fn(|lane| {
                    let (number, message) = group[lane];
                    let is_new = lane == 0 || number != group[0].0;
                    let fits = (CHUNK_LEN + 1..=MAX_CHUNKS * CHUNK_LEN).contains(&message.len());
                    if is_new && !fits {
                        batch.digest_one(number);
                    }
                    if is_new && fits { message } else { &[] }
                });
                // The longest may be a message that was just done alone.
                let longest = messages.iter().map(|message| message.len()).max().unwrap_or(0);
                // Lanes whose message has fewer chunks hash an empty one for nothing.
                for number in 0..longest.div_ceil(CHUNK_LEN) {
                    let here = messages
                        .mapped(|message| message.chunks(CHUNK_LEN).nth(number).unwrap_or(&[]));
                    chunks::<$lanes, $count>(
                        initial(),
                        &here,
                        number as u32,
                        0,
                        0,
                        |lane, halves| {
                            put(bytes_of_mut(&mut values[lane][number]), halves);
                        },
                    );
                }
                for (lane, message) in
                    messages.iter().enumerate().filter(|(_, message)| !message.is_empty())
                {
                    let root = one::parent(
                        &below_top(&mut values[lane][..message.len().div_ceil(CHUNK_LEN)]),
                        ROOT,
                    );
                    batch.output(group[lane].0).copy_from_slice(bytes_of(&root));
                }
            }
            Kernel::of($name, $needs.covering($features), Code::Lanes($count, absorb))
        };

        /// The same under a key, where messages of more than a chunk are done one by one.
        pub(super) const $keyed: Kernel = {
            #[target_feature(enable = $features)]
            fn absorb(batch: &mut Batch<'_>) {
                let Keyed { key, kind, .. } = batch.start();
                let key = splat::<$lanes, 8>(key);
                let mut groups = batch.groups::<$count, _>(2, work);
                while let Some(group) = groups.next(batch) {
                    if group[0].1.len() <= CHUNK_LEN {
                        messages::<$lanes, $count>(batch, group, key, kind as u32);
                    } else {
                        group.iter().for_each(|(number, _)| batch.digest_one(*number));
                    }
                }
            }
            Kernel::of($name, $needs.covering($features), Code::Lanes($count, absorb)).resuming()
        };
    };
}

chunk_kernels!(
    AVX512_X16 KEYED_AVX512_X16: "avx512x16", AVX512, "avx512f,avx512bw,avx512vl", 16 in U32x16
);
chunk_kernels!(AVX2_X8 KEYED_AVX2_X8: "avx2x8", Features::AVX2, "avx2", 8 in U32x8);

/// The most chunks of a message in lanes: the chunks of longer ones fill the lanes themselves.
const MAX_CHUNKS: usize = 8;

/// The work that a message makes: its blocks if it is one chunk, and then its chunks.
fn work(len: usize) -> usize {
    if len <= CHUNK_LEN {
        len.div_ceil(BLOCK_LEN)
    } else {
        CHUNK_LEN / BLOCK_LEN + len.div_ceil(CHUNK_LEN).min(MAX_CHUNKS + 1)
    }
}

/// Digests of messages of one chunk, from a chaining value on; `kind` are flags of every block.
#[inline(always)]
fn messages<L: Lanes<Word = u32>, const LANES: usize>(
    batch: &mut Batch<'_>,
    group: &[(usize, &[u8]); LANES],
    chain: [L; 8],
    kind: u32,
) {
    let mut put = |lane: usize, halves: [&[u8; 16]; 2]| put(batch.output(group[lane].0), halves);
    let (mut lens, mut longest) = ([0; LANES], 0);
    for (len, (_, message)) in lens.iter_mut().zip(group) {
        *len = message.len() as u32;
        longest = longest.max(message.len());
    }
    if L::READS_ENDS && longest <= BLOCK_LEN {
        let (mut chain, flags) = (chain, kind | CHUNK_START | CHUNK_END | ROOT);
        let words = L::read_ends(&|lane: usize| group[lane].1, 0);
        compress(&mut chain, &words, [L::splat(0), L::splat(0), cast(lens), L::splat(flags)]);
        put_out::<L, LANES>(&chain, |_| true, &mut put);
    } else {
        let messages = group.mapped(|(_, message)| message);
        chunks::<L, LANES>(chain, &messages, 0, kind, ROOT, put);
    }
}

/// The values of chunks, one in each lane, each of them number `number` of its message, from a
/// chaining value on; `kind` are flags of every block, `root` those of the last. `put` is given the
/// halves of each value.
#[inline(always)]
fn chunks<L: Lanes<Word = u32>, const LANES: usize>(
    mut chain: [L; 8],
    chunks: &[&[u8]; LANES],
    number: u32,
    kind: u32,
    root: u32,
    mut put: impl FnMut(usize, [&[u8; 16]; 2]),
) {
    let mut lanes = Ends { tails: [[0; BLOCK_LEN]; LANES], bodies: [0; LANES], lens: [0; LANES] };
    let len = chunks[0].len();
    if chunks.iter().all(|chunk| chunk.len() == len) {
        // What depends on the length alone is then done once.
        for (lane, chunk) in chunks.iter().enumerate() {
            lanes.end::<L>(lane, &chunk[..len]);
        }
    } else {
        for (lane, chunk) in chunks.iter().enumerate() {
            lanes.end::<L>(lane, chunk);
        }
    }
    let Ends { tails, bodies, lens } = &lanes;
    let most = bodies.iter().fold(0, |most, body| most.max(*body));
    let mut flags = kind | CHUNK_START;
    for block in 0..=most {
        let mut rows = [&tails[0]; LANES];
        let mut ended = false;
        let (mut lens_here, mut flags_here) = ([0; LANES], [0; LANES]);
        for lane in 0..LANES {
            let last = bodies[lane] == block;
            // The last block of a chunk comes from `tails`, and full blocks from the message.
            rows[lane] = match chunks[lane]
                .get(block as usize * BLOCK_LEN..)
                .and_then(<[u8]>::first_chunk)
            {
                Some(row) if !last => row,
                _ => &tails[lane],
            };
            lens_here[lane] = if last { lens[lane] } else { BLOCK_LEN as u32 };
            flags_here[lane] = if last { flags | CHUNK_END | root } else { flags };
            ended |= last;
        }
        let words = L::read::<16>(|lane| rows[lane]);
        // A lane behind its end goes on for nothing: its value was put out before.
        compress(
            &mut chain,
            &words,
            [L::splat(number), L::splat(0), cast(lens_here), cast(flags_here)],
        );
        flags = kind;
        // Only a block in which a chunk ends has values to put out.
        if ended {
            put_out::<L, LANES>(&chain, |lane| bodies[lane] == block, &mut put);
        }
    }
}

/// How the chunk of each lane ends.
struct Ends<const LANES: usize> {
    /// The last block, with zeros.
    tails: [[u8; BLOCK_LEN]; LANES],
    /// How many blocks come before it.
    bodies: [u32; LANES],
    /// How many bytes of the chunk it has.
    lens: [u32; LANES],
}

impl<const LANES: usize> Ends<LANES> {
    #[inline(always)]
    fn end<L: Lanes>(&mut self, lane: usize, chunk: &[u8]) {
        // A full last block belongs to the end: it has flags of its own.
        let body = chunk.len().saturating_sub(1) / BLOCK_LEN;
        let rest = chunk.len() - body * BLOCK_LEN;
        (self.bodies[lane], self.lens[lane]) = (body as u32, rest as u32);
        L::pad(&mut self.tails[lane], chunk, rest, 0, [0; 4]);
    }
}
