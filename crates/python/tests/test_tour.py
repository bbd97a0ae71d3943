"""The whole module in the lines that a person writes first, each as it stands, on files of these names."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import quadrille_gl as q

sparse = pytest.importorskip("scipy.sparse")
ROOT = Path(__file__).parents[3]
MEAN = """uniform sampler2D image; uniform float weight; out float mean;
void main() { mean = weight * (READ_CLAMPED(image, TEXEL - ivec2(1, 0)).r + READ_CLAMPED(image, TEXEL + ivec2(1, 0)).r); }
"""
LINES = """
mean = q.run("mean.frag", image=x, weight=0.5)
k = q.Kernel("uniform sampler2D a; uniform float s; out float y; void main() { y = s * READ(a, TEXEL).r; }")
y = k(a=x, s=2.0)
e = q.Experiment("life.frag", state=start, feedback={"next": "state"}); e.step(1000); life = e["next"]
c = q.matmul(a, b)
s = q.solve(A, b, tolerance=1e-10)
v = q.array(x); w = (2.0 * v + v * v).sqrt(); total = float(w.sum())
found = q.sat("uf250.cnf"); powers = q.vp("exponents.vp", x, constants={11: 1.0}); card = q.card(); doctor = q.doctor(); devices = q.devices()
q.testing.assert_same(y, expected, ulp=4)
"""


def test_each_line_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, random: Callable[..., npt.NDArray[np.float32]]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mean.frag").write_text(MEAN)
    Path("life.frag").write_text((ROOT / "crates/run/gallery/life.frag").read_text().replace("cells", "state"))
    Path("exponents.vp").write_text((ROOT / "crates/vector-machine/programs/exponents.vp").read_text())
    generator = np.random.default_rng(8)
    planted = generator.random(251) < 0.5
    clauses = generator.integers(1, 251, (1000, 3)) * generator.choice([-1, 1], (1000, 3))
    clauses[:, 0] = np.abs(clauses[:, 0]) * np.where(planted[np.abs(clauses[:, 0])], 1, -1)
    text = "\n".join(" ".join(map(str, clause)) + " 0" for clause in clauses)
    Path("uf250.cnf").write_text(f"p cnf 250 1000\n{text}\n")

    x = random(64)
    start = np.zeros((16, 16), "f4")
    glider = [[0, 1, 0], [0, 0, 1], [1, 1, 1]]
    start[:3, :3] = glider
    A = q.stencil("poisson5:8").tocoo().tocsr()
    names: dict[str, Any] = {"np": np, "q": q, "x": x, "start": start, "A": sparse.csr_matrix(A), "a": random(5, 64), "b": random(64, 2),
                             "expected": 2 * x}
    exec(LINES, names)

    padded = np.pad(x, 1, mode="edge").astype("f8")
    np.testing.assert_allclose(names["mean"], 0.5 * (padded[:-2] + padded[2:]), rtol=2**-23)
    # After 4 steps a glider is one cell further along both axes.
    np.testing.assert_array_equal(names["life"], np.roll(start, (250, 250), (0, 1)))
    np.testing.assert_allclose(names["c"], names["a"].astype("f8") @ names["b"], rtol=64 * 2**-23)
    residual = np.linalg.norm(names["b"] - A @ names["s"].x, axis=0) / np.linalg.norm(names["b"].astype("f8"), axis=0)
    assert np.all(residual <= 1e-10 * (1 + 1e-6)) and names["s"].iterations > 1 and len(names["s"].history) > 0
    assert names["total"] == pytest.approx(np.sqrt(2.0 * x.astype("f8") + x.astype("f8") ** 2).sum(), rel=1e-6)
    model = np.append(False, names["found"].model)
    assert np.all(np.any(model[np.abs(clauses)] == (clauses > 0), axis=1))
    # 49 products round once each.
    np.testing.assert_allclose(names["powers"], x.astype("f8") ** 50, rtol=50 * 2**-24, atol=1e-37)
    assert names["doctor"].right and len(names["devices"]) >= 1
