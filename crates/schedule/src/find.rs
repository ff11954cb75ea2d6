//! The orders that isl's scheduler finds, as trees.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use symloc_affine::{Expr, IterId, ParamId};
use symloc_isl::{
    AffineForm, Dim, DimType, Map, PwMultiAff, ScheduleConstraints, ScheduleTree, Strategy, UnionSet, compute_schedule,
};

use crate::dependences::Dependences;
use crate::error::ScheduleError;
use crate::order::{Band, BandMember, OrderTree};
use crate::scop::Scop;

/// Returns an order that isl's scheduler finds.
///
/// # Errors
///
/// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations, [`ScheduleError::NotAffine`] if the order
/// is not affine in one piece for each statement.
pub fn find_order(scop: &Scop, dependences: &Dependences, strategy: Strategy) -> Result<OrderTree, ScheduleError> {
    let constraints = ScheduleConstraints {
        context: &scop.context,
        domain: &scop.domain,
        validity: &dependences.all,
        proximity: &dependences.reuses,
    };
    order_of(scop, &compute_schedule(constraints, strategy)?.tree()?)
}

fn order_of(scop: &Scop, tree: &ScheduleTree) -> Result<OrderTree, ScheduleError> {
    match tree {
        ScheduleTree::Leaf => Ok(OrderTree::Leaf),
        ScheduleTree::Sequence(parts) => {
            let part = |(filter, tree): &(UnionSet, ScheduleTree)| Ok((filtered(scop, filter)?, order_of(scop, tree)?));
            let parts = parts.iter().map(part).collect::<Result<Vec<_>, ScheduleError>>()?;
            Ok(OrderTree::Sequence(parts))
        }
        ScheduleTree::Band { members, coincident, permutable, child } => {
            let member = |coincident: &bool| BandMember { values: BTreeMap::new(), coincident: *coincident };
            let mut band = Band {
                members: coincident.iter().map(member).collect(),
                permutable: *permutable,
                child: Box::new(order_of(scop, child)?),
            };
            for map in members.maps()? {
                let statement = statement_of(scop, map.tuple_name(DimType::In)?)?;
                for (member, value) in band.members.iter_mut().zip(values(scop, statement, &map)?) {
                    member.values.insert(statement, value);
                }
            }
            Ok(OrderTree::Band(band))
        }
    }
}

/// Returns the statements of a filter, which has all instances of them.
fn filtered(scop: &Scop, filter: &UnionSet) -> Result<BTreeSet<usize>, ScheduleError> {
    filter.sets()?.iter().map(|set| statement_of(scop, set.tuple_name()?)).collect()
}

fn statement_of(scop: &Scop, name: Option<String>) -> Result<usize, ScheduleError> {
    let position = name.as_deref().and_then(|name| scop.position(name));
    position.ok_or_else(|| not_affine(name.as_deref().unwrap_or("a tuple without a name")))
}

fn not_affine(part: &str) -> ScheduleError {
    ScheduleError::NotAffine { part: part.to_owned() }
}

/// Returns the values of a band's members at the instances of one statement.
fn values(scop: &Scop, statement: usize, map: &Map) -> Result<Vec<Expr>, ScheduleError> {
    let pieces = PwMultiAff::from_map(map)?.pieces()?;
    let [(_, function)] = pieces.as_slice() else { return Err(not_affine(&map.to_text()?)) };
    let params = (0..map.dim(DimType::Param)?).map(|position| {
        let name = map.dim_name(DimType::Param, position)?;
        name.and_then(|name| scop.program.param(&name)).ok_or_else(|| not_affine("a parameter without a name"))
    });
    let params = params.collect::<Result<Vec<_>, _>>()?;
    let names = Names { params: &params, iters: &scop.statements[statement].iters };
    function.affs()?.iter().map(|aff| names.expr(&aff.form()?)).collect()
}

/// The parameters and iterators of a function's space.
struct Names<'n> {
    params: &'n [ParamId],
    iters: &'n [IterId],
}

impl Names<'_> {
    fn expr(&self, form: &AffineForm) -> Result<Expr, ScheduleError> {
        let mut divs: Vec<Expr> = Vec::new();
        for div in &form.divs {
            let numerator = self.sum(&div.numerator.constant, &div.numerator.coefficients, &divs)?;
            let divisor = small(&div.denominator)?;
            divs.push(numerator.floor_div(divisor)?);
        }
        let whole = form.coefficients.iter().map(|(dim, coefficient)| {
            if coefficient.is_integer() { Ok((*dim, coefficient.to_integer())) } else { Err(not_affine("a fraction")) }
        });
        let whole = whole.collect::<Result<Vec<_>, _>>()?;
        if !form.constant.is_integer() {
            return Err(not_affine("a fraction"));
        }
        self.sum(&form.constant.to_integer(), &whole, &divs)
    }

    fn sum(&self, constant: &BigInt, terms: &[(Dim, BigInt)], divs: &[Expr]) -> Result<Expr, ScheduleError> {
        let mut sum = Expr::constant(small(constant)?);
        for (dim, coefficient) in terms {
            let variable = match dim {
                Dim::Param(position) => self.params.get(*position).map(|param| Expr::param(*param)),
                Dim::Set(position) => self.iters.get(*position).map(|iter| Expr::iter(*iter)),
                Dim::Div(position) => divs.get(*position).cloned(),
            };
            let variable = variable.ok_or_else(|| not_affine("a variable without a name"))?;
            sum = sum.add_scaled(&variable, small(coefficient)?)?;
        }
        Ok(sum)
    }
}

fn small(number: &BigInt) -> Result<i64, ScheduleError> {
    number.to_i64().ok_or(ScheduleError::Overflow(symloc_affine::Overflow))
}
