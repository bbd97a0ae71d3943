//! The ways to read a texel, by name.

use std::str::FromStr;

use super::Reads;
use crate::shader::error::Error;

impl FromStr for Reads {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "fetch" => Ok(Reads::Fetch),
            "sample" => Ok(Reads::Sample),
            other => Err(Error::UnknownReads { got: other.to_owned() }),
        }
    }
}
