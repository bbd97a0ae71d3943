//! The six kinds of function: one, two or three vectors to a vector or to a scalar.

/// The kind of a function: the vectors that it reads, and whether it returns a vector or a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // Said above.
#[non_exhaustive]
pub enum Semantics {
    VToV,
    VvToV,
    VvvToV,
    VToS,
    VvToS,
    VvvToS,
}

impl Semantics {
    /// All semantics.
    pub const ALL: [Semantics; 6] = [
        Semantics::VToV,
        Semantics::VvToV,
        Semantics::VvvToV,
        Semantics::VToS,
        Semantics::VvToS,
        Semantics::VvvToS,
    ];

    /// The most quads of a vector that an invocation reads.
    pub(crate) const MOST_QUADS: usize = 15;

    /// Returns the semantics for a number of vectors, 1 to 3; none for other numbers.
    pub fn of(vectors: usize, to_scalar: bool) -> Option<Semantics> {
        let all = Semantics::ALL;
        all.into_iter().find(|s| s.vectors() == vectors && s.is_to_scalar() == to_scalar)
    }

    /// Returns the number of vectors that it reads.
    pub fn vectors(self) -> usize {
        match self {
            Semantics::VToV | Semantics::VToS => 1,
            Semantics::VvToV | Semantics::VvToS => 2,
            Semantics::VvvToV | Semantics::VvvToS => 3,
        }
    }

    /// Returns whether the results of all invocations are summed to one number.
    pub fn is_to_scalar(self) -> bool {
        matches!(self, Semantics::VToS | Semantics::VvToS | Semantics::VvvToS)
    }

    /// Returns how many quads of each vector one invocation reads. To a vector: one. To a scalar:
    /// as many as the 15 inputs hold: 15, or 7 and 7, or 5 and 5 and 5.
    pub fn quads(self) -> usize {
        if self.is_to_scalar() { Semantics::MOST_QUADS / self.vectors() } else { 1 }
    }

    /// Returns the input register that holds a quad of a vector, both counted from 0: the first
    /// vector's quads are in v\[1\] and up, then the second's.
    pub fn register(self, vector: usize, quad: usize) -> usize {
        1 + vector * self.quads() + quad
    }

    /// Returns the number of input registers in use: v\[1\] to this one.
    pub fn inputs(self) -> usize {
        self.vectors() * self.quads()
    }

    /// Returns how many elements of a vector one invocation reads.
    pub fn elements(self) -> usize {
        4 * self.quads()
    }

    /// Returns the invocations for vectors of a length: ceil(n / 4) to a vector, ceil(n / 60) from
    /// one vector to a scalar. (The paper writes ceil(n / 15), which counts quads.)
    pub fn invocations(self, length: usize) -> usize {
        length.div_ceil(self.elements())
    }
}

impl std::fmt::Display for Semantics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Semantics::VToV => "v -> v",
            Semantics::VvToV => "[v, v] -> v",
            Semantics::VvvToV => "[v, v, v] -> v",
            Semantics::VToS => "v -> s",
            Semantics::VvToS => "[v, v] -> s",
            Semantics::VvvToS => "[v, v, v] -> s",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Semantics;

    #[test]
    fn fifteen_quads_are_shared() {
        let inputs = Semantics::ALL.map(Semantics::inputs);
        assert_eq!(inputs, [1, 2, 3, 15, 14, 15]);
        assert_eq!(Semantics::VvToS.register(1, 0), 8);
        assert_eq!(Semantics::VvvToS.register(2, 4), 15);
        assert_eq!(Semantics::VToS.invocations(60), 1);
        assert_eq!(Semantics::VToS.invocations(61), 2);
        assert_eq!(Semantics::VToV.invocations(5), 2);
        assert_eq!(Semantics::VToV.invocations(0), 0);
    }
}
