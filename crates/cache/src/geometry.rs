//! The division of a cache into sets and ways, and the set that a block belongs to.

/// The shape of a cache, in lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Geometry {
    sets: u64,
    ways: u64,
    index: IndexFunction,
}

/// The function from blocks to sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IndexFunction {
    /// `block mod sets`
    #[default]
    Modulo,
    /// The bits of the block above those of the set, folded onto these by exclusive or: `sets` is a power of two.
    Xor,
}

/// The reasons why a cache cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GeometryError {
    /// No lines.
    #[error("a cache needs at least one line and one way")]
    Empty,
    /// A last set that is incomplete.
    #[error("{lines} lines are not a whole number of sets of {ways} ways")]
    PartOfSet {
        /// The number of lines.
        lines: u64,
        /// The number of ways.
        ways: u64,
    },
    /// Exclusive or where the number of sets is not a power of two.
    #[error("sets are found by exclusive or only where their number is a power of two, and here it is {sets}")]
    XorSets {
        /// The number of sets.
        sets: u64,
    },
    /// A tree over ways that cannot be halved.
    #[error("the tree of a PLRU cache needs ways that are a power of two, at most 64, and here they are {ways}")]
    Tree {
        /// The number of ways.
        ways: u64,
    },
    /// More ways than a set has room for.
    #[error("{policy} keeps at most {most} ways, and here they are {ways}")]
    Ways {
        /// The policy.
        policy: &'static str,
        /// The number of ways.
        ways: u64,
        /// The largest number of ways of the policy.
        most: u64,
    },
}

impl Geometry {
    /// Creates the geometry of a cache of `lines` lines in sets of `ways` ways.
    ///
    /// # Errors
    ///
    /// [`GeometryError`] if the sets are not whole, or their number does not suit the index.
    pub fn new(lines: u64, ways: u64, index: IndexFunction) -> Result<Self, GeometryError> {
        if lines == 0 || ways == 0 {
            return Err(GeometryError::Empty);
        }
        if !lines.is_multiple_of(ways) {
            return Err(GeometryError::PartOfSet { lines, ways });
        }
        let sets = lines / ways;
        match index {
            IndexFunction::Xor if !sets.is_power_of_two() => Err(GeometryError::XorSets { sets }),
            _ => Ok(Self { sets, ways, index }),
        }
    }

    /// Returns the number of sets.
    pub fn sets(&self) -> u64 {
        self.sets
    }

    /// Returns the number of lines per set.
    pub fn ways(&self) -> u64 {
        self.ways
    }

    /// Returns the number of lines.
    pub fn lines(&self) -> u64 {
        self.sets * self.ways
    }

    /// Returns the function from blocks to sets.
    pub fn index(&self) -> IndexFunction {
        self.index
    }

    /// Returns the set of a block.
    #[inline]
    pub fn set(&self, block: u64) -> u64 {
        let mask = self.sets - 1;
        match self.index {
            IndexFunction::Modulo if self.sets & mask == 0 => block & mask,
            IndexFunction::Modulo => block % self.sets,
            IndexFunction::Xor => self.folded(block),
        }
    }

    fn folded(&self, block: u64) -> u64 {
        let bits = self.sets.trailing_zeros().max(1);
        let (mut rest, mut folded) = (block, 0);
        while rest != 0 {
            folded ^= rest & (self.sets - 1);
            rest >>= bits;
        }
        folded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_fall_into_sets() {
        let modulo = Geometry::new(24, 2, IndexFunction::Modulo).unwrap();
        assert_eq!([0, 11, 12, 25].map(|block| modulo.set(block)), [0, 11, 0, 1]);
        let xor = Geometry::new(16, 2, IndexFunction::Xor).unwrap();
        assert_eq!([5, 8, 8 + 5, 64 + 8 + 5].map(|block| xor.set(block)), [5, 1, 4, 5]);
        assert_eq!(Geometry::new(1, 1, IndexFunction::Xor).unwrap().set(77), 0);
    }

    #[test]
    fn what_cannot_be_built_is_refused() {
        assert_eq!(Geometry::new(0, 1, IndexFunction::Modulo), Err(GeometryError::Empty));
        assert_eq!(Geometry::new(9, 2, IndexFunction::Modulo), Err(GeometryError::PartOfSet { lines: 9, ways: 2 }));
        assert_eq!(Geometry::new(12, 2, IndexFunction::Xor), Err(GeometryError::XorSets { sets: 6 }));
    }
}
