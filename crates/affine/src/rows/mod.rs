//! The positions of the lines of an array in memory, and their names (docs/mathematics.md, "Lines of arrays in
//! memory").
//!
//! Elements lie at their addresses: `offset + Σ stride·x`, in elements from the start of the array. A line is named by
//! coordinates that are quasi-affine in the subscripts, in one of three ways:
//!
//! - *padded*: `[x₁, …, ⌊x_d / B⌋]`, as if every row started a line; right where the length of a row is a multiple of
//!   B, and an assumption where it is symbolic and its remainder modulo B is not known. What lies within the innermost symbolic
//!   extent is one row: of `A[n][m][3]` it is 3m long, and its line `[i, ⌊(3j + k) / B⌋]`;
//! - *flat*: outer subscripts whose strides are multiples of B, and one address for all subscripts below them;
//! - *by rows*: row number R starts at `s·R`, in the middle of a line. With s = q·B + r, the line of element j of it is
//!   `[R, ⌊(r·R + j)/B⌋]` if it starts in this row, else it is one of the row before, `[R − 1, ⌊(r·R + j)/B⌋ + q]`.
//!
//! Flat names have the fewest cases. Names by rows keep rows apart, so that sets of lines of columns are simple to count, and they
//! are the only names for rows of symbolic length.
//!
//! - `choice`: which of them an array gets; `carried`: names by rows.

mod carried;
mod choice;

use crate::expr::{Constraint, Expr, Overflow};
use crate::program::{Access, Array, Program};
use crate::strides::FormulaStrides;

pub use carried::{Exact, LineInRow, LinesInRows, Rows};
pub use choice::remainder;
use choice::{constant, symbolic};

/// The line that an access touches under some conditions; of all cases of an access exactly one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The conditions on iterators and parameters.
    pub conditions: Vec<Constraint>,
    /// The coordinates of the line, outermost first.
    pub block: Vec<Expr>,
}

impl Case {
    /// Returns the case under further conditions.
    pub(crate) fn under(self, conditions: &[Constraint]) -> Self {
        Self { conditions: [conditions, &self.conditions].concat(), ..self }
    }
}

/// The purpose of the names of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Counting all lines of an array, and those that accesses touch which go through memory line by line.
    FewCases,
    /// Counting other sets of lines.
    RowsApart,
}

/// The naming of the lines of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Naming {
    /// As if every row started a line.
    Padded(PaddedNames),
    /// By some outer subscripts, by rows, and by an address in the row.
    Exact(Exact),
}

/// Names by padded rows: some outer subscripts by themselves, and an address in the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaddedNames {
    /// The reason if rows of the array may follow each other.
    pub why: Option<Padding>,
    /// The number of subscripts that count rows.
    pub(crate) outer: usize,
    /// The strides of the subscripts within a row.
    pub(crate) strides: Vec<i64>,
}

/// Why rows are padded in formulas although they may follow each other in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Padding {
    /// The remainder of this row length modulo so many elements is not known.
    Remainder(Expr, i64),
    /// The remainder of this number of rows modulo so many elements is not known, and rows are not whole lines.
    Count(Expr, i64),
    /// The length of a row is not known.
    Length,
    /// This row length may be shorter than so many elements, a line less one.
    Short(Expr, i64),
    /// Rows start in lines at places that depend on several subscripts, and there are many accesses to such arrays.
    Accesses,
}

impl Naming {
    /// Decides how the lines of an array are named, for lines of so many elements.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn of(program: &Program, array: &Array, elements: i64, purpose: Purpose) -> Result<Self, Overflow> {
        match &array.strides {
            Some(strides) => {
                let FormulaStrides { strides, .. } = FormulaStrides::of(program, array, strides, elements);
                Ok(constant(array, &strides, elements, purpose))
            }
            None => symbolic(program, array, elements),
        }
    }

    /// Returns the lines that an access touches, case by case.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn cases(&self, access: &Access, elements: i64) -> Result<Vec<Case>, Overflow> {
        let subscripts = &access.subscripts;
        let always = |block| Ok(vec![Case { conditions: Vec::new(), block }]);
        match self {
            // The line of a scalar.
            Naming::Padded(padded) if padded.strides.is_empty() => always(Vec::new()),
            Naming::Padded(padded) => {
                let address = padded.element(subscripts)?;
                always([&subscripts[..padded.outer], &[address.floor_div(elements)?]].concat())
            }
            Naming::Exact(exact) => exact.cases(subscripts, elements),
        }
    }

    /// Returns names of the lines that an access touches, case by case. Of two names of one line, one is an alias of the other.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub(crate) fn names(&self, access: &Access, elements: i64) -> Result<Vec<Case>, Overflow> {
        match self {
            Naming::Padded(_) => self.cases(access, elements),
            Naming::Exact(exact) => {
                Ok(vec![Case { conditions: Vec::new(), block: exact.name(&access.subscripts, elements)? }])
            }
        }
    }

    /// Returns the other names that some lines have, case by case: of the line whose coordinates are the iterators 0, 1, …
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub(crate) fn aliases(&self, elements: i64) -> Result<Vec<Case>, Overflow> {
        match self {
            Naming::Exact(exact) if self.carries_rows() => exact.aliases(elements),
            Naming::Exact(_) | Naming::Padded(_) => Ok(Vec::new()),
        }
    }

    /// Returns where the line of an access starts in its row, if rows follow each other and begin at different places of a line.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn line_in_row(&self, access: &Access, elements: i64) -> Result<Option<LineInRow>, Overflow> {
        match self {
            Naming::Exact(exact) if self.carries_rows() => exact.line_in_row(&access.subscripts, elements).map(Some),
            Naming::Exact(_) | Naming::Padded(_) => Ok(None),
        }
    }

    /// Returns true if rows follow each other in memory and begin at different places of a line.
    pub fn carries_rows(&self) -> bool {
        match self {
            Naming::Padded(_) => false,
            Naming::Exact(exact) => !exact.rows.counts.is_empty() && exact.rows.rest != 0,
        }
    }

    /// Returns the expression that is divided into lines, if lines are distinguished by the last subscript alone.
    pub(crate) fn along_rows(&self, access: &Access) -> Result<Option<Expr>, Overflow> {
        match self {
            Naming::Padded(padded) if padded.strides.len() == 1 => padded.element(&access.subscripts).map(Some),
            Naming::Exact(exact) if exact.rows.rest == 0 && exact.strides.len() == 1 => {
                exact.element(&access.subscripts).map(Some)
            }
            Naming::Padded(_) | Naming::Exact(_) => Ok(None),
        }
    }
}

impl PaddedNames {
    /// Returns names by the innermost subscript alone.
    fn innermost(array: &Array, why: Option<Padding>) -> Self {
        match array.shape.len().checked_sub(1) {
            Some(outer) => Self { why, outer, strides: vec![1] },
            None => Self { why, outer: 0, strides: Vec::new() },
        }
    }

    /// Returns the address within a row.
    fn element(&self, subscripts: &[Expr]) -> Result<Expr, Overflow> {
        address(0, &self.strides, &subscripts[self.outer..])
    }
}

/// Returns `offset + Σ stride·subscript`.
fn address(offset: i64, strides: &[i64], subscripts: &[Expr]) -> Result<Expr, Overflow> {
    let mut terms = subscripts.iter().zip(strides);
    terms.try_fold(Expr::constant(offset), |sum, (subscript, stride)| sum.add_scaled(subscript, *stride))
}
