//! Lines with two names (docs/mathematics.md, "Aliases").
//!
//! In rows that follow each other the line [R, u] that starts before row R is the line [R − 1, u + q]. An access would touch one
//! line under one condition and another one under the opposite, and a column two sets of lines, each with as many cases as a
//! row has places in a line. Many windows touch no line under both of its names, and others do so at one end of the domain only;
//! so the names with aliases are used where that is so, and the cases elsewhere.

use std::collections::BTreeMap;

use symloc_affine::rows::Case;
use symloc_affine::{ArrayId, Atom, Expr, LineCoordinates, Program};
use symloc_isl::{Context, Map, Set};
use symloc_quasi::{Constraint, Poly, Relation};

use crate::Error;
use crate::convert::constraints;
use crate::frame::Frame;
use crate::schedule::timestamps::params_text;

/// By array, from the names that lines have besides others to these: `Array[name] -> Array[name]`.
pub(crate) type Aliases = BTreeMap<ArrayId, Map>;

/// Returns the aliases of the lines of a program.
pub(super) fn aliases(isl: &Context, lines: &LineCoordinates) -> Result<Aliases, Error> {
    let mut all = Aliases::new();
    for array in (0..lines.program.arrays.len()).map(|array| ArrayId(array as u32)) {
        let cases = lines.aliases(array)?;
        let maps = cases.iter().map(|case| Ok(Map::read(isl, &text(&lines.program, array, case))?));
        if let Some(map) = maps.reduce(|all, map: Result<Map, Error>| Ok(all?.union(&map?)?)).transpose()? {
            all.insert(array, map);
        }
    }
    Ok(all)
}

/// Returns one case in isl notation; coordinates are iterators.
fn text(program: &Program, array: ArrayId, Case { conditions, block }: &Case) -> String {
    let show = |expr: &Expr| {
        expr.show(&|atom| match atom {
            Atom::Iter(coordinate) => format!("symloc_c{}", coordinate.index()),
            other => program.show(&Expr::atom(other.clone())),
        })
    };
    let name = &program.array(array).name;
    let names: Vec<String> = (0..block.len()).map(|at| format!("symloc_c{at}")).collect();
    let images: Vec<String> = block.iter().map(show).collect();
    let condition = |condition: &symloc_affine::Constraint| match condition.relation {
        symloc_affine::Relation::Zero => format!(" and {} = 0", show(&condition.expr)),
        symloc_affine::Relation::NonNegative => format!(" and {} >= 0", show(&condition.expr)),
    };
    let conditions: String = conditions.iter().map(condition).collect();
    format!(
        "{} -> {{ {name}[{}] -> {name}[{}] : true{conditions} }}",
        params_text(program),
        names.join(", "),
        images.join(", ")
    )
}

/// Returns the parameter values for which some line has two names in sets of names: nothing, if there are none.
pub(super) fn ambiguous(names: &[Set], aliases: &Map) -> Result<Option<Set>, Error> {
    let mut ambiguous: Option<Set> = None;
    for some in names {
        let others = some.apply(aliases)?;
        for names in names {
            let both = others.intersect(names)?;
            if !both.is_empty()? {
                let values = both.params()?;
                ambiguous = Some(ambiguous.map_or(Ok(values.clone()), |ambiguous| ambiguous.union(&values))?);
            }
        }
    }
    Ok(ambiguous)
}

/// A domain in two parts.
pub(super) struct DividedDomain {
    /// Has none of some points.
    pub without: Set,
    pub rest: Set,
}

/// Divides a domain by an inequality that all points of some sets fulfil, if not all of the domain does.
pub(super) fn without(
    isl: &Context,
    frame: &Frame,
    domain: &Set,
    points: &[Set],
) -> Result<Option<DividedDomain>, Error> {
    let no_points = Set::empty(&frame.region(isl, &[])?.space()?)?;
    let all = points.iter().try_fold(no_points, |all, some| all.union(some))?;
    let mut bounds = constraints(&all.remove_divs()?.coalesce()?.simple_hull()?, frame)?;
    bounds.retain(|bound| bound.relation == Relation::NonNegative);
    bounds.sort_by_key(|bound| bound.poly.vars().len());
    for bound in bounds {
        let beyond = Constraint::non_negative(&-&bound.poly - &Poly::one());
        let beyond = frame.over_iters(isl, &frame.region(isl, &[beyond])?)?;
        let without = domain.intersect(&beyond)?;
        if !without.is_empty()? {
            return Ok(Some(DividedDomain { without, rest: domain.subtract(&beyond)? }));
        }
    }
    Ok(None)
}
