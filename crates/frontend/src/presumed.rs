//! The lines that line markers give to a text: `# 12 "file.c"` and `#line 12 "file.c"`, as preprocessors and generators of code
//! leave them. Compilers name places by them.

use symloc_affine::Location;

/// Returns the file and the line of each line of a text; `None` for a marker itself. The file is `None` before the first marker
/// that names one.
pub fn presumed(text: &str) -> impl Iterator<Item = Option<(Option<&str>, u32)>> {
    let (mut file, mut next) = (None, 1_u32);
    text.lines().map(move |content| {
        if let Some((line, name)) = marker(content) {
            (file, next) = (name.or(file), line);
            return None;
        }
        let line = next;
        next = next.saturating_add(1);
        Some((file, line))
    })
}

/// Returns the line and the file of a line marker, `# 12 "file.c" 2` or `#line 12`.
pub(crate) fn marker(content: &str) -> Option<(u32, Option<&str>)> {
    let directive = content.trim_start().strip_prefix('#')?;
    let directive = directive.trim_start();
    let (is_named, directive) = match directive.strip_prefix("line") {
        Some(rest) if rest.starts_with([' ', '\t']) => (true, rest.trim_start()),
        _ => (false, directive),
    };
    let (number, rest) = directive.split_once([' ', '\t']).unwrap_or((directive.trim_end(), ""));
    let name = rest.trim_start().strip_prefix('"').and_then(|rest| rest.rsplit_once('"')).map(|(name, _)| name);
    let line = number.parse().ok()?;
    (is_named || name.is_some()).then_some((line, name))
}

/// Returns true if a text has a marker that names a file.
pub fn is_marked_as(text: &str, file: &str) -> bool {
    text.lines().filter_map(marker).any(|(_, name)| name.is_some_and(|name| is_one_file(name, file)))
}

/// Returns the line of a text that is at a place; `name` is that of the text.
pub fn line_at<'t>(text: &'t str, name: &str, place: &Location) -> Option<&'t str> {
    let is_its = |file: Option<&str>| match file {
        Some(file) => is_one_file(file, &place.file),
        None => *place.file == *name,
    };
    let lines = text.lines().zip(presumed(text));
    let found = |(content, line): (&'t str, Option<(Option<&str>, u32)>)| {
        line.is_some_and(|(file, line)| line == place.line && is_its(file)).then_some(content)
    };
    lines.filter_map(found).next()
}

/// Returns true if two names are those of one file; a compiler may name it absolutely, or from the folder that it runs in.
pub fn is_one_file(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|file| file.strip_prefix("./").unwrap_or(file));
    let is_end = |whole: &str, end: &str| whole.strip_suffix(end).is_some_and(|folder| folder.ends_with('/'));
    a == b || is_end(a, b) || is_end(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_that_markers_say() {
        let text = "a\n# 10 \"b.c\" 2\nb\n#pragma scop\n#line 3\nc\n#line 7 \"d.y\"\nd\n# comment\n";
        let lines: Vec<_> = presumed(text).collect();
        let (b, d) = (Some("b.c"), Some("d.y"));
        let own = [Some((None, 1)), None, Some((b, 10)), Some((b, 11)), None, Some((b, 3)), None];
        assert_eq!(lines, [own.as_slice(), &[Some((d, 7)), Some((d, 8))]].concat());
        assert_eq!(line_at(text, "t.c", &Location::new("b.c", 3, 1)), Some("c"));
        assert_eq!(line_at(text, "t.c", &Location::new("t.c", 1, 1)), Some("a"));
        assert_eq!(line_at(text, "t.c", &Location::new("t.c", 3, 1)), None);
        assert!(is_marked_as(text, "/folder/d.y") && !is_marked_as(text, "t.c"));
    }
}
