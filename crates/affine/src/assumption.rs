//! The assumptions made when a program is read or a model derived: a list that belongs to the model.
//!
//! Front ends say it in notes, a derivation adds what it takes for granted itself. Nothing that changes a number is
//! decided without an entry here or a condition in [`Program::context`](crate::Program::context).

use crate::program::Location;

/// The kind of an assumption. Its name is part of the model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssumptionKind {
    /// Arrays that may overlap are taken not to.
    NoOverlap,
    /// A pointer that is compared with null is taken to point at something.
    NotNull,
    /// A branch is decided by the sizes being at least 1.
    DecidedBranch,
    /// A condition on data holds as often as the user says.
    BranchTold,
    /// Both sides of a condition on data are taken to run.
    BothSides,
    /// A branch to what never returns is never taken.
    NeverReturns,
    /// A value that was just read is not read again under a condition on data.
    MergedReads,
    /// Rows are as long as what is touched of them.
    RowLength,
    /// Numbers fit in their types, and loops start before they end: conditions on the sizes.
    NumberRange,
    /// An assertion of the program holds.
    Assertion,
    /// A parameter stands for a product of sizes, and does not depend on them.
    Product,
    /// An access leaves its array, as far as its declaration says.
    OutsideArray,
    /// Which rows data choose is declared.
    Gather,
    /// A function without a body touches no array.
    IgnoredCall,
    /// An operation that is not known touches no array.
    UnknownOperation,
    /// Text that is meant for another tool is left out.
    LeftOutText,
    /// A nest that cannot be read is left out.
    LeftOutNest,
    /// Accesses outside certain source lines are not counted.
    Region,
    /// Prefetches are left out.
    Prefetch,
    /// The number of floating-point operations is not known.
    Operations,
    /// Iterations that may run at the same time are taken one after the other.
    SequentialOrder,
    /// With `-fopenmp`, one thread does all work unless a question is about threads.
    OneThread,
    /// Each thread has its own sum, or the like, of which the source says nothing.
    ThreadCopies,
    /// Each thread has one copy of an array, in lines of its own.
    ThreadArrays,
    /// The end of a parallel loop is read once, in front of it.
    LoopBounds,
    /// A local array is in registers.
    Registers,
    /// Arrays of Fortran lie in one piece where nothing in the procedure says so.
    Contiguous,
    /// Lower bounds of Fortran's arrays are 1 where nothing in the procedure says so.
    LowerBound,
    /// In which order elements are copied.
    CopyOrder,
    /// Memory is filled or copied element by element, in ascending order.
    FilledMemory,
    /// Memory of one iteration is used again in the next.
    ReusedMemory,
    /// Buffers that are never in use at the same time lie apart.
    SeparateBuffers,
    /// A buffer that is never freed is allocated once.
    HoistedBuffer,
    /// Operations on whole arrays are the loops that MLIR's own passes make of them.
    Lowering,
    /// A buffer that a loop carries from one iteration to the next is copied back to its origin.
    CarriedCopy,
    /// Jumps between blocks are the loops and branches that MLIR's own passes make of them.
    LiftedJumps,
    /// Memory spaces are taken for one memory.
    MemorySpace,
    /// Rows are padded to whole lines.
    Padding,
}

impl AssumptionKind {
    /// All of them.
    pub const ALL: [Self; 38] = [
        Self::NoOverlap,
        Self::NotNull,
        Self::DecidedBranch,
        Self::BranchTold,
        Self::BothSides,
        Self::NeverReturns,
        Self::MergedReads,
        Self::RowLength,
        Self::NumberRange,
        Self::Assertion,
        Self::Product,
        Self::OutsideArray,
        Self::Gather,
        Self::IgnoredCall,
        Self::UnknownOperation,
        Self::LeftOutText,
        Self::LeftOutNest,
        Self::Region,
        Self::Prefetch,
        Self::Operations,
        Self::SequentialOrder,
        Self::OneThread,
        Self::ThreadCopies,
        Self::ThreadArrays,
        Self::LoopBounds,
        Self::Registers,
        Self::Contiguous,
        Self::LowerBound,
        Self::CopyOrder,
        Self::FilledMemory,
        Self::ReusedMemory,
        Self::SeparateBuffers,
        Self::HoistedBuffer,
        Self::Lowering,
        Self::CarriedCopy,
        Self::LiftedJumps,
        Self::MemorySpace,
        Self::Padding,
    ];

    /// Returns what the model file calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoOverlap => "no_overlap",
            Self::NotNull => "not_null",
            Self::DecidedBranch => "decided_branch",
            Self::BranchTold => "branch_told",
            Self::BothSides => "both_sides",
            Self::NeverReturns => "never_returns",
            Self::MergedReads => "merged_reads",
            Self::RowLength => "row_length",
            Self::NumberRange => "number_range",
            Self::Assertion => "assertion",
            Self::Product => "product",
            Self::OutsideArray => "outside_array",
            Self::Gather => "gather",
            Self::IgnoredCall => "ignored_call",
            Self::UnknownOperation => "unknown_operation",
            Self::LeftOutText => "left_out_text",
            Self::LeftOutNest => "left_out_nest",
            Self::Region => "region",
            Self::Prefetch => "prefetch",
            Self::Operations => "operations",
            Self::SequentialOrder => "sequential_order",
            Self::OneThread => "one_thread",
            Self::ThreadCopies => "thread_copies",
            Self::ThreadArrays => "thread_arrays",
            Self::LoopBounds => "loop_bounds",
            Self::Registers => "registers",
            Self::Contiguous => "contiguous",
            Self::LowerBound => "lower_bound",
            Self::CopyOrder => "copy_order",
            Self::FilledMemory => "filled_memory",
            Self::ReusedMemory => "reused_memory",
            Self::SeparateBuffers => "separate_buffers",
            Self::HoistedBuffer => "hoisted_buffer",
            Self::Lowering => "lowering",
            Self::CarriedCopy => "carried_copy",
            Self::LiftedJumps => "lifted_jumps",
            Self::MemorySpace => "memory_space",
            Self::Padding => "padding",
        }
    }

    /// Returns true if every answer mentions the assumption on standard error, besides the list in the model.
    pub fn is_remark(self) -> bool {
        match self {
            Self::NotNull
            | Self::BranchTold
            | Self::BothSides
            | Self::Product
            | Self::OutsideArray
            | Self::Gather
            | Self::IgnoredCall
            | Self::UnknownOperation
            | Self::LeftOutText
            | Self::LeftOutNest
            | Self::Prefetch
            | Self::OneThread
            | Self::Contiguous
            | Self::LowerBound
            | Self::FilledMemory
            | Self::HoistedBuffer
            | Self::SeparateBuffers
            | Self::Padding => true,
            // The context has it, and is checked.
            Self::DecidedBranch
            | Self::NoOverlap
            | Self::NeverReturns
            | Self::MergedReads
            | Self::RowLength
            | Self::NumberRange
            | Self::Assertion
            | Self::Operations
            | Self::SequentialOrder
            | Self::ThreadCopies
            | Self::ThreadArrays
            | Self::LoopBounds
            | Self::Registers
            | Self::CopyOrder
            | Self::ReusedMemory
            | Self::Lowering
            | Self::CarriedCopy
            | Self::Region
            | Self::LiftedJumps
            | Self::MemorySpace => false,
        }
    }
}

/// Something that is taken for granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The kind.
    pub kind: AssumptionKind,
    /// The assumption in words, for readers.
    pub text: String,
    /// The place in the source that it is about, if there is one.
    pub location: Option<Location>,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_kinds_are_listed_and_have_names_of_their_own() {
        let names: BTreeSet<_> = AssumptionKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), AssumptionKind::ALL.len());
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_')));
        let last = AssumptionKind::ALL.last().map(|kind| *kind as usize);
        assert_eq!(last, Some(AssumptionKind::ALL.len() - 1), "a kind is missing in the list");
    }
}
