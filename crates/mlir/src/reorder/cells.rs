//! Values that loops and branches pass on, kept in arrays of one element.
//!
//! An order of loops respects what is in memory. So a value that one iteration passes to the next, that a branch yields,
//! or that is used in another block than it is computed in, is stored where it is computed, and loaded where it is used.
//! The function computes the same; its dependences are then those of an array, like those of a variable in C.

use melior::Context;
use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::TypeLike;
use symloc_affine::Location;
use symloc_frontend::{Diagnostic, Kind, Note};

use super::partition::Partition;
use super::region::{self, LoopRegion};
use crate::ffi::{self, Op, Val, op_results};
use crate::input::places::Places;

/// The values of a function's loops that are kept in arrays of one element. Those of other types than numbers stay as
/// they are.
pub(super) struct CellKeeper<'a, 'p> {
    context: &'a Context,
    function: Op<'a>,
    places: &'p Places<'p>,
    /// The branches on data: each is one with its statement, so what it yields needs no memory.
    branches: &'p [Op<'a>],
    /// The values that are kept, with their places.
    kept: Vec<(String, Option<Location>)>,
}

/// Returns true for a value that an array of one element can hold and that no subscript depends on.
fn is_number(value: Val) -> bool {
    let kind = value.r#type();
    kind.is_float() || (kind.is_integer() && !kind.is_index())
}

impl<'a, 'p> CellKeeper<'a, 'p> {
    pub(super) fn new(context: &'a Context, function: Op<'a>, places: &'p Places<'p>, branches: &'p [Op<'a>]) -> Self {
        Self { context, function, places, branches, kept: Vec::new() }
    }

    /// Keeps what loops carry and branches yield.
    pub(super) fn keep_passed_on(&mut self) -> Result<(), Vec<Diagnostic>> {
        while let Some(op) = self.passing_on()? {
            let at = self.places.of(op);
            // What is half rebuilt must not be read.
            self.rebuild(op).ok_or_else(|| {
                let message = "the values that this passes on cannot be kept in memory";
                vec![Diagnostic::new(Kind::Internal, at, message)]
            })?;
        }
        Ok(())
    }

    /// Keeps what is used in another block than it is computed in, or behind a loop.
    pub(super) fn keep_crossing(&mut self) -> Result<(), Vec<Diagnostic>> {
        // Each round keeps the values that the ones kept before have brought to light.
        while let Some(value) =
            Partition::crossing(&LoopRegion::of(self.function, self.places)?, self.branches, self.places, is_number)
        {
            if self.cross(value).is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Returns a loop or branch in the region whose results are numbers; the outermost first.
    fn passing_on(&self) -> Result<Option<Op<'a>>, Vec<Diagnostic>> {
        let region = LoopRegion::of(self.function, self.places)?;
        let mut open: Vec<Op<'a>> = region.ops;
        while let Some(op) = open.pop() {
            if !region::is_structure(op) || self.branches.contains(&op) {
                continue;
            }
            let results = op_results(op);
            if !results.is_empty() && results.iter().all(|value| is_number(*value)) {
                return Ok(Some(op));
            }
            open.extend(ffi::regions(op).into_iter().flat_map(ffi::operations));
        }
        Ok(None)
    }

    /// Returns a new array of one element at the start of the function.
    fn cell(&mut self, value: Val<'a>, name: Option<&str>) -> Option<Val<'a>> {
        let start = ffi::regions(self.function).into_iter().next().and_then(|region| ffi::operations(region).next())?;
        let cell = ffi::insert_cell(self.context, start, value)?;
        if let Some(name) = name {
            ffi::set_name(self.context, cell, name);
        }
        Some(cell)
    }

    fn kept(&mut self, value: Val<'a>) {
        let place = match ffi::definition(value) {
            ffi::Definition::Result { op } => self.places.of(op),
            ffi::Definition::Argument { .. } => self.places.location(value.location()),
        };
        self.kept.push((self.places.describe(value), place));
    }

    /// Returns a note that names all values, at the place of the first.
    pub(super) fn note(&self) -> Option<Note> {
        let (_, first) = self.kept.first()?;
        let mut names: Vec<&str> = self.kept.iter().map(|(name, _)| name.as_str()).collect();
        names.dedup();
        let text = "values that loops and branches pass on are kept in arrays of one element, since only memory says which \
                    orders are right";
        Some(Note::new(first.clone(), format!("{text}: {}", names.join(", "))))
    }

    /// Replaces a loop or branch by one without results.
    fn rebuild(&mut self, op: Op<'a>) -> Option<()> {
        let (context, results) = (self.context, op_results(op));
        let is_loop = region::is_loop(op);
        let operands: Vec<_> = op.operands().collect();
        let inits = operands.get(operands.len().checked_sub(if is_loop { results.len() } else { 0 })?..)?.to_vec();
        let arguments = ffi::arguments(op);
        let arguments =
            arguments.get(arguments.len().checked_sub(if is_loop { results.len() } else { 0 })?..)?.to_vec();
        let mut cells = Vec::new();
        for (position, result) in results.iter().enumerate() {
            let named = arguments.get(position).copied().unwrap_or(*result);
            let name = self.places.word(*result).or_else(|| self.places.word(named)).map(str::to_owned);
            self.kept(named);
            cells.push(self.cell(*result, name.as_deref())?);
        }
        for (init, cell) in inits.into_iter().zip(&cells) {
            ffi::insert_store(context, op, init, *cell)?;
        }
        // All loads come before all stores, because the values of an iteration are passed on at once.
        if is_loop {
            let first = op.first_region().and_then(|region| ffi::operations(region).next())?;
            for (argument, cell) in arguments.iter().zip(&cells) {
                let value = ffi::insert_load(context, first, *cell, *argument)?;
                ffi::replace_uses(*argument, value);
            }
        }
        for region in ffi::regions(op) {
            let end = ffi::operations(region).last()?;
            let passed: Vec<_> = end.operands().collect();
            for (value, cell) in passed.into_iter().zip(&cells) {
                ffi::insert_store(context, end, value, *cell)?;
            }
        }
        ffi::without_results(context, op)?;
        for (result, cell) in results.iter().zip(&cells) {
            let value = ffi::insert_load(context, op, *cell, *result)?;
            ffi::replace_uses(*result, value);
        }
        ffi::erase(op);
        Some(())
    }

    /// Keeps a value that is used in another block, or behind a loop.
    fn cross(&mut self, value: Val<'a>) -> Option<()> {
        let ffi::Definition::Result { op: definition } = ffi::definition(value) else { return None };
        let name = self.places.word(value).map(str::to_owned);
        let users: Vec<_> = ffi::all_within(self.function)
            .into_iter()
            .filter(|user| op_is_elsewhere(definition, *user) && !ffi::positions_of(*user, value).is_empty())
            .collect();
        if users.iter().any(|user| region::is_structure(*user) && !self.branches.contains(user)) {
            return None;
        }
        self.kept(value);
        let cell = self.cell(value, name.as_deref())?;
        ffi::insert_store(self.context, definition.next_in_block()?, value, cell)?;
        for user in users {
            let loaded = ffi::insert_load(self.context, user, cell, value)?;
            for position in ffi::positions_of(user, value) {
                ffi::set_operand(user, position, loaded);
            }
        }
        Some(())
    }
}

/// Returns true if an operation is in another block than a definition, or behind a loop or branch after it.
fn op_is_elsewhere(definition: Op, user: Op) -> bool {
    let mut next = definition.next_in_block();
    while let Some(op) = next {
        if ffi::key(op) == ffi::key(user) {
            return false;
        }
        if region::is_structure(op) {
            return true;
        }
        next = op.next_in_block();
    }
    true
}
