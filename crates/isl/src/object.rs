//! The macros that define every wrapper: one for owned objects, one for their operations.
//!
//! An object is a pointer that is ours and a [`Context`] that keeps its world alive. isl functions either *take* an
//! argument (free it) or *keep* it (only look). `take` hands over a copy, `keep` lends the pointer; so wrappers never
//! consume, and which of the two a C function wants is all that its wrapper has to say.

use std::ffi::{c_int, c_uint, c_void};

use barvinok_sys::{isl_bool, isl_size, isl_stat};

use crate::context::Context;
use crate::error::Error;

/// An owned isl object.
pub(crate) trait Object: Sized {
    /// The C type.
    type Raw;

    /// Takes over what `operation` returned; NULL is its failure.
    ///
    /// # Safety
    ///
    /// `raw` is NULL or an object of `context` that the caller owns.
    unsafe fn adopt(context: &Context, operation: &'static str, raw: *mut Self::Raw) -> Result<Self, Error>;
}

/// An argument that a wrapper can pass to C.
pub(crate) trait Argument {
    /// The C type.
    type Raw;
    /// For a parameter that C frees.
    fn take(self) -> Self::Raw;
    /// For a parameter that C only looks at.
    fn keep(self) -> Self::Raw;
}

/// A result that a wrapper can return from C.
pub(crate) trait Output: Sized {
    /// The C type.
    type Raw;

    /// Interprets what `operation` returned.
    ///
    /// # Safety
    ///
    /// As for [`Object::adopt`].
    unsafe fn output(context: &Context, operation: &'static str, raw: Self::Raw) -> Result<Self, Error>;
}

impl<T: Object> Output for T {
    type Raw = *mut T::Raw;
    unsafe fn output(context: &Context, operation: &'static str, raw: *mut T::Raw) -> Result<T, Error> {
        // SAFETY: as the caller promises.
        unsafe { T::adopt(context, operation, raw) }
    }
}

impl Output for bool {
    type Raw = isl_bool;
    unsafe fn output(context: &Context, operation: &'static str, raw: isl_bool) -> Result<bool, Error> {
        if raw < 0 {
            return Err(context.error(operation));
        }
        context.check(operation)?;
        Ok(raw != 0)
    }
}

impl Output for usize {
    type Raw = isl_size;
    unsafe fn output(context: &Context, operation: &'static str, raw: isl_size) -> Result<usize, Error> {
        usize::try_from(raw).map_err(|_| context.error(operation))
    }
}

impl Argument for usize {
    type Raw = c_uint;
    fn take(self) -> c_uint {
        // A position that does not fit is out of every range, and isl says so.
        c_uint::try_from(self).unwrap_or(c_uint::MAX)
    }
    fn keep(self) -> c_uint {
        self.take()
    }
}

/// Returns a position for the C functions that want an `int`; see [`Argument`] for `usize`.
pub(crate) fn int(position: usize) -> c_int {
    c_int::try_from(position).unwrap_or(c_int::MAX)
}

/// Defines an owned object: `Type(c_type): copy, free, to_str;`.
macro_rules! object {
    ($(#[$doc:meta])* $visibility:vis struct $name:ident($raw:ident): $copy:ident, $free:ident, $to_str:ident;) => {
        object! { $(#[$doc])* $visibility struct $name($raw): $free; }

        impl Clone for $name {
            fn clone(&self) -> $name {
                use $crate::object::Argument;
                // A copy is a reference count. Were it ever NULL, memory would be exhausted, and Rust aborts then.
                let raw = std::ptr::NonNull::new(self.take()).unwrap_or_else(|| std::process::abort());
                $name { raw, context: self.context.clone() }
            }
        }

        impl $crate::object::Argument for &$name {
            type Raw = *mut barvinok_sys::$raw;
            fn take(self) -> Self::Raw {
                // SAFETY: the object is live; copying it keeps it.
                unsafe { (self.context.api().$copy)(self.raw.as_ptr()) }
            }
            fn keep(self) -> Self::Raw {
                self.raw.as_ptr()
            }
        }

        impl $name {
            /// In isl notation.
            ///
            /// # Errors
            ///
            /// [`Error::Isl`](crate::Error::Isl) if isl fails, [`Error::Limit`](crate::Error::Limit) at the limit on
            /// operations.
            $visibility fn to_text(&self) -> Result<String, $crate::error::Error> {
                // SAFETY: the object is live; the string is ours.
                unsafe {
                    let text = (self.context.api().$to_str)(self.raw.as_ptr());
                    self.context.owned_text(stringify!($to_str), text)
                }
            }
        }

        /// In isl notation; where isl cannot print the object (an operation limit), the reason in angle brackets.
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self.to_text() {
                    Ok(text) => f.write_str(&text),
                    Err(error) => write!(f, "<{error}>"),
                }
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }
    };
    ($(#[$doc:meta])* $visibility:vis struct $name:ident($raw:ident): $free:ident;) => {
        $(#[$doc])*
        $visibility struct $name {
            pub(crate) raw: std::ptr::NonNull<barvinok_sys::$raw>,
            pub(crate) context: $crate::context::Context,
        }

        impl $crate::object::Object for $name {
            type Raw = barvinok_sys::$raw;
            unsafe fn adopt(
                context: &$crate::context::Context,
                operation: &'static str,
                raw: *mut Self::Raw,
            ) -> Result<$name, $crate::error::Error> {
                let raw = std::ptr::NonNull::new(raw).ok_or_else(|| context.error(operation))?;
                let object = $name { raw, context: context.clone() };
                context.check(operation)?;
                Ok(object)
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the pointer is live and ours; `context` is dropped after it.
                unsafe { (self.context.api().$free)(self.raw.as_ptr()) };
            }
        }
    };
}

/// Defines methods from C functions: `take fn name(arguments) -> Result = c_function;`, or `keep`, which says what the
/// C function does with its objects. The object itself is the first argument. Methods are public, or with `private` in
/// front of the type only for this crate.
macro_rules! operations {
    ($type:ident { $($methods:tt)* }) => {
        operations! { @pub, $type { $($methods)* } }
    };
    (private $type:ident { $($methods:tt)* }) => {
        operations! { @pub(crate), $type { $($methods)* } }
    };
    (@$visibility:vis, $type:ident { $(
        $(#[$doc:meta])*
        $mode:ident fn $name:ident($($argument:ident: $argument_type:ty),*) -> $output:ty = $function:ident;
    )* }) => {
        impl $type { $(
            $(#[$doc])*
            #[doc = concat!("\n\nIn C: `", stringify!($function), "`.")]
            #[doc = ""]
            /// # Errors
            ///
            /// [`Error::Isl`](crate::Error::Isl) if the arguments do not fit or isl fails otherwise,
            /// [`Error::Limit`](crate::Error::Limit) at the limit on operations.
            $visibility fn $name(&self $(, $argument: $argument_type)*) -> Result<$output, $crate::error::Error> {
                #[allow(unused_imports, reason = "not every operation has objects on both sides")]
                use $crate::object::{Argument, Output};
                // SAFETY: all objects are live and of the one living context; copies go where C frees its arguments.
                unsafe {
                    let raw = (self.context.api().$function)(self.$mode() $(, $argument.$mode())*);
                    <$output>::output(&self.context, stringify!($function), raw)
                }
            }
        )* }
    };
}

/// Defines `read`, the parser: `Type = c_function`; or a private one, whose results are kept: `Type: parse = c_function`.
macro_rules! reader {
    ($type:ident = $function:ident) => {
        reader! { pub $type: read = $function }
    };
    ($visibility:vis $type:ident: $name:ident = $function:ident) => {
        impl $type {
            /// Parses isl notation. Not subject to the operation limit, which isl's parser takes for a syntax error.
            ///
            /// # Errors
            ///
            /// [`Error::Isl`](crate::Error::Isl) if the text is not understood, [`Error::Nul`](crate::Error::Nul) if it
            /// holds a NUL character.
            $visibility fn $name(
                context: &$crate::context::Context,
                text: &str,
            ) -> Result<$type, $crate::error::Error> {
                let c_text = $crate::context::c_text(text)?;
                // SAFETY: the context is live and the string ends in NUL; the result is ours.
                let object = context.without_limit(|| unsafe {
                    let raw = (context.api().$function)(context.raw(), c_text.as_ptr());
                    $crate::object::Object::adopt(context, stringify!($function), raw)
                });
                object.map_err(|error: $crate::error::Error| error.in_text(text))
            }
        }
    };
}

/// Defines `coalesce`: `Type = c_function`.
macro_rules! coalesce {
    ($type:ident = $function:ident) => {
        impl $type {
            /// Merges pieces where isl finds some to merge.
            ///
            /// isl 0.27 fails at some inputs ("total dimensionality changed unexpectedly"); this then gives the object
            /// as it is.
            #[doc = concat!("\n\nIn C: `", stringify!($function), "`.")]
            #[doc = ""]
            /// # Errors
            ///
            /// [`Error::Limit`](crate::Error::Limit) at the limit on operations.
            pub fn coalesce(&self) -> Result<$type, $crate::error::Error> {
                use $crate::object::{Argument, Object};
                // SAFETY: the object is live; C frees a copy, and the result is ours.
                let coalesced = unsafe {
                    let raw = (self.context.api().$function)(self.take());
                    $type::adopt(&self.context, stringify!($function), raw)
                };
                match coalesced {
                    Err($crate::error::Error::Isl { .. }) => Ok(self.clone()),
                    other => other,
                }
            }
        }
    };
}

/// Runs a `_foreach_` function with a callback that collects what it is given.
///
/// `run` receives a callback and its user pointer and says how the iteration ended. Nothing can unwind into C: the
/// callback only pushes, and running out of memory aborts.
pub(crate) fn collect<T: Object>(
    context: &Context,
    operation: &'static str,
    run: impl FnOnce(barvinok_sys::isl_callback<T::Raw>, *mut c_void) -> isl_stat,
) -> Result<Vec<T>, Error> {
    unsafe extern "C" fn push<R>(raw: *mut R, user: *mut c_void) -> isl_stat {
        // SAFETY: `user` is the vector below, which nobody else touches meanwhile.
        unsafe { &mut *user.cast::<Vec<*mut R>>() }.push(raw);
        0
    }
    let mut raws: Vec<*mut T::Raw> = Vec::new();
    let status = run(push::<T::Raw>, (&raw mut raws).cast());
    // SAFETY: the callback was given each object for good. All are adopted before a failure is looked at: none leaks.
    let objects: Vec<_> = raws.into_iter().map(|raw| unsafe { T::adopt(context, operation, raw) }).collect();
    // A missing object holds its reason, which is reported only once.
    let objects = objects.into_iter().collect::<Result<Vec<_>, Error>>()?;
    if status < 0 { Err(context.error(operation)) } else { Ok(objects) }
}

/// As [`collect`], for callbacks that are given pairs.
pub(crate) fn collect_pairs<S: Object, T: Object>(
    context: &Context,
    operation: &'static str,
    run: impl FnOnce(barvinok_sys::isl_pair_callback<S::Raw, T::Raw>, *mut c_void) -> isl_stat,
) -> Result<Vec<(S, T)>, Error> {
    unsafe extern "C" fn push<P, Q>(first: *mut P, second: *mut Q, user: *mut c_void) -> isl_stat {
        // SAFETY: `user` is the vector below, which nobody else touches meanwhile.
        unsafe { &mut *user.cast::<Vec<(*mut P, *mut Q)>>() }.push((first, second));
        0
    }
    let mut raws: Vec<(*mut S::Raw, *mut T::Raw)> = Vec::new();
    let status = run(push::<S::Raw, T::Raw>, (&raw mut raws).cast());
    // SAFETY: the callback was given each object for good. All are adopted before a failure is looked at: none leaks.
    let adopt =
        |(first, second)| unsafe { (S::adopt(context, operation, first), T::adopt(context, operation, second)) };
    let pairs: Vec<_> = raws.into_iter().map(adopt).collect();
    let pairs = pairs.into_iter().map(|(first, second)| Ok((first?, second?))).collect::<Result<Vec<_>, Error>>()?;
    if status < 0 { Err(context.error(operation)) } else { Ok(pairs) }
}
