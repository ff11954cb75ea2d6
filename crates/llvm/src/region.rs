//! Which lines of a function are asked for: `#pragma scop` … `#pragma endscop`, or `--loops`.

use symloc_affine::Location;

/// Ranges of lines in one file, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) file: String,
    pub(crate) lines: Vec<(u32, u32)>,
}

impl Region {
    pub(crate) fn contains(&self, place: &Location) -> bool {
        // What was inlined from another file belongs to a line of this one.
        *place.file != *self.file || self.lines.iter().any(|(first, last)| (*first..=*last).contains(&place.line))
    }

    /// The regions that pragmas mark from the line of a function on, up to the next function that has any.
    pub(crate) fn of_pragmas(file: &str, text: &str, lines: (u32, u32)) -> Option<Self> {
        let mut found = Vec::new();
        let mut start = None;
        for (number, line) in (1_u32..).zip(text.lines()) {
            let mut words = line.trim_start().strip_prefix('#').map(str::split_whitespace).into_iter().flatten();
            if words.next() != Some("pragma") {
                continue;
            }
            match words.next() {
                Some("scop") => start = Some(number),
                Some("endscop") => found.extend(start.take().map(|start| (start, number))),
                _ => {}
            }
        }
        found.retain(|(first, last)| lines.0 <= *first && *last <= lines.1);
        (!found.is_empty()).then(|| Self { file: file.to_owned(), lines: found })
    }
}
