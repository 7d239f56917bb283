//! One read of a source, written to as many files as are wanted, hashed on the way.
//!
//! ```text
//! transfer   look at the source; read a piece, hash it, write it to every copy, until the end;
//!            look again: another size or time is an error, as the digests are of no state it had
//! finish     attributes, mode, times, then fsync, of each copy
//! ```
//!
//! A copy that cannot be written drops out, and the others go on. Times are set after all writes,
//! since a write changes them. The sync comes last: it covers bytes and all that was set.

use std::fs::File;
use std::io::{self, Read, Write};

use hashdyno::{Digest, Output};
use rustix::fs::{
    Mode, Stat, Timespec, Timestamps, XattrFlags, fchmod, fgetxattr, flistxattr, fsetxattr, fstat,
    futimens,
};
use rustix::io::Errno;

use super::report::{Clock, Phase};
use super::target::Temp;
use super::verify::Hashers;
use crate::read::system::Nanoseconds;

/// What is known of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Bytes.
    pub size: u64,
    /// Seconds and nanoseconds since 1970 when its content last changed.
    pub modified: (i64, Nanoseconds),
}

impl Seen {
    /// As the system tells it now.
    pub fn of(stat: &Stat) -> Self {
        let size = stat.st_size.try_into().unwrap_or_default();
        Self { size, modified: (stat.st_mtime, stat.st_mtime_nsec) }
    }
}

/// Reads `source`, of which `before` was seen, from where it stands to its end. Each of `temps`
/// gets all of it, or an error in its place. Gives the digests; an error if it could not be read,
/// or changed meanwhile.
pub fn transfer(
    source: &File,
    before: &Stat,
    temps: &mut [io::Result<Temp>],
    digests: &[&'static Digest],
    clock: &Clock,
) -> io::Result<Vec<Output>> {
    let size = Seen::of(before).size;
    let mut hashers = Hashers::new(digests);
    let mut chunk = vec![0; CHUNK];
    let mut read = 0;
    loop {
        let len = clock.time(Phase::Reading, || read_some(source, &mut chunk))?;
        if len == 0 {
            break;
        }
        clock.bytes(len as u64);
        read += len as u64;
        // It need not end: a file that grows as fast as it is read.
        if read > size {
            return Err(changed());
        }
        clock.time(Phase::Hashing, || hashers.update(&chunk[..len]));
        clock.time(Phase::Writing, || {
            for temp in temps.iter_mut() {
                if let Err(error) =
                    temp.as_mut().map_or(Ok(()), |temp| temp.file.write_all(&chunk[..len]))
                {
                    *temp = Err(error);
                }
            }
        });
    }
    if read != size || Seen::of(&fstat(source)?) != Seen::of(before) {
        return Err(changed());
    }
    Ok(hashers.finish())
}

/// Gives a written file the times, mode and attributes of its source, and brings it to the device.
/// What the file system cannot keep is told, and is no error.
pub fn finish(
    temp: &Temp,
    source: &File,
    before: &Stat,
    clock: &Clock,
) -> io::Result<Option<String>> {
    clock.time(Phase::Writing, || {
        let attributes = copy_attributes(source, &temp.file);
        // Without set-uid and set-gid: the copy has another owner, perhaps.
        let mode = fchmod(&temp.file, Mode::from_raw_mode(before.st_mode & 0o777));
        let time = |seconds, nanoseconds: Nanoseconds| Timespec {
            tv_sec: seconds,
            tv_nsec: nanoseconds as _,
        };
        let times = Timestamps {
            last_access: time(before.st_atime, before.st_atime_nsec),
            last_modification: time(before.st_mtime, before.st_mtime_nsec),
        };
        let times = futimens(&temp.file, &times);
        temp.file.sync_all()?;
        let kept = [("attributes", attributes), ("mode", mode), ("times", times)];
        let lost = kept.into_iter().find_map(|(what, kept)| Some((what, kept.err()?)));
        Ok(lost.map(|(what, error)| {
            format!("its {what}: {}", crate::read::open::reason(&error.into()))
        }))
    })
}

/// That a source is not what it was when it was opened.
pub fn changed() -> io::Error {
    io::Error::other("changed while it was read")
}

/// Copies `user.` attributes; all others belong to the machine.
fn copy_attributes(from: &File, to: &File) -> Result<(), Errno> {
    let mut names = vec![0; 64 << 10];
    let len = match flistxattr(from, &mut names[..]) {
        // A file system without attributes, such as FAT, has none to lose.
        Err(Errno::NOTSUP) => 0,
        listed => listed?,
    };
    for name in names[..len].split(|&byte| byte == 0).filter(|name| name.starts_with(b"user.")) {
        let mut value = vec![0; 64 << 10];
        let len = fgetxattr(from, name, &mut value[..])?;
        fsetxattr(to, name, &value[..len], XattrFlags::empty())?;
    }
    Ok(())
}

fn read_some(mut file: impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// How much is read at a time.
const CHUNK: usize = 256 << 10;

#[cfg(test)]
mod tests {
    use std::io::Seek;

    use super::super::target::Target;
    use super::*;
    use crate::read::meter::Meter;

    #[test]
    fn a_source_that_grows_or_shrinks_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::open(folder.path()).unwrap();
        let digests = [hashdyno::find("md5").unwrap()];
        let path = folder.path().join("source");
        std::fs::write(&path, vec![7; 2 * CHUNK]).unwrap();
        let file = File::options().read(true).write(true).open(&path).unwrap();
        for len in [2 * CHUNK + 1, 3 * CHUNK, 2 * CHUNK, 1] {
            let before = fstat(&file).unwrap();
            let mut temps = [target.temp()];
            let mut read = || {
                { &file }.rewind().unwrap();
                transfer(&file, &before, &mut temps, &digests, &Clock::new(Meter::default()))
            };
            assert!(read().is_ok());
            file.set_len(len as u64).unwrap();
            assert_eq!(read().unwrap_err().to_string(), "changed while it was read");
        }
        // As long as before, and written meanwhile.
        let before = fstat(&file).unwrap();
        let later = Timespec { tv_sec: before.st_mtime + 1, tv_nsec: 0 };
        let times = Timestamps { last_access: later, last_modification: later };
        futimens(&file, &times).unwrap();
        { &file }.rewind().unwrap();
        let read = transfer(&file, &before, &mut [], &digests, &Clock::new(Meter::default()));
        assert_eq!(read.unwrap_err().to_string(), "changed while it was read");
        drop(target);
    }

    /// Fails once, then gives three bytes.
    struct Failing(Option<io::ErrorKind>);

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            self.0.take().map_or(Ok(3), |kind| Err(kind.into()))
        }
    }

    #[test]
    fn a_read_that_is_interrupted_is_repeated_and_another_failure_is_told() {
        let read = |kind| read_some(Failing(Some(kind)), &mut [0; 8]);
        assert_eq!(read(io::ErrorKind::Interrupted).unwrap(), 3);
        let error = read(io::ErrorKind::PermissionDenied).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    }
}
