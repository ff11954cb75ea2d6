//! The orders that isl's scheduler finds, as trees, and the order as written with the bands that it has.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use symloc_affine::{Expr, IterId, ParamId};
use symloc_isl::{
    AffineForm, Context, Dim, DimType, Map, PwMultiAff, ScheduleConstraints, ScheduleTree, Strategy, UnionSet,
    compute_schedule,
};

use crate::dependences::Dependences;
use crate::error::ScheduleError;
use crate::legality::violation;
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

/// Returns the order of a program as written, with loops directly in each other as one band where they may be permuted and
/// tiled: isl's scheduler finds no order where a dependence is a symbolic number of iterations long.
///
/// # Errors
///
/// [`ScheduleError::Isl`] if isl fails or reaches the limit on its operations.
pub fn written_order(isl: &Context, scop: &Scop, dependences: &Dependences) -> Result<OrderTree, ScheduleError> {
    Bands { isl, scop, dependences }.joined(&mut Vec::new(), OrderTree::as_written(scop))
}

/// Joins loops to bands.
struct Bands<'b> {
    isl: &'b Context,
    scop: &'b Scop,
    dependences: &'b Dependences,
}

impl Bands<'_> {
    /// Returns an order of single loops, in some others, with the largest permutable bands.
    fn joined(&self, outer: &mut Vec<BandMember>, order: OrderTree) -> Result<OrderTree, ScheduleError> {
        let mut band = match order {
            OrderTree::Leaf => return Ok(OrderTree::Leaf),
            OrderTree::Sequence(parts) => {
                let part = |(part, order)| Ok((part, self.joined(outer, order)?));
                return Ok(OrderTree::Sequence(parts.into_iter().map(part).collect::<Result<_, ScheduleError>>()?));
            }
            OrderTree::Band(band) => band.with_loops_below(),
        };
        let mut depth = band.members.len();
        while depth > 1 && !self.are_permutable(outer, &band, depth)? {
            depth -= 1;
        }
        let below = band.members.split_off(depth);
        let child = *band.child;
        let inner = match below.is_empty() {
            true => child,
            false => OrderTree::Band(Band { members: below, permutable: false, child: Box::new(child) }),
        };
        outer.extend(band.members.iter().cloned());
        let child = Box::new(self.joined(outer, inner)?);
        outer.truncate(outer.len() - depth);
        Ok(OrderTree::Band(Band { members: band.members, permutable: true, child }))
    }

    /// Returns true if every dependence that no outer loop carries is non-negative in each of the first loops of a band. In one
    /// of them all are if the order in which it comes first is legal.
    fn are_permutable(&self, outer: &[BandMember], band: &Band, depth: usize) -> Result<bool, ScheduleError> {
        for first in 1..depth {
            let mut members = band.members.clone();
            members[..=first].rotate_right(1);
            let members = [outer, &members].concat();
            let order = OrderTree::Band(Band { members, permutable: false, child: band.child.clone() });
            if violation(self.isl, self.scop, self.dependences, &order)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }
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
