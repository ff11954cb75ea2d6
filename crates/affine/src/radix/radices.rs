//! The iterators and dimensions that are written in digits, and their radices.

use std::collections::BTreeMap;

use crate::expr::{Atom, Expr};
use crate::ids::{ArrayId, IterId, ParamId};
use crate::program::{Access, Location, Node, Program};
use crate::radix::each_node;
use crate::radix::error::RadixError;

/// The tile sizes in which iterators and dimensions of arrays are written.
#[derive(Clone, Debug, Default)]
pub(super) struct Radices {
    iters: BTreeMap<IterId, ParamId>,
    dimensions: BTreeMap<(ArrayId, usize), ParamId>,
}

/// An iterator or a dimension of an array.
#[derive(Clone, Copy, Debug)]
enum ComparedPlace {
    Iter(IterId),
    Dimension(ArrayId, usize),
}

/// Places that are compared with each other, with the place of the comparison in the source.
struct PlaceComparison<'p> {
    places: Vec<ComparedPlace>,
    location: Option<&'p Location>,
}

const TWO_SIZES: &str =
    "give both loops one tile size, or say with --tile that one is a multiple of the other: --tile 'T1 = 4*T2'";

impl Radices {
    /// Finds what is compared with the iterators of tiles: these go in steps of their radix, and whatever is compared with something
    /// in a radix, or stands in a dimension with it, is in that radix.
    pub(super) fn of(program: &Program) -> Result<Self, RadixError> {
        let mut radices = Self::default();
        let mut comparisons = Vec::new();
        each_node(&program.body, &mut |node| {
            if let Node::Loop(l) = node {
                radices.iters.extend(l.step.size().map(|size| (l.iter, size)));
            }
            compared(program, node, &mut comparisons);
            Ok(())
        })?;
        while radices.spread(program, &comparisons)? {}
        Ok(radices)
    }

    pub(super) fn of_iter(&self, iter: IterId) -> Option<ParamId> {
        self.iters.get(&iter).copied()
    }

    pub(super) fn of_dimension(&self, array: ArrayId, dimension: usize) -> Option<ParamId> {
        self.dimensions.get(&(array, dimension)).copied()
    }

    /// Returns the radix of an expression: that of its iterators.
    pub(super) fn of_expr(&self, expr: &Expr) -> Option<ParamId> {
        iterators(expr).into_iter().find_map(|iter| self.of_iter(iter))
    }

    fn of_place(&self, place: ComparedPlace) -> Option<ParamId> {
        match place {
            ComparedPlace::Iter(iter) => self.of_iter(iter),
            ComparedPlace::Dimension(array, dimension) => self.of_dimension(array, dimension),
        }
    }

    /// Writes what is compared with something in its radix; returns true if there was something left to do.
    fn spread(&mut self, program: &Program, comparisons: &[PlaceComparison<'_>]) -> Result<bool, RadixError> {
        let mut grown = false;
        for PlaceComparison { places, location } in comparisons {
            let Some(radix) = places.iter().find_map(|place| self.of_place(*place)) else { continue };
            for place in places {
                let known = match *place {
                    ComparedPlace::Iter(iter) => self.iters.insert(iter, radix),
                    ComparedPlace::Dimension(array, dimension) => self.dimensions.insert((array, dimension), radix),
                };
                grown |= known.is_none();
                if let Some(other) = known.filter(|known| *known != radix) {
                    let name = |param: ParamId| &program.params[param.index()].name;
                    // A dimension says more than an iterator.
                    let place =
                        places.iter().find(|place| matches!(place, ComparedPlace::Dimension(..))).unwrap_or(place);
                    let [first, second] = [radix.min(other), radix.max(other)].map(name);
                    let why = format!("{} has tiles of two sizes, {first} and {second}", shown(program, *place));
                    return Err(RadixError::at(*location, why, TWO_SIZES));
                }
            }
        }
        Ok(grown)
    }
}

/// Returns an iterator or a dimension in words.
fn shown(program: &Program, place: ComparedPlace) -> String {
    match place {
        ComparedPlace::Iter(iter) => format!("`{}`", program.iters[iter.index()].name),
        ComparedPlace::Dimension(array, dimension) => {
            format!("dimension {} of `{}`", dimension + 1, program.array(array).name)
        }
    }
}

/// Adds what a node compares.
fn compared<'p>(program: &'p Program, node: &'p Node, found: &mut Vec<PlaceComparison<'p>>) {
    let places = |expr: &Expr| iterators(expr).into_iter().map(ComparedPlace::Iter).collect::<Vec<_>>();
    match node {
        Node::Loop(l) => {
            let own = vec![ComparedPlace::Iter(l.iter)];
            let location = program.iters[l.iter.index()].location.as_ref();
            let bounds = l.lower.iter().chain(&l.upper);
            found.extend(
                bounds.map(|bound| PlaceComparison { places: [own.clone(), places(bound)].concat(), location }),
            );
        }
        Node::If(guard) => {
            let conditions = guard.condition.iter();
            found.extend(
                conditions.map(|condition| PlaceComparison { places: places(&condition.expr), location: None }),
            );
        }
        Node::Access(id) => {
            let Access { array, subscripts, location, .. } = program.access(*id);
            found.extend(subscripts.iter().enumerate().map(|(dimension, subscript)| PlaceComparison {
                places: [vec![ComparedPlace::Dimension(*array, dimension)], places(subscript)].concat(),
                location: Some(location),
            }));
        }
        Node::Operations(_) | Node::Mark(_) => {}
    }
}

/// Returns the iterators of an expression, those in floors too.
pub(super) fn iterators(expr: &Expr) -> Vec<IterId> {
    let mut found = Vec::new();
    expr.each_atom(&mut |atom| {
        if let Atom::Iter(iter) = atom {
            found.push(*iter);
        }
    });
    found
}
