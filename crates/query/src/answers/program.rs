//! Reconstructs the program of a model.

use num_traits::ToPrimitive;
use symloc_affine as affine;
use symloc_affine::{ArrayId, Expr, Extent, IterId, Location, Overflow, ParamId, Strides};
use symloc_model::{AccessKind, CollapsedLoops, ForStep, Model, Outline, Schedule, TileStep, Tree, TreeNode};
use symloc_quasi::{Atom, Constraint, Poly, Relation};

use crate::error::CliError;

/// Returns the program that a model was derived from.
///
/// # Errors
///
/// A refusal if the model does not hold it, or if its numbers are too large.
pub fn program(model: &Model) -> Result<affine::Program, CliError> {
    let Some((outline, tree)) = text(model) else {
        return Err(CliError::with_hint(
            format!("the model does not hold its program, which samples are drawn from (made by {})", model.generator),
            "derive it again, without a symbolic line size",
        ));
    };
    let reader = Reader { model, outline, tree };
    reader.program().map_err(|Overflow| CliError::refused("the model's program has numbers beyond 64 bits"))
}

/// Returns true if a model holds the program that it was derived from.
pub fn has_program(model: &Model) -> bool {
    text(model).is_some()
}

fn text(model: &Model) -> Option<(&Outline, &Tree)> {
    let outline = model.program.as_ref()?;
    Some((outline, outline.tree.as_ref()?))
}

struct Reader<'m> {
    model: &'m Model,
    outline: &'m Outline,
    tree: &'m Tree,
}

impl Reader<'_> {
    fn program(&self) -> Result<affine::Program, Overflow> {
        Ok(affine::Program {
            name: self.model.function.clone(),
            params: self.model.parameters.iter().map(affine::Param::named).collect(),
            arrays: self.arrays()?,
            iters: self.iters(),
            accesses: self.accesses()?,
            body: self.nodes(&self.tree.body)?,
            // Sizes are checked against the model's context.
            context: Vec::new(),
            multiples: Vec::new(),
            without_effect: Vec::new(),
        })
    }

    fn iters(&self) -> Vec<affine::Iter> {
        let mut iters: Vec<_> = self.tree.iterators.iter().map(affine::Iter::named).collect();
        mark_parallel(&self.tree.body, &mut iters);
        iters
    }

    fn arrays(&self) -> Result<Vec<affine::Array>, Overflow> {
        let arrays = self.outline.arrays.iter().zip(&self.tree.shapes);
        let array = |(array, shape): (&symloc_model::Array, &symloc_model::ArrayShape)| {
            Ok(affine::Array {
                name: array.name.clone(),
                element_bytes: array.element_bytes,
                shape: self.extents(shape)?,
                strides: shape.strides.clone().map(|strides| Strides { offset: shape.offset, strides }),
                location: Location::new(self.model.source.as_str(), 1, 1),
                per_thread: array.per_thread,
            })
        };
        arrays.map(array).collect()
    }

    fn extents(&self, shape: &symloc_model::ArrayShape) -> Result<Vec<Extent>, Overflow> {
        let extent = |(dimension, constant): (usize, &Option<i64>)| match (constant, shape.sizes.get(dimension)) {
            (Some(constant), _) => Ok(Extent::Known(*constant)),
            (None, Some(Some(factors))) => Ok(Extent::Size(self.all(factors)?)),
            (None, _) => Ok(Extent::Dynamic),
        };
        shape.extents.iter().enumerate().map(extent).collect()
    }

    fn accesses(&self) -> Result<Vec<affine::Access>, Overflow> {
        let accesses = self.outline.accesses.iter().zip(&self.tree.subscripts);
        let access = |(access, subscripts): (&symloc_model::Access, &Vec<Poly>)| {
            Ok(affine::Access {
                array: ArrayId(number(access.array)?),
                kind: match access.kind {
                    AccessKind::Read => affine::AccessKind::Read,
                    AccessKind::Write => affine::AccessKind::Write,
                },
                subscripts: self.all(subscripts)?,
                elements: 1,
                cases: Vec::new(),
                location: Location::new(self.model.source.as_str(), access.line, access.column),
            })
        };
        accesses.map(access).collect()
    }

    fn nodes(&self, nodes: &[TreeNode]) -> Result<Vec<affine::Node>, Overflow> {
        let node = |node: &TreeNode| {
            Ok(match node {
                TreeNode::Access(access) => affine::Node::Access(affine::AccessId(number(*access)?)),
                TreeNode::If(inner) => affine::Node::If(affine::If {
                    condition: inner.condition.iter().map(|c| self.constraint(c)).collect::<Result<_, _>>()?,
                    then: self.nodes(&inner.then)?,
                    otherwise: self.nodes(&inner.otherwise)?,
                }),
                TreeNode::For(inner) => affine::Node::Loop(affine::Loop {
                    iter: IterId(number(inner.iterator)?),
                    lower: self.all(&inner.lower)?,
                    upper: self.all(&inner.upper)?,
                    step: match inner.step {
                        ForStep::Known(step) => affine::LoopStep::Known(step),
                        ForStep::Tiles(TileStep { times, parameter }) => {
                            affine::LoopStep::Tiles { times, size: ParamId(number(parameter)?) }
                        }
                    },
                    body: self.nodes(&inner.body)?,
                }),
            })
        };
        nodes.iter().map(node).collect()
    }

    fn constraint(&self, constraint: &Constraint) -> Result<affine::Constraint, Overflow> {
        let expr = self.expr(&constraint.poly)?;
        Ok(match constraint.relation {
            Relation::Zero => affine::Constraint::zero(expr),
            Relation::NonNegative => affine::Constraint::non_negative(expr),
        })
    }

    fn all(&self, polys: &[Poly]) -> Result<Vec<Expr>, Overflow> {
        polys.iter().map(|poly| self.expr(poly)).collect()
    }

    fn expr(&self, poly: &Poly) -> Result<Expr, Overflow> {
        let mut expr = Expr::constant(0);
        for (monomial, coefficient) in poly.terms() {
            let coefficient = coefficient.to_integer().to_i64().ok_or(Overflow)?;
            let factor = match monomial.factors().first() {
                None => Expr::constant(1),
                Some((Atom::Var(var), _)) => match (var.0 as usize).checked_sub(self.model.parameters.len()) {
                    None => Expr::param(ParamId(var.0)),
                    Some(iterator) => Expr::iter(IterId(number(iterator)?)),
                },
                Some((Atom::Floor(floor), _)) => {
                    self.expr(floor.numerator())?.floor_div(floor.divisor().to_i64().ok_or(Overflow)?)?
                }
            };
            expr = expr.add_scaled(&factor, coefficient)?;
        }
        Ok(expr)
    }
}

/// Marks the iterators of parallel loops.
fn mark_parallel(nodes: &[TreeNode], iters: &mut [affine::Iter]) {
    for node in nodes {
        match node {
            TreeNode::Access(_) => {}
            TreeNode::If(inner) => {
                mark_parallel(&inner.then, iters);
                mark_parallel(&inner.otherwise, iters);
            }
            TreeNode::For(inner) => {
                iters[inner.iterator].parallel = inner.parallel.map(parallel);
                mark_parallel(&inner.body, iters);
            }
        }
    }
}

fn parallel(schedule: Schedule) -> affine::ParallelLoops {
    let dealt = |chunks: Option<u64>| chunks.map_or(affine::Schedule::Blocks, affine::Schedule::Chunks);
    match schedule {
        Schedule::Blocks => dealt(None).into(),
        Schedule::Chunks(size) => dealt(Some(size)).into(),
        Schedule::Collapse(CollapsedLoops { loops, chunks }) => {
            affine::ParallelLoops { loops, schedule: dealt(chunks) }
        }
    }
}

fn number(index: usize) -> Result<u32, Overflow> {
    u32::try_from(index).map_err(|_| Overflow)
}
