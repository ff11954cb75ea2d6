//! Counts how often execution passes each mark, by running the program.
//!
//! Each pass is counted with the weight of the mark. Marks that have an unknown weight somewhere have no count.

use symloc_affine::{Layout, Line, MarkId, Program, Weight};

use crate::code::{Code, RunStep};
use crate::error::SimError;
use crate::trace::check_sizes;

/// All passes of one mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passes {
    /// The mark.
    pub mark: MarkId,
    /// The number of passes with each weight.
    pub weighted: Vec<(Weight, u64)>,
}

impl Passes {
    fn add(&mut self, weight: &Weight) {
        match self.weighted.iter_mut().find(|(known, _)| known == weight) {
            Some((_, count)) => *count += 1,
            None => self.weighted.push((weight.clone(), 1)),
        }
    }
}

/// Runs a program and counts the passes of marks `0..marks`; at most `limit` of them in all.
///
/// # Errors
///
/// Sizes that do not fit the program, numbers beyond 64 bits, and more passes than the limit.
pub fn passes(program: &Program, sizes: &[i64], marks: u32, limit: u64) -> Result<Vec<Passes>, SimError> {
    check_sizes(program, sizes)?;
    let code = Code::new(program, sizes, Layout::Rows, Line::Element)?;
    let mut counts: Vec<Passes> = (0..marks).map(|mark| Passes { mark: MarkId(mark), weighted: Vec::new() }).collect();
    let mut passed = 0;
    code.run(|step, _| {
        let RunStep::Mark(mark) = step else { return Ok(()) };
        passed += 1;
        if passed > limit {
            return Err(SimError::TooManyPasses { limit });
        }
        let count = counts.get_mut(mark.id.index());
        let count = count.ok_or_else(|| SimError::Malformed(format!("there is no mark {}", mark.id.0)))?;
        count.add(&mark.weight);
        Ok(())
    })?;
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use symloc_affine::builder::ProgramBuilder;
    use symloc_affine::{Mark, Node};

    use super::*;

    #[test]
    fn marks_count_their_passes() {
        let mut b = ProgramBuilder::new("marks");
        let n = b.param("n");
        let unknown = Weight::Unknown(BTreeSet::from([3]));
        b.for_("i", 0, n, |b, i| {
            b.mark(MarkId(0));
            b.for_("j", i, n, |b, _| {
                b.mark(MarkId(1));
                b.push(Node::Mark(Mark { id: MarkId(2), weight: unknown.clone() }));
            });
        });
        b.mark(MarkId(0));
        let program = b.build();
        let counted = passes(&program, &[4], 3, 100).unwrap();
        let weighted: Vec<_> = counted.into_iter().map(|passes| passes.weighted).collect();
        assert_eq!(weighted, [vec![(Weight::Once, 5)], vec![(Weight::Once, 10)], vec![(unknown, 10)]]);
        assert_eq!(passes(&program, &[4], 3, 24), Err(SimError::TooManyPasses { limit: 24 }));
    }
}
