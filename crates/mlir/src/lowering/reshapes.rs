//! `tensor.reshape` with a computed shape, rewritten as `collapse_shape` and `expand_shape`.
//!
//! A shape that is a tensor would become an array of a few integers, and the extents would not be known. If each
//! dimension of the source is known to be a product of dimensions of the result, or vice versa, no such array is
//! needed.

use melior::Context;
use melior::ir::operation::OperationLike;
use melior::ir::{Type, ValueLike};

use super::sizes::{Size, Sizes, elements};
use crate::ffi::{self, DYNAMIC, Op, Val};

/// Rewrites the reshapes of a function whose dimensions match.
pub(crate) fn rewrite(context: &Context, function: Op) {
    let reshapes: Vec<_> =
        ffi::all_within(function).into_iter().filter(|op| ffi::name(*op) == "tensor.reshape").collect();
    // In the order of the text, so that sizes are traced through reshapes that have been rewritten.
    for reshape in reshapes.into_iter().rev() {
        let sizes = Sizes::new(function);
        if let Some(result) = rewritten(context, reshape, &sizes) {
            let shape = reshape.operand(1).ok();
            ffi::replace(reshape, result);
            shape.into_iter().for_each(ffi::remove_unused);
        }
    }
}

/// Dimensions before and after the reshape that hold the same elements.
struct Group {
    before: std::ops::Range<usize>,
    behind: std::ops::Range<usize>,
    size: Size,
}

fn rewritten<'a>(context: &'a Context, reshape: Op<'a>, sizes: &Sizes) -> Option<Val<'a>> {
    let source = reshape.operand(0).ok()?;
    let result: Val = reshape.result(0).ok()?.into();
    let shape = elements(reshape.operand(1).ok()?)?;
    let (from, element) = ffi::tensor_shape(source.r#type())?;
    let (to, _) = ffi::tensor_shape(result.r#type())?;
    (shape.len() == to.len()).then_some(())?;
    let before: Vec<Size> = (0..from.len()).map(|d| sizes.extent(source, d)).collect();
    let asked = |(extent, value): (&Option<i64>, &Val)| match extent {
        Some(extent) => Size::constant(*extent),
        None => sizes.value(*value),
    };
    let behind: Vec<Size> = to.iter().zip(&shape).map(asked).collect();
    let groups = groups(&before, &behind)?;
    let kind = |sizes: &mut dyn Iterator<Item = &Size>| tensor(context, sizes, element);
    let at = |name: &str, operands: &[Val<'a>], kind: Type<'a>, attributes: &[(&str, String)]| {
        ffi::insert_before(context, reshape, name, operands, kind, attributes)
    };
    let cast = |value: Val<'a>, kind: Type<'a>| match value.r#type() == kind {
        true => Some(value),
        false => at("tensor.cast", &[value], kind, &[]),
    };
    let mut value = cast(source, kind(&mut before.iter())?)?;
    let merged = kind(&mut groups.iter().map(|group| &group.size))?;
    if groups.iter().any(|group| group.before.len() != 1) {
        let lists = reassociation(groups.iter().map(|group| group.before.clone()));
        value = at("tensor.collapse_shape", &[value], merged, &[("reassociation", lists)])?;
    }
    if groups.iter().any(|group| group.behind.len() != 1) {
        let lists = reassociation(groups.iter().map(|group| group.behind.clone()));
        let extents: Vec<_> = behind.iter().map(|size| size.as_constant().unwrap_or(DYNAMIC).to_string()).collect();
        let extents = format!("array<i64: {}>", extents.join(", "));
        let mut operands = vec![value];
        for (size, value) in behind.iter().zip(&shape).filter(|(size, _)| size.as_constant().is_none()) {
            let index = Type::index(context);
            let is_index = value.r#type() == index && size.as_constant().is_none();
            operands.push(if is_index { *value } else { at("arith.index_cast", &[*value], index, &[])? });
        }
        let attributes = [("reassociation", lists), ("static_output_shape", extents)];
        value = at("tensor.expand_shape", &operands, kind(&mut behind.iter())?, &attributes)?;
    }
    cast(value, result.r#type())
}

/// Splits the dimensions into the smallest groups of equal size; `None` if the sizes are not known to match.
fn groups(before: &[Size], behind: &[Size]) -> Option<Vec<Group>> {
    let (mut groups, mut i, mut j) = (Vec::new(), 0, 0);
    while i < before.len() && j < behind.len() {
        let (start, begin) = (i, j);
        let (mut left, mut right) = (before[i].clone(), behind[j].clone());
        (i, j) = (i + 1, j + 1);
        while left != right {
            if right.divided(&left).is_some() && i < before.len() {
                left = left.times(&before[i])?;
                i += 1;
            } else if left.divided(&right).is_some() && j < behind.len() {
                right = right.times(&behind[j])?;
                j += 1;
            } else {
                return None;
            }
        }
        groups.push(Group { before: start..i, behind: begin..j, size: left });
    }
    let last = groups.last_mut()?;
    // The dimensions that are left must have extent 1.
    let ones = |sizes: &[Size]| sizes.iter().all(|size| size.as_constant() == Some(1));
    (last.before.end, last.behind.end) = (before.len(), behind.len());
    (ones(&before[i..]) && ones(&behind[j..])).then_some(groups)
}

fn tensor<'a>(context: &'a Context, sizes: &mut dyn Iterator<Item = &Size>, element: Type<'a>) -> Option<Type<'a>> {
    let extent = |size: &Size| size.as_constant().map_or("?x".to_owned(), |extent| format!("{extent}x"));
    Type::parse(context, &format!("tensor<{}{element}>", sizes.map(extent).collect::<String>()))
}

/// Returns the text of an attribute such as `[[0, 1], [2]]`.
fn reassociation(groups: impl Iterator<Item = std::ops::Range<usize>>) -> String {
    let list =
        |group: std::ops::Range<usize>| format!("[{}]", group.map(|d| d.to_string()).collect::<Vec<_>>().join(", "));
    format!("[{}]", groups.map(list).collect::<Vec<_>>().join(", "))
}
