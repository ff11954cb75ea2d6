//! Writes the page as one file: the first picture, the fixed texts, the models, and the evaluator.
//!
//! Without scripts the first picture and its table are shown; with scripts but without WebAssembly the numbers under
//! the pointer are shown, too.

use serde::Serialize;
use symloc_report::answers::annotation::SourceText;
use symloc_report::formats::html::escape;
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

/// The contents of a page.
pub struct Explorer<'p> {
    /// The picture that is shown first.
    pub picture: &'p Picture,
    /// The programs, in the order of their numbers.
    pub models: Vec<ExplorerModel>,
    /// The initial state of the page.
    pub start: Start,
}

/// A program of a page.
pub struct ExplorerModel {
    /// The text of the model's file.
    pub text: String,
    /// The facts for the script.
    pub facts: ModelFacts,
    /// Tables of formulas, each with a title and its markup, or with the reason why there is none.
    pub formulas: Vec<(&'static str, Result<String, String>)>,
    /// All assumptions, each with its place.
    pub assumptions: Vec<String>,
}

/// The facts about a model for the script.
#[derive(Debug, Serialize)]
pub struct ModelFacts {
    /// The name that distinguishes it from the others.
    pub label: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// The sizes for which it holds, as text.
    pub context: Option<String>,
    /// The lines, such as `64-byte lines`.
    pub lines: String,
    /// Bytes per line, if all arrays agree.
    pub line_bytes: Option<u64>,
    /// The line size to open it with.
    pub line_choice: Option<u64>,
    /// True if it holds reuse distances.
    pub exact: bool,
    /// True if it has formulas for threads.
    pub threads: bool,
    /// The text of its source, file by file.
    pub files: Vec<SourceFile>,
    /// The reason why there is no source, if there is none.
    pub no_source: Option<String>,
    /// The omissions and assumptions of the model.
    pub remarks: Vec<String>,
}

/// A file of the source.
#[derive(Debug, Serialize)]
pub struct SourceFile {
    /// The name of the file in accesses.
    file: String,
    lines: Vec<String>,
}

impl SourceFile {
    /// Creates the file that accesses call `name`.
    pub fn new(name: &str, text: SourceText) -> Self {
        Self { file: name.to_owned(), lines: text.lines }
    }
}

/// The initial state of a page; the script keeps later states in the address.
#[derive(Debug, Serialize)]
pub struct Start {
    /// The sizes, each a curve for each model.
    pub sizes: Vec<Vec<(String, i128)>>,
    /// The caches, each with its name and its size as text.
    pub caches: Vec<(Option<String>, String)>,
    /// `linear` or `log`.
    pub scale: &'static str,
    /// `denning` or `lru`.
    pub misses: &'static str,
    /// The formulas of the caches at which the curve falls, with their ranges in lines at the first sizes.
    pub spans: Vec<(String, [f64; 2])>,
}

impl Start {
    /// Converts spans to the form of the script.
    pub fn spans(spans: &[Span]) -> Vec<(String, [f64; 2])> {
        spans.iter().map(|span| (span.label.clone(), span.ends)).collect()
    }
}

/// The initial data of the script.
#[derive(Serialize)]
struct ScriptData<'p> {
    title: &'p str,
    picture: PageData<'p>,
    start: &'p Start,
    models: Vec<&'p ModelFacts>,
}

/// Returns the page.
///
/// # Errors
///
/// An error of JSON for a number that it cannot hold; a picture has no such number.
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

/// Fills the page from the front to the end, so that no text within a part is taken for a place.
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

/// Escapes `<`, since the texts `</` and `<!--` could end a script.
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

/// Returns the list of assumptions; an empty text if there are none.
fn assumptions(model: &ExplorerModel, several: bool) -> String {
    if model.assumptions.is_empty() {
        return String::new();
    }
    let heading = if several { format!("{}: taken", escape(&model.facts.label)) } else { "Taken".to_owned() };
    let points: String = model.assumptions.iter().map(|point| format!("<li>{}</li>\n", escape(point))).collect();
    format!("<details>\n<summary><h2>{heading} for granted</h2></summary>\n<ul>\n{points}</ul>\n</details>\n")
}

/// Encodes bytes by RFC 4648.
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
