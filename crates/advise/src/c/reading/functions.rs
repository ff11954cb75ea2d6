//! Finds a function in Clang's syntax trees, and reads it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::declarations::{own_variables, plain_type};
use super::effects::{Helpers, called_functions, functions_named};
use super::reader::SyntaxReader;
use super::source::{SourceArgument, SourceFunction};
use super::syntax::{begin, body_of, children, collect_assigned, each_of, end, remove_hints, type_of};
use super::text::{PreprocessorLine, before_pragmas, place, preprocessor_lines};
use crate::error::AdviseError;

/// A source file, with the syntax trees of its functions.
pub struct SourceText<'f> {
    /// The text.
    pub text: &'f str,
    /// True for C++.
    pub is_cpp: bool,
    /// Returns Clang's syntax tree of the functions with a name, as JSON documents that follow each other.
    pub tree_of: &'f dyn Fn(&str) -> Result<String, AdviseError>,
}

impl SourceText<'_> {
    /// Finds the loops and statements of a function; `name` may have the arguments of a template behind it.
    ///
    /// # Errors
    ///
    /// [`AdviseError::Source`] if the function has a statement that cannot be moved, [`AdviseError::NoFunction`] if it is
    /// not in the file, and what `tree_of` returns.
    pub fn function(&self, name: &str) -> Result<SourceFunction, AdviseError> {
        let function = self.named(name)?;
        let missing = || AdviseError::NoFunction { name: name.to_owned() };
        let body = body_of(&function).ok_or_else(missing)?;
        let helpers = self.helpers(&function)?;
        let mut found = SyntaxReader::read(self.text, &helpers, body)?;
        found.range = (begin(&function).unwrap_or(0), end(&function).unwrap_or(self.text.len()));
        found.helpers = helpers.pure.into_iter().map(|(_, range)| range).collect();
        found.callable = callable(&function, name);
        for argument in children(&function).filter(|child| child["kind"] == "ParmVarDecl") {
            let name = argument["name"].as_str().unwrap_or_default().to_owned();
            found.arguments.push(SourceArgument { name, kind: type_of(argument).to_owned() });
        }
        found.constants = constants(&function);
        found.globals = globals(&function);
        found.several = several(&function);
        found.members = members(body);
        aliases(&function, &mut found.aliases);
        found.region.0 = before_pragmas(self.text, found.region.0);
        found.pragmas = self.pragmas(&found)?;
        Ok(found)
    }

    fn documents(&self, name: &str) -> Result<Vec<Value>, AdviseError> {
        let tree = (self.tree_of)(name)?;
        let documents = serde_json::Deserializer::from_str(&tree).into_iter::<Value>().filter_map(Result::ok);
        let mut documents: Vec<_> = documents.collect();
        documents.iter_mut().for_each(remove_hints);
        Ok(documents)
    }

    /// Returns the function with a name; of several instances of a template, the one with the arguments of the name.
    fn named(&self, name: &str) -> Result<Value, AdviseError> {
        let missing = || AdviseError::NoFunction { name: name.to_owned() };
        let (base, arguments) = name.split_once('<').map_or((name, None), |(base, rest)| (base, Some(rest)));
        let mut functions = functions_named(&self.documents(base)?, base);
        // What is in a header has other places, and of a template itself the types are not known.
        functions.retain(|function| function["loc"]["includedFrom"].is_null());
        functions.retain(|function| function["mangledName"].is_string());
        if let Some(arguments) = arguments {
            let wanted: String = arguments.trim_end_matches('>').split_whitespace().collect();
            functions.retain(|function| template_arguments(function) == wanted);
        }
        let places: BTreeSet<_> = functions.iter().map(begin).collect();
        if places.len() > 1 {
            let (line, column) = place(self.text, functions.last().and_then(begin).unwrap_or_default());
            let why = format!("several functions are called `{base}`: give the one to reorder a name of its own");
            return Err(AdviseError::Source { line, column, why });
        }
        functions.pop().ok_or_else(missing)
    }

    /// Returns the functions without effects that a function calls, and those that these call.
    fn helpers(&self, function: &Value) -> Result<Helpers, AdviseError> {
        let mut helpers = Helpers { pure: Vec::new(), is_cpp: self.is_cpp };
        let (mut open, mut known) = (BTreeSet::new(), BTreeSet::new());
        called_functions(function, &mut open);
        let mut functions = Vec::new();
        while let Some(name) = open.pop_first() {
            if name.is_empty() || !known.insert(name.clone()) {
                continue;
            }
            let found = functions_named(&self.documents(&name)?, &name);
            found.iter().for_each(|function| called_functions(function, &mut open));
            functions.extend(
                found.into_iter().filter(|function| {
                    function["mangledName"].is_string() && function["loc"]["includedFrom"].is_null()
                }),
            );
        }
        helpers.add(&functions);
        Ok(helpers)
    }

    /// Returns the lines of pragmas between the loops.
    ///
    /// # Errors
    ///
    /// If there is another line for the preprocessor: what it selects or defines would be lost.
    fn pragmas(&self, function: &SourceFunction) -> Result<Vec<usize>, AdviseError> {
        let mut pragmas = Vec::new();
        for (begin, kind) in preprocessor_lines(self.text, function.region) {
            if function.statement_at(begin).is_some() {
                continue;
            }
            let (line, column) = place(self.text, begin);
            match kind {
                PreprocessorLine::Pragma => pragmas.push(line),
                PreprocessorLine::Region => {}
                PreprocessorLine::Other => {
                    let why = "a line for the preprocessor between the loops: what it says would be lost in a new \
                               order; put it in front of the function";
                    return Err(AdviseError::Source { line, column, why: why.to_owned() });
                }
            }
        }
        Ok(pragmas)
    }
}

/// Returns the arguments of a template's instance as a text without blanks.
fn template_arguments(function: &Value) -> String {
    let arguments = children(function).filter(|child| child["kind"] == "TemplateArgument");
    let text = |argument: &Value| match (argument["type"]["qualType"].as_str(), argument["value"].as_i64()) {
        (Some(kind), _) => kind.split_whitespace().collect(),
        (None, Some(value)) => value.to_string(),
        (None, None) => String::new(),
    };
    arguments.map(text).collect::<Vec<_>>().join(",")
}

/// Returns the name by which a function is called from outside its namespaces; `None` for a method.
fn callable(function: &Value, name: &str) -> Option<String> {
    if function["kind"] != "FunctionDecl" {
        return None;
    }
    let base = name.split_once('<').map_or(name, |(base, _)| base);
    let mut namespaces = String::new();
    // Nested names in C++: _ZN, then each name with its length in front.
    if let Some(mut rest) = function["mangledName"].as_str().and_then(|name| name.strip_prefix("_ZN")) {
        while let Some(digits) = rest.find(|c: char| !c.is_ascii_digit()).filter(|digits| *digits > 0) {
            let length: usize = rest[..digits].parse().ok()?;
            let part = rest.get(digits..digits.checked_add(length)?)?;
            rest = &rest[digits + length..];
            if part == base && !rest.starts_with(|c: char| c.is_ascii_digit()) {
                break;
            }
            if part != "_GLOBAL__N_1" {
                namespaces += &format!("{part}::");
            }
        }
    }
    Some(format!("{namespaces}{name}"))
}

/// Returns the types of the integer variables that a function uses and never changes, by their names. A name that two
/// variables have is not among them.
fn constants(function: &Value) -> BTreeMap<String, String> {
    let mut assigned = BTreeSet::new();
    collect_assigned(function, true, &mut assigned);
    let mut known: BTreeMap<String, (String, String)> = BTreeMap::new();
    let mut several = BTreeSet::new();
    let mut note = |variable: &Value| {
        let (Some(id), Some(name)) = (variable["id"].as_str(), variable["name"].as_str()) else { return };
        if assigned.contains(id) || known.get(name).is_some_and(|(other, _)| other != id) {
            several.insert(name.to_owned());
        }
        known.insert(name.to_owned(), (id.to_owned(), plain_type(variable).to_owned()));
    };
    children(function).filter(|child| child["kind"] == "ParmVarDecl").for_each(&mut note);
    each_of(function, "DeclRefExpr", &mut |node| note(&node["referencedDecl"]));
    known.retain(|name, _| !several.contains(name));
    known.into_iter().map(|(name, (_, kind))| (name, kind)).collect()
}

/// Returns the types of the members that a function uses, by struct.
fn members(body: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let mut members: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    each_of(body, "MemberExpr", &mut |node| {
        let Some(object) = children(node).next() else { return };
        let object = type_of(object).trim_end_matches([' ', '*']).replace("const ", "");
        members.entry(object).or_default().insert(plain_type(node).to_owned());
    });
    members
}

/// Returns the names that several variables of a function have.
fn several(function: &Value) -> BTreeSet<String> {
    let (mut known, mut several) = (BTreeSet::new(), BTreeSet::new());
    for kind in ["ParmVarDecl", "VarDecl"] {
        each_of(function, kind, &mut |variable| {
            let name = variable["name"].as_str().unwrap_or_default().to_owned();
            if !known.insert(name.clone()) {
                several.insert(name);
            }
        });
    }
    several
}

/// Returns the types of the variables that a function uses and does not declare, by their names.
fn globals(function: &Value) -> BTreeMap<String, String> {
    let own = own_variables(function);
    let mut globals = BTreeMap::new();
    each_of(function, "DeclRefExpr", &mut |node| {
        let variable = &node["referencedDecl"];
        let is_own = variable["id"].as_str().is_some_and(|id| own.contains(id));
        if let Some(name) = variable["name"].as_str().filter(|_| variable["kind"] == "VarDecl" && !is_own) {
            globals.insert(name.to_owned(), type_of(variable).to_owned());
        }
    });
    globals
}

/// Collects the names for arithmetic types in a tree, with the types.
fn aliases(node: &Value, found: &mut BTreeMap<String, String>) {
    let kind = &node["type"];
    if let (Some(name), Some(meaning)) = (kind["qualType"].as_str(), kind["desugaredQualType"].as_str()) {
        let plain = |kind: &str| kind.trim_start_matches("const ").to_owned();
        found.insert(plain(name), plain(meaning));
    }
    children(node).for_each(|child| aliases(child, found));
}
