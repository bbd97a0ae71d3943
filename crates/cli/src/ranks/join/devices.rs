//! The devices of the ranks.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use quadrille::Context;
use quadrille::cluster::{Communicator, Error, collective};

/// The device of each rank, in the order of their numbers.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Devices(Vec<Device>);

/// The device of a rank.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Device {
    host: String,
    /// The index in the host's list of devices.
    index: Option<usize>,
    renderer: String,
    software: bool,
}

impl Devices {
    /// Gathers the devices of all ranks, of which this process has one.
    pub(crate) fn gather(ranks: &dyn Communicator, context: &Context) -> Result<Devices, Error> {
        let abilities = context.abilities();
        let device = Device {
            host: host(),
            index: context.device().map(|device| device.index),
            renderer: abilities.renderer.clone(),
            software: abilities.software,
        };
        let text = serde_json::to_string(&device).unwrap_or_default();
        let all = collective::texts(ranks, &[text])?;
        // Each text was made from such a value.
        Ok(Devices(all.iter().filter_map(|text| serde_json::from_str(text).ok()).collect()))
    }

    /// A line for each kind of device: its ranks, and whether they share it.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut kinds = BTreeMap::<(&str, bool), Vec<usize>>::new();
        for (rank, device) in self.0.iter().enumerate() {
            kinds.entry((&device.renderer, device.software)).or_default().push(rank);
        }
        let line = |((renderer, software), ranks): (&(&str, bool), &Vec<usize>)| {
            let (devices, hosts) = self.places(ranks);
            let kind = if *software { "software" } else { "hardware" };
            let counted = |count, what| match count {
                1 => format!("1 {what}"),
                more => format!("{more} {what}s"),
            };
            format!(
                "{} on {renderer} ({kind}): {} on {}",
                named(ranks),
                counted(devices, "device"),
                counted(hosts, "host")
            )
        };
        kinds.iter().map(line).collect()
    }

    /// Returns the numbers of devices and hosts that these ranks have together.
    fn places(&self, ranks: &[usize]) -> (usize, usize) {
        let of = |rank: &usize| &self.0[*rank];
        let distinct = |mut places: Vec<(&str, Option<usize>)>| {
            places.sort_unstable();
            places.dedup();
            places.len()
        };
        let devices = ranks.iter().map(|rank| (of(rank).host.as_str(), of(rank).index));
        let hosts = ranks.iter().map(|rank| (of(rank).host.as_str(), None));
        (distinct(devices.collect()), distinct(hosts.collect()))
    }
}

/// The computer's name; empty where the system does not report it.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    name.trim().to_owned()
}

/// Rising numbers in a sentence: `ranks 0 to 3 and 6`.
fn named(ranks: &[usize]) -> String {
    let mut runs: Vec<RangeInclusive<usize>> = Vec::new();
    for rank in ranks {
        match runs.last_mut() {
            Some(run) if *run.end() + 1 == *rank => *run = *run.start()..=*rank,
            _ => runs.push(*rank..=*rank),
        }
    }
    let text = |run: &RangeInclusive<usize>| match (*run.start(), *run.end()) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first} to {last}"),
    };
    let texts: Vec<String> = runs.iter().map(text).collect();
    let word = if ranks.len() == 1 { "rank" } else { "ranks" };
    match texts.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!("{word} {} and {last}", others.join(", "))
        }
        _ => format!("{word} {}", texts.concat()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_told_by_the_kind_of_their_devices() {
        let device = |host: &str, index, renderer: &str| Device {
            host: host.into(),
            index: Some(index),
            renderer: renderer.into(),
            software: renderer == "llvmpipe",
        };
        let devices = Devices(vec![
            device("a", 0, "H200"),
            device("a", 1, "H200"),
            device("b", 0, "llvmpipe"),
            device("b", 1, "H200"),
            device("b", 0, "llvmpipe"),
        ]);
        assert_eq!(
            devices.lines(),
            [
                "ranks 0 to 1 and 3 on H200 (hardware): 3 devices on 2 hosts",
                "ranks 2 and 4 on llvmpipe (software): 1 device on 1 host",
            ]
        );
        assert_eq!(named(&[3]), "rank 3");
        assert_eq!(named(&[0, 2, 3, 5]), "ranks 0, 2 to 3 and 5");
    }
}
