//! Open models, and answers about them.

use std::collections::VecDeque;
use std::rc::Rc;

use num_bigint::BigInt;
use serde::Serialize;
use symloc_evaluate::{Detail, EvalError, Evaluator, Int, Prediction};
use symloc_machine::{Cache, CacheRequestError, Capacity};
use symloc_model::{LineChoice, Model, ModelError, NamedSizes, RequestError};
use symloc_report::answers::Answer;
use symloc_report::answers::attribution::{AttributionReport, Fill, FillRow, FilledCache};
use symloc_report::answers::misses::{CacheMisses, LevelMisses};
use symloc_report::plot::html::PageData;
use symloc_report::plot::{Canvas, Picture, PictureError, SizeMark, Span, svg};
use symloc_report::subject::{RowSubject, RowsBy};
use symloc_report::{AnswerHeader, MissModel};

use crate::predicted::PredictedCase;
use crate::question::{CacheText, PictureQuestion, Question, SizedModel};

/// The open models, with recent predictions.
#[derive(Debug, Default)]
pub struct Session {
    models: Vec<OpenModel>,
    recent: VecDeque<(PredictionKey, Rc<PredictedCase>)>,
}

/// The number of predictions that are kept: those of a picture with a curve of each kind.
const RECENT: usize = 16;

#[derive(Debug)]
struct OpenModel {
    line: LineChoice,
    /// Of the program on one thread.
    evaluator: Evaluator<'static>,
    /// Of one of several threads, if the model is of these.
    with_threads: Option<Evaluator<'static>>,
}

/// The model, the sizes, the miss model, and the number of threads if there are several.
#[derive(Debug, PartialEq, Eq)]
struct PredictionKey(usize, NamedSizes, MissModel, Option<u64>);

/// The most threads of a question; more would take too long.
const MOST_THREADS: u64 = 1024;

/// The reason why there is no answer.
#[derive(Debug, thiserror::Error)]
enum QuestionError {
    #[error("not a question: {0}")]
    Json(#[from] serde_json::Error),
    #[error("there is no model {0}")]
    Unopened(usize),
    #[error("at most {MOST_THREADS} threads, and at least 1")]
    Threads,
    #[error("misses of threads are not attributed to arrays and lines; with one thread they are")]
    NotAttributed,
    #[error("{0}")]
    Text(String),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Request(#[from] RequestError),
    #[error(transparent)]
    Cache(#[from] CacheRequestError),
    #[error(transparent)]
    Evaluation(#[from] EvalError),
    #[error(transparent)]
    Picture(#[from] PictureError),
}

#[derive(Serialize)]
struct ErrorAnswer {
    error: String,
}

#[derive(Serialize)]
struct OpenAnswer {
    model: usize,
}

#[derive(Serialize)]
struct NearAnswer {
    value: i64,
}

#[derive(Serialize)]
struct PictureAnswer<'p> {
    svg: String,
    data: PageData<'p>,
}

impl Session {
    /// Answers a question; both are JSON. A question without an answer gets `{"error": …}`.
    pub fn ask(&mut self, question: &str) -> String {
        let refused = |error: QuestionError| text(&ErrorAnswer { error: error.to_string() });
        self.answer(question).or_else(refused).unwrap_or_else(|_| r#"{"error":"no JSON"}"#.to_owned())
    }

    fn answer(&mut self, question: &str) -> Result<String, QuestionError> {
        match serde_json::from_str(question)? {
            Question::Open { text: model, line_bytes } => text(&self.open(&model, line_bytes)?),
            Question::Query { case, caches } => text(&self.query(&case, &caches)?.json()),
            Question::Accesses { case, caches } => text(&self.accesses(&case, &caches)?.json()),
            Question::Picture(question) => self.picture(&question),
            Question::Near { case, parameter } => text(&self.near(&case, &parameter)?),
        }
    }

    fn open(&mut self, text: &str, line_bytes: Option<u64>) -> Result<OpenAnswer, QuestionError> {
        // A model stays open as long as its page.
        let leak = |model: Model| -> &'static Model { Box::leak(Box::new(model)) };
        let line = line_bytes.map_or(LineChoice::Only, LineChoice::Bytes);
        let read = Model::parse(text)?;
        let evaluator = Evaluator::new(leak(read.on_one_thread()), line)?;
        let with_threads = read.threads.is_some().then(|| Evaluator::new(leak(read), line)).transpose()?;
        self.models.push(OpenModel { line, evaluator, with_threads });
        Ok(OpenAnswer { model: self.models.len() - 1 })
    }

    fn opened(&self, case: &SizedModel) -> Result<&OpenModel, QuestionError> {
        self.models.get(case.model).ok_or(QuestionError::Unopened(case.model))
    }

    fn prediction(&mut self, case: &SizedModel) -> Result<Rc<PredictedCase>, QuestionError> {
        let open = self.opened(case)?;
        let asked = case.misses.map(MissModel::from);
        let miss_model = MissModel::choose(asked, open.evaluator.model(), open.line)?;
        if case.threads.is_some_and(|threads| !(1..=MOST_THREADS).contains(&threads)) {
            return Err(QuestionError::Threads);
        }
        let several = case.threads.filter(|threads| *threads > 1 && open.with_threads.is_some());
        let key = PredictionKey(case.model, sizes(case), miss_model, several);
        if let Some((_, known)) = self.recent.iter().find(|(known, _)| *known == key) {
            return Ok(Rc::clone(known));
        }
        let whole = open.evaluator.predict(miss_model, &key.1)?;
        let threads = match (several, &open.with_threads) {
            (Some(count), Some(evaluator)) => PredictedCase::threads(evaluator, miss_model, &key.1, count)?,
            _ => Vec::new(),
        };
        let predicted = Rc::new(PredictedCase { whole, threads });
        self.recent.truncate(RECENT - 1);
        self.recent.push_front((key, Rc::clone(&predicted)));
        Ok(predicted)
    }

    fn query(&mut self, case: &SizedModel, caches: &[CacheText]) -> Result<LevelMisses, QuestionError> {
        let predicted = self.prediction(case)?;
        let whole = &predicted.whole;
        let model = self.opened(case)?.evaluator.model();
        let level = |cache: &CacheText| {
            let (capacity, lines) = in_lines(cache, whole)?;
            let (misses, threads) = predicted.misses(&Int::from(lines))?;
            let (name, ways) = (cache.name.clone(), lines);
            Ok(CacheMisses {
                name,
                capacity,
                lines,
                ways,
                misses,
                write_backs: None,
                interval: None,
                threads,
                bound: None,
            })
        };
        Ok(LevelMisses {
            header: AnswerHeader::of_prediction(model, whole),
            source: whole.miss_model().into(),
            falsely_shared: predicted.falsely_shared(model)?,
            estimated: predicted.estimated(),
            levels: caches.iter().map(level).collect::<Result<_, QuestionError>>()?,
        })
    }

    fn accesses(
        &mut self,
        case: &SizedModel,
        caches: &[CacheText],
    ) -> Result<AttributionReport<'static>, QuestionError> {
        let predicted = self.prediction(case)?;
        if !predicted.threads.is_empty() {
            return Err(QuestionError::NotAttributed);
        }
        let prediction = &predicted.whole;
        let evaluator = &self.opened(case)?.evaluator;
        let (model, place) = (evaluator.model(), prediction.place());
        let program = model.outline()?;
        let shares = evaluator.attribution(prediction)?;
        let caches = caches.iter().map(|cache| Ok((cache.name.clone(), in_lines(cache, prediction)?)));
        let caches = caches.collect::<Result<Vec<_>, QuestionError>>()?;
        let misses = caches.iter().map(|(_, (_, lines))| shares.misses(&Int::from(*lines)));
        let misses = misses.collect::<Result<Vec<_>, _>>()?;
        let row = |index: usize| {
            let subject = RowSubject::new(program, RowsBy::Access, index);
            let element = subject.access().map_or(1, |(array, _)| array.element_bytes);
            let bytes = Int::from(place.line_bytes.unwrap_or(element));
            FillRow {
                subject,
                accesses: shares.accesses(index).clone(),
                first_touches: shares.first_touches(index),
                fills: misses.iter().map(|misses| Fill::read(misses[index].total(), &bytes)).collect(),
            }
        };
        let rows: Vec<_> = (0..shares.count()).map(row).collect();
        let fill = |level: usize| rows.iter().fold(Fill::default(), |sum, row| sum.plus(&row.fills[level]));
        let level = |(index, (name, (capacity, lines)))| FilledCache { name, capacity, lines, fill: fill(index) };
        Ok(AttributionReport {
            model,
            source: prediction.miss_model().into(),
            estimated: prediction.estimated(),
            header: AnswerHeader::of_prediction(model, prediction),
            operations: evaluator.operations(&place.sizes())?,
            by: Some(RowsBy::Access),
            traffic: false,
            levels: caches.into_iter().enumerate().map(level).collect(),
            rows,
        })
    }

    fn picture(&mut self, question: &PictureQuestion) -> Result<String, QuestionError> {
        let PictureQuestion { title, cases, marks, spans, scale, detail, width, height } = question;
        let predictions = cases.iter().map(|case| self.prediction(case)).collect::<Result<Vec<_>, _>>()?;
        let mark = |mark: &CacheText| {
            let capacity = mark.size.parse::<Capacity>().map_err(QuestionError::Text)?;
            Ok(SizeMark { name: mark.name.clone(), capacity })
        };
        let marks = marks.iter().map(mark).collect::<Result<Vec<_>, QuestionError>>()?;
        let named = cases.iter().map(|case| case.name.clone()).zip(predictions.iter().map(|of| of.parts())).collect();
        let mut picture = Picture::new(title.clone(), named, &marks, (*scale).into(), Detail::Part(*detail))?;
        if let Some(first) = predictions.first().filter(|_| !spans.is_empty()) {
            let spans = spans.iter().map(|span| Span { label: span.label.clone(), ends: span.ends }).collect();
            picture = picture.with_spans(spans, first.whole.place().line_bytes);
        }
        let canvas = Canvas { width: *width, height: *height, bare: true };
        text(&PictureAnswer { svg: svg::document(&picture, canvas), data: PageData::new(&picture, canvas) })
    }

    /// Finds the nearest value for which the model holds, by moving away from the given one in both directions.
    fn near(&self, case: &SizedModel, parameter: &str) -> Result<NearAnswer, QuestionError> {
        let model = self.opened(case)?.evaluator.model();
        let asked =
            sizes(case).get(parameter).ok_or_else(|| QuestionError::Text(format!("no value for {parameter}")))?;
        let holds = |value: &i64| {
            let mut sizes = sizes(case);
            sizes.insert(parameter, *value);
            sizes.point(model).is_ok_and(|point| {
                let point: Vec<BigInt> = point.into_iter().map(BigInt::from).collect();
                model.context.iter().all(|condition| condition.holds_at(&point))
            })
        };
        let both = (0..=FARTHEST).flat_map(|away| [asked.saturating_sub(away), asked.saturating_add(away)]);
        Ok(NearAnswer { value: both.into_iter().find(holds).unwrap_or(asked) })
    }
}

/// The largest distance of a value that is tried.
const FARTHEST: i64 = 1024;

fn sizes(case: &SizedModel) -> NamedSizes {
    case.sizes.iter().map(|(name, value)| (name.clone(), *value)).collect()
}

/// Returns the capacity as it was given, and in lines.
fn in_lines(cache: &CacheText, prediction: &Prediction) -> Result<(Capacity, u64), QuestionError> {
    let capacity = cache.size.parse::<Capacity>().map_err(QuestionError::Text)?;
    let cache = Cache { capacity, ways: None, line_bytes: None, build: Default::default() };
    Ok((capacity, cache.lines(prediction.place().line_bytes)?))
}

fn text(answer: &impl Serialize) -> Result<String, QuestionError> {
    Ok(serde_json::to_string(answer)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const MATMUL: &str = include_str!("../../../tests/models/matmul.loc.json");

    fn session() -> Session {
        let mut session = Session::default();
        assert_eq!(session.ask(&json!({"ask": "open", "text": MATMUL}).to_string()), r#"{"model":0}"#);
        session
    }

    fn ask(question: Value) -> Value {
        serde_json::from_str(&session().ask(&question.to_string())).unwrap()
    }

    #[test]
    fn misses_are_those_of_query() {
        let case = json!({"model": 0, "sizes": {"n": 1024}});
        let caches = json!([{"size": "48KiB"}]);
        let answer = session().ask(&json!({"ask": "query", "case": case, "caches": caches}).to_string());
        let expected = r#"{"schema":"symloc.query/1","parameters":{"n":1024},"model":"denning","accesses":4294967296,"first_touches":393216,"levels":[{"bytes":49152,"ways":768,"line_bytes":64,"misses":1208090624,"miss_ratio":0.281280517578125}]}"#;
        assert_eq!(answer, expected);
    }

    #[test]
    fn misses_of_accesses_add_up_to_those_of_the_program() {
        let model = include_str!("../../../tests/models/matmul-exact.loc.json");
        let mut session = session();
        assert_eq!(session.ask(&json!({"ask": "open", "text": model}).to_string()), r#"{"model":1}"#);
        for misses in ["lru", "denning"] {
            let case = json!({"model": 1, "sizes": {"n": 1024}, "misses": misses});
            let mut ask = |kind: &str| -> Value {
                let question = json!({"ask": kind, "case": case, "caches": [{"size": "48KiB"}]});
                serde_json::from_str(&session.ask(&question.to_string())).unwrap()
            };
            let (all, each) = (ask("query"), ask("accesses"));
            let rows = each["rows"].as_array().unwrap().iter();
            let sum: i64 = rows.map(|row| row["levels"][0]["misses"].as_i64().unwrap()).sum();
            assert_eq!(all["levels"][0]["misses"], json!(sum), "{misses}");
        }
    }

    #[test]
    fn a_picture_has_points_and_a_drawing() {
        let case = json!({"model": 0, "sizes": {"n": 128}, "name": "n = 128"});
        let answer =
            ask(json!({"ask": "picture", "title": "f", "cases": [case], "marks": [{"size": "32KiB", "name": "L1"}],
            "scale": "log", "detail": 128, "width": 360, "height": 240}));
        assert!(answer["svg"].as_str().unwrap().contains("L1 32 KiB"));
        assert_eq!(answer["data"]["curves"][0]["steps"].as_array().unwrap().len(), 6);
    }

    /// As `query --threads 6 --json` prints it.
    #[test]
    fn misses_of_threads_are_those_of_query() {
        let model = include_str!("../../../tests/models/jacobi-1d-threads.loc.json");
        let mut session = session();
        assert_eq!(session.ask(&json!({"ask": "open", "text": model}).to_string()), r#"{"model":1}"#);
        let mut ask = |kind: &str, threads: u64| -> Value {
            let case = json!({"model": 1, "sizes": {"n": 400, "tsteps": 10}, "threads": threads});
            let question = json!({"ask": kind, "case": case, "caches": [{"size": "8KiB"}]});
            serde_json::from_str(&session.ask(&question.to_string())).unwrap()
        };
        let (one, six) = (ask("query", 1), ask("query", 6));
        assert_eq!((&one["threads"], &one["levels"][0]["misses"]), (&Value::Null, &json!(100)));
        assert_eq!((&six["threads"], &six["falsely_shared_lines"]), (&json!(6), &json!({"A": 50, "B": 50})));
        let level = json!({"bytes": 8192, "ways": 128, "line_bytes": 64, "misses": 110, "coherence_misses": 0,
            "misses_by_thread": [18, 18, 20, 18, 18, 18], "miss_ratio": 0.003454773869346734});
        assert_eq!((&six["levels"][0], &six["parameters"]), (&level, &json!({"tsteps": 10, "n": 400})));
        assert!(ask("accesses", 1)["rows"].is_array());
        assert!(ask("accesses", 6)["error"].as_str().unwrap().contains("not attributed"));
        assert!(ask("query", 0)["error"].as_str().unwrap().contains("at least 1"));
    }

    #[test]
    fn the_nearest_size_is_one_of_the_model() {
        let near = |n: i64| ask(json!({"ask": "near", "case": {"model": 0, "sizes": {"n": n}}, "parameter": "n"}));
        assert_eq!([near(1001), near(3), near(-5000)], [1000, 16, -5000].map(|value| json!({"value": value})));
    }

    #[test]
    fn what_cannot_be_answered_is_an_error() {
        let error = |question: Value| ask(question)["error"].as_str().unwrap().to_owned();
        assert!(error(json!({"ask": "the way"})).starts_with("not a question"));
        assert!(error(json!({"ask": "open", "text": "{}"})).contains("schema"));
        let query = |n: i64, size: &str| json!({"ask": "query", "case": {"model": 0, "sizes": {"n": n}}, "caches": [{"size": size}]});
        assert!(error(query(100, "48KiB")).contains("100"));
        assert!(!error(query(128, "a lot")).is_empty());
        assert!(error(json!({"ask": "query", "case": {"model": 1, "sizes": {}}, "caches": []})).contains("no model 1"));
    }
}
