//! Torrents of version 1 (BEP 3) that have one file.

/// The least length of pieces.
const MIN_PART: u64 = 16 << 10;

/// The greatest.
const MAX_PART: u64 = 8 << 20;

/// The length of pieces of a file of so many bytes, as RHash and uTorrent choose it: a power of two
/// that makes 512 to 1024 pieces, or more of a file from 8 GiB on.
pub(super) fn usual_part_len(len: u64) -> usize {
    let part = if len < 16 << 20 { MIN_PART } else { (1 << len.min(MAX_PART << 9).ilog2()) >> 9 };
    part.min(MAX_PART) as usize
}

/// The information of a torrent on one file, without anything that is optional.
pub(super) fn info(name: &[u8], len: u64, part_len: usize, pieces: &[u8]) -> Vec<u8> {
    let name = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
    let head = format!("d6:lengthi{len}e4:name{}:", name.len());
    let middle = format!("12:piece lengthi{part_len}e6:pieces{}:", pieces.len());
    [head.as_bytes(), name, middle.as_bytes(), pieces, b"e"].concat()
}
