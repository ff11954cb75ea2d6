//! The sizes that are written in digits, and the parameters that these are.

use std::collections::BTreeSet;

use crate::expr::{Atom, Constraint, Expr, Overflow, Relation};
use crate::ids::ParamId;
use crate::program::{Node, Param, Program};
use crate::radix::digits::RadixDigits;
use crate::radix::error::RadixError;
use crate::radix::radices::Radices;
use crate::radix::{SizeDigits, each_node};
use crate::rows::remainder;

/// The sizes in digits, and the parameters that these are.
pub(super) struct SizeParams {
    pub(super) sizes: Vec<SizeDigits>,
}

impl SizeParams {
    /// Finds the sizes that are compared with something in a radix.
    pub(super) fn of(program: &Program, radices: &Radices) -> Result<Self, RadixError> {
        let mut sizes = BTreeSet::new();
        let mut add = |expr: &Expr, tile: Option<ParamId>| {
            let Some(tile) = tile else { return };
            for (atom, _) in expr.terms() {
                if let Atom::Param(size) = atom
                    && *size != tile
                {
                    sizes.insert((*size, tile));
                }
            }
        };
        each_node(&program.body, &mut |node| {
            match node {
                Node::Loop(l) => {
                    let radix = radices.of_iter(l.iter);
                    l.lower.iter().chain(&l.upper).for_each(|bound| add(bound, radix));
                }
                Node::If(guard) => guard.condition.iter().for_each(|c| add(&c.expr, radices.of_expr(&c.expr))),
                Node::Access(id) => {
                    let access = program.access(*id);
                    let subscripts = access.subscripts.iter().enumerate();
                    subscripts.for_each(|(d, subscript)| add(subscript, radices.of_dimension(access.array, d)));
                }
                Node::Operations(_) | Node::Mark(_) => {}
            }
            Ok(())
        })?;
        let first = program.params.len();
        let mut rests = first + sizes.len()..;
        let digits = sizes.into_iter().zip(first..).map(|((size, tile), quotient)| {
            let is_multiple = program.multiples.contains(&(size, tile));
            let rest = if is_multiple { None } else { rests.next() };
            let param = |index: usize| ParamId(index as u32);
            SizeDigits { size, tile, quotient: param(quotient), rest: rest.map(param) }
        });
        Ok(Self { sizes: digits.collect() })
    }

    /// Returns the digits of a size.
    pub(super) fn digits(&self, size: ParamId, tile: ParamId) -> Option<RadixDigits> {
        let digits = self.sizes.iter().find(|known| known.size == size && known.tile == tile)?;
        let quotient = Expr::param(digits.quotient);
        Some(match digits.rest {
            Some(rest) => RadixDigits::size(quotient, Expr::param(rest)),
            None => RadixDigits::tiles(quotient),
        })
    }

    /// Returns a program without body, with the parameters of the digits: `1 ≤ s ≤ T`, and m ≥ 0 where the size is at
    /// least 1, or m ≥ 1 if it is a multiple of T.
    pub(super) fn program(&self, program: &Program) -> Result<Program, Overflow> {
        let mut program = Program { body: Vec::new(), accesses: Vec::new(), ..program.clone() };
        let quotients = self.sizes.iter().map(|digits| ("m", digits.size));
        let rests = self.sizes.iter().filter(|digits| digits.rest.is_some()).map(|digits| ("s", digits.size));
        for (prefix, size) in quotients.chain(rests) {
            let name = program.fresh_name(prefix, &program.params[size.index()].name);
            program.params.push(Param::named(name));
        }
        let is_positive = |size: ParamId| {
            program.context.iter().any(|condition| {
                let rest = condition.expr.minus(&Expr::param(size)).ok().and_then(|rest| rest.as_constant());
                condition.relation == Relation::NonNegative && rest.is_some_and(|rest| rest < 0)
            })
        };
        let mut conditions = Vec::new();
        for SizeDigits { size, tile, quotient, rest } in &self.sizes {
            let least = if rest.is_some() { 0 } else { 1 };
            if is_positive(*size) {
                conditions.push(Expr::param(*quotient).plus_constant(-least)?);
            }
            if let Some(rest) = rest.map(Expr::param) {
                conditions.push(rest.plus_constant(-1)?);
                conditions.push(Expr::param(*tile).minus(&rest)?);
            }
        }
        let remainders = self.sizes.iter().filter_map(|digits| remainders(&program, digits)).flatten();
        let conditions: Vec<_> = remainders.chain(conditions.into_iter().map(Constraint::non_negative)).collect();
        program.assume(conditions);
        Ok(program)
    }
}

/// Returns what the remainders of a size say of its rest: if k divides T, n mod k is s mod k.
fn remainders(program: &Program, digits: &SizeDigits) -> Option<Vec<Constraint>> {
    let (size, rest) = (Expr::param(digits.size), Expr::param(digits.rest?));
    let of_rest = |condition: &Constraint| {
        let others = condition.expr.minus(&size).ok()?;
        let mut terms = others.terms();
        let (Some((Atom::Floor(numerator, modulus), factor)), None) = (terms.next(), terms.next()) else { return None };
        let is_remainder = factor == -modulus && numerator.minus(&size).ok()?.as_constant().is_some();
        let divides = remainder(program, &Expr::param(digits.tile), *modulus) == Some(0);
        let value = |atom: &Atom| (*atom == Atom::Param(digits.size)).then(|| Ok(rest.clone()));
        let expr = condition.expr.replace(&value).ok()?;
        (is_remainder && divides).then_some(Constraint { expr, relation: condition.relation })
    };
    let equations = program.context.iter().filter(|condition| condition.relation == Relation::Zero);
    Some(equations.filter_map(of_rest).collect())
}
