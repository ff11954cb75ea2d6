//! A picture on a page: the data of its script, which shows values under the pointer, and the table below it.

use serde::Serialize;
use symloc_machine::Capacity;

use super::axis::RatioAxis;
use super::frame::{Canvas, Frame, LINES};
use super::svg;
use super::{CurvePoint, Picture, Unit};
use crate::formats::html::escape;
use crate::formats::text::ratio;

/// The data of the script: the place of the plot, its axes, and every point.
#[derive(Serialize)]
pub struct PageData<'p> {
    layout: PlotFrame,
    /// The exponents of two at the ends of the axis of cache sizes.
    octaves: (u32, u32),
    /// True if that axis has bytes.
    bytes: bool,
    /// The exponents of ten at the ends of a logarithmic axis of ratios.
    log: Option<(i32, i32)>,
    /// The end of a linear one.
    greatest: Option<f64>,
    curves: Vec<PageCurve<'p>>,
}

#[derive(Serialize)]
struct PlotFrame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

#[derive(Serialize)]
struct PageCurve<'p> {
    name: &'p str,
    colour: &'static str,
    dashes: &'static str,
    /// Size, cache in words, misses in words, ratio.
    steps: Vec<(f64, String, String, f64)>,
}

impl<'p> PageData<'p> {
    /// Collects the data of a picture on a canvas.
    pub fn new(picture: &'p Picture, canvas: Canvas) -> Self {
        let Frame { left, right, top, bottom, .. } = svg::frame(picture, canvas);
        let (log, greatest) = match picture.ratios {
            RatioAxis::Log { ends } => (Some(ends), None),
            RatioAxis::Linear { step, steps } => (None, Some(step * f64::from(steps))),
        };
        let unit = picture.sizes.unit;
        let step =
            |point: &CurvePoint| (point.size, cache(point, unit), svg::grouped(&point.misses.to_string()), point.ratio);
        let line = |(index, curve): (usize, &'p super::DrawnCurve)| PageCurve {
            name: if curve.name.is_empty() { &picture.title } else { &curve.name },
            colour: LINES[index % LINES.len()].0,
            dashes: LINES[index % LINES.len()].1,
            steps: curve.points.iter().map(step).collect(),
        };
        Self {
            layout: PlotFrame { left, right, top, bottom },
            octaves: picture.sizes.ends,
            bytes: unit == Unit::Bytes,
            log,
            greatest,
            curves: picture.curves.iter().enumerate().map(line).collect(),
        }
    }
}

/// Returns a cache as `48 KiB (768 lines)`.
fn cache(point: &CurvePoint, unit: Unit) -> String {
    let lines = if point.lines == 1.into() { "1 line".to_owned() } else { format!("{} lines", point.lines) };
    // Numbers of bytes up to here are exact as floats.
    if unit == Unit::Bytes && point.size < (1u64 << 53) as f64 {
        return format!("{} ({lines})", Capacity::Bytes(point.size as u64));
    }
    lines
}

/// Returns the table below the plot.
pub fn samples(picture: &Picture) -> String {
    let mut table = "<table id=\"samples\">\n<tr><th>cache</th>".to_owned();
    for curve in &picture.curves {
        let name = escape(&curve.name);
        let name = if name.is_empty() { name } else { format!("{name}: ") };
        table += &format!("<th>{name}misses</th><th>miss ratio</th>");
    }
    table += "</tr>\n";
    for sample in &picture.samples {
        table += &format!("<tr><td>{}</td>", escape(&sample.label));
        for (misses, curve) in sample.misses.iter().zip(&picture.curves) {
            let count = svg::grouped(&misses.to_string());
            table += &format!("<td>{count}</td><td>{}</td>", ratio(misses.ratio(&curve.accesses)));
        }
        table += "</tr>\n";
    }
    table + "</table>\n"
}
