//! Values over the number of threads: misses, or operations a second.
//!
//! The axis of threads is logarithmic. The values are those at the numbers of threads that were asked about; lines connect them.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::axis::{RatioAxis, SizeAxis};
use super::chart::{ChartContent, ChartLine, write_chart};
use super::frame::{Canvas, Frame, LABELS_UP, LINES, Titles, labels_along, legend_width, line_sample};
use super::{PictureError, Scale, Unit, room_for};
use crate::formats::html::{self, escape};
use crate::formats::terminal::Terminal;

/// A picture of some values over the number of threads.
#[derive(Clone, Debug)]
pub struct ThreadPicture {
    title: String,
    subtitle: String,
    /// The title of the axis upwards.
    up_title: String,
    up: RatioAxis,
    along: SizeAxis,
    lines: Vec<ThreadLine>,
}

/// A line of the picture.
#[derive(Clone, Debug)]
pub struct ThreadLine {
    /// Its name.
    pub name: String,
    /// The facts beside its name.
    pub facts: String,
    /// The values by ascending numbers of threads, each of which is at least 1; none where nothing is accessed.
    pub points: Vec<(u64, f64)>,
    /// Further values at some numbers of threads, drawn thin and dotted.
    pub beside: Vec<(u64, f64)>,
}

/// The titles of a [`ThreadPicture`].
#[derive(Clone, Debug)]
pub struct ThreadTitles {
    /// Its title.
    pub title: String,
    /// The line below the title.
    pub subtitle: String,
    /// The title of the axis upwards.
    pub up: String,
}

/// The largest number of points of a line that are marked one by one.
const MARKED: usize = 40;

impl ThreadPicture {
    /// Draws some lines.
    ///
    /// # Errors
    ///
    /// That of [`room_for`].
    pub fn new(titles: ThreadTitles, lines: Vec<ThreadLine>, scale: Scale) -> Result<Self, PictureError> {
        room_for(lines.len())?;
        let points = || lines.iter().flat_map(|line| line.points.iter().chain(&line.beside));
        let logs = points().map(|(threads, _)| (*threads as f64).log2());
        let low = logs.clone().fold(f64::INFINITY, f64::min).clamp(0.0, 63.0).floor() as u32;
        let high = logs.fold(0.0, f64::max).ceil() as u32;
        Ok(Self {
            title: titles.title,
            subtitle: titles.subtitle,
            up_title: titles.up,
            up: RatioAxis::new(scale, points().map(|(_, value)| *value)),
            along: SizeAxis { unit: Unit::Lines, ends: (low, high.max(low + 1)) },
            lines,
        })
    }

    /// Writes the picture in characters, below its title.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_chart(&self, out: &mut dyn Write, terminal: Terminal) -> io::Result<()> {
        let line = |line: &'_ ThreadLine| {
            let points: Vec<_> = self.places(&line.points).collect();
            move |place: f64| between(&points, place)
        };
        let lines = self.lines.iter().map(|of| ChartLine { name: &of.name, at: Box::new(line(of)) });
        let content = ChartContent {
            title: format!("{} over threads", self.up_title),
            up: &self.up,
            along: &self.along,
            spans: Vec::new(),
            labels: Vec::new(),
            lines: lines.collect(),
        };
        writeln!(out, "{}: {}\n", self.title, self.subtitle)?;
        write_chart(out, &content, terminal)
    }

    /// Returns the places along the axis of some points, each with its value.
    fn places(&self, points: &[(u64, f64)]) -> impl Iterator<Item = (f64, f64)> {
        points.iter().map(|(threads, value)| (self.along.place(*threads as f64), *value))
    }

    /// Returns the picture as an SVG document.
    pub fn svg(&self) -> String {
        let (up, along) = (self.up.ticks(LABELS_UP), self.along.ticks(labels_along(Canvas::PAPER)));
        let titles =
            Titles { title: &self.title, heading: self.subtitle.clone(), up: &self.up_title, along: "threads" };
        let frame = Frame::new(&up, 0, legend_width(self.legend()), &titles, Canvas::PAPER);
        let mut svg = frame.begin(&titles, &up, &along, Canvas::PAPER);
        for (index, line) in self.lines.iter().enumerate() {
            self.draw(&mut svg, frame, index, line);
        }
        frame.draw_legend(&mut svg, self.legend(), line_sample);
        svg + "</svg>\n"
    }

    /// Returns the picture as a page of its own, with a table as text below the graphic.
    pub fn page(&self, table: &str) -> String {
        let body = format!("<div>{}</div>\n<pre>{}</pre>\n", self.svg(), escape(table));
        html::page(&self.title, &body)
    }

    fn legend(&self) -> impl Iterator<Item = (&str, String)> {
        self.lines.iter().map(|line| (line.name.as_str(), line.facts.clone()))
    }

    fn draw(&self, svg: &mut String, frame: Frame, index: usize, line: &ThreadLine) {
        if line.points.is_empty() {
            return;
        }
        let (colour, dashes) = LINES[index % LINES.len()];
        let path = |points: &[(u64, f64)]| {
            let corners: Vec<_> = self.corners(frame, points).map(|[x, y]| format!("{x:.1} {y:.1}")).collect();
            format!("M{}", corners.join("L"))
        };
        // Writing to a string cannot fail.
        if !line.beside.is_empty() {
            let _ = writeln!(
                svg,
                "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\" stroke-dasharray=\"1 4\"/>",
                path(&line.beside)
            );
        }
        // Later lines are thinner, so that earlier ones show below them.
        let width = (3.2 - 0.6 * index as f64).max(1.6);
        let _ = writeln!(
            svg,
            "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width:.1}\" stroke-dasharray=\"{dashes}\" \
             stroke-linejoin=\"round\"/>",
            path(&line.points)
        );
        for [x, y] in self.corners(frame, &line.points).filter(|_| line.points.len() <= MARKED) {
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"1\"/>"
            );
        }
    }

    /// Returns the places of some points in pixels; there is none for zero on a logarithmic axis.
    fn corners(&self, frame: Frame, points: &[(u64, f64)]) -> impl Iterator<Item = [f64; 2]> {
        let up = |value: f64| self.up.place(value).filter(|place| place.is_finite());
        self.places(points).filter_map(move |(place, value)| Some([frame.x(place), frame.y(up(value)?)]))
    }
}

/// Returns the value at a place between points, which are connected by straight lines; `None` outside of them.
fn between(points: &[(f64, f64)], place: f64) -> Option<f64> {
    // Half a column to both sides, as places of columns are rounded.
    const NEAR: f64 = 1e-9;
    let after = points.iter().position(|(at, _)| *at >= place - NEAR)?;
    let (to, value) = points[after];
    match after.checked_sub(1).map(|index| points[index]) {
        _ if (to - place).abs() <= NEAR => Some(value),
        None => None,
        Some((from, before)) => Some(before + (value - before) * (place - from) / (to - from)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[(u64, f64)]) -> ThreadLine {
        ThreadLine { name: "L1".to_owned(), facts: String::new(), points: points.to_vec(), beside: Vec::new() }
    }

    fn picture(lines: Vec<ThreadLine>) -> Result<ThreadPicture, PictureError> {
        let titles = ThreadTitles { title: "f".to_owned(), subtitle: String::new(), up: "miss ratio".to_owned() };
        ThreadPicture::new(titles, lines, Scale::Linear)
    }

    #[test]
    fn lines_are_straight_between_points() {
        let points = [(0.0, 1.0), (0.5, 3.0), (1.0, 0.0)];
        let values = [0.0, 0.25, 0.5, 0.75, 1.0].map(|place| between(&points, place));
        assert_eq!(values, [1.0, 2.0, 3.0, 1.5, 0.0].map(Some));
        assert_eq!([between(&points[1..], 0.4), between(&points[..2], 0.6)], [None, None]);
    }

    #[test]
    fn an_axis_holds_all_numbers_of_threads() {
        let ends = |points: &[(u64, f64)]| picture(vec![line(points)]).unwrap().along.ends;
        assert_eq!(ends(&[(1, 0.5), (64, 0.25)]), (0, 6));
        assert_eq!(ends(&[(3, 0.5), (65, 0.25)]), (1, 7));
        assert_eq!(ends(&[(1, 0.0)]), (0, 1));
        assert_eq!(picture(vec![line(&[(1, 0.5)]); 9]).unwrap_err(), PictureError::TooManyCurves(9));
    }

    #[test]
    fn a_line_that_rises_is_connected() {
        let mut out = Vec::new();
        let picture = picture(vec![line(&[(1, 0.1), (2, 0.1), (4, 0.6)])]).unwrap();
        picture.write_chart(&mut out, Terminal { width: 60, colours: false }).unwrap();
        let text = String::from_utf8(out).unwrap();
        let plot: Vec<&str> = text.lines().filter(|line| line.contains(['│', '┤'])).collect();
        assert!(text.starts_with("f: \n\nmiss ratio over threads\n"), "{text}");
        // Each row but the lowest has a part of the line, which goes up from 0.1 to 0.6.
        let rows = plot.iter().filter(|line| line.chars().skip(6).any(|cell| "─│╯╭".contains(cell))).count();
        assert!(text.contains('╯') && text.contains('╭') && !text.contains('╮'), "{text}");
        assert_eq!(rows, plot.len() - 2, "{text}");
    }
}
