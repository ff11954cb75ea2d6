//! Profiles for programs: JSON and SymPy.

use std::io::{self, Write};

use crate::formats::sympy::{self, Value};
use serde::Serialize;
use symloc_locality::profile::Profile;
use symloc_model::Reuse;
use symloc_quasi::{Notation, Rational, Style};

use super::Profiles;

#[derive(Serialize)]
pub(super) struct ProfilesAnswer<'a> {
    schema: &'static str,
    model: &'static str,
    parameters: &'a [String],
    context: String,
    #[serde(flatten)]
    only: Option<ProfileBody<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    profiles: Vec<ProfileBody<'a>>,
}

#[derive(Serialize)]
struct ProfileBody<'a> {
    #[serde(rename = "where", skip_serializing_if = "String::is_empty")]
    residues: String,
    accesses: String,
    blocks: String,
    order: Vec<&'a str>,
    conditions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    here: Option<String>,
    rows: Vec<ProfileRowText<'a>>,
}

#[derive(Serialize)]
struct ProfileRowText<'a> {
    cache_from: String,
    cache_to: String,
    miss_ratio_before: String,
    miss_ratio_after: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    miss_ratio_middle: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operations_per_byte: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reached_by: Option<String>,
    accesses: Vec<ReuseText<'a>>,
}

/// An access that hits from a row on, with its share in the row and the access that touched the block before it.
#[derive(Serialize)]
struct ReuseText<'a> {
    #[serde(flatten)]
    access: AccessText<'a>,
    share: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<AccessText<'a>>,
}

/// An access, in the words of the source.
#[derive(Serialize)]
pub(super) struct AccessText<'a> {
    pub(super) array: &'a str,
    pub(super) subscripts: &'a str,
    kind: symloc_model::AccessKind,
    line: u32,
    column: u32,
}

impl<'a> Profiles<'a> {
    pub(super) fn answer(&self) -> ProfilesAnswer<'_> {
        let mut bodies: Vec<ProfileBody<'_>> = self.profiles.iter().map(|profile| self.body(profile)).collect();
        let only = if bodies.len() == 1 { bodies.pop() } else { None };
        ProfilesAnswer {
            schema: "symloc.scaling/2",
            model: self.miss_model.name(),
            parameters: &self.model.parameters,
            context: Notation::new(Style::Plain, &self.model.names()).conjunction(&self.model.context),
            only,
            profiles: bodies,
        }
    }

    fn body(&'a self, profile: &'a Profile) -> ProfileBody<'a> {
        let names = self.model.names();
        let notation = Notation::new(Style::Plain, &names);
        ProfileBody {
            residues: profile.distinction.clone(),
            accesses: notation.poly(&profile.accesses),
            blocks: notation.poly(&profile.blocks),
            order: profile.order.iter().map(|&p| self.model.parameters[p].as_str()).collect(),
            conditions: profile.conditions.iter().map(|c| notation.constraint(c)).collect(),
            here: self.at_size.as_ref().map(|here| here.text.clone()),
            rows: (0..profile.rows.len()).map(|index| self.row(profile, index, &notation)).collect(),
        }
    }

    fn row(&self, profile: &'a Profile, index: usize, notation: &Notation<'_>) -> ProfileRowText<'a> {
        let row = &profile.rows[index];
        let [from, to] = row.cache.each_ref().map(|cache| notation.quotient(cache));
        let [before, after] = row.miss_ratio.each_ref().map(|ratio| notation.quotient(ratio));
        ProfileRowText {
            cache_from: from,
            cache_to: to,
            miss_ratio_before: before,
            miss_ratio_after: after,
            miss_ratio_middle: row.middle.as_ref().map(|middle| notation.quotient(middle)),
            operations_per_byte: profile.intensity(row, self.line).map(|intensity| notation.quotient(&intensity)),
            size: self.at_size.as_ref().map(|here| here.size(row, self.line)),
            reached_by: self.at_size.as_ref().map(|here| here.reached(profile, index)),
            accesses: row.reuses.iter().filter_map(|(reuse, share)| self.reuse(reuse, share)).collect(),
        }
    }

    fn reuse(&self, reuse: &Reuse, share: &Rational) -> Option<ReuseText<'a>> {
        let previous = reuse.previous.and_then(|previous| self.access(previous));
        Some(ReuseText { access: self.access(reuse.access)?, share: share.to_string(), previous })
    }

    pub(super) fn access(&self, access: usize) -> Option<AccessText<'a>> {
        let outline = self.model.program.as_ref()?;
        let access = outline.accesses.get(access)?;
        Some(AccessText {
            array: &outline.arrays.get(access.array)?.name,
            subscripts: &access.subscripts,
            kind: access.kind,
            line: access.line,
            column: access.column,
        })
    }

    pub(super) fn write_sympy(&self, out: &mut dyn Write) -> io::Result<()> {
        sympy::write_symbols(out, &self.model.parameters.iter().map(String::as_str).collect())?;
        for (index, profile) in self.profiles.iter().enumerate() {
            let several = if self.profiles.len() == 1 { String::new() } else { format!("_{}", index + 1) };
            let record = |row: ProfileRowText<'_>| {
                let mut record = vec![
                    ("cache_from", Value::Expression(row.cache_from)),
                    ("cache_to", Value::Expression(row.cache_to)),
                    ("miss_ratio_before", Value::Expression(row.miss_ratio_before)),
                    ("miss_ratio_after", Value::Expression(row.miss_ratio_after)),
                ];
                record.extend(row.operations_per_byte.map(|o| ("operations_per_byte", Value::Expression(o))));
                record
            };
            let records: Vec<_> = self.body(profile).rows.into_iter().map(record).collect();
            sympy::write_records(out, &format!("scaling{several}"), &self.caption(profile), &records)?;
        }
        Ok(())
    }
}
