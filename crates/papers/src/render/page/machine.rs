//! The machine, and how to judge the numbers.

use maud::{Markup, html};

use crate::{Machine, Scale};
use quadrille_lab::report::QUIET;
use quadrille_lab::survey::Compute;

use quadrille_lab::numbers::shown;

pub(super) fn section(machine: &Machine) -> Markup {
    html! {
        details {
            summary { (machine.renderer.name) " on " (machine.host.cpu) ", " (machine.began) " UTC" }
            dl.facts {
                @for (name, text) in facts(machine) {
                    @if !text.is_empty() { div { dt { (name) } dd { (text) } } }
                }
            }
        }
    }
}

fn facts(machine: &Machine) -> Vec<(&'static str, String)> {
    let renderer = &machine.renderer;
    let kind = if renderer.software { "software" } else { "hardware" };
    let cores = machine.cores.map(|cores| format!("{cores} cores, ")).unwrap_or_default();
    let features = match machine.features.join(", ") {
        names if names.is_empty() => String::new(),
        names => format!(", with {names}"),
    };
    let count = |number: u32| shown(f64::from(number));
    vec![
        ("renderer", format!("{} ({kind})", renderer.name)),
        ("driver", format!("{}, {}", renderer.vendor, renderer.driver)),
        ("API", renderer.api.clone()),
        ("device", renderer.device.clone()),
        (
            "limits",
            format!(
                "textures {0} × {0}, {1} targets, {2} inputs, {3} and {4} quads of uniforms in \
                 vertex and fragment shaders",
                count(renderer.max_texture_size),
                renderer.max_targets,
                renderer.max_inputs,
                count(renderer.max_vertex_uniforms),
                count(renderer.max_fragment_uniforms),
            ),
        ),
        ("compute", renderer.compute.as_ref().map(compute).unwrap_or_default()),
        ("has", renderer.has.join(", ")),
        ("lacks", renderer.lacks.join(", ")),
        ("processor", format!("{} ({})", machine.host.cpu, machine.host.architecture)),
        ("cores", format!("{cores}{} threads for this process", machine.host.threads)),
        ("memory", format!("{:.1} GiB", machine.memory_gib)),
        ("system", format!("{}, kernel {}", machine.host.system, machine.host.kernel)),
        (
            "load",
            format!(
                "{} before, {} after (threads that wanted to run, over 1, 5 and 15 minutes)",
                load(machine.load_before),
                load(machine.load_after)
            ),
        ),
        ("began", format!("{} UTC", machine.began)),
        ("ended", format!("{} UTC", machine.ended)),
        (
            "quadrille",
            format!(
                "{}, {} build {}{features}",
                machine.host.quadrille,
                machine.profile(),
                machine.build
            ),
        ),
        ("scale, seed", format!("{}, {}", machine.scale.name(), machine.seed)),
        ("command", machine.command.clone()),
    ]
}

fn compute(limits: &Compute) -> String {
    let [x, y, z] = limits.max_group_size;
    format!(
        "groups of {} invocations, at most {x} × {y} × {z}, {} bytes shared, {} buffers of {} bytes",
        shown(limits.max_invocations.into()),
        shown(limits.shared_bytes.into()),
        limits.max_buffers,
        shown(limits.max_block_bytes.into())
    )
}

fn load(load: [f64; 3]) -> String {
    load.map(|load| format!("{load:.2}")).join(", ")
}

pub(super) fn reading(machine: &Machine) -> Markup {
    html! {
        ul.reading {
            li { "A verdict is about this device, this driver and these sizes. " b { "Confirmed" } " and "
                b { "contradicted" } " say whether the paper's sentence holds in what was measured here; "
                b { "not measurable" } " says why this device cannot tell, or that the runs scatter so much that another try \
                might turn the verdict. A verdict is " b { "robust" } " where the number is three times its scatter or more \
                from the limit, else " b { "near the limit" } "." }
            li { "Where scatter left a claim open, its study was repeated: the verdict is of all passes together, and the \
                other numbers and the tables are of the last pass." }
            li { "Questions that a paper asks, and statements that no measurement decides, are counted apart: " b { "right" } " or " b { "wrong" } " by \
                arithmetic, a specification or the paper's own program; " b { "shown" } " where an implementation of a design works." }
            li { "Every claim has an id, such as " code { "matmul-2004-8" } ", which is its link on this page and its " code { "id" }
                " in " code { "report.json" } "." }
            li { "The papers' own numbers are quoted from them. They were measured on the hardware of their \
                time: compare shapes and ratios, not milliseconds." }
            li { "Numbers are shown by three digits, whole numbers in full. All digits are in "
                code { "report.json" } " and in " code { "numbers/" } "; the figures are in " code { "figures/" } "." }
            li { "Other work on the machine lengthens times. Where other programs had more than "
                (format!("{:.0}", 100.0 * QUIET)) " % of the processors during a study, its times are taken to be off by half, \
                so that claims about them are open unless the number is far from its limit; what is counted or computed is \
                judged as ever. Run it again with " code { "--fresh" } " when nothing else runs. The load averages above tell \
                how much other work there was; the second has the report's own work in it." }
            @if machine.renderer.software {
                li { "This renderer is software: a CPU did the work of both sides of every comparison, and what is \
                    said of textures, caches and transfers is said of that CPU." }
            }
            @if machine.scale == Scale::Quick {
                li { "This is the quick scale, with small sizes. Without " code { "--quick" } " the papers' own \
                    sizes are run where they fit." }
            }
        }
    }
}
