//! The misses over cache sizes of the program as written and of the first order, side by side.

use symloc_advise::{Advice, AdvisedOrder, Hierarchy};
use symloc_affine::{Layout, Line, Program};
use symloc_cache::{Design, Geometry, IndexFunction, Replacement};
use symloc_query::CliError;
use symloc_replay::{Code, MemoryLayout, MemoryMap, Sampling, Survey, executions, footprint_at_most, sample};
use symloc_report::answers::advice::CurveRow;
use symloc_report::formats::text;
use symloc_report::plot::simulated::{SimulatedCurve, SimulatedPoint};
use symloc_report::plot::{Canvas, Picture, SizeMark, svg};
use symloc_sim::{DistanceHistogram, SimError, Trace};

use crate::trace::refused;

/// The longest run of which every reuse distance is measured.
const MEASURED: u64 = 20_000_000;
/// The most ranges of blocks that are looked at for the number of blocks touched.
const RANGES: u64 = 10_000_000;
/// The ways of the caches in which longer runs are sampled.
const WAYS: u64 = 16;
/// The accesses that are run for one sampled cache, about.
const EFFORT: u64 = 4_000_000;
/// Of the sampled misses of a cache, the largest part that is not known to be misses; caches with more are left out.
const UNDECIDED: f64 = 0.1;
/// Steps of a measured curve that are closer than such a part of the cache size are drawn as one.
const PART: u64 = 128;

/// The curves of a program as written and in the first order, if there is one.
pub(super) struct CurvePair {
    curves: Vec<SimulatedCurve>,
    subtitle: String,
    line_bytes: Option<u64>,
}

impl CurvePair {
    /// Simulates both programs, or samples them if a run is too long.
    ///
    /// # Errors
    ///
    /// A refusal if a program cannot be run at these sizes.
    pub(super) fn of(
        advice: &Advice,
        first: Option<&AdvisedOrder>,
        hierarchy: &Hierarchy,
        sizes: &[i64],
    ) -> Result<Self, CliError> {
        let (line, written) = (hierarchy.line, &advice.written.generated.program);
        let programs: Vec<_> = std::iter::once(("as written", &advice.written))
            .chain(first.map(|order| ("order 1", order)))
            .map(|(name, order)| (name, order.generated.executed()))
            .collect();
        let runs = programs.iter().map(|(name, program)| (*name, &**program)).map(|(name, program)| CurveRun {
            name,
            program,
            sizes,
            line,
        });
        let runs: Vec<_> = runs.collect();
        let measured = runs.iter().map(CurveRun::measured).collect::<Result<Option<Vec<_>>, _>>()?;
        let (curves, caches) = match measured {
            Some(curves) => (curves, "fully associative LRU".to_owned()),
            None => {
                let sampled = runs.iter().map(CurveRun::sampled).collect::<Result<Vec<_>, _>>()?;
                (sampled, format!("LRU with {WAYS} ways, sampled"))
            }
        };
        let line_bytes = line.bytes(written);
        let params = written.params.iter().zip(sizes).map(|(param, size)| (param.name.clone(), i128::from(*size)));
        let parts = [text::sizes(&params.collect::<Vec<_>>()), text::lines(line_bytes, line == Line::Element), caches];
        let subtitle = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        Ok(Self { curves, subtitle, line_bytes })
    }

    /// Returns the picture as SVG.
    ///
    /// # Errors
    ///
    /// A refusal if a mark has no place on the axis.
    pub(super) fn svg(&self, title: &str, marks: &[SizeMark]) -> Result<String, CliError> {
        let subtitle = self.subtitle.clone();
        let picture = Picture::of_simulated(title.to_owned(), subtitle, self.line_bytes, &self.curves, marks)?;
        Ok(svg::document(&picture, Canvas::PAPER))
    }

    /// Returns the misses in caches of powers of two lines.
    pub(super) fn rows(&self) -> Vec<CurveRow> {
        let largest = self.curves.iter().map(|curve| curve.blocks).max().unwrap_or(1).max(1).next_power_of_two();
        let smallest = self.curves.iter().filter_map(|curve| curve.points.first()).map(|point| point.lines).max();
        let sizes = std::iter::successors(smallest, |lines| lines.checked_mul(2));
        let row = |lines| CurveRow {
            lines,
            written: self.curves[0].at(lines),
            first: self.curves.get(1).map(|curve| curve.at(lines)),
        };
        sizes.take_while(|lines| *lines <= largest).map(row).collect()
    }
}

/// A program whose misses are looked at.
struct CurveRun<'r> {
    name: &'r str,
    program: &'r Program,
    sizes: &'r [i64],
    line: Line,
}

impl CurveRun<'_> {
    /// Returns the misses of all fully associative LRU caches; `None` if the run is too long.
    fn measured(&self) -> Result<Option<SimulatedCurve>, CliError> {
        let trace = Trace::with_limit(self.program, self.sizes, Layout::Linear, self.line, MEASURED);
        let histogram = match trace.and_then(|trace| DistanceHistogram::of(&trace)) {
            Ok(histogram) => histogram,
            Err(SimError::TooManyAccesses { .. }) => return Ok(None),
            Err(error) => return Err(refused(error)),
        };
        let DistanceHistogram { accesses, first_touches: blocks, distances } = histogram;
        let mut misses = accesses;
        let mut points: Vec<SimulatedPoint> = vec![SimulatedPoint { lines: 1, misses }];
        for (distance, count) in distances {
            // A cache holds a block over a distance if it has one line more.
            misses -= count;
            let lines = distance + 1;
            match points.last_mut() {
                Some(last) if lines - last.lines <= last.lines / PART => last.misses = misses,
                _ => points.push(SimulatedPoint { lines, misses }),
            }
        }
        Ok(Some(SimulatedCurve { name: self.name.to_owned(), accesses, blocks, points }))
    }

    /// Returns estimated misses of some caches. Those of which too little would be known are left out: such a cache misses at
    /// most as often as the next smaller one.
    fn sampled(&self) -> Result<SimulatedCurve, CliError> {
        let code = Code::new(self.program, self.sizes)?;
        let memory = MemoryMap::new(self.program, &Survey::of(&code)?, MemoryLayout::Memory, &[], self.line)?;
        let blocks: u64 = footprint_at_most(&code, &memory, RANGES)?.into_iter().sum();
        let by_access: Vec<f64> = executions(&code, u64::MAX)?.into_iter().map(|count| count as f64).collect();
        let accesses: f64 = by_access.iter().sum();
        let sampling = Sampling { precision: 0.0, effort: EFFORT, write_backs: false, ..Sampling::default() };
        let mut points = Vec::new();
        for lines in sampled_sizes(blocks) {
            let misses = if lines >= blocks {
                blocks
            } else {
                let geometry = Geometry::new(lines, WAYS, IndexFunction::Modulo);
                let geometry = geometry.map_err(|error| CliError::refused(error.to_string()))?;
                let design = Design::new(geometry, Replacement::Lru);
                let estimate = sample(&code, &memory, &[design], &by_access, &[], sampling)?;
                let share = estimate.levels[0].misses.value;
                if estimate.undecided > UNDECIDED * share {
                    continue;
                }
                ((share * accesses) as u64).max(blocks)
            };
            points.push(SimulatedPoint { lines, misses });
        }
        Ok(SimulatedCurve { name: self.name.to_owned(), accesses: accesses as u64, blocks, points })
    }
}

/// Returns sizes of caches in lines, whole numbers of sets, two for each power of two, up to one that holds all blocks.
fn sampled_sizes(blocks: u64) -> impl Iterator<Item = u64> {
    let power = std::iter::successors(Some(WAYS), |lines| lines.checked_mul(2));
    let sizes = power.flat_map(|lines| [lines, lines / 2 * 3]).filter(|lines| lines % WAYS == 0);
    let mut is_enough = false;
    sizes.take_while(move |lines| !std::mem::replace(&mut is_enough, *lines >= blocks))
}
