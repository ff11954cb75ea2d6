//! Lines of several elements in digits: `[t, ⌊r/B⌋]` where B divides the tile size.

use crate::expr::{Atom, Expr};
use crate::ids::{ArrayId, ParamId};
use crate::layout::{Layout, Line};
use crate::program::{Array, Extent, Program};
use crate::radix::RadixProgram;
use crate::radix::error::RadixError;
use crate::rows::{Naming, PaddedNames, Padding, Purpose, remainder};
use crate::strides::ConstantRows;

const WHOLE: &str = "say that tiles are whole lines, as in --assume 'T mod 8 = 0', or derive with --element";
const ROWS: &str =
    "say that rows are whole lines, as in --assume 'n mod 8 = 0', or derive with --layout rows or --element";

impl RadixProgram {
    /// Checks that the lines of all arrays have names in digits which are those of the original program: each tile of a row
    /// starts a line, and no line holds parts of two rows.
    ///
    /// # Errors
    ///
    /// [`RadixError`] at an array of which that is not known.
    pub fn check_lines(&self, source: &Program, layout: Layout, line: Line) -> Result<(), RadixError> {
        for (index, (array, digits)) in source.arrays.iter().zip(&self.program.arrays).enumerate() {
            // Lines of no whole number of elements are refused with all others.
            let Some(elements) = line.elements(array).ok().filter(|elements| *elements > 1) else { continue };
            if array.shape.len() == digits.shape.len() {
                continue;
            }
            let tiles = self.tile_of_rows(ArrayId(index as u32));
            let why = match layout {
                Layout::Linear => None,
                Layout::Rows => tiles
                    .filter(|tile| remainder(source, &Expr::param(*tile), elements) != Some(0))
                    .map(|_| (format!("the tiles of `{}`", array.name), WHOLE)),
                Layout::Memory => self.in_memory(source, (array, digits), elements)?,
            };
            if let Some((what, hint)) = why {
                let why = format!("lines of {elements} elements: {what} need not start a line");
                return Err(RadixError::at(Some(&array.location), why, hint));
            }
        }
        Ok(())
    }

    /// Returns the tile size of the innermost dimension of an array, if it is in digits.
    fn tile_of_rows(&self, array: ArrayId) -> Option<ParamId> {
        match self.program.array(array).shape.last() {
            Some(Extent::Size(factors)) => factors.iter().find_map(|factor| self.tile(factor)),
            _ => None,
        }
    }

    fn tile(&self, expr: &Expr) -> Option<ParamId> {
        let is_tile = |param: &ParamId| self.sizes.iter().any(|digits| digits.tile == *param);
        expr.terms().find_map(|(atom, _)| match atom {
            Atom::Param(param) => Some(*param).filter(is_tile),
            Atom::Iter(_) | Atom::Floor(..) => None,
        })
    }

    /// Returns what of an array in memory need not start a line, and what to do.
    fn in_memory(
        &self,
        source: &Program,
        (array, digits): (&Array, &Array),
        elements: i64,
    ) -> Result<Option<(String, &'static str)>, RadixError> {
        let rows = || Some((format!("rows of `{}`", array.name), ROWS));
        let original = Naming::of(source, array, elements, Purpose::RowsApart)?;
        if let Some(strides) = &array.strides {
            let outer = ConstantRows::of(array, strides.offset, &strides.strides, elements).outer;
            let is_dense = strides.offset == 0 && strides.strides.last().is_none_or(|stride| *stride == 1);
            if !is_dense || outer + 1 < array.shape.len() {
                return Ok(rows());
            }
        } else if original.carries_rows() {
            return Ok(rows());
        }
        let why = |naming: &Naming| match naming {
            Naming::Padded(PaddedNames { why, .. }) => why.clone(),
            Naming::Exact(_) => None,
        };
        let naming = Naming::of(&self.program, digits, elements, Purpose::RowsApart)?;
        let padded = why(&naming);
        Ok(match &padded {
            None if naming.carries_rows() => rows(),
            None => None,
            Some(Padding::Remainder(length, _)) if self.tile(length).is_some() => {
                Some((format!("the tiles of `{}`", array.name), WHOLE))
            }
            Some(_) if padded == why(&original) => None,
            Some(_) => rows(),
        })
    }
}
