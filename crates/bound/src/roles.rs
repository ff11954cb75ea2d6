//! Roles: what the elements of an array are to operations.
//!
//! An element may first be a result and later an operand: then no operation needs it as both, and an order of operations
//! costs as much as if the element were two, and the change from one to the other were a miss. Slots that touch an element
//! in no such order are one role.

use std::collections::BTreeMap;

use crate::encounter::{Encounter, StatementPairs};
use crate::family::AccessSlot;

/// Of more roles, an element is taken to have all.
const MOST_ROLES: usize = 12;

/// The encounters of all slots that are of one array.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encounters {
    /// By the positions of two slots, the first one smaller.
    table: BTreeMap<(usize, usize), Encounter>,
}

impl Encounters {
    /// Asks about all pairs of slots.
    pub(crate) fn new(pairs: &StatementPairs<'_>, slots: &[AccessSlot]) -> Self {
        let mut table = BTreeMap::new();
        for (a, first) in slots.iter().enumerate() {
            for (b, second) in slots.iter().enumerate().skip(a + 1).filter(|(_, slot)| slot.array == first.array) {
                table.insert((a, b), of_slots(pairs, first, second));
            }
        }
        Self { table }
    }

    /// Returns what two different slots have to do with each other.
    pub(crate) fn of(&self, a: usize, b: usize) -> Encounter {
        match a < b {
            true => self.table.get(&(a, b)).copied().unwrap_or(Encounter::Apart),
            false => self.table.get(&(b, a)).copied().unwrap_or(Encounter::Apart).reversed(),
        }
    }

    /// Returns what two roles have to do with each other.
    pub(crate) fn of_roles(&self, a: &SlotRole, b: &SlotRole) -> Encounter {
        let pairs = a.iter().flat_map(|a| b.iter().map(|b| self.of(*a, *b)));
        pairs.fold(Encounter::Apart, Encounter::and)
    }

    /// Returns the roles of slots. Those that are apart stay so; those that are in an order only if `separated`.
    pub(crate) fn roles(&self, slots: &[usize], separated: bool) -> Vec<SlotRole> {
        let mut roles: Vec<SlotRole> = slots.iter().map(|slot| vec![*slot]).collect();
        let is_one = |encounter| match encounter {
            Encounter::Apart => false,
            Encounter::Mixed => true,
            Encounter::Before | Encounter::After => !separated,
        };
        loop {
            let all = (0..roles.len()).flat_map(|a| (a + 1..roles.len()).map(move |b| (a, b)));
            let found = all.into_iter().find(|(a, b)| is_one(self.of_roles(&roles[*a], &roles[*b])));
            let Some((a, b)) = found else { return roles };
            let other = roles.swap_remove(b);
            roles[a].extend(other);
        }
    }

    /// Returns the largest number of some roles that an element may have, one after the other.
    pub(crate) fn most_roles(&self, roles: &[&SlotRole]) -> usize {
        let Some((first, rest)) = roles.split_first() else { return 0 };
        if roles.len() > MOST_ROLES {
            return roles.len();
        }
        let others = rest.iter().filter(|role| self.of_roles(first, role) != Encounter::Apart);
        let with = self.most_roles(&others.copied().collect::<Vec<_>>()) + 1;
        with.max(self.most_roles(rest))
    }
}

/// Slots, by their positions, whose elements are the same or may be.
pub(crate) type SlotRole = Vec<usize>;

fn of_slots(pairs: &StatementPairs<'_>, a: &AccessSlot, b: &AccessSlot) -> Encounter {
    let mut of_slots = Encounter::Apart;
    for place in &a.places {
        for other in &b.places {
            of_slots = of_slots.and(pairs.encounter(*place, *other));
            if of_slots == Encounter::Mixed {
                return of_slots;
            }
        }
    }
    of_slots
}
