//! All tests on all places, several at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use quadrille_lab::testing::{Answer, Conditions, Ended, Entry, Verdict};

use super::super::output::quoted;
use super::super::prelude::*;
use super::arguments::Arguments;
use super::asked::Asked;
use super::child;
use super::find::Named;
use super::places::Place;

/// Every test on every place that it is for, in the order of the tests.
pub(super) fn all(
    arguments: &Arguments,
    tests: &[Named],
    places: &[Place],
) -> anyhow::Result<Vec<Entry>> {
    let is_for = |named: &Named, place: &Place| {
        let apis = arguments.apis().unwrap_or(&named.test.apis);
        // Expectations are those of one context.
        let apis = if arguments.bless { &apis[..1] } else { apis };
        apis.contains(&place.asked.api)
    };
    let pairs = tests.iter().flat_map(|named| places.iter().map(move |place| (named, place)));
    let pairs: Vec<(&Named, &Place)> =
        pairs.filter(|(named, place)| is_for(named, place)).collect();
    let bar = ProgressBar::new(pairs.len() as u64).with_style(style());
    let work = |(named, place): &(&Named, &Place)| {
        let entry = one(named, place, arguments);
        bar.inc(1);
        entry
    };
    let entries = in_parallel(arguments.jobs(), &pairs, work);
    bar.finish_and_clear();
    let entries: Vec<Option<Entry>> = entries.into_iter().collect::<anyhow::Result<_>>()?;
    let count = entries.iter().flatten().count();
    match entries.into_iter().collect() {
        Some(entries) => Ok(entries),
        None => {
            let rest = format!(" after {count} of {} tests", pairs.len());
            Err(interrupt::stopped(rest).into())
        }
    }
}

fn style() -> ProgressStyle {
    let style = ProgressStyle::with_template("{bar:20} {pos}/{len} tests, {elapsed}");
    style.unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Works at so many items at a time; the results are in the order of the items.
fn in_parallel<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        while let index = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(index)
        {
            done.push((index, work(item)));
        }
        done
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.min(items.len())).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// One test in one place; none if Ctrl-C ended it.
fn one(named: &Named, place: &Place, arguments: &Arguments) -> anyhow::Result<Option<Entry>> {
    if interrupt::pressed() {
        return Ok(None);
    }
    let test = &named.test;
    let begun = Instant::now();
    let (device, ended) = match &place.device {
        Ok(device) => {
            let limit = arguments.timeout.unwrap_or(test.timeout);
            let ended = child::run(&place.asked, &arguments.of_child(&test.path), limit)?;
            (device.clone(), ended)
        }
        Err(why) => (String::new(), Some(Ended::Answered(no_context(why)))),
    };
    let Some(ended) = ended else { return Ok(None) };
    let conditions = Conditions {
        device,
        api: place.asked.api_name(),
        took: begun.elapsed(),
        command: command(&test.path, &place.asked),
    };
    let mut test = test.clone();
    if arguments.bless {
        // What is expected from now on cannot be known to fail.
        test.known.clear();
    }
    Ok(Some(Entry::judged(named.name.clone(), &test, conditions, ended)))
}

fn no_context(why: &str) -> Answer {
    let reasons = vec![format!("there is no context: {why}")];
    Answer::without_numbers(Verdict::Skip, reasons)
}

/// The command that runs a test alone.
fn command(path: &Path, asked: &Asked) -> String {
    let driver = if asked.softpipe { "GALLIUM_DRIVER=softpipe " } else { "" };
    let device = asked.selector.as_ref().map(|selector| format!(" --device {}", quoted(selector)));
    format!(
        "{driver}quadrille test {}{} --api {}",
        quoted(&path.display().to_string()),
        device.unwrap_or_default(),
        asked.api_name()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::shader::Api;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        for jobs in [1, 3, 200] {
            let squares = in_parallel(jobs, &items, |item| item * item);
            assert_eq!(squares, items.iter().map(|item| item * item).collect::<Vec<_>>());
        }
        assert!(in_parallel(4, &[0_u8; 0], |_| ()).is_empty());
    }

    #[test]
    fn a_command_repeats_the_test_where_it_failed() {
        let mut asked = Asked { selector: None, api: Api::Gl, softpipe: false };
        let path = Path::new("a b.test.toml");
        assert_eq!(command(path, &asked), "quadrille test 'a b.test.toml' --api gl");
        asked = Asked { selector: Some("softpipe".into()), api: Api::Gles, softpipe: true };
        let softpipe =
            "GALLIUM_DRIVER=softpipe quadrille test x.test.toml --device softpipe --api gles";
        assert_eq!(command(Path::new("x.test.toml"), &asked), softpipe);
    }
}
