//! The error bounds that GLSL promises for operations.
//!
//! The table is that of the GLSL specification 4.60 and of GLSL ES 3.20, both in section 4.7.1,
//! which Vulkan took over ("Precision of GLSL.std.450 instructions"); older versions promise less.
//! It lets an implementation round as it likes, so that what is rounded correctly may still be off
//! by nearly one unit in the last place.

use super::units::unit;

/// The error that a result may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Correctly rounded, in whichever direction.
    Rounded,
    Exact,
    /// A whole number next to it: which one where two are as near is open.
    NearestWhole,
    /// 2.5 units in the last place.
    Quotient,
    /// A product and a sum, each rounded, or both at once.
    MultiplyAdd,
    /// 2 units in the last place.
    InverseRoot,
    /// Inherited from 1 / inversesqrt(x).
    Root,
    /// 3 + 2 |x| units.
    Exponential,
    /// 3 units outside [0.5, 2], 2^-21 inside.
    Logarithm,
    /// Inherited from exp2(y log2(x)).
    Power,
    /// The rule promises nothing.
    Open,
}

impl Rule {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Rule::Rounded => "rounded",
            Rule::Exact => "exact",
            Rule::NearestWhole => "nearest",
            Rule::Quotient => "2.5 ULP",
            Rule::MultiplyAdd => "1-2 roundings",
            Rule::InverseRoot => "2 ULP",
            Rule::Root => "1/inversesqrt",
            Rule::Exponential => "3 + 2|x| ULP",
            Rule::Logarithm => "3 ULP or 2^-21",
            Rule::Power => "exp2(y log2 x)",
            Rule::Open => "open",
        }
    }

    /// The error that it allows, nothing where it allows any.
    pub(super) fn allows(self, [x, y, ..]: [f64; 4], exact: f64) -> Option<f64> {
        let ulp = unit(exact);
        Some(match self {
            Rule::Rounded => ulp,
            Rule::Exact => 0.0,
            Rule::NearestWhole if x.abs().fract() == 0.5 => 1.0,
            Rule::NearestWhole => 0.0,
            Rule::Quotient => 2.5 * ulp,
            Rule::MultiplyAdd => unit(x * y) + ulp,
            Rule::InverseRoot => 2.0 * ulp,
            Rule::Root => {
                let inverse = 1.0 / x.sqrt();
                exact * (2.0 * unit(inverse) / inverse) + 2.5 * ulp
            }
            Rule::Exponential => (3.0 + 2.0 * x.abs()) * ulp,
            Rule::Logarithm => logarithm(x, exact),
            Rule::Power => power(x, y, exact),
            Rule::Open => return None,
        })
    }
}

fn logarithm(x: f64, exact: f64) -> f64 {
    if (0.5..=2.0).contains(&x) { 0.5_f64.powi(21) } else { 3.0 * unit(exact) }
}

/// The logarithm's error goes through a product, rounded once, and becomes a factor.
fn power(x: f64, y: f64, exact: f64) -> f64 {
    let exponent = y * x.log2();
    let error = y.abs() * logarithm(x, x.log2()) + unit(exponent);
    exact * (error.exp2() - 1.0) + (3.0 + 2.0 * exponent.abs()) * unit(exact)
}
