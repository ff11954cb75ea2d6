//! Classes with free iterators at one size, in closed form.
//!
//! At a size the parameters are numbers. A piece of a class is then a set of integer points q, the solutions of some
//! conditions, with polynomials with floors v(q) and c(q). It is [`cut`](cut::Cut) into parts in which everything is
//! polynomial and v monotone, so that "how many accesses have an interval up to x, and what do their intervals sum to?"
//! needs no enumeration:
//!
//! - an [atom](Atom): one value, and how many accesses have it;
//! - a [stretch](stretch): points in a row, ascending values: a binary search and a prefix sum;
//! - a [braid](braid): stretches with interleaved values, which are searched at once;
//! - a [brick](brick): iterators independent of each other and an affine value: numbers with mixed digits;
//! - a [region](region): rows of points, ascending values in both directions: binary searches, a prefix sum, and a
//!   stretch for each of the rows that are neither wholly below x nor wholly above. Several may be [united](unite).

mod bases;
mod bent;
mod braid;
mod brick;
mod bundle;
mod cut;
mod grid;
mod lanes;
mod lattice;
mod linear;
mod pack;
mod plane;
mod prefix;
mod ramps;
mod region;
mod slant;
mod strand;
mod stretch;
mod surface;
#[cfg(test)]
mod tests;
mod trapezoid;
mod unite;
mod vector;
mod width;

use symloc_quasi::Int;

use braid::Braid;
use brick::Brick;
pub(crate) use cut::{Cut, Plan, Trouble};
use region::Region;
use stretch::Stretch;
use symloc_model::Kind;

/// What the accesses of some points add up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sums {
    /// Σ c, how many there are.
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
    /// The same for points with so many accesses each.
    fn times(&self, factor: &Int) -> Self {
        Self { count: &self.count * factor, weighted: &self.weighted * factor }
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

/// `0 + 1 + … + (count − 1)`
fn pairs(count: i128) -> Int {
    match count % 2 {
        0 => &Int::from(count / 2) * &Int::from(count - 1),
        _ => &Int::from(count) * &Int::from((count - 1) / 2),
    }
}

/// Do the values from `low` to `high` share at least half of either range with others?
fn overlap((low, high): (&Int, &Int), (other_low, other_high): (&Int, &Int)) -> bool {
    let common = high.min(other_high) - low.max(other_low);
    let twice = &common + &common;
    twice >= high - low && twice >= other_high - other_low
}

/// Accesses with one reuse interval.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub(crate) kind: Kind,
    pub(crate) interval: Int,
    pub(crate) count: Int,
}

/// Points whose intervals lie between two values.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) kind: Kind,
    /// The smallest and the largest interval.
    pub(crate) low: Int,
    pub(crate) high: Int,
    pub(crate) total: Sums,
    shape: Shape,
}

#[derive(Clone, Debug)]
enum Shape {
    Stretch(Box<Stretch>),
    Region(Box<Region>),
    Brick(Box<Brick>),
    Braid(Box<Braid>),
}

impl Part {
    /// The sums over the accesses with an interval up to `x`.
    pub(crate) fn up_to(&self, x: &Int) -> Sums {
        let mut sums = Sums::default();
        self.add_up_to(x, &mut sums);
        sums
    }

    /// Adds the same.
    pub(crate) fn add_up_to(&self, x: &Int, sums: &mut Sums) {
        match &self.shape {
            Shape::Stretch(stretch) => sums.add(&stretch.up_to(x)),
            Shape::Region(region) => region.add_up_to(x, sums),
            Shape::Brick(brick) => sums.add(&brick.up_to(x)),
            Shape::Braid(braid) => braid.add_up_to(x, sums),
        }
    }

    /// How many rows or digits are searched one by one for `x`, at most.
    pub(crate) fn searched(&self, x: &Int) -> i128 {
        match &self.shape {
            Shape::Region(region) => region.searched(x),
            Shape::Brick(brick) => brick.descents(),
            Shape::Stretch(_) | Shape::Braid(_) => 1,
        }
    }
}

/// The parts of all classes at one size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) atoms: Vec<Atom>,
    pub(crate) parts: Vec<Part>,
    /// How many points or rows of points had to be enumerated.
    pub(crate) enumerated: u64,
}

impl Parts {
    /// Makes braids of the stretches of all classes, and unites their regions, when all are there.
    pub(crate) fn woven(self) -> Self {
        let mut woven = Self { atoms: self.atoms, parts: Vec::new(), enumerated: self.enumerated };
        let [mut real, mut imaginary] = [(); 2].map(|()| (Vec::new(), Vec::new()));
        for part in self.parts {
            let (stretches, regions) = match part.kind {
                Kind::Real => &mut real,
                Kind::Imaginary => &mut imaginary,
            };
            match part.shape {
                Shape::Stretch(stretch) => stretches.push(*stretch),
                Shape::Region(region) => regions.push(*region),
                shape => woven.parts.push(Part { shape, ..part }),
            }
        }
        for (kind, (stretches, regions)) in [(Kind::Real, real), (Kind::Imaginary, imaginary)] {
            braid::weave(kind, stretches, &mut woven);
            unite::unite(regions).into_iter().for_each(|region| woven.region(kind, region));
        }
        woven
    }

    /// How many there are of each, to return to.
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.atoms.len(), self.parts.len())
    }

    /// Forgets what was added since.
    pub(crate) fn reset(&mut self, (atoms, parts): (usize, usize)) {
        self.atoms.truncate(atoms);
        self.parts.truncate(parts);
    }

    pub(crate) fn atom(&mut self, kind: Kind, interval: Int, count: Int) {
        if !count.is_zero() {
            self.atoms.push(Atom { kind, interval, count });
        }
    }

    /// The points of a stretch, each an atom.
    fn points(&mut self, kind: Kind, stretch: &Stretch) {
        for t in 0..stretch.length() {
            let counts = stretch.counts();
            self.atom(kind, stretch.value(t), &counts.at(t + 1) - &counts.at(t));
        }
    }

    fn stretch(&mut self, kind: Kind, stretch: Stretch) {
        let (low, high, total) = (stretch.low(), stretch.high(), stretch.total());
        self.part(Part { kind, low, high, total, shape: Shape::Stretch(Box::new(stretch)) });
    }

    fn region(&mut self, kind: Kind, region: Region) {
        let (low, high, total) = (region.low(), region.high(), region.total());
        self.part(Part { kind, low, high, total, shape: Shape::Region(Box::new(region)) });
    }

    fn braid(&mut self, kind: Kind, braid: Braid) {
        let (low, high, total) = (braid.low(), braid.high(), braid.total());
        self.part(Part { kind, low, high, total, shape: Shape::Braid(Box::new(braid)) });
    }

    fn brick(&mut self, kind: Kind, brick: Brick) {
        let (low, high, total) = (brick.low(), brick.high(), brick.total());
        self.part(Part { kind, low, high, total, shape: Shape::Brick(Box::new(brick)) });
    }

    fn part(&mut self, part: Part) {
        if part.low == part.high {
            self.atom(part.kind, part.low, part.total.count);
        } else if !part.total.count.is_zero() {
            self.parts.push(part);
        }
    }
}
