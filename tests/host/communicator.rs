//! Messages between ranks of one process. `tests/ranks` has the same for several processes.

use quadrille::cluster::InProcess;

use crate::messages;

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
