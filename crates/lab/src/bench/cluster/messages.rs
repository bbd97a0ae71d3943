//! Measures the times of messages of several lengths between two ranks, and fits a line through
//! them.

use std::time::{Duration, Instant};

use quadrille::cluster::{Communicator, Incoming, Outgoing, collective};

use crate::Result;
use crate::numbers::statistics::Summary;
use crate::report::table;
use crate::report::table::{Column, column, only_json};

/// A length, and how long a message of it takes: half of there and back.
#[derive(Clone, Debug)]
pub struct Message {
    pub bytes: usize,
    pub summary: Summary,
    /// The time by the fitted line.
    pub fitted_us: f64,
    /// Whether what came back is what was sent.
    pub right: bool,
}

/// The time of a message: a latency, and a time for each byte.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub latency_us: f64,
    pub gb_s: f64,
}

const LENGTHS: [usize; 8] = [8, 64, 512, 4 << 10, 64 << 10, 1 << 20, 8 << 20, 64 << 20];
const ROUNDS: usize = 9;
/// A round takes at least about this many bytes, or this many messages.
const BYTES: usize = 4 << 20;
const MOST: usize = 200;

/// Measures messages between the first rank and the last one, which are the farthest apart where
/// ranks are numbered by hosts. The first knows the times.
pub(super) fn measured(ranks: &dyn Communicator) -> Result<Vec<Message>> {
    let mut messages = Vec::new();
    if ranks.size() < 2 {
        return Ok(messages);
    }
    for bytes in LENGTHS {
        let sent: Vec<u8> = (0..bytes).map(|at| (at % 251) as u8).collect();
        let (mut there, mut back) = (vec![0; bytes], vec![0; bytes]);
        let times = (BYTES / bytes).clamp(1, MOST);
        let mut rounds = Vec::new();
        for round in 0..=ROUNDS {
            collective::any(ranks, false)?;
            let begun = Instant::now();
            for _ in 0..times {
                pass(ranks, 0, ranks.size() - 1, &sent, &mut there)?;
                pass(ranks, ranks.size() - 1, 0, &there, &mut back)?;
            }
            // The first round warms up.
            if round > 0 {
                rounds.push(longest(ranks, begun.elapsed())?);
            }
        }
        let right = !ranks.local().contains(&0) || back == sent;
        let right = !collective::any(ranks, !right)?;
        let summary = Summary::of(&rounds, 2 * times as u64);
        messages.push(Message { bytes, summary, fitted_us: 0.0, right });
    }
    if let Some(line) = fit(&messages) {
        messages.iter_mut().for_each(|message| message.fitted_us = line.us(message.bytes as f64));
    }
    Ok(messages)
}

/// Passes a message; ranks of other processes than its two do nothing.
fn pass(
    ranks: &dyn Communicator,
    from: usize,
    to: usize,
    sent: &[u8],
    arrived: &mut [u8],
) -> Result<()> {
    let local = ranks.local();
    let outgoing = [Outgoing { from, to, bytes: sent }];
    let mut incoming = [Incoming { from, to, bytes: arrived }];
    let outgoing = if local.contains(&from) { &outgoing[..] } else { &[] };
    let incoming = if local.contains(&to) { &mut incoming[..] } else { &mut [] };
    Ok(ranks.exchange(outgoing, incoming)?)
}

/// The longest time of all ranks.
pub(super) fn longest(ranks: &dyn Communicator, time: Duration) -> Result<Duration> {
    let local = vec![time.as_secs_f64(); ranks.local().len()];
    Ok(Duration::from_secs_f64(collective::largest(ranks, &local)?.max(0.0)))
}

impl Line {
    pub fn us(&self, bytes: f64) -> f64 {
        self.latency_us + bytes / (1e3 * self.gb_s)
    }
}

/// The line with the least squares of relative errors: each length counts alike. None where times
/// do not grow with the length.
pub(super) fn fit(messages: &[Message]) -> Option<Line> {
    // Weights 1 / t^2 of t = l + s b.
    let [mut w, mut wb, mut wbb, mut wt, mut wbt] = [0.0; 5];
    for message in messages.iter().filter(|message| message.summary.median_ms > 0.0) {
        let (t, b) = (1e3 * message.summary.median_ms, message.bytes as f64);
        let weight = 1.0 / (t * t);
        w += weight;
        wb += weight * b;
        wbb += weight * b * b;
        wt += weight * t;
        wbt += weight * b * t;
    }
    let determinant = w * wbb - wb * wb;
    let (slope, latency) = ((w * wbt - wb * wt) / determinant, (wbb * wt - wb * wbt) / determinant);
    let is_right = slope.is_finite() && slope > 0.0 && latency.is_finite();
    is_right.then(|| Line { latency_us: latency.max(0.0), gb_s: 1e-3 / slope })
}

impl Message {
    pub fn columns() -> Vec<Column<Message>> {
        vec![
            column("bytes", "message", "bytes", |row: &Message| row.bytes.into()),
            column("time_us", "time", "us", |row| (1e3 * row.summary.median_ms).into()),
            column("spread_percent", "spread", "%", |row| row.summary.spread_percent().into()),
            column("gb_s", "rate", "GB/s", |row| {
                (row.bytes as f64 / (1e6 * row.summary.median_ms)).into()
            }),
            column("fitted_us", "fitted", "us", |row| row.fitted_us.into()),
            only_json("right", |row| row.right.into()),
            table::only_text("", "", |row| table::wrong(row.right)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::cluster::InProcess;

    #[test]
    fn a_line_is_found_again() {
        let line = Line { latency_us: 2.5, gb_s: 5.0 };
        let message = |bytes: &usize| Message {
            bytes: *bytes,
            summary: Summary::still(1e-3 * line.us(*bytes as f64)),
            fitted_us: 0.0,
            right: true,
        };
        let messages: Vec<Message> = LENGTHS.iter().map(message).collect();
        let found = fit(&messages).unwrap();
        assert!((found.latency_us - 2.5).abs() < 1e-9 && (found.gb_s - 5.0).abs() < 1e-9);
        assert_eq!(fit(&messages[..1]), None);
        assert_eq!(fit(&[]), None);
    }

    #[test]
    fn messages_come_back_as_they_were() {
        let ranks = InProcess::new(2);
        let mut arrived = [0; 3];
        pass(&ranks, 1, 0, &[1, 2, 3], &mut arrived).unwrap();
        assert_eq!(arrived, [1, 2, 3]);
        assert!(measured(&InProcess::new(1)).unwrap().is_empty());
    }
}
