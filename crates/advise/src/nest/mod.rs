//! The loop nests of a function that are reordered: the affine program and its statements, together.
//!
//! The language (`c` for C) says what a statement is: it assigns accesses to statements, and describes these. `joined` are loops that
//! the program has twice, once for each side of a condition.

mod joined;

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{AccessId, AccessKind, Atom, Expr, If, IterId, Loop, Node, Program};
use symloc_schedule::Reduction;

use crate::arithmetic::Arithmetic;
use crate::error::AdviseError;
use joined::joined;

/// The nests of a function.
#[derive(Clone, Debug)]
pub struct Nests {
    /// The program, with the accesses of the nests alone.
    pub program: Program,
    /// The accesses of each statement that has any.
    pub groups: Vec<Vec<AccessId>>,
    /// By group, the statement of the source.
    pub statements: Vec<usize>,
    /// By group, what its statement computes.
    pub arithmetic: Vec<Arithmetic>,
    /// By group, the reduction that its statement is.
    pub reductions: Vec<Option<Reduction>>,
    /// The groups of reductions that a loop can collect several values of at once.
    pub collected: BTreeSet<usize>,
    /// By group, the variables of the loops around it with their values in the program's iterators, outermost first.
    pub variables: Vec<Vec<(String, Expr)>>,
    /// By access of the nests, the access of the program that they were made of.
    pub origins: Vec<AccessId>,
}

/// The form of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatementForm {
    /// `x = x op e`, where op is an addition, a multiplication, a minimum or a maximum, on numbers of one kind: in exact
    /// arithmetic the order of such updates of x does not matter.
    Update,
    /// An update for whose x a variable can stand while a loop collects it, several values at once.
    CollectedUpdate,
    /// Any other.
    #[default]
    Other,
}

/// A statement, as its language describes it.
#[derive(Clone, Debug)]
pub struct StatementDescription {
    /// Its arithmetic.
    pub arithmetic: Arithmetic,
    /// Whether its text is an update of one element.
    pub form: StatementForm,
    /// The variables of the loops around it with their values in the program's iterators, outermost first.
    pub variables: Vec<(String, Expr)>,
}

impl Nests {
    /// Gathers the accesses of a program that belong to statements; others are left out. `describe` is given a
    /// statement and the iterators of the loops around it, outermost first; it returns `None` if the loops of the
    /// program are not those of the source.
    ///
    /// # Errors
    ///
    /// [`AdviseError::OtherLoops`] if the loops of the program are not those of the source, or if the accesses of a
    /// statement do not follow each other.
    pub fn new(
        program: &Program,
        placed: &BTreeMap<AccessId, usize>,
        describe: &impl Fn(usize, &[IterId]) -> Option<StatementDescription>,
    ) -> Result<Self, AdviseError> {
        Kept::new(program, placed).nests(describe)
    }

    /// Returns an expression of a group in the source's variables.
    pub(crate) fn show(&self, group: usize, expr: &Expr) -> String {
        expr.show(&|atom| match atom {
            Atom::Param(param) => self.program.params[param.index()].name.clone(),
            Atom::Iter(iter) => {
                let variable = self.variables[group].iter().find(|(_, value)| *value == Expr::iter(*iter));
                variable.map_or_else(|| self.program.iters[iter.index()].name.clone(), |(name, _)| name.clone())
            }
            Atom::Floor(..) => String::new(),
        })
    }
}

/// Leaves out the accesses to scalars in registers that are never written: they order nothing, and miss nowhere.
pub(crate) fn without_constants(
    program: &Program,
    registers: &BTreeSet<String>,
    placed: &mut BTreeMap<AccessId, usize>,
) {
    let written: BTreeSet<_> = placed
        .keys()
        .map(|id| program.access(*id))
        .filter(|access| access.kind == AccessKind::Write)
        .map(|access| access.array)
        .collect();
    placed.retain(|id, _| {
        let access = program.access(*id);
        !registers.contains(&program.array(access.array).name) || written.contains(&access.array)
    });
}

/// The accesses that stay, and what is collected of them.
struct Kept<'k> {
    program: &'k Program,
    placed: &'k BTreeMap<AccessId, usize>,
    around: Vec<IterId>,
    /// By access that stays, in order: the old access, and the loops around it.
    accesses: Vec<(AccessId, Vec<IterId>)>,
    body: Vec<Node>,
}

impl<'k> Kept<'k> {
    fn new(program: &'k Program, placed: &'k BTreeMap<AccessId, usize>) -> Self {
        let mut kept = Self { program, placed, around: Vec::new(), accesses: Vec::new(), body: Vec::new() };
        kept.body = kept.nodes(&program.body);
        kept
    }

    fn nodes(&mut self, nodes: &[Node]) -> Vec<Node> {
        nodes.iter().flat_map(|node| self.node(node)).collect()
    }

    /// Returns the nodes that stay of one.
    fn node(&mut self, node: &Node) -> Vec<Node> {
        match node {
            Node::Access(id) if self.placed.contains_key(id) => {
                self.accesses.push((*id, self.around.clone()));
                vec![Node::Access(AccessId(self.accesses.len() as u32 - 1))]
            }
            Node::Access(_) | Node::Operations(_) | Node::Mark(_) => Vec::new(),
            Node::Loop(l) => {
                self.around.push(l.iter);
                let body = self.nodes(&l.body);
                self.around.pop();
                if body.is_empty() { Vec::new() } else { vec![Node::Loop(Loop { body, ..l.clone() })] }
            }
            Node::If(guard) => self.guard(guard),
        }
    }

    fn guard(&mut self, guard: &If) -> Vec<Node> {
        let then = self.nodes(&guard.then);
        let of_then = self.accesses.len();
        let guard = If { condition: guard.condition.clone(), then, otherwise: self.nodes(&guard.otherwise) };
        if guard.then.is_empty() && guard.otherwise.is_empty() {
            return Vec::new();
        }
        let access = |id: AccessId| {
            let (old, _) = &self.accesses[id.index()];
            (self.placed[old], self.program.access(*old))
        };
        if let Some(nodes) = joined(&guard, access) {
            self.accesses.truncate(of_then);
            return nodes;
        }
        vec![Node::If(guard)]
    }

    fn nests(self, describe: &impl Fn(usize, &[IterId]) -> Option<StatementDescription>) -> Result<Nests, AdviseError> {
        let program = self.program;
        let mut nests = Nests {
            program: Program {
                accesses: self.accesses.iter().map(|(old, _)| program.access(*old).clone()).collect(),
                body: self.body,
                ..program.clone()
            },
            groups: Vec::new(),
            statements: Vec::new(),
            arithmetic: Vec::new(),
            reductions: Vec::new(),
            collected: BTreeSet::new(),
            variables: Vec::new(),
            origins: self.accesses.iter().map(|(old, _)| *old).collect(),
        };
        let mut forms = Vec::new();
        for (index, (old, around)) in self.accesses.iter().enumerate() {
            let (id, statement) = (AccessId(index as u32), self.placed[old]);
            if nests.statements.last() == Some(&statement) {
                if let Some(group) = nests.groups.last_mut() {
                    group.push(id);
                }
                continue;
            }
            let other = || AdviseError::OtherLoops { location: program.access(*old).location.clone() };
            if nests.statements.contains(&statement) {
                return Err(other());
            }
            let StatementDescription { arithmetic, form, variables } = describe(statement, around).ok_or_else(other)?;
            forms.push(form);
            nests.variables.push(variables);
            nests.arithmetic.push(arithmetic);
            nests.groups.push(vec![id]);
            nests.statements.push(statement);
        }
        let reduction = |(group, form): (&Vec<AccessId>, &StatementForm)| match form {
            StatementForm::Update | StatementForm::CollectedUpdate => Reduction::of_update(&nests.program, group),
            StatementForm::Other => None,
        };
        nests.reductions = nests.groups.iter().zip(&forms).map(reduction).collect();
        let is_collected = |group: &usize| forms[*group] == StatementForm::CollectedUpdate;
        nests.collected = (0..forms.len()).filter(is_collected).collect();
        Ok(nests)
    }
}
