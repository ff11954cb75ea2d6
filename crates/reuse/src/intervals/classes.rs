//! Reuse classes: intervals of one formula, counted (docs/mathematics.md, "Classes"; Algorithm 1 of the paper).
//!
//! The iterators that a formula still mentions become the free iterators q of its class, and the rest of the domain is
//! counted over parameters and q, for each access and its previous one by themselves. Formulas are compared
//! after their iterators are renumbered, so `4·i + 1` in one loop and `4·k + 1` in another are one class.

use std::cell::RefCell;
use std::collections::BTreeMap;

use symloc_isl::{BasicSet, Context, DimType, Set};
use symloc_model::{Bounds, CountPiece, IntervalKind, ReuseClass};
use symloc_quasi::{Constraint, Piece, Poly, Var};

use crate::Error;
use crate::convert::constraints;
use crate::counting::Summation;
use crate::counting::bounds::bounds;
use crate::frame::Frame;
use crate::intervals::IntervalPiece;
use crate::previous::Reuse;

/// Intervals grouped by formula, not yet counted.
#[derive(Debug, Default)]
pub struct Groups(BTreeMap<ClassKey, Group>);

/// The kind, the value, and the number of free iterators.
type ClassKey = (IntervalKind, Poly, usize);

#[derive(Debug, Default)]
struct Group {
    /// Names of the free iterators, from the first member; `u_j` counts the steps of `j`.
    iterators: Vec<String>,
    /// Parts of statements' domains, with the depths of the free iterators.
    members: Vec<Member>,
}

#[derive(Debug)]
struct Member {
    reuse: Reuse,
    depths: Vec<usize>,
    domain: Set,
    /// The number of accesses that each point of the domain stands for.
    weight: Poly,
    /// Conditions on the parameters and the free iterators, beyond those of the domain, which need not be linear.
    conditions: Vec<Constraint>,
}

impl Groups {
    /// Files an interval under its formula.
    pub fn add(&mut self, interval: IntervalPiece, frame: &Frame) {
        self.add_weighted(interval, frame, Poly::one());
    }

    /// Files an interval that each point of its domain has `weight` times.
    pub(crate) fn add_weighted(&mut self, interval: IntervalPiece, frame: &Frame, weight: Poly) {
        self.add_member(interval, frame, weight, &[]);
    }

    /// Files an interval where some conditions hold as well; their iterators are free, too.
    pub(crate) fn add_where(&mut self, interval: IntervalPiece, frame: &Frame, conditions: &[Constraint]) {
        self.add_member(interval, frame, Poly::one(), conditions);
    }

    fn add_member(&mut self, interval: IntervalPiece, frame: &Frame, weight: Poly, conditions: &[Constraint]) {
        let mut free = interval.value.vars();
        conditions.iter().for_each(|condition| free.extend(condition.poly.vars()));
        let free: Vec<Var> = free.into_iter().filter(|v| frame.depth(*v).is_some()).collect();
        let depths: Vec<usize> = free.iter().filter_map(|v| frame.depth(*v)).collect();
        let renumbered = |var: Var| {
            let position = free.iter().position(|v| *v == var)?;
            Some(Poly::var(frame.iterator(position)))
        };
        let key = (interval.kind, interval.value.substitute(&renumbered), free.len());
        let conditions = conditions.iter().map(|c| c.map(|poly| poly.substitute(&renumbered))).collect();
        let group = self.0.entry(key).or_default();
        if group.members.is_empty() {
            let name = |v: &Var| match interval.in_steps.contains(v) {
                true => steps_of(frame.name(*v)),
                false => frame.name(*v).to_owned(),
            };
            group.iterators = free.iter().map(name).collect();
        }
        group.members.push(Member { reuse: interval.reuse, depths, domain: interval.domain, weight, conditions });
    }

    /// Counts every class; counts of parts are not yet added up, see [`Union`].
    ///
    /// # Errors
    ///
    /// [`Error::Unbounded`] if a free iterator has no range, [`Error::Isl`] if counting fails or reaches the limit.
    pub(crate) fn count(self, counter: &MemberCounter<'_>) -> Result<Vec<ReuseClass>, Error> {
        let class = |((kind, value, _), group): (ClassKey, Group)| {
            let counts = counter.class(&group)?;
            Ok(ReuseClass { kind, iterators: group.iterators, value, counts })
        };
        self.0.into_iter().map(class).collect()
    }
}

/// Classes that were counted part by part, as one list.
#[derive(Debug, Default)]
pub(crate) struct Union(BTreeMap<ClassKey, (Vec<String>, CountSum)>);

impl Union {
    /// Adds the classes of a part, whose iterators have the names that they had first.
    pub(crate) fn add(&mut self, classes: Vec<ReuseClass>) {
        for ReuseClass { kind, iterators, value, counts } in classes {
            let key = (kind, value, iterators.len());
            let (_, sum) = self.0.entry(key).or_insert_with(|| (iterators, CountSum::default()));
            counts.into_iter().for_each(|piece| sum.add(piece));
        }
    }

    /// Returns all classes: real ones first, in the order of their formulas.
    pub(crate) fn classes(self) -> Vec<ReuseClass> {
        let class = |((kind, value, _), (iterators, sum)): (ClassKey, (Vec<String>, CountSum))| ReuseClass {
            kind,
            iterators,
            value,
            counts: sum.pieces(),
        };
        self.0.into_iter().map(class).filter(|class| !class.counts.is_empty()).collect()
    }
}

/// Returns the name of a free iterator that counts the steps of an iterator.
pub(crate) fn steps_of(iterator: &str) -> String {
    format!("u_{iterator}")
}

/// Counts members, each distinct set once.
///
/// One conjunction is counted at a time. The counts of a class are not added up by isl: refining their domains against
/// each other costs more than counting. Their pieces are kept side by side instead, and add up where they overlap.
pub(crate) struct MemberCounter<'a> {
    isl: &'a Context,
    params: Vec<String>,
    summation: Summation<'a>,
    known: RefCell<BTreeMap<CountedPoints, Vec<CountPiece>>>,
}

/// The number of free iterators, the points and their weight.
type CountedPoints = (usize, Vec<Constraint>, Poly);

impl<'a> MemberCounter<'a> {
    /// Prepares counts for a program with these parameters and this context.
    pub(crate) fn new(isl: &'a Context, params: Vec<String>, context: &Set) -> Result<Self, Error> {
        let summation = Summation::new(isl, &params, context)?.in_many_parts();
        Ok(Self { isl, params, summation, known: RefCell::default() })
    }

    fn class(&self, group: &Group) -> Result<Vec<CountPiece>, Error> {
        let mut counts = Vec::new();
        for member in &group.members {
            // Members are counted one by one: where iterators count steps, different ones may hold the same points; and
            // coalescing makes few sets with oblique faces (`i + j ≥ 1`) out of many boxes, which are counted in no
            // time.
            for part in member.domain.make_disjoint()?.compute_divs()?.basic_sets()? {
                counts.extend(self.basic_set(member, &part)?.into_iter().map(|piece| of(member, piece)));
            }
        }
        Ok(counts)
    }

    /// Returns the counts of a part of a member for each value of its free iterators, which become parameters.
    fn basic_set(&self, member: &Member, part: &BasicSet) -> Result<Vec<CountPiece>, Error> {
        let dims = member.domain.dim(DimType::SET)?;
        let name = |depth: &usize| self.name("x", *depth);
        let counted: Vec<usize> = (0..dims).filter(|depth| !member.depths.contains(depth)).collect();
        let free = (0..member.depths.len()).map(|index| self.name("q", index));
        let own =
            Frame::over(self.params.iter().cloned().chain((0..dims).map(|d| name(&d))).collect(), self.params.len());
        let frame = Frame::over(self.params.iter().cloned().chain(free).collect(), self.params.len());
        let all = frame.names().iter().cloned().chain(counted.iter().map(name)).collect();
        let all = Frame::over(all, frame.names().len());
        // Free iterators first.
        let order: Vec<usize> = member.depths.iter().chain(&counted).copied().collect();
        let moved = |var: Var| Some(Poly::var(frame.iterator(order.iter().position(|d| Some(*d) == own.depth(var))?)));
        let mut points: Vec<_> =
            constraints(part, &own)?.iter().map(|c| c.map(|poly| poly.substitute(&moved))).collect();
        points.sort();
        let key = (member.depths.len(), points, member.weight.substitute(&moved));
        if let Some(counts) = self.known.borrow().get(&key) {
            return Ok(counts.clone());
        }
        let mut counts = Vec::new();
        for (domain, count) in self.summation.over(key.1.clone(), &all, &key.2)? {
            if let Some(bounds) = self.bounds(&domain, &frame)? {
                counts.push(CountPiece { access: None, previous: None, bounds, domain, count });
            }
        }
        counts.sort_by(|a, b| a.domain.cmp(&b.domain));
        self.known.borrow_mut().insert(key, counts.clone());
        Ok(counts)
    }

    /// Returns the range of each iterator; `None` if no point satisfies the conjunction.
    fn bounds(&self, conjunction: &[Constraint], frame: &Frame) -> Result<Option<Vec<Bounds>>, Error> {
        match bounds(conjunction, frame) {
            // One without points, `i mod 8 >= 7` and `i mod 2 = 0`, need not say how far its iterators go.
            Err(Error::Unbounded(_))
                if frame.region(self.isl, conjunction)?.is_disjoint(self.summation.context())? =>
            {
                Ok(None)
            }
            ranges => ranges,
        }
    }

    /// Returns a name such as `q0`, or `qq0` if a parameter begins with a q.
    fn name(&self, letter: &str, index: usize) -> String {
        let mut prefix = letter.to_owned();
        while self.params.iter().any(|name| name.starts_with(&prefix)) {
            prefix.push_str(letter);
        }
        format!("{prefix}{index}")
    }
}

/// Returns a piece of the counts of a member.
fn of(Member { reuse, conditions, .. }: &Member, mut piece: CountPiece) -> CountPiece {
    piece.domain.extend(conditions.iter().cloned());
    CountPiece { access: Some(reuse.sink.index()), previous: reuse.source.map(|source| source.index()), ..piece }
}

/// Pieces by accesses and domain, with the ranges of their iterators; counts between the same two accesses on one
/// domain add up.
#[derive(Debug, Default)]
struct CountSum(BTreeMap<Place, (Vec<Bounds>, Poly)>);

/// The access, the previous one, and the domain.
type Place = (Option<usize>, Option<usize>, Vec<Constraint>);

impl CountSum {
    fn add(&mut self, CountPiece { access, previous, bounds, domain, count }: CountPiece) {
        let (_, sum) = self.0.entry((access, previous, domain)).or_insert_with(|| (bounds, Poly::zero()));
        *sum = &*sum + &count;
    }

    fn pieces(self) -> Vec<CountPiece> {
        let piece = |((access, previous, domain), (bounds, count)): (Place, (_, Poly))| CountPiece {
            access,
            previous,
            bounds,
            domain,
            count: count.periodic_form(),
        };
        self.0.into_iter().map(piece).filter(|piece| !piece.count.is_zero()).collect()
    }
}

/// Returns a piecewise polynomial over the parameters alone, as plain data.
pub(crate) fn plain_pieces(
    parts: impl IntoIterator<Item = (Set, Poly)>,
    context: &Set,
    parameters: &Frame,
) -> Result<Vec<Piece>, Error> {
    let mut pieces = Vec::new();
    for (domain, value) in parts {
        for part in domain.gist(context)?.make_disjoint()?.compute_divs()?.basic_sets()? {
            pieces.push(Piece { domain: constraints(&part, parameters)?, value: value.clone() });
        }
    }
    pieces.sort_by(|a, b| a.domain.cmp(&b.domain));
    Ok(pieces)
}
