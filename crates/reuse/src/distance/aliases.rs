//! Lines with two names (docs/mathematics.md, "Aliases").
//!
//! In rows that follow each other the line [R, u] that starts before row R is the line [R − 1, u + q]. An access would touch one
//! line under one condition and another one under the opposite, and a column two sets of lines, each with as many cases as a
//! row has places in a line. Many windows touch no line under both of its names; so these are used where that is so, and the cases
//! in the others.

use std::collections::BTreeMap;

use symloc_affine::rows::Case;
use symloc_affine::{ArrayId, Atom, Constraint, Expr, LineCoordinates, Program, Relation};
use symloc_isl::{Context, Map, Set};

use crate::Error;
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
    let condition = |condition: &Constraint| match condition.relation {
        Relation::Zero => format!(" and {} = 0", show(&condition.expr)),
        Relation::NonNegative => format!(" and {} >= 0", show(&condition.expr)),
    };
    let conditions: String = conditions.iter().map(condition).collect();
    format!(
        "{} -> {{ {name}[{}] -> {name}[{}] : true{conditions} }}",
        params_text(program),
        names.join(", "),
        images.join(", ")
    )
}

/// Returns true if some line has two names in sets of names.
pub(super) fn meet(blocks: &[Set], aliases: &Map) -> Result<bool, Error> {
    for names in blocks {
        let others = names.apply(aliases)?;
        for names in blocks {
            if !others.is_disjoint(names)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
