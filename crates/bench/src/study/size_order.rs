//! In which order a fresh process goes through the sizes.
//!
//! A first call is dearer the less the process has done before it. So each order has figures of its
//! own: a script that begins with short messages is another script than one that begins with long
//! ones.

use serde::{Deserialize, Serialize};

/// How a process goes through the sizes; at each it does the table's algorithms in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SizeOrder {
    /// The smallest first.
    Ascending,
    /// The largest first.
    Descending,
}

impl std::fmt::Display for SizeOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Ascending => "ascending",
            Self::Descending => "descending",
        })
    }
}
