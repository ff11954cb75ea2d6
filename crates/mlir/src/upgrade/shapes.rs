//! Shapes in the text of types.

/// A shaped type in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape<'t> {
    /// `memref`, `tensor` or `vector`.
    pub(crate) kind: &'t str,
    /// The extents; `None` for one that is not constant.
    pub(crate) extents: Vec<Option<u64>>,
    pub(crate) element: &'t str,
    /// The text of extents and element: `4x?xf32`.
    pub(crate) inner: &'t str,
}

impl<'t> Shape<'t> {
    pub(crate) fn of(kind: &'t str) -> Option<Self> {
        let kind = kind.trim();
        let (name, rest) = kind.split_once('<')?;
        let name = name.trim();
        if !["memref", "tensor", "vector"].contains(&name) {
            return None;
        }
        let inner = rest.strip_suffix('>')?;
        let inner = inner[..top_level_comma(inner)].trim();
        let (mut extents, mut element) = (Vec::new(), inner);
        while let Some((extent, rest)) = element.split_once('x') {
            let extent = extent.trim().trim_matches(['[', ']']);
            extents.push(match extent {
                "?" => None,
                number => Some(number.parse().ok()?).filter(|_| true),
            });
            element = rest.trim();
            if !element.starts_with(|c: char| c.is_ascii_digit() || "?[".contains(c)) {
                break;
            }
        }
        Some(Self { kind: name, extents, element, inner })
    }

    /// Returns the type without its first dimensions.
    pub(crate) fn without(&self, dimensions: usize) -> String {
        let extents = self.extents.get(dimensions..).unwrap_or_default();
        if extents.is_empty() {
            return self.element.to_owned();
        }
        let extent = |extent: &Option<u64>| extent.map_or_else(|| "?x".to_owned(), |extent| format!("{extent}x"));
        let extents: String = extents.iter().map(extent).collect();
        format!("{}<{extents}{}>", self.kind, self.element)
    }
}

fn top_level_comma(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}
