//! Calls: the body of the callee is read in the place of the call.

use melior::ir::operation::OperationLike;
use symloc_affine::Node;

use crate::ffi::{self, Op};
use crate::select;
use crate::values::op_results;
use crate::walk::Walker;

impl<'a> Walker<'a, '_> {
    pub(crate) fn call(&mut self, op: Op<'a>) -> Vec<Node> {
        let callee = ffi::text_attribute(op, "callee").and_then(|name| self.callee(op, &name));
        let Some(callee) = callee else {
            self.refuse(op, "func.call");
            return Vec::new();
        };
        if self.callees.contains(&callee) {
            let error = self.error(op, "this call is recursive").note("how deep it goes is not known here");
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

    /// The function of this name in the nearest module that has one with a body.
    fn callee(&self, op: Op<'a>, name: &str) -> Option<Op<'a>> {
        let parents = std::iter::successors(op.parent_operation(), |op| op.parent_operation());
        let mut modules = parents.filter(|op| ffi::name(*op) == "builtin.module");
        modules.find_map(|module| select::defined(module, name))
    }
}
