//! Names by rows that follow each other: row by row, and the row before.

use crate::expr::{Constraint, Expr, Overflow};
use crate::ids::IterId;

use super::{Case, Naming, address};

/// Names that are right for the addresses of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The number of outer subscripts that are coordinates by themselves.
    pub(super) outer: usize,
    pub(super) rows: Rows,
    /// The address of the first element of a row, in elements.
    pub(super) offset: i64,
    /// The strides of the subscripts within a row.
    pub(super) strides: Vec<i64>,
}

/// Rows that follow each other, each `pitch` elements behind the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// From one row to the next, in whole lines.
    pub(super) lines: Expr,
    /// The remainder, in elements.
    pub(super) rest: i64,
    /// For each subscript that counts rows, how many of the next one there are; 1 for the innermost. None if all is one
    /// row.
    pub(super) counts: Vec<RowCount>,
}

/// Conditions, and the coordinates of a row under them.
type RowCase = (Vec<Constraint>, Vec<Expr>);

/// The line of an element of a row, by where it starts (docs/mathematics.md, "Line starts in rows").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineInRow {
    /// The place of the element in its row, in elements.
    pub place: Expr,
    /// The coordinates of the row.
    pub row: Vec<Expr>,
    /// A factor for each coordinate. Lines start at the places y of a row where the sum of its coordinates with these, plus y, is a
    /// multiple of the elements of a line.
    pub weights: Vec<i64>,
    /// The coordinates of the row before, case by case.
    pub before: Vec<RowCase>,
    /// The elements from one row to the next.
    pub pitch: Expr,
}

/// The lines of an access in rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinesInRows {
    /// The elements of a line.
    pub elements: i64,
    /// Case by case of the subscripts.
    pub cases: Vec<(Vec<Constraint>, LineInRow)>,
}

/// The number of rows, or groups of rows, that one step of a subscript stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowCount {
    /// Their number.
    pub(super) value: Expr,
    /// Its remainder modulo the elements of a line.
    pub(super) rest: i64,
}

impl Exact {
    /// Returns the naming with one address after some outer subscripts.
    pub(super) fn flat(outer: usize, offset: i64, strides: &[i64]) -> Naming {
        let rows = Rows { lines: Expr::default(), rest: 0, counts: Vec::new() };
        Naming::Exact(Self { outer, rows, offset, strides: strides[outer..].to_vec() })
    }

    pub(super) fn cases(&self, subscripts: &[Expr], elements: i64) -> Result<Vec<Case>, Overflow> {
        let (outer, rows) = self.row(subscripts);
        self.rows.cases(outer, rows, &self.element(subscripts)?, elements)
    }

    pub(super) fn name(&self, subscripts: &[Expr], elements: i64) -> Result<Vec<Expr>, Overflow> {
        let (outer, rows) = self.row(subscripts);
        self.rows.name(outer, rows, &self.element(subscripts)?, elements)
    }

    pub(super) fn aliases(&self, elements: i64) -> Result<Vec<Case>, Overflow> {
        let last = self.outer + self.rows.counts.len();
        let coordinates: Vec<Expr> = (0..=last).map(|at| Expr::iter(IterId(at as u32))).collect();
        let (outer, rows) = self.row(&coordinates);
        self.rows.aliases(outer, rows, &coordinates[last], elements)
    }

    /// Returns the subscripts that are coordinates by themselves, and those that count rows.
    fn row<'s>(&self, subscripts: &'s [Expr]) -> (&'s [Expr], &'s [Expr]) {
        subscripts[..self.outer + self.rows.counts.len()].split_at(self.outer)
    }

    /// Returns the address within a row.
    pub(super) fn element(&self, subscripts: &[Expr]) -> Result<Expr, Overflow> {
        address(self.offset, &self.strides, &subscripts[self.outer + self.rows.counts.len()..])
    }

    pub(super) fn line_in_row(&self, subscripts: &[Expr], elements: i64) -> Result<LineInRow, Overflow> {
        let (outer, rows) = self.row(subscripts);
        let before =
            self.rows.before(rows)?.into_iter().map(|(conditions, rows)| (conditions, [outer, &rows].concat()));
        Ok(LineInRow {
            place: self.element(subscripts)?,
            row: [outer, rows].concat(),
            weights: [vec![0; self.outer], self.rows.weights()?].concat(),
            before: before.collect(),
            pitch: self.rows.lines.times(elements)?.plus_constant(self.rows.rest)?,
        })
    }
}

impl Rows {
    /// Returns a factor for each subscript that counts rows. The sum of these with the factors is the place in a line at which a row
    /// starts, up to a multiple of the elements of a line.
    fn weights(&self) -> Result<Vec<i64>, Overflow> {
        let mut weights = vec![self.rest; self.counts.len()];
        for dimension in (1..weights.len()).rev() {
            let weight = weights[dimension];
            weights[dimension - 1] = weight.checked_mul(self.counts[dimension - 1].rest).ok_or(Overflow)?;
        }
        Ok(weights)
    }

    /// Returns the row before a row, case by case.
    fn before(&self, rows: &[Expr]) -> Result<Vec<RowCase>, Overflow> {
        let (mut conditions, mut rows, mut cases) = (Vec::new(), rows.to_vec(), Vec::new());
        for dimension in (0..rows.len()).rev() {
            // It is the last one of the group before where this subscript is 0.
            let mut own = rows.clone();
            own[dimension] = own[dimension].plus_constant(-1)?;
            let mut later = conditions.clone();
            if dimension > 0 {
                later.push(Constraint::non_negative(rows[dimension].plus_constant(-1)?));
                conditions.push(Constraint::zero(rows[dimension].clone()));
                rows[dimension] = self.counts[dimension - 1].value.plus_constant(-1)?;
            }
            cases.push((later, own));
        }
        Ok(cases)
    }

    /// Returns the name of the line of an element of a row as if it started there.
    fn name(&self, outer: &[Expr], rows: &[Expr], element: &Expr, elements: i64) -> Result<Vec<Expr>, Overflow> {
        let line = address(0, &self.weights()?, rows)?.plus(element)?.floor_div(elements)?;
        Ok([outer, rows, &[line]].concat())
    }

    /// Returns the line of an element of a row: one of this row, or the last one of the row before.
    fn cases(&self, outer: &[Expr], rows: &[Expr], element: &Expr, elements: i64) -> Result<Vec<Case>, Overflow> {
        let block = self.name(outer, rows, element, elements)?;
        if self.rest == 0 {
            return Ok(vec![Case { conditions: Vec::new(), block }]);
        }
        let line = &block[block.len() - 1];
        let from_start = line.times(elements)?.minus(&address(0, &self.weights()?, rows)?)?;
        let before = self.aliases(outer, rows, line, elements)?;
        Ok([vec![Case { conditions: vec![Constraint::non_negative(from_start)], block }], before].concat())
    }

    /// Returns the names by the row before of a line that does not start in a row, case by case.
    fn aliases(&self, outer: &[Expr], rows: &[Expr], line: &Expr, elements: i64) -> Result<Vec<Case>, Overflow> {
        let weights = self.weights()?;
        let to_start = address(0, &weights, rows)?.minus(&line.times(elements)?)?;
        let starts_before = Constraint::non_negative(to_start.plus_constant(-1)?);
        let (mut line, mut aliases) = (line.plus(&self.lines)?, Vec::new());
        for (dimension, (conditions, row)) in (0..rows.len()).rev().zip(self.before(rows)?) {
            let conditions = [vec![starts_before.clone()], conditions].concat();
            aliases.push(Case { conditions, block: [outer, &row, &[line.clone()]].concat() });
            if dimension > 0 {
                let RowCount { value, rest } = &self.counts[dimension - 1];
                let more = value.plus_constant(-rest)?.times(weights[dimension])?;
                line = line.plus(&more.floor_div(elements)?)?;
            }
        }
        Ok(aliases)
    }
}
