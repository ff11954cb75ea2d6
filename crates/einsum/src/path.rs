//! Finds an order of pairwise contractions.
//!
//! The cost of a nest is n^d, where d is the number of its indices and n the size of all of them; a path costs the sum of its nests, and
//! for large n the best path is the one whose most expensive nests are cheapest. So costs are compared like polynomials: first by the
//! number of nests with the most indices, then by those with one index less.
//!
//! A contraction keeps the indices that the output or another operand has. An operand with an index of its own may be
//! summed over it first, which pays off if the other factor has indices that this operand lacks.
//!
//! Up to [`OPTIMAL`] operands all trees are considered, by dynamic programming over sets of operands. Beyond that the cheapest contraction
//! comes first (among equal ones the one with the smallest result), and outer products come last.

use crate::expression::{Expression, IndexLetter};

/// The largest number of operands for which all trees are considered: 3^n pairs of disjoint sets.
const OPTIMAL: usize = 8;

/// A contraction tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    /// The operand at this position.
    Operand(usize),
    /// The inner tree, summed over the indices that nothing else has.
    Reduced(Box<Tree>),
    /// The product, summed over the indices that nothing else has.
    Pair(Box<Tree>, Box<Tree>),
}

impl Tree {
    /// Returns the positions of its operands.
    pub(crate) fn operands(&self) -> Vec<usize> {
        match self {
            Tree::Operand(position) => vec![*position],
            Tree::Reduced(inner) => inner.operands(),
            Tree::Pair(left, right) => [left.operands(), right.operands()].concat(),
        }
    }
}

/// Returns the best tree of an expression that has operands.
pub(crate) fn best(expression: &Expression) -> Tree {
    let problem = Problem::new(expression);
    match problem.operands.len() {
        0 | 1 => Tree::Operand(0),
        count if count <= OPTIMAL => problem.optimal(),
        _ => problem.greedy(),
    }
}

/// Indices as bits; an expression has at most 52.
type Indices = u64;

/// The numbers of nests with 64, 63, … 0 indices; so the derived order is that of the costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost([u16; 65]);

impl Cost {
    const FREE: Cost = Cost([0; 65]);

    fn nest(indices: Indices) -> Self {
        let mut cost = Self::FREE;
        cost.0[64 - indices.count_ones() as usize] = 1;
        cost
    }

    fn plus(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
        self
    }
}

/// A tree, the indices of its value, and its cost.
#[derive(Clone)]
struct CandidateTree {
    tree: Tree,
    indices: Indices,
    cost: Cost,
}

/// A set of operands as bits.
type OperandSet = usize;

struct Problem {
    operands: Vec<Indices>,
    output: Indices,
}

impl Problem {
    fn new(expression: &Expression) -> Self {
        let all = expression.indices();
        let bits = |indices: &[IndexLetter]| {
            let present = all.iter().enumerate().filter(|(_, index)| indices.contains(index));
            present.fold(0, |bits, (position, _)| bits | 1 << position)
        };
        Self {
            operands: expression.operands.iter().map(|operand| bits(&operand.indices)).collect(),
            output: bits(&expression.output.indices),
        }
    }

    /// Returns the indices that the output and the operands outside of the set have.
    fn needed_outside(&self, set: OperandSet) -> Indices {
        let others = self.operands.iter().enumerate().filter(|(position, _)| set >> position & 1 == 0);
        others.fold(self.output, |indices, (_, operand)| indices | operand)
    }

    /// Returns the operand as it is and, if it has indices of its own, also summed over them.
    fn leaves(&self, position: usize) -> Vec<CandidateTree> {
        let indices = self.operands[position];
        let kept = indices & self.needed_outside(1 << position);
        let raw = CandidateTree { tree: Tree::Operand(position), indices, cost: Cost::FREE };
        if kept == indices {
            return vec![raw];
        }
        let reduced = reduce(&raw, kept);
        vec![raw, reduced]
    }

    fn optimal(&self) -> Tree {
        let full: OperandSet = (1 << self.operands.len()) - 1;
        let mut best: Vec<Vec<CandidateTree>> = vec![Vec::new()];
        for set in 1..=full {
            let candidates = match set.count_ones() {
                1 => self.leaves(set.trailing_zeros() as usize),
                _ => self.cheapest(set, &best).into_iter().collect(),
            };
            best.push(candidates);
        }
        let last = best.pop().and_then(|candidates| candidates.into_iter().next());
        last.map_or(Tree::Operand(0), |candidate| candidate.tree)
    }

    /// Returns the cheapest pair that makes up the set. The first operand is on the left; among equal pairs the one with the later operands
    /// on the right is taken.
    fn cheapest(&self, set: OperandSet, best: &[Vec<CandidateTree>]) -> Option<CandidateTree> {
        let needed = self.needed_outside(set);
        let first: OperandSet = 1 << set.trailing_zeros();
        let mut cheapest: Option<CandidateTree> = None;
        for left in (1..set).rev().filter(|left| left & !set == 0 && left & first != 0) {
            for (a, b) in best[left].iter().flat_map(|a| best[set & !left].iter().map(move |b| (a, b))) {
                let cost = pair_cost(a, b);
                if cheapest.as_ref().is_none_or(|c| cost < c.cost) {
                    cheapest = Some(pair(a, b, needed));
                }
            }
        }
        cheapest
    }

    fn greedy(&self) -> Tree {
        let mut parts: Vec<CandidateTree> =
            (0..self.operands.len()).filter_map(|position| self.leaves(position).pop()).collect();
        while parts.len() > 1 {
            let (left, right) = self.next_pair(&parts);
            let needed = self.needed_by_others(&parts, left, right);
            let right = parts.remove(right);
            parts[left] = pair(&parts[left], &right, needed);
        }
        parts.pop().map_or(Tree::Operand(0), |candidate| candidate.tree)
    }

    /// Returns the first pair, left before right, with the smallest cost.
    fn next_pair(&self, parts: &[CandidateTree]) -> (usize, usize) {
        let pairs = (0..parts.len()).flat_map(|left| (left + 1..parts.len()).map(move |right| (left, right)));
        let rank = |&(left, right): &(usize, usize)| {
            let (a, b) = (parts[left].indices, parts[right].indices);
            let result = (a | b) & self.needed_by_others(parts, left, right);
            (a & b == 0, (a | b).count_ones(), result.count_ones())
        };
        pairs.min_by_key(rank).unwrap_or((0, 1))
    }

    fn needed_by_others(&self, parts: &[CandidateTree], left: usize, right: usize) -> Indices {
        let others = parts.iter().enumerate().filter(|(position, _)| *position != left && *position != right);
        others.fold(self.output, |indices, (_, part)| indices | part.indices)
    }
}

fn reduce(inner: &CandidateTree, kept: Indices) -> CandidateTree {
    let cost = inner.cost.plus(&Cost::nest(inner.indices));
    CandidateTree { tree: Tree::Reduced(Box::new(inner.tree.clone())), indices: kept, cost }
}

fn pair_cost(left: &CandidateTree, right: &CandidateTree) -> Cost {
    left.cost.plus(&right.cost).plus(&Cost::nest(left.indices | right.indices))
}

fn pair(left: &CandidateTree, right: &CandidateTree, needed: Indices) -> CandidateTree {
    CandidateTree {
        tree: Tree::Pair(Box::new(left.tree.clone()), Box::new(right.tree.clone())),
        indices: (left.indices | right.indices) & needed,
        cost: pair_cost(left, right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Place;

    fn show(tree: &Tree) -> String {
        match tree {
            Tree::Operand(position) => position.to_string(),
            Tree::Reduced(inner) => format!("sum {}", show(inner)),
            Tree::Pair(left, right) => format!("({} {})", show(left), show(right)),
        }
    }

    fn path(text: &str) -> String {
        show(&best(&Expression::parse(text, Place::START).unwrap()))
    }

    #[test]
    fn chains_of_matrices_start_at_a_vector_or_from_the_left() {
        assert_eq!(path("ik,kl,lm,mj->ij"), "(((0 1) 2) 3)");
        assert_eq!(path("ik,kl,lm,m->i"), "(0 (1 (2 3)))");
        assert_eq!(path("i,ik,kl,lm->m"), "(((0 1) 2) 3)");
    }

    #[test]
    fn an_index_of_its_own_is_summed_first_where_that_is_cheaper() {
        assert_eq!(path("ij,kl->"), "(0 sum 1)");
        assert_eq!(path("ij,i->"), "(0 1)");
        assert_eq!(path("ij,ik->k"), "(sum 0 1)");
    }

    #[test]
    fn many_operands_are_contracted_greedily() {
        let tree = path("a,b,c,da,eb,fc,ghde,ijgf,klhj,i,k,l->");
        assert_eq!(tree, "(((((((0 3) 6) (1 4)) (((2 5) 7) 9)) 8) 10) 11)");
    }

    /// Collects the costs of all trees, by brute force.
    fn all_costs(problem: &Problem, parts: &[CandidateTree], costs: &mut Vec<Cost>) {
        if let [only] = parts {
            costs.push(only.cost);
        }
        for left in 0..parts.len() {
            for right in left + 1..parts.len() {
                let needed = problem.needed_by_others(parts, left, right);
                let mut rest = parts.to_vec();
                let removed = rest.remove(right);
                rest[left] = pair(&parts[left], &removed, needed);
                all_costs(problem, &rest, costs);
            }
        }
    }

    #[test]
    fn no_tree_is_cheaper_than_the_optimal_one() {
        for text in ["ab,bc,cd,da->", "ab,acd,be,cf,def->f", "abc,cd,bde,ef,a->af", "ab,b,bc,c,cd->ad"] {
            let expression = Expression::parse(text, Place::START).unwrap();
            let problem = Problem::new(&expression);
            let leaves: Vec<_> = (0..problem.operands.len()).map(|p| problem.leaves(p).remove(0)).collect();
            let mut costs = Vec::new();
            all_costs(&problem, &leaves, &mut costs);
            let found = cost_of(&problem, &problem.optimal());
            assert_eq!(Some(&found), costs.iter().min(), "{text}");
        }
    }

    fn cost_of(problem: &Problem, tree: &Tree) -> Cost {
        evaluate(problem, tree).cost
    }

    fn evaluate(problem: &Problem, tree: &Tree) -> CandidateTree {
        let set = tree.operands().iter().map(|position| 1 << position).sum();
        match tree {
            Tree::Operand(position) => problem.leaves(*position).remove(0),
            Tree::Reduced(inner) => reduce(&evaluate(problem, inner), problem.needed_outside(set)),
            Tree::Pair(left, right) => {
                pair(&evaluate(problem, left), &evaluate(problem, right), problem.needed_outside(set))
            }
        }
    }
}
