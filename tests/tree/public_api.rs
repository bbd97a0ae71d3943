//! The public interface of each library, as a file that every change to it changes too, so that a
//! review sees what users will see. It is read from the sources, where documentation tools for it
//! need a nightly compiler: what `pub` reaches from the root, by modules and re-exports, apart from
//! what `#[doc(hidden)]` hides. What macros make is not read, but for the two that name types and
//! their errors.

mod lines;
mod sources;
mod surface;

use std::path::{Path, PathBuf};

use crate::files::root;

/// The libraries that are for everyone: the folder of each, and its name. The lab is the command's
/// alone.
const PACKAGES: [(&str, &str); 3] =
    [("", "quadrille"), ("crates/run", "quadrille-run"), ("crates/vector-machine", "quadrille-vp")];

/// Where each file is.
fn kept(name: &str) -> PathBuf {
    root().join("tests/tree/interfaces").join(format!("{name}.txt"))
}

/// The interface of the package in a folder.
fn interface(folder: &Path, name: &str) -> String {
    surface::text(&sources::modules(&folder.join("src")), name)
}

/// The lines that only one of two texts has, with the heading that each stands below: at most
/// forty.
fn changes(before: &str, now: &str) -> String {
    let lines = |sign: &'static str, text: &str, other: &str| -> Vec<String> {
        let other: Vec<(&str, &str)> = with_headings(other).collect();
        let only = with_headings(text).filter(|line| !other.contains(line));
        only.map(|(heading, line)| format!("{sign} {heading}: {}", line.trim())).collect()
    };
    let mut all = [lines("-", before, now), lines("+", now, before)].concat();
    let more = all.len().saturating_sub(40);
    all.truncate(40);
    match more {
        0 => all.join("\n"),
        more => format!("{}\n... and {more} more", all.join("\n")),
    }
}

fn with_headings(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut heading = "";
    text.lines().map(move |line| {
        if !line.starts_with(' ') {
            heading = line;
        }
        (heading, line)
    })
}

#[test]
fn every_change_to_the_public_interface_is_in_its_file() {
    let renew = std::env::var_os("QUADRILLE_RENEW").is_some();
    for (folder, name) in PACKAGES {
        let now = interface(&root().join(folder), name);
        let path = kept(name);
        if renew {
            std::fs::write(&path, &now).unwrap();
        }
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            before == now,
            "the public interface of {name} is not that of {}:\n{}\nIf it should change, renew the file and commit it:\n\
             QUADRILLE_RENEW=1 cargo test -p quadrille-tree -- public_api",
            path.display(),
            changes(&before, &now)
        );
    }
}

/// A package of one file.
fn made(text: &str) -> String {
    let folder = crate::files::Folder::new();
    std::fs::create_dir(folder.file("src")).unwrap();
    folder.write("src/lib.rs", text);
    interface(folder.path(), "made")
}

#[test]
fn what_is_reached_is_there_and_what_is_hidden_is_not() {
    let text = "
        mod inner {
            /// Documentation is no interface.
            #[derive(Debug, Clone)]
            #[non_exhaustive]
            pub struct Shown { pub field: u32, secret: u32 }
            impl Shown {
                #[must_use]
                pub fn new(a: &[u8]) -> Shown { todo!() }
                pub(crate) fn own(&self) {}
                #[doc(hidden)]
                pub fn hidden(&self) {}
            }
            impl From<u32> for Shown { fn from(x: u32) -> Shown { todo!() } }
            pub struct Unreached;
            pub enum Way { Here, There(u32), Between { a: f32 } }
            #[cfg(test)]
            mod tests { pub struct Test; }
        }
        pub use inner::{Shown, Way as Path};
        pub mod open { pub use super::inner::Shown; pub const MOST: usize = 4; }
        #[doc(hidden)]
        pub mod internal { pub use super::inner::Unreached; }
        named_enum! {
            /// Documentation is no interface.
            #[derive(Hash)]
            pub enum Fold: \"fold\" { /// Here too.
                Host => \"host\", #[default] Device => \"device\" }
        }
        pub use elsewhere::Foreign;
        pub trait Act<T>: Sized { type Out; fn act(&self, t: T) -> Self::Out { todo!() } }";
    let expected = "\
made::Act
    pub trait Act<T>: Sized
    fn act(&self, t: T) -> Self::Out
    type Out
made::Fold
    #[derive(Clone, Copy, Debug, Eq, PartialEq)] #[derive(Hash)] pub enum Fold
    Device
    Host
    impl Display, FromStr
    pub const ALL: [Fold; 2]
    pub fn name(self) -> &'static str
made::Foreign
    pub use elsewhere::Foreign
made::Path
    pub enum Way
    Between { a: f32 }
    Here
    There(u32)
made::Shown
    #[derive(Clone, Debug)] #[non_exhaustive] pub struct Shown, with private fields
    #[must_use] pub fn new(a: &[u8]) -> Shown
    impl From<u32> for Shown
    pub field: u32
made::open::MOST
    pub const MOST: usize
made::open::Shown
    is made::Shown
";
    assert_eq!(made(text), expected);
}

#[test]
fn a_change_is_told_with_its_place() {
    let (before, now) =
        ("a::A\n    pub fn f()\na::B\n    pub fn g()\n", "a::A\na::B\n    pub fn g(x: u32)\n");
    let told = "- a::A: pub fn f()\n- a::B: pub fn g()\n+ a::B: pub fn g(x: u32)";
    assert_eq!(changes(before, now), told);
}
