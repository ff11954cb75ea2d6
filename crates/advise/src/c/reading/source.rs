//! The statements and loops of a function in C or C++, from Clang's syntax tree (`-ast-dump=json`).
//!
//! Places are byte offsets in the file. What stands in a macro is at the place where the macro is used.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::updates::SourceUpdate;
use crate::arithmetic::Arithmetic;

/// A function of a source file.
#[derive(Clone, Debug, Default)]
pub struct SourceFunction {
    /// The loops, in the order of the text.
    pub loops: Vec<SourceLoop>,
    /// The statements that are no loops and no conditions, in the order of the text.
    pub statements: Vec<SourceStatement>,
    /// The bytes from the first loop nest of the body to the end of the last, with the pragmas in front of it.
    pub region: (usize, usize),
    /// The bytes of the whole function.
    pub range: (usize, usize),
    /// The bytes of the functions without effects that the loops call.
    pub helpers: Vec<(usize, usize)>,
    /// The name by which a caller in the same file reaches it; `None` for a method.
    pub callable: Option<String>,
    /// The arguments.
    pub arguments: Vec<SourceArgument>,
    /// The names of the variables that the function declares.
    pub declared: BTreeSet<String>,
    /// The types of the variables that the function uses and never changes, by their names.
    pub constants: BTreeMap<String, String>,
    /// The types of the global variables that the function uses, by their names.
    pub globals: BTreeMap<String, String>,
    /// The names that several variables of the function have.
    pub several: BTreeSet<String>,
    /// By struct, the types of its members that the function uses.
    pub members: BTreeMap<String, BTreeSet<String>>,
    /// The names for types that the function uses, with the types.
    pub aliases: BTreeMap<String, String>,
    /// The lines of pragmas that are about the loops as written: they are not in a new order.
    pub pragmas: Vec<usize>,
}

/// An argument of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceArgument {
    /// Its name.
    pub name: String,
    /// Its type, as Clang has it, without names for types: an array is a pointer.
    pub kind: String,
}

/// A `for` loop.
#[derive(Clone, Debug)]
pub struct SourceLoop {
    /// Its variable.
    pub variable: String,
    /// The variable's identity in the syntax tree.
    pub id: String,
    /// The type of the variable, without names for types.
    pub kind: String,
    /// The type of the variable, as written.
    pub written: String,
    /// True if the loop declares its variable.
    pub declares: bool,
    /// Its step, which may be negative.
    pub step: i64,
    /// The change of the variable before the body runs for the first time: -1 for `i = n; i-- > 0;`.
    pub before: i64,
    /// The first value, as a node of the syntax tree.
    pub start: Value,
    /// The byte at which it begins.
    pub begin: usize,
}

/// A statement that is neither a loop nor a condition, or a block without loops.
#[derive(Clone, Debug)]
pub struct SourceStatement {
    /// The bytes from its beginning to its semicolon, which is included.
    pub range: (usize, usize),
    /// The loops around it, outermost first.
    pub loops: Vec<usize>,
    /// A variable that it declares for other statements.
    pub declares: Option<SourceVariable>,
    /// The variables that it declares for itself, by their names.
    pub locals: BTreeMap<String, LocalVariables>,
    /// True if it also uses a variable from outside with the name of one of its own.
    pub shadows: bool,
    /// The names of the variables that it uses, also through macros.
    pub uses: BTreeSet<String>,
    /// Its uses of variables, one by one.
    pub words: Vec<VariableUse>,
    /// The byte at which the block begins that it stands in directly.
    pub block: usize,
    /// The element that it stores to, if it is an assignment to one.
    pub target: Option<SourceTarget>,
    /// True for a block with `continue`, which ends it.
    pub continues: bool,
    /// Its arithmetic.
    pub arithmetic: Arithmetic,
    /// The update of one variable or element that it is.
    pub update: Option<SourceUpdate>,
}

/// An element that a statement stores to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTarget {
    /// The bytes of its text.
    pub range: (usize, usize),
    /// Its type, without names for types.
    pub kind: String,
    /// The uses of variables in it.
    pub words: Vec<VariableUse>,
    /// The names of the variables in it, also through macros.
    pub uses: BTreeSet<String>,
    /// The variables in it that statements assign to, by their identities.
    pub changing: BTreeSet<String>,
    /// The variable whose value is stored as it is, by its identity.
    pub copies: Option<String>,
}

/// The variables of one name that a statement declares for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalVariables {
    /// Their number.
    pub number: usize,
    /// True if they are arrays.
    pub are_arrays: bool,
}

/// A use of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableUse {
    /// The variable's identity in the syntax tree.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The byte at which the name stands; `None` in the text of a macro.
    pub place: Option<usize>,
}

/// A variable that a statement declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceVariable {
    /// Its identity in the syntax tree.
    pub id: String,
    /// The type, as written, without `const`.
    pub kind: String,
    /// The type, without names for types and without `const`.
    pub meaning: String,
    /// The name.
    pub name: String,
    /// The bytes of its first value, if it has one.
    pub value: Option<(usize, usize)>,
    /// Its declaration by itself.
    pub text: String,
    /// True if it never changes after its declaration.
    pub is_fixed: bool,
    /// True for a pointer, a reference or a class, which cannot be declared in front of the loops and set later.
    pub is_bound: bool,
    /// True if it stands directly in the body of the function.
    pub is_outermost: bool,
}

impl SourceFunction {
    /// Returns true if the function declares a variable of this name in its body.
    pub fn declares_array(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    /// Returns true if a byte of the text is in the function, but in none of its nests nor between them; or in a function
    /// without effects that the loops call.
    pub fn is_around_loops(&self, offset: usize) -> bool {
        self.is_beside_loops(offset) || self.helpers.iter().any(|(start, end)| (*start..*end).contains(&offset))
    }

    /// Returns true if a byte of the text is in the function itself, but in none of its nests nor between them.
    pub fn is_beside_loops(&self, offset: usize) -> bool {
        let is_in = |range: &(usize, usize)| (range.0..range.1).contains(&offset);
        is_in(&self.range) && !is_in(&self.region)
    }

    /// Returns the statement that a byte of the text is in.
    pub fn statement_at(&self, offset: usize) -> Option<usize> {
        self.statements.iter().position(|statement| (statement.range.0..statement.range.1).contains(&offset))
    }
}
