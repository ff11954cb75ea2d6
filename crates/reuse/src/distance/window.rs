//! Windows: what executes strictly between prev(t) and t.
//!
//! prev(t) and t are in the same iterations of some loops, up to the one that *carries* the reuse. The window is, in this
//! order,
//!
//! - the rest of the iteration of prev(t), level by level from the inside: the nodes behind it in its body, then the
//!   iterations after its own of the loop around, and so on up to the carrying loop;
//! - the whole iterations of the carrying loop between the two;
//! - the beginning of the iteration of t, level by level likewise.
//!
//! If no loop carries the reuse, both are in one iteration of all common loops, and the nodes between them take the place of
//! the iterations. Each part is a simple set: nothing lexicographic is left.

use symloc_affine::{AccessId, ArrayId};
use symloc_isl::{Context, DimType, Map, Set};

use super::footprint::{Footprints, Iterations, Part, iterations};
use super::tree::{Spot, Tree};
use crate::Error;
use crate::prev::PrevPiece;

/// The windows of those accesses of a piece whose reuse is carried by one loop, or by none.
pub(crate) struct Window<'p> {
    pub piece: &'p PrevPiece,
    /// The accesses: `[params] -> { [iterators] : … }`.
    pub domain: Set,
    /// The carrying loop, as the number of loops around its body.
    carrier: Option<usize>,
}

/// The windows of a piece, one for each loop that carries some of its reuse.
pub(crate) fn windows<'p>(isl: &Context, tree: &Tree, piece: &'p PrevPiece) -> Result<Vec<Window<'p>>, Error> {
    let depth = common_depth(tree, piece.source, piece.sink);
    let prev = Map::from_multi_aff(&piece.iterators)?.reset_tuple_name(DimType::In)?.reset_tuple_name(DimType::Out)?;
    let mut rest = piece.domain.reset_tuple_name()?;
    let mut windows = Vec::new();
    for level in 1..=depth {
        let same = Map::read(isl, &same_iteration(prev.dim(DimType::In)?, prev.dim(DimType::Out)?, level))?;
        let same = prev.intersect(&same)?.domain()?;
        let carried = rest.subtract(&same)?;
        if !carried.is_empty()? {
            windows.push(Window { piece, domain: carried, carrier: Some(level) });
        }
        rest = rest.intersect(&same)?;
    }
    if !rest.is_empty()? {
        windows.push(Window { piece, domain: rest, carrier: None });
    }
    Ok(windows)
}

/// `{ [t…] -> [s…] : t and s are equal at a level }`
fn same_iteration(sink: usize, source: usize, level: usize) -> String {
    let names = |prefix: &str, count| (1..=count).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
    format!("{{ [{}] -> [{}] : t{level} = s{level} }}", names("t", sink), names("s", source))
}

/// How many loops are around both.
fn common_depth(tree: &Tree, a: AccessId, b: AccessId) -> usize {
    let common = tree.path(a).iter().zip(tree.path(b)).take_while(|(a, b)| a.body == b.body);
    common.last().map_or(0, |(spot, _)| tree.bodies[spot.body].depth)
}

impl Window<'_> {
    /// The blocks of one array in the window, part by part: `[iterators of t] -> Array[block]`, on the domain.
    pub(crate) fn blocks(
        &self,
        isl: &Context,
        footprints: &mut Footprints<'_>,
        array: ArrayId,
    ) -> Result<Vec<Map>, Error> {
        let tree = footprints.tree;
        let (source, sink) = (tree.path(self.piece.source), tree.path(self.piece.sink));
        let shared = self.shared(tree, source, sink);
        let (from, to) = (source[shared - 1], sink[shared - 1]);
        let (mut after, mut before) = (tail(tree, &source[shared..]), head(tree, &sink[shared..]));
        let mut blocks = Vec::new();
        if self.carrier.is_some() {
            after.push(Part::of(from.body, from.position + 1..tree.len(from.body)));
            before.push(Part::of(to.body, 0..to.position));
            blocks.extend(self.between(isl, footprints, array, from.body)?);
        } else {
            before.push(Part::of(to.body, from.position + 1..to.position));
        }
        for part in after {
            if let Some(footprint) = footprints.of(array, &part)? {
                blocks.push(self.to_source(tree.bodies[part.body].depth)?.apply_range(&footprint)?);
            }
        }
        for part in before {
            if let Some(footprint) = footprints.of(array, &part)? {
                blocks.push(self.at_sink(&footprint)?);
            }
        }
        blocks.iter().map(|b| Ok(b.intersect_domain(&self.domain)?)).collect()
    }

    /// How many spots both paths have in common; what executes between the two is in the bodies from the last of them on.
    fn shared(&self, tree: &Tree, source: &[Spot], sink: &[Spot]) -> usize {
        let common = source.iter().zip(sink).take_while(|(a, b)| a.body == b.body).count();
        let carries = |level| {
            source.iter().position(|spot| tree.bodies[spot.body].is_loop && tree.bodies[spot.body].depth == level)
        };
        self.carrier.and_then(carries).map_or(common, |at| at + 1)
    }

    /// The whole iterations of the carrying loop between prev(t) and t.
    fn between(
        &self,
        isl: &Context,
        footprints: &mut Footprints<'_>,
        array: ArrayId,
        body: usize,
    ) -> Result<Option<Map>, Error> {
        let tree = footprints.tree;
        let depth = tree.bodies[body].depth;
        let Some(footprint) = footprints.of(array, &Part::of(body, 0..tree.len(body)))? else { return Ok(None) };
        let later = Map::read(isl, &iterations(depth, "x > i"))?;
        let earlier = self.at_sink(&Map::read(isl, &iterations(depth, "x < i"))?)?;
        let between = self.to_source(depth)?.apply_range(&later)?.intersect(&earlier)?;
        let between = between.intersect_domain(&self.domain)?;
        Ok(if between.is_empty()? { None } else { Some(between.apply_range(&footprint)?) })
    }

    /// From the iterators of t to the outermost iterators of prev(t).
    fn to_source(&self, depth: usize) -> Result<Map, Error> {
        let map = Map::from_multi_aff(&self.piece.iterators)?;
        let map = map.reset_tuple_name(DimType::In)?.reset_tuple_name(DimType::Out)?;
        Ok(map.project_out(DimType::Out, depth, map.dim(DimType::Out)? - depth)?)
    }

    /// A relation from the outermost iterators of t as one from all of them.
    fn at_sink(&self, map: &Map) -> Result<Map, Error> {
        let (depth, all) = (map.dim(DimType::In)?, self.domain.dim(DimType::SET)?);
        Ok(map.insert_dims(DimType::In, depth, all - depth)?)
    }
}

/// The parts of the tree after the spots of a path, level by level.
fn tail(tree: &Tree, path: &[Spot]) -> Vec<Part> {
    parts(tree, path, Iterations::After, |position, len| position + 1..len)
}

/// The parts of the tree before the spots of a path, level by level.
fn head(tree: &Tree, path: &[Spot]) -> Vec<Part> {
    parts(tree, path, Iterations::Before, |position, _| 0..position)
}

fn parts(
    tree: &Tree,
    path: &[Spot],
    iterations: Iterations,
    siblings: impl Fn(usize, usize) -> std::ops::Range<usize>,
) -> Vec<Part> {
    let mut parts = Vec::new();
    for Spot { body, position } in path.iter().copied() {
        parts.push(Part::of(body, siblings(position, tree.len(body))));
        if tree.bodies[body].is_loop {
            parts.push(Part { iterations, ..Part::of(body, 0..tree.len(body)) });
        }
    }
    parts
}
