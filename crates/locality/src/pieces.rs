//! The pieces of a model, and the selection of those that hold at a sample.
//!
//! Every formula of a model is a list of pieces, which add up where several hold. Constraints on the parameters alone
//! decide only at a sample whether a piece has members; to decide it for all sizes of a regime takes [`Conditions`]: a
//! piece that holds keeps its constraints, and one that does not hold keeps violating one of them.

use std::collections::BTreeSet;

use num_traits::{Signed, Zero};
use symloc_model::{CountPiece, IntervalKind, LineModel, Model, Owner, ReuseClass};
use symloc_quasi::{Constraint, Evaluator, Piece, Poly, Rational, Relation, Var};

use crate::class::Class;
use crate::conditions::Conditions;
use crate::context::Solved;
use crate::error::LocalityError;
use crate::lines::Lines;
use crate::residue::Residues;
use crate::truths;

/// A constraint that can be decided at a sample.
struct Condition {
    constraint: Constraint,
    formula: Evaluator,
}

impl Condition {
    fn new(constraint: &Constraint, parameters: usize) -> Self {
        Self { constraint: constraint.clone(), formula: Evaluator::new(&constraint.poly, parameters) }
    }

    /// Returns true if the constraint is violated if its polynomial is this one; only a constant can show that.
    fn fails_for(&self, case: &Poly) -> bool {
        case.as_constant().is_some_and(|value| !self.constraint.relation.holds(value.cmp(&Rational::zero())))
    }

    fn holds(&self, sample: &[i128]) -> bool {
        self.constraint.relation.holds(self.formula.sign(sample))
    }
}

/// One piece of one formula, with the conditions that decide whether it has members.
pub(crate) struct CandidatePiece {
    conditions: Vec<Condition>,
    /// The length less one between every pair of bounds of the outermost iterator, in the parameters.
    lengths: Vec<Condition>,
    piece: CountPiece,
}

impl CandidatePiece {
    fn new(piece: CountPiece, parameters: usize) -> Self {
        let decidable = |c: &&Constraint| c.poly.vars().iter().all(|var| (var.0 as usize) < parameters);
        let conditions = piece.domain.iter().filter(decidable).map(|c| Condition::new(c, parameters)).collect();
        let pairs = piece
            .bounds
            .first()
            .into_iter()
            .flat_map(|b| b.upper.iter().flat_map(|u| b.lower.iter().map(move |l| u - l)));
        let lengths = pairs.map(|length| Condition::new(&Constraint::non_negative(length), parameters)).collect();
        Self { conditions, lengths, piece }
    }

    fn decisive(&self) -> impl Iterator<Item = &Condition> {
        self.conditions.iter().chain(&self.lengths)
    }

    fn holds(&self, sample: &[i128]) -> bool {
        self.decisive().all(|c| c.holds(sample))
    }
}

/// A value in pieces: N, m or the multiplicity of a class.
pub(crate) type Formula = Vec<CandidatePiece>;

/// A class whose pieces are still open.
pub(crate) struct OpenClass {
    kind: IntervalKind,
    iterators: Vec<String>,
    value: Poly,
    counts: Formula,
}

/// The quantities counted in addition to N, m and the accesses with each reuse interval. Each of them may need more
/// conditions on the sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The owners by which the accesses with a reuse interval are counted.
    pub by: Owner,
    /// True if the floating-point operations are to be counted, provided that the model has their number.
    pub operations: bool,
}

/// All pieces of a model at one line size, with the context's equalities used.
pub(crate) struct Pieces {
    pub(crate) solved: Solved,
    pub(crate) context: Vec<Constraint>,
    /// The sides of the model's conditions on which these pieces are the model's.
    sides: Vec<Constraint>,
    /// The number of variables.
    count: usize,
    pub(crate) accesses: Formula,
    pub(crate) blocks: Formula,
    pub(crate) operations: Option<Formula>,
    /// Bytes per line, if lines have bytes.
    pub(crate) line_bytes: Option<Poly>,
    pub(crate) classes: Vec<OpenClass>,
    bounds: Vec<Condition>,
}

impl Pieces {
    /// Collects the pieces of large sizes, or of sizes like the given ones; [`LocalityError::Sampled`] if the model holds no
    /// classes.
    pub(crate) fn new(
        model: &Model,
        line: &LineModel,
        counts: Counts,
        sizes: Option<&[i128]>,
    ) -> Result<Self, LocalityError> {
        if model.sampled.is_some() {
            return Err(LocalityError::Sampled);
        }
        let lines = Lines::new(model);
        if lines.are_dependent() {
            return Err(LocalityError::TwoTiles);
        }
        let parameters = model.variables();
        let sides = truths::sides(model, sizes);
        let stated = [model.context.as_slice(), &sides, &truths::values(model, &sides)].concat();
        let solved = Solved::new(&stated, parameters, lines);
        let candidate = |piece: &CountPiece| CandidatePiece::new(simplified(piece, &solved), parameters);
        let plain = |piece: &Piece| {
            candidate(&CountPiece {
                access: None,
                previous: None,
                bounds: Vec::new(),
                domain: piece.domain.clone(),
                count: piece.value.clone(),
            })
        };
        let class = |class: &ReuseClass| OpenClass {
            kind: class.kind,
            iterators: class.iterators.clone(),
            value: solved.apply(&class.value),
            counts: class.counts.iter().map(candidate).collect(),
        };
        let mut context: Vec<_> = stated.iter().map(|c| c.map(|poly| solved.apply(poly))).collect();
        context.extend(solved.lines().ranges(&model.context, &|size| solved.is_whole(size)));
        Ok(Self {
            accesses: model.accesses.iter().map(plain).collect(),
            blocks: line.blocks.iter().map(plain).collect(),
            operations: (model.operations.as_ref().filter(|_| counts.operations))
                .map(|operations| operations.iter().map(plain).collect()),
            line_bytes: line_bytes(line).map(|bytes| solved.apply(&bytes)),
            classes: line.classes.iter().map(|c| class(&c.pooled(counts.by))).collect(),
            bounds: context.iter().map(|c| Condition::new(c, parameters)).collect(),
            context,
            sides,
            count: parameters,
            solved,
        })
    }

    /// Returns the conditions of formulas for sizes with these residues, before any formula requires more.
    pub(crate) fn conditions(&self, residues: Residues) -> Conditions {
        Conditions::new(&self.context, self.count, residues).on(self.sides.clone())
    }

    /// Returns true if the size satisfies the context.
    pub(crate) fn allows(&self, sample: &[i128]) -> bool {
        self.bounds.iter().all(|c| c.holds(sample))
    }

    /// Returns the pieces that hold at a sample, with conditions on the sizes with its residues.
    pub(crate) fn at(&self, sample: &[i128], conditions: Conditions) -> Held {
        let residues = conditions.residues().clone();
        let mut builder = Builder { sample, residues: &residues, conditions };
        let (accesses, blocks) = (builder.value(&self.accesses), builder.value(&self.blocks));
        let operations = self.operations.as_ref().map(|operations| builder.value(operations));
        let classes = self.classes.iter().flat_map(|class| builder.classes(class)).collect();
        Held { accesses, blocks, operations, classes, conditions: builder.conditions }
    }

    /// Returns for each piece whether it holds at a size.
    pub(crate) fn holding(&self, sample: &[i128]) -> Vec<bool> {
        self.candidates().map(|candidate| candidate.holds(sample)).collect()
    }

    /// Returns the polynomials in the parameters that decide which pieces hold.
    pub(crate) fn deciding(&self) -> impl Iterator<Item = &Poly> {
        let conditions = self.candidates().flat_map(CandidatePiece::decisive);
        conditions.chain(&self.bounds).map(|c| &c.constraint.poly)
    }

    /// Returns all polynomials, including those that decide nothing.
    pub(crate) fn polys(&self) -> impl Iterator<Item = &Poly> {
        self.deciding().chain(self.formulas())
    }

    /// Returns the variables that formulas depend on; what only the context bounds, as a flag, has no say in the order
    /// of sizes.
    pub(crate) fn variables(&self) -> BTreeSet<Var> {
        self.formulas().flat_map(Poly::vars).collect()
    }

    /// Returns the values of classes, and the counts and domains of pieces.
    fn formulas(&self) -> impl Iterator<Item = &Poly> {
        let pieces = self.candidates().map(|candidate| &candidate.piece);
        let of_piece = pieces.flat_map(|piece| piece.domain.iter().map(|c| &c.poly).chain([&piece.count]));
        self.classes.iter().map(|class| &class.value).chain(of_piece)
    }

    fn candidates(&self) -> impl Iterator<Item = &CandidatePiece> {
        let classes = self.classes.iter().flat_map(|class| &class.counts);
        self.accesses.iter().chain(&self.blocks).chain(self.operations.iter().flatten()).chain(classes)
    }
}

/// Returns the bytes per line; `None` if lines are elements of different sizes.
fn line_bytes(line: &LineModel) -> Option<Poly> {
    let bytes = |bytes: u64| Poly::constant(Rational::from_integer(bytes.into()));
    match line.symbolic {
        Some(symbolic) => Some(&Poly::var(Var(symbolic.parameter as u32)) * &bytes(symbolic.element_bytes)),
        None => line.line_bytes.map(bytes),
    }
}

/// Returns a piece with the context's equalities substituted.
fn simplified(piece: &CountPiece, solved: &Solved) -> CountPiece {
    CountPiece {
        access: piece.access,
        previous: piece.previous,
        bounds: piece.bounds.iter().map(|b| b.map(|poly| solved.apply(poly))).collect(),
        domain: piece.domain.iter().map(|c| c.map(|poly| solved.apply(poly))).collect(),
        count: solved.apply(&piece.count),
    }
}

/// The formulas that hold at a sample, and the conditions under which they hold at other sizes.
pub(crate) struct Held {
    pub(crate) accesses: Poly,
    pub(crate) blocks: Poly,
    pub(crate) operations: Option<Poly>,
    pub(crate) classes: Vec<Class>,
    pub(crate) conditions: Conditions,
}

/// Collects the formulas that hold at a sample.
struct Builder<'r> {
    sample: &'r [i128],
    residues: &'r Residues,
    conditions: Conditions,
}

impl Builder<'_> {
    /// Returns the value of N, m or the number of operations.
    fn value(&mut self, formula: &[CandidatePiece]) -> Poly {
        let values = self.holding(formula).into_iter().map(|candidate| self.residues.resolve(&candidate.piece.count));
        values.fold(Poly::zero(), |sum, value| &sum + &value)
    }

    /// Returns the pieces of a class that have members.
    fn classes(&mut self, class: &OpenClass) -> Vec<Class> {
        let holding = self.holding(&class.counts);
        holding.iter().filter_map(|candidate| self.pinned(self.class(class, &candidate.piece))).collect()
    }

    /// Returns the pieces that hold at the sample, and requires that exactly these hold wherever the conditions do.
    fn holding<'c>(&mut self, formula: &'c [CandidatePiece]) -> Vec<&'c CandidatePiece> {
        let (holding, others): (Vec<_>, Vec<_>) = formula.iter().partition(|c| c.holds(self.sample));
        holding.iter().for_each(|candidate| self.require_all(candidate));
        others.iter().for_each(|candidate| self.exclude(candidate));
        holding
    }

    fn class(&self, class: &OpenClass, piece: &CountPiece) -> Class {
        let resolve = |poly: &Poly| self.residues.resolve(poly);
        let domain = piece.domain.iter().map(|c| c.map(resolve));
        Class {
            reuse: piece.reuse(),
            kind: class.kind,
            iterators: class.iterators.clone(),
            value: resolve(&class.value),
            bounds: piece.bounds.iter().map(|b| b.map(resolve)).collect(),
            domain: domain.filter(|c| self.mentions_iterators(&c.poly)).collect(),
            count: resolve(&piece.count),
        }
    }

    fn mentions_iterators(&self, poly: &Poly) -> bool {
        poly.vars().last().is_some_and(|var| var.0 as usize >= self.sample.len())
    }

    /// Returns the class without iterators that have a single value; `None` if its domain then proves to be empty.
    fn pinned(&mut self, class: Class) -> Option<Class> {
        let mut class = class.pin(self.sample.len());
        let (inner, outer): (Vec<_>, Vec<_>) =
            std::mem::take(&mut class.domain).into_iter().partition(|c| self.mentions_iterators(&c.poly));
        class.domain = inner;
        let outer: Vec<_> = outer.iter().map(|c| Condition::new(c, self.sample.len())).collect();
        if let Some(violated) = outer.iter().find(|c| !c.holds(self.sample)) {
            self.exclude_by(violated);
            return None;
        }
        outer.iter().for_each(|c| self.require(c));
        Some(class)
    }

    /// Requires all constraints of a piece that holds.
    fn require_all(&mut self, candidate: &CandidatePiece) {
        candidate.decisive().for_each(|condition| self.require(condition));
    }

    fn require(&mut self, condition: &Condition) {
        let poly = &condition.constraint.poly;
        self.conditions.require(poly);
        if condition.constraint.relation == Relation::Zero {
            self.conditions.require(&-poly);
        }
    }

    /// Requires that a piece does not hold: one of its constraints stays violated, if possible one that residues
    /// violate.
    fn exclude(&mut self, candidate: &CandidatePiece) {
        let violated: Vec<_> = candidate.decisive().filter(|c| !c.holds(self.sample)).collect();
        let always = |c: &&Condition| self.residues.cases(&c.constraint.poly).iter().all(|case| c.fails_for(case));
        let fails_for = |one: &Residues| candidate.decisive().any(|c| c.fails_for(&one.resolve(&c.constraint.poly)));
        if violated.iter().any(always) || self.residues.each().all(|one| fails_for(&one)) {
            return;
        }
        let of_sizes = violated.iter().find(|c| !self.residues.decide(&c.constraint.poly));
        if let Some(condition) = of_sizes.or(violated.first()) {
            self.exclude_by(condition);
        }
    }

    fn exclude_by(&mut self, violated: &Condition) {
        let poly = &violated.constraint.poly;
        let sign = violated.formula.rational(self.sample);
        let away = if sign.is_negative() { -poly } else { poly.clone() };
        self.conditions.require(&(&away - &Poly::one()));
    }
}
