//! The path of the file of tuned choices.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// Returns the path of the file of tuned choices, which need not exist; `None` if the environment
/// names no folder.
pub fn path() -> Option<PathBuf> {
    Some(folder(|name| env::var_os(name))?.join("tuned.json"))
}

/// Returns a folder of the environment. An empty variable counts as not set, and so does a relative
/// folder of XDG, as its specification demands.
fn folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let named = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let absolute = |name| named(name).filter(|folder| folder.is_absolute());
    let ours = || named("QUADRILLE_CACHE");
    let caches = || absolute("XDG_CACHE_HOME").map(|caches| caches.join("quadrille"));
    let home = || named("HOME").map(|home| home.join(".cache").join("quadrille"));
    ours().or_else(caches).or_else(home)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Option<PathBuf> {
        folder(|name| Some(variables.iter().find(|(known, _)| *known == name)?.1.into()))
    }

    #[test]
    fn our_own_variable_goes_before_those_of_all_programs() {
        let (ours, caches) = (("QUADRILLE_CACHE", "here"), ("XDG_CACHE_HOME", "/caches"));
        let home = ("HOME", "/home/me");
        assert_eq!(with(&[home, caches, ours]), Some("here".into()));
        assert_eq!(with(&[home, caches]), Some("/caches/quadrille".into()));
        assert_eq!(with(&[home]), Some("/home/me/.cache/quadrille".into()));
        assert_eq!(with(&[]), None);
    }

    #[test]
    fn what_is_empty_or_relative_is_not_set() {
        let home = ("HOME", "/home/me");
        for caches in ["", "caches"] {
            let variables = [home, ("XDG_CACHE_HOME", caches), ("QUADRILLE_CACHE", "")];
            assert_eq!(with(&variables), Some("/home/me/.cache/quadrille".into()));
        }
    }
}
