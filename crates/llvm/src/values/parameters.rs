//! The candidates for parameters: integer arguments, and integers in memory that is never written.

use std::collections::BTreeMap;

use symloc_affine::{Atom, Constraint, Expr, Overflow, ParamId};
use symloc_frontend::assumed::{Assumed, freed};
use symloc_frontend::cases::Cases;
use symloc_frontend::raising::Reason;
use symloc_frontend::{Candidate, Domain, Origin};

use crate::input::fixed::{Fixed, FixedArgument, FixedInMemory};
use crate::ir::ffi::Value;
use crate::memory::base_objects::{self, RootId};
use crate::values::environment::Values;
use crate::values::lattice::{Known, Pointer};

impl<'m> Values<'m> {
    /// Makes the members of a structure that is passed as one integer candidates of their own.
    pub(super) fn name_members(&mut self, argument: Value<'m>, index: usize) {
        let mut params: BTreeMap<u32, ParamId> = BTreeMap::new();
        for (bits, part) in self.uses.members(argument) {
            let whole = self.places.name(argument).unwrap_or_default();
            let whole = whole.strip_suffix(".coerce").unwrap_or(&whole);
            let name = if bits == 0 { whole.to_owned() } else { format!("{whole}_{}", bits / 8) };
            let param = match params.get(&bits) {
                Some(param) => *param,
                None => self.candidate(Origin::Argument(index), Some(name), self.uses.domain(part), Some(part)),
            };
            params.insert(bits, param);
            self.members.insert(part, param);
        }
    }

    /// Returns the value of an argument that is a truth value.
    pub(super) fn truth_value(&self, param: ParamId) -> Known {
        let is_set = Expr::param(param).plus_constant(-1).map(Constraint::non_negative);
        let is_set = is_set.map(|is_set| Cases::when(vec![is_set], Cases::Always(true), Cases::Always(false)));
        is_set.map_or_else(|_| Known::Unknown(Reason::new("it is not known here", None, None)), Known::Flag)
    }

    /// Makes a value a candidate.
    pub(super) fn candidate(
        &mut self,
        origin: Origin,
        name: Option<String>,
        domain: Domain,
        value: Option<Value<'m>>,
    ) -> ParamId {
        let most = value.and_then(|value| self.uses.largest_of_few_bits(value));
        let id = ParamId(u32::try_from(self.candidates.len()).unwrap_or(u32::MAX));
        self.candidates.push(Candidate { origin, name, domain, most });
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
                let most = self.uses.largest_of_few_bits(argument).unwrap_or((1 << (width - 1)) - 1);
                let room = Expr::constant(most).minus(&Expr::param(ParamId(param)));
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
    pub(super) fn hear(&mut self) {
        let heard = self.said.of(&self.candidates);
        for param in freed(&heard, &self.candidates) {
            self.set_domain(param, Domain::Any);
        }
        for condition in heard.into_iter().filter(|condition| !self.assumed.contains(condition)).collect::<Vec<_>>() {
            self.add_fact(condition.clone());
            self.assumed.push(condition);
        }
    }

    /// Adds a fact, also as it is where parameters have the one value that they have: the program has that in their place.
    fn add_fact(&mut self, fact: Constraint) {
        let value = |param: ParamId| {
            let fixed = |value: &(ParamId, i64)| (value.0 == param).then(|| Ok(Expr::constant(value.1)));
            self.fixed.iter().find_map(fixed)
        };
        let with_values = fact.expr.replace(&|atom| match atom {
            Atom::Param(param) => value(*param),
            Atom::Iter(_) | Atom::Floor(..) => None,
        });
        let with_values: Result<Expr, Overflow> = with_values;
        self.ranges.add_fact(fact.clone());
        let with_values = with_values.ok().filter(|expr| *expr != fact.expr && expr.as_constant().is_none());
        with_values.into_iter().for_each(|expr| self.ranges.add_fact(Constraint { expr, ..fact }));
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
                let param = self.candidate(Origin::Extent, Some(name), Domain::Any, None);
                self.sizes.insert((root, byte), param);
                self.fix_param(param, value);
            }
        }
    }

    fn fix_param(&mut self, param: ParamId, value: i64) {
        self.set_domain(param, Domain::Any);
        self.assumed.extend(Constraint::equal(&Expr::param(param), value));
        self.fixed.push((param, value));
        self.ranges.facts().to_vec().into_iter().for_each(|fact| self.add_fact(fact));
    }

    /// Returns the candidates for parameters.
    pub(crate) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Returns an integer in memory that the function never writes: a parameter.
    pub(crate) fn size_in_memory(&mut self, load: Value<'m>, root: RootId, byte: i64) -> Known {
        if !self.uses.members(load).is_empty() {
            let hint = "read each of them by itself, or pass the structure by its address";
            return Known::Unknown(Reason::new(
                "it is one of several members that are read as one number",
                None,
                Some(hint),
            ));
        }
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
            None => self.candidate(Origin::Extent, name, domain, Some(load)),
        };
        self.sizes.insert((root, byte), param);
        Known::integer(Expr::param(param).into())
    }
}
