//! A program as the later stages see it: blocks, times and ranks of its accesses, all over the same variables.
//!
//! With lines of constant size the variables are the program's own parameters and iterators. A symbolic line size adds
//! line starts (see [`lines`](crate::lines)); previous accesses and intervals do not know of which kind an iterator is.

use symloc_affine::{AccessId, ArrayId, Layout, Line, Program};
use symloc_isl::{Context, Set, UnionMap};
use symloc_quasi::{Poly, Var};

use crate::Error;
use crate::frame::Frame;
use crate::schedule::counters::Counted;
use crate::schedule::rank::{Rank, RankedAccess, Ranks};
use crate::schedule::rows::RowStarts;
use crate::schedule::timestamps::Timestamps;

/// The blocks that accesses touch, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touches<'a> {
    /// From statements to blocks, in iterators.
    pub(crate) accesses: &'a UnionMap,
    /// When, in counters if there are any.
    pub(crate) counted: &'a Counted,
    /// From statements with line starts in rows to those without, where lines do start.
    pub(crate) lines: Option<&'a UnionMap>,
}

/// All accesses of a program, with lines of one size.
#[derive(Debug)]
pub struct Coordinates {
    /// The names of the parameters.
    pub params: Vec<String>,
    /// The context (constraints on the parameters), as a set without dimensions.
    pub context: Set,
    /// By access, what is known of it.
    pub ranked: Vec<RankedAccess>,
    /// N, on disjoint sets of parameters.
    pub totals: Vec<(Set, Poly)>,
    /// The order of all statements.
    pub schedule: Counted,
    /// The access map 𝒜, from statements to blocks.
    pub accesses: UnionMap,
    /// The accesses with line starts, where rows begin at different places of a line.
    pub(crate) rows: Option<RowStarts>,
    /// Parameters that are functions of others. Formulas are compared after these have been replaced.
    pub defined: Vec<(Var, Poly)>,
}

impl Coordinates {
    /// Returns the coordinates that are the program's own parameters and iterators, with an access map over them.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if isl fails or reaches the limit on its operations.
    pub fn of_program(
        isl: &Context,
        program: &Program,
        timestamps: &Timestamps,
        ranks: &Ranks,
        accesses: UnionMap,
    ) -> Result<Self, Error> {
        let ranked = |(access, rank): (usize, &Rank)| RankedAccess {
            frame: timestamps.frame(program, AccessId(access as u32)),
            rank: rank.clone(),
        };
        Ok(Self {
            params: program.params.iter().map(|p| p.name.clone()).collect(),
            context: timestamps.context.clone(),
            ranked: ranks.statements.iter().enumerate().map(ranked).collect(),
            totals: ranks.total.clone(),
            schedule: Counted::new(isl, program, timestamps)?,
            accesses,
            rows: None,
            defined: Vec::new(),
        })
    }

    /// Adds line starts in rows, where rows of arrays begin at different places of a line.
    ///
    /// # Errors
    ///
    /// As for [`RowStarts::new`].
    pub(crate) fn with_row_starts(
        self,
        isl: &Context,
        program: &Program,
        timestamps: &Timestamps,
        layout: Layout,
        line: Line,
    ) -> Result<Self, Error> {
        let rows = RowStarts::new(isl, program, timestamps, &self.schedule, (layout, line))?;
        Ok(Self { rows, ..self })
    }

    /// Returns the accesses as previous ones are looked for.
    pub(crate) fn touches(&self) -> Touches<'_> {
        match &self.rows {
            Some(RowStarts { accesses, counted, lines }) => Touches { accesses, counted, lines: Some(lines) },
            None => Touches { accesses: &self.accesses, counted: &self.schedule, lines: None },
        }
    }

    /// Returns the variables and ranks of an access.
    pub fn ranked(&self, access: AccessId) -> &RankedAccess {
        &self.ranked[access.index()]
    }

    /// Returns the blocks that are accessed, array by array.
    pub(crate) fn blocks(&self, program: &Program) -> Result<Vec<(ArrayId, Set)>, Error> {
        let of_array = |blocks: Set| Ok::<_, Error>((array_of(program, blocks.tuple_name()?)?, blocks));
        self.accesses.range()?.coalesce()?.sets()?.into_iter().map(of_array).collect()
    }

    /// Returns a frame of the parameters alone.
    pub fn parameters(&self) -> Frame {
        Frame::of_params(self.params.clone())
    }

    /// Returns a formula in its normal form: equal functions of independent parameters are equal.
    pub fn normal(&self, poly: &Poly) -> Poly {
        poly.with_values(&self.defined)
    }
}

/// Returns the array whose blocks have this name.
pub(crate) fn array_of(program: &Program, name: Option<String>) -> Result<ArrayId, Error> {
    let array = program.arrays.iter().position(|array| Some(&array.name) == name.as_ref());
    let array = array.ok_or_else(|| Error::Internal(format!("blocks of an unknown array {name:?}")))?;
    Ok(ArrayId(array as u32))
}
