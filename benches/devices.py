#!/usr/bin/env python3
"""Renders the table of docs/devices.md, a column for each file in docs/devices that `quadrille card --share` has written:

    benches/devices.py [--check]          writes the table, or fails where it is another
    benches/devices.py --print FILE...    prints a table of other files, beside the reference

A file's name is the heading of its column. Speeds are relative to the reference, docs/devices/llvmpipe-22.3.6.json.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
REFERENCE = DOCS / "devices" / "llvmpipe-22.3.6.json"
BEGIN, END = "<!-- the table of benches/devices.py -->\n", "<!-- its end -->\n"
# A rate whose runs scatter by more says little.
MOST_SPREAD = 0.3
# A renderer on the processor that says to have multiplied faster, in GFLOPS a thread, was not waited for.
MOST_ON_A_THREAD = 100
# Where devices differ most: operations, and the range of their arguments.
OPERATIONS = [
    ("a / b", "2^-60 .. 2^60"),
    ("sqrt(a)", "2^-60 .. 2^60"),
    ("exp2(a)", "-1 .. 1"),
    ("log2(a)", "near 1"),
    ("sin(a)", "-pi .. pi"),
    ("asin(a)", "-1 .. 1"),
]
METHODS = ["element", "sp", "block4x4", "block8x4", "block16x8", "compute-blocked"]


def sentence(file: dict, title: str, begin: str) -> str:
    """A sentence of the card without its begin."""
    sections = [section for section in file["verdicts"] if section["title"] == title]
    texts = [verdict["text"] for section in sections for verdict in section["verdicts"]]
    return next((text.removeprefix(begin).strip() for text in texts if text.startswith(begin)), "not found")


def promises(file: dict) -> str:
    broken = dict.fromkeys(row["operation"] for row in file["accuracy"] if row["kept"] is False)
    return f"not of {', '.join(broken)}" if broken else "kept"


def error(operation: str, range: str) -> Callable[[dict], str]:
    def cell(file: dict) -> str:
        rows = [row for row in file["accuracy"] if (row["operation"], row["range"]) == (operation, range)]
        if not rows:
            return "not measured"
        ulps = rows[0]["max_ulps"]
        return "no number" if ulps is None else f"{ulps:.3g}" if ulps < 1000 else f"{ulps:.1e}"

    return cell


def relative(method: str, reference: dict) -> Callable[[dict], str]:
    def rung(file: dict) -> dict | None:
        return next((rung for rung in file["ladder"] if rung["method"] == method), None)

    def cell(file: dict) -> str:
        one, other = rung(file), rung(reference)
        if one is None:
            return "not run"
        if not one["right"]:
            return "**wrong**"
        about = file["about"]
        if about["found"]["software"] and one["gflops"] > MOST_ON_A_THREAD * about["host"]["threads"]:
            return "not waited for"
        if max(one["spread"], other["spread"]) > MOST_SPREAD:
            return "scattered"
        return f"{one['gflops'] / other['gflops']:.2f}"

    return cell


def compute(file: dict) -> str:
    limits = file["about"]["found"]["compute_limits"]
    return f"{limits['max_invocations']} invocations, {limits['shared_bytes'] // 1024} KiB" if limits else "none"


def environment(file: dict) -> str:
    return " ".join(f"`{name}={value}`" for name, value in file["about"]["environment"].items())


def rows(reference: dict) -> list[tuple[str, Callable[[dict], str]]]:
    found = lambda name: lambda file: str(file["about"]["found"][name])
    first = lambda file: file["first_answer"]["seconds"]
    return [
        ("renderer", found("renderer")),
        ("driver", found("driver")),
        ("system", lambda file: file["about"]["host"]["system"]),
        ("processor", lambda file: "{cpu}, {threads} threads".format(**file["about"]["host"])),
        ("environment", environment),
        ("largest texture", found("max_texture_size")),
        ("targets, inputs", lambda file: "{max_targets}, {max_inputs}".format(**file["about"]["found"])),
        ("compute shaders", compute),
        ("loops end after", lambda file: str(file["loop_budget"] or "no limit found")),
        ("GLSL's bounds of errors", promises),
        *((f"`{operation}`, {range} [ULP]", error(operation, range)) for operation, range in OPERATIONS),
        ("`a * b + c`", lambda file: sentence(file, "contraction", "a * b + c")),
        ("denormals as operands", lambda file: sentence(file, "denormals", "as operands:")),
        ("max of NaN and a number", lambda file: sentence(file, "NaN", "max of NaN and a number gives")),
        *((f"products by `{method}`", relative(method, reference)) for method in METHODS),
        ("first answer [s]", lambda file: "failed" if first(file) is None else f"{first(file):.2g}"),
    ]


def read(path: Path) -> dict:
    try:
        file = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: {error}")
    if not isinstance(file, dict) or not {"about", "accuracy", "ladder", "first_answer"} <= file.keys():
        sys.exit(f"{path} is no file that `quadrille card --share` wrote")
    return file


def table(paths: list[Path]) -> str:
    files, reference = [read(path) for path in paths], read(REFERENCE)
    escaped = lambda cell: " ".join(cell.split()).replace("|", "\\|").replace("<", "&lt;")
    lines = [["", *(path.stem for path in paths)], ["---"] * (len(paths) + 1)]
    lines += [[name, *(escaped(cell(file)) for file in files)] for name, cell in rows(reference)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the table is another")
    parser.add_argument("--print", nargs="+", type=Path, metavar="FILE", help="print a table of these")
    arguments = parser.parse_args()
    if arguments.print:
        print(table([REFERENCE, *arguments.print]), end="")
        return
    page = DOCS / "devices.md"
    others = sorted(set(REFERENCE.parent.glob("*.json")) - {REFERENCE}, key=lambda path: path.stem)
    before, rest = page.read_text().split(BEGIN)
    text = before + BEGIN + table([REFERENCE, *others]) + END + rest.split(END)[1]
    if arguments.check and text != page.read_text():
        sys.exit("docs/devices.md has another table than benches/devices.py makes of docs/devices: run it")
    if not arguments.check:
        page.write_text(text)


if __name__ == "__main__":
    main()
