//! The end of work that was asked to stop and does not come to a safe point: a pass that does not
//! return, or a pipe that nobody reads.

use std::io::{Write, stderr};
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

use super::{SAFE_POINTS, SIGNAL, end, exit_code, system};
use crate::process::launcher::rank;

/// The time without progress after which the work is given up.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time between two looks at the progress.
const LOOK: Duration = Duration::from_millis(100);
/// The time that the message may take: standard error may be what nobody reads.
const TO_SAY: Duration = Duration::from_secs(1);

/// Waits for the work to end, from now on, on a thread of its own.
pub(super) fn begin() {
    if Builder::new().name("patience".into()).spawn(wait).is_err() {
        end(exit_code());
    }
}

fn wait() {
    let (mut known, mut since) = (progress(), Instant::now());
    while since.elapsed() < PATIENCE {
        sleep(LOOK);
        let now = progress();
        // What the disk takes long for goes on as well.
        if now != known || quadrille::internal::io::is_synced() {
            (known, since) = (now, Instant::now());
        }
    }
    give_up()
}

/// The safe points that the work came to, and the bytes that were written.
fn progress() -> (u64, u64) {
    (SAFE_POINTS.load(Ordering::Relaxed), system::bytes_written())
}

fn give_up() -> ! {
    let by = system::name(SIGNAL.load(Ordering::SeqCst));
    let text = format!(
        "error: stopped by {by}: a pass, or the reader of a pipe, did not return for {} s, so that the command ends without its results",
        PATIENCE.as_secs()
    );
    let (said, heard) = channel();
    let say = move || {
        let _ = writeln!(stderr().lock(), "{text}");
        said.send(())
    };
    if rank() == 0 && Builder::new().spawn(say).is_ok() {
        let _ = heard.recv_timeout(TO_SAY);
    }
    end(exit_code())
}
