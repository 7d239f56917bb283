//! Many messages at once.

use std::ffi::c_void;
use std::mem::replace;
use std::ptr::null;

use engine::Digest;

use super::calls::*;
use super::{Bytes, algorithm};

/// Offsets of any kind into some data: answers only where they are ascending and inside.
pub(super) fn offsets(bytes: &mut Bytes) {
    let (algorithm, digest) = algorithm(bytes);
    let data = bytes.piece();
    let large: Vec<i64> = (0..1 + bytes.byte() % 9).map(|_| bytes.number()).collect();
    let small: Vec<i32> = large.iter().map(|&offset| offset as i32).collect();
    let count = large.len() - 1;
    let len =
        count * digest.map_or(16, |digest| digest.output_len) + usize::from(bytes.byte() > 250);
    let given = (data.as_ptr(), data.len());
    // SAFETY: slices are as long as they say, and there are `count + 1` offsets.
    let by_large = written(len, |out| unsafe {
        hashdyno_digest_large_offsets(
            algorithm,
            null(),
            given.0,
            given.1,
            large.as_ptr(),
            count,
            out,
            len,
        )
    });
    // SAFETY: as above.
    let by_small = written(len, |out| unsafe {
        hashdyno_digest_offsets(
            algorithm,
            null(),
            given.0,
            given.1,
            small.as_ptr(),
            count,
            out,
            len,
        )
    });
    let as_wide: Vec<i64> = small.iter().map(|&offset| offset.into()).collect();
    for ((status, out), offsets) in [(by_large, large), (by_small, as_wide)] {
        assert_ne!(status, INTERNAL);
        if status == OK && count > 0 {
            let message = |pair: &[i64]| &data[pair[0] as usize..pair[1] as usize];
            each(digest.expect("no digest by no algorithm"), offsets.windows(2).map(message), &out);
        }
    }
}

pub(super) fn rows(bytes: &mut Bytes) {
    let (algorithm, digest) = algorithm(bytes);
    let (data, width) = (bytes.piece(), bytes.byte() % 64);
    let len =
        data.len().checked_div(width).unwrap_or(0) * digest.map_or(16, |digest| digest.output_len);
    // SAFETY: slices are as long as they say.
    let (status, out) = written(len, |out| unsafe {
        hashdyno_digest_rows(algorithm, null(), data.as_ptr(), data.len(), width, out, len)
    });
    assert_ne!(status, INTERNAL);
    if status == OK {
        each(digest.expect("no digest by no algorithm"), data.chunks(width), &out);
    }
}

/// Hashers of one algorithm or two, in rounds of pieces; at times one stands there twice.
pub(super) fn side_by_side(bytes: &mut Bytes) {
    let algorithms = [algorithm(bytes), algorithm(bytes)];
    let is_mixed = bytes.byte() > 200;
    let mut hashers = vec![Hasher([0; HASHER]); bytes.byte() % 40];
    let mut at: Vec<*mut c_void> =
        hashers.iter_mut().map(|hasher| (&raw mut *hasher).cast()).collect();
    let algorithm_of = |index: usize| algorithms[usize::from(is_mixed && index % 3 == 2)];
    let mut are_started = true;
    for (index, hasher) in at.iter().enumerate() {
        // SAFETY: a hasher of full length.
        are_started &= unsafe { hashdyno_start(*hasher, algorithm_of(index).0) } == OK;
    }
    let mut messages = vec![Vec::new(); at.len()];
    let data: Vec<u8> = (0..4352u32).map(|index| ((index * index) >> 5) as u8).collect();
    for _ in 0..1 + bytes.byte() % 4 {
        // Mostly long ones: of short ones there are none left behind a whole block.
        let longest = 1 + 16 * bytes.byte();
        let pieces: Vec<&[u8]> =
            at.iter().map(|_| &data[bytes.byte()..][..bytes.byte() * 16 % longest]).collect();
        let first = at.first().copied();
        let twice = at.get_mut(1).filter(|_| bytes.byte() > 240);
        let twice = twice.zip(first).map(|(second, first)| replace(second, first));
        let (addresses, lens): (Vec<_>, Vec<_>) =
            pieces.iter().map(|piece| (piece.as_ptr(), piece.len())).unzip();
        // SAFETY: hashers of full length; slices are as long as they say.
        let status = unsafe {
            hashdyno_update_many(at.as_ptr(), addresses.as_ptr(), lens.as_ptr(), at.len())
        };
        assert_ne!(status, INTERNAL);
        assert_eq!(status == OK, are_started && twice.is_none());
        if status == OK {
            for (message, piece) in messages.iter_mut().zip(pieces) {
                message.extend_from_slice(piece);
            }
        }
        if let Some(second) = twice {
            at[1] = second;
        }
    }
    for (index, (hasher, message)) in at.iter().zip(&messages).enumerate() {
        let Some(digest) = algorithm_of(index).1 else { continue };
        let len = digest.output_len;
        // SAFETY: a hasher of full length.
        let (status, out) = written(len, |out| unsafe { hashdyno_finish(*hasher, out, len) });
        assert_eq!(status, OK);
        assert_eq!(out, digest.digest(message), "{} of {} bytes", digest.name, message.len());
    }
}

/// Messages by their addresses; some are empty and have none.
pub(super) fn pointers(bytes: &mut Bytes) {
    let (algorithm, digest) = algorithm(bytes);
    let messages: Vec<&[u8]> = (0..bytes.byte() % 40).map(|_| bytes.piece()).collect();
    let at = |message: &&[u8]| if message.is_empty() { null() } else { message.as_ptr() };
    let (addresses, lens): (Vec<_>, Vec<_>) =
        messages.iter().map(|message| (at(message), message.len())).unzip();
    let len = messages.len() * digest.map_or(16, |digest| digest.output_len);
    // SAFETY: slices are as long as they say.
    let (status, out) = written(len, |out| unsafe {
        hashdyno_digest_many(
            algorithm,
            null(),
            addresses.as_ptr(),
            lens.as_ptr(),
            messages.len(),
            out,
            len,
        )
    });
    assert_ne!(status, INTERNAL);
    if status == OK {
        each(digest.expect("no digest by no algorithm"), messages.into_iter(), &out);
    }
}

fn each<'a>(digest: &'static Digest, messages: impl Iterator<Item = &'a [u8]>, out: &[u8]) {
    let mut digests = out.chunks_exact(digest.output_len);
    for message in messages {
        assert_eq!(digests.next().expect("a digest of each message"), &digest.digest(message)[..]);
    }
}
