//! Media hash lists: MHL 1.1 and ASC MHL 2.0, the lists of film cards.
//!
//! ```text
//! <hashlist version="1.1">                          <hashlist version="2.0" xmlns="...">
//!   <creatorinfo>...</creatorinfo>                    <creatorinfo>...</creatorinfo>
//!                                                     <processinfo>...</processinfo>
//!                                                     <hashes>
//!   <hash>                                              <hash>
//!     <file>a</file>                                      <path size="6">a</path>
//!     <size>6</size>
//!     <md5>b1946ac9...</md5>                              <md5 action="original">b1946ac9...</md5>
//!   </hash>                                             </hash>
//!                                                     </hashes>
//! </hashlist>                                       </hashlist>
//! ```

mod read;
mod version;
mod write;

pub(super) use read::Xml;
pub use version::Version;
pub(super) use write::{element, entry, frame};
