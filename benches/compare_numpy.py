#!/usr/bin/env python3
"""`quadrille bench primitives` beside NumPy and SciPy on the same computer, in turns: times, and what they are of the other's.

    cargo build --release && python3 -m venv venv && venv/bin/pip install numpy scipy
    venv/bin/python benches/compare_numpy.py [--quadrille FILE] [--rounds 5] [--engine fragment] [-- OPTIONS OF quadrille bench]

Each round times quadrille's tasks and then NumPy's, and a ratio is of one round; the table shows the medians and the quartiles. Vectors have
2^20 numbers, which are on the device and stay there. Quadrille compares its results with double precision before it times them."""
import argparse, json, pathlib, statistics, subprocess, sys, time
import numpy, scipy.fft, scipy.ndimage

N = 1 << 20


def peers():
    random = numpy.random.default_rng(1)
    floats = random.random(N, dtype="float32")
    words = random.integers(0, 2**32, N, dtype="uint32")
    short = words >> 16
    bins = (words >> 24).astype("int64")
    complex_numbers = (random.random((1024, 1024)) + 1j).astype("complex64")
    weights = random.random((3, 3), dtype="float32")
    rows = floats.reshape(1024, 1024)
    return {
        "scan": ("np.cumsum, float32", lambda: numpy.cumsum(floats)),
        "select": ("x[x > 0.5]", lambda: floats[floats > 0.5]),
        "sort": ("np.sort, uint32", lambda: numpy.sort(words)),
        "sort-16": ("np.sort, uint16", lambda s=short.astype("uint16"): numpy.sort(s)),
        "argsort": ("np.argsort, stable", lambda: numpy.argsort(words, kind="stable")),
        "histogram": ("np.bincount", lambda: numpy.bincount(bins, minlength=256)),
        "fft": ("scipy.fft.fft2, 2 workers", lambda: scipy.fft.fft2(complex_numbers, workers=2)),
        "convolution": ("scipy.ndimage.correlate", lambda: scipy.ndimage.correlate(rows, weights, mode="nearest")),
    }


def milliseconds(call):
    times = []
    while len(times) < 3 or sum(times) < 60:
        start = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def quadrille(arguments, tasks):
    command = [arguments.quadrille, "bench", "primitives", "--json", "--sizes", N, "--runs", 5, "--engines", arguments.engine]
    command += ["--tasks", ",".join(tasks), *arguments.options]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    report = json.loads(done.stdout)
    return report["device"], {row["task"]: row["median_ms"] for row in report["rows"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quadrille", default=pathlib.Path(__file__).parent.parent / "target/release/quadrille")
    parser.add_argument("--rounds", default=5, type=int)
    parser.add_argument("--engine", default="fragment")
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    calls, rounds = peers(), []
    for call in calls.values():
        call[1]()
    for _ in range(arguments.rounds):
        device, ours = quadrille(arguments, calls)
        rounds.append((ours, {task: milliseconds(call) for task, (_, call) in calls.items()}))
    print(f"{device}, {arguments.engine} engine; NumPy {numpy.__version__}, SciPy {scipy.__version__}\n")
    print(f"{'task':12} {'quadrille':>10} {'':2} {'the other':>10} {'':26} {'ratio':>6} {'quartiles':>13}")
    for task, (name, _) in calls.items():
        ratios = [ours[task] / theirs[task] for ours, theirs in rounds]
        low, middle, high = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
        times = [statistics.median(one[task] for one in both) for both in zip(*rounds)]
        print(f"{task:12} {times[0]:10.2f} ms {times[1]:10.2f} ms {name:24} {middle:6.2f} {low:6.2f} {high:6.2f}")


main()
