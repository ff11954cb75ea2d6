//! The trace of a program: every access with the block it touches, in order of execution.
//!
//! [`Trace::new`] runs the program once to find the number of accesses and, for each array, the box of the block coordinates that
//! are touched. The boxes give every block its [`LineAddress`]. Each later run numbers the blocks in the order of their first
//! touch, so an access is a first touch exactly when its block's number is the number of blocks so far.

use rustc_hash::FxHashMap;
use symloc_affine::{AccessId, Array, Layout, Line, Program};

use crate::code::{Code, RunStep, Site, overflow};
use crate::error::SimError;
use crate::place::{ArrayLines, Hull, Padding};
use crate::turns::ThreadTurn;

/// A cache block, numbered from 0 in the order of first touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(pub u32);

impl Block {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The address of a block, in lines.
///
/// Arrays are line-aligned, disjoint and packed in the order of the program's table, from line 0. Where an extent is dynamic, the
/// array is as large as the part that the trace touches, counted from subscript 0. With [`Layout::Rows`] the rows follow each
/// other, each from the start of a line; [`Trace::padded`] leaves gaps between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineAddress(pub u64);

/// A program's trace at given sizes.
#[derive(Clone, Debug)]
pub struct Trace<'p> {
    program: &'p Program,
    code: Code<'p>,
    line: Line,
    /// By array, the box of the touched blocks.
    hulls: Vec<Option<Hull>>,
    places: Vec<ArrayLines>,
    accesses: u64,
    operations: u64,
    lines: u64,
}

impl<'p> Trace<'p> {
    /// Prepares the trace of `program`, with `sizes` the values of its parameters in order, and checks that it can run.
    ///
    /// # Errors
    ///
    /// [`SimError`] if the program or its layout does not allow these sizes, or does not fit into 64 bits there.
    pub fn new(program: &'p Program, sizes: &[i64], layout: Layout, line: Line) -> Result<Self, SimError> {
        Self::with_limit(program, sizes, layout, line, u64::MAX)
    }

    /// Like [`new`](Self::new), but fails if there are more accesses than `limit`.
    ///
    /// # Errors
    ///
    /// [`SimError::TooManyAccesses`] if there are more, or as for [`Trace::new`].
    pub fn with_limit(
        program: &'p Program,
        sizes: &[i64],
        layout: Layout,
        line: Line,
        limit: u64,
    ) -> Result<Self, SimError> {
        check_sizes(program, sizes)?;
        let code = Code::new(program, sizes, layout, line)?;
        let mut hulls: Vec<Option<Hull>> = vec![None; program.arrays.len()];
        let (mut accesses, mut operations) = (0, 0_u64);
        code.run(|step, iters| {
            let site = match step {
                RunStep::Access(site) => site,
                RunStep::Operations(count) => {
                    operations = operations.saturating_add(count);
                    return Ok(());
                }
                RunStep::Mark(_) => return Ok(()),
            };
            accesses += 1;
            if accesses > limit {
                return Err(SimError::TooManyAccesses { limit });
            }
            let hull = match &mut hulls[site.array] {
                Some(hull) => hull,
                untouched => {
                    let array = &program.arrays[site.array];
                    let coordinates = layout.coordinates_at(program, array, line, sizes)?;
                    untouched.insert(Hull::declared(array, &coordinates, line)?)
                }
            };
            for (coordinate, floor) in site.block.iter().enumerate() {
                let value = floor.eval(iters).ok_or_else(|| subscript_overflow(program, site))?;
                hull.include(coordinate, value);
            }
            Ok(())
        })?;
        let (places, lines) = place(&program.arrays, &hulls, Padding::None)?;
        Ok(Self { program, code, line, hulls, places, accesses, operations, lines })
    }

    /// Returns the trace with arrays padded, so that conflicts between lines in a set-associative cache are as if by chance:
    /// every extent of an array's blocks becomes a prime number of lines.
    ///
    /// # Errors
    ///
    /// [`SimError::AddressSpace`] if the padded arrays take more than 2^63 lines.
    pub fn padded(mut self) -> Result<Self, SimError> {
        (self.places, self.lines) = place(&self.program.arrays, &self.hulls, Padding::Prime)?;
        Ok(self)
    }

    /// Returns the program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Returns the line size.
    pub fn line(&self) -> Line {
        self.line
    }

    /// Returns the number of accesses (N).
    pub fn accesses(&self) -> u64 {
        self.accesses
    }

    /// Returns the number of floating-point operations; `None` if the program does not hold it.
    pub fn operations(&self) -> Option<u64> {
        self.program.operations_known().then_some(self.operations)
    }

    /// Returns true if every subscript is below its extent, where that is a constant, in a trace of elements by rows
    /// ([`Layout::Rows`], [`Line::Element`]); `sizes` are those of the trace.
    ///
    /// # Errors
    ///
    /// As for [`Trace::new`].
    pub fn is_within_extents(&self, sizes: &[i64]) -> Result<bool, SimError> {
        for (array, hull) in self.program.arrays.iter().zip(&self.hulls) {
            let Some(hull) = hull else { continue };
            let coordinates = Layout::Rows.coordinates_at(self.program, array, self.line, sizes)?;
            if !hull.is_within(array, &coordinates, self.line)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the number of blocks of each array in each block coordinate, from the first that is touched or declared to the
    /// last, in the order of the program's table. With [`Line::Element`] and [`Layout::Rows`] these are elements.
    pub fn extents(&self) -> Vec<Vec<i64>> {
        self.hulls.iter().map(|hull| hull.as_ref().map_or(Vec::new(), Hull::extents)).collect()
    }

    /// Returns for each array its first line and, for each block coordinate, the distance between neighbours in lines.
    pub fn places(&self) -> Vec<(u64, Vec<u64>)> {
        self.places.iter().map(|place| (place.base, place.strides().collect())).collect()
    }

    /// Returns the number of lines that all arrays take.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Runs the program and visits its accesses in order.
    ///
    /// # Errors
    ///
    /// [`SimError::TooManyBlocks`] if the trace touches more than 2^31 blocks, [`SimError::Overflow`] if a subscript
    /// leaves 64 bits.
    pub fn for_each(&self, mut visit: impl FnMut(AccessId, Block)) -> Result<(), SimError> {
        self.for_each_address(|access, block, _| visit(access, block))
    }

    /// Runs the program and visits its accesses in order, with the blocks' addresses.
    ///
    /// # Errors
    ///
    /// [`SimError::TooManyBlocks`] if the trace touches more than 2^31 blocks, [`SimError::Overflow`] if a subscript
    /// leaves 64 bits.
    pub fn for_each_address(&self, mut visit: impl FnMut(AccessId, Block, LineAddress)) -> Result<(), SimError> {
        let mut numbers = Numbers::new(self.lines);
        self.code.run(|step, iters| {
            let RunStep::Access(site) = step else { return Ok(()) };
            let line = self.line_of(site, iters)?;
            visit(site.id, numbers.number(line)?, LineAddress(line));
            Ok(())
        })
    }

    /// Runs the program on threads, at least one: phase by phase, and in a phase thread by thread. Of some arrays each thread has
    /// its own copy.
    pub(crate) fn for_each_turn(
        &self,
        threads: u32,
        mut visit: impl FnMut(ThreadTurn, AccessId, Block, LineAddress),
    ) -> Result<(), SimError> {
        let copies = self.copies(threads)?;
        let mut numbers = Numbers::new(copies.end);
        self.code.run_on_threads(threads, |step, iters, turn| {
            let RunStep::Access(site) = step else { return Ok(()) };
            let line = self.line_of(site, iters)?;
            let line = copies.line(line, site.array, turn.thread);
            visit(turn, site.id, numbers.number(line)?, LineAddress(line));
            Ok(())
        })
    }

    /// Returns the places of the copies of arrays of which each of so many threads has its own.
    fn copies(&self, threads: u32) -> Result<ThreadCopies, SimError> {
        let (mut of_thread, mut to_first) = (0, Vec::new());
        for (array, place) in self.program.arrays.iter().zip(&self.places) {
            to_first.push(array.per_thread.then(|| self.lines - place.base + of_thread));
            of_thread += if array.per_thread { place.lines } else { 0 };
        }
        let all = of_thread.checked_mul(u64::from(threads)).and_then(|copies| copies.checked_add(self.lines));
        let end = all.ok_or_else(|| overflow("the line of a thread's copy of an array"))?;
        Ok(ThreadCopies { to_first, of_thread, end })
    }

    /// Returns the line that an access touches.
    fn line_of(&self, site: &Site, iters: &[i64]) -> Result<u64, SimError> {
        let place = &self.places[site.array];
        let mut line = place.base;
        for (coordinate, floor) in site.block.iter().enumerate() {
            let value = floor.eval(iters).ok_or_else(|| subscript_overflow(self.program, site))?;
            line += place.offset(coordinate, value);
        }
        Ok(line)
    }
}

/// The places of the copies of arrays of which each thread has its own. Thread 0 has the array itself; behind all arrays follow the
/// copies of thread 1, then those of thread 2, and so on.
struct ThreadCopies {
    /// By array, the distance of the copy of thread 1 in lines; `None` if threads share the array.
    to_first: Vec<Option<u64>>,
    /// The number of lines of all copies of one thread.
    of_thread: u64,
    /// A line behind all copies.
    end: u64,
}

impl ThreadCopies {
    /// Returns the line that a thread touches in place of a line of an array.
    fn line(&self, line: u64, array: usize, thread: u32) -> u64 {
        match (self.to_first[array], u64::from(thread).checked_sub(1)) {
            (Some(distance), Some(before)) => line + distance + before * self.of_thread,
            _ => line,
        }
    }
}

pub(crate) fn check_sizes(program: &Program, sizes: &[i64]) -> Result<(), SimError> {
    if sizes.len() != program.params.len() {
        let params = program.params.iter().map(|p| p.name.clone()).collect();
        return Err(SimError::SizeCount { params, given: sizes.len() });
    }
    for condition in &program.context {
        let size = |p: symloc_affine::ParamId| sizes.get(p.index()).map_or(0, |&size| i128::from(size));
        let show = || program.show_constraint(condition);
        match condition.holds(&size, &|_| 0) {
            Some(true) => (),
            Some(false) => {
                let sizes: Vec<_> =
                    program.params.iter().zip(sizes).map(|(p, size)| format!("{} = {size}", p.name)).collect();
                return Err(SimError::Context { sizes: sizes.join(", "), condition: show() });
            }
            None => return Err(overflow(format!("the condition `{}`", show()))),
        }
    }
    Ok(())
}

/// Places the arrays one after another; also returns the total number of lines.
fn place(arrays: &[Array], hulls: &[Option<Hull>], padding: Padding) -> Result<(Vec<ArrayLines>, u64), SimError> {
    let mut lines = 0;
    let mut places = Vec::with_capacity(hulls.len());
    for (array, hull) in arrays.iter().zip(hulls) {
        let place = hull.as_ref().map_or(Some(ArrayLines::default()), |hull| hull.place(padding, &mut lines));
        places.push(place.ok_or_else(|| SimError::AddressSpace { array: array.name.clone() })?);
    }
    Ok((places, lines))
}

#[cold]
fn subscript_overflow(program: &Program, site: &Site) -> SimError {
    let location = &program.access(site.id).location;
    overflow(format!("a subscript of `{}` at {location}", program.arrays[site.array].name))
}

/// Numbers line addresses in the order of their first appearance.
enum Numbers {
    /// By line, its number + 1; zero-initialised memory costs only where it is touched.
    Table { numbers: Vec<u32>, count: u32 },
    /// For arrays that are too sparse for a table.
    Map(FxHashMap<u64, u32>),
}

impl Numbers {
    /// The largest table: 2^26 entries, 256 MiB.
    const TABLE: u64 = 1 << 26;
    /// The largest number of blocks: twice as many still have 32-bit numbers.
    const BLOCKS: u32 = 1 << 31;

    fn new(lines: u64) -> Self {
        if lines <= Self::TABLE {
            Self::Table { numbers: vec![0; lines as usize], count: 0 }
        } else {
            Self::Map(FxHashMap::default())
        }
    }

    #[inline]
    fn number(&mut self, line: u64) -> Result<Block, SimError> {
        match self {
            Self::Table { numbers, count } => {
                let number = &mut numbers[line as usize];
                if *number == 0 {
                    *count += 1;
                    *number = *count;
                }
                Ok(Block(*number - 1))
            }
            Self::Map(numbers) => {
                let next = numbers.len() as u32;
                let number = *numbers.entry(line).or_insert(next);
                if number < Self::BLOCKS { Ok(Block(number)) } else { Err(SimError::TooManyBlocks) }
            }
        }
    }
}
