//! A picture as SVG.
//!
//! The SVG is written by hand: the graphic needs an axis of powers of two, marks whose labels make room for each other, and lines that lie
//! upon each other, and the page of [`html`](super::html) needs the place of every part. Colours are those of Okabe and Ito, which people
//! with any kind of colour vision can distinguish; curves differ in their dashes too.

use std::fmt::Write;

use super::frame::{
    Canvas, Frame, LABEL_HEIGHT, LABELS_UP, LINES, Titles, label_rows, labels_along, legend_width, line_sample,
};
use super::{DrawnCurve, Of, Picture};
use crate::formats::html::escape;
use crate::formats::text::ratio;

/// Returns the places of the parts.
pub(super) fn frame(picture: &Picture, canvas: Canvas) -> Frame {
    let above = rows(picture, canvas).iter().max().map_or(0, |last| last + 1);
    let right_of = if picture.curves.len() == 1 { 28.0 } else { legend_width(legend(picture)) };
    Frame::new(&picture.ratios.ticks(LABELS_UP), above, right_of, &titles(picture), canvas)
}

fn titles(picture: &Picture) -> Titles<'_> {
    let along = match picture.sizes.unit {
        super::Unit::Bytes => "cache size",
        super::Unit::Lines => "cache size in lines",
    };
    Titles { title: &picture.title, heading: heading(picture), up: "miss ratio", along }
}

/// Returns for each label its row above the plot, from below.
fn rows(picture: &Picture, canvas: Canvas) -> Vec<usize> {
    label_rows(picture.labels().iter().map(|label| (label.place, label.text)), canvas)
}

fn legend(picture: &Picture) -> impl Iterator<Item = (&str, String)> {
    picture.curves.iter().map(|curve| (curve.name.as_str(), facts(curve)))
}

/// Returns the facts about a curve beside its name.
fn facts(curve: &DrawnCurve) -> String {
    match curve.accesses.is_zero() {
        true => "nothing is accessed".to_owned(),
        false => {
            let cold = ratio(curve.cold.ratio(&curve.accesses));
            format!("{} accesses, cold misses {cold} (dotted)", grouped(&curve.accesses.to_string()))
        }
    }
}

/// Groups digits, as in `1,332,832,500`.
pub(super) fn grouped(digits: &str) -> String {
    let separated = |(index, digit): (usize, char)| {
        let separator = (index > 0 && (digits.len() - index).is_multiple_of(3)).then_some(',');
        separator.into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(separated).collect()
}

/// Returns the line below the title.
fn heading(picture: &Picture) -> String {
    match picture.curves.as_slice() {
        [only] => format!("{}; {}", picture.subtitle, facts(only)),
        _ => picture.subtitle.clone(),
    }
}

/// Returns the picture as an SVG document, on [`Canvas::PAPER`] for one by itself.
pub fn document(picture: &Picture, canvas: Canvas) -> String {
    let frame = frame(picture, canvas);
    let (up, along) = (picture.ratios.ticks(LABELS_UP), picture.sizes.ticks(labels_along(canvas)));
    let mut svg = frame.begin(&titles(picture), &up, &along, canvas);
    draw_spans(&mut svg, picture, frame);
    draw_labels(&mut svg, picture, frame, &rows(picture, canvas));
    for curve in 0..picture.curves.len() {
        draw_curve(&mut svg, picture, frame, curve);
    }
    if picture.curves.len() > 1 && !canvas.bare {
        frame.draw_legend(&mut svg, legend(picture), line_sample);
    }
    svg + "</svg>\n"
}

/// Shades the range between the ends of each span.
fn draw_spans(svg: &mut String, picture: &Picture, frame: Frame) {
    for span in &picture.spans {
        let [from, to] = span.ends.map(|end| frame.x(picture.place(end)));
        let (top, width, height) = (frame.top, to - from, frame.bottom - frame.top);
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

/// Draws the labels. They have an edge in the colour of the paper, so that the lines of others pass behind them.
fn draw_labels(svg: &mut String, picture: &Picture, frame: Frame, rows: &[usize]) {
    let mut texts = String::new();
    for (label, row) in picture.labels().iter().zip(rows) {
        let x = frame.x(label.place);
        // Above the label of the topmost ratio, which may be beside it.
        let y = frame.top - LABEL_HEIGHT * *row as f64 - 9.0;
        let start = y + 4.0;
        let (bottom, text) = (frame.bottom, escape(label.text));
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

/// Draws the line of a curve, its level for large caches, and its points at the marks. The curve is given by its position.
fn draw_curve(svg: &mut String, picture: &Picture, frame: Frame, index: usize) {
    let curve = &picture.curves[index];
    let (colour, dashes) = LINES[index % LINES.len()];
    let cold = curve.cold.ratio(&curve.accesses);
    if let Some(place) = picture.ratios.place(cold).filter(|place| place.is_finite()) {
        let (left, right, y) = (frame.left, frame.right, frame.y(place));
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
        path(picture, frame, curve)
    );
    for mark in &picture.marks {
        let Some(place) = curve.at(mark.size).and_then(|ratio| picture.ratios.place(ratio)) else { continue };
        let (x, y) = (frame.x(picture.sizes.place(mark.size)), frame.y(place));
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"1\"/>"
        );
    }
}

/// Returns the path of a curve in steps: along to the next point, then down. Points within a tenth of a pixel become one.
fn path(picture: &Picture, frame: Frame, curve: &DrawnCurve) -> String {
    let mut path = String::new();
    let mut last = (String::new(), String::new());
    for point in &curve.points {
        let Some(place) = picture.ratios.place(point.ratio) else { continue };
        let (x, y) = (format!("{:.1}", frame.x(picture.sizes.place(point.size))), format!("{:.1}", frame.y(place)));
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
        path += &format!("H{:.1}", frame.right);
    }
    path
}
