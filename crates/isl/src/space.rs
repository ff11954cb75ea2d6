//! Spaces: the parameters and the tuples that a set or map is about, without its elements.

use crate::context::{Context, borrowed_text, c_text};
use crate::error::Error;
use crate::object::{Argument, Object};

/// Which of an object's dimensions a position counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DimType {
    /// The parameters.
    Param,
    /// The input tuple of a map, or of a function.
    In,
    /// The output tuple of a map or function, and the only tuple of a set.
    Out,
}

impl DimType {
    /// The tuple of a set.
    pub const SET: DimType = DimType::Out;

    pub(crate) fn raw(self) -> barvinok_sys::isl_dim_type {
        match self {
            DimType::Param => barvinok_sys::ISL_DIM_PARAM,
            DimType::In => barvinok_sys::ISL_DIM_IN,
            DimType::Out => barvinok_sys::ISL_DIM_OUT,
        }
    }
}

impl Argument for DimType {
    type Raw = barvinok_sys::isl_dim_type;
    fn take(self) -> barvinok_sys::isl_dim_type {
        self.raw()
    }
    fn keep(self) -> barvinok_sys::isl_dim_type {
        self.raw()
    }
}

/// Defines `set_dim_name`, inside an `impl` block.
macro_rules! names {
    ($set_dim_name:ident) => {
        /// Renames one dimension.
        #[doc = concat!("\n\nIn C: `", stringify!($set_dim_name), "`.")]
        #[doc = ""]
        /// # Errors
        ///
        /// [`Error::Isl`](crate::Error::Isl) if there is no such dimension, [`Error::Nul`](crate::Error::Nul) if the name
        /// holds a NUL character.
        pub fn set_dim_name(
            &self,
            kind: $crate::space::DimType,
            position: usize,
            name: &str,
        ) -> Result<Self, $crate::error::Error> {
            use $crate::object::{Argument, Object};
            let name = $crate::context::c_text(name)?;
            // SAFETY: the object is live, C frees a copy; the string ends in NUL; the result is ours.
            unsafe {
                let raw = (self.context.api().$set_dim_name)(self.take(), kind.raw(), position.take(), name.as_ptr());
                Self::adopt(&self.context, stringify!($set_dim_name), raw)
            }
        }
    };
}

object! {
    /// The space of a set or map.
    pub struct Space(isl_space): isl_space_copy, isl_space_free, isl_space_to_str;
}

operations! { Space {
    /// Returns the number of dimensions of one kind.
    keep fn dim(kind: DimType) -> usize = isl_space_dim;
    /// Returns true if both have the same parameters, in the same order, and the same tuples.
    keep fn is_equal(other: &Space) -> bool = isl_space_is_equal;
}}

impl Space {
    /// Returns the space of a set `tuple[dims]` with parameters `params`. Names may repeat only where isl allows it.
    ///
    /// # Errors
    ///
    /// [`Error::Nul`] if a name holds a NUL character, [`Error::Isl`] if isl fails otherwise.
    pub fn set(context: &Context, params: &[&str], tuple: Option<&str>, dims: &[&str]) -> Result<Space, Error> {
        // SAFETY: the context is live; the result is ours.
        let mut space = unsafe {
            let raw = (context.api().isl_space_set_alloc)(context.raw(), count(params), count(dims));
            Space::adopt(context, "isl_space_set_alloc", raw)
        }?;
        for (kind, names) in [(DimType::Param, params), (DimType::SET, dims)] {
            for (position, name) in names.iter().enumerate() {
                space = space.set_dim_name(kind, position, name)?;
            }
        }
        match tuple {
            Some(name) => space.set_tuple_name(DimType::SET, name),
            None => Ok(space),
        }
    }

    /// Returns the space of sets of parameter values.
    ///
    /// # Errors
    ///
    /// [`Error::Nul`] if a name holds a NUL character, [`Error::Isl`] if isl fails otherwise.
    pub fn params(context: &Context, params: &[&str]) -> Result<Space, Error> {
        // SAFETY: the context is live; the result is ours.
        let mut space = unsafe {
            let raw = (context.api().isl_space_params_alloc)(context.raw(), count(params));
            Space::adopt(context, "isl_space_params_alloc", raw)
        }?;
        for (position, name) in params.iter().enumerate() {
            space = space.set_dim_name(DimType::Param, position, name)?;
        }
        Ok(space)
    }

    /// Returns the name of one dimension, if it has one.
    ///
    /// # Errors
    ///
    /// [`Error::Isl`] if there is no such dimension.
    pub fn dim_name(&self, kind: DimType, position: usize) -> Result<Option<String>, Error> {
        // isl would report a position out of range only by the same NULL that says "no name".
        if position >= self.dim(kind)? {
            let message = format!("there is no dimension {position}");
            return Err(Error::from_isl("isl_space_get_dim_name", barvinok_sys::ISL_ERROR_INVALID, message));
        }
        // SAFETY: the space is live and keeps the string.
        Ok(unsafe {
            borrowed_text((self.context.api().isl_space_get_dim_name)(self.keep(), kind.raw(), position.keep()))
        })
    }

    /// Returns the names of all dimensions of one kind; a dimension without a name gets an empty one.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] at the limit on operations, [`Error::Isl`] if isl fails otherwise.
    pub fn dim_names(&self, kind: DimType) -> Result<Vec<String>, Error> {
        (0..self.dim(kind)?).map(|i| Ok(self.dim_name(kind, i)?.unwrap_or_default())).collect()
    }

    names! { isl_space_set_dim_name }

    fn set_tuple_name(&self, kind: DimType, name: &str) -> Result<Space, Error> {
        let name = c_text(name)?;
        // SAFETY: the space is live, C frees a copy; the string ends in NUL; the result is ours.
        unsafe {
            let raw = (self.context.api().isl_space_set_tuple_name)(self.take(), kind.raw(), name.as_ptr());
            Space::adopt(&self.context, "isl_space_set_tuple_name", raw)
        }
    }
}

fn count(names: &[&str]) -> std::ffi::c_uint {
    names.len().take()
}
