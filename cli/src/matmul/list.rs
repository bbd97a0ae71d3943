//! `quadrille matmul --list`.

use serde::Serialize;

use quadrille::Context;
use quadrille::linalg::matmul::Method;

use super::super::output;
use super::super::table::Table;

#[derive(Serialize)]
struct List {
    device: String,
    methods: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    method: &'static str,
    engine: &'static str,
    about: &'static str,
    options: Vec<&'static str>,
    types: Vec<&'static str>,
    runs: bool,
    lacks: Option<String>,
}

/// Lists the methods, and whether they run here.
pub(super) fn run(context: &Context, json: bool) -> anyhow::Result<()> {
    let device = context.abilities().renderer.clone();
    let methods = Method::ALL.into_iter().map(|method| line(context, method)).collect();
    let list = List { device, methods };
    match json {
        true => output::say_json(&list),
        false => output::say(&text(&list)),
    }
}

fn line(context: &Context, method: Method) -> Line {
    let lacks = method.lacks(context.abilities());
    let integers: &[&str] = if method.takes_integers() { &["short", "int"] } else { &[] };
    Line {
        method: method.name(),
        engine: method.engine().name(),
        about: method.about(),
        options: method.options().into_iter().flat_map(arguments).collect(),
        types: [&["float"], integers].concat(),
        runs: lacks.is_none(),
        lacks: lacks.map(|lacks| lacks.to_string()),
    }
}

/// The arguments that name an option.
fn arguments(option: &'static str) -> Vec<&'static str> {
    match option {
        "transpose or padding" => vec!["transpose", "padding"],
        "reads from buffers" => vec!["reads=buffer"],
        same => vec![same],
    }
}

fn text(list: &List) -> String {
    let mut table = Table::new(&["method", "runs", "engine", "types", "what it is"]);
    table = table.left(&[0, 2, 3, 4]);
    let mut options = Table::new(&["method", "options"]).left(&[0, 1]);
    for line in &list.methods {
        let runs = if line.runs { "yes" } else { "no" };
        let cells = [line.method, runs, line.engine, &line.types.join(", "), line.about];
        table.row(cells.map(String::from).into());
        options.row(vec![line.method.into(), line.options.join(", ")]);
    }
    let lacking = list
        .methods
        .iter()
        .filter_map(|line| Some(format!("{} needs {}.\n", line.method, line.lacks.as_ref()?)));
    let lacking: String = lacking.collect();
    let lacking = if lacking.is_empty() { lacking } else { format!("\n{lacking}") };
    format!("{}\n\n{}\n{lacking}\n{}", list.device, table.text(), options.text())
}
