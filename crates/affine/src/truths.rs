//! Truth values: parameters that are 1 where a condition on the sizes holds, and 0 elsewhere (docs/mathematics.md,
//! "Truth values").
//!
//! A flag that nothing but conditions like `f = 1` asks about makes two cases of whatever is counted, and fifteen flags
//! make 2¹⁵. With a parameter g that is 1 where f = 1, and else 0, what stands under the condition makes g times as
//! many accesses, which is one polynomial.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{Atom, Constraint, Expr, Overflow};
use crate::ids::ParamId;
use crate::program::{Extent, If, Loop, Node, Param, Program};
use crate::question::Test;

/// A program that asks for truth values where another one compares parameters.
#[derive(Clone, Debug)]
pub struct TruthValues {
    /// The program. Its parameters are those of the original one, then one truth value for each of the conditions.
    pub program: Program,
    /// The condition under which each truth value is 1, in the parameters of the original program.
    pub conditions: Vec<Constraint>,
}

impl TruthValues {
    /// Adds a truth value for each parameter that the program uses only in a single test, and replaces these tests.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn new(program: &Program) -> Result<Self, Overflow> {
        let mut truths = Self { program: program.clone(), conditions: Vec::new() };
        let mut values = BTreeMap::new();
        for (param, test) in ParamUses::of(program).tests() {
            let name = program.fresh_name("is", &program.params[param.index()].name);
            let value = ParamId(truths.program.params.len() as u32);
            truths.program.params.push(Param::named(name));
            truths.program.context.extend(zero_or_one(value)?);
            truths.conditions.push(test.condition(param)?);
            values.insert(param, value);
        }
        if !values.is_empty() {
            truths.program.body = replaced(&program.body, &values)?;
        }
        Ok(truths)
    }
}

/// Returns the parameters that a program uses only in a single test.
pub fn asked(program: &Program) -> BTreeSet<ParamId> {
    ParamUses::of(program).tests().map(|(param, _)| param).collect()
}

/// Returns the constraints `0 ≤ g ≤ 1`.
fn zero_or_one(param: ParamId) -> Result<[Constraint; 2], Overflow> {
    let value = Expr::param(param);
    Ok([Constraint::non_negative(value.clone()), Constraint::non_negative(value.times(-1)?.plus_constant(1)?)])
}

/// The uses of a program's parameters.
#[derive(Debug, Default)]
struct ParamUses(BTreeMap<ParamId, Use>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// All that is asked of it.
    Asked(Test),
    /// Something else, or more.
    Else,
}

impl ParamUses {
    /// Returns the parameters of which one thing is asked, and nothing else.
    fn tests(&self) -> impl Iterator<Item = (ParamId, Test)> {
        self.0.iter().filter_map(|(param, used)| match used {
            Use::Asked(test) => Some((*param, *test)),
            Use::Else => None,
        })
    }

    fn of(program: &Program) -> Self {
        let mut uses = Self::default();
        uses.program(program);
        uses
    }

    fn program(&mut self, program: &Program) {
        // A bound of one parameter asks nothing of it; its value, if the context tells that, needs no cases.
        let is_bound = |condition: &Constraint| matches!(Test::of(condition), Some((_, Test::AtLeast(_), _)));
        program
            .context
            .iter()
            .filter(|condition| !is_bound(condition))
            .for_each(|condition| self.expr(&condition.expr));
        program.multiples.iter().flat_map(|(size, line)| [size, line]).for_each(|param| self.mark(*param, Use::Else));
        for factor in program.arrays.iter().flat_map(|array| &array.shape).filter_map(Extent::factors).flatten() {
            self.expr(factor);
        }
        program.accesses.iter().flat_map(|access| &access.subscripts).for_each(|subscript| self.expr(subscript));
        self.body(&program.body);
    }

    fn body(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Access(_) | Node::Operations(_) | Node::Mark(_) => {}
                Node::Loop(l) => {
                    l.lower.iter().chain(&l.upper).for_each(|bound| self.expr(bound));
                    l.step.size().into_iter().for_each(|size| self.mark(size, Use::Else));
                    self.body(&l.body);
                }
                Node::If(guard) => {
                    guard.condition.iter().for_each(|condition| self.condition(condition));
                    self.body(&guard.then);
                    self.body(&guard.otherwise);
                }
            }
        }
    }

    fn condition(&mut self, condition: &Constraint) {
        match Test::of(condition) {
            Some((param, test, _)) => self.mark(param, Use::Asked(test)),
            None => self.expr(&condition.expr),
        }
    }

    fn expr(&mut self, expression: &Expr) {
        expression.each_atom(&mut |atom| {
            if let Atom::Param(param) = atom {
                self.mark(*param, Use::Else);
            }
        });
    }

    fn mark(&mut self, param: ParamId, used: Use) {
        self.0
            .entry(param)
            .and_modify(|before| *before = if *before == used { used } else { Use::Else })
            .or_insert(used);
    }
}

/// Replaces what is asked of parameters by what their truth values have to be: at least 1, or at most 0.
fn replaced(nodes: &[Node], values: &BTreeMap<ParamId, ParamId>) -> Result<Vec<Node>, Overflow> {
    let condition = |condition: &Constraint| {
        let asked =
            Test::of(condition).and_then(|(param, _, answer)| Some((Expr::param(*values.get(&param)?), answer)));
        Ok(match asked {
            Some((value, true)) => Constraint::non_negative(value.plus_constant(-1)?),
            Some((value, false)) => Constraint::non_negative(value.times(-1)?),
            None => condition.clone(),
        })
    };
    let node = |node: &Node| {
        Ok(match node {
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => node.clone(),
            Node::Loop(l) => Node::Loop(Loop { body: replaced(&l.body, values)?, ..l.clone() }),
            Node::If(guard) => Node::If(If {
                condition: guard.condition.iter().map(condition).collect::<Result<_, _>>()?,
                then: replaced(&guard.then, values)?,
                otherwise: replaced(&guard.otherwise, values)?,
            }),
        })
    };
    nodes.iter().map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Relation;

    fn condition(factor: i64, constant: i64, relation: Relation) -> Constraint {
        let expr = Expr::param(ParamId(0)).times(factor).unwrap().plus_constant(constant).unwrap();
        Constraint { expr, relation }
    }

    /// One guard for each group of constraints on the parameters f and n; a loop up to n stands in all of them.
    fn guarded(groups: &[&[Constraint]]) -> Program {
        let mut b = crate::builder::ProgramBuilder::new("guarded");
        b.param("f");
        b.param("n");
        let mut program = b.build();
        let guard = |condition: &&[Constraint]| {
            Node::If(If { condition: condition.to_vec(), then: Vec::new(), otherwise: Vec::new() })
        };
        program.context.clear();
        program.body = groups.iter().map(guard).collect();
        program
    }

    #[test]
    fn parameters_of_which_one_thing_is_asked_become_truth_values() {
        let one = [condition(1, -1, Relation::Zero)];
        let positive = [condition(1, -1, Relation::NonNegative)];
        let not_positive = [condition(-1, 0, Relation::NonNegative)];
        let conditions = |groups: &[&[Constraint]]| TruthValues::new(&guarded(groups)).unwrap().conditions;
        assert_eq!(conditions(&[&one, &one]), one);
        assert_eq!(conditions(&[&positive, &not_positive]), positive);
        assert_eq!(conditions(&[&one, &positive]), []);
        let both = [Constraint::zero(Expr::param(ParamId(0)).plus(&Expr::param(ParamId(1))).unwrap())];
        assert_eq!(conditions(&[&one, &both]), []);
        let truths = TruthValues::new(&guarded(&[&one])).unwrap();
        assert_eq!(truths.program.params[2].name, "is_f");
        assert_eq!(asked(&truths.program), BTreeSet::from([ParamId(2)]));
        assert_eq!(truths.program.show_conjunction(&truths.program.context), "is_f >= 0 and -is_f + 1 >= 0");
    }
}
