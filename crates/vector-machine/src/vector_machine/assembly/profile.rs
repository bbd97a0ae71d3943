//! The limits of a program, and its accuracy.

use crate::named::named_enum;

named_enum! {
    /// The machine that a program is written for. Engines agree within a profile.
    #[derive(Default, Hash)]
    #[non_exhaustive]
    pub enum Profile: "profile" {
        /// 4096 temporaries and constants, as far as the device has room, and no limit of
        /// instructions but the text's; EXP and LOG at full single precision; results as floats.
        #[default]
        Modern => "modern",
        /// The limits of a GeForce4: 12 temporaries, 96 constants, 128 instructions (the
        /// framework's own among them), EXP and LOG within 2^-11, and results that pass through
        /// 8-bit pixels.
        Period => "period",
    }
}

impl Profile {
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
