//! Regions of lines: those to analyse (`#pragma scop` … `#pragma endscop`, or `--loops`), and the parallel ones
//! (OpenMP).

use symloc_affine::Location;
use symloc_frontend::openmp::fortran_directive;
use symloc_frontend::presumed::{is_one_file, presumed};

/// Ranges of lines in one file, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) file: String,
    pub(crate) lines: Vec<(u32, u32)>,
}

impl Region {
    pub(crate) fn contains(&self, place: &Location) -> bool {
        // Code that was inlined from another file belongs to a line of this one.
        *place.file != *self.file || self.lines.iter().any(|(first, last)| (*first..=*last).contains(&place.line))
    }

    /// Returns the regions that pragmas mark within the lines of a function; `file` is the name of its file in places.
    pub(crate) fn of_pragmas(file: &str, text: &str, lines: (u32, u32)) -> Option<Self> {
        let mut found = Vec::new();
        let mut start = None;
        for (number, line) in numbered(text, file) {
            match pragma(line).and_then(|mut words| words.next()) {
                Some("scop") => start = Some(number),
                Some("endscop") => found.extend(start.take().map(|start| (start, number))),
                _ => {}
            }
        }
        found.retain(|(first, last)| lines.0 <= *first && *last <= lines.1);
        (!found.is_empty()).then(|| Self { file: file.to_owned(), lines: found })
    }
}

/// Returns the lines of a text that line markers do not give to another file, with their numbers in places.
fn numbered<'t>(text: &'t str, file: &'t str) -> impl Iterator<Item = (u32, &'t str)> {
    let own = move |(content, place): (&'t str, Option<(Option<&str>, u32)>)| {
        let (name, number) = place?;
        name.is_none_or(|name| is_one_file(name, file)).then_some((number, content))
    };
    text.lines().zip(presumed(text)).filter_map(own)
}

/// Returns the words of a pragma.
fn pragma(line: &str) -> Option<impl Iterator<Item = &str>> {
    let mut words = line.trim_start().strip_prefix('#')?.split_whitespace();
    (words.next()? == "pragma").then_some(words)
}

/// Returns the words of a pragma or directive of OpenMP; none of another line.
fn openmp(line: &str) -> Vec<&str> {
    let of_c = || {
        let mut words = pragma(line)?;
        (words.next()? == "omp").then(|| words.collect())
    };
    fortran_directive(line).map(|rest| rest.split_whitespace().collect()).or_else(of_c).unwrap_or_default()
}

/// Returns the lines of OpenMP's pragmas and directives for parallel loops, sections and tasks, each with the line that it applies to; `file` is
/// the name of the file in places.
pub(crate) fn parallel_pragmas(text: &str, file: &str) -> Vec<(u32, u32)> {
    const PARALLEL: [&str; 9] =
        ["parallel", "for", "do", "task", "taskloop", "sections", "distribute", "teams", "loop"];
    let lines: Vec<(u32, &str)> = numbered(text, file).collect();
    let is_parallel = |line: &str| {
        let mut names = openmp(line).into_iter().map(|word| word.split('(').next().unwrap_or(word));
        names.next().is_some_and(|name| PARALLEL.contains(&name.to_ascii_lowercase().as_str()))
    };
    let about = |position: usize| {
        let is_code = |position: &usize| {
            let continued = position.checked_sub(1).is_some_and(|before| lines[before].1.trim_end().ends_with('\\'));
            let line = lines[*position].1;
            let is_comment = line.trim_start().starts_with('!');
            !continued && !is_comment && pragma(line).is_none() && !matches!(line.trim(), "" | "{")
        };
        (position + 1..lines.len()).find(is_code)
    };
    let found = (0..lines.len()).filter(|position| is_parallel(lines[*position].1));
    found.filter_map(|position| Some((lines[position].0, lines[about(position)?].0))).collect()
}
