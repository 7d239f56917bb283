//! The machine that a record was made on.

use std::fs;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a reader of a record must know of the machine. Whatever the system does not tell is empty,
/// 0 or `None`.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// Architecture, as Rust names it.
    pub arch: String,
    /// Processor vendor.
    pub vendor: String,
    /// Processor name.
    pub cpu: String,
    /// CPUID family.
    pub family: u32,
    /// CPUID model. A hypervisor may give another.
    pub model: u32,
    /// CPUID stepping.
    pub stepping: u32,
    /// Microcode revision, as the kernel prints it. A hypervisor may hide it.
    pub microcode: String,
    /// CPU features, as the kernel names them.
    pub flags: Vec<String>,
    /// Processors that the kernel has online.
    pub cpus: usize,
    /// Hardware threads per core.
    pub threads_per_core: u32,
    /// Caches that the first processor sees.
    pub caches: Vec<Cache>,
    /// What the machine is a guest of, where it is one: the product's name, or `unnamed`.
    pub hypervisor: Option<String>,
    /// Frequency governor of the first processor; virtual machines have none.
    pub governor: Option<String>,
    /// Kernel release and build.
    pub kernel: String,
    /// Memory in bytes.
    pub memory: u64,
    /// Load averages of 1, 5 and 15 minutes at the time of looking.
    pub load: [f64; 3],
}

/// One cache.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Cache {
    /// 1 is next to the core.
    pub level: u32,
    /// `Data`, `Instruction` or `Unified`.
    pub kind: String,
    /// Size in bytes.
    pub bytes: u64,
    /// The processors that share it, as the kernel lists them.
    pub shared_by: String,
}

impl Machine {
    /// This machine, now.
    pub fn detect() -> Machine {
        Machine::read(Path::new("/"))
    }

    /// The machine whose `/proc` and `/sys` lie under `root`.
    pub fn read(root: &Path) -> Machine {
        let cpuinfo = text(root, "proc/cpuinfo");
        let field = |name: &str| labelled(&cpuinfo, name).unwrap_or_default().to_string();
        let flags: Vec<String> = labelled(&cpuinfo, "flags")
            .or(labelled(&cpuinfo, "Features"))
            .map(|flags| flags.split_whitespace().map(str::to_string).collect())
            .unwrap_or_default();
        Machine {
            arch: std::env::consts::ARCH.to_string(),
            vendor: field("vendor_id"),
            cpu: field("model name"),
            family: number(&field("cpu family")),
            model: number(&field("model")),
            stepping: number(&field("stepping")),
            microcode: field("microcode"),
            cpus: cpuinfo
                .lines()
                .filter(|line| {
                    line.split(':').next().is_some_and(|name| name.trim() == "processor")
                })
                .count(),
            threads_per_core: threads_per_core(root),
            caches: caches(root),
            hypervisor: flags.iter().any(|flag| flag == "hypervisor").then(|| hypervisor(root)),
            governor: Some(text(root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"))
                .filter(|name| !name.is_empty()),
            kernel: format!(
                "{} {}",
                text(root, "proc/sys/kernel/osrelease"),
                text(root, "proc/sys/kernel/version")
            ),
            memory: labelled(&text(root, "proc/meminfo"), "MemTotal").map_or(0, size),
            load: load(&text(root, "proc/loadavg")),
            flags,
        }
    }
}

fn caches(root: &Path) -> Vec<Cache> {
    let folder = |index: u32| format!("sys/devices/system/cpu/cpu0/cache/index{index}");
    let cache = |index: u32| Cache {
        level: number(&text(root, &format!("{}/level", folder(index)))),
        kind: text(root, &format!("{}/type", folder(index))),
        bytes: size(&text(root, &format!("{}/size", folder(index)))),
        shared_by: text(root, &format!("{}/shared_cpu_list", folder(index))),
    };
    (0..).take_while(|&index| root.join(folder(index)).exists()).map(cache).collect()
}

fn hypervisor(root: &Path) -> String {
    let names =
        ["sys/class/dmi/id/product_name", "sys/hypervisor/type"].map(|path| text(root, path));
    names.into_iter().find(|name| !name.is_empty()).unwrap_or_else(|| "unnamed".to_string())
}

/// `0`, `0-1` or `0,64`: the threads that share the first core.
fn threads_per_core(root: &Path) -> u32 {
    let list = text(root, "sys/devices/system/cpu/cpu0/topology/thread_siblings_list");
    let count = |range: &str| match range.split_once('-') {
        Some((first, last)) => number::<u32>(last) - number::<u32>(first).min(number(last)) + 1,
        None => u32::from(!range.is_empty()),
    };
    list.split(',').map(count).sum()
}

fn load(line: &str) -> [f64; 3] {
    let mut words = line.split_whitespace();
    [(); 3].map(|()| words.next().map_or(0.0, number))
}

/// The value of the first `name : value` or `name: value` line.
fn labelled<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(label, _)| label.trim() == name)
        .map(|(_, value)| value.trim())
}

/// Bytes of `48K`, `2048K`, `32 kB` or `4M`.
fn size(text: &str) -> u64 {
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let unit = match text[digits.len()..].trim().chars().next() {
        Some('k' | 'K') => 1 << 10,
        Some('M') => 1 << 20,
        Some('G') => 1 << 30,
        _ => 1,
    };
    number::<u64>(digits) * unit
}

fn number<T: FromStr + Default>(text: &str) -> T {
    text.trim().parse().unwrap_or_default()
}

/// The file's text without the white space around it; empty where it cannot be read.
fn text(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).map(|text| text.trim().to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planted(files: &[(&str, &str)]) -> Machine {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            fs::create_dir_all(root.path().join(path).parent().unwrap()).unwrap();
            fs::write(root.path().join(path), text).unwrap();
        }
        Machine::read(root.path())
    }

    #[test]
    fn reads_what_the_kernel_says() {
        let machine = planted(&[
            (
                "proc/cpuinfo",
                "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: \
                    167\nmodel name\t: Some: Xeon\n\
                 stepping\t: 1\nmicrocode\t: 0x1\nflags\t\t: fpu avx2 hypervisor\n\n\
                 processor\t: 1\n",
            ),
            ("proc/meminfo", "MemTotal:        2048 kB\nMemFree: 1 kB\n"),
            ("proc/loadavg", "0.50 1.25 2.00 1/99 1234\n"),
            ("proc/sys/kernel/osrelease", "6.1\n"),
            ("proc/sys/kernel/version", "#1 SMP\n"),
            ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,64\n"),
            ("sys/devices/system/cpu/cpu0/cache/index0/level", "1\n"),
            ("sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n"),
            ("sys/devices/system/cpu/cpu0/cache/index0/size", "48K\n"),
            ("sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list", "0-1\n"),
        ]);
        assert_eq!(
            (machine.vendor.as_str(), machine.cpu.as_str(), machine.model),
            ("GenuineIntel", "Some: Xeon", 167)
        );
        assert_eq!((machine.cpus, machine.threads_per_core, machine.memory), (2, 2, 2 << 20));
        assert_eq!(machine.flags, ["fpu", "avx2", "hypervisor"]);
        assert_eq!(
            (machine.hypervisor.as_deref(), machine.governor.as_deref()),
            (Some("unnamed"), None)
        );
        assert_eq!((machine.kernel.as_str(), machine.load), ("6.1 #1 SMP", [0.5, 1.25, 2.0]));
        let cache =
            Cache { level: 1, kind: "Data".into(), bytes: 48 << 10, shared_by: "0-1".into() };
        assert_eq!(machine.caches, [cache]);
    }

    #[test]
    fn a_system_that_tells_nothing_is_no_error() {
        let machine = planted(&[]);
        assert_eq!((machine.cpus, machine.hypervisor, machine.memory), (0, None, 0));
    }

    #[test]
    fn this_machine_has_a_processor_and_memory() {
        let machine = Machine::detect();
        assert!(
            machine.cpus > 0 && machine.memory > 1 << 20 && !machine.flags.is_empty(),
            "{machine:?}"
        );
        let json = serde_json::to_string(&machine).unwrap();
        assert_eq!(serde_json::from_str::<Machine>(&json).unwrap(), machine);
    }

    #[test]
    fn a_host_and_its_caches() {
        let machine = planted(&[
            (
                "proc/cpuinfo",
                "processor\t: 0\ncpu family\t: 25\nstepping\t: 2\nFeatures\t: fp \
                    asimd\nprocessor: 1\nprocessors: 9\n",
            ),
            ("proc/meminfo", "MemTotal: 3 GB\n"),
            ("proc/loadavg", "0.25\n"),
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"),
            ("sys/devices/system/cpu/cpu0/cache/index0/size", "32K\n"),
            ("sys/devices/system/cpu/cpu0/cache/index1/level", "2\n"),
            ("sys/devices/system/cpu/cpu0/cache/index3/level", "3\n"),
            ("sys/class/dmi/id/product_name", "Virtual Thing\n"),
        ]);
        assert_eq!((machine.cpus, machine.family, machine.stepping), (2, 25, 2));
        assert_eq!(machine.flags, ["fp", "asimd"]);
        assert_eq!(
            (machine.hypervisor.as_deref(), machine.governor.as_deref()),
            (None, Some("performance"))
        );
        assert_eq!((machine.memory, machine.load), (3 << 30, [0.25, 0.0, 0.0]));
        let caches: Vec<_> =
            machine.caches.iter().map(|cache| (cache.level, cache.bytes)).collect();
        assert_eq!(caches, [(0, 32 << 10), (2, 0)], "up to the first that is missing");
        assert_eq!(machine.arch, std::env::consts::ARCH);
    }

    #[test]
    fn a_guest_is_named_after_its_product_or_hypervisor() {
        let named = |files: &[(&str, &str)]| {
            let guest = ("proc/cpuinfo", "flags: fpu hypervisor\n");
            planted(&[&[guest][..], files].concat()).hypervisor.unwrap()
        };
        let (product, kind) =
            (("sys/class/dmi/id/product_name", "Some Cloud\n"), ("sys/hypervisor/type", "xen\n"));
        assert_eq!(
            (named(&[product, kind]), named(&[kind]), named(&[])),
            ("Some Cloud".into(), "xen".into(), "unnamed".into())
        );
    }

    #[test]
    fn threads_of_a_core_are_counted_in_every_spelling() {
        let threads = |list: &str| {
            planted(&[("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", list)])
                .threads_per_core
        };
        for (list, count) in
            [("0\n", 1), ("0-1\n", 2), ("0,64\n", 2), ("0-3,8-11\n", 8), ("2-4", 3), ("", 0)]
        {
            assert_eq!(threads(list), count, "{list}");
        }
    }

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [
            ("48K", 48 << 10),
            ("2048K", 2 << 20),
            ("32 kB", 32 << 10),
            ("4M", 4 << 20),
            ("1G", 1 << 30),
            ("17", 17),
        ] {
            assert_eq!(size(text), bytes, "{text}");
        }
        assert_eq!((size(""), size("K")), (0, 0));
    }
}
