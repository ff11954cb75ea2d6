//! An order of loops that the user gives, instead of those that a search finds.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use symloc_affine::{AccessId, AccessKind, Atom, Expr, IterId, Overflow};
use symloc_isl::Strategy;
use symloc_schedule::find::find_order;
use symloc_schedule::{Band, BandMember, Dependences, OrderTree, Scop, Violation};

use crate::error::{AdviseError, MissingOption};
use crate::moves::tiles_text;
use crate::nest::Nests;

/// An order that the user gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenOrder {
    /// Loops.
    Loops(GivenLoops),
    /// What isl's scheduler finds, with tiles of this size in all nests of several loops; 0 for none. With 32 that is what
    /// Pluto does by default.
    Scheduler(i64),
}

/// Loops in the order that they shall have, outermost first, each with the sizes of its tiles, the largest first; 0 for all
/// of the loop.
///
/// It is for the statements that are in these loops and in no loops further inside. Loops that it does not name stay
/// around them, and other statements of the same loops get loops of their own, as they are written. Where loops stand in
/// this order already they stay as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenLoops(Vec<(String, Vec<i64>)>);

/// The name of isl's scheduler in an order.
const SCHEDULER: &str = "scheduler";
/// The size of tiles that have all of a loop.
const ALL: &str = "all";

impl FromStr for GivenOrder {
    type Err = String;

    /// Reads `k, i:32, j:64`, `k, i:256:32, j:all:64` or `scheduler:32`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut loops: Vec<(String, Vec<i64>)> = Vec::new();
        for part in text.split(',') {
            let mut words = part.split(':').map(str::trim);
            let name = words.next().unwrap_or_default();
            let sizes = words.map(tile_size).collect::<Result<Vec<_>, _>>()?;
            check_levels(name, &sizes)?;
            if name.is_empty() {
                return Err("a loop has no name: write loops with commas between them, outermost first".to_owned());
            }
            if loops.iter().any(|(other, _)| other == name) {
                return Err(format!("the loop `{name}` stands twice"));
            }
            loops.push((name.to_owned(), sizes));
        }
        match loops.as_slice() {
            [(name, sizes)] if name == SCHEDULER => match sizes.as_slice() {
                [] => Ok(Self::Scheduler(0)),
                [size] => Ok(Self::Scheduler(*size)),
                _ => Err(format!("{SCHEDULER} takes tiles of one size, as in {SCHEDULER}:32")),
            },
            _ => Ok(Self::Loops(GivenLoops(loops))),
        }
    }
}

/// Reads the size of tiles; 0 for all of a loop.
fn tile_size(text: &str) -> Result<i64, String> {
    if text == ALL {
        return Ok(0);
    }
    text.parse()
        .ok()
        .filter(|size| *size > 0)
        .ok_or_else(|| format!("`{text}` is no size of tiles: write the loop, a colon and a number, as in i:32"))
}

/// Checks that the tiles of a loop are made of whole tiles of the next size.
fn check_levels(name: &str, sizes: &[i64]) -> Result<(), String> {
    let sizes: Vec<i64> = sizes.iter().copied().filter(|size| *size > 0).collect();
    match sizes.windows(2).find(|pair| pair[0] % pair[1] != 0) {
        None => Ok(()),
        Some(pair) => Err(format!(
            "tiles of {} are not made of whole tiles of {}: write a multiple of {} first, as in {name}:{}:{}",
            pair[0],
            pair[1],
            pair[1],
            pair[1].saturating_mul(8),
            pair[1]
        )),
    }
}

impl GivenOrder {
    /// Returns the order of the whole program.
    ///
    /// # Errors
    ///
    /// [`AdviseError::NoSuchLoops`] if no statement is in these loops, [`AdviseError::Schedule`] if isl's scheduler fails,
    /// [`AdviseError::Overflow`] if a number leaves 64 bits.
    pub fn apply(&self, nests: &Nests, scop: &Scop, dependences: &Dependences) -> Result<OrderTree, AdviseError> {
        match self {
            Self::Loops(loops) => loops.apply(nests, scop),
            Self::Scheduler(size) => {
                let tree = find_order(scop, dependences, Strategy::Fuse)?;
                let tiles = |nest: &Band| if nest.depth() > 1 { vec![*size; nest.depth()] } else { vec![0] };
                Ok(tree.with_nests(&mut |nest| Ok::<_, Overflow>(OrderTree::Band(nest.tiled(&tiles(nest))?)))?)
            }
        }
    }

    /// Returns the order as a phrase.
    pub fn in_words(&self) -> String {
        match self {
            Self::Loops(loops) => loops.in_words(),
            Self::Scheduler(0) => "the order that isl's scheduler finds".to_owned(),
            Self::Scheduler(size) => format!("the order that isl's scheduler finds, in tiles of {size}"),
        }
    }
}

impl GivenLoops {
    fn apply(&self, nests: &Nests, scop: &Scop) -> Result<OrderTree, AdviseError> {
        let given = GivenTree { given: self, nests, scop };
        if (0..scop.statements.len()).all(|statement| !given.is_meant(statement)) {
            return Err(AdviseError::NoSuchLoops { loops: self.names().join(", "), known: given.known() });
        }
        Ok(given.ordered(&OrderTree::as_written(scop), 0)?)
    }

    fn in_words(&self) -> String {
        format!("loops {}{}, as given", self.names().join(", "), tiles_text(&self.levels()))
    }

    /// Returns the sizes of tiles by level, the outermost first, and by loop. Of a loop with fewer sizes, the last tiles are
    /// not divided.
    fn levels(&self) -> Vec<Vec<i64>> {
        let count = self.0.iter().map(|(_, sizes)| sizes.len()).max().unwrap_or(0);
        let level = |level: usize| self.0.iter().map(|(_, sizes)| sizes.get(level).copied().unwrap_or(0)).collect();
        (0..count).map(level).collect()
    }

    fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| name.as_str()).collect()
    }
}

struct GivenTree<'b> {
    given: &'b GivenLoops,
    nests: &'b Nests,
    scop: &'b Scop,
}

impl GivenTree<'_> {
    /// Returns the innermost loops of a statement, as many as are given: names and iterators.
    fn innermost(&self, statement: usize) -> Option<Vec<(&str, IterId)>> {
        let variables = self.nests.variables.get(statement)?;
        let iters = &self.scop.statements[statement].iters;
        let outer = iters.len().checked_sub(self.given.0.len())?;
        let inner = variables.get(outer..)?.iter().map(|(name, _)| name.as_str());
        Some(inner.zip(iters[outer..].iter().copied()).collect())
    }

    /// Returns true if the innermost loops of a statement are those that are given.
    fn is_meant(&self, statement: usize) -> bool {
        let names: Option<BTreeSet<&str>> =
            self.innermost(statement).map(|loops| loops.into_iter().map(|(name, _)| name).collect());
        names.is_some_and(|names| names == self.given.names().into_iter().collect())
    }

    /// Returns true if the innermost loops of a statement stand in the given order as they are written.
    fn stands(&self, statement: usize) -> bool {
        let names = self.innermost(statement).map(|loops| loops.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
        names == Some(self.given.names()) && self.given.levels().iter().flatten().all(|size| *size == 0)
    }

    /// Returns the loops around statements, to choose from.
    fn known(&self) -> String {
        let of = |variables: &Vec<(String, Expr)>| {
            let names: Vec<&str> = variables.iter().map(|(name, _)| name.as_str()).collect();
            names.join(", ")
        };
        let known: BTreeSet<String> = self.nests.variables.iter().map(of).filter(|names| !names.is_empty()).collect();
        known.into_iter().collect::<Vec<_>>().join("; ")
    }

    /// Returns a tree under `depth` loops with the given order where its loops begin.
    fn ordered(&self, tree: &OrderTree, depth: usize) -> Result<OrderTree, Overflow> {
        match tree {
            OrderTree::Leaf => Ok(OrderTree::Leaf),
            OrderTree::Sequence(parts) => {
                let part =
                    |(part, order): &(BTreeSet<usize>, OrderTree)| Ok((part.clone(), self.ordered(order, depth)?));
                Ok(OrderTree::Sequence(parts.iter().map(part).collect::<Result<Vec<_>, Overflow>>()?))
            }
            OrderTree::Band(band) => {
                let statements = tree.statements(self.scop);
                let begins = |statement: &usize| {
                    let inside = self.scop.statements[*statement].iters.len() == depth + self.given.0.len();
                    inside && self.is_meant(*statement) && !self.stands(*statement)
                };
                if statements.iter().any(begins) {
                    return self.split(tree, &statements, &begins);
                }
                let child = Box::new(self.ordered(&band.child, depth + band.members.len())?);
                Ok(OrderTree::Band(Band { members: band.members.clone(), permutable: band.permutable, child }))
            }
        }
    }

    /// Returns the statements of a tree one after the other: those in the same given loops together, in the given order,
    /// others as they are.
    fn split(
        &self,
        tree: &OrderTree,
        statements: &BTreeSet<usize>,
        begins: &impl Fn(&usize) -> bool,
    ) -> Result<OrderTree, Overflow> {
        let loops = |statement: &usize| begins(statement).then(|| self.scop.statements[*statement].iters.clone());
        let in_order: Vec<usize> = statements.iter().copied().collect();
        let mut parts = Vec::new();
        for run in in_order.chunk_by(|a, b| loops(a) == loops(b)) {
            let order = match begins(&run[0]) {
                true => self.nest(run)?,
                false => tree.restricted(&run.iter().copied().collect()),
            };
            parts.push((run.iter().copied().collect(), order));
        }
        Ok(OrderTree::in_sequence(parts))
    }

    /// Returns the given loops around statements that are in all of them.
    fn nest(&self, run: &[usize]) -> Result<OrderTree, Overflow> {
        let value = |statement: usize, name: &str| {
            let loops = self.innermost(statement)?;
            loops.into_iter().find(|(other, _)| *other == name).map(|(_, iter)| (statement, Expr::iter(iter)))
        };
        let member = |(name, _): &(String, Vec<i64>)| {
            let values: BTreeMap<usize, Expr> = run.iter().filter_map(|statement| value(*statement, name)).collect();
            BandMember { values, coincident: false }
        };
        let inside = run.iter().map(|statement| (BTreeSet::from([*statement]), OrderTree::Leaf));
        let child = OrderTree::in_sequence(inside.collect());
        let members = self.given.0.iter().map(member).collect();
        let band = Band { members, permutable: false, child: Box::new(child) };
        Ok(OrderTree::Band(band.tiled_in_levels(&self.given.levels())?))
    }
}

/// Returns the error for an order that turns a dependence round: the two accesses, and where it happens.
pub(crate) fn refusal(nests: &Nests, scop: &Scop, broken: &Violation, missing: MissingOption) -> AdviseError {
    let found = Found { nests, scop, broken };
    let Some((first, second)) = found.accesses() else {
        let location = scop.program.access(scop.statements[broken.first].accesses[0]).location.clone();
        return AdviseError::NotLegal {
            location,
            why: "a statement would run before one that it depends on".to_owned(),
            missing,
        };
    };
    let location = scop.program.access(first).location.clone();
    AdviseError::NotLegal { location, why: found.in_words(first, second), missing }
}

/// A dependence that an order turns round, with what is needed to name it.
struct Found<'f> {
    nests: &'f Nests,
    scop: &'f Scop,
    broken: &'f Violation,
}

impl Found<'_> {
    /// Returns an access of each of the two instances that touch the same element, one of which writes it.
    fn accesses(&self) -> Option<(AccessId, AccessId)> {
        let of = |statement: usize| self.scop.statements[statement].accesses.iter().copied();
        let pairs = of(self.broken.first).flat_map(|first| of(self.broken.second).map(move |second| (first, second)));
        let is_pair = |(first, second): &(AccessId, AccessId)| {
            let (a, b) = (self.scop.program.access(*first), self.scop.program.access(*second));
            let writes = a.kind == AccessKind::Write || b.kind == AccessKind::Write;
            let element = |subscripts: &[Expr], statement, instance: &[BigInt]| {
                subscripts.iter().map(|subscript| self.value(subscript, statement, instance)).collect::<Vec<_>>()
            };
            writes
                && a.array == b.array
                && element(&a.subscripts, self.broken.first, &self.broken.first_instance)
                    == element(&b.subscripts, self.broken.second, &self.broken.second_instance)
        };
        let mut pairs = pairs.filter(is_pair);
        pairs.next()
    }

    fn value(&self, expr: &Expr, statement: usize, instance: &[BigInt]) -> Option<i128> {
        let number = |value: &BigInt| value.to_i128().unwrap_or_default();
        let size = |name: &str| {
            let size = self.broken.sizes.iter().find(|(other, _)| other == name);
            size.map_or(0, |(_, value)| number(value))
        };
        let iters = &self.scop.statements[statement].iters;
        expr.eval(&|param| size(&self.scop.program.params[param.index()].name), &|iter| {
            let place = iters.iter().position(|other| *other == iter);
            place.and_then(|place| instance.get(place)).map_or(0, number)
        })
    }

    /// Returns a subscript with the variables of the source in place of iterators: a loop that goes down has counted from 0. `None`
    /// if a loop goes down in larger steps.
    fn in_variables(&self, subscript: &Expr, statement: usize) -> Option<Expr> {
        let mut known: BTreeMap<IterId, Expr> = BTreeMap::new();
        let in_known = |expr: &Expr, known: &BTreeMap<IterId, Expr>| {
            expr.substitute(&|iter| Some(Ok(known.get(&iter)?.clone()))).ok()
        };
        let variables = &self.nests.variables[statement];
        for (iter, (_, value)) in self.scop.statements[statement].iters.iter().zip(variables) {
            let variable = Expr::iter(*iter);
            if *value != variable {
                // The variable is start - iterator.
                let start = value.plus(&variable).ok()?;
                if start.mentions(&|atom| *atom == Atom::Iter(*iter)) {
                    return None;
                }
                known.insert(*iter, in_known(&start, &known)?.minus(&variable).ok()?);
            }
        }
        in_known(subscript, &known)
    }

    fn in_words(&self, first: AccessId, second: AccessId) -> String {
        let (first_text, second_text) = (
            self.access(first, self.broken.first, &self.broken.first_instance),
            self.access(second, self.broken.second, &self.broken.second_instance),
        );
        let sizes: Vec<String> = self.broken.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let at = if sizes.is_empty() { String::new() } else { format!("with {}, ", sizes.join(", ")) };
        format!("{at}{first_text} has to come before {second_text}, and this order turns the two round")
    }

    fn access(&self, access: AccessId, statement: usize, instance: &[BigInt]) -> String {
        let found = self.scop.program.access(access);
        let subscript = |subscript: &Expr| match self.in_variables(subscript, statement) {
            Some(subscript) => format!("[{}]", self.nests.show(statement, &subscript)),
            None => format!("[{}]", number(self.value(subscript, statement, instance))),
        };
        let subscripts = found.subscripts.iter().map(subscript);
        let verb = if found.kind == AccessKind::Write { "writing" } else { "reading" };
        let array = &self.scop.program.array(found.array).name;
        let value =
            |(name, value): &(String, Expr)| format!("{name} = {}", number(self.value(value, statement, instance)));
        let iteration: Vec<String> = self.nests.variables[statement].iter().map(value).collect();
        let iteration = if iteration.is_empty() { String::new() } else { format!(" in {}", iteration.join(", ")) };
        let place = format!("{}:{}", found.location.line, found.location.column);
        format!("{verb} {array}{} ({place}){iteration}", subscripts.collect::<String>())
    }
}

fn number(value: Option<i128>) -> String {
    value.map_or_else(|| "?".to_owned(), |value| value.to_string())
}
