//! Conditions on data that hold in a share of the iterations, which the user gives (`--branch LINE=SHARE`).

use num_rational::Ratio;
use symloc_affine::{Constraint, Expr};

use crate::cases::Cases;
use crate::diagnostics::{Diagnostic, Kind};

/// Returns a condition that holds in a share a/b of the iterations k of the innermost loop, evenly spread: where
/// a·k mod b < a. Outside of loops it is `None`, except for the shares 0 and 1.
pub fn spread(share: Ratio<i64>, iteration: Option<&Expr>) -> Option<Cases<bool>> {
    let (times, all) = (*share.numer(), *share.denom());
    if all == 1 {
        return Some(Cases::Always(times == 1));
    }
    let position = iteration?.times(times).and_then(|product| product.modulo(all)).ok()?;
    let holds = Constraint::non_negative(Expr::constant(times - 1).minus(&position).ok()?);
    Some(Cases::when(vec![holds], Cases::Always(true), Cases::Always(false)))
}

/// Returns the remark of a model about a condition on data.
pub fn remark(line: u32, share: Ratio<i64>) -> String {
    let often = match (*share.numer(), *share.denom()) {
        (0, _) => "never holds".to_owned(),
        (1, 1) => "always holds".to_owned(),
        (times, all) => format!("holds in {times} of {all} iterations, evenly spread"),
    };
    format!("this condition on data {often} (--branch {line}={share})")
}

/// Returns the error for a share of a condition that is tested once.
pub fn once(line: u32, share: Ratio<i64>) -> Diagnostic {
    let message = format!("--branch {line}={share}: this condition is tested once, outside all loops");
    Diagnostic::new(Kind::Unsupported, None, message).note("it holds or it does not").hint("give 0 or 1")
}

/// Returns the error for a line without a branch on data.
pub fn untold(line: u32) -> Diagnostic {
    let message = format!("--branch {line}: there is no branch on data on this line");
    Diagnostic::new(Kind::Request, None, message).hint("give the line of the condition, or leave it out")
}

/// Returns the hint for a condition on data, in a loop or outside of loops.
pub fn hint(line: u32, in_loop: bool) -> String {
    let (never, always) = (format!("--branch {line}=0 (never)"), format!("--branch {line}=1 (always)"));
    match in_loop {
        true => format!("say how often it holds, with {never}, {always} or a share such as --branch {line}=0.5"),
        false => format!("say how often it holds, with {never} or {always}"),
    }
}
