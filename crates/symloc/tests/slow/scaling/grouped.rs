//! Compares the rows of `table` in leading terms with those of the exact table.
//!
//! Both give the miss ratio of a cache. So if all parameters are about n, a cache c whose exact miss ratio r is known
//! must have
//!
//! ```text
//! after(c·(1 + ε)) · (1 − ε)  ≤  r  ≤  before(c·(1 − ε)) · (1 + ε)     with ε = C/n
//! ```
//!
//! where before and after are the ratios of the grouped rows just below a cache and from it on. Away from a row's
//! caches both are the same number, and r tends to it like 1/n. The caches c are those of the exact rows, and those
//! around the ends of the grouped ones.

use num_bigint::BigInt;
use num_traits::One;
use symloc_locality::profile::{self, Profile};
use symloc_locality::{
    Counts, Growth, LocalityError, Row, Table, lru_profiles, profiles, regimes_counting, stack_places,
};
use symloc_model::Model;
use symloc_quasi::{Quotient, Rational};

/// The approximate sizes of all parameters.
const SIZES: [u64; 2] = [1_000_000, 1_000_000_000];

/// The C of ε = C/n.
const LOWER_TERMS: u64 = 1_000;

/// The number of sizes of each order that are tried.
const SAMPLES: usize = 2;

/// The existence of an exact table.
#[derive(PartialEq, Eq)]
pub(crate) enum Exists {
    Yes,
    No,
}

/// The most draws of a size until a table holds for it.
const DRAWS: u64 = 1_000;

/// Compares the grouped rows of a model with the exact ones, of intervals or of distances. There is nothing to compare
/// if there is no exact table, because it would differ between too many residues.
pub(crate) fn compare(model: &Model, exact: bool) -> Result<Exists, String> {
    let tables = match tables(model, exact) {
        Err(LocalityError::Residues(_)) => return Ok(Exists::No),
        tables => tables.map_err(|error| error.to_string())?,
    };
    let profiles = of(model, exact).map_err(|error| error.to_string())?;
    let [profile] = profiles.as_slice() else { return Err(format!("{} profiles", profiles.len())) };
    let mut random = LinearCongruential(7);
    let mut compared = 0;
    let mut comparable = false;
    for n in SIZES {
        for _ in 0..SAMPLES {
            let (table, point) = random.size(&tables, profile, n).ok_or("no size that a table is about was found")?;
            let pair = Pair::at(table, profile, &point, n);
            // The exact table of a triangular program may have only the portions.
            comparable |= pair.exact.iter().any(Option::is_some);
            compared += pair.compare().map_err(|wrong| format!("{wrong} at {point:?}"))?;
        }
    }
    if comparable && compared == 0 { Err("nothing was compared".to_owned()) } else { Ok(Exists::Yes) }
}

fn tables(model: &Model, exact: bool) -> Result<Vec<Table>, LocalityError> {
    let (line, counts) = (&model.lines[0], Counts::default());
    if exact {
        let Some(places) = stack_places(line) else { return Ok(Vec::new()) };
        return Ok(regimes_counting(model, &places, counts)?.iter().map(Table::lru).collect());
    }
    Ok(regimes_counting(model, line, counts)?.iter().map(Table::new).collect())
}

fn of(model: &Model, exact: bool) -> Result<Vec<Profile>, LocalityError> {
    let (line, counts) = (&model.lines[0], Counts::default());
    let growth = Growth::default();
    if exact {
        Ok(lru_profiles(model, line, counts, &growth)?.unwrap_or_default())
    } else {
        profiles(model, line, counts, &growth)
    }
}

/// Knuth's linear congruential generator, of which only the upper bits are used.
struct LinearCongruential(u64);

impl LinearCongruential {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 20) % end
    }

    /// Returns a table and a size about n for which it holds: the parameters descend in the order of the profile, over
    /// at most a quarter of n.
    fn size<'t>(&mut self, tables: &'t [Table], profile: &Profile, n: u64) -> Option<(&'t Table, Vec<BigInt>)> {
        let mut point = vec![BigInt::from(n); profile.order.len()];
        (0..DRAWS).find_map(|draw| {
            let spread = (n >> (2 + draw * 8 / DRAWS)).max(1);
            let mut sizes: Vec<u64> = profile.order.iter().map(|_| n + self.below(spread)).collect();
            sizes.sort_unstable_by(|a, b| b.cmp(a));
            profile.order.iter().zip(&sizes).for_each(|(&parameter, &size)| point[parameter] = size.into());
            Some((tables.iter().find(|table| table.holds_at(&point))?, point.clone()))
        })
    }
}

fn value(quotient: &Quotient, point: &[BigInt]) -> Rational {
    quotient.numerator().evaluate(point) / quotient.denominator().evaluate(point)
}

/// An exact row at a size: its cache and miss ratio, if both are known.
type ExactRow = Option<(Rational, Rational)>;

/// A grouped row at a size.
struct GroupedRow {
    cache: [Rational; 2],
    ratio: [Rational; 2],
}

/// Both tables at a size.
struct Pair {
    exact: Vec<ExactRow>,
    groups: Vec<GroupedRow>,
    epsilon: Rational,
}

impl Pair {
    fn at(table: &Table, profile: &Profile, point: &[BigInt], n: u64) -> Self {
        let at = |quotient: &Quotient| value(quotient, point);
        let known = |row: &Row| Some((at(row.cache.as_ref()?), at(row.miss_ratio.as_ref()?)));
        let single = |row: &Row| known(row).filter(|_| row.iterators.is_empty());
        let group = |row: &profile::Row| GroupedRow {
            cache: row.cache.each_ref().map(at),
            ratio: row.miss_ratio.each_ref().map(at),
        };
        Self {
            exact: table.rows.iter().map(single).collect(),
            groups: profile.rows.iter().map(group).collect(),
            epsilon: Rational::new(LOWER_TERMS.into(), n.into()),
        }
    }

    /// Returns the number of caches that agree; an error for one that does not.
    fn compare(&self) -> Result<usize, String> {
        let [less, more] = self.around();
        let ends = self.groups.iter().flat_map(|group| {
            let [from, to] = &group.cache;
            [from * &less * &less, to * &more * &more]
        });
        let around = ends.filter_map(|cache| Some((self.exact_ratio(&cache)?.clone(), cache)));
        let own = self.exact.iter().flatten().map(|(cache, ratio)| (ratio.clone(), cache.clone()));
        let mut compared = 0;
        for (ratio, cache) in own.chain(around) {
            let (least, greatest) = (self.after(&(&cache * &more)) * &less, self.before(&(&cache * &less)) * &more);
            if ratio < least || ratio > greatest {
                return Err(format!("in {cache} blocks the miss ratio is {ratio}, not {least} to {greatest}"));
            }
            compared += 1;
        }
        Ok(compared)
    }

    /// Returns 1 − ε and 1 + ε.
    fn around(&self) -> [Rational; 2] {
        [Rational::one() - &self.epsilon, Rational::one() + &self.epsilon]
    }

    /// Returns the miss ratio of the last exact row whose cache is at most this one, if the next row is known, too: an
    /// unknown row may belong between the two.
    fn exact_ratio(&self, cache: &Rational) -> Option<&Rational> {
        let beyond = self.exact.iter().position(|row| row.as_ref().is_none_or(|(from, _)| from > cache));
        let beyond = beyond.unwrap_or(self.exact.len());
        let next_is_known = self.exact.get(beyond).is_none_or(Option::is_some);
        self.exact[beyond.checked_sub(1)?].as_ref().map(|(_, ratio)| ratio).filter(|_| next_is_known)
    }

    /// Returns the miss ratio of the grouped rows just below a cache; within a row it is the first ratio.
    fn before(&self, cache: &Rational) -> Rational {
        let row = self.groups.iter().find(|group| group.cache[1] >= *cache);
        let last = || self.groups.last().map(|group| group.ratio[1].clone());
        row.map(|group| group.ratio[0].clone()).or_else(last).unwrap_or_else(Rational::one)
    }

    /// Returns the miss ratio of the grouped rows from a cache on; within a row it is the last ratio.
    fn after(&self, cache: &Rational) -> Rational {
        let row = self.groups.iter().rev().find(|group| group.cache[0] <= *cache);
        row.map_or_else(Rational::one, |group| group.ratio[1].clone())
    }
}
