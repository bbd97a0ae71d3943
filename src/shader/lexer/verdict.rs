//! Yes, no, and what only a driver knows.

/// The answer to a condition, which only the driver may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    No,
    Maybe,
    Yes,
}

impl Verdict {
    pub(super) fn of(holds: bool) -> Verdict {
        if holds { Verdict::Yes } else { Verdict::No }
    }

    pub(super) fn not(self) -> Verdict {
        match self {
            Verdict::No => Verdict::Yes,
            Verdict::Maybe => Verdict::Maybe,
            Verdict::Yes => Verdict::No,
        }
    }
}
