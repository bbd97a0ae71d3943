#!/usr/bin/env python3
"""Quadrille beside CUDA on one GPU: runs benches/cuda.cu and `quadrille bench` in turns, and prints their ratios.

    cargo build --release && benches/compare_cuda.py

Each round measures both, and a ratio is of numbers of one round; the table shows the median of the rounds. It needs nvcc
with cuBLAS and cub, or a program that was compiled from cuda.cu (--cuda).
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MI = 1 << 20

STREAM = "stream --runs 5 --sizes "
SUMS = ["sum", "dot", "nrm2", "asum"]
REDUCTIONS = ["copy", *SUMS, "iamax", *(f"{name}-on-device" for name in SUMS)]
JACOBI = "jacobi --sizes 1048576,16777216 --layouts packed --stages compute --no-cpu"
MATMUL = "matmul --size 1024,2048,4000,4096 --methods compute-blocked"
PRIMITIVES = "primitives --engines compute --runs 5 --tasks scan,select,sort,argsort,histogram,histogram-one --sizes "
VECTOR = "vector --only table-4 --sizes 10000000 --engines compute"


def table(sizes):
    """What is compared: a name, our key, their key, the wanted ratio, and whether less is better."""
    large = [n for n in sizes if n >= 64 * MI]
    rows = [(f"axpy, {n // MI} Mi", ("saxpy", n), ("saxpy", "float4 kernel", n), 0.95, False) for n in large]
    for n in sizes:
        rows.append((f"sum, {n // MI} Mi, on the host", ("sum", n), ("sum", "cub", n), 0.95 if n > 16 * MI else 0.85, False))
    for name in ["scal", "copy", "dot", "nrm2", "asum", "iamax"]:
        for n in large:
            rows.append((f"{name}, {n // MI} Mi / CUDA's copy", (name, n), ("copy", "float4 kernel", n), 0.9, False))
    for name in ["dot", "nrm2", "asum", "iamax"]:
        rows += [(f"{name}, {n // MI} Mi / cuBLAS", (name, n), (name, "cuBLAS", n), None, False) for n in large]
    # Results that stay on the device, of calls in a row.
    for name in (f"{name}-on-device" for name in SUMS):
        peer = "cub" if name.startswith("sum") else "cuBLAS"
        rows += [(f"{name}, {n // MI} Mi / {peer}", (name, n), (name, peer, n), None, False) for n in sizes]
        rows += [(f"{name}, {n // MI} Mi / CUDA's copy", (name, n), ("copy", "float4 kernel", n), 0.9, False) for n in large]
    # Of CUB's DeviceScan, DeviceSelect, DeviceRadixSort and DeviceHistogram.
    for task in ["scan", "select", "sort", "argsort", "histogram", "histogram-one"]:
        rows += [(f"{task}, {n // MI} Mi / CUB", (task, n), (task, "cub", n), None, False) for n in sizes]
    for side in [1024, 4096]:
        peer = ("jacobi", "one thread an unknown", side * side)
        rows.append((f"Jacobi packed, {side} x {side}", ("jacobi", side * side), peer, 0.95, False))
    rows.append(("x^50 over 10^7, repeated", ("power", 10**7), ("power", "float4 kernel", 10**7), 0.85, True))
    for n, wanted in [(1024, 0.8), (2048, 0.9), (4096, 0.9), (4000, 0.9)]:
        rows.append((f"matmul, {n}", ("sgemm", n), ("sgemm", "cuBLAS", n), wanted, False))
    for name, wanted in [("upload", 1.5), ("readback", 1.2)]:
        rows.append((f"{name}, 64 MB, array / pageable", (name, 16 * MI), (name, "pageable", 16 * MI), wanted, False))
        ours = (f"{name}-staging", 16 * MI)
        rows.append((f"{name}, 64 MB, Staging / pinned", ours, (name, "pinned", 16 * MI), 0.9, False))
    # As times: 1 / 1.2 of CUDA's rate.
    launch = ("launch", "1000 dependent kernels", 1)
    rows.append(("1000 dependent dispatches, 1 x 1", ("dispatch", 1), launch, 1 / 1.2, True))
    return rows


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def theirs(program, tasks):
    lines = map(json.loads, run([program, *tasks]).splitlines())
    return {(line["task"], line["peer"], line["n"]): line["rate"] for line in lines}


def ours(program, arguments):
    """The best rate of an operation at a size, over engines and ways of reading."""
    best = {}
    for row in json.loads(run([program, "bench", *arguments.split(), "--json"]))["rows"]:
        if "task" in row:
            key, rate = (row["task"], row["n"]), row["rate"]
        elif "operation" in row:
            key, rate = (row["operation"], row["n"]), row["rate"]
        elif "layout" in row:
            key, rate = ("jacobi", row["n"]), row["mflops"] / 1e3
        elif "gflops" in row:
            key, rate = ("sgemm", row["n"]), row["gflops"]
        elif row["program"] == "exponents" and row["engine"] == "compute":
            key, rate = ("power", row["n"]), row.get("chain_ms", row["compute_ms"]) * 1e3
        else:
            continue
        better = min if key[0] in ("power", "dispatch", "pass", "swap") else max
        best[key] = better(rate, best.get(key, rate))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quadrille", default=HERE.parent / "target/release/quadrille", help="the command")
    parser.add_argument("--cuda", help="a program compiled from cuda.cu [default: compiled now]")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", default="16,64,256", help="of vectors, in Mi elements")
    tasks = "parts of quadrille bench; `reductions` has those of `stream` alone, which leaves time for 256 Mi"
    parser.add_argument("--tasks", default="stream,jacobi,vector,matmul", help=tasks)
    options = parser.parse_args()
    sizes = [int(size) * MI for size in options.sizes.split(",")]
    elements = list(map(str, sizes))
    pairs = {
        "stream": (STREAM + ",".join(elements), ["vectors", "sum", "transfers", "launch", *elements]),
        "reductions": (
            f"{STREAM}{','.join(elements)} --operations {','.join(REDUCTIONS)}",
            ["vectors", "sum", *elements],
        ),
        "primitives": (PRIMITIVES + ",".join(elements), ["primitives", *elements]),
        "jacobi": (JACOBI, ["jacobi"]),
        "vector": (VECTOR, ["power"]),
        "matmul": (MATMUL, ["sgemm"]),
    }
    rounds = []
    with tempfile.TemporaryDirectory() as folder:
        cuda = options.cuda or Path(folder) / "cuda"
        if not options.cuda:
            run(["nvcc", "-O3", "-arch=native", HERE / "cuda.cu", "-lcublas", "-o", cuda])
        for _ in range(options.rounds):
            mine, their = {}, {}
            for task in options.tasks.split(","):
                arguments, peers = pairs[task]
                their |= theirs(cuda, peers)
                mine |= ours(options.quadrille, arguments)
            rounds.append((mine, their))
    print(f"{'':42}{'quadrille':>12}{'CUDA':>12}{'ratio':>8}{'wanted':>8}")
    for name, our_key, their_key, wanted, less in table(sizes):
        both = [(mine[our_key], their[their_key]) for mine, their in rounds if our_key in mine and their_key in their]
        if not both:
            continue
        ratio = statistics.median(b / a if less else a / b for a, b in both)
        a, b = (statistics.median(pair[i] for pair in both) for i in (0, 1))
        goal = f"{wanted:8.2f}" if wanted else ""
        print(f"{name:42}{a:12.4g}{b:12.4g}{ratio:8.2f}{goal}")
    print("Rates in GB/s, GFLOP/s and 10^9 keys a second; times of x^50 and dispatches in us, whose ratios are CUDA's over quadrille's.")


if __name__ == "__main__":
    main()
