//! OpenSSL's digests and ciphers through EVP, by a libcrypto loaded at run time: what the machine
//! has is what is measured.
//!
//! Each call is init, update and final on one context, as `openssl speed -evp` does it; `plain` is
//! the same by the functions below EVP. 1.0.2 and later, and their forks.

mod cipher;
mod hmac;
mod plain;
mod signature;

use std::collections::BTreeSet;
use std::ffi::{CString, OsStr, c_char, c_int, c_uint, c_ulong, c_void};
use std::ptr;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use runner::serve::{CipherTask, Each, Implementation, Inputs, One, Task, Work};
use runner::{Greeting, Mode, Offer};

use crate::dlopen::{file_of, reason, text};

/// The names under which systems keep libcrypto, newest first.
pub const USUAL: &[&str] = &["libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"];

/// The libcrypto that the environment variable names, or else the one that the system finds by
/// `usual`: of an older version, beside the usual one.
pub fn older(variable: &str, usual: &str) -> Result<OpenSsl, String> {
    let path = std::env::var_os(variable);
    OpenSsl::load(&[path.as_deref().unwrap_or(OsStr::new(usual))])
}

/// The implementation that goes through EVP.
const EVP: &str = "evp";

/// A libcrypto.
pub struct OpenSsl {
    api: Api,
    greeting: Greeting,
}

/// `EVP_MD`, `EVP_MD_CTX`, `OSSL_PROVIDER` and the like: only ever behind a pointer.
type Opaque = *mut c_void;

type Visit = unsafe extern "C" fn(Opaque, *const c_char, *const c_char, Opaque);
type VisitProvided = unsafe extern "C" fn(Opaque, Opaque);

/// Declares [`Api`] and how to find its functions: those that every version has, and those that may
/// be missing, with the names that they have had.
macro_rules! api {
    (
        must {
            $($must:ident: $symbol:literal $(or $older:literal)?
                = fn($($argument:ty),*) -> $result:ty;)*
        }
        may { $($may:ident: $optional:literal = fn($($parameter:ty),*) -> $output:ty;)* }
    ) => {
        /// The functions of libcrypto, under their C names; OpenSSL's manual pages say what they
        /// want.
        struct Api {
            $($must: unsafe extern "C" fn($($argument),*) -> $result,)*
            $($may: Option<unsafe extern "C" fn($($parameter),*) -> $output>,)*
            /// What keeps the functions above in memory.
            library: Library,
        }

        impl Api {
            fn find(library: Library) -> Result<Self, libloading::Error> {
                Ok(Self {
                    // SAFETY: the types are those of OpenSSL's headers, and the pointers live as
                    // long as `library`.
                    $($must: *unsafe {
                        library.get($symbol)$(.or_else(|_| library.get($older)))?
                    }?,)*
                    // SAFETY: as above.
                    $($may: unsafe { library.get($optional) }.ok().map(|symbol| *symbol),)*
                    library,
                })
            }
        }
    };
}

api! {
    must {
        version: b"OpenSSL_version" or b"SSLeay_version" = fn(c_int) -> *const c_char;
        context_new: b"EVP_MD_CTX_new" or b"EVP_MD_CTX_create" = fn() -> Opaque;
        context_free: b"EVP_MD_CTX_free" or b"EVP_MD_CTX_destroy" = fn(Opaque) -> ();
        by_name: b"EVP_get_digestbyname" = fn(*const c_char) -> Opaque;
        size: b"EVP_MD_get_size" or b"EVP_MD_size" = fn(Opaque) -> c_int;
        flags: b"EVP_MD_get_flags" or b"EVP_MD_flags" = fn(Opaque) -> c_ulong;
        init: b"EVP_DigestInit_ex" = fn(Opaque, Opaque, Opaque) -> c_int;
        update: b"EVP_DigestUpdate" = fn(Opaque, *const u8, usize) -> c_int;
        finish: b"EVP_DigestFinal_ex" = fn(Opaque, *mut u8, *mut c_uint) -> c_int;
        visit: b"EVP_MD_do_all_sorted" = fn(Visit, Opaque) -> ();
        cipher_by_name: b"EVP_get_cipherbyname" = fn(*const c_char) -> Opaque;
        cipher_context_new: b"EVP_CIPHER_CTX_new" = fn() -> Opaque;
        cipher_context_free: b"EVP_CIPHER_CTX_free" = fn(Opaque) -> ();
        cipher_control: b"EVP_CIPHER_CTX_ctrl" = fn(Opaque, c_int, c_int, Opaque) -> c_int;
        cipher_init: b"EVP_CipherInit_ex"
            = fn(Opaque, Opaque, Opaque, *const u8, *const u8, c_int) -> c_int;
        cipher_update: b"EVP_CipherUpdate"
            = fn(Opaque, *mut u8, *mut c_int, *const u8, c_int) -> c_int;
        cipher_final: b"EVP_CipherFinal_ex" = fn(Opaque, *mut u8, *mut c_int) -> c_int;
        set_padding: b"EVP_CIPHER_CTX_set_padding" = fn(Opaque, c_int) -> c_int;
    }
    may {
        add_all: b"OPENSSL_add_all_algorithms_noconf" = fn() -> ();
        finish_xof: b"EVP_DigestFinalXOF" = fn(Opaque, *mut u8, usize) -> c_int;
        cipher_fetch: b"EVP_CIPHER_fetch" = fn(Opaque, *const c_char, *const c_char) -> Opaque;
        fetch: b"EVP_MD_fetch" = fn(Opaque, *const c_char, *const c_char) -> Opaque;
        free: b"EVP_MD_free" = fn(Opaque) -> ();
        is_a: b"EVP_MD_is_a" = fn(Opaque, *const c_char) -> c_int;
        name: b"EVP_MD_get0_name" = fn(Opaque) -> *const c_char;
        visit_provided: b"EVP_MD_do_all_provided" = fn(Opaque, VisitProvided, Opaque) -> ();
        load_provider: b"OSSL_PROVIDER_load" = fn(Opaque, *const c_char) -> Opaque;
        info: b"OPENSSL_info" = fn(c_int) -> *const c_char;
    }
}

impl OpenSsl {
    /// Loads the first of `names` that is there; an error in words if none is.
    pub fn load(names: &[impl AsRef<OsStr>]) -> Result<Self, String> {
        let mut reasons = Vec::new();
        for name in names {
            // SAFETY: loading runs the library's initialisers; the user asked for this library, by
            // path or by default.
            let library = unsafe { Library::open(Some(name.as_ref()), RTLD_NOW | RTLD_LOCAL) };
            match library.and_then(Api::find) {
                Ok(api) => return Ok(Self::of(api)),
                Err(error) => reasons.push(reason(&error)),
            }
        }
        Err(format!("libcrypto ({})", reasons.join("; ")))
    }

    fn of(api: Api) -> Self {
        // Before 1.1.0 there are no names until they are added.
        if let Some(add_all) = api.add_all {
            // SAFETY: it takes nothing.
            unsafe { add_all() };
        }
        // The default provider must be asked for by name once another one is; MD4 and Whirlpool are
        // in the legacy one. Either may be missing, and then its digests are not offered.
        if let Some(load) = api.load_provider {
            for provider in [c"default", c"legacy"] {
                // SAFETY: a null library context is the default one; the name is a C string.
                unsafe { load(ptr::null_mut(), provider.as_ptr()) };
            }
        }
        Self { greeting: greeting(&api), api }
    }

    fn find(&self, name: &str) -> Option<Md<'_>> {
        let text = CString::new(name).ok()?;
        // Since 3.0 a digest found by name is looked up again by each init; a fetched one is not.
        let fetched = self.api.fetch.is_some();
        // SAFETY: `text` is a C string; null is the default library context, and no properties.
        let md = unsafe {
            match self.api.fetch {
                Some(fetch) => fetch(ptr::null_mut(), text.as_ptr(), ptr::null()),
                None => (self.api.by_name)(text.as_ptr()),
            }
        };
        (!md.is_null()).then_some(Md { api: &self.api, md, fetched })
    }

    /// A context for a digest, and how many bytes the digest has.
    fn context(&self, task: Task<'_>) -> Result<(Context<'_>, usize), String> {
        let md = self.find(task.name).ok_or_else(|| format!("no digest {}", task.name))?;
        if task.implementation.is_some_and(|name| name != EVP) {
            return Err("expected the implementation evp or, of some digests, plain".to_owned());
        }
        let len = md
            .output_len(task.output_len)
            .ok_or_else(|| format!("{} has one length only", task.name))?;
        // SAFETY: it takes nothing; null is handled below.
        let raw = unsafe { (self.api.context_new)() };
        if raw.is_null() {
            return Err("EVP_MD_CTX_new failed".to_owned());
        }
        Ok((Context { raw, xof: md.xof(), md }, len))
    }

    /// The names of all digests: the traditional ones, and those of digests that only providers
    /// know.
    fn names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::<String>::new();
        let mut provided = Vec::<Opaque>::new();
        // SAFETY: the visitors are given what they expect behind the pointer, and it outlives the
        // calls.
        unsafe {
            (self.api.visit)(visit_name, (&raw mut names).cast());
            if let Some(visit) = self.api.visit_provided {
                visit(ptr::null_mut(), visit_provided, (&raw mut provided).cast());
            }
        }
        // `rsa-md5` and `ssl3-md5` are other names of MD5.
        names.retain(|name| !name.contains("rsa") && !name.starts_with("ssl3-"));
        let new: Vec<_> = provided.into_iter().filter_map(|md| self.new_name(md, &names)).collect();
        names.extend(new);
        names
    }

    /// The name of `md`, unless one of `names` is its.
    fn new_name(&self, md: Opaque, names: &BTreeSet<String>) -> Option<String> {
        let (is_a, name) = (self.api.is_a?, self.api.name?);
        let is = |name: &String| {
            CString::new(name.as_str()).is_ok_and(|name| {
                // SAFETY: providers keep their digests while they are loaded, which is as long as
                // we run; `name` is a C string.
                unsafe { is_a(md, name.as_ptr()) == 1 }
            })
        };
        // SAFETY: as above.
        (!names.iter().any(is))
            .then(|| unsafe { text(name(md)) })
            .flatten()
            .map(|name| name.to_lowercase())
    }
}

unsafe extern "C" fn visit_name(
    md: Opaque,
    name: *const c_char,
    _alias_of: *const c_char,
    names: Opaque,
) {
    // SAFETY: `names` passed a pointer to its set; `name` is a C string or null.
    let (names, name) = unsafe { (&mut *names.cast::<BTreeSet<String>>(), text(name)) };
    names.extend(name.filter(|_| !md.is_null()).map(|name| name.to_lowercase()));
}

unsafe extern "C" fn visit_provided(md: Opaque, list: Opaque) {
    // SAFETY: `names` passed a pointer to its list.
    unsafe { &mut *list.cast::<Vec<Opaque>>() }.push(md);
}

impl Implementation for OpenSsl {
    fn greeting(&self) -> Greeting {
        self.greeting.clone()
    }

    fn offers(&self) -> Vec<Offer> {
        // Some versions list names that they then cannot start, so each is tried once.
        let works = |name: &String| {
            let task = Task { name, ..Task::default() };
            self.digest(task, Vec::new())
                .is_ok_and(|mut work| work.run(1).is_ok() && !work.answer().is_empty())
        };
        self.names()
            .into_iter()
            .filter(works)
            .map(|name| {
                let plain = self.plain(&name).map(|_| plain::NAME);
                Offer::digest(name, [EVP].into_iter().chain(plain))
            })
            .chain(self.ciphers())
            .chain(self.ige())
            .chain(self.hmacs())
            .chain(self.signatures())
            .collect()
    }

    fn cipher(&self, task: CipherTask, input: Vec<u8>) -> Result<Box<dyn Work + '_>, String> {
        match task.cipher.mode {
            Mode::Ige => self.start_ige(&task, input),
            Mode::Hmac => self.start_hmac(&task, input),
            Mode::Signature => self.start_signature(&task, input),
            _ => Ok(Box::new(self.start_cipher(task, input)?)),
        }
    }

    fn digest(&self, task: Task<'_>, message: Vec<u8>) -> Result<Box<dyn Work + '_>, String> {
        if task.implementation == Some(plain::NAME) {
            let (mut plain, len) = self.plain_for(task)?;
            return Ok(Box::new(One::new(message, len, move |message, out| {
                plain.digest(message, out)
            })));
        }
        let (mut context, len) = self.context(task)?;
        Ok(Box::new(One::new(message, len, move |message, out| context.digest(message, out))))
    }

    fn many(&self, task: Task<'_>, messages: Inputs) -> Result<Box<dyn Work + '_>, String> {
        if task.implementation == Some(plain::NAME) {
            let (mut plain, len) = self.plain_for(task)?;
            return Ok(Box::new(Each::new(&messages, len, move |message, out| {
                plain.digest(message, out)
            })));
        }
        let (mut context, len) = self.context(task)?;
        Ok(Box::new(Each::new(&messages, len, move |message, out| context.digest(message, out))))
    }
}

/// An `EVP_MD`, freed when it is dropped if it was fetched.
struct Md<'a> {
    api: &'a Api,
    md: Opaque,
    fetched: bool,
}

impl<'a> Md<'a> {
    /// The function that gives any length, if this digest has any.
    fn xof(&self) -> Option<unsafe extern "C" fn(Opaque, *mut u8, usize) -> c_int> {
        const EVP_MD_FLAG_XOF: c_ulong = 2;
        // SAFETY: `md` is a digest until it is dropped.
        let flags = unsafe { (self.api.flags)(self.md) };
        self.api.finish_xof.filter(|_| flags & EVP_MD_FLAG_XOF != 0)
    }

    /// `wanted` or the usual length in bytes, if it can be given.
    fn output_len(&self, wanted: Option<usize>) -> Option<usize> {
        // SAFETY: as above.
        let size = usize::try_from(unsafe { (self.api.size)(self.md) }).unwrap_or(0);
        match (wanted, self.xof()) {
            (Some(len), Some(_)) => Some(len),
            // Since 3.4 a SHAKE has no usual length: twice SHAKE128's security.
            (None, Some(_)) if size == 0 => Some(32),
            (wanted, _) => (wanted.unwrap_or(size) == size).then_some(size),
        }
    }
}

impl Drop for Md<'_> {
    fn drop(&mut self) {
        if let (true, Some(free)) = (self.fetched, self.api.free) {
            // SAFETY: it was fetched, and is freed once.
            unsafe { free(self.md) }
        }
    }
}

/// A context that computes one digest over and over.
struct Context<'a> {
    md: Md<'a>,
    /// An `EVP_MD_CTX`, ours alone.
    raw: Opaque,
    xof: Option<unsafe extern "C" fn(Opaque, *mut u8, usize) -> c_int>,
}

impl Context<'_> {
    /// The digest of `message` into `output`, which has the length that came with the context;
    /// false where a call fails.
    #[inline]
    fn digest(&mut self, message: &[u8], output: &mut [u8]) -> bool {
        let api = self.md.api;
        // SAFETY: context and digest live until `self` is dropped; the message is as long as it
        // says, and the output has room for the digest: `OpenSsl::context` measured it by
        // `EVP_MD_size`, or it is the length given to the XOF.
        unsafe {
            (api.init)(self.raw, self.md.md, ptr::null_mut()) == 1
                && (api.update)(self.raw, message.as_ptr(), message.len()) == 1
                && match self.xof {
                    Some(finish) => finish(self.raw, output.as_mut_ptr(), output.len()) == 1,
                    None => (api.finish)(self.raw, output.as_mut_ptr(), ptr::null_mut()) == 1,
                }
        }
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: it was made for this value, and is freed once.
        unsafe { (self.md.api.context_free)(self.raw) }
    }
}

/// Version, file and capability words: what decides the figures.
fn greeting(api: &Api) -> Greeting {
    // SAFETY: 0 (OPENSSL_VERSION) and 1008 (OPENSSL_INFO_CPU_SETTINGS) are known to all versions
    // that have the functions.
    let (library, cpu) =
        unsafe { (text((api.version)(0)), api.info.and_then(|info| text(info(1008)))) };
    let library = library.unwrap_or_default();
    let mut words = library.split(' ').map(str::to_owned);
    let (name, version) =
        (words.next().unwrap_or_default().to_lowercase(), words.next().unwrap_or_default());
    // "OPENSSL_ia32cap=0x...:0x..."
    let cpu = cpu.as_ref().and_then(|words| words.trim_start_matches("OPENSSL_").split_once('='));
    let facts = [
        Some(("library", library.as_str())),
        file_of(api.version as usize).as_deref().map(|path| ("path", path)),
        cpu,
    ]
    .into_iter()
    .flatten()
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .collect();
    Greeting { name, version, facts }
}
