//! The same drawing for readers whose system is dark, by a style sheet within the SVG.
//!
//! One file serves readers of both kinds, wherever a page shows it as an image. Colours are matched
//! by their values: a drawing may use only colours of `NEUTRALS` and of `report/colours.json`.

use super::pen::NEUTRALS;
use super::sheet::FONT;
use crate::report::colours::hues;

/// The drawing with the style sheet, and with a family of fonts for systems that lack ours.
pub fn styled(svg: &str) -> String {
    let neutrals = NEUTRALS.iter().map(|(light, dark)| ((*light).to_owned(), (*dark).to_owned()));
    let colours = hues().iter().map(|hue| (hue.light.clone(), hue.dark.clone()));
    let rules: String = neutrals.chain(colours).map(|(light, dark)| rule(&light, &dark)).collect();
    let style = format!("<style>@media (prefers-color-scheme:dark){{{rules}}}</style>");
    let fonts = format!("font-family=\"{FONT}\"");
    let svg = svg.replace(&fonts, &format!("font-family=\"{FONT}, Verdana, sans-serif\""));
    match svg.split_once("\">\n") {
        Some((head, body)) => format!("{head}\">\n{style}\n{body}"),
        None => svg,
    }
}

/// Of what is drawn in the one colour, the other.
fn rule(light: &str, dark: &str) -> String {
    let light = light.to_uppercase();
    format!("[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}")
}
