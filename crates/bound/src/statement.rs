//! The statements of a program: what its smallest operations are.
//!
//! A statement is a run of accesses next to each other that ends with a write, or where the run ends. An iteration of the
//! loops around it is an operation, which executes its accesses one after the other.

use num_traits::One;
use symloc_model::{AccessKind, For, If, Outline, Tree, TreeNode};
use symloc_quasi::{Atom, Constraint, Poly, Rational, Relation, Var};

/// A position on the way from the whole program to a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathStep {
    /// The position of a node among those next to it.
    Position(usize),
    /// An iterator of the tree: the node is its loop.
    Iterator(usize),
}

/// Accesses that are executed together.
#[derive(Clone, Debug)]
pub(crate) struct LoopStatement {
    /// The way from the whole program.
    pub(crate) path: Vec<PathStep>,
    /// Constraints that hold where it is executed, over parameters and iterators.
    pub(crate) domain: Vec<Constraint>,
    /// Its accesses, by their position in the outline.
    pub(crate) accesses: Vec<usize>,
}

impl LoopStatement {
    /// Returns the iterators of the loops around it, outermost first.
    pub(crate) fn iterators(&self) -> Vec<usize> {
        let iterator = |step: &PathStep| match step {
            PathStep::Iterator(iterator) => Some(*iterator),
            PathStep::Position(_) => None,
        };
        self.path.iter().filter_map(iterator).collect()
    }
}

/// A program, with what is needed to ask about its statements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProgramText<'m> {
    pub(crate) outline: &'m Outline,
    pub(crate) tree: &'m Tree,
    /// The sizes for which the model holds.
    pub(crate) context: &'m [Constraint],
    /// The number of parameters.
    pub(crate) parameters: usize,
}

impl ProgramText<'_> {
    /// Returns the variable of an iterator: in the tree for copy 0, and in further copies of all iterators.
    pub(crate) fn variable(&self, iterator: usize, copy: usize) -> Var {
        let index = self.parameters + copy * self.tree.iterators.len() + iterator;
        Var(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Returns the iterator of a variable of the tree; `None` for a parameter.
    fn iterator(&self, variable: Var) -> Option<usize> {
        (variable.0 as usize).checked_sub(self.parameters)
    }

    /// Returns a polynomial of the tree with its iterators renamed.
    pub(crate) fn renamed(&self, poly: &Poly, name: &impl Fn(usize) -> Var) -> Poly {
        poly.substitute(&|variable| self.iterator(variable).map(|iterator| Poly::var(name(iterator))))
    }

    /// Returns the coefficients of some iterators in a subscript; `None` if it is not linear in them.
    pub(crate) fn linear_form(&self, subscript: &Poly, iterators: &[usize]) -> Option<Vec<Rational>> {
        for (monomial, _) in subscript.terms() {
            let linear = match monomial.factors() {
                [] | [(Atom::Var(_), 1)] => true,
                factors => !factors.iter().any(|(atom, _)| self.has_iterator(atom)),
            };
            if !linear {
                return None;
            }
        }
        Some(iterators.iter().map(|iterator| subscript.slope(self.variable(*iterator, 0))).collect())
    }

    fn has_iterator(&self, atom: &Atom) -> bool {
        match atom {
            Atom::Var(variable) => self.iterator(*variable).is_some(),
            Atom::Floor(floor) => floor.numerator().vars().into_iter().any(|var| self.iterator(var).is_some()),
        }
    }

    /// Returns all statements, in the order of the text.
    pub(crate) fn statements(&self) -> Vec<LoopStatement> {
        let mut reader = StatementReader { text: *self, path: Vec::new(), domain: Vec::new(), found: Vec::new() };
        reader.nodes(&self.tree.body, 0);
        reader.found
    }
}

struct StatementReader<'m> {
    text: ProgramText<'m>,
    path: Vec<PathStep>,
    domain: Vec<Constraint>,
    found: Vec<LoopStatement>,
}

impl StatementReader<'_> {
    /// Reads nodes that are next to each other; the first one has that position.
    fn nodes(&mut self, nodes: &[TreeNode], first: usize) {
        let mut open = false;
        for (index, node) in nodes.iter().enumerate() {
            let TreeNode::Access(access) = node else {
                open = false;
                self.path.push(PathStep::Position(first + index));
                self.node(node);
                self.path.pop();
                continue;
            };
            match self.found.last_mut().filter(|_| open) {
                Some(statement) => statement.accesses.push(*access),
                None => self.statement(first + index, *access),
            }
            open = self.text.outline.accesses[*access].kind == AccessKind::Read;
        }
    }

    fn statement(&mut self, position: usize, access: usize) {
        let path = self.path.iter().copied().chain([PathStep::Position(position)]).collect();
        self.found.push(LoopStatement { path, domain: self.domain.clone(), accesses: vec![access] });
    }

    fn node(&mut self, node: &TreeNode) {
        let depth = self.domain.len();
        match node {
            TreeNode::Access(_) => {}
            TreeNode::For(inner) => {
                self.domain.extend(self.range(inner));
                self.path.push(PathStep::Iterator(inner.iterator));
                self.nodes(&inner.body, 0);
                self.path.pop();
            }
            TreeNode::If(If { condition, then, otherwise }) => {
                self.domain.extend(condition.iter().cloned());
                self.nodes(then, 0);
                self.domain.truncate(depth);
                self.domain.extend(negation(condition));
                self.nodes(otherwise, then.len());
            }
        }
        self.domain.truncate(depth);
    }

    /// Returns the bounds of a loop; its step is left out, which makes the domain larger.
    fn range(&self, inner: &For) -> Vec<Constraint> {
        let iterator = Poly::var(self.text.variable(inner.iterator, 0));
        let lower = inner.lower.iter().map(|lower| &iterator - lower);
        let upper = inner.upper.iter().map(|upper| &(upper - &iterator) - &Poly::one());
        lower.chain(upper).map(Constraint::non_negative).collect()
    }
}

/// Returns what holds where a conjunction does not, if one constraint says it.
fn negation(condition: &[Constraint]) -> Option<Constraint> {
    match condition {
        [Constraint { poly, relation: Relation::NonNegative }] if poly.common_denominator().is_one() => {
            Some(Constraint::non_negative(-&(poly + &Poly::one())))
        }
        _ => None,
    }
}
