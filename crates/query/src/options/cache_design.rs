//! Designs of caches and placements of arrays for simulations of all of a run or of pieces of it.

use std::str::FromStr;

use clap::Args;
use symloc_affine::Program;
use symloc_cache::{Design, Geometry, Writes};
use symloc_machine::{Build, Cache, Capacity, NamedCache};
use symloc_model::Layout;
use symloc_replay::{Guess, MemoryLayout, Survey};

use crate::error::CliError;

/// A cache in lines, with its design.
#[derive(Clone, Debug)]
pub struct CacheDesign {
    /// Its name in the machine description.
    pub name: Option<String>,
    /// The capacity as the user gave it.
    pub capacity: Capacity,
    /// The number of lines.
    pub lines: u64,
    /// The number of lines in a set.
    pub ways: u64,
    build: Build,
}

impl CacheDesign {
    /// Converts a cache to lines of `line_bytes` bytes, if lines have a size.
    ///
    /// # Errors
    ///
    /// A refusal if its size is not a whole number of lines.
    pub fn new(NamedCache { name, cache }: &NamedCache, line_bytes: Option<u64>) -> Result<Self, CliError> {
        let lines = Cache { ways: None, ..*cache }.lines(line_bytes)?;
        let ways = cache.ways.unwrap_or(lines);
        Ok(Self { name: name.clone(), capacity: cache.capacity, lines, ways, build: cache.build })
    }

    /// Returns the design for a simulation. Lines are single elements if `element`.
    ///
    /// # Errors
    ///
    /// A refusal if it cannot be built.
    pub fn design(&self, element: bool) -> Result<Design, CliError> {
        if self.ways != self.lines && element {
            return Err(CliError::with_hint(
                "a set-associative cache of single elements has no meaning",
                "leave the ways out, or choose --line-bytes",
            ));
        }
        let Build { replacement, index, writes, inclusion, prefetch } = self.build;
        let geometry = Geometry::new(self.lines, self.ways, index);
        let geometry = geometry.map_err(|error| CliError::refused(error.to_string()))?;
        Ok(Design { geometry, replacement, writes, inclusion, prefetch })
    }

    /// Checks that the levels of a hierarchy do not become smaller, and that none behind one that writes back treats writes in another
    /// way: what it receives are lines to keep.
    ///
    /// # Errors
    ///
    /// A refusal if one does.
    pub fn check_order(levels: &[Self]) -> Result<(), CliError> {
        for pair in levels.windows(2) {
            let refused = |what: &str, hint: &str| {
                Err(CliError::with_hint(format!("{} behind {}: {what}", pair[1].capacity, pair[0].capacity), hint))
            };
            if pair[1].lines < pair[0].lines {
                return refused(
                    "a level is smaller than the one before it",
                    "give the levels from the core outwards, or take every cache by itself",
                );
            }
            if pair[0].build.writes.back && pair[1].build.writes != Writes::default() {
                return refused(
                    "a level behind one that writes back cannot write through, or not allocate on writes: it keeps the lines that it receives",
                    "write through in the levels before it, too",
                );
            }
        }
        Ok(())
    }
}

/// Arrays at addresses of their own.
#[derive(Clone, Debug, Default, Args)]
pub struct BaseArgs {
    /// Put an array at an address, in bytes: A=0x10000; one for each. The others lie behind the last of them
    #[arg(long = "base", value_name = "ARRAY=ADDRESS", allow_hyphen_values = true)]
    bases: Vec<Base>,
}

impl BaseArgs {
    /// Returns true if no array is given an address.
    pub fn is_empty(&self) -> bool {
        self.bases.is_empty()
    }

    /// Returns the arrays of a program that are given addresses, by index.
    ///
    /// # Errors
    ///
    /// A refusal if the program has no array of a name, or if one has two addresses.
    pub fn of(&self, program: &Program) -> Result<Vec<(usize, u64)>, CliError> {
        let mut bases: Vec<(usize, u64)> = Vec::new();
        for Base { array, address } in &self.bases {
            let Some(index) = program.arrays.iter().position(|known| known.name == *array) else {
                let names = program.arrays.iter().map(|array| array.name.as_str()).collect::<Vec<_>>().join(", ");
                return Err(CliError::with_hint(
                    format!("the program has no array `{array}`"),
                    format!("its arrays are {names}"),
                ));
            };
            if bases.iter().any(|(other, _)| *other == index) {
                return Err(CliError::refused(format!("array `{array}` has two addresses")));
            }
            bases.push((index, *address));
        }
        Ok(bases)
    }
}

/// An array and its address.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Base {
    array: String,
    address: u64,
}

impl FromStr for Base {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (array, address) = text.split_once('=').ok_or("expected ARRAY=ADDRESS, such as A=0x10000")?;
        if address.starts_with('-') {
            return Err(format!("an address is not negative: {address}"));
        }
        let parsed = match address.strip_prefix("0x").or_else(|| address.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => address.parse(),
        };
        let address = parsed.map_err(|error| format!("`{address}` is no address: {error}"))?;
        Ok(Self { array: array.to_owned(), address })
    }
}

/// Returns the layout of a model's arrays.
pub fn layout_of(layout: Layout) -> MemoryLayout {
    match layout {
        Layout::Memory => MemoryLayout::Memory,
        Layout::Rows => MemoryLayout::Rows,
        Layout::Linear => MemoryLayout::Linear,
    }
}

/// Describes the assumptions of a layout about undeclared extents.
pub fn layout_notes(layout: MemoryLayout, program: &Program, survey: &Survey) -> Vec<String> {
    let note = |guess: &Guess| {
        let Guess { array, dimension, touched, taken } = *guess;
        let (name, dimension) = (&program.arrays[array].name, dimension + 1);
        format!(
            "dimension {dimension} of {name} is taken to have {taken} elements, as a parameter has; {touched} are touched"
        )
    };
    if layout.guesses() { survey.guesses(program).iter().map(note).collect() } else { Vec::new() }
}
