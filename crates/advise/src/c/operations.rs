//! The expressions of isl's code as text in C.

use symloc_isl::{AstExpr, AstNode, AstOp};

/// The names of the macros for operations that C has not.
pub(crate) struct Macros {
    min: String,
    max: String,
    floor: String,
}

impl Macros {
    /// Returns names that a text does not have.
    pub(crate) fn new(text: &str) -> Self {
        let fresh = |name| fresh_word(text, name);
        Self { min: fresh("symloc_min"), max: fresh("symloc_max"), floor: fresh("symloc_floor") }
    }

    /// Returns the definitions that a code uses.
    pub(crate) fn definitions(&self, code: &str) -> String {
        let Self { min, max, floor } = self;
        let definitions = [
            (min, "(a, b) ((a) < (b) ? (a) : (b))"),
            (max, "(a, b) ((a) > (b) ? (a) : (b))"),
            (floor, "(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))"),
        ];
        let used = definitions.into_iter().filter(|(name, _)| has_word(code, name));
        used.map(|(name, definition)| format!("#define {name}{definition}\n")).collect()
    }
}

/// Returns how tightly an operation binds.
pub(crate) fn strength(operation: AstOp) -> u8 {
    match operation {
        AstOp::Or | AstOp::Select => 0,
        AstOp::And => 1,
        AstOp::Eq | AstOp::Le | AstOp::Lt | AstOp::Ge | AstOp::Gt => 2,
        AstOp::Add | AstOp::Sub => 3,
        AstOp::Mul | AstOp::Div | AstOp::PositiveDiv | AstOp::PositiveRem | AstOp::ZeroRem => 4,
        AstOp::Minus => 5,
        AstOp::Min | AstOp::Max | AstOp::FloorDiv | AstOp::Call => 6,
    }
}

/// Returns an operation on operands that are in brackets where they need them.
pub(crate) fn operation_text(operation: AstOp, operands: &[String], macros: &Macros) -> String {
    let infix = |sign: &str| operands.join(&format!(" {sign} "));
    let call = |name: &str| {
        let nested = operands.iter().cloned().reduce(|left, right| format!("{name}({left}, {right})"));
        nested.unwrap_or_default()
    };
    match operation {
        AstOp::And => infix("&&"),
        AstOp::Or => infix("||"),
        AstOp::Max => call(&macros.max),
        AstOp::Min => call(&macros.min),
        AstOp::Minus => format!("-{}", operands.join("")),
        AstOp::Add => infix("+"),
        AstOp::Sub => infix("-"),
        AstOp::Mul => infix("*"),
        AstOp::Div | AstOp::PositiveDiv => infix("/"),
        AstOp::FloorDiv => call(&macros.floor),
        AstOp::PositiveRem | AstOp::ZeroRem => infix("%"),
        AstOp::Select => match operands {
            [condition, then, otherwise] => format!("{condition} ? {then} : {otherwise}"),
            _ => String::new(),
        },
        AstOp::Eq => infix("=="),
        AstOp::Le => infix("<="),
        AstOp::Lt => infix("<"),
        AstOp::Ge => infix(">="),
        AstOp::Gt => infix(">"),
        AstOp::Call => String::new(),
    }
}

/// Returns true if an expression mentions an iterator.
pub(crate) fn mentions(expr: &AstExpr, iterator: &str) -> bool {
    match expr {
        AstExpr::Name(name) => name == iterator,
        AstExpr::Int(_) => false,
        AstExpr::Op(_, operands) => operands.iter().any(|operand| mentions(operand, iterator)),
    }
}

/// Calls a function with all instances under a node until it returns false; returns true if it never does.
pub(crate) fn each_instance(node: &AstNode, visit: &mut impl FnMut(&str, &[AstExpr]) -> bool) -> bool {
    match node {
        AstNode::Block(children) => children.iter().all(|child| each_instance(child, visit)),
        AstNode::If { then, otherwise, .. } => {
            each_instance(then, visit) && otherwise.as_ref().is_none_or(|node| each_instance(node, visit))
        }
        AstNode::For { body, .. } => each_instance(body, visit),
        AstNode::User { statement, instance } => visit(statement, instance),
    }
}

/// Returns true if an expression is one word, one number that is not negative, one call, or in brackets.
pub(crate) fn is_single(expression: &str) -> bool {
    let mut depth = 0;
    expression.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth > 0 || c.is_alphanumeric() || matches!(c, '_' | ')')
    })
}

/// Returns true if a text has a word.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, _)| {
        let around = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !around(text[..start].chars().next_back()) && !around(text[start + word.len()..].chars().next())
    })
}

/// Returns a word that a text does not have, made from another one.
pub(crate) fn fresh_word(text: &str, word: &str) -> String {
    let mut fresh = word.to_owned();
    while has_word(text, &fresh) {
        fresh.insert(0, 't');
    }
    fresh
}
