//! The commands of the README and of `quadrille --help` work as they stand: the quick ones run, the
//! arguments of the long ones are read. So does what the pages begin with.

use std::os::unix::fs::symlink;

use crate::common::is_thorough;
use crate::runner::{Folder, brief, root};

/// The commands that take minutes, each on its own.
const LONG: [&str; 3] = ["reproduce ", "tune", "bench "];
/// The command that another test runs as it is; with `QUADRILLE_THOROUGH=1` this one does too.
const ELSEWHERE: &str = "card";

/// The commands of the README's blocks and of the help, without what stands beside them, behind
/// spaces.
fn commands(folder: &Folder) -> Vec<String> {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap().replace("\\\n    ", "");
    let help = folder.run("--help").ended(0).out.replace("\n  ", "\n");
    let command = |line: &str| {
        let built = line.strip_prefix("cargo run --release --locked -- ");
        let line = built.or(line.strip_prefix("quadrille "))?;
        Some(line.split("   ").next().unwrap().trim().to_owned())
    };
    let (readme, help): (Vec<_>, Vec<_>) =
        (readme.lines().filter_map(command).collect(), help.lines().filter_map(command).collect());
    assert!(readme.len() > 10 && help.len() > 10, "{readme:?} {help:?}");
    let new = help.into_iter().filter(|command| !readme.contains(command));
    readme.iter().cloned().chain(new).collect()
}

#[test]
fn its_commands_work_as_they_stand_and_leave_the_checkout_clean() {
    let folder = Folder::new();
    let commands = commands(&folder);
    let links = ["docs", "examples", "crates"];
    for link in links {
        symlink(root().join(link), folder.file(link)).unwrap();
    }
    for command in &commands {
        let elsewhere = command == ELSEWHERE && !is_thorough();
        if elsewhere || LONG.iter().any(|long| command.starts_with(long)) {
            folder.run(&format!("{command} --help")).ended(0);
            continue;
        }
        folder.run(&brief(command)).ended(if command.starts_with("sat ") { 10 } else { 0 });
    }
    let mut written = folder.names();
    written.retain(|name| !links.contains(&name.as_str()) && name != "cache");
    assert!(written.len() >= 5, "{written:?}");
    // A pattern here is the end of a name in the top folder, as in `/*.npy`.
    let ignored = std::fs::read_to_string(root().join(".gitignore")).unwrap();
    for name in written {
        let ends = ignored.lines().filter_map(|line| line.strip_prefix("/*"));
        assert!(ends.into_iter().any(|end| name.ends_with(end)), "{name} is not in .gitignore");
    }
}

/// The blocks of code of a text, without the names of their languages.
fn blocks(text: &str) -> impl Iterator<Item = &str> {
    let inside = text.split("```").enumerate().filter(|(index, _)| index % 2 == 1);
    inside.filter_map(|(_, block)| block.split_once('\n')).map(|(_, block)| block)
}

/// The name of the file that a block is, which its first line has as a comment.
fn name(block: &str) -> Option<&str> {
    let line = block.lines().next()?;
    let comment = line.strip_prefix("// ").or(line.strip_prefix("# "))?;
    let name = comment.split(':').next()?;
    (name.contains('.') && !name.contains(' ')).then_some(name)
}

#[test]
fn the_first_section_of_each_page_works_as_it_stands() {
    for page in ["run", "solve", "test", "vector-machine"] {
        let text = std::fs::read_to_string(root().join(format!("docs/{page}.md"))).unwrap();
        let section = text.split("\n## ").nth(1).unwrap().replace("\\\n    ", "");
        let folder = Folder::new();
        // No links: what a description names stays in the folder.
        for name in ["docs", "examples", "crates/run/gallery", "crates/vector-machine/programs"] {
            folder.copy(name);
        }
        let files = blocks(&section).filter_map(|block| Some((name(block)?, block)));
        files.for_each(|(name, block)| folder.write(name, block));
        let lines = blocks(&section).flat_map(str::lines);
        let commands: Vec<&str> =
            lines.filter_map(|line| line.strip_prefix("quadrille ")).collect();
        assert!(commands.len() >= 2, "{page}: {commands:?}");
        for command in commands {
            folder.run(command).ended(0);
        }
    }
}
