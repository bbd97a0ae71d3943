//! The load of other programs on the processors: the time they take is missing in every measured
//! time.

use std::fs::read_to_string;

/// Counts of the kernel at some moment, all in its ticks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticks {
    /// The ticks of all processors, at work or idle.
    all: u64,
    /// The ticks at work for any process.
    busy: u64,
    /// The ticks at work for this process.
    own: u64,
}

impl Ticks {
    /// The ticks now; `None` where the system does not report them.
    pub(crate) fn now() -> Option<Ticks> {
        Ticks::read(&read_to_string("/proc/stat").ok()?, &read_to_string("/proc/self/stat").ok()?)
    }

    /// Reads the ticks from the texts of `/proc/stat` and `/proc/self/stat` (proc_stat(5),
    /// proc_pid_stat(5)).
    fn read(system: &str, own: &str) -> Option<Ticks> {
        let numbers = |text: &str| -> Vec<u64> {
            text.split_whitespace().map_while(|word| word.parse().ok()).collect()
        };
        let counts = numbers(system.lines().next()?.strip_prefix("cpu")?);
        let [user, nice, kernel, idle, wait, interrupts, soft, ..] = counts[..] else {
            return None;
        };
        // What a virtual machine's host gave to others.
        let stolen = counts.get(7).copied().unwrap_or_default();
        let busy = user + nice + kernel + interrupts + soft + stolen;
        // The name, in brackets, may have spaces. Times are the fields 14 and 15 of the line.
        let fields: Vec<&str> = own.rsplit_once(')')?.1.split_whitespace().collect();
        let own = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        Some(Ticks { all: busy + idle + wait, busy, own })
    }

    /// The part of all processors' time since then that other programs had.
    pub(super) fn share_of_others_since(self, then: Ticks) -> f64 {
        let [all, busy, own] = [self.all - then.all, self.busy - then.busy, self.own - then.own];
        busy.saturating_sub(own) as f64 / all.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "7 (a b) c) R 1 1 1 0 -1 4194304 100 0 0 0 30 10 0 0 20 0 3 0 1 1 1";

    #[test]
    fn others_are_what_is_busy_and_not_our_own() {
        let at = |user: u64, idle: u64, own: u64| {
            let own = OWN.replace(" 30 10 ", &format!(" {own} 10 "));
            Ticks::read(&format!("cpu  {user} 1 20 {idle} 5 0 4 9 0 0\ncpu0 1 2"), &own).unwrap()
        };
        let (then, now) = (at(100, 1000, 30), at(180, 1020, 60));
        assert_eq!(now.share_of_others_since(then), 0.5);
        assert_eq!(at(130, 1070, 60).share_of_others_since(then), 0.0);
        let of_host = |stolen| Ticks::read(&format!("cpu 1 0 0 50 0 0 0 {stolen}"), OWN).unwrap();
        assert_eq!(of_host(50).share_of_others_since(of_host(0)), 1.0);
        assert!(Ticks::read("", OWN).is_none() && Ticks::read("cpu 1 2 3 4 5 6 7", "7").is_none());
    }

    #[test]
    fn work_of_this_process_is_its_own() {
        let Some(then) = Ticks::now() else { return };
        let begun = std::time::Instant::now();
        while begun.elapsed().as_millis() < 50 {
            std::hint::black_box(());
        }
        let now = Ticks::now().unwrap();
        assert!(now.own > then.own && now.busy >= now.own - then.own);
        assert!((0.0..=1.0).contains(&now.share_of_others_since(then)));
    }
}
