//! `quadrille matmul --list`.

use crate::prelude::*;
use quadrille::linalg::matmul::Method;
use quadrille::stream::Engine;

use quadrille_lab::text::aligned;

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

pub(super) fn run(context: &Context, json: bool) -> anyhow::Result<()> {
    let device = context.abilities().renderer.clone();
    let methods = Method::ALL.into_iter().map(|method| line(context, method)).collect();
    let list = List { device, methods };
    output::show(json, &list, || text(&list))
}

fn line(context: &Context, method: Method) -> Line {
    let lacks = method.lacks(context.abilities());
    let integers: &[&str] = if method.takes_integers() { &["short", "int"] } else { &[] };
    Line {
        method: method.name(),
        engine: method.engine().map_or("host", Engine::name),
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
        "transpose or padding" => vec!["transpose", "padding", "strips"],
        "reads from buffers" => vec!["reads=buffer"],
        same => vec![same],
    }
}

fn text(list: &List) -> String {
    let (mut table, mut options) = (Vec::new(), Vec::new());
    for line in &list.methods {
        let runs = if line.runs { "yes" } else { "no" };
        let cells = [line.method, runs, line.engine, &line.types.join(", "), line.about];
        table.push(cells.map(String::from).into());
        options.push(vec![line.method.into(), line.options.join(", ")]);
    }
    let table = aligned(&["method", "runs", "engine", "types", "what it is"], table);
    let options = aligned(&["method", "options"], options);
    let lacking = list
        .methods
        .iter()
        .filter_map(|line| Some(format!("{} needs {}.\n", line.method, line.lacks.as_ref()?)));
    let lacking: String = lacking.collect();
    let lacking = if lacking.is_empty() { lacking } else { format!("\n{lacking}") };
    format!("{}\n\n{table}\n{lacking}\n{options}", list.device)
}
