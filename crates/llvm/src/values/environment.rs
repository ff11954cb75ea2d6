//! The values of a function at the current point of the walk.
//!
//! Instructions are visited in the order of execution, so operands have been visited before; a value that is missing is
//! unknown. A block may be visited more than once (after a dry run, or once for each case of a loop's bounds), and
//! every visit overwrites the values of the one before. [`arithmetic`](crate::values::arithmetic) evaluates integers and
//! conditions, [`pointers`](crate::values::pointers) addresses.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{AssumptionKind, Constraint, Expr, IterId, ParamId};
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::assumed::{Assumed, freed};
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::ranges::Ranges;
use symloc_frontend::{Candidate, Domain, Origin};

use crate::input::fixed::{Fixed, FixedArgument, FixedInMemory};
use crate::ir::ffi::{DataLayout, Opcode, Value};
use crate::ir::places::Places;
use crate::memory::base_objects::{self, Root, RootId, Roots};
use crate::memory::descriptors::Descriptors;
use crate::memory::mod_ref::Written;
use crate::memory::registers::Slot;
use crate::values::lattice::{Cause, Known, Pointer, Reason};
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

/// The values of one function.
pub(crate) struct Values<'m> {
    pub(crate) places: Places<'m>,
    pub(crate) layout: DataLayout<'m>,
    pub(crate) ranges: Ranges,
    pub(crate) roots: Roots<'m>,
    /// The variables that have a slot on the stack.
    pub(crate) slots: Vec<Slot>,
    /// The sums of sizes that are factors, which are possible lengths of rows.
    pub(crate) factors: BTreeSet<Expr>,
    /// The conditions of `--assume`.
    said: Assumed,
    /// Conditions on the sizes that the reading relies on.
    pub(crate) required: Vec<Requirement<'m>>,
    /// The conditions of `--assume` that mention known candidates.
    pub(crate) assumed: Vec<Constraint>,
    /// True while the exit condition of a loop is evaluated: a counter that goes down stops before it becomes negative.
    pub(crate) at_exit: bool,
    /// The values that exit conditions read as unsigned; they must not be negative up to the last iteration.
    pub(crate) unsigned_at_exit: Vec<(Poly, Value<'m>)>,
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
    candidates: Vec<Candidate>,
    /// Integers that are read from memory and never written: sizes.
    sizes: BTreeMap<(RootId, i64), ParamId>,
    /// The objects that stores write to, whose elements cannot be sizes.
    pub(crate) written: Written<'m>,
    function: Value<'m>,
    uses: Uses<'m>,
    /// The parameters of members of structures that are passed as one integer, by the truncations that extract them.
    members: BTreeMap<Value<'m>, ParamId>,
}

impl<'m> Values<'m> {
    /// Returns the values at the start of a function: integer arguments are candidates, pointers are objects in memory.
    pub(crate) fn new(function: Value<'m>, places: Places<'m>, layout: DataLayout<'m>, uses: Uses<'m>) -> Self {
        let mut values = Self {
            places,
            layout,
            ranges: Ranges::default(),
            roots: Roots::default(),
            slots: Vec::new(),
            factors: BTreeSet::new(),
            said: Assumed::default(),
            required: Vec::new(),
            assumed: Vec::new(),
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
            written: Written::by(function),
            function,
            uses,
            members: BTreeMap::new(),
        };
        for (index, argument) in function.parameters().into_iter().enumerate() {
            let kind = argument.r#type();
            values.name_members(argument, index);
            let known = if kind.integer_width().is_some_and(|width| (8..=64).contains(&width)) {
                let domain = values.uses.domain(argument);
                let param = values.candidate(Origin::Argument(index), values.places.name(argument), domain);
                Known::integer(Expr::param(param).into())
            } else if kind.is_flag() {
                let param = values.candidate(Origin::Argument(index), values.places.name(argument), Domain::Flag);
                values.truth_value(param)
            } else if kind.is_pointer() {
                let distinct = function.argument_has(u32::try_from(index).unwrap_or(u32::MAX), "noalias");
                Known::Pointer(Cases::Always(Pointer::to(values.object(argument, distinct))))
            } else {
                let why = format!("{} is an argument that is not an integer", values.places.describe(argument));
                Known::Unknown(Reason::new(why, None, None))
            };
            values.known.insert(argument, known);
        }
        values
    }

    /// Makes the members of a structure that is passed as one integer candidates of their own.
    fn name_members(&mut self, argument: Value<'m>, index: usize) {
        let mut params: BTreeMap<u32, ParamId> = BTreeMap::new();
        for (bits, part) in self.uses.members(argument) {
            let whole = self.places.name(argument).unwrap_or_default();
            let whole = whole.strip_suffix(".coerce").unwrap_or(&whole);
            let name = if bits == 0 { whole.to_owned() } else { format!("{whole}_{}", bits / 8) };
            let param = match params.get(&bits) {
                Some(param) => *param,
                None => self.candidate(Origin::Argument(index), Some(name), self.uses.domain(part)),
            };
            params.insert(bits, param);
            self.members.insert(part, param);
        }
    }

    /// Returns the value of an argument that is a truth value.
    fn truth_value(&self, param: ParamId) -> Known {
        let is_set = Expr::param(param).plus_constant(-1).map(Constraint::non_negative);
        let is_set = is_set.map(|is_set| Cases::when(vec![is_set], Cases::Always(true), Cases::Always(false)));
        is_set.map_or_else(|_| Known::Unknown(Reason::new("it is not known here", None, None)), Known::Flag)
    }

    fn candidate(&mut self, origin: Origin, name: Option<String>, domain: Domain) -> ParamId {
        let id = ParamId(u32::try_from(self.candidates.len()).unwrap_or(u32::MAX));
        self.candidates.push(Candidate { origin, name, domain });
        if domain != Domain::Size {
            self.ranges.set_domain(id, domain);
        }
        self.hear();
        id
    }

    /// Adds the facts that sizes fit in their types, signed, which optimised code relies on.
    pub(crate) fn assume_types(&mut self) {
        for (index, argument) in self.function.parameters().into_iter().enumerate() {
            let width = argument.r#type().integer_width().filter(|width| (8..=32).contains(width));
            let param = self.candidates.iter().position(|c| c.origin == Origin::Argument(index));
            if let Some((width, param)) = width.zip(param.and_then(|param| u32::try_from(param).ok())) {
                let largest = Expr::constant((1 << (width - 1)) - 1);
                let room = largest.minus(&Expr::param(ParamId(param)));
                room.into_iter().for_each(|room| self.ranges.add_fact(Constraint::non_negative(room)));
            }
        }
    }

    /// Sets the conditions of `--assume`. Syntax errors in them are reported when they are added to the program.
    pub(crate) fn assume(&mut self, said: Assumed) {
        self.said = said;
        self.hear();
    }

    /// Adds the conditions of `--assume` that mention only candidates known by now.
    fn hear(&mut self) {
        let heard = self.said.of(&self.candidates);
        for param in freed(&heard, &self.candidates) {
            self.set_domain(param, Domain::Any);
        }
        for condition in heard.into_iter().filter(|condition| !self.assumed.contains(condition)).collect::<Vec<_>>() {
            self.ranges.add_fact(condition.clone());
            self.assumed.push(condition);
        }
    }

    fn set_domain(&mut self, param: ParamId, domain: Domain) {
        self.candidates[param.index()].domain = domain;
        self.ranges.set_domain(param, domain);
    }

    /// Makes each value that has become a constant a parameter with this one value.
    pub(crate) fn fix(&mut self, fixed: Fixed<'m>) {
        for FixedArgument { index, name, value } in fixed.arguments {
            let position = self.candidates.iter().position(|c| c.origin == Origin::Argument(index));
            let Some(position) = position else { continue };
            self.candidates[position].name = Some(name);
            self.fix_param(ParamId(u32::try_from(position).unwrap_or(u32::MAX)), value);
        }
        for FixedInMemory { object, byte, name, value } in fixed.in_memory {
            let Known::Pointer(Cases::Always(Pointer { root, .. })) = self.get(object) else { continue };
            if !self.sizes.contains_key(&(root, byte)) {
                let param = self.candidate(Origin::Extent, Some(name), Domain::Any);
                self.sizes.insert((root, byte), param);
                self.fix_param(param, value);
            }
        }
    }

    fn fix_param(&mut self, param: ParamId, value: i64) {
        self.set_domain(param, Domain::Any);
        self.assumed.extend(Constraint::equal(&Expr::param(param), value));
    }

    /// Returns the candidates for parameters.
    pub(crate) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Returns the object that a value is or points at.
    pub(crate) fn object(&mut self, value: Value<'m>, distinct: bool) -> RootId {
        let name = self.places.name(value).or_else(|| self.descriptors.name(value).cloned());
        let name = name.or_else(|| self.places.name_or_value(value)).unwrap_or_default();
        let location = self.places.or_start(value);
        let origin = base_objects::Origin::Value(value);
        self.roots.intern(Root { origin, name, location, declared: value.pointee(), distinct })
    }

    /// Returns the slot of a variable on the stack.
    pub(crate) fn slot(&mut self, number: usize) -> Option<RootId> {
        let Slot { name, location, .. } = self.slots.get(number)?.clone();
        let origin = base_objects::Origin::Slot(number);
        Some(self.roots.intern(Root { origin, name, location, declared: None, distinct: true }))
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
            return Known::Pointer(Cases::Always(Pointer::to(self.object(value, true))));
        }
        if !value.is_instruction() && value.opcode().is_some() {
            return self.evaluate(value);
        }
        if value.is_undefined() {
            return Known::Unknown(Reason::undefined());
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
                let hint = self.in_its_words(trouble.hint().or(bits));
                Reason::new(format!("{subject}{}", trouble.why()), at, hint.as_deref())
            }
            Cause::Here { why, hint } => Reason::new(format!("{subject}{why}"), at, self.in_its_words(hint).as_deref()),
            Cause::Increment { why, size } => {
                let name = self.candidates.get(size.index()).and_then(|candidate| candidate.name.as_ref());
                let value = name.map_or_else(String::new, |name| format!(", with --assume '{name} = 1'"));
                let hint = format!("give the increment a value{value}, or declare rows, A[n][m]");
                Reason::new(format!("{subject}{why}"), at, self.in_its_words(Some(&hint)).as_deref())
            }
        }
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

    /// Returns a condition whose parts on data are replaced by `holds`.
    pub(crate) fn told(&mut self, condition: Value<'m>, holds: &Cases<bool>, fuel: u32) -> Option<Cases<bool>> {
        use Opcode as O;
        let fuel = fuel.checked_sub(1)?;
        if let Ok(flag) = self.flag(condition) {
            return Some(flag);
        }
        let operands = condition.operands();
        let combine = |values: &mut Self, a: Value<'m>, b: Value<'m>, f: fn(bool, bool) -> bool| {
            let both = join(&[values.told(a, holds, fuel)?, values.told(b, holds, fuel)?]).ok()?;
            both.try_map(&mut |v: &Vec<bool>| Ok::<_, ()>(f(v[0], v[1]))).ok()?.merged().ok()
        };
        let is = |index: usize, value: bool| {
            operands.get(index).and_then(|operand| operand.constant()).is_some_and(|constant| (constant != 0) == value)
        };
        match condition.opcode() {
            Some(O::LLVMAnd) => combine(self, operands[0], operands[1], |a, b| a && b),
            Some(O::LLVMOr) => combine(self, operands[0], operands[1], |a, b| a || b),
            Some(O::LLVMSelect) if is(2, false) => combine(self, operands[0], operands[1], |a, b| a && b),
            Some(O::LLVMSelect) if is(1, true) => combine(self, operands[0], operands[2], |a, b| a || b),
            _ => Some(holds.clone()),
        }
    }

    /// Returns true if an expression is not negative, or if it is one in the sizes alone: then that is required from
    /// now on.
    pub(crate) fn require(&mut self, expr: &Expr, at: Value<'m>, why: &'static str) -> bool {
        use symloc_affine::Atom;
        let holds = Constraint::non_negative(expr.clone());
        match self.ranges.decide(&holds) {
            Some(decided) => return decided,
            None if expr.mentions(&|atom| matches!(atom, Atom::Iter(_))) => return false,
            None => {}
        }
        self.required.push(Requirement { expr: expr.clone(), at, why, kind: AssumptionKind::NumberRange });
        self.ranges.add_fact(holds);
        true
    }

    /// Returns true if the value is known not to be negative.
    pub(crate) fn non_negative(&self, value: &Poly) -> bool {
        match value.affine() {
            Some(expr) => self.ranges.non_negative(&expr),
            // Sizes are positive.
            None => value.terms().all(|(_, coefficient)| self.ranges.non_negative(coefficient)),
        }
    }

    /// Checks that a value that is read as unsigned is not negative; a condition on the sizes is required if that makes
    /// it so.
    pub(crate) fn unsigned(&mut self, value: &Poly, at: Value<'m>) -> Result<(), Trouble> {
        if self.non_negative(value) {
            return Ok(());
        }
        if self.at_exit {
            self.unsigned_at_exit.push((value.clone(), at));
            return Ok(());
        }
        match value.affine() {
            Some(expr) if self.require(&expr, at, "an unsigned number must not wrap around") => Ok(()),
            Some(expr) => Err(Trouble::MayBeNegative(expr)),
            None => Err(Trouble::Product),
        }
    }

    /// Returns an integer in memory that the function never writes: a parameter.
    pub(crate) fn size_in_memory(&mut self, load: Value<'m>, root: RootId, byte: i64) -> Known {
        let domain = self.uses.domain(load);
        self.named_size(root, byte, domain, || None, load)
    }

    /// Returns an integer in memory that the function never writes, with a name if `name` gives one.
    pub(crate) fn named_size(
        &mut self,
        root: RootId,
        byte: i64,
        domain: Domain,
        name: impl FnOnce() -> Option<String>,
        load: Value<'m>,
    ) -> Known {
        let global = match self.roots.get(root).origin {
            base_objects::Origin::Value(value) => {
                value.is_global() && byte == 0 && value.pointee() == Some(load.r#type())
            }
            _ => false,
        };
        // A global has its own name, not that of a variable it is assigned to.
        let variable = || if global { None } else { self.places.name(load) };
        let name = name().or_else(variable).or_else(|| {
            let object = self.roots.get(root);
            let name = object.name.clone();
            Some(if byte == 0 { name } else { format!("{name}_{byte}") }).filter(|name| !name.is_empty())
        });
        let param = match self.sizes.get(&(root, byte)) {
            Some(known) => *known,
            None => self.candidate(Origin::Extent, name, domain),
        };
        self.sizes.insert((root, byte), param);
        Known::integer(Expr::param(param).into())
    }

    /// Returns true if the function writes to the object itself, not only through pointers in it.
    pub(crate) fn is_written(&self, root: RootId) -> bool {
        let (mut root, mut depth) = (root, 0);
        loop {
            match self.roots.get(root).origin {
                base_objects::Origin::Value(value) => return self.written.contains(value, depth),
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
