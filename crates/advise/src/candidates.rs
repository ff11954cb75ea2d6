//! The orders that are tried, and the best of them.
//!
//! isl's scheduler gives a few trees. Their permutable bands are permuted in all ways; the permutations whose innermost
//! loops run best are tiled; and of those misses are counted. The program as written is always among them.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use symloc_isl::{Context, Strategy};
use symloc_schedule::find::find_order;
use symloc_schedule::generate::generate_program;
use symloc_schedule::legality::{carried, violation};
use symloc_schedule::{Band, Dependences, Generated, OrderTree, Scop};

use crate::cost::{Cost, Costed, Hierarchy, MissEstimator};
use crate::error::AdviseError;
use crate::nest::Nests;

/// What is asked.
#[derive(Clone, Debug)]
pub struct AdviceQuestion<'q> {
    /// The loops.
    pub nests: &'q Nests,
    /// The sizes, in the order of the program's parameters.
    pub sizes: &'q [i64],
    /// The caches.
    pub hierarchy: &'q Hierarchy,
    /// The search ends after this time, with what was found.
    pub time: Duration,
}

/// The moves that make an order from one of the scheduler's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// How statements are fused.
    pub strategy: Strategy,
    /// By new member of a band, the old one.
    pub permutation: Vec<usize>,
    /// By new member, the size of its tiles; 0 for none.
    pub tiles: Vec<i64>,
    /// True if innermost loops are split by statement.
    pub distributed: bool,
}

/// An order, with its cost.
#[derive(Clone, Debug)]
pub struct AdvisedOrder {
    /// The moves; `None` for the program as written.
    pub moves: Option<Moves>,
    /// The order.
    pub order: OrderTree,
    /// Its code.
    pub generated: Generated,
    /// The statements whose innermost loop carries a dependence.
    pub carried: BTreeSet<usize>,
    /// The cost.
    pub cost: Cost,
}

/// The answer.
#[derive(Debug)]
pub struct Advice {
    /// The program's statements, as relations.
    pub scop: Scop,
    /// The cost of the program as written.
    pub written: AdvisedOrder,
    /// The other candidates, the cheapest first.
    pub candidates: Vec<AdvisedOrder>,
    /// True if the time was over before all candidates were tried.
    pub is_partial: bool,
}

/// The strategies of the scheduler, in the order in which they are tried.
const STRATEGIES: [Strategy; 3] = [Strategy::Fuse, Strategy::Separate, Strategy::OuterParallel];
/// The permutations that are tiled.
const TILED: usize = 6;
/// The largest number of members whose permutations are all tried.
const PERMUTED: usize = 4;
/// The limit on isl's operations for one answer of the scheduler, and for one candidate.
const OPERATIONS: u64 = 200_000_000;
/// The effort of one estimate of misses: accesses that are run.
const EFFORT: u64 = 1_000_000;

/// Finds orders in which the program costs less.
///
/// # Errors
///
/// [`AdviseError::Schedule`] if the relations of the program cannot be built, [`AdviseError::Replay`] if it cannot be run
/// at these sizes.
pub fn advise(isl: &Context, question: &AdviceQuestion<'_>) -> Result<Advice, AdviseError> {
    let scop = Scop::new(isl, question.nests.program.clone(), &question.nests.groups)?;
    let dependences = Dependences::of(&scop)?;
    let end = Instant::now() + question.time;
    let (order, generated) = written(isl, &scop);
    let estimator = MissEstimator::new(&generated.program, question.hierarchy, question.sizes)?;
    let mut search = Search { isl, question, estimator, dependences, scop, end, seen: Vec::new() };
    let written = search.written(order, generated)?;
    let mut ranked = search.ranked();
    ranked.sort_by(|a, b| a.cycles.total_cmp(&b.cycles));
    let mut candidates = Vec::new();
    let mut is_partial = Instant::now() > search.end;
    'search: for (place, base) in ranked.iter().enumerate() {
        for tiles in tiles(base.moves.permutation.len(), place < TILED) {
            if Instant::now() > search.end {
                is_partial = true;
                break 'search;
            }
            let moves = Moves { tiles, ..base.moves.clone() };
            candidates.extend(search.candidate(&base.tree, moves));
        }
    }
    // What is made of the candidates is not subject to the limits of the search.
    isl.set_max_operations(0);
    candidates.sort_by(|a, b| a.cost.cycles.total_cmp(&b.cost.cycles));
    Ok(Advice { scop: search.scop, written, candidates, is_partial })
}

/// Returns the program as it is written: as isl writes it, without the guards that the reading leaves, if it can.
fn written(isl: &Context, scop: &Scop) -> (OrderTree, Generated) {
    let order = OrderTree::as_written(scop);
    let generated = generate_program(isl, scop, &order).unwrap_or_else(|_| {
        let program = scop.program.clone();
        let origins = (0..program.accesses.len() as u32).map(symloc_affine::AccessId).collect();
        Generated { program, origins }
    });
    (order, generated)
}

/// Returns the tile sizes to try for a band.
fn tiles(depth: usize, all: bool) -> Vec<Vec<i64>> {
    let mut tiles = vec![vec![0; depth]];
    if depth < 2 || !all {
        return tiles;
    }
    let innermost = |size: i64, last: i64| {
        let mut sizes = vec![size; depth];
        sizes[depth - 1] = last;
        sizes
    };
    tiles.extend([vec![32; depth], vec![64; depth], innermost(16, 256), innermost(32, 0), innermost(8, 512)]);
    match depth {
        2 => tiles.extend([vec![8, 0], vec![0, 256], vec![64, 512]]),
        3 => tiles.extend([vec![8, 64, 128], vec![0, 64, 256], vec![16, 64, 512]]),
        _ => {}
    }
    tiles
}

/// An order of the scheduler, permuted, with the cycles of its loops.
struct Ranked {
    tree: OrderTree,
    moves: Moves,
    cycles: f64,
}

struct Search<'s> {
    isl: &'s Context,
    question: &'s AdviceQuestion<'s>,
    estimator: MissEstimator<'s>,
    dependences: Dependences,
    scop: Scop,
    end: Instant,
    /// The orders that were tried.
    seen: Vec<OrderTree>,
}

impl Search<'_> {
    /// Returns the program as it is written, with its cost.
    fn written(&self, order: OrderTree, generated: Generated) -> Result<AdvisedOrder, AdviseError> {
        let carried = carried(self.isl, &self.scop, &self.dependences, &order)?;
        let cost = self.costed(&generated, &carried, |costed| costed.cost(&self.estimator, EFFORT))?;
        Ok(AdvisedOrder { moves: None, order, generated, carried, cost })
    }

    fn costed<T>(&self, generated: &Generated, carried: &BTreeSet<usize>, ask: impl FnOnce(Costed<'_>) -> T) -> T {
        let statements = carried.iter().flat_map(|statement| &self.scop.statements[*statement].accesses);
        let old: BTreeSet<_> = statements.collect();
        let new = generated.origins.iter().enumerate().filter(|(_, origin)| old.contains(origin));
        let carried = new.map(|(access, _)| access).collect();
        ask(Costed { program: &generated.program, carried: &carried, sizes: self.question.sizes })
    }

    /// Returns the scheduler's orders in all permutations. Those that isl cannot find within its limit are left out.
    fn ranked(&mut self) -> Vec<Ranked> {
        let mut ranked = Vec::new();
        for strategy in STRATEGIES {
            self.limited();
            let Ok(tree) = find_order(&self.scop, &self.dependences, strategy) else { continue };
            let depth = deepest(&tree);
            for permutation in permutations(depth.max(1)) {
                for distributed in [false, true] {
                    if Instant::now() > self.end {
                        return ranked;
                    }
                    let tiles = vec![0; permutation.len()];
                    let moves = Moves { strategy, permutation: permutation.clone(), tiles, distributed };
                    let Some((_, generated, carried)) = self.legal(&tree, &moves) else { continue };
                    let cycles = self.costed(&generated, &carried, |costed| costed.loop_cycles());
                    ranked.push(Ranked { tree: tree.clone(), moves, cycles });
                }
            }
        }
        self.seen.clear();
        ranked
    }

    fn limited(&self) {
        self.isl.reset_operations();
        self.isl.set_max_operations(OPERATIONS);
    }

    /// Returns an order, its code and the statements whose loops carry a dependence; `None` if it is not legal, was seen
    /// before, or has no affine code.
    fn legal(&mut self, tree: &OrderTree, moves: &Moves) -> Option<(OrderTree, Generated, BTreeSet<usize>)> {
        self.limited();
        let order = moves.apply(tree)?;
        if self.seen.contains(&order) {
            return None;
        }
        self.seen.push(order.clone());
        if violation(self.isl, &self.scop, &self.dependences, &order).ok()?.is_some() {
            return None;
        }
        let generated = generate_program(self.isl, &self.scop, &order).ok()?;
        let carried = carried(self.isl, &self.scop, &self.dependences, &order).ok()?;
        Some((order, generated, carried))
    }

    fn candidate(&mut self, tree: &OrderTree, moves: Moves) -> Option<AdvisedOrder> {
        let (order, generated, carried) = self.legal(tree, &moves)?;
        let cost = self.costed(&generated, &carried, |costed| costed.cost(&self.estimator, EFFORT)).ok()?;
        Some(AdvisedOrder { moves: Some(moves), order, generated, carried, cost })
    }
}

impl Moves {
    /// Returns the moves as a phrase.
    pub fn in_words(&self) -> String {
        let mut words = vec![
            match self.strategy {
                Strategy::Fuse => "statements fused",
                Strategy::Separate => "statements apart",
                Strategy::OuterParallel => "statements fused around independent iterations",
            }
            .to_owned(),
        ];
        if self.permutation.iter().enumerate().any(|(new, old)| new != *old) {
            let order: Vec<_> = self.permutation.iter().map(|old| (old + 1).to_string()).collect();
            words.push(format!("loops in the order {}", order.join(", ")));
        }
        if self.tiles.iter().any(|size| *size > 0) {
            let sizes = self.tiles.iter().map(|size| if *size > 0 { size.to_string() } else { "1".to_owned() });
            words.push(format!("tiles of {}", sizes.collect::<Vec<_>>().join(" × ")));
        }
        if self.distributed {
            words.push("innermost loops split by statement".to_owned());
        }
        words.join(", ")
    }

    /// Returns the scheduler's order after the moves; `None` if a number leaves 64 bits.
    fn apply(&self, tree: &OrderTree) -> Option<OrderTree> {
        let change = &mut |band: &Band| {
            // A band with fewer members keeps those that it has, in the same order.
            let places: Vec<usize> =
                (0..self.permutation.len()).filter(|new| self.permutation[*new] < band.depth()).collect();
            let permutation: Vec<usize> = places.iter().map(|new| self.permutation[*new]).collect();
            let tiles: Vec<i64> = places.iter().map(|new| self.tiles[*new]).collect();
            if permutation.len() < band.depth() {
                return Ok(band.clone());
            }
            band.permuted(&permutation).tiled(&tiles)
        };
        let order = tree.with_bands(change).ok()?;
        Some(if self.distributed { order.distributed() } else { order })
    }
}

/// Returns the largest number of members of a permutable band.
fn deepest(tree: &OrderTree) -> usize {
    match tree {
        OrderTree::Leaf => 0,
        OrderTree::Band(band) if band.permutable => band.depth().max(deepest(&band.child)),
        OrderTree::Band(band) => deepest(&band.child),
        OrderTree::Sequence(parts) => parts.iter().map(|(_, order)| deepest(order)).max().unwrap_or(0),
    }
}

/// Returns the permutations of `0..count`, in lexicographic order; of many only the identity.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count > PERMUTED {
        return vec![(0..count).collect()];
    }
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |start: &Vec<usize>| {
            let start = start.clone();
            (0..count).filter(move |next| !start.contains(next)).collect::<Vec<_>>()
        };
        all = all
            .iter()
            .flat_map(|start| longer(start).into_iter().map(|next| start.iter().copied().chain([next]).collect()))
            .collect();
    }
    all
}
