//! When and by which camera a photo or film was taken, by what it says of itself.
//!
//! ```text
//! photo    EXIF's DateTimeOriginal                              the camera's clock
//! film     QuickTime's creation date                            the camera's clock
//!          else the time of the film's header                   UTC
//! ```
//!
//! No date is shifted by an offset. A date of 1970 or before is that of a clock that was never set,
//! and counts as none.

use std::fs::File;
use std::io::Seek;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::civil;
use jiff::tz::Offset;
use nom_exif::{
    EntryValue, Exif, ExifDateTime, ExifTag, MediaKind, MediaParser, MediaSource, TrackInfoTag,
};

use super::film::long_time;

/// What a photo or film says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The date and time that the camera's clock showed: never shifted by any zone. A film that has
    /// only the time of its MP4 header has it in UTC.
    pub date: Option<civil::DateTime>,
    /// That clock's offset from UTC, where it is told.
    pub offset: Option<Offset>,
    /// The camera's model.
    pub camera: Option<String>,
}

impl Taken {
    /// What the file says; nothing if it is no photo or film, or a broken one. The file is left at
    /// its beginning.
    pub fn read(file: &File) -> Self {
        // A broken photo must not end the copy of all the others, whatever it does to the parser.
        let taken = catch_unwind(AssertUnwindSafe(|| Self::parse(file))).ok().flatten();
        let rewound = { file }.rewind().is_ok();
        taken.filter(|_| rewound).unwrap_or_default()
    }

    fn parse(file: &File) -> Option<Self> {
        let source = MediaSource::seekable(file).ok()?;
        let mut parser = MediaParser::new();
        match source.kind() {
            MediaKind::Image => {
                let exif: Exif = parser.parse_exif(source).ok()?.into();
                Some(Self::of(exif.get(ExifTag::DateTimeOriginal), exif.get(ExifTag::Model)))
            }
            MediaKind::Track => {
                let track = parser.parse_track(source).ok()?;
                let taken =
                    Self::of(track.get(TrackInfoTag::CreateDate), track.get(TrackInfoTag::Model));
                match long_time(file) {
                    // A creation date beside the header's, as QuickTime has it, is better and
                    // stays.
                    Some(long) if taken.date.is_none() || taken.date == long.by_upper_half => {
                        Some(Self { date: long.date.filter(is_set), offset: None, ..taken })
                    }
                    _ => Some(taken),
                }
            }
        }
    }

    fn of(date: Option<&EntryValue>, camera: Option<&EntryValue>) -> Self {
        let date = date.and_then(EntryValue::as_datetime);
        let camera = camera.and_then(EntryValue::as_str).map(str::to_owned);
        let offset = date
            .and_then(|date| Offset::from_seconds(date.aware()?.offset().local_minus_utc()).ok());
        Self { date: date.and_then(civil_date), offset, camera }
    }
}

/// The date that the clock showed. A clock that was never set shows 1904 in films, 1970 or nothing
/// in photos.
fn civil_date(date: ExifDateTime) -> Option<civil::DateTime> {
    let shown: civil::DateTime = date.into_naive().to_string().parse().ok()?;
    Some(shown).filter(is_set)
}

fn is_set(date: &civil::DateTime) -> bool {
    date.year() > 1970
}
