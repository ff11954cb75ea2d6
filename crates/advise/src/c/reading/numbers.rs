//! The types of numbers in C and C++, as Clang writes them.

/// The types of numbers in floating point.
pub(in crate::c) const FLOATING: [&str; 5] = ["double", "float", "long double", "_Float16", "__bf16"];
const INTEGERS: [&str; 11] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

/// The kind of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::c) enum NumberKind {
    Floating,
    Integer,
}

impl NumberKind {
    /// Returns the kind of a type without qualifiers; `None` if it is none of numbers.
    pub(in crate::c) fn of(kind: &str) -> Option<Self> {
        match kind {
            kind if FLOATING.contains(&kind) => Some(Self::Floating),
            kind if INTEGERS.contains(&kind) => Some(Self::Integer),
            _ => None,
        }
    }
}
