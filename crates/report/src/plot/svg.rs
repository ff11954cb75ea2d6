//! A picture as SVG.
//!
//! Written by hand: an axis of powers of two, marks whose labels make room for each other, and lines that lie upon each
//! other are what this graphic is about, and the page of [`html`](super::html) needs to know where everything is.
//! Colours are those of Okabe and Ito, which people with any kind of colour vision tell apart; curves differ in their
//! dashes too.

use std::fmt::Write;

use super::{DrawnCurve, MOST_CURVES, Of, Picture, rows_of_labels};
use crate::html::escape;
use crate::text::ratio;

/// Colour, dashes.
pub(super) const LINES: [(&str, &str); MOST_CURVES] = [
    ("#0072b2", ""),
    ("#d55e00", "9 3"),
    ("#009e73", "3 3"),
    ("#cc79a7", "12 3 3 3"),
    ("#000000", "6 2"),
    ("#e69f00", "2 2"),
    ("#56b4e9", "14 4"),
    ("#6b6b6b", "8 2 2 2 2 2"),
];

const FONTS: &str = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// How wide a character is at most in the mean, by the size of the font; the widest of the fonts decides.
const CHARACTER: f64 = 0.6;

/// Where the parts are, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct PictureLayout {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

const PLOT_WIDTH: f64 = 680.0;
const PLOT_HEIGHT: f64 = 360.0;
const LABEL_HEIGHT: f64 = 15.0;

impl PictureLayout {
    pub(super) fn of(picture: &Picture) -> Self {
        let label = picture.ratios.ticks().iter().filter_map(|t| t.label.as_ref().map(String::len)).max().unwrap_or(0);
        let left = 30.0 + text_width(label, 12.0);
        let right = left + PLOT_WIDTH;
        let above = label_rows(picture).iter().max().map_or(0, |last| last + 1);
        let top = 84.0 + LABEL_HEIGHT * above as f64;
        let bottom = top + PLOT_HEIGHT;
        let legend = match picture.curves.as_slice() {
            [_] => 28.0,
            curves => {
                let longest = curves.iter().flat_map(|c| [c.name.chars().count() as f64, 0.85 * facts(c).len() as f64]);
                74.0 + text_width(1, 13.0) * longest.fold(0.0, f64::max)
            }
        };
        // A title is never cut off.
        let titles =
            [text_width(picture.title.chars().count(), 19.0), text_width(heading(picture).chars().count(), 13.0)];
        let titled = titles.into_iter().fold(0.0, f64::max) + 2.0 * MARGIN;
        Self { width: (right + legend).max(titled), height: bottom + 54.0, left, right, top, bottom }
    }

    fn x(&self, place: f64) -> f64 {
        self.left + place * (self.right - self.left)
    }

    fn y(&self, place: f64) -> f64 {
        self.bottom - place * (self.bottom - self.top)
    }
}

const MARGIN: f64 = 22.0;

fn text_width(characters: usize, font: f64) -> f64 {
    characters as f64 * font * CHARACTER
}

/// Which row above the plot each label is in, from below.
fn label_rows(picture: &Picture) -> Vec<usize> {
    rows_of_labels(picture.labels().iter().map(|label| {
        let width = text_width(label.text.chars().count(), 12.0) + 8.0;
        (label.place * PLOT_WIDTH, width)
    }))
}

/// What is said of a curve beside its name.
fn facts(curve: &DrawnCurve) -> String {
    match curve.accesses.is_zero() {
        true => "nothing is accessed".to_owned(),
        false => {
            let cold = ratio(curve.cold.ratio(&curve.accesses));
            format!("{} accesses, cold misses {cold} (dotted)", grouped(&curve.accesses.to_string()))
        }
    }
}

/// `1,332,832,500`
pub(super) fn grouped(digits: &str) -> String {
    let separated = |(index, digit): (usize, char)| {
        let separator = (index > 0 && (digits.len() - index).is_multiple_of(3)).then_some(',');
        separator.into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(separated).collect()
}

/// The line below the title.
fn heading(picture: &Picture) -> String {
    match picture.curves.as_slice() {
        [only] => format!("{}; {}", picture.subtitle, facts(only)),
        _ => picture.subtitle.clone(),
    }
}

/// The picture as an SVG document.
pub fn document(picture: &Picture) -> String {
    let layout = PictureLayout::of(picture);
    let PictureLayout { width, height, .. } = layout;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         role=\"img\" font-family=\"{FONTS}\" font-size=\"12\">\n"
    );
    let title = escape(&picture.title);
    // Writing to a string cannot fail.
    let _ = write!(
        svg,
        "<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{MARGIN}\" y=\"32\" font-size=\"19\" font-weight=\"bold\" fill=\"#1a1a1a\">{title}</text>\n\
         <text x=\"{MARGIN}\" y=\"53\" font-size=\"13\" fill=\"#555555\">{}</text>\n",
        escape(&heading(picture))
    );
    draw_axes(&mut svg, picture, layout);
    draw_spans(&mut svg, picture, layout);
    draw_labels(&mut svg, picture, layout);
    for (index, curve) in picture.curves.iter().enumerate() {
        draw_curve(&mut svg, picture, layout, (index, curve));
    }
    if picture.curves.len() > 1 {
        draw_legend(&mut svg, picture, layout);
    }
    svg + "</svg>\n"
}

fn draw_axes(svg: &mut String, picture: &Picture, layout: PictureLayout) {
    let PictureLayout { left, right, top, bottom, .. } = layout;
    for tick in picture.ratios.ticks() {
        let (y, shade) = (layout.y(tick.place), if tick.label.is_some() { "#dcdcdc" } else { "#f2f2f2" });
        let _ = writeln!(svg, "<path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"{shade}\"/>");
        if let Some(label) = tick.label {
            let (x, y) = (left - 8.0, y + 4.0);
            let _ =
                writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"#333333\">{label}</text>");
        }
    }
    for tick in picture.sizes.ticks(9) {
        let (x, shade) = (layout.x(tick.place), if tick.label.is_some() { "#dcdcdc" } else { "#f2f2f2" });
        let _ = writeln!(svg, "<path d=\"M{x:.1} {top:.1}V{bottom:.1}\" stroke=\"{shade}\"/>");
        if let Some(label) = tick.label {
            let (end, y) = (bottom + 5.0, bottom + 20.0);
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {bottom:.1}V{end:.1}\" stroke=\"#333333\"/>\
                 <text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"#333333\">{label}</text>"
            );
        }
    }
    let (middle, below, above) = ((left + right) / 2.0, bottom + 42.0, 76.0);
    let sizes = match picture.sizes.unit {
        super::Unit::Bytes => "cache size",
        super::Unit::Lines => "cache size in lines",
    };
    let _ = writeln!(
        svg,
        "<path d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\" fill=\"none\" stroke=\"#333333\"/>\n\
         <text x=\"{MARGIN}\" y=\"{above:.1}\" font-size=\"13\" fill=\"#1a1a1a\">miss ratio</text>\n\
         <text x=\"{middle:.1}\" y=\"{below:.1}\" font-size=\"13\" text-anchor=\"middle\" fill=\"#1a1a1a\">{sizes}</text>"
    );
}

/// Shades what is between the ends of each span.
fn draw_spans(svg: &mut String, picture: &Picture, layout: PictureLayout) {
    for span in &picture.spans {
        let [from, to] = span.ends.map(|end| layout.x(picture.place(end)));
        let (top, width, height) = (layout.top, to - from, layout.bottom - layout.top);
        if width > 0.0 {
            let _ = writeln!(
                svg,
                "<rect x=\"{from:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{SPAN}\" \
                 fill-opacity=\"0.1\"/>"
            );
        }
    }
}

/// The colour of spans, and of their labels.
const SPAN: &str = "#6a3d9a";

/// Labels have an edge in the colour of the paper, so that the lines of others pass behind them.
fn draw_labels(svg: &mut String, picture: &Picture, layout: PictureLayout) {
    let mut texts = String::new();
    for (label, row) in picture.labels().iter().zip(label_rows(picture)) {
        let x = layout.x(label.place);
        // Above the label of the topmost ratio, which may be beside it.
        let y = layout.top - LABEL_HEIGHT * row as f64 - 9.0;
        let start = y + 4.0;
        let (bottom, text) = (layout.bottom, escape(label.text));
        let (stroke, dashes, fill) = match label.of {
            Of::Mark => ("#8a8a8a", "2 3", "#333333"),
            Of::Span => (SPAN, "6 3", SPAN),
        };
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {start:.1}V{bottom:.1}\" stroke=\"{stroke}\" stroke-dasharray=\"{dashes}\"/>"
        );
        let _ = writeln!(
            texts,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"{fill}\" stroke=\"#ffffff\" \
             stroke-width=\"4\" paint-order=\"stroke\">{text}</text>"
        );
    }
    svg.push_str(&texts);
}

/// The line of a curve, where it ends for large caches, and its points at the marks.
fn draw_curve(svg: &mut String, picture: &Picture, layout: PictureLayout, (index, curve): (usize, &DrawnCurve)) {
    let (colour, dashes) = LINES[index % LINES.len()];
    let cold = curve.cold.ratio(&curve.accesses);
    if let Some(place) = picture.ratios.place(cold).filter(|place| place.is_finite()) {
        let (left, right, y) = (layout.left, layout.right, layout.y(place));
        let _ = writeln!(
            svg,
            "<path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"{colour}\" stroke-width=\"1\" stroke-dasharray=\"1 4\"/>"
        );
    }
    // Later curves are thinner, so that earlier ones show below them.
    let width = (3.2 - 0.6 * index as f64).max(1.6);
    let _ = writeln!(
        svg,
        "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width:.1}\" stroke-dasharray=\"{dashes}\" \
         stroke-linejoin=\"round\"/>",
        path(picture, layout, curve)
    );
    for mark in &picture.marks {
        let Some(place) = curve.at(mark.size).and_then(|ratio| picture.ratios.place(ratio)) else { continue };
        let (x, y) = (layout.x(picture.sizes.place(mark.size)), layout.y(place));
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"1\"/>"
        );
    }
}

/// Steps: along to the next point, then down. Points within a tenth of a pixel become one.
fn path(picture: &Picture, layout: PictureLayout, curve: &DrawnCurve) -> String {
    let mut path = String::new();
    let mut last = (String::new(), String::new());
    for point in &curve.points {
        let Some(place) = picture.ratios.place(point.ratio) else { continue };
        let (x, y) = (format!("{:.1}", layout.x(picture.sizes.place(point.size))), format!("{:.1}", layout.y(place)));
        if path.is_empty() {
            path = format!("M{x} {y}");
        } else {
            if x != last.0 {
                path += &format!("H{x}");
            }
            if y != last.1 {
                path += &format!("V{y}");
            }
        }
        last = (x, y);
    }
    if !path.is_empty() {
        path += &format!("H{:.1}", layout.right);
    }
    path
}

fn draw_legend(svg: &mut String, picture: &Picture, layout: PictureLayout) {
    let x = layout.right + 22.0;
    for (index, curve) in picture.curves.iter().enumerate() {
        let y = layout.top + 16.0 + 40.0 * index as f64;
        let (colour, dashes) = LINES[index % LINES.len()];
        let (line, end, text, below) = (y - 4.0, x + 30.0, x + 38.0, y + 16.0);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {line:.1}H{end:.1}\" stroke=\"{colour}\" stroke-width=\"2.6\" stroke-dasharray=\"{dashes}\"/>\
             <text x=\"{text:.1}\" y=\"{y:.1}\" font-size=\"13\" fill=\"#1a1a1a\">{}</text>\
             <text x=\"{text:.1}\" y=\"{below:.1}\" font-size=\"11\" fill=\"#666666\">{}</text>",
            escape(&curve.name),
            facts(curve)
        );
    }
}
