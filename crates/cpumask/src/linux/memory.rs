//! Another process's memory: its map, and its bytes.
//!
//! `/proc/PID/mem` writes to read-only pages of a traced process, as a debugger sets breakpoints.
//! The kernel copies a private page first, so neither the file nor another process changes. A
//! shared page is not copied: `Mapping::shared` tells such pages apart.

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use memchr::memmem;

/// The memory of a traced process. A write reaches pages that the process itself may not write;
/// private ones are copied first.
pub struct Memory(File);

impl Memory {
    /// That of the process of a thread.
    pub fn of(tid: i32) -> io::Result<Self> {
        File::options().read(true).write(true).open(format!("/proc/{tid}/mem")).map(Self)
    }

    /// Four words at an address.
    pub fn words(&self, address: u64) -> io::Result<[u64; 4]> {
        let mut bytes = [[0; 8]; 4];
        self.0
            .read_exact_at(bytes.as_flattened_mut(), address)
            .map(|()| bytes.map(u64::from_ne_bytes))
    }

    /// The bytes of a range, up to the first that cannot be read: those beyond the end of a file
    /// cannot be executed either.
    pub fn read(&self, range: &Range<u64>) -> Vec<u8> {
        let mut bytes = vec![0; (range.end - range.start) as usize];
        let mut filled = 0;
        while let Ok(count @ 1..) =
            self.0.read_at(&mut bytes[filled..], range.start + filled as u64)
        {
            filled += count;
        }
        bytes.truncate(filled);
        bytes
    }

    /// Overwrites the bytes at an address.
    pub fn set(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(bytes, address)
    }
}

/// Executable memory of one process.
#[derive(Debug, PartialEq, Eq)]
pub struct Mapping {
    pub range: Range<u64>,
    /// Writes go to other processes or to the file as well.
    pub shared: bool,
    /// The kernel put it there.
    pub kernel: bool,
}

/// The executable mappings of a process, the kernel's vDSO among them.
pub fn executable(tid: i32) -> io::Result<Vec<Mapping>> {
    let maps = fs::read_to_string(format!("/proc/{tid}/maps"))?;
    Ok(maps.lines().filter_map(mapping).collect())
}

/// An address where a process has these two bytes in executable memory.
pub fn find_code(tid: i32, pair: [u8; 2]) -> io::Result<u64> {
    let memory = Memory::of(tid)?;
    let find = |mapping: &Mapping| {
        memmem::find(&memory.read(&mapping.range), &pair).map(|at| mapping.range.start + at as u64)
    };
    // The vDSO, which is small and has it, is among the last.
    let found = executable(tid)?.iter().rev().find_map(find);
    found.ok_or_else(|| io::Error::other("the program has no system call instruction"))
}

/// A line: `7f0000000000-7f0000001000 r-xp 00000000 fe:00 1234   /usr/lib/libc.so.6`.
fn mapping(line: &str) -> Option<Mapping> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let permissions = words.next()?.as_bytes();
    // The kernel's own mappings are `[vdso]`, `[vvar]` and `[vsyscall]`. They are not patched.
    let kernel = words.nth(3).is_some_and(|name| name.starts_with("[v"));
    let address = |text| u64::from_str_radix(text, 16).ok();
    let mapping =
        Mapping { range: address(start)?..address(end)?, shared: permissions[3] == b's', kernel };
    (permissions[2] == b'x').then_some(mapping)
}

/// The name of a process, for messages.
pub fn name(tid: i32) -> String {
    let path = fs::read_link(format!("/proc/{tid}/exe"));
    let name = path.ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    name.unwrap_or_else(|| format!("process {tid}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_map_is_read() {
        let read = |permissions, name| {
            mapping(&format!("7f10-7f20 {permissions} 00000000 fe:00 1234      {name}"))
        };
        let code = |shared, kernel| Some(Mapping { range: 0x7f10..0x7f20, shared, kernel });
        assert_eq!(read("r-xp", "/lib/a b.so"), code(false, false));
        assert_eq!(read("rwxs", ""), code(true, false));
        assert_eq!(read("r-xp", "[vdso]"), code(false, true));
        assert_eq!(read("r--p", "/lib/a.so"), None);
    }

    #[test]
    fn this_process_has_code() {
        let code = executable(std::process::id() as i32).unwrap();
        let here = this_process_has_code as fn() as usize as u64;
        assert!(code.iter().any(|mapping| mapping.range.contains(&here)));
    }
}
