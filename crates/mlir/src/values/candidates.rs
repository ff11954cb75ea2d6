//! The candidates for parameters: the integer arguments of the function, and extents with a name.

use std::collections::BTreeMap;

use melior::ir::ValueLike;
use melior::ir::r#type::TypeLike;
use symloc_affine::{Constraint, Expr, ParamId};
use symloc_frontend::assumed::{Assumed, freed};
use symloc_frontend::cases::Cases;
use symloc_frontend::{Candidate, Domain, Origin};

use super::uses::Uses;
use super::{Known, Values};
use crate::ffi::{self, is_flag, is_integer};
use crate::input::fixed::Fixed;
use crate::memory::{Memory, Root};

/// The attribute of an argument with a name for each of its extents; empty for one without.
const DIMENSIONS: &str = "symloc.dims";
/// The attribute in onnx-mlir's form: `"0:batch,2:height"`.
const ONNX_DIMENSIONS: &str = "onnx.dim_params";

/// Returns the names in onnx-mlir's form, with their dimensions.
fn numbered(text: &Option<String>) -> Vec<(usize, String)> {
    let entry = |entry: &str| {
        let (dimension, name) = entry.split_once(':')?;
        let name = name.trim();
        (!name.is_empty()).then_some((dimension.trim().parse().ok()?, name.to_owned()))
    };
    text.iter().flat_map(|text| text.split(',')).filter_map(entry).collect()
}

impl<'a> Values<'a, '_> {
    /// Makes integer arguments candidates, and memrefs arrays.
    pub(super) fn introduce_arguments(&mut self) {
        let uses = Uses::new(self.function);
        for (index, argument) in ffi::arguments(self.function).into_iter().enumerate() {
            if is_integer(argument.r#type()) {
                let name = self.places.ssa_name(argument).map(str::to_owned);
                let param = self.candidate_in(uses.domain(argument), Origin::Argument(index), name);
                self.set(argument, Some(Known::Index(Cases::Always(Expr::param(param)))));
            } else if is_flag(argument.r#type()) {
                let name = self.places.ssa_name(argument).map(str::to_owned);
                let param = self.candidate_in(Domain::Flag, Origin::Argument(index), name);
                self.set(argument, truth_value(param).map(Known::Flag));
            } else if argument.r#type().is_mem_ref() || argument.r#type().is_unranked_mem_ref() {
                let memory = Memory::of_root(Root::Argument(index), argument, &[]);
                self.set(argument, Some(Known::Memory(Ok(memory))));
            }
        }
    }

    /// Makes the extents of arguments with a name in an attribute candidates; equal names are one.
    pub(super) fn name_extents(&mut self) {
        let mut named: BTreeMap<String, ParamId> = BTreeMap::new();
        let ours =
            ffi::argument_texts(self.function, DIMENSIONS).into_iter().map(|names| names.into_iter().enumerate());
        let ours = ours.map(|names| names.filter(|(_, name)| !name.is_empty()).collect::<Vec<_>>()).enumerate();
        let theirs =
            ffi::argument_text(self.function, ONNX_DIMENSIONS).into_iter().map(|text| numbered(&text)).enumerate();
        for (argument, names) in ours.chain(theirs) {
            for (dimension, name) in names {
                let param = match named.get(&name) {
                    Some(&param) => param,
                    None => self.candidate(Origin::Extent, Some(name.clone())),
                };
                named.insert(name, param);
                self.extents.insert((Root::Argument(argument), dimension), param);
            }
        }
    }

    /// Returns the name in `--assume` of a value that is an argument, if it has one.
    pub(crate) fn argument_name(&self, value: &Cases<Expr>) -> Option<String> {
        let Cases::Always(value) = value else { return None };
        let is_it = |position: usize, candidate: &Candidate| {
            let param = u32::try_from(position).map(|position| Expr::param(ParamId(position)));
            matches!(candidate.origin, Origin::Argument(_)) && param.as_ref() == Ok(value)
        };
        let (_, argument) = self.candidates.iter().enumerate().find(|(position, c)| is_it(*position, c))?;
        Assumed::default().name(argument.name.as_deref()?)
    }

    /// Returns conditions that give each argument that has become a constant its value.
    pub(crate) fn fix(&mut self, fixed: &[Fixed]) -> Vec<Constraint> {
        let mut conditions = Vec::new();
        for Fixed { name, value } in fixed {
            let is_it = |c: &Candidate| matches!(c.origin, Origin::Argument(_)) && c.name.as_ref() == Some(name);
            let param = self.candidates.iter().position(is_it).and_then(|position| u32::try_from(position).ok());
            let Some(param) = param.map(ParamId) else { continue };
            conditions.extend(Constraint::equal(&Expr::param(param), *value));
        }
        conditions
    }

    /// Adds the conditions of `--assume` on arguments as facts; arguments that they allow to be 0 or negative may be
    /// any integers.
    pub(crate) fn assume(&mut self, assumed: &Assumed) {
        let arguments = self.candidates.iter().take_while(|c| matches!(c.origin, Origin::Argument(_))).count();
        let conditions = assumed.of(&self.candidates[..arguments]);
        for param in freed(&conditions, &self.candidates) {
            self.candidates[param.index()].domain = Domain::Any;
            self.ranges.set_domain(param, Domain::Any);
        }
        conditions.into_iter().for_each(|condition| self.ranges.add_fact(condition));
    }

    fn candidate_in(&mut self, domain: Domain, origin: Origin, name: Option<String>) -> ParamId {
        let param = self.candidate_of(Candidate { domain, ..Candidate::size(origin, name) });
        if domain != Domain::Size {
            self.ranges.set_domain(param, domain);
        }
        param
    }

    fn candidate(&mut self, origin: Origin, name: Option<String>) -> ParamId {
        self.candidate_of(Candidate::size(origin, name))
    }

    pub(crate) fn candidate_of(&mut self, candidate: Candidate) -> ParamId {
        let id = ParamId(self.candidates.len() as u32);
        self.candidates.push(candidate);
        id
    }

    /// Returns the candidates for parameters.
    pub(crate) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Returns the candidates for parameters; a [`ParamId`] in an expression is an index into this list.
    pub(crate) fn into_candidates(self) -> Vec<Candidate> {
        self.candidates
    }

    /// Returns the parameter for a dynamic extent, which is made, with this name, on the first call.
    pub(crate) fn extent_param(&mut self, root: &Root, dimension: usize, name: Option<String>) -> ParamId {
        let key = (root.clone(), dimension);
        if let Some(&param) = self.extents.get(&key) {
            return param;
        }
        let param = self.candidate(Origin::Extent, name);
        self.extents.insert(key, param);
        param
    }

    /// Returns the extent that a parameter is, if it is one.
    pub(crate) fn extent_with(&self, param: ParamId) -> Option<(Root, usize)> {
        self.extents.iter().find(|(_, known)| **known == param).map(|(extent, _)| extent.clone())
    }

    /// Returns the parameter for a dynamic extent, if it has been made.
    pub(crate) fn known_extent(&self, root: &Root, dimension: usize) -> Option<ParamId> {
        self.extents.get(&(root.clone(), dimension)).copied()
    }
}

/// Returns the value of an argument that is a truth value: a parameter that is 0 or 1.
fn truth_value(param: ParamId) -> Option<Cases<bool>> {
    let is_set = Constraint::non_negative(Expr::param(param).plus_constant(-1).ok()?);
    Some(Cases::when(vec![is_set], Cases::Always(true), Cases::Always(false)))
}
