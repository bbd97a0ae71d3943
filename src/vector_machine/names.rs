//! Engines and folds by name.

use std::str::FromStr;

use super::{Engine, Error, Fold};

impl FromStr for Engine {
    type Err = Error;

    fn from_str(text: &str) -> Result<Engine, Error> {
        let found = Engine::ALL.into_iter().find(|engine| engine.name() == text);
        found.ok_or_else(|| Error::UnknownEngine { name: text.to_owned() })
    }
}

impl FromStr for Fold {
    type Err = Error;

    fn from_str(text: &str) -> Result<Fold, Error> {
        let found = Fold::ALL.into_iter().find(|fold| fold.name() == text);
        found.ok_or_else(|| Error::UnknownFold { name: text.to_owned() })
    }
}
