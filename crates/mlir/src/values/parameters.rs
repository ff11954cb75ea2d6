//! Parameters besides arguments: dynamic extents of arrays, and products of sizes.

use melior::ir::Type;
use melior::ir::operation::OperationLike;
use symloc_affine::Expr;
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::{Candidate, Origin};

use super::Values;
use super::views::is_flat;
use crate::ffi::{self, Op, Val};
use crate::memory::{Extent, Memory, extents};

impl<'a> Values<'a, '_> {
    /// Makes the dynamic extent of a `memref.dim` a parameter, with the name of its result.
    pub(crate) fn introduce_extent(&mut self, op: Op<'a>, result: Val<'a>) {
        if ffi::name(op) != "memref.dim" {
            return;
        }
        let Ok((memory, dimension)) = self.dim_operands(op) else { return };
        let name = self.places.ssa_name(result).map(str::to_owned);
        if let Some(extent) = memory.extents.get(dimension) {
            self.introduce(&memory, extent, name);
        }
    }

    /// Makes parameters of the row lengths of an array without a rank that is cast to one with a rank.
    pub(crate) fn introduce_rows(&mut self, op: Op<'a>, kind: Type<'a>) {
        let source = op.operand(0).ok().filter(|_| ffi::name(op) == "memref.cast");
        let Some((source, memory)) = source.and_then(|source| Some((source, self.memory(source).ok()?))) else {
            return;
        };
        if is_flat(&memory, source) {
            for extent in extents(kind, Extent::Array).iter().skip(1) {
                self.introduce(&memory, extent, None);
            }
        }
    }

    /// Makes parameters of the dynamic extents of an argument that an extent consists of, and of their products.
    pub(crate) fn introduce(&mut self, memory: &Memory<'a>, extent: &Extent<'a>, name: Option<String>) {
        match extent {
            Extent::Array(dimension) => {
                let array = self.places.array_name(memory.declared);
                let name = name.or_else(|| array.map(|array| format!("{array}_dim{dimension}")));
                self.extent_param(&memory.root, *dimension, name);
            }
            Extent::Product(factors, _) => {
                factors.iter().for_each(|factor| self.introduce(memory, factor, None));
                let factors = factors.iter().map(|factor| self.extent_value(&memory.root, factor));
                if let Ok(Ok(factors)) = factors.collect::<Result<Vec<_>, _>>().map(|factors| join(&factors)) {
                    self.introduce_products(&factors);
                }
            }
            _ => {}
        }
    }

    /// Makes parameters of the products of sizes in a multiplication.
    pub(crate) fn introduce_product(&mut self, op: Op<'a>) {
        if !["arith.muli", "index.mul"].contains(&ffi::name(op).as_str()) {
            return;
        }
        let factors: Vec<Val<'a>> = op.operands().collect();
        let factors: Option<Vec<_>> = factors.into_iter().map(|factor| self.known_index(factor).ok()).collect();
        if let Some(Ok(factors)) = factors.map(|factors| join(&factors)) {
            self.introduce_products(&factors);
        }
    }

    /// Makes parameters of the products of these factors, in the cases in which all factors are sizes.
    fn introduce_products(&mut self, factors: &Cases<Vec<Expr>>) {
        let mut found = Vec::new();
        // The closure does not fail.
        let _ = factors.try_map(&mut |factors: &Vec<Expr>| {
            found.extend(self.products.of_sizes(factors));
            Ok::<_, ()>(())
        });
        for product in found {
            for (monomial, _) in product.terms().filter(|(monomial, _)| monomial.len() > 1) {
                if !self.products.has(monomial) {
                    let id = self.candidate_of(Candidate::size(Origin::Product(monomial.clone()), None));
                    self.products.insert(monomial.clone(), id);
                }
            }
        }
    }
}
