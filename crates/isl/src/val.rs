//! Numbers on their way between isl and big integers.

use std::ffi::c_void;

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::Zero;

use crate::context::Context;
use crate::error::Error;
use crate::object::{Argument, Object, Output};

object! {
    /// A rational number, an infinity or NaN.
    pub(crate) struct Val(isl_val): isl_val_copy, isl_val_free, isl_val_to_str;
}

/// Numbers cross as digits in base 2³², least significant first.
const DIGIT: usize = size_of::<u32>();

impl Val {
    /// Returns the number `value` in isl.
    pub(crate) fn integer(context: &Context, value: &BigInt) -> Result<Val, Error> {
        let (sign, digits) = value.to_u32_digits();
        // SAFETY: isl reads `digits.len()` digits of that size; the result is ours.
        let absolute = unsafe {
            let chunks = digits.as_ptr().cast::<c_void>();
            let raw = (context.api().isl_val_int_from_chunks)(context.raw(), digits.len(), DIGIT, chunks);
            Val::adopt(context, "isl_val_int_from_chunks", raw)
        }?;
        if sign == Sign::Minus { absolute.negated() } else { Ok(absolute) }
    }

    /// Returns the number `value` in isl.
    pub(crate) fn rational(context: &Context, value: &BigRational) -> Result<Val, Error> {
        let numerator = Val::integer(context, value.numer())?;
        let denominator = Val::integer(context, value.denom())?;
        // SAFETY: both are live, C frees copies; the result is ours.
        unsafe {
            let raw = (context.api().isl_val_div)(numerator.take(), denominator.take());
            Val::adopt(context, "isl_val_div", raw)
        }
    }

    fn negated(&self) -> Result<Val, Error> {
        // SAFETY: the number is live, C frees a copy; the result is ours.
        unsafe { Val::adopt(&self.context, "isl_val_neg", (self.context.api().isl_val_neg)(self.take())) }
    }

    /// Returns the exact value; infinities are [`Error::Unbounded`] in `operation`, NaN is [`Error::Undefined`].
    pub(crate) fn to_rational(&self, operation: &'static str) -> Result<BigRational, Error> {
        let api = self.context.api();
        // SAFETY: the number is live and only looked at.
        let (is_rational, is_nan) = unsafe { ((api.isl_val_is_rat)(self.keep()), (api.isl_val_is_nan)(self.keep())) };
        // SAFETY: a truth value owns nothing.
        if !unsafe { bool::output(&self.context, "isl_val_is_rat", is_rational) }? {
            let undefined = is_nan != 0;
            return Err(if undefined { Error::Undefined { operation } } else { Error::Unbounded { operation } });
        }
        // SAFETY: the number is live and only looked at; the denominator is ours.
        let denominator = unsafe {
            let raw = (api.isl_val_get_den_val)(self.keep());
            Val::adopt(&self.context, "isl_val_get_den_val", raw)
        }?;
        Ok(BigRational::new(self.numerator()?, denominator.numerator()?))
    }

    /// Returns the exact value of a number that is known to be an integer.
    pub(crate) fn to_integer(&self) -> Result<BigInt, Error> {
        self.numerator()
    }

    fn numerator(&self) -> Result<BigInt, Error> {
        let api = self.context.api();
        // SAFETY: the number is live and only looked at.
        let sign = unsafe { (api.isl_val_sgn)(self.keep()) };
        if sign == 0 {
            return Ok(BigInt::zero());
        }
        // SAFETY: as above; a size owns nothing.
        let count = unsafe {
            let count = (api.isl_val_n_abs_num_chunks)(self.keep(), DIGIT);
            usize::output(&self.context, "isl_val_n_abs_num_chunks", count)
        }?;
        let mut digits = vec![0u32; count];
        // SAFETY: isl writes `count` digits of that size.
        let status = unsafe { (api.isl_val_get_abs_num_chunks)(self.keep(), DIGIT, digits.as_mut_ptr().cast()) };
        if status < 0 {
            return Err(self.context.error("isl_val_get_abs_num_chunks"));
        }
        let sign = if sign < 0 { Sign::Minus } else { Sign::Plus };
        Ok(BigInt::from_biguint(sign, BigUint::new(digits)))
    }
}

/// Defines `fix` and its like: `take fn name = c_function;`, with a number for one dimension.
macro_rules! bounds {
    ($type:ident { $($(#[$doc:meta])* fn $name:ident = $function:ident;)* }) => {
        impl $type { $(
            $(#[$doc])*
            #[doc = concat!("\n\nIn C: `", stringify!($function), "`.")]
            #[doc = ""]
            /// # Errors
            ///
            /// [`Error::Isl`](crate::Error::Isl) if there is no such dimension or isl fails otherwise,
            /// [`Error::Limit`](crate::Error::Limit) at the limit on operations.
            pub fn $name(
                &self,
                kind: $crate::space::DimType,
                position: usize,
                value: impl Into<num_bigint::BigInt>,
            ) -> Result<$type, $crate::error::Error> {
                use $crate::object::{Argument, Object};
                let value = $crate::val::Val::integer(&self.context, &value.into())?;
                // SAFETY: both objects are live, C frees copies; the result is ours.
                unsafe {
                    let raw =
                        (self.context.api().$function)(self.take(), kind.raw(), position.take(), value.take());
                    $type::adopt(&self.context, stringify!($function), raw)
                }
            }
        )* }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_size_survive_the_way_there_and_back() {
        let context = Context::new().unwrap();
        for text in
            ["0", "1", "-1", "4294967295", "-4294967296", "18446744073709551616", "-123456789012345678901234567890"]
        {
            let number: BigInt = text.parse().unwrap();
            let val = Val::integer(&context, &number).unwrap();
            assert_eq!(val.to_string(), text);
            assert_eq!(val.to_integer().unwrap(), number);
        }
        let third = BigRational::new((-7).into(), 3.into());
        let val = Val::rational(&context, &third).unwrap();
        assert_eq!(val.to_string(), "-7/3");
        assert_eq!(val.to_rational("test").unwrap(), third);
    }
}
