//! Work groups whose invocations load another number of texels at a time, as they may be tuned.

use super::check_widest;
use crate::common::{Flavour, on};
use quadrille::Extent;
use quadrille::stream::choice::Entry;
use quadrille::stream::reduce::Reducer;

/// Fewer rows than an invocation loads at a time, and rows that are left over.
#[test]
fn tuned_loads_agree_with_double_precision() {
    on(&[Flavour::Gl], |context| {
        if context.abilities().compute.is_none() {
            return crate::common::not_tested("no compute shaders");
        }
        for choice in ["compute 8x8 loads=2", "compute 8x8 loads=8"] {
            let entry = Entry::new(512, choice, 1.0);
            context.use_tuned("reduce", vec![entry]);
            let reducer = Reducer::new(context);
            assert_eq!(reducer.choice(), choice);
            for (width, height) in [(1, 1), (17, 257), (1, 4100)] {
                check_widest(&reducer, context, Extent::new(width, height), 13);
            }
        }
    });
}
