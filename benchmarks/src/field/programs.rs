//! The programs: files in `benchmarks/field`, and families that are written for each number.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use symloc_affine::Program;

use crate::{BoxedError, kernels};

/// The programs in files, in the order of the table.
const FILES: [&str; 9] = [
    "block_solver.c",
    "right_hand_sides.c",
    "restriction.c",
    "interpolation.c",
    "star_25.c",
    "jacobi_2d_skewed.c",
    "jacobi_1d_tiled.c",
    "seidel_2d_tiled.mlir",
    "lu_tiled.c",
];

/// A program of the table.
#[derive(Clone, Debug)]
pub(crate) enum FieldProgram {
    /// A file in `benchmarks/field`.
    File(&'static str),
    /// A member of a family.
    Member(FieldFamily, usize),
}

/// A family of programs, by what there is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldFamily {
    /// Points of a stencil in three dimensions, written out: odd numbers cubed.
    Points,
    /// Rows of one array that one nest reads.
    Rows,
    /// Fields that are reflected at a border if a flag says so.
    Flags,
    /// Layers of a transformer.
    Layers,
}

impl FieldFamily {
    const ALL: [Self; 4] = [Self::Points, Self::Rows, Self::Flags, Self::Layers];

    fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Rows => "rows",
            Self::Flags => "flags",
            Self::Layers => "layers",
        }
    }

    /// Returns the members that are measured.
    fn numbers(self) -> &'static [usize] {
        match self {
            Self::Points => &[27, 125],
            Self::Rows => &[8, 16, 32, 64],
            Self::Flags => &[4, 8, 16],
            Self::Layers => &[1, 2, 4, 8, 16],
        }
    }

    fn text(self, number: usize) -> String {
        match self {
            Self::Points => points(number),
            Self::Rows => rows(number),
            Self::Flags => flags(number),
            Self::Layers => layers(number),
        }
    }
}

impl FieldProgram {
    /// Returns all programs, in the order of the table.
    pub(crate) fn all() -> Vec<Self> {
        let members = |family: FieldFamily| family.numbers().iter().map(move |number| Self::Member(family, *number));
        FILES.into_iter().map(Self::File).chain(FieldFamily::ALL.into_iter().flat_map(members)).collect()
    }

    /// Returns the name of the program on the command line.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(file) => (*file).to_owned(),
            Self::Member(family, number) => format!("{}-{number}", family.name()),
        }
    }

    /// Returns the program with a name.
    pub(crate) fn named(name: &str) -> Result<Self, BoxedError> {
        let found = Self::all().into_iter().find(|program| program.name() == name);
        found.ok_or_else(|| format!("no program is called {name}").into())
    }

    /// Returns the member of the same family with half the number, if the table has it.
    pub(crate) fn half(&self) -> Option<Self> {
        match self {
            Self::File(_) => None,
            Self::Member(family, number) => {
                let half = family.numbers().iter().find(|half| **half * 2 == *number)?;
                Some(Self::Member(*family, *half))
            }
        }
    }

    /// Reads the program. Members are written to a temporary file for the compiler.
    pub(crate) fn read(&self) -> Result<Program, BoxedError> {
        match self {
            Self::File(file) => kernels::read(&folder().join(file)),
            Self::Member(family, number) => {
                let folder = tempfile::tempdir()?;
                let file = folder.path().join(Path::new(&self.name()).with_extension("c"));
                std::fs::write(&file, family.text(*number))?;
                kernels::read(&file)
            }
        }
    }

    /// Writes the text of the program into a folder.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), BoxedError> {
        if let Self::Member(family, number) = self {
            std::fs::write(folder.join(self.name()).with_extension("c"), family.text(*number))?;
        }
        Ok(())
    }
}

fn folder() -> PathBuf {
    kernels::root().join("benchmarks/field")
}

/// Returns a stencil of `count` points around each point, with a weight for each.
fn points(count: usize) -> String {
    let reach = (0_i64..).find(|reach| (2 * reach + 1).pow(3) >= count as i64).unwrap_or_default();
    let mut terms = Vec::new();
    for (i, j, k) in cube(reach) {
        terms.push(format!("{}.0 * in[i{i:+}][j{j:+}][k{k:+}]", 1 + i.abs() + j.abs() + k.abs()));
    }
    let sum = terms.join("\n                       + ");
    format!(
        "void points(int n, double in[n][n][n], double out[n][n][n]) {{
  for (int i = {reach}; i < n - {reach}; i++)
    for (int j = {reach}; j < n - {reach}; j++)
      for (int k = {reach}; k < n - {reach}; k++)
        out[i][j][k] = {sum};
}}\n"
    )
}

fn cube(reach: i64) -> impl Iterator<Item = (i64, i64, i64)> {
    let line = move || -reach..=reach;
    line().flat_map(move |i| line().flat_map(move |j| line().map(move |k| (i, j, k))))
}

/// Returns a nest that reads `count` rows next to each other.
fn rows(count: usize) -> String {
    let terms: Vec<_> = (0..count).map(|row| format!("a[i + {row}][j]")).collect();
    format!(
        "void rows(int n, double a[n + {count}][n], double b[n][n]) {{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i][j] = {};
}}\n",
        terms.join("\n                + ")
    )
}

/// Returns a reflection of `count` fields at the middle, each if a flag of its own is set.
fn flags(count: usize) -> String {
    let fields: Vec<_> = (0..count).map(|field| format!("double a{field}[2 * n + 1]")).collect();
    let mut body = String::new();
    for field in 0..count {
        let _ = write!(
            body,
            "  if (f[{field}] == 1)\n    for (int i = 0; i < n; i++)\n      a{field}[i] = a{field}[2 * n - i];\n"
        );
    }
    format!("void flags(int n, const int f[{count}], {}) {{\n{body}}}\n", fields.join(", "))
}

/// Returns `count` layers, each with weights and results of its own.
fn layers(count: usize) -> String {
    let mut arguments = vec!["int n, int d, int h, double y0[n][d]".to_owned()];
    let mut body = String::new();
    for l in 1..=count {
        let array = |(name, rows, columns): (&str, &str, &str)| format!("double {name}{l}[{rows}][{columns}]");
        arguments.extend(LAYER.map(array));
        let names = LAYER.map(|(name, ..)| format!("{name}{l}")).join(", ");
        let _ = writeln!(body, "  layer(n, d, h, y{}, {names});", l - 1);
    }
    format!(
        "{}\nvoid layers({}) {{\n{body}}}\n",
        include_str!("../../field/layer.c"),
        arguments.join(",\n            ")
    )
}

/// The arrays of a layer, with their rows and columns, in the order of the arguments of `layer`.
const LAYER: [(&str, &str, &str); 16] = [
    ("wq", "d", "d"),
    ("wk", "d", "d"),
    ("wv", "d", "d"),
    ("wo", "d", "d"),
    ("w1_", "d", "h"),
    ("w2_", "h", "d"),
    ("q", "n", "d"),
    ("k", "n", "d"),
    ("v", "n", "d"),
    ("s", "n", "n"),
    ("o", "n", "d"),
    ("p", "n", "d"),
    ("r", "n", "d"),
    ("u", "n", "h"),
    ("z", "n", "d"),
    ("y", "n", "d"),
];
