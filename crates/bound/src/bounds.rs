//! The bound of a program at a size.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;
use symloc_model::{ArrayShape, Model};

use crate::candidate::{FamilyLaw, LawMaker};
use crate::encounter::{Encounter, StatementPairs};
use crate::family::{AccessSlot, families};
use crate::law::OperationLaw;
use crate::partition::Partition;
use crate::roles::{Encounters, SlotRole};
use crate::statement::ProgramText;
use crate::triangle;

/// The content of a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineContent {
    /// So many bytes of one array.
    Bytes(u64),
    /// One element of one array.
    Element,
}

/// The counts of a program at one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramCounts {
    /// By access of the outline, the number of times that it is executed.
    pub executions: Vec<BigInt>,
    /// By array, the number of distinct lines that are touched.
    pub array_lines: Vec<BigInt>,
}

/// The misses that no legal order of a program's operations goes below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerBound {
    /// The misses, in lines.
    pub misses: BigInt,
    /// The number of distinct lines, each of which is loaded at least once.
    pub compulsory: BigInt,
    /// The statements whose partitions make the bound larger than that.
    pub partitions: Vec<PartitionBound>,
}

/// The part of a bound that the operations of some statements make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionBound {
    /// The last access of the first of these statements, by its position in the outline: what it writes, if it does.
    pub access: usize,
    /// The number of operations.
    pub operations: BigInt,
    /// The misses, in lines.
    pub misses: BigInt,
}

/// The reason for which a model has no bound but the compulsory lines, at any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPartitions {
    /// The model does not hold its program.
    NoProgram,
    /// An access may leave its array, so that elements with different subscripts may be one.
    OutsideArray,
    /// No statement has more operations than elements, in all directions of its loops.
    NoLaw,
}

/// The lower bounds of a program, at any size and for any cache.
#[derive(Clone, Debug)]
pub struct ProgramBounds {
    /// By family, the first access of each statement.
    pub(crate) families: Vec<Vec<usize>>,
    /// By family, the last access of the first statement.
    targets: Vec<usize>,
    pub(crate) slots: Vec<AccessSlot>,
    encounters: Encounters,
    pub(crate) candidates: Vec<FamilyLaw>,
    line_weight: BigInt,
    excess: BigInt,
    reason: Option<NoPartitions>,
}

impl ProgramBounds {
    /// Analyses the program of a model, for lines with this content.
    pub fn new(model: &Model, line: LineContent) -> Self {
        let program = model.program.as_ref().and_then(|outline| Some((outline, outline.tree.as_ref()?)));
        let Some((outline, tree)) = program else { return Self::none(NoPartitions::NoProgram) };
        if model.assumptions.iter().any(|assumption| assumption.kind == "outside_array") {
            return Self::none(NoPartitions::OutsideArray);
        }
        let text = ProgramText { outline, tree, context: &model.context, parameters: model.parameters.len() };
        Self::of_text(text, line)
    }

    /// Analyses a program.
    pub(crate) fn of_text(text: ProgramText<'_>, line: LineContent) -> Self {
        let weights: Vec<u64> = text.outline.arrays.iter().map(|array| line.weight(array.element_bytes)).collect();
        let mut bounds = Self::of_program(text, &weights);
        bounds.line_weight = weights.iter().map(|weight| line.capacity(*weight)).max().unwrap_or(1).into();
        bounds.excess = excess(&weights, &bounds.line_weight);
        bounds.reason = bounds.candidates.is_empty().then_some(NoPartitions::NoLaw);
        bounds
    }

    pub(crate) fn of_program(text: ProgramText<'_>, weights: &[u64]) -> Self {
        let statements = text.statements();
        let pairs = StatementPairs { text, statements: &statements };
        let mut families = families(&pairs);
        for family in &mut families {
            family.slots.retain(|slot| elements_are_apart(&text.tree.shapes[slot.array]));
        }
        let slots: Vec<AccessSlot> = families.iter().flat_map(|family| family.slots.iter().cloned()).collect();
        let encounters = Encounters::new(&pairs, &slots);
        let maker = LawMaker { slots: &slots, encounters: &encounters, weights };
        let mut candidates = Vec::new();
        let mut first = 0;
        for (family, found) in families.iter().enumerate() {
            let own: Vec<usize> = (first..first + found.slots.len()).collect();
            first += own.len();
            candidates.extend(candidates_of(&pairs, &maker, family, &own));
        }
        let last_access = |statement: &usize| statements[*statement].accesses.last().copied();
        let first_access = |statement: &usize| statements[*statement].accesses[0];
        Self {
            targets: families.iter().filter_map(|family| last_access(&family.statements[0])).collect(),
            families: families.iter().map(|family| family.statements.iter().map(first_access).collect()).collect(),
            slots,
            encounters,
            candidates,
            ..Self::none(NoPartitions::NoLaw)
        }
    }

    fn none(reason: NoPartitions) -> Self {
        Self {
            families: Vec::new(),
            targets: Vec::new(),
            slots: Vec::new(),
            encounters: Encounters::default(),
            candidates: Vec::new(),
            line_weight: BigInt::from(1),
            excess: BigInt::zero(),
            reason: Some(reason),
        }
    }

    /// Returns the reason, if no bound is larger than the compulsory lines.
    pub fn reason(&self) -> Option<NoPartitions> {
        self.reason
    }

    /// Returns the bound for a cache of so many lines.
    pub fn at(&self, counts: &ProgramCounts, lines: &BigInt) -> LowerBound {
        let compulsory = counts.array_lines.iter().sum::<BigInt>();
        let mut rated: Vec<RatedLaw<'_>> =
            self.candidates.iter().map(|candidate| self.rated(candidate, counts, lines)).collect();
        rated.retain(|rated| rated.misses > BigInt::zero());
        let mut chosen: Vec<&RatedLaw<'_>> = Vec::new();
        let mut misses = compulsory.clone();
        loop {
            let fits = |rated: &&RatedLaw<'_>| chosen.iter().all(|other| self.add_up(other, rated));
            let with = |rated| (self.total(&[&chosen[..], &[rated]].concat(), counts), rated);
            let best = rated.iter().filter(fits).map(with).max_by(|(a, _), (b, _)| a.cmp(b));
            match best.filter(|(total, _)| *total > misses) {
                None => break,
                Some((total, rated)) => {
                    misses = total;
                    chosen.push(rated);
                }
            }
        }
        LowerBound { misses, compulsory, partitions: chosen.iter().map(|rated| self.part(rated)).collect() }
    }

    fn rated<'b>(&'b self, candidate: &'b FamilyLaw, counts: &ProgramCounts, lines: &BigInt) -> RatedLaw<'b> {
        let executions = self.families[candidate.family].iter().filter_map(|access| counts.executions.get(*access));
        let operations = executions.sum();
        let Self { line_weight, excess, .. } = self;
        let law: &OperationLaw = &candidate.law;
        let misses = Partition { law, operations: &operations, lines, line_weight, excess }.misses();
        RatedLaw { candidate, operations, misses }
    }

    /// Returns true if the misses of two candidates add up: if each of their elements has one role after the other.
    fn add_up(&self, a: &RatedLaw<'_>, b: &RatedLaw<'_>) -> bool {
        let (a, b) = (a.candidate, b.candidate);
        let mut pairs = a.roles.iter().flat_map(|a| b.roles.iter().map(move |b| (a, b)));
        a.family != b.family && pairs.all(|(a, b)| self.encounters.of_roles(a, b) != Encounter::Mixed)
    }

    /// Returns the misses of candidates together, less one for each line and change of a role, and the compulsory lines of all
    /// other arrays.
    fn total(&self, chosen: &[&RatedLaw<'_>], counts: &ProgramCounts) -> BigInt {
        let mut total = chosen.iter().map(|rated| &rated.misses).sum::<BigInt>();
        let roles: Vec<&SlotRole> = chosen.iter().flat_map(|rated| &rated.candidate.roles).collect();
        for (array, lines) in counts.array_lines.iter().enumerate() {
            let is_of_array = |role: &&&SlotRole| role.iter().any(|slot| self.slots[*slot].array == array);
            let own: Vec<&SlotRole> = roles.iter().filter(is_of_array).copied().collect();
            match self.encounters.most_roles(&own) {
                0 => total += lines,
                roles => total -= lines * (roles - 1),
            }
        }
        total
    }

    fn part(&self, rated: &RatedLaw<'_>) -> PartitionBound {
        let RatedLaw { candidate, operations, misses } = rated;
        PartitionBound {
            access: self.targets[candidate.family],
            operations: operations.clone(),
            misses: misses.clone(),
        }
    }
}

/// A candidate at a size.
struct RatedLaw<'b> {
    candidate: &'b FamilyLaw,
    operations: BigInt,
    misses: BigInt,
}

impl LineContent {
    /// Returns the weight of an element.
    fn weight(self, element_bytes: u64) -> u64 {
        match self {
            Self::Bytes(_) => element_bytes.max(1),
            Self::Element => 1,
        }
    }

    /// Returns the weight of all elements of this weight that begin in one line.
    fn capacity(self, weight: u64) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.div_ceil(weight) * weight,
            Self::Element => 1,
        }
    }
}

/// Returns the weight by which a part of an execution may be heavier than a number of lines.
fn excess(weights: &[u64], line_weight: &BigInt) -> BigInt {
    let largest = weights.iter().max().copied().unwrap_or_default();
    let unit = weights.iter().fold(line_weight.clone(), |unit, weight| unit.gcd(&(*weight).into()));
    (BigInt::from(largest) - unit).max(BigInt::zero())
}

/// Returns true if elements with different subscripts lie at different places.
fn elements_are_apart(shape: &ArrayShape) -> bool {
    let Some(strides) = &shape.strides else { return true };
    let mut dimensions: Vec<(u64, Option<i64>)> =
        strides.iter().map(|stride| stride.unsigned_abs()).zip(shape.extents.iter().copied()).collect();
    dimensions.sort_by_key(|(stride, _)| *stride);
    let mut reach: u64 = 0;
    dimensions.iter().enumerate().all(|(index, (stride, extent))| {
        let apart = *stride > reach;
        let steps = extent.and_then(|extent| u64::try_from(extent.max(1) - 1).ok());
        let more = steps.and_then(|steps| steps.checked_mul(*stride)).and_then(|more| more.checked_add(reach));
        reach = more.unwrap_or(u64::MAX);
        apart && (more.is_some() || index + 1 == dimensions.len())
    })
}

/// Returns the candidates of a family whose slots have these positions.
fn candidates_of(pairs: &StatementPairs<'_>, maker: &LawMaker<'_>, family: usize, own: &[usize]) -> Vec<FamilyLaw> {
    let separated = maker.encounters.roles(own, true);
    let joined = maker.encounters.roles(own, false);
    let mut found = Vec::new();
    for roles in [Some(&separated), (joined != separated).then_some(&joined)].into_iter().flatten() {
        let laws = maker.by_projections(roles).into_iter().chain(triangle::laws(pairs, maker, roles));
        found.extend(laws.map(|law| FamilyLaw { family, law, roles: roles.clone() }));
    }
    found
}
