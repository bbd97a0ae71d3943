"""Sparse matrices on the device, their products, and systems with general ones."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import quadrille_gl as q
import scipy.io
import scipy.sparse

FLOAT = npt.NDArray[np.float32]


def random_matrix(rows: int, columns: int, each: int) -> Any:
    random = np.random.default_rng(rows + columns)
    at = np.repeat(np.arange(rows), each)
    entries = random.uniform(-1, 1, at.size).astype("float32")
    return scipy.sparse.csr_array((entries, (at, random.integers(0, columns, at.size))), shape=(rows, columns))


def vector(length: int) -> FLOAT:
    return np.random.default_rng(length).uniform(-1, 1, length).astype("float32")


def must_be_near(got: Any, expected: Any, size: Any, bound: float) -> None:
    assert got.dtype == np.float32 and got.shape == expected.shape
    assert np.all(np.abs(got - expected) <= bound * size)


@pytest.mark.parametrize("rows, columns, each", [(257, 1021, 9), (0, 4, 1), (4, 1, 0)])
def test_products_are_scipys_within_the_bound(rows: int, columns: int, each: int) -> None:
    a = random_matrix(rows, columns, each)
    x, y = vector(columns), vector(rows)
    on_device = q.sparse(a)
    assert on_device.shape == a.shape and on_device.nnz == a.nnz
    exact, size = a.astype("float64") @ x.astype("float64"), abs(a).astype("float64") @ np.abs(x)
    must_be_near(on_device @ x, exact, size, on_device.error_bound)
    product = on_device @ q.array(x)
    assert isinstance(product, q.Array)
    must_be_near(np.asarray(product), exact, size, on_device.error_bound)
    sum_of_both = on_device.product(x, alpha=-2, beta=0.5, y=y)
    must_be_near(sum_of_both, 0.5 * y.astype("float64") - 2 * exact, 0.5 * np.abs(y) + 2 * size, on_device.error_bound)


def test_a_file_and_other_formats_are_taken_and_doubled_entries_are_summed(tmp_path: Path) -> None:
    a = scipy.sparse.coo_array(([1.0, 2.0, 4.0], ([0, 0, 1], [2, 2, 0])), shape=(2, 3))
    scipy.io.mmwrite(tmp_path / "a.mtx", a)
    parts = (np.array([2.0, 1, 4]), np.array([2, 2, 0], "i4"), np.array([0, 2, 3], "i4"))
    raw: Any = scipy.sparse.csr_array(parts, shape=(2, 3))
    for given in (a, a.tocsc(), tmp_path / "a.mtx", raw):
        matrix = q.sparse(given)
        assert (matrix @ np.array([1, 0, 10], "f4")).tolist() == [30, 4]
        assert (matrix.nnz, repr(matrix)) == (2, "<quadrille_gl.SparseMatrix of 2 x 3, 2 entries>")
    assert q.sparse(raw).doubled == 1


def test_what_is_no_matrix_is_refused_with_numbers() -> None:
    def spoilt(**parts: Any) -> Any:
        a = random_matrix(4, 5, 2)
        a.sum_duplicates()
        for name, (at, value) in parts.items():
            getattr(a, name)[at] = value
        return a

    def refused(a: Any, text: str) -> None:
        with pytest.raises(q.InputError, match=text):
            q.sparse(a)

    refused(spoilt(indices=(0, 5)), "row 0 has an entry in column 5, and the matrix has 5 columns")
    refused(spoilt(indices=(1, -1)), "column 1 is -1")
    refused(spoilt(indptr=(1, 7)), "never fall")
    refused(spoilt(data=(0, np.nan)), "got NaN in row 0")
    refused(spoilt(data=(0, np.inf)), "got inf in row 0")
    refused(np.eye(3), "expected a matrix of scipy.sparse")
    a = q.sparse(random_matrix(4, 5, 2))
    for x in (vector(4), np.ones((5, 1), "float32")):
        with pytest.raises(q.InputError, match=r"x: expected the shape \(5,\)"):
            a @ x
    with pytest.raises(q.InputError, match="there is no y"):
        a.product(vector(5), beta=1.0)
    with pytest.raises(q.InputError, match=r"y: expected the shape \(4,\)"):
        a.product(vector(5), beta=1.0, y=vector(5))


def laplacian(n: int, shift: float) -> Any:
    w = abs(random_matrix(n, n, 3)).astype("float64")
    w = w + w.T
    return scipy.sparse.csr_array(scipy.sparse.diags_array(w.sum(axis=1)) - w + shift * scipy.sparse.eye_array(n))


def test_a_general_system_is_solved_to_double_precision() -> None:
    a = laplacian(503, 0.2)
    b = np.random.default_rng(3).uniform(-1, 1, 503)
    s = q.solve(a, b, tolerance=1e-12, preconditioner="chebyshev")
    assert (s.form, s.m, s.method) == ("csr", None, "cg")
    assert np.linalg.norm(b - a @ s.x) <= 1.01e-12 * np.linalg.norm(b)
    direct = scipy.sparse.linalg.spsolve(a.tocsc(), b)
    assert np.allclose(s.x, direct, rtol=1e-9, atol=1e-9)
    unsymmetric = a + scipy.sparse.diags_array(np.full(502, 0.1), offsets=1)
    two = q.solve(unsymmetric, np.stack([b, 2 * b], axis=1), tolerance=1e-12)
    assert two.method == "bicgstab" and two.x.shape == (503, 2)
    assert np.linalg.norm(2 * b - unsymmetric @ two.x[:, 1]) <= 2.02e-12 * np.linalg.norm(b)


def test_what_a_general_system_cannot_be_is_refused() -> None:
    a = laplacian(101, 0.1)
    with pytest.raises(q.InputError, match="100"):
        q.solve(a, np.ones(100))
    singular = scipy.sparse.csr_array(([1.0, 1, 1], ([0, 0, 1], [0, 50, 2])), shape=(101, 101))
    with pytest.raises(q.ConvergenceError) as caught:
        q.solve(singular, np.ones(101))
    solution = caught.value.solution
    assert solution is not None and solution.residual > 0.1 and not solution.converged
