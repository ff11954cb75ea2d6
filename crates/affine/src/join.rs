//! Programs for several values of a parameter, joined into one (`--assume 'ksize in 1, 3, 5'`).
//!
//! A front end may have to know a value to read a program at all: a step, a factor, the length of a row. So the program
//! is read once for each value, and the results stand under guards, `if ksize = 1 …; if ksize = 3 …`. For every value
//! exactly one of them executes what was read for it. Arrays that are equal in all of them are one array; others never
//! exist side by side and stay apart.

use crate::expr::{Atom, Constraint, Expr, Overflow};
use crate::ids::{AccessId, ArrayId, IterId, ParamId};
use crate::program::{Access, Array, Extent, If, Iter, Loop, LoopStep, Node, Param, Program};

/// A program that was read for one value of some parameters.
#[derive(Clone, Debug)]
pub struct Part<'p> {
    /// The values, by the names of parameters.
    pub values: Vec<(String, i64)>,
    /// The program; its context may say the same.
    pub program: &'p Program,
}

/// Joins programs; the context holds where that of every part does, apart from the values. `None` if there is no part.
///
/// # Errors
///
/// [`Overflow`] if a coefficient leaves 64 bits.
pub fn joined(parts: &[Part<'_>]) -> Result<Option<Program>, Overflow> {
    let Some(first) = parts.first() else { return Ok(None) };
    let mut join = Join { program: Program::empty(&first.program.name) };
    for part in parts {
        join.add(part)?;
    }
    let Program { params, without_effect, .. } = &mut join.program;
    without_effect.retain(|unused| params.iter().all(|param| param.name != unused.name));
    Ok(Some(join.program))
}

/// Adds an element that is not there yet.
fn add_new<T: PartialEq>(known: &mut Vec<T>, item: T) {
    if !known.contains(&item) {
        known.push(item);
    }
}

struct Join {
    program: Program,
}

/// The numbers that parameters and iterators of a part have in the whole.
struct JoinedNumbers {
    params: Vec<ParamId>,
    first_iter: u32,
}

impl JoinedNumbers {
    fn expr(&self, expr: &Expr) -> Result<Expr, Overflow> {
        expr.replace(&|atom| match atom {
            Atom::Param(param) => self.params.get(param.index()).map(|param| Ok(Expr::param(*param))),
            Atom::Iter(iter) => Some(Ok(Expr::iter(IterId(self.first_iter + iter.0)))),
            Atom::Floor(..) => None,
        })
    }

    fn exprs(&self, exprs: &[Expr]) -> Result<Vec<Expr>, Overflow> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn constraints(&self, constraints: &[Constraint]) -> Result<Vec<Constraint>, Overflow> {
        constraints.iter().map(|c| Ok(Constraint { expr: self.expr(&c.expr)?, ..*c })).collect()
    }

    fn step(&self, step: LoopStep) -> LoopStep {
        match step {
            LoopStep::Tiles { times, size } => LoopStep::Tiles { times, size: self.params[size.index()] },
            LoopStep::Known(_) => step,
        }
    }

    fn extent(&self, extent: &Extent) -> Result<Extent, Overflow> {
        Ok(match extent {
            Extent::Size(factors) => Extent::Size(self.exprs(factors)?),
            Extent::Known(_) | Extent::Dynamic => extent.clone(),
        })
    }
}

impl Join {
    fn add(&mut self, part: &Part<'_>) -> Result<(), Overflow> {
        let Part { values, program } = part;
        let params = program.params.iter().map(|param| self.param(param)).collect();
        let guard = values.iter().map(|(name, value)| {
            let param = self.param(&Param::named(name));
            Constraint::equal(&Expr::param(param), *value)
        });
        let guard = guard.collect::<Result<Vec<_>, _>>()?;
        let numbers = JoinedNumbers { params, first_iter: self.program.iters.len() as u32 };
        for iter in &program.iters {
            let name = self.free(&iter.name);
            self.program.iters.push(Iter { name, ..iter.clone() });
        }
        let arrays = program.arrays.iter().map(|array| self.array(array, &numbers)).collect::<Result<Vec<_>, _>>()?;
        let first_access = self.program.accesses.len() as u32;
        for access in &program.accesses {
            let subscripts = numbers.exprs(&access.subscripts)?;
            self.program.accesses.push(Access { array: arrays[access.array.index()], subscripts, ..access.clone() });
        }
        let then = nodes(&program.body, &numbers, first_access)?;
        let context = numbers.constraints(&program.context)?;
        let others = context.into_iter().filter(|condition| !guard.contains(condition));
        others.for_each(|condition| add_new(&mut self.program.context, condition));
        let multiples = program.multiples.iter().map(|(n, b)| (numbers.params[n.index()], numbers.params[b.index()]));
        multiples.for_each(|multiple| add_new(&mut self.program.multiples, multiple));
        for unused in &program.without_effect {
            if !self.program.without_effect.iter().any(|known| known.name == unused.name) {
                self.program.without_effect.push(unused.clone());
            }
        }
        self.program.body.push(Node::If(If { condition: guard, then, otherwise: Vec::new() }));
        Ok(())
    }

    /// Returns the parameter of this name, a new one if there is none.
    fn param(&mut self, param: &Param) -> ParamId {
        let known = self.program.params.iter().position(|known| known.name == param.name);
        let position = known.unwrap_or_else(|| {
            self.program.params.push(param.clone());
            self.program.params.len() - 1
        });
        ParamId(position as u32)
    }

    /// Returns the array that is equal to one of a part, a new one if there is none.
    fn array(&mut self, array: &Array, numbers: &JoinedNumbers) -> Result<ArrayId, Overflow> {
        let shape = array.shape.iter().map(|extent| numbers.extent(extent)).collect::<Result<_, _>>()?;
        let array = Array { shape, ..array.clone() };
        let same = |known: &Array| {
            Array { name: array.name.clone(), ..known.clone() } == array && known.name.starts_with(&array.name)
        };
        let position = match self.program.arrays.iter().position(same) {
            Some(known) => known,
            None => {
                let mut name = array.name.clone();
                while self.program.arrays.iter().any(|known| known.name == name) {
                    name.push('_');
                }
                self.program.arrays.push(Array { name, ..array });
                self.program.arrays.len() - 1
            }
        };
        Ok(ArrayId(position as u32))
    }

    /// Returns a name that no parameter and no iterator has.
    fn free(&self, name: &str) -> String {
        let mut names = std::iter::once(name.to_owned()).chain((1..).map(|number| format!("{name}_{number}")));
        names.find(|name| !self.program.has_name(name)).unwrap_or_default()
    }
}

fn nodes(body: &[Node], numbers: &JoinedNumbers, first_access: u32) -> Result<Vec<Node>, Overflow> {
    let node = |node: &Node| {
        Ok(match node {
            Node::Access(access) => Node::Access(AccessId(first_access + access.0)),
            Node::Operations(_) | Node::Mark(_) => node.clone(),
            Node::Loop(l) => Node::Loop(Loop {
                iter: IterId(numbers.first_iter + l.iter.0),
                lower: numbers.exprs(&l.lower)?,
                upper: numbers.exprs(&l.upper)?,
                step: numbers.step(l.step),
                body: nodes(&l.body, numbers, first_access)?,
            }),
            Node::If(guard) => Node::If(If {
                condition: numbers.constraints(&guard.condition)?,
                then: nodes(&guard.then, numbers, first_access)?,
                otherwise: nodes(&guard.otherwise, numbers, first_access)?,
            }),
        })
    };
    body.iter().map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::ProgramBuilder;
    use crate::schedule::Schedule;

    /// Returns a program that reads every `step`-th element of an array, and a second array with a shape that differs
    /// by step.
    fn program(step: i64) -> Program {
        let mut b = ProgramBuilder::new("steps");
        let n = b.param("n");
        let all = b.array("a", 8, 1);
        let rows = b.fixed_array("rows", 8, &[4, step]);
        b.for_step("i", 0, n, step, |b, i| {
            b.read(all, [i]);
            b.read(rows, [Expr::constant(0), Expr::constant(0)]);
        });
        b.build()
    }

    #[test]
    fn parts_stand_under_their_values() {
        let mut programs = [1, 3].map(|step| (step, program(step)));
        programs[1].1.iters[0].parallel = Some(Schedule::Chunks(2).into());
        let parts =
            programs.each_ref().map(|(step, program)| Part { values: vec![("step".to_owned(), *step)], program });
        let program = joined(&parts).unwrap().unwrap();
        assert_eq!(program.params.iter().map(|param| param.name.as_str()).collect::<Vec<_>>(), ["n", "step"]);
        assert_eq!(program.iters.iter().map(|iter| iter.name.as_str()).collect::<Vec<_>>(), ["i", "i_1"]);
        let schedules: Vec<_> = program.iters.iter().map(|iter| iter.parallel).collect();
        assert_eq!(schedules, [None, Some(Schedule::Chunks(2).into())]);
        assert_eq!(program.arrays.iter().map(|array| array.name.as_str()).collect::<Vec<_>>(), ["a", "rows", "rows_"]);
        assert_eq!(program.show_conjunction(&program.context), "n - 1 >= 0");
        let guards = program.body.iter().map(|node| match node {
            Node::If(guard) => program.show_conjunction(&guard.condition),
            _ => String::new(),
        });
        assert_eq!(guards.collect::<Vec<_>>(), ["step - 1 = 0", "step - 3 = 0"]);
        assert!(joined(&[]).unwrap().is_none());
    }
}
