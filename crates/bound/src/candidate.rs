//! The bounds that a family of statements gives.

use num_traits::{One, Zero};
use symloc_quasi::Rational;

use crate::exponents::exponents;
use crate::family::AccessSlot;
use crate::law::{OperationLaw, WeightedKernel};
use crate::roles::{Encounters, SlotRole};
use crate::subspace::Subspace;

/// A law for the operations of a family, and the elements that it is about.
#[derive(Clone, Debug)]
pub(crate) struct FamilyLaw {
    /// The position of the family.
    pub(crate) family: usize,
    pub(crate) law: OperationLaw,
    /// The roles that its elements have.
    pub(crate) roles: Vec<SlotRole>,
}

/// Makes the laws of families.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LawMaker<'f> {
    /// The slots of all families.
    pub(crate) slots: &'f [AccessSlot],
    pub(crate) encounters: &'f Encounters,
    /// By array, the weight of an element.
    pub(crate) weights: &'f [u64],
}

impl LawMaker<'_> {
    /// Returns the law of the family whose slots have these positions, by a Brascamp-Lieb inequality. Slots are in roles.
    ///
    /// A role has at least as many elements as each of its projections, so it has at least as many as any mean of them.
    pub(crate) fn by_projections(&self, roles: &[SlotRole]) -> Option<OperationLaw> {
        let kernels = self.kernels(roles);
        let exponents = exponents(&kernels)?;
        let exponent = |kernel: &Subspace| {
            let position = kernels.iter().position(|other| other == kernel);
            position.map_or_else(Rational::zero, |position| exponents[position].clone())
        };
        let mut weighted: Vec<WeightedKernel> = Vec::new();
        for role in roles {
            let own = self.kernels(std::slice::from_ref(role));
            let sum = own.iter().fold(Rational::zero(), |sum, kernel| sum + exponent(kernel));
            for kernel in own {
                let exponent = exponent(&kernel);
                if exponent.is_zero() {
                    continue;
                }
                let weight = self.weight(role) * &exponent / &sum;
                match weighted.iter_mut().find(|known| known.kernel == kernel) {
                    Some(known) => known.weight += weight,
                    None => weighted.push(WeightedKernel { kernel, exponent, weight }),
                }
            }
        }
        OperationLaw::of_projections(&weighted).filter(OperationLaw::is_superlinear)
    }

    /// Returns the kernels of the slots in some roles, each once.
    fn kernels(&self, roles: &[SlotRole]) -> Vec<Subspace> {
        let mut kernels: Vec<Subspace> = Vec::new();
        for slot in roles.iter().flatten() {
            if !kernels.contains(&self.slots[*slot].kernel) {
                kernels.push(self.slots[*slot].kernel.clone());
            }
        }
        kernels
    }

    /// Returns the weight of an element in a role; all its slots are of one array.
    pub(crate) fn weight(&self, role: &SlotRole) -> Rational {
        let array = role.first().map(|slot| self.slots[*slot].array);
        let weight = array.and_then(|array| self.weights.get(array));
        weight.map_or_else(Rational::one, |weight| Rational::from_integer((*weight).into()))
    }
}
