#!/usr/bin/env python3
"""Times `quadrille solve` in three dimensions beside hypre's PFMG-CG and SMG-CG on two processes, in turns: setup and solution to 1e-8.

    cargo build --release && apt-get install libhypre-dev openmpi-bin
    mpicc -O3 -I/usr/include/hypre benches/hypre3.c -o target/hypre3 -lHYPRE -lm
    python3 benches/compare_hypre3.py [--side 127] [--rounds 3]

Prints medians in milliseconds, and the ratio to hypre's best. quadrille's setup is that of a context whose programs are in the driver's
cache; its solution begins and ends on the host. Each program checks its own residual, in double precision.
"""

import argparse
import json
import os
import re
import statistics
import subprocess

SYSTEMS = {"poisson7": "poisson7:{n}", "weak": "poisson7:{n}:z=0.01", "fe27": "fe27:{n}", "jump7": "jump7:{n}"}


# Open MPI refuses to run as root unless it is told twice.
ENVIRONMENT = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def run(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT).stdout


def hypre(method: str, system: str, side: int) -> float:
    line = run("mpirun", "--oversubscribe", "-n", "2", "target/hypre3", method, system, str(side), "1")
    setup, solve, residual = (float(re.search(rf"{name} ([\d.e+-]+)", line)[1]) for name in ("setup", "solve", "residual"))
    assert residual <= 1e-8, line
    return setup + solve


def ours(system: str, side: int) -> tuple[float, int]:
    text = run("target/release/quadrille", "solve", "--stencil", SYSTEMS[system].format(n=side), "--tolerance", "1e-8", "--json")
    report = json.loads(text)
    assert report["converged"] and report["residual"] <= 1e-8, text
    return report["setup_milliseconds"] + report["milliseconds"], report["iterations"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", type=int, default=127)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    for system in SYSTEMS:
        ours(system, arguments.side)  # programs into the driver's cache
        times: dict[str, list[float]] = {"pfmg": [], "smg": [], "ours": []}
        iterations = 0
        for _ in range(arguments.rounds):
            for method in ("pfmg", "smg"):
                times[method].append(hypre(method, system, arguments.side))
            time, iterations = ours(system, arguments.side)
            times["ours"].append(time)
        median = {name: statistics.median(all_times) for name, all_times in times.items()}
        best = min(median["pfmg"], median["smg"])
        print(
            f"{system:9} quadrille {median['ours']:7.0f} ms, {iterations} steps;"
            f" pfmg-cg {median['pfmg']:7.0f}, smg-cg {median['smg']:7.0f}; ratio {median['ours'] / best:.2f}",
            flush=True,
        )


main()
