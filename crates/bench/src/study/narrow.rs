//! A study with fewer cells: some of its algorithms, some of its lengths. Or with more: a payload,
//! every kernel.
//!
//! `--only`, `--bytes`, `--payload` and `--kernel all` of `hashdyno study` end here. Claims and
//! answers stay as they are. They are *not measured* where their cells are gone.
//!
//! A table may be left empty. It stays in the record, for its published figures. A run leaves it
//! out by `without_empty_tables`.

use runner::{Algorithm, OURS, Payload, Size};

use super::star::EVERY;
use super::{Measures, Source, Study, StudyError, Table};

impl Study {
    /// The study with these algorithms alone, by any of their names. Claims about others cannot be
    /// judged.
    ///
    /// # Errors
    /// [`StudyError::Names`]: the study does not measure one of the algorithms.
    pub fn only(mut self, algorithms: &[String]) -> Result<Self, StudyError> {
        let named = self.tables.iter().flat_map(|table| &table.algorithms);
        let named: Vec<_> =
            named.chain(self.files.iter().flat_map(|table| &table.algorithms)).collect();
        if let Some(missing) =
            algorithms.iter().find(|name| !named.iter().any(|known| Algorithm::same(known, name)))
        {
            let expected =
                "expected one that it measures; `hashdyno list` shows names and aliases".to_owned();
            return Err(self.names(format!("no algorithm '{missing}'"), expected));
        }
        let wanted = |known: &String| algorithms.iter().any(|name| Algorithm::same(known, name));
        let tables = self.tables.iter_mut().map(|table| &mut table.algorithms);
        for known in tables.chain(self.files.iter_mut().map(|table| &mut table.algorithms)) {
            let all = known.len();
            known.retain(wanted);
            // All of the algorithms, by name, are no narrowing: claims about `*` can be judged.
            self.narrowed |= known.len() < all;
        }
        Ok(self)
    }

    /// The study with these sizes of messages and files alone; a tree of files, whose lengths are
    /// not asked for, stays.
    ///
    /// # Errors
    /// [`StudyError::Names`]: the study does not measure one of the sizes.
    pub fn only_sizes(mut self, sizes: &[Size]) -> Result<Self, StudyError> {
        let files =
            self.files.iter().flat_map(|table| &table.sizes).map(|&size| Size::One(size as usize));
        let mut known: Vec<_> = self.tables.iter().flat_map(Table::columns).chain(files).collect();
        known.sort_unstable();
        known.dedup();
        if let Some(missing) = sizes.iter().find(|size| !known.contains(size)) {
            let known: Vec<_> = known.iter().map(ToString::to_string).collect();
            return Err(self.names(
                format!("no messages of {missing} bytes"),
                format!("expected some of {}", known.join(", ")),
            ));
        }
        let one = |&size: &usize| sizes.contains(&Size::One(size));
        for table in &mut self.tables {
            table.sizes.retain(one);
            // The sizes of `--quick` stay a part of the sizes, as the check of names wants them.
            table.quick.retain(one);
            table.many.retain(|&shape| sizes.contains(&Size::Many(shape)));
            table.column.retain(|&column| sizes.contains(&Size::Column(column)));
        }
        for table in self.files.iter_mut().filter(|table| table.measures == Measures::Tools) {
            table.sizes.retain(|&size| one(&(size as usize)));
        }
        Ok(self)
    }

    /// The study without tables of which nothing is left. Its claims may name these: they are for
    /// measuring, not for judging.
    pub(crate) fn without_empty_tables(mut self) -> Self {
        self.tables.retain(|table| !table.algorithms.is_empty() && !table.columns().is_empty());
        self.files.retain(|table| !table.algorithms.is_empty());
        self
    }

    /// The same with one payload more in each table that compares several. A table without payloads
    /// asks another question, which random bytes answer.
    #[must_use]
    pub fn with_payload(mut self, payload: Payload) -> Self {
        for table in self.tables.iter_mut().filter(|table| !table.payload.is_empty()) {
            if !table.payload.contains(&payload) {
                table.payload.push(payload);
            }
        }
        self
    }

    /// The same with each of our kernels as a source of its own wherever `ours` stands.
    #[must_use]
    pub fn with_every_kernel(mut self) -> Self {
        for table in &mut self.tables {
            if table
                .providers
                .iter()
                .any(|source| source.provider == OURS || source.provider == EVERY)
            {
                table.providers.push(Source::from(format!("{OURS}/{EVERY}")));
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &[&str]) -> Vec<String> {
        text.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn a_study_is_narrowed_by_any_name() {
        let study = Study::load("php-hash")
            .unwrap()
            .only(&words(&["MD5", "crc32-bzip2"]))
            .unwrap()
            .only_sizes(&[Size::One(5000)])
            .unwrap();
        for table in &study.tables {
            assert!(
                table.algorithms.iter().all(|name| ["md5", "crc32"].contains(&name.as_str())),
                "{:?}",
                table.algorithms
            );
            assert!(table.sizes.iter().all(|&size| size == 5000), "{:?}", table.sizes);
        }
        assert!(study.narrowed);
        let measured = study.clone().without_empty_tables();
        assert!(
            measured.tables.len() <= study.tables.len()
                && measured.tables.iter().all(|table| table.algorithms.contains(&"md5".to_owned()))
        );
    }

    #[test]
    fn a_study_with_all_of_its_algorithms_is_not_narrowed() {
        let study = Study::load("cipher-sizes").unwrap();
        let all: Vec<_> =
            study.tables.iter().flat_map(|table| table.algorithms.iter().cloned()).collect();
        assert!(!study.clone().only(&all).unwrap().narrowed);
        assert!(study.only(&all[..1]).unwrap().narrowed);
    }

    #[test]
    fn what_the_study_has_not_is_an_error() {
        let study = || Study::load("php-hash").unwrap();
        let error = study().only(&words(&["md5", "aes-128-ecb encrypt"])).unwrap_err().to_string();
        assert!(
            error.contains("no algorithm 'aes-128-ecb encrypt'") && error.contains("expected"),
            "{error}"
        );
        let error = study().only_sizes(&[5000, 4999].map(Size::One)).unwrap_err().to_string();
        assert!(error.contains("no messages of 4999 bytes") && error.contains("5000"), "{error}");
    }

    #[test]
    fn a_payload_is_added_where_several_are_compared() {
        let study = Study::load("cipher-sizes").unwrap();
        let more = study.clone().with_payload(Payload::File).with_payload(Payload::A);
        for (table, before) in more.tables.iter().zip(&study.tables) {
            let added = usize::from(!before.payload.is_empty());
            assert_eq!(table.payload.len(), before.payload.len() + added, "{}", table.id);
        }
        assert!(more.tables.iter().any(|table| table.payload.ends_with(&[Payload::File])));
        assert!(more.check().unwrap_err().to_string().contains("--payload FILE"));
    }

    #[test]
    fn every_kernel_is_asked_for_where_ours_stands() {
        let study = Study::load("php-hash").unwrap().with_every_kernel();
        for table in &study.tables {
            let has = |text: &str| table.providers.contains(&Source::from(text.to_owned()));
            assert_eq!(
                has("ours/*"),
                table.providers.iter().any(|source| source.provider == OURS && !source.is_every())
            );
        }
    }
}
