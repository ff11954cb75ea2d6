//! From array elements to cache blocks: the access map (docs/mathematics.md, "Timestamps"; paper, section 3.1).
//!
//! With [`Layout::Rows`] (the paper's padded arrays) every row of an array starts a new line, so the block of
//! `A[x₁]…[x_r]` is `[x₁, …, x_{r−1}, ⌊x_r / B⌋]` with B elements per line. With [`Layout::Linear`] the elements
//! lie at their real distances and the block is `[⌊(offset + Σ stride·x) / B⌋]`. Arrays are line-aligned and disjoint.

use crate::expr::{Expr, Overflow};
use crate::program::{Access, Array, Program, Strides};
use crate::rows::{Case, LinesInRows, Naming, Purpose};
use crate::strides::FormulaStrides;
use crate::wide::overlaps_partly;

/// The placement of elements in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layout {
    /// As in memory ([`crate::rows`]): rows follow each other. Rows of symbolic length start a line each unless it is
    /// known where they start.
    Memory,
    /// Every row (last dimension) starts a new line.
    Rows,
    /// The memref's own constant strides and offset.
    Linear,
}

/// The size of a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Line {
    /// One element of each array, whatever its size.
    Element,
    /// A number of bytes, at least 1.
    Bytes(u64),
}

/// The coordinates of an array's elements at one size: some outer subscripts by themselves, and one address of the others, which is
/// divided into lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementCoordinates {
    /// The number of subscripts that are coordinates by themselves.
    pub outer: usize,
    /// The address of the others.
    pub strides: Strides,
}

impl ElementCoordinates {
    /// Returns true if there is one element alone, which needs no coordinates.
    pub fn are_of_scalar(&self) -> bool {
        self.strides.strides.is_empty() && self.strides.offset == 0
    }
}

/// Why an array has no block coordinates under a layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// A line must hold a whole number of elements.
    #[error("a line of {line_bytes} bytes does not hold a whole number of {element_bytes}-byte elements of `{array}`")]
    ElementSize {
        /// The array.
        array: String,
        /// Its element size in bytes.
        element_bytes: u64,
        /// The line size in bytes.
        line_bytes: u64,
    },
    /// A line must hold all elements that an access touches at once, unless its first one stands for them.
    #[error(
        "{elements} elements of `{array}` are accessed at once, more than a block holds, and each access counts as one block"
    )]
    Wide {
        /// The array.
        array: String,
        /// The elements of the widest access.
        elements: i64,
    },
    /// The linear layout needs constant strides.
    #[error("the linear layout needs constant strides, and those of `{array}` are not")]
    SymbolicStrides {
        /// The array.
        array: String,
    },
    /// A coefficient overflowed.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

impl Line {
    /// Bytes per line, if they are the same for all arrays of a program.
    pub fn bytes(self, program: &Program) -> Option<u64> {
        match self {
            Line::Bytes(bytes) => Some(bytes),
            Line::Element => {
                let mut sizes = program.arrays.iter().map(|array| array.element_bytes);
                let first = sizes.next()?;
                sizes.all(|size| size == first).then_some(first)
            }
        }
    }

    /// Elements of this array per line (B).
    ///
    /// # Errors
    ///
    /// [`LayoutError::ElementSize`] if the line does not hold a whole number of elements.
    pub fn elements(self, array: &Array) -> Result<i64, LayoutError> {
        match self {
            Line::Element => Ok(1),
            Line::Bytes(bytes) => {
                let error = || LayoutError::ElementSize {
                    array: array.name.clone(),
                    element_bytes: array.element_bytes,
                    line_bytes: bytes,
                };
                let whole = array.element_bytes > 0 && bytes >= array.element_bytes && bytes % array.element_bytes == 0;
                if !whole {
                    return Err(error());
                }
                i64::try_from(bytes / array.element_bytes).map_err(|_| error())
            }
        }
    }

    /// Returns the elements per line of the array of an access.
    ///
    /// # Errors
    ///
    /// As for [`Line::elements`], or [`LayoutError::Wide`] if the access touches more elements at once, and others may touch
    /// some of them by themselves.
    pub fn elements_at(self, program: &Program, access: &Access) -> Result<i64, LayoutError> {
        let array = program.array(access.array);
        let elements = self.elements(array)?;
        match access.elements > elements && overlaps_partly(program, access.array) {
            true => Err(LayoutError::Wide { array: array.name.clone(), elements: access.elements }),
            false => Ok(elements),
        }
    }
}

impl Layout {
    /// The coordinates of the block that an access touches, outermost first; none for a scalar in memory. Rows are
    /// padded, unless the layout is linear.
    ///
    /// # Errors
    ///
    /// [`LayoutError`] if the line or the strides of the array do not suit the layout.
    pub fn block(self, program: &Program, access: &Access, line: Line) -> Result<Vec<Expr>, LayoutError> {
        let elements = line.elements_at(program, access)?;
        let mut block = self.coordinates(program, access)?;
        if let Some(last) = block.last_mut() {
            *last = last.floor_div(elements)?;
        }
        Ok(block)
    }

    /// Returns the coordinates of the element of an access. In its block, the last one is divided by the elements of a
    /// line.
    ///
    /// # Errors
    ///
    /// [`LayoutError::SymbolicStrides`] if the layout is linear and the strides are not constant,
    /// [`LayoutError::Overflow`] if a coefficient leaves 64 bits.
    pub fn coordinates(self, program: &Program, access: &Access) -> Result<Vec<Expr>, LayoutError> {
        match self {
            Layout::Memory | Layout::Rows => Ok(access.subscripts.clone()),
            Layout::Linear => Ok(vec![address(program, access)?]),
        }
    }

    /// Returns the lines that an access touches, case by case, named for a purpose.
    ///
    /// # Errors
    ///
    /// As for [`Layout::block`].
    pub fn lines(
        self,
        program: &Program,
        access: &Access,
        line: Line,
        purpose: Purpose,
    ) -> Result<Vec<Case>, LayoutError> {
        let array = program.array(access.array);
        let naming = self.naming(program, array, line, purpose)?;
        let elements = line.elements_at(program, access)?;
        let mut lines = Vec::new();
        for (conditions, access) in access.in_cases() {
            let own = match &naming {
                Some(naming) => naming.cases(&access, elements)?,
                None => vec![Case { conditions: Vec::new(), block: self.block(program, &access, line)? }],
            };
            lines.extend(own.into_iter().map(|case| case.under(conditions)));
        }
        Ok(lines)
    }

    /// Returns names of the lines that an access touches with its own subscripts, case by case; some lines may have two
    /// ([`Layout::aliases`]).
    ///
    /// # Errors
    ///
    /// As for [`Layout::block`].
    pub(crate) fn names(
        self,
        program: &Program,
        access: &Access,
        line: Line,
        purpose: Purpose,
    ) -> Result<Vec<Case>, LayoutError> {
        match self.naming(program, program.array(access.array), line, purpose)? {
            Some(naming) => Ok(naming.names(access, line.elements_at(program, access)?)?),
            None => self.lines(program, access, line, purpose),
        }
    }

    /// Returns the other names that some lines of an array have, case by case: of the line whose coordinates are the
    /// iterators 0, 1, …
    ///
    /// # Errors
    ///
    /// As for [`Layout::block`].
    pub(crate) fn aliases(
        self,
        program: &Program,
        array: &Array,
        line: Line,
        purpose: Purpose,
    ) -> Result<Vec<Case>, LayoutError> {
        match self.naming(program, array, line, purpose)? {
            Some(naming) => Ok(naming.aliases(line.elements(array)?)?),
            None => Ok(Vec::new()),
        }
    }

    /// Returns where the lines of an access start in rows, if rows follow each other and begin at different places of a line:
    /// case by case of its subscripts.
    ///
    /// # Errors
    ///
    /// As for [`Layout::block`].
    pub fn lines_in_rows(
        self,
        program: &Program,
        access: &Access,
        line: Line,
    ) -> Result<Option<LinesInRows>, LayoutError> {
        let array = program.array(access.array);
        let Some(naming) = self.naming(program, array, line, Purpose::RowsApart)? else { return Ok(None) };
        let elements = line.elements_at(program, access)?;
        let mut cases = Vec::new();
        for (conditions, access) in access.in_cases() {
            let Some(line) = naming.line_in_row(&access, elements)? else { return Ok(None) };
            cases.push((conditions.to_vec(), line));
        }
        Ok(Some(LinesInRows { elements, cases }))
    }

    /// Returns the naming of lines, where elements lie as in memory.
    fn naming(
        self,
        program: &Program,
        array: &Array,
        line: Line,
        purpose: Purpose,
    ) -> Result<Option<Naming>, LayoutError> {
        match self {
            Layout::Memory => Ok(Some(Naming::of(program, array, line.elements(array)?, purpose)?)),
            Layout::Rows | Layout::Linear => Ok(None),
        }
    }

    /// Returns the coordinates of an array's elements as formulas take them, at a size of the program.
    ///
    /// # Errors
    ///
    /// [`LayoutError::SymbolicStrides`] if the layout is linear and the strides are not constant, or as for
    /// [`Layout::block`].
    pub fn coordinates_at(
        self,
        program: &Program,
        array: &Array,
        line: Line,
        sizes: &[i64],
    ) -> Result<ElementCoordinates, LayoutError> {
        let flat = |strides| Ok(ElementCoordinates { outer: 0, strides });
        let by_rows = |outer, strides| Ok(ElementCoordinates { outer, strides: Strides { offset: 0, strides } });
        if self == Layout::Linear {
            return flat(constant_strides(array)?.clone());
        }
        match self.naming(program, array, line, Purpose::RowsApart)? {
            Some(Naming::Exact(_)) => match &array.strides {
                Some(strides) => flat(FormulaStrides::of(program, array, strides, line.elements(array)?).strides),
                None => flat(array.strides_at(sizes).ok_or(Overflow)?),
            },
            Some(Naming::Padded(padded)) => by_rows(padded.outer, padded.strides),
            None => {
                let outer = array.shape.len().saturating_sub(1);
                by_rows(outer, vec![1; array.shape.len() - outer])
            }
        }
    }

    /// Returns the expression of an access that is divided into lines, if lines are distinguished by the last subscript
    /// alone.
    pub(crate) fn along_rows(
        self,
        program: &Program,
        access: &Access,
        line: Line,
        purpose: Purpose,
    ) -> Result<Option<Expr>, LayoutError> {
        match self.naming(program, program.array(access.array), line, purpose)? {
            Some(naming) => Ok(naming.along_rows(access)?),
            None => Ok(self.coordinates(program, access)?.pop()),
        }
    }
}

/// Returns the constant strides that the linear layout needs.
fn constant_strides(array: &Array) -> Result<&Strides, LayoutError> {
    array.strides.as_ref().ok_or_else(|| LayoutError::SymbolicStrides { array: array.name.clone() })
}

/// Returns the distance of an element from the start of its array's memory, in elements.
fn address(program: &Program, access: &Access) -> Result<Expr, LayoutError> {
    let strides = constant_strides(program.array(access.array))?;
    let mut address = Expr::constant(strides.offset);
    for (subscript, &stride) in access.subscripts.iter().zip(&strides.strides) {
        address = address.add_scaled(subscript, stride)?;
    }
    Ok(address)
}
