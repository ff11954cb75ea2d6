//! Conversion of tables to a [`LineModel`] without references.
//!
//! A short file could describe a huge model: a long polynomial in a table, and many references to it. The size of the expanded model is
//! therefore counted, and the file is refused if it is far larger than a model needs.

use symloc_quasi::{Atom, Constraint, Monomial, Number, Poly, Rational, Var};

use super::{
    Domain, StoredClass, StoredCoherence, StoredCount, StoredDistances, StoredLine, StoredRange, StoredTerms,
    StoredWriteBacks,
};
use crate::types::{self, Bounds, CountPiece, LineModel, ReuseClass};

/// The size that any model may have; see [`Limit`].
const ANY_CASE: u64 = 1 << 20;

/// The size that a model may have for each byte of its file. PolyBench's kernels need less than 1.
const PER_BYTE: u64 = 10;

/// The largest number of factors of a monomial.
const MAX_FACTORS: usize = 1000;

/// The size that may still be expanded: ranges, coefficients (long ones count several times) and factors, including those in floors.
pub(crate) struct Limit(u64);

impl Limit {
    /// Creates the limit for a file of `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self(ANY_CASE.max(PER_BYTE.saturating_mul(bytes as u64)))
    }

    fn spend(&mut self, size: u64) -> Result<(), String> {
        self.0 = self.0.checked_sub(size).ok_or("it is far too large for its file")?;
        Ok(())
    }
}

/// Returns the model of a line size of the file.
pub(crate) fn line(line: StoredLine, limit: &mut Limit) -> Result<LineModel, String> {
    let floors = numbered("floors", line.floors, floor)?;
    let monomials = numbered("monomials", line.monomials, |factors| monomial(&factors, &floors, limit))?;
    let polynomials = numbered("polynomials", line.polynomials, |terms| polynomial(terms, &monomials, limit))?;
    let mut tables = ReadTables { limit, polynomials, domains: Vec::new() };
    tables.domains = numbered("domains", line.domains, |domain| tables.domain(domain))?;
    let classes = tables.classes("classes", line.classes)?;
    let distances = line.distances.map(|distances| tables.distances(distances)).transpose()?;
    let coherence = line.coherence.map(|coherence| tables.coherence(coherence)).transpose()?;
    let write_backs = line.write_backs.map(|write_backs| tables.write_backs(write_backs)).transpose()?;
    Ok(LineModel {
        line_bytes: line.line_bytes,
        element: line.element,
        symbolic: line.symbolic,
        blocks: line.blocks,
        array_blocks: line.array_blocks,
        classes,
        distances,
        coherence,
        write_backs,
    })
}

/// Reads entries one after the other; an error begins with the place.
fn numbered<F, T>(of: &str, list: Vec<F>, mut read: impl FnMut(F) -> Result<T, String>) -> Result<Vec<T>, String> {
    let read = |(index, entry)| read(entry).map_err(|e| format!("{of}[{index}]: {e}"));
    list.into_iter().enumerate().map(read).collect()
}

/// Returns the entry that a reference means.
fn entry<'t, T>(of: &str, table: &'t [T], number: usize) -> Result<&'t T, String> {
    table.get(number).ok_or_else(|| format!("{of} {number} where there are only {}", table.len()))
}

/// An entry of a table, with its size in the sense of [`Limit`].
struct TableEntry<T> {
    value: T,
    size: u64,
}

/// A domain: conditions, and ranges of the iterators.
type ReadDomain = (Vec<Constraint>, Vec<Bounds>);

/// The tables that classes refer to.
struct ReadTables<'l> {
    limit: &'l mut Limit,
    polynomials: Vec<TableEntry<Poly>>,
    domains: Vec<TableEntry<ReadDomain>>,
}

impl ReadTables<'_> {
    fn classes(&mut self, of: &str, classes: Vec<StoredClass>) -> Result<Vec<ReuseClass>, String> {
        numbered(of, classes, |class| self.class(class))
    }

    fn distances(&mut self, distances: StoredDistances) -> Result<types::Distances, String> {
        let mut read = |of, classes| self.classes(of, classes).map_err(|e| format!("distances: {e}"));
        Ok(types::Distances {
            classes: read("classes", distances.classes)?,
            estimated: read("estimated", distances.estimated)?,
        })
    }

    fn coherence(&mut self, coherence: StoredCoherence) -> Result<types::Coherence, String> {
        let StoredCoherence { falsely_shared, classes, distances } = coherence;
        let classes = self.classes("classes", classes);
        let distances = distances.map(|distances| self.distances(distances)).transpose();
        let found = classes.and_then(|classes| Ok(types::Coherence { falsely_shared, classes, distances: distances? }));
        found.map_err(|e| format!("coherence: {e}"))
    }

    fn write_backs(&mut self, write_backs: StoredWriteBacks) -> Result<types::WriteBacks, String> {
        let StoredWriteBacks { classes, distances } = write_backs;
        let classes = classes.map(|classes| self.classes("classes", classes)).transpose();
        let distances = distances.map(|distances| self.distances(distances)).transpose();
        let found = classes.and_then(|classes| Ok(types::WriteBacks { classes, distances: distances? }));
        found.map_err(|e| format!("write_backs: {e}"))
    }

    fn class(&mut self, class: StoredClass) -> Result<ReuseClass, String> {
        Ok(ReuseClass {
            kind: class.kind,
            iterators: class.iterators,
            value: self.polynomial(class.value)?,
            counts: numbered("counts", class.counts, |count| self.count(count))?,
        })
    }

    fn count(&mut self, StoredCount(access, previous, domain, count): StoredCount) -> Result<CountPiece, String> {
        let (domain, bounds) = taken(self.limit, "domain", &self.domains, domain)?;
        Ok(CountPiece { access, previous, bounds, domain, count: self.polynomial(count)? })
    }

    fn polynomial(&mut self, number: usize) -> Result<Poly, String> {
        taken(self.limit, "polynomial", &self.polynomials, number)
    }

    fn domain(&mut self, Domain(conditions, ranges): Domain) -> Result<TableEntry<ReadDomain>, String> {
        let before = self.limit.0;
        let conditions = conditions.into_iter().map(|condition| self.condition(condition)).collect::<Result<_, _>>()?;
        let ranges = ranges.into_iter().map(|range| self.range(range)).collect::<Result<_, _>>()?;
        Ok(TableEntry { value: (conditions, ranges), size: before - self.limit.0 })
    }

    fn condition(&mut self, condition: i64) -> Result<Constraint, String> {
        match usize::try_from(condition) {
            Ok(number) => Ok(Constraint::non_negative(self.polynomial(number)?)),
            Err(_) => Ok(Constraint::zero(self.polynomial(complement(condition))?)),
        }
    }

    fn range(&mut self, StoredRange(lower, upper): StoredRange) -> Result<Bounds, String> {
        self.limit.spend(1)?;
        Ok(Bounds { lower: self.all(lower)?, upper: self.all(upper)? })
    }

    fn all(&mut self, polynomials: Vec<usize>) -> Result<Vec<Poly>, String> {
        polynomials.into_iter().map(|number| self.polynomial(number)).collect()
    }
}

/// Returns a copy of an entry, and counts its size.
fn taken<T: Clone>(limit: &mut Limit, of: &str, table: &[TableEntry<T>], number: usize) -> Result<T, String> {
    let entry = entry(of, table, number)?;
    limit.spend(entry.size)?;
    Ok(entry.value.clone())
}

/// Returns k of `!k`, for a negative number.
fn complement(number: i64) -> usize {
    usize::try_from(!number).unwrap_or(usize::MAX)
}

/// A product of atoms. It is a monomial, unless one of them is a floor whose normal form is a sum; symloc writes no such products.
enum Product {
    Monomial(Monomial),
    Sum(Poly),
}

impl Product {
    fn times(self, factor: &Product, limit: &mut Limit) -> Result<Product, String> {
        if let (Product::Monomial(monomial), Product::Monomial(factor)) = (&self, factor) {
            return Ok(Product::Monomial(monomial.times(factor)));
        }
        let [product, factor] = [&self, factor].map(Product::poly);
        limit.spend((product.terms().len() * factor.terms().len()) as u64)?;
        Ok(Product::Sum(&product * &factor))
    }

    fn poly(&self) -> Poly {
        match self {
            Product::Monomial(monomial) => Poly::term(Rational::from_integer(1.into()), monomial.clone()),
            Product::Sum(poly) => poly.clone(),
        }
    }

    fn size(&self) -> u64 {
        match self {
            Product::Monomial(monomial) => 1 + factors(monomial),
            Product::Sum(poly) => size(poly),
        }
    }
}

fn floor((numerator, Number(divisor)): (Poly, Number)) -> Result<Product, String> {
    if !divisor.is_integer() || *divisor.numer() <= 0.into() {
        return Err("a divisor that is not a positive integer".to_owned());
    }
    let floor = numerator.floor_div(divisor.numer());
    Ok(match floor.as_monomial() {
        Some(monomial) => Product::Monomial(monomial.clone()),
        None => Product::Sum(floor),
    })
}

fn monomial(factors: &[i64], floors: &[Product], limit: &mut Limit) -> Result<TableEntry<Product>, String> {
    if factors.len() > MAX_FACTORS {
        return Err(format!("{} factors", factors.len()));
    }
    let one = Product::Monomial(Monomial::default());
    let value = factors.iter().try_fold(one, |product, factor| match u32::try_from(*factor) {
        Ok(var) => product.times(&Product::Monomial(Monomial::power(Atom::Var(Var(var)), 1)), limit),
        Err(_) if *factor < 0 => product.times(entry("floor", floors, complement(*factor))?, limit),
        Err(_) => Err(format!("a variable numbered {factor}")),
    })?;
    let size = value.size();
    limit.spend(size)?;
    Ok(TableEntry { value, size })
}

fn polynomial(
    StoredTerms(terms): StoredTerms,
    monomials: &[TableEntry<Product>],
    limit: &mut Limit,
) -> Result<TableEntry<Poly>, String> {
    let (mut sum, mut size) = (Vec::with_capacity(terms.len()), 1_u64);
    for (Number(coefficient), monomial) in terms {
        let TableEntry { value, size: factors } = entry("monomial", monomials, monomial)?;
        let term = factors.saturating_mul(digits(&coefficient));
        limit.spend(term)?;
        size += term;
        match value {
            Product::Monomial(monomial) => sum.push((monomial.clone(), coefficient)),
            Product::Sum(poly) => sum.extend(poly.terms().map(|(m, c)| (m.clone(), c * &coefficient))),
        }
    }
    Ok(TableEntry { value: Poly::from_terms(sum), size })
}

fn size(poly: &Poly) -> u64 {
    poly.terms().map(|(monomial, coefficient)| digits(coefficient) + factors(monomial)).sum()
}

fn factors(monomial: &Monomial) -> u64 {
    let size = |(atom, _): &(Atom, u32)| match atom {
        Atom::Var(_) => 1,
        Atom::Floor(floor) => 1 + size(floor.numerator()),
    };
    monomial.factors().iter().map(size).sum()
}

/// Returns the number of machine words that a number takes, at least one.
fn digits(number: &Rational) -> u64 {
    1 + (number.numer().bits() + number.denom().bits()) / 64
}
