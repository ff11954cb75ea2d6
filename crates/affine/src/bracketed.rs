//! The program as a loop-annotated static trace, in brackets: `--emit trace`.
//!
//! The accesses stand in the order of execution, once in the text; what is repeated stands in square brackets, what is
//! conditional in braces:
//!
//! ```text
//! [i=0:n [j=0:i x[j] ] {i - 1 >= 0 ? x[i - 1]' | x[0]' } ]
//! ```
//!
//! A loop has its bounds, the upper one exclusive, a guard what happens where its condition holds and, behind `|`, where it does
//! not; writes have a prime. docs/commands/derive.md has the grammar. The bracket of a loop begins a line or follows a blank, that
//! of a subscript does not; otherwise white space means nothing. Nests that hold accesses only take one line.
//!
//! Barai et al., "LLVM Static Analysis for Program Characterization and Memory Reuse Profile Estimation", 2023, and Razzak et
//! al., "Static Reuse Profile Estimation for Array Applications", 2024, write kernels in a compact bracketed form and
//! compute reuse profiles from it by recursion. The idea is theirs, the grammar is ours.

use std::fmt;

use crate::expr::Expr;
use crate::ids::AccessId;
use crate::program::{AccessKind, If, Loop, LoopStep, Node, Program};

/// A program to be shown in brackets.
#[derive(Clone, Copy, Debug)]
pub struct Bracketed<'p>(&'p Program);

impl Program {
    /// Returns the program as a loop-annotated static trace.
    pub fn bracketed(&self) -> Bracketed<'_> {
        Bracketed(self)
    }
}

impl fmt::Display for Bracketed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines(f, &self.0.body, 0)
    }
}

impl Bracketed<'_> {
    /// A trace in lines of its own; accesses that follow each other share one.
    fn lines(&self, f: &mut fmt::Formatter<'_>, nodes: &[Node], depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        for run in nodes.chunk_by(|a, b| is_flat(a) && is_flat(b)) {
            match run {
                [Node::Loop(l)] => {
                    write!(f, "{indent}[{}", self.range(l))?;
                    self.body(f, &l.body, depth)?;
                    writeln!(f, "]")?;
                }
                [Node::If(guard)] => self.guard(f, guard, depth)?,
                accesses => {
                    let text = self.flat(accesses);
                    if !text.is_empty() {
                        writeln!(f, "{indent}{}", text.trim_start())?;
                    }
                }
            }
        }
        Ok(())
    }

    fn guard(&self, f: &mut fmt::Formatter<'_>, guard: &If, depth: usize) -> fmt::Result {
        write!(f, "{}{{{} ?", "  ".repeat(depth), self.0.show_conjunction(&guard.condition))?;
        self.body(f, &guard.then, depth)?;
        if !guard.otherwise.is_empty() {
            write!(f, "|")?;
            self.body(f, &guard.otherwise, depth)?;
        }
        writeln!(f, "}}")
    }

    /// Writes the text between brackets: on one line if nothing is nested in it.
    fn body(&self, f: &mut fmt::Formatter<'_>, nodes: &[Node], depth: usize) -> fmt::Result {
        if nodes.iter().all(is_flat) {
            return write!(f, "{} ", self.flat(nodes));
        }
        writeln!(f)?;
        self.lines(f, nodes, depth + 1)?;
        write!(f, "{}", "  ".repeat(depth))
    }

    /// Returns the accesses among these nodes, a blank before each.
    fn flat(&self, nodes: &[Node]) -> String {
        let accesses = nodes.iter().filter_map(|node| match node {
            Node::Access(id) => Some(format!(" {}", self.access(*id))),
            _ => None,
        });
        accesses.collect()
    }

    fn range(&self, l: &Loop) -> String {
        let name = &self.0.iters[l.iter.index()].name;
        let step = if l.step == LoopStep::Known(1) { String::new() } else { format!(":{}", self.0.show_step(l.step)) };
        format!("{name}={}:{}{step}", self.0.bound("max", &l.lower), self.0.bound("min", &l.upper))
    }

    fn access(&self, id: AccessId) -> String {
        let access = self.0.access(id);
        let subscript = |subscript: &Expr| format!("[{}]", self.0.show(subscript));
        let subscripts: String = access.subscripts.iter().map(subscript).collect();
        let prime = if access.kind == AccessKind::Write { "'" } else { "" };
        format!("{}{subscripts}{prime}", self.0.array(access.array).name)
    }
}

/// Returns true for nodes that hold no others: accesses, and what a trace does not show.
fn is_flat(node: &Node) -> bool {
    !matches!(node, Node::Loop(_) | Node::If(_))
}

#[cfg(test)]
mod tests {
    use crate::Constraint;
    use crate::builder::ProgramBuilder;
    use crate::expr::Expr;

    #[test]
    fn loops_in_brackets_guards_in_braces() {
        let mut b = ProgramBuilder::new("f");
        let n = b.param("n");
        let (x, s) = (b.array("x", 8, 1), b.array("s", 8, 0));
        b.operations(1);
        b.write(s, [] as [Expr; 0]);
        b.for_step("i", 0, n, 2, |b, i| {
            b.read(x, [i]);
            b.operations(3);
            let low = Constraint::non_negative(Expr::iter(i).times(-1).unwrap().plus_constant(4).unwrap());
            b.if_else(vec![low], |b| _ = b.write(x, [i]), |b| b.for_("j", i, n, |b, j| _ = b.read(x, [j])));
            b.if_(vec![], |b| b.operations(1));
        });
        let text = "s'\n[i=0:n:2\n  x[i]\n  {-i + 4 >= 0 ? x[i]' |\n    [j=i:n x[j] ]\n  }\n  {true ? }\n]\n";
        assert_eq!(b.build().bracketed().to_string(), text);
    }
}
