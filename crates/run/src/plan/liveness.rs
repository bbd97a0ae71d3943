//! Passes whose results nothing reads in the same step or the next: only their last run can be
//! seen.

use crate::plan::ir::{Plan, ReadFrom};

/// Tells the passes of which neither a later one nor the next step reads what they write.
pub(crate) fn with_last_passes(mut plan: Plan) -> Plan {
    for index in 0..plan.passes.len() {
        let (before, after) = plan.passes.split_at_mut(index + 1);
        let Some(pass) = before.last_mut() else { continue };
        let mut own = plan.outputs[pass.outputs.clone()].iter();
        let feeds = own.any(|output| output.becomes.is_some() || output.keeps);
        let is_own =
            |from: &ReadFrom| matches!(from, ReadFrom::Output(at) if pass.outputs.contains(at));
        let is_read = after.iter().any(|later| later.all_reads().any(|(_, from)| is_own(from)));
        pass.is_last = !feeds && !is_read;
    }
    plan
}
