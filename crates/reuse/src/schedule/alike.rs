//! Accesses that stand alike in the program (docs/mathematics.md, "Equal nests").
//!
//! A network repeats its layers: nests of one *shape*, over arrays of the same kinds, one after the other. All that the
//! reuse of an access depends on are the nodes of the program's body from the first one to the last one that touches its
//! array, and which arrays of these nodes are the same. Where two arrays have equal sequences of such nodes, the accesses
//! to one are reused as those to the other, one by one in the order of the text; so they are derived once.

use std::collections::BTreeMap;
use std::fmt::Write;

use symloc_affine::{Access, AccessId, Array, ArrayId, Atom, Constraint, Expr, IterId, Node, Program, Relation};

/// The equal nests of a program, and the accesses that are reused alike.
#[derive(Debug)]
pub struct Alike {
    /// By access, the first one that is reused as it is.
    first: Vec<AccessId>,
    /// By array, its accesses in the order of the text.
    of_array: Vec<Vec<AccessId>>,
    /// By access, its array and its position there.
    places: Vec<(ArrayId, usize)>,
}

impl Alike {
    /// Compares the nests and the arrays of a program.
    pub fn new(program: &Program) -> Self {
        let mut found = Self::none(program);
        let nests = nests(program);
        let mut known = BTreeMap::new();
        for (array, span) in spans(&nests, program.arrays.len()).into_iter().enumerate() {
            let Some(span) = span else { continue };
            let alike: usize = *known.entry(sequence(&nests[span], ArrayId(array as u32))).or_insert(array);
            for (own, other) in found.of_array[array].iter().zip(&found.of_array[alike]) {
                found.first[own.index()] = *other;
            }
        }
        found
    }

    /// Returns a comparison in which each access is reused in its own way.
    pub fn none(program: &Program) -> Self {
        let mut of_array = vec![Vec::new(); program.arrays.len()];
        let mut places = Vec::new();
        for (index, Access { array, .. }) in program.accesses.iter().enumerate() {
            places.push((*array, of_array[array.index()].len()));
            of_array[array.index()].push(AccessId(index as u32));
        }
        Self { first: (0..places.len() as u32).map(AccessId).collect(), of_array, places }
    }

    /// Returns the first access that is reused as this one, by accesses of its own array in the same order.
    pub(crate) fn first(&self, access: AccessId) -> AccessId {
        self.first[access.index()]
    }

    /// Returns the access to the array of `access` that stands as `other` does among those to its own array.
    pub(crate) fn counterpart(&self, access: AccessId, other: AccessId) -> AccessId {
        let ((array, _), (_, position)) = (self.places[access.index()], self.places[other.index()]);
        self.of_array[array.index()][position]
    }
}

/// A node of the program's body.
pub(crate) struct ShapedNode {
    /// The number of its shape. Nodes of one shape execute the same accesses, to other arrays of the same kinds, with
    /// iterators of other names.
    pub shape: usize,
    /// Its arrays in the order of their first accesses.
    arrays: Vec<ArrayId>,
}

/// Returns the nodes of the program's body.
pub(crate) fn nests(program: &Program) -> Vec<ShapedNode> {
    let mut shapes = BTreeMap::new();
    let shaped = |node| {
        let mut printer = ShapePrinter { program, text: String::new(), iters: BTreeMap::new(), arrays: Vec::new() };
        printer.node(node);
        let next = shapes.len();
        ShapedNode { shape: *shapes.entry(printer.text).or_insert(next), arrays: printer.arrays }
    };
    program.body.iter().map(shaped).collect()
}

/// Returns the nodes from the first one to the last one that touches an array, by array.
fn spans(nests: &[ShapedNode], arrays: usize) -> Vec<Option<std::ops::Range<usize>>> {
    let mut spans: Vec<Option<std::ops::Range<usize>>> = vec![None; arrays];
    for (position, nest) in nests.iter().enumerate() {
        for array in &nest.arrays {
            spans[array.index()].get_or_insert(position..position).end = position + 1;
        }
    }
    spans
}

/// Returns the shapes of nodes, each with its arrays; these are numbered from `own` in the order of their first accesses.
fn sequence(nests: &[ShapedNode], own: ArrayId) -> Vec<usize> {
    let mut numbers = BTreeMap::from([(own, 0)]);
    let mut sequence = Vec::new();
    for ShapedNode { shape, arrays } in nests {
        sequence.push(*shape);
        for array in arrays {
            let next = numbers.len();
            sequence.push(*numbers.entry(*array).or_insert(next));
        }
    }
    sequence
}

/// Writes a node with iterators and arrays numbered in the order in which they occur. Equal texts are equal shapes.
struct ShapePrinter<'p> {
    program: &'p Program,
    text: String,
    iters: BTreeMap<IterId, usize>,
    arrays: Vec<ArrayId>,
}

impl ShapePrinter<'_> {
    fn node(&mut self, node: &Node) {
        match node {
            Node::Operations(_) | Node::Mark(_) => {}
            Node::Access(id) => self.access(self.program.access(*id)),
            Node::Loop(l) => {
                self.iters.insert(l.iter, self.iters.len());
                self.text.push_str("for");
                self.expressions(&l.lower);
                self.expressions(&l.upper);
                self.push(format_args!("{:?}{{", l.step));
                l.body.iter().for_each(|node| self.node(node));
                self.text.push('}');
            }
            Node::If(guard) => {
                self.text.push_str("if");
                for Constraint { expr, relation } in &guard.condition {
                    self.text.push(if *relation == Relation::Zero { '=' } else { '>' });
                    self.expression(expr);
                }
                self.text.push('{');
                guard.then.iter().for_each(|node| self.node(node));
                self.text.push_str("}{");
                guard.otherwise.iter().for_each(|node| self.node(node));
                self.text.push('}');
            }
        }
    }

    fn access(&mut self, access: &Access) {
        let known = self.arrays.iter().position(|array| *array == access.array);
        let number = known.unwrap_or(self.arrays.len());
        self.push(format_args!("A{number}"));
        if known.is_none() {
            self.arrays.push(access.array);
            let Array { name: _, location: _, element_bytes, shape, strides, per_thread } =
                self.program.array(access.array);
            self.push(format_args!("<{element_bytes} {shape:?} {strides:?} {per_thread}>"));
        }
        self.expressions(&access.subscripts);
    }

    fn expressions(&mut self, expressions: &[Expr]) {
        self.text.push('[');
        expressions.iter().for_each(|expression| self.expression(expression));
        self.text.push(']');
    }

    fn expression(&mut self, expression: &Expr) {
        let shown = expression.show(&|atom| match atom {
            Atom::Param(param) => format!("p{}", param.index()),
            Atom::Iter(iter) => match self.iters.get(iter) {
                Some(number) => format!("i{number}"),
                None => format!("outer{}", iter.index()),
            },
            Atom::Floor(..) => String::new(),
        });
        self.push(format_args!("{shown};"));
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = self.text.write_fmt(text);
    }
}

#[cfg(test)]
mod tests {
    use symloc_affine::builder::ProgramBuilder;

    use super::*;

    /// Adds a nest that copies one array into another, with `ahead` added to its subscripts.
    fn copy(b: &mut ProgramBuilder, iter: &str, [from, to]: [ArrayId; 2], ahead: i64) {
        let n = Expr::param(symloc_affine::ParamId(0));
        b.for_(iter, 0, n, |b, i| {
            b.read(from, [Expr::iter(i).plus_constant(ahead).unwrap()]);
            b.write(to, [i]);
        });
    }

    fn firsts(program: &Program) -> Vec<u32> {
        let alike = Alike::new(program);
        (0..program.accesses.len() as u32).map(|access| alike.first(AccessId(access)).0).collect()
    }

    #[test]
    fn accesses_are_alike_if_all_nodes_around_their_array_are() {
        let mut b = ProgramBuilder::new("chain");
        b.param("n");
        let arrays: Vec<ArrayId> = (0..6).map(|number| b.array(&format!("A{number}"), 8, 1)).collect();
        for (number, pair) in arrays.windows(2).enumerate() {
            copy(&mut b, &format!("i{number}"), [pair[0], pair[1]], i64::from(number == 4));
        }
        // A1 to A3 are written and then read by nests of one shape. The last nest has another one, so A4 is read otherwise.
        assert_eq!(firsts(&b.build()), [0, 1, 2, 1, 2, 1, 2, 7, 8, 9]);
    }

    #[test]
    fn which_arrays_are_the_same_matters() {
        let mut b = ProgramBuilder::new("same");
        b.param("n");
        let arrays: Vec<ArrayId> = (0..6).map(|number| b.array(&format!("A{number}"), 8, 1)).collect();
        let wide = b.array("wide", 16, 1);
        // There and back between two arrays, and the same between two others. Then one of them is copied to itself; at
        // last one with other elements.
        let pairs = [[1, 0], [0, 1], [3, 2], [2, 3], [5, 4], [4, 4]];
        for (number, [from, to]) in pairs.into_iter().enumerate() {
            copy(&mut b, &format!("i{number}"), [arrays[from], arrays[to]], 0);
        }
        copy(&mut b, "j", [wide, wide], 0);
        let program = b.build();
        assert_eq!(firsts(&program), [0, 1, 2, 3, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13]);
        let alike = Alike::new(&program);
        assert_eq!(alike.counterpart(AccessId(4), AccessId(3)), AccessId(7));
    }
}
