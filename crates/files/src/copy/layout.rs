//! Where a file of the source goes: a layout such as `{date:%Y/%m/%d}/{name}`.
//!
//! ```text
//! layout                                     card/DCIM/IMG.0001.JPG of 2024-05-01 23:59:08
//! {date:%Y/%m/%d}/{name}                     2024/05/01/IMG.0001.JPG
//! {parent}/x/{stem}-{date:%H%M%S}.{ext}      card/DCIM/x/IMG.0001-235908.JPG
//! {{{stem}}}                                 {IMG.0001}
//! a layout with a date, a photo without one  undated/IMG.0001.JPG
//! ```
//!
//! Names and cameras come from strangers, so `place` checks each name that it has made: `tidy`
//! refuses the name if it leads out of the destination. Faults of the layout itself are told before
//! anything is copied. Its text is in the journal, as a job is gone on with by the same layout
//! only.

use std::fmt;

use jiff::civil;
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::Offset;

use super::date::Taken;
use crate::read::names;

/// A layout, read and found good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    text: String,
    pieces: Vec<Piece>,
}

/// What a layout is wrong about, and what it may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutError {
    /// What was wrong and what was expected.
    pub message: String,
    /// What to do.
    pub hint: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Text as it stands, with `{{` and `}}` made single.
    Text(String),
    /// Holds a format of strftime.
    Date(String),
    /// All of the path below the source.
    Path,
    /// The path without the name, and without the slash between them.
    Parent,
    Name,
    /// The name up to its last dot.
    Stem,
    /// The name behind its last dot.
    Ext,
    /// The model, made fit for one part of a path.
    Camera,
}

/// Where photos without a date go.
pub const UNDATED: &[u8] = b"undated/";

impl Layout {
    /// Reads a layout: text, and fields in braces; `{{` and `}}` are braces.
    ///
    /// # Errors
    /// [`LayoutError`]: an unknown field, an open brace, or a date format that means nothing.
    pub fn parse(text: &str) -> Result<Self, LayoutError> {
        let mut pieces = Vec::new();
        let (mut literal, mut rest) = (String::new(), text);
        while let Some(at) = rest.find(['{', '}']) {
            literal.push_str(&rest[..at]);
            let brace = &rest[at..];
            if brace.starts_with("{{") || brace.starts_with("}}") {
                literal.push_str(&brace[..1]);
                rest = &brace[2..];
                continue;
            }
            let (Some(field), Some(end)) = (brace.strip_prefix('{'), brace.find('}')) else {
                return Err(error(
                    "a brace of the layout has no partner",
                    "write a field as {name}, a brace as {{ or }}",
                ));
            };
            if !literal.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut literal)));
            }
            pieces.push(Piece::parse(&field[..end - 1])?);
            rest = &brace[end + 1..];
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            pieces.push(Piece::Text(literal));
        }
        Self { text: text.to_owned(), pieces }.judged()
    }

    /// The layout as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a photo's own data are needed: its date or camera.
    pub fn asks_photos(&self) -> bool {
        self.asks_date() || self.pieces.contains(&Piece::Camera)
    }

    /// Whether a date is needed.
    pub fn asks_date(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Date(_)))
    }

    /// The name below the destination of the file that has `path` below the source. It never leads
    /// out of the destination.
    ///
    /// # Errors
    /// In words: the name would be empty, or lead out of the destination.
    pub fn place(&self, path: &[u8], taken: &Taken) -> Result<Vec<u8>, String> {
        let mut place = if self.asks_date() && taken.date.is_none() {
            [UNDATED, name(path)].concat()
        } else {
            let pieces: Result<Vec<_>, _> =
                self.pieces.iter().map(|piece| piece.render(path, taken)).collect();
            pieces?.concat()
        };
        // `{stem}.{ext}` of `Makefile` is `Makefile`, without the dot of the layout.
        if place.ends_with(b".") && self.pieces.ends_with(&[Piece::Ext]) {
            place.pop();
        }
        tidy(&place).ok_or_else(|| {
            format!(
                "the layout makes it `{}`, which is not a name below a folder",
                names::quoted(&place)
            )
        })
    }

    /// The layout, if every file can get a name of its own below the destination.
    fn judged(self) -> Result<Self, LayoutError> {
        match self.pieces.last() {
            None => Err(error("the layout is empty", FIELDS)),
            Some(Piece::Text(text)) if text.ends_with('/') => Err(error(
                "the layout ends with a folder: expected a file's name",
                "end it with {name}, as in {date:%Y/%m/%d}/{name}",
            )),
            _ if matches!(&self.pieces[0], Piece::Text(text) if text.starts_with('/')) => {
                Err(error(
                    "the layout begins with `/`: expected a name below the destination",
                    "leave the `/` out",
                ))
            }
            _ => Ok(self),
        }
    }
}

impl Default for Layout {
    /// Everything as it lies in the source.
    fn default() -> Self {
        Self { text: "{path}".to_owned(), pieces: vec![Piece::Path] }
    }
}

impl Piece {
    fn parse(field: &str) -> Result<Self, LayoutError> {
        if let Some(format) = field.strip_prefix("date:") {
            // The format is tried on a date that has everything, an offset too. `%z` fails later
            // for a photo without an offset, and for that photo alone.
            let date = Taken {
                date: Some(civil::date(2000, 1, 1).at(0, 0, 0, 0)),
                offset: Some(Offset::UTC),
                camera: None,
            };
            return match date.format(format) {
                Ok(_) => Ok(Self::Date(format.to_owned())),
                Err(reason) => Err(error(
                    &format!("`{format}` is not a format of a date: {reason}"),
                    "write it as for date(1): %Y year, %m month, %d day, %H hour, %M minute, %S \
                        second",
                )),
            };
        }
        match field {
            "path" => Ok(Self::Path),
            "parent" => Ok(Self::Parent),
            "name" => Ok(Self::Name),
            "stem" => Ok(Self::Stem),
            "ext" => Ok(Self::Ext),
            "camera" => Ok(Self::Camera),
            "date" => Err(error("`{date}` needs a format", "for a folder a day: {date:%Y/%m/%d}")),
            unknown => Err(error(&format!("`{{{unknown}}}` is not a field of a layout"), FIELDS)),
        }
    }

    fn render(&self, path: &[u8], taken: &Taken) -> Result<Vec<u8>, String> {
        let name = name(path);
        Ok(match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Date(format) => taken.format(format)?.into_bytes(),
            Self::Path => path.to_vec(),
            Self::Parent => {
                path[..path.len() - name.len()].strip_suffix(b"/").unwrap_or_default().to_vec()
            }
            Self::Name => name.to_vec(),
            Self::Stem => stem(name).to_vec(),
            Self::Ext => name[stem(name).len()..].strip_prefix(b".").unwrap_or_default().to_vec(),
            Self::Camera => camera(taken.camera.as_deref()).into_bytes(),
        })
    }
}

/// The last part of a path.
pub(super) fn name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// A path without the extension of its name; a dot that begins the name begins no extension.
pub(super) fn stem(path: &[u8]) -> &[u8] {
    let name = name(path);
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(at) if at > 0 => &path[..path.len() - name.len() + at],
        _ => path,
    }
}

/// The path without empty parts and `.`; `None` if a part is `..` or holds a NUL, or nothing is
/// left.
pub(super) fn tidy(path: &[u8]) -> Option<Vec<u8>> {
    let parts: Vec<_> =
        path.split(|&byte| byte == b'/').filter(|part| !part.is_empty() && *part != b".").collect();
    let fits = !parts.is_empty() && !path.contains(&0) && parts.iter().all(|part| *part != b"..");
    fits.then(|| parts.join(&b'/'))
}

/// A camera's name as one part of a path.
fn camera(model: Option<&str>) -> String {
    // Photos may say anything here: no slash may make a folder, and no dots lead out of one.
    let model: String =
        model.unwrap_or_default().trim().chars().filter(|c| !c.is_control()).collect();
    let model = model.replace('/', "-");
    match model.trim_matches('.') {
        "" => "unknown".to_owned(),
        model => {
            let end =
                (0..=LONGEST_NAME.min(model.len())).rev().find(|&at| model.is_char_boundary(at));
            model[..end.unwrap_or_default()].to_owned()
        }
    }
}

/// Bytes of a camera's name that are kept: half of what Linux allows in a name, so that other
/// fields have room beside it.
const LONGEST_NAME: usize = 127;

impl Taken {
    fn format(&self, format: &str) -> Result<String, String> {
        let mut time = BrokenDownTime::from(self.date.unwrap_or_default());
        time.set_offset(self.offset);
        time.to_string(format).map_err(|error| error.to_string())
    }
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LayoutError {}

fn error(message: &str, hint: &str) -> LayoutError {
    LayoutError { message: message.to_owned(), hint: hint.to_owned() }
}

const FIELDS: &str =
    "its fields are {date:FORMAT}, {path}, {parent}, {name}, {stem}, {ext} and {camera}";

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(layout: &str, path: &str) -> Result<String, String> {
        let taken = Taken {
            date: Some(civil::date(2024, 5, 1).at(23, 59, 8, 0)),
            offset: None,
            camera: Some("E-M1 / II ".to_owned()),
        };
        let place = Layout::parse(layout).unwrap().place(path.as_bytes(), &taken)?;
        Ok(String::from_utf8(place).unwrap())
    }

    #[test]
    fn fields_are_filled_in() {
        let path = "card/DCIM/IMG.0001.JPG";
        for (layout, expected) in [
            ("{date:%Y/%m/%d}/{name}", "2024/05/01/IMG.0001.JPG"),
            ("{path}", "card/DCIM/IMG.0001.JPG"),
            ("{parent}/x/{stem}-{date:%H%M%S}.{ext}", "card/DCIM/x/IMG.0001-235908.JPG"),
            ("{camera}/{name}", "E-M1 - II/IMG.0001.JPG"),
            ("{{{stem}}}", "{IMG.0001}"),
            ("./a//{name}", "a/IMG.0001.JPG"),
        ] {
            assert_eq!(placed(layout, path).unwrap(), expected);
        }
        assert_eq!(placed("{parent}/{stem}.{ext}", "Makefile").unwrap(), "Makefile");
        assert_eq!(placed("{stem}|{ext}", ".hidden").unwrap(), ".hidden|");
        assert_eq!(
            camera(Some(&"\u{e4}".repeat(200))),
            "\u{e4}".repeat(63),
            "no character is cut in two"
        );
        let undated = Layout::parse("{date:%Y}/{name}")
            .unwrap()
            .place(b"a/b.jpg", &Taken::default())
            .unwrap();
        assert_eq!(undated, b"undated/b.jpg");
    }

    #[test]
    fn no_layout_leads_out() {
        for layout in ["../{name}", "a/../../{name}", "{stem}/../../x", "{date:..}/{name}"] {
            assert!(placed(layout, "a/b.jpg").is_err(), "{layout}");
        }
        // The stem of `...` is `..`.
        assert!(placed("{stem}", "...").is_err());
        assert!(placed("{parent}/{name}", "../a").is_err());
    }

    #[test]
    fn a_photo_is_read_where_a_field_asks_for_it() {
        for (layout, expected) in
            [("{path}", false), ("{camera}/{name}", true), ("{date:%Y}/{name}", true)]
        {
            assert_eq!(Layout::parse(layout).unwrap().asks_photos(), expected, "{layout}");
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        for (layout, expected) in [
            ("", "empty"),
            ("{nam}", "`{nam}` is not a field"),
            ("{date}", "needs a format"),
            ("{date:%E}", "not a format of a date"),
            ("{name", "no partner"),
            ("name}", "no partner"),
            ("{name}/", "ends with a folder"),
            ("/x/{name}", "begins with `/`"),
        ] {
            let error = Layout::parse(layout).unwrap_err();
            assert!(error.to_string().contains(expected), "{layout}: {error}");
        }
        assert!(Layout::parse("{nam}").unwrap_err().hint.contains("{camera}"));
        // A date of a camera without offset has none to print.
        assert!(placed("{date:%z}", "a").is_err());
    }
}
