//! Reading a file back, from the device where that can be had and proved.
//!
//! ```text
//! asked    the file system                                     read by          proof
//! Device   has direct input, and is sure to use it here        O_DIRECT         device
//! Device   has direct input, and does not tell                 O_DIRECT         unknown
//! Device   refuses it (EINVAL)                                 the cache        unknown
//! Device   is in memory (tmpfs)                                either           cache
//! Cache    any                                                 the cache        cache
//! ```
//!
//! A proof says no more than the system does. Where it is in doubt, it says `unknown`.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;

use hashdyno::{Digest, Hasher, Output};
use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::read::system::{DIRECT, goes_to_device, in_memory, leave_cache};

/// Where bytes that were read back came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// From the device: by direct input, which passes the system's cache by, on a file system that
    /// says so of this file.
    Device,
    /// From memory: asked for, or the file system has no device.
    Cache,
    /// The file system does not tell.
    Unknown,
    /// They were not read back.
    None,
}

impl Proof {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::Device, Self::Cache, Self::Unknown, Self::None];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Cache => "cache",
            Self::Unknown => "unknown",
            Self::None => "none",
        }
    }
}

/// How a copy is proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verify {
    /// Not at all.
    None,
    /// Read back from wherever the system has it.
    Cache,
    /// Read back from the device.
    #[default]
    Device,
}

/// What was read back.
pub struct ReadBack {
    /// In the order of the digests.
    pub values: Vec<Output>,
    /// Bytes.
    pub size: u64,
    /// Where they came from.
    pub proof: Proof,
}

/// Digests of several kinds of one stream of bytes.
pub struct Hashers(Vec<Hasher>);

impl Hashers {
    /// Of no bytes yet.
    pub fn new(digests: &[&'static Digest]) -> Self {
        Self(digests.iter().map(|digest| Hasher::new(digest)).collect())
    }

    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.iter_mut().for_each(|hasher| hasher.update(bytes));
    }

    /// The digests of all bytes taken.
    pub fn finish(self) -> Vec<Output> {
        self.0.into_iter().map(Hasher::finish).collect()
    }
}

/// Reads a file that `open` opens with the flags it is given. `read` hears of every number of
/// bytes.
pub fn read_back(
    open: impl Fn(OFlags) -> io::Result<OwnedFd>,
    verify: Verify,
    digests: &[&'static Digest],
    mut read: impl FnMut(u64),
) -> io::Result<ReadBack> {
    if verify == Verify::Device
        && let Some((file, proof)) = open_direct(&open)?
        && let Some((values, size)) = hash(&file, length(&file)?, digests, &mut read)?
    {
        return Ok(ReadBack { values, size, proof });
    }
    let file = File::from(open(OFlags::empty())?);
    let proof = match verify {
        // Pages that the cache drops are read from the device. Whether it drops them, nobody tells.
        Verify::Device if !in_memory(&file) => {
            leave_cache(&file);
            Proof::Unknown
        }
        _ => Proof::Cache,
    };
    let (values, size) = hash(&file, length(&file)?, digests, &mut read)?
        .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    Ok(ReadBack { values, size, proof })
}

/// The file for direct input, and what that proves; `None` if the file system has none.
fn open_direct(open: &impl Fn(OFlags) -> io::Result<OwnedFd>) -> io::Result<Option<(File, Proof)>> {
    let Some(direct) = DIRECT else { return Ok(None) };
    let file = match open(direct) {
        Ok(file) => File::from(file),
        Err(error) if error.raw_os_error() == Some(Errno::INVAL.raw_os_error()) => return Ok(None),
        Err(error) => return Err(error),
    };
    // tmpfs may take the flag, and has no device all the same.
    let proof = match in_memory(&file) {
        true => Proof::Cache,
        false if goes_to_device(&file) => Proof::Device,
        false => Proof::Unknown,
    };
    Ok(Some((file, proof)))
}

/// Where direct input must begin, in memory and in the file; what larger devices refuse is read
/// through the cache.
const ALIGN: usize = 4096;

/// How much is read at a time.
const CHUNK: usize = 256 << 10;

fn length(file: &File) -> io::Result<u64> {
    Ok(file.metadata()?.len())
}

/// Digests and length of what is in a file of that length; `None` if it refuses direct input after
/// all.
fn hash(
    mut file: impl Read,
    expected: u64,
    digests: &[&'static Digest],
    read: &mut impl FnMut(u64),
) -> io::Result<Option<(Vec<Output>, u64)>> {
    let mut hashers = Hashers::new(digests);
    let mut memory = vec![0; CHUNK + ALIGN];
    let start = memory.as_ptr().align_offset(ALIGN);
    let chunk = &mut memory[start..][..CHUNK];
    let mut size = 0;
    // One read more, at an odd place, is not for direct input: the end is known.
    while size < expected {
        match file.read(chunk) {
            Ok(0) => break,
            Ok(len) => {
                hashers.update(&chunk[..len]);
                size += len as u64;
                read(len as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error)
                if error.raw_os_error() == Some(Errno::INVAL.raw_os_error()) && size == 0 =>
            {
                return Ok(None);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Some((hashers.finish(), size)))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use rustix::fs::Mode;

    use super::*;

    /// What reading that file back proves, by what its file system says of it.
    fn expected(verify: Verify, path: &Path) -> Proof {
        let file = File::open(path).unwrap();
        let has_direct = |flags| rustix::fs::open(path, flags, Mode::empty()).is_ok();
        match verify {
            Verify::Device if in_memory(&file) => Proof::Cache,
            Verify::Device if DIRECT.is_some_and(has_direct) && goes_to_device(&file) => {
                Proof::Device
            }
            Verify::Device => Proof::Unknown,
            _ => Proof::Cache,
        }
    }

    /// One answer for each read: bytes, or an error.
    struct Told(Vec<Result<&'static [u8], Errno>>);

    impl Read for Told {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0.is_empty(), "the end was known");
            let bytes = self.0.remove(0)?;
            buffer[..bytes.len()].copy_from_slice(bytes);
            Ok(bytes.len())
        }
    }

    #[test]
    fn a_read_that_is_interrupted_is_repeated_and_one_that_fails_is_an_error() {
        let digests = [hashdyno::find("md5").unwrap()];
        let hash = |answers: &[Result<&'static [u8], Errno>]| {
            super::hash(Told(answers.to_vec()), 4, &digests, &mut |_| ())
        };
        let (first, second): (Result<&[u8], _>, Result<&[u8], _>) = (Ok(b"ab"), Ok(b"cd"));
        let (values, size) = hash(&[Err(Errno::INTR), first, Err(Errno::INTR), second])
            .unwrap()
            .expect("it was read");
        assert_eq!((values, size), (vec![digests[0].digest(b"abcd")], 4));
        assert_eq!(hash(&[first, Ok(b"")]).unwrap().unwrap().1, 2, "it has become shorter");
        // Refused from the beginning, or later.
        assert!(hash(&[Err(Errno::INVAL)]).unwrap().is_none());
        assert_eq!(
            Errno::from_io_error(&hash(&[first, Err(Errno::INVAL)]).unwrap_err()),
            Some(Errno::INVAL)
        );
        assert_eq!(Errno::from_io_error(&hash(&[Err(Errno::IO)]).unwrap_err()), Some(Errno::IO));
    }

    #[test]
    fn where_there_is_no_direct_input_nothing_of_the_device_is_proved() {
        let digests = [hashdyno::find("md5").unwrap()];
        let folders = [std::env::temp_dir(), PathBuf::from("/dev/shm")];
        for folder in folders.into_iter().filter(|folder| folder.is_dir()) {
            let file = tempfile::NamedTempFile::new_in(folder).unwrap();
            std::fs::write(file.path(), "abcd").unwrap();
            let back = |refusal: Errno| {
                let open = |flags: OFlags| match DIRECT {
                    Some(direct) if flags.contains(direct) => Err(refusal.into()),
                    _ => Ok(File::open(file.path())?.into()),
                };
                read_back(open, Verify::Device, &digests, |_| {})
            };
            let proof = if in_memory(file.as_file()) { Proof::Cache } else { Proof::Unknown };
            assert_eq!(back(Errno::INVAL).unwrap().proof, proof);
            if DIRECT.is_some() {
                assert!(back(Errno::ACCESS).is_err(), "another refusal");
            }
        }
    }

    #[test]
    fn every_way_reads_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let digests = ["sha256", "crc32b"].map(|name| hashdyno::find(name).unwrap());
        for len in [0, 1, 4095, 4096, 4097, CHUNK, CHUNK + 1, 3 * CHUNK + 777] {
            let bytes: Vec<u8> = (0..len).map(|at| (at * 7 + at / 251) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            File::open(&path).unwrap().sync_all().unwrap();
            for verify in [Verify::Cache, Verify::Device] {
                let open = |flags: OFlags| {
                    Ok(rustix::fs::open(&path, OFlags::RDONLY | flags, Mode::empty())?)
                };
                let mut heard = 0;
                let back = read_back(open, verify, &digests, |len| heard += len).unwrap();
                assert_eq!((back.size, heard), (len as u64, len as u64));
                assert!(
                    digests
                        .iter()
                        .zip(&back.values)
                        .all(|(digest, value)| digest.digest(&bytes) == *value)
                );
                assert_eq!(back.proof, expected(verify, &path));
            }
        }
    }
}
