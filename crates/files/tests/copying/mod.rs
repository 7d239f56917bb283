//! What the tests of copies share.

use std::io;
use std::path::Path;

use files::copy::{
    CopyJob, CopyReport, Failure, Layout, OnConflict, Proof, Renamed, Settled, Undated, Verify,
    Watch, copy,
};
use files::list::Entry;
use files::meter::Meter;
use files::names;
use hashdyno::find;

/// Writes down what a copy says.
#[derive(Default)]
pub struct Heard<'a> {
    /// The source's last part and the reason.
    pub failed: Vec<(String, String)>,
    /// Names below a destination, in order; those that were there before with `=`.
    pub settled: Vec<String>,
    pub listed: Vec<Entry>,
    /// Done when everything is in place, before it is read back.
    pub meanwhile: Option<Box<dyn FnMut() -> io::Result<()> + 'a>>,
    /// Done when a file gets another name.
    pub on_renamed: Option<Box<dyn FnMut() + 'a>>,
}

impl Watch for Heard<'_> {
    fn failed(&mut self, failure: &Failure<'_>) -> io::Result<()> {
        let name = failure.source.rsplit(|byte| *byte == b'/').next().unwrap();
        self.failed.push((String::from_utf8_lossy(name).into_owned(), failure.reason.clone()));
        Ok(())
    }

    fn renamed(&mut self, _: &Renamed<'_>) -> io::Result<()> {
        self.on_renamed.iter_mut().for_each(|action| action());
        Ok(())
    }

    fn in_place(&mut self) -> io::Result<()> {
        self.meanwhile.as_mut().map_or(Ok(()), |meanwhile| meanwhile())
    }

    fn settled(&mut self, settled: &Settled<'_>) -> io::Result<()> {
        assert_ne!(settled.proof, Proof::None);
        let name = String::from_utf8_lossy(&settled.entry.name).into_owned();
        self.settled.push(if settled.present { format!("={name}") } else { name });
        Ok(())
    }

    fn listed(&mut self, entry: &Entry) -> io::Result<()> {
        self.listed.push(entry.clone());
        Ok(())
    }
}

/// A job with nothing special about it.
pub fn job(sources: &[&Path], destination: &Path) -> CopyJob {
    CopyJob {
        include: files::copy::Include::default(),
        sources: sources.iter().map(|path| names::name(path).to_vec()).collect(),
        destinations: vec![destination.to_owned()],
        digests: ["sha256", "md5"].map(|name| find(name).unwrap()).to_vec(),
        layout: Layout::default(),
        undated: Undated::Folder,
        on_conflict: OnConflict::Suffix,
        verify: Verify::Device,
        reread_source: false,
        resume: false,
        list: None,
        threads: 3,
    }
}

/// Runs a job, and checks that what is settled is right and nothing unfinished is left.
pub fn run(job: &CopyJob) -> (CopyReport, Heard<'static>) {
    let mut heard = Heard::default();
    let report = copy(job, Meter::default(), &mut heard).unwrap();
    for entry in &heard.listed {
        let content = std::fs::read(job.destinations[0].join(names::path(&entry.name))).unwrap();
        let value = |claim: &files::list::Claim| {
            claim.digests[0].digest().map(|digest| digest.digest(&content))
        };
        assert!(entry.claims.iter().all(|claim| value(claim).as_ref() == Some(&claim.value)));
    }
    (report, heard)
}

/// Writes a file, and the folders on the way to it.
pub fn write(path: &Path, content: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// All names below a folder, sorted.
pub fn tree(folder: &Path) -> Vec<String> {
    let walk = files::walk::Walk::new(names::name(folder));
    let cut = names::name(folder).len() + 1;
    walk.map(|name| String::from_utf8_lossy(&name.unwrap()[cut..]).into_owned()).collect()
}
