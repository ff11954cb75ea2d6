//! The lengths of rows, as the program declares them: arrays that share one have their rows padded together.

use symloc_affine::{Atom, Expr, Node, ParamId, Program};

/// The length of an array's rows, as the program declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowLength {
    /// A parameter that is the length of rows and nothing else: a leading dimension, by its name.
    LeadingDimension(String),
    /// Sizes that loops or other extents depend on as well, as text.
    Sizes(String),
    /// A constant, or a length that the program does not tell.
    Declared,
}

impl RowLength {
    /// Returns the length of the rows of an array of a program.
    pub(super) fn of(program: &Program, array: usize) -> Self {
        let Some(factors) = program.arrays[array].shape.last().and_then(|extent| extent.factors()) else {
            return Self::Declared;
        };
        let text = factors.iter().map(|factor| program.show(factor).to_string()).collect::<Vec<_>>().join(" * ");
        match leading_dimension(program, array) {
            Some(_) => Self::LeadingDimension(text),
            None => Self::Sizes(text),
        }
    }
}

/// Returns the arrays whose rows become longer with those of an array, itself among them: those with the same leading dimension.
pub(super) fn padded_together(program: &Program, array: usize) -> Vec<usize> {
    match leading_dimension(program, array) {
        None => vec![array],
        shared => (0..program.arrays.len()).filter(|other| leading_dimension(program, *other) == shared).collect(),
    }
}

/// Returns the parameter that is the length of an array's rows, if nothing depends on it but lengths of rows.
fn leading_dimension(program: &Program, array: usize) -> Option<ParamId> {
    let param = row_param(program, array)?;
    let is_it = |expr: &Expr| expr.mentions(&|atom| *atom == Atom::Param(param));
    let elsewhere = |array: usize| {
        let extents =
            program.arrays[array].shape.iter().rev().skip(usize::from(row_param(program, array) == Some(param)));
        extents.filter_map(|extent| extent.factors()).flatten().any(is_it)
    };
    let is_used = program.accesses.iter().flat_map(|access| &access.subscripts).any(is_it)
        || (0..program.arrays.len()).any(elsewhere)
        || depends(&program.body, &is_it);
    (!is_used).then_some(param)
}

/// Returns the parameter that is the length of an array's rows.
fn row_param(program: &Program, array: usize) -> Option<ParamId> {
    let [_, .., length] = program.arrays[array].shape.as_slice() else { return None };
    let [factor] = length.factors()? else { return None };
    let mut terms = factor.terms();
    match (terms.next(), terms.next(), factor.constant_term()) {
        (Some((Atom::Param(param), 1)), None, 0) => Some(*param),
        _ => None,
    }
}

/// Returns true if loops or conditions have an expression like this.
fn depends(nodes: &[Node], is_it: &impl Fn(&Expr) -> bool) -> bool {
    nodes.iter().any(|node| match node {
        Node::Access(_) | Node::Operations(_) | Node::Mark(_) => false,
        Node::If(guard) => {
            guard.condition.iter().any(|constraint| is_it(&constraint.expr))
                || depends(&guard.then, is_it)
                || depends(&guard.otherwise, is_it)
        }
        Node::Loop(l) => {
            let step = l.step.size().is_some_and(|size| is_it(&Expr::param(size)));
            step || l.lower.iter().chain(&l.upper).any(is_it) || depends(&l.body, is_it)
        }
    })
}
