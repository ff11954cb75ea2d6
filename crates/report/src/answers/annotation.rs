//! A source text annotated with the misses of its lines.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use anstyle::{AnsiColor, Effects, Style};
use serde::Serialize;
use symloc_evaluate::Int;

use crate::answers::attribution::{Fill, FillRow, FilledCache};
use crate::formats::json;
use crate::formats::terminal::Terminal;
use crate::formats::text::{Columns, percent};
use crate::{AnswerHeader, Fields};

/// The misses of some caches at one size, by the lines of the source.
#[derive(Debug)]
pub struct Annotation<'m> {
    /// The header of the answer.
    pub header: AnswerHeader,
    /// The caches.
    pub levels: Vec<FilledCache>,
    /// The files.
    pub files: Vec<AnnotatedFile<'m>>,
}

/// A file with accesses of a program.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// The name of the file, as given by the user or the model.
    pub name: String,
    /// Its lines.
    pub lines: Vec<String>,
}

/// A file with accesses.
#[derive(Debug)]
pub struct AnnotatedFile<'m> {
    /// Its text.
    pub source: SourceText,
    /// The accesses in it, by their lines, which are lines of the text.
    pub rows: BTreeMap<u32, Vec<FillRow<'m>>>,
}

/// The accesses of one line together.
struct LineSum {
    accesses: Int,
    first_touches: Int,
    fills: Vec<Fill>,
}

impl LineSum {
    fn new(rows: &[FillRow<'_>], levels: usize) -> Self {
        let nothing = Self { accesses: Int::ZERO, first_touches: Int::ZERO, fills: vec![Fill::default(); levels] };
        rows.iter().fold(nothing, |sum, row| Self {
            accesses: &sum.accesses + &row.accesses,
            first_touches: &sum.first_touches + &row.first_touches,
            fills: sum.fills.iter().zip(&row.fills).map(|(a, b)| a.plus(b)).collect(),
        })
    }
}

/// The parts of the misses of some cache from which on a line stands out, and stands out more.
const WARM: f64 = 0.1;
const HOT: f64 = 0.5;

/// The least width of the source text, however narrow the terminal is.
const LEAST_WIDTH: usize = 24;

impl Annotation<'_> {
    /// Writes the annotated source for people. With a `context`, only lines with accesses and so many lines around them are shown.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_text(
        &self,
        out: &mut dyn Write,
        context: Option<usize>,
        terminal: Option<Terminal>,
    ) -> io::Result<()> {
        self.header.write(out)?;
        for file in &self.files {
            writeln!(out)?;
            self.write_file(out, file, context, terminal)?;
        }
        Ok(())
    }

    fn write_file(
        &self,
        out: &mut dyn Write,
        file: &AnnotatedFile<'_>,
        context: Option<usize>,
        terminal: Option<Terminal>,
    ) -> io::Result<()> {
        let shown = file.shown(context);
        let digits = shown.last().map_or(1, |number| number.to_string().len());
        let numbers = self.numbers(file, &shown);
        let width = numbers.iter().map(|cells| cells.chars().count()).max().unwrap_or(0);
        let room = terminal.map(|terminal| terminal.width.saturating_sub(width + digits + 5).max(LEAST_WIDTH));
        let mut numbers = numbers.iter();
        writeln!(out, "{:width$} | {}", numbers.next().map_or("", String::as_str), file.source.name)?;
        let mut last = shown.first().map_or(0, |first| first - 1);
        for (number, cells) in shown.iter().zip(numbers) {
            // Without context no line is the successor of the one above it.
            if *number != last + 1 && context != Some(0) {
                writeln!(out, "{:width$} | {:>digits$}", "", "…")?;
            }
            last = *number;
            let text = expanded(&file.source.lines[number - 1]);
            let text = room.map_or(text.clone(), |room| cut(&text, room));
            let style =
                terminal.filter(|terminal| terminal.colours).map_or(Style::new(), |_| self.style(file, *number));
            let line = format!("{cells:width$} | {number:>digits$}  {text}");
            writeln!(out, "{style}{}{style:#}", line.trim_end())?;
        }
        Ok(())
    }

    /// Returns the head of the columns, and the columns of each line.
    fn numbers(&self, file: &AnnotatedFile<'_>, shown: &[usize]) -> Vec<String> {
        let misses: Vec<_> = self.levels.iter().map(|level| format!("misses {}", level.called())).collect();
        let fills = misses.iter().flat_map(|misses| [misses.as_str(), "ratio", "share"]);
        let head: Vec<_> = ["accesses", "first touches"].into_iter().chain(fills).collect();
        let mut columns = Columns::new(&head, 0);
        for number in shown {
            columns.push(file.sum(*number, self.levels.len()).map(|sum| self.cells(&sum)).unwrap_or_default());
        }
        columns.lines().collect()
    }

    fn cells(&self, sum: &LineSum) -> Vec<String> {
        let mut cells = vec![sum.accesses.to_string(), sum.first_touches.to_string()];
        for (fill, level) in sum.fills.iter().zip(&self.levels) {
            let [ratio, share] =
                [&sum.accesses, &level.fill.misses.value].map(|all| percent(fill.misses.value.ratio(all)));
            cells.extend([fill.misses.value.to_string(), ratio, share]);
        }
        cells
    }

    /// Returns the style of a line: dimmed without accesses, prominent with many misses.
    fn style(&self, file: &AnnotatedFile<'_>, number: usize) -> Style {
        let Some(sum) = file.sum(number, self.levels.len()) else { return Style::new().effects(Effects::DIMMED) };
        let shares = sum.fills.iter().zip(&self.levels).map(|(fill, level)| fill.share(level));
        let most = shares.filter(|share| !share.is_nan()).fold(0.0, f64::max);
        if most >= HOT {
            AnsiColor::Red.on_default().effects(Effects::BOLD)
        } else if most >= WARM {
            AnsiColor::Yellow.on_default()
        } else {
            Style::new()
        }
    }

    /// Writes `symloc.annotation/1`: lines with accesses only.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let level = |level| AnnotatedCacheAnswer::new(level);
        let file = |file| FileAnswer::new(file, &self.levels);
        let answer = AnnotationAnswer {
            schema: "symloc.annotation/1",
            header: self.header.fields("denning"),
            levels: self.levels.iter().map(level).collect(),
            files: self.files.iter().map(file).collect(),
        };
        json::write(out, &answer)
    }
}

impl AnnotatedFile<'_> {
    fn sum(&self, number: usize, levels: usize) -> Option<LineSum> {
        let rows = u32::try_from(number).ok().and_then(|number| self.rows.get(&number));
        rows.map(|rows| LineSum::new(rows, levels))
    }

    /// Returns the numbers of the lines to show.
    fn shown(&self, context: Option<usize>) -> Vec<usize> {
        let all = 1..=self.source.lines.len();
        let Some(context) = context else { return all.collect() };
        let near = |line: &u32| {
            let line = *line as usize;
            line.saturating_sub(context)..=line.saturating_add(context).min(self.source.lines.len())
        };
        let shown: BTreeSet<usize> = self.rows.keys().flat_map(near).filter(|number| all.contains(number)).collect();
        shown.into_iter().collect()
    }
}

/// Returns the text with spaces for tabs.
fn expanded(text: &str) -> String {
    text.replace('\t', "    ")
}

/// Cuts the text to at most `room` characters.
fn cut(text: &str, room: usize) -> String {
    match text.chars().count() > room {
        true => text.chars().take(room - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

#[derive(Serialize)]
struct AnnotationAnswer<'a> {
    schema: &'static str,
    #[serde(flatten)]
    header: Fields<'a>,
    levels: Vec<AnnotatedCacheAnswer<'a>>,
    files: Vec<FileAnswer<'a>>,
}

#[derive(Serialize)]
struct AnnotatedCacheAnswer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    lines: u64,
    misses: json::Number<'a>,
}

impl<'a> AnnotatedCacheAnswer<'a> {
    fn new(level: &'a FilledCache) -> Self {
        Self { name: level.name.as_deref(), lines: level.lines, misses: json::Number(&level.fill.misses.value) }
    }
}

#[derive(Serialize)]
struct FileAnswer<'a> {
    file: &'a str,
    lines: Vec<LineAnswer<'a>>,
}

impl<'a> FileAnswer<'a> {
    fn new(file: &'a AnnotatedFile<'_>, levels: &'a [FilledCache]) -> Self {
        let text = |number: u32| file.source.lines.get(number as usize - 1).map_or("", String::as_str);
        let line = |(number, rows): (&u32, &'a Vec<FillRow<'_>>)| LineAnswer::new(*number, text(*number), rows, levels);
        Self { file: &file.source.name, lines: file.rows.iter().map(line).collect() }
    }
}

#[derive(Serialize)]
struct LineAnswer<'a> {
    line: u32,
    text: &'a str,
    accesses: json::Owned,
    first_touches: json::Owned,
    levels: Vec<LineFillAnswer>,
    of: Vec<AccessAnswer<'a>>,
}

#[derive(Serialize)]
struct LineFillAnswer {
    misses: json::Owned,
    miss_ratio: f64,
    share: f64,
}

/// An access in a line.
#[derive(Serialize)]
struct AccessAnswer<'a> {
    array: &'a str,
    subscripts: &'a str,
    kind: symloc_model::AccessKind,
    column: u32,
    accesses: json::Number<'a>,
    first_touches: json::Number<'a>,
    misses: Vec<json::Number<'a>>,
}

impl<'a> LineAnswer<'a> {
    fn new(line: u32, text: &'a str, rows: &'a [FillRow<'_>], levels: &[FilledCache]) -> Self {
        let LineSum { accesses, first_touches, fills } = LineSum::new(rows, levels.len());
        let level = |(fill, level): (Fill, &FilledCache)| LineFillAnswer {
            miss_ratio: fill.misses.value.ratio(&accesses),
            share: fill.share(level),
            misses: json::Owned(fill.misses.value),
        };
        let levels = fills.into_iter().zip(levels).map(level).collect();
        let access = |row: &'a FillRow<'_>| {
            row.subject.access().map(|(array, access)| AccessAnswer {
                array: &array.name,
                subscripts: &access.subscripts,
                kind: access.kind,
                column: access.column,
                accesses: json::Number(&row.accesses),
                first_touches: json::Number(&row.first_touches),
                misses: row.fills.iter().map(|fill| json::Number(&fill.misses.value)).collect(),
            })
        };
        Self {
            line,
            text,
            levels,
            of: rows.iter().filter_map(access).collect(),
            accesses: json::Owned(accesses),
            first_touches: json::Owned(first_touches),
        }
    }
}
