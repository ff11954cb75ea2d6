//! Affine expressions in MLIR's syntax: maps and integer sets, with their operands.

use symloc_affine::{Atom, Constraint, Expr, IterId, ParamId, Relation};

use crate::ffi::{AffineOperands, Val};

/// The values of iterators and parameters.
pub(super) struct AtomValues<'v, 'a> {
    /// The value of an iterator that is in scope.
    pub(super) iter: &'v dyn Fn(IterId) -> Option<Val<'a>>,
    /// The value of a parameter.
    pub(super) param: &'v dyn Fn(ParamId) -> Option<Val<'a>>,
}

/// The dimensions and symbols of one map or set so far.
#[derive(Default)]
struct Inputs<'a> {
    dims: Vec<(IterId, Val<'a>)>,
    symbols: Vec<(ParamId, Val<'a>)>,
}

impl<'a> AtomValues<'_, 'a> {
    /// Returns a map with these results; `None` if an iterator or a parameter has no value.
    pub(super) fn map(&self, results: &[Expr]) -> Option<AffineOperands<'a>> {
        let mut inputs = Inputs::default();
        let results = results.iter().map(|result| inputs.text(result, self)).collect::<Option<Vec<_>>>()?;
        Some(inputs.operands("map", &format!("-> ({})", results.join(", "))))
    }

    /// Returns the set in which all constraints hold; `None` if an iterator or a parameter has no value.
    pub(super) fn set(&self, constraints: &[Constraint]) -> Option<AffineOperands<'a>> {
        let mut inputs = Inputs::default();
        let text = |constraint: &Constraint| {
            let relation = match constraint.relation {
                Relation::Zero => "==",
                Relation::NonNegative => ">=",
            };
            Some(format!("{} {relation} 0", inputs.text(&constraint.expr, self)?))
        };
        let constraints = constraints.iter().map(text).collect::<Option<Vec<_>>>()?;
        Some(inputs.operands("set", &format!(": ({})", constraints.join(", "))))
    }
}

impl<'a> Inputs<'a> {
    fn operands(self, kind: &str, body: &str) -> AffineOperands<'a> {
        let dims: Vec<_> = (0..self.dims.len()).map(|index| format!("d{index}")).collect();
        let symbols: Vec<_> = (0..self.symbols.len()).map(|index| format!("s{index}")).collect();
        let text = format!("affine_{kind}<({})[{}] {body}>", dims.join(", "), symbols.join(", "));
        let operands = self.dims.into_iter().map(|(_, value)| value);
        let operands = operands.chain(self.symbols.into_iter().map(|(_, value)| value)).collect();
        AffineOperands { text, operands }
    }

    fn text(&mut self, expr: &Expr, values: &AtomValues<'_, 'a>) -> Option<String> {
        let mut terms = Vec::new();
        for (atom, coefficient) in expr.terms() {
            let atom = self.atom(atom, values)?;
            terms.push(if coefficient == 1 { atom } else { format!("{atom} * {coefficient}") });
        }
        if expr.constant_term() != 0 || terms.is_empty() {
            terms.push(expr.constant_term().to_string());
        }
        Some(terms.join(" + "))
    }

    fn atom(&mut self, atom: &Atom, values: &AtomValues<'_, 'a>) -> Option<String> {
        Some(match atom {
            Atom::Iter(iter) => format!("d{}", position(&mut self.dims, *iter, values.iter)?),
            Atom::Param(param) => format!("s{}", position(&mut self.symbols, *param, values.param)?),
            Atom::Floor(numerator, divisor) => format!("(({}) floordiv {divisor})", self.text(numerator, values)?),
        })
    }
}

/// Returns the position of an input, which is added if it is new.
fn position<'a, K: PartialEq + Copy>(
    inputs: &mut Vec<(K, Val<'a>)>,
    key: K,
    value: &dyn Fn(K) -> Option<Val<'a>>,
) -> Option<usize> {
    if let Some(known) = inputs.iter().position(|(other, _)| *other == key) {
        return Some(known);
    }
    inputs.push((key, value(key)?));
    Some(inputs.len() - 1)
}
