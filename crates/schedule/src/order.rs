//! An order of instances as a tree: bands of loops, and sequences of statements.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use symloc_affine::{Expr, Node};
use symloc_isl::{Context, IslSchedule, Map, UnionMap};
use symloc_reuse::schedule::timestamps::params_text;

use crate::error::ScheduleError;
use crate::scop::{Scop, ScopStatement};

/// One loop of a band: for each statement under it, the value at each instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BandMember {
    /// By statement, an expression in parameters and the statement's iterators.
    pub values: BTreeMap<usize, Expr>,
    /// True if no dependence at this place goes from one value to another.
    pub coincident: bool,
}

/// Loops around the same statements, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// The loops.
    pub members: Vec<BandMember>,
    /// True if the loops may be permuted and tiled: every dependence is non-negative in each of them.
    pub permutable: bool,
    /// The order of instances for which all members are equal.
    pub child: Box<OrderTree>,
}

/// An order of instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderTree {
    /// Loops.
    Band(Band),
    /// WrittenParts with some of the statements each, one after the other.
    Sequence(Vec<(BTreeSet<usize>, OrderTree)>),
    /// Nothing more is ordered.
    Leaf,
}

impl OrderTree {
    /// Returns the order of a program as written: its loops, one by one, and the positions of its statements.
    pub fn as_written(scop: &Scop) -> Self {
        OrderTree::in_sequence(written(scop, &scop.program.body))
    }

    /// Returns the order of parts that follow each other; one part needs no sequence.
    pub fn in_sequence(mut parts: Vec<(BTreeSet<usize>, Self)>) -> Self {
        match parts.len() {
            0 => OrderTree::Leaf,
            1 => parts.remove(0).1,
            _ => OrderTree::Sequence(parts),
        }
    }

    /// Returns the order as isl has it.
    ///
    /// # Errors
    ///
    /// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
    pub fn to_isl(&self, isl: &Context, scop: &Scop) -> Result<IslSchedule, ScheduleError> {
        let statements = self.statements(scop);
        let mut text = format!("domain: \"{}\"\n", scop.instances(isl, &statements)?.to_text()?);
        self.push_text(scop, &statements, 0, &mut text);
        Ok(IslSchedule::read(isl, &text)?)
    }

    /// Appends the tree as the children of a node, in isl's notation, which is YAML.
    fn push_text(&self, scop: &Scop, statements: &BTreeSet<usize>, depth: usize, text: &mut String) {
        let indent = " ".repeat(depth);
        // Writing to a String cannot fail.
        match self {
            OrderTree::Leaf => {}
            OrderTree::Band(band) => {
                let members = band.members.iter().map(|member| format!("{{ {} }}", member.text(scop, statements)));
                let members = members.collect::<Vec<_>>().join(", ");
                let coincident = band.members.iter().map(|member| u8::from(member.coincident).to_string());
                let _ = writeln!(text, "{indent}child:");
                // isl takes the parameters of a schedule that has none for a tuple.
                let params =
                    if scop.program.params.is_empty() { String::new() } else { params_text(&scop.program) + " -> " };
                let _ = writeln!(text, "{indent} schedule: \"{params}[{members}]\"");
                let _ = writeln!(text, "{indent} permutable: {}", u8::from(band.permutable));
                let _ = writeln!(text, "{indent} coincident: [ {} ]", coincident.collect::<Vec<_>>().join(", "));
                if !band.child.has_band() {
                    // Where a loop is innermost, isl splits off the iterations that only some statements have.
                    let _ = writeln!(text, "{indent} options: \"{{ separate[{}] }}\"", band.members.len() - 1);
                }
                band.child.push_text(scop, statements, depth + 1, text);
            }
            OrderTree::Sequence(parts) => {
                let _ = writeln!(text, "{indent}child:\n{indent} sequence:");
                for (part, order) in parts {
                    let filter = part.iter().map(|statement| scop.tuple(&scop.statements[*statement]));
                    let filter = filter.collect::<Vec<_>>().join("; ");
                    let _ = writeln!(text, "{indent} - filter: \"{} -> {{ {filter} }}\"", params_text(&scop.program));
                    order.push_text(scop, part, depth + 3, text);
                }
            }
        }
    }

    /// Returns the statements that the tree orders; a leaf by itself stands for all.
    pub fn statements(&self, scop: &Scop) -> BTreeSet<usize> {
        match self {
            OrderTree::Leaf => (0..scop.statements.len()).collect(),
            OrderTree::Band(band) => band.members.iter().flat_map(|member| member.values.keys().copied()).collect(),
            OrderTree::Sequence(parts) => parts.iter().flat_map(|(part, _)| part.iter().copied()).collect(),
        }
    }

    /// Returns the order of some of the statements.
    #[must_use]
    pub fn restricted(&self, statements: &BTreeSet<usize>) -> Self {
        match self {
            OrderTree::Leaf => OrderTree::Leaf,
            OrderTree::Band(band) => {
                let member = |member: &BandMember| BandMember {
                    values: member.values.iter().filter(|(s, _)| statements.contains(s)).map(owned).collect(),
                    coincident: member.coincident,
                };
                let members = band.members.iter().map(member).collect();
                let child = Box::new(band.child.restricted(statements));
                OrderTree::Band(Band { members, permutable: band.permutable, child })
            }
            OrderTree::Sequence(parts) => {
                let part = |(part, order): &(BTreeSet<usize>, Self)| {
                    let part: BTreeSet<usize> = part.intersection(statements).copied().collect();
                    (!part.is_empty()).then(|| (part, order.restricted(statements)))
                };
                OrderTree::in_sequence(parts.iter().filter_map(part).collect())
            }
        }
    }

    /// Returns the times of the instances that the order has: from an instance to its values of loops and positions.
    ///
    /// # Errors
    ///
    /// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
    pub fn times_of_instances(&self, isl: &Context, scop: &Scop) -> Result<UnionMap, ScheduleError> {
        let times = self.times(scop.statements.len());
        let mut union = UnionMap::empty(isl)?;
        let statements = self.statements(scop);
        for index in &statements {
            let time: Vec<_> = times[*index].iter().map(|component| scop.program.show(component)).collect();
            let (params, tuple) = (params_text(&scop.program), scop.tuple(&scop.statements[*index]));
            let map = Map::read(isl, &format!("{params} -> {{ {tuple} -> [{}] }}", time.join(", ")))?;
            union = union.union(&UnionMap::from_map(&map)?)?;
        }
        Ok(union.intersect_domain(&scop.instances(isl, &statements)?)?)
    }

    /// Returns true if there is a band here or below.
    pub fn has_band(&self) -> bool {
        match self {
            OrderTree::Band(_) => true,
            OrderTree::Sequence(parts) => parts.iter().any(|(_, order)| order.has_band()),
            OrderTree::Leaf => false,
        }
    }

    /// Returns, by statement, the components of its time: the values of members and the positions in sequences.
    pub(crate) fn times(&self, statements: usize) -> Vec<Vec<Expr>> {
        let mut times = vec![Vec::new(); statements];
        self.push_times(&mut times);
        let longest = times.iter().map(Vec::len).max().unwrap_or(0);
        for time in &mut times {
            time.resize(longest, Expr::constant(0));
        }
        times
    }

    /// Appends the components; statements under one band have as many in front of it, so that they can be compared.
    fn push_times(&self, times: &mut [Vec<Expr>]) {
        match self {
            OrderTree::Leaf => {}
            OrderTree::Band(band) => {
                for member in &band.members {
                    for (statement, value) in &member.values {
                        times[*statement].push(value.clone());
                    }
                }
                band.child.push_times(times);
            }
            OrderTree::Sequence(parts) => {
                for (position, (part, order)) in parts.iter().enumerate() {
                    for statement in part {
                        times[*statement].push(Expr::constant(position as i64));
                    }
                    order.push_times(times);
                }
            }
        }
    }
}

fn owned((statement, value): (&usize, &Expr)) -> (usize, Expr) {
    (*statement, value.clone())
}

/// The parts of a sequence: the statements of each, and their order.
type WrittenParts = Vec<(BTreeSet<usize>, OrderTree)>;

/// Returns the order of nodes of the program, as parts that follow each other.
fn written(scop: &Scop, nodes: &[Node]) -> WrittenParts {
    let mut parts = WrittenParts::new();
    for node in nodes {
        match node {
            Node::Access(id) => {
                let begins = |statement: &ScopStatement| statement.accesses.first() == Some(id);
                let statement = scop.statements.iter().position(begins);
                parts.extend(statement.map(|statement| ([statement].into(), OrderTree::Leaf)));
            }
            Node::Operations(_) | Node::Mark(_) => {}
            Node::If(guard) => {
                parts.extend(written(scop, &guard.then));
                parts.extend(written(scop, &guard.otherwise));
            }
            Node::Loop(l) => {
                let inside = written(scop, &l.body);
                let under: BTreeSet<usize> = inside.iter().flat_map(|(part, _)| part.iter().copied()).collect();
                let values = under.iter().map(|statement| (*statement, Expr::iter(l.iter))).collect();
                let members = vec![BandMember { values, coincident: false }];
                let child = Box::new(OrderTree::in_sequence(inside));
                parts.push((under, OrderTree::Band(Band { members, permutable: false, child })));
            }
        }
    }
    parts
}

impl BandMember {
    fn text(&self, scop: &Scop, statements: &BTreeSet<usize>) -> String {
        let value = |statement: &usize| {
            let value = self.values.get(statement)?;
            Some(format!("{} -> [({})]", scop.tuple(&scop.statements[*statement]), scop.program.show(value)))
        };
        statements.iter().filter_map(value).collect::<Vec<_>>().join("; ")
    }
}
