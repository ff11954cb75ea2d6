//! Attributes that are set on operations, and those by which LLVM knows that accesses of a loop do not depend on each
//! other.

use melior::Context;
use melior::ir::Attribute;
use melior::ir::attribute::{ArrayAttribute, AttributeLike};
use melior::ir::operation::OperationLike;
use mlir_sys::{MlirStringRef, mlirOperationSetAttributeByName};

use super::Op;

/// Sets an attribute of an operation.
pub(crate) fn set_attribute(op: Op, name: &str, attribute: Attribute) {
    let name = MlirStringRef { data: name.as_ptr().cast(), length: name.len() };
    // SAFETY: the operation and the attribute live, and the name for the call.
    unsafe { mlirOperationSetAttributeByName(op.to_raw(), name, attribute.to_raw()) };
}

/// Returns true if an operation has an attribute.
pub(crate) fn has_attribute(op: Op, name: &str) -> bool {
    op.attribute(name).is_ok()
}

/// The attributes of one loop whose accesses do not depend on those of its other iterations.
pub(crate) struct ParallelAccesses<'a> {
    /// That of the branch back to its head.
    pub(crate) loop_annotation: Attribute<'a>,
    /// That of its loads and stores.
    pub(crate) access_groups: Attribute<'a>,
}

impl<'a> ParallelAccesses<'a> {
    /// Returns the attributes for one more loop; `None` if MLIR cannot parse them.
    pub(crate) fn new(context: &'a Context) -> Option<Self> {
        context.get_or_load_dialect("llvm");
        // Two groups differ by the place where they are parsed, so both attributes are read at once.
        let group = "#llvm.access_group<id = distinct[0]<>>";
        let text = format!("[#llvm.loop_annotation<parallelAccesses = {group}>, [{group}]]");
        let both = ArrayAttribute::try_from(Attribute::parse(context, &text)?).ok()?;
        Some(Self { loop_annotation: both.element(0).ok()?, access_groups: both.element(1).ok()? })
    }
}
