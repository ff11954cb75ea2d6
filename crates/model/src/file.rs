//! Reading and writing model files.
//!
//! The schema is checked first: a file is refused as foreign, as newer than this program, as damaged or as inconsistent, in this order, so
//! that the message states the real problem. A parsed model has also been checked (see `validate`), so that evaluation can rely on its
//! consistency.

use std::io::Read;
use std::path::Path;

use serde::Deserialize;

use crate::tables::{StoredLine, read, write};
use crate::types::{Model, SCHEMA, SCHEMA_1, SCHEMA_2, SCHEMA_3, SCHEMA_4};
use crate::validate::validate;

/// The part of the schema's name before its version.
const FAMILY: &str = "symloc.model/";

/// The reasons why a model could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file could not be read.
    #[error("cannot read it: {0}")]
    Io(#[from] std::io::Error),
    /// The text ends within the JSON object.
    #[error("the file is truncated: it ends at line {line}, column {column}, before the model does")]
    Truncated {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// The text is not JSON.
    #[error("not a symloc model: {0}")]
    NotJson(serde_json::Error),
    /// JSON without a schema.
    #[error("not a symloc model: it has no \"schema\"")]
    NoSchema,
    /// JSON with another schema.
    #[error("not a symloc model: its schema is `{0}`")]
    OtherSchema(String),
    /// A model of a later version.
    #[error("made by a newer symloc ({generator}): its schema is `{schema}`, this program reads `{SCHEMA}`")]
    Newer {
        /// The file's schema.
        schema: String,
        /// The program that wrote it, if it says so.
        generator: String,
    },
    /// A model whose parts have the wrong type.
    #[error("damaged model: {0}")]
    Damaged(serde_json::Error),
    /// A model whose parts do not fit together.
    #[error("damaged model: {0}")]
    Inconsistent(String),
}

impl Model {
    /// Reads a model file; `-` is standard input.
    pub fn load(path: &Path) -> Result<Model, ModelError> {
        let mut text = String::new();
        if path.as_os_str() == "-" {
            std::io::stdin().read_to_string(&mut text)?;
        } else {
            std::fs::File::open(path)?.read_to_string(&mut text)?;
        }
        Model::parse(&text)
    }

    /// Reads a model from the text of its file.
    pub fn parse(text: &str) -> Result<Model, ModelError> {
        let model = stored(text)?;
        validate(&model).map_err(ModelError::Inconsistent)?;
        Ok(model)
    }

    /// Returns the text of the model's file: one line of JSON, keys in the order of [`Model`]'s fields. A model of version 1 has no
    /// program, and is written as a file of that version.
    pub fn to_json(&self) -> String {
        let json = match self.schema.as_str() {
            SCHEMA_1 => serde_json::to_string(self),
            _ => serde_json::to_string(&self.with_lines(self.lines.iter().map(write::line).collect())),
        };
        #[expect(clippy::expect_used, reason = "a model has no map keys that are not text, nothing else can fail")]
        let json = json.expect("a model is valid JSON");
        json + "\n"
    }
}

/// Reads the model of a file of any version.
///
/// A valid file with tables is parsed once; otherwise the schema is read first, to find out the version or the error.
fn stored(text: &str) -> Result<Model, ModelError> {
    let error = match serde_json::from_str::<Model<StoredLine>>(text) {
        Ok(model) if has_tables(&model.schema) => return without_tables(model, text.len()),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    let schema = schema(text)?;
    match error {
        Some(error) if has_tables(&schema) => Err(ModelError::Damaged(error)),
        _ => written_out(text, &schema),
    }
}

fn has_tables(schema: &str) -> bool {
    [SCHEMA, SCHEMA_4, SCHEMA_3].contains(&schema)
}

fn without_tables(mut model: Model<StoredLine>, bytes: usize) -> Result<Model, ModelError> {
    let mut limit = read::Limit::new(bytes);
    let lines = std::mem::take(&mut model.lines).into_iter().enumerate();
    let lines = lines.map(|(index, line)| read::line(line, &mut limit).map_err(|e| format!("lines[{index}]: {e}")));
    Ok(model.with_lines(lines.collect::<Result<_, _>>().map_err(ModelError::Inconsistent)?))
}

/// Reads a model of a version without tables. The content of version 2 is that of version 3.
fn written_out(text: &str, schema: &str) -> Result<Model, ModelError> {
    let mut model: Model = serde_json::from_str(text).map_err(ModelError::Damaged)?;
    if schema == SCHEMA_2 {
        SCHEMA_3.clone_into(&mut model.schema);
    }
    Ok(model)
}

/// The fields that files of any version have.
#[derive(Deserialize)]
struct Header {
    schema: Option<String>,
    generator: Option<String>,
}

/// Returns the schema of a file, if it is one that can be read.
fn schema(text: &str) -> Result<String, ModelError> {
    let header: Header = serde_json::from_str(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof if text.trim_start().starts_with('{') => {
            ModelError::Truncated { line: error.line(), column: error.column() }
        }
        _ => ModelError::NotJson(error),
    })?;
    let schema = header.schema.ok_or(ModelError::NoSchema)?;
    let version = |schema: &str| schema.strip_prefix(FAMILY).and_then(|v| v.parse::<u32>().ok());
    match version(&schema) {
        _ if [SCHEMA, SCHEMA_4, SCHEMA_3, SCHEMA_2, SCHEMA_1].contains(&schema.as_str()) => Ok(schema),
        Some(v) if version(SCHEMA).is_some_and(|known| known < v) => {
            Err(ModelError::Newer { schema, generator: header.generator.unwrap_or_else(|| "unknown".to_owned()) })
        }
        _ => Err(ModelError::OtherSchema(schema)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symloc_quasi::{Constraint, Poly, Var};

    use crate::sizes::tests::triangle;

    #[test]
    fn a_model_survives_the_file() {
        let model = triangle();
        let json = model.to_json();
        assert!(json.starts_with(r#"{"schema":"symloc.model/3","generator":"#) && json.ends_with("}\n"));
        assert_eq!(Model::parse(&json).unwrap(), model);
        let large = Constraint::non_negative(&Poly::var(Var(0)) - &Poly::integer(9));
        let flagged = Model { schema: SCHEMA_4.to_owned(), truths: vec![large], ..model };
        assert_eq!(Model::parse(&flagged.to_json()).unwrap(), flagged);
        let older = Model { schema: SCHEMA_3.to_owned(), ..flagged };
        let error = Model::parse(&older.to_json()).unwrap_err().to_string();
        assert!(error.ends_with("truths: they do not fit the schema"), "{error}");
    }

    /// Programs that know no copies would count one array, so they have to refuse the file.
    #[test]
    fn arrays_of_each_thread_need_the_newest_schema() {
        let mut model = triangle();
        assert!(!model.to_json().contains("per_thread"));
        model.program.as_mut().unwrap().arrays[0].per_thread = true;
        let error = Model::parse(&model.to_json()).unwrap_err().to_string();
        assert!(error.ends_with("arrays of which each thread has its own do not fit the schema"), "{error}");
        SCHEMA.clone_into(&mut model.schema);
        assert_eq!(Model::parse(&model.to_json()).unwrap(), model);
    }

    #[test]
    fn refusals_say_what_is_wrong() {
        let json = triangle().to_json();
        let error = |text: &str| Model::parse(text).unwrap_err().to_string();
        assert_eq!(error(&json[..100]), "the file is truncated: it ends at line 1, column 100, before the model does");
        assert!(error("func.func @f()").starts_with("not a symloc model: expected ident at line 1 column 2"));
        assert_eq!(error("[1, 2]").split(':').next(), Some("not a symloc model"));
        assert_eq!(error(r#"{"a":1}"#), "not a symloc model: it has no \"schema\"");
        assert_eq!(error(r#"{"schema":"x/1"}"#), "not a symloc model: its schema is `x/1`");
        assert_eq!(
            error(r#"{"schema":"symloc.model/6","generator":"symloc 9.0"}"#),
            "made by a newer symloc (symloc 9.0): its schema is `symloc.model/6`, this program reads `symloc.model/5`"
        );
        assert!(error(&json.replace(r#""layout":"rows","#, "")).starts_with("damaged model: missing field `layout`"));
        assert!(error(&json.replace(r#""layout":"rows""#, r#""layout":1"#)).contains("at line 1 column"));
    }

    #[test]
    fn no_prefix_of_a_model_is_a_model() {
        let json = triangle().to_json();
        for end in 0..json.len() - 2 {
            assert!(Model::parse(&json[..end]).is_err());
        }
    }
}
