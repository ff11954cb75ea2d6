//! `affine.linearize_index` and `affine.delinearize_index`: subscripts to a position in row-major order, and back.

use melior::ir::operation::OperationLike;
use symloc_affine::Expr;
use symloc_frontend::arithmetic::Trouble;
use symloc_frontend::cases::{Cases, join};
use symloc_frontend::poly::Poly;

use super::Values;
use crate::expressions::maps;
use crate::expressions::refusal::Cause;
use crate::ffi::{self, Op, Val, op_results};
use crate::memory::steps::{self, Step};

type Index<'a> = Result<Cases<Expr>, Cause<'a>>;

/// Returns the reason to refuse an operation whose generic form lacks its extents.
fn no_basis<'a>() -> Cause<'a> {
    Cause::here("its basis and its operands do not fit")
}

impl<'a> Values<'a, '_> {
    /// Returns the position of an element, from its subscripts and the extents of all dimensions or of all but the
    /// first.
    pub(crate) fn linearized(&self, op: Op<'a>) -> Index<'a> {
        let (subscripts, inner) = self.linearized_operands(op)?;
        let count = subscripts.len();
        let subscripts =
            subscripts.into_iter().map(|subscript| self.known_index(subscript)).collect::<Result<Vec<_>, _>>()?;
        join(&[subscripts, inner].concat())?.try_map(&mut |values: &Vec<Expr>| {
            let (subscripts, inner) = values.split_at(count);
            let mut sum = subscripts.first().cloned().unwrap_or_default();
            for (subscript, extent) in subscripts.iter().skip(1).zip(inner) {
                sum = maps::small(self.products.product(&sum, extent)?.plus(subscript)?)?;
            }
            Ok(sum)
        })
    }

    /// Returns the position of an element as a polynomial in sizes.
    pub(crate) fn linearized_offset(&self, op: Op<'a>) -> Result<Cases<Poly>, Cause<'a>> {
        let (subscripts, inner) = self.linearized_operands(op)?;
        let count = subscripts.len();
        let mut values =
            subscripts.into_iter().map(|subscript| self.offset(subscript)).collect::<Result<Vec<_>, _>>()?;
        for extent in inner {
            values.push(extent.try_map(&mut |extent: &Expr| Ok::<_, Cause>(self.products.expanded(extent)?))?);
        }
        join(&values)?.try_map(&mut |values: &Vec<Poly>| {
            let (subscripts, inner) = values.split_at(count);
            let mut sum = subscripts.first().cloned().unwrap_or_else(|| Poly::constant(0));
            for (subscript, extent) in subscripts.iter().skip(1).zip(inner) {
                sum = sum.product(extent)?.plus(subscript)?;
            }
            Ok(sum)
        })
    }

    /// Returns the subscripts, and the extents of all dimensions but the first.
    fn linearized_operands(&self, op: Op<'a>) -> Result<(Vec<Val<'a>>, Vec<Cases<Expr>>), Cause<'a>> {
        let [subscripts, extents]: [Vec<_>; 2] = ffi::operand_groups(op).try_into().map_err(|_| no_basis())?;
        let extents = self.mixed(op, "static_basis", &extents)?;
        let inner = extents.get((extents.len() + 1).saturating_sub(subscripts.len())..).ok_or_else(no_basis)?;
        Ok((subscripts, inner.to_vec()))
    }

    /// Returns one of the subscripts of the element at a position. The first has no upper limit, as in MLIR's lowering.
    pub(crate) fn delinearized(&self, op: Op<'a>, result: usize) -> Index<'a> {
        let operands: Vec<_> = op.operands().collect();
        let (position, extents) = operands.split_first().ok_or_else(no_basis)?;
        let extents = self.mixed(op, "static_basis", extents)?;
        let count = op_results(op).len();
        let inner = extents.get((extents.len() + 1).saturating_sub(count)..).ok_or_else(no_basis)?;
        let inner = inner.iter().map(|extent| match extent {
            Cases::Always(extent) => {
                let extent = extent.as_constant().filter(|extent| *extent > 0);
                extent.ok_or_else(|| Cause::from(Trouble::Divisor))
            }
            Cases::When(_) => Err(Trouble::Divisor.into()),
        });
        let extents: Vec<_> = std::iter::once(Ok(Step::REST)).chain(inner).collect::<Result<_, _>>()?;
        self.known_index(*position)?.try_map(&mut |position: &Expr| {
            let mut digits = steps::digits(&extents, position, &self.ranges)?;
            Ok(if result < digits.len() { digits.swap_remove(result) } else { Expr::default() })
        })
    }
}
