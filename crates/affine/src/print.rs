//! The program as readable text: `--emit affine`.

use std::fmt::{self, Write};

use crate::expr::{Atom, Constraint, Expr, Relation};
use crate::mark::Weight;
use crate::program::{AccessKind, Extent, Iter, LoopStep, Node, Program};
use crate::schedule::{ParallelLoops, Schedule};

impl Program {
    /// Returns an expression with this program's names, in the notation that isl and the table use: `2*i + floor((n + 1)/8)`.
    pub fn show(&self, expr: &Expr) -> String {
        expr.show(&|atom| match atom {
            Atom::Param(p) => self.params[p.index()].name.clone(),
            Atom::Iter(i) => self.iters[i.index()].name.clone(),
            Atom::Floor(..) => String::new(),
        })
    }

    /// Returns a constraint with this program's names: `n - 1 >= 0`.
    pub fn show_constraint(&self, constraint: &Constraint) -> String {
        let relation = match constraint.relation {
            Relation::Zero => "=",
            Relation::NonNegative => ">=",
        };
        format!("{} {relation} 0", self.show(&constraint.expr))
    }

    /// Returns a conjunction: `n - 1 >= 0 and n - m = 0`, `true` if empty.
    pub fn show_conjunction(&self, constraints: &[Constraint]) -> String {
        if constraints.is_empty() {
            return "true".to_owned();
        }
        constraints.iter().map(|c| self.show_constraint(c)).collect::<Vec<_>>().join(" and ")
    }

    /// Returns an extent: `128`, `n + 2`, `n * (m + 2)`, or `?` if it is not known.
    pub fn show_extent(&self, extent: &Extent) -> String {
        match extent {
            Extent::Known(extent) => extent.to_string(),
            Extent::Dynamic => "?".to_owned(),
            Extent::Size(factors) => match factors.as_slice() {
                [only] => self.show(only),
                _ => factors.iter().map(|factor| self.show_factor(factor)).collect::<Vec<_>>().join(" * "),
            },
        }
    }

    fn show_factor(&self, factor: &Expr) -> String {
        let is_sum = factor.terms().count() + usize::from(factor.constant_term() != 0) > 1;
        if is_sum { format!("({})", self.show(factor)) } else { self.show(factor) }
    }
}

impl Expr {
    /// Returns the expression with `name` giving the text of parameters and iterators.
    pub fn show(&self, name: &impl Fn(&Atom) -> String) -> String {
        let mut text = String::new();
        for (atom, coefficient) in self.terms() {
            let body = match atom {
                Atom::Floor(numerator, divisor) => format!("floor(({})/{divisor})", numerator.show(name)),
                _ => name(atom),
            };
            let factor = match coefficient.unsigned_abs() {
                1 => String::new(),
                size => format!("{size}*"),
            };
            push_term(&mut text, coefficient, &format!("{factor}{body}"));
        }
        let constant = self.constant_term();
        if constant != 0 || text.is_empty() {
            push_term(&mut text, constant, &constant.unsigned_abs().to_string());
        }
        text
    }
}

/// Appends `± term` to a sum, with the sign of its coefficient.
fn push_term(sum: &mut String, coefficient: i64, term: &str) {
    sum.push_str(match (sum.is_empty(), coefficient < 0) {
        (true, true) => "-",
        (true, false) => "",
        (false, true) => " - ",
        (false, false) => " + ",
    });
    sum.push_str(term);
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let params: Vec<_> = self.params.iter().map(|p| p.name.as_str()).collect();
        writeln!(f, "program {}({})", self.name, params.join(", "))?;
        writeln!(f, "  context {}", self.show_conjunction(&self.context))?;
        for array in &self.arrays {
            write!(f, "  array {}: rank {}, ", array.name, array.shape.len())?;
            if array.shape.iter().any(|extent| extent.factors().is_some()) {
                write!(f, "extents ")?;
                array.shape.iter().try_for_each(|extent| write!(f, "[{}]", self.show_extent(extent)))?;
                write!(f, ", ")?;
            }
            let copies = if array.per_thread { ", a copy for each thread" } else { "" };
            writeln!(f, "{} bytes per element{copies}", array.element_bytes)?;
        }
        self.write_nodes(f, &self.body, 1)
    }
}

impl Program {
    fn write_nodes(&self, f: &mut fmt::Formatter<'_>, nodes: &[Node], depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        for node in nodes {
            match node {
                Node::Loop(l) => {
                    let Iter { name, parallel, .. } = &self.iters[l.iter.index()];
                    let lower = self.bound("max", &l.lower);
                    let upper = self.bound("min", &l.upper);
                    let how = if parallel.is_some() { "parallel for" } else { "for" };
                    write!(f, "{indent}{how} {name} = {lower} to {upper}")?;
                    if l.step != LoopStep::Known(1) {
                        write!(f, " step {}", self.show_step(l.step))?;
                    }
                    if let Some(ParallelLoops { loops, schedule }) = parallel {
                        if *loops > 1 {
                            write!(f, " collapse {loops}")?;
                        }
                        if let Schedule::Chunks(size) = schedule {
                            write!(f, " in chunks of {size}")?;
                        }
                    }
                    writeln!(f)?;
                    self.write_nodes(f, &l.body, depth + 1)?;
                }
                Node::If(guard) => {
                    writeln!(f, "{indent}if {}", self.show_conjunction(&guard.condition))?;
                    self.write_nodes(f, &guard.then, depth + 1)?;
                    if !guard.otherwise.is_empty() {
                        writeln!(f, "{indent}else")?;
                        self.write_nodes(f, &guard.otherwise, depth + 1)?;
                    }
                }
                Node::Operations(count) => {
                    let count = count.map_or_else(|| "?".to_owned(), |count| count.to_string());
                    writeln!(f, "{indent}flops {count}")?;
                }
                Node::Mark(mark) => {
                    let weight = match &mark.weight {
                        Weight::Once => String::new(),
                        Weight::Estimate(weight) => format!(" times {weight}"),
                        Weight::Unknown(_) => " times ?".to_owned(),
                    };
                    writeln!(f, "{indent}mark {}{weight}", mark.id.0)?;
                }
                Node::Access(id) => {
                    let access = self.access(*id);
                    let kind = match access.kind {
                        AccessKind::Read => "read",
                        AccessKind::Write => "write",
                    };
                    let mut subscripts = String::new();
                    for subscript in &access.subscripts {
                        write!(subscripts, "[{}]", self.show(subscript))?;
                    }
                    writeln!(f, "{indent}{kind} {}{subscripts}", self.array(access.array).name)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the step of a loop as text, such as `2` or `4*T`.
    pub(crate) fn show_step(&self, step: LoopStep) -> String {
        match step {
            LoopStep::Known(step) => step.to_string(),
            LoopStep::Tiles { times: 1, size } => self.params[size.index()].name.clone(),
            LoopStep::Tiles { times, size } => format!("{times}*{}", self.params[size.index()].name),
        }
    }

    pub(crate) fn bound(&self, combine: &str, bounds: &[Expr]) -> String {
        match bounds {
            [only] => self.show(only),
            _ => format!("{combine}({})", bounds.iter().map(|b| self.show(b)).collect::<Vec<_>>().join(", ")),
        }
    }
}
