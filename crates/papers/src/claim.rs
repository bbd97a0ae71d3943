//! Claims as data, and the one judge of all of them.
//!
//! A measured claim has a limit, and what a study measured is an [`Estimate`] with its scatter:
//! [`judge`] compares the two. What cannot come out otherwise, an erratum or a description of a
//! design, has no limit and is no measurement: [`check`] says whether it is right.

mod judge;

pub(super) use quadrille_lab::report::Answer;
use quadrille_lab::report::Document;
pub(super) use quadrille_lab::report::estimate::{
    Timing, counted, of_peak, of_peaks, paired, rated, sampled_pairs, timed,
};
pub(super) use quadrille_lab::report::limit::{Limit, about, at_least, at_most, between};

pub(super) use self::judge::{AnswerOrReason, check, judge, judge_passes};

/// A statement of a paper. `Claim` is one that a device may confirm or contradict;
/// `Claim<Statement>` is not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim<K = Limit> {
    /// The name by which it can be cited: `matmul-2004-3`, in the paper's order but for claims that
    /// were added later.
    pub(super) id: &'static str,
    pub(super) document: Document,
    pub(super) place: &'static str,
    /// The quotation: at most two lines, as printed; line breaks are spaces.
    pub(super) quotation: &'static str,
    pub(super) claim: &'static str,
    /// The limit of a measurement, or the kind of statement.
    pub(super) kind: K,
    /// The name of the table or figure that shows it.
    pub(super) evidence: Option<&'static str>,
    /// The meaning of the verdict on a renderer that is a CPU, for a claim about a GPU's units.
    pub(super) on_cpu: Option<&'static str>,
}

/// A statement that no measurement decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statement {
    /// Right or wrong by arithmetic, a specification, or its program's text.
    Erratum,
    /// A statement about a design: it works, or holds, on this device or not, without a number that
    /// could scatter.
    Design,
}

impl<K: Copy> Claim<K> {
    pub(super) const fn new(
        document: Document,
        id: &'static str,
        place: &'static str,
        kind: K,
    ) -> Claim<K> {
        let (quotation, claim) = ("", "");
        Claim { id, document, place, quotation, claim, kind, evidence: None, on_cpu: None }
    }

    pub(super) const fn quoting(self, quotation: &'static str) -> Claim<K> {
        Claim { quotation, ..self }
    }

    pub(super) const fn claiming(self, claim: &'static str) -> Claim<K> {
        Claim { claim, ..self }
    }

    pub(super) const fn shown_in(self, evidence: Option<&'static str>) -> Claim<K> {
        Claim { evidence, ..self }
    }

    pub(super) const fn on_a_cpu(self, on_cpu: Option<&'static str>) -> Claim<K> {
        Claim { on_cpu, ..self }
    }
}

/// Constants, and the list of all of them: none can be left out of it.
macro_rules! claims {
    ($(#[$list_attribute:meta])* $list:ident: $claim:ty; $($name:ident = $value:expr;)*) => {
        $(pub(crate) const $name: $claim = $value;)*
        $(#[$list_attribute])*
        pub(crate) const $list: &[$claim] = &[$($name),*];
    };
}
pub(super) use claims;
