//! Texts without what names a person or a computer: users, hosts and folders.

use std::env;

use serde_json::Value;
use sysinfo::System;

/// The names of this computer and of its user, and the user's own folder. Whole words of them are
/// hidden, and all that begins like a path.
pub struct Private {
    /// Longest first: a folder's name has its user's in it.
    names: Vec<String>,
}

/// Variables that systems keep such names in.
const VARIABLES: [&str; 8] =
    ["HOME", "USERPROFILE", "USER", "LOGNAME", "USERNAME", "SUDO_USER", "HOSTNAME", "COMPUTERNAME"];
/// What stands where something is hidden.
const HIDDEN: &str = "~";

impl Private {
    pub fn here() -> Private {
        let home = env::home_dir().unwrap_or_default();
        let user = home.file_name().map(|name| name.to_string_lossy().into_owned());
        let host = System::host_name();
        let label = host.as_ref().and_then(|host| host.split('.').next()).map(str::to_owned);
        let named = VARIABLES.iter().filter_map(|name| env::var(name).ok());
        let folder = Some(home.display().to_string());
        Private::of(named.chain([folder, user, host, label].into_iter().flatten()))
    }

    fn of(names: impl IntoIterator<Item = String>) -> Private {
        let mut names: Vec<String> =
            names.into_iter().filter(|name| name.chars().any(char::is_alphanumeric)).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        Private { names }
    }

    /// Hides them in every text of a value.
    pub fn hide(&self, value: &mut Value) {
        change_texts(value, &|text| self.hidden(text));
    }

    fn hidden(&self, text: &str) -> String {
        let named = self.names.iter().fold(text.to_owned(), |text, name| without(&text, name));
        without_paths(&named)
    }
}

/// Replaces every text of a value but the names of its fields.
pub fn change_texts(value: &mut Value, change: &impl Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = change(text),
        Value::Array(values) => values.iter_mut().for_each(|value| change_texts(value, change)),
        Value::Object(object) => object.values_mut().for_each(|value| change_texts(value, change)),
        _ => {}
    }
}

/// The text without a name, where that is not a part of another word.
fn without(text: &str, name: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let inside = before.ends_with(char::is_alphanumeric)
            && name.starts_with(char::is_alphanumeric)
            || after.starts_with(char::is_alphanumeric);
        kept.push_str(before);
        kept.push_str(if inside { name } else { HIDDEN });
        rest = after;
    }
    kept + rest
}

/// The text without what begins like a path at the begin of a word, up to its end.
fn without_paths(text: &str) -> String {
    let ends = |c: char| c.is_whitespace() || "\"'`()[]<>,;".contains(c);
    let words = text.split_inclusive(|c| ends(c) || c == '=');
    let shown = words.map(|word| {
        let end = word.trim_end_matches(ends).len();
        if is_path(&word[..end]) { format!("{HIDDEN}{}", &word[end..]) } else { word.to_owned() }
    });
    shown.collect()
}

/// Such as `/usr/lib`, `~/lib`, `\\host\share` and `C:\Users`.
fn is_path(word: &str) -> bool {
    let rooted =
        word.len() > 1 && ["/", "~/", "~\\", "\\"].iter().any(|root| word.starts_with(root));
    let drive = word.starts_with(|c: char| c.is_ascii_alphabetic())
        && [":\\", ":/"].iter().any(|root| word.get(1..3) == Some(root));
    rooted || drive
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(text: &str) -> String {
        let names = ["ann", "/home/Ann Lee", "box-3", "C:\\Users\\ann", "", "/"];
        Private::of(names.map(String::from)).hidden(text)
    }

    #[test]
    fn names_are_hidden_as_whole_words() {
        assert_eq!(hidden("built by ann on box-3"), "built by ~ on ~");
        assert_eq!(hidden("ann@box-3.lan, joanna, annex"), "~@~.lan, joanna, annex");
    }

    #[test]
    fn paths_are_hidden_whoever_they_are_of() {
        assert_eq!(hidden("Mesa (/opt/x/lib.so, \"/tmp/a b\")"), "Mesa (~, \"~ b\")");
        assert_eq!(hidden("at /home/Ann Lee/mesa and ~/mesa"), "at ~ and ~");
        assert_eq!(hidden("dir=/var/tmp C:\\Users\\ann\\x D:/y \\\\pc\\z"), "dir=~ ~ ~ ~");
    }

    #[test]
    fn names_of_devices_stay() {
        for name in [
            "llvmpipe (LLVM 15.0.6, 256 bits)",
            "NVIDIA H200/PCIe/SSE2",
            "4.5 (Core Profile) Mesa 22.3.6",
            "ANGLE (Intel, Intel(R) UHD Graphics (0x9A60) Direct3D11 vs_5_0 ps_5_0, D3D11-31.0)",
            "Mesa/X.org",
            "a / b",
        ] {
            assert_eq!(hidden(name), name);
        }
    }
}
