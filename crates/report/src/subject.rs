//! The subject whose accesses a row counts: an array, one access or a nest.

use clap::ValueEnum;
use serde::Serialize;
use symloc_model::{Access, AccessKind, Array, Model, Nest, Outline};

/// The part of a program that has a row of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowsBy {
    /// Every array
    Array,
    /// Every load and store of the source
    Access,
    /// Every loop or branch that stands in no other, with the name of its layer in a network
    Nest,
}

impl RowsBy {
    /// Returns the heads of the columns that identify a subject ([`RowSubject::cells`]).
    pub fn head(self) -> &'static [&'static str] {
        match self {
            RowsBy::Array => &["array"],
            RowsBy::Access => &["access", "place", "kind"],
            RowsBy::Nest => &["nest", "place"],
        }
    }
}

/// The subject whose accesses are counted.
#[derive(Clone, Copy, Debug)]
pub enum RowSubject<'m> {
    /// The accesses to an array.
    Array(&'m Array),
    /// One access, to an array.
    Access(&'m Array, &'m Access),
    /// The accesses in a nest, with its number from 1 and its first access.
    Nest(usize, &'m Nest, &'m Access),
}

impl<'m> RowSubject<'m> {
    /// Returns the array, access or nest with an index from 0.
    pub fn new(program: &'m Outline, by: RowsBy, index: usize) -> Self {
        match by {
            RowsBy::Array => RowSubject::Array(&program.arrays[index]),
            RowsBy::Access => {
                let access = &program.accesses[index];
                RowSubject::Access(&program.arrays[access.array], access)
            }
            RowsBy::Nest => {
                let first: usize = program.nests[..index].iter().map(|nest| nest.accesses).sum();
                RowSubject::Nest(index + 1, &program.nests[index], &program.accesses[first])
            }
        }
    }

    /// Returns the access, if the subject is one.
    pub fn access(&self) -> Option<(&'m Array, &'m Access)> {
        match *self {
            RowSubject::Access(array, access) => Some((array, access)),
            RowSubject::Array(_) | RowSubject::Nest(..) => None,
        }
    }

    /// Returns its name: `A`, `A[i][j]`, `2 conv1`.
    pub fn name(&self) -> String {
        match self {
            RowSubject::Array(array) => array.name.clone(),
            RowSubject::Access(array, access) => format!("{}{}", array.name, access.subscripts),
            RowSubject::Nest(number, nest, _) => match &nest.name {
                Some(name) => format!("{number} {name}"),
                None => number.to_string(),
            },
        }
    }

    /// Returns the access whose place is the subject's, if the subject stands in one place.
    pub fn place(&self) -> Option<&'m Access> {
        match *self {
            RowSubject::Array(_) => None,
            RowSubject::Access(_, access) | RowSubject::Nest(_, _, access) => Some(access),
        }
    }

    /// Returns its cells in a table.
    pub fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.name()];
        cells.extend(self.place().map(place));
        cells.extend(self.access().map(|(_, access)| kind(access).to_owned()));
        cells
    }

    /// Returns it as data.
    pub fn answer(&self, model: &'m Model) -> SubjectAnswer<'m> {
        let place =
            |access: &'m Access| PlaceAnswer { file: file(model, access), line: access.line, column: access.column };
        match *self {
            RowSubject::Array(array) => SubjectAnswer::Array { array: &array.name },
            RowSubject::Access(array, access) => SubjectAnswer::Access {
                array: &array.name,
                subscripts: &access.subscripts,
                kind: kind(access),
                place: place(access),
            },
            RowSubject::Nest(nest, Nest { name, .. }, first) => {
                SubjectAnswer::Nest { nest, name: name.as_deref(), place: place(first) }
            }
        }
    }
}

/// Returns the file where an access stands.
pub fn file<'m>(model: &'m Model, access: &'m Access) -> &'m str {
    access.file.as_ref().unwrap_or(&model.source)
}

/// Returns an access as named in a sentence: `A[i][k] (read, 14:9)`.
pub fn named(outline: &Outline, access: &Access) -> String {
    let array = outline.arrays.get(access.array).map_or("?", |array| array.name.as_str());
    format!("{array}{} ({}, {})", access.subscripts, kind(access), place(access))
}

/// Returns the place as `14:12`, with the file if it is not the model's.
pub fn place(access: &Access) -> String {
    let Access { file, line, column, .. } = access;
    file.as_ref().map_or_else(|| format!("{line}:{column}"), |file| format!("{file}:{line}:{column}"))
}

/// Returns `read` or `write`.
pub fn kind(access: &Access) -> &'static str {
    match access.kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
    }
}

/// A subject as data.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum SubjectAnswer<'a> {
    /// An array.
    Array {
        /// Its name.
        array: &'a str,
    },
    /// An access.
    Access {
        /// The name of its array.
        array: &'a str,
        /// As in `[i][k + 1]`.
        subscripts: &'a str,
        /// `read` or `write`.
        kind: &'static str,
        /// The place where it stands.
        #[serde(flatten)]
        place: PlaceAnswer<'a>,
    },
    /// A nest.
    Nest {
        /// Its number, from 1.
        nest: usize,
        /// Its name, if it has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<&'a str>,
        /// The place where its first access stands.
        #[serde(flatten)]
        place: PlaceAnswer<'a>,
    },
}

/// A place in a source file.
#[derive(Debug, Serialize)]
pub struct PlaceAnswer<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}
