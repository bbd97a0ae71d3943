//! The finding about a statement of a paper: its kind, its place, and the verdict.

use super::names::named_enum;
use serde::{Deserialize, Serialize};

use super::super::numbers::short;
use super::Document;

/// A statement of a paper, and what this device says of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The name by which it can be cited: `matmul-2004-3`.
    pub id: String,
    pub document: Document,
    pub kind: Kind,
    /// The place in the paper: a slide, a section, a table.
    pub place: String,
    pub quotation: String,
    pub claim: String,
    /// The measurement here, with its numbers, or why there is none.
    pub measured: String,
    /// The number that decided; `None` where nothing was measured, and for a statement.
    pub estimate: Option<Estimate>,
    pub verdict: Verdict,
    /// The distance of the number from the limit; `None` where nothing was measured, and for a
    /// statement.
    pub stability: Option<Stability>,
    /// The name of the table or figure that shows it, if one does.
    pub evidence: Option<String>,
    /// The meaning of the verdict where a CPU renders, if the statement is about a GPU's units.
    pub on_cpu: Option<String>,
    /// The measured answer, so that it can be judged together with those of other passes.
    #[serde(skip)]
    pub answer: Option<Answer>,
    /// Whether another pass of the same study may decide it.
    #[serde(skip)]
    pub is_open: bool,
}

/// The answer of a study: a sentence with its numbers, and the estimates that are compared with the
/// limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub words: String,
    pub estimates: Vec<Estimate>,
}

impl Answer {
    pub fn of(words: impl Into<String>, estimate: Estimate) -> Answer {
        Answer::of_all(words, vec![estimate])
    }

    pub fn of_all(words: impl Into<String>, estimates: Vec<Estimate>) -> Answer {
        Answer { words: words.into(), estimates }
    }

    /// Whether other programs on the machine may have changed it.
    pub fn is_of_times(&self) -> bool {
        self.estimates.iter().any(|estimate| estimate.basis != Basis::Counted)
    }
}

/// The kinds of statements. They are counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A statement that is right or wrong without a measurement: by arithmetic, a specification, or
    /// a program's text.
    Erratum,
    /// A description of a design, which works, or holds, on this device or not.
    DesignStatement,
    /// A claim about a device: a measurement may confirm or contradict it.
    Measurement,
    /// A question that the paper asks and a measurement answers.
    Question,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    pub value: f64,
    /// The part of itself by which another run may differ, either way.
    pub scatter: f64,
    #[serde(skip)]
    pub basis: Basis,
}

/// What a number was made of: how it may be judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// Computed or counted numbers: other programs and further passes do not change them.
    #[default]
    Counted,
    /// Times or rates; those of a problem have its size.
    Times(Option<usize>),
    /// Times of problems of different sizes: they say how a time grows, and nothing else.
    Sizes,
}

impl Basis {
    /// The basis of a number that is made of two.
    pub fn and(self, other: Basis) -> Basis {
        match (self, other) {
            (Basis::Counted, basis) | (basis, Basis::Counted) => basis,
            (Basis::Times(None), basis) | (basis, Basis::Times(None)) => basis,
            (one, other) if one == other => one,
            _ => Basis::Sizes,
        }
    }
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&short(self.value))
    }
}

named_enum! {
    /// The distance of a number from the limit that decides, in units of its scatter.
    #[derive(Serialize, Deserialize)]
    pub enum Stability {
        /// Three times its scatter or more.
        #[serde(rename = "robust")]
        Robust => "robust",
        /// More than its scatter: a run under other conditions may not decide it.
        #[serde(rename = "near the limit")]
        NearTheLimit => "near the limit",
        /// Within its scatter.
        #[serde(rename = "undecided")]
        Undecided => "undecided",
    }
}

impl Finding {
    /// The verdict in a word that fits the kind: only a measurement of a claim confirms or
    /// contradicts.
    pub fn word(&self) -> &'static str {
        match (self.kind, self.verdict) {
            (Kind::Measurement, verdict) => verdict.name(),
            (Kind::Question, Verdict::Confirmed) => "answer: yes",
            (Kind::Question, Verdict::Contradicted) => "answer: no",
            (Kind::Question, Verdict::NotMeasurable) => "no answer",
            (_, Verdict::NotMeasurable) => "not checked",
            (Kind::Erratum, Verdict::Confirmed) => "right",
            (Kind::Erratum, Verdict::Contradicted) => "wrong",
            (Kind::DesignStatement, Verdict::Confirmed) => "shown",
            (Kind::DesignStatement, Verdict::Contradicted) => "not so",
        }
    }
}

named_enum! {
    /// The verdict of a measurement on a claim. Of an erratum and of a design statement: whether it
    /// is right.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Verdict {
        Confirmed => "confirmed",
        Contradicted => "contradicted",
        /// Not decided by this device; [`Finding::measured`] says why.
        #[serde(rename = "not measurable")]
        NotMeasurable => "not measurable",
    }
}

impl Verdict {
    pub fn of(holds: bool) -> Verdict {
        if holds { Verdict::Confirmed } else { Verdict::Contradicted }
    }
}
