//! Line coordinates: a program in which cache lines need no floors (docs/mathematics.md, "Reuse
//! distances").
//!
//! An iterator x that stands in a last subscript is written
//!
//! ```text
//! x = B·u + r + o,    0 ≤ r < B
//! ```
//!
//! with B elements per line and an offset o in the parameters, and its loop becomes two: over the lines u and, inside,
//! over the places r in a line. The order of the accesses stays the same, and with it everything about their locality;
//! the accesses keep their numbers. A line's index ⌊(x + c)/B⌋ is now `u + ⌊(r + c)/B⌋`, which has only a few values,
//! so it is given case by case, without floors.
//!
//! Loops with a step stay as they are.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{Atom, Constraint, Expr, Overflow};
use crate::ids::{AccessId, ArrayId, IterId};
use crate::layout::{Layout, LayoutError, Line};
use crate::program::{Access, Iter, Loop, LoopStep, Node, Program};
use crate::rows::{Case, Purpose};

/// The most values that a line's index takes relative to u before it is left as a floor.
const CASES: i64 = 4;

/// Names the lines of an access of a program.
type NameLines = fn(Layout, &Program, &Access, Line, Purpose) -> Result<Vec<Case>, LayoutError>;

/// A program in line coordinates.
#[derive(Clone, Debug)]
pub struct LineCoordinates {
    /// The program. Its accesses are those of the original one, in the same order.
    pub program: Program,
    /// The form of each iterator that stands in a last subscript.
    pub splits: BTreeMap<IterId, Split>,
    /// The places r, each with the number of places in a line, B: `0 ≤ r < B`.
    pub places: BTreeMap<IterId, i64>,
    layout: Layout,
    line: Line,
    /// The purpose of the names of lines, by array.
    purposes: Vec<Purpose>,
}

/// The form of one iterator: `x = size·u + r + offset`.
#[derive(Clone, Debug)]
pub struct Split {
    /// The elements of a line, B.
    pub size: i64,
    /// An offset in the parameters.
    pub offset: Expr,
    /// The line u.
    pub line: IterId,
    /// The place r in it.
    pub place: IterId,
}

impl Split {
    fn value(&self) -> Result<Expr, Overflow> {
        self.offset.add_scaled(&Expr::iter(self.line), self.size)?.plus(&Expr::iter(self.place))
    }
}

impl LineCoordinates {
    /// Writes a program in line coordinates.
    ///
    /// # Errors
    ///
    /// [`LayoutError`] if an array has no blocks, or a coefficient leaves 64 bits.
    pub fn new(program: &Program, layout: Layout, line: Line) -> Result<Self, LayoutError> {
        let purposes = purposes(program, line)?;
        let mut rewriter = Rewriter { program: program.clone(), splits: BTreeMap::new() };
        rewriter.choose(layout, line, &purposes)?;
        let body = rewriter.body(&program.body)?;
        let in_lines = |access: &Access| access.mapped(&|e| rewriter.expr(e));
        let accesses = program.accesses.iter().map(in_lines).collect::<Result<_, _>>()?;
        let places = rewriter.splits.values().map(|split| (split.place, split.size)).collect();
        let program = Program { body, accesses, ..rewriter.program };
        Ok(Self { program, splits: rewriter.splits, places, layout, line, purposes })
    }

    /// Returns the lines that an access touches, case by case.
    ///
    /// # Errors
    ///
    /// [`LayoutError::Overflow`] if a coefficient leaves 64 bits.
    pub fn blocks(&self, access: AccessId) -> Result<Vec<Case>, LayoutError> {
        self.cases(access, Layout::lines)
    }

    /// Returns names of the lines that an access touches, in fewer cases; some lines may have two, if the array has
    /// [aliases](Self::aliases).
    ///
    /// # Errors
    ///
    /// [`LayoutError::Overflow`] if a coefficient leaves 64 bits.
    pub fn names(&self, access: AccessId) -> Result<Vec<Case>, LayoutError> {
        self.cases(access, Layout::names)
    }

    /// Returns the other names that some lines of an array have, case by case: of the line whose coordinates are the
    /// iterators 0, 1, …
    ///
    /// # Errors
    ///
    /// [`LayoutError::Overflow`] if a coefficient leaves 64 bits.
    pub fn aliases(&self, array: ArrayId) -> Result<Vec<Case>, LayoutError> {
        let Self { program, layout, line, purposes, .. } = self;
        layout.aliases(program, program.array(array), *line, purposes[array.index()])
    }

    fn cases(&self, access: AccessId, otherwise: NameLines) -> Result<Vec<Case>, LayoutError> {
        let mut cases = Vec::new();
        for (conditions, access) in self.program.access(access).in_cases() {
            cases.extend(self.own_cases(&access, otherwise)?.into_iter().map(|case| case.under(conditions)));
        }
        Ok(cases)
    }

    /// Returns the lines that an access touches where it has these subscripts: by its last subscript, or as `otherwise` names
    /// them.
    fn own_cases(&self, access: &Access, otherwise: NameLines) -> Result<Vec<Case>, LayoutError> {
        let purpose = self.purposes[access.array.index()];
        let Some(last) = &self.layout.along_rows(&self.program, access, self.line, purpose)? else {
            return otherwise(self.layout, &self.program, access, self.line, purpose);
        };
        let address = self.layout.coordinates(&self.program, access)?;
        let outer = &address[..address.len() - 1];
        let size = self.line.elements(self.program.array(access.array))?;
        let case = |(conditions, last)| Case { conditions, block: [outer, &[last]].concat() };
        Ok(self.quotients(last, size)?.into_iter().map(case).collect())
    }

    /// ⌊expression / size⌋, case by case.
    fn quotients(&self, expression: &Expr, size: i64) -> Result<Vec<(Vec<Constraint>, Expr)>, Overflow> {
        let (whole, rest) = expression.div_rem(size)?;
        let whole_floor = |rest: &Expr| whole.plus(&rest.floor_div(size)?);
        let Some((low, high)) = self.range(&rest) else {
            return Ok(vec![(Vec::new(), whole_floor(&rest)?)]);
        };
        let (low, high) = (low.div_euclid(size), high.div_euclid(size));
        if high - low >= CASES {
            return Ok(vec![(Vec::new(), whole_floor(&rest)?)]);
        }
        let mut cases = Vec::new();
        for quotient in low..=high {
            let from_start = rest.plus_constant(-size * quotient)?;
            let to_end = from_start.times(-1)?.plus_constant(size - 1)?;
            let mut conditions = Vec::new();
            if quotient > low {
                conditions.push(Constraint::non_negative(from_start));
            }
            if quotient < high {
                conditions.push(Constraint::non_negative(to_end));
            }
            cases.push((conditions, whole.plus_constant(quotient)?));
        }
        Ok(cases)
    }

    /// Returns the least and the greatest value of an expression in places alone.
    fn range(&self, expression: &Expr) -> Option<(i64, i64)> {
        let (mut low, mut high) = (expression.constant_term(), expression.constant_term());
        for (atom, coefficient) in expression.terms() {
            let Atom::Iter(iter) = atom else { return None };
            let reach = coefficient.checked_mul(self.places.get(iter)? - 1)?;
            low = low.checked_add(reach.min(0))?;
            high = high.checked_add(reach.max(0))?;
        }
        Some((low, high))
    }
}

struct Rewriter {
    program: Program,
    splits: BTreeMap<IterId, Split>,
}

impl Rewriter {
    /// Decides which iterators are split, and how: for lines of the size that most of their accesses have, with the
    /// offset of the first of these.
    fn choose(&mut self, layout: Layout, line: Line, purposes: &[Purpose]) -> Result<(), LayoutError> {
        let mut steps_of_one = BTreeSet::new();
        loops(&self.program.body, &mut |l| {
            if l.step == LoopStep::Known(1) {
                steps_of_one.insert(l.iter);
            }
        });
        let mut uses: BTreeMap<IterId, Vec<(i64, Expr)>> = BTreeMap::new();
        for access in &self.program.accesses {
            let size = line.elements(self.program.array(access.array))?;
            let purpose = purposes[access.array.index()];
            let Some(last) = layout.along_rows(&self.program, access, line, purpose)? else { continue };
            let (_, rest) = last.div_rem(size)?;
            for (atom, coefficient) in rest.terms() {
                if let Atom::Iter(iter) = atom
                    && steps_of_one.contains(iter)
                {
                    uses.entry(*iter).or_default().push((size, offset(&rest, coefficient)?));
                }
            }
        }
        for (iter, uses) in uses {
            let frequency = |size: i64| uses.iter().filter(|(other, _)| *other == size).count();
            let sizes = uses.iter().map(|(size, _)| *size);
            let Some(size) = sizes.max_by_key(|size| (frequency(*size), *size)) else { continue };
            let offset = uses.iter().find(|(other, _)| *other == size).map(|(_, offset)| offset.clone());
            let name = self.program.iters[iter.index()].name.clone();
            let (line, place) = (self.fresh("u", &name), self.fresh("r", &name));
            self.splits.insert(iter, Split { size, offset: offset.unwrap_or_default(), line, place });
        }
        Ok(())
    }

    fn fresh(&mut self, prefix: &str, name: &str) -> IterId {
        let name = self.program.fresh_name(prefix, name);
        self.program.iters.push(Iter::named(name));
        IterId(self.program.iters.len() as u32 - 1)
    }

    fn expr(&self, expression: &Expr) -> Result<Expr, Overflow> {
        expression.substitute(&|iter| self.splits.get(&iter).map(Split::value))
    }

    fn exprs(&self, expressions: &[Expr]) -> Result<Vec<Expr>, Overflow> {
        expressions.iter().map(|e| self.expr(e)).collect()
    }

    fn body(&self, nodes: &[Node]) -> Result<Vec<Node>, Overflow> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    fn node(&self, node: &Node) -> Result<Node, Overflow> {
        Ok(match node {
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => node.clone(),
            Node::If(guard) => {
                let mut guard = guard.clone();
                for condition in &mut guard.condition {
                    condition.expr = self.expr(&condition.expr)?;
                }
                guard.then = self.body(&guard.then)?;
                guard.otherwise = self.body(&guard.otherwise)?;
                Node::If(guard)
            }
            Node::Loop(l) => Node::Loop(self.split_loop(l)?),
        })
    }

    /// One loop, or two: over the lines, and over the places in each.
    fn split_loop(&self, l: &Loop) -> Result<Loop, Overflow> {
        let (lower, upper, body) = (self.exprs(&l.lower)?, self.exprs(&l.upper)?, self.body(&l.body)?);
        let Some(split) = self.splits.get(&l.iter) else {
            return Ok(Loop { lower, upper, body, ..l.clone() });
        };
        let line = Expr::iter(split.line);
        // B·u + r + o ≥ lower  for some r < B:  u ≥ ⌈(lower − o − (B − 1))/B⌉.
        let first = |e: &Expr| e.minus(&split.offset)?.plus_constant(1 - split.size)?.ceil_div(split.size);
        let end = |e: &Expr| e.minus(&split.offset)?.ceil_div(split.size);
        let in_line = |e: &Expr| e.minus(&split.offset)?.add_scaled(&line, -split.size);
        let lower_place = lower.iter().map(in_line).chain([Ok(Expr::constant(0))]).collect::<Result<_, _>>()?;
        let upper_place =
            upper.iter().map(in_line).chain([Ok(Expr::constant(split.size))]).collect::<Result<_, _>>()?;
        let places = Loop { iter: split.place, lower: lower_place, upper: upper_place, step: LoopStep::Known(1), body };
        Ok(Loop {
            iter: split.line,
            lower: lower.iter().map(first).collect::<Result<_, _>>()?,
            upper: upper.iter().map(end).collect::<Result<_, _>>()?,
            step: LoopStep::Known(1),
            body: vec![Node::Loop(places)],
        })
    }
}

/// Decides how the lines of each array are named: by address, which makes the fewest cases, where all of its accesses
/// go through memory line by line; else row by row, so that columns are sets of lines in different rows.
fn purposes(program: &Program, line: Line) -> Result<Vec<Purpose>, LayoutError> {
    let mut purposes = vec![Purpose::FewCases; program.arrays.len()];
    let mut error = None;
    accesses(&program.body, None, &mut |access, innermost| {
        let access = program.access(access);
        match line.elements_at(program, access) {
            Ok(elements) if innermost.is_none_or(|l| moves_less(program, access, l, elements)) => {}
            Ok(_) => purposes[access.array.index()] = Purpose::RowsApart,
            Err(other) => error = Some(other),
        }
    });
    error.map_or(Ok(purposes), Err)
}

/// Returns true if an access is known to move by less than `elements` elements from one iteration of a loop to the
/// next.
fn moves_less(program: &Program, access: &Access, l: &Loop, elements: i64) -> bool {
    let moves = || -> Option<i64> {
        let strides = &program.array(access.array).strides.as_ref()?.strides;
        let mut sum: i64 = 0;
        for (subscript, stride) in access.subscripts.iter().zip(strides) {
            for (atom, coefficient) in subscript.terms() {
                match atom {
                    Atom::Iter(iter) if *iter == l.iter => sum = sum.checked_add(coefficient.checked_mul(*stride)?)?,
                    other if Expr::atom(other.clone()).mentions(&|atom| *atom == Atom::Iter(l.iter)) => return None,
                    _ => {}
                }
            }
        }
        sum.checked_mul(l.step.constant()?)?.checked_abs()
    };
    moves().is_some_and(|moves| moves < elements)
}

/// Calls `visit` with every access and the innermost loop around it.
fn accesses<'p>(nodes: &'p [Node], innermost: Option<&'p Loop>, visit: &mut dyn FnMut(AccessId, Option<&'p Loop>)) {
    for node in nodes {
        match node {
            Node::Access(access) => visit(*access, innermost),
            Node::Operations(_) | Node::Mark(_) => {}
            Node::Loop(l) => accesses(&l.body, Some(l), visit),
            Node::If(guard) => {
                accesses(&guard.then, innermost, visit);
                accesses(&guard.otherwise, innermost, visit);
            }
        }
    }
}

/// Returns the offset that removes the parameters from `±x + e`.
fn offset(rest: &Expr, coefficient: i64) -> Result<Expr, Overflow> {
    let mut offset = Expr::constant(0);
    let sign = match coefficient {
        1 => 1,
        -1 => -1,
        _ => return Ok(offset),
    };
    for (atom, c) in rest.terms().filter(|(atom, _)| matches!(atom, Atom::Param(_))) {
        offset = offset.add_scaled(&Expr::atom(atom.clone()), c.checked_mul(-sign).ok_or(Overflow)?)?;
    }
    Ok(offset)
}

/// Calls `visit` with every loop, outer ones first.
pub fn loops(nodes: &[Node], visit: &mut dyn FnMut(&Loop)) {
    for node in nodes {
        match node {
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => {}
            Node::Loop(l) => {
                visit(l);
                loops(&l.body, visit);
            }
            Node::If(guard) => {
                loops(&guard.then, visit);
                loops(&guard.otherwise, visit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::ProgramBuilder;

    #[test]
    fn neighbours_are_in_the_line_or_in_the_next() {
        let mut b = ProgramBuilder::new("neighbours");
        let n = b.param("n");
        let x = b.array("x", 8, 1);
        b.for_("i", 0, n, |b, i| {
            b.read(x, [i]);
            b.read(x, [Expr::iter(i).plus_constant(1).unwrap()]);
            b.read(x, [Expr::param(n).minus(&Expr::iter(i)).unwrap()]);
        });
        let lines = LineCoordinates::new(&b.build(), Layout::Rows, Line::Bytes(64)).unwrap();
        let shown = |access: u32| {
            let program = &lines.program;
            let case = |case: Case| (program.show_conjunction(&case.conditions), program.show(&case.block[0]));
            lines.blocks(AccessId(access)).unwrap().into_iter().map(case).collect::<Vec<_>>()
        };
        let text =
            |cases: &[(&str, &str)]| cases.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect::<Vec<_>>();
        assert_eq!(shown(0), text(&[("true", "u_i")]));
        assert_eq!(shown(1), text(&[("-r_i + 6 >= 0", "u_i"), ("r_i - 7 >= 0", "u_i + 1")]));
        // i = 8u + r: n − i lies in lines that depend on n mod 8.
        assert_eq!(shown(2), text(&[("true", "-u_i + floor((n - r_i)/8)")]));
        assert!(lines.program.to_string().contains("for r_i = max(-8*u_i, 0) to min(n - 8*u_i, 8)"));
    }

    #[test]
    fn the_offset_rids_subscripts_of_parameters() {
        let mut b = ProgramBuilder::new("backwards");
        let n = b.param("n");
        let x = b.array("x", 8, 1);
        b.for_("i", 0, n, |b, i| {
            b.read(x, [Expr::param(n).minus(&Expr::iter(i)).unwrap()]);
        });
        let lines = LineCoordinates::new(&b.build(), Layout::Rows, Line::Bytes(64)).unwrap();
        let cases = lines.blocks(AccessId(0)).unwrap();
        let blocks: Vec<_> = cases.iter().map(|case| lines.program.show(&case.block[0])).collect();
        assert_eq!(blocks, ["-u_i - 1", "-u_i"]);
    }
}
