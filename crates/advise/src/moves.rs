//! The moves that make an order from one that isl's scheduler finds, and their description in words.

use symloc_affine::Overflow;
use symloc_isl::Strategy;
use symloc_schedule::{Band, BandMember, OrderTree, Scop};

use crate::nest::Nests;

/// The moves of one nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestMoves {
    /// By new loop, the old one: loops of the nest, and those directly below it.
    pub permutation: Vec<usize>,
    /// The sizes of tiles, those of the outermost first, then those of the tiles in them: by new loop; 0 for none.
    pub tiles: Vec<Vec<i64>>,
    /// True if innermost loops are split by statement.
    pub distributed: bool,
}

/// The moves that make an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// The strategy that fuses statements; `None` if they are fused as written.
    pub strategy: Option<Strategy>,
    /// By nest, from the left.
    pub nests: Vec<NestMoves>,
}

impl NestMoves {
    /// Returns the moves that leave a nest as it is.
    pub fn none(depth: usize) -> Self {
        Self { permutation: (0..depth).collect(), tiles: Vec::new(), distributed: false }
    }

    /// Returns a nest after the moves.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number leaves 64 bits.
    pub fn apply(&self, nest: &Band) -> Result<OrderTree, Overflow> {
        let order = OrderTree::Band(nest.with_loops_below().permuted(&self.permutation).tiled_in_levels(&self.tiles)?);
        Ok(if self.distributed { order.distributed() } else { order })
    }

    fn in_words(&self, nests: &Nests, scop: &Scop, nest: &Band) -> String {
        let old = nest.with_loops_below().members;
        let members: Vec<_> = self.permutation.iter().map(|place| member_text(nests, scop, &old[*place])).collect();
        let name = if members.len() == 1 { "loop" } else { "loops" };
        let mut words = format!("{name} {}", members.join(", "));
        words += &tiles_text(&self.tiles);
        if self.distributed {
            words += ", innermost loops split by statement";
        }
        words
    }
}

impl Moves {
    /// Returns an order after the moves.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a number leaves 64 bits.
    pub fn apply(&self, tree: &OrderTree) -> Result<OrderTree, Overflow> {
        let mut moves = self.nests.iter();
        tree.with_nests(&mut |nest| match moves.next() {
            Some(moves) => moves.apply(nest),
            None => Ok(OrderTree::Band(nest.clone())),
        })
    }

    /// Returns the moves as phrases: how statements are fused, and what becomes of each nest.
    pub fn in_words(&self, source: &Nests, scop: &Scop, tree: &OrderTree) -> Vec<String> {
        let fusion = match self.strategy {
            Some(Strategy::Fuse) => "statements fused",
            Some(Strategy::Separate) => "statements apart",
            Some(Strategy::OuterParallel) => "statements fused around independent iterations",
            None => "statements fused as written",
        };
        let nests = tree.nests();
        let place = |nest: &Band| {
            let first = nest.members.first().and_then(|member| member.values.keys().next());
            let access = first.and_then(|statement| scop.statements[*statement].accesses.first());
            let line = access.map_or(0, |access| scop.program.access(*access).location.line);
            if nests.len() > 1 { format!("line {line}: ") } else { String::new() }
        };
        let described = nests.iter().zip(&self.nests);
        let described = described.map(|(nest, moves)| format!("{}{}", place(nest), moves.in_words(source, scop, nest)));
        let several = scop.statements.len() > 1;
        several.then(|| fusion.to_owned()).into_iter().chain(described).collect()
    }
}

/// Returns the sizes of a nest's tiles, the outermost first, as a phrase behind its loops; an empty text if it has none.
pub(crate) fn tiles_text(levels: &[Vec<i64>]) -> String {
    let size = |size: &i64| if *size > 0 { size.to_string() } else { "all".to_owned() };
    let level = |sizes: &Vec<i64>| sizes.iter().map(size).collect::<Vec<_>>().join(" × ");
    let is_tiled = |sizes: &&Vec<i64>| sizes.iter().any(|size| *size > 0);
    let levels: Vec<String> = levels.iter().filter(is_tiled).map(level).collect();
    if levels.is_empty() { String::new() } else { format!(", tiles of {}", levels.join(", in them tiles of ")) }
}

/// Returns a loop's value, in the source's variables of the statement that has most of them.
fn member_text(nests: &Nests, scop: &Scop, member: &BandMember) -> String {
    let deepest = member.values.iter().max_by_key(|(statement, _)| scop.statements[**statement].iters.len());
    deepest.map_or_else(String::new, |(statement, value)| nests.show(*statement, value))
}
