//! Where paths lead, links resolved: texts from others name files, and may read and write only those
//! of one folder.

use std::path::{Path, PathBuf};

/// As many as Linux follows.
const MOST_LINKS: usize = 40;

/// Returns the folder of a file, with a name that the system understands.
pub(crate) fn parent(path: &Path) -> &Path {
    let parent = path.parent().unwrap_or(Path::new(""));
    if parent.as_os_str().is_empty() { Path::new(".") } else { parent }
}

/// Returns the path behind all links and without `..`, also of a file that is not there: then that of
/// the nearest folder that is, and the rest as text. Nothing is opened.
pub fn resolved(path: &Path) -> PathBuf {
    behind(path, MOST_LINKS)
}

fn behind(path: &Path, links: usize) -> PathBuf {
    let here = Path::new(".");
    let path = if path.as_os_str().is_empty() { here } else { path };
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    // A link to what is not there: what is written by its name will be.
    if let (Ok(to), Some(links)) = (path.read_link(), links.checked_sub(1)) {
        return behind(&parent(path).join(to), links);
    }
    match (path.parent(), path.file_name()) {
        (None, _) => path.to_owned(),
        (Some(_), Some(name)) => behind(parent(path), links).join(name),
        (Some(_), None) if path == here => PathBuf::new(),
        (Some(_), None) => {
            let mut above = behind(parent(path), links);
            above.pop();
            above
        }
    }
}

/// A folder by the name that it was given and by its real path.
#[derive(Clone, Debug)]
pub struct Folder {
    /// The name that it was given.
    pub named: PathBuf,
    real: PathBuf,
}

impl Folder {
    /// Creates a folder from its name.
    pub fn new(named: PathBuf) -> Folder {
        let real = resolved(&named);
        Folder { named, real }
    }

    /// Returns the folder whose files a description may name: the one in which the process was started,
    /// or for a description that is not below it, the one that was `searched` for it, or its own.
    pub fn of_description(path: &Path, searched: Option<&Path>) -> Folder {
        let (start, own) = (Folder::new(PathBuf::from(".")), Folder::new(parent(path).to_owned()));
        if start.holds_real(&own.real) {
            return start;
        }
        let searched = searched.map(|folder| Folder::new(folder.to_owned()));
        searched.filter(|folder| folder.holds_real(&own.real)).unwrap_or(own)
    }

    /// Returns whether both are the same folder.
    pub fn is(&self, other: &Folder) -> bool {
        self.real == other.real
    }

    /// Returns whether a path leads into this folder, or into one of those in it.
    pub fn holds(&self, path: &Path) -> bool {
        self.holds_real(&resolved(path))
    }

    /// Returns whether a [resolved] path is in this folder.
    pub fn holds_real(&self, real: &Path) -> bool {
        // Without a path where the process has no folder: one that was removed, or a browser.
        let nameless = self.real.as_os_str().is_empty();
        if nameless { !real.has_root() } else { real.starts_with(&self.real) }
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_path_is_where_it_leads_whether_a_file_is_there_or_not() {
        let all = tempfile::tempdir().unwrap();
        let all = all.path().canonicalize().unwrap();
        let inside = all.join("in");
        fs::create_dir_all(inside.join("deep")).unwrap();
        fs::create_dir(all.join("out")).unwrap();
        for file in ["in/there", "out/there"] {
            fs::write(all.join(file), "").unwrap();
        }
        for (link, to) in
            [("file", "../out/there"), ("dangling", "../out/new"), ("folder", "../out")]
        {
            symlink(to, inside.join(link)).unwrap();
        }
        symlink("round", inside.join("round")).unwrap();
        let folder = Folder::new(inside.clone());
        for name in
            ["there", "new", "new/newer", "deep/../there", "deep/../new", "./there", "new/../there"]
        {
            assert!(folder.holds(&inside.join(name)), "{name}");
        }
        let outside = [
            "..",
            "../out",
            "../out/there",
            "../new",
            "deep/../../out/there",
            "new/../../out/there",
        ];
        let links = [
            "file",
            "dangling",
            "folder",
            "folder/there",
            "folder/new",
            "folder/../in2",
            "../in2/there",
        ];
        for name in outside.iter().chain(&links) {
            assert!(!folder.holds(&inside.join(name)), "{name}");
        }
        assert_eq!(resolved(&inside.join("round")), inside.join("round"));
        assert_eq!(
            resolved(Path::new("not/there")),
            Path::new(".").canonicalize().unwrap().join("not/there")
        );
        assert_eq!(resolved(Path::new("")), Path::new(".").canonicalize().unwrap());
        assert!(!folder.holds(Path::new("/etc/passwd")));
    }

    #[test]
    fn the_folder_of_a_description_is_where_the_process_started_or_its_own() {
        let other = tempfile::tempdir().unwrap();
        let own = |path: &Path| Folder::of_description(path, None);
        let here = Path::new(".").canonicalize().unwrap();
        for path in ["a.run.toml", "deep/a.run.toml", "./a.run.toml"] {
            assert_eq!(own(Path::new(path)).real, here, "{path}");
        }
        let elsewhere = other.path().join("a.run.toml");
        assert_eq!(own(&elsewhere).real, other.path().canonicalize().unwrap());
        let deep = other.path().join("deep/a.test.toml");
        let searched = Folder::of_description(&deep, Some(other.path()));
        assert_eq!(searched.real, other.path().canonicalize().unwrap());
        assert_eq!(Folder::of_description(&elsewhere, Some(&here)).real, searched.real);
        let above = here.parent().unwrap();
        assert_eq!(own(&here.join("../a.run.toml")).real, above);
    }
}
