//! Variables that collect a value for one element: `float sum = 0; for (…) sum += …; c[i][j] = sum;`.
//!
//! As one variable it would keep every order from being another than the one written, since each run needs it for itself.
//! The element can hold the value in its place, if it has the same type and nothing else in between touches its array:
//! then every read of the variable and every read of the element give what they gave before.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{Access, AccessId, AccessKind, ArrayId, Program};

use super::reading::source::{SourceFunction, SourceStatement, SourceTarget, SourceVariable, VariableUse};

/// The text that stands in the place of a variable in the new source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replacement {
    /// The text.
    pub text: String,
    /// The uses of variables in it.
    pub words: Vec<VariableUse>,
    /// The names of the variables in it, also through macros.
    pub uses: BTreeSet<String>,
}

/// A program whose accumulators are elements.
#[derive(Debug)]
pub(crate) struct Accumulated {
    pub(crate) program: Program,
    /// By identity of a variable, its element.
    pub(crate) elements: BTreeMap<String, Replacement>,
    /// The statements that only copy an accumulator to its element.
    pub(crate) done: BTreeSet<usize>,
}

/// Replaces accumulators by the elements that they are stored to.
pub(crate) fn accumulated(
    program: &Program,
    source: &SourceFunction,
    placed: &BTreeMap<AccessId, usize>,
    copied: &BTreeSet<usize>,
    text: &str,
) -> Accumulated {
    let mut found = Accumulated { program: program.clone(), elements: BTreeMap::new(), done: BTreeSet::new() };
    for (declaration, statement) in source.statements.iter().enumerate() {
        let Some(variable) = statement.declares.as_ref().filter(|_| !copied.contains(&declaration)) else { continue };
        // An element that another variable has taken is not alone any more.
        let program = found.program.clone();
        let finder = Finder { program: &program, source, placed, text, declaration, variable };
        let Some((last, target, array, element)) = finder.find() else { continue };
        for access in placed.keys().filter(|id| program.access(**id).array == array) {
            let old = program.access(*access).clone();
            found.program.accesses[access.index()] =
                Access { array: element.array, subscripts: element.subscripts.clone(), ..old };
        }
        if target.copies.as_ref() == Some(&variable.id) {
            found.done.insert(last);
        }
        let (words, uses) = (target.words.clone(), target.uses.clone());
        let text = text[target.range.0..target.range.1].to_owned();
        found.elements.insert(variable.id.clone(), Replacement { text, words, uses });
    }
    found
}

/// Looks for the element of one variable.
struct Finder<'f> {
    program: &'f Program,
    source: &'f SourceFunction,
    placed: &'f BTreeMap<AccessId, usize>,
    text: &'f str,
    declaration: usize,
    variable: &'f SourceVariable,
}

impl Finder<'_> {
    /// Returns the last statement that uses the variable, what it stores to, the variable in the program, and the element.
    fn find(&self) -> Option<(usize, &SourceTarget, ArrayId, Access)> {
        let declared = &self.source.statements[self.declaration];
        if self.variable.is_outermost || self.variable.is_bound || self.variable.value.is_none() {
            return None;
        }
        let users: Vec<usize> = self.users().collect();
        let last = *users.last()?;
        let statement = &self.source.statements[last];
        let target = statement.target.as_ref()?;
        let is_beside = statement.block == declared.block && statement.loops == declared.loops;
        if !is_beside || target.kind != self.variable.meaning || !self.is_known_everywhere(target, &users) {
            return None;
        }
        let (array, _) = self.only(self.declaration, AccessKind::Write)?;
        let is_scalar = self.program.array(array).shape.is_empty();
        let (stored, element) = self.only(last, AccessKind::Write)?;
        // Nothing else may touch the array of the element in between, and nothing outside the variable.
        let in_between = |statement: usize| (self.declaration..=last).contains(&statement);
        let of = |wanted: ArrayId| self.accesses().filter(move |(access, _)| access.array == wanted);
        let is_alone = of(stored).filter(|(_, statement)| in_between(*statement)).count() == 1;
        let is_own = of(array).all(|(_, statement)| statement == self.declaration || users.contains(&statement));
        let is_element = !element.subscripts.is_empty() && is_scalar && stored != array;
        (is_alone && is_own && is_element).then(|| (last, target, array, element.clone()))
    }

    fn users(&self) -> impl Iterator<Item = usize> {
        let uses = |s: &SourceStatement| s.words.iter().any(|word| word.id == self.variable.id);
        self.source.statements.iter().enumerate().filter(move |(_, s)| uses(s)).map(|(place, _)| place)
    }

    /// Returns true if the text of the element means the same in all statements that use the variable, and each use can
    /// be replaced.
    fn is_known_everywhere(&self, target: &SourceTarget, users: &[usize]) -> bool {
        let declared = &self.source.statements[self.declaration];
        let loops = declared.loops.iter().map(|index| &self.source.loops[*index].id).collect::<Vec<_>>();
        let is_fixed = |word: &VariableUse| loops.contains(&&word.id) || !target.changing.contains(&word.id);
        let statements = users.iter().map(|place| &self.source.statements[*place]);
        let is_plain = |statement: &SourceStatement| {
            let mut words = statement.words.iter().filter(|word| word.id == self.variable.id);
            words.all(|word| word.place.is_some())
                && target.uses.iter().all(|name| !statement.locals.contains_key(name))
        };
        let text = &self.text[target.range.0..target.range.1];
        target.words.iter().all(is_fixed) && !text.contains('\n') && statements.clone().all(is_plain)
    }

    fn accesses(&self) -> impl Iterator<Item = (&Access, usize)> {
        self.placed.iter().map(|(id, statement)| (self.program.access(*id), *statement))
    }

    /// Returns the only access of a kind in a statement.
    fn only(&self, at: usize, kind: AccessKind) -> Option<(ArrayId, &Access)> {
        let mut all = self.accesses().filter(|(a, statement)| *statement == at && a.kind == kind);
        let (access, _) = all.next()?;
        all.next().is_none().then_some((access.array, access))
    }
}
