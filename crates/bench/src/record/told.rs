//! Figures that programs print of themselves.
//!
//! ```text
//! {"line":"told","table":"xeon","id":"openssl-speed",
//!  "command":"openssl speed -mr -seconds 1 -bytes 16 md5 sha1 sha256 sha512",
//!  "version":"OpenSSL 3.0.22 25 Aug 2026 ...","algorithm":"md5","size":16,"rate":93652460.61}
//! ```
//!
//! They have lines of their own, so that no reader of series takes one for a measured figure.

use serde::{Deserialize, Serialize};

/// A figure that a program printed of itself. What it computed is not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// The study's table.
    pub table: String,
    /// Which of its programs.
    pub id: String,
    /// What ran.
    pub command: String,
    /// What the program says it is.
    pub version: Option<String>,
    /// The algorithm as the study writes it.
    pub algorithm: String,
    /// Message length in bytes.
    pub size: usize,
    /// Bytes a second as it says; none where it said none.
    pub rate: Option<f64>,
    /// Why it said none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

impl Told {
    /// What is wrong with the line, and what was expected.
    pub(super) fn check(&self) -> Result<(), String> {
        match self.rate {
            Some(rate) if !(rate.is_finite() && rate > 0.0) => {
                Err(format!("a rate of {rate} bytes a second: expected one above 0"))
            }
            _ => Ok(()),
        }
    }
}
