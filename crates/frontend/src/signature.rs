//! What the arguments of a function are, for a call of it: which parameters of its affine program they hold, and how its arrays lie.

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// An integer, the parameter of this name if it is one.
    Integer(Option<String>),
    /// Another scalar.
    Scalar,
    /// An array.
    Array(ArrayArgument),
}

/// An array that is handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayArgument {
    /// Its name in the affine program, if it is accessed there.
    pub name: Option<String>,
    /// Where its first element lies, in elements.
    pub offset: i64,
    /// Its extents.
    pub extents: Vec<Side>,
    /// How far neighbours are apart.
    pub strides: Apart,
}

/// How far neighbours in an array are apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apart {
    /// So many elements along each dimension.
    Constant(Vec<i64>),
    /// Rows follow each other without gaps; the dimensions from the outermost in memory to the innermost.
    Dense(Vec<usize>),
}

/// An extent of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// A constant.
    Constant(i64),
    /// A parameter.
    Parameter(String),
    /// No parameter: as much as is accessed along this dimension of the array in the affine program.
    Accessed(usize),
}
