//! Constant strides as formulas take them: as they are, or with rows that start a line each where there would be too many
//! cases (docs/mathematics.md, "Lines of arrays in memory").

use crate::program::{Access, Array, Extent, Program, Strides};

/// The most accesses to arrays whose rows start in lines at places that depend on two subscripts or more. Distances of each have
/// dozens of pieces: with them a stencil of 27 points in three dimensions derives in a quarter of a minute.
const EXACT_ACCESSES: usize = 32;

/// The subscripts of an array with constant strides that count rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstantRows {
    /// The number of outer ones whose strides are whole lines.
    pub(crate) outer: usize,
    /// The last one that counts rows of at least a line, of which all outer ones are made up; `None` if there is none.
    pub(crate) innermost: Option<usize>,
}

impl ConstantRows {
    pub(crate) fn of(array: &Array, offset: i64, strides: &[i64], elements: i64) -> Self {
        // How far the subscripts from `dimension` on reach, counted from the first element; `None` if that is not known.
        let reach = |dimension: usize| -> Option<i64> {
            let dimensions = array.shape.iter().zip(strides).skip(dimension);
            let mut reach = Some(offset).filter(|offset| *offset >= 0)?;
            for (extent, stride) in dimensions {
                let Extent::Known(extent) = extent else { return None };
                reach = reach.checked_add(extent.checked_sub(1)?.checked_mul(*stride).filter(|far| *far >= 0)?)?;
            }
            Some(reach)
        };
        let is_row = |dimension: usize| reach(dimension + 1).is_some_and(|reach| reach < strides[dimension]);
        let whole = |dimension: usize| strides[dimension] % elements == 0 && is_row(dimension);
        let outer = (0..strides.len().saturating_sub(1)).take_while(|dimension| whole(*dimension)).count();
        let rows = (outer..strides.len().saturating_sub(1)).take_while(|dimension| {
            let divides = |outer: &i64| outer % strides[*dimension] == 0;
            is_row(*dimension) && strides[*dimension] >= elements - 1 && strides[outer..*dimension].iter().all(divides)
        });
        Self { outer, innermost: rows.last() }
    }
}

/// Constant strides as formulas take them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormulaStrides {
    pub(crate) strides: Strides,
    /// True if rows start a line each though they follow each other in memory.
    pub(crate) padded: bool,
}

impl FormulaStrides {
    /// Returns the strides of an array as they are, or with padded rows if its rows start in lines at places that depend on
    /// several subscripts and there are many accesses to such arrays.
    pub(crate) fn of(program: &Program, array: &Array, strides: &Strides, elements: i64) -> Self {
        let is_intricate = |access: &&Access| {
            let array = program.array(access.array);
            array.strides.as_ref().is_some_and(|strides| padded(array, strides, elements).is_some())
        };
        let padded = padded(array, strides, elements)
            .filter(|_| program.accesses.iter().filter(is_intricate).nth(EXACT_ACCESSES).is_some());
        Self { padded: padded.is_some(), strides: padded.unwrap_or_else(|| strides.clone()) }
    }
}

/// Returns strides with rows that start a line each; `None` if rows start in lines at places that depend on one subscript or none.
fn padded(array: &Array, strides: &Strides, elements: i64) -> Option<Strides> {
    let ConstantRows { outer, innermost } = ConstantRows::of(array, strides.offset, &strides.strides, elements);
    let (counting, within) = strides.strides.split_at(innermost? + 1);
    let pitch = *counting.last()?;
    if counting[outer..].iter().filter(|stride| *stride % elements != 0).count() < 2 {
        return None;
    }
    let longer = pitch.checked_add(elements - pitch.rem_euclid(elements))?;
    let scaled = |stride: &i64| if stride % pitch == 0 { (stride / pitch).checked_mul(longer) } else { None };
    let counting = counting.iter().map(scaled).collect::<Option<Vec<_>>>()?;
    Some(Strides { strides: [&counting, within].concat(), ..*strides })
}
