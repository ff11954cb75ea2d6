//! Rooflines as graphics: operations a second over operations for each byte, both logarithmic.
//!
//! Each level of the machine has a roof: the line of its bandwidth up to the peak. Each program has a mark on each of these roofs, above the
//! intensity of its traffic with that level; the lowest one, which counts, is filled.

use std::fmt::Write;

use super::Scale;
use super::axis::RatioAxis;
use super::frame::{Canvas, Frame, LABEL_HEIGHT, LABELS_UP, LINES, Titles, label_rows, labels_along, legend_width};
use crate::answers::roofline::{Roofline, Rooflines, bytes, operations};
use crate::formats::html::escape;

/// One billion: operations a second are shown in billions.
const GIGA: f64 = 1e9;
/// The factor of room below the lowest mark, and to both sides of the outermost ones.
const ROOM: f64 = 3.0;

/// Some programs below the roofs of a machine.
pub struct RooflinePicture<'p> {
    title: String,
    heading: String,
    rooflines: &'p Rooflines,
    along: RatioAxis,
    up: RatioAxis,
}

impl<'p> RooflinePicture<'p> {
    /// Draws programs with at least one operation, each below the roofs of the machine.
    pub fn new(title: String, rooflines: &'p Rooflines) -> Self {
        let Rooflines { machine, speed, programs } = rooflines;
        let bounds = || programs.iter().flat_map(Roofline::bounds);
        let peak = speed.peak as f64;
        let ridges = speed.bandwidths.iter().map(|(_, bandwidth)| peak / *bandwidth as f64);
        let intensities: Vec<f64> = bounds().map(|bound| bound.intensity).chain(ridges).collect();
        let attainable = bounds().map(|bound| bound.attainable / GIGA).fold(f64::INFINITY, f64::min);
        let along = intensities.into_iter().flat_map(|intensity| [intensity / ROOM, intensity * ROOM]);
        let up = [attainable / ROOM, 1.5 * peak / GIGA];
        let sizes = match programs.as_slice() {
            [only] => only.program.header.at(),
            _ => String::new(),
        };
        let sizes = sizes.strip_prefix(" at ").map_or_else(String::new, |sizes| format!("{sizes}; "));
        Self {
            title,
            heading: format!("{sizes}one core of {machine}: at most {}", operations(peak)),
            rooflines,
            along: RatioAxis::new(Scale::Log, along.filter(|value| value.is_finite())),
            up: RatioAxis::new(Scale::Log, up.into_iter().filter(|value| value.is_finite())),
        }
    }

    /// Returns the picture as an SVG document.
    pub fn svg(&self) -> String {
        let (up, along) = (self.up.ticks(LABELS_UP), self.along.ticks(labels_along(Canvas::PAPER)));
        let titles = Titles {
            title: &self.title,
            heading: self.heading.clone(),
            up: "GFlop/s",
            along: "floating-point operations for each byte",
        };
        let roofs = self.roofs();
        let rows = label_rows(roofs.iter().map(|roof| (roof.ridge, roof.label.as_str())), Canvas::PAPER);
        let above = rows.iter().max().map_or(0, |last| last + 1);
        let frame = Frame::new(&up, above, legend_width(self.legend()), &titles, Canvas::PAPER);
        let mut svg = frame.begin(&titles, &up, &along, Canvas::PAPER);
        for (roof, row) in roofs.iter().zip(rows) {
            self.draw_roof(&mut svg, frame, roof, row);
        }
        // Filled ones are never hidden.
        for kind in [BoundMark::Higher, BoundMark::Attained] {
            for program in 0..self.rooflines.programs.len() {
                self.draw_marks(&mut svg, frame, program, kind);
            }
        }
        frame.draw_legend(&mut svg, self.legend(), |index, [x, y]| {
            circle([x + 15.0, y], index, BoundMark::Attained, "")
        });
        svg + "</svg>\n"
    }

    /// Returns the picture as a page of its own, with the numbers below the graphic.
    pub fn page(&self) -> String {
        let mut text = Vec::new();
        // Writing to memory cannot fail.
        let _ = self.rooflines.write_text(&mut text);
        let body = format!("<div>{}</div>\n<pre>{}</pre>\n", self.svg(), escape(&String::from_utf8_lossy(&text)));
        crate::formats::html::page(&self.title, &body)
    }

    fn legend(&self) -> impl Iterator<Item = (&str, String)> {
        self.rooflines.programs.iter().map(|roofline| {
            let program = &roofline.program;
            let name = if program.name.is_empty() { &program.header.function } else { &program.name };
            (name.as_str(), roofline.verdict())
        })
    }

    /// Returns the roofs, by ascending ridges.
    fn roofs(&self) -> Vec<Roof> {
        let speed = &self.rooflines.speed;
        let peak = speed.peak as f64;
        let roof = |(level, bandwidth): &(String, u64)| {
            let bandwidth = *bandwidth as f64;
            let start = self.intensity(0.0);
            Roof {
                label: format!("{level} {}", bytes(bandwidth)),
                ridge: self.along.place(peak / bandwidth).unwrap_or(0.0),
                start: self.up.place(start * bandwidth / GIGA).unwrap_or(0.0),
            }
        };
        let mut roofs: Vec<_> = speed.bandwidths.iter().map(roof).collect();
        roofs.sort_by(|a, b| a.ridge.total_cmp(&b.ridge));
        roofs
    }

    /// Returns the intensity at a place.
    fn intensity(&self, place: f64) -> f64 {
        let RatioAxis::Log { ends: (low, high) } = self.along else { return 1.0 };
        10_f64.powf(f64::from(low) + place * f64::from(high - low))
    }

    /// Draws a roof: up along the bandwidth, then along the peak; the label stands above the ridge.
    fn draw_roof(&self, svg: &mut String, frame: Frame, roof: &Roof, row: usize) {
        let peak = self.up.place(self.rooflines.speed.peak as f64 / GIGA).unwrap_or(1.0);
        let (ridge, top, right) = (frame.x(roof.ridge), frame.y(peak), frame.right);
        // A roof that begins below the plot enters it from below.
        let slope = (peak - roof.start) / roof.ridge.max(f64::EPSILON);
        let enters = if roof.start < 0.0 { -roof.start / slope } else { 0.0 };
        let (x, y) = (frame.x(enters), frame.y(roof.start.max(0.0)));
        let label = frame.top - LABEL_HEIGHT * row as f64 - 9.0;
        let start = label + 4.0;
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {y:.1}L{ridge:.1} {top:.1}H{right:.1}\" fill=\"none\" stroke=\"#333333\" stroke-width=\"1.6\"/>\n\
             <path d=\"M{ridge:.1} {start:.1}V{top:.1}\" stroke=\"#8a8a8a\" stroke-dasharray=\"2 3\"/>\n\
             <text x=\"{ridge:.1}\" y=\"{label:.1}\" text-anchor=\"middle\" fill=\"#333333\" stroke=\"#ffffff\" stroke-width=\"4\" \
             paint-order=\"stroke\">{}</text>",
            escape(&roof.label)
        );
    }

    /// Draws the marks of one kind of a program, given by its position.
    fn draw_marks(&self, svg: &mut String, frame: Frame, program: usize, kind: BoundMark) {
        let roofline = &self.rooflines.programs[program];
        let (most, _) = roofline.most();
        let kind_of = |attainable| if attainable <= most { BoundMark::Attained } else { BoundMark::Higher };
        for bound in roofline.bounds().filter(|bound| kind_of(bound.attainable) == kind) {
            let places = (self.along.place(bound.intensity), self.up.place(bound.attainable / GIGA));
            let (Some(along), Some(up)) = places else { continue };
            if !along.is_finite() {
                continue;
            }
            let words = format!("{}: {}", bound.level, operations(bound.attainable));
            svg.push_str(&circle([frame.x(along), frame.y(up)], program, kind, &words));
        }
    }
}

/// The mark of a bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BoundMark {
    /// That of the lowest bound, filled.
    Attained,
    /// That of another, not filled.
    Higher,
}

/// Returns a mark of a program, with the text shown under the pointer.
fn circle([x, y]: [f64; 2], program: usize, kind: BoundMark, words: &str) -> String {
    let (colour, _) = LINES[program % LINES.len()];
    let fill = match kind {
        BoundMark::Attained => colour,
        BoundMark::Higher => "#ffffff",
    };
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"2\"><title>{}</title></circle>\n",
        escape(words)
    )
}

/// A roof: the place where the peak begins, and the height of the bandwidth at the left end; from 0 to 1.
struct Roof {
    label: String,
    ridge: f64,
    start: f64,
}
