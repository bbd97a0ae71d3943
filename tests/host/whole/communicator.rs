//! Messages between ranks of one process. `tests/ranks` has the same for several processes.

use quadrille::cluster::InProcess;

use crate::{messages, shared_files};

#[test]
fn ranks_of_a_process_pass_what_every_communicator_must() {
    for size in [1, 2, 3, 4, 6] {
        let ranks = InProcess::new(size);
        messages::all_to_all(&ranks);
        messages::rings(&ranks);
        messages::known_to_all(&ranks);
        messages::refused(&ranks);
    }
}

#[test]
fn ranks_of_a_process_write_and_read_files_together() {
    for size in [1, 2, 6] {
        let ranks = InProcess::new(size);
        shared_files::checkpoints(&ranks);
        shared_files::failing_checkpoints(&ranks);
        shared_files::arrays(&ranks);
    }
}
