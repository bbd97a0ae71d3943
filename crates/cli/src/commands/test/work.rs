//! All tests on all places, several at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use quadrille::shader::Api;
use quadrille_run::testing::TestFile;
use quadrille_run::testing::outcome::{Answer, Case, Conditions, Outcome, Termination};

use super::arguments::Arguments;
use super::child;
use super::find::Named;
use super::places::Place;
use super::rights::{Rights, advised};
use super::selection::Selection;
use crate::output::quoted;
use crate::prelude::*;

/// Every test on every place that it is for, in the order of the tests.
pub(super) fn all(
    arguments: &Arguments,
    tests: &[Named],
    places: &[Place],
) -> anyhow::Result<Vec<Case>> {
    let is_for = |test: &TestFile, place: &Place| {
        let apis = arguments.apis().unwrap_or(&test.apis);
        // Expectations are those of one context.
        let apis = if arguments.bless { &apis[..1] } else { apis };
        apis.contains(&place.selection.api)
    };
    let places_of = |named: &Named| -> Vec<Option<&Place>> {
        match &named.test {
            Ok(test) => places.iter().filter(|place| is_for(test, place)).map(Some).collect(),
            // What is wrong everywhere is said once.
            Err(_) => vec![places.first()],
        }
    };
    let pairs =
        tests.iter().flat_map(|named| places_of(named).into_iter().map(move |p| (named, p)));
    let pairs: Vec<(&Named, Option<&Place>)> = pairs.collect();
    let bar = ProgressBar::new(pairs.len() as u64).with_style(style());
    let work = |(named, place): &(&Named, Option<&Place>)| {
        let case = one(named, *place, arguments);
        bar.inc(1);
        case
    };
    let cases = in_parallel(arguments.jobs(), &pairs, work);
    bar.finish_and_clear();
    let cases: Vec<Option<Case>> = cases.into_iter().collect::<anyhow::Result<_>>()?;
    let count = cases.iter().flatten().count();
    match cases.into_iter().collect() {
        Some(cases) => Ok(cases),
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

/// Works at `jobs` items at a time; the results are in the order of the items.
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

/// One test in one place, which what cannot be read does not need; `None` if Ctrl-C ended it.
fn one(
    named: &Named,
    place: Option<&Place>,
    arguments: &Arguments,
) -> anyhow::Result<Option<Case>> {
    if interrupt::pressed() {
        return Ok(None);
    }
    let begun = Instant::now();
    let Some(ended) = ended(named, place, arguments)? else { return Ok(None) };
    let device = place.and_then(|place| place.device.clone().ok()).unwrap_or_default();
    let known = named.test.as_ref().ok().and_then(|test| test.known_on(&device));
    let conditions = Conditions {
        api: place.map_or(Selection::name_of(Api::Gl), |place| place.selection.api_name()),
        took: begun.elapsed(),
        command: command(named, place.map(|place| &place.selection), arguments.timeout),
        known: known.cloned(),
        device,
    };
    Ok(Some(Case::judged(named.name.clone(), conditions, ended)))
}

/// The end of one test in one place.
fn ended(
    named: &Named,
    place: Option<&Place>,
    arguments: &Arguments,
) -> anyhow::Result<Option<Termination>> {
    let answered = |answer| Ok(Some(Termination::Answered(answer)));
    match (&named.test, place) {
        (Err(error), _) => {
            answered(Answer::bad(advised(error.to_string(), error)).at(error.place()))
        }
        (_, None) => answered(no_context("no device was asked for")),
        (Ok(test), Some(place)) => match &place.device {
            Err(why) => answered(no_context(why)),
            Ok(_) => {
                let limit = arguments.timeout.unwrap_or(test.timeout);
                let words = arguments.of_child(&named.path, &named.rights);
                child::run(&place.selection, &words, limit)
            }
        },
    }
}

fn no_context(why: &str) -> Answer {
    let reasons = vec![format!("there is no context: {why}")];
    Answer::without_numbers(Outcome::Skip, reasons)
}

/// The command that runs a test alone, with the driver, the time limit and the rights that it had.
fn command(named: &Named, selection: Option<&Selection>, timeout: Option<Duration>) -> String {
    again(&named.path, selection, timeout, &named.rights)
}

fn again(
    path: &Path,
    selection: Option<&Selection>,
    timeout: Option<Duration>,
    rights: &Rights,
) -> String {
    let mut words =
        vec!["quadrille".to_owned(), "test".into(), quoted(&path.display().to_string())];
    words.extend(rights.words(path).map(|word| quoted(&word.to_string_lossy())));
    if let Some(selection) = selection {
        if let Some(driver) = selection.driver() {
            words.insert(0, format!("GALLIUM_DRIVER={}", quoted(&driver)));
        }
        if let Some(selector) = &selection.selector {
            words.extend(["--device".into(), quoted(selector)]);
        }
        words.extend(["--api".into(), selection.api_name().into()]);
    }
    if let Some(timeout) = timeout {
        words.extend(["--timeout".into(), timeout.as_secs_f64().to_string()]);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let path = Path::new("a b.test.toml");
        assert_eq!(again(path, None, None, &Rights::default()), "quadrille test 'a b.test.toml'");
        let selection =
            Selection { selector: Some("softpipe".into()), api: Api::Gles, softpipe: true };
        let softpipe = "GALLIUM_DRIVER=softpipe quadrille test x.test.toml --device softpipe --api gles --timeout 1.5";
        let timeout = Some(Duration::from_millis(1500));
        assert_eq!(
            again(Path::new("x.test.toml"), Some(&selection), timeout, &Rights::default()),
            softpipe
        );
        let again = |path, folder: &str, outside| {
            again(Path::new(path), None, None, &Rights { folder: Some(folder.into()), outside })
        };
        assert_eq!(again("x.test.toml", ".", true), "quadrille test x.test.toml --allow-outside");
        let elsewhere = again("/usr/a/x.test.toml", "/usr", false);
        assert_eq!(elsewhere, "quadrille test /usr/a/x.test.toml --found-in /usr");
    }
}
