//! Branches that are decided by assumptions, which belong to every answer.
//!
//! A size is at least 1, which decides `if (n == 0)` if n is a size. Pointers are not null, which decides `if (p)`.

use symloc_affine::{AssumptionKind, Atom, Expr};
use symloc_frontend::cases::Cases;
use symloc_frontend::poly::Poly;

use crate::ir::ffi::{Opcode, Value};
use crate::values::environment::Values;
use crate::values::lattice::Known;
use crate::walk::walker::Walker;

/// The largest depth of a condition that is looked into.
const DEEPEST: u32 = 16;

impl<'m> Walker<'m, '_> {
    /// Notes the assumptions that decide a branch; `side` is the index of the successor that is taken.
    pub(crate) fn say_decided(&mut self, terminator: Value<'m>, side: usize) {
        let Some(condition) = terminator.operand(0) else { return };
        let holds = match (terminator.is_conditional(), side) {
            (true, 0) => "this condition always holds",
            (true, _) => "this condition never holds",
            (false, _) => "this switch always goes the same way",
        };
        let tests = tests(condition, DEEPEST);
        let by_sizes = match terminator.is_conditional() {
            true => tests.iter().any(|test| self.values.rests_on_sizes(*test)),
            false => self.switch_rests_on_sizes(terminator, condition),
        };
        if by_sizes {
            let text = format!("{holds}: sizes are at least 1");
            self.assuming(terminator, AssumptionKind::DecidedBranch, text);
        }
        let pointers: Vec<_> = tests.iter().filter_map(|test| self.values.pointer_beside_null(*test)).collect();
        if let Some(pointer) = pointers.first() {
            let text = format!("{holds}: `{pointer}` is taken not to be null");
            self.assuming(terminator, AssumptionKind::NotNull, text);
        }
    }

    fn switch_rests_on_sizes(&mut self, terminator: Value<'m>, number: Value<'m>) -> bool {
        let of_sizes = self.values.affine_integer(number).is_some_and(|number| is_of_sizes(&number));
        of_sizes && !self.values.without_sizes(|values| matches!(values.switch(terminator), Ok(Cases::Always(_))))
    }
}

impl<'m> Values<'m> {
    /// Returns true if a comparison of sizes, or a bit of a size, is decided only because sizes are at least 1.
    fn rests_on_sizes(&mut self, test: Value<'m>) -> bool {
        let compared = match test.opcode() {
            Some(Opcode::LLVMICmp) => self.difference(test).ok(),
            Some(Opcode::LLVMTrunc) => test.operand(0).and_then(|number| self.affine_integer(number)),
            _ => None,
        };
        let decided = |known| matches!(known, Ok(Known::Flag(Cases::Always(_))));
        compared.is_some_and(|compared| is_of_sizes(&compared))
            && decided(self.compute(test))
            && !self.without_sizes(|values| decided(values.compute(test)))
    }

    /// Runs `work` while sizes may be any integers; conditions on sizes that it requires are dropped.
    pub(crate) fn without_sizes<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let (required, facts) = (self.required.len(), self.ranges.facts().to_vec());
        self.ranges.ignore_sizes(true);
        let found = work(self);
        self.ranges.ignore_sizes(false);
        self.required.truncate(required);
        self.ranges.replace_facts(facts);
        found
    }

    fn affine_integer(&mut self, value: Value<'m>) -> Option<Cases<Expr>> {
        let number = self.integer(value).ok()?;
        number.try_map(&mut |number: &Poly| number.affine().ok_or(())).ok()
    }

    /// Returns the name of the pointer that is compared with null, if it has one known object.
    fn pointer_beside_null(&mut self, test: Value<'m>) -> Option<String> {
        let (left, right) = (test.operand(0)?, test.operand(1)?);
        // Fortran's `present(a)` compares the number of an address with 0.
        let is_number = left.opcode() == Some(Opcode::LLVMPtrToInt) && right.constant() == Some(0);
        let pointer = match left.is_null() {
            true => right,
            false if is_number => left.operand(0)?,
            false => Some(left).filter(|_| right.is_null())?,
        };
        test.predicate()?;
        let Ok(Cases::Always(pointer)) = self.pointer(pointer) else { return None };
        Some(self.roots.get(pointer.root).name.clone())
    }
}

/// Returns true if a number depends on sizes only.
fn is_of_sizes(number: &Cases<Expr>) -> bool {
    let Cases::Always(number) = number else { return false };
    number.as_constant().is_none() && !number.mentions(&|atom| matches!(atom, Atom::Iter(_)))
}

/// Returns the comparisons and other truth values that a condition consists of.
fn tests(condition: Value<'_>, fuel: u32) -> Vec<Value<'_>> {
    use Opcode as O;
    let Some(fuel) = fuel.checked_sub(1) else { return Vec::new() };
    match condition.opcode() {
        Some(O::LLVMAnd | O::LLVMOr | O::LLVMXor | O::LLVMSelect | O::LLVMFreeze) if condition.r#type().is_flag() => {
            condition.operands().into_iter().flat_map(|operand| tests(operand, fuel)).collect()
        }
        Some(_) => vec![condition],
        None => Vec::new(),
    }
}
