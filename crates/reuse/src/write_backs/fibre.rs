//! The longest of the reuses that belong to one write.
//!
//! Reuses belong to the write before them, by a relation from writes to accesses. Where a write has one of them, its value
//! follows by substitution. Where it has many, their iterators are eliminated one by one: if the value rises with an
//! iterator, whatever the others are, the largest one counts; if it falls, the least; if it is convex, one of the two.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use symloc_isl::{Context, DimType, Map, PwMultiAff, Set};
use symloc_polyhedra::is_non_negative;
use symloc_quasi::{Constraint, Floor, Poly, Rational, Var};

use crate::Error;
use crate::convert::{affine_forms, constraints};
use crate::found::ValuePart;
use crate::frame::Frame;
use crate::previous::PrevPiece;

/// The most remainders of an iterator that are looked at one by one.
const PERIOD: u32 = 64;

/// A piece of previous writes, as a relation.
pub(super) struct Link {
    domain: Set,
    /// `[iterators of the access] -> [iterators of the write]`
    writes: Map,
}

impl Link {
    /// Returns the relation of a piece.
    pub(super) fn new(piece: &PrevPiece) -> Result<Self, Error> {
        let writes = Map::from_multi_aff(&piece.iterators)?.intersect_domain(&piece.domain)?;
        let writes = writes.reset_tuple_name(DimType::In)?.reset_tuple_name(DimType::Out)?;
        Ok(Self { domain: piece.domain.reset_tuple_name()?, writes })
    }
}

/// Returns the values of the writes to which an access belongs by `link`, on parts that may overlap: on each point the
/// largest one is that of the write.
///
/// # Errors
///
/// [`Error::Intricate`] if a largest value is not found, [`Error::Isl`] if isl fails or reaches the limit.
pub(super) fn of_writes(
    isl: &Context,
    value: &ValuePart,
    link: &Link,
    [sink, write]: [&Frame; 2],
) -> Result<Vec<ValuePart>, Error> {
    if link.domain.is_disjoint(&value.domain)? {
        return Ok(Vec::new());
    }
    let links = link.writes.intersect_domain(&value.domain)?;
    let known = write.iterators().count();
    let params = write.names().len() - known;
    let open = Fibre::opened(&value.value, sink, params + known);
    let fibres = Fibres { isl, params: &write.names()[..params], known };
    let (mut left, mut found) = (vec![Fibre { links: links.reverse()?, value: open }], Vec::new());
    while let Some(fibre) = left.pop() {
        fibres.step(fibre, &mut left, &mut found)?;
    }
    Ok(found)
}

/// Accesses that belong to writes, and their values.
struct Fibre {
    /// `[iterators of the write] -> [iterators of the access that are left]`
    links: Map,
    /// In the parameters, the iterators of the write, and those that are left.
    value: Poly,
}

impl Fibre {
    /// Returns a value with the iterators of a frame from `first` on.
    fn opened(value: &Poly, frame: &Frame, first: usize) -> Poly {
        value.substitute(&|var| Some(variable(first + frame.depth(var)?)))
    }
}

/// The variables of fibres.
struct Fibres<'a> {
    isl: &'a Context,
    params: &'a [String],
    /// The number of iterators of the write.
    known: usize,
}

impl Fibres<'_> {
    /// Eliminates an iterator, or all at once if the write determines them.
    fn step(&self, fibre: Fibre, left: &mut Vec<Fibre>, found: &mut Vec<ValuePart>) -> Result<(), Error> {
        let Fibre { links, value } = self.mentioned(fibre)?;
        let open = links.dim(DimType::Out)?;
        if open == 0 {
            found.push(ValuePart { domain: links.domain()?.coalesce()?, value });
            return Ok(());
        }
        if links.is_single_valued()? {
            let frame = self.frame(0);
            for (domain, iterators) in PwMultiAff::from_map(&links)?.pieces()? {
                let iterators = affine_forms(&iterators, &domain, &frame)?;
                let at = |var: Var| iterators.get((var.0 as usize).checked_sub(self.first())?).cloned();
                found.push(ValuePart { domain, value: value.substitute(&at) });
            }
            return Ok(());
        }
        for place in (0..open).rev() {
            let last = self.with_last(&links, &value, place)?;
            if let Some(ends) = self.ends(&last)? {
                for end in ends {
                    left.extend(self.at_end(&last, end)?);
                }
                return Ok(());
            }
        }
        Err(Error::Intricate)
    }

    /// Removes the iterators that the value does not mention.
    fn mentioned(&self, Fibre { mut links, mut value }: Fibre) -> Result<Fibre, Error> {
        for place in (0..links.dim(DimType::Out)?).rev() {
            let var = self.first() + place;
            if !value.vars().contains(&Var(var as u32)) {
                links = links.project_out(DimType::Out, place, 1)?;
                value = value.substitute(&|other| without(other, var));
            }
        }
        Ok(Fibre { links, value })
    }

    /// Puts an iterator behind the others.
    fn with_last(&self, links: &Map, value: &Poly, place: usize) -> Result<LastIterator, Error> {
        let others = links.dim(DimType::Out)? - 1;
        let links = links.move_dims(DimType::In, self.known, DimType::Out, 0, place)?;
        let links = links.move_dims(DimType::In, self.known + place, DimType::Out, 1, others - place)?;
        let (var, last) = (self.first() + place, self.first() + others);
        let at = |other: Var| if other.0 as usize == var { Some(variable(last)) } else { without(other, var) };
        Ok(LastIterator { links, value: value.substitute(&at), var: Var(last as u32) })
    }

    /// Returns the ends of its range at which an iterator has the largest value; `None` if it may be between them.
    fn ends(&self, last: &LastIterator) -> Result<Option<Vec<End>>, Error> {
        let LastIterator { value, var, .. } = last;
        let range = self.range(last)?;
        let holds = |poly: &Poly| range.iter().all(|part| holds(poly, part, *var));
        let next = |poly: &Poly| &poly.with_value(*var, &(&Poly::var(*var) + &Poly::one())) - poly;
        let rise = next(value);
        Ok(match () {
            () if holds(&rise) => Some(vec![End::Last]),
            () if holds(&-&rise) => Some(vec![End::First]),
            () if holds(&next(&rise)) => Some(vec![End::First, End::Last]),
            () => None,
        })
    }

    /// Returns all values of an iterator from the first to the last one, those too that it does not have: from one that it has
    /// to the next, the value changes by the sum of what it changes from each of these integers to the next.
    fn range(&self, LastIterator { links, var, .. }: &LastIterator) -> Result<Vec<Vec<Constraint>>, Error> {
        let own = self.conjunctions(links)?;
        if let [one] = own.as_slice()
            && !one.iter().any(|constraint| has_floors_of(&constraint.poly, *var))
        {
            return Ok(own);
        }
        let from_first = links.lexmin()?.apply_range(&Map::read(self.isl, "{ [first] -> [x] : x >= first }")?)?;
        let to_last = links.lexmax()?.apply_range(&Map::read(self.isl, "{ [last] -> [x] : x <= last }")?)?;
        self.conjunctions(&from_first.intersect(&to_last)?.coalesce()?)
    }

    fn conjunctions(&self, links: &Map) -> Result<Vec<Vec<Constraint>>, Error> {
        let points = links.wrap()?.flatten()?.compute_divs()?;
        let frame = self.frame(points.dim(DimType::SET)? - self.known);
        points.basic_sets()?.iter().map(|part| constraints(part, &frame)).collect()
    }

    /// Returns the fibres in which an iterator has its first or its last value.
    fn at_end(&self, LastIterator { links, value, var }: &LastIterator, end: End) -> Result<Vec<Fibre>, Error> {
        let chosen = match end {
            End::First => links.lexmin()?,
            End::Last => links.lexmax()?,
        };
        let frame = self.frame(var.0 as usize - self.first());
        let mut fibres = Vec::new();
        for (domain, iterator) in PwMultiAff::from_map(&chosen)?.pieces()? {
            let there = affine_forms(&iterator, &domain, &frame)?.pop();
            let there = there.ok_or_else(|| Error::Internal("an end without a place".to_owned()))?;
            let at = |other: Var| (other == *var).then(|| there.clone());
            let unit = Set::read(self.isl, "{ [] }")?;
            let links = Map::from_domain_and_range(&unit, &domain.reset_tuple_name()?)?;
            let links = links.move_dims(DimType::In, 0, DimType::Out, 0, self.known)?;
            fibres.push(Fibre { links, value: value.substitute(&at) });
        }
        Ok(fibres)
    }

    /// Returns the number of the first iterator that is left.
    fn first(&self) -> usize {
        self.params.len() + self.known
    }

    /// Returns the variables with so many iterators that are left.
    fn frame(&self, open: usize) -> Frame {
        let names = (0..self.known + open).map(|at| format!("_d{at}"));
        Frame::over(self.params.iter().cloned().chain(names).collect(), self.params.len())
    }
}

/// Accesses that belong to writes, with one of the iterators that are left behind the others.
struct LastIterator {
    /// `[iterators of the write, others that are left] -> [the iterator]`
    links: Map,
    value: Poly,
    /// The iterator.
    var: Var,
}

/// An end of the range of an iterator.
#[derive(Clone, Copy)]
enum End {
    First,
    Last,
}

/// Returns true if a polynomial is known to be at least 0 at the integers of a conjunction. If it has floors of a variable, each
/// remainder of the variable is looked at by itself.
fn holds(poly: &Poly, conjunction: &[Constraint], var: Var) -> bool {
    let of_var = |floor: &&Floor| floor.numerator().vars().contains(&var);
    let period = poly.floors().into_iter().filter(of_var).fold(BigInt::one(), |all, floor| all.lcm(floor.divisor()));
    match period.to_u32() {
        Some(1) => is_non_negative(poly, conjunction),
        Some(period) if period <= PERIOD => (0..period).all(|remainder| {
            let place = Poly::var(var).scale(&Rational::from_integer(period.into()));
            let place = &place + &Poly::integer(remainder);
            let there = |poly: &Poly| poly.with_value(var, &place).periodic_form();
            let conjunction: Vec<_> = conjunction.iter().map(|condition| condition.map(there)).collect();
            is_non_negative(&there(poly), &conjunction)
        }),
        _ => false,
    }
}

fn has_floors_of(poly: &Poly, var: Var) -> bool {
    poly.floors().iter().any(|floor| floor.numerator().vars().contains(&var))
}

fn variable(number: usize) -> Poly {
    Poly::var(Var(number as u32))
}

/// Returns a variable once the one with a number is gone.
fn without(var: Var, gone: usize) -> Option<Poly> {
    (var.0 as usize > gone).then(|| variable(var.0 as usize - 1))
}

#[cfg(test)]
mod tests {
    use symloc_affine::AccessId;
    use symloc_isl::MultiAff;
    use symloc_model::IntervalKind;

    use super::*;

    /// Compares the longest of the values of x, at the points of a domain that all belong to one write, with the largest of
    /// all of them, for each n.
    fn check(domain: &str, value: impl Fn(&Poly) -> Poly) -> Result<(), Error> {
        let isl = Context::new()?;
        let frame = |iterators: &[&str]| {
            let names = ["n"].iter().chain(iterators).map(|name| (*name).to_owned());
            Frame::over(names.collect(), 1)
        };
        let (sink, write) = (frame(&["x"]), frame(&[]));
        let piece = PrevPiece {
            kind: IntervalKind::Real,
            sink: AccessId(1),
            source: AccessId(0),
            domain: Set::read(&isl, &format!("[n] -> {{ S1[x] : {domain} }}"))?,
            iterators: MultiAff::read(&isl, "[n] -> { S1[x] -> S0[] }")?,
        };
        let value = ValuePart { domain: Set::read(&isl, "[n] -> { [x] }")?, value: value(&Poly::var(Var(1))) };
        let found = of_writes(&isl, &value, &Link::new(&piece)?, [&sink, &write])?;
        for n in 1..9 {
            let here =
                |set: &Set| set.intersect_params(&Set::read(&isl, &format!("[n] -> {{ : n = {n} }}"))?.params()?);
            let mut longest = None;
            for part in &found {
                if !here(&part.domain)?.is_empty()? {
                    longest = longest.max(Some(part.value.evaluate(&[n.into()])));
                }
            }
            let points = here(&piece.domain)?.points()?;
            let values = points.iter().map(|point| value.value.evaluate(&[n.into(), point.set[0].clone()]));
            assert_eq!(longest, values.max(), "at n = {n}");
        }
        Ok(())
    }

    fn polynomial(x: &Poly, coefficients: [i64; 4]) -> Poly {
        let power = |sum: Poly, coefficient: &i64| &(&sum * x) + &Poly::integer(*coefficient);
        coefficients.iter().fold(Poly::zero(), power)
    }

    #[test]
    fn ends_are_the_largest_in_ranges() {
        let all = "0 <= x <= 2n";
        check(all, |x| polynomial(x, [0, 0, -3, 1])).unwrap();
        check(all, |x| polynomial(x, [1, -9, 0, 1])).unwrap_err();
        check(all, |x| polynomial(x, [0, 1, -9, 1])).unwrap();
        check(all, |x| x + &x.floor_div(&3.into())).unwrap();
    }

    /// From an even number to the next it falls by 1 and rises by 3: one that is looked at by itself says the opposite.
    #[test]
    fn values_between_steps_are_looked_at() {
        let value = |x: &Poly| &x.floor_div(&2.into()).scale(&Rational::from_integer(4.into())) - x;
        check("0 <= x <= 2n and x mod 2 = 0", value).unwrap_err();
    }

    /// The value rises on both parts, but falls from one to the other.
    #[test]
    fn values_between_parts_are_looked_at() {
        let cubic = |x: &Poly| polynomial(x, [1, -21, 120, 0]);
        check("0 <= x <= 3 or 10 <= x <= 12", cubic).unwrap_err();
        check("0 <= x <= 3", cubic).unwrap();
        check("10 <= x <= 12", cubic).unwrap();
    }
}
