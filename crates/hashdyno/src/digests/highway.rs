//! HighwayHash (J. Alakuijala, B. Cox, J. Wassenberg: Fast keyed hash/pseudo-random function using
//! SIMD multiply and permute, 2016), version 3, frozen, of 64, 128 and 256 bits. Under a key of 32
//! bytes, or of zeros; least significant byte first.
//!
//! ```text
//! state: v0, v1, p0, p1, four words each
//! each packet of four words, lane by lane:
//!     v1 += p0 + packet           p0 ^= lower half of v1 * upper half of v0
//!     v0 += p1                    p1 ^= lower half of v0 * upper half of v1
//!     v0 += bytes of v1 in a fixed order; v1 += bytes of v0 likewise
//! rest: its length changes v0 and v1, its bytes and zeros are a packet
//! end: 4, 6 or 10 packets that are v0 with its halves exchanged; sums of the words are the hash
//! ```

#[cfg(target_arch = "x86_64")]
mod avx2;

use bytemuck::{Pod, Zeroable};

use crate::kernel::kernels;
use crate::modes::Modes;
use crate::parts::arrays::{Mapped, from_fn};
use crate::parts::checksum::{self, Checksum, checksum_kernel};
use crate::{Digest, Features, Kernel, KeyError, Keyed, Purpose, Security, State};

digests! {
    HIGHWAYHASH_64 highwayhash_64 Highwayhash64: [u8; 8],
    HIGHWAYHASH_128 highwayhash_128 Highwayhash128: [u8; 16],
    HIGHWAYHASH_256 highwayhash_256 Highwayhash256: [u8; 32],
}

static HIGHWAYHASH_64: Digest =
    Digest { name: "highwayhash-64", aliases: &["highwayhash64"], ..highway::<8>() };

static HIGHWAYHASH_128: Digest =
    Digest { name: "highwayhash-128", aliases: &["highwayhash128"], ..highway::<16>() };

static HIGHWAYHASH_256: Digest =
    Digest { name: "highwayhash-256", aliases: &["highwayhash256"], ..highway::<32>() };

const fn highway<const LEN: usize>() -> Digest {
    Digest {
        family: "highwayhash",
        purpose: Purpose::HashTable,
        specified_in: "Fast keyed hash/pseudo-random function using SIMD multiply and permute \
            (2016)",
        security: Security::Checksum,
        output_len: LEN,
        block_len: PACKET,
        start: checksum::start::<Highway<LEN>>,
        finish: checksum::finish::<Highway<LEN>>,
        one: const { kernels![avx2::kernel::<Highway<LEN>>(); portable::<Highway<LEN>>()] },
        modes: &MODES,
        ..Digest::BASE
    }
}

const MODES: Modes = Modes { keyed, ..Modes::NONE };

/// A key of 32 bytes.
fn keyed(digest: &'static Digest, key: &[u8]) -> Result<Keyed, KeyError> {
    KeyError::unless_len(digest.name, key.len(), PACKET, PACKET)?;
    let mut state = State::new();
    state.init(Register::under(words(key)));
    Ok(Keyed::starting(digest, &mut state))
}

/// Bytes that are taken at a time.
const PACKET: usize = 32;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Register {
    /// v0 and v1 of the reference.
    v: [[u64; 4]; 2],
    /// `mul0` and `mul1` of the reference.
    products: [[u64; 4]; 2],
}

const INITIAL: [[u64; 4]; 2] = [
    [0xdbe6_d5d5_fe4c_ce2f, 0xa409_3822_299f_31d0, 0x1319_8a2e_0370_7344, 0x243f_6a88_85a3_08d3],
    [0x3bd3_9e10_cb0e_f593, 0xc0ac_f169_b5f1_8a8c, 0xbe54_66cf_34e9_0c6c, 0x4528_21e6_38d0_1377],
];

impl Register {
    const fn under(key: [u64; 4]) -> Self {
        let (mut v, mut lane) = (INITIAL, 0);
        while lane < 4 {
            v[0][lane] ^= key[lane];
            v[1][lane] ^= key[lane].rotate_left(32);
            lane += 1;
        }
        Self { v, products: INITIAL }
    }

    #[inline(always)]
    fn take(&mut self, packet: [u64; 4]) {
        let Self { v: [v0, v1], products: [p0, p1] } = self;
        let low = |word: u64| word & 0xffff_ffff;
        for lane in 0..4 {
            v1[lane] = v1[lane].wrapping_add(p0[lane]).wrapping_add(packet[lane]);
            p0[lane] ^= low(v1[lane]).wrapping_mul(v0[lane] >> 32);
            v0[lane] = v0[lane].wrapping_add(p1[lane]);
            p1[lane] ^= low(v0[lane]).wrapping_mul(v1[lane] >> 32);
        }
        *v0 = merged(*v0, *v1);
        *v1 = merged(*v1, *v0);
    }

    /// The rest of a message that does not fill a packet.
    #[inline(always)]
    fn take_rest(&mut self, rest: &[u8]) {
        let len = rest.len();
        let [v0, v1] = &mut self.v;
        // The length goes into both halves of every word.
        *v0 = v0.mapped(|word| word.wrapping_add((len as u64) << 32 | len as u64));
        *v1 = v1.mapped(|word| {
            // The length is less than 32, so each half turns by the length itself.
            let half = |half: u64| u64::from((half as u32).rotate_left(len as u32));
            half(word) | half(word >> 32) << 32
        });
        let (whole, few) = rest.split_at(len & !3);
        let mut packet = [0; PACKET];
        packet[..whole.len()].copy_from_slice(whole);
        // The last 4 bytes are taken again, or the first, the middle and the last of 1 to 3 bytes.
        // So no byte is read beyond the rest.
        if len & 16 != 0 {
            packet[28..].copy_from_slice(&rest[len - 4..]);
        } else if let (Some(first), Some(last)) = (few.first(), few.last()) {
            packet[16..19].copy_from_slice(&[*first, few[few.len() / 2], *last]);
        }
        self.take(words(&packet));
    }

    /// Mixes what is kept: so many times.
    #[inline(always)]
    fn permute(&mut self, times: usize) {
        for _ in 0..times {
            // Two exchanges: the halves of a word, and the pairs of words.
            let [a, b, c, d] = self.v[0].mapped(|word| word.rotate_left(32));
            self.take([c, d, a, b]);
        }
    }
}

/// The words with the bytes of others added, which change places.
#[inline(always)]
fn merged(words: [u64; 4], others: [u64; 4]) -> [u64; 4] {
    const ORDER: [usize; 16] = [3, 12, 2, 5, 14, 1, 15, 0, 11, 4, 10, 13, 9, 6, 8, 7];
    let bytes: [[u8; 16]; 2] = bytemuck::cast(others.mapped(u64::to_le));
    let moved: [u64; 4] = bytemuck::cast(bytes.mapped(|half| ORDER.mapped(|from| half[from])));
    from_fn(|lane| words[lane].wrapping_add(u64::from_le(moved[lane])))
}

/// The words of a packet.
#[inline(always)]
fn words(packet: &[u8]) -> [u64; 4] {
    let (words, _) = packet.as_chunks();
    from_fn(|word| u64::from_le_bytes(words[word]))
}

/// A hash of so many bytes.
struct Highway<const LEN: usize>;

impl<const LEN: usize> Checksum for Highway<LEN> {
    type Register = Register;
    const START: Register = Register::under([0; 4]);
    const BLOCK: usize = PACKET;
    const LEN: usize = LEN;

    #[inline(always)]
    fn finish(mut register: Register, rest: &[u8], _: u64, out: &mut [u8]) {
        if !rest.is_empty() {
            register.take_rest(rest);
        }
        register.permute(match LEN {
            8 => 4,
            16 => 6,
            _ => 10,
        });
        let Register { v: [v0, v1], products: [p0, p1] } = register;
        let sum = |one: [u64; 4], other: [u64; 4], lane: usize| -> u64 {
            one[lane].wrapping_add(other[lane])
        };
        let hash = match LEN {
            8 => [sum(v0, v1, 0).wrapping_add(sum(p0, p1, 0)), 0, 0, 0],
            16 => {
                let half = |lane| sum(v0, p0, lane).wrapping_add(sum(v1, p1, lane + 2));
                [half(0), half(1), 0, 0]
            }
            _ => {
                let half = |lane| {
                    reduced(
                        [sum(v0, p0, lane), sum(v0, p0, lane + 1)],
                        [sum(v1, p1, lane), sum(v1, p1, lane + 1)],
                    )
                };
                let ([a, b], [c, d]) = (half(0), half(2));
                [a, b, c, d]
            }
        };
        out.copy_from_slice(&bytemuck::bytes_of(&hash.mapped(u64::to_le))[..out.len()]);
    }
}

/// The remainder of 254 bits modulo x^128 + x^2 + x.
#[inline(always)]
fn reduced([a0, a1]: [u64; 2], [a2, a3]: [u64; 2]) -> [u64; 2] {
    // The reference clears the upper two bits, so 254 are left.
    let a3 = a3 & u64::MAX >> 2;
    [a0 ^ a2 << 1 ^ a2 << 2, a1 ^ (a3 << 1 | a2 >> 63) ^ (a3 << 2 | a2 >> 62)]
}

const fn portable<H: Named>() -> Kernel {
    checksum_kernel!("portable", Features::empty(), H: Named, after)
}

/// A hash by this register.
trait Named: Checksum<Register = Register> {}

impl<H: Checksum<Register = Register>> Named for H {}

#[inline(always)]
fn after(mut register: Register, blocks: &[u8]) -> Register {
    blocks.as_chunks::<PACKET>().0.iter().for_each(|packet| register.take(words(packet)));
    register
}
