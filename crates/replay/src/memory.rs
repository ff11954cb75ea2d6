//! Places arrays in memory.
//!
//! Addresses are counted in bytes, or in elements where a line is one element of each array, whatever its size. Every array
//! starts at a multiple of the line. It takes its declared extent and all that is touched. A dynamic extent is the touched part,
//! counted from subscript 0; without padding between rows it is guessed from that part ([`Survey::guesses`]). Arrays with a base
//! lie there, and the others after the last of them.
//!
//! Of some arrays each thread has a copy. Thread 0 has the array itself; behind all arrays follow the copies of thread 1, then those
//! of thread 2, and so on.

use clap::ValueEnum;
use symloc_affine::{Array, Line, Program, Strides};

use crate::affine::Affine;
use crate::code::Site;
use crate::error::{ReplayError, overflow};
use crate::survey::{Survey, hull, last, whole};

/// The layout of arrays in memory. Here, unlike in a derivation, the addresses of lines matter as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum)]
pub enum MemoryLayout {
    /// As declared: rows follow each other, as far apart as their length or leading dimension says at this size
    // Where it does not say, they are guessed. Arrays stand in the order of the program's table, as in all layouts but the last.
    #[default]
    Memory,
    /// Every row starts a new line
    Rows,
    /// The memref's own strides; where they are symbolic, rows without padding between them
    Linear,
    /// As rows, with extents padded to prime numbers of lines
    // Conflicts come as if by chance.
    Padded,
    /// As linear, with arrays in the order of their first access, from address 0
    Packed,
}

impl MemoryLayout {
    /// Returns the layout without padding, which places the same elements in a line.
    pub fn without_padding(self) -> Self {
        if self == MemoryLayout::Padded { MemoryLayout::Rows } else { self }
    }

    /// Returns true if undeclared extents are guessed.
    pub fn guesses(self) -> bool {
        match self {
            MemoryLayout::Rows | MemoryLayout::Padded => false,
            MemoryLayout::Memory | MemoryLayout::Linear | MemoryLayout::Packed => true,
        }
    }
}

/// The arrays of a program in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryMap {
    line: u64,
    arrays: Vec<ArrayPlace>,
    end: u64,
    /// By array, the distance of the copies of thread 1 from the array in lines; `None` if threads share the array.
    copies: Vec<Option<u64>>,
    /// The number of lines of all copies that one thread has.
    copied: u64,
}

/// The place of one array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ArrayPlace {
    /// The address of the element with all subscripts zero.
    origin: i64,
    /// Distances between neighbours.
    strides: Vec<i64>,
    /// The first line, and the one after the last.
    lines: (u64, u64),
}

/// The bound of all addresses.
const END: i128 = 1 << 62;

impl MemoryMap {
    /// Places the arrays of a program: those with a base, given by index, at that address in bytes; the others one after another.
    ///
    /// # Errors
    ///
    /// [`ReplayError::AddressSpace`] if they take more than 2^62 bytes, [`ReplayError::Base`] if an array cannot lie at its base,
    /// [`ReplayError::Layout`] if a line does not hold a whole number of elements.
    pub fn new(
        program: &Program,
        survey: &Survey,
        layout: MemoryLayout,
        bases: &[(usize, u64)],
        line: Line,
    ) -> Result<Self, ReplayError> {
        program.accesses.iter().try_for_each(|access| line.elements_at(program, access).map(drop))?;
        let arrays = vec![ArrayPlace::default(); program.arrays.len()];
        let copies = vec![None; program.arrays.len()];
        let mut memory = Self { line: bytes(line), arrays, end: 0, copies, copied: 0 };
        let shape = |index: usize| {
            let Some(touched) = &survey.ranges[index] else { return Ok(None) };
            let touched = Touched { subscripts: touched, distances: survey.distances[index], sizes: &survey.sizes };
            ArrayExtent::new(&program.arrays[index], &touched, layout, line).map(Some)
        };
        for (index, base) in bases {
            if let Some(shape) = shape(*index)? {
                memory.place_at(program, *index, &shape, *base)?;
            }
        }
        let in_table: Vec<usize>;
        let order = match layout {
            MemoryLayout::Packed => &survey.order,
            MemoryLayout::Rows | MemoryLayout::Padded | MemoryLayout::Memory | MemoryLayout::Linear => {
                in_table = (0..program.arrays.len()).collect();
                &in_table
            }
        };
        for index in order.iter().filter(|index| bases.iter().all(|(based, _)| based != *index)) {
            if let Some(shape) = shape(*index)? {
                memory.arrays[*index] = memory.append(&shape).ok_or_else(|| too_large(&program.arrays[*index]))?;
            }
        }
        memory.copy(program);
        Ok(memory)
    }

    /// Finds the places of the copies of arrays of which each thread has its own.
    fn copy(&mut self, program: &Program) {
        for (index, _) in program.arrays.iter().enumerate().filter(|(_, array)| array.per_thread) {
            let ArrayPlace { lines: (first, end), .. } = self.arrays[index];
            self.copies[index] = Some(self.end + self.copied - first);
            self.copied += end - first;
        }
    }

    /// Returns true if each thread has a copy of its own of some array.
    pub fn has_copies(&self) -> bool {
        self.copies.iter().any(Option::is_some)
    }

    /// Returns the distance in lines from an array to a thread's copy of it; 0 if threads share the array.
    ///
    /// # Errors
    ///
    /// [`ReplayError::Overflow`] if the copies of so many threads take more than 2^62 bytes.
    pub fn to_copy(&self, array: usize, thread: usize) -> Result<u64, ReplayError> {
        let Some((distance, before)) = self.copies[array].zip((thread as u64).checked_sub(1)) else { return Ok(0) };
        let shift = self.copied.checked_mul(before).and_then(|before| before.checked_add(distance));
        let fits = |shift: &u64| (i128::from(*shift) + i128::from(self.end)) * i128::from(self.line) <= END;
        shift.filter(fits).ok_or_else(|| overflow("the address of a thread's copy of an array"))
    }

    /// Returns the arrays as a thread has them, with its own copies in place of those of thread 0.
    ///
    /// # Errors
    ///
    /// Those of [`MemoryMap::to_copy`].
    pub fn of_thread(&self, thread: usize) -> Result<Self, ReplayError> {
        let mut own = self.clone();
        for (index, place) in own.arrays.iter_mut().enumerate() {
            let shift = self.to_copy(index, thread)?;
            let bytes = i64::try_from(shift).ok().and_then(|lines| lines.checked_mul(self.line as i64));
            let origin = bytes.and_then(|bytes| place.origin.checked_add(bytes));
            place.origin = origin.ok_or_else(|| overflow("the address of a thread's copy of an array"))?;
            place.lines = (place.lines.0 + shift, place.lines.1 + shift);
            own.end = own.end.max(place.lines.1);
        }
        Ok(own)
    }

    /// Returns the bytes per line; 1 where a line is one element of each array.
    pub fn line_bytes(&self) -> u64 {
        self.line
    }

    /// Returns the number of lines that all arrays take.
    pub fn lines(&self) -> u64 {
        self.end
    }

    /// Returns the number of arrays in the program's table.
    pub fn arrays(&self) -> usize {
        self.arrays.len()
    }

    /// Returns the array that a line belongs to, by its index in the program's table.
    pub fn array_of(&self, line: u64) -> Option<usize> {
        self.arrays.iter().position(|place| (place.lines.0..place.lines.1).contains(&line))
    }

    /// Returns the number of lines that an array takes.
    pub fn lines_of(&self, array: usize) -> u64 {
        let (start, end) = self.arrays[array].lines;
        end - start
    }

    /// Returns the address of the element with all subscripts zero, whether it exists or not.
    pub fn origin_of(&self, array: usize) -> i64 {
        self.arrays[array].origin
    }

    /// Returns the address of an access.
    pub(crate) fn address(&self, site: &Site) -> Result<Affine, ReplayError> {
        let place = &self.arrays[site.array];
        let mut address = Affine::constant(place.origin);
        for (subscript, stride) in site.subscripts.iter().zip(&place.strides) {
            address.add(subscript, *stride).ok_or_else(|| overflow("an address"))?;
        }
        Ok(address)
    }

    /// Puts an array after the others, at a multiple of the line.
    fn append(&mut self, shape: &ArrayExtent) -> Option<ArrayPlace> {
        // The range in elements; a line holds a whole number of them.
        let per_line = i128::from(self.line) / shape.element;
        let low = shape.ends.0.div_euclid(per_line) * per_line;
        let place = shape.at(i128::from(self.end) * i128::from(self.line) - low * shape.element, self.line)?;
        self.end = place.lines.1;
        Some(place)
    }

    /// Puts an array at an address, unless it would share lines with another.
    fn place_at(&mut self, program: &Program, index: usize, shape: &ArrayExtent, base: u64) -> Result<(), ReplayError> {
        let array = &program.arrays[index];
        let refuse = |reason: String| ReplayError::Base { array: array.name.clone(), base, reason };
        if self.line == 1 {
            return Err(refuse("lines are single elements, which have no addresses".to_owned()));
        }
        if i128::from(base) % shape.element != 0 {
            return Err(refuse(format!("its elements of {} bytes would lie across lines", shape.element)));
        }
        if i128::from(base) + shape.ends.0 * shape.element < 0 {
            return Err(refuse("what is in front of its first element would lie below address 0".to_owned()));
        }
        let place = shape.at(i128::from(base), self.line).ok_or_else(|| too_large(array))?;
        let meets = |other: &ArrayPlace| place.lines.0 < other.lines.1 && other.lines.0 < place.lines.1;
        if let Some(other) = self.arrays.iter().position(meets) {
            return Err(refuse(format!("it would share lines with `{}`", program.arrays[other].name)));
        }
        self.end = self.end.max(place.lines.1);
        self.arrays[index] = place;
        Ok(())
    }
}

fn too_large(array: &Array) -> ReplayError {
    ReplayError::AddressSpace { array: array.name.clone() }
}

/// The touched part of an array: ranges of its subscripts, and of distances from its first element.
struct Touched<'s> {
    subscripts: &'s [(i64, i64)],
    distances: (i128, i128),
    /// The values of the parameters.
    sizes: &'s [i64],
}

fn bytes(line: Line) -> u64 {
    match line {
        Line::Element => 1,
        Line::Bytes(bytes) => bytes,
    }
}

/// The extent of an array by itself, in elements.
struct ArrayExtent {
    /// The size of an element, in bytes; 1 where lines are elements.
    element: i128,
    /// Distances between neighbours.
    strides: Vec<i64>,
    /// The address of the element with all subscripts zero.
    offset: i64,
    /// The smallest and the largest address.
    ends: (i128, i128),
}

impl ArrayExtent {
    fn new(array: &Array, touched: &Touched<'_>, layout: MemoryLayout, line: Line) -> Result<Self, ReplayError> {
        let per_line = line.elements(array)?;
        let element = i64::try_from(bytes(line)).map_err(|_| too_large(array))? / per_line;
        let hull = hull(array, touched.subscripts);
        let lies = match layout {
            MemoryLayout::Rows | MemoryLayout::Padded => rows(&hull, per_line, layout == MemoryLayout::Padded),
            MemoryLayout::Memory | MemoryLayout::Linear | MemoryLayout::Packed => {
                linear(array, &whole(array, &hull, touched.sizes), touched, layout)
            }
        };
        let (strides, offset, ends) = lies.ok_or_else(|| too_large(array))?;
        Ok(Self { element: i128::from(element), strides, offset, ends })
    }

    /// Returns the place of an array whose address 0 is at `base`, in bytes; `None` if it exceeds the address space.
    fn at(&self, base: i128, line: u64) -> Option<ArrayPlace> {
        let line = i128::from(line);
        let of = |address: i128| (base + address * self.element).div_euclid(line);
        let lines = (of(self.ends.0), of(self.ends.1) + 1);
        let origin = base + i128::from(self.offset) * self.element;
        if lines.1.checked_mul(line).is_none_or(|end| end > END) || origin.abs() > END {
            return None;
        }
        let element = self.element as i64;
        let strides = self.strides.iter().map(|stride| stride.checked_mul(element)).collect::<Option<_>>()?;
        Some(ArrayPlace { origin: origin as i64, strides, lines: (lines.0 as u64, lines.1 as u64) })
    }
}

/// Distances between neighbours, the address of the element with all subscripts zero, and the smallest and the largest address.
type Lies = (Vec<i64>, i64, (i128, i128));

/// Lays out an array as a box of whole lines, in row-major order.
fn rows(hull: &[(i64, i64)], per_line: i64, padded: bool) -> Option<Lies> {
    let mut strides = vec![1; hull.len()];
    let (mut low, mut high) = (0_i128, 0_i128);
    let mut size = 1_i64;
    for (dimension, (first, last)) in hull.iter().enumerate().rev() {
        let innermost = dimension + 1 == hull.len();
        let unit = if innermost { per_line } else { 1 };
        let (first, last) = (first.div_euclid(unit), last.div_euclid(unit));
        let extent = i64::try_from(first.abs_diff(last).checked_add(1)?).ok()?;
        // In elements; along a row neighbours are one element apart.
        let stride = if innermost { per_line } else { size };
        strides[dimension] = if innermost { 1 } else { stride };
        low += i128::from(first) * i128::from(stride);
        high += i128::from(last) * i128::from(stride);
        size = stride.checked_mul(if padded { prime_from(extent)? } else { extent })?;
    }
    let high = if padded { low + i128::from(size) - 1 } else { high };
    Some((strides, 0, (low, high)))
}

/// Lays out an array by its own strides; where these are unknown at this size, by rows without gaps.
fn linear(array: &Array, hull: &[(i64, i64)], touched: &Touched<'_>, layout: MemoryLayout) -> Option<Lies> {
    match array.strides_at(touched.sizes) {
        Some(own) => {
            let declared: Vec<_> = array.shape.iter().map(|extent| (0, last(extent))).collect();
            let declared = corners(&own.strides, own.offset, &declared);
            // The distances are those of constant strides; arrays with other strides have no offset and no negative distance.
            let whole = corners(&own.strides, own.offset, hull);
            let (low, high) = if array.strides.is_some() { touched.distances } else { whole };
            // Programs allocate arrays of whole rows, also where they do not touch the end of the last one.
            let high = if layout == MemoryLayout::Memory { high.max(whole.1) } else { high };
            Some((own.strides, own.offset, (declared.0.min(low), declared.1.max(high))))
        }
        None => row_major(hull).map(|Strides { strides, offset }| {
            let ends = corners(&strides, offset, hull);
            (strides, offset, ends)
        }),
    }
}

/// Returns the smallest and the largest address of a box together with address 0.
fn corners(strides: &[i64], offset: i64, hull: &[(i64, i64)]) -> (i128, i128) {
    let (mut low, mut high) = (i128::from(offset), i128::from(offset));
    for (stride, (first, last)) in strides.iter().zip(hull) {
        let ends = [first, last].map(|x| i128::from(*x) * i128::from(*stride));
        low += ends[0].min(ends[1]);
        high += ends[0].max(ends[1]);
    }
    (low.min(0), high.max(0))
}

fn row_major(hull: &[(i64, i64)]) -> Option<Strides> {
    let extent = |(first, last): &(i64, i64)| i64::try_from(first.abs_diff(*last).checked_add(1)?).ok();
    Strides::row_major(&hull.iter().map(extent).collect::<Option<Vec<_>>>()?)
}

/// Returns the smallest prime that is at least `least`, by trial division; `None` above 2^40, which exceeds any memory.
fn prime_from(least: i64) -> Option<i64> {
    let is_prime = |n: i64| (2..).take_while(|d| d * d <= n).all(|d| n % d != 0);
    (least.max(2)..1 << 40).find(|n| is_prime(*n))
}
