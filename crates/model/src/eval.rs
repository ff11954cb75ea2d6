//! Evaluation of a model at one size.
//!
//! [`Evaluator`] is a model at one line size with all its polynomials prepared. A class without free iterators gives one
//! number and its count. For the others there are two ways:
//!
//! - [`Evaluator::locality`] cuts their points into parts with closed forms, and answers questions about caches;
//! - [`Evaluator::attribution`] does the same for each access by itself;
//! - [`Evaluator::at`] gives the whole histogram. It visits the points within the bounds of the free iterators, outermost
//!   first, and checks each constraint of the domain as soon as its variables have values.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

use symloc_quasi::{Constraint, Evaluator as Formula, Int, Notation, Piece, Poly, Relation, Style};

use crate::attribution::Attribution;
use crate::closed::{Cut, Parts, Plan, Trouble};
use crate::data::{Bounds, CountPiece, Distances, Kind, LineModel, Model, Outline, ReuseClass, SymbolicLine};
use crate::distribution::{Distribution, Histograms};
use crate::locality::{Locality, Place};
use crate::lru::{DistanceDistribution, Lru};
use crate::sizes::Sizes;

/// How many points of free iterators an evaluation visits unless it is told otherwise: a few seconds, and in the worst
/// case, all intervals different, a few gigabytes.
pub const DEFAULT_POINTS: u64 = 20_000_000;

/// Which of a model's line sizes is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineChoice {
    /// The only one there is.
    #[default]
    Only,
    /// The one with so many bytes per line.
    Bytes(u64),
}

/// Why a model has no value at a size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// A parameter has no value.
    #[error("no value for the parameter{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))]
    Missing {
        /// The parameters without a value.
        names: Vec<String>,
    },
    /// A value for something that is no parameter.
    #[error("`{name}` is not a parameter of this model ({}){}", parameters_are(parameters),
        similar.as_ref().map(|s| format!("; did you mean `{s}`?")).unwrap_or_default())]
    Unknown {
        /// The name that was given.
        name: String,
        /// A parameter with a similar name.
        similar: Option<String>,
        /// The model's parameters.
        parameters: Vec<String>,
    },
    /// The model was derived under conditions that the size violates.
    #[error("{sizes} is outside the model's context: {conditions} is required")]
    OutsideContext {
        /// The sizes that the conditions mention.
        sizes: String,
        /// The violated conditions.
        conditions: String,
    },
    /// The model does not hold this line size, or holds several and none was chosen.
    #[error("{}; the model holds {held}", match choice {
        LineChoice::Only => "a line size must be chosen".to_owned(),
        LineChoice::Bytes(bytes) => format!("no line size of {bytes} bytes"),
    })]
    Line {
        /// What was asked for.
        choice: LineChoice,
        /// The line sizes that there are, as text.
        held: String,
    },
    /// The model was made before accesses were told apart.
    #[error("the model does not tell its accesses apart: it was made by an earlier symloc ({generator})")]
    Unattributed {
        /// The program that made it.
        generator: String,
    },
    /// A line of a number of bytes that holds no whole number of elements.
    #[error("a line of {bytes} bytes does not hold a whole number of {element_bytes}-byte elements")]
    LineBytes {
        /// The line size in bytes.
        bytes: u64,
        /// The size of an element in bytes.
        element_bytes: u64,
    },
    /// Two line sizes at once.
    #[error("a line of {bytes} bytes holds {elements} elements, but {defined}")]
    TwoLines {
        /// The line size in bytes.
        bytes: u64,
        /// The elements in it.
        elements: i64,
        /// The number of elements that was given.
        defined: String,
    },
    /// More points than the limit.
    #[error("limit: the evaluation visits more than {points} points of free iterators at {sizes}")]
    Limit {
        /// The limit.
        points: u64,
        /// The sizes.
        sizes: String,
    },
    /// The model contradicts itself: the file was changed, or the derivation was wrong.
    #[error("the model is wrong at {sizes}: {reason}")]
    Inconsistent {
        /// The sizes.
        sizes: String,
        /// The contradiction.
        reason: String,
    },
}

fn parameters_are(names: &[String]) -> String {
    match names {
        [] => "it has none".to_owned(),
        [only] => format!("its parameter is {only}"),
        _ => format!("its parameters are {}", names.join(", ")),
    }
}

impl Model {
    /// The locality at one size. To ask about many, keep the [`Model::evaluator`].
    pub fn at(&self, line: LineChoice, sizes: &Sizes) -> Result<Distribution, EvalError> {
        self.evaluator(line)?.at(sizes)
    }

    /// The model at one line size, prepared for evaluation.
    pub fn evaluator(&self, line: LineChoice) -> Result<Evaluator<'_>, EvalError> {
        Ok(Evaluator::new(self, self.line(line)?, line))
    }

    /// The arrays and accesses of the program; an error for models that do not name them.
    pub fn outline(&self) -> Result<&Outline, EvalError> {
        let unattributed = || EvalError::Unattributed { generator: self.generator.clone() };
        self.program.as_ref().ok_or_else(unattributed)
    }

    /// The classes at one line size.
    pub fn line(&self, choice: LineChoice) -> Result<&LineModel, EvalError> {
        let chosen = match (choice, self.lines.as_slice()) {
            (LineChoice::Only, [only]) => Some(only),
            (LineChoice::Only, _) => None,
            (LineChoice::Bytes(bytes), lines) => {
                lines.iter().find(|l| l.line_bytes == Some(bytes) || l.symbolic.is_some())
            }
        };
        chosen.ok_or_else(|| {
            let held: Vec<_> = self.lines.iter().map(|line| LineName(line).to_string()).collect();
            EvalError::Line { choice, held: held.join(", ") }
        })
    }
}

/// A line size in words.
struct LineName<'l>(&'l LineModel);

impl fmt::Display for LineName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.0.symbolic {
            return write!(f, "lines of any number of {}-byte elements", line.element_bytes);
        }
        match (self.0.element, self.0.line_bytes) {
            (true, Some(bytes)) => write!(f, "one element of {bytes} bytes per line"),
            (_, Some(bytes)) => write!(f, "{bytes} bytes"),
            (_, None) => write!(f, "one element per line"),
        }
    }
}

/// A model at one line size with its polynomials prepared.
#[derive(Debug)]
pub struct Evaluator<'m> {
    model: &'m Model,
    line: &'m LineModel,
    choice: LineChoice,
    points: u64,
    context: Vec<Condition>,
    accesses: Vec<PieceFormula>,
    blocks: Vec<PieceFormula>,
    classes: Vec<ClassFormula>,
    /// The classes with the counts of each access by itself; prepared when they are asked for.
    attributed: OnceLock<Vec<ClassFormula>>,
    distances: Option<DistanceFormulas>,
}

/// Distances plus one, so that they are positive like intervals: the places in the LRU stack. And the intervals of those
/// accesses whose distance is not known.
#[derive(Debug)]
struct DistanceFormulas {
    places: Vec<ClassFormula>,
    estimated: Vec<ClassFormula>,
}

impl DistanceFormulas {
    fn new(distances: &Distances, parameters: usize) -> Self {
        let place = |class: &ReuseClass| {
            let pooled = class.pooled();
            ClassFormula::new(&ReuseClass { value: &pooled.value + &Poly::one(), ..pooled.into_owned() }, parameters)
        };
        let interval = |class: &ReuseClass| ClassFormula::new(&class.pooled(), parameters);
        Self {
            places: distances.classes.iter().map(place).collect(),
            estimated: distances.estimated.iter().map(interval).collect(),
        }
    }
}

impl<'m> Evaluator<'m> {
    fn new(model: &'m Model, line: &'m LineModel, choice: LineChoice) -> Self {
        let parameters = model.variables();
        let pieces = |pieces: &[Piece]| pieces.iter().map(|p| PieceFormula::new(p, parameters)).collect();
        Self {
            model,
            line,
            choice,
            points: DEFAULT_POINTS,
            context: model.context.iter().map(|c| Condition::new(c, parameters)).collect(),
            accesses: pieces(&model.accesses),
            blocks: pieces(&line.blocks),
            classes: line.classes.iter().map(|class| ClassFormula::new(&class.pooled(), parameters)).collect(),
            attributed: OnceLock::new(),
            distances: line.distances.as_ref().map(|distances| DistanceFormulas::new(distances, parameters)),
        }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Does the model hold reuse distances?
    pub fn has_distances(&self) -> bool {
        self.distances.is_some()
    }

    /// Limits the points of free iterators that one evaluation visits; see [`DEFAULT_POINTS`].
    pub fn with_limit(self, points: u64) -> Self {
        Self { points, ..self }
    }

    /// Evaluates all classes at a size, and checks that they add up.
    pub fn at(&self, sizes: &Sizes) -> Result<Distribution, EvalError> {
        let point = self.point(sizes)?;
        self.check_context(&point)?;
        let mut histograms = Histograms::default();
        let mut left = self.points;
        for class in &self.classes {
            class.evaluate(&point, &mut left, &mut histograms).map_err(|stop| self.error(stop, &point))?;
        }
        let total = |pieces: &[PieceFormula]| sum(pieces, &point).map_err(|stop| self.error(stop, &point));
        let Place { parameters, line_bytes, element } = self.place(&point);
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

    /// The misses of all caches at a size. Checks that the classes add up, like [`Evaluator::at`], without visiting each
    /// of their points.
    pub fn locality(&self, sizes: &Sizes) -> Result<Locality, EvalError> {
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
        Locality::new(self.place(point), accesses, blocks, parts).map_err(Stop::Contradiction)
    }

    /// Whose accesses have which intervals at a size. Checks that they are those of [`Evaluator::locality`].
    ///
    /// # Errors
    ///
    /// [`EvalError::Unattributed`] for models of [`SCHEMA_1`](crate::SCHEMA_1), else those of [`Evaluator::locality`].
    pub fn attribution(&self, sizes: &Sizes) -> Result<Attribution, EvalError> {
        let program = self.model.outline()?;
        let point = self.point(sizes)?;
        self.check_context(&point)?;
        self.attribution_at(program, &point).map_err(|stop| self.error(stop, &point))
    }

    /// The number of floating-point operations at a size; nothing if the model does not tell it.
    ///
    /// # Errors
    ///
    /// Those of [`Evaluator::locality`], apart from limits.
    pub fn operations(&self, sizes: &Sizes) -> Result<Option<Int>, EvalError> {
        let point = self.point(sizes)?;
        self.check_context(&point)?;
        let count = |pieces: &Vec<Piece>| self.sum_of(pieces, &point).map_err(|stop| self.error(stop, &point));
        self.model.operations.as_ref().map(count).transpose()
    }

    /// The value of pieces that are not prepared.
    fn sum_of(&self, pieces: &[Piece], point: &[i128]) -> Result<Int, Stop> {
        let pieces: Vec<_> = pieces.iter().map(|piece| PieceFormula::new(piece, point.len())).collect();
        sum(&pieces, point)
    }

    fn attribution_at(&self, program: &Outline, point: &[i128]) -> Result<Attribution, Stop> {
        let parameters = self.model.variables();
        let prepare = || self.line.classes.iter().map(|class| ClassFormula::new(class, parameters)).collect();
        let mut parts = vec![Parts::default(); program.accesses.len()];
        let mut left = self.points;
        for class in self.attributed.get_or_init(prepare) {
            for piece in &class.counts {
                let own = piece.access.and_then(|access| parts.get_mut(access));
                let own = own.ok_or_else(|| Stop::Contradiction("a count of no access".to_owned()))?;
                class.cut_piece(piece, point, &mut left, own)?;
            }
        }
        let blocks = self.line.array_blocks.iter().map(|pieces| self.sum_of(pieces, point));
        let blocks = blocks.collect::<Result<_, _>>()?;
        Attribution::new(program, parts, &sum(&self.accesses, point)?, blocks).map_err(Stop::Contradiction)
    }

    /// The values of all variables. A line size in bytes is one of the sizes where the line size is a parameter.
    fn point(&self, sizes: &Sizes) -> Result<Vec<i128>, EvalError> {
        let (Some(symbolic), LineChoice::Bytes(bytes)) = (self.line.symbolic, self.choice) else {
            return sizes.point(self.model);
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
            _ => sizes.point(self.model),
        }
    }

    /// Bytes per line at a point.
    fn line_bytes(&self, point: &[i128]) -> Option<u64> {
        let Some(SymbolicLine { parameter, element_bytes }) = self.line.symbolic else {
            return self.line.line_bytes;
        };
        u64::try_from(point[parameter]).ok()?.checked_mul(element_bytes)
    }

    /// The misses of fully associative LRU caches at a size; nothing if the model holds no distances.
    pub fn lru(&self, sizes: &Sizes) -> Result<Option<Lru>, EvalError> {
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
        let (places, estimated) = (cut(&distances.places)?, cut(&distances.estimated)?);
        // Denning's windows are needed for what is estimated only.
        let denning = if distances.estimated.is_empty() { None } else { Some(self.locality_at(point)?) };
        let (accesses, blocks) = (sum(&self.accesses, point)?, sum(&self.blocks, point)?);
        Lru::new(self.place(point), accesses, blocks, places, estimated, denning).map_err(Stop::Contradiction)
    }

    /// The histogram of reuse distances at a size; nothing if the model holds none.
    pub fn distances(&self, sizes: &Sizes) -> Result<Option<DistanceDistribution>, EvalError> {
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

    fn place(&self, point: &[i128]) -> Place {
        Place {
            parameters: self.model.parameters.iter().cloned().zip(point.iter().copied()).collect(),
            line_bytes: self.line_bytes(point),
            element: self.line.element,
        }
    }

    /// All conditions that the point violates, in one error.
    fn check_context(&self, point: &[i128]) -> Result<(), EvalError> {
        let all = self.model.context.iter().zip(&self.context);
        let violated: Vec<_> = all.filter(|(_, condition)| !condition.holds(point)).map(|(c, _)| c.clone()).collect();
        if violated.is_empty() {
            return Ok(());
        }
        let vars: BTreeSet<usize> = violated.iter().flat_map(|c| c.poly.vars()).map(|v| v.0 as usize).collect();
        let counts = self.model.line_counts.iter().zip(self.model.parameters.len()..);
        let counted = |index: usize| counts.clone().any(|(c, at)| vars.contains(&at) && [c.of, c.by].contains(&index));
        let mentioned = |index: usize| vars.contains(&index) || counted(index);
        Err(EvalError::OutsideContext {
            sizes: self.sizes_text(point, &mentioned),
            conditions: Notation::new(Style::Plain, &self.model.names()).conjunction(&violated),
        })
    }

    fn sizes_text(&self, point: &[i128], shown: &dyn Fn(usize) -> bool) -> String {
        let named = self.model.parameters.iter().zip(point).enumerate().filter(|(index, _)| shown(*index));
        let text: Vec<_> = named.map(|(_, (name, value))| format!("{name} = {value}")).collect();
        if text.is_empty() { "every size".to_owned() } else { text.join(", ") }
    }

    fn error(&self, stop: Stop, point: &[i128]) -> EvalError {
        let sizes = self.sizes_text(point, &|_| true);
        match stop {
            Stop::Limit => EvalError::Limit { points: self.points, sizes },
            Stop::Contradiction(reason) => EvalError::Inconsistent { sizes, reason },
        }
    }
}

/// Why an evaluation stops early.
pub(crate) enum Stop {
    Limit,
    Contradiction(String),
}

/// A value at a point where it must be an integer.
fn integer(formula: &Formula, point: &[i128]) -> Result<Int, Stop> {
    formula.value(point).ok_or_else(|| Stop::Contradiction("a value is not an integer".to_owned()))
}

/// The value of the pieces that hold at a point; they are disjoint.
fn sum(pieces: &[PieceFormula], point: &[i128]) -> Result<Int, Stop> {
    let holding = pieces.iter().filter(|piece| piece.conditions.iter().all(|c| c.holds(point)));
    holding.map(|piece| integer(&piece.value, point)).try_fold(Int::ZERO, |sum, value| Ok(&sum + &value?))
}

/// A prepared constraint.
#[derive(Debug)]
struct Condition {
    formula: Formula,
    relation: Relation,
}

impl Condition {
    fn new(constraint: &Constraint, variables: usize) -> Self {
        Self { formula: Formula::new(&constraint.poly, variables), relation: constraint.relation }
    }

    fn holds(&self, point: &[i128]) -> bool {
        self.relation.holds(self.formula.sign(point))
    }
}

#[derive(Debug)]
struct PieceFormula {
    conditions: Vec<Condition>,
    value: Formula,
}

impl PieceFormula {
    fn new(piece: &Piece, variables: usize) -> Self {
        let conditions = piece.domain.iter().map(|c| Condition::new(c, variables)).collect();
        Self { conditions, value: Formula::new(&piece.value, variables) }
    }
}

#[derive(Debug)]
struct ClassFormula {
    kind: Kind,
    value: Formula,
    counts: Vec<CountFormula>,
}

impl ClassFormula {
    fn new(class: &ReuseClass, parameters: usize) -> Self {
        let variables = parameters + class.iterators.len();
        let counts = class.counts.iter().map(|piece| CountFormula::new(class, piece, parameters)).collect();
        Self { kind: class.kind, value: Formula::new(&class.value, variables), counts }
    }

    fn evaluate(&self, point: &[i128], left: &mut u64, histograms: &mut Histograms) -> Result<(), Stop> {
        let histogram = histograms.of(self.kind);
        for piece in &self.counts {
            self.enumerate(piece, point, left, &mut |interval, count| histogram.add(interval, count))?;
        }
        Ok(())
    }

    /// Calls `found` with the interval and the count of every point of a piece.
    fn enumerate(
        &self,
        piece: &CountFormula,
        point: &[i128],
        left: &mut u64,
        found: &mut dyn FnMut(Int, Int),
    ) -> Result<(), Stop> {
        piece.visit(&mut point.to_vec(), 0, left, &mut |point| {
            let count = integer(&piece.count, point)?;
            if count.is_zero() {
                // Without members the value means nothing; it need not even be an integer.
                return Ok(());
            }
            let interval = integer(&self.value, point)?;
            if count.is_negative() || interval <= Int::ZERO {
                return Err(Stop::Contradiction(format!("{count} accesses with a reuse interval of {interval}")));
            }
            found(interval, count);
            Ok(())
        })
    }

    /// Adds the parts of the class at a size.
    fn cut(&self, point: &[i128], left: &mut u64, parts: &mut Parts) -> Result<(), Stop> {
        self.counts.iter().try_for_each(|piece| self.cut_piece(piece, point, left, parts))
    }

    fn cut_piece(&self, piece: &CountFormula, point: &[i128], left: &mut u64, parts: &mut Parts) -> Result<(), Stop> {
        if let Some(plan) = &piece.plan {
            let before = parts.mark();
            match Cut::run(plan, self.kind, point, left, parts) {
                Ok(()) => return Ok(()),
                Err(Trouble::Stop(stop)) => return Err(stop),
                Err(Trouble::Beyond) => parts.reset(before),
            }
        }
        let before = *left;
        self.enumerate(piece, point, left, &mut |interval, count| parts.atom(self.kind, interval, count))?;
        parts.enumerated += before - *left;
        Ok(())
    }
}

/// A prepared [`CountPiece`].
#[derive(Debug)]
struct CountFormula {
    access: Option<usize>,
    /// `conditions[d]`: those that can be decided when d iterators have values, and not earlier.
    conditions: Vec<Vec<Condition>>,
    ranges: Vec<Range>,
    count: Formula,
    /// How to evaluate it without visiting its points, if there are iterators.
    plan: Option<Plan>,
}

impl CountFormula {
    fn new(class: &ReuseClass, piece: &CountPiece, parameters: usize) -> Self {
        let depth = piece.bounds.len();
        let mut conditions: Vec<Vec<Condition>> = (0..=depth).map(|_| Vec::new()).collect();
        for constraint in &piece.domain {
            let last = constraint.poly.vars().last().map_or(0, |var| var.0 as usize + 1);
            conditions[last.saturating_sub(parameters)].push(Condition::new(constraint, parameters + depth));
        }
        let ranges = piece.bounds.iter().enumerate().map(|(d, bounds)| Range::new(bounds, parameters + d));
        Self {
            access: piece.access,
            conditions,
            ranges: ranges.collect(),
            count: Formula::new(&piece.count, parameters + depth),
            plan: if depth == 0 { None } else { Plan::new(class, piece, parameters) },
        }
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
struct Range {
    lower: Vec<Formula>,
    upper: Vec<Formula>,
}

impl Range {
    fn new(bounds: &Bounds, variables: usize) -> Self {
        let formulas = |polys: &[_]| polys.iter().map(|poly| Formula::new(poly, variables)).collect();
        Self { lower: formulas(&bounds.lower), upper: formulas(&bounds.upper) }
    }

    /// The first and the last value; none is between them if the range is empty.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::Bin;
    use crate::sizes::tests::triangle;
    use symloc_quasi::Var;

    fn sizes(n: i64) -> Sizes {
        [("n", n)].into_iter().collect()
    }

    fn bin(interval: i64, count: i64) -> Bin {
        Bin { interval: interval.into(), count: count.into() }
    }

    #[test]
    fn classes_become_a_histogram() {
        let model = triangle();
        let evaluator = model.evaluator(LineChoice::Only).unwrap();
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
        assert_eq!(model.evaluator(LineChoice::Only).unwrap().operations(&sizes(5)), Ok(Some(Int::from(30))));
        assert!(model.evaluator(LineChoice::Only).unwrap().operations(&sizes(1)).is_err());
        model.operations = None;
        assert_eq!(model.evaluator(LineChoice::Only).unwrap().operations(&sizes(5)), Ok(None));
    }

    #[test]
    fn sizes_outside_the_context_are_refused() {
        let error = triangle().at(LineChoice::Only, &sizes(1)).unwrap_err();
        assert_eq!(error.to_string(), "n = 1 is outside the model's context: n >= 2 is required");
    }

    #[test]
    fn the_line_size_must_exist() {
        let mut model = triangle();
        assert!(model.line(LineChoice::Bytes(8)).is_ok());
        let error = model.line(LineChoice::Bytes(64)).unwrap_err().to_string();
        assert_eq!(error, "no line size of 64 bytes; the model holds one element of 8 bytes per line");
        let wide = LineModel { line_bytes: Some(64), element: false, ..model.lines[0].clone() };
        model.lines.push(wide);
        let error = model.line(LineChoice::Only).unwrap_err().to_string();
        assert!(error.ends_with("the model holds one element of 8 bytes per line, 64 bytes"), "{error}");
    }

    #[test]
    fn a_model_that_does_not_add_up_gives_no_numbers() {
        let mut model = triangle();
        model.lines[0].classes.pop();
        let error = model.at(LineChoice::Only, &sizes(4)).unwrap_err().to_string();
        assert_eq!(error, "the model is wrong at n = 4: the classes hold 4 accesses, the program makes 10");
        let mut model = triangle();
        model.lines[0].classes[1].value = Poly::integer(2);
        let error = model.at(LineChoice::Only, &sizes(4)).unwrap_err().to_string();
        assert!(error.contains("the reuse intervals sum to 46, accesses times blocks is 40"), "{error}");
        model.lines[0].classes[1].value = Poly::integer(-2);
        let error = model.at(LineChoice::Only, &sizes(4)).unwrap_err().to_string();
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
        *imaginary = ReuseClass { kind: crate::Kind::Imaginary, ..real.clone() };
        imaginary.counts[0].count = Poly::one();
        let distribution = model.at(LineChoice::Only, &sizes(1 << 31)).unwrap();
        assert_eq!(distribution.accesses.to_big(), num_bigint::BigInt::from(1) << 248);
        assert_eq!(distribution.real[0].count, &distribution.accesses - &Int::from(1));
        let locality = model.evaluator(LineChoice::Only).unwrap().locality(&sizes(1 << 31)).unwrap();
        assert_eq!(locality.misses(&Int::ZERO).reuse, distribution.real[0].count);
        assert_eq!(locality.misses(&Int::from(1)).reuse, Int::ZERO);
    }

    /// As histograms do, so do closed forms refuse a model that contradicts itself.
    #[test]
    fn closed_forms_check_what_they_sum() {
        let refused = |damage: fn(&mut Model)| {
            let mut model = triangle();
            damage(&mut model);
            model.evaluator(LineChoice::Only).unwrap().locality(&sizes(40)).unwrap_err().to_string()
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
    fn pieces_with_one_domain_are_one() {
        let model = triangle();
        let class = &model.lines[0].classes[0];
        let of = |access| CountPiece { access: Some(access), ..class.counts[0].clone() };
        let elsewhere = CountPiece { domain: Vec::new(), ..of(1) };
        let divided = ReuseClass { counts: vec![of(0), elsewhere.clone(), of(1)], ..class.clone() };
        let count = &class.counts[0].count;
        let pooled = CountPiece { access: None, count: count + count, ..of(0) };
        assert_eq!(divided.pooled().counts, [pooled, CountPiece { access: None, ..elsewhere }]);
    }

    #[test]
    fn large_triangles_are_not_enumerated() {
        let model = triangle();
        let evaluator = model.evaluator(LineChoice::Only).unwrap().with_limit(10);
        let locality = evaluator.locality(&sizes(1 << 40)).unwrap();
        assert_eq!((locality.enumerated(), locality.blocks()), (0, &Int::from(1_i64 << 40)));
        // One access in N is a first touch: x* = 1 from the first block on.
        assert_eq!(locality.misses(&Int::from(1)).reuse, Int::ZERO);
        assert_eq!(locality.misses(&Int::ZERO).total(), *locality.accesses());
    }

    #[test]
    fn a_limit_ends_long_enumerations() {
        let model = triangle();
        let evaluator = model.evaluator(LineChoice::Only).unwrap().with_limit(10);
        assert!(evaluator.at(&sizes(9)).is_ok());
        assert!(matches!(evaluator.at(&sizes(10)), Err(EvalError::Limit { points: 10, .. })));
    }
}
