//! Pictures drawn with characters.
//!
//! Each column is a cache size (or a number of threads), and the line of a curve is in the row of its exact miss ratio there.
//! Curves differ in the characters of their lines, and in their colours where there are any; where two lines are in one place
//! they take turns.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::axis::{RatioAxis, SizeAxis, Tick};
use super::{Label, Picture, rows_of_labels};
use crate::formats::terminal::Terminal;
use crate::formats::text::{Columns, ratio};

/// The characters of a line.
struct Pen {
    along: char,
    down: char,
    /// The characters where it turns down, and where it goes on.
    falling: [char; 2],
    /// The characters where it turns up, and where it goes on.
    rising: [char; 2],
}

const fn pen(along: char, down: char, falling: [char; 2], rising: [char; 2]) -> Pen {
    Pen { along, down, falling, rising }
}

const PENS: [Pen; super::MOST_CURVES] = [
    pen('─', '│', ['╮', '╰'], ['╯', '╭']),
    pen('━', '┃', ['┓', '┗'], ['┛', '┏']),
    pen('═', '║', ['╗', '╚'], ['╝', '╔']),
    pen('┄', '┆', ['╮', '╰'], ['╯', '╭']),
    pen('┅', '┇', ['┓', '┗'], ['┛', '┏']),
    pen('·', '·', ['·', '·'], ['·', '·']),
    pen('+', '+', ['+', '+'], ['+', '+']),
    pen('×', '×', ['×', '×'], ['×', '×']),
];

const COLOURS: [AnsiColor; super::MOST_CURVES] = [
    AnsiColor::Blue,
    AnsiColor::Red,
    AnsiColor::Green,
    AnsiColor::Magenta,
    AnsiColor::Yellow,
    AnsiColor::Cyan,
    AnsiColor::BrightBlack,
    AnsiColor::BrightRed,
];

/// The approximate number of rows of a picture.
const HEIGHT: usize = 15;

/// The least width of a picture, even on narrower terminals.
const LEAST_WIDTH: usize = 40;

/// The largest width of a picture; wider lines are less readable.
const MOST_WIDTH: usize = 120;

/// Writes a picture and its table.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn write(out: &mut dyn Write, picture: &Picture, terminal: Terminal) -> io::Result<()> {
    Chart::new(&ChartContent::from(picture), terminal).write(out)?;
    writeln!(out)?;
    write_samples(out, picture)
}

/// Writes a chart.
///
/// # Errors
///
/// If `out` cannot be written to.
pub(super) fn write_chart(out: &mut dyn Write, content: &ChartContent<'_>, terminal: Terminal) -> io::Result<()> {
    Chart::new(content, terminal).write(out)
}

/// The content of a chart.
pub(super) struct ChartContent<'p> {
    /// The title above the axis upwards.
    pub(super) title: String,
    pub(super) up: &'p RatioAxis,
    pub(super) along: &'p SizeAxis,
    /// The ranges along the axis that are shaded, from 0 to 1.
    pub(super) spans: Vec<[f64; 2]>,
    pub(super) labels: Vec<Label<'p>>,
    /// The lines, at most [`MOST_CURVES`](super::MOST_CURVES).
    pub(super) lines: Vec<ChartLine<'p>>,
}

/// A line of a chart.
pub(super) struct ChartLine<'p> {
    pub(super) name: &'p str,
    /// The function from places along the axis to values upwards; `None` where the line is not.
    pub(super) at: Box<dyn Fn(f64) -> Option<f64> + 'p>,
}

impl<'p> From<&'p Picture> for ChartContent<'p> {
    fn from(picture: &'p Picture) -> Self {
        let lines = picture
            .curves
            .iter()
            .map(|curve| ChartLine { name: &curve.name, at: Box::new(|place| curve.at(picture.sizes.size(place))) });
        Self {
            title: "miss ratio".to_owned(),
            up: &picture.ratios,
            along: &picture.sizes,
            spans: picture.spans.iter().map(|span| span.ends.map(|end| picture.place(end))).collect(),
            labels: picture.labels(),
            lines: lines.collect(),
        }
    }
}

struct Chart<'c> {
    content: &'c ChartContent<'c>,
    colours: bool,
    /// The labels at the left, by row.
    labels: Vec<String>,
    margin: usize,
    columns: usize,
    /// The cells, row by row: a character and the curve that it belongs to.
    cells: Vec<Vec<(char, Option<usize>)>>,
}

impl<'c> Chart<'c> {
    fn new(content: &'c ChartContent<'c>, terminal: Terminal) -> Self {
        let ticks = content.up.ticks(HEIGHT + 1).into_iter();
        let ticks: Vec<Tick> = ticks.filter(|tick| tick.label.is_some()).collect();
        let between = ticks.len().saturating_sub(1).max(1);
        let height = between * (HEIGHT / between).max(1);
        let mut labels = vec![String::new(); height + 1];
        for Tick { place, label } in ticks {
            labels[row(place, height)] = label.unwrap_or_default();
        }
        let margin = labels.iter().map(String::len).max().unwrap_or(0) + 2;
        let columns = terminal.width.clamp(LEAST_WIDTH, MOST_WIDTH) - margin;
        let cells = vec![vec![(' ', None); columns]; height + 1];
        let mut chart = Self { content, colours: terminal.colours, labels, margin, columns, cells };
        for span in &content.spans {
            let [from, to] = span.map(|end| chart.column(end));
            chart.cells.iter_mut().for_each(|row| row[from..to].fill(('·', None)));
        }
        for label in &content.labels {
            let column = chart.column(label.place);
            chart.cells.iter_mut().for_each(|row| row[column] = ('┊', None));
        }
        for (index, line) in content.lines.iter().enumerate() {
            chart.draw(index, line);
        }
        chart
    }

    fn column(&self, place: f64) -> usize {
        (place * (self.columns - 1) as f64).round() as usize
    }

    fn draw(&mut self, index: usize, line: &ChartLine<'_>) {
        let height = self.cells.len() - 1;
        let Pen { along, down, falling, rising } = PENS[index % PENS.len()];
        let mut before = None;
        for column in 0..self.columns {
            let at = (line.at)(column as f64 / (self.columns - 1) as f64);
            let Some(place) = at.and_then(|value| self.content.up.place(value)) else { continue };
            let here = row(place, height);
            let last: usize = before.replace(here).unwrap_or(here);
            let corners = if last < here { falling } else { rising };
            if last == here {
                self.set(here, column, along, index);
            } else {
                self.set(last, column, corners[0], index);
                (last.min(here) + 1..last.max(here)).for_each(|row| self.set(row, column, down, index));
                self.set(here, column, corners[1], index);
            }
        }
    }

    /// Sets a cell; where two lines meet they take turns.
    fn set(&mut self, row: usize, column: usize, character: char, curve: usize) {
        let cell = &mut self.cells[row][column];
        if cell.1.is_none() || (column / 2) % (curve + 1) == curve {
            *cell = (character, Some(curve));
        }
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let margin = self.margin;
        writeln!(out, "{}", self.content.title)?;
        for line in self.mark_labels() {
            writeln!(out, "{}", format!("{:margin$}{line}", "").trim_end())?;
        }
        let width = margin - 2;
        for (label, cells) in self.labels.iter().zip(&self.cells) {
            let edge = if label.is_empty() { '│' } else { '┤' };
            writeln!(out, "{}", format!("{label:>width$} {edge}{}", self.line(cells)).trim_end())?;
        }
        self.write_sizes(out)?;
        if self.content.lines.len() > 1 {
            writeln!(out)?;
            for (index, line) in self.content.lines.iter().enumerate() {
                let sample = vec![(PENS[index % PENS.len()].along, Some(index)); 4];
                writeln!(out, "{:margin$}{}  {}", "", self.line(&sample), line.name)?;
            }
        }
        Ok(())
    }

    fn line(&self, cells: &[(char, Option<usize>)]) -> String {
        let mut line = String::new();
        for part in cells.chunk_by(|a, b| a.1 == b.1) {
            let text = part.iter().map(|(character, _)| *character);
            match part.first().and_then(|(_, curve)| *curve).filter(|_| self.colours) {
                None => line.extend(text),
                Some(curve) => {
                    let style = Style::new().fg_color(Some(COLOURS[curve % COLOURS.len()].into()));
                    line += &format!("{style}{}{style:#}", text.collect::<String>());
                }
            }
        }
        line
    }

    /// Returns the labels above the plot, in as few lines as they need.
    fn mark_labels(&self) -> Vec<String> {
        let labels = &self.content.labels;
        let start = |text: &str, column: usize| {
            let most = self.columns.saturating_sub(text.chars().count());
            column.saturating_sub(text.chars().count() / 2).min(most)
        };
        let starts: Vec<_> = labels.iter().map(|label| start(label.text, self.column(label.place))).collect();
        let extents = labels.iter().zip(&starts).map(|(label, start)| {
            let width = label.text.chars().count() as f64 + 2.0;
            (*start as f64 + width / 2.0, width)
        });
        let rows = rows_of_labels(extents);
        let mut lines = vec![String::new(); rows.iter().max().map_or(0, |last| last + 1)];
        for ((label, start), row) in labels.iter().zip(&starts).zip(rows) {
            let line = &mut lines[row];
            *line += &" ".repeat(start.saturating_sub(line.chars().count()));
            *line += label.text;
        }
        lines.reverse();
        lines
    }

    /// Writes the axis of cache sizes.
    fn write_sizes(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut axis = vec!['─'; self.columns];
        let mut labels = String::new();
        for tick in self.content.along.ticks(self.columns / 9) {
            let Some(label) = tick.label else { continue };
            let column = self.column(tick.place);
            axis[column] = '┬';
            // The last label ends with the line.
            let last = (self.margin + self.columns).saturating_sub(label.len());
            let start = (self.margin + column).saturating_sub(label.len() / 2).min(last);
            let length = labels.chars().count();
            if length > 0 && start <= length {
                continue;
            }
            labels += &" ".repeat(start - length);
            labels += &label;
        }
        let width = self.margin - 1;
        writeln!(out, "{:>width$}{}", '└', axis.iter().collect::<String>())?;
        let last = labels.trim_end();
        writeln!(out, "{last}")
    }
}

fn row(place: f64, height: usize) -> usize {
    ((1.0 - place.clamp(0.0, 1.0)) * height as f64).round() as usize
}

/// Writes the exact misses at some sizes.
fn write_samples(out: &mut dyn Write, picture: &Picture) -> io::Result<()> {
    let mut head = vec!["cache"];
    match picture.curves.as_slice() {
        [_] => head.extend(["misses", "miss ratio"]),
        curves => head.extend(curves.iter().map(|curve| curve.name.as_str())),
    }
    let mut table = Columns::new(&head, 0);
    for sample in &picture.samples {
        let ratios = sample.misses.iter().zip(&picture.curves).map(|(misses, c)| ratio(misses.ratio(&c.accesses)));
        let mut row = vec![sample.label.clone()];
        if let [misses] = sample.misses.as_slice() {
            row.push(misses.to_string());
        }
        row.extend(ratios);
        table.push(row);
    }
    table.write(out)
}

#[cfg(test)]
mod tests {
    use symloc_evaluate::Int;

    use super::*;
    use crate::plot::{CurvePoint, DrawnCurve, Marked, Scale, Unit};

    /// Returns two curves that fall at 4 KiB and at 64 KiB, and marks side by side.
    fn picture(scale: Scale) -> Picture {
        let point = |size: u32, misses: i64| CurvePoint {
            size: f64::from(size),
            lines: Int::from(i64::from(size / 64)),
            misses: Int::from(misses),
            ratio: misses as f64 / 1000.0,
        };
        let curve = |name: &str, falls: u32| DrawnCurve {
            estimated: Int::ZERO,
            name: name.to_owned(),
            accesses: Int::from(1000),
            cold: Int::from(10),
            points: vec![point(64, 750), point(falls, 10)],
        };
        let curves = vec![curve("small", 4096), curve("large", 65536)];
        let marks = [("L1 32 KiB", 32768.0), ("L2 48 KiB", 49152.0)];
        let marks = marks.map(|(label, size)| Marked { label: label.to_owned(), size }).to_vec();
        let points = || curves.iter().flat_map(|curve| &curve.points);
        Picture {
            title: "test".to_owned(),
            subtitle: String::new(),
            sizes: SizeAxis::new(Unit::Bytes, points().map(|point| point.size)),
            ratios: RatioAxis::new(scale, points().map(|point| point.ratio)),
            curves,
            marks,
            spans: Vec::new(),
            samples: Vec::new(),
        }
    }

    fn text(scale: Scale, width: usize, colours: bool) -> String {
        let mut out = Vec::new();
        Chart::new(&ChartContent::from(&picture(scale)), Terminal { width, colours }).write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_chart_is_as_wide_as_its_terminal() {
        for (width, scale) in [40, 80, 100, 120].into_iter().flat_map(|w| [(w, Scale::Linear), (w, Scale::Log)]) {
            let text = text(scale, width, false);
            let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!((width - 2..=width).contains(&longest), "{longest} of {width}:\n{text}");
        }
    }

    #[test]
    fn colours_are_used_where_there_are_any_and_change_nothing_else() {
        let (plain, coloured) = (text(Scale::Log, 80, false), text(Scale::Log, 80, true));
        assert!(!plain.contains('\u{1b}') && coloured.contains("\u{1b}[34m"));
        let (first, codes) = coloured.split_once('\u{1b}').unwrap();
        let rest: String = codes.split('\u{1b}').map(|part| part.split_once('m').unwrap().1).collect();
        assert_eq!(first.to_owned() + &rest, plain);
    }
}
