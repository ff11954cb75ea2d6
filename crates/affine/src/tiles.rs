//! Tile coordinates: a program in which tiles need no floors (docs/mathematics.md, "Tiles").
//!
//! What tilers print, tiles of T iterations with sizes that T need not divide,
//!
//! ```text
//! for t = 0 to ⌈n/T⌉:  for i = T·t to min(n, T·t + T)
//! ```
//!
//! is written with the place r in a tile and with a size in two parameters, m and s:
//!
//! ```text
//! i = T·t + r,  0 ≤ r < T          n = T·m + s,  1 ≤ s ≤ T
//!
//! for t = 0 to m + 1:  for r = 0 to min(T, T·m + s − T·t)
//! ```
//!
//! No floor is left: ⌈n/T⌉ is m + 1, because the last tile has s places, and at least one. The accesses stay the same,
//! in the same order, and keep their numbers. Tiles of tiles are the same once more: ⌈n/(U·T)⌉ is ⌈(m + 1)/U⌉, and m is
//! a size like n.
//!
//! Floors of other sums of sizes have few values, ⌊(s + s′)/T⌋ is one of 0, 1 and 2. They are left.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{Atom, Constraint, Expr, Overflow, Relation, gcd};
use crate::ids::{IterId, ParamId};
use crate::lines::loops;
use crate::mapped::conditions;
use crate::program::{If, Loop, LoopStep, Node, Param, Program};

/// A program in tile coordinates.
#[derive(Clone, Debug)]
pub struct TileCoordinates {
    /// The program. Its accesses are those of the original one, in the same order.
    pub program: Program,
    /// The value of each of its parameters, in the parameters of the original program.
    pub values: Vec<Expr>,
}

impl TileCoordinates {
    /// Writes a program in tile coordinates; `None` if no tile depends on a parameter.
    ///
    /// # Errors
    ///
    /// [`Overflow`] if a coefficient leaves 64 bits.
    pub fn new(program: &Program) -> Result<Option<Self>, Overflow> {
        let tiles = tile_loops(&program.body);
        let mut places = TileRewriter { tiles: &tiles, values: BTreeMap::new(), ranges: PlaceRanges::default() };
        let mut program = Program { body: places.body(&program.body)?, ..program.clone() };
        for subscript in program.accesses.iter_mut().flat_map(|access| &mut access.subscripts) {
            *subscript = places.expr(subscript)?;
        }
        places.rename(&mut program);
        let mut sizes = SizeRewriter::new(program, places.ranges);
        let mut split = false;
        while let Some(size) = sizes.next(&tiles) {
            sizes.split(&size)?;
            split = true;
        }
        Ok(split.then_some(Self { program: sizes.program, values: sizes.values }))
    }
}

/// Returns the loops over tiles: in neighbouring iterations of these, other loops start two or more apart.
fn tile_loops(nodes: &[Node]) -> BTreeSet<IterId> {
    let (mut tiles, mut steps) = (BTreeSet::new(), BTreeMap::new());
    loops(nodes, &mut |l| {
        steps.extend(l.step.constant().map(|step| (l.iter, step)));
        for (atom, coefficient) in l.lower.iter().flat_map(Expr::terms) {
            if let Atom::Iter(outer) = atom
                && steps.get(outer).is_some_and(|step| *step > 1 || coefficient.abs() > 1)
            {
                tiles.insert(*outer);
            }
        }
    });
    tiles
}

/// Writes the iterators of tiles in tiles, and those in a tile in places.
struct TileRewriter<'a> {
    tiles: &'a BTreeSet<IterId>,
    /// Iterators that are written in others.
    values: BTreeMap<IterId, Expr>,
    ranges: PlaceRanges,
}

impl TileRewriter<'_> {
    fn expr(&self, expression: &Expr) -> Result<Expr, Overflow> {
        expression.substitute(&|iter| self.values.get(&iter).cloned().map(Ok))
    }

    fn exprs(&self, expressions: &[Expr]) -> Result<Vec<Expr>, Overflow> {
        expressions.iter().map(|e| self.expr(e)).collect()
    }

    fn body(&mut self, nodes: &[Node]) -> Result<Vec<Node>, Overflow> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    fn node(&mut self, node: &Node) -> Result<Node, Overflow> {
        Ok(match node {
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => node.clone(),
            Node::If(guard) => Node::If(If {
                condition: conditions(&guard.condition, &|e| self.expr(e))?,
                then: self.body(&guard.then)?,
                otherwise: self.body(&guard.otherwise)?,
            }),
            Node::Loop(l) => {
                let l = Loop { lower: self.exprs(&l.lower)?, upper: self.exprs(&l.upper)?, ..l.clone() };
                let l = self.in_coordinates(l)?;
                Node::Loop(Loop { body: self.body(&l.body)?, ..l })
            }
        })
    }

    /// Converts a loop: one over tiles counts tiles, one over the iterations of a tile counts places, others stay the
    /// same.
    fn in_coordinates(&mut self, l: Loop) -> Result<Loop, Overflow> {
        if l.step != LoopStep::Known(1) {
            return match (l.lower.as_slice(), l.step.constant()) {
                ([start], Some(step)) if self.tiles.contains(&l.iter) => self.in_steps(&l, start, step),
                _ => Ok(l),
            };
        }
        let Some((start, size)) = strip(&l) else { return Ok(l) };
        let from_start = |bound: &Expr| bound.minus(start);
        let (lower, upper) = (l.lower.iter().map(from_start), l.upper.iter().map(from_start));
        let (lower, upper) = (lower.collect::<Result<_, _>>()?, upper.collect::<Result<_, _>>()?);
        self.values.insert(l.iter, start.plus(&Expr::iter(l.iter))?);
        self.ranges.0.insert(Atom::Iter(l.iter), (0, size - 1));
        Ok(Loop { lower, upper, ..l })
    }

    /// i = start + step·t
    fn in_steps(&mut self, l: &Loop, start: &Expr, step: i64) -> Result<Loop, Overflow> {
        let tiles = |bound: &Expr| bound.minus(start)?.ceil_div(step);
        let upper = l.upper.iter().map(tiles).collect::<Result<_, _>>()?;
        self.values.insert(l.iter, start.add_scaled(&Expr::iter(l.iter), step)?);
        Ok(Loop { lower: vec![Expr::constant(0)], upper, step: LoopStep::Known(1), ..l.clone() })
    }

    /// `t_i` for tiles, `r_i` for places.
    fn rename(&self, program: &mut Program) {
        for iter in self.values.keys() {
            let prefix = if self.ranges.0.contains_key(&Atom::Iter(*iter)) { "r" } else { "t" };
            program.iters[iter.index()].name = program.fresh_name(prefix, &program.iters[iter.index()].name);
        }
    }
}

/// Returns the start T·t + … of the iterations of one tile, and T: some bounds are start and start + T.
fn strip(l: &Loop) -> Option<(&Expr, i64)> {
    let size = |start: &Expr| {
        let sizes = l.upper.iter().filter_map(|end| end.minus(start).ok()?.as_constant()).filter(|size| *size > 1);
        let tiled = |size: &i64| start.terms().any(|(atom, c)| matches!(atom, Atom::Iter(_)) && c % size == 0);
        sizes.filter(tiled).min()
    };
    l.lower.iter().find_map(|start| Some((start, size(start)?)))
}

/// Inclusive ranges of places and remainders.
#[derive(Clone, Debug, Default)]
struct PlaceRanges(BTreeMap<Atom, (i64, i64)>);

impl PlaceRanges {
    /// Returns the least and the greatest value of an expression in places and remainders alone.
    fn of(&self, expression: &Expr) -> Option<(i64, i64)> {
        let (mut low, mut high) = (expression.constant_term(), expression.constant_term());
        for (atom, coefficient) in expression.terms() {
            let (first, last) = self.0.get(atom)?;
            let (a, b) = (coefficient.checked_mul(*first)?, coefficient.checked_mul(*last)?);
            low = low.checked_add(a.min(b))?;
            high = high.checked_add(a.max(b))?;
        }
        Some((low, high))
    }

    /// Returns the expression with fewer floors.
    fn simplify(&self, expression: &Expr) -> Result<Expr, Overflow> {
        let mut sum = Expr::constant(expression.constant_term());
        for (atom, coefficient) in expression.terms() {
            let term = match atom {
                Atom::Floor(numerator, divisor) => self.floor(&self.simplify(numerator)?, *divisor)?,
                Atom::Param(_) | Atom::Iter(_) => Expr::atom(atom.clone()),
            };
            sum = sum.add_scaled(&term, coefficient)?;
        }
        Ok(sum)
    }

    /// ⌊E/d⌋. With E = g·X + R for a divisor g of d it is ⌊(X + q)/(d/g)⌋ if ⌊R/g⌋ has the one value q.
    fn floor(&self, numerator: &Expr, divisor: i64) -> Result<Expr, Overflow> {
        let common = numerator.terms().map(|(_, c)| gcd(c, divisor));
        let divisors: BTreeSet<i64> = common.chain([divisor]).filter(|g| *g > 1).collect();
        for g in divisors.into_iter().rev() {
            let (whole, rest) = numerator.div_rem(g)?;
            let range = self.of(&rest).map(|(low, high)| (low.div_euclid(g), high.div_euclid(g)));
            if let Some((low, high)) = range
                && low == high
            {
                return self.floor(&whole.plus_constant(low)?, divisor / g);
            }
        }
        let (whole, rest) = numerator.div_rem(divisor)?;
        whole.plus(&rest.floor_div(divisor)?)
    }

    /// Returns the constraint on U that T·U + R ≥ 0 implies, if R has a greatest value: U ≥ −⌊R/T⌋.
    fn implied(&self, condition: &Constraint, tile: i64) -> Result<Option<Constraint>, Overflow> {
        let (whole, rest) = condition.expr.div_rem(tile)?;
        let Some((_, most)) = self.of(&rest) else { return Ok(None) };
        Ok(Some(Constraint::non_negative(whole.plus_constant(most.div_euclid(tile))?)))
    }
}

/// A size n in tile coordinates: `n + offset = tile·m + s`.
struct TileSplit {
    param: ParamId,
    tile: i64,
    offset: i64,
}

/// The properties of the quotients ⌊(± n + …)/d⌋ of a size n.
#[derive(Default)]
struct Quotients {
    /// The greatest common divisor of all d.
    tile: i64,
    /// Those o with which ⌈(n + o)/d⌉ stands in the program.
    offsets: Vec<i64>,
}

impl Quotients {
    /// Leaves no floor in as many quotients as possible.
    fn split(self, param: ParamId) -> TileSplit {
        let tile = self.tile;
        let small = |offset: i64| match offset.rem_euclid(tile) {
            offset if offset > tile / 2 => offset - tile,
            offset => offset,
        };
        let mut votes: BTreeMap<i64, usize> = BTreeMap::new();
        for offset in self.offsets {
            *votes.entry(small(offset)).or_default() += 1;
        }
        let most = votes.into_iter().max_by_key(|(offset, votes)| (*votes, -offset.abs(), *offset));
        TileSplit { param, tile, offset: most.map_or(0, |(offset, _)| offset) }
    }
}

/// Writes sizes in tiles and remainders, one after the other.
struct SizeRewriter {
    program: Program,
    values: Vec<Expr>,
    /// The number of elements in a unit of each parameter; `None` for remainders.
    units: Vec<Option<i64>>,
    ranges: PlaceRanges,
}

impl SizeRewriter {
    fn new(program: Program, ranges: PlaceRanges) -> Self {
        let values = (0..program.params.len() as u32).map(|p| Expr::param(ParamId(p))).collect();
        let units = vec![Some(1); program.params.len()];
        Self { program, values, units, ranges }
    }

    /// Returns a size whose quotients are in the bounds of loops over tiles.
    fn next(&self, tiles: &BTreeSet<IterId>) -> Option<TileSplit> {
        let mut found: BTreeMap<ParamId, Quotients> = BTreeMap::new();
        loops(&self.program.body, &mut |l| {
            if tiles.contains(&l.iter) {
                l.lower.iter().chain(&l.upper).for_each(|bound| self.quotients(bound, &mut found));
            }
        });
        // Tiles of one iteration would leave the quotients as they are.
        let mut tiled = found.into_iter().filter(|(_, quotients)| quotients.tile > 1);
        tiled.next().map(|(param, quotients)| quotients.split(param))
    }

    fn quotients(&self, expression: &Expr, found: &mut BTreeMap<ParamId, Quotients>) {
        for (atom, _) in expression.terms() {
            let Atom::Floor(numerator, divisor) = atom else { continue };
            self.quotients(numerator, found);
            for (atom, coefficient) in numerator.terms() {
                if let Atom::Param(param) = atom
                    && let Some(unit) = self.units[param.index()]
                    && coefficient % divisor != 0
                {
                    let quotients = found.entry(*param).or_default();
                    quotients.tile = gcd(quotients.tile, divisor / gcd(*divisor, gcd(coefficient, unit)));
                    let alone = numerator.terms().all(|(other, c)| other == atom || c % divisor == 0);
                    // ⌈(n + o)/d⌉ is −⌊(−n − o)/d⌋, and ⌊(n + o − 1)/d⌋ + 1.
                    quotients.offsets.extend(match coefficient {
                        1 if alone => numerator.constant_term().checked_add(1),
                        -1 if alone => numerator.constant_term().checked_neg(),
                        _ => None,
                    });
                }
            }
        }
    }

    /// Writes one size in tiles: m takes its place among the parameters, and s comes last.
    fn split(&mut self, &TileSplit { param, tile, offset }: &TileSplit) -> Result<(), Overflow> {
        let name = self.program.params[param.index()].name.clone();
        let rest = ParamId(self.program.params.len() as u32);
        let [quotient, remainder] = ["m", "s"].map(|prefix| Param::named(self.program.fresh_name(prefix, &name)));
        self.program.params[param.index()] = quotient;
        self.program.params.push(remainder);
        self.ranges.0.insert(Atom::Param(rest), (1, tile));

        let shifted = self.values[param.index()].plus_constant(offset)?;
        let quotient = shifted.plus_constant(-1)?.floor_div(tile)?;
        self.values.push(shifted.add_scaled(&quotient, -tile)?);
        self.values[param.index()] = quotient;
        let unit = &mut self.units[param.index()];
        *unit = unit.and_then(|unit| unit.checked_mul(tile));
        self.units.push(None);

        let size = Expr::param(rest).add_scaled(&Expr::param(param), tile)?.plus_constant(-offset)?;
        let ranges = &self.ranges;
        let of_size = |atom: &Atom| (*atom == Atom::Param(param)).then(|| Ok(size.clone()));
        let split = |e: &Expr| ranges.simplify(&e.replace(&of_size)?);
        self.program = self.program.with(&split, &Ok)?;
        let context = self.program.context.clone();
        for condition in context.iter().filter(|condition| condition.relation == Relation::NonNegative) {
            self.program.context.extend(ranges.implied(condition, tile)?);
        }
        let (first, last) = (Expr::param(rest).plus_constant(-1)?, Expr::constant(tile).minus(&Expr::param(rest))?);
        self.program.context.extend([first, last].map(Constraint::non_negative));
        Ok(())
    }
}
