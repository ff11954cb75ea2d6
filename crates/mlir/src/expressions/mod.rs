//! Affine expressions of values: `maps` evaluates affine maps, `products` makes parameters of products of sizes, and
//! `refusal` has the reasons why a value has no expression.

pub(crate) mod maps;
pub(crate) mod products;
pub(crate) mod refusal;
