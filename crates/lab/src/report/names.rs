//! The names of things in reports.

use quadrille::shader::Reads;

pub(crate) use quadrille_vp::internal::named_enum;

pub fn reads_name(reads: Reads) -> &'static str {
    match reads {
        Reads::Fetch => "fetch",
        Reads::Sample => "sample",
    }
}
