//! The text of conditions on sizes, before the parameters have their final names.

use symloc_affine::{Atom, Expr};

use crate::draft::Candidate;

/// Writes `expr >= 0` with the terms on the sides where they are positive: `n >= m + 1`, `n <= 64`.
pub fn shown(expr: &Expr, candidates: &[Candidate]) -> String {
    if let Some((of, divisor)) = multiple(expr) {
        return format!("{} mod {divisor} = 0", sum(&of, candidates));
    }
    let (mut left, mut right) = sides(expr, candidates);
    match expr.constant_term() {
        constant if left.is_empty() && !right.is_empty() => return format!("{} <= {constant}", right.join(" + ")),
        0 if right.is_empty() => right.push("0".to_owned()),
        0 => {}
        constant if constant > 0 && !right.is_empty() => left.push(constant.to_string()),
        constant => right.push((-constant).to_string()),
    }
    format!("{} >= {}", left.join(" + "), right.join(" + "))
}

/// Returns x and d, if an expression is minus x mod d, which is not negative where x is a multiple of d.
fn multiple(expr: &Expr) -> Option<(Expr, i64)> {
    expr.terms().find_map(|(atom, _)| {
        let Atom::Floor(of, divisor) = atom else { return None };
        let remainder = of.modulo(*divisor).ok()?;
        (expr.plus(&remainder).ok()? == Expr::default()).then(|| ((**of).clone(), *divisor))
    })
}

/// Returns the terms with positive coefficients, and those with negative ones without their sign.
fn sides(expr: &Expr, candidates: &[Candidate]) -> (Vec<String>, Vec<String>) {
    let name = |atom: &Atom| match atom {
        Atom::Param(p) => candidates.get(p.index()).and_then(|c| c.name.clone()).unwrap_or_else(|| format!("p{}", p.0)),
        Atom::Floor(numerator, divisor) => format!("floor(({})/{divisor})", sum(numerator, candidates)),
        Atom::Iter(_) => "…".to_owned(),
    };
    let (mut left, mut right): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for (atom, coefficient) in expr.terms() {
        let term = match coefficient.unsigned_abs() {
            1 => name(atom),
            c => format!("{c}*{}", name(atom)),
        };
        if coefficient > 0 { left.push(term) } else { right.push(term) }
    }
    (left, right)
}

/// Writes an expression in the parameters.
fn sum(expr: &Expr, candidates: &[Candidate]) -> String {
    let (left, right) = sides(expr, candidates);
    let mut text = left.join(" + ");
    right.iter().for_each(|term| text = format!("{text} - {term}"));
    match expr.constant_term() {
        0 => text,
        constant => format!("{text} {} {}", if constant < 0 { '-' } else { '+' }, constant.unsigned_abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Origin;
    use symloc_affine::ParamId;

    #[test]
    fn terms_stand_where_they_are_positive() {
        let candidates = ["n", "m"].map(|name| Candidate::size(Origin::Extent, Some(name.to_owned())));
        let [n, m] = [0, 1].map(|number| Expr::param(ParamId(number)));
        let show = |expr: Expr| shown(&expr, &candidates);
        let minus = |a: &Expr, b: &Expr, constant| a.minus(b).unwrap().plus_constant(constant).unwrap();
        assert_eq!(show(minus(&n, &m, 0)), "n >= m");
        assert_eq!(show(minus(&n, &m, -3)), "n >= m + 3");
        assert_eq!(show(minus(&n, &m, 2)), "n + 2 >= m");
        assert_eq!(show(minus(&Expr::constant(64), &n, 0)), "n <= 64");
        assert_eq!(show(minus(&Expr::constant(0), &n, 64)), "n <= 64");
        assert_eq!(show(n.plus_constant(-2).unwrap()), "n >= 2");
        let half = minus(&n, &m, 1).floor_div(2).unwrap();
        assert_eq!(show(half), "floor((n - m + 1)/2) >= 0");
    }
}
