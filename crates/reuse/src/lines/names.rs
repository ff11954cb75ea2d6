//! Names for the variables that lines of symbolic size bring.

use std::collections::BTreeSet;

use symloc_affine::Program;

/// Names that nothing else has.
#[derive(Clone, Debug)]
pub(super) struct FreshNames(BTreeSet<String>);

impl FreshNames {
    pub(super) fn new(program: &Program) -> Self {
        let params = program.params.iter().map(|p| p.name.clone());
        Self(params.chain(program.iters.iter().map(|i| i.name.clone())).collect())
    }

    pub(super) fn fresh(&mut self, prefix: &str, of: &str) -> String {
        let mut name = format!("{prefix}{of}");
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}
