//! Edges that are taken, with the values of the phis at their ends.

use symloc_affine::Constraint;
use symloc_frontend::cases::Cases;
use symloc_frontend::raising::Cause;

use crate::ir::cfg::Node;
use crate::ir::ffi::Value;
use crate::values::lattice::{Known, choose, same};

/// An edge that is taken.
#[derive(Clone, Debug)]
pub(crate) struct Arrival<'m> {
    /// The block that it leaves; `None` at the function's start.
    pub(crate) from: Option<Node>,
    /// The block that it enters; `None` at the function's end.
    pub(crate) to: Option<Node>,
    /// The values of the phis at its end.
    pub(crate) values: Vec<(Value<'m>, Known)>,
}

impl<'m> Arrival<'m> {
    /// Returns the edge into the first block that is walked.
    pub(crate) fn start(to: Node, values: Vec<(Value<'m>, Known)>) -> Self {
        Self { from: None, to: Some(to), values }
    }

    /// Returns the edge to the function's end.
    pub(crate) fn end() -> Self {
        Self { from: None, to: None, values: Vec::new() }
    }

    /// Returns the value of a phi at its end.
    pub(crate) fn value(&self, phi: Value<'m>) -> Option<&Known> {
        self.values.iter().find(|(value, _)| *value == phi).map(|(_, known)| known)
    }
}

/// The edge that is taken in each case.
pub(crate) type Arrivals<'m> = Cases<Arrival<'m>>;

/// Simplifies the values of the phis on each edge by the conditions under which it is taken.
pub(crate) fn specialised(arrivals: Arrivals<'_>) -> Arrivals<'_> {
    let Cases::When(when) = arrivals else { return arrivals };
    let then = specialised(given(when.then, &when.condition, true));
    let otherwise = specialised(given(when.otherwise, &when.condition, false));
    Cases::when(when.condition, then, otherwise)
}

fn given<'m>(arrivals: Arrivals<'m>, condition: &[Constraint], holds: bool) -> Arrivals<'m> {
    match arrivals {
        Cases::Always(arrival) => {
            let values = arrival.values.into_iter().map(|(phi, known)| (phi, known.given(condition, holds)));
            Cases::Always(Arrival { values: values.collect(), ..arrival })
        }
        Cases::When(when) => {
            let (then, otherwise) = (given(when.then, condition, holds), given(when.otherwise, condition, holds));
            Cases::when(when.condition, then, otherwise)
        }
    }
}

/// Returns the block that all edges enter, if there is one.
pub(crate) fn target(arrivals: &Arrivals) -> Option<Option<Node>> {
    match arrivals {
        Cases::Always(arrival) => Some(arrival.to),
        Cases::When(when) => target(&when.then).filter(|to| target(&when.otherwise) == Some(*to)),
    }
}

/// Merges the values on the edges into one value.
pub(crate) fn merged<'m>(arrivals: &Arrivals<'m>, value: &impl Fn(&Arrival<'m>) -> Known) -> Result<Known, Cause> {
    match arrivals {
        Cases::Always(arrival) => Ok(value(arrival)),
        Cases::When(when) => {
            let (then, otherwise) = (merged(&when.then, value)?, merged(&when.otherwise, value)?);
            if same(&then, &otherwise) {
                return Ok(then);
            }
            let holds = Cases::when(when.condition.clone(), Cases::Always(true), Cases::Always(false));
            choose(&holds, &then, &otherwise)
        }
    }
}
