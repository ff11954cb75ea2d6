//! The longest of the reuses that belong to one write.
//!
//! Reuses belong to the write before them, by a relation from writes to accesses. Where a write has one of them, its value
//! follows by substitution. Where it has many, their iterators are eliminated one by one: if the value rises with an
//! iterator, whatever the others are, the largest one counts; if it falls, the least; if it is convex, one of the two.

use symloc_isl::{Context, DimType, Map, PwMultiAff, Set};
use symloc_polyhedra::is_non_negative;
use symloc_quasi::{Poly, Var};

use crate::Error;
use crate::convert::{affine_forms, constraints};
use crate::found::ValuePart;
use crate::frame::Frame;
use crate::previous::PrevPiece;

/// Returns the values of the writes to which an access belongs by `link`, on parts that may overlap: on each point the
/// largest one is that of the write.
///
/// # Errors
///
/// [`Error::Intricate`] if a largest value is not found, [`Error::Isl`] if isl fails or reaches the limit.
pub(super) fn of_writes(
    isl: &Context,
    value: &ValuePart,
    link: &PrevPiece,
    [sink, write]: [&Frame; 2],
) -> Result<Vec<ValuePart>, Error> {
    let links = Map::from_multi_aff(&link.iterators)?.intersect_domain(&link.domain)?;
    let links = links.reset_tuple_name(DimType::In)?.reset_tuple_name(DimType::Out)?.intersect_domain(&value.domain)?;
    if links.is_empty()? {
        return Ok(Vec::new());
    }
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
            if let Some(ends) = self.ends(&links, &value, place)? {
                for end in ends {
                    left.extend(self.at_end(&links, &value, place, end)?);
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

    /// Returns the ends of its range at which an iterator has the largest value; `None` if it may be between them.
    fn ends(&self, links: &Map, value: &Poly, place: usize) -> Result<Option<Vec<End>>, Error> {
        let var = Var((self.first() + place) as u32);
        let points = links.wrap()?.flatten()?;
        let next = |poly: &Poly| &poly.with_value(var, &(&Poly::var(var) + &Poly::one())) - poly;
        let rise = next(value);
        let holds = |poly: &Poly| self.holds(poly, &points, var);
        Ok(match () {
            () if holds(&rise)? => Some(vec![End::Last]),
            () if holds(&-&rise)? => Some(vec![End::First]),
            () if holds(&next(&rise))? => Some(vec![End::First, End::Last]),
            () => None,
        })
    }

    /// Returns true if a polynomial is known to be at least 0 at all points. Floors of the variable are left alone.
    fn holds(&self, poly: &Poly, points: &Set, var: Var) -> Result<bool, Error> {
        let frame = self.frame(points.dim(DimType::SET)? - self.known);
        if poly.floors().iter().any(|floor| floor.numerator().vars().contains(&var)) {
            return Ok(false);
        }
        for part in points.compute_divs()?.basic_sets()? {
            if !is_non_negative(poly, &constraints(&part, &frame)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the fibres in which an iterator has its first or its last value.
    fn at_end(&self, links: &Map, value: &Poly, place: usize, end: End) -> Result<Vec<Fibre>, Error> {
        let others = links.dim(DimType::Out)? - 1;
        let alone = links.move_dims(DimType::In, self.known, DimType::Out, 0, place)?;
        let alone = alone.move_dims(DimType::In, self.known + place, DimType::Out, 1, others - place)?;
        let chosen = match end {
            End::First => alone.lexmin()?,
            End::Last => alone.lexmax()?,
        };
        let (frame, var) = (self.frame(others), self.first() + place);
        let mut fibres = Vec::new();
        for (domain, iterator) in PwMultiAff::from_map(&chosen)?.pieces()? {
            let Some(there) = affine_forms(&iterator, &domain, &frame)?.pop() else { continue };
            let at = |other: Var| if other.0 as usize == var { Some(there.clone()) } else { without(other, var) };
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

/// An end of the range of an iterator.
#[derive(Clone, Copy)]
enum End {
    First,
    Last,
}

fn variable(number: usize) -> Poly {
    Poly::var(Var(number as u32))
}

/// Returns a variable once the one with a number is gone.
fn without(var: Var, gone: usize) -> Option<Poly> {
    (var.0 as usize > gone).then(|| variable(var.0 as usize - 1))
}
