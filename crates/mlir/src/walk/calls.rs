//! Calls: the body of the callee is walked in place of the call. Some functions without a body are known by their
//! names; the user may declare that others touch no array.

use melior::ir::ValueLike;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::TypeLike;
use symloc_affine::{AssumptionKind, Node};
use symloc_frontend::{Diagnostic, library};

use super::walker::Walker;
use crate::ffi::{self, Definition, Op, Val, definition, op_results};
use crate::input::select;
use crate::ops::unsupported;

/// The name that `upgrade` gives to calls of functions of the LLVM dialect in old text.
pub(crate) const LLVM_CALL: &str = "symloc.llvm_call";

impl<'a> Walker<'a, '_> {
    pub(crate) fn call(&mut self, op: Op<'a>) -> Vec<Node> {
        let callee = ffi::text_attribute(op, "callee").and_then(|name| select::callee(op, &name));
        let Some(callee) = callee else { return self.call_library(op) };
        if self.callees.contains(&callee) {
            let error = self.error(op, "this call is recursive").note("the depth of the recursion is not known");
            self.push_error(error.hint("write the recursion as a loop"));
            self.values.refuse(op);
            return Vec::new();
        }
        self.values.calls += 1;
        for (argument, operand) in ffi::arguments(callee).into_iter().zip(op.operands()) {
            self.values.pass(argument, operand);
        }
        self.callees.push(callee);
        let regions = ffi::regions(callee);
        let mut nodes = self.call_border();
        for &region in &regions {
            nodes.extend(self.region(region));
        }
        nodes.extend(self.call_border());
        self.callees.pop();
        let returned = regions.first().and_then(|&region| ffi::operations(region).last());
        for (position, result) in op_results(op).into_iter().enumerate() {
            let value = returned.and_then(|op| op.operand(position).ok());
            self.values.set(result, value.and_then(|value| self.values.get(value).cloned()));
        }
        nodes
    }

    /// Walks a call of a function without a body.
    pub(crate) fn call_library(&mut self, op: Op<'a>) -> Vec<Node> {
        let Some(name) = ffi::text_attribute(op, "callee") else {
            return self.call_outside(op, "", library::indirect());
        };
        let mut values = op.operands().chain(op_results(op));
        let harmless = match library::prints(&name) {
            true => values.all(|value| is_scalar(value) || is_constant_address(value)),
            false => library::is_pure(&name) && values.all(is_scalar),
        };
        if !harmless {
            return self.call_outside(op, &name, library::unknown(&name));
        }
        self.values.define(op);
        self.registers(op)
    }

    /// Walks a call of an unknown function, which `--ignore-calls` may leave out.
    pub(crate) fn call_outside(&mut self, op: Op<'a>, name: &str, error: Diagnostic) -> Vec<Node> {
        if library::is_ignored(self.ignored_calls, name) {
            self.assuming(op, AssumptionKind::IgnoredCall, library::ignored(name));
            self.values.define(op);
        } else {
            self.push_error(error.at(self.places.of(op)));
            self.values.refuse(op);
        }
        Vec::new()
    }
}

fn is_scalar(value: Val) -> bool {
    let kind = value.r#type();
    kind.is_index() || kind.is_integer() || kind.is_float()
}

/// Returns true for the address of a global of the LLVM dialect, which is not a memref.
fn is_constant_address(value: Val) -> bool {
    match definition(value) {
        Definition::Result { op } => match ffi::name(op).as_str() {
            "llvm.getelementptr" | "llvm.bitcast" => op.operand(0).is_ok_and(is_constant_address),
            name => unsupported::is_address(name),
        },
        Definition::Argument { .. } => false,
    }
}
