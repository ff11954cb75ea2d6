//! The values of attributes.

use melior::ir::attribute::{
    ArrayAttribute, AttributeLike, DenseElementsAttribute, DenseI64ArrayAttribute, DictionaryAttribute,
    IntegerAttribute,
};
use melior::ir::operation::OperationLike;
use melior::ir::r#type::{IntegerType, TypeLike};
use melior::ir::{AffineExpr, AffineMap, Attribute};
use mlir_sys::{
    mlirAffineMapAttrGetValue, mlirAttributeIsAAffineMap, mlirAttributeIsABool, mlirAttributeIsAFlatSymbolRef,
    mlirAttributeIsAIntegerSet, mlirAttributeIsAString, mlirBoolAttrGetValue, mlirFlatSymbolRefAttrGetValue,
    mlirIntegerSetAttrGetValue, mlirIntegerSetGetConstraint, mlirIntegerSetGetNumConstraints, mlirIntegerSetGetNumDims,
    mlirIntegerSetIsConstraintEq, mlirStringAttrGetValue,
};
use symloc_affine::Relation;

use super::{Op, string};

/// Returns the text of a string or symbol reference attribute.
pub(crate) fn text_attribute(op: Op, name: &str) -> Option<String> {
    text(op.attribute(name).ok()?)
}

/// Returns the texts in the list attribute with this name, for each argument of a function; empty for those without
/// one.
pub(crate) fn argument_texts(function: Op, name: &str) -> Vec<Vec<String>> {
    let Ok(all) = function.attribute("arg_attrs").and_then(ArrayAttribute::try_from) else { return Vec::new() };
    let texts = |list: Attribute| {
        let list = ArrayAttribute::try_from(list).ok()?;
        (0..list.len()).map(|i| text(list.element(i).ok()?)).collect::<Option<Vec<_>>>()
    };
    let of = |i| DictionaryAttribute::try_from(all.element(i).ok()?).ok()?.element_by_name(name).and_then(texts);
    (0..all.len()).map(|i| of(i).unwrap_or_default()).collect()
}

/// Returns the text attribute with this name, for each argument of a function.
pub(crate) fn argument_text(function: Op, name: &str) -> Vec<Option<String>> {
    let Ok(all) = function.attribute("arg_attrs").and_then(ArrayAttribute::try_from) else { return Vec::new() };
    let of = |i| DictionaryAttribute::try_from(all.element(i).ok()?).ok()?.element_by_name(name).and_then(text);
    (0..all.len()).map(of).collect()
}

fn text(attribute: Attribute) -> Option<String> {
    let raw = attribute.to_raw();
    // SAFETY: the kind of the attribute is checked first; its text is owned by the context.
    unsafe {
        if mlirAttributeIsAFlatSymbolRef(raw) {
            Some(string(mlirFlatSymbolRefAttrGetValue(raw)))
        } else if mlirAttributeIsAString(raw) {
            Some(string(mlirStringAttrGetValue(raw)))
        } else {
            None
        }
    }
}

/// Returns the value of an affine map attribute.
pub(crate) fn affine_map<'a>(attribute: Attribute<'a>) -> Option<AffineMap<'a>> {
    let raw = attribute.to_raw();
    // SAFETY: the kind of the attribute is checked first; the map is owned by the context.
    unsafe { mlirAttributeIsAAffineMap(raw).then(|| AffineMap::from_raw(mlirAffineMapAttrGetValue(raw))) }
}

/// An integer set: a conjunction of constraints on dimensions and symbols.
pub(crate) struct IntegerSet<'a> {
    pub(crate) dims: usize,
    pub(crate) constraints: Vec<SetConstraint<'a>>,
}

/// A constraint of an integer set.
pub(crate) struct SetConstraint<'a> {
    pub(crate) expr: AffineExpr<'a>,
    pub(crate) relation: Relation,
}

/// Returns the value of an integer set attribute.
pub(crate) fn integer_set<'a>(attribute: Attribute<'a>) -> Option<IntegerSet<'a>> {
    let raw = attribute.to_raw();
    // SAFETY: the kind of the attribute is checked first, positions are below the count, and the context owns all
    // parts.
    unsafe {
        if !mlirAttributeIsAIntegerSet(raw) {
            return None;
        }
        let set = mlirIntegerSetAttrGetValue(raw);
        let constraint = |i| SetConstraint {
            expr: AffineExpr::from_raw(mlirIntegerSetGetConstraint(set, i)),
            relation: if mlirIntegerSetIsConstraintEq(set, i) { Relation::Zero } else { Relation::NonNegative },
        };
        let constraints = (0..mlirIntegerSetGetNumConstraints(set)).map(constraint).collect();
        Some(IntegerSet { dims: mlirIntegerSetGetNumDims(set).unsigned_abs(), constraints })
    }
}

/// Returns an integer attribute of at most 64 bits.
pub(crate) fn integer(op: Op, name: &str) -> Option<i64> {
    let attribute = op.attribute(name).ok()?;
    let kind = attribute.r#type();
    let fits = kind.is_index() || IntegerType::try_from(kind).is_ok_and(|integer| integer.width() <= 64);
    IntegerAttribute::try_from(attribute).ok().filter(|_| fits).map(|integer| integer.value())
}

/// Returns the integers of a list attribute of any kind.
pub(crate) fn integers(op: Op, name: &str) -> Option<Vec<i64>> {
    integer_list(op.attribute(name).ok()?)
}

fn integer_list(attribute: Attribute) -> Option<Vec<i64>> {
    if let Ok(list) = DenseI64ArrayAttribute::try_from(attribute) {
        return (0..list.len()).map(|i| list.element(i).ok()).collect();
    }
    if let Ok(list) = DenseElementsAttribute::try_from(attribute) {
        return (0..list.len()).map(|i| list.i32_element(i).ok().map(i64::from)).collect();
    }
    let list = ArrayAttribute::try_from(attribute).ok()?;
    (0..list.len()).map(|i| IntegerAttribute::try_from(list.element(i).ok()?).ok().map(|i| i.value())).collect()
}

/// Returns an attribute that is a list of lists of positions.
pub(crate) fn nested_integers(op: Op, name: &str) -> Option<Vec<Vec<usize>>> {
    let list = ArrayAttribute::try_from(op.attribute(name).ok()?).ok()?;
    let group = |i| {
        let positions = integer_list(list.element(i).ok()?)?;
        positions.into_iter().map(|p| usize::try_from(p).ok()).collect()
    };
    (0..list.len()).map(group).collect()
}

/// Returns an attribute that is a truth value.
pub(crate) fn boolean(op: Op, name: &str) -> Option<bool> {
    truth(op.attribute(name).ok()?)
}

/// Returns an attribute that is a list of truth values.
pub(crate) fn booleans(op: Op, name: &str) -> Option<Vec<bool>> {
    let list = ArrayAttribute::try_from(op.attribute(name).ok()?).ok()?;
    (0..list.len()).map(|i| truth(list.element(i).ok()?)).collect()
}

fn truth(attribute: Attribute) -> Option<bool> {
    let raw = attribute.to_raw();
    // SAFETY: the kind of the attribute is checked first.
    unsafe { mlirAttributeIsABool(raw).then(|| mlirBoolAttrGetValue(raw)) }
}
