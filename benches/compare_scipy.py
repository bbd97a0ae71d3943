#!/usr/bin/env python3
"""`quadrille solve` beside SciPy in double precision, on the same matrices and right-hand sides: the steps of conjugate gradients with the
diagonal as preconditioner to 1e-8, and the solution to 1e-12 beside that of a sparse direct solver.

    cargo build --release && python3 -m venv venv && venv/bin/pip install scipy
    venv/bin/python benches/compare_scipy.py [--size 255] [--systems poisson5,fe9,...] [-- OPTIONS OF quadrille solve]

Exits with 1 where steps differ by more than 5 percent, or where 1e-12 is missed."""
import argparse, json, pathlib, subprocess, sys, tempfile
import numpy, scipy.io, scipy.sparse.linalg

SYSTEMS = "poisson5,fe9,heat9,jump,random,fe9:anisotropy=0.01"


def quadrille(arguments, folder, *more):
    command = [arguments.quadrille, "solve", "--json", *more, *arguments.options]
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True)
    if done.returncode > 1:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def stencil(system, size):
    name, *options = system.split(":")
    return ":".join([name, str(size), *options])


def steps_of_scipy(matrix, b, tolerance):
    count = [0]
    reciprocals = 1.0 / matrix.diagonal()
    jacobi = scipy.sparse.linalg.LinearOperator(matrix.shape, matvec=lambda r: reciprocals * r)

    def another(_):
        count[0] += 1

    scipy.sparse.linalg.cg(matrix, b, rtol=tolerance, maxiter=100000, M=jacobi, callback=another)
    return count[0]


def compare(arguments, system, folder):
    text = stencil(system, arguments.size)
    quadrille(arguments, folder, "--stencil", text, "--iterations", 1, "--write-matrix", "A.mtx")
    matrix = scipy.io.mmread(folder / "A.mtx").tocsr()
    known = numpy.random.default_rng(2).uniform(-1, 1, matrix.shape[0])
    b = matrix @ known
    numpy.save(folder / "b.npy", b)
    given = ["A.mtx", "--width", arguments.size, "--rhs", "b.npy", "--output", "x.npy"]
    ours = quadrille(arguments, folder, *given, "--tolerance", 1e-8)
    scipys = steps_of_scipy(matrix, b, 1e-8)
    fine = quadrille(arguments, folder, *given, "--tolerance", 1e-12)
    x = numpy.load(folder / "x.npy").ravel()
    direct = scipy.sparse.linalg.spsolve(matrix.tocsc(), b)
    residual = numpy.linalg.norm(b - matrix @ x) / numpy.linalg.norm(b)
    off, directs = (numpy.linalg.norm(y - z) / numpy.linalg.norm(z) for y, z in ((x, direct), (direct, known)))
    ratio = ours["iterations"] / scipys
    print(f"{text:28} {scipys:6} {ours['iterations']:6} {ratio:6.3f}   {fine['iterations']:6} {residual:9.2e} {off:9.2e} {directs:9.2e}", flush=True)
    return abs(ratio - 1) <= 0.05 and residual <= 1.01e-12 and fine["converged"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quadrille", default=pathlib.Path(__file__).parent.parent / "target/release/quadrille", type=pathlib.Path)
    parser.add_argument("--size", default=255, type=int)
    parser.add_argument("--systems", default=SYSTEMS)
    parser.add_argument("options", nargs="*")
    arguments = parser.parse_args()
    arguments.quadrille = arguments.quadrille.resolve()
    print(f"{'':28} {'steps to 1e-8':^20}   {'to 1e-12':^36}")
    print(f"{'system':28} {'SciPy':>6} {'ours':>6} {'ratio':>6}   {'steps':>6} {'residual':>9} {'of direct':>9} {'its error':>9}")
    with tempfile.TemporaryDirectory() as folder:
        met = [compare(arguments, system, pathlib.Path(folder)) for system in arguments.systems.split(",")]
    sys.exit(0 if all(met) else 1)


main()
