//! The program of one thread (docs/parallel.md).
//!
//! A parallel loop of N iterations is run by P threads, each of which takes some neighbouring iterations:
//!
//! ```text
//! parallel for i = 0 to N                 for i = first to end,  0 ≤ first ≤ end ≤ N
//! ```
//!
//! With `first` and `end` as parameters the program of one thread is affine whatever P is, and the number of the thread
//! and P matter only when a question is asked. Loops of the same number of iterations are shared in the same way. Code
//! outside parallel loops is run by thread 0, so it stands under the condition `thread = 0`. With `first = 0`, `end = N`
//! and `thread = 0` the program is the sequential one.

use std::mem;

use crate::expr::{Atom, Constraint, Expr, Overflow};
use crate::ids::{IterId, ParamId};
use crate::mapped::mapped_body;
use crate::program::{If, Loop, Node, Param, Program};
use crate::schedule::{ParallelLoops, Schedule};

/// A program as one thread runs it.
#[derive(Clone, Debug)]
pub struct ThreadProgram {
    /// The program. Its accesses are those of the original one; its parameters are those of the original one, then the
    /// thread's.
    pub program: Program,
    /// The number of the thread, if some accesses stand outside parallel loops.
    pub thread: Option<ParamId>,
    /// The thread's shares of parallel loops, one for each number of iterations.
    pub shares: Vec<ThreadShare>,
}

/// A thread's share of the iterations of parallel loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadShare {
    /// The number of the first of its iterations; the loop's first iteration has number 0.
    pub first: ParamId,
    /// The number after the last of its iterations.
    pub end: ParamId,
    /// The number of all iterations, in the parameters.
    pub iterations: Expr,
}

/// The reasons why the program of one thread has no affine form for every number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThreadProgramError {
    /// There is no parallel loop.
    #[error("no loop is parallel")]
    NoLoop,
    /// The iterations are dealt in chunks.
    #[error("its iterations are dealt in chunks")]
    Chunks(IterId),
    /// The iterations of several loops are shared as one sequence.
    #[error("its iterations and those of loops in it are shared as one sequence")]
    Collapsed(IterId),
    /// The number of iterations is not the same each time that the loop is reached.
    #[error("its number of iterations depends on other loops")]
    Varying(IterId),
    /// The iterations are tiles of symbolic size.
    #[error("its step is no constant")]
    Tiles(IterId),
    /// A coefficient leaves 64 bits.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

impl ThreadProgram {
    /// Writes the program of one thread.
    ///
    /// # Errors
    ///
    /// [`ThreadProgramError`] if there is no parallel loop, or if the share of a thread is no interval between two
    /// parameters.
    pub fn new(program: &Program) -> Result<Self, ThreadProgramError> {
        let empty = Program { body: Vec::new(), ..program.clone() };
        let mut threads = Self { program: empty, thread: None, shares: Vec::new() };
        if !program.body.iter().any(|node| holds_parallel(program, node)) {
            return Err(ThreadProgramError::NoLoop);
        }
        threads.program.body = threads.nodes(&program.body)?;
        Ok(threads)
    }

    /// Returns the program of all threads together, with the parameters of the program of one thread: nothing in it
    /// depends on those of the thread. `program` is this thread's, perhaps with [truth values](crate::truths) in place of
    /// `truths`.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn whole(&self, program: &Program, truths: &[Constraint]) -> Result<Program, Overflow> {
        let first_truth = self.program.params.len();
        let of_thread = |atom: &Atom| matches!(atom, Atom::Param(param) if Some(*param) == self.thread);
        let value = |atom: &Atom| {
            let Atom::Param(param) = atom else { return None };
            let truth = param.index().checked_sub(first_truth).and_then(|index| truths.get(index));
            let share = |share: &ThreadShare| (share.end == *param).then(|| share.iterations.clone());
            let is_first = self.shares.iter().any(|share| share.first == *param);
            match truth {
                // Thread 0 runs what all threads run but for parallel loops.
                Some(truth) => truth.expr.mentions(&of_thread).then(|| Expr::constant(1)),
                None if is_first || of_thread(atom) => Some(Expr::constant(0)),
                None => self.shares.iter().find_map(share),
            }
        };
        let whole = |expression: &Expr| expression.replace(&|atom| value(atom).map(Ok));
        Ok(Program { body: mapped_body(&program.body, &whole)?, ..program.clone() })
    }

    fn nodes(&mut self, nodes: &[Node]) -> Result<Vec<Node>, ThreadProgramError> {
        let (mut rewritten, mut alone) = (Vec::new(), Vec::new());
        for node in nodes {
            if !holds_parallel(&self.program, node) {
                alone.push(node.clone());
                continue;
            }
            rewritten.extend(self.on_first_thread(mem::take(&mut alone)));
            rewritten.push(match node {
                Node::Loop(l) if self.program.iters[l.iter.index()].parallel.is_some() => Node::Loop(self.shared(l)?),
                Node::Loop(l) => Node::Loop(Loop { body: self.nodes(&l.body)?, ..l.clone() }),
                Node::If(guard) => Node::If(If {
                    condition: guard.condition.clone(),
                    then: self.nodes(&guard.then)?,
                    otherwise: self.nodes(&guard.otherwise)?,
                }),
                Node::Access(_) | Node::Operations(_) | Node::Mark(_) => node.clone(),
            });
        }
        rewritten.extend(self.on_first_thread(alone));
        Ok(rewritten)
    }

    /// Puts nodes under the condition that it is thread 0 that reaches them.
    fn on_first_thread(&mut self, nodes: Vec<Node>) -> Option<Node> {
        if nodes.is_empty() {
            return None;
        }
        let thread = *self.thread.get_or_insert_with(|| {
            let name = unused(&self.program, "thread");
            let thread = add_param(&mut self.program, name);
            self.program.context.push(Constraint::non_negative(Expr::param(thread)));
            thread
        });
        let condition = vec![Constraint::zero(Expr::param(thread))];
        Some(Node::If(If { condition, then: nodes, otherwise: Vec::new() }))
    }

    /// Narrows a parallel loop to the thread's share.
    fn shared(&mut self, l: &Loop) -> Result<Loop, ThreadProgramError> {
        match self.program.iters[l.iter.index()].parallel {
            Some(ParallelLoops { schedule: Schedule::Chunks(_), .. }) => {
                return Err(ThreadProgramError::Chunks(l.iter));
            }
            Some(ParallelLoops { loops: 2.., .. }) => return Err(ThreadProgramError::Collapsed(l.iter)),
            _ => {}
        }
        let ([lower], [upper]) = (l.lower.as_slice(), l.upper.as_slice()) else {
            return Err(ThreadProgramError::Varying(l.iter));
        };
        let is_iter = |atom: &Atom| matches!(atom, Atom::Iter(_));
        if lower.mentions(&is_iter) || upper.mentions(&is_iter) {
            return Err(ThreadProgramError::Varying(l.iter));
        }
        let step = l.step.constant().ok_or(ThreadProgramError::Tiles(l.iter))?;
        let iterations = upper.minus(lower)?.ceil_div(step)?;
        let ThreadShare { first, end, .. } = self.share(l.iter, &iterations)?;
        let at = |number: ParamId| lower.add_scaled(&Expr::param(number), step);
        Ok(Loop { lower: vec![at(first)?], upper: vec![at(end)?], ..l.clone() })
    }

    /// Returns the share of loops with so many iterations.
    fn share(&mut self, iter: IterId, iterations: &Expr) -> Result<ThreadShare, Overflow> {
        if let Some(known) = self.shares.iter().find(|share| share.iterations == *iterations) {
            return Ok(known.clone());
        }
        let program = &mut self.program;
        let name = program.iters[iter.index()].name.clone();
        let [first, end] = ["first", "end"].map(|prefix| {
            let name = program.fresh_name(prefix, &name);
            add_param(program, name)
        });
        let between = [
            iterations.clone(),
            Expr::param(first),
            Expr::param(end).minus(&Expr::param(first))?,
            iterations.minus(&Expr::param(end))?,
        ];
        program.assume(between.map(Constraint::non_negative).into());
        let share = ThreadShare { first, end, iterations: iterations.clone() };
        self.shares.push(share.clone());
        Ok(share)
    }
}

/// Returns true if a node is a parallel loop, or holds one.
fn holds_parallel(program: &Program, node: &Node) -> bool {
    let any = |nodes: &[Node]| nodes.iter().any(|node| holds_parallel(program, node));
    match node {
        Node::Loop(l) => program.iters[l.iter.index()].parallel.is_some() || any(&l.body),
        Node::If(guard) => any(&guard.then) || any(&guard.otherwise),
        Node::Access(_) | Node::Operations(_) | Node::Mark(_) => false,
    }
}

fn unused(program: &Program, name: &str) -> String {
    if program.has_name(name) { program.fresh_name("", name) } else { name.to_owned() }
}

fn add_param(program: &mut Program, name: String) -> ParamId {
    let id = ParamId(program.params.len() as u32);
    program.params.push(Param::named(name));
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::ProgramBuilder;

    /// `for t = 0 to m: x[0]; parallel for i = 1 to n - 1: read A[i]; parallel for j = 2 to n: write A[j]`
    fn sweep() -> Program {
        let mut b = ProgramBuilder::new("sweep");
        let (m, n) = (b.param("m"), b.param("n"));
        let [x, a] = ["x", "A"].map(|name| b.array(name, 8, 1));
        let last = Expr::param(n).plus_constant(-1).unwrap();
        b.for_("t", 0, m, |b, _| {
            b.read(x, [0]);
            b.for_("i", 1, last, |b, i| {
                b.read(a, [i]);
            });
            b.for_("j", 2, n, |b, j| {
                b.write(a, [j]);
            });
        });
        let mut program = b.build();
        for iter in &mut program.iters[1..] {
            iter.parallel = Some(Schedule::Blocks.into());
        }
        program
    }

    #[test]
    fn loops_of_as_many_iterations_have_one_share() {
        let threads = ThreadProgram::new(&sweep()).unwrap();
        assert_eq!(
            threads.program.to_string(),
            "program sweep(m, n, thread, first_i, end_i)\n  \
               context m - 1 >= 0 and n - 2 >= 0 and thread >= 0 and first_i >= 0 and -first_i + end_i >= 0 \
               and n - end_i - 2 >= 0\n  \
               array x: rank 1, 8 bytes per element\n  array A: rank 1, 8 bytes per element\n  \
               for t = 0 to m\n    if thread = 0\n      read x[0]\n    \
               parallel for i = first_i + 1 to end_i + 1\n      read A[i]\n    \
               parallel for j = first_i + 2 to end_i + 2\n      write A[j]\n"
        );
    }

    #[test]
    fn shares_are_intervals_between_parameters() {
        let mut program = sweep();
        program.iters[1].parallel = Some(Schedule::Chunks(2).into());
        assert_eq!(ThreadProgram::new(&program).unwrap_err(), ThreadProgramError::Chunks(IterId(1)));
        program.iters[1].parallel = Some(ParallelLoops { loops: 2, schedule: Schedule::Blocks });
        assert_eq!(ThreadProgram::new(&program).unwrap_err(), ThreadProgramError::Collapsed(IterId(1)));
        program.iters.iter_mut().for_each(|iter| iter.parallel = None);
        assert_eq!(ThreadProgram::new(&program).unwrap_err(), ThreadProgramError::NoLoop);

        let mut b = ProgramBuilder::new("triangle");
        let n = b.param("n");
        let a = b.array("A", 8, 1);
        b.for_("i", 0, n, |b, i| {
            b.for_("j", i, n, |b, j| {
                b.read(a, [j]);
            })
        });
        let mut program = b.build();
        program.iters[1].parallel = Some(Schedule::Blocks.into());
        assert_eq!(ThreadProgram::new(&program).unwrap_err(), ThreadProgramError::Varying(IterId(1)));
    }
}
