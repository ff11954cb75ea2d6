//! Rows that data choose: embeddings, and other reads at subscripts that were themselves read.
//!
//! The program does not determine these rows. They can be declared (`--gather`); a remark of the model says so:
//!
//! - `same`: every subscript that data choose has the same value. It is read as 0.
//! - `distinct`: different places of the data choose different rows. With `table[tokens[b][s]][d]`, element d of the
//!   row that (b, s) chooses is read as `table[b][s][d]`, an array of its own: its rows are as long as those of the
//!   table, and their number is that of the reads.
//!
//! A value is chosen by data if it is computed from constants, sizes, iterators and loads at affine subscripts. The
//! place that chooses it consists of those subscripts, and of the iterators and sizes that it is computed from.

use std::collections::BTreeSet;

use melior::ir::operation::OperationLike;
use symloc_affine::{AssumptionKind, Expr};
use symloc_frontend::cases::{Cases, join};

use crate::expressions::refusal::{Cause, Refusal};
use crate::ffi::{self, Definition, Op, Val, ValueKey, definition};
use crate::memory::{Extent, Memory, Root};
use crate::values::Values;
use crate::walk::walker::{Gather, Walker};

/// The hint for a subscript that data choose.
pub(crate) const DECLARE: &str =
    "say which rows are read: `--gather distinct` (each is a different one) or `--gather same`";

/// Operations whose second operand is written to.
const WRITES: [&str; 4] = ["memref.store", "affine.store", "memref.copy", "vector.store"];

/// Operations around loops.
const FUNCTIONS: [&str; 2] = ["func.func", "builtin.module"];

/// Returns the memref of which another one is a view.
fn base(memref: Val<'_>) -> ValueKey {
    match definition(memref) {
        Definition::Result { op } if VIEWS.contains(&ffi::name(op).as_str()) => {
            op.operand(0).map_or_else(|_| ffi::value_key(memref), base)
        }
        _ => ffi::value_key(memref),
    }
}

/// Operations whose result is a view of their first operand.
const VIEWS: [&str; 5] =
    ["memref.subview", "memref.cast", "memref.reinterpret_cast", "memref.collapse_shape", "memref.expand_shape"];

/// A memref and the subscripts of an element.
type Element<'a> = (Memory<'a>, Cases<Vec<Expr>>);

impl<'a> Walker<'a, '_> {
    /// Returns the element of a read at subscripts that data choose, by the declaration; `None` if data choose no
    /// subscript, or there is no declaration.
    pub(crate) fn gathered(
        &mut self,
        op: Op<'a>,
        memref: Val<'a>,
        indices: &[Val<'a>],
    ) -> Option<Result<Element<'a>, Refusal>> {
        // The operands of other loads are not yet subscripts.
        let declared = self.gather.filter(|_| ffi::name(op) == "memref.load")?;
        let mut choosers = Vec::new();
        for &index in indices {
            choosers.push(match self.values.known_index(index) {
                Ok(_) => None,
                Err(_) => Some(self.values.chosen_by(index)?),
            });
        }
        choosers.iter().any(Option::is_some).then(|| {
            let memory = self.values.memory(memref)?;
            let array = self.places.array_name(memory.declared).unwrap_or_else(|| "the array".to_owned());
            let element = match declared {
                Gather::Same => self.same_row(memory, indices, &choosers),
                Gather::Distinct => self.own_row(op, memory, indices, &choosers),
            };
            let element = element.map_err(|cause| self.values.explain(cause, Some(op)))?;
            self.assuming(
                op,
                AssumptionKind::Gather,
                match declared {
                    Gather::Same => format!(
                        "data choose the row of {array}: assumed to be the same each time (--gather same)"
                    ),
                    Gather::Distinct => {
                        format!(
                            "data choose the row of {array}: assumed to be a different one each time (--gather distinct)"
                        )
                    }
                },
            );
            Ok(element)
        })
    }

    fn same_row(
        &self,
        memory: Memory<'a>,
        indices: &[Val<'a>],
        choosers: &[Option<Vec<Expr>>],
    ) -> Result<Element<'a>, Cause<'a>> {
        let subscript = |(&index, chooser): (&Val<'a>, &Option<_>)| match chooser {
            None => self.values.known_index(index),
            Some(_) => Ok(Cases::Always(Expr::constant(0))),
        };
        let subscripts = indices.iter().zip(choosers).map(subscript).collect::<Result<Vec<_>, _>>()?;
        Ok((memory, join(&subscripts)?))
    }

    fn own_row(
        &self,
        op: Op<'a>,
        memory: Memory<'a>,
        indices: &[Val<'a>],
        choosers: &[Option<Vec<Expr>>],
    ) -> Result<Element<'a>, Cause<'a>> {
        if !memory.steps.is_empty() {
            return Err(Cause::here("rows of a view that data choose are not followed"));
        }
        if choosers.last().is_some_and(Option::is_some) {
            let why = "data choose single elements, so their neighbours are not known";
            return Err(Cause::hinted(why, "`--gather same` reads one element all the time"));
        }
        let chosen = || indices.iter().zip(choosers).filter(|(_, chooser)| chooser.is_some()).map(|(index, _)| *index);
        if chosen().any(|index| self.values.changes(op, index)) {
            let why = "the program writes the data that choose the row between two reads, so their place does not tell rows apart";
            return Err(Cause::hinted(why, "`--gather same` reads one row all the time"));
        }
        let (mut subscripts, mut extents) = (Vec::new(), Vec::new());
        for ((&index, chooser), extent) in indices.iter().zip(choosers).zip(&memory.extents) {
            match chooser {
                None => {
                    subscripts.push(self.values.known_index(index)?);
                    extents.push(extent.clone());
                }
                Some(place) => {
                    subscripts.extend(place.iter().cloned().map(Cases::Always));
                    extents.extend(place.iter().map(|_| Extent::Unknown));
                }
            }
        }
        let spread = choosers.iter().map(|chooser| chooser.as_ref().map(Vec::len)).collect();
        // Reads by one value are of one row.
        let by = chosen().map(|index| ffi::value_key(self.values.passed(index))).collect();
        let root = Root::Chosen { of: Box::new(memory.root), by, call: self.values.calls, spread };
        Ok((
            Memory { root, declared: memory.declared, whole: Vec::new(), extents, steps: Vec::new() },
            join(&subscripts)?,
        ))
    }

    /// Returns true if a subscript is chosen by data, and there is no declaration.
    pub(crate) fn undeclared(&self, index: Val<'a>) -> bool {
        self.gather.is_none() && self.values.known_index(index).is_err() && self.values.chosen_by(index).is_some()
    }

    /// Replaces the hint by that to declare the rows, if data choose them.
    pub(crate) fn to_declare<T>(&self, result: Result<T, Refusal>, index: Option<Val<'a>>) -> Result<T, Refusal> {
        match result {
            Err(Refusal::Because(reason)) if index.is_some_and(|index| self.undeclared(index)) => {
                Err(Refusal::Because(reason.with_hint(Some(DECLARE))))
            }
            result => result,
        }
    }
}

impl<'a> Values<'a, '_> {
    /// Returns the place that chooses a value computed from loads; `None` if it depends on other values too, or on no
    /// load.
    pub(crate) fn chosen_by(&self, value: Val<'a>) -> Option<Vec<Expr>> {
        let mut chooser = Chooser::default();
        self.collect_chooser(value, &mut BTreeSet::new(), &mut chooser)?;
        // A value of iterators and sizes alone is not chosen by data, even if it is not affine.
        chooser.is_loaded.then_some(chooser.subscripts)
    }

    /// Returns true if data that choose a value are written in a loop around an operation, or in it.
    fn changes(&self, op: Op<'a>, value: Val<'a>) -> bool {
        let loops = std::iter::successors(op.parent_operation(), |op| op.parent_operation());
        let outermost =
            loops.filter(|parent| parent.region_count() > 0 && !FUNCTIONS.contains(&ffi::name(*parent).as_str()));
        let Some(outermost) = outermost.last() else { return false };
        let mut read = BTreeSet::new();
        self.collect_choosing(value, &mut BTreeSet::new(), &mut read);
        let written = |op: Op<'a>| WRITES.contains(&ffi::name(op).as_str()).then(|| op.operand(1).ok()).flatten();
        ffi::all_within(outermost).into_iter().filter_map(written).any(|target| read.contains(&base(target)))
    }

    /// Collects the arrays that a value is loaded from.
    fn collect_choosing(&self, value: Val<'a>, seen: &mut BTreeSet<ValueKey>, read: &mut BTreeSet<ValueKey>) {
        let value = self.passed(value);
        let Definition::Result { op } = definition(value) else { return };
        if !seen.insert(ffi::value_key(value)) {
            return;
        }
        match ffi::name(op).as_str() {
            "memref.load" | "affine.load" => read.extend(op.operand(0).ok().map(base)),
            _ => op.operands().for_each(|operand| self.collect_choosing(operand, seen, read)),
        }
    }

    fn collect_chooser(&self, value: Val<'a>, seen: &mut BTreeSet<ValueKey>, chooser: &mut Chooser) -> Option<()> {
        let value = self.passed(value);
        if !seen.insert(ffi::value_key(value)) {
            return Some(());
        }
        if let Ok(known) = self.known_index(value) {
            return chooser.add(&known);
        }
        let Definition::Result { op } = definition(value) else { return None };
        let name = ffi::name(op);
        chooser.is_loaded |= ["memref.load", "affine.load"].contains(&name.as_str());
        match name.as_str() {
            "memref.load" => op.operands().skip(1).try_for_each(|index| chooser.add(&self.known_index(index).ok()?)),
            "affine.load" => {
                let operands: Vec<_> = op.operands().skip(1).collect();
                let map = op.attribute("map").ok().and_then(ffi::affine_map)?;
                self.map(op, map, &operands).into_iter().try_for_each(|subscript| chooser.add(&subscript.ok()?))
            }
            _ if op.region_count() > 0 => None,
            _ => op.operands().try_for_each(|operand| self.collect_chooser(operand, seen, chooser)),
        }
    }
}

/// The place that chooses a value, under construction.
#[derive(Default)]
struct Chooser {
    /// True if the value depends on a load.
    is_loaded: bool,
    /// The expressions that differ from place to place.
    subscripts: Vec<Expr>,
}

impl Chooser {
    fn add(&mut self, cases: &Cases<Expr>) -> Option<()> {
        let Cases::Always(expr) = cases else { return None };
        if expr.as_constant().is_none() && !self.subscripts.contains(expr) {
            self.subscripts.push(expr.clone());
        }
        Some(())
    }
}
