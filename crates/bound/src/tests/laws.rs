//! Laws beside sets of operations.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::programs::{PROGRAMS, TestElement, TestOperation};
use super::{Random, TestProgram};
use crate::bounds::ProgramBounds;
use crate::candidate::FamilyLaw;

/// Operations of one family, as points, with the elements that each slot touches.
struct Operations {
    /// By slot, the elements of each operation.
    elements: Vec<Vec<TestElement>>,
    /// The iterators of each operation.
    points: Vec<Vec<i64>>,
}

impl Operations {
    fn new(bounds: &ProgramBounds, candidate: &FamilyLaw, all: &[TestOperation]) -> Self {
        let own = bounds.families[candidate.family].clone();
        let all: Vec<_> = all.iter().filter(|operation| own.contains(&operation.first)).collect();
        let touched = |slot: usize| {
            let element = |operation: &&TestOperation| {
                let places = &bounds.slots[slot].places;
                let place = places.iter().find(|place| {
                    (operation.first..operation.first + operation.accesses.len()).contains(&place.access)
                });
                place.map(|place| operation.accesses[place.access - operation.first].0.clone())
            };
            all.iter().filter_map(element).collect()
        };
        let elements = (0..bounds.slots.len()).map(touched).collect();
        Self { elements, points: all.iter().map(|operation| operation.iterators.clone()).collect() }
    }

    /// Returns how many elements some operations touch in all roles of a candidate.
    fn weight(&self, candidate: &FamilyLaw, chosen: &[usize]) -> usize {
        let of_role = |role: &Vec<usize>| {
            let touched = role.iter().flat_map(|slot| chosen.iter().map(|index| &self.elements[*slot][*index]));
            touched.collect::<BTreeSet<_>>().len()
        };
        candidate.roles.iter().map(of_role).sum()
    }
}

fn check(operations: &Operations, candidate: &FamilyLaw, chosen: &[usize], name: &str) {
    let weight = operations.weight(candidate, chosen);
    let most = candidate.law.most_operations(&BigInt::from(weight));
    assert!(most >= chosen.len().into(), "{name}: {} operations touch {weight} elements, not {most}", chosen.len());
}

/// Boxes whose sides are random sets, of one iterator or of all, and what fits random elements: all are within the laws.
#[test]
fn no_set_of_operations_breaks_a_law() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (name, text) in PROGRAMS {
        let program = TestProgram::read(text);
        let bounds = ProgramBounds::of_program(program.text(), &[1; 4]);
        assert!(!bounds.candidates.is_empty(), "{name} has laws");
        for candidate in &bounds.candidates {
            for n in 2..9 {
                let operations = Operations::new(&bounds, candidate, &program.operations(n));
                for _ in 0..60 {
                    check(&operations, candidate, &boxed(&operations, n, &mut random), name);
                    check(&operations, candidate, &fitting(&operations, candidate, &mut random), name);
                }
            }
        }
    }
}

/// Returns the operations whose iterators are all in random sets.
fn boxed(operations: &Operations, n: i64, random: &mut Random) -> Vec<usize> {
    let depth = operations.points.first().map_or(0, Vec::len);
    let one = random.below(2) == 0;
    let density = 1 + random.below(4);
    let mut side = || (0..n).filter(|_| random.below(4) < density).collect::<BTreeSet<i64>>();
    let sides: Vec<BTreeSet<i64>> = match one {
        true => vec![side(); depth],
        false => (0..depth).map(|_| side()).collect(),
    };
    let inside = |point: &Vec<i64>| point.iter().zip(&sides).all(|(value, side)| side.contains(value));
    (0..operations.points.len()).filter(|index| inside(&operations.points[*index])).collect()
}

/// Returns the operations all of whose elements, in any role, are among random ones.
fn fitting(operations: &Operations, candidate: &FamilyLaw, random: &mut Random) -> Vec<usize> {
    let slots: Vec<usize> = candidate.roles.iter().flatten().copied().collect();
    let all: BTreeSet<&TestElement> = slots.iter().flat_map(|slot| &operations.elements[*slot]).collect();
    let density = 1 + random.below(8);
    let kept: BTreeSet<&TestElement> = all.into_iter().filter(|_| random.below(8) < density).collect();
    let fits = |index: &usize| slots.iter().all(|slot| kept.contains(&operations.elements[*slot][*index]));
    (0..operations.points.len()).filter(fits).collect()
}

/// The best set of all is a law's own: a box for a product, a clique of rows for a product with itself.
#[test]
fn laws_are_reached() {
    for (name, text, n, share) in [("gemm", PROGRAMS[0].1, 8, 100), ("syrk", PROGRAMS[2].1, 8, 60)] {
        let program = TestProgram::read(text);
        let bounds = ProgramBounds::of_program(program.text(), &[1; 4]);
        let least = |candidate: &FamilyLaw| {
            let operations = Operations::new(&bounds, candidate, &program.operations(n));
            let all: Vec<usize> = (0..operations.points.len()).collect();
            let most = candidate.law.most_operations(&operations.weight(candidate, &all).into());
            (all.len() * 100) / usize::try_from(most).unwrap()
        };
        let best = bounds.candidates.iter().map(least).max().unwrap();
        assert!(best >= share, "{name}: {best} %");
    }
    let unit = BigInt::one();
    let gemm = ProgramBounds::of_program(TestProgram::read(PROGRAMS[0].1).text(), &[1; 4]);
    assert!(!gemm.candidates[0].law.most_operations(&(unit * 12)).is_zero());
}
