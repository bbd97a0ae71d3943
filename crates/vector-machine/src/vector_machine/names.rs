//! Engines, folds and profiles by name.

use std::str::FromStr;

use super::{Error, Fold, Processor, Profile, Result};

impl FromStr for Processor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Processor> {
        let found = Processor::ALL.into_iter().find(|engine| engine.name() == text);
        found.ok_or_else(|| Error::UnknownEngine { name: text.to_owned() })
    }
}

impl FromStr for Fold {
    type Err = Error;

    fn from_str(text: &str) -> Result<Fold> {
        let found = Fold::ALL.into_iter().find(|fold| fold.name() == text);
        found.ok_or_else(|| Error::UnknownFold { name: text.to_owned() })
    }
}

impl FromStr for Profile {
    type Err = Error;

    fn from_str(text: &str) -> Result<Profile> {
        let found = Profile::ALL.into_iter().find(|profile| profile.name() == text);
        found.ok_or_else(|| Error::UnknownProfile { name: text.to_owned() })
    }
}
