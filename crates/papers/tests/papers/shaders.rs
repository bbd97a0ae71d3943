//! The shaders of the studies as a set.

use crate::validator::{all_must_be_legal, the_same_files_are_embedded_kept_described_and_used};
use quadrille_papers::shaders::SHADERS;

#[test]
fn every_shader_that_runs_is_legal_in_every_language_in_every_variant() {
    let texts = all_must_be_legal(&quadrille_papers::sources().unwrap(), []);
    assert!(texts >= 5, "only {texts} texts");
}

#[test]
fn the_table_the_folder_and_the_page_name_the_same_files_and_all_are_used() {
    let sources = quadrille_papers::sources().unwrap();
    the_same_files_are_embedded_kept_described_and_used(&SHADERS, &sources, []);
}
