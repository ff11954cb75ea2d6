//! Moduli: by what a program divides its parameters.
//!
//! A loop to n in steps of d, a bound ⌊(n + …)/d⌋ and lines of d elements along a loop to n lead to formulas that are
//! different for each rest of n modulo d. Several such d of one parameter count by their least common multiple. It is
//! what makes a derivation long, and what a condition `n mod d = 0` takes away.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{Atom, Constraint, Expr, Relation, gcd};
use crate::ids::{AccessId, IterId, ParamId};
use crate::program::{Loop, Node, Program};

/// A divisor of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modulus {
    /// The parameter.
    pub param: ParamId,
    /// The least common multiple of the divisors, at least 2.
    pub modulus: i64,
    /// The loops whose bounds, steps or guards divide it; none if only blocks do.
    pub loops: BTreeSet<IterId>,
}

/// Returns the divisors of parameters whose remainders no assumption gives; `blocks` are the coordinates of an access's
/// block. A least common multiple that leaves 64 bits is left out.
pub fn moduli(program: &Program, blocks: impl Fn(AccessId) -> Vec<Expr>) -> Vec<Modulus> {
    let mut divisors = Divisors { blocks, extents: BTreeMap::new(), found: BTreeMap::new() };
    divisors.nodes(&program.body);
    let is_given = |param| program.context.iter().any(|condition| gives_rest(condition, param));
    let found = divisors.found.into_iter().filter(|(param, _)| !is_given(*param));
    found.filter_map(|(param, (modulus, loops))| Some(Modulus { param, modulus: modulus?, loops })).collect()
}

/// Returns true if this is an equation with a quotient of the parameter.
fn gives_rest(condition: &Constraint, param: ParamId) -> bool {
    let in_floor = |atom: &Atom| match atom {
        Atom::Floor(numerator, _) => numerator.mentions(&|atom| *atom == Atom::Param(param)),
        Atom::Param(_) | Atom::Iter(_) => false,
    };
    condition.relation == Relation::Zero && condition.expr.mentions(&in_floor)
}

struct Divisors<F> {
    blocks: F,
    /// The parameters that the bounds of a loop depend on, by themselves or through the loops around it.
    extents: BTreeMap<IterId, BTreeSet<ParamId>>,
    found: BTreeMap<ParamId, (Option<i64>, BTreeSet<IterId>)>,
}

impl<F: Fn(AccessId) -> Vec<Expr>> Divisors<F> {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Loop(l) => self.loop_(l),
                Node::If(guard) => {
                    for condition in &guard.condition {
                        let loops = iterators(&condition.expr);
                        self.floors(&condition.expr, 1, &loops);
                    }
                    self.nodes(&guard.then);
                    self.nodes(&guard.otherwise);
                }
                Node::Access(access) => {
                    let blocks = (self.blocks)(*access);
                    blocks.iter().for_each(|block| self.floors(block, 1, &BTreeSet::new()));
                }
                Node::Operations(_) | Node::Mark(_) => {}
            }
        }
    }

    fn loop_(&mut self, l: &Loop) {
        let loops = BTreeSet::from([l.iter]);
        let bounds = l.lower.iter().chain(&l.upper);
        // Steps of symbolic size divide nothing: a size has one pair of digits.
        let step = l.step.constant().unwrap_or(1);
        bounds.clone().for_each(|bound| self.floors(bound, step, &loops));
        let extent: BTreeSet<ParamId> = bounds.flat_map(|bound| self.params(bound)).collect();
        self.divide(&extent, step, &loops);
        self.extents.insert(l.iter, extent);
        self.nodes(&l.body);
    }

    /// Takes the quotients in an expression that is itself divided by `divisor`.
    fn floors(&mut self, expression: &Expr, divisor: i64, loops: &BTreeSet<IterId>) {
        for (atom, _) in expression.terms() {
            let Atom::Floor(numerator, by) = atom else { continue };
            let divisor = divisor.saturating_mul(*by);
            let params = self.params(numerator);
            self.divide(&params, divisor, loops);
            self.floors(numerator, divisor, loops);
        }
    }

    fn divide(&mut self, params: &BTreeSet<ParamId>, divisor: i64, loops: &BTreeSet<IterId>) {
        if divisor == 1 {
            return;
        }
        for param in params {
            let (modulus, of) = self.found.entry(*param).or_insert((Some(1), BTreeSet::new()));
            *modulus = modulus.and_then(|modulus| (modulus / gcd(modulus, divisor)).checked_mul(divisor));
            of.extend(loops);
        }
    }

    /// Returns the parameters in an expression, and those that its iterators depend on.
    fn params(&self, expression: &Expr) -> BTreeSet<ParamId> {
        let mut params = BTreeSet::new();
        expression.each_atom(&mut |atom| match atom {
            Atom::Param(param) => _ = params.insert(*param),
            Atom::Iter(iter) => params.extend(self.extents.get(iter).into_iter().flatten()),
            Atom::Floor(..) => {}
        });
        params
    }
}

fn iterators(expression: &Expr) -> BTreeSet<IterId> {
    let mut iterators = BTreeSet::new();
    expression.each_atom(&mut |atom| {
        if let Atom::Iter(iter) = atom {
            iterators.insert(*iter);
        }
    });
    iterators
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::ProgramBuilder;
    use crate::{Layout, Line, parse_assumptions};

    /// `for t = 0 to ⌈n/32⌉: for i = 32·t to min(n, 32·t + 32) step 3: A[i]; for k = 0 to m: B[t]`, lines of 8 elements
    fn tiled() -> Program {
        let mut b = ProgramBuilder::new("tiled");
        let (n, m) = (b.param("n"), b.param("m"));
        let (x, y) = (b.array("A", 8, 1), b.array("B", 8, 1));
        let n = Expr::param(n);
        b.for_("t", Expr::constant(0), n.ceil_div(32).unwrap(), |b, t| {
            let start = Expr::iter(t).times(32).unwrap();
            let end = start.plus_constant(32).unwrap();
            b.for_step("i", start, vec![n, end], 3, |b, i| _ = b.read(x, [Expr::iter(i)]));
            b.for_("k", Expr::constant(0), Expr::param(m), |b, _| _ = b.read(y, [Expr::iter(t)]));
        });
        b.build()
    }

    fn found(program: &Program, line: Line) -> Vec<(&str, i64, Vec<&str>)> {
        let blocks = |access| Layout::Rows.block(program, program.access(access), line).unwrap();
        let found = moduli(program, blocks).into_iter().map(|Modulus { param, modulus, loops }| {
            let loops = loops.iter().map(|l| program.iters[l.index()].name.as_str()).collect();
            (program.params[param.index()].name.as_str(), modulus, loops)
        });
        found.collect()
    }

    #[test]
    fn tiles_steps_and_lines_divide() {
        let program = tiled();
        assert_eq!(found(&program, Line::Element), [("n", 96, vec!["t", "i"])]);
        assert_eq!(found(&program, Line::Bytes(72)), [("n", 288, vec!["t", "i"])]);
    }

    #[test]
    fn what_an_assumption_gives_is_left_out() {
        let mut program = tiled();
        program.assume(parse_assumptions("n mod 96 = 5, m mod 2 = 0", &program.params, &[]).unwrap().constraints);
        assert_eq!(found(&program, Line::Element), []);
    }
}
