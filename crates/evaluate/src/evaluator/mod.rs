//! Evaluation of a model at one size.
//!
//! [`Evaluator`] is a model at one line size with all its polynomials prepared. A class without free iterators gives
//! one number and its count. The others are evaluated in one of these ways:
//!
//! - [`Evaluator::locality`] cuts their points into parts with closed forms, and computes the misses of caches;
//! - [`Evaluator::attribution`] does the same for each access by itself;
//! - [`Evaluator::at`] computes the whole histogram. It visits the points within the bounds of the free iterators,
//!   outermost first, and checks each constraint of the domain as soon as its variables have values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use symloc_model::{
    Distances, IntervalKind, LineChoice, LineModel, Model, NamedSizes, Outline, Owner, Reuse, ReuseClass, SymbolicLine,
};
use symloc_quasi::{Int, Notation, Piece, Style};

use crate::count::Parts;
use crate::cumulative::Limit;
use crate::distribution::{Distribution, Histograms};
use crate::error::{EvalError, Stop};
use crate::formulas::{ClassFormula, DistanceFormulas, PieceFormula, PreparedConstraint, sum};
use crate::misses::attribution::{Attribution, Share};
use crate::misses::reuses::{DistanceDistribution, Lru, LruAttribution};
use crate::misses::working_set::{Instance, Locality};

/// The default limit on the points of free iterators that an evaluation visits: a few seconds, and in the worst case,
/// when all intervals differ, a few gigabytes.
pub const DEFAULT_POINTS: u64 = 20_000_000;

/// A model at one line size with its polynomials prepared.
#[derive(Debug)]
pub struct Evaluator<'m> {
    model: &'m Model,
    line: &'m LineModel,
    choice: LineChoice,
    points: u64,
    context: Vec<PreparedConstraint>,
    accesses: Vec<PieceFormula>,
    blocks: Vec<PieceFormula>,
    classes: Vec<ClassFormula>,
    /// The classes with the counts of each access by itself; prepared on first use.
    attributed: OnceLock<Vec<ClassFormula>>,
    distances: Option<DistanceFormulas>,
    /// The formulas of distances for each access by itself; prepared on first use.
    attributed_distances: OnceLock<DistanceFormulas>,
}

impl<'m> Evaluator<'m> {
    /// Prepares a model at one of its line sizes.
    ///
    /// # Errors
    ///
    /// [`RequestError::Line`](symloc_model::RequestError::Line) if the model does not hold it.
    pub fn new(model: &'m Model, choice: LineChoice) -> Result<Self, EvalError> {
        let line = model.line(choice)?;
        let parameters = model.variables();
        let pieces = |pieces: &[Piece]| pieces.iter().map(|p| PieceFormula::new(p, parameters)).collect();
        Ok(Self {
            model,
            line,
            choice,
            points: DEFAULT_POINTS,
            context: model.context.iter().map(|c| PreparedConstraint::new(c, parameters)).collect(),
            accesses: pieces(&model.accesses),
            blocks: pieces(&line.blocks),
            classes: line
                .classes
                .iter()
                .map(|class| ClassFormula::new(&class.pooled(Owner::Program), parameters))
                .collect(),
            attributed: OnceLock::new(),
            distances: line.distances.as_ref().map(|distances| DistanceFormulas::new(distances, parameters)),
            attributed_distances: OnceLock::new(),
        })
    }

    /// Returns the model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Returns true if the model holds reuse distances.
    pub fn has_distances(&self) -> bool {
        self.distances.is_some()
    }

    /// Limits the points of free iterators that one evaluation visits; see [`DEFAULT_POINTS`].
    pub fn with_limit(self, points: u64) -> Self {
        Self { points, ..self }
    }

    /// Evaluates all classes at a size, and checks that they add up.
    ///
    /// # Errors
    ///
    /// [`EvalError::Request`] and [`EvalError::OutsideContext`] if the size does not fit the model,
    /// [`EvalError::LineBytes`] and [`EvalError::TwoLines`] if the line size does not, [`EvalError::Limit`] if too many
    /// points would be visited, [`EvalError::Inconsistent`] if the classes do not add up.
    pub fn at(&self, sizes: &NamedSizes) -> Result<Distribution, EvalError> {
        let point = self.point(sizes)?;
        self.check_context(&point)?;
        let mut histograms = Histograms::default();
        let mut left = self.points;
        for class in &self.classes {
            class.evaluate(&point, &mut left, &mut histograms).map_err(|stop| self.error(stop, &point))?;
        }
        let total = |pieces: &[PieceFormula]| sum(pieces, &point).map_err(|stop| self.error(stop, &point));
        let Instance { parameters, line_bytes, element } = self.place(&point);
        let distribution = Distribution {
            parameters,
            line_bytes,
            element,
            accesses: total(&self.accesses)?,
            blocks: total(&self.blocks)?,
            real: histograms.real.finish(),
            imaginary: histograms.imaginary.finish(),
        };
        distribution.check().map_err(|reason| self.error(Stop::Contradiction(reason), &point))?;
        Ok(distribution)
    }

    /// Returns the misses of all caches at a size. Checks that the classes add up, like [`Evaluator::at`], but without
    /// visiting each of their points.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::at`].
    pub fn locality(&self, sizes: &NamedSizes) -> Result<Locality, EvalError> {
        let point = self.point(sizes)?;
        self.check_context(&point)?;
        self.locality_at(&point).map_err(|stop| self.error(stop, &point))
    }

    fn locality_at(&self, point: &[i128]) -> Result<Locality, Stop> {
        let mut parts = Parts::default();
        let mut left = self.points;
        for class in &self.classes {
            class.cut(point, &mut left, &mut parts)?;
        }
        let (accesses, blocks) = (sum(&self.accesses, point)?, sum(&self.blocks, point)?);
        Locality::new(self.place(point), accesses, blocks, parts, &self.limit(point)).map_err(Stop::Contradiction)
    }

    /// Returns the reuse intervals of each access at a size. Checks that they are those of [`Evaluator::locality`].
    ///
    /// # Errors
    ///
    /// [`RequestError::Unattributed`](symloc_model::RequestError::Unattributed) for models of
    /// [`SCHEMA_1`](symloc_model::SCHEMA_1), else those of [`Evaluator::locality`].
    pub fn attribution(&self, sizes: &NamedSizes) -> Result<Attribution, EvalError> {
        let program = self.model.outline()?;
        let point = self.point(sizes)?;
        self.check_context(&point)?;
        self.attribution_at(program, &point).map_err(|stop| self.error(stop, &point))
    }

    /// Returns the number of floating-point operations at a size; `None` if the model does not hold it.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::locality`], apart from limits.
    pub fn operations(&self, sizes: &NamedSizes) -> Result<Option<Int>, EvalError> {
        let point = self.point(sizes)?;
        self.check_context(&point)?;
        let count = |pieces: &Vec<Piece>| self.sum_of(pieces, &point).map_err(|stop| self.error(stop, &point));
        self.model.operations.as_ref().map(count).transpose()
    }

    /// Returns the value of pieces that are not prepared.
    fn sum_of(&self, pieces: &[Piece], point: &[i128]) -> Result<Int, Stop> {
        let pieces: Vec<_> = pieces.iter().map(|piece| PieceFormula::new(piece, point.len())).collect();
        sum(&pieces, point)
    }

    fn attribution_at(&self, program: &Outline, point: &[i128]) -> Result<Attribution, Stop> {
        let parameters = self.model.variables();
        let own = |class: &ReuseClass| ClassFormula::new(&class.pooled(Owner::Access), parameters);
        let prepare = || self.line.classes.iter().map(own).collect();
        let parts = by_access(self.attributed.get_or_init(prepare), program, point, &mut self.points.clone())?;
        let blocks = self.line.array_blocks.iter().map(|pieces| self.sum_of(pieces, point));
        let blocks = blocks.collect::<Result<_, _>>()?;
        let accesses = sum(&self.accesses, point)?;
        Attribution::new(program, parts, &accesses, blocks, &self.limit(point)).map_err(Stop::Contradiction)
    }

    /// Returns the reuse intervals from each access to each other at a size.
    ///
    /// # Errors
    ///
    /// [`EvalError::NoPrevious`] for models without previous accesses, else those of [`Evaluator::locality`].
    pub fn reuses(&self, sizes: &NamedSizes) -> Result<BTreeMap<Reuse, Share>, EvalError> {
        let parameters = self.model.variables();
        let classes = self.line.classes.iter().filter(|class| class.kind == IntervalKind::Real);
        let classes: Vec<_> = classes.map(|class| ClassFormula::new(class, parameters)).collect();
        self.shares(&classes, sizes)
    }

    /// Returns the known reuse distances from each access to each other at a size. In place of the interval stands the
    /// position in the LRU stack, which is the distance plus one. `None` if the model holds no distances.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::reuses`].
    pub fn reuses_by_place(&self, sizes: &NamedSizes) -> Result<Option<BTreeMap<Reuse, Share>>, EvalError> {
        let Some(distances) = &self.line.distances else { return Ok(None) };
        let place = |class| ClassFormula::of_places(class, Owner::Reuse, self.model.variables());
        let classes: Vec<_> = distances.classes.iter().map(place).collect();
        self.shares(&classes, sizes).map(Some)
    }

    fn shares(&self, classes: &[ClassFormula], sizes: &NamedSizes) -> Result<BTreeMap<Reuse, Share>, EvalError> {
        let point = self.point(sizes)?;
        self.check_context(&point)?;
        let mut parts: BTreeMap<Reuse, Parts> = BTreeMap::new();
        let mut left = self.points;
        for class in classes {
            for piece in &class.counts {
                let unknown = || EvalError::NoPrevious { generator: self.model.generator.clone() };
                let reuse = piece.reuse.filter(|reuse| reuse.previous.is_some()).ok_or_else(unknown)?;
                let own = parts.entry(reuse).or_default();
                class.cut_piece(piece, &point, &mut left, own).map_err(|stop| self.error(stop, &point))?;
            }
        }
        let limit = self.limit(&point);
        Ok(parts.into_iter().map(|(reuse, parts)| (reuse, Share::new(parts, &limit))).collect())
    }

    /// Returns the reuse distances of each access at a size; `None` if the model holds none.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::attribution`], against which they are checked.
    pub fn lru_attribution(&self, sizes: &NamedSizes) -> Result<Option<LruAttribution>, EvalError> {
        let Some(distances) = &self.line.distances else { return Ok(None) };
        let attribution = self.attribution(sizes)?;
        let (program, point) = (self.model.outline()?, self.point(sizes)?);
        let found = self.lru_attribution_at(distances, &attribution, program, &point);
        Ok(Some(found.map_err(|stop| self.error(stop, &point))?))
    }

    fn lru_attribution_at(
        &self,
        distances: &Distances,
        attribution: &Attribution,
        program: &Outline,
        point: &[i128],
    ) -> Result<LruAttribution, Stop> {
        let prepare = || DistanceFormulas::attributed(distances, self.model.variables());
        let formulas = self.attributed_distances.get_or_init(prepare);
        let mut left = self.points;
        let places = by_access(&formulas.places, program, point, &mut left)?;
        let estimated = by_access(&formulas.estimated, program, point, &mut left)?;
        LruAttribution::new(attribution, places, estimated, &self.limit(point)).map_err(Stop::Contradiction)
    }

    /// Returns the values of all variables. Where the line size is a parameter, a line size in bytes is one of the
    /// sizes.
    fn point(&self, sizes: &NamedSizes) -> Result<Vec<i128>, EvalError> {
        let (Some(symbolic), LineChoice::Bytes(bytes)) = (self.line.symbolic, self.choice) else {
            return Ok(sizes.point(self.model)?);
        };
        let SymbolicLine { parameter, element_bytes } = symbolic;
        let elements = i64::try_from(bytes / element_bytes).ok().filter(|_| bytes.is_multiple_of(element_bytes));
        let elements = elements.ok_or(EvalError::LineBytes { bytes, element_bytes })?;
        let name = &self.model.parameters[parameter];
        let mut sizes = sizes.clone();
        match sizes.insert(name, elements) {
            Some(defined) if defined != elements => {
                Err(EvalError::TwoLines { bytes, elements, defined: format!("{name} = {defined}") })
            }
            _ => Ok(sizes.point(self.model)?),
        }
    }

    /// Returns the bytes per line at a point.
    fn line_bytes(&self, point: &[i128]) -> Option<u64> {
        let Some(SymbolicLine { parameter, element_bytes }) = self.line.symbolic else {
            return self.line.line_bytes;
        };
        u64::try_from(point[parameter]).ok()?.checked_mul(element_bytes)
    }

    /// Returns the misses of fully associative LRU caches at a size; `None` if the model holds no distances.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::at`].
    pub fn lru(&self, sizes: &NamedSizes) -> Result<Option<Lru>, EvalError> {
        let point = self.point(sizes)?;
        self.check_context(&point)?;
        let Some(distances) = &self.distances else { return Ok(None) };
        let lru = self.lru_at(distances, &point).map_err(|stop| self.error(stop, &point))?;
        Ok(Some(lru))
    }

    fn lru_at(&self, distances: &DistanceFormulas, point: &[i128]) -> Result<Lru, Stop> {
        let mut left = self.points;
        let mut cut = |classes: &[ClassFormula]| {
            let mut parts = Parts::default();
            classes.iter().try_for_each(|class| class.cut(point, &mut left, &mut parts)).map(|()| parts)
        };
        let places = cut(&distances.places)?;
        let estimated = match distances.estimated.is_empty() {
            true => None,
            false => Some((cut(&distances.estimated)?, self.locality_at(point)?)),
        };
        let (accesses, blocks) = (sum(&self.accesses, point)?, sum(&self.blocks, point)?);
        Lru::new(self.place(point), accesses, blocks, places, estimated, &self.limit(point))
            .map_err(Stop::Contradiction)
    }

    /// Returns the histogram of reuse distances at a size; `None` if the model holds none.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::at`].
    pub fn distances(&self, sizes: &NamedSizes) -> Result<Option<DistanceDistribution>, EvalError> {
        let point = self.point(sizes)?;
        self.check_context(&point)?;
        let Some(distances) = &self.distances else { return Ok(None) };
        let found = self.distances_at(distances, &point).map_err(|stop| self.error(stop, &point))?;
        Ok(Some(found))
    }

    fn distances_at(&self, distances: &DistanceFormulas, point: &[i128]) -> Result<DistanceDistribution, Stop> {
        let mut left = self.points;
        let mut histogram = |classes: &[ClassFormula]| {
            let mut histograms = Histograms::default();
            let mut evaluate = |class: &ClassFormula| class.evaluate(point, &mut left, &mut histograms);
            classes.iter().try_for_each(&mut evaluate).map(|()| histograms.real.finish())
        };
        let (places, estimated) = (histogram(&distances.places)?, histogram(&distances.estimated)?);
        let (accesses, blocks) = (sum(&self.accesses, point)?, sum(&self.blocks, point)?);
        DistanceDistribution::new(self.place(point), accesses, blocks, places, estimated).map_err(Stop::Contradiction)
    }

    fn limit(&self, point: &[i128]) -> Arc<Limit> {
        Arc::new(Limit { points: self.points, sizes: self.sizes_text(point, &|_| true) })
    }

    fn place(&self, point: &[i128]) -> Instance {
        Instance {
            parameters: self.model.parameters.iter().cloned().zip(point.iter().copied()).collect(),
            line_bytes: self.line_bytes(point),
            element: self.line.element,
        }
    }

    /// Reports all conditions that the point violates in one error.
    fn check_context(&self, point: &[i128]) -> Result<(), EvalError> {
        let all = self.model.context.iter().zip(&self.context);
        let violated: Vec<_> = all.filter(|(_, condition)| !condition.holds(point)).map(|(c, _)| c.clone()).collect();
        if violated.is_empty() {
            return Ok(());
        }
        let vars: BTreeSet<usize> = violated.iter().flat_map(|c| c.poly.vars()).map(|v| v.0 as usize).collect();
        let counts = self.model.line_counts.iter().zip(self.model.first_line_count()..);
        let counted = |index: usize| counts.clone().any(|(c, at)| vars.contains(&at) && [c.of, c.by].contains(&index));
        let mentioned = |index: usize| vars.contains(&index) || counted(index);
        let only_line = self.line.symbolic.is_some_and(|line| vars.iter().eq([&line.parameter]));
        Err(EvalError::OutsideContext {
            sizes: self.sizes_text(point, &mentioned),
            conditions: Notation::new(Style::Plain, &self.model.names()).conjunction(&violated),
            line_bytes: self.line_bytes(point).filter(|bytes| *bytes > 0 && only_line),
        })
    }

    fn sizes_text(&self, point: &[i128], shown: &dyn Fn(usize) -> bool) -> String {
        let named = self.model.parameters.iter().zip(point).enumerate().filter(|(index, _)| shown(*index));
        let text: Vec<_> = named.map(|(_, (name, value))| format!("{name} = {value}")).collect();
        if text.is_empty() { "every size".to_owned() } else { text.join(", ") }
    }

    fn error(&self, stop: Stop, point: &[i128]) -> EvalError {
        match stop {
            Stop::Limit => self.limit(point).exceeded(),
            Stop::Contradiction(reason) => EvalError::Inconsistent { sizes: self.sizes_text(point, &|_| true), reason },
        }
    }
}

/// Returns the parts of classes at a size, for each access of the program by itself.
fn by_access(classes: &[ClassFormula], program: &Outline, point: &[i128], left: &mut u64) -> Result<Vec<Parts>, Stop> {
    let mut parts = vec![Parts::default(); program.accesses.len()];
    for class in classes {
        for piece in &class.counts {
            let own = piece.reuse.and_then(|reuse| parts.get_mut(reuse.access));
            let own = own.ok_or_else(|| Stop::Contradiction("a count of no access".to_owned()))?;
            class.cut_piece(piece, point, left, own)?;
        }
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::Bin;
    use crate::triangle;
    use symloc_quasi::{Poly, Var};

    fn sizes(n: i64) -> NamedSizes {
        [("n", n)].into_iter().collect()
    }

    fn bin(interval: i64, count: i64) -> Bin {
        Bin { interval: interval.into(), count: count.into() }
    }

    #[test]
    fn classes_become_a_histogram() {
        let model = triangle();
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap();
        for n in 2..12 {
            let distribution = evaluator.at(&sizes(n)).unwrap();
            let accesses = n * (n + 1) / 2;
            assert_eq!(distribution.real, [bin(1, accesses - n)]);
            assert_eq!(distribution.imaginary, (0..n).rev().map(|i| bin(accesses - i, 1)).collect::<Vec<_>>());
            assert_eq!(distribution.blocks, Int::from(n));
        }
    }

    #[test]
    fn operations_are_counted_where_they_are_known() {
        let mut model = triangle();
        assert_eq!(Evaluator::new(&model, LineChoice::Only).unwrap().operations(&sizes(5)), Ok(Some(Int::from(30))));
        assert!(Evaluator::new(&model, LineChoice::Only).unwrap().operations(&sizes(1)).is_err());
        model.operations = None;
        assert_eq!(Evaluator::new(&model, LineChoice::Only).unwrap().operations(&sizes(5)), Ok(None));
    }

    #[test]
    fn sizes_outside_the_context_are_refused() {
        let error = Evaluator::new(&triangle(), LineChoice::Only).unwrap().at(&sizes(1)).unwrap_err();
        assert_eq!(error.to_string(), "n = 1 is outside the model's context: n >= 2 is required");
    }

    #[test]
    fn a_model_that_does_not_add_up_gives_no_numbers() {
        let mut model = triangle();
        model.lines[0].classes.pop();
        let error = Evaluator::new(&model, LineChoice::Only).unwrap().at(&sizes(4)).unwrap_err().to_string();
        assert_eq!(error, "the model is wrong at n = 4: the classes hold 4 accesses, the program makes 10");
        let mut model = triangle();
        model.lines[0].classes[1].value = Poly::integer(2);
        let error = Evaluator::new(&model, LineChoice::Only).unwrap().at(&sizes(4)).unwrap_err().to_string();
        assert!(error.contains("the reuse intervals sum to 46, accesses times blocks is 40"), "{error}");
        model.lines[0].classes[1].value = Poly::integer(-2);
        let error = Evaluator::new(&model, LineChoice::Only).unwrap().at(&sizes(4)).unwrap_err().to_string();
        assert!(error.contains("6 accesses with a reuse interval of -2"), "{error}");
    }

    /// Eight loops to n round one read of a scalar: all intervals are 1, and there are n⁸ accesses.
    #[test]
    fn deep_nests_at_large_sizes_are_exact() {
        let accesses = Poly::var(Var(0)).pow(8);
        let mut model = triangle();
        model.accesses[0].value = accesses.clone();
        model.lines[0].blocks[0].value = Poly::one();
        let [imaginary, real] = model.lines[0].classes.as_mut_slice() else { panic!() };
        real.counts[0].count = &accesses - &Poly::one();
        *imaginary = ReuseClass { kind: IntervalKind::Imaginary, ..real.clone() };
        imaginary.counts[0].count = Poly::one();
        let distribution = Evaluator::new(&model, LineChoice::Only).unwrap().at(&sizes(1 << 31)).unwrap();
        assert_eq!(distribution.accesses.to_big(), num_bigint::BigInt::from(1) << 248);
        assert_eq!(distribution.real[0].count, &distribution.accesses - &Int::from(1));
        let locality = Evaluator::new(&model, LineChoice::Only).unwrap().locality(&sizes(1 << 31)).unwrap();
        assert_eq!(locality.misses(&Int::ZERO).unwrap().reuse, distribution.real[0].count);
        assert_eq!(locality.misses(&Int::from(1)).unwrap().reuse, Int::ZERO);
    }

    /// Closed forms, like histograms, refuse a model that contradicts itself.
    #[test]
    fn closed_forms_check_what_they_sum() {
        let refused = |damage: fn(&mut Model)| {
            let mut model = triangle();
            damage(&mut model);
            Evaluator::new(&model, LineChoice::Only).unwrap().locality(&sizes(40)).unwrap_err().to_string()
        };
        let error = refused(|model| drop(model.lines[0].classes.pop()));
        assert_eq!(error, "the model is wrong at n = 40: the classes hold 40 accesses, the program makes 820");
        let error = refused(|model| model.lines[0].classes[0].value = Poly::var(Var(1)));
        assert!(error.contains("accesses with a reuse interval of 0"), "{error}");
        let error = refused(|model| model.lines[0].classes[0].value = &Poly::var(Var(1)) + &Poly::one());
        assert!(error.contains("the reuse intervals sum to 1600, accesses times blocks is 32800"), "{error}");
        let error = refused(|model| model.lines[0].classes[0].counts[0].count = &Poly::var(Var(1)) - &Poly::one());
        assert!(error.contains("a negative number of accesses"), "{error}");
        let error = refused(|model| model.lines[0].classes[0].counts[0].count = Poly::integer(2));
        assert!(error.contains("80 first touches of 40 blocks") || error.contains("the classes hold 860"), "{error}");
    }

    #[test]
    fn large_triangles_are_not_enumerated() {
        let model = triangle();
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap().with_limit(10);
        let locality = evaluator.locality(&sizes(1 << 40)).unwrap();
        assert_eq!((locality.enumerated(), locality.blocks()), (0, &Int::from(1_i64 << 40)));
        // One access in N is a first touch: x* = 1 from the first block on.
        assert_eq!(locality.misses(&Int::from(1)).unwrap().reuse, Int::ZERO);
        assert_eq!(locality.misses(&Int::ZERO).unwrap().total(), *locality.accesses());
    }

    #[test]
    fn a_limit_ends_long_enumerations() {
        let model = triangle();
        let evaluator = Evaluator::new(&model, LineChoice::Only).unwrap().with_limit(10);
        assert!(evaluator.at(&sizes(9)).is_ok());
        assert!(matches!(evaluator.at(&sizes(10)), Err(EvalError::Limit { points: 10, .. })));
    }
}
