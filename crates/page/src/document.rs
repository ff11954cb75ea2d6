//! The page as one file: the first picture, what does not change, the models, and the evaluator.
//!
//! Without scripts the first picture and its table are shown; with scripts but without WebAssembly its numbers can be pointed at.

use serde::Serialize;
use symloc_report::annotation::SourceText;
use symloc_report::html::escape;
use symloc_report::plot::html::{PageData, samples};
use symloc_report::plot::{Canvas, Picture, Span, svg};

const PAGE: &str = include_str!("../page/page.html");
const STYLE: &str = include_str!("../page/page.css");
const SCRIPTS: [&str; 5] = [
    include_str!("../page/state.js"),
    include_str!("../page/plot.js"),
    include_str!("../page/tables.js"),
    include_str!("../page/asking.js"),
    include_str!("../page/controls.js"),
];
const WORKER: &str = include_str!("../page/worker.js");

/// This crate, compiled for WebAssembly by `crates/page/build`, and compressed, which makes the page a third as large.
const EVALUATOR: &[u8] = include_bytes!("../page.wasm.gz");

/// What a page is about.
pub struct Explorer<'p> {
    /// What is shown first.
    pub picture: &'p Picture,
    /// The programs, in the order of their numbers.
    pub models: Vec<ExplorerModel>,
    /// Where the page starts.
    pub start: Start,
}

/// A program of a page.
pub struct ExplorerModel {
    /// The text of the model's file.
    pub text: String,
    /// What the script knows of it.
    pub facts: ModelFacts,
    /// Tables of formulas, each with a title and its markup, or with the reason why there is none.
    pub formulas: Vec<(&'static str, Result<String, String>)>,
    /// Everything that was taken for granted, each with its place.
    pub assumptions: Vec<String>,
}

/// What the script knows of a model.
#[derive(Debug, Serialize)]
pub struct ModelFacts {
    /// What tells it from the others.
    pub label: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// For which sizes it holds, in words.
    pub context: Option<String>,
    /// `64-byte lines`
    pub lines: String,
    /// Bytes per line, if all arrays agree.
    pub line_bytes: Option<u64>,
    /// The line size to open it with.
    pub line_choice: Option<u64>,
    /// Whether it holds reuse distances.
    pub exact: bool,
    /// The text of its source, file by file; or why it is not to be had.
    pub files: Vec<SourceFile>,
    /// Why there is no source, if there is none.
    pub no_source: Option<String>,
    /// What the model leaves out or takes for granted.
    pub remarks: Vec<String>,
}

/// A file of the source.
#[derive(Debug, Serialize)]
pub struct SourceFile {
    /// What accesses call it.
    file: String,
    lines: Vec<String>,
}

impl SourceFile {
    /// The file that accesses call `name`.
    pub fn new(name: &str, text: SourceText) -> Self {
        Self { file: name.to_owned(), lines: text.lines }
    }
}

/// Where a page starts; the script keeps the rest in the address.
#[derive(Debug, Serialize)]
pub struct Start {
    /// The sizes, each a curve for each model.
    pub sizes: Vec<Vec<(String, i128)>>,
    /// The caches, each with its name and its size in words.
    pub caches: Vec<(Option<String>, String)>,
    /// `linear` or `log`.
    pub scale: &'static str,
    /// `denning` or `lru`.
    pub misses: &'static str,
    /// What formulas say of the caches at which the curve falls, in lines, at the first sizes.
    pub spans: Vec<(String, [f64; 2])>,
}

impl Start {
    /// The spans as the script has them.
    pub fn spans(spans: &[Span]) -> Vec<(String, [f64; 2])> {
        spans.iter().map(|span| (span.label.clone(), span.ends)).collect()
    }
}

/// All that the script starts with.
#[derive(Serialize)]
struct ScriptData<'p> {
    title: &'p str,
    picture: PageData<'p>,
    start: &'p Start,
    models: Vec<&'p ModelFacts>,
}

/// The page.
///
/// # Errors
///
/// That of a number which JSON does not have; a picture has none.
pub fn document(explorer: &Explorer<'_>) -> serde_json::Result<String> {
    let Explorer { picture, models, start } = explorer;
    let data = ScriptData {
        title: &picture.title,
        picture: PageData::new(picture, Canvas::PAPER),
        start,
        models: models.iter().map(|model| &model.facts).collect(),
    };
    let texts = models.iter().map(|model| element("application/json", "model", &model.text));
    Ok(filled(&[
        ("@TITLE@", escape(&picture.title)),
        ("@STYLE@", STYLE.to_owned()),
        ("@HEADING@", escape(&picture.title)),
        ("@ABOUT@", escape(&picture.subtitle)),
        ("@SVG@", svg::document(picture, Canvas::PAPER)),
        ("@SAMPLES@", samples(picture)),
        ("@FORMULAS@", models.iter().map(|model| formulas(model, models.len() > 1)).collect()),
        ("@ASSUMPTIONS@", models.iter().map(|model| assumptions(model, models.len() > 1)).collect()),
        ("@DATA@", within_script(&serde_json::to_string(&data)?)),
        ("@SCRIPT@", SCRIPTS.concat()),
        ("@WORKER@", WORKER.to_owned()),
        ("@MODELS@", texts.collect()),
        ("@EVALUATOR@", base64(EVALUATOR)),
    ]))
}

/// From the front to the end, so that nothing within a part is taken for a place.
fn filled(parts: &[(&str, String)]) -> String {
    let (mut page, mut rest) = (String::new(), PAGE);
    for (place, part) in parts {
        let (before, after) = rest.split_once(place).unwrap_or((rest, ""));
        page += before;
        page += part;
        rest = after;
    }
    page + rest
}

/// Within a script, the texts `</` and `<!--` could end it.
fn within_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

fn element(kind: &str, class: &str, json: &str) -> String {
    format!("<script type=\"{kind}\" class=\"{class}\">{}</script>\n", within_script(json.trim_end()))
}

fn formulas(model: &ExplorerModel, several: bool) -> String {
    let heading = if several { format!("{}: ", escape(&model.facts.label)) } else { String::new() };
    let part = |(title, markup): &(&str, Result<String, String>)| {
        let body = match markup {
            Ok(markup) => markup.clone(),
            Err(reason) => format!("<p>{}</p>\n", escape(reason)),
        };
        format!("<details open>\n<summary><h2>{heading}{title}</h2></summary>\n{body}</details>\n")
    };
    model.formulas.iter().map(part).collect()
}

/// What is taken for granted; nothing if there is nothing.
fn assumptions(model: &ExplorerModel, several: bool) -> String {
    if model.assumptions.is_empty() {
        return String::new();
    }
    let heading = if several { format!("{}: taken", escape(&model.facts.label)) } else { "Taken".to_owned() };
    let points: String = model.assumptions.iter().map(|point| format!("<li>{}</li>\n", escape(point))).collect();
    format!("<details>\n<summary><h2>{heading} for granted</h2></summary>\n<ul>\n{points}</ul>\n</details>\n")
}

/// RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let number = group.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        let digit = |index: usize| char::from(DIGITS[(number >> (18 - 6 * index)) as usize & 63]);
        text.extend((0..4).map(|index| if index <= group.len() { digit(index) } else { '=' }));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let encoded = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(encoded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }

    #[test]
    fn every_place_of_the_page_is_filled() {
        let places = PAGE.split('@').skip(1).step_by(2).collect::<Vec<_>>();
        assert_eq!(places.len(), 13, "{places:?}");
        assert_eq!(within_script("\"</script>\""), "\"\\u003c/script>\"");
    }
}
