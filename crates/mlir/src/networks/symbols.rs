//! Symbolic sizes of PyTorch's exporter.
//!
//! ```text
//! %0 = torch.symbolic_int "s0" {min_val = 2, max_val = 100} : !torch.int
//! torch.bind_symbolic_shape %arg1, [%0], affine_map<()[s0] -> (s0, 64)> : !torch.vtensor<[?,64],f32>
//! ```
//!
//! These lines mean that extent 0 of the argument is the size `s0`. torch-mlir does not lower them, so they are
//! removed, and the names of the extents of arguments become attributes `symloc.dims`. Line numbers stay the same.

use std::collections::BTreeMap;

/// Removes symbolic sizes from a text, and adds their names to the arguments of functions.
pub(super) fn named(text: &str) -> String {
    let mut symbols: BTreeMap<&str, &str> = BTreeMap::new();
    let mut signature = None;
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let code = line.trim_start();
        if code.starts_with("func.func ") {
            signature = Some(lines.len());
            symbols.clear();
        }
        if let Some((value, name)) = symbol(code) {
            symbols.insert(value, name);
            lines.push(String::new());
        } else if let Some(bound) = code.strip_prefix("torch.bind_symbolic_shape ") {
            if let Some(signature) = signature.and_then(|index: usize| lines.get_mut(index)) {
                bind(bound, &symbols, signature);
            }
            lines.push(String::new());
        } else {
            lines.push(line.to_owned());
        }
    }
    lines.join("\n") + "\n"
}

/// Returns `%0` and `s0` of `%0 = torch.symbolic_int "s0" …`.
fn symbol(code: &str) -> Option<(&str, &str)> {
    let (value, operation) = code.split_once(" = ")?;
    let name = operation.strip_prefix("torch.symbolic_int \"")?;
    Some((value, name.split_once('"')?.0))
}

/// Adds names to an argument in the line of its function, if the value is one.
fn bind(bound: &str, symbols: &BTreeMap<&str, &str>, signature: &mut String) {
    let Some(names) = names(bound, symbols) else { return };
    let argument = bound.split([',', ' ']).next().unwrap_or_default();
    let start = format!("{argument}: ");
    let Some(start) = signature.find(&start).map(|at| at + start.len()) else { return };
    let Some(end) = end_of_type(&signature[start..]) else { return };
    if !signature[start + end..].trim_start().starts_with('{') {
        let list: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
        signature.insert_str(start + end, &format!(" {{symloc.dims = [{}]}}", list.join(", ")));
    }
}

/// Returns the end of the type at the start of a text.
fn end_of_type(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.find(|c: char| {
        depth += i32::from("<[".contains(c)) - i32::from(">]".contains(c));
        depth == 0 && ",) ".contains(c)
    })
}

/// Returns the name of each extent; empty for one that is not a symbol.
fn names<'t>(bound: &str, symbols: &BTreeMap<&str, &'t str>) -> Option<Vec<&'t str>> {
    let operands: Vec<_> = bound.split_once('[')?.1.split_once(']')?.0.split(',').map(str::trim).collect();
    let map = bound.split_once("affine_map<()[")?.1;
    let (formal, results) = map.split_once("] -> (")?;
    let results = results.split_once(")>")?.0;
    let actual: BTreeMap<_, _> = formal.split(',').map(str::trim).zip(operands).collect();
    let name = |extent: &str| actual.get(extent.trim()).and_then(|operand| symbols.get(operand)).copied();
    Some(results.split(',').map(|extent| name(extent).unwrap_or_default()).collect())
}
