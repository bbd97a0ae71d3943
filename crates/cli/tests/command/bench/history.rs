//! The figures of releases, which `benches/history.py` keeps.

use serde_json::Value;

use crate::runner::{Folder, root};

/// Each line has all that a reader compares, and the commands of this version are those that it has.
#[test]
fn lines_of_the_history_are_whole() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(root().join("benches/history.jsonl")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!lines.is_empty());
    let mut commands = Vec::new();
    for line in &lines {
        let text = |key: &str| line[key].as_str().filter(|text| !text.is_empty());
        for key in ["version", "commit", "date", "device", "figure", "unit"] {
            assert!(text(key).is_some(), "{key}: {line}");
        }
        assert!(line["value"].as_f64().is_some_and(|value| value > 0.0), "{line}");
        assert!(line["lower"].is_boolean(), "{line}");
        // The share of the processors that other programs held, where the system says it.
        assert!(line["others"].as_f64().is_none_or(|share| (0.0..=1.0).contains(&share)), "{line}");
        let command = text("command").and_then(|text| text.strip_prefix("quadrille ")).unwrap();
        if line["version"] == env!("CARGO_PKG_VERSION") {
            commands.push(command);
        }
    }
    commands.sort_unstable();
    commands.dedup();
    for command in commands {
        folder.run(&format!("{command} --help")).ended(0);
    }
}
