//! Lowers nests to an affine program.
//!
//! The parameters are the indices, in the order in which they first occur in the expression; `i1` is the iterator of index `i` in the first
//! statement. Arrays are numbered by their first access. An array of at most one dimension has known strides, as a memref of the same shape
//! has.

use symloc_affine::{
    self as affine, AccessId, AccessKind, Expr, Extent, Iter, IterId, Location, Loop, Param, ParamId, Program, Strides,
};

use crate::Element;
use crate::error::Place;
use crate::expression::IndexLetter;
use crate::kernel::{ArrayAccess, Kernel};
use crate::nest::NestNode;

impl Kernel {
    /// Returns the affine program.
    pub fn program(&self, element: Element) -> Program {
        let params = self.expression.indices();
        let program = self.empty_program(&params);
        let mut lowering = Lowering { kernel: self, element, program, params, arrays: Vec::new() };
        for (number, nest) in (1..).zip(self.nests()) {
            let nodes = lowering.nodes(&nest, number, &mut Vec::new());
            lowering.program.body.extend(nodes);
        }
        lowering.program
    }

    fn empty_program(&self, indices: &[IndexLetter]) -> Program {
        let params: Vec<_> = indices.iter().map(|index| Param::named(index.to_string())).collect();
        Program {
            name: self.name.clone(),
            context: Program::default_context(&params),
            multiples: Vec::new(),
            without_effect: Vec::new(),
            params,
            arrays: Vec::new(),
            iters: Vec::new(),
            accesses: Vec::new(),
            body: Vec::new(),
        }
    }
}

struct Lowering<'k> {
    kernel: &'k Kernel,
    element: Element,
    program: Program,
    params: Vec<IndexLetter>,
    /// The kernel's arrays in the order of the program's.
    arrays: Vec<crate::ArrayId>,
}

/// A multiplication or an addition.
const ONE: affine::Node = affine::Node::Operations(Some(1));

/// The loops around a node.
type Scope = Vec<(IndexLetter, IterId)>;

impl Lowering<'_> {
    fn nodes(&mut self, nodes: &[NestNode], number: usize, scope: &mut Scope) -> Vec<affine::Node> {
        nodes.iter().flat_map(|node| self.node(node, number, scope)).collect()
    }

    fn node(&mut self, node: &NestNode, number: usize, scope: &mut Scope) -> Vec<affine::Node> {
        match node {
            NestNode::Loop { index, body } => {
                vec![self.in_loop(*index, number, scope, |this, scope| this.nodes(body, number, scope))]
            }
            NestNode::Zero(target) => vec![self.access(*target, AccessKind::Write, scope)],
            NestNode::Assign { target, factors } => {
                let mut nodes = self.product(factors, scope);
                nodes.push(self.access(*target, AccessKind::Write, scope));
                nodes
            }
            NestNode::Add { target, factors } => {
                let mut nodes = self.product(factors, scope);
                nodes.push(self.access(*target, AccessKind::Read, scope));
                nodes.push(ONE);
                nodes.push(self.access(*target, AccessKind::Write, scope));
                nodes
            }
            NestNode::Reduce { target, loops, factors } => {
                let mut nodes = self.reduction(loops, factors, number, scope);
                nodes.push(self.access(*target, AccessKind::Write, scope));
                nodes
            }
        }
    }

    fn reduction(
        &mut self,
        loops: &[IndexLetter],
        factors: &[ArrayAccess],
        number: usize,
        scope: &mut Scope,
    ) -> Vec<affine::Node> {
        match loops.split_first() {
            None => {
                let mut nodes = self.product(factors, scope);
                nodes.push(ONE);
                affine::Node::merged(nodes)
            }
            Some((index, inner)) => {
                vec![self.in_loop(*index, number, scope, |this, scope| this.reduction(inner, factors, number, scope))]
            }
        }
    }

    fn in_loop(
        &mut self,
        index: IndexLetter,
        number: usize,
        scope: &mut Scope,
        body: impl FnOnce(&mut Self, &mut Scope) -> Vec<affine::Node>,
    ) -> affine::Node {
        let iter = IterId(self.program.iters.len() as u32);
        self.program.iters.push(Iter::named(iterator(index, number)));
        scope.push((index, iter));
        let body = body(self, scope);
        scope.pop();
        let size = self.params.iter().position(|param| *param == index).unwrap_or_default();
        let upper = vec![Expr::param(ParamId(size as u32))];
        affine::Node::Loop(Loop { iter, lower: vec![Expr::constant(0)], upper, step: 1.into(), body })
    }

    /// Returns the nodes that read the factors and multiply each with those before it.
    fn product(&mut self, factors: &[ArrayAccess], scope: &Scope) -> Vec<affine::Node> {
        let mut nodes = Vec::new();
        for (position, factor) in factors.iter().enumerate() {
            nodes.push(self.access(*factor, AccessKind::Read, scope));
            if position > 0 {
                nodes.push(ONE);
            }
        }
        nodes
    }

    fn access(&mut self, access: ArrayAccess, kind: AccessKind, scope: &Scope) -> affine::Node {
        let indices = &self.kernel.array(access.array).indices;
        let iterator =
            |index: &IndexLetter| scope.iter().find(|(other, _)| other == index).map(|(_, iter)| Expr::iter(*iter));
        let subscripts = indices.iter().filter_map(iterator).collect();
        let (array, location) = (self.array(access.array), self.location(access.place));
        let id = AccessId(self.program.accesses.len() as u32);
        self.program.accesses.push(affine::Access {
            array,
            kind,
            subscripts,
            elements: 1,
            cases: Vec::new(),
            location,
        });
        affine::Node::Access(id)
    }

    fn array(&mut self, id: crate::ArrayId) -> affine::ArrayId {
        let position = self.arrays.iter().position(|other| *other == id).unwrap_or_else(|| {
            let array = self.kernel.array(id);
            self.program.arrays.push(affine::Array {
                name: array.name.clone(),
                element_bytes: self.element.bytes(),
                shape: array.indices.iter().map(|index| self.extent(id, *index)).collect(),
                strides: (array.indices.len() < 2)
                    .then(|| Strides { offset: 0, strides: vec![1; array.indices.len()] }),
                location: self.location(array.place),
                per_thread: false,
            });
            self.arrays.push(id);
            self.arrays.len() - 1
        });
        affine::ArrayId(position as u32)
    }

    /// Returns the extent of an array along an index: arguments do not declare theirs, temporaries are allocated with it.
    fn extent(&self, id: crate::ArrayId, index: IndexLetter) -> Extent {
        let size = self.params.iter().position(|other| *other == index);
        match size.filter(|_| self.kernel.is_temporary(id)).and_then(|size| u32::try_from(size).ok()) {
            Some(size) => Extent::Size(vec![Expr::param(ParamId(size))]),
            None => Extent::Dynamic,
        }
    }

    fn location(&self, place: Place) -> Location {
        Location::new(self.kernel.source.clone(), place.line, place.column)
    }
}

/// Returns the name of an iterator in the statement of this number.
pub(crate) fn iterator(index: IndexLetter, number: usize) -> String {
    format!("{index}{number}")
}
