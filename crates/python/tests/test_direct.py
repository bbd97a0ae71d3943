"""`method="fft"`: against SciPy's sparse matrices and direct solver, with sides that are Dirichlet's, Neumann's or periodic."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg

import quadrille_gl as q

F8 = npt.NDArray[np.float64]

SIDES = ["dirichlet", "neumann", "periodic"]


def second(n: int, side: str) -> Any:
    """-d2/dx2 on n points."""
    a = sp.lil_array((n, n))
    for i in range(n):
        for j in (i - 1, i + 1):
            a[i, i] += 1.0
            if 0 <= j < n:
                a[i, j] -= 1.0
            elif side == "neumann":
                a[i, i] -= 1.0
            elif side == "periodic":
                a[i, j % n] -= 1.0
    return a.tocsr()


def laplacian(width: int, height: int, x: str, y: str) -> Any:
    return (sp.kron(sp.eye_array(height), second(width, x)) + sp.kron(second(height, y), sp.eye_array(width))).tocsr()


def numbers(n: int) -> F8:
    return np.random.default_rng(5).standard_normal(n)


@pytest.mark.parametrize("y", SIDES)
@pytest.mark.parametrize("x", SIDES)
@pytest.mark.parametrize(("width", "height"), [(7, 5)])
def test_it_solves_what_scipy_makes(width: int, height: int, x: str, y: str) -> None:
    a = laplacian(width, height, x, y)
    stencil = q.stencil(f"poisson5:{width}x{height}:sides={x}+{y}")
    assert abs(stencil.tocoo() - a).max() == 0.0
    singular = "dirichlet" not in (x, y)
    known = numbers(width * height)
    if singular:
        known -= known.mean()
    b = a @ known
    s = q.solve(stencil, b, method="fft", tolerance=1e-12)
    assert s.method == "fft" and s.preconditioner == "none" and s.coefficients == "constant"
    assert s.form == ("periodic" if "periodic" in (x, y) else "nine-banded")
    assert np.linalg.norm(b - a @ s.x) <= 2e-12 * np.linalg.norm(b)
    expected = known if singular else np.asarray(scipy.sparse.linalg.spsolve(a.tocsc(), b))
    assert np.linalg.norm(s.x - expected) <= 1e-8 * np.linalg.norm(expected)
    if singular:
        assert abs(s.x.mean()) <= 1e-14


def test_matrices_of_scipy_are_found_to_be_constant() -> None:
    for a in (laplacian(20, 9, "dirichlet", "neumann"), 3 * laplacian(20, 9, "dirichlet", "dirichlet") + sp.eye_array(180)):
        b = numbers(180).reshape(9, 20)
        s = q.solve(a, b, method="fft", tolerance=1e-12)
        assert s.coefficients == "constant" and s.x.shape == (9, 20)
        assert np.linalg.norm(b.ravel() - a @ s.x.ravel()) <= 2e-12 * np.linalg.norm(b)


def test_what_it_cannot_take_is_told() -> None:
    periodic = q.stencil("poisson5:16:sides=periodic")
    with pytest.raises(q.InputError, match="cg needs a matrix of nine bands or by rows.*solve by the method fft"):
        q.solve(periodic, np.zeros(256), method="cg")
    # By its rows another method takes it.
    b = numbers(256)
    b -= b.mean()
    by_rows = q.solve(periodic.tocoo(), b, tolerance=1e-10)
    assert by_rows.form == "csr"
    assert np.allclose(by_rows.x - by_rows.x.mean(), q.solve(periodic, b, tolerance=1e-10).x, atol=1e-7)
