//! Errors of formulas for large sizes.

/// The reasons why there are no formulas for large sizes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocalityError {
    /// The context bounds a parameter from above, or relates parameters such that none of the orders tried is possible.
    #[error("the model's context allows no sizes where all parameters are large and of like size")]
    NoLargeSizes,
    /// The model holds no classes: misses are estimated from samples of a run.
    #[error("the model holds no formulas of reuse, of which the program has too many")]
    Sampled,
    /// A size is divided into tiles of two sizes that are parameters.
    #[error(
        "a size is divided into tiles of two sizes, each of which is a parameter: there are no formulas for large sizes"
    )]
    TwoTiles,
    /// The model distinguishes too many residues.
    #[error("limit: the formulas differ between {0} residues of the parameters")]
    Residues(String),
    /// The context does not allow these sizes.
    #[error("the model's context does not allow these sizes")]
    Outside,
    /// The domain of a class is not described by linear constraints, or in too many cases.
    #[error("limit: the domain of a reuse class has no leading terms")]
    NoLimit,
}
