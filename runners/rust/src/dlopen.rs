//! Libraries written in C, loaded at run time: what the machine has is what is measured.
//!
//! A runner opens its library when it starts, so a machine without the library lacks one provider
//! and no more. `RTLD_NOW` finds missing symbols at once, not in a timed call. `RTLD_LOCAL` keeps
//! the symbols away from other libraries: two versions of a library would share names.
//!
//! The library is leaked, and is never unloaded: the closures that call it may outlive any owner.
//! The system frees it with the process. `path` comes from /proc/self/maps: it is the file itself,
//! behind all links, and goes into the greeting.

use std::error::Error;
use std::ffi::{CStr, c_char};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

/// A library that stays loaded until the runner ends, so that its functions may be kept.
pub struct Shared {
    library: &'static Library,
    /// Its file.
    pub path: String,
}

impl Shared {
    /// Loads the library of that name; an error in words if there is none.
    pub fn open(name: &'static str) -> Result<Self, String> {
        // SAFETY: loading runs the library's initialisers; the user asked for this library by
        // naming its provider.
        let library = unsafe { Library::open(Some(name), RTLD_NOW | RTLD_LOCAL) };
        let library: &'static Library =
            Box::leak(Box::new(library.map_err(|error| reason(&error))?));
        Ok(Self { library, path: mapped(name).unwrap_or_else(|| name.to_owned()) })
    }

    /// The function of that name.
    ///
    /// # Safety
    /// `F` is its type, as the library's header has it.
    pub unsafe fn function<F: Copy>(&self, name: &str) -> Result<F, String> {
        // SAFETY: the caller knows the type; the library is never unloaded.
        unsafe { self.library.get::<F>(name.as_bytes()) }
            .map(|symbol| *symbol)
            .map_err(|error| reason(&error))
    }

    /// The version in the file's name, for libraries that do not tell it: `2.0.30` of
    /// `libisal.so.2.0.30`.
    pub fn version(&self) -> String {
        self.path.rsplit_once(".so.").map_or("unknown", |(_, version)| version).to_owned()
    }
}

/// Why a library could not be loaded, in one line.
pub fn reason(error: &libloading::Error) -> String {
    let detail = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    // It becomes a line of the protocol.
    format!("{error}{detail}").replace('\n', " ")
}

/// A library's C string as text; `None` for null.
///
/// # Safety
/// `string` is null or points to a C string.
pub unsafe fn text(string: *const c_char) -> Option<String> {
    // SAFETY: the caller promises it.
    (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned())
}

/// The file that is mapped at `address`.
pub fn file_of(address: usize) -> Option<String> {
    // A line begins with its addresses: `7f0000000000-7f0000001000 r-xp ...`.
    let here = |line: &&str| {
        let ends = line.split(' ').next().and_then(|range| range.split_once('-'));
        let ends = ends.and_then(|(low, high)| {
            Some(usize::from_str_radix(low, 16).ok()?..usize::from_str_radix(high, 16).ok()?)
        });
        ends.is_some_and(|range| range.contains(&address))
    };
    mapping(here)
}

/// The mapped file whose name begins with `name`.
fn mapped(name: &str) -> Option<String> {
    mapping(|line| line.rsplit_once('/').is_some_and(|(_, file)| file.starts_with(name)))
}

fn mapping(wanted: impl Fn(&&str) -> bool) -> Option<String> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(wanted)?;
    line.find('/').map(|at| line[at..].to_owned())
}
