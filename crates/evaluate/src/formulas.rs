//! Prepares the formulas of a model for evaluation.
//!
//! A polynomial is prepared once and then evaluated at many sizes, and at many points of free iterators. Preparing takes longer than
//! evaluating, and at one size most pieces of a model are empty: all of a piece but its conditions on parameters is prepared when
//! it is first needed.

mod together;

use std::sync::OnceLock;

use symloc_model::{Bounds, CountPiece, Distances, IntervalKind, LineModel, Owner, Reuse, ReuseClass};
use symloc_quasi::{Constraint, Evaluator as Formula, Int, Piece, Poly, Relation};

use crate::count::{Decomposition, Parts, Plan, Trouble};
use crate::distribution::Histograms;
use crate::error::Stop;
use crate::miss_model::MissModel;
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
}

/// A condition on parameters that is prepared when it is first asked for. At a size most pieces fail at one of the first of theirs.
#[derive(Debug)]
struct SizeCondition {
    constraint: Constraint,
    variables: usize,
    prepared: OnceLock<PreparedConstraint>,
}

impl SizeCondition {
    fn new(constraint: &Constraint, variables: usize) -> Self {
        Self { constraint: constraint.clone(), variables, prepared: OnceLock::new() }
    }

    fn prepared(&self) -> &PreparedConstraint {
        self.prepared.get_or_init(|| PreparedConstraint::new(&self.constraint, self.variables))
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
    fn all(classes: &[ReuseClass], owner: Owner, parameters: usize) -> Vec<Self> {
        classes.iter().map(|class| Self::new(&class.pooled(owner), parameters)).collect()
    }

    pub(crate) fn new(class: &ReuseClass, parameters: usize) -> Self {
        let counts = class.counts.iter().map(|piece| CountFormula::new(piece, parameters)).collect();
        Self { kind: class.kind, value: class.value.clone(), prepared_value: OnceLock::new(), counts }
    }

    pub(crate) fn evaluate(&self, point: &[i128], left: &mut u64, histograms: &mut Histograms) -> Result<(), Stop> {
        let histogram = histograms.of(self.kind);
        for piece in self.counts.iter().filter(|piece| piece.exists(point)) {
            self.enumerate(piece, point, left, &mut |interval, count| histogram.add(interval, count))?;
        }
        Ok(())
    }

    /// Calls `found` with the interval and the count of every point of a piece that exists.
    fn enumerate(
        &self,
        piece: &CountFormula,
        point: &[i128],
        left: &mut u64,
        found: &mut dyn FnMut(Int, Int),
    ) -> Result<(), Stop> {
        let value = self.prepared_value.get_or_init(|| Formula::new(&self.value, piece.variables()));
        let points = piece.points.get_or_init(|| PiecePoints::new(&piece.piece, piece.parameters));
        points.visit(&mut point.to_vec(), 0, left, &mut |point| {
            let count = integer(&points.count, point)?;
            if count.is_zero() {
                // Without members the value has no meaning; it need not even be an integer.
                return Ok(());
            }
            let interval = integer(value, point)?;
            if count.is_negative() || interval <= Int::ZERO {
                return Err(Stop::Contradiction(format!("{count} accesses with a reuse interval of {interval}")));
            }
            found(interval, count);
            Ok(())
        })
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
        self.cut_existing(piece, piece.plan(&self.value).map(|plan| (plan, point)), point, left, parts)
    }

    /// Adds the parts of a piece that exists at a size, with a plan of it and the size of the plan's parameters, if there is a plan.
    fn cut_existing(
        &self,
        piece: &CountFormula,
        plan: Option<(&Plan, &[i128])>,
        point: &[i128],
        left: &mut u64,
        parts: &mut Parts,
    ) -> Result<(), Stop> {
        if let Some((plan, size)) = plan
            && self.decompose(plan, size, left, parts)?
        {
            return Ok(());
        }
        let before = *left;
        self.enumerate(piece, point, left, &mut |interval, count| parts.atom(self.kind, interval, count))?;
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
    fixed: Vec<SizeCondition>,
    /// The piece with the other conditions.
    piece: CountPiece,
    parameters: usize,
    /// The way to evaluate it without visiting its points, if there are iterators.
    plan: OnceLock<Option<Plan>>,
    /// The way to visit its points.
    points: OnceLock<PiecePoints>,
}

impl CountFormula {
    fn new(piece: &CountPiece, parameters: usize) -> Self {
        let is_fixed = |c: &&Constraint| c.poly.last_var().is_none_or(|var| (var.0 as usize) < parameters);
        let (fixed, domain): (Vec<_>, Vec<_>) = piece.domain.iter().partition(is_fixed);
        Self {
            reuse: piece.reuse(),
            fixed: fixed.into_iter().map(|constraint| SizeCondition::new(constraint, parameters)).collect(),
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

/// The points of a piece that exists, one by one.
#[derive(Debug)]
struct PiecePoints {
    /// `conditions[d]`: those that can be decided once d iterators have values, and not earlier.
    conditions: Vec<Vec<PreparedConstraint>>,
    ranges: Vec<PreparedBounds>,
    count: Formula,
}

impl PiecePoints {
    fn new(piece: &CountPiece, parameters: usize) -> Self {
        let depth = piece.bounds.len();
        let mut conditions: Vec<Vec<PreparedConstraint>> = (0..=depth).map(|_| Vec::new()).collect();
        for constraint in &piece.domain {
            let last = constraint.poly.last_var().map_or(0, |var| var.0 as usize + 1);
            conditions[last.saturating_sub(parameters)].push(PreparedConstraint::new(constraint, parameters + depth));
        }
        let ranges = piece.bounds.iter().enumerate().map(|(d, bounds)| PreparedBounds::new(bounds, parameters + d));
        let count = Formula::new(&piece.count, parameters + depth);
        Self { conditions, ranges: ranges.collect(), count }
    }

    /// Calls `found` at every point of the domain; `point` holds the parameters and the first `depth` iterators.
    fn visit(
        &self,
        point: &mut Vec<i128>,
        depth: usize,
        left: &mut u64,
        found: &mut dyn FnMut(&[i128]) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        if !self.conditions[depth].iter().all(|c| c.holds(point)) {
            return Ok(());
        }
        let Some(range) = self.ranges.get(depth) else {
            return found(point);
        };
        let (lower, upper) = range.at(point)?;
        for value in lower..=upper {
            *left = left.checked_sub(1).ok_or(Stop::Limit)?;
            point.push(value);
            let result = self.visit(point, depth + 1, left, found);
            point.pop();
            result?;
        }
        Ok(())
    }
}

/// Prepared [`Bounds`].
#[derive(Debug)]
struct PreparedBounds {
    lower: Vec<Formula>,
    upper: Vec<Formula>,
}

impl PreparedBounds {
    fn new(bounds: &Bounds, variables: usize) -> Self {
        let formulas = |polys: &[_]| polys.iter().map(|poly| Formula::new(poly, variables)).collect();
        Self { lower: formulas(&bounds.lower), upper: formulas(&bounds.upper) }
    }

    /// Returns the first and the last value; the last is below the first if the range is empty.
    fn at(&self, point: &[i128]) -> Result<(i128, i128), Stop> {
        let values = |formulas: &[Formula]| {
            let machine = |formula| {
                let value = integer(formula, point)?.to_i128();
                value.ok_or_else(|| Stop::Contradiction("a bound of an iterator leaves 128 bits".to_owned()))
            };
            formulas.iter().map(machine).collect::<Result<Vec<_>, _>>()
        };
        let lower = values(&self.lower)?.into_iter().max().unwrap_or(0);
        let upper = values(&self.upper)?.into_iter().min().unwrap_or(-1);
        Ok((lower, upper))
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
        let place = |class: &ReuseClass| {
            let pooled = class.pooled(owner).into_owned();
            ClassFormula::new(&ReuseClass { value: &pooled.value + &Poly::one(), ..pooled }, parameters)
        };
        let places = classes.iter().map(place).collect();
        Self { places, intervals: ClassFormula::all(estimated, owner, parameters) }
    }
}
