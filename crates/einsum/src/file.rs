//! `.einsum` files: an expression, and optionally the loop nests that compute it.
//!
//! ```text
//! # Two products of matrices: from the left, into a temporary.
//! out = einsum('ik,kl,lj->ij', A, B, C)
//! T[i,l] = A[i,k] * B[k,l]
//! for i, l, j: out[i,j] += T[i,l] * C[l,j]
//! ```
//!
//! A line is one of these; `#` starts a comment:
//!
//! ```text
//! first line  = name "=" "einsum" "(" "'" expression "'" { "," name } ")"      the result and the operands
//!             | expression                                                    A, B, … and out
//! other lines = [ "for" index { "," index } ":" ] access assignment
//! assignment  = "=" "0" | "=" [ "sum" ] product | "+=" product
//! product     = access { "*" access }
//! access      = name [ "[" index { "," index } "]" ]
//! ```
//!
//! The meaning of the statements is defined in [`kernel`](crate::kernel). Names that are not in the first line are temporaries. Without
//! statements the nests are those of [`Kernel::from_expression`].

use symloc_affine::is_name;

use crate::error::{Diagnostic, Place};
use crate::expression::{Expression, IndexLetter};
use crate::kernel::{ArrayAccess, ArrayId, Form, Kernel, KernelArray, KernelStatement};
use crate::tokens::{Token, TokenKind, Tokens};

/// Words that a statement may start with.
const KEYWORDS: [&str; 3] = ["einsum", "for", "sum"];

/// Reads a file, whose stem becomes the function's name. There may be no statements.
///
/// # Errors
///
/// All lines that cannot be parsed; only the first one if that is among them.
pub(crate) fn parse(source: &str, text: &str) -> Result<Kernel, Vec<Diagnostic>> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.split('#').next().unwrap_or("")));
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let Some((number, first)) = lines.next() else {
        return Err(vec![Diagnostic::new(Place::START, "an empty file").hint("start with an expression: `ij,jk->ik`")]);
    };
    let mut kernel = header(source, first, number).map_err(|error| vec![error])?;
    let mut errors = Vec::new();
    for (number, line) in lines {
        let statement = Tokens::new(line, number).and_then(|tokens| statement(&mut kernel, tokens));
        match statement {
            Ok(statement) => kernel.statements.push(statement),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(kernel) } else { Err(errors) }
}

/// Returns the stem of a path as an identifier.
fn function_name(source: &str) -> String {
    let file = source.rsplit(['/', '\\']).next().unwrap_or(source);
    let stem = file.strip_suffix(".einsum").unwrap_or(file);
    let name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { "einsum".to_owned() }
}

fn header(source: &str, line: &str, number: u32) -> Result<Kernel, Diagnostic> {
    let name = function_name(source);
    if line.contains('=') || line.contains('(') {
        return call(&name, source, Tokens::new(line, number)?);
    }
    let blank = line.chars().take_while(|c| c.is_whitespace()).count();
    let start = Place { line: number, column: 1 }.after(blank);
    Ok(Kernel::unnamed(&name, source, Expression::parse(line.trim(), start)?))
}

/// Parses `out = einsum('ik,kj->ij', A, B)`.
fn call(name: &str, source: &str, mut tokens: Tokens<'_>) -> Result<Kernel, Diagnostic> {
    let (result, result_place) = tokens.name("the name of the result")?;
    tokens.expect("=")?;
    tokens.expect("einsum")?;
    tokens.expect("(")?;
    let quoted = tokens.next();
    if quoted.kind != TokenKind::Text {
        return Err(Diagnostic::new(quoted.place, "expected an expression in quotes"));
    }
    let expression = Expression::parse(quoted.text, quoted.place.after(1))?;
    let mut names = Vec::new();
    while tokens.accept(",") {
        names.push(tokens.name("the name of an operand")?);
    }
    let end = tokens.expect(")")?;
    tokens.end()?;
    let count = expression.operands.len();
    if names.len() != count {
        let message = format!("{} names for the {count} operands of `{expression}`", names.len());
        return Err(Diagnostic::new(end, message));
    }
    let mut kernel = Kernel::bare(name, source, expression);
    for (position, (name, place)) in names.into_iter().enumerate() {
        let indices = kernel.expression.operands[position].indices.clone();
        let id = array(&mut kernel, name, indices, place)?;
        kernel.operands.push(id);
    }
    if kernel.arrays.iter().any(|array| array.name == result) {
        return Err(Diagnostic::new(result_place, format!("the result `{result}` is also an operand")));
    }
    let indices = kernel.expression.output.indices.clone();
    kernel.result = array(&mut kernel, result, indices, result_place)?;
    Ok(kernel)
}

fn statement(kernel: &mut Kernel, mut tokens: Tokens<'_>) -> Result<KernelStatement, Diagnostic> {
    let order = tokens.accept("for").then(|| order(kernel, &mut tokens)).transpose()?;
    let target = target(kernel, &mut tokens)?;
    let (form, factors) = assignment(kernel, &mut tokens)?;
    tokens.end()?;
    if let Some(factor) = factors.iter().find(|factor| factor.array == target.array) {
        let name = &kernel.array(target.array).name;
        let error = Diagnostic::new(factor.place, format!("`{name}` is on both sides"));
        return Err(error.hint("use another array for the new value"));
    }
    let mut statement = KernelStatement::new(&kernel.arrays, target, form, factors);
    if let Some((order, place)) = order {
        statement.order = reordered(kernel, &statement, order, place)?;
    }
    Ok(statement)
}

/// Parses `i, j:` behind `for`, and returns its place too.
fn order(kernel: &Kernel, tokens: &mut Tokens<'_>) -> Result<(Vec<IndexLetter>, Place), Diagnostic> {
    let place = tokens.place();
    let indices = indices(kernel, tokens)?;
    tokens.expect(":")?;
    Ok((indices, place))
}

/// Checks an order of loops: it has all indices of the statement, and a sum is zeroed outside of its loops.
fn reordered(
    kernel: &Kernel,
    statement: &KernelStatement,
    order: Vec<IndexLetter>,
    place: Place,
) -> Result<Vec<IndexLetter>, Diagnostic> {
    let list = |indices: &[IndexLetter]| indices.iter().map(IndexLetter::to_string).collect::<Vec<_>>().join(", ");
    let (mut wanted, mut found) = (statement.order.clone(), order.clone());
    wanted.sort_unstable();
    found.sort_unstable();
    if wanted != found {
        let message = format!("the loops of this statement are {}, in any order", list(&statement.order));
        return Err(Diagnostic::new(place, message));
    }
    let target = &kernel.array(statement.target.array).indices;
    let summed_outside = order.iter().take(target.len()).find(|index| !target.contains(index));
    match (statement.form, summed_outside) {
        (Form::Memory | Form::Register, Some(index)) => {
            let message = format!("the sum over `{index}` would start anew inside of its loop");
            let hint = "set the array to zero in a statement of its own, then add to it with `+=`";
            Err(Diagnostic::new(place, message).hint(hint))
        }
        _ => Ok(order),
    }
}

fn target(kernel: &mut Kernel, tokens: &mut Tokens<'_>) -> Result<ArrayAccess, Diagnostic> {
    let access = access(kernel, tokens)?;
    let array = kernel.array(access.array);
    if kernel.operands.contains(&access.array) {
        return Err(Diagnostic::new(access.place, format!("`{}` is an operand and keeps its value", array.name)));
    }
    if let Some(twice) = array.indices.iter().find(|i| array.indices.iter().filter(|j| i == j).count() > 1) {
        let message = format!("`{twice}` twice: only the diagonal of `{}` would be assigned", array.name);
        return Err(Diagnostic::new(access.place, message));
    }
    Ok(access)
}

fn assignment(kernel: &mut Kernel, tokens: &mut Tokens<'_>) -> Result<(Form, Vec<ArrayAccess>), Diagnostic> {
    let form = if tokens.accept("+=") {
        Form::Add
    } else {
        tokens.expect("=")?;
        if tokens.accept("0") {
            return Ok((Form::Zero, Vec::new()));
        }
        if tokens.accept("sum") { Form::Register } else { Form::Memory }
    };
    let mut factors = vec![access(kernel, tokens)?];
    while tokens.accept("*") {
        factors.push(access(kernel, tokens)?);
    }
    Ok((form, factors))
}

/// Parses `name[i,j]`, or `name` for a scalar.
fn access(kernel: &mut Kernel, tokens: &mut Tokens<'_>) -> Result<ArrayAccess, Diagnostic> {
    let (name, place) = tokens.name("an array")?;
    let mut subscripts = Vec::new();
    if tokens.accept("[") {
        subscripts = indices(kernel, tokens)?;
        tokens.expect("]")?;
    }
    Ok(ArrayAccess { array: array(kernel, name, subscripts, place)?, place })
}

fn indices(kernel: &Kernel, tokens: &mut Tokens<'_>) -> Result<Vec<IndexLetter>, Diagnostic> {
    let mut indices = vec![index(kernel, tokens.next())?];
    while tokens.accept(",") {
        indices.push(index(kernel, tokens.next())?);
    }
    Ok(indices)
}

fn index(kernel: &Kernel, token: Token<'_>) -> Result<IndexLetter, Diagnostic> {
    let mut letters = token.text.chars();
    let index = match (letters.next(), letters.next()) {
        (Some(letter), None) => IndexLetter::new(letter),
        _ => None,
    };
    let index = index.ok_or_else(|| Diagnostic::new(token.place, "expected an index, which is one letter"))?;
    match kernel.expression.indices().contains(&index) {
        true => Ok(index),
        false => Err(Diagnostic::new(token.place, format!("`{index}` is no index of `{}`", kernel.expression))),
    }
}

/// Returns the array of this name, which is new or has these indices.
fn array(kernel: &mut Kernel, name: &str, indices: Vec<IndexLetter>, place: Place) -> Result<ArrayId, Diagnostic> {
    let known = kernel.arrays.iter().position(|array| array.name == name);
    if let Some(position) = known {
        let known = &kernel.arrays[position];
        return match known.indices == indices {
            true => Ok(ArrayId(position)),
            false => {
                Err(Diagnostic::new(place, format!("`{name}` has the indices {} elsewhere", list(&known.indices)))
                    .hint("an array has the same indices wherever it occurs, because they are its sizes"))
            }
        };
    }
    let is_index = kernel.expression.indices().iter().any(|index| index.to_string() == name);
    if is_index {
        return Err(Diagnostic::new(place, format!("`{name}` is an index and cannot be an array")));
    }
    if !is_name(name) || KEYWORDS.contains(&name) {
        return Err(Diagnostic::new(place, format!("`{name}` is a reserved word and cannot be an array")));
    }
    Ok(kernel.add_array(KernelArray { name: name.to_owned(), indices, place }))
}

fn list(indices: &[IndexLetter]) -> String {
    format!("[{}]", indices.iter().map(IndexLetter::to_string).collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use crate::Kernel;

    /// Returns the rendering of all errors.
    fn errors(text: &str) -> String {
        match Kernel::from_file("k.einsum", text) {
            Ok(kernel) => panic!("accepted: {kernel:#?}"),
            Err(errors) => errors.to_string(),
        }
    }

    #[test]
    fn an_error_shows_its_line_and_what_to_do() {
        let text =
            "# a product\n\nY = einsum('ik,kj->ij', A, B)\nfor i, k, j: Y[i,j] = A[i,k] * B[k,j]   # k too early\n";
        let expected = "\
k.einsum:4:5: error: the sum over `k` would start anew inside of its loop
for i, k, j: Y[i,j] = A[i,k] * B[k,j]   # k too early
    ^
help: set the array to zero in a statement of its own, then add to it with `+=`
";
        assert_eq!(errors(text), expected);
    }

    #[test]
    fn the_errors_of_all_lines_are_told() {
        let text = "ik,kj->ij\nout[i,j] = A[i,k] * B[k,x]\nout[i,j] = \nT[i,j] + 1\n";
        let places: Vec<_> = errors(text).lines().filter(|l| l.starts_with("k.einsum")).map(str::to_owned).collect();
        assert_eq!(
            places,
            [
                "k.einsum:2:25: error: `x` is no index of `ik,kj->ij`",
                "k.einsum:3:11: error: expected an array",
                "k.einsum:4:8: error: unexpected `+`",
            ]
        );
    }

    #[test]
    fn first_lines_that_are_refused() {
        for (line, error) in [
            ("", "1:1: error: an empty file"),
            ("  ik,kj->im", "1:11: error: output index `m` is in no operand"),
            ("Y = einsum('ik,k!->i', A, B)", "1:17: error: unexpected `!`"),
            ("Y = einsum(ik, A)", "1:12: error: expected an expression in quotes"),
            ("Y = einsum('ik,kj->ij', A)", "1:26: error: 1 names for the 2 operands of `ik,kj->ij`"),
            ("Y = einsum('ik,kj->ij', A, A)", "1:28: error: `A` has the indices [i,k] elsewhere"),
            ("A = einsum('ik,kj->ij', A, B)", "1:1: error: the result `A` is also an operand"),
            ("Y = einsum('ik,kj->ij', i, B)", "1:25: error: `i` is an index and cannot be an array"),
            ("Y = einsum('ik,kj->ij', mod, B)", "1:25: error: `mod` is a reserved word and cannot be an array"),
            ("Y = einsum('ik,kj->ij', A, B) + C", "1:31: error: unexpected `+`"),
            ("Y = dot(A, B)", "1:5: error: expected `einsum`"),
            ("Y = einsum('ik", "1:12: error: unexpected `'`"),
        ] {
            assert!(errors(line).starts_with(&format!("k.einsum:{error}\n")), "{line}: {}", errors(line));
        }
    }

    #[test]
    fn statements_that_are_refused() {
        for (line, error) in [
            ("A[i,k] = 0", "2:1: error: `A` is an operand and keeps its value"),
            ("T[i,i] = A[i,k]", "2:1: error: `i` twice: only the diagonal of `T` would be assigned"),
            ("T[i] = T[i] * A[i,k]", "2:8: error: `T` is on both sides"),
            ("for i: Y[i,j] = 0", "2:5: error: the loops of this statement are i, j, in any order"),
            ("Y[j,i] = 0", "2:1: error: `Y` has the indices [i,j] elsewhere"),
            ("sum[i] = A[i,k]", "2:1: error: `sum` is a reserved word and cannot be an array"),
            ("T[ij] = 0", "2:3: error: expected an index, which is one letter"),
            ("T[] = 0", "2:3: error: expected an index, which is one letter"),
            ("T[i = 0", "2:5: error: expected `]`"),
            ("T[i] = 0 0", "2:10: error: unexpected `0`"),
            ("T[i] = A[i,k] B[k,j]", "2:15: error: unexpected `B`"),
        ] {
            let text = format!("Y = einsum('ik,kj->ij', A, B)\n{line}");
            assert!(errors(&text).starts_with(&format!("k.einsum:{error}\n")), "{line}: {}", errors(&text));
        }
    }

    #[test]
    fn statements_that_compute_something_else_are_refused() {
        for (lines, error) in [
            ("Y[i,j] = A[i,k]", "2:1: error: this is not `ik,kj->ij`: `B` is never a factor"),
            ("Y[i,j] = A[i,k]*B[k,j]*B[k,j]", "2:1: error: this is not `ik,kj->ij`: `B` is a factor twice, not once"),
            (
                "T[i] = A[i,k]\nY[i,j] = T[i]*B[k,j]",
                "3:1: error: this is not `ik,kj->ij`: index `k` is summed over twice, not once",
            ),
            ("T[i,k,j] = A[i,k]*B[k,j]", "1:1: error: `Y` has no value yet"),
            ("Y[i,j] += A[i,k]*B[k,j]", "2:1: error: `Y` has no value yet"),
            ("Y[i,j] = 0", "2:1: error: `Y` is only zero"),
            ("Y[i,j] = A[i,k]*B[k,j]\nY[i,j] += A[i,k]*B[k,j]", "3:1: error: `Y` is the sum of several products"),
            ("Y[i,j] = T[i]*B[k,j]", "2:10: error: `T` has no value yet"),
        ] {
            let text = format!("Y = einsum('ik,kj->ij', A, B)\n{lines}");
            assert!(errors(&text).starts_with(&format!("k.einsum:{error}")), "{lines}: {}", errors(&text));
        }
    }

    #[test]
    fn odd_texts_are_errors_and_not_panics() {
        for text in [
            "\0",
            "é = einsum",
            "Y = einsum('é->é', A)",
            "ij\n\u{301}[i]",
            "ij->\nfor",
            "i\nT[i] = \"",
            "=",
            "(",
            "i\n#\n==",
        ] {
            assert!(errors(text).starts_with("k.einsum:"), "{text}");
        }
    }

    #[test]
    fn operands_without_names_are_letters_that_are_no_index() {
        let kernel = Kernel::from_file("k.einsum", "AB,BC").unwrap();
        let names: Vec<_> = kernel.arrays.iter().map(|array| array.name.as_str()).collect();
        assert_eq!(names, ["D", "E", "out"]);
    }
}
