//! Changes of a text that keep its lines, and the map from columns of the new text to those of the old one.

use std::ops::Range;

/// The replacement of a range of bytes by a text.
#[derive(Debug)]
struct Edit {
    range: Range<usize>,
    text: String,
}

/// Changes of one text. Of two that overlap only the first is made.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    list: Vec<Edit>,
}

/// A change on one line that shifts columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    line: usize,
    /// The first column in the new text, from 1.
    column: usize,
    new_length: usize,
    old_length: usize,
}

/// A text after its changes, with their columns.
#[derive(Debug, Default)]
pub(crate) struct Edited {
    pub(crate) text: String,
    changes: Vec<Change>,
}

impl Edits {
    pub(crate) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.list.push(Edit { range, text: text.into() });
    }

    pub(crate) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    /// Replaces a range by blanks, so that later columns stay the same.
    pub(crate) fn blank(&mut self, text: &str, range: Range<usize>) {
        let blanks: Vec<u8> = text[range.clone()].bytes().map(|b| if b == b'\n' { b } else { b' ' }).collect();
        self.replace(range, String::from_utf8_lossy(&blanks));
    }

    /// Makes all changes.
    pub(crate) fn apply(mut self, old: &str) -> Edited {
        self.list.sort_by_key(|edit| edit.range.start);
        let mut writer = Writer { old, next: 0, line: 1, line_start: 0, edited: Edited::default() };
        for Edit { range, text } in self.list {
            if range.start >= writer.next {
                writer.copy_until(range.start);
                writer.replace(range, &text);
            }
        }
        writer.copy_until(old.len());
        writer.edited
    }
}

struct Writer<'t> {
    old: &'t str,
    /// The first byte of the old text that has not been copied yet.
    next: usize,
    /// The line that is being written, and its first byte in the new text.
    line: usize,
    line_start: usize,
    edited: Edited,
}

impl Writer<'_> {
    fn copy_until(&mut self, end: usize) {
        self.write(&self.old[self.next..end]);
        self.next = end;
    }

    fn write(&mut self, text: &str) {
        self.edited.text.push_str(text);
        self.line += text.matches('\n').count();
        if let Some(newline) = text.rfind('\n') {
            self.line_start = self.edited.text.len() - text.len() + newline + 1;
        }
    }

    fn replace(&mut self, range: Range<usize>, text: &str) {
        let old = &self.old[range.clone()];
        let column = self.edited.text.len() - self.line_start + 1;
        self.next = range.end;
        if text.len() == old.len() && text.matches('\n').count() == old.matches('\n').count() {
            return self.write(text);
        }
        let change = Change { line: self.line, column, new_length: text.len(), old_length: old.len() };
        let Some(newline) = old.rfind('\n') else {
            self.write(text);
            return self.edited.changes.push(change);
        };
        // The new text is on the first of several lines.
        self.write(text);
        self.edited.changes.push(Change { old_length: old.find('\n').unwrap_or(0), ..change });
        self.write(&"\n".repeat(old.matches('\n').count()));
        let old_length = old.len() - newline - 1;
        self.edited.changes.push(Change { line: self.line, column: 1, new_length: 0, old_length });
    }
}

impl Edited {
    /// Returns the column in the old text of one in the new text; for inserted text, the place of insertion.
    pub(crate) fn old_column(&self, line: usize, column: usize) -> usize {
        let (mut added, mut removed) = (0, 0);
        for change in self.changes.iter().filter(|change| change.line == line && change.column <= column) {
            let within = column - change.column;
            if within < change.new_length {
                return (change.column + removed).saturating_sub(added) + within.min(change.old_length.max(1) - 1);
            }
            added += change.new_length;
            removed += change.old_length;
        }
        (column + removed).saturating_sub(added)
    }
}
