//! The numeric card.

mod accuracy;
mod arguments;
mod engine;
mod operations;
mod rules;
mod units;

pub use accuracy::Accuracy;
pub use engine::Engine;

use crate::gl::Context;
use crate::measure::Error;

/// temp
pub fn temp(context: &Context) -> Result<Vec<Accuracy>, Error> {
    let mut rows = Vec::new();
    for engine in Engine::all(context) {
        let start = std::time::Instant::now();
        for operation in operations::Operation::all() {
            if operation.new && !context.abilities().precise { continue; }
            rows.extend(accuracy::measure(context, engine, &operation, 1)?);
        }
        eprintln!("{engine:?} {:?}", start.elapsed());
    }
    Ok(rows)
}
