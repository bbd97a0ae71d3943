//! What a test expects of an output.

use std::path::PathBuf;

use crate::io::description;
use quadrille::{Place, Rectangle};

use super::error::Error;
use super::{Literal, is_part};
use quadrille::testing::{Denormals, Nan, Rule, Tolerance};

/// What an output must be.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Expectation {
    /// The name of the output.
    pub output: String,
    /// Where the description says so.
    pub place: Place,
    /// The part of the output; all of it unless told.
    pub at: Option<Rectangle>,
    /// What holds on every device.
    pub general: Part,
    /// What holds instead where the device's name contains a text; the first that does counts.
    pub devices: Vec<(String, Part)>,
}

/// What a table of an expectation says; for a device, what is not said is as in general.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Part {
    /// What the numbers must be.
    pub claim: Option<Claim>,
    /// How far they may be from it.
    pub tolerance: Option<Tolerance>,
    /// The texels that may miss.
    pub outliers: Option<usize>,
    /// What NaN counts as.
    pub nan: Option<Nan>,
    /// What subnormal floats count as.
    pub denormals: Option<Denormals>,
}

/// What the numbers of an output must be.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Claim {
    /// Those of a file.
    Equals(PathBuf),
    /// Those of the description.
    Values(Literal),
    /// All texels are this one.
    All(Literal),
    /// Those that another shader computes from the same inputs.
    Twin(PathBuf),
    /// No number is NaN or infinite.
    Finite,
    /// No number is less than the first or more than the second.
    Inside(f64, f64),
}

impl Claim {
    /// The key of the description.
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
    /// The error that this expectation does not fit the shader.
    pub(in super::super) fn unfit(&self, reason: String) -> Error {
        description::Error::Unfit { place: self.place.clone(), reason }.into()
    }

    /// What is expected on a device of this name.
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
    /// The rule of a comparison; none where no tolerance is stated.
    pub fn rule(&self) -> Option<Rule> {
        Some(self.completed(Rule::within(self.tolerance?)))
    }

    /// The rule of a comparison of integers: exact unless stated.
    pub fn rule_of_integers(&self) -> Rule {
        self.rule().unwrap_or_else(|| self.completed(Rule::exact()))
    }

    fn completed(&self, rule: Rule) -> Rule {
        let rule = rule.outliers(self.outliers.unwrap_or(0)).nan(self.nan.unwrap_or_default());
        self.denormals.map_or(rule, |denormals| rule.denormals(denormals))
    }
}
