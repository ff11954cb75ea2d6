//! Counts the blocks of a window, as a sum over disjoint sets of blocks.
//!
//! Most sets of blocks are [boxes](symloc_polyhedra::boxes) with bounds that depend on t alone, and most boxes have the size that
//! their extents say for every t. Others have it on a region, and are empty elsewhere. A size that is 0 may be added as
//! well as left out; so a box has a least region, where it is not empty, and a greatest, where its extents say its
//! size, and any in between will do. Boxes share regions where they can: the fewer regions, the fewer cases are told
//! apart in the end.
//!
//! Other sets are counted in closed form, as a sum over parts that may overlap, or else by Barvinok. Sums that become
//! too long are refused.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use symloc_isl::{Context, DimType, Set};
use symloc_quasi::{Constraint, Poly};

use crate::Error;
use crate::convert::{constraints, counts};
use crate::counting::Summation;
use crate::frame::Frame;
use crate::times::Times;
use symloc_polyhedra::Addend;
use symloc_polyhedra::{BoxCase, Boxed};

/// A part of the domain, what is added there, and a point of it: it refutes most guesses about parts at no cost.
struct DomainPart {
    /// The conjunctions of the domain of which one holds there.
    conditions: Vec<Vec<Constraint>>,
    part: Set,
    point: Vec<BigInt>,
    size: Poly,
}

impl DomainPart {
    /// Returns true if a point of the domain is in the region.
    fn contains(&self, point: &[BigInt]) -> bool {
        self.conditions.iter().any(|conjunction| conjunction.iter().all(|condition| condition.holds_at(point)))
    }
}

/// A number of blocks on a part of the domain, and a point of this part.
struct Subtotal {
    part: Set,
    point: Vec<BigInt>,
    value: Poly,
}

impl Subtotal {
    /// Splits the part at a region, and adds the region's size inside.
    fn plus(self, region: &DomainPart, frame: &Frame) -> Result<Vec<Self>, Error> {
        let inside = region.contains(&self.point);
        let there = self.part.intersect(&region.part)?;
        let at = if inside { Some(self.point.clone()) } else { frame.point(&there)? };
        let Some(at) = at else { return Ok(vec![self]) };
        let elsewhere = self.part.subtract(&region.part)?;
        let at_elsewhere = if inside { frame.point(&elsewhere)? } else { Some(self.point) };
        let mut sums = vec![Self { part: there, point: at, value: &self.value + &region.size }];
        sums.extend(at_elsewhere.map(|point| Self { part: elsewhere, point, value: self.value }));
        Ok(sums)
    }
}

/// Adds up numbers of blocks.
pub(crate) struct Adder<'a> {
    times: Times<'a>,
    /// The domain of t.
    domain: Set,
    /// A point of the domain, if there is one: it refutes many conditions at no cost.
    point: Option<Vec<BigInt>>,
    /// The summand on the whole domain.
    everywhere: Poly,
    /// The summands on regions of the domain.
    regions: Vec<DomainPart>,
    /// Conditions, and whether they hold on the whole domain.
    known: BTreeMap<Constraint, bool>,
}

/// So many terms the sizes on all regions may have together. Longer formulas take long, and nobody can do anything with
/// them.
const REGION_TERMS: usize = 2_000;

/// And so many the sums over all parts.
const SUM_TERMS: usize = 20_000;

/// Sets of several coordinates with so many floors are not counted: Barvinok may take minutes, for polynomials of
/// thousands of terms.
const FLOORS: usize = 4;

impl<'a> Adder<'a> {
    /// Prepares the count of blocks that depend on the variables of a frame, for values in the domain.
    pub(crate) fn new(isl: &'a Context, frame: &'a Frame, domain: Set) -> Result<Self, Error> {
        let times = Times { isl, frame };
        let point = frame.point(&domain)?;
        Ok(Self { times, domain, point, everywhere: Poly::zero(), regions: Vec::new(), known: BTreeMap::new() })
    }

    /// Adds the number of elements of a set, which depends on parameters and iterators as parameters, times a factor.
    pub(crate) fn add(&mut self, blocks: &Set, factor: &Poly) -> Result<(), Error> {
        // Seldom the domain is needed to see that a bound is the tightest.
        let boxed = match self.cuboid(&blocks.compute_divs()?)? {
            Some(boxed) if boxed.cases.len() == 1 => Some(boxed),
            _ => self.cuboid(&blocks.gist_params(&self.domain)?.compute_divs()?)?,
        };
        let Some(Boxed { mut rest, cases }) = boxed else { return self.add_counted(blocks, factor) };
        let held = rest.iter().map(|condition| self.holds(condition)).collect::<Result<Vec<_>, _>>()?;
        let mut held = held.into_iter();
        rest.retain(|_| held.next() == Some(false));
        cases.iter().try_for_each(|case| self.add_case(case, &rest, factor))
    }

    /// Returns the sum of what was added and of a value, part by part; the iterators are dimensions of the parts.
    pub(crate) fn finished(self, value: &Poly) -> Result<Vec<(Set, Poly)>, Error> {
        let Times { isl, frame } = self.times;
        let Some(point) = self.point else { return Ok(Vec::new()) };
        let mut sums = vec![Subtotal { part: self.domain, point, value: value + &self.everywhere }];
        for region in &self.regions {
            for sum in std::mem::take(&mut sums) {
                sums.extend(sum.plus(region, frame)?);
            }
            let terms: usize = sums.iter().map(|sum| sum.value.terms().len()).sum();
            if terms > SUM_TERMS {
                return Err(Error::Intricate);
            }
        }
        let over_iters = |Subtotal { part, value, .. }| Ok((frame.over_iters(isl, &part)?, value));
        sums.into_iter().map(over_iters).collect()
    }

    /// Writes a set as a box, if it is one, with bounds and conditions that depend on t alone.
    fn cuboid(&self, blocks: &Set) -> Result<Option<Boxed>, Error> {
        let own = self.times.frame;
        let coordinates = blocks.dim(DimType::SET)?;
        let names = own.names().iter().cloned().chain((0..coordinates).map(|c| format!("_b{c}"))).collect();
        let frame = Frame::over(names, own.names().len());
        let first = frame.iterator(0);
        let [basic] = &blocks.basic_sets()?[..] else { return Ok(None) };
        let mut boxed = Boxed::new(constraints(basic, &frame)?);
        let whole = frame.iterators().all(|coordinate| boxed.solve(coordinate) || boxed.count(coordinate, first));
        let alone = boxed.rest.iter().all(|c| c.poly.vars().iter().all(|var| *var < first));
        Ok((whole && alone).then_some(boxed))
    }

    /// Adds the size of a box where certain bounds are the tightest; `conditions` say where there are blocks at all,
    /// beyond what the extents say.
    fn add_case(&mut self, case: &BoxCase, conditions: &[Constraint], factor: &Poly) -> Result<(), Error> {
        let size = factor * &case.size();
        let mut all = case.conditions.iter().chain(conditions).cloned().chain(case.at_least(&Poly::zero()));
        if all.try_fold(true, |all, condition| Ok::<_, Error>(all && self.holds(&condition)?))? {
            self.everywhere = &self.everywhere + &size;
            return Ok(());
        }
        let tightest = self.domain.intersect(&self.times.region(&case.conditions)?)?;
        let at_least =
            |least: &Poly| case.extents.iter().map(|e| Constraint::non_negative(e - least)).collect::<Vec<_>>();
        let filled = tightest.intersect(&self.times.region(&at_least(&Poly::one()))?)?;
        let filled = filled.intersect(&self.times.region(conditions)?)?;
        let Some(point) = self.times.frame.point(&filled)? else { return Ok(()) };
        let needed = self.times.needed(&tightest, &case.extents, conditions)?.into_iter().cloned();
        let sized: Vec<_> = needed.chain(case.at_least(&Poly::zero())).collect();
        let part = tightest.intersect(&self.times.region(&sized)?)?;
        let conditions = vec![case.conditions.iter().cloned().chain(sized).collect()];
        self.add_between(Some(&filled), DomainPart { conditions, part, point, size })
    }

    /// Adds a size that is right on a region, the greatest one, and 0 there outside of the least one, in which the
    /// region's point is. If none is given, it is the same.
    fn add_between(&mut self, least: Option<&Set>, greatest: DomainPart) -> Result<(), Error> {
        let least = least.unwrap_or(&greatest.part);
        if self.domain.is_subset(&greatest.part)? {
            self.everywhere = &self.everywhere + &greatest.size;
            return Ok(());
        }
        for region in &mut self.regions {
            if region.contains(&greatest.point)
                && greatest.contains(&region.point)
                && least.is_subset(&region.part)?
                && region.part.is_subset(&greatest.part)?
            {
                region.size = &region.size + &greatest.size;
                return Ok(());
            }
        }
        self.regions.push(greatest);
        let terms: usize = self.regions.iter().map(|region| region.size.terms().len()).sum();
        if terms > REGION_TERMS { Err(Error::Intricate) } else { Ok(()) }
    }

    /// Returns true if a condition on t holds on the whole domain.
    fn holds(&mut self, condition: &Constraint) -> Result<bool, Error> {
        if let Some(known) = self.known.get(condition) {
            return Ok(*known);
        }
        let refuted = self.point.as_ref().is_some_and(|point| !condition.holds_at(point));
        let holds = !refuted && self.domain.is_subset(&self.times.region(std::slice::from_ref(condition))?)?;
        self.known.insert(condition.clone(), holds);
        Ok(holds)
    }

    /// Adds the size of a set that is no box: in closed form, if it has one, else as Barvinok counts it.
    fn add_counted(&mut self, blocks: &Set, factor: &Poly) -> Result<(), Error> {
        let Times { isl, frame } = self.times;
        let summation = Summation::new(isl, frame.names(), &self.domain)?.on_large_domains();
        let sizes: Vec<(Set, Poly)> = match summation.closed_count(blocks, frame)? {
            Some(sizes) => {
                let on_region = |(conditions, size): Addend| Ok((self.times.region(&conditions)?, size));
                sizes.into_iter().map(on_region).collect::<Result<_, Error>>()?
            }
            None if blocks.dim(DimType::SET)? > 1 && floors(blocks)? >= FLOORS => return Err(Error::Intricate),
            None => counts(&blocks.intersect_params(&self.domain)?, frame)?,
        };
        for (part, size) in sizes {
            let parts = part.compute_divs()?.basic_sets()?;
            let conditions = parts.iter().map(|part| constraints(part, frame)).collect::<Result<_, _>>()?;
            let part = self.domain.intersect(&part)?;
            if let Some(point) = frame.point(&part)? {
                self.add_between(None, DomainPart { conditions, part, point, size: &size * factor })?;
            }
        }
        Ok(())
    }
}

/// Returns the number of floors in the description of a set.
fn floors(set: &Set) -> Result<usize, Error> {
    Ok(set.compute_divs()?.systems()?.iter().map(|system| system.divs.len()).sum())
}
