//! Nests of loops whose iterations are one sequence (OpenMP's `collapse`).

use crate::expr::Atom;
use crate::ids::IterId;
use crate::program::{Loop, Node};

/// The reasons why the iterations of loops are no sequence whose length is known before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CollapseError {
    /// A loop of the nest, but for the innermost one, does not consist of another loop.
    #[error("the loops are not directly in each other")]
    NotPerfect(IterId),
    /// The bounds of a loop depend on those around it.
    #[error("the bounds of an inner loop depend on an outer one")]
    NotRectangular(IterId),
}

impl Loop {
    /// Returns the loops of a nest whose iterations are one sequence, outermost first: this one and those directly in it,
    /// `count` in all, at least 1. Operations on registers may stand between them.
    ///
    /// # Errors
    ///
    /// [`CollapseError`] if other nodes stand between the loops, there are fewer of them, or the number of iterations of one
    /// depends on the others.
    pub fn collapsed(&self, count: u32) -> Result<Vec<&Loop>, CollapseError> {
        let mut nest = vec![self];
        let mut innermost = self;
        for _ in 1..count {
            let is_code = |node: &&Node| !matches!(node, Node::Operations(_) | Node::Mark(_));
            let mut code = innermost.body.iter().filter(is_code);
            let (Some(Node::Loop(inner)), None) = (code.next(), code.next()) else {
                return Err(CollapseError::NotPerfect(innermost.iter));
            };
            let of_nest = |atom: &Atom| nest.iter().any(|outer| *atom == Atom::Iter(outer.iter));
            if inner.lower.iter().chain(&inner.upper).any(|bound| bound.mentions(&of_nest)) {
                return Err(CollapseError::NotRectangular(inner.iter));
            }
            nest.push(inner);
            innermost = inner;
        }
        Ok(nest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::ProgramBuilder;
    use crate::expr::Expr;

    /// Returns the outer loop of `for i = 0 to n: (for j = lower to n: A[j]), (A[0] if `access`)`.
    fn nest(access: bool, lower: impl Fn(IterId) -> Expr) -> Loop {
        let mut b = ProgramBuilder::new("f");
        let n = b.param("n");
        let a = b.array("A", 8, 1);
        b.for_("i", 0, n, |b, i| {
            b.operations(1);
            b.for_("j", lower(i), n, |b, j| _ = b.read(a, [j]));
            if access {
                b.read(a, [0]);
            }
        });
        let [Node::Loop(outer)] = <[Node; 1]>::try_from(b.build().body).unwrap() else { panic!("one loop") };
        outer
    }

    #[test]
    fn nests_are_perfect_and_rectangular() {
        let rectangle = nest(false, |_| Expr::constant(1));
        let iters = |count| rectangle.collapsed(count).map(|nest| nest.iter().map(|l| l.iter).collect::<Vec<_>>());
        assert_eq!(iters(1), Ok(vec![IterId(0)]));
        assert_eq!(iters(2), Ok(vec![IterId(0), IterId(1)]));
        assert_eq!(iters(3), Err(CollapseError::NotPerfect(IterId(1))));
        let error = |nest: Loop| nest.collapsed(2).unwrap_err();
        assert_eq!(error(nest(true, |_| Expr::constant(1))), CollapseError::NotPerfect(IterId(0)));
        assert_eq!(error(nest(false, Expr::iter)), CollapseError::NotRectangular(IterId(1)));
    }
}
