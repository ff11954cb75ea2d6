//! The schedule that the clauses of a loop with threads give it.

use std::collections::{BTreeMap, BTreeSet};

use symloc_affine::{ParallelLoops, Schedule};

use crate::openmp::directive::{Clause, Directive};

/// The schedule of a loop and the variables of its threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sharing {
    pub(crate) parallel: ParallelLoops,
    /// The variables of which each thread has its own.
    pub(crate) own: OwnVariables,
    /// The lines of statements that threads run one after the other.
    pub(crate) atomic: Vec<(u32, u32)>,
    /// True if threads do not wait for each other behind the loop.
    pub(crate) nowait: bool,
    /// The clauses that would change the number of threads, as in the source.
    pub(crate) left_out: Vec<String>,
}

/// The variables of which each thread has its own in a construct, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OwnVariables {
    /// Those of `private`, which have no value at first and leave none behind.
    pub(crate) private: Vec<String>,
    /// Those of clauses such as `reduction`, whose values are copied before or after.
    pub(crate) copied: Vec<String>,
    /// Those of `linear`, which are functions of the iterator.
    pub(crate) linear: Vec<String>,
    /// The counters of loops: in C of those whose iterations threads share, in Fortran of all.
    pub(crate) counters: Vec<String>,
    /// Those that are declared in the text of the construct.
    pub(crate) declared: Vec<String>,
    /// The lines of the construct that name one of `private`.
    pub(crate) named: BTreeMap<String, BTreeSet<u32>>,
}

impl OwnVariables {
    /// Returns all names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.not_declared().chain(&self.declared)
    }

    /// Returns the names in clauses, and the counters.
    pub(crate) fn not_declared(&self) -> impl Iterator<Item = &String> {
        self.private.iter().chain(&self.copied).chain(&self.linear).chain(&self.counters)
    }

    /// Adds those of another construct.
    pub(crate) fn extend(&mut self, more: &Self) {
        self.private.extend_from_slice(&more.private);
        self.copied.extend_from_slice(&more.copied);
        self.linear.extend_from_slice(&more.linear);
        self.counters.extend_from_slice(&more.counters);
        self.declared.extend_from_slice(&more.declared);
        for (name, lines) in &more.named {
            self.named.entry(name.clone()).or_default().extend(lines);
        }
    }

    /// Adds the variables of a clause.
    ///
    /// # Errors
    ///
    /// If it is about parts of arrays.
    pub(crate) fn add(&mut self, clause: &Clause) -> Result<(), Refused> {
        if clause.name == "default" {
            return Err(refused(&shown(clause), "each thread has variables of its own that are not named"));
        }
        if clause.arguments.contains("inscan") {
            return Err(refused(&shown(clause), "its iterations wait for each other"));
        }
        if clause.list().any(|variable| variable.contains('[')) {
            return Err(refused(&shown(clause), COPIED_ARRAY));
        }
        if clause.list().any(|variable| variable.starts_with('/')) {
            return Err(refused(&shown(clause), COMMON_BLOCK));
        }
        let names = clause.list().filter(|name| !name.is_empty()).map(str::to_owned);
        match clause.name.as_str() {
            "private" => self.private.extend(names),
            "linear" => self.linear.extend(names),
            _ => self.copied.extend(names),
        }
        Ok(())
    }
}

/// The reason why a construct cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// The construct or clause, as in the source.
    pub(crate) subject: String,
    pub(crate) why: &'static str,
}

/// Clauses that do not change which thread makes which access.
const WITHOUT_EFFECT: [&str; 9] =
    ["shared", "default", "proc_bind", "order", "safelen", "simdlen", "aligned", "nontemporal", "copyin"];

/// Clauses that change the number of threads, which a question gives.
const LEFT_OUT: [&str; 2] = ["if", "num_threads"];

/// Clauses with variables of which each thread has its own.
const PRIVATE: [&str; 6] = ["private", "firstprivate", "lastprivate", "linear", "reduction", "threadprivate"];

/// Returns how threads share the loop of a directive.
///
/// # Errors
///
/// If a clause asks for another schedule than a static one, or for something that is not known.
pub(crate) fn sharing(directive: &Directive) -> Result<Sharing, Refused> {
    if directive.has("ordered") {
        return Err(refused("ordered", ORDERED));
    }
    let mut sharing = Sharing {
        parallel: Schedule::Blocks.into(),
        own: OwnVariables::default(),
        atomic: Vec::new(),
        nowait: false,
        left_out: left_out(directive),
    };
    for clause in &directive.clauses {
        match clause.name.as_str() {
            "schedule" => sharing.parallel.schedule = schedule(clause)?,
            "nowait" => sharing.nowait = true,
            "collapse" => sharing.parallel.loops = loops(clause)?,
            "ordered" => return Err(refused("ordered", ORDERED)),
            _ if is_private(clause) => sharing.own.add(clause)?,
            name if WITHOUT_EFFECT.contains(&name) || LEFT_OUT.contains(&name) => {}
            _ => return Err(refused(&shown(clause), "this clause is not known")),
        }
    }
    Ok(sharing)
}

/// Returns the clauses of a directive that would change the number of threads, as in the source.
pub(crate) fn left_out(directive: &Directive) -> Vec<String> {
    let clauses = directive.clauses.iter().filter(|clause| LEFT_OUT.contains(&clause.name.as_str()));
    clauses.map(shown).collect()
}

const ORDERED: &str = "its iterations wait for each other";

/// The reason why Fortran's common blocks are refused.
pub(crate) const COMMON_BLOCK: &str = "each thread has a common block of its own, which other procedures name, too";

/// The reason why clauses such as `reduction` are refused for arrays.
pub(crate) const COPIED_ARRAY: &str =
    "each thread has an array of its own, and the accesses that copy or add up its elements are not in the source";

/// Returns true for a clause with variables of which each thread has its own.
pub(crate) fn is_private(clause: &Clause) -> bool {
    let is_default = clause.name == "default" && clause.arguments.contains("private");
    is_default || PRIVATE.contains(&clause.name.as_str())
}

/// Returns the number of loops whose iterations are one sequence.
fn loops(clause: &Clause) -> Result<u32, Refused> {
    let loops = integer(&clause.arguments).and_then(|loops| u32::try_from(loops).ok()).filter(|loops| *loops > 0);
    loops.ok_or_else(|| refused(&shown(clause), "the number of loops is not a positive integer constant"))
}

fn schedule(clause: &Clause) -> Result<Schedule, Refused> {
    let (modifiers, kind) = clause.arguments.split_once(':').unwrap_or(("", &clause.arguments));
    if modifiers.split(',').any(|modifier| modifier.trim() == "simd") {
        return Err(refused(&shown(clause), "the chunks depend on the width of vectors"));
    }
    let (kind, chunk) = kind.split_once(',').map_or((kind, None), |(kind, chunk)| (kind, Some(chunk)));
    match (kind.trim(), chunk) {
        ("static", None) => Ok(Schedule::Blocks),
        ("static", Some(chunk)) => match integer(chunk).filter(|chunk| *chunk > 0) {
            Some(chunk) => Ok(Schedule::Chunks(chunk)),
            None => Err(refused(&shown(clause), "the size of the chunks is not a positive integer constant")),
        },
        ("runtime" | "auto", _) => Err(refused(&shown(clause), "the schedule is not known before the program runs")),
        _ => Err(refused(&shown(clause), "which thread runs which iteration depends on time")),
    }
}

/// Returns the value of sums and products of integer constants, with a base, a suffix and brackets.
fn integer(text: &str) -> Option<u64> {
    let text = text.trim();
    let outside = |sign: char| {
        let mut depth = 0_i32;
        let mut depths = text.char_indices().map(move |(position, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            (position, c, depth)
        });
        let (position, ..) = depths.find(|(_, c, depth)| *depth == 0 && *c == sign)?;
        Some((&text[..position], &text[position + 1..]))
    };
    if let Some((one, other)) = outside('+') {
        return integer(one)?.checked_add(integer(other)?);
    }
    if let Some((one, other)) = outside('*') {
        return integer(one)?.checked_mul(integer(other)?);
    }
    if let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        return integer(inner);
    }
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8).ok(),
        None => digits.parse().ok(),
    }
}

/// Returns the text of a clause.
pub(crate) fn shown(clause: &Clause) -> String {
    match clause.arguments.as_str() {
        "" => clause.name.clone(),
        arguments => format!("{}({arguments})", clause.name),
    }
}

fn refused(subject: &str, why: &'static str) -> Refused {
    Refused { subject: subject.to_owned(), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(clauses: &str) -> Result<Sharing, String> {
        sharing(&Directive::of(&format!("parallel for {clauses}"))).map_err(|refused| refused.subject)
    }

    fn with(schedule: Schedule) -> Result<Sharing, String> {
        let own = OwnVariables::default();
        Ok(Sharing { parallel: schedule.into(), own, atomic: Vec::new(), nowait: false, left_out: Vec::new() })
    }

    #[test]
    fn static_schedules_are_taken() {
        assert_eq!(of(""), with(Schedule::Blocks));
        assert_eq!(of("schedule(static) shared(a) default(none)"), with(Schedule::Blocks));
        for chunk in ["4", " (4)", "0x4", "4u", "04", "((4UL))", "2 + 2", "(2*(1+1))"] {
            assert_eq!(of(&format!("schedule(static, {chunk}) collapse(1)")), with(Schedule::Chunks(4)), "{chunk}");
        }
        assert_eq!(of("schedule(monotonic: static, 2)"), with(Schedule::Chunks(2)));
        let sharing = of("private(x,y) reduction(+: s) lastprivate(conditional: z) nowait").unwrap();
        assert_eq!((sharing.own.private.join(" "), sharing.own.copied.join(" ")), ("x y".to_owned(), "s z".to_owned()));
        assert!(sharing.nowait);
    }

    #[test]
    fn clauses_about_the_number_of_threads_are_kept_for_a_note() {
        let found = sharing(&Directive::of("parallel for num_threads(4) shared(x) if (n > 100)")).unwrap();
        assert_eq!(found.parallel, Schedule::Blocks.into());
        assert_eq!(found.left_out, ["num_threads(4)", "if(n > 100)"]);
    }

    #[test]
    fn loops_are_collapsed() {
        for (clauses, loops, schedule) in [
            ("collapse(2)", 2, Schedule::Blocks),
            ("schedule(static, 5) collapse((0x3))", 3, Schedule::Chunks(5)),
            ("collapse(1) schedule(static, 2)", 1, Schedule::Chunks(2)),
        ] {
            assert_eq!(of(clauses).map(|sharing| sharing.parallel), Ok(ParallelLoops { loops, schedule }), "{clauses}");
        }
    }

    #[test]
    fn what_depends_on_time_is_refused() {
        let refused = [
            "schedule(dynamic)",
            "schedule(guided, 4)",
            "schedule(runtime)",
            "schedule(auto)",
            "schedule(static, n)",
            "schedule(static, 0)",
            "schedule(static, -1)",
            "schedule(simd: static, 4)",
            "collapse(0)",
            "collapse(n)",
            "ordered",
            "reduction(+: a[:n])",
            "reduction(inscan, +: s)",
            "default(private)",
            "frobnicate(3)",
        ];
        for clause in refused {
            let found = of(clause).expect_err(clause);
            assert!(clause.starts_with(&found), "{clause}: {found}");
        }
    }
}
