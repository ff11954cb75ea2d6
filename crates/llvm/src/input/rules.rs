//! The options as the walk applies them to one function.

use std::collections::{BTreeMap, BTreeSet};

use num_rational::Ratio;
use symloc_affine::Location;
use symloc_frontend::presumed::is_marked_as;
use symloc_frontend::{Diagnostic, Kind};

use crate::input::options::DataBranches;
use crate::input::region::{Region, parallel_pragmas};
use crate::input::request::Request;
use crate::input::select;
use crate::ir::ffi::Value;
use crate::ir::places::Places;
use crate::memory::registers::Registers;

/// The options of the walk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// The lines to analyse; `None` for the whole function.
    pub(crate) region: Option<Region>,
    /// The shares of iterations in which conditions on data hold, by line.
    pub(crate) branches: BTreeMap<u32, Ratio<i64>>,
    /// The lines whose conditions are constant, by `--assume`.
    pub(crate) decided: BTreeSet<u32>,
    /// What becomes of other conditions on data.
    pub(crate) data_branches: DataBranches,
    /// Functions without a body that are assumed to touch no memory; `all` stands for every one.
    pub(crate) ignored_calls: Vec<String>,
    /// The names of the parameters that loops may go in steps of.
    pub(crate) tiles: Vec<String>,
    /// True if nests that cannot be read are left out.
    pub(crate) skip_refused: bool,
    /// The values that are in registers.
    pub(crate) registers: Registers,
    /// The places of OpenMP's parallel pragmas.
    pub(crate) parallel: Vec<Location>,
}

impl Rules {
    /// Returns the rules for a function.
    pub(crate) fn new(request: &Request<'_>, function: Value<'_>, places: &Places<'_>) -> Self {
        let options = request.options;
        let instructions = function.instructions();
        let file = file(request, places);
        let own = instructions.filter_map(|i| places.of(i)).filter(|place| *place.file == *file);
        let lines: BTreeSet<u32> = own.map(|place| place.line).collect();
        let parallel = parallel_pragmas(request.text(), &file).into_iter().filter(|(_, about)| lines.contains(about));
        Self {
            region: region(request, function, places),
            branches: options.branches.iter().copied().collect(),
            decided: BTreeSet::new(),
            data_branches: options.data_branches,
            ignored_calls: options.ignored_calls.clone(),
            tiles: options.tiles.clone(),
            skip_refused: options.skip_refused,
            registers: options.registers,
            parallel: parallel.map(|(line, _)| Location::new(file.as_str(), line, 1)).collect(),
        }
    }

    /// Checks that a function has code on the lines of `--loops`.
    ///
    /// # Errors
    ///
    /// If it has none.
    pub(crate) fn check_lines(
        &self,
        request: &Request<'_>,
        function: Value<'_>,
        places: &Places<'_>,
    ) -> Result<(), Diagnostic> {
        let Some((region, (first, last))) = self.region.as_ref().zip(request.options.lines) else { return Ok(()) };
        let all = function.instructions().filter_map(|i| places.in_function(i));
        let lines: Vec<u32> = all.filter(|place| *place.file == region.file).map(|place| place.line).collect();
        if lines.iter().any(|line| (first..=last).contains(line)) {
            return Ok(());
        }
        let name = select::source_name(function);
        let error = Diagnostic::new(Kind::Request, None, format!("`{name}` has no code on the lines {first}-{last}"));
        let range = lines.iter().min().zip(lines.iter().max());
        Err(match range {
            Some((first, last)) => error.hint(format!("its code is on the lines {first}-{last}")),
            None => error.hint("compile with -g, so that instructions have lines"),
        })
    }
}

/// Returns the lines of a function's conditional branches.
pub(crate) fn tested_lines<'m>(function: Value<'m>, places: &Places<'m>) -> BTreeSet<u32> {
    let branches = function.instructions().filter(|instruction| instruction.is_conditional());
    branches.filter_map(|branch| places.of(branch)).map(|place| place.line).collect()
}

/// Returns the region of `--loops` or of `#pragma scop`.
pub(crate) fn region(request: &Request<'_>, function: Value<'_>, places: &Places<'_>) -> Option<Region> {
    match request.options.lines {
        Some(lines) => Some(Region { file: file(request, places), lines: vec![lines] }),
        None => marked(request, function, places),
    }
}

/// Returns the region of `#pragma scop` in a function.
pub(crate) fn marked(request: &Request<'_>, function: Value<'_>, places: &Places<'_>) -> Option<Region> {
    let (start, name) = (places.start(), file(request, places));
    let all = function.instructions().filter_map(|i| places.in_function(i));
    let lines = all.filter(|place| *place.file == *name).map(|place| place.line);
    let last = lines.max().filter(|_| *start.file == *name)?;
    Region::of_pragmas(&name, request.text(), (start.line, last.saturating_add(1)))
}

/// Returns the name in places of the user's file, which line markers may give another one.
fn file(request: &Request<'_>, places: &Places<'_>) -> String {
    let start = places.start();
    let is_marked = *start.file != *request.source.name && is_marked_as(request.text(), &start.file);
    if is_marked { start.file.to_string() } else { request.source.name.clone() }
}
