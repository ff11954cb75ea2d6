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
//! Flat names have the fewest cases, which the search for previous accesses needs. Names by rows keep rows apart, so that sets of
//! lines of columns are simple to count, and they are the only names for rows of symbolic length.

use crate::expr::{Atom, Constraint, Expr, Overflow, Relation, gcd};
use crate::program::{Access, Array, Extent, Program, Strides};
use crate::strides::{ConstantRows, FormulaStrides};

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
    /// Finding the previous access to a line, and counting what accesses touch that go through memory line by line.
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

/// Names that are right for the addresses of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The number of outer subscripts that are coordinates by themselves.
    outer: usize,
    rows: Rows,
    /// The address of the first element of a row, in elements.
    offset: i64,
    /// The strides of the subscripts within a row.
    strides: Vec<i64>,
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

/// Rows that follow each other, each `pitch` elements behind the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// From one row to the next, in whole lines.
    lines: Expr,
    /// The remainder, in elements.
    rest: i64,
    /// For each subscript that counts rows, how many of the next one there are; 1 for the innermost. None if all is one
    /// row.
    counts: Vec<RowCount>,
}

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
    pub before: Vec<(Vec<Constraint>, Vec<Expr>)>,
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
struct RowCount {
    /// Their number.
    value: Expr,
    /// Its remainder modulo the elements of a line.
    rest: i64,
}

/// The largest number of elements in a line whose remainders are distinguished.
const ELEMENTS: i64 = 1 << 16;

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

impl Exact {
    /// Returns the naming with one address after some outer subscripts.
    fn flat(outer: usize, offset: i64, strides: &[i64]) -> Naming {
        let rows = Rows { lines: Expr::default(), rest: 0, counts: Vec::new() };
        Naming::Exact(Self { outer, rows, offset, strides: strides[outer..].to_vec() })
    }

    fn cases(&self, subscripts: &[Expr], elements: i64) -> Result<Vec<Case>, Overflow> {
        let (outer, rows) = subscripts.split_at(self.outer);
        self.rows.cases(outer, &rows[..self.rows.counts.len()], &self.element(subscripts)?, elements)
    }

    /// Returns the address within a row.
    fn element(&self, subscripts: &[Expr]) -> Result<Expr, Overflow> {
        address(self.offset, &self.strides, &subscripts[self.outer + self.rows.counts.len()..])
    }

    fn line_in_row(&self, subscripts: &[Expr], elements: i64) -> Result<LineInRow, Overflow> {
        let row = &subscripts[..self.outer + self.rows.counts.len()];
        let (outer, rows) = row.split_at(self.outer);
        let before =
            self.rows.before(rows)?.into_iter().map(|(conditions, rows)| (conditions, [outer, &rows].concat()));
        Ok(LineInRow {
            place: self.element(subscripts)?,
            row: row.to_vec(),
            weights: [vec![0; self.outer], self.rows.weights()?].concat(),
            before: before.collect(),
            pitch: self.rows.lines.times(elements)?.plus_constant(self.rows.rest)?,
        })
    }
}

/// Names for constant strides. Where rows overlap, or extents are not declared, one address serves all subscripts.
fn constant(array: &Array, strides: &Strides, elements: i64, purpose: Purpose) -> Naming {
    let Strides { offset, strides } = strides;
    let ConstantRows { outer, innermost } = ConstantRows::of(array, *offset, strides, elements);
    // To find three subscripts or more from one address takes isl longer than a second case.
    if purpose == Purpose::FewCases && strides.len() <= outer + 2 {
        return Exact::flat(outer, *offset, strides);
    }
    let Some(innermost) = innermost else { return Exact::flat(outer, *offset, strides) };
    let pitch = strides[innermost];
    let count =
        |pair: &[i64]| RowCount { value: Expr::constant(pair[0] / pair[1]), rest: (pair[0] / pair[1]) % elements };
    let mut counts: Vec<RowCount> = strides[outer..=innermost].windows(2).map(count).collect();
    counts.push(RowCount { value: Expr::constant(1), rest: 1 });
    let rest = pitch.rem_euclid(elements);
    let rows = Rows { lines: Expr::constant((pitch - rest) / elements), rest, counts };
    Naming::Exact(Exact { outer, rows, offset: *offset, strides: strides[innermost + 1..].to_vec() })
}

/// Names for rows of symbolic length, which follow each other. What lies within the innermost extent that is symbolic
/// is one row.
fn symbolic(program: &Program, array: &Array, elements: i64) -> Result<Naming, Overflow> {
    if array.shape.len() < 2 || elements == 1 {
        return Ok(Naming::Padded(PaddedNames::innermost(array, None)));
    }
    let constants = array.shape.iter().rev().map_while(|extent| match extent {
        Extent::Known(extent) => Some(*extent),
        Extent::Size(_) | Extent::Dynamic => None,
    });
    let mut strides = vec![1_i64];
    for extent in constants {
        strides.push(strides[strides.len() - 1].checked_mul(extent).ok_or(Overflow)?);
    }
    strides.reverse();
    // Where all extents but the outermost are constants and the strides are none, rows lie anywhere.
    let Some(groups) = array.shape.len().checked_sub(strides.len()).filter(|groups| *groups > 0) else {
        return Ok(Naming::Padded(PaddedNames::innermost(array, Some(Padding::Length))));
    };
    let padded = |why| Ok(Naming::Padded(PaddedNames { why: Some(why), outer: groups, strides: strides.clone() }));
    let length = match array.shape[groups].factors() {
        Some([length]) => length.times(strides[0])?,
        _ => return padded(Padding::Length),
    };
    let Some(rest) = remainder(program, &length, elements) else { return padded(Padding::Remainder(length, elements)) };
    if rest != 0 && least(program, &length).is_none_or(|least| least < elements - 1) {
        return padded(Padding::Short(length, elements - 1));
    }
    let mut counts = Vec::new();
    for extent in &array.shape[1..groups] {
        let value = match extent {
            Extent::Known(count) => Expr::constant(*count),
            Extent::Size(factors) if factors.len() == 1 => factors[0].clone(),
            // Not looked at, where all rows start a line.
            Extent::Size(_) | Extent::Dynamic if rest == 0 => Expr::default(),
            Extent::Size(_) | Extent::Dynamic => return padded(Padding::Length),
        };
        let remainder = if rest == 0 { Some(0) } else { remainder(program, &value, elements) };
        let Some(rest) = remainder else { return padded(Padding::Count(value, elements)) };
        counts.push(RowCount { value, rest });
    }
    counts.push(RowCount { value: Expr::constant(1), rest: 1 });
    let lines = length.plus_constant(-rest)?.floor_div(elements)?;
    Ok(Naming::Exact(Exact { outer: 0, rows: Rows { lines, rest, counts }, offset: 0, strides }))
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
    fn before(&self, rows: &[Expr]) -> Result<Vec<(Vec<Constraint>, Vec<Expr>)>, Overflow> {
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

    /// Returns the line of an element of a row: one of this row, or the last one of the row before.
    fn cases(&self, outer: &[Expr], rows: &[Expr], element: &Expr, elements: i64) -> Result<Vec<Case>, Overflow> {
        let weights = self.weights()?;
        let start = address(0, &weights, rows)?;
        let line = start.plus(element)?.floor_div(elements)?;
        if self.rest == 0 {
            return Ok(vec![Case { conditions: Vec::new(), block: [outer, rows, &[line]].concat() }]);
        }
        let from_start = line.times(elements)?.minus(&start)?;
        let named = |rows: &[Expr], line: Expr| [outer, rows, &[line]].concat();
        let here = Constraint::non_negative(from_start.clone());
        let mut cases = vec![Case { conditions: vec![here], block: named(rows, line.clone()) }];
        let before = Constraint::non_negative(from_start.times(-1)?.plus_constant(-1)?);
        let mut line = line.plus(&self.lines)?;
        let (mut conditions, mut rows) = (vec![before], rows.to_vec());
        for dimension in (0..rows.len()).rev() {
            // The row before is the last one of the group before where this subscript is 0.
            let mut own = rows.clone();
            own[dimension] = own[dimension].plus_constant(-1)?;
            let mut later = conditions.clone();
            if dimension > 0 {
                later.push(Constraint::non_negative(rows[dimension].plus_constant(-1)?));
                conditions.push(Constraint::zero(rows[dimension].clone()));
            }
            cases.push(Case { conditions: later, block: named(&own, line.clone()) });
            if dimension > 0 {
                let RowCount { value, rest } = &self.counts[dimension - 1];
                rows[dimension] = value.plus_constant(-1)?;
                let more = value.plus_constant(-rest)?.times(weights[dimension])?;
                line = line.plus(&more.floor_div(elements)?)?;
            }
        }
        Ok(cases)
    }
}

/// Returns the remainder of an expression in the parameters, if the conditions of a program determine it.
pub fn remainder(program: &Program, expr: &Expr, modulus: i64) -> Option<i64> {
    if !(1..=ELEMENTS).contains(&modulus) {
        return None;
    }
    let mut sum = expr.constant_term().rem_euclid(modulus);
    for (atom, coefficient) in expr.terms() {
        let coefficient = coefficient.rem_euclid(modulus);
        // c·p is known modulo m if p is known modulo m / gcd(c, m).
        let needed = modulus / gcd(coefficient, modulus);
        let rest = if needed == 1 { 0 } else { known(program, atom, needed)? };
        sum = (sum + coefficient * rest).rem_euclid(modulus);
    }
    Some(sum)
}

/// Returns the remainder of a parameter if an equation states it: `p = 5`, `p − m·⌊(p + c)/m⌋ = d`, or such a one for a multiple
/// of the parameter.
fn known(program: &Program, atom: &Atom, modulus: i64) -> Option<i64> {
    let Atom::Param(_) = atom else { return None };
    let mut equations = program.context.iter().filter(|condition| condition.relation == Relation::Zero);
    let value = |equation: &Constraint| {
        let (own, others): (Vec<_>, Vec<_>) = equation.expr.terms().partition(|(other, _)| *other == atom);
        let [(_, own)] = own[..] else { return None };
        let others = others.iter().fold(0, |common, (_, coefficient)| gcd(common, *coefficient));
        // own·p + constant is a multiple of `others`; divided by what these have in common, own has an inverse.
        let common = gcd(own, others);
        let constant = equation.expr.constant_term();
        let whole = constant % common == 0 && (others / common) % modulus == 0;
        let (own, constant) = ((own / common).rem_euclid(modulus), (constant / common).rem_euclid(modulus));
        let solves = |value: &i64| (own * value + constant) % modulus == 0;
        let is_invertible = gcd(own, modulus) == 1;
        (whole && is_invertible).then(|| (0..modulus).find(solves)).flatten()
    };
    equations.find_map(value)
}

/// Returns a lower bound of an expression in the parameters, from the lower bounds of these.
fn least(program: &Program, expr: &Expr) -> Option<i64> {
    let bound = |atom: &Atom| {
        let of = |condition: &Constraint| {
            let mut terms = condition.expr.terms();
            let (own, coefficient) = terms.next()?;
            let alone = terms.next().is_none() && own == atom;
            let constant = condition.expr.constant_term();
            match condition.relation {
                // c·p + constant ≥ 0.
                Relation::NonNegative if alone && coefficient > 0 => {
                    Some(constant.div_euclid(coefficient).checked_neg()?)
                }
                Relation::Zero if alone && coefficient.abs() == 1 => constant.checked_mul(-coefficient),
                _ => None,
            }
        };
        program.context.iter().filter_map(of).max()
    };
    let mut least = expr.constant_term();
    for (atom, coefficient) in expr.terms() {
        least = least.checked_add(bound(atom).filter(|_| coefficient > 0)?.checked_mul(coefficient)?)?;
    }
    Some(least)
}
