#!/usr/bin/env python3
"""Measures the figures of a release and adds a line for each to benches/history.jsonl:

    cargo build --release --locked && benches/history.py

A line is one JSON object: version, commit, date, device, figure, value and unit, `lower` where less is better, the spread (the interquartile range of the runs, where
the bench has one), the command, and `others`, the share of all processors that other programs held meanwhile. Above a tenth of them the value says little: compare
lines of idle machines, of one device. The device is that of QUADRILLE_DEVICE, or the default.
"""

import argparse
import datetime
import json
import os
import resource
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Figure(NamedTuple):
    name: str
    value: float
    unit: str
    lower: bool = False
    # Of the value, in its unit.
    spread: float | None = None


def best(rows: list[dict], key: str) -> dict:
    """The fastest of several ways: which one that is, differs among devices."""
    return max((row for row in rows if row["right"]), key=lambda row: row[key])


def rate(name: str, row: dict, key: str, unit: str, scale: float = 1) -> Figure:
    """A rate, whose spread is that of the time."""
    return Figure(name, row[key] * scale, unit, spread=row[key] * scale * row["spread_ms"] / row["median_ms"])


def jacobi(report: dict) -> Iterator[Figure]:
    for layout in ("red", "packed"):
        row = best([row for row in report["rows"] if row["layout"] == layout], "mflops")
        yield rate(f"jacobi, {layout}, {row['n']} unknowns, best stage", row, "mflops", "GFLOP/s", 1e-3)


def matmul(report: dict) -> Iterator[Figure]:
    row = best(report["rows"], "gflops")
    yield rate(f"product, n = {row['n']}, best method", row, "gflops", "GFLOP/s")


def stream(report: dict) -> Iterator[Figure]:
    for name, n in dict.fromkeys((row["operation"], row["n"]) for row in report["rows"]):
        row = best([row for row in report["rows"] if (row["operation"], row["n"]) == (name, n)], "rate")
        yield rate(f"{name}, {n} numbers, best engine", row, "rate", row["unit"])


def vector(report: dict) -> Iterator[Figure]:
    rows = [row for row in report["rows"] if row["program"] == "exponents" and row["right"] and row["engine"] not in ("cpu", "cpu-lanes")]
    row = min(rows, key=lambda row: row["compute_ms"])
    yield Figure(f"x^50, {row['n']} numbers on the device, best engine", row["compute_ms"], "ms", lower=True)


def sat(report: dict) -> Iterator[Figure]:
    row = best(report["many"], "rate")
    yield Figure(f"3-SAT, {row['clauses']} clauses, {row['candidates']} candidates", row["rate"] / 1e9, "10^9 clauses/s")


def solve(report: dict) -> Iterator[Figure]:
    for row in report["rows"]:
        if not row["right"] or not row["converged"]:
            continue
        yield Figure(f"{row['system']}, {row['method']}, setup", row["setup_ms"], "ms", lower=True)
        yield Figure(f"{row['system']}, {row['method']}, solution to 1e-8", row["solve_ms"], "ms", True, row["solve_spread_ms"])


# All of it takes two minutes on llvmpipe.
BENCHES = [
    ("jacobi --sizes 1048576 --layouts red,packed --no-cpu --runs 7", jacobi),
    ("matmul --size 1024 --methods block16x8,compute-blocked --runs 7", matmul),
    ("stream --sizes 1048576,16777216 --operations copy,saxpy,sum,dot,upload,readback --runs 7", stream),
    ("vector --only table-4 --sizes 1000000 --runs 7", vector),
    ("sat --clauses 2000 --runs 5", sat),
    ("solve --systems poisson5,fe9 --sizes 1023 --methods mgcg --runs 5", solve),
]


def busy() -> float | None:
    """The seconds that all processors have worked, where Linux says it."""
    try:
        words = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    except OSError:
        return None
    user, nice, system, _idle, _wait, irq, softirq, steal = map(int, words[:8])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def own() -> float:
    """The seconds that processors have worked for the programs that this one started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(program: Path, arguments: str) -> tuple[dict, float | None]:
    """What a bench reports, and the share of the processors that other programs held meanwhile."""
    begun, before, ours = time.monotonic(), busy(), own()
    command = [program, "bench", *arguments.split(), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"history: exit code {done.returncode} of {' '.join(map(str, command))}")
    after = busy()
    if before is None or after is None:
        return json.loads(done.stdout), None
    others = after - before - (own() - ours)
    return json.loads(done.stdout), min(1.0, max(0.0, others / (time.monotonic() - begun) / (os.cpu_count() or 1)))


def commit() -> str:
    """The commit that is checked out, with a mark if files of git differ from it."""
    git = ["git", "-C", ROOT]
    name = subprocess.run([*git, "rev-parse", "--short=12", "HEAD"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD"], check=False).returncode
    return name + ("+changes" if changed else "")


def digits(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.4g}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quadrille", type=Path, default=ROOT / "target/release/quadrille", help="the command, built from this checkout [default: target/release/quadrille]")
    parser.add_argument("--output", type=Path, default=ROOT / "benches/history.jsonl")
    options = parser.parse_args()
    if not options.quadrille.is_file():
        sys.exit(f"history: there is no {options.quadrille}: cargo build --release --locked makes it")
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    said = subprocess.run([options.quadrille, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    if said != ["quadrille", version]:
        sys.exit(f"history: expected quadrille {version}, as Cargo.toml has it, got {' '.join(said)} from {options.quadrille}")
    common = {"version": version, "commit": commit(), "date": datetime.datetime.now(datetime.UTC).date().isoformat()}
    lines = []
    for arguments, figures in BENCHES:
        report, others = measured(options.quadrille, arguments)
        for figure in figures(report):
            line = common | {"device": report["device"]} | {"figure": figure.name, "value": digits(figure.value), "unit": figure.unit}
            line |= {"lower": figure.lower, "spread": digits(figure.spread), "others": None if others is None else round(others, 2)}
            lines.append(json.dumps(line | {"command": f"quadrille bench {arguments}"}))
            print(f"{figure.name:55} {digits(figure.value):>9} {figure.unit}", flush=True)
    with options.output.open("a") as file:
        file.writelines(f"{line}\n" for line in lines)
    print(f"history: {len(lines)} lines added to {options.output}")


main()
