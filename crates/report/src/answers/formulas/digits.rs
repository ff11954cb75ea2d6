//! The digits of sizes that are counted in tiles whose size is a parameter: formulas of misses are written in them.

use serde::Serialize;
use symloc_model::Model;

/// A digit of a size in tiles whose size is a parameter: `n = m*T + s`.
#[derive(Clone, Debug, Serialize)]
pub struct SizeDigit {
    /// The variable of the formulas.
    #[serde(skip)]
    pub variable: usize,
    /// Its name.
    pub name: String,
    /// Its value at a size.
    pub value: String,
}

impl SizeDigit {
    /// Returns the digits of all sizes of a model that are counted in tiles.
    pub fn all(model: &Model) -> Vec<Self> {
        let names = model.names();
        let single = model.tiled().count() == 1;
        let counts = model.tiled().zip(model.first_line_count()..);
        let digits = counts.flat_map(|(count, variable)| {
            let (size, tile) = (&names[count.of], &names[count.by]);
            let named = |prefix: &str| {
                let name = if single { prefix.to_owned() } else { format!("{prefix}_{size}") };
                let free = |name: &String| !names.contains(name);
                std::iter::successors(Some(name), |name| Some(format!("{name}_"))).find(free).unwrap_or_default()
            };
            let quotient = named("m");
            let whole = if count.plus == 0 { format!("{size}/{tile}") } else { count.name(&model.parameters) };
            let rest = Self { variable: count.of, name: named("s"), value: format!("{size} - {quotient}*{tile}") };
            let quotient = Self { variable, name: quotient, value: whole };
            [Some(quotient), (count.plus != 0).then_some(rest)]
        });
        digits.flatten().collect()
    }
}
