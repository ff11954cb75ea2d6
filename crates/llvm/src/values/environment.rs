//! The values of a function at the current point of the walk.
//!
//! Instructions are visited in the order of execution, so operands have been visited before; a value that is missing is
//! unknown. A block may be visited more than once (after a dry run, or once for each case of a loop's bounds), and
//! every visit overwrites the values of the one before.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use symloc_affine::{AssumptionKind, Constraint, Expr, IterId, Location, ParamId, listed};
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::assumed::Assumed;
use symloc_frontend::cases::{CasePath, Cases};
use symloc_frontend::conditions;
use symloc_frontend::delinearize::Refusal;
use symloc_frontend::raising::{Cause, Reason};
use symloc_frontend::ranges::Ranges;
use symloc_frontend::{AssignedVariable, Candidate, Domain, Origin};

use crate::ir::ffi::{DataLayout, Value};
use crate::ir::places::Places;
use crate::memory::base_objects::{self, Overlap, Root, RootId, Roots};
use crate::memory::descriptors::Descriptors;
use crate::memory::mod_ref::{ANY_BYTES, Written};
use crate::memory::registers::Slot;
use crate::values::lattice::{Known, Pointer, undefined};
use crate::values::uses::Uses;
use symloc_frontend::poly::Poly;

/// A condition on the sizes that the model relies on at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Requirement<'m> {
    /// The expression that must not be negative.
    pub(crate) expr: Expr,
    pub(crate) at: Value<'m>,
    pub(crate) why: &'static str,
    /// The kind of assumption.
    pub(crate) kind: AssumptionKind,
}

/// A value that an exit condition reads as unsigned.
#[derive(Clone, Debug)]
pub(crate) struct UnsignedAtExit<'m> {
    pub(crate) value: Poly,
    pub(crate) at: Value<'m>,
    /// The conditions under which it is this value.
    pub(crate) case: CasePath,
}

/// The values of one function.
pub(crate) struct Values<'m> {
    pub(crate) places: Places<'m>,
    pub(crate) layout: DataLayout<'m>,
    pub(crate) ranges: Ranges,
    pub(crate) roots: Roots<'m>,
    /// The variables that have a slot on the stack.
    pub(crate) slots: Vec<Slot>,
    /// The local arrays that are in registers, with their places.
    pub(crate) unrolled: Vec<(String, Option<Location>)>,
    /// The local variables that are in registers and assigned to, if the source has threads.
    pub(crate) assigned: Vec<AssignedVariable>,
    /// The sums of sizes that are factors, which are possible lengths of rows.
    pub(crate) factors: BTreeSet<Expr>,
    /// The conditions of `--assume`.
    pub(super) said: Assumed,
    /// Conditions on the sizes that the reading relies on.
    pub(crate) required: Vec<Requirement<'m>>,
    /// The conditions of `--assume` that mention known candidates.
    pub(crate) assumed: Vec<Constraint>,
    /// Parameters that have one value.
    pub(super) fixed: Vec<(ParamId, i64)>,
    /// True while the exit condition of a loop is evaluated: a counter that goes down stops before it becomes negative.
    pub(crate) at_exit: bool,
    /// The values that exit conditions read as unsigned; they must not be negative up to the last iteration.
    pub(crate) unsigned_at_exit: Vec<UnsignedAtExit<'m>>,
    /// The descriptors of Fortran's arrays.
    pub(crate) descriptors: Descriptors<'m>,
    /// True for a source in Fortran.
    pub(crate) is_fortran: bool,
    /// The arrays that are assumed to be contiguous, and those whose lower bounds are assumed to be 1.
    pub(crate) taken_contiguous: BTreeSet<String>,
    pub(crate) taken_from_one: BTreeSet<String>,
    /// The names of extents, with their meanings in Fortran.
    pub(crate) extents: BTreeMap<String, String>,
    known: BTreeMap<Value<'m>, Known>,
    pub(super) candidates: Vec<Candidate>,
    /// Integers that are read from memory and never written: sizes.
    pub(super) sizes: BTreeMap<(RootId, i64), ParamId>,
    /// The objects that stores write to, whose elements cannot be sizes.
    pub(crate) written: Written<'m>,
    pub(super) function: Value<'m>,
    pub(super) uses: Uses<'m>,
    /// The parameters of members of structures that are passed as one integer, by the truncations that extract them.
    pub(super) members: BTreeMap<Value<'m>, ParamId>,
}

impl<'m> Values<'m> {
    /// Returns the values at the start of a function: integer arguments are candidates, pointers are objects in memory.
    pub(crate) fn new(function: Value<'m>, places: Places<'m>, layout: DataLayout<'m>, uses: Uses<'m>) -> Self {
        let written = Written::by(function, &layout);
        let mut values = Self {
            places,
            layout,
            ranges: Ranges::default(),
            roots: Roots::default(),
            slots: Vec::new(),
            unrolled: Vec::new(),
            assigned: Vec::new(),
            factors: BTreeSet::new(),
            said: Assumed::default(),
            required: Vec::new(),
            assumed: Vec::new(),
            fixed: Vec::new(),
            at_exit: false,
            unsigned_at_exit: Vec::new(),
            descriptors: Descriptors::default(),
            is_fortran: false,
            taken_contiguous: BTreeSet::new(),
            taken_from_one: BTreeSet::new(),
            extents: BTreeMap::new(),
            known: BTreeMap::new(),
            candidates: Vec::new(),
            sizes: BTreeMap::new(),
            written,
            function,
            uses,
            members: BTreeMap::new(),
        };
        for (index, argument) in function.parameters().into_iter().enumerate() {
            let kind = argument.r#type();
            values.name_members(argument, index);
            let known = if kind.integer_width().is_some_and(|width| (8..=64).contains(&width)) {
                let domain = values.uses.domain(argument);
                let param =
                    values.candidate(Origin::Argument(index), values.places.name(argument), domain, Some(argument));
                Known::integer(Expr::param(param).into())
            } else if kind.is_flag() {
                let param = values.candidate(Origin::Argument(index), values.places.name(argument), Domain::Flag, None);
                values.truth_value(param)
            } else if kind.is_pointer() {
                let restricts = function.argument_has(u32::try_from(index).unwrap_or(u32::MAX), "noalias");
                let overlap = if restricts { Overlap::Never } else { Overlap::Possible };
                Known::Pointer(Cases::Always(Pointer::to(values.object(argument, overlap))))
            } else {
                let why = format!("{} is an argument that is not an integer", values.places.describe(argument));
                Known::Unknown(Reason::new(why, None, None))
            };
            values.known.insert(argument, known);
        }
        values
    }

    /// Returns the object that a value is or points at.
    pub(crate) fn object(&mut self, value: Value<'m>, overlap: Overlap) -> RootId {
        let name = self.places.name(value).or_else(|| self.descriptors.name(value).cloned());
        let name = name.or_else(|| self.places.name_or_value(value)).unwrap_or_default();
        let location = self.places.or_start(value);
        let origin = base_objects::Origin::Value(value);
        self.roots.intern(Root { origin, name, location, declared: value.pointee(), overlap })
    }

    /// Returns the slot of a variable on the stack.
    pub(crate) fn slot(&mut self, number: usize) -> Option<RootId> {
        let Slot { name, location, .. } = self.slots.get(number)?.clone();
        let origin = base_objects::Origin::Slot(number);
        Some(self.roots.intern(Root { origin, name, location, declared: None, overlap: Overlap::Never }))
    }

    /// Returns the function.
    pub(crate) fn function(&self) -> Value<'m> {
        self.function
    }

    pub(crate) fn set(&mut self, value: Value<'m>, known: Known) {
        self.known.insert(value, known);
    }

    /// Returns the value as far as it is known.
    pub(crate) fn get(&mut self, value: Value<'m>) -> Known {
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        if let Some(constant) = value.constant() {
            return match value.r#type().is_flag() {
                true => Known::Flag(Cases::Always(constant != 0)),
                false => Known::integer(Poly::constant(constant)),
            };
        }
        if value.is_global() {
            return Known::Pointer(Cases::Always(Pointer::to(self.object(value, Overlap::Never))));
        }
        if !value.is_instruction() && value.opcode().is_some() {
            return self.evaluate(value);
        }
        if value.is_undefined() {
            return Known::Unknown(undefined());
        }
        let why = match value {
            _ if value.is_null() => "it is a null pointer".to_owned(),
            _ => "it is not known here".to_owned(),
        };
        Known::Unknown(Reason::new(why, None, None))
    }

    /// Evaluates an instruction that touches no memory, and sets its value.
    pub(crate) fn define(&mut self, instruction: Value<'m>) {
        let known = self.evaluate(instruction);
        self.set(instruction, known);
    }

    /// Evaluates an instruction.
    pub(crate) fn evaluate(&mut self, instruction: Value<'m>) -> Known {
        if let Some(member) = self.members.get(&instruction) {
            return Known::integer(Expr::param(*member).into());
        }
        self.compute(instruction).unwrap_or_else(|cause| Known::Unknown(self.explain(cause, instruction)))
    }

    /// Returns the reason why an instruction has no known value.
    pub(crate) fn explain(&self, cause: Cause, instruction: Value<'m>) -> Reason {
        let subject = self.places.name(instruction).map(|name| format!("`{name}`: ")).unwrap_or_default();
        let at = self.places.of(instruction);
        match cause {
            Cause::Operand(reason) => reason,
            Cause::Trouble(trouble) => {
                let bits =
                    matches!(trouble, Trouble::Bits(_)).then_some("compute it with sums, quotients and remainders");
                let own = self.in_its_words(trouble.hint().or(bits));
                let hint = match &trouble {
                    Trouble::Product(factors) => self.values_hint(factors).or(own),
                    Trouble::Quotient(sizes) => {
                        [self.values_hint(sizes), own].into_iter().flatten().reduce(|a, b| format!("{a}, or {b}"))
                    }
                    _ => own,
                };
                Reason::new(format!("{subject}{}", trouble.why()), at, hint.as_deref())
            }
            Cause::Here { why, hint } => Reason::new(format!("{subject}{why}"), at, self.in_its_words(hint).as_deref()),
            Cause::Rows(refusal) => {
                let hint = self.in_its_words(self.row_hint(&refusal).as_deref());
                Reason::new(format!("{subject}{}", refusal.why()), at, hint.as_deref())
            }
        }
    }

    /// Returns the remedy for parameters that are to be constants, if they have names.
    fn values_hint(&self, parameters: &[ParamId]) -> Option<String> {
        let name = |size: &ParamId| self.candidates.get(size.index()).and_then(|candidate| candidate.name.as_deref());
        let names: Vec<&str> = parameters.iter().map(name).collect::<Option<_>>()?;
        let values: Vec<String> = names.iter().map(|name| format!("{name} = 2")).collect();
        (!names.is_empty()).then(|| format!("give {} a value, as in --assume '{}'", listed(&names), values.join(", ")))
    }

    /// Returns the remedy for an object that cannot be divided into rows.
    fn row_hint(&self, refusal: &Refusal) -> Option<String> {
        let hint = match refusal {
            Refusal::Strides(size) => {
                let value = size.and_then(|size| self.values_hint(&[size]));
                let value = value.map_or_else(String::new, |value| format!(", or {value}"));
                return Some(format!(
                    "use one row length for the array, or pass its parts as arrays of their own{value}"
                ));
            }
            Refusal::Apart(size) => {
                let name = self.candidates.get(size.index()).and_then(|candidate| candidate.name.as_ref());
                let value = name.map_or_else(String::new, |name| format!(", with --assume '{name} = 1'"));
                return Some(format!("give the increment a value{value}, or declare rows, A[n][m]"));
            }
            Refusal::LeavesRow => {
                "use an array of two dimensions, A[n][m], or bounds from which it follows; --assume may compare sizes"
            }
            Refusal::NeverExecuted => {
                "use rows of one length that hold all elements accessed in them, or give a flag a value with --assume"
            }
            Refusal::Unaligned(_) => "align the structure",
            Refusal::UnalignedRows { bytes, length } => {
                let multiple = length.modulo(*bytes).and_then(|rest| rest.times(-1)).ok()?;
                let multiple = conditions::shown(&multiple, &self.candidates);
                return Some(format!("if rows start at multiples, say it with --assume '{multiple}'"));
            }
            Refusal::NoDimension | Refusal::Trouble(_) => return None,
        };
        Some(hint.to_owned())
    }

    /// Returns a hint in the syntax of the source's language.
    fn in_its_words(&self, hint: Option<&str>) -> Option<String> {
        let hint = hint?;
        let fortran = || hint.replace("A[n][m]", "a(n, m)");
        Some(if self.is_fortran { fortran() } else { hint.to_owned() })
    }

    pub(crate) fn integer(&mut self, value: Value<'m>) -> Result<Cases<Poly>, Cause> {
        match self.get(value) {
            Known::Integer(cases) => Ok(cases),
            // A truth value is 0 or 1.
            Known::Flag(cases) => Ok(cases.try_map(&mut |holds| Ok::<_, Cause>(Poly::constant(i64::from(*holds))))?),
            Known::Pointer(_) => Err(Cause::here("it computes with an address as with a number")),
            Known::Unknown(reason) => Err(Cause::Operand(reason)),
        }
    }

    pub(crate) fn flag(&mut self, value: Value<'m>) -> Result<Cases<bool>, Cause> {
        match self.get(value) {
            Known::Flag(cases) => Ok(cases),
            Known::Unknown(reason) => Err(Cause::Operand(reason)),
            Known::Integer(_) | Known::Pointer(_) => Err(Cause::here("it is not a condition")),
        }
    }

    pub(crate) fn pointer(&mut self, value: Value<'m>) -> Result<Cases<Pointer>, Cause> {
        match self.get(value) {
            Known::Pointer(cases) => Ok(cases),
            Known::Unknown(reason) => Err(Cause::Operand(reason)),
            Known::Integer(_) | Known::Flag(_) => Err(Cause::here("it is not an address")),
        }
    }

    /// Returns true if the function writes to some bytes of the object itself, not only through pointers in it; `None` for any bytes.
    pub(crate) fn is_written(&self, root: RootId, bytes: Option<&Range<i64>>) -> bool {
        let (mut root, mut depth) = (root, 0);
        loop {
            match self.roots.get(root).origin {
                base_objects::Origin::Value(value) => {
                    return self.written.contains_bytes(value, depth, bytes.unwrap_or(&ANY_BYTES));
                }
                base_objects::Origin::Slot(_) => return true,
                base_objects::Origin::Loaded(holder, _) | base_objects::Origin::Rows(holder) => {
                    (root, depth) = (holder, depth + 1)
                }
            }
        }
    }

    /// Returns an iterator as a polynomial.
    pub(crate) fn iterator(iter: IterId) -> Poly {
        Expr::iter(iter).into()
    }
}
