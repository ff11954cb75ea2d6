//! Windows: what executes strictly between prev(t) and t.
//!
//! prev(t) and t are in the same iterations of some loops, up to the one that *carries* the reuse. The window is, in
//! this order,
//!
//! - the rest of the iteration of prev(t), level by level from the inside: the nodes behind it in its body, then the
//!   iterations after its own of the loop around, and so on up to the carrying loop;
//! - the whole iterations of the carrying loop between the two;
//! - the beginning of the iteration of t, level by level likewise.
//!
//! If no loop carries the reuse, both are in one iteration of all common loops, and the nodes between them take the
//! place of the iterations. Each part is a simple set: nothing lexicographic is left.

use std::cmp::Ordering;

use symloc_affine::AccessId;
use symloc_isl::{DimType, Map, Set};

use super::footprint::{ArraySets, BlockNames, BodyPart, Footprints, Iterations, other_iterations};
use super::tree::{BodyKind, BodyTree, Spot};
use crate::Error;
use crate::previous::PrevPiece;
use crate::schedule::timestamps::statement_name;

/// The windows of those accesses of a piece whose reuse is carried by one loop, or by none.
pub(crate) struct Window {
    pub piece: PrevPiece,
    /// The accesses: `[params] -> { [coordinates] : … }`.
    pub domain: Set,
    /// The carrying loop, as the number of loops around its body.
    carrier: Option<usize>,
    /// The number of coordinates of t before its iterators.
    before: usize,
    /// True if t stands for the end of the program, and its coordinates are those of prev(t).
    to_end: bool,
}

impl Window {
    /// Returns the window from an access, its own previous one in `piece`, to the end of the program.
    pub(crate) fn to_end(piece: PrevPiece) -> Result<Self, Error> {
        Ok(Self { domain: piece.domain.reset_tuple_name()?, piece, carrier: None, before: 0, to_end: true })
    }
}

/// Returns the windows of a piece, one for each loop that carries some of its reuse. Accesses have `before` coordinates
/// in front of their iterators, which do not belong to the time.
pub(crate) fn windows(tree: &BodyTree, piece: &PrevPiece, before: usize) -> Result<Vec<Window>, Error> {
    let depth = common_depth(tree, piece.source, piece.sink);
    let prev = Map::from_multi_aff(&piece.iterators)?.reset_tuple_name(DimType::In)?.reset_tuple_name(DimType::Out)?;
    let mut rest = piece.domain.reset_tuple_name()?;
    let window = |domain, carrier| Window { piece: piece.clone(), domain, carrier, before, to_end: false };
    let mut windows = Vec::new();
    for level in 1..=depth {
        let position = before + level - 1;
        let same = prev.ordered(position, Ordering::Equal, position)?.domain()?;
        let carried = rest.subtract(&same)?;
        if !carried.is_empty()? {
            windows.push(window(carried, Some(level)));
        }
        rest = rest.intersect(&same)?;
    }
    if !rest.is_empty()? {
        windows.push(window(rest, None));
    }
    Ok(windows)
}

/// Returns the number of loops around both accesses.
fn common_depth(tree: &BodyTree, a: AccessId, b: AccessId) -> usize {
    let common = tree.path(a).iter().zip(tree.path(b)).take_while(|(a, b)| a.body == b.body);
    common.last().map_or(0, |(spot, _)| tree.bodies[spot.body].depth)
}

impl Window {
    /// Returns the accesses with their previous ones.
    pub(crate) fn accesses(&self) -> Result<PrevPiece, Error> {
        let domain = self.domain.set_tuple_name(&statement_name(self.piece.sink))?;
        Ok(PrevPiece { domain, iterators: self.piece.iterators.clone(), ..self.piece })
    }

    /// Returns the window of those of its accesses that are in a part of the domain.
    pub(crate) fn on(&self, domain: Set) -> Self {
        Self { piece: self.piece.clone(), domain, ..*self }
    }

    /// Returns the blocks in the window, array by array: sets that may overlap.
    pub(crate) fn blocks(
        &self,
        footprints: &mut Footprints<'_>,
        coordinates: &[&str],
        naming: BlockNames,
    ) -> Result<ArraySets, Error> {
        let mut blocks = ArraySets::new();
        for (iterations, part) in self.parts(footprints.tree)? {
            for (array, footprint) in footprints.of(&part, naming)?.iter() {
                let touched = over_params(&iterations.apply_range(footprint)?, coordinates)?;
                blocks.entry(*array).or_default().push(touched);
            }
        }
        Ok(blocks)
    }

    /// Returns the parts of the window, with the iterations of the loops around each: `[coordinates of t] ->
    /// [iterators]`, on the domain.
    fn parts(&self, tree: &BodyTree) -> Result<Vec<(Map, BodyPart)>, Error> {
        let (source, sink) = (tree.path(self.piece.source), tree.path(self.piece.sink));
        let of_source = |parts: Vec<BodyPart>| {
            let part = |part: BodyPart| Ok((self.of_source(tree.bodies[part.body].depth)?, part));
            parts.into_iter().map(part).collect::<Result<Vec<_>, Error>>()
        };
        if self.to_end {
            return of_source(tail(tree, source));
        }
        let shared = self.shared(tree, source, sink);
        let (from, to) = (source[shared - 1], sink[shared - 1]);
        let (mut after, mut before) = (tail(tree, &source[shared..]), head(tree, &sink[shared..]));
        let mut parts = Vec::new();
        if self.carrier.is_some() {
            after.push(BodyPart::of(from.body, from.position + 1..tree.len(from.body)));
            before.push(BodyPart::of(to.body, 0..to.position));
            let between = self.between(tree.bodies[from.body].depth)?;
            if !between.is_empty()? {
                parts.push((between, BodyPart::of(from.body, 0..tree.len(from.body))));
            }
        } else {
            before.push(BodyPart::of(to.body, from.position + 1..to.position));
        }
        parts.extend(of_source(after)?);
        for part in before {
            parts.push((self.of_sink(tree.bodies[part.body].depth)?, part));
        }
        Ok(parts)
    }

    /// Returns the number of spots that both paths share; all that executes between the two is in the bodies from the
    /// last of them on.
    fn shared(&self, tree: &BodyTree, source: &[Spot], sink: &[Spot]) -> usize {
        let common = source.iter().zip(sink).take_while(|(a, b)| a.body == b.body).count();
        let carries = |level| {
            source
                .iter()
                .position(|spot| tree.bodies[spot.body].kind == BodyKind::Loop && tree.bodies[spot.body].depth == level)
        };
        self.carrier.and_then(carries).map_or(common, |at| at + 1)
    }

    /// Returns the whole iterations of the carrying loop between prev(t) and t.
    fn between(&self, depth: usize) -> Result<Map, Error> {
        let (source, sink) = (self.of_source(depth)?, self.of_sink(depth)?);
        let later = source.apply_range(&other_iterations(&source.range()?, Iterations::After)?)?;
        let earlier = sink.apply_range(&other_iterations(&sink.range()?, Iterations::Before)?)?;
        Ok(later.intersect(&earlier)?)
    }

    /// Returns the outermost iterators of prev(t).
    fn of_source(&self, depth: usize) -> Result<Map, Error> {
        let source = Map::from_multi_aff(&self.piece.iterators)?;
        self.outermost(source.reset_tuple_name(DimType::In)?.reset_tuple_name(DimType::Out)?, depth)
    }

    /// Returns the outermost iterators of t.
    fn of_sink(&self, depth: usize) -> Result<Map, Error> {
        self.outermost(Set::universe(&self.domain.space()?)?.identity()?, depth)
    }

    /// Returns the outermost iterators, without the coordinates before them.
    fn outermost(&self, to: Map, depth: usize) -> Result<Map, Error> {
        let inner = to.dim(DimType::Out)? - self.before - depth;
        let to = to.project_out(DimType::Out, self.before + depth, inner)?.project_out(DimType::Out, 0, self.before)?;
        Ok(to.intersect_domain(&self.domain)?)
    }
}

/// Returns the parts of the tree after the spots of a path, level by level.
fn tail(tree: &BodyTree, path: &[Spot]) -> Vec<BodyPart> {
    parts(tree, path, Iterations::After, |position, len| position + 1..len)
}

/// Returns the parts of the tree before the spots of a path, level by level.
fn head(tree: &BodyTree, path: &[Spot]) -> Vec<BodyPart> {
    parts(tree, path, Iterations::Before, |position, _| 0..position)
}

fn parts(
    tree: &BodyTree,
    path: &[Spot],
    iterations: Iterations,
    siblings: impl Fn(usize, usize) -> std::ops::Range<usize>,
) -> Vec<BodyPart> {
    let mut parts = Vec::new();
    for Spot { body, position } in path.iter().copied() {
        parts.push(BodyPart::of(body, siblings(position, tree.len(body))));
        if tree.bodies[body].kind == BodyKind::Loop {
            parts.push(BodyPart { iterations, ..BodyPart::of(body, 0..tree.len(body)) });
        }
    }
    parts
}

/// Returns the images of a relation as a set of blocks, with the coordinates of t as parameters.
fn over_params(blocks: &Map, coordinates: &[&str]) -> Result<Set, Error> {
    let mut map = blocks.clone();
    for (position, name) in coordinates.iter().enumerate() {
        map = map.set_dim_name(DimType::In, position, name)?;
    }
    let params = map.dim(DimType::Param)?;
    Ok(map.move_dims(DimType::Param, params, DimType::In, 0, coordinates.len())?.range()?)
}
