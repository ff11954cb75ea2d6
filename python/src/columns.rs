//! Columns of exact integers, for NumPy and through Arrow.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, Decimal128Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use num_bigint::BigInt;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use symloc_evaluate::Int;

use crate::SymlocError;

/// A column of integers of any size.
#[derive(Clone)]
pub(crate) enum Column {
    /// All of them have 64 bits.
    Small(Vec<i64>),
    /// Some are larger.
    Large(Vec<Int>),
}

impl Column {
    /// So many zeros.
    pub(crate) fn new(rows: usize) -> Self {
        Self::Small(vec![0; rows])
    }

    pub(crate) fn set(&mut self, row: usize, value: &Int) {
        self.fill(row..row + 1, value);
    }

    /// Writes one value to a range of rows.
    pub(crate) fn fill(&mut self, rows: Range<usize>, value: &Int) {
        match (&mut *self, value.to_i128().and_then(|value| i64::try_from(value).ok())) {
            (Self::Small(values), Some(value)) => values[rows].fill(value),
            (Self::Large(values), _) => values[rows].fill(value.clone()),
            (Self::Small(values), None) => {
                let mut large: Vec<Int> = values.iter().map(|value| Int::from(*value)).collect();
                large[rows].fill(value.clone());
                *self = Self::Large(large);
            }
        }
    }

    /// The entries with these indices.
    fn take(&self, entries: &[usize]) -> Self {
        match self {
            Self::Small(values) => Self::Small(entries.iter().map(|entry| values[*entry]).collect()),
            Self::Large(values) => Self::Large(entries.iter().map(|entry| values[*entry].clone()).collect()),
        }
    }

    /// From an array of `int64`, or of Python's integers.
    fn of(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(small) = array.extract::<PyReadonlyArray1<'_, i64>>() {
            return Ok(Self::Small(small.as_array().to_vec()));
        }
        let integer = |value: PyResult<Bound<'_, PyAny>>| {
            let value = value?;
            let digits = value.str()?.to_string();
            digits
                .parse::<BigInt>()
                .map(Int::from)
                .map_err(|_| SymlocError::new_err(format!("`{digits}` is not an integer")))
        };
        Ok(Self::Large(array.try_iter()?.map(integer).collect::<PyResult<_>>()?))
    }

    /// As an array of `int64`, or of Python's integers.
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Small(values) => Ok(PyArray1::from_slice(py, values).into_any()),
            Self::Large(values) => {
                let int = py.get_type::<pyo3::types::PyInt>();
                let values = values.iter().map(|value| Ok(int.call1((value.to_string(),))?.unbind()));
                Ok(PyArray1::from_vec(py, values.collect::<PyResult<Vec<Py<PyAny>>>>()?).into_any())
            }
        }
    }

    /// As 64-bit integers, as decimal numbers of 38 digits, or as decimal text: whatever holds them all.
    fn to_arrow(&self) -> ArrayRef {
        let decimal = |value: &Int| value.to_i128().filter(|value| value.unsigned_abs() < 10_u128.pow(38));
        match self {
            Self::Small(values) => Arc::new(Int64Array::from(values.clone())),
            Self::Large(values) if values.iter().all(|value| decimal(value).is_some()) => {
                let decimals = Decimal128Array::from_iter_values(values.iter().filter_map(decimal));
                Arc::new(decimals.with_data_type(DataType::Decimal128(38, 0)))
            }
            Self::Large(values) => Arc::new(StringArray::from_iter_values(values.iter().map(Int::to_string))),
        }
    }
}

/// Named columns of one length.
#[pyclass(frozen, module = "symloc._symloc")]
#[derive(Default)]
pub(crate) struct Columns {
    columns: Vec<Named>,
}

/// A column, written out or not.
struct Named {
    name: String,
    values: Column,
    /// Which of the values stands in each row; as they come, if nothing is said.
    rows: Option<Arc<Vec<usize>>>,
}

impl Named {
    fn column(&self) -> Cow<'_, Column> {
        self.rows.as_ref().map_or(Cow::Borrowed(&self.values), |rows| Cow::Owned(self.values.take(rows)))
    }
}

impl Columns {
    /// One more column; `rows` says which of the values stands in each row.
    pub(crate) fn push(&mut self, name: impl Into<String>, values: Column, rows: Option<&Arc<Vec<usize>>>) {
        self.columns.push(Named { name: name.into(), values, rows: rows.cloned() });
    }

    fn table(&self) -> Result<RecordBatch, ArrowError> {
        let arrays: Vec<ArrayRef> = self.columns.iter().map(|column| column.column().to_arrow()).collect();
        let field = |(column, array): (&Named, &ArrayRef)| Field::new(&column.name, array.data_type().clone(), false);
        let schema = Arc::new(Schema::new(self.columns.iter().zip(&arrays).map(field).collect::<Vec<_>>()));
        RecordBatch::try_new(schema, arrays)
    }
}

#[pymethods]
impl Columns {
    /// Columns from arrays such as `column` returns, which is how they come out of a pickle.
    #[staticmethod]
    fn of(names: Vec<String>, arrays: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut columns = Self::default();
        for (name, array) in names.into_iter().zip(&arrays) {
            columns.push(name, Column::of(array)?, None);
        }
        Ok(columns)
    }

    /// The names.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// A column as a NumPy array: of `int64`, or of Python's integers where some need more bits.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let found = self.columns.iter().find(|column| column.name == name);
        found.ok_or_else(|| SymlocError::new_err(format!("no column `{name}`")))?.column().to_numpy(py)
    }

    /// The table as an Arrow stream; integers of more than 64 bits are decimals, or text. No other schema can be had.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let table = self.table().map_err(|error| SymlocError::new_err(error.to_string()))?;
        let schema = table.schema();
        let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(table)], schema)));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}
