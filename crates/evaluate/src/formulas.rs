//! Prepares the formulas of a model for evaluation.
//!
//! A polynomial is prepared once and then evaluated at many sizes, and at many points of free iterators. Preparing takes longer than
//! evaluating, and at one size most pieces of a model are empty: all of a piece but its conditions on parameters is prepared when
//! it is first needed.

mod points;
mod together;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use symloc_model::{CountPiece, Distances, IntervalKind, LineModel, Owner, Reuse, ReuseClass};
use symloc_quasi::{Constraint, Evaluator as Formula, Int, Piece, Poly, Relation};

use crate::count::{Decomposition, Parts, Plan, Trouble};
use crate::distribution::Histograms;
use crate::error::Stop;
use crate::miss_model::MissModel;
use points::PiecePoints;
pub(crate) use together::cut_together;

/// Returns a value at a point where it must be an integer.
fn integer(formula: &Formula, point: &[i128]) -> Result<Int, Stop> {
    formula.value(point).ok_or_else(|| Stop::Contradiction("a value is not an integer".to_owned()))
}

/// Returns the sum of the pieces that hold at a point.
pub(crate) fn sum(pieces: &[PieceFormula], point: &[i128]) -> Result<Int, Stop> {
    let holding = pieces.iter().filter(|piece| piece.conditions.iter().all(|c| c.holds(point)));
    holding.map(|piece| integer(&piece.value, point)).try_fold(Int::ZERO, |sum, value| Ok(&sum + &value?))
}

/// A prepared constraint.
#[derive(Debug)]
pub(crate) struct PreparedConstraint {
    formula: Formula,
    relation: Relation,
}

impl PreparedConstraint {
    pub(crate) fn new(constraint: &Constraint, variables: usize) -> Self {
        Self { formula: Formula::new(&constraint.poly, variables), relation: constraint.relation }
    }

    pub(crate) fn holds(&self, point: &[i128]) -> bool {
        self.relation.holds(self.formula.sign(point))
    }

    /// Returns the condition with values for the first variables.
    fn fix(&self, values: &[i128]) -> Self {
        Self { formula: self.formula.fix(values), relation: self.relation }
    }

    /// Returns whether the condition holds, if that is known to be the same at every point.
    fn constant(&self) -> Option<bool> {
        self.formula.constant().map(|value| self.relation.holds(value.cmp(&0)))
    }
}

/// A condition on parameters that is prepared when it is first asked for. At a size most pieces fail at one of the first of theirs.
#[derive(Debug)]
struct SizeCondition {
    constraint: Constraint,
    variables: usize,
    prepared: OnceLock<PreparedConstraint>,
}

impl SizeCondition {
    fn prepared(&self) -> &PreparedConstraint {
        self.prepared.get_or_init(|| PreparedConstraint::new(&self.constraint, self.variables))
    }
}

/// The different conditions on parameters of some pieces: there are many more pieces than conditions.
struct SizeConditions {
    parameters: usize,
    known: HashMap<Constraint, Arc<SizeCondition>>,
}

impl SizeConditions {
    fn new(parameters: usize) -> Self {
        Self { parameters, known: HashMap::new() }
    }

    /// Returns the condition, one for all pieces that have it.
    fn share(&mut self, constraint: &Constraint) -> Arc<SizeCondition> {
        if let Some(known) = self.known.get(constraint) {
            return Arc::clone(known);
        }
        let (constraint, variables) = (constraint.clone(), self.parameters);
        let condition = SizeCondition { constraint: constraint.clone(), variables, prepared: OnceLock::new() };
        Arc::clone(self.known.entry(constraint).or_insert(Arc::new(condition)))
    }
}

#[derive(Debug)]
pub(crate) struct PieceFormula {
    conditions: Vec<PreparedConstraint>,
    value: Formula,
}

impl PieceFormula {
    pub(crate) fn new(piece: &Piece, variables: usize) -> Self {
        let conditions = piece.domain.iter().map(|c| PreparedConstraint::new(c, variables)).collect();
        Self { conditions, value: Formula::new(&piece.value, variables) }
    }
}

#[derive(Debug)]
pub(crate) struct ClassFormula {
    pub(crate) kind: IntervalKind,
    value: Poly,
    prepared_value: OnceLock<Formula>,
    pub(crate) counts: Vec<CountFormula>,
}

impl ClassFormula {
    /// Prepares classes, with the counts of each owner by itself.
    pub(crate) fn all(classes: &[ReuseClass], owner: Owner, parameters: usize) -> Vec<Self> {
        let mut conditions = SizeConditions::new(parameters);
        classes.iter().map(|class| Self::new(&class.pooled(owner), &mut conditions)).collect()
    }

    fn new(class: &ReuseClass, conditions: &mut SizeConditions) -> Self {
        let counts = class.counts.iter().map(|piece| CountFormula::new(piece, conditions)).collect();
        Self { kind: class.kind, value: class.value.clone(), prepared_value: OnceLock::new(), counts }
    }

    pub(crate) fn evaluate(&self, point: &[i128], left: &mut u64, histograms: &mut Histograms) -> Result<(), Stop> {
        let histogram = histograms.of(self.kind);
        for piece in self.counts.iter().filter(|piece| piece.exists(point)) {
            self.points(piece).visit(point, left, &mut |interval, count| histogram.add(interval, count))?;
        }
        Ok(())
    }

    /// Returns the way to visit the points of a piece.
    fn points<'f>(&self, piece: &'f CountFormula) -> &'f PiecePoints {
        let value = || Formula::new(&self.value, piece.variables());
        let points = || PiecePoints::new(&piece.piece, self.prepared_value.get_or_init(value), piece.parameters);
        piece.points.get_or_init(points)
    }

    /// Adds the parts of the class at a size.
    pub(crate) fn cut(&self, point: &[i128], left: &mut u64, parts: &mut Parts) -> Result<(), Stop> {
        self.counts.iter().try_for_each(|piece| self.cut_piece(piece, point, left, parts))
    }

    pub(crate) fn cut_piece(
        &self,
        piece: &CountFormula,
        point: &[i128],
        left: &mut u64,
        parts: &mut Parts,
    ) -> Result<(), Stop> {
        if !piece.exists(point) {
            return Ok(());
        }
        self.cut_existing(piece.plan(&self.value), || self.points(piece), point, left, parts)
    }

    /// Adds the parts of a piece that exists at a size: by its plan, if there is one, or else by its points.
    fn cut_existing<'f>(
        &self,
        plan: Option<&Plan>,
        points: impl FnOnce() -> &'f PiecePoints,
        size: &[i128],
        left: &mut u64,
        parts: &mut Parts,
    ) -> Result<(), Stop> {
        if let Some(plan) = plan
            && self.decompose(plan, size, left, parts)?
        {
            return Ok(());
        }
        let before = *left;
        points().visit(size, left, &mut |interval, count| parts.atom(self.kind, interval, count))?;
        parts.enumerated += before - *left;
        Ok(())
    }

    /// Adds the parts of a piece at a size; returns false if it must be enumerated.
    fn decompose(&self, plan: &Plan, size: &[i128], left: &mut u64, parts: &mut Parts) -> Result<bool, Stop> {
        let before = parts.mark();
        match Decomposition::run(plan, self.kind, size, left, parts) {
            Ok(()) => Ok(true),
            Err(Trouble::Stop(stop)) => Err(stop),
            Err(Trouble::Beyond) => {
                parts.reset(before);
                Ok(false)
            }
        }
    }
}

/// A prepared [`CountPiece`].
#[derive(Debug)]
pub(crate) struct CountFormula {
    pub(crate) reuse: Option<Reuse>,
    /// Conditions on parameters alone, which do not hold at most sizes.
    fixed: Vec<Arc<SizeCondition>>,
    /// The piece with the other conditions.
    piece: CountPiece,
    parameters: usize,
    /// The way to evaluate it without visiting its points, if there are iterators.
    plan: OnceLock<Option<Plan>>,
    /// The way to visit its points.
    points: OnceLock<PiecePoints>,
}

impl CountFormula {
    fn new(piece: &CountPiece, conditions: &mut SizeConditions) -> Self {
        let parameters = conditions.parameters;
        let is_fixed = |c: &&Constraint| c.poly.last_var().is_none_or(|var| (var.0 as usize) < parameters);
        let (fixed, domain): (Vec<_>, Vec<_>) = piece.domain.iter().partition(is_fixed);
        Self {
            reuse: piece.reuse(),
            fixed: fixed.into_iter().map(|constraint| conditions.share(constraint)).collect(),
            piece: CountPiece { domain: domain.into_iter().cloned().collect(), ..piece.clone() },
            parameters,
            plan: OnceLock::new(),
            points: OnceLock::new(),
        }
    }

    /// Returns true if the conditions on parameters hold at a size.
    fn exists(&self, point: &[i128]) -> bool {
        self.fixed.iter().all(|condition| condition.prepared().holds(point))
    }

    fn variables(&self) -> usize {
        self.parameters + self.piece.bounds.len()
    }

    /// Returns the way to evaluate it without visiting its points, if there are iterators, and its formulas are of the kind.
    fn plan(&self, value: &Poly) -> Option<&Plan> {
        let plan = || if self.piece.bounds.is_empty() { None } else { Plan::new(value, &self.piece, self.parameters) };
        self.plan.get_or_init(plan).as_ref()
    }
}

/// The classes from which a miss model predicts.
#[derive(Debug)]
pub(crate) struct PredictionFormulas {
    /// The reuses with a known distance, by their position in the LRU stack: the distance plus one, positive like an interval.
    pub(crate) places: Vec<ClassFormula>,
    /// The other accesses, by their interval.
    pub(crate) intervals: Vec<ClassFormula>,
}

impl PredictionFormulas {
    /// Prepares the classes of Denning's model.
    pub(crate) fn denning(line: &LineModel, owner: Owner, parameters: usize) -> Self {
        Self { places: Vec::new(), intervals: ClassFormula::all(&line.classes, owner, parameters) }
    }

    /// Prepares the classes of LRU; `None` if the model holds no distances.
    pub(crate) fn lru(line: &LineModel, owner: Owner, parameters: usize) -> Option<Self> {
        Some(Self::of_distances(line.distances.as_ref()?, owner, parameters))
    }

    /// Prepares the classes of reuses that other threads invalidate; `None` if the model does not hold them.
    pub(crate) fn coherence(line: &LineModel, miss_model: MissModel, parameters: usize) -> Option<Self> {
        let coherence = line.coherence.as_ref()?;
        let owner = Owner::Program;
        match miss_model {
            MissModel::Denning => {
                let intervals = ClassFormula::all(&coherence.classes, owner, parameters);
                Some(Self { places: Vec::new(), intervals })
            }
            MissModel::Lru => Some(Self::of_distances(coherence.distances.as_ref()?, owner, parameters)),
        }
    }

    /// Prepares the classes of writes; `None` if the model does not hold them.
    pub(crate) fn write_backs(line: &LineModel, miss_model: MissModel, parameters: usize) -> Option<Self> {
        let (write_backs, owner) = (line.write_backs.as_ref()?, Owner::Program);
        match miss_model {
            MissModel::Denning => {
                let intervals = ClassFormula::all(write_backs.classes.as_ref()?, owner, parameters);
                Some(Self { places: Vec::new(), intervals })
            }
            MissModel::Lru => Some(Self::of_distances(write_backs.distances.as_ref()?, owner, parameters)),
        }
    }

    fn of_distances(distances: &Distances, owner: Owner, parameters: usize) -> Self {
        let Distances { classes, estimated } = distances;
        let mut conditions = SizeConditions::new(parameters);
        let place = |class: &ReuseClass| {
            let pooled = class.pooled(owner).into_owned();
            ClassFormula::new(&ReuseClass { value: &pooled.value + &Poly::one(), ..pooled }, &mut conditions)
        };
        let places = classes.iter().map(place).collect();
        Self { places, intervals: ClassFormula::all(estimated, owner, parameters) }
    }
}
