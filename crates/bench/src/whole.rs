//! Files that are written whole or not at all.

use std::fs::{File, Permissions};
use std::io::{BufWriter, Result, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a file under a temporary name, then fsync and rename, so that no reader ever sees half of it; folders are made.
pub fn write(path: &Path, content: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(0o644)).tempfile_in(folder)?;
    let mut out = BufWriter::new(&mut file);
    content(&mut out)?;
    out.flush()?;
    drop(out);
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}
