//! What a file's device is good at, as Linux tells it in `/sys`.
//!
//! ```text
//! /sys/dev/block/8:1/../queue/rotational      of the partition 8:1, `1` where the disk rotates
//! /sys/dev/block/8:0/device/subsystem         the bus: `virtio` of a virtual disk
//! ```
//!
//! A wrong answer costs time: on a disk that rotates, two files that are read at once make it seek.

use std::path::Path;

use rustix::fs::{Dev, major, minor};

/// Whether the device of that number rotates: then files are read one after another. False where
/// nobody knows.
pub fn rotates(device: Dev) -> bool {
    told(device) == Some(true)
}

fn told(device: Dev) -> Option<bool> {
    let node = format!("/sys/dev/block/{}:{}", major(device), minor(device));
    // A partition has no queue of its own.
    let disk = [node.clone(), format!("{node}/..")]
        .into_iter()
        .find(|disk| Path::new(disk).join("queue").is_dir())?;
    // What a virtual disk says of itself is the driver's default, not what is behind it.
    let bus = std::fs::canonicalize(format!("{disk}/device/subsystem")).ok();
    let is_virtual = bus.is_some_and(|bus| bus.ends_with("virtio"));
    let rotational = std::fs::read_to_string(format!("{disk}/queue/rotational")).ok()?;
    Some(!is_virtual && rotational.trim() == "1")
}
