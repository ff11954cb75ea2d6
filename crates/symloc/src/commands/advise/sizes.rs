//! `advise --for-all-sizes`: the best order at each of many sizes.
//!
//! A search at the smallest, the middle and the largest size collects orders. The program in each of them is derived once,
//! and its model is asked at every size.

use std::time::Duration;

use symloc_advise::{AdviceQuestion, GivenOrder, Hierarchy, Nests, Selection, Sums, WORTHWHILE, advise};
use symloc_affine::Program;
use symloc_isl::Context;
use symloc_query::CliError;
use symloc_query::options::grid::{Grid, ParameterAxis, Point};
use symloc_query::output::tell;
use symloc_report::answers::advice::sizes::{ModelledOrder, OmittedOrder, SizesReport};
use symloc_schedule::Generated;

use super::models::{AskedSize, OrderModel, model_within};
use super::refusal::refused;
use super::written::WrittenProgram;
use crate::clock::Clock;
use crate::commands::sizes_of;
use crate::dense::at_size;

/// Returns the caches for a program, and the names of the levels.
pub(super) type HierarchyOf<'q> = dyn Fn(&Nests) -> Result<(Hierarchy, Vec<String>), CliError> + 'q;

/// A question about many sizes.
pub(super) struct SizesQuestion<'q> {
    pub(super) written: &'q dyn WrittenProgram,
    pub(super) grid: &'q Grid,
    pub(super) top: usize,
    /// For the searches together.
    pub(super) search_time: Duration,
    /// For each model.
    pub(super) model_time: Duration,
    pub(super) given: Option<&'q GivenOrder>,
    pub(super) sums: Sums,
    /// The caches, and the names of the levels.
    pub(super) hierarchy: &'q HierarchyOf<'q>,
}

/// The answer, and the source in each of its orders; none for the program as written.
pub(super) struct SizesAdvice {
    pub(super) report: SizesReport,
    pub(super) sources: Vec<Option<String>>,
}

impl SizesAdvice {
    /// Returns the source in the order that is best at the largest size, unless that is the program as written.
    pub(super) fn best_at_the_end(&self) -> Option<&String> {
        self.sources.get(self.report.ranges().last()?.order)?.as_ref()
    }
}

/// An order to derive.
struct CollectedOrder {
    /// Its moves as phrases, which tell it from others; none for the program as written.
    words: Vec<String>,
    generated: Generated,
    source: Option<String>,
}

impl SizesQuestion<'_> {
    /// Returns the best order at each size.
    ///
    /// # Errors
    ///
    /// If not exactly one parameter varies, those of the search, and if the program as written has no model.
    pub(super) fn answer(&self, clock: &Clock) -> Result<SizesAdvice, CliError> {
        let axis = self.axis()?;
        let points = self.points(axis)?;
        clock.enter("searching");
        let mut places = vec![0, points.len() / 2, points.len() - 1];
        places.dedup();
        let time = self.search_time / places.len() as u32;
        let mut candidates: Vec<CollectedOrder> = Vec::new();
        for place in &places {
            for candidate in self.candidates(&points[*place].sizes, time)? {
                if candidates.iter().all(|known| known.words != candidate.words) {
                    candidates.push(candidate);
                }
            }
        }
        self.compared(&points, axis, candidates, clock)
    }

    /// Returns the parameters that vary.
    fn axis(&self) -> Result<&ParameterAxis, CliError> {
        let varying: Vec<_> = self.grid.ranges().collect();
        match varying.as_slice() {
            [axis] => Ok(*axis),
            _ => Err(CliError::with_hint(
                format!("--for-all-sizes is about one range of sizes, and there are {}", varying.len()),
                "give one range, such as -D n=500..4000:+100 or -D ni=nj=nk=100..1000:+50, and single values for other parameters",
            )),
        }
    }

    /// Returns the sizes, each once and in ascending order of the one that varies.
    fn points(&self, axis: &ParameterAxis) -> Result<Vec<AskedSize>, CliError> {
        let varying = |point: &Point| point.iter().find(|(name, _)| axis.names.contains(name)).map(|(_, value)| *value);
        let mut points: Vec<Point> = self.grid.points().collect();
        points.sort_by_key(varying);
        points.dedup();
        let program = &self.written.input().program;
        let asked = |point: Point| {
            let sizes = sizes_of(program, &point)?;
            Ok(AskedSize { named: point.into_iter().collect(), sizes })
        };
        points.into_iter().map(asked).collect()
    }

    /// Returns the program as written and the orders that a search at one size proposes.
    fn candidates(&self, sizes: &[i64], time: Duration) -> Result<Vec<CollectedOrder>, CliError> {
        let program = &self.written.input().program;
        let nests = self.written.nests(&at_size(program, sizes)?)?;
        let (hierarchy, _) = (self.hierarchy)(&nests)?;
        let isl = Context::new().map_err(|error| refused(error.into()))?;
        let (top, given) = (self.top, self.given);
        let question = AdviceQuestion {
            nests: &nests,
            sizes,
            hierarchy: &hierarchy,
            time,
            top,
            selection: Selection::Cheapest,
            given,
            sums: self.sums,
        };
        let advice = advise(&isl, &question).map_err(refused)?;
        let mut found = Vec::new();
        for (place, order) in std::iter::once(&advice.written).chain(advice.proposed().take(top)).enumerate() {
            let source = (place > 0).then(|| self.written.new_source(&nests, &advice, order)).transpose()?;
            let (words, generated) = (order.words.clone(), order.generated.clone());
            found.push(CollectedOrder { words, generated, source });
        }
        Ok(found)
    }

    /// Derives the orders, and asks their models at all sizes.
    fn compared(
        &self,
        points: &[AskedSize],
        axis: &ParameterAxis,
        candidates: Vec<CollectedOrder>,
        clock: &Clock,
    ) -> Result<SizesAdvice, CliError> {
        let input = self.written.input();
        let nests = self.written.nests(&input.program)?;
        let (hierarchy, levels) = (self.hierarchy)(&nests)?;
        let lines: Vec<u64> = hierarchy.designs.iter().map(|design| design.geometry.lines()).collect();
        if hierarchy.designs.iter().any(|design| design.geometry.ways() < design.geometry.lines()) {
            tell("note", "models are about fully associative caches: the ways are not looked at");
        }
        let (mut orders, mut sources, mut omitted) = (Vec::new(), Vec::new(), Vec::new());
        for (place, CollectedOrder { words: moves, generated, source, .. }) in candidates.into_iter().enumerate() {
            clock.enter(format!("deriving order {place}"));
            let generated = with_arrays_of(generated, &nests.program);
            let predicted = model_within(self.model_time, &generated.executed(), hierarchy.line, input);
            let predicted = predicted.and_then(|model| {
                let late =
                    || format!("its model takes more than {} s; --model-time allows more", self.model_time.as_secs());
                let model = &model.ok_or_else(late)?;
                OrderModel { model, generated: &generated, nests: &nests, lines: &lines }.predictions(points)
            });
            match predicted {
                Ok(sizes) => {
                    orders.push(ModelledOrder { moves, sizes });
                    sources.push(source);
                }
                Err(why) if place == 0 => {
                    return Err(CliError::refused(format!(
                        "the program as written has no model to compare with: {why}"
                    )));
                }
                Err(why) => omitted.push(OmittedOrder { moves, why }),
            }
        }
        let fixed = self.grid.axes().filter(|other| *other != axis);
        let fixed = fixed.flat_map(|axis| axis.names.iter().map(|name| (name.clone(), axis.values.single())));
        let value = |size: &AskedSize| size.named.get(axis.names.first()?);
        let report = SizesReport {
            function: input.program.name.clone(),
            varying: axis.names.clone(),
            values: points.iter().filter_map(value).collect(),
            parameters: fixed.filter_map(|(name, value)| Some((name, value?))).collect(),
            levels,
            orders,
            omitted,
            worthwhile: WORTHWHILE,
        };
        Ok(SizesAdvice { report, sources })
    }
}

/// Returns an order's program with arrays whose extents are those of all sizes, not of the one of the search.
fn with_arrays_of(generated: Generated, program: &Program) -> Generated {
    let arrays = program.arrays.clone();
    Generated { program: Program { arrays, ..generated.program }, ..generated }
}
