//! MD2 of many messages: byte n of 32 messages in a vector, or in each of two, for one would wait for itself. The table is looked
//! up by shuffles.

use std::arch::x86_64::*;
use std::cmp::Reverse;

use bytemuck::cast;

use super::PI;
use crate::{Absorb, Batch, Features, Kernel};

pub(super) const AVX2_X64: Kernel = Kernel { name: "avx2x64", needs: Features::AVX2, absorb: Absorb::Many(64, absorb_64) };
pub(super) const AVX2_X32: Kernel = Kernel { name: "avx2x32", needs: Features::AVX2, absorb: Absorb::Many(32, absorb_32) };

/// One byte of each message.
type Plane<const SETS: usize> = [__m256i; SETS];

/// The same byte of 32 messages.
const MESSAGES: usize = 32;

/// How many messages in a set are no slower together.
const WORTH: usize = 4;

#[target_feature(enable = "avx2")]
fn absorb_64(batch: &mut Batch<'_>) {
    let mut groups = batch.groups::<64, _>(2 * WORTH, blocks);
    while let Some(group) = groups.next(batch) {
        digest::<2>(batch, &group);
    }
}

#[target_feature(enable = "avx2")]
fn absorb_32(batch: &mut Batch<'_>) {
    let mut groups = batch.groups::<32, _>(WORTH, blocks);
    while let Some(group) = groups.next(batch) {
        digest::<1>(batch, &group);
    }
}

/// How many blocks a message makes with its padding.
fn blocks(len: usize) -> usize {
    len / 16 + 1
}

/// The digests of a group. Messages of which too few are so long are left to the kernel for one.
#[inline]
#[target_feature(enable = "avx2")]
fn digest<const SETS: usize>(batch: &mut Batch<'_>, group: &[(usize, &[u8])]) {
    let is_new = |lane: usize| lane == 0 || group[lane].0 != group[0].0;
    let mut lens = [0; 64];
    for lane in (0..group.len()).filter(|lane| is_new(*lane)) {
        lens[lane] = blocks(group[lane].1.len());
    }
    let longest = *lens.select_nth_unstable_by_key(SETS * WORTH - 1, |len| Reverse(*len)).1;
    let (mut digests, mut checksums) = ([[_mm256_setzero_si256(); SETS]; 16], [[_mm256_setzero_si256(); SETS]; 16]);
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
        let mut planes = transposed(rows);
        for (plane, checksum) in planes.iter_mut().zip(&checksums) {
            for set in 0..SETS {
                plane[set] = _mm256_or_si256(plane[set], _mm256_and_si256(checksum[set], cast(ending[set])));
            }
        }
        compress(&mut digests, &mut checksums, &planes);
        if ending != [[0; MESSAGES]; SETS] {
            let planes = digests.map(|plane| plane.map(cast::<_, [u8; MESSAGES]>));
            for set in 0..SETS {
                for lane in (0..MESSAGES).filter(|lane| ending[set][*lane] != 0) {
                    for (byte, plane) in batch.output(group[MESSAGES * set + lane].0).iter_mut().zip(&planes) {
                        *byte = plane[set][lane];
                    }
                }
            }
        }
    }
    for lane in (0..group.len()).filter(|lane| is_new(*lane) && blocks(group[*lane].1.len()) > longest) {
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
#[inline]
#[target_feature(enable = "avx2")]
fn compress<const SETS: usize>(digest: &mut [Plane<SETS>; 16], checksum: &mut [Plane<SETS>; 16], block: &[Plane<SETS>; 16]) {
    let mut bytes = [[_mm256_setzero_si256(); SETS]; 48];
    for at in 0..16 {
        bytes[at] = digest[at];
        bytes[16 + at] = block[at];
        bytes[32 + at] = added(digest[at], block[at]);
    }
    let mut sum = checksum[15];
    let mut link = [_mm256_setzero_si256(); SETS];
    for round in 0..18 {
        if round < 16 {
            checksum[round] = added(checksum[round], looked_up(added(sum, block[round])));
            sum = checksum[round];
        }
        for byte in &mut bytes {
            *byte = added(*byte, looked_up(link));
            link = *byte;
        }
        for link in &mut link {
            *link = _mm256_add_epi8(*link, _mm256_set1_epi8(round as i8));
        }
    }
    digest.copy_from_slice(&bytes[..16]);
}

#[inline]
#[target_feature(enable = "avx2")]
fn added<const SETS: usize>(mut a: Plane<SETS>, b: Plane<SETS>) -> Plane<SETS> {
    for set in 0..SETS {
        a[set] = _mm256_xor_si256(a[set], b[set]);
    }
    a
}

/// The table's entry for each byte: the low nibble by shuffles, for each value of the high one, of which the highest bit is the
/// shuffles' own, and the others choose.
#[inline]
#[target_feature(enable = "avx2")]
fn looked_up<const SETS: usize>(mut bytes: Plane<SETS>) -> Plane<SETS> {
    for byte in &mut bytes {
        let low = _mm256_and_si256(*byte, _mm256_set1_epi8(0x8f_u8 as i8));
        let high = _mm256_xor_si256(low, _mm256_set1_epi8(0x80_u8 as i8));
        let entry = |row: usize| {
            _mm256_or_si256(_mm256_shuffle_epi8(cast(TABLES[row]), low), _mm256_shuffle_epi8(cast(TABLES[8 + row]), high))
        };
        let (bit_4, bit_5, bit_6) = (_mm256_slli_epi16::<3>(*byte), _mm256_slli_epi16::<2>(*byte), _mm256_slli_epi16::<1>(*byte));
        let two = |row: usize| _mm256_blendv_epi8(entry(row), entry(row + 1), bit_4);
        let four = |row: usize| _mm256_blendv_epi8(two(row), two(row + 2), bit_5);
        *byte = _mm256_blendv_epi8(four(0), four(4), bit_6);
    }
    bytes
}

/// Sixteen entries of the table each, twice.
static TABLES: [[[u8; 16]; 2]; 16] = {
    let (mut tables, mut at) = ([[[0; 16]; 2]; 16], 0);
    while at < 512 {
        tables[at / 32][at / 16 % 2][at % 16] = PI[at / 32 * 16 + at % 16];
        at += 1;
    }
    tables
};

/// Byte n of each row: the rows interleaved four times.
#[inline]
#[target_feature(enable = "avx2")]
fn transposed<const SETS: usize>(rows: [[[u8; 16]; MESSAGES]; SETS]) -> [Plane<SETS>; 16] {
    let mut planes = [[_mm256_setzero_si256(); SETS]; 16];
    for set in 0..SETS {
        let mut v = [_mm256_setzero_si256(); 16];
        for at in 0..16 {
            v[at] = cast([rows[set][at], rows[set][16 + at]]);
        }
        for _ in 0..4 {
            let from = v;
            for at in 0..8 {
                v[2 * at] = _mm256_unpacklo_epi8(from[at], from[8 + at]);
                v[2 * at + 1] = _mm256_unpackhi_epi8(from[at], from[8 + at]);
            }
        }
        for at in 0..16 {
            planes[at][set] = v[at];
        }
    }
    planes
}
