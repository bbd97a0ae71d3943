//! Where expected numbers come from.

use serde::{Deserialize, Serialize};

use quadrille::gl::Context;
use quadrille::internal::date::today;

use super::super::{api_text, cpu};

/// The conditions under which expected numbers were computed, which is written beside them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    pub device: String,
    pub api: String,
    /// The driver's version text.
    pub driver: String,
    pub cpu: String,
    pub date: String,
    pub quadrille: String,
}

impl Provenance {
    pub fn here(context: &Context) -> Provenance {
        let abilities = context.abilities();
        Provenance {
            device: abilities.renderer.clone(),
            api: api_text(abilities),
            driver: abilities.version_text.clone(),
            cpu: cpu::name(),
            date: today(),
            quadrille: env!("CARGO_PKG_VERSION").into(),
        }
    }
}
