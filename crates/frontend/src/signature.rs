//! The arguments of a function, as a call needs them: the parameters of its affine program, and the layout of its
//! arrays.

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// An integer, with the name of its parameter if it is one.
    Integer(Option<String>),
    /// Another scalar.
    Scalar,
    /// An array.
    Array(ArrayArgument),
}

/// An array that is an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayArgument {
    /// Its name in the affine program, if it is accessed there.
    pub name: Option<String>,
    /// The position of its first element, in elements.
    pub offset: i64,
    /// Its extents.
    pub extents: Vec<Side>,
    /// Its strides.
    pub strides: Apart,
}

/// The strides of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Apart {
    /// The stride of each dimension, in elements.
    Constant(Vec<i64>),
    /// Rows without gaps; the dimensions from the outermost in memory to the innermost.
    Dense(Vec<usize>),
}

/// An extent of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// A constant.
    Constant(i64),
    /// A parameter.
    Parameter(String),
    /// Not a parameter: the part that is accessed along this dimension of the array in the affine program.
    Accessed(usize),
}
