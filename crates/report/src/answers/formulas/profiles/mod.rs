//! The profile of a program ([`symloc_locality::profile`]) on one screen, for `scaling` and `table`.

use std::io::{self, Write};

use crate::formats::{self, json, text};
use crate::{Cell, Format, MissModel, Sheet};
use num_traits::ToPrimitive;
use symloc_locality::profile::{Profile, Row};
use symloc_model::{LineModel, Model, Reuse};
use symloc_quasi::{Notation, Poly, Quotient, Rational, Style};

use self::at_size::SizedCaches;
use self::data::AccessText;
use self::short::ShortFormulas;

pub mod at_size;
mod data;
pub(crate) mod short;

/// The largest width of the text.
const WIDTH: usize = 120;

/// The largest number of rows; neighbours that differ least are joined.
const ROWS: usize = 20;

/// The amount of detail in a row.
#[derive(Clone, Copy)]
struct RowFit {
    /// The longest formula; longer ones are written for equal sizes.
    formula: usize,
    /// The number of characters for the names of the reuses that hit, if there is no room for more.
    reuses: usize,
    /// True if caches are also shown in bytes.
    bytes: bool,
}

/// All details.
const WHOLE: RowFit = RowFit { formula: usize::MAX, reuses: usize::MAX, bytes: true };

/// The amounts of detail that are tried until the columns fit.
const FITS: [RowFit; 8] = [
    RowFit { formula: 40, reuses: 64, bytes: true },
    RowFit { formula: 26, reuses: 64, bytes: true },
    RowFit { formula: 26, reuses: 48, bytes: true },
    RowFit { formula: 20, reuses: 48, bytes: true },
    RowFit { formula: 20, reuses: 36, bytes: true },
    RowFit { formula: 16, reuses: 36, bytes: true },
    RowFit { formula: 16, reuses: 24, bytes: true },
    RowFit { formula: 16, reuses: 16, bytes: false },
];

/// The largest number of reuses that are named.
const NAMED: usize = 3;

/// The columns of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileColumns {
    /// Caches, and the miss ratio before and after.
    Scaling,
    /// Intervals or distances, their portion, the miss ratio and the cache.
    Table,
}

/// The profiles of a model: `symloc.scaling/2`.
#[derive(Debug)]
pub struct Profiles<'a> {
    /// The model.
    pub model: &'a Model,
    /// The part of it for the line size.
    pub line: &'a LineModel,
    /// The model of misses from which they were derived.
    pub miss_model: MissModel,
    /// The profiles: one, or one for each set of residues that matters.
    pub profiles: Vec<Profile>,
    /// Caches among the rows, at a size.
    pub at_size: Option<SizedCaches>,
}

impl<'a> Profiles<'a> {
    /// Returns the profiles at a size, with caches among the rows.
    pub fn at(self, at_size: Option<SizedCaches>) -> Self {
        Self { at_size, ..self }
    }

    /// Writes the profiles; data are those of `scaling`, whatever the columns.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, out: &mut dyn Write, format: Format, columns: ProfileColumns) -> io::Result<()> {
        match format {
            Format::Json => json::write(out, &self.answer()),
            Format::Sympy => self.write_sympy(out),
            Format::Text | Format::Markdown | Format::Latex | Format::Html => self.write_sheets(out, format, columns),
        }
    }

    /// Returns the first lines about a profile: its subject, its validity and its accesses.
    fn caption(&self, profile: &Profile) -> Vec<String> {
        let names = self.model.names();
        let notation = Notation::new(Style::Text, &names);
        let (lines, title) = (text::lines_of(self.model, self.line), self.miss_model.title());
        let mut lines = vec![format!("{}, {lines}, {title}", self.model.function)];
        let sizes = text::sizes_of(self.model, &profile.distinction, Style::Text);
        lines.extend(sizes.map(|sizes| clipped(sizes, WIDTH)));
        let order: Vec<_> = profile.order.iter().map(|&p| self.model.parameters[p].as_str()).collect();
        lines.push(match order.as_slice() {
            [] => "all sizes are numbers".to_owned(),
            [one] => format!("leading terms for large {one}"),
            several => match several.split_at(profile.faster) {
                ([], _) => format!("leading terms for {}, all large and of like size", several.join(" >= ")),
                (fast, slow) => {
                    format!("leading terms for {} >> {}, all large", fast.join(" >= "), slow.join(" >= "))
                }
            },
        });
        if !profile.conditions.is_empty() {
            lines.push(clipped(
                format!("of formulas that hold where {}", notation.conjunction(&profile.conditions)),
                WIDTH,
            ));
        }
        lines.extend(self.at_size.as_ref().map(|here| format!("here: {}", here.text)));
        lines.push(clipped(format!("about {} accesses", notation.poly(&profile.accesses)), WIDTH));
        lines
    }

    fn write_sheets(&self, out: &mut dyn Write, format: Format, columns: ProfileColumns) -> io::Result<()> {
        formats::write_sheets(out, format, WIDTH, &self.sheets(format, columns))
    }

    /// Returns a sheet for each set of residues.
    pub fn sheets(&self, format: Format, columns: ProfileColumns) -> Vec<Sheet> {
        let sheet = |profile: &Profile| match format {
            Format::Text => self.fitting(profile, columns),
            _ => self.sheet(profile, format.style(), WHOLE, columns),
        };
        self.profiles.iter().map(sheet).collect()
    }

    /// Returns the most detailed sheet that fits into the width.
    fn fitting(&self, profile: &Profile, columns: ProfileColumns) -> Sheet {
        let profile = profile.condensed(ROWS);
        let sheet = |fit: RowFit| self.sheet(&profile, Style::Text, fit, columns);
        let [first, others @ ..] = FITS;
        others.into_iter().fold(sheet(first), |wide, fit| if wide.width() <= WIDTH { wide } else { sheet(fit) })
    }

    fn sheet(&self, profile: &Profile, style: Style, fit: RowFit, columns: ProfileColumns) -> Sheet {
        let names = self.model.names();
        let notation = Notation::new(style, &names);
        let short = ShortFormulas { notation, first: profile.largest(), longest: fit.formula };
        let named = profile.rows.iter().any(|row| !row.reuses.is_empty());
        let mut sheet = match columns {
            ProfileColumns::Scaling => self.caches(profile, &short, fit),
            ProfileColumns::Table => self.intervals(profile, &short),
        };
        if profile.operations.is_some() {
            let intensity = |row| profile.intensity(row, self.line).map(|i| short.quotient(&i, 999));
            sheet.push("operations per byte", profile.rows.iter().map(|row| Cell::from(intensity(row))));
        }
        if named {
            let room = WIDTH.saturating_sub(sheet.width() + 2).max(fit.reuses);
            sheet.push("hits from here on", profile.rows.iter().map(|row| Cell::Words(self.who(row, room))));
        }
        let words = ShortFormulas { notation: Notation::new(Style::Text, &names), ..short };
        Sheet { caption: self.caption(profile), notes: self.left(profile, &words), ..sheet }
    }

    /// Returns the sheet with caches, and the miss ratio before and after.
    fn caches(&self, profile: &Profile, short: &ShortFormulas<'_>, fit: RowFit) -> Sheet {
        let mut sheet = Sheet::default();
        let rows = || profile.rows.iter();
        let ratio = |ratio: &Quotient| Cell::Formula(short.quotient(ratio, 999));
        sheet.push("cache, lines", rows().map(|row| Cell::Formula(short.range(&row.cache, 9))));
        if let Some(here) = &self.at_size {
            sheet.push("here", rows().map(|row| Cell::Words(here.size(row, self.line))));
        } else if let Some(bytes) = self.line.line_bytes.filter(|_| !self.line.element && fit.bytes) {
            let in_bytes = |row: &Row| row.cache.each_ref().map(|cache| times(cache, bytes));
            sheet.push("bytes", rows().map(|row| Cell::Formula(short.range(&in_bytes(row), 1))));
        }
        sheet.push("miss ratio before", rows().map(|row| ratio(&row.miss_ratio[0])));
        if rows().any(|row| row.middle.is_some()) {
            let middle = |row: &Row| row.middle.as_ref().map(|middle| Cell::Formula(short.quotient(middle, 99)));
            sheet.push("half way", rows().map(|row| middle(row).unwrap_or(Cell::Words(String::new()))));
        }
        sheet.push("after", rows().map(|row| ratio(&row.miss_ratio[1])));
        if let Some(here) = self.at_size.as_ref().filter(|here| here.has_levels()) {
            let reached = (0..profile.rows.len()).map(|index| Cell::Words(here.reached(profile, index)));
            sheet.push("reached by", reached);
        }
        sheet
    }

    /// Returns the sheet with intervals or distances, their portion, the miss ratio and the cache.
    fn intervals(&self, profile: &Profile, short: &ShortFormulas<'_>) -> Sheet {
        let mut sheet = Sheet::default();
        let rows = || profile.rows.iter();
        let ratio = |ratio: &Quotient| Cell::Formula(short.quotient(ratio, 999));
        let name = if self.miss_model == MissModel::Lru { "RD" } else { "RI" };
        sheet.push(name, rows().map(|row| Cell::Formula(short.range(&row.interval, 9))));
        sheet.push("portion", rows().map(|row| ratio(&row.portion)));
        sheet.push("miss ratio", rows().map(|row| ratio(&row.miss_ratio[1])));
        sheet.push("cache", rows().map(|row| Cell::Formula(short.range(&row.cache, 9))));
        sheet
    }

    /// Returns the notes on first touches, which miss in every cache, and on the number of all blocks.
    fn left(&self, profile: &Profile, short: &ShortFormulas<'_>) -> Vec<String> {
        let cold = Quotient::new(profile.blocks.clone(), profile.accesses.clone());
        let cold = cold.map(|cold| format!("first touches, which miss in every cache: {}", short.quotient(&cold, 999)));
        let blocks = short.quotient(&Quotient::from(profile.blocks.clone()), 1);
        cold.into_iter().chain([format!("all blocks: {blocks} lines")]).collect()
    }

    /// Returns names such as `A[i][k] 73%, B[i + 1][j] -> B[i][j] 27%`, in `room` characters if that is possible.
    fn who(&self, row: &Row, room: usize) -> String {
        let mut all: Vec<(Vec<String>, Rational)> = Vec::new();
        for (reuse, share) in &row.reuses {
            let Some(names) = self.names(reuse) else { continue };
            match all.iter_mut().find(|(known, _)| *known == names) {
                Some((_, sum)) => *sum += share,
                None => all.push((names, share.clone())),
            }
        }
        all.sort_by(|(_, a), (_, b)| b.cmp(a));
        listed(&all, room)
    }

    /// Returns names such as `A[i + 1][j] -> A[i][j]`, `... -> A[i][j]` and `A[...]`. The previous access is not named
    /// if it has the same text.
    fn names(&self, reuse: &Reuse) -> Option<Vec<String>> {
        let AccessText { array, subscripts, .. } = self.access(reuse.access)?;
        let own = format!("{array}{subscripts}");
        let previous = reuse.previous.and_then(|previous| self.access(previous));
        let names = match previous.filter(|previous| previous.subscripts != subscripts) {
            Some(previous) => {
                vec![format!("{}{} -> {own}", previous.array, previous.subscripts), format!("... -> {own}")]
            }
            None => vec![own],
        };
        Some(names.into_iter().chain([format!("{array}[...]")]).collect())
    }
}

/// Lists the largest shares, each with the first of its names for which there is room. The first share is always named,
/// if briefly, later ones only in full.
fn listed(shares: &[(Vec<String>, Rational)], room: usize) -> String {
    let twentieth = Rational::new(1.into(), 20.into());
    let mut texts: Vec<String> = Vec::new();
    let mut left = room;
    for (index, (names, share)) in shares.iter().enumerate().take(NAMED) {
        let percent = share.to_f64().map_or(0.0, |share| (100.0 * share).round());
        let forms: Vec<String> = names.iter().map(|name| format!("{name} {percent}%")).collect();
        let after = if index + 1 < shares.len() { ", ...".len() } else { 0 };
        let fits = |text: &&String| text.chars().count() + after <= left;
        let text = match index {
            0 => forms.iter().find(fits).or(forms.last()),
            _ => forms.first().filter(fits),
        };
        let Some(text) = text.filter(|_| *share >= twentieth) else { break };
        left = left.saturating_sub(text.chars().count() + ", ".len());
        texts.push(text.clone());
    }
    texts.extend((texts.len() < shares.len()).then(|| "...".to_owned()));
    texts.join(", ")
}

/// Returns a cache in bytes.
fn times(lines: &Quotient, bytes: u64) -> Quotient {
    lines * &Quotient::from(Poly::integer(bytes))
}

fn clipped(text: String, width: usize) -> String {
    if text.chars().count() <= width {
        return text;
    }
    text.chars().take(width - 4).chain(" ...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_reuses_are_named_as_there_is_room_for() {
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let percent = |share: i64| Rational::new(share.into(), 100.into());
        let shares = [
            (names(&["A[i][j] -> A[i][k]", "... -> A[i][k]", "A[...]"]), percent(60)),
            (names(&["B[i]", "B[...]"]), percent(36)),
            (names(&["C[i]", "C[...]"]), percent(4)),
        ];
        let listed = |room| listed(&shares, room);
        let whole = "A[i][j] -> A[i][k] 60%, B[i] 36%, ...";
        assert_eq!(listed(whole.len()), whole);
        assert_eq!(listed(whole.len() - 1), "A[i][j] -> A[i][k] 60%, ...");
        assert_eq!(listed(26), "... -> A[i][k] 60%, ...");
        assert_eq!([listed(22), listed(1)], ["A[...] 60%, ..."; 2]);
        assert_eq!(super::listed(&shares[1..2], 8), "B[i] 36%");
        assert_eq!(super::listed(&shares[2..], 80), "...");
    }
}
