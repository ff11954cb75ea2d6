//! Accesses in the order in which they touch a block (docs/mathematics.md, "The previous access").
//!
//! `A[i - 1][j]` touches an element one iteration of i after `A[i][j]` did, whatever the element. Of accesses like these
//! the last one before another is found by comparing such distances: where an access is preceded by a nearer one, the
//! farther ones need not be asked.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{Signed, Zero};
use symloc_isl::{Dim, DimType, LinearConstraint, Map};

use crate::Error;
use crate::schedule::timestamps::TimeComponent;

/// The time at which an access touches a block, as far as the block decides it.
#[derive(Clone, Debug)]
pub(super) struct TouchTime {
    /// The number of the access among those to the array.
    access: usize,
    known: KnownTime,
}

/// The components of a time that a block decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownTime {
    components: Vec<Component>,
    /// The coordinates of blocks that have one value in all of them.
    fixed: BTreeMap<Dim, BigRational>,
}

/// A component of such a time.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Component {
    /// A place in the text.
    Position(usize),
    /// The iteration is this function of block and sizes, and a constant.
    Function(Terms, BigRational),
    /// There is no such function, or it is not seen.
    Free,
}

/// Accesses that are earlier than some time.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct EarlierGroup {
    /// The accesses.
    pub(super) accesses: Vec<usize>,
    /// The first component of the time that differs, and is less.
    pub(super) level: usize,
}

/// Divides the blocks that an access touches by how they decide its time. `time` is the way to it in the tree.
pub(super) fn by_time(blocks: &Map, schedule: &Map, time: &[TimeComponent]) -> Result<Vec<(Map, KnownTime)>, Error> {
    let mut parts: Vec<(Map, KnownTime)> = Vec::new();
    for part in blocks.wrap()?.basic_sets()? {
        let part = part.to_set()?.unwrap()?;
        let found = KnownTime::new(&part.reverse()?.apply_range(schedule)?, time)?;
        match parts.iter_mut().find(|(_, known)| *known == found) {
            Some((all, _)) => *all = all.union(&part)?,
            None => parts.push((part, found)),
        }
    }
    // Parts may overlap, as those of loops with several lower bounds do.
    let (mut apart, mut before) = (Vec::new(), None::<Map>);
    for (part, known) in parts {
        apart.push((before.as_ref().map_or_else(|| Ok(part.clone()), |before| part.subtract(before))?, known));
        before = Some(before.map_or_else(|| Ok(part.clone()), |before| before.union(&part))?);
    }
    Ok(apart)
}

impl KnownTime {
    /// Finds the time at which blocks are touched, from a relation between blocks and times.
    fn new(touches: &Map, time: &[TimeComponent]) -> Result<Self, Error> {
        let blocks = touches.dim(DimType::In)?;
        let system = touches.wrap()?.affine_hull()?.system()?;
        let equalities: Vec<_> = system.constraints.iter().filter(|constraint| constraint.equality).collect();
        let value_of = |dim| equalities.iter().find_map(|equality| function(equality, blocks, dim));
        let component = |(at, step): (usize, &TimeComponent)| match step {
            TimeComponent::Position(position) => Component::Position(*position),
            TimeComponent::Iteration(_) => {
                value_of(blocks + at).map_or(Component::Free, |(terms, constant)| Component::Function(terms, constant))
            }
        };
        let fixed = |dim| value_of(dim).filter(|(terms, _)| terms.is_empty()).map(|(_, value)| (Dim::Set(dim), value));
        Ok(Self {
            components: time.iter().enumerate().map(component).collect(),
            fixed: (0..blocks).filter_map(fixed).collect(),
        })
    }
}

impl TouchTime {
    /// Creates the time of the access with a number.
    pub(super) fn new(access: usize, known: KnownTime) -> Self {
        Self { access, known }
    }

    /// Returns by how much a component is greater than that of another access, whatever the block; `None` if that is not known.
    fn lag(&self, other: &Self, level: usize) -> Option<BigRational> {
        match (self.known.components.get(level)?, other.known.components.get(level)?) {
            (Component::Position(own), Component::Position(others)) => {
                Some(BigRational::from_integer((*own).into()) - BigRational::from_integer((*others).into()))
            }
            (Component::Function(own, constant), Component::Function(others, other)) if own == others => {
                Some(constant - other)
            }
            _ => None,
        }
    }

    /// Returns by how much a component is greater than that of another access when both touch one block; `None` if that
    /// is not known.
    fn lag_at_common(&self, other: &Self, level: usize) -> Option<BigRational> {
        let (Some(Component::Function(own, constant)), Some(Component::Function(others, other_constant))) =
            (self.known.components.get(level), other.known.components.get(level))
        else {
            return self.lag(other, level);
        };
        let (own, constant) = self.at_common(other, own, constant);
        let (others, other_constant) = self.at_common(other, others, other_constant);
        (own == others).then(|| constant - other_constant)
    }

    /// Returns a function at the coordinates that are fixed in one of two accesses, and so in every block that both touch.
    fn at_common(&self, other: &Self, terms: &Terms, constant: &BigRational) -> (Terms, BigRational) {
        let value = |dim: &Dim| self.known.fixed.get(dim).or_else(|| other.known.fixed.get(dim));
        let (fixed, free): (Vec<_>, Vec<_>) = terms.iter().cloned().partition(|(dim, _)| value(dim).is_some());
        let values = fixed.iter().filter_map(|(dim, coefficient)| Some(coefficient * value(dim)?));
        (free, values.fold(constant.clone(), |sum, value| sum + value))
    }
}

/// Variables with their coefficients.
type Terms = Vec<(Dim, BigRational)>;

/// Returns the function that an equality makes of one dimension, if all others are sizes and coordinates of the block.
fn function(equality: &LinearConstraint, blocks: usize, of: usize) -> Option<(Terms, BigRational)> {
    let coefficients = &equality.expression.coefficients;
    let factor = coefficients.iter().find(|(dim, _)| *dim == Dim::Set(of)).map(|(_, factor)| -factor)?;
    let others = || coefficients.iter().filter(|(dim, _)| *dim != Dim::Set(of));
    let is_known = |dim: &Dim| matches!(dim, Dim::Param(_)) || matches!(dim, Dim::Set(at) if *at < blocks);
    let scaled = |value: &num_bigint::BigInt| BigRational::new(value.clone(), factor.clone());
    others().all(|(dim, _)| is_known(dim)).then(|| {
        let terms = others().map(|(dim, coefficient)| (*dim, scaled(coefficient))).collect();
        (terms, scaled(&equality.expression.constant))
    })
}

/// Returns accesses in groups, later ones first: to each block, those of a group come after all those of the next. All are
/// compared with the first, so what is known of blocks that it touches does not count: others may touch another one.
pub(super) fn latest_first(accesses: &[&TouchTime], level: usize) -> Vec<Vec<usize>> {
    let all = || vec![accesses.iter().map(|access| access.access).collect()];
    let [first, _, ..] = accesses else { return all() };
    let mut by_lag: BTreeMap<BigRational, Vec<&TouchTime>> = BTreeMap::new();
    for access in accesses {
        let Some(lag) = access.lag(first, level) else { return all() };
        by_lag.entry(lag).or_default().push(access);
    }
    by_lag.into_values().rev().flat_map(|accesses| latest_first(&accesses, level + 1)).collect()
}

/// Returns those of the accesses that touch the block of a sink before it, in groups, later ones first: before each
/// instance of the sink, those of a group come after all those of the next.
pub(super) fn before(sink: &TouchTime, accesses: &[&TouchTime], level: usize) -> Vec<EarlierGroup> {
    if accesses.is_empty() || level == sink.known.components.len() {
        return Vec::new();
    }
    let (mut together, mut unknown) = (Vec::new(), false);
    let mut earlier: BTreeMap<Option<BigRational>, Vec<&TouchTime>> = BTreeMap::new();
    for access in accesses {
        let lag = access.lag_at_common(sink, level);
        unknown |= lag.is_none();
        if lag.as_ref().is_none_or(Zero::is_zero) {
            together.push(*access);
        }
        // Iterations that are no whole number apart are not of one block.
        if lag.as_ref().is_none_or(|lag| lag.is_negative() && lag.is_integer()) {
            earlier.entry(lag).or_default().push(access);
        }
    }
    let mut groups = before(sink, &together, level + 1);
    let of = |accesses: Vec<usize>| EarlierGroup { accesses, level };
    if unknown {
        groups.push(of(earlier.into_values().flatten().map(|access| access.access).collect()));
    } else {
        let ordered = earlier.into_values().rev().flat_map(|accesses| latest_first(&accesses, level + 1));
        groups.extend(ordered.map(of));
    }
    groups
}

#[cfg(test)]
mod tests {
    use symloc_isl::Context;

    use super::*;

    /// Returns accesses to lines of four elements of rows, in one body of two loops.
    fn in_a_nest(offsets: &[(i64, i64)]) -> Vec<TouchTime> {
        let isl = Context::new().unwrap();
        let time = |position| {
            use TimeComponent::{Iteration, Position};
            let iter = symloc_affine::IterId;
            [Position(0), Iteration(iter(0)), Position(0), Iteration(iter(1)), Position(position)]
        };
        let access = |(position, (row, column)): (usize, &(i64, i64))| {
            let text = format!(
                "[n] -> {{ A[r, c] -> [0, i, 0, j, {position}] : 0 <= i, j < n and r = i + {row} and \
                 4c <= j + {column} <= 4c + 3 }}"
            );
            let touches = Map::read(&isl, &text).unwrap();
            TouchTime::new(position, KnownTime::new(&touches, &time(position)).unwrap())
        };
        offsets.iter().enumerate().map(access).collect()
    }

    /// Returns accesses to elements in one loop over i, each with the relation of i to the element a.
    fn in_a_loop(relations: [&str; 3]) -> [TouchTime; 3] {
        let isl = Context::new().unwrap();
        let mut positions = 0..;
        relations.map(|relation| {
            let position = positions.next().unwrap();
            let time = [
                TimeComponent::Position(0),
                TimeComponent::Iteration(symloc_affine::IterId(0)),
                TimeComponent::Position(position),
            ];
            let text = format!("[n] -> {{ A[a] -> [0, i, {position}] : 0 <= i < n and {relation} }}");
            let touches = Map::read(&isl, &text).unwrap();
            TouchTime::new(position, KnownTime::new(&touches, &time).unwrap())
        })
    }

    fn group(accesses: &[usize], level: usize) -> EarlierGroup {
        EarlierGroup { accesses: accesses.to_vec(), level }
    }

    #[test]
    fn rows_are_compared_by_constants_and_columns_of_a_line_by_the_text() {
        // Rows i + 1, i and i − 1, and two columns of row i.
        let accesses = in_a_nest(&[(1, 0), (0, 0), (-1, 0), (0, 1)]);
        let all: Vec<_> = accesses.iter().collect();
        // In the same iteration; in the same row; a row ago.
        let expected = [group(&[1], 4), group(&[1, 3], 3), group(&[0], 1)];
        assert_eq!(before(&accesses[3], &all, 0), expected);
        let expected = [group(&[1, 3], 3), group(&[0], 1)];
        assert_eq!(before(&accesses[1], &all, 0), expected);
        assert_eq!(before(&accesses[0], &all, 0), [group(&[0], 3)]);
    }

    #[test]
    fn the_last_access_to_a_line_is_of_the_row_that_comes_last() {
        let accesses = in_a_nest(&[(1, 0), (0, 0), (-1, 0), (0, 1)]);
        let groups = latest_first(&accesses.iter().collect::<Vec<_>>(), 0);
        assert_eq!(groups, [vec![2], vec![1, 3], vec![0]]);
    }

    #[test]
    fn iterations_that_are_no_whole_number_apart_are_of_different_blocks() {
        let [even, odd, next] = in_a_loop(["a = 2i", "a = 2i + 1", "a = 2i + 2"]);
        assert_eq!(before(&even, &[&even, &odd, &next], 0), [group(&[2], 1)]);
        assert_eq!(before(&odd, &[&even, &odd, &next], 0), []);
    }

    #[test]
    fn what_one_block_decides_orders_no_accesses_to_others() {
        // At block 3 all are in iteration 3, at block 4 the second is later than the third.
        let [once, up, down] = in_a_loop(["i = 3 and a = 3", "i = a", "i = 6 - a"]);
        assert_eq!(latest_first(&[&once, &up, &down], 0), [vec![0, 1, 2]]);
        assert_eq!(before(&once, &[&once, &up, &down], 0), []);
        assert_eq!(before(&up, &[&once, &up, &down], 0), [group(&[0], 2), group(&[2], 1)]);
    }
}
