//! The shaders of the packages that stand on the library, as sets.

use crate::validator::{all_must_be_legal, the_same_files_are_embedded_kept_described_and_used};
use quadrille::internal::shader::Language;
use quadrille::shader::{Api, Reads};
use quadrille_run::internal::watched_texts;
use quadrille_vp::internal::{SHADERS, sources};

#[test]
fn every_shader_that_runs_is_legal_in_every_language_in_every_variant() {
    let all = [sources().unwrap(), quadrille_run::internal::sources().unwrap()].concat();
    let texts = all_must_be_legal(&all, []);
    assert!(texts > 150, "only {texts} texts");
}

#[test]
fn the_table_the_folder_and_the_page_name_the_same_files_and_all_are_used() {
    let language = Language { api: Api::Gl, version: 430, precise: false, reads: Reads::Fetch };
    let watched = watched_texts(&language).unwrap();
    let of_run = quadrille_run::internal::sources().unwrap();
    the_same_files_are_embedded_kept_described_and_used(&SHADERS, &sources().unwrap(), []);
    the_same_files_are_embedded_kept_described_and_used(
        &quadrille_run::internal::SHADERS,
        &of_run,
        watched,
    );
}
