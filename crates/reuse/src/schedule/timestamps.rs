//! Timestamps and accesses as isl relations.
//!
//! The tree of the program becomes, for each access `k`, a statement `S<k>[iterators]` with
//!
//! - its *domain*, the iterations in which it executes, under the context;
//! - its *schedule*, the map to its timestamp: positions and iterators alternating along the path from the root,
//!   padded with zeros, so that lexicographic order is execution order;
//! - its *access map* to the block it touches, `Array[block]`.
//!
//! Statements in one loop body or branch share a domain; such a place is a [`TreeRegion`]. (Paper, section 3.1.)

use std::fmt::Write;

use symloc_affine::radix::has_tiles;
use symloc_affine::rows::{Case, Purpose};
use symloc_affine::{
    AccessId, Constraint, Expr, IterId, Layout, Line, LineCoordinates, Loop, Mark, Node, Program, Relation,
};
use symloc_isl::{Context, DimType, Map, Set, UnionMap};

use crate::Error;
use crate::frame::Frame;

/// A place of the tree in which accesses execute under the same conditions: the root, a loop body, or a branch.
#[derive(Debug)]
pub struct TreeRegion {
    /// The loops around it, outermost first.
    pub iters: Vec<IterId>,
    /// The iterations in which it executes: `[params] -> { [iters] : … }`, within the context.
    pub domain: Set,
    /// The number of accesses directly in it.
    pub accesses: u64,
    /// The number of floating-point operations directly in it.
    pub operations: u64,
    /// The marks that stand directly in it.
    pub marks: Vec<Mark>,
    /// The region around it; none for the root.
    pub parent: Option<usize>,
}

/// One access with its relations.
#[derive(Debug)]
pub struct Statement {
    /// The access.
    pub access: AccessId,
    /// Its region.
    pub region: usize,
    /// The timestamp.
    pub time: Vec<TimeComponent>,
    /// `S<k>[iters] -> [timestamp]`, on the domain.
    pub schedule: Map,
    /// Like `schedule`, but for all iterators, in the domain or not.
    pub order: Map,
}

/// One component of a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimeComponent {
    /// A position among siblings.
    Position(usize),
    /// The iterator of a loop.
    Iteration(IterId),
}

impl TimeComponent {
    /// Returns the component in isl notation.
    pub(crate) fn show(self, program: &Program) -> String {
        match self {
            TimeComponent::Position(position) => position.to_string(),
            TimeComponent::Iteration(iter) => program.iters[iter.index()].name.clone(),
        }
    }
}

/// All accesses of a program in time.
#[derive(Debug)]
pub struct Timestamps {
    /// The regions; a region comes after the one around it.
    pub regions: Vec<TreeRegion>,
    /// The statements, `S0`, `S1`, …, in the order of the text.
    pub statements: Vec<Statement>,
    /// The context: `[params] -> { : … }` as a set without dimensions.
    pub context: Set,
}

impl Timestamps {
    /// Builds domains and schedules.
    ///
    /// # Errors
    ///
    /// [`Error::SymbolicTiles`] if a loop goes in steps of a parameter, [`Error::Isl`] if isl fails or reaches the limit on its
    /// operations.
    pub fn new(isl: &Context, program: &Program) -> Result<Self, Error> {
        if has_tiles(program) {
            return Err(Error::SymbolicTiles);
        }
        let context = Set::read(isl, &set_text(program, &[], &conjunction(program, &program.context)))?;
        let root = TreeRegion {
            iters: Vec::new(),
            domain: context.clone(),
            accesses: 0,
            operations: 0,
            marks: Vec::new(),
            parent: None,
        };
        let mut builder = Builder { isl, program, regions: vec![root], timed: Vec::new() };
        builder.body(&program.body, 0, &mut Vec::new())?;
        let statements = builder.statements()?;
        Ok(Self { regions: builder.regions, statements, context })
    }

    /// Returns the schedules of all statements in one relation.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if isl fails or reaches the limit on its operations.
    pub fn schedule(&self, isl: &Context) -> Result<UnionMap, Error> {
        union(isl, self.statements.iter().map(|s| Ok(s.schedule.clone())))
    }

    /// Returns the access map 𝒜, from statements to blocks.
    ///
    /// # Errors
    ///
    /// [`Error::Layout`] if an array has no blocks, [`Error::Isl`] if isl fails.
    pub fn accesses(&self, isl: &Context, program: &Program, layout: Layout, line: Line) -> Result<UnionMap, Error> {
        union(isl, self.statements.iter().map(|s| self.access_map(isl, program, s, layout, line)))
    }

    /// Returns the variables at an access: the parameters and the iterators around it.
    pub fn frame(&self, program: &Program, access: AccessId) -> Frame {
        let statement = &self.statements[access.index()];
        Frame::new(program, &self.regions[statement.region].iters)
    }

    /// Returns the blocks that one access touches: `S<k>[iters] -> Array[block]`.
    pub(crate) fn access_map(
        &self,
        isl: &Context,
        program: &Program,
        statement: &Statement,
        layout: Layout,
        line: Line,
    ) -> Result<Map, Error> {
        let lines = layout.lines(program, program.access(statement.access), line, Purpose::FewCases)?;
        self.union_of(isl, program, statement, &lines)
    }

    /// Returns the lines that one access of a program in line coordinates touches: `S<k>[iters] -> Array[block]`.
    pub(crate) fn line_map(&self, isl: &Context, lines: &LineCoordinates, statement: &Statement) -> Result<Map, Error> {
        self.union_of(isl, &lines.program, statement, &lines.blocks(statement.access)?)
    }

    /// Returns names of these lines, of which some may have two.
    pub(crate) fn name_map(&self, isl: &Context, lines: &LineCoordinates, statement: &Statement) -> Result<Map, Error> {
        self.union_of(isl, &lines.program, statement, &lines.names(statement.access)?)
    }

    /// Returns the lines that one access touches, case by case, as one relation.
    fn union_of(&self, isl: &Context, program: &Program, statement: &Statement, cases: &[Case]) -> Result<Map, Error> {
        let mut map: Option<Map> = None;
        for Case { conditions, block } in cases {
            let part = self.map_to(isl, program, statement, block, &conjunction(program, conditions))?;
            map = Some(map.map_or(Ok(part.clone()), |map| map.union(&part))?);
        }
        map.ok_or_else(|| Error::Internal("an access without a line".to_owned()))
    }

    fn map_to(
        &self,
        isl: &Context,
        program: &Program,
        statement: &Statement,
        block: &[Expr],
        condition: &str,
    ) -> Result<Map, Error> {
        let block: Vec<_> = block.iter().map(|e| program.show(e)).collect();
        let region = &self.regions[statement.region];
        let text = format!(
            "{} -> {{ {}[{}] -> {}[{}] : {condition} }}",
            params_text(program),
            statement_name(statement.access),
            iters_text(program, &region.iters),
            program.array(program.access(statement.access).array).name,
            block.join(", ")
        );
        let domain = region.domain.set_tuple_name(&statement_name(statement.access))?;
        Ok(Map::read(isl, &text)?.intersect_domain(&domain)?)
    }
}

/// Returns the name of an access's statement.
pub fn statement_name(access: AccessId) -> String {
    format!("S{}", access.0)
}

/// Returns the access that a statement's name stands for.
pub fn statement_access(name: &str) -> Option<AccessId> {
    name.strip_prefix('S')?.parse().ok().map(AccessId)
}

/// Returns the access of the statement on one side of a relation.
pub(crate) fn accessed(relation: &Map, side: DimType) -> Result<AccessId, Error> {
    let name = relation.tuple_name(side)?;
    let access = name.as_deref().and_then(statement_access);
    access.ok_or_else(|| Error::Internal(format!("a relation of an unknown statement {name:?}")))
}

/// Returns the parameters in isl notation, such as `[n, m]`.
pub fn params_text(program: &Program) -> String {
    let names: Vec<_> = program.params.iter().map(|p| p.name.as_str()).collect();
    format!("[{}]", names.join(", "))
}

fn iters_text(program: &Program, iters: &[IterId]) -> String {
    let names: Vec<_> = iters.iter().map(|i| program.iters[i.index()].name.as_str()).collect();
    names.join(", ")
}

/// Returns a set in isl notation: `[params] -> { [iters] : condition }`.
pub fn set_text(program: &Program, iters: &[IterId], condition: &str) -> String {
    format!("{} -> {{ [{}] : {condition} }}", params_text(program), iters_text(program, iters))
}

/// Returns a conjunction in isl notation.
pub fn conjunction(program: &Program, constraints: &[Constraint]) -> String {
    let mut text = "true".to_owned();
    for constraint in constraints {
        let relation = match constraint.relation {
            Relation::Zero => "=",
            Relation::NonNegative => ">=",
        };
        // Writing to a String cannot fail.
        let _ = write!(text, " and {} {relation} 0", program.show(&constraint.expr));
    }
    text
}

/// Returns the union of relations. Each union copies its parts, so halves are united: added one by one, relations would
/// be copied for each that follows.
pub(crate) fn union(isl: &Context, maps: impl Iterator<Item = Result<Map, Error>>) -> Result<UnionMap, Error> {
    let mut parts = maps.map(|map| Ok(UnionMap::from_map(&map?)?)).collect::<Result<Vec<_>, Error>>()?;
    while parts.len() > 1 {
        let halves = parts.chunks(2).map(|pair| match pair {
            [one, other] => one.union(other),
            _ => Ok(pair[0].clone()),
        });
        parts = halves.collect::<Result<_, _>>()?;
    }
    parts.pop().map_or_else(|| Ok(UnionMap::empty(isl)?), Ok)
}

/// An access with its timestamp: alternating positions and iterators.
struct TimedAccess {
    access: AccessId,
    region: usize,
    time: Vec<TimeComponent>,
}

struct Builder<'p> {
    isl: &'p Context,
    program: &'p Program,
    regions: Vec<TreeRegion>,
    timed: Vec<TimedAccess>,
}

impl Builder<'_> {
    fn body(&mut self, nodes: &[Node], region: usize, prefix: &mut Vec<TimeComponent>) -> Result<(), Error> {
        for (position, node) in nodes.iter().enumerate() {
            prefix.push(TimeComponent::Position(position));
            match node {
                Node::Operations(count) => self.regions[region].operations += count.unwrap_or(0),
                Node::Mark(mark) => self.regions[region].marks.push(mark.clone()),
                Node::Access(access) => {
                    self.regions[region].accesses += 1;
                    self.timed.push(TimedAccess { access: *access, region, time: prefix.clone() });
                }
                Node::Loop(l) => {
                    let inner = self.loop_region(l, region)?;
                    prefix.push(TimeComponent::Iteration(l.iter));
                    self.body(&l.body, inner, prefix)?;
                    prefix.pop();
                }
                Node::If(guard) => {
                    let iters = self.regions[region].iters.clone();
                    let condition = set_text(self.program, &iters, &conjunction(self.program, &guard.condition));
                    let condition = Set::read(self.isl, &condition)?;
                    let domain = self.regions[region].domain.clone();
                    // Only one of the branches executes, so they may share the position.
                    let then = self.branch(region, domain.intersect(&condition)?);
                    self.body(&guard.then, then, prefix)?;
                    let otherwise = self.branch(region, domain.subtract(&condition)?);
                    self.body(&guard.otherwise, otherwise, prefix)?;
                }
            }
            prefix.pop();
        }
        Ok(())
    }

    /// Adds a branch, with the iterators of its parent.
    fn branch(&mut self, parent: usize, domain: Set) -> usize {
        self.region(parent, self.regions[parent].iters.clone(), domain)
    }

    fn loop_region(&mut self, l: &Loop, parent: usize) -> Result<usize, Error> {
        let mut iters = self.regions[parent].iters.clone();
        iters.push(l.iter);
        let range = Set::read(self.isl, &set_text(self.program, &iters, &self.loop_condition(l)))?;
        let domain = self.regions[parent].domain.add_dims(DimType::SET, 1)?.intersect(&range)?;
        Ok(self.region(parent, iters, domain))
    }

    /// Adds a region and returns its number.
    fn region(&mut self, parent: usize, iters: Vec<IterId>, domain: Set) -> usize {
        let parent = Some(parent);
        self.regions.push(TreeRegion { iters, domain, accesses: 0, operations: 0, marks: Vec::new(), parent });
        self.regions.len() - 1
    }

    /// Returns the iterations of a loop. With a step and several lower bounds, the largest of them is where counting
    /// starts.
    fn loop_condition(&self, l: &Loop) -> String {
        let show = |e: &Expr| self.program.show(e);
        let iter = &self.program.iters[l.iter.index()].name;
        let mut condition: Vec<_> = l.upper.iter().map(|upper| format!("{iter} < {}", show(upper))).collect();
        condition.extend(l.lower.iter().map(|lower| format!("{iter} >= {}", show(lower))));
        if let Some(step @ 2..) = l.step.constant() {
            let starts = l.lower.iter().map(|start| {
                let largest = l.lower.iter().map(|other| format!("{} >= {} and ", show(start), show(other)));
                format!("({}({iter} - ({})) mod {} = 0)", largest.collect::<String>(), show(start), step)
            });
            condition.push(format!("({})", starts.collect::<Vec<_>>().join(" or ")));
        }
        condition.join(" and ")
    }

    fn statements(&self) -> Result<Vec<Statement>, Error> {
        let length = self.timed.iter().map(|t| t.time.len()).max().unwrap_or(0);
        let mut statements = Vec::new();
        for timed in &self.timed {
            let mut timestamp: Vec<String> = timed.time.iter().map(|step| step.show(self.program)).collect();
            timestamp.resize(length, "0".to_owned());
            let name = statement_name(timed.access);
            let region = &self.regions[timed.region];
            let text = format!(
                "{} -> {{ {name}[{}] -> [{}] }}",
                params_text(self.program),
                iters_text(self.program, &region.iters),
                timestamp.join(", ")
            );
            let domain = region.domain.set_tuple_name(&name)?;
            let order = Map::read(self.isl, &text)?;
            let schedule = order.intersect_domain(&domain)?;
            let time = timed.time.clone();
            statements.push(Statement { access: timed.access, region: timed.region, time, schedule, order });
        }
        Ok(statements)
    }
}
