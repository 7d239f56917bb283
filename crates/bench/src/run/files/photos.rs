//! Photographs made from nothing: JPEG files that a decoder reads, each with a date and pixels of
//! its own, the same on every machine.
//!
//! A baseline JPEG of three colours, whose two Huffman tables have one code each: `0` for a value
//! of seven bits. So every coefficient takes one byte, whose low seven bits may be any; none is
//! 0xFF, which would need an escape. All 64 coefficients of a block are there, so no block has an
//! end code. The picture is noise, and as hard to compress as a photograph.
//!
//! ```text
//! SOI | APP1 Exif, date | DQT | SOF0 size | DHT, DHT | SOS | blocks of 192 bytes | EOI
//! card/DCIM/100HASHD/IMG_0001.JPG  =  photos/2011/01/01/IMG_0001.JPG
//! ```
//!
//! All follows from the number and the lengths of photographs: a folder that was kept holds the
//! same files, and they are not written again.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use jiff::ToSpan;
use jiff::civil::{DateTime, date};
use tempfile::{NamedTempFile, PersistError};

use crate::study::Photos;

/// One photograph.
#[derive(Clone, Debug)]
pub struct Photo {
    /// On the camera's card: `IMG_0001.JPG`.
    pub name: String,
    /// When it was taken.
    pub taken: DateTime,
    /// Blocks of 8 x 8 pixels from left to right.
    columns: u16,
    /// From top to bottom.
    rows: u16,
    seed: u64,
}

/// A tree of photographs as a camera names them, and its copy in folders of the date.
pub struct Tree {
    /// What both sides hold.
    pub photos: Vec<Photo>,
    folder: PathBuf,
}

/// The two places of a photograph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The camera's card.
    Source,
    /// The copy.
    Destination,
}

/// Both, in the order in which they are read.
pub const SIDES: [Side; 2] = [Side::Source, Side::Destination];

/// The photographs of a month, the same whenever they are asked for.
pub fn month(photos: Photos) -> Vec<Photo> {
    let mut random = fastrand::Rng::with_seed(SEED);
    let begin = date(2011, 1, 1).at(8, 0, 0, 0);
    let step = 30 * 24 * 3600 / photos.count.max(1) as i64;
    // The width is common to all: a photograph is about square, and its rows make its length.
    let columns = (photos.from / BLOCK_BYTES).isqrt().clamp(1, MOST_BLOCKS);
    let fitting = |bytes: u64| bytes.saturating_sub(HEADER_BYTES) / (columns * BLOCK_BYTES);
    let least = (fitting(photos.from) + 1).min(MOST_BLOCKS);
    let rows = least..=fitting(photos.to).clamp(least, MOST_BLOCKS);
    let mut photo = |index: usize| Photo {
        name: format!("IMG_{:04}.JPG", index + 1),
        taken: begin + (index as i64 * step + random.i64(0..step.max(1))).seconds(),
        columns: columns as u16,
        rows: random.u64(rows.clone()) as u16,
        seed: random.u64(..),
    };
    (0..photos.count).map(&mut photo).collect()
}

impl Tree {
    /// Writes the photographs and their copy into `folder`, and syncs them. Those that an earlier
    /// run left there stay.
    ///
    /// # Errors
    /// Of the file system: a folder or a photograph cannot be written or synced. Or a photograph's
    /// place is taken by another file.
    pub fn write(folder: &Path, photos: Photos) -> io::Result<Self> {
        let tree = Self { photos: month(photos), folder: folder.to_owned() };
        // Folders first, so that none comes back while a program that is stopped removes them.
        for path in tree.photos.iter().flat_map(|photo| SIDES.map(|side| tree.path(photo, side))) {
            fs::create_dir_all(path.parent().expect("a photograph lies in a folder"))?;
        }
        for photo in &tree.photos {
            // Made once and written twice. The tree is far larger than the memory may be.
            let jpeg = photo.jpeg();
            SIDES.iter().try_for_each(|&side| put(&tree.path(photo, side), &jpeg))?;
        }
        Ok(tree)
    }

    /// Bytes that [`Tree::write`] has yet to write into `folder`.
    pub fn missing(folder: &Path, photos: Photos) -> u64 {
        let tree = Self { photos: month(photos), folder: folder.to_owned() };
        let is_there = |photo: &Photo, side| {
            let found = fs::metadata(tree.path(photo, side));
            found.is_ok_and(|found| found.len() == photo.bytes())
        };
        let places = tree.photos.iter().flat_map(|photo| SIDES.map(|side| (photo, side)));
        places.filter(|&(photo, side)| !is_there(photo, side)).map(|(photo, _)| photo.bytes()).sum()
    }

    /// Where a photograph lies.
    pub fn path(&self, photo: &Photo, side: Side) -> PathBuf {
        match side {
            Side::Source => self.folder.join("card/DCIM/100HASHD").join(&photo.name),
            Side::Destination => {
                let taken = photo.taken;
                let day =
                    format!("photos/{:04}/{:02}/{:02}", taken.year(), taken.month(), taken.day());
                self.folder.join(day).join(&photo.name)
            }
        }
    }
}

impl Photo {
    /// The file's length.
    pub fn bytes(&self) -> u64 {
        HEADER_BYTES + u64::from(self.columns) * u64::from(self.rows) * BLOCK_BYTES
    }

    /// The file.
    pub fn jpeg(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes() as usize);
        out.extend([0xFF, 0xD8]);
        segment(&mut out, 0xE1, &exif(self.taken));
        segment(&mut out, 0xDB, &[&[0][..], &[1; 64]].concat());
        let [[top, bottom], [left, right]] =
            [self.rows * 8, self.columns * 8].map(u16::to_be_bytes);
        segment(
            &mut out,
            0xC0,
            &[8, top, bottom, left, right, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0],
        );
        for table in [0x00, 0x10] {
            segment(&mut out, 0xC4, &[&[table, 1][..], &[0; 15], &[SEVEN_BITS]].concat());
        }
        segment(&mut out, 0xDA, &[3, 1, 0, 2, 0, 3, 0, 0, 63, 0]);
        let header = out.len();
        debug_assert_eq!(header as u64 + 2, HEADER_BYTES);
        out.resize(self.bytes() as usize - 2, 0);
        fastrand::Rng::with_seed(self.seed).fill(&mut out[header..]);
        self.tame(&mut out[header..]);
        out.extend([0xFF, 0xD9]);
        out
    }

    /// Makes coefficients of random bytes. The first of a block is a difference to the block
    /// before; every second one takes back what the one before added, so that brightness stays.
    fn tame(&self, scan: &mut [u8]) {
        let mut last = [0; 3];
        for (index, unit) in scan.chunks_exact_mut(BLOCK_BYTES as usize).enumerate() {
            unit.iter_mut().for_each(|byte| *byte &= 0x7F);
            for (colour, last) in last.iter_mut().enumerate() {
                let first = &mut unit[64 * colour];
                *first = if index % 2 == 0 { *first } else { *last ^ 0x7F };
                *last = *first;
            }
        }
    }
}

/// Writes a file where none is, whole or not at all. One that is there may be the user's and stays:
/// that is an error, unless it holds the same.
fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let length = fs::metadata(path).map(|found| found.len());
    if length.is_ok_and(|len| len == bytes.len() as u64) && fs::read(path)? == bytes {
        return Ok(());
    }
    let mut file = NamedTempFile::new_in(path.parent().expect("a photograph lies in a folder"))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(PersistError { error, .. }) if error.kind() == ErrorKind::AlreadyExists => {
            let reason = format!("{} is there, and is another file", path.display());
            Err(io::Error::new(error.kind(), reason))
        }
        placed => placed.map(drop).map_err(|error| error.error),
    }
}

fn segment(out: &mut Vec<u8>, marker: u8, body: &[u8]) {
    out.extend([0xFF, marker]);
    out.extend((body.len() as u16 + 2).to_be_bytes());
    out.extend(body);
}

/// The body of an Exif segment with DateTimeOriginal alone (Exif 2.32, 4.5 and 4.6): one entry in
/// each of two directories.
fn exif(taken: DateTime) -> Vec<u8> {
    let text = taken.strftime("%Y:%m:%d %H:%M:%S\0").to_string();
    let mut body = b"Exif\0\0II*\0\x08\0\0\0".to_vec();
    body.extend(directory(0x8769, 4, 1, 26)); // a pointer to the second directory
    body.extend(directory(0x9003, 2, text.len() as u32, 44)); // DateTimeOriginal, text
    body.extend(text.as_bytes());
    body
}

fn directory(tag: u16, kind: u16, count: u32, value: u32) -> Vec<u8> {
    let mut bytes = vec![1, 0];
    bytes.extend(tag.to_le_bytes());
    bytes.extend(kind.to_le_bytes());
    [count, value, 0].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes
}

const SEED: u64 = 3;
/// Three blocks of 64 coefficients.
const BLOCK_BYTES: u64 = 192;
/// Everything but the scan.
const HEADER_BYTES: u64 = 224;
/// The symbol of a value of seven bits that no zero goes before.
const SEVEN_BITS: u8 = 7;
/// A JPEG's side has at most 65535 pixels.
const MOST_BLOCKS: u64 = 8191;
