//! Sizes at which every access stays within the declared extents of its array and every loop is entered, for hints that propose sizes.
//!
//! The bounds of iterators and subscripts are those of interval arithmetic at numbers.

use std::collections::BTreeMap;

use symloc_affine::{AccessId, Atom, Constraint, Expr, IterId, Node, ParamId, Program, Relation};
use symloc_derivation::check::allows;

/// The numbers to try, largest first. Small moduli divide the first ones.
const NUMBERS: [i64; 16] = [960, 480, 240, 192, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 2, 1];

/// The most numbers below one of these that are looked at for the remainders that conditions ask for.
const BELOW: i64 = 64;

/// The least and the largest value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) least: i128,
    pub(crate) largest: i128,
}

impl Span {
    fn of(number: i64) -> Self {
        Self { least: number.into(), largest: number.into() }
    }
}

/// Returns sizes for `free` parameters, each as large as the conditions on sizes and the extents of arrays allow; `known` has the
/// values of the others. `None` if no sizes are known to fit.
pub(crate) fn sizes(
    program: &Program,
    free: &[ParamId],
    known: &BTreeMap<ParamId, Span>,
) -> Option<BTreeMap<ParamId, i64>> {
    let fits = |sizes: &BTreeMap<ParamId, i64>| {
        let own = sizes.iter().map(|(param, size)| (*param, Span::of(*size)));
        Spans { params: known.iter().map(|(param, span)| (*param, *span)).chain(own).collect(), iters: BTreeMap::new() }
            .fits(program)
    };
    let all = |number: i64| free.iter().map(|param| (*param, number)).collect();
    let near = |number: i64| free.iter().map(|param| (*param, allowed(program, *param, number))).collect();
    let mut sizes: BTreeMap<ParamId, i64> = NUMBERS.map(all).into_iter().chain(NUMBERS.map(near)).find(fits)?;
    for param in free {
        let larger = NUMBERS.iter().take_while(|number| **number > sizes[param]);
        let with = |number: &i64| sizes.iter().map(|(p, s)| (*p, if p == param { *number } else { *s })).collect();
        if let Some(better) = larger.map(with).find(fits) {
            sizes = better;
        }
    }
    Some(sizes)
}

/// Returns the largest number up to a given one that the conditions on one parameter allow it; the given one if there is none
/// close below.
fn allowed(program: &Program, param: ParamId, number: i64) -> i64 {
    let mut down = (0..BELOW).map(|step| number - step);
    down.find(|value| allows(program, param.index(), *value)).unwrap_or(number)
}

/// The values of parameters and iterators.
#[derive(Clone, Debug)]
struct Spans {
    params: BTreeMap<ParamId, Span>,
    iters: BTreeMap<IterId, Span>,
}

impl Spans {
    /// Returns true if the context may hold, all loops may have iterations, and no subscript is known to leave a declared extent.
    fn fits(&mut self, program: &Program) -> bool {
        program.context.iter().all(|condition| self.may_hold(condition)) && self.nodes_fit(program, &program.body)
    }

    fn nodes_fit(&mut self, program: &Program, nodes: &[Node]) -> bool {
        nodes.iter().all(|node| match node {
            Node::Loop(l) => {
                let lower = l.lower.iter().filter_map(|bound| Some(self.of(bound)?.least)).max();
                let upper = l.upper.iter().filter_map(|bound| Some(self.of(bound)?.largest)).min();
                let Some((least, end)) = lower.zip(upper) else { return true };
                // At such a size less is derived than at others.
                if end <= least {
                    return false;
                }
                self.iters.insert(l.iter, Span { least, largest: end - 1 });
                self.nodes_fit(program, &l.body)
            }
            Node::If(guard) => {
                let then = !guard.condition.iter().all(|c| self.may_hold(c)) || self.nodes_fit(program, &guard.then);
                then && self.nodes_fit(program, &guard.otherwise)
            }
            Node::Access(id) => self.access_fits(program, *id),
            Node::Operations(_) | Node::Mark(_) => true,
        })
    }

    fn access_fits(&self, program: &Program, id: AccessId) -> bool {
        let access = program.access(id);
        let shape = &program.array(access.array).shape;
        let pairs = access.subscripts.iter().zip(shape).filter(|_| access.subscripts.len() == shape.len());
        let ends = pairs.filter_map(|(subscript, extent)| Some((self.of(subscript)?.largest, extent.constant()?)));
        { ends }.all(|(largest, extent)| largest < i128::from(extent))
    }

    fn may_hold(&self, condition: &Constraint) -> bool {
        let Some(span) = self.of(&condition.expr) else { return true };
        match condition.relation {
            Relation::NonNegative => span.largest >= 0,
            Relation::Zero => span.least <= 0 && span.largest >= 0,
        }
    }

    /// Returns the values of an expression; `None` if one of its atoms has none.
    fn of(&self, expr: &Expr) -> Option<Span> {
        let mut sum = Span::of(expr.constant_term());
        for (atom, coefficient) in expr.terms() {
            let span = match atom {
                Atom::Param(param) => *self.params.get(param)?,
                Atom::Iter(iter) => *self.iters.get(iter)?,
                Atom::Floor(numerator, divisor) => {
                    let (span, divisor) = (self.of(numerator)?, i128::from(*divisor));
                    Span { least: span.least.div_euclid(divisor), largest: span.largest.div_euclid(divisor) }
                }
            };
            let ends = [span.least, span.largest].map(|end| end.checked_mul(coefficient.into()));
            let [a, b] = [ends[0]?, ends[1]?];
            sum.least = sum.least.checked_add(a.min(b))?;
            sum.largest = sum.largest.checked_add(a.max(b))?;
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use symloc_affine::builder::ProgramBuilder;

    use super::*;

    #[test]
    fn an_expression_with_a_floor_at_a_number() {
        let n = Expr::param(ParamId(0));
        let spans = Spans { params: BTreeMap::from([(ParamId(0), Span::of(14))]), iters: BTreeMap::new() };
        assert_eq!(spans.of(&n.modulo(4).unwrap()), Some(Span::of(2)));
        assert_eq!(spans.of(&Expr::iter(IterId(0))), None);
    }

    #[test]
    fn sizes_have_the_remainders_that_conditions_ask_for() {
        let mut builder = ProgramBuilder::new("remainders");
        let [n, m] = ["n", "m"].map(|name| Expr::param(builder.param(name)));
        let mut program = builder.build();
        let remainder = |size: &Expr, divisor, rest| Constraint::equal(&size.modulo(divisor).unwrap(), rest).unwrap();
        program.context = vec![remainder(&n, 8, 6), remainder(&m, 7, 3)];
        let free = [ParamId(0), ParamId(1)];
        let sizes = sizes(&program, &free, &BTreeMap::new()).unwrap();
        assert_eq!(free.map(|param| sizes[&param]), [958, 955]);
    }
}
