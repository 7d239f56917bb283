//! How each provider is kept from CPU features: by `hashdyno mask`; where that cannot be, our own
//! kernels by their option and OpenSSL by its own variable.
//!
//! ```text
//! provider           ptrace works here                 ptrace does not work
//! hashdyno           traced, told by --cpu, lenient    told by --cpu alone
//! OpenSSL alone      traced, strict                    OPENSSL_ia32cap
//! any other          traced, strict                    error: cannot be measured under a mask
//! ```
//!
//! The mask `none` takes SSE2 as well, which every program for x86-64 may use unasked. So it is
//! always an option of our own runner, and for other providers it means `scalar`.

use std::ffi::OsString;
use std::sync::OnceLock;
use std::time::Duration;

use cpumask::{Mask, MaskError, Mechanism};
use hashdyno::{Cpu, Features};

use super::provider::Provider;
use crate::protocol::RunnerError;
use crate::work::Algorithm;

/// The mask that hides nothing.
pub const ALL: &str = "all";

/// How a runner is started under a mask.
#[derive(Debug, PartialEq)]
pub(crate) enum Masking {
    /// It has none.
    Nothing,
    /// Our own runner's option, as [`Cpu::masked`] reads it.
    Own(String),
    /// As a child of `hashdyno mask`. Our own runner is told, too: what a part of it may see of the
    /// real CPU counts for nothing then.
    Traced { mask: String, mechanism: Mechanism, own: Option<String> },
    /// With this value of `OPENSSL_ia32cap`.
    Ia32cap(String),
}

impl Masking {
    /// The way that works for this provider here, or why there is none.
    pub(crate) fn of(provider: &Provider, mask: Option<&str>) -> Result<Self, RunnerError> {
        let Some(mask) = mask.filter(|&mask| mask != ALL) else { return Ok(Self::Nothing) };
        let unknown = |error: MaskError| unmeasurable(error.to_string());
        if is_own(provider) {
            let own = own(mask).map_err(unknown)?;
            // Traced as the others are, it has its one-shot functions: they ask the CPU.
            return Ok(match (parse(mask), mechanism()) {
                (Ok(parsed), Ok(mechanism)) if !takes_all(mask) => {
                    Self::Traced { mask: parsed.to_string(), mechanism, own: Some(own) }
                }
                _ => Self::Own(own),
            });
        }
        let mask = parse(mask).map_err(unknown)?;
        match mechanism() {
            Ok(mechanism) => Ok(Self::Traced { mask: mask.to_string(), mechanism, own: None }),
            Err(_) if provider.ia32cap => Ok(Self::Ia32cap(ia32cap(&mask))),
            Err(reason) => Err(unmeasurable(reason)),
        }
    }

    /// The words of the command that starts the runner; `this` is this program.
    pub(crate) fn wrap(&self, words: Vec<OsString>, this: OsString) -> Vec<OsString> {
        match self {
            Self::Traced { mask, own, .. } => {
                // Strict: a part that sees the real CPU ends the runner, and so voids its row.
                let strict = own.is_none().then(|| "--strict".into());
                let tracer = [this, "mask".into()].into_iter().chain(strict);
                tracer.chain([mask.into(), "--".into()]).chain(words).collect()
            }
            Self::Ia32cap(value) => {
                let env = ["env".into(), format!("OPENSSL_ia32cap={value}").into()];
                env.into_iter().chain(words).collect()
            }
            Self::Nothing | Self::Own(_) => words,
        }
    }

    /// What our own runner is told.
    pub(crate) fn own(&self) -> Option<&str> {
        match self {
            Self::Own(mask) => Some(mask),
            Self::Traced { own, .. } => own.as_deref(),
            Self::Nothing | Self::Ia32cap(_) => None,
        }
    }

    /// Whether another program starts the runner's.
    pub(crate) fn wraps(&self) -> bool {
        matches!(self, Self::Traced { .. } | Self::Ia32cap(_))
    }

    /// How much longer it may take to start.
    pub(crate) fn patience(&self) -> Duration {
        if matches!(self, Self::Traced { .. }) { TRACED_START } else { Duration::ZERO }
    }

    /// How the features were hidden, for the record.
    pub(crate) fn mechanism(&self) -> Option<String> {
        match self {
            Self::Nothing => None,
            Self::Own(_) => Some("own".to_owned()),
            Self::Traced { mechanism, .. } => Some(mechanism.to_string()),
            Self::Ia32cap(_) => Some("ia32cap".to_owned()),
        }
    }
}

/// Whether the mask means something to whatever masks this provider; the error is which word does
/// not, and what was expected.
///
/// # Errors
/// In words: the part of the mask that means nothing, and what was expected.
pub fn check_mask_of(provider: &Provider, mask: &str) -> Result<(), String> {
    let known = if is_own(provider) { own(mask).map(drop) } else { parse(mask).map(drop) };
    known.map_err(|error| error.to_string())
}

/// Whether the mask means something to any provider.
///
/// # Errors
/// [`MaskError`]: the part of the mask that means nothing.
pub fn check_mask(mask: &str) -> Result<(), MaskError> {
    own(mask).map(drop)
}

/// The masks that take something from this CPU which one of these algorithms uses, each something
/// else; `all` is the first.
pub fn sweep(algorithms: &[Algorithm]) -> Vec<String> {
    let used = algorithms.iter().fold(Features::empty(), |used, algorithm| used | algorithm.uses());
    let single =
        SINGLE.iter().filter(|(feature, _)| used.contains(*feature)).map(|(_, mask)| *mask);
    let (mut masks, mut seen) = (Vec::new(), Vec::new());
    for mask in PRESETS.into_iter().chain(single) {
        let left = own(mask)
            .ok()
            .and_then(|own| Cpu::native().masked(&own).ok())
            .map(|cpu| cpu.features());
        // A CPU without AVX-512 is the same under `all` and `no-avx512`: one row is enough.
        if !seen.contains(&left) {
            seen.push(left);
            masks.push(mask.to_owned());
        }
    }
    masks
}

/// From the most to the least.
const PRESETS: [&str; 5] = [ALL, "no-avx512", "avx2", "sse42", "scalar"];

/// What a few algorithms have instructions of their own for.
const SINGLE: [(Features, &str); 4] = [
    (Features::AES, "-aes,-vaes"),
    (Features::PCLMULQDQ, "-pclmulqdq,-vpclmulqdq"),
    (Features::SHA, "-sha"),
    (Features::SHA512, "-sha512"),
];

fn is_own(provider: &Provider) -> bool {
    provider.accepts.iter().any(|option| option == "cpu")
}

/// The mask; `none`, which takes everything from our own kernels, takes from others all that can be
/// taken.
fn parse(mask: &str) -> Result<Mask, MaskError> {
    let words: Vec<_> =
        mask.split(',').map(|word| if word.trim() == NONE { "scalar" } else { word }).collect();
    Mask::parse(&words.join(","))
}

/// The mask in the words of our own runner, which knows features and no presets. A feature that no
/// kernel of ours asks for is left out: they do without it anyway.
fn own(mask: &str) -> Result<String, MaskError> {
    // The words that our runner knows itself need no translation: the record shows them as they
    // were given.
    if Cpu::native().masked(mask).is_ok() {
        return Ok(mask.to_owned());
    }
    let hidden = parse(mask)?;
    if takes_all(mask) {
        return Ok(NONE.to_owned());
    }
    let names = Features::all().to_string();
    let gone: Vec<_> =
        names.split(' ').filter(|name| hidden.hides(name)).map(|name| format!("-{name}")).collect();
    Ok(if gone.is_empty() { ALL.to_owned() } else { gone.join(",") })
}

/// Whether the mask takes from our own kernels what every x86-64 has, too.
fn takes_all(mask: &str) -> bool {
    mask.split(',').any(|word| word.trim() == NONE)
}

/// The mask as OpenSSL reads it: words of CPUID's bits, here those to clear (openssl's
/// OPENSSL_ia32cap(3), LV0 to LV3). A version that does not know the later words does not use what
/// they hide.
fn ia32cap(mask: &Mask) -> String {
    let ([_, _, ecx_1, edx_1], [_, ebx_7, ecx_7, edx_7]) = (mask.cleared(1, 0), mask.cleared(7, 0));
    let [eax_71, ebx_71, _, edx_71] = mask.cleared(7, 1);
    let words = [(edx_1, ecx_1), (ebx_7, ecx_7), (edx_7, eax_71), (edx_71, ebx_71)];
    let words = words.map(|(low, high)| format!("~{:#x}", u64::from(high) << 32 | u64::from(low)));
    words.join(":")
}

/// What works here, tried out once.
fn mechanism() -> Result<Mechanism, String> {
    static MECHANISM: OnceLock<Result<Mechanism, String>> = OnceLock::new();
    MECHANISM.get_or_init(|| cpumask::mechanism().map_err(|error| error.to_string())).clone()
}

fn unmeasurable(reason: String) -> RunnerError {
    RunnerError::Unmeasurable { reason }
}

/// All of a program's code is searched for CPUID: tens of megabytes, on a busy machine.
const TRACED_START: Duration = Duration::from_secs(30);

/// The mask that leaves our own kernels nothing.
const NONE: &str = "none";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_runner_is_told_features() {
        assert_eq!(own("-avx2,-sha").unwrap(), "-avx2,-sha");
        assert_eq!(own("none").unwrap(), "none");
        let scalar = own("scalar").unwrap();
        assert!(
            scalar.contains("-sse3,") && scalar.contains("-aes") && !scalar.contains("-sse2"),
            "{scalar}"
        );
        assert_eq!(own("scalar,none").unwrap(), "none");
        assert!(
            own("avx2").unwrap().contains("-avx512f") && !own("avx2").unwrap().contains("-avx2")
        );
        assert!(Cpu::native().masked(&scalar).is_ok());
        assert!(own("-avx3").unwrap_err().to_string().contains("'-avx3'"));
    }

    #[test]
    fn openssl_is_told_bits_of_cpuid() {
        let words = |mask| ia32cap(&Mask::parse(mask).unwrap());
        assert!(
            words("-aes,-pclmulqdq").starts_with("~0x200000200000000:~0x60000000000:"),
            "{}",
            words("-aes,-pclmulqdq")
        );
        assert_eq!(words("-sha"), "~0x0:~0x20000000:~0x0:~0x0");
        assert_eq!(words("all"), "~0x0:~0x0:~0x0:~0x0");
    }

    #[test]
    fn a_sweep_begins_with_all_and_takes_something_else_each_time() {
        let masks = sweep(&[Algorithm::find("crc32b").unwrap()]);
        assert_eq!(masks[0], "all");
        let left: Vec<_> = masks
            .iter()
            .map(|mask| Cpu::native().masked(&own(mask).unwrap()).unwrap().features())
            .collect();
        assert!(
            left.iter().enumerate().all(|(index, features)| !left[..index].contains(features)),
            "{masks:?}"
        );
        assert!(!masks.contains(&"-sha".to_owned()));
    }

    #[test]
    fn what_cannot_be_masked_says_why() {
        let php = Provider::find("php").unwrap();
        match mechanism() {
            Ok(mechanism) => assert_eq!(
                Masking::of(php, Some("-sha")).unwrap().mechanism(),
                Some(mechanism.to_string())
            ),
            Err(reason) => {
                assert_eq!(Masking::of(php, Some("-sha")).unwrap_err().to_string(), reason)
            }
        }
        let ours = Provider::find("hashdyno").unwrap();
        assert_eq!(Masking::of(ours, Some("none")).unwrap(), Masking::Own("none".to_owned()));
        let traced = mechanism().map(|mechanism| mechanism.to_string());
        assert_eq!(
            Masking::of(ours, Some("-sha")).unwrap().mechanism(),
            Some(traced.unwrap_or("own".to_owned()))
        );
        assert_eq!(Masking::of(php, Some("all")).unwrap(), Masking::Nothing);
        assert!(Masking::of(php, Some("-avx3")).unwrap_err().to_string().contains("'-avx3'"));
    }
}
