//! The names that a source file refers to.
//!
//! Sources are read as tokens and not compiled: comments, literals and unit tests are skipped, and names that macros make
//! are not seen.

/// The names from the root of a crate to a module or an item.
pub(crate) type PathNames = Vec<String>;

/// A path in a `use`, and the name by which the code refers to it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    pub(crate) path: PathNames,
    pub(crate) name: String,
}

/// The references of a file to others.
#[derive(Debug, Default)]
pub(crate) struct SourceFile {
    pub(crate) imports: Vec<Import>,
    /// The paths in the code, as written.
    pub(crate) paths: Vec<PathNames>,
}

/// Returns the text without comments and literals, up to the unit tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            'r' if rest.starts_with("r#\"") => rest[3..].find("\"#").map_or(rest.len(), |end| end + 5),
            '"' => quoted(rest, '"'),
            // A lifetime has no second quote after its first letter.
            '\'' if rest.starts_with("'\\") || rest.chars().nth(2) == Some('\'') => quoted(rest, '\''),
            _ => 0,
        };
        if skipped == 0 {
            code.push(first);
        }
        rest = &rest[skipped.max(first.len_utf8())..];
    }
    code
}

/// Returns the length of a literal that begins and ends with this quote.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Splits code into words, `::`, and single other characters.
fn tokens(code: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ if rest.starts_with("::") => 2,
            c => c.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

impl SourceFile {
    pub(crate) fn read(text: &str) -> Self {
        let code = code(text);
        let mut rest = &tokens(&code)[..];
        let mut source = Self::default();
        while let [first, behind @ ..] = rest {
            rest = match *first {
                "use" => source.tree(&[], behind),
                token if is_name(token) => source.path(rest),
                _ => behind,
            };
        }
        source
    }

    /// Reads a path in the code; a single name is ignored. Returns the tokens that follow.
    fn path<'t>(&mut self, tokens: &'t [&'t str]) -> &'t [&'t str] {
        let mut path = vec![tokens[0].to_owned()];
        let mut rest = &tokens[1..];
        while let ["::", name, behind @ ..] = rest
            && is_name(name)
        {
            path.push((*name).to_owned());
            rest = behind;
        }
        if path.len() > 1 {
            self.paths.push(path);
        }
        rest
    }

    /// Reads one import after `use`, `{` or `,`, given the path before the brace. Returns the tokens that follow.
    fn tree<'t>(&mut self, before: &[String], tokens: &'t [&'t str]) -> &'t [&'t str] {
        let mut path = before.to_vec();
        let mut rest = tokens;
        loop {
            rest = match rest {
                ["{", inner @ ..] => {
                    let mut rest = self.tree(&path, inner);
                    while let [",", behind @ ..] = rest {
                        rest = self.tree(&path, behind);
                    }
                    return rest.get(1..).unwrap_or_default();
                }
                ["as", name, behind @ ..] => {
                    self.imports.push(Import { path, name: (*name).to_owned() });
                    return behind;
                }
                ["::" | "*", behind @ ..] => behind,
                [name, behind @ ..] if is_name(name) => {
                    path.push((*name).to_owned());
                    behind
                }
                _ => break,
            };
        }
        // There is no import between a trailing comma and the closing brace.
        if path.len() > before.len() {
            // `a::{self}` is `a`.
            path.pop_if(|name| name == "self" && !before.is_empty());
            let name = path.last().cloned().unwrap_or_default();
            self.imports.push(Import { path, name });
        }
        rest
    }
}
