//! Which iterators, parameters and dimensions of arrays are split into lines.
//!
//! Iterators in last subscripts are. What is compared with a split iterator is split too, and so is what stands in the same
//! dimension of an array as one. Parameters keep their own name besides: n where it is compared with iterators that are
//! not split, (m, s) elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{AccessId, ArrayId, Atom, Expr, IterId, ParamId, Program};
use symloc_quasi::{Constraint, Poly, Var};

use super::LineError;
use crate::Error;
use crate::convert::{Frame, constraints};
use crate::rank::Ranks;
use crate::timestamps::{Step, Timestamps};

/// What is split, and the names of the parts.
#[derive(Debug)]
pub(super) struct Split {
    line: ParamId,
    own_params: usize,
    iters: BTreeMap<IterId, [String; 2]>,
    dims: BTreeSet<(ArrayId, usize)>,
    /// n, with the names of m and, unless n is a multiple of b, of s.
    params: BTreeMap<ParamId, (String, Option<String>)>,
}

/// Iterators and parameters that are split together.
#[derive(Debug, Default)]
struct Together {
    /// The dimension of an array in which they stand.
    dim: Option<(ArrayId, usize)>,
    /// Are they split in any case?
    last: bool,
    iters: BTreeSet<IterId>,
    params: BTreeSet<ParamId>,
}

impl Split {
    pub(super) fn new(
        program: &Program,
        timestamps: &Timestamps,
        ranks: &Ranks,
        blocks: &[Vec<Expr>],
        line: ParamId,
    ) -> Result<Self, Error> {
        let mut groups = subscripts(program, blocks)?;
        groups.extend(comparisons(program, timestamps, ranks)?);
        let (iters, mut params, dims) = closure(&groups);
        params.remove(&line);
        let mut names = Names::new(program);
        let iter = |i: IterId, names: &mut Names| {
            let name = &program.iters[i.index()].name;
            (i, [names.fresh("u", name), names.fresh("r", name)])
        };
        let multiple = |p: &ParamId| program.multiples.contains(&(*p, line));
        let iters = iters.into_iter().map(|i| iter(i, &mut names)).collect();
        let param = |p: ParamId, names: &mut Names| {
            let name = &program.params[p.index()].name;
            (p, (names.fresh("m", name), (!multiple(&p)).then(|| names.fresh("s", name))))
        };
        let params = params.into_iter().map(|p| param(p, &mut names)).collect();
        Ok(Self { line, own_params: program.params.len(), iters, dims, params })
    }

    /// b.
    pub(super) fn line(&self) -> Var {
        Var(self.line.0)
    }

    /// The names of u and r, for a split iterator.
    pub(super) fn iter(&self, iter: IterId) -> Option<&[String; 2]> {
        self.iters.get(&iter)
    }

    /// Is this dimension of the array split?
    pub(super) fn dim(&self, array: ArrayId, dim: usize) -> bool {
        self.dims.contains(&(array, dim))
    }

    /// m and s of a parameter; s is nothing if it is always 0. b itself is b·1 + 0.
    pub(super) fn param(&self, param: ParamId) -> Option<(Poly, Poly)> {
        if param == self.line {
            return Some((Poly::one(), Poly::zero()));
        }
        let position = self.params.keys().position(|p| *p == param)?;
        let variable = |position: usize| Poly::var(Var((self.own_params + position) as u32));
        let remainder = self.remainder(param).map_or_else(Poly::zero, |r| variable(self.params.len() + r));
        Some((variable(position), remainder))
    }

    /// The position of a parameter's s among the remainders.
    fn remainder(&self, param: ParamId) -> Option<usize> {
        self.params.iter().filter(|(_, (_, s))| s.is_some()).position(|(p, _)| *p == param)
    }

    /// The parameters that have a quotient.
    pub(super) fn quotients(&self) -> Vec<ParamId> {
        self.params.keys().copied().collect()
    }

    /// How many remainders there are.
    pub(super) fn remainders(&self) -> usize {
        self.params.values().filter(|(_, s)| s.is_some()).count()
    }

    /// The names of all parameters: the program's, then every m, then every s.
    pub(super) fn params(&self, program: &Program) -> Vec<String> {
        let own = program.params.iter().map(|p| p.name.clone());
        let quotients = self.params.values().map(|(m, _)| m.clone());
        let remainders = self.params.values().filter_map(|(_, s)| s.clone());
        own.chain(quotients).chain(remainders).collect()
    }

    /// s = n − b·m; or n = b·m.
    pub(super) fn defined(&self) -> Vec<(Var, Poly)> {
        let b = Poly::var(self.line());
        let define = |param: &ParamId| {
            let (m, s) = self.param(*param)?;
            let (n, start) = (Var(param.0), &b * &m);
            let remainder = s.vars().pop_first();
            Some(remainder.map_or_else(|| (n, start.clone()), |s| (s, &Poly::var(n) - &start)))
        };
        self.params.keys().filter_map(define).collect()
    }

    /// 0 ≤ s < b, for every s.
    pub(super) fn remainder_ranges(&self) -> Vec<Constraint> {
        let b = Poly::var(self.line());
        let first = self.own_params + self.params.len();
        let variables = (first..first + self.remainders()).map(|v| Poly::var(Var(v as u32)));
        variables.flat_map(|s| range(&s, &b)).collect()
    }

    /// How many levels a timestamp has.
    pub(super) fn levels(&self, time: &[Step]) -> usize {
        let levels = |step: &Step| match step {
            Step::Iteration(iter) if self.iters.contains_key(iter) => 2,
            _ => 1,
        };
        time.iter().map(levels).sum()
    }
}

/// 0 ≤ rest < b
pub(super) fn range(rest: &Poly, b: &Poly) -> [Constraint; 2] {
    [Constraint::non_negative(rest.clone()), Constraint::non_negative(&(b - rest) - &Poly::one())]
}

/// One group for each dimension of each array.
fn subscripts(program: &Program, blocks: &[Vec<Expr>]) -> Result<Vec<Together>, Error> {
    let mut dims: BTreeMap<(ArrayId, usize), Together> = BTreeMap::new();
    for (index, (access, block)) in program.accesses.iter().zip(blocks).enumerate() {
        for (dim, subscript) in block.iter().enumerate() {
            let last = dim + 1 == block.len();
            let group = dims.entry((access.array, dim)).or_default();
            (group.dim, group.last) = (Some((access.array, dim)), last);
            for (atom, _) in subscript.terms() {
                match atom {
                    Atom::Iter(iter) => _ = group.iters.insert(*iter),
                    Atom::Param(param) => _ = group.params.insert(*param),
                    Atom::Floor(..) if last => {
                        let reason = format!(
                            "a last subscript must be a sum of iterators, sizes and constants, and `{}` is none",
                            program.show(subscript)
                        );
                        return Err(LineError { access: AccessId(index as u32), reason }.into());
                    }
                    Atom::Floor(..) => {}
                }
            }
        }
    }
    Ok(dims.into_values().collect())
}

/// One group for each constraint on iterators.
fn comparisons(program: &Program, timestamps: &Timestamps, ranks: &Ranks) -> Result<Vec<Together>, Error> {
    let mut groups = Vec::new();
    let mut add = |set: &symloc_isl::Set, iters: &[IterId]| -> Result<(), Error> {
        let frame = Frame::new(program, iters);
        for basic in set.compute_divs()?.remove_redundancies()?.basic_sets()? {
            for constraint in constraints(&basic, &frame)? {
                let (iterators, params): (Vec<_>, Vec<_>) =
                    constraint.poly.vars().into_iter().partition(|v| frame.depth(*v).is_some());
                groups.push(Together {
                    iters: iterators.into_iter().filter_map(|v| Some(iters[frame.depth(v)?])).collect(),
                    params: params.into_iter().map(|v| ParamId(v.0)).collect(),
                    ..Together::default()
                });
            }
        }
        Ok(())
    };
    for region in &timestamps.regions {
        add(&region.domain, &region.iters)?;
    }
    for (statement, pieces) in timestamps.statements.iter().zip(&ranks.statements) {
        for domain in pieces.iter().filter_map(|piece| piece.domain.as_ref()) {
            add(domain, &timestamps.regions[statement.region].iters)?;
        }
    }
    Ok(groups)
}

/// Splits until nothing more must be split.
fn closure(groups: &[Together]) -> (BTreeSet<IterId>, BTreeSet<ParamId>, BTreeSet<(ArrayId, usize)>) {
    let (mut iters, mut params, mut dims) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    loop {
        let before = (iters.len(), params.len(), dims.len());
        for group in groups {
            if group.last || group.iters.iter().any(|i| iters.contains(i)) {
                iters.extend(&group.iters);
                params.extend(&group.params);
                dims.extend(group.dim);
            }
        }
        if before == (iters.len(), params.len(), dims.len()) {
            return (iters, params, dims);
        }
    }
}

/// Names that nothing else has.
struct Names(BTreeSet<String>);

impl Names {
    fn new(program: &Program) -> Self {
        let params = program.params.iter().map(|p| p.name.clone());
        Self(params.chain(program.iters.iter().map(|i| i.name.clone())).collect())
    }

    fn fresh(&mut self, part: &str, of: &str) -> String {
        let mut name = format!("{part}_{of}");
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}
