//! Reuse classes: intervals of one formula, counted (docs/mathematics.md, "Classes"; Algorithm 1 of the paper).
//!
//! The iterators that a formula still mentions become the free iterators q of its class, and Barvinok counts the
//! rest of the domain over parameters and q, for each access and its previous one by themselves. Formulas are compared
//! after their iterators are renumbered, so `4·i + 1` in one loop and `4·k + 1` in another are one class.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use num_bigint::BigInt;
use num_traits::One;
use symloc_isl::{Context, DimType, PwQPolynomial, Set};
use symloc_model::{Bounds, CountPiece, Kind, ReuseClass};
use symloc_quasi::{Constraint, Notation, Piece, Poly, Rational, Style, Var};

use crate::Error;
use crate::bounds::bounds;
use crate::convert::{constraints, counts, sums};
use crate::digits::joined;
use crate::frame::{Frame, dims_to_params};
use crate::interval::IntervalPiece;
use crate::prev::Reuse;

/// Intervals grouped by formula, not yet counted.
#[derive(Debug, Default)]
pub struct Groups(BTreeMap<(Kind, Poly), Group>);

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
    /// How many accesses each point of the domain stands for.
    weight: Poly,
}

impl Groups {
    /// Files an interval under its formula.
    pub fn add(&mut self, interval: IntervalPiece, frame: &Frame) {
        self.add_weighted(interval, frame, Poly::one());
    }

    /// The same for an interval that each point of its domain has `weight` times.
    pub(crate) fn add_weighted(&mut self, interval: IntervalPiece, frame: &Frame, weight: Poly) {
        let free: Vec<Var> = interval.value.vars().into_iter().filter(|v| frame.depth(*v).is_some()).collect();
        let depths: Vec<usize> = free.iter().filter_map(|v| frame.depth(*v)).collect();
        let renumbered = |var: Var| {
            let position = free.iter().position(|v| *v == var)?;
            Some(Poly::var(frame.iterator(position)))
        };
        let key = (interval.kind, interval.value.substitute(&renumbered));
        let group = self.0.entry(key).or_default();
        if group.members.is_empty() {
            let name = |v: &Var| match interval.in_steps.contains(v) {
                true => format!("u_{}", frame.name(*v)),
                false => frame.name(*v).to_owned(),
            };
            group.iterators = free.iter().map(name).collect();
        }
        group.members.push(Member { reuse: interval.reuse, depths, domain: interval.domain, weight });
    }

    /// Counts every class: real ones first, in the order of their formulas.
    ///
    /// # Errors
    ///
    /// [`Error::Unbounded`] if a free iterator has no range, [`Error::Isl`] if counting fails or reaches the limit.
    pub(crate) fn count(self, counter: &Counter<'_>) -> Result<Vec<ReuseClass>, Error> {
        let mut classes = Vec::new();
        for ((kind, value), group) in self.0 {
            let counts = counter.class(&group)?;
            if !counts.is_empty() {
                classes.push(ReuseClass { kind, iterators: group.iterators, value, counts });
            }
        }
        Ok(classes)
    }
}

/// Classes of several accesses, each counted by itself, as one list.
#[derive(Debug, Default)]
pub(crate) struct Union(BTreeMap<(Kind, Poly), ReuseClass>);

impl Union {
    /// Adds the classes of an access that comes after those before.
    pub(crate) fn add(&mut self, classes: Vec<ReuseClass>) {
        for class in classes {
            match self.0.entry((class.kind, class.value.clone())) {
                Entry::Vacant(vacant) => _ = vacant.insert(class),
                Entry::Occupied(mut known) => known.get_mut().counts.extend(class.counts),
            }
        }
    }

    /// All classes: real ones first, in the order of their formulas.
    pub(crate) fn classes(self) -> Vec<ReuseClass> {
        self.0.into_values().collect()
    }
}

/// Counts members, each distinct set once.
///
/// Barvinok counts one basic set at a time. The counts of a class are not added up by isl: refining their domains against
/// each other costs more than counting. Their pieces are kept side by side instead, and add up where they overlap.
pub(crate) struct Counter<'a> {
    isl: &'a Context,
    params: Vec<String>,
    context: Set,
    known: RefCell<BTreeMap<String, Vec<CountPiece>>>,
}

impl<'a> Counter<'a> {
    /// Of programs with these parameters, of which the context is known.
    pub(crate) fn new(isl: &'a Context, params: Vec<String>, context: &Set) -> Result<Self, Error> {
        Ok(Self { isl, params, context: context.params()?, known: RefCell::default() })
    }

    fn class(&self, group: &Group) -> Result<Vec<CountPiece>, Error> {
        let names = self.free_names(group.iterators.len());
        let mut sum = Sum::default();
        for member in &group.members {
            let weight = self.weight(member, &names)?;
            for part in self.over_params(member, &names)?.make_disjoint()?.basic_sets()? {
                sum.add(member.reuse, self.basic_set(&part.to_set()?, &weight, &names)?);
            }
        }
        Ok(sum.pieces())
    }

    /// A member's domain with its free iterators as parameters. Members are counted one by one: where iterators count steps,
    /// different ones may hold the same points; and coalescing makes few sets with oblique faces (`i + j ≥ 1`) out of many
    /// boxes, which are counted in no time.
    fn over_params(&self, member: &Member, names: &[String]) -> Result<Set, Error> {
        let mut set = member.domain.clone();
        for (moved, (depth, name)) in member.depths.iter().zip(names).enumerate() {
            set = dims_to_params(&set, depth - moved, &[name])?;
        }
        Ok(set)
    }

    /// A member's weight with its free iterators as parameters.
    fn weight(&self, member: &Member, names: &[String]) -> Result<Weight, Error> {
        let dims = member.domain.dim(DimType::SET)?;
        let name = |depth: usize| match member.depths.iter().position(|d| *d == depth) {
            Some(position) => names[position].clone(),
            None => self.name("x", depth),
        };
        let all = self.params.iter().cloned().chain((0..dims).map(name)).collect();
        Ok(Weight::new(&member.weight, all, &[&self.params[..], names].concat()))
    }

    fn basic_set(&self, set: &Set, weight: &Weight, names: &[String]) -> Result<Vec<CountPiece>, Error> {
        let key = format!("{}/{} {}", weight.text, weight.divisor, set.to_text()?);
        if let Some(counts) = self.known.borrow().get(&key) {
            return Ok(counts.clone());
        }
        let all = [&self.params[..], names].concat();
        let frame = Frame::over(all, self.params.len());
        let counts = count_pieces(self.isl, weight.sum(self.isl, set, &frame)?, &self.context, &frame)?;
        self.known.borrow_mut().insert(key, counts.clone());
        Ok(counts)
    }

    /// Names for free iterators that no parameter has.
    fn free_names(&self, count: usize) -> Vec<String> {
        (0..count).map(|i| self.name("q", i)).collect()
    }

    /// `q0`, `q1`, …, or `qq0`, … if a parameter begins with a q.
    fn name(&self, letter: &str, index: usize) -> String {
        let mut prefix = letter.to_owned();
        while self.params.iter().any(|name| name.starts_with(&prefix)) {
            prefix.push_str(letter);
        }
        format!("{prefix}{index}")
    }
}

/// A polynomial that is summed over sets.
pub(crate) struct Weight {
    /// `[params] -> { [dimensions] -> polynomial }`, of integers.
    text: String,
    /// By what it is divided.
    divisor: BigInt,
    /// The polynomial, if it is a number.
    constant: Option<Rational>,
}

impl Weight {
    /// A polynomial in variables of these names; those that are no parameters are dimensions of the sets.
    pub(crate) fn new(weight: &Poly, names: Vec<String>, params: &[String]) -> Self {
        let divisor = weight.common_denominator();
        let dims: Vec<_> = names.iter().filter(|name| !params.contains(name)).map(String::as_str).collect();
        let (params, dims) = (params.join(", "), dims.join(", "));
        let integral = weight.scale(&Rational::from_integer(divisor.clone()));
        // isl writes powers with another sign.
        let text = Notation::new(Style::Plain, &names).poly(&integral).replace("**", "^");
        let text = format!("[{params}] -> {{ [{dims}] -> {text} }}");
        Self { text, divisor, constant: weight.as_constant() }
    }

    /// Its sum over a conjunction, piece by piece, for each value of the parameters, which are the variables of a frame.
    pub(crate) fn sum(&self, isl: &Context, set: &Set, frame: &Frame) -> Result<Vec<(Set, Poly)>, Error> {
        let (pieces, factor) = match &self.constant {
            Some(constant) => (counts(&joined(isl, set, frame)?, frame)?, constant.clone()),
            None => {
                let summand = PwQPolynomial::read(isl, &self.text)?.intersect_domain(set)?;
                (sums(&summand, frame)?, Rational::new(BigInt::one(), self.divisor.clone()))
            }
        };
        Ok(pieces.into_iter().map(|(domain, value)| (domain, value.scale(&factor))).collect())
    }
}

/// Pieces by accesses and domain, with the ranges of their iterators; counts between the same two accesses on one domain add
/// up.
#[derive(Default)]
struct Sum(BTreeMap<(Reuse, Vec<Constraint>), (Vec<Bounds>, Poly)>);

impl Sum {
    fn add(&mut self, reuse: Reuse, pieces: Vec<CountPiece>) {
        for CountPiece { bounds, domain, count, .. } in pieces {
            let (_, sum) = self.0.entry((reuse, domain)).or_insert_with(|| (bounds, Poly::zero()));
            *sum = &*sum + &count;
        }
    }

    fn pieces(self) -> Vec<CountPiece> {
        let piece = |((reuse, domain), (bounds, count)): ((Reuse, _), (_, Poly))| CountPiece {
            access: Some(reuse.sink.index()),
            previous: reuse.source.map(|source| source.index()),
            bounds,
            domain,
            count: count.periodic_form(),
        };
        self.0.into_iter().map(piece).filter(|piece| !piece.count.is_zero()).collect()
    }
}

/// The pieces of a count over parameters and free iterators, each on a conjunction beyond the context.
fn count_pieces(
    isl: &Context,
    pieces: Vec<(Set, Poly)>,
    context: &Set,
    frame: &Frame,
) -> Result<Vec<CountPiece>, Error> {
    let mut counts = Vec::new();
    for (domain, count) in pieces {
        if count.is_zero() {
            continue;
        }
        counts.extend(conjunctions(isl, &domain, &count, context, frame)?);
    }
    counts.sort_by(|a, b| a.domain.cmp(&b.domain));
    Ok(counts)
}

/// One count on a domain, as pieces.
fn conjunctions(
    isl: &Context,
    domain: &Set,
    count: &Poly,
    context: &Set,
    frame: &Frame,
) -> Result<Vec<CountPiece>, Error> {
    let mut counts = Vec::new();
    for part in domain.gist(context)?.make_disjoint()?.compute_divs()?.basic_sets()? {
        let bounds = bounds(isl, &part, frame)?;
        counts.push(CountPiece {
            access: None,
            previous: None,
            bounds,
            domain: constraints(&part, frame)?,
            count: count.clone(),
        });
    }
    Ok(counts)
}

/// A piecewise polynomial over the parameters alone, as plain data.
pub(crate) fn plain_pieces(
    isl: &Context,
    parts: impl IntoIterator<Item = (Set, Poly)>,
    context: &Set,
    parameters: &Frame,
) -> Result<Vec<Piece>, Error> {
    let mut counts = Vec::new();
    for (domain, value) in parts {
        counts.extend(conjunctions(isl, &domain, &value, context, parameters)?);
    }
    counts.sort_by(|a, b| a.domain.cmp(&b.domain));
    Ok(counts.into_iter().map(|p| Piece { domain: p.domain, value: p.count }).collect())
}
