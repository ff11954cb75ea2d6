//! The simplex method over the rationals, in machine integers.
//!
//! Every fact is a slack that may not be negative. A slack that is negative is increased by another one that may grow; if there is
//! none, the facts contradict each other (Farkas). Bland's rule makes it end.

use num_integer::Integer;
use symloc_quasi::Relation;

/// A variable of the tableau: one of the facts, of any sign, or a slack, which may not be negative. They are numbered
/// in the order in which they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name(usize);

/// The signs that a variable may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Any,
    NonNegative,
}

/// A linear function of the variables that are no rows: `(constant + Σ coefficients) / denominator`.
#[derive(Clone, Debug)]
struct TableauRow {
    name: Name,
    denominator: i64,
    constant: i64,
    coefficients: Vec<i64>,
}

/// Each variable is a row, or a column, which is 0 until it is known better. Nothing where numbers overflow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tableau {
    /// By name.
    signs: Vec<Sign>,
    rows: Vec<TableauRow>,
    columns: Vec<Name>,
    /// Two constants contradict each other.
    pub(crate) contradicts: bool,
}

impl Tableau {
    fn name(&mut self, sign: Sign) -> Name {
        self.signs.push(sign);
        Name(self.signs.len() - 1)
    }

    /// Adds a variable of any sign, without constraints, and returns its name.
    pub(crate) fn variable(&mut self) -> Name {
        let name = self.name(Sign::Any);
        self.columns.push(name);
        self.rows.iter_mut().for_each(|row| row.coefficients.push(0));
        name
    }

    fn is_free(&self, name: Name) -> bool {
        self.signs[name.0] == Sign::Any
    }

    /// Adds a fact about variables.
    pub(crate) fn add(&mut self, constant: i64, terms: &[(Name, i64)], relation: Relation) -> Option<()> {
        let row = self.row(constant, terms)?;
        let any = (0..self.columns.len()).find(|c| row.coefficients[*c] != 0 && self.is_free(self.columns[*c]));
        match (any, relation) {
            (Some(column), Relation::NonNegative) => {
                self.rows.push(row);
                self.pivot(self.rows.len() - 1, column)
            }
            (Some(column), Relation::Zero) => {
                self.rows.push(row);
                self.pivot(self.rows.len() - 1, column)?;
                // It is 0 for ever.
                self.columns.remove(column);
                self.rows.iter_mut().for_each(|row| _ = row.coefficients.remove(column));
                Some(())
            }
            (None, _) => {
                let opposite = (relation == Relation::Zero).then(|| row.negated(self.name(Sign::NonNegative)));
                [Some(row), opposite].into_iter().flatten().for_each(|row| self.keep(row));
                Some(())
            }
        }
    }

    fn keep(&mut self, row: TableauRow) {
        match row.coefficients.iter().all(|c| *c == 0) {
            true => self.contradicts |= row.constant < 0,
            false => self.rows.push(row),
        }
    }

    /// Returns a sum of variables as a row for a new slack.
    fn row(&mut self, constant: i64, terms: &[(Name, i64)]) -> Option<TableauRow> {
        let name = self.name(Sign::NonNegative);
        let mut sum = TableauRow { name, denominator: 1, constant, coefficients: vec![0; self.columns.len()] };
        for (variable, factor) in terms {
            match self.columns.iter().position(|name| name == variable) {
                Some(column) => {
                    let added = sum.denominator.checked_mul(*factor)?;
                    sum.coefficients[column] = sum.coefficients[column].checked_add(added)?;
                }
                None => {
                    let row = self.rows.iter().find(|row| row.name == *variable)?;
                    sum = sum.plus_scaled(sum.denominator.checked_mul(*factor)?, row)?;
                }
            }
        }
        Some(sum)
    }

    /// Changes the basis until all slacks are at least 0; returns false if there is no point at which they are.
    pub(crate) fn solve(&mut self) -> Option<bool> {
        if self.contradicts {
            return Some(false);
        }
        loop {
            let negative = |row: &&TableauRow| row.constant < 0 && !self.is_free(row.name);
            let Some(least) = self.rows.iter().filter(negative).map(|row| row.name).min() else { return Some(true) };
            let index = self.rows.iter().position(|row| row.name == least)?;
            let row = &self.rows[index];
            let grows = (0..self.columns.len()).filter(|c| row.coefficients[*c] > 0);
            match grows.min_by_key(|c| self.columns[*c]) {
                None => {
                    self.contradicts = true;
                    return Some(false);
                }
                Some(column) => self.pivot(index, column)?,
            }
        }
    }

    /// Exchanges a row and a column.
    fn pivot(&mut self, index: usize, column: usize) -> Option<()> {
        let row = self.rows.swap_remove(index);
        let name = std::mem::replace(&mut self.columns[column], row.name);
        let solved = row.solved(name, column)?;
        for row in self.rows.iter_mut().filter(|row| row.coefficients[column] != 0) {
            let factor = std::mem::take(&mut row.coefficients[column]);
            *row = row.plus_scaled(factor, &solved)?;
        }
        self.rows.push(solved);
        Some(())
    }
}

impl TableauRow {
    /// Returns `self + factor/denominator·other`, with the denominator of this row.
    fn plus_scaled(&self, factor: i64, other: &TableauRow) -> Option<TableauRow> {
        let (factor, scale) = (i128::from(factor), i128::from(other.denominator));
        let sum = |a: i64, b: i64| (i128::from(a) * scale).checked_add(factor * i128::from(b));
        let coefficients = self.coefficients.iter().zip(&other.coefficients);
        let coefficients = coefficients.map(|(a, b)| sum(*a, *b)).collect::<Option<Vec<_>>>()?;
        let denominator = i128::from(self.denominator) * scale;
        TableauRow::reduced(self.name, denominator, sum(self.constant, other.constant)?, coefficients)
    }

    /// Returns the row solved for a column: its own variable takes the place of the column's.
    fn solved(&self, name: Name, column: usize) -> Option<TableauRow> {
        let pivot = i128::from(self.coefficients[column]);
        let sign = pivot.signum();
        let mut coefficients: Vec<i128> = self.coefficients.iter().map(|c| -sign * i128::from(*c)).collect();
        coefficients[column] = sign * i128::from(self.denominator);
        TableauRow::reduced(name, pivot.abs(), -sign * i128::from(self.constant), coefficients)
    }

    fn negated(&self, name: Name) -> TableauRow {
        let coefficients = self.coefficients.iter().map(|c| -c).collect();
        TableauRow { name, denominator: self.denominator, constant: -self.constant, coefficients }
    }

    /// Creates a row in lowest terms.
    fn reduced(name: Name, denominator: i128, constant: i128, coefficients: Vec<i128>) -> Option<TableauRow> {
        let mut divisor = denominator.gcd(&constant);
        for coefficient in coefficients.iter().filter(|c| **c != 0) {
            if divisor == 1 {
                break;
            }
            divisor = divisor.gcd(coefficient);
        }
        let narrow = |value: i128| i64::try_from(if divisor == 1 { value } else { value / divisor }).ok();
        let coefficients = coefficients.into_iter().map(narrow).collect::<Option<_>>()?;
        Some(TableauRow { name, denominator: narrow(denominator)?, constant: narrow(constant)?, coefficients })
    }
}
