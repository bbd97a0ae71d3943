//! Shaders through `glslangValidator`: the one judge that knows GLSL 330 and 300 es and nothing
//! newer.
#![allow(dead_code, unreachable_pub, reason = "each test program takes what it needs")]

use crate::files::{root, shaders_below};
use quadrille::internal::shader::{Expanded, Language, PackageShaders, expand};
use quadrille::shader::{Api, Diagnostics, Reads, Source, Stage};
use std::collections::{HashMap, HashSet};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The languages in which vertex and fragment shaders must be legal.
pub fn drawing_languages() -> Vec<Language> {
    with_both_reads(&[
        (Api::Gl, 330, false),
        (Api::Gl, 400, true),
        (Api::Gl, 430, true),
        (Api::Gles, 300, false),
        (Api::Gles, 310, false),
        (Api::Gles, 320, true),
    ])
}

/// The languages in which compute shaders must be legal.
pub fn compute_languages() -> Vec<Language> {
    with_both_reads(&[
        (Api::Gl, 430, false),
        (Api::Gl, 430, true),
        (Api::Gles, 310, false),
        (Api::Gles, 320, true),
    ])
}

pub fn with_both_reads(rows: &[(Api, u32, bool)]) -> Vec<Language> {
    let language = |&(api, version, precise): &(Api, u32, bool), reads| Language {
        api,
        version,
        precise,
        reads,
    };
    rows.iter()
        .flat_map(|row| [Reads::Fetch, Reads::Sample].map(|reads| language(row, reads)))
        .collect()
}

pub fn languages(stage: Stage) -> Vec<Language> {
    if stage == Stage::Compute { compute_languages() } else { drawing_languages() }
}

pub fn short(stage: Stage) -> &'static str {
    match stage {
        Stage::Vertex => "vert",
        Stage::Fragment => "frag",
        Stage::Compute => "comp",
    }
}

/// The validator's messages about a text, in the user's lines; `None` where it accepts it.
pub fn judge(expanded: &Expanded) -> Option<Diagnostics> {
    let stage = short(expanded.stage);
    let folder = tempfile::tempdir().unwrap();
    let name = format!("expanded.{stage}");
    std::fs::write(folder.path().join(&name), &expanded.text).unwrap();
    let output = Command::new("glslangValidator")
        .current_dir(folder.path())
        .args(["-S", stage, &name])
        .output()
        .expect("the tests need glslangValidator: on Debian it is in the package glslang-tools");
    if output.status.success() {
        return None;
    }
    let log = String::from_utf8_lossy(&output.stdout).into_owned();
    // The first line of its output is the name of the file.
    Some(expanded.explain(log.strip_prefix(&name).unwrap_or(&log)))
}

#[track_caller]
pub fn validate(source: &Source) {
    for language in languages(source.stage()) {
        let expanded = expand(source, &language).unwrap_or_else(|error| panic!("{error}"));
        if let Some(diagnostics) = judge(&expanded) {
            panic!("{} as {language}, reads {}:\n{diagnostics}", source.name(), language.reads);
        }
    }
}

/// Whether the validator accepts all of these texts of one stage, read in one run: a process each
/// would take minutes for all that there is.
pub fn all_are_legal(stage: Stage, texts: &[Expanded]) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let stage = short(stage);
    let names: Vec<String> = (0..texts.len()).map(|i| format!("{i}.{stage}")).collect();
    for (name, text) in names.iter().zip(texts) {
        std::fs::write(folder.path().join(name), &text.text).unwrap();
    }
    let mut command = Command::new("glslangValidator");
    let output = command.current_dir(folder.path()).args(["-S", stage]).args(&names).output();
    output.expect("the tests need glslangValidator: see README").status.success()
}

/// The lowest of either API, where what a higher one brought would show. Doubles are in desktop
/// OpenGL alone.
pub fn lowest_languages(source: &Source) -> Vec<Language> {
    match source.needs_storage() {
        _ if source.name().contains("/double") => with_both_reads(&[(Api::Gl, 430, false)]),
        true => with_both_reads(&[(Api::Gl, 430, false), (Api::Gles, 310, false)]),
        false => with_both_reads(&[(Api::Gl, 330, false), (Api::Gles, 300, false)]),
    }
}

/// The languages for one of many sources: one by turns, with `QUADRILLE_THOROUGH=1` all.
fn by_turns(at: usize, source: &Source) -> impl Iterator<Item = Language> {
    let all = std::env::var_os("QUADRILLE_THOROUGH").is_some();
    let languages = lowest_languages(source);
    let turns = if all { 1 } else { languages.len() };
    languages.into_iter().skip(at % turns).step_by(turns)
}

/// Fails unless every one of a set of shaders, and of texts made of others, is legal. Variants
/// often expand to the same text; each text is judged once. Says how many there were.
#[track_caller]
pub fn all_must_be_legal(sources: &[Source], made: impl IntoIterator<Item = Expanded>) -> usize {
    let mut seen = HashSet::new();
    let mut texts: HashMap<Stage, Vec<Expanded>> = HashMap::new();
    let turns = sources.iter().enumerate();
    let turns: Vec<_> = turns
        .flat_map(|(at, source)| by_turns(at, source).map(move |language| (source, language)))
        .collect();
    let of_sources = on_all_cores(&turns, |(source, language)| {
        expand(source, language).unwrap_or_else(|error| panic!("{error}"))
    });
    for text in of_sources.into_iter().chain(made) {
        if seen.insert(text.text.clone()) {
            texts.entry(text.stage).or_default().push(text);
        }
    }
    let chunks =
        texts.iter().flat_map(|(stage, texts)| texts.chunks(100).map(|some| (*stage, some)));
    on_all_cores(&chunks.collect::<Vec<_>>(), |(stage, texts)| chunk_must_be_legal(*stage, texts));
    seen.len()
}

/// The results of all items, in their order: each thread takes the next one that is left.
fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, work) = (AtomicUsize::new(0), &work);
    let share = || {
        let mine = std::iter::from_fn(|| {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, work(item)))
        });
        mine.collect::<Vec<_>>()
    };
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let mut all: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(share)).collect();
        let ended = threads.into_iter().map(|thread| thread.join());
        ended.flat_map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}

fn chunk_must_be_legal(stage: Stage, texts: &[Expanded]) {
    if all_are_legal(stage, texts) {
        return;
    }
    for text in texts {
        if let Some(diagnostics) = judge(text) {
            panic!("{}:\n{diagnostics}\n{}", text.name(), text.text);
        }
    }
}

/// The files that a set of shaders, and of texts made of others, came from.
pub fn files_of(sources: &[Source], made: impl IntoIterator<Item = Expanded>) -> HashSet<String> {
    let language = Language { api: Api::Gl, version: 430, precise: false, reads: Reads::Fetch };
    let files = |text: &Expanded| -> HashSet<String> {
        (1..=text.text.lines().count()).map(|line| text.place(line).file).collect()
    };
    let of_sources = on_all_cores(sources, |source| files(&expand(source, &language).unwrap()));
    let made = made.into_iter().map(|text| files(&text));
    of_sources.into_iter().chain(made).flatten().collect()
}

/// The files that a package embeds, those of its folder, and those of the folder's page are the same, and
/// each is in a text of `sources` or in one that was `made`.
#[track_caller]
pub fn the_same_files_are_embedded_kept_described_and_used(
    shaders: &PackageShaders,
    sources: &[Source],
    made: impl IntoIterator<Item = Expanded>,
) {
    let folder = root().join(shaders.folder());
    let mut table: Vec<_> = shaders.files().map(|(name, _)| name.to_owned()).collect();
    table.sort();
    let on_disk = shaders_below(&folder);
    assert_eq!(table, on_disk, "src/shaders.rs lists the left, glsl/ holds the right");
    let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let used = files_of(sources, made);
    for name in table {
        assert!(page.contains(&format!("`{name}`")), "glsl/README.md does not describe {name}");
        assert!(used.contains(&shaders.shown(&name)), "nothing uses {name}");
    }
}
