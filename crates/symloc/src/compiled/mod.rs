//! A check of the front ends against the compiled program.
//!
//! The trace interpreter uses the same front end as the derivation, so it cannot find a misreading. Here the function
//! is compiled and called ([`Executable`]), records each access ([`records`]), and is compared with the interpreter
//! access by access ([`comparison`]): in elements, and in lines with arrays laid out as in memory.

mod comparison;
mod executable;
mod records;

use std::io::Write;

use symloc_affine::{Layout, Line, Program};
use symloc_llvm::{ALIGNMENT, Asked, Runnable};
use symloc_query::options::grid::Point;
use symloc_query::{CliError, output};

use crate::dense::{at_size, extents_at};
use crate::trace::{TraceArgs, refused, too_long};
use comparison::{Agreement, Difference, SiteNames, compare};
pub(crate) use executable::Executable;
use records::{ProgramEnd, Records};

/// The bytes of memory on either side of a pointer beyond those that are touched: a wrong access is found there and
/// does not crash.
const BEYOND: u64 = 1 << 26;

/// Returns the integers for the call of the compiled function: sizes, values of `-D`, extents that contain all
/// accesses, and 1 for all others.
pub(crate) fn integers(
    runnable: &Runnable,
    program: &Program,
    sizes: &[i64],
    point: &Point,
) -> Result<Vec<i64>, CliError> {
    let value = |name: &Option<String>| {
        let name = name.as_deref()?;
        let given = || point.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        program.param(name).and_then(|param| sizes.get(param.index()).copied()).or_else(given)
    };
    let told = |name: &Option<String>| {
        let value = value(name);
        if value.is_none() {
            let name = name.as_deref().unwrap_or("an argument without a name");
            output::tell(
                "note",
                &format!("{name} is 1 in the call of the compiled function; nothing depends on it as it was read"),
            );
        }
        value.unwrap_or(1)
    };
    let asks_extents = runnable.integers.iter().any(|asked| matches!(asked, Asked::Extent { .. }));
    let known = asks_extents.then(|| extents_at(program, sizes)).transpose()?;
    let asked = |asked: &Asked| match (asked, &known) {
        (Asked::Value(name), _) => Ok(told(name)),
        (Asked::Extent { array: Some(array), dimension, rank }, Some((program, extents))) => {
            accessed(program, extents, array, *dimension, *rank)
        }
        // No element of it is accessed.
        (Asked::Extent { .. }, _) => Ok(1),
    };
    runnable.integers.iter().map(asked).collect()
}

/// Returns the extent of an array along a dimension: the distance of its rows, or the extent that contains all
/// accesses.
fn accessed(
    program: &Program,
    extents: &[Vec<i64>],
    name: &str,
    dimension: usize,
    rank: usize,
) -> Result<i64, CliError> {
    let found = program.arrays.iter().zip(extents).find(|(array, _)| array.name == name);
    let extent = found.filter(|(array, _)| array.shape.len() == rank).and_then(|(array, extents)| {
        let strides = array.strides.as_ref().map(|strides| &strides.strides);
        let apart = strides
            .zip(dimension.checked_sub(1))
            .and_then(|(strides, outer)| strides.get(outer)?.checked_div(*strides.get(dimension)?));
        // Without extents, no element of it is accessed at this size.
        apart.or_else(|| if extents.is_empty() { Some(1) } else { extents.get(dimension).copied() })
    });
    // The extent of the outermost dimension changes no address.
    extent.or((dimension == 0).then_some(1)).ok_or_else(|| {
        CliError::with_hint(
            format!("the compiled function cannot be called: nothing says how long the rows of `{name}` are"),
            "give its extents in its type, or leave out --compiled",
        )
    })
}

/// The compiled function at a size.
pub(crate) struct CompiledRun<'r> {
    pub executable: &'r Executable,
    pub runnable: &'r Runnable,
    pub integers: &'r [i64],
    pub limit: &'r TraceArgs,
}

impl CompiledRun<'_> {
    /// Compares the program as read with the function and prints the result; returns true if they agree.
    pub(crate) fn compare(
        &self,
        program: &Program,
        sizes: &[i64],
        lines: &[Line],
        out: &mut dyn Write,
    ) -> Result<bool, CliError> {
        let named: Vec<_> = program.params.iter().zip(sizes).map(|(p, size)| format!("{} = {size}", p.name)).collect();
        let place = [program.name.clone(), named.join(", "), "compiled".to_owned()];
        let place = place.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        match self.agreement(program, sizes, lines)? {
            Ok((elements, lines)) => {
                let Agreement { reads, writes, blocks } = elements;
                let lines: Vec<_> =
                    lines.into_iter().map(|(bytes, n)| format!(", {n} lines of {bytes} bytes")).collect();
                let lines = lines.concat();
                writeln!(out, "ok    {place}: {reads} reads, {writes} writes, {blocks} elements{lines} agree")?;
                Ok(true)
            }
            Err(Difference { what, symloc, compiled }) => {
                writeln!(out, "DIFF  {place}: {what}")?;
                writeln!(out, "      symloc:           {symloc}\n      compiled program: {compiled}")?;
                Ok(false)
            }
        }
    }

    /// Returns the agreement in elements, and the number of lines for each line size; or the first difference.
    #[allow(clippy::type_complexity, reason = "two counts, or what is wrong")]
    fn agreement(
        &self,
        program: &Program,
        sizes: &[i64],
        lines: &[Line],
    ) -> Result<Result<(Agreement, Vec<(u64, u64)>), Difference>, CliError> {
        // The trace has the address at which an access begins.
        let mut beginning = program.clone();
        beginning.accesses.iter_mut().for_each(|access| access.elements = 1);
        let elements = match self.in_blocks(&beginning, sizes, Layout::Rows, Line::Element)? {
            Ok(agreement) => agreement,
            Err(difference) => return Ok(Err(difference)),
        };
        let bytes = lines.iter().filter_map(|line| match line {
            Line::Bytes(bytes) => Some(*bytes),
            Line::Element => None,
        });
        let bytes: Vec<_> = bytes.collect();
        let mut counts = Vec::new();
        if bytes.is_empty() {
            return Ok(Ok((elements, counts)));
        }
        let dense = at_size(program, sizes)?;
        for bytes in bytes {
            if !bytes.is_power_of_two() || bytes > u64::from(ALIGNMENT) {
                return Err(CliError::with_hint(
                    format!("--compiled: variables of a compiled program do not start at multiples of {bytes} bytes"),
                    format!("compare lines of a power of two, up to {ALIGNMENT} bytes, or elements, with --element"),
                ));
            }
            match self.in_blocks(&dense, sizes, Layout::Linear, Line::Bytes(bytes))? {
                Ok(agreement) => counts.push((bytes, agreement.blocks)),
                Err(difference) => return Ok(Err(difference)),
            }
        }
        Ok(Ok((elements, counts)))
    }

    fn in_blocks(
        &self,
        program: &Program,
        sizes: &[i64],
        layout: Layout,
        line: Line,
    ) -> Result<Result<Agreement, Difference>, CliError> {
        let trace = self.limit.trace(program, sizes, layout, line)?;
        let block = if let Line::Bytes(bytes) = line { bytes } else { 1 };
        // With a block of one element, the lines of the trace are the elements of all arrays.
        let held = if block == 1 { program.largest_element() } else { block };
        let room = trace.lines().saturating_mul(held).saturating_add(BEYOND);
        let mut records = Records::of(self.executable, room, self.limit.max_accesses, self.integers)?;
        let names = Named { runnable: self.runnable, room };
        let found = compare(&trace, &mut records, block, &names).map_err(refused)?;
        if found.is_ok() {
            return match records.end() {
                ProgramEnd::Returned => Ok(found),
                ProgramEnd::Killed(signal) => Err(killed(signal)),
                _ => Err(CliError::refused("the compiled function made all accesses, and then did not return")),
            };
        }
        match records.known_end() {
            Some(ProgramEnd::NoMemory) => Err(CliError::refused("the compiled function gets no memory for its arrays")),
            Some(ProgramEnd::TooLong) => Err(too_long(self.limit.max_accesses)),
            Some(ProgramEnd::Killed(signal)) => Err(killed(signal)),
            Some(ProgramEnd::Failed) => Err(CliError::refused("the compiled program could not be run to its end")),
            _ => Ok(found),
        }
    }
}

/// Returns the error for a program that a signal has ended. The program handles the signals of its own errors, so
/// another process sent this one.
fn killed(signal: i32) -> CliError {
    let name = signal_hook::low_level::signal_name(signal).map_or_else(String::new, |name| format!(" ({name})"));
    let message = format!("the compiled program was killed by signal {signal}{name}");
    match signal {
        signal_hook::consts::SIGKILL => CliError::with_hint(
            format!("{message}: it may be that the system has no more memory"),
            "choose smaller sizes; --max-memory ends it earlier, and says so",
        ),
        _ => CliError::refused(message),
    }
}

struct Named<'n> {
    runnable: &'n Runnable,
    room: u64,
}

impl SiteNames for Named<'_> {
    fn place(&self, site: usize) -> String {
        let place = self.runnable.sites.get(site).and_then(Option::as_ref);
        place.map_or_else(|| "a place that is not known".to_owned(), ToString::to_string)
    }

    fn address(&self, memories: &[u64], address: u64) -> String {
        let Some((name, start)) = self.memory(memories, address) else { return "memory of its own".to_owned() };
        let name = name.unwrap_or("an argument");
        match i128::from(address) - i128::from(start) {
            ..0 => format!("`{name}` - {} bytes", start.abs_diff(address)),
            distance => format!("`{name}` + {distance} bytes"),
        }
    }

    fn array(&self, memories: &[u64], address: u64) -> Option<&str> {
        self.memory(memories, address)?.0
    }

    fn is_array(&self, name: &str) -> bool {
        self.runnable.memories.iter().flatten().any(|memory| memory == name)
    }
}

impl Named<'_> {
    /// Returns the name, if any, and the start of the memory that contains an address or is next to it.
    fn memory(&self, memories: &[u64], address: u64) -> Option<(Option<&str>, u64)> {
        let near = memories.iter().enumerate().filter(|(_, start)| address.abs_diff(**start) < self.room);
        // There is also room before a pointer, so memory that begins at or before the address comes first.
        let (number, start) = near.min_by_key(|(_, start)| (address < **start, address.abs_diff(**start)))?;
        Some((self.runnable.memories.get(number).and_then(Option::as_deref), *start))
    }
}
