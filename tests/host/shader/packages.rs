//! The shaders of the packages that stand on the library, as sets.

use crate::files::{root, shaders_below};
use crate::validator::{all_must_be_legal, files_of};
use quadrille::internal::shader::{Expanded, Language};
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
    let of_run = quadrille_run::internal::sources().unwrap();
    let language = Language { api: Api::Gl, version: 430, precise: false, reads: Reads::Fetch };
    let watched: Vec<Expanded> = watched_texts(&language).unwrap();
    for (folder, shaders, sources, made) in [
        ("crates/vector-machine/glsl", &SHADERS, sources().unwrap(), Vec::new()),
        ("crates/run/glsl", &quadrille_run::internal::SHADERS, of_run, watched),
    ] {
        let folder = root().join(folder);
        let mut table: Vec<_> = shaders.files().map(|(name, _)| name.to_owned()).collect();
        table.sort();
        let on_disk = shaders_below(&folder);
        assert_eq!(table, on_disk, "src/shaders.rs lists the left, glsl/ holds the right");

        let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
        let used = files_of(&sources, made);
        for name in table {
            assert!(page.contains(&format!("`{name}`")), "glsl/README.md does not describe {name}");
            assert!(used.contains(&shaders.shown(&name)), "nothing uses {name}");
        }
    }
}
