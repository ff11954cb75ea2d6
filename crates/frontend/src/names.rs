//! Names: unique identifiers that isl accepts, those of the source where it has any.

use std::collections::BTreeSet;

use symloc_affine::is_name;

/// Returns an identifier close to an SSA name; `None` if the name is generated (`0`, `arg3`, `alloc_1`, `dim_2`).
pub fn meaningful(ssa_name: &str) -> Option<String> {
    let is_generic = |prefix: &str| {
        let digits = ssa_name.strip_prefix(prefix).unwrap_or("x");
        digits.chars().all(|c| c.is_ascii_digit())
    };
    let printed = ["alloc", "alloca", "dim"].iter().any(|p| ssa_name == *p || is_generic(&format!("{p}_")));
    if is_generic("") || is_generic("arg") && ssa_name != "arg" || printed {
        return None;
    }
    let name: String = ssa_name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    Some(name).filter(|name| !name.starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns true for the names of arguments that have none in the source, `arg0`, `arg1`, ….
pub fn is_argument(name: &str) -> bool {
    let number = name.strip_prefix("arg").unwrap_or_default();
    !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
}

/// Returns the name that `--name` gives to a name.
pub fn renamed(renames: &[(String, String)], name: &str) -> String {
    renames.iter().find(|(old, _)| old == name).map_or(name, |(_, new)| new).to_owned()
}

/// Names that are taken.
#[derive(Debug, Default)]
pub struct Namespace {
    taken: BTreeSet<String>,
}

impl Namespace {
    /// Takes the name itself if it is free and valid, else the first of `name_1`, `name_2`, … that is.
    pub fn unique(&mut self, name: &str) -> String {
        let numbered = (1..).map(|k: u32| format!("{name}_{k}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        let free = candidates.find(|c| is_name(c) && !self.taken.contains(c)).unwrap_or_else(|| name.to_owned());
        self.taken.insert(free.clone());
        free
    }
}

/// Returns the candidate closest to a misspelt name, if one is close.
pub fn closest<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let scored = candidates.map(|candidate| (strsim::levenshtein(name, candidate), candidate));
    scored.filter(|(distance, _)| *distance <= name.len().div_ceil(3)).min().map(|(_, candidate)| candidate)
}
