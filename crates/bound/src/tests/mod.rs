//! Laws and bounds beside sets of operations, and beside executions, that are looked at one by one.

mod laws;
mod programs;
mod slow;

use programs::TestProgram;

/// A generator of random numbers (xorshift).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }
}
