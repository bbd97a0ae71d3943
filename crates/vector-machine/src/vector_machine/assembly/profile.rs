//! The limits of a program, and its accuracy.

/// The machine that a program is written for. Engines agree within a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// 4096 temporaries and constants, as far as the device has room, and no limit of instructions
    /// but the text's; EXP and LOG at full single precision; results as floats.
    #[default]
    Modern,
    /// The limits of a GeForce4: 12 temporaries, 96 constants, 128 instructions (the framework's
    /// own among them), EXP and LOG within 2^-11, and results that pass through 8-bit pixels.
    Period,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Profile; 2] = [Profile::Modern, Profile::Period];

    /// Returns the name of the profile.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Modern => "modern",
            Profile::Period => "period",
        }
    }

    /// Returns the number of temporary registers.
    pub fn temporaries(self) -> usize {
        match self {
            Profile::Modern => 4096,
            Profile::Period => 12,
        }
    }

    /// Returns the number of constant registers. A modern device may have fewer, which is an error
    /// when the function first runs.
    pub fn constants(self) -> usize {
        match self {
            Profile::Modern => 4096,
            Profile::Period => 96,
        }
    }

    /// Returns the number of instructions, those of the framework included.
    pub fn instructions(self) -> usize {
        match self {
            Profile::Modern => usize::MAX,
            Profile::Period => 128,
        }
    }
}

/// Constants that relative addressing reaches; those beyond read as zeros.
pub const RELATIVE_CONSTANTS: usize = 96;

impl std::fmt::Display for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
