//! The common parts of all graphics: paper, titles, and a plot between two axes, with a grid.

use std::fmt::Write;

use super::MOST_CURVES;
use super::axis::Tick;
use crate::formats::html::escape;

/// The colours and dashes of the lines.
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

/// The mean width of a character relative to the size of the font, of the widest font.
const CHARACTER: f64 = 0.6;

pub(super) const LABEL_HEIGHT: f64 = 15.0;
/// The number of labels that fit beside the axis upwards.
pub(super) const LABELS_UP: usize = 24;
/// The width in pixels of a label below the plot.
const LABEL_ALONG: f64 = 75.0;
const MARGIN: f64 = 22.0;

/// The area to draw on.
#[derive(Clone, Copy, Debug)]
pub struct Canvas {
    /// The width of the plot, or of the whole picture if nothing is around it, in pixels.
    pub width: f64,
    /// The height of the plot.
    pub height: f64,
    /// True if the titles and the legend are outside the picture, as on a page.
    pub bare: bool,
}

impl Canvas {
    /// The canvas of a picture by itself.
    pub const PAPER: Self = Self { width: 680.0, height: 360.0, bare: false };
}

/// The places of the parts, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// The titles of a graphic and of its axes.
pub(super) struct Titles<'t> {
    pub(super) title: &'t str,
    pub(super) heading: String,
    /// The title of the axis upwards.
    pub(super) up: &'t str,
    /// The title of the axis to the right.
    pub(super) along: &'t str,
}

pub(super) fn text_width(characters: usize, font: f64) -> f64 {
    characters as f64 * font * CHARACTER
}

/// Returns for each label the row above the plot, from below, given its place and its text.
pub(super) fn label_rows<'l>(labels: impl Iterator<Item = (f64, &'l str)>, canvas: Canvas) -> Vec<usize> {
    super::rows_of_labels(
        labels.map(|(place, text)| (place * canvas.width, text_width(text.chars().count(), 12.0) + 8.0)),
    )
}

/// Returns the number of labels that fit below a plot.
pub(super) fn labels_along(canvas: Canvas) -> usize {
    (canvas.width / LABEL_ALONG) as usize
}

impl Frame {
    /// Lays out the parts, with room for the labels of the axis upwards, `above` rows of labels above the plot, and
    /// `right_of` pixels to its right.
    pub(super) fn new(up: &[Tick], above: usize, right_of: f64, titles: &Titles<'_>, canvas: Canvas) -> Self {
        let label = up.iter().filter_map(|tick| tick.label.as_ref().map(String::len)).max().unwrap_or(0);
        if canvas.bare {
            return Self::bare(text_width(label, 12.0), above, canvas);
        }
        let left = 30.0 + text_width(label, 12.0);
        let right = left + canvas.width;
        let top = 84.0 + LABEL_HEIGHT * above as f64;
        let bottom = top + canvas.height;
        // A title is never cut off.
        let widths = [(titles.title, 19.0), (&titles.heading, 13.0)];
        let titled = widths.map(|(text, font)| text_width(text.chars().count(), font)).into_iter().fold(0.0, f64::max);
        let width = (right + right_of).max(titled + 2.0 * MARGIN);
        Self { width, height: bottom + 54.0, left, right, top, bottom }
    }

    /// Lays out the whole of a canvas, with room for the labels only.
    fn bare(label: f64, above: usize, Canvas { width, height, .. }: Canvas) -> Self {
        let top = 30.0 + LABEL_HEIGHT * above as f64;
        let bottom = top + height;
        Self { width, height: bottom + 46.0, left: 12.0 + label, right: width - 26.0, top, bottom }
    }

    pub(super) fn x(&self, place: f64) -> f64 {
        self.left + place * (self.right - self.left)
    }

    pub(super) fn y(&self, place: f64) -> f64 {
        self.bottom - place * (self.bottom - self.top)
    }

    /// Returns the beginning of a document: paper, titles, axes and grid.
    pub(super) fn begin(&self, titles: &Titles<'_>, up: &[Tick], along: &[Tick], canvas: Canvas) -> String {
        let Self { width, height, .. } = self;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
             role=\"img\" font-family=\"{FONTS}\" font-size=\"12\">\n"
        );
        let title = escape(titles.title);
        // Writing to a string cannot fail.
        let _ = writeln!(svg, "<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
        if !canvas.bare {
            let _ = write!(
                svg,
                "<text x=\"{MARGIN}\" y=\"32\" font-size=\"19\" font-weight=\"bold\" fill=\"#1a1a1a\">{title}</text>\n\
                 <text x=\"{MARGIN}\" y=\"53\" font-size=\"13\" fill=\"#555555\">{}</text>\n",
                escape(&titles.heading)
            );
        }
        up.iter().for_each(|tick| self.draw_tick_up(&mut svg, tick));
        along.iter().for_each(|tick| self.draw_tick_along(&mut svg, tick));
        let Self { left, right, top, bottom, .. } = self;
        let (middle, below) = ((left + right) / 2.0, bottom + 42.0);
        let (at, above) = if canvas.bare { (2.0, 14.0) } else { (MARGIN, 76.0) };
        let _ = writeln!(
            svg,
            "<path d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\" fill=\"none\" stroke=\"#333333\"/>\n\
             <text x=\"{at}\" y=\"{above:.1}\" font-size=\"13\" fill=\"#1a1a1a\">{}</text>\n\
             <text x=\"{middle:.1}\" y=\"{below:.1}\" font-size=\"13\" text-anchor=\"middle\" fill=\"#1a1a1a\">{}</text>",
            titles.up, titles.along
        );
        svg
    }

    fn draw_tick_up(&self, svg: &mut String, tick: &Tick) {
        let (y, shade) = (self.y(tick.place), if tick.label.is_some() { "#dcdcdc" } else { "#f2f2f2" });
        let Self { left, right, .. } = self;
        let _ = writeln!(svg, "<path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"{shade}\"/>");
        if let Some(label) = &tick.label {
            let (x, y) = (left - 8.0, y + 4.0);
            let _ =
                writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"#333333\">{label}</text>");
        }
    }

    fn draw_tick_along(&self, svg: &mut String, tick: &Tick) {
        let (x, shade) = (self.x(tick.place), if tick.label.is_some() { "#dcdcdc" } else { "#f2f2f2" });
        let Self { top, bottom, .. } = self;
        let _ = writeln!(svg, "<path d=\"M{x:.1} {top:.1}V{bottom:.1}\" stroke=\"{shade}\"/>");
        if let Some(label) = &tick.label {
            let (end, y) = (bottom + 5.0, bottom + 20.0);
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {bottom:.1}V{end:.1}\" stroke=\"#333333\"/>\
                 <text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"#333333\">{label}</text>"
            );
        }
    }

    /// Draws names beside the plot, each with some facts. `sample` draws an example, given the number and the left end
    /// of 30 pixels.
    pub(super) fn draw_legend<'l>(
        &self,
        svg: &mut String,
        entries: impl Iterator<Item = (&'l str, String)>,
        sample: impl Fn(usize, [f64; 2]) -> String,
    ) {
        let x = self.right + 22.0;
        for (index, (name, facts)) in entries.enumerate() {
            let y = self.top + 16.0 + 40.0 * index as f64;
            let (text, below) = (x + 38.0, y + 16.0);
            svg.push_str(&sample(index, [x, y - 4.0]));
            let _ = writeln!(
                svg,
                "<text x=\"{text:.1}\" y=\"{y:.1}\" font-size=\"13\" fill=\"#1a1a1a\">{}</text>\
                 <text x=\"{text:.1}\" y=\"{below:.1}\" font-size=\"11\" fill=\"#666666\">{facts}</text>",
                escape(name)
            );
        }
    }
}

/// Returns a piece of a line.
pub(super) fn line_sample(index: usize, [x, y]: [f64; 2]) -> String {
    let ((colour, dashes), end) = (LINES[index % LINES.len()], x + 30.0);
    format!(
        "<path d=\"M{x:.1} {y:.1}H{end:.1}\" stroke=\"{colour}\" stroke-width=\"2.6\" stroke-dasharray=\"{dashes}\"/>"
    )
}

/// Returns the width of a legend in pixels.
pub(super) fn legend_width<'l>(entries: impl Iterator<Item = (&'l str, String)>) -> f64 {
    let longest = entries.flat_map(|(name, facts)| [name.chars().count() as f64, 0.85 * facts.len() as f64]);
    74.0 + text_width(1, 13.0) * longest.fold(0.0, f64::max)
}
