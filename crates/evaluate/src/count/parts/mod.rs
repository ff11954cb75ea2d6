//! Parts of the points of a class, each with sums in closed form.

pub(super) mod fan;
pub(super) mod machine;
pub(super) mod periodic;
pub(super) mod quotient;
pub(super) mod radix;
pub(super) mod region;
pub(super) mod rows;
pub(super) mod run;
pub(super) mod slant;

use std::sync::Arc;

use symloc_model::IntervalKind;
use symloc_quasi::Int;

use crate::count::limits::SHORT_RUN;
use fan::Fan;
use radix::MixedRadix;
use region::RowRegion;
use run::RowRun;

/// The sums over the accesses of some points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sums {
    /// Σ c, the number of accesses.
    pub(crate) count: Int,
    /// Σ v·c, the sum of their intervals.
    pub(crate) weighted: Int,
}

impl Default for Sums {
    fn default() -> Self {
        Self { count: Int::ZERO, weighted: Int::ZERO }
    }
}

impl Sums {
    /// Returns these sums with each access counted `factor` times.
    fn times(&self, factor: &Int) -> Self {
        Self { count: &self.count * factor, weighted: &self.weighted * factor }
    }

    fn negated(&self) -> Self {
        self.times(&Int::from(-1))
    }

    /// Returns these sums with each interval longer by `offset`.
    fn raised(mut self, offset: &Int) -> Self {
        self.weighted += &(offset * &self.count);
        self
    }

    pub(crate) fn add(&mut self, other: &Sums) {
        self.count += &other.count;
        self.weighted += &other.weighted;
    }

    fn subtract(&mut self, other: &Sums) {
        self.count = &self.count - &other.count;
        self.weighted = &self.weighted - &other.weighted;
    }
}

/// Returns `0 + 1 + … + (count − 1)`.
fn pairs(count: i128) -> Int {
    match count % 2 {
        0 => &Int::from(count / 2) * &Int::from(count - 1),
        _ => &Int::from(count) * &Int::from((count - 1) / 2),
    }
}

/// Accesses with one reuse interval.
#[derive(Clone, Debug)]
pub(crate) struct IntervalAtom {
    pub(crate) kind: IntervalKind,
    pub(crate) interval: Int,
    pub(crate) count: Int,
}

/// Points whose intervals lie between two values.
#[derive(Clone, Debug)]
pub(crate) struct IntervalPart {
    pub(crate) kind: IntervalKind,
    /// The smallest and the largest interval.
    pub(crate) low: Int,
    pub(crate) high: Int,
    pub(crate) total: Sums,
    /// True if its accesses are subtracted.
    negative: bool,
    /// By how much its intervals are longer than those of its shape.
    offset: Int,
    shape: PartShape,
}

#[derive(Clone, Debug)]
enum PartShape {
    Run(Arc<RowRun>),
    Region(Arc<RowRegion>),
    MixedRadix(Arc<MixedRadix>),
    Fan(Arc<Fan>),
}

impl IntervalPart {
    /// Returns the sums over the accesses with an interval up to `x`.
    pub(crate) fn up_to(&self, x: &Int) -> Sums {
        let x = &(x - &self.offset);
        let sums = match &self.shape {
            PartShape::Run(run) => run.up_to(x),
            PartShape::Region(region) => region.up_to(x),
            PartShape::MixedRadix(radix) => radix.up_to(x),
            PartShape::Fan(fan) => fan.up_to(x),
        };
        let sums = sums.raised(&self.offset);
        if self.negative { sums.negated() } else { sums }
    }

    /// Returns the largest number of rows or digits that are searched one by one for any x.
    pub(crate) fn most_searched(&self) -> i128 {
        match &self.shape {
            PartShape::Region(region) => region.rows(),
            PartShape::MixedRadix(radix) => radix.most_searched(),
            PartShape::Fan(fan) => fan.most_searched(),
            PartShape::Run(_) => 1,
        }
    }

    /// Returns an upper bound of the number of rows or digits that are searched one by one for `x`.
    pub(crate) fn searched(&self, x: &Int) -> i128 {
        let x = &(x - &self.offset);
        match &self.shape {
            PartShape::Region(region) => region.searched(x),
            PartShape::MixedRadix(radix) => radix.searched(x),
            PartShape::Fan(fan) => fan.searched(x),
            PartShape::Run(_) => 1,
        }
    }
}

/// The parts of all classes at one size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) atoms: Vec<IntervalAtom>,
    pub(crate) parts: Vec<IntervalPart>,
    /// The number of points or rows of points that had to be enumerated.
    pub(crate) enumerated: u64,
}

impl Parts {
    /// Returns the present numbers of atoms and of parts, for [`reset`](Self::reset).
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.atoms.len(), self.parts.len())
    }

    /// Removes the atoms and parts that were added since a mark.
    pub(crate) fn reset(&mut self, (atoms, parts): (usize, usize)) {
        self.atoms.truncate(atoms);
        self.parts.truncate(parts);
    }

    /// Adds some other parts.
    pub(crate) fn append(&mut self, other: Self) {
        self.atoms.extend(other.atoms);
        self.parts.extend(other.parts);
        self.enumerated += other.enumerated;
    }

    /// Returns the parts with each interval longer by `more`; `None` if one were not positive.
    pub(crate) fn raised(mut self, more: &Int) -> Option<Self> {
        for atom in &mut self.atoms {
            atom.interval += more;
        }
        for part in &mut self.parts {
            for value in [&mut part.low, &mut part.high, &mut part.offset] {
                *value += more;
            }
            part.total = part.total.clone().raised(more);
        }
        let lowest = self.atoms.iter().map(|atom| &atom.interval).chain(self.parts.iter().map(|part| &part.low)).min();
        lowest.is_none_or(|lowest| *lowest > Int::ZERO).then_some(self)
    }

    /// Subtracts the accesses of all parts, instead of adding them.
    pub(crate) fn negate(&mut self) {
        self.atoms.iter_mut().for_each(|atom| atom.count = &Int::ZERO - &atom.count);
        for part in &mut self.parts {
            (part.total, part.negative) = (part.total.negated(), !part.negative);
        }
    }

    pub(crate) fn atom(&mut self, kind: IntervalKind, interval: Int, count: Int) {
        if !count.is_zero() {
            self.atoms.push(IntervalAtom { kind, interval, count });
        }
    }

    /// Adds a run; the points of a short one become atoms.
    pub(crate) fn run(&mut self, kind: IntervalKind, run: RowRun) {
        if run.length() < SHORT_RUN {
            run.points().for_each(|(value, count)| self.atom(kind, value, count));
            return;
        }
        let (low, high, total) = (run.low(), run.high(), run.total());
        self.part(kind, (low, high), total, PartShape::Run(Arc::new(run)));
    }

    pub(crate) fn region(&mut self, kind: IntervalKind, region: RowRegion) {
        let (low, high, total) = (region.low(), region.high(), region.total());
        self.part(kind, (low, high), total, PartShape::Region(Arc::new(region)));
    }

    pub(crate) fn radix(&mut self, kind: IntervalKind, radix: MixedRadix) {
        let (low, high, total) = (radix.low(), radix.high(), radix.total());
        self.part(kind, (low, high), total, PartShape::MixedRadix(Arc::new(radix)));
    }

    pub(crate) fn fan(&mut self, kind: IntervalKind, fan: Fan) {
        let (low, high, total) = (fan.low(), fan.high(), fan.total());
        self.part(kind, (low, high), total, PartShape::Fan(Arc::new(fan)));
    }

    fn part(&mut self, kind: IntervalKind, (low, high): (Int, Int), total: Sums, shape: PartShape) {
        let part = IntervalPart { kind, low, high, total, negative: false, offset: Int::ZERO, shape };
        if part.low == part.high {
            self.atom(part.kind, part.low, part.total.count);
        } else if !part.total.count.is_zero() {
            self.parts.push(part);
        }
    }
}
