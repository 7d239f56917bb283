//! The texts of an answer, taken apart: words that stand as they are, and places of figures.
//!
//! ```text
//! "{a} takes {a.time}[, {a/b} times {b.provider}'s]."
//!   |         |         |              |
//!   Name      Time      Ratio          Provider     in brackets: left out without its figures
//! ```
//!
//! Neither braces nor brackets nest, and neither can be escaped: no sentence has needed them yet.

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// As it stands.
    Text(&'a str),
    /// `{cell}`, `{cell.rate}`: what of a cell.
    Figure(&'a str, What),
    /// `{a/b}`: time of one cell over time of another.
    Ratio(&'a str, &'a str),
    /// `{missing}`: the cells without a figure.
    Missing,
}

/// What a text says of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The algorithm, with those that cannot be told apart from it.
    Name,
    /// Source and algorithm, likewise.
    Cell,
    /// The source.
    Provider,
    /// The size in words.
    Size,
    /// Bytes per second.
    Rate,
    /// Time of a message or of the files.
    Time,
    /// Core cycles per byte.
    Cycles,
    /// Nanoseconds per byte.
    Byte,
    /// Of AES: how near it comes to what the CPU can do, in percent.
    Ceiling,
    /// Every candidate with its rate, the fastest first.
    Order,
}

/// What may stand behind the point of a placeholder.
const WHAT: [(&str, What); 9] = [
    ("cell", What::Cell),
    ("provider", What::Provider),
    ("size", What::Size),
    ("rate", What::Rate),
    ("time", What::Time),
    ("cycles", What::Cycles),
    ("byte", What::Byte),
    ("ceiling", What::Ceiling),
    ("order", What::Order),
];

/// What is wrong, and what was expected.
type Wrong = (String, String);

/// The text in runs, and of each whether it stands in brackets: then it is left out where a figure
/// in it is missing.
///
/// # Errors
/// A bracket without its other.
pub(crate) fn runs(text: &str) -> Result<Vec<(bool, &str)>, Wrong> {
    let mut runs = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let (inside, behind) = after.split_once(']').ok_or_else(|| {
            (format!("the text '{text}'"), "expected a ] for each [ in it".to_owned())
        })?;
        runs.extend([(false, before), (true, inside)]);
        rest = behind;
    }
    runs.push((false, rest));
    Ok(runs)
}

/// The pieces of a text.
///
/// # Errors
/// A brace without its other, or a placeholder that is not known.
pub(crate) fn parts(text: &str) -> Result<Vec<Part<'_>>, Wrong> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let closed = after.split_once('}').filter(|(inside, _)| !inside.contains('{'));
        let (inside, behind) = closed.ok_or_else(|| {
            (format!("the text '{text}'"), "expected a } for each { in it".to_owned())
        })?;
        parts.extend([Part::Text(before), placeholder(inside)?]);
        rest = behind;
    }
    parts.push(Part::Text(rest));
    parts.retain(|part| *part != Part::Text(""));
    Ok(parts)
}

fn placeholder(inside: &str) -> Result<Part<'_>, Wrong> {
    if inside == "missing" {
        return Ok(Part::Missing);
    }
    // A ratio has no word behind it: `a/b.time` asks for a cell that is named `b.time`.
    if let Some((left, right)) = inside.split_once('/') {
        return Ok(Part::Ratio(left, right));
    }
    let Some((cell, word)) = inside.split_once('.') else {
        return Ok(Part::Figure(inside, What::Name));
    };
    match WHAT.iter().find(|(known, _)| *known == word) {
        Some(&(_, what)) => Ok(Part::Figure(cell, what)),
        None => {
            let known: Vec<_> = WHAT.iter().map(|(known, _)| *known).collect();
            let expected = format!(
                "expected {{CELL}}, {{CELL/CELL}}, or {{CELL.WORD}} with a word of {}",
                known.join(", ")
            );
            Err((format!("the placeholder '{{{inside}}}' in an answer"), expected))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_its_parts() {
        let text = "{a} takes {a.time}, {a/b} times {b.provider}'s.";
        let expected = vec![
            Part::Figure("a", What::Name),
            Part::Text(" takes "),
            Part::Figure("a", What::Time),
            Part::Text(", "),
            Part::Ratio("a", "b"),
            Part::Text(" times "),
            Part::Figure("b", What::Provider),
            Part::Text("'s."),
        ];
        assert_eq!(parts(text).unwrap(), expected);
        assert!(parts("{a").unwrap_err().1.contains("a } for each {"));
        assert_eq!(runs("a[ {b}] c").unwrap(), [(false, "a"), (true, " {b}"), (false, " c")]);
        assert!(runs("a[b").unwrap_err().1.contains("a ] for each ["));
        assert!(parts("{a.speed}").unwrap_err().0.contains("'{a.speed}'"));
    }
}
