//! One pragma of OpenMP: its construct and clauses.

use crate::openmp::tokens::is_of_word;

/// A pragma of OpenMP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Directive {
    /// Its name, of one or more words: `parallel for`.
    pub(crate) name: Vec<String>,
    pub(crate) clauses: Vec<Clause>,
}

/// A clause of a pragma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    pub(crate) name: String,
    /// The text between its brackets; empty without brackets.
    pub(crate) arguments: String,
}

/// The words of the names of constructs.
const NAMES: [&str; 30] = [
    "parallel",
    "for",
    "simd",
    "sections",
    "section",
    "single",
    "master",
    "masked",
    "task",
    "taskloop",
    "taskgroup",
    "taskwait",
    "taskyield",
    "target",
    "teams",
    "distribute",
    "loop",
    "critical",
    "atomic",
    "ordered",
    "barrier",
    "flush",
    "threadprivate",
    "declare",
    "scope",
    "workshare",
    "scan",
    "data",
    "enter",
    "exit",
];

impl Directive {
    /// Reads a pragma, without `#pragma omp`.
    pub(crate) fn of(text: &str) -> Self {
        let (mut name, mut clauses) = (Vec::new(), Vec::new());
        let mut rest = text;
        while let Some(start) = rest.find(is_of_word) {
            rest = &rest[start..];
            let (word, after) = rest.split_at(rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()));
            let (arguments, after) = bracketed(after);
            rest = after;
            let is_named = NAMES.contains(&word) && clauses.is_empty() && (name.is_empty() || arguments.is_none());
            if is_named {
                name.push(word.to_owned());
            }
            if !is_named || arguments.is_some() {
                clauses
                    .push(Clause { name: word.to_owned(), arguments: arguments.unwrap_or_default().trim().to_owned() });
            }
        }
        Self { name, clauses }
    }

    /// Returns true if its name has a word.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.name.iter().any(|other| other == word)
    }
}

impl Clause {
    /// Returns the names in the clause's list, such as the variables of `private(x, y)`; behind a colon, if there is one, as in
    /// `reduction(+: x)`, but in front of it in `linear(x: 2)` and `linear(val(x): 2)`.
    pub(crate) fn list(&self) -> impl Iterator<Item = &str> {
        let (before, behind) = self
            .arguments
            .split_once(':')
            .map_or((None, self.arguments.as_str()), |(before, behind)| (Some(before), behind));
        let list = match self.name == "linear" {
            true => {
                let list = before.unwrap_or(behind).trim();
                list.split_once('(').and_then(|(_, inside)| inside.strip_suffix(')')).unwrap_or(list)
            }
            false => behind,
        };
        list.split(',').map(str::trim)
    }
}

/// Returns the text in the brackets at the start of a text, if there are any, and the text behind them.
fn bracketed(text: &str) -> (Option<&str>, &str) {
    let Some(inside) = text.trim_start().strip_prefix('(') else { return (None, text) };
    let mut depth = 1_i64;
    for (position, c) in inside.char_indices() {
        depth += i64::from(c == '(') - i64::from(c == ')');
        if depth == 0 {
            return (Some(&inside[..position]), &inside[position + 1..]);
        }
    }
    (Some(inside), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (String, Vec<(String, String)>) {
        let Directive { name, clauses } = Directive::of(text);
        (name.join(" "), clauses.into_iter().map(|clause| (clause.name, clause.arguments)).collect())
    }

    #[test]
    fn names_end_where_clauses_begin() {
        let clause = |name: &str, arguments: &str| (name.to_owned(), arguments.to_owned());
        let (name, clauses) = parts("parallel for simd schedule( static , (4) ), private(x, y) nowait");
        assert_eq!(name, "parallel for simd");
        assert_eq!(clauses, [clause("schedule", "static , (4)"), clause("private", "x, y"), clause("nowait", "")]);
        assert_eq!(parts("critical(name)"), ("critical".to_owned(), vec![clause("critical", "name")]));
        assert_eq!(parts("for ordered"), ("for ordered".to_owned(), vec![]));
        assert_eq!(parts("for collapse(2) ordered").1, [clause("collapse", "2"), clause("ordered", "")]);
        assert_eq!(parts("parallel if(parallel: n > (3)) num_threads(4").1[1], clause("num_threads", "4"));
        assert_eq!(parts("").0, "");
    }

    #[test]
    fn lists_are_behind_colons() {
        let clause = Directive::of("for reduction(+ : a, b[:n])").clauses.remove(0);
        assert_eq!(clause.list().collect::<Vec<_>>(), ["a", "b[:n]"]);
        for text in ["linear(k, l)", "linear(k, l : 2)", "linear(val(k, l) : 2)", "linear(k, l : step(2), val)"] {
            let clause = Directive::of(&format!("for {text}")).clauses.remove(0);
            assert_eq!(clause.list().collect::<Vec<_>>(), ["k", "l"], "{text}");
        }
    }
}
