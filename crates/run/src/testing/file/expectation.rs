//! The expectation of a test on an output.

use std::path::PathBuf;

use crate::io::description;
use quadrille::{Place, Rectangle};

use super::error::Error;
use super::{Literal, is_part};
use quadrille::testing::{Denormals, Nan, Rule, Tolerance};

/// The expectation on an output.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Expectation {
    /// The name of the output.
    pub output: String,
    /// The position of the expectation in the description.
    pub place: Place,
    /// The part of the output; the whole output if unset.
    pub at: Option<Rectangle>,
    /// The values for every device.
    pub general: Part,
    /// The values for devices whose name contains a text; the first entry that fits is used.
    pub devices: Vec<(String, Part)>,
}

/// The values in a table of an expectation; a value that a device's table leaves out is taken from
/// the general one.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Part {
    /// The claim about the numbers.
    pub claim: Option<Claim>,
    /// The tolerance of the comparison.
    pub tolerance: Option<Tolerance>,
    /// The texels that may miss.
    pub outliers: Option<usize>,
    /// The rule for NaN.
    pub nan: Option<Nan>,
    /// The rule for subnormal floats.
    pub denormals: Option<Denormals>,
}

/// A claim about the numbers of an output.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Claim {
    /// The numbers equal those of a file.
    Equals(PathBuf),
    /// The numbers equal those of the description.
    Values(Literal),
    /// All texels equal this one.
    All(Literal),
    /// The numbers equal those that another shader computes from the same inputs.
    Twin(PathBuf),
    /// No number is NaN or infinite.
    Finite,
    /// No number is less than the first or more than the second.
    Inside(f64, f64),
}

impl Claim {
    /// Returns the key of the description.
    pub fn key(&self) -> &'static str {
        match self {
            Claim::Equals(_) => "equals",
            Claim::Values(_) => "values",
            Claim::All(_) => "all",
            Claim::Twin(_) => "twin",
            Claim::Finite => "finite",
            Claim::Inside(..) => "inside",
        }
    }

    pub(super) fn needs_no_tolerance(&self) -> bool {
        matches!(self, Claim::Finite | Claim::Inside(..))
    }
}

impl Expectation {
    /// Returns the error that this expectation does not fit the shader.
    pub(in super::super) fn unfit(&self, reason: String) -> Error {
        description::Error::Unfit { place: self.place.clone(), reason }.into()
    }

    /// Returns the expectation for a device of this name.
    pub fn on(&self, device: &str) -> Part {
        let own = self.devices.iter().find(|(name, _)| is_part(name, device));
        let own = own.map(|(_, part)| part.clone()).unwrap_or_default();
        let general = self.general.clone();
        Part {
            claim: own.claim.or(general.claim),
            tolerance: own.tolerance.or(general.tolerance),
            outliers: own.outliers.or(general.outliers),
            nan: own.nan.or(general.nan),
            denormals: own.denormals.or(general.denormals),
        }
    }
}

impl Part {
    /// Returns the rule of a comparison; none where no tolerance is stated.
    pub fn rule(&self) -> Option<Rule> {
        Some(self.completed(Rule::within(self.tolerance?)))
    }

    /// Returns the rule of a comparison of integers: exact unless stated.
    pub fn rule_of_integers(&self) -> Rule {
        self.rule().unwrap_or_else(|| self.completed(Rule::exact()))
    }

    fn completed(&self, rule: Rule) -> Rule {
        let rule = rule.outliers(self.outliers.unwrap_or(0)).nan(self.nan.unwrap_or_default());
        self.denormals.map_or(rule, |denormals| rule.denormals(denormals))
    }
}
