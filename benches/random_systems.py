#!/usr/bin/env python3
"""Solves 300 random sparse systems of several kinds by quadrille_gl.solve, beside scipy.sparse's direct solver.

Each has to be solved to its tolerance, or refused by ConvergenceError with the residual that was reached; an answer whose
residual, computed here, is above what is claimed, or which is farther from the direct solver's than the matrix's condition
allows, is silently wrong and fails the run. Needs the module, SciPy and NumPy:

    python3 benches/random_systems.py [--count 300] [--seed 1] [--tolerance 1e-12] [--preconditioner auto]
"""

import argparse
import collections
import sys
import time

import numpy as np
import quadrille_gl as q
import scipy.sparse as sp
import scipy.sparse.linalg as la
import scipy.spatial

SIZES = [1, 2, 3, 5, 17, 64, 101, 257, 499, 1021, 1999, 2503, 4099, 6007]


def couplings(random, n, each):
    """Some random entries in each row."""
    rows = np.repeat(np.arange(n), each)
    columns = random.integers(0, n, rows.size)
    return sp.csr_array((random.uniform(-1, 1, rows.size), (rows, columns)), shape=(n, n))


def dominant(random, n):
    """Not symmetric; the diagonal exceeds the others of its row together."""
    a = couplings(random, n, 4)
    return sp.csr_array(a - sp.diags_array(a.diagonal()) + sp.diags_array(abs(a).sum(axis=1) * 1.05 + 0.1))


def positive(random, n):
    """B B' and a shift: symmetric positive definite, of no dominant diagonal."""
    b = couplings(random, n, 3)
    return sp.csr_array(b @ b.T + 0.05 * sp.eye_array(n))


def laplacian(random, n):
    """The Laplacian of a random graph, and a shift."""
    w = abs(couplings(random, n, 3))
    w = w + w.T
    return sp.csr_array(sp.diags_array(w.sum(axis=1)) - w + 10 ** random.uniform(-4, 0) * sp.eye_array(n))


def elements(random, n):
    """Linear finite elements for -div(k grad u) + c u on a triangulation of random points."""
    if n < 4:
        return sp.csr_array(np.eye(n) * 2.0)
    points = random.uniform(size=(n, 2))
    a = sp.lil_array((n, n))
    rows, columns, values = [], [], []
    for corners in scipy.spatial.Delaunay(points).simplices:
        p = points[corners]
        edges = np.array([p[2] - p[1], p[0] - p[2], p[1] - p[0]])
        area = abs(np.linalg.det(np.column_stack([p[1] - p[0], p[2] - p[0]]))) / 2
        if area < 1e-14:
            continue
        local = edges @ edges.T / (4 * area) + area / 12 * (np.ones((3, 3)) + np.eye(3))
        for i in range(3):
            for j in range(3):
                rows.append(corners[i]), columns.append(corners[j]), values.append(local[i, j])
    a = sp.csr_array((values, (rows, columns)), shape=(n, n))
    return sp.csr_array(a + sp.diags_array(np.where(a.diagonal() == 0, 1.0, 0.0)))


def badly_scaled(random, n):
    """A dominant matrix whose rows have units of their own."""
    return sp.csr_array(sp.diags_array(10.0 ** random.integers(-6, 7, n)) @ dominant(random, n))


def convection(random, n):
    """Upwind differences of a flow on a grid, in a random order."""
    m = max(1, int(n**0.5))
    k = -(-n // m)
    peclet = 10 ** random.uniform(-1, 2)
    line = lambda count: sp.diags_array(
        [np.full(count - 1, -1.0 - peclet), np.full(count, 2.0 + peclet), np.full(count - 1, -1.0)], offsets=[-1, 0, 1]
    )
    a = sp.csr_array(sp.kron(line(k), sp.eye_array(m)) + sp.kron(sp.eye_array(k), line(m)))
    order = random.permutation(a.shape[0])
    return sp.csr_array(a[order][:, order])


def anything(random, n):
    """Random entries and a random diagonal: nothing that iterations like."""
    return sp.csr_array(couplings(random, n, 4) + sp.diags_array(random.uniform(-1, 1, n) + 0.01))


def indefinite(random, n):
    """A symmetric matrix with eigenvalues of both signs."""
    return sp.csr_array(laplacian(random, n) - 0.5 * sp.eye_array(n))


KINDS = [dominant, positive, laplacian, elements, badly_scaled, convection, anything, indefinite]


def condition(a, factors):
    """An estimate of the condition in the 1-norm."""
    n = a.shape[0]
    if n < 5:
        return np.linalg.cond(a.toarray(), 1)
    solve = lambda v: factors.solve(np.asarray(v, dtype=float))
    inverse = la.LinearOperator((n, n), matvec=solve, rmatvec=lambda v: factors.solve(np.asarray(v, dtype=float), "T"))
    return la.onenormest(inverse) * abs(a).sum(axis=0).max()


def judge(a, b, tolerance, preconditioner):
    """One of solved, refused (with the reason) and wrong, with the iterations."""
    factors = la.splu(sp.csc_matrix(a))
    direct = factors.solve(b)
    try:
        found = q.solve(a, b, tolerance=tolerance, preconditioner=preconditioner, iterations=5_000)
    except q.ConvergenceError as error:
        claimed, own = error.solution.residual, np.linalg.norm(b - a @ error.x) / np.linalg.norm(b)
        honest = not claimed <= tolerance and abs(claimed - own) <= 1e-6 * own + 1e-14
        return ("refused" if honest else "wrong"), error.solution
    own = np.linalg.norm(b - a @ found.x) / np.linalg.norm(b)
    far = np.linalg.norm(found.x - direct) / np.linalg.norm(direct)
    allowed = 10 * condition(a, factors) * (tolerance + 1e-15) * np.sqrt(a.shape[0])
    right = own <= 1.01 * tolerance + 1e-15 and far <= allowed
    if not right:
        print(f"wrong: residual {own:.2e}, from the direct solution {far:.2e}, allowed {allowed:.2e}", file=sys.stderr)
    return ("solved" if right else "wrong"), found


def count(random, kind, arguments, outcomes):
    """Makes a system of a kind, solves it, and counts what came of it."""
    a = kind(random, SIZES[int(random.integers(len(SIZES)))])
    b = a @ random.uniform(-1, 1, a.shape[0])
    if not np.any(b):
        b = np.ones(a.shape[0])
    outcome, found = judge(a, b, arguments.tolerance, arguments.preconditioner)
    outcomes[outcome] += 1
    outcomes[f"as {found.form}"] += 1
    if outcome != "solved":
        endings = ", ".join(side.ending for side in found.right_hand_sides)
        print(f"{kind.__name__} of {a.shape[0]}: {outcome}, {found.method}, {endings}, residual {found.residual:.1e}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tolerance", type=float, default=1e-12)
    parser.add_argument("--preconditioner", default="auto")
    arguments = parser.parse_args()
    random = np.random.default_rng(arguments.seed)
    counts = collections.defaultdict(collections.Counter)
    begun, done = time.perf_counter(), 0
    try:
        for done in range(1, arguments.count + 1):
            kind = KINDS[done % len(KINDS)]
            count(random, kind, arguments, counts[kind.__name__])
    except KeyboardInterrupt:
        print("interrupted")
        done -= 1
    print(f"{done} systems in {time.perf_counter() - begun:.0f} s, tolerance {arguments.tolerance:g}")
    for kind, outcomes in counts.items():
        print(f"{kind:14}", ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())))
    wrong = sum(outcomes["wrong"] for outcomes in counts.values())
    print(f"{sum(o['solved'] for o in counts.values())} solved, {sum(o['refused'] for o in counts.values())} refused, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
