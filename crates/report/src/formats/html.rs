//! Sheets as a page with typeset formulas: one file that needs no other, no script and no network.
//!
//! Formulas are MathML, made of their LaTeX; browsers typeset it themselves.

use std::io::{self, Write};

use pulldown_latex::config::RenderConfig;
use pulldown_latex::{Parser, Storage, push_mathml};

use crate::formats::sheet::{Cell, Sheet};

const HEAD: &str = include_str!("page.html");

/// Writes a page of sheets.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write(out: &mut dyn Write, sheets: &[Sheet]) -> io::Result<()> {
    let title = sheets.first().and_then(|sheet| sheet.caption.first());
    write!(out, "{}", page(title.map_or("", String::as_str), &fragment(sheets, "h1")))
}

/// Returns sheets as a part of a page, each with a heading of this kind.
pub fn fragment(sheets: &[Sheet], heading: &str) -> String {
    sheets.iter().map(|sheet| table(sheet, heading)).collect()
}

/// Returns a page with a title and a body that is markup already.
pub fn page(title: &str, body: &str) -> String {
    format!("{}{body}</body>\n</html>\n", HEAD.replace("@TITLE@", &escape(title)))
}

fn table(Sheet { caption, head, rows, notes }: &Sheet, heading: &str) -> String {
    let mut caption = caption.iter();
    let title = caption.next().map(|title| format!("<{heading}>{}</{heading}>\n", escape(title)));
    let lines = |lines: &mut dyn Iterator<Item = &String>| -> String {
        lines.map(|line| format!("<p>{}</p>\n", escape(line))).collect()
    };
    let row = |tag: &str, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let mut text = title.unwrap_or_default() + &lines(&mut caption);
    text += "<div><table>\n";
    text += &row("th", head.iter().map(|name| escape(name)).collect());
    text.extend(rows.iter().map(|cells| row("td", cells.iter().map(cell).collect())));
    text + "</table></div>\n" + &lines(&mut notes.iter())
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Formula(latex) => mathml(latex),
        Cell::Words(text) => escape(text).replace("-&gt;", "→"),
        Cell::Unknown => "–".to_owned(),
    }
}

/// Returns the formula in MathML, or as LaTeX code if the parser does not know a command in it.
fn mathml(latex: &str) -> String {
    // A name of several letters is one identifier, and no product of letters.
    let names = latex.replace(r"\mathit{", r"\operatorname{");
    let storage = Storage::new();
    let mut text = String::new();
    match push_mathml(&mut text, Parser::new(&names, &storage), RenderConfig::default()) {
        // The library leaves this one letter as it is.
        Ok(()) if !text.contains("<merror") => text.replace("<mo><</mo>", "<mo>&lt;</mo>"),
        _ => format!("<code>{}</code>", escape(latex)),
    }
}

/// Escapes text for use in pages and in pictures.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_mathml() {
        for latex in [
            r"\frac{n^{2}}{8} - \left\lfloor \frac{n + 7}{8} \right\rfloor",
            r"3 \le C < \frac{\mathit{nj}}{8}",
            r"n \bmod 8",
            r"\frac{n}{8}\textrm{ to }n",
            r"\left\lceil \frac{m}{8} \right\rceil \ge 1",
        ] {
            let text = mathml(latex).replace("&nbsp;", " ");
            assert!(text.starts_with("<math") && roxmltree::Document::parse(&text).is_ok(), "{latex}: {text}");
        }
        assert_eq!(mathml(r"\unheardof{<}"), r"<code>\unheardof{&lt;}</code>");
    }

    #[test]
    fn a_page_needs_nothing_else() {
        let sheet = Sheet {
            caption: vec!["f<1>".into(), "for n >= 1".into()],
            head: vec!["cache", "who"],
            rows: vec![vec![Cell::Formula("n".into()), Cell::Words("A[i] -> B[i]".into())], vec![Cell::Unknown; 2]],
            notes: vec!["a & b".into()],
        };
        let mut out = Vec::new();
        write(&mut out, &[sheet]).unwrap();
        let page = String::from_utf8(out).unwrap();
        for part in ["<title>f&lt;1&gt;</title>", "<td>A[i] → B[i]</td>", "<p>a &amp; b</p>", "<p>for n &gt;= 1</p>"]
        {
            assert!(page.contains(part), "{part} in {page}");
        }
        assert!(!page.contains("http") && !page.contains("<script") && !page.contains('@'), "{page}");
    }
}
