//! The program with line starts: every access to an array with dimensions has one more iterator, outermost, the start
//! of the line that it touches.

use symloc_affine::{AccessId, ArrayId, Layout, ParamId, Program};
use symloc_isl::{Context, Map, UnionMap};

use crate::frame::FreshNames;
use crate::schedule::coordinates::Coordinates;
use crate::schedule::counters::{Counted, earlier};
use crate::schedule::rank::Ranks;
use crate::schedule::started::StartedStatement;
use crate::schedule::timestamps::Timestamps;
use crate::{Error, LineError};

/// A program in line starts.
#[derive(Debug)]
pub struct LineStarts {
    /// The coordinates of previous accesses and intervals: the program's own parameters and iterators, with line starts.
    pub coordinates: Coordinates,
    /// b.
    pub line: ParamId,
    /// For each access the blocks that it touches, whatever their line starts: `[iterators] -> Array[block]`.
    pub(super) touched: Vec<Map>,
    /// For each access, the elements of its array in a line, in units of b, which counts the largest elements; `None`
    /// if the array has no dimensions.
    pub(super) ratios: Vec<Option<u64>>,
    /// The bytes of an element, of the largest if arrays differ: b of these are in a line.
    pub element_bytes: u64,
}

impl LineStarts {
    /// Adds line starts for lines of `line` elements.
    ///
    /// # Errors
    ///
    /// [`Error::Layout`] if an array has no blocks, [`Error::Line`] if sizes of elements do not divide each other,
    /// [`Error::Isl`] if isl fails or reaches the limit.
    pub fn new(
        isl: &Context,
        program: &Program,
        timestamps: &Timestamps,
        ranks: &Ranks,
        layout: Layout,
        line: ParamId,
    ) -> Result<Self, Error> {
        let name = FreshNames::new(program).fresh("start", "");
        let own = Counted::new(isl, program, timestamps)?;
        let empty = UnionMap::empty(isl)?;
        let (mut accesses, mut schedule) = (empty.clone(), empty);
        let mut iterators = own.iterators.as_ref().map(|_| UnionMap::empty(isl)).transpose()?;
        let (mut ranked, mut ratios, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for statement in &timestamps.statements {
            let block = layout.coordinates(program, program.access(statement.access))?;
            let ratio = match block.is_empty() {
                true => None,
                false => Some(ratio(program, statement.access)?),
            };
            let own_frame = timestamps.frame(program, statement.access);
            let added =
                StartedStatement::new(isl, program, &own_frame, statement.access, ratio.map(|_| name.as_str()))?;
            let domain = added.with_start(&timestamps.regions[statement.region].domain)?;
            let elements = format!("{}{}", ratio.unwrap_or(1), program.params[line.index()].name);
            let touched = added.accessed(&block, &elements, &domain)?;
            let needed = added.without_negative(&touched, &block, &domain)?;
            accesses = accesses.union(&UnionMap::from_map(&needed)?)?;
            schedule = schedule.union(&added.times(&own.schedule)?)?;
            iterators = match (iterators, &own.iterators) {
                (Some(all), Some(own)) => Some(all.union(&added.iterators(own)?)?),
                (all, _) => all,
            };
            all.push(added.without_start(&touched)?);
            ranked.push(added.ranked(&ranks.statements[statement.access.index()])?);
            ratios.push(ratio);
        }
        let earlier = earlier(isl, &schedule)?;
        let coordinates = Coordinates {
            params: program.params.iter().map(|p| p.name.clone()).collect(),
            context: timestamps.context.clone(),
            ranked,
            totals: ranks.total.clone(),
            schedule: Counted { iterators, schedule, times: own.times, earlier },
            accesses,
            rows: None,
            defined: Vec::new(),
        };
        Ok(Self { coordinates, line, touched: all, ratios, element_bytes: program.largest_element() })
    }
}

impl LineStarts {
    /// Returns the number of elements of an array in a line, in units of b; `None` if it has no dimensions, or no
    /// accesses.
    pub(super) fn ratio_of(&self, program: &Program, array: ArrayId) -> Option<u64> {
        self.ratios[program.accesses.iter().position(|access| access.array == array)?]
    }
}

/// Returns the number of elements of the accessed array in a line, in units of b.
fn ratio(program: &Program, access: AccessId) -> Result<u64, Error> {
    let bytes = program.array(program.access(access).array).element_bytes;
    let largest = program.largest_element();
    match largest.checked_rem(bytes) {
        Some(0) => Ok(largest / bytes),
        _ => {
            let reason =
                format!("the sizes of elements must divide the largest, and {bytes} bytes do not divide {largest}");
            Err(LineError { access, reason }.into())
        }
    }
}
