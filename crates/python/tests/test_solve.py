"""Linear systems: against SciPy's direct solver, and what is refused."""

import importlib.util
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.io
import scipy.sparse as sp
import scipy.sparse.linalg

import quadrille_gl as q

from .conftest import APIS, interrupt

F8 = npt.NDArray[np.float64]


def side(n: int, *more: int) -> F8:
    return np.random.default_rng(3).standard_normal((n, *more))


def direct(a: Any, b: F8) -> F8:
    return np.asarray(scipy.sparse.linalg.spsolve(a.tocsc(), b)).reshape(b.shape)


def check(a: Any, b: F8, x: F8, tolerance: float) -> None:
    """The residual, computed again, and the distance to the direct solution, which it bounds by the condition number."""
    assert x.dtype == np.float64 and x.shape == b.shape
    r = np.linalg.norm(b - a @ x) / np.linalg.norm(b)
    # The residual itself is computed with sums of up to nine products.
    assert r <= tolerance + 1e-14, r
    inverse = np.linalg.inv(a.toarray())
    bound = np.linalg.norm(inverse, 2) * 2 * (tolerance + 1e-13) * np.linalg.norm(b)
    assert np.linalg.norm(x - direct(a, b)) <= bound


@pytest.mark.parametrize("name", ["fe9:16x9:anisotropy=0.05:angle=30", "jump:16:ratio=100:cell=4", "convection:15x17:angle=30"])
def test_solutions_are_those_of_scipy(name: str) -> None:
    stencil = q.stencil(name)
    a = stencil.tocoo()
    assert a.shape == stencil.shape
    b = side(a.shape[0])
    for given, width in [(stencil, None), (a, stencil.width)]:
        s = q.solve(given, b, tolerance=1e-10, width=width)
        check(a, b, s.x, 1e-10)
        assert s.converged and s.residual <= 1e-10 and s.tolerance == 1e-10
        assert (s.n, s.m) == (a.shape[0], stencil.width)


@pytest.mark.parametrize("make", [
    sp.csr_array, sp.csc_array, sp.coo_array, sp.dia_array, sp.lil_array, sp.dok_array, sp.bsr_array, sp.csr_matrix, sp.coo_matrix,
    lambda a: a.toarray(), lambda a: np.asfortranarray(a.toarray()), lambda a: a.toarray().tolist(),
])
def test_a_matrix_may_have_any_format(make: Callable[[Any], Any]) -> None:
    a = q.stencil("fe9:7x6").tocoo()
    b = side(42)
    s = q.solve(make(a), b)
    check(a, b, s.x, 1e-8)
    assert (s.m, s.coefficients) == (7, "constant")


def test_the_first_form_that_fits_is_taken() -> None:
    b = side(42)
    stencil = q.stencil("fe9:7x6")
    for text in ["fe9:7x6", "neumann5:7x6", "convection:7x6"]:
        assert q.solve(q.stencil(text), b - b.mean(), precision="single", tolerance=1e-3).coefficients == "constant"
    other = stencil.tocoo().tocsr()
    other[22, 23] *= 1.5
    other[23, 22] *= 1.5
    s = q.solve(other, b)
    check(other, b, s.x, 1e-8)
    assert (s.form, s.coefficients) == ("nine-banded", "stored")
    ring = sp.csr_array((np.ones(42), (np.arange(42), (np.arange(42) + 17) % 42)), (42, 42)) + 3 * sp.eye_array(42)
    assert q.solve(ring, b).coefficients is None


@pytest.mark.parametrize("text", ["fe9:7x6:angle=20", "convection:9x4", "random:5x9"])
def test_diagonals_are_taken_as_they_are(text: str) -> None:
    a = q.stencil(text).tocoo()
    b = side(a.shape[0])
    dia = a.todia()
    expected = q.solve(a, b)
    s = q.solve(dia, b)
    np.testing.assert_array_equal(s.x, expected.x)
    assert (s.m, s.form, s.coefficients) == (expected.m, "nine-banded", expected.coefficients)
    # More columns than the matrix, and one entry that is another.
    wide = sp.dia_array((np.pad(dia.data, ((0, 0), (0, 3)), constant_values=np.nan), dia.offsets), a.shape)
    np.testing.assert_array_equal(q.solve(wide, b).x, s.x)
    dia.data[0, 0] *= 1.5
    check(dia.tocoo(), b, q.solve(dia, b).x, 1e-8)
    dia.data[-1, -1] = np.inf
    with pytest.raises(q.InputError, match="inf"):
        q.solve(dia, b)


def test_other_diagonals_are_entries() -> None:
    b = side(50)
    three = sp.diags_array([-1.0, 3.0, -1.0], offsets=[-1, 0, 1], shape=(50, 50))
    assert q.solve(three, b).form == "csr" and q.solve(three, b, width=10).m == 10
    far = sp.diags_array([-1.0, 3.0, -1.0], offsets=[-17, 0, 30], shape=(50, 50))
    assert q.solve(far, b).form == "csr"


def by_faces(x: F8, y: F8) -> Any:
    """The matrix of coefficients at the faces, entry by entry."""
    height, width = x.shape[0], y.shape[1]
    a = sp.lil_array((height * width, height * width))
    for row in range(height):
        for column in range(width):
            i = row * width + column
            a[i, i] = y[row, column] + x[row, column] + x[row, column + 1] + y[row + 1, column]
            if column:
                a[i, i - 1] = a[i - 1, i] = -x[row, column]
            if row:
                a[i, i - width] = a[i - width, i] = -y[row, column]
    return a.tocsc()


def faces_of(k: F8) -> tuple[F8, F8]:
    """The harmonic means of neighbours; at the sides the points' own."""
    def means(k: F8) -> F8:
        k = np.hstack([k[:, :1], k, k[:, -1:]])
        return np.asarray(2 * k[:, 1:] * k[:, :-1] / (k[:, 1:] + k[:, :-1]))
    return means(k), means(k.T).T


@pytest.mark.parametrize("shape", [(1, 3), (33, 17)])
def test_a_coefficient_is_a_matrix(shape: tuple[int, int]) -> None:
    k = 10 ** np.random.default_rng(5).uniform(-1, 1, shape)
    b = side(*shape)
    x, y = faces_of(k)
    at_points = q.solve(coefficient=k, b=b, tolerance=1e-10)
    at_faces = q.solve(coefficient=(x, y), b=b, tolerance=1e-10)
    for s in [at_points, at_faces]:
        assert (s.coefficients, s.x.shape) == ("field", shape)
        check(by_faces(x, y), b.ravel(), s.x.ravel(), 1e-9)
    # One face less, at a corner.
    x[-1, -1] *= 1.01
    off = by_faces(x, y) @ at_faces.x.ravel() - b.ravel()
    assert np.linalg.norm(off) > 1e-6 * np.linalg.norm(b)


def test_a_device_array_is_a_coefficient() -> None:
    k = np.random.default_rng(6).uniform(1, 2, (9, 12)).astype(np.float32)
    b = side(108)
    s, expected = q.solve(coefficient=q.array(k), b=b), q.solve(coefficient=k, b=b)
    np.testing.assert_array_equal(s.x, expected.x)
    assert q.solve(coefficient=np.full((9, 12), 2.5), b=b).coefficients == "constant"


def test_times_say_where_the_time_went() -> None:
    s = q.solve(q.stencil("jump:40:cell=8"), side(1600))
    assert s.coefficients == "field" and set(s.times) == set(s.setup_times)
    np.testing.assert_allclose(sum(s.setup_times.values()), s.setup_milliseconds)
    assert 0 < sum(s.times.values()) <= s.milliseconds * (1 + 1e-9)


@pytest.mark.parametrize(("coefficient", "text"), [
    (np.ones(12), "coefficient: expected an array of the shape (height, width)"),
    ((np.ones((3, 4)),), "got a tuple of 1"),
    ((np.ones((3, 5)), np.ones((3, 4))), "5 x 3 along x and 4 x 3 along y"),
    ((np.ones((3, 5)), np.full((4, 4), -1.0)), "got -1 at column 0, row 0 of those along y"),
])
def test_bad_coefficients_are_refused(coefficient: Any, text: str) -> None:
    with pytest.raises(q.InputError) as caught:
        q.solve(coefficient=coefficient, b=np.ones(12))
    assert text in str(caught.value)


def test_one_of_a_matrix_and_a_coefficient_is_given() -> None:
    k, b = np.ones((3, 4)), np.ones(12)
    cases: list[tuple[dict[str, Any], str]] = [
        ({}, "give a matrix A, or coefficient="),
        ({"coefficient": k}, "give the right-hand side, b="),
        ({"coefficient": k, "a": q.stencil("poisson5:4x3"), "b": b}, "give one of them"),
        ({"coefficient": k, "b": b, "width": 4}, "leave it out"),
        ({"coefficient": k, "b": np.ones(13)}, "b: expected the shape (12,)"),
    ]
    for arguments, text in cases:
        with pytest.raises(q.InputError) as caught:
            q.solve(**arguments)
        assert text in str(caught.value)


def test_entries_that_come_twice_are_summed() -> None:
    a = q.stencil("poisson5:6x5").tocoo()
    twice = sp.coo_array((np.tile(a.data / 2, 2), (np.tile(a.row, 2), np.tile(a.col, 2))), a.shape)
    b = side(30)
    np.testing.assert_array_equal(q.solve(twice, b).x, q.solve(a, b).x)


@pytest.mark.parametrize("dtype", ["f2", "f4", "i4", "i8", "u1", "?", ">f8", ">i2"])
def test_a_matrix_may_have_any_dtype_that_float64_holds(dtype: str) -> None:
    a, b = np.eye(12, dtype=dtype), np.arange(12)
    # The tolerance is of the norm, and A is the identity.
    givens: list[Any] = [a] if dtype in ["f2", ">f8", ">i2"] else [a, sp.coo_array(a)]
    for given in givens:
        assert np.linalg.norm(q.solve(given, b, width=4).x - b) <= 1e-8 * np.linalg.norm(b)


def test_a_file_of_matrix_market_is_read(tmp_path: Path) -> None:
    a = q.stencil("fe9:6x5:anisotropy=0.1").tocoo()
    b = side(30)
    scipy.io.mmwrite(tmp_path / "a.mtx", a, precision=17)
    paths: list[Path | str] = [tmp_path / "a.mtx", str(tmp_path / "a.mtx")]
    for path in paths:
        np.testing.assert_array_equal(q.solve(path, b).x, q.solve(a, b).x)
    with pytest.raises(q.InputError, match=r"none\.mtx"):
        q.solve(tmp_path / "none.mtx", b)


def test_the_width_makes_a_grid_where_entries_leave_it_open() -> None:
    a = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(20, 20))
    b = side(20)
    by_rows, by_bands = q.solve(a, b), q.solve(a, b, width=5)
    assert (by_rows.form, by_rows.m, by_bands.form, by_bands.m) == ("csr", None, "nine-banded", 5)
    for solution in (by_rows, by_bands):
        check(a, b, solution.x, 1e-8)
    with pytest.raises(q.InputError, match=r'A: there is no file "fe9:4"; for a stencil give quadrille_gl.stencil\("fe9:4"\)'):
        q.solve("fe9:4", np.ones(16))
    with pytest.raises(q.InputError, match="fe9.mtx"):
        q.solve("fe9.mtx", np.ones(16))
    with pytest.raises(q.InputError, match="width: a stencil and a coefficient have their own"):
        q.solve(q.stencil("poisson5:4"), np.ones(16), width=4)


def test_what_is_not_nine_banded_is_refused() -> None:
    b = np.ones(30)
    a = q.stencil("poisson5:6x5").tocoo().tolil()
    a[0, 20] = 1.0
    with pytest.raises(q.InputError, match=r"A: not nine-banded, as operators on grids of 5 or 9 points are: the entry in row 0, column 20 .* on diagonal \+20"):
        q.solve(a, b, width=6)
    a = q.stencil("poisson5:6x5").tocoo()
    a.data[3] = np.nan
    with pytest.raises(q.InputError, match="A: expected finite numbers"):
        q.solve(a, b)


@pytest.mark.parametrize(("a", "match"), [
    (np.ones((3, 4)), "expected a square matrix, got 3 rows and 4 columns"),
    (np.ones(9), "expected a matrix of scipy.sparse, a square array"),
    (np.ones((2, 2, 2)), "expected a matrix of scipy.sparse"),
    (7, "expected a matrix of scipy.sparse.*got int"),
    (np.eye(4) * 1j, "got dtype complex128"),
    (sp.coo_array((4, 4), dtype="c8"), "got dtype complex64"),
    (np.full((1, 1), 2**53 + 1), "2.53"),
    (np.empty((0, 0)), "at least one row"),
])
def test_what_is_no_matrix_is_refused(a: Any, match: str) -> None:
    with pytest.raises(q.InputError, match=match):
        q.solve(a, np.ones(4), width=3)


@pytest.mark.parametrize(("b", "match"), [
    (np.ones(29), r"b: expected the shape \(30,\).*\[29\]"),
    (np.ones((6, 5)), r"b: expected the shape"),
    (np.ones((1, 30)), r"b: expected the shape"),
    (np.ones((30, 1, 1)), r"b: expected the shape"),
    (3.0, "one to three axes"),
    ([], r"\[0\]"),
    (np.full(30, np.nan), "NaN at index 0"),
    (["x"] * 30, "b: expected an array of"),
    (np.ones(30) * 1j, "b: expected an array of"),
    (np.ma.masked_array(np.ones(30), np.eye(30)[0]), "masked"),
])
def test_what_is_no_right_hand_side_is_refused(b: Any, match: str) -> None:
    with pytest.raises(q.InputError, match=match):
        q.solve(q.stencil("poisson5:6x5"), b)


def test_right_hand_sides_are_columns_in_any_order() -> None:
    stencil = q.stencil("heat9:7x6")
    a = stencil.tocoo()
    whole = side(84, 6)
    for b in [whole[:42, :3], np.asfortranarray(whole[:42, :3]), whole[::2, ::-2], whole[:42, :1], whole.astype("f4")[:42]]:
        s = q.solve(stencil, b, tolerance=1e-10)
        assert s.x.shape == b.shape
        for column in range(b.shape[1]):
            check(a, b[:, column].astype("f8"), s.x[:, column], 1e-10)
            alone = q.solve(stencil, b[:, column], tolerance=1e-10)
            np.testing.assert_array_equal(alone.x, s.x[:, column])
        assert len(s.right_hand_sides) == b.shape[1]
        assert s.iterations == sum(one.iterations for one in s.right_hand_sides)
        assert set(s.history["rhs"]) == set(range(b.shape[1]))
    none = q.solve(stencil, whole[:42, :0])
    assert none.x.shape == (42, 0) and none.converged and len(none.history) == 0


def test_a_right_hand_side_may_have_the_shape_of_the_grid() -> None:
    stencil = q.stencil("poisson5:6x5")
    b = side(5, 6)
    for given in [b, np.asfortranarray(b)]:
        x = q.solve(stencil, given).x
        np.testing.assert_array_equal(x, q.solve(stencil, b.ravel()).x.reshape(5, 6))


def test_a_first_x_saves_iterations() -> None:
    stencil = q.stencil("poisson5:50x41")
    b = side(2050, 2)
    s = q.solve(stencil, b, tolerance=1e-11)
    near = q.solve(stencil, b, tolerance=1e-11, x0=s.x * (1 + 1e-7))
    assert near.residual <= 1e-11 and 2 * near.iterations < s.iterations
    again = q.solve(stencil, b, tolerance=1e-11, x0=s.x)
    assert again.iterations == 0
    np.testing.assert_array_equal(again.x, s.x)
    with pytest.raises(q.InputError, match=r"x0: expected the shape of b, \[2050, 2\], got \[2050\]"):
        q.solve(stencil, b, x0=s.x[:, 0])
    with pytest.raises(q.InputError, match="the first x holds inf"):
        q.solve(stencil, b[:, 0], x0=np.full(2050, np.inf))


@pytest.mark.parametrize("options", [
    {"method": "cg", "preconditioner": "none"}, {"method": "bicgstab", "preconditioner": "jacobi"},
    {"method": "jacobi"}, {"method": "mgcg"}, {"method": "multigrid", "smoother": "line-jacobi"},
    {"preconditioner": "multigrid", "coarsen": "both"},
])
def test_every_method_solves(options: dict[str, Any]) -> None:
    stencil = q.stencil("fe9:31x30")
    b = side(930)
    s = q.solve(stencil, b, tolerance=1e-9, **options)
    check(stencil.tocoo(), b, s.x, 1e-9)
    method = options.get("method", s.method)
    assert s.method == {"mgcg": "cg"}.get(method, method)
    runs = s.preconditioner == "multigrid"
    assert runs == (s.levels is not None) == (s.smoothers is not None)
    assert (s.why is None) == ("method" in options)


@pytest.mark.parametrize(("options", "match"), [
    ({"method": "gmres"}, "method: expected one of: auto, cg, bicgstab, jacobi, multigrid, mgcg, fft; got 'gmres'"),
    ({"tolerance": -1.0}, "tolerance: expected a number from 0 on; got -1.0"),
    ({"method": "cg", "coarsen": "both"}, "`coarsen` is for multigrid"),
    ({"smoother": "line-jacobi"}, "`smoother` is for multigrid"),
    ({"progress": 3}, "progress: expected True, False or a callable"),
    ({"checkpoint": "kept"}, "checkpoint: expected a callable, got <class 'str'>"),
    ({"checkpoint": print, "every": -1}, "every: expected a number of seconds, at least 0; got -1"),
    ({"checkpoint": print, "every": float("nan")}, "every: expected a number of seconds, at least 0; got NaN"),
    ({"every": 5}, "every: for `checkpoint` alone, which is not given"),
])
def test_wrong_options_list_what_there_is(options: dict[str, Any], match: str) -> None:
    with pytest.raises(q.InputError, match=match):
        q.solve(q.stencil("poisson5:6x5"), np.ones(30), **options)


def test_what_does_not_converge_has_what_was_reached() -> None:
    stencil = q.stencil("poisson5:40")
    b = side(1600, 2)
    with pytest.raises(q.ConvergenceError, match="column 0 of b: after 5 iterations the residual is") as caught:
        q.solve(stencil, b, iterations=5)
    x, solution = caught.value.x, caught.value.solution
    assert x is not None and solution is not None and x is solution.x
    assert not solution.converged and solution.iterations == 10
    assert [one.ending for one in solution.right_hand_sides] == ["not converged"] * 2
    r = [np.linalg.norm(b[:, k] - stencil.tocoo() @ x[:, k]) / np.linalg.norm(b[:, k]) for k in range(2)]
    np.testing.assert_allclose(r, [one.residual for one in solution.right_hand_sides], rtol=1e-10)


def test_the_history_ends_with_the_residual() -> None:
    s = q.solve(q.stencil("poisson5:63"), np.ones(63 * 63), tolerance=1e-10)
    h = s.history
    assert h.dtype.names == ("rhs", "iteration", "residual", "milliseconds")
    assert (h["iteration"][0], h["residual"][0]) == (0, 1)
    assert (h["iteration"][-1], h["residual"][-1]) == (s.iterations, s.residual)
    assert np.all(np.diff(h["iteration"]) >= 0) and np.all(np.diff(h["milliseconds"]) >= 0)
    assert "3969 unknowns by cg" in repr(s)


def test_a_singular_system_loses_its_mean() -> None:
    stencil = q.stencil("neumann5:12x9")
    b = side(108) + 5
    a, rest = stencil.tocoo(), b - b.mean()
    with pytest.raises(q.InputError, match=r"the mean of the right-hand side is .*`project`"):
        q.solve(stencil, b)
    s = q.solve(stencil, b, project=True, tolerance=1e-6)
    [one] = s.right_hand_sides
    assert one.removed_mean == pytest.approx(b.mean())
    assert s.projected_residual is not None and one.projected_residual == s.projected_residual <= s.tolerance
    assert s.residual == pytest.approx(np.linalg.norm(b - a @ s.x) / np.linalg.norm(b))
    with pytest.raises(q.InputError, match="column 1 of b: no x solves"):
        q.solve(stencil, np.column_stack([rest, b]))
    assert q.solve(stencil, rest).projected_residual is None


def slow() -> tuple[q.Stencil, F8]:
    """A system that Jacobi's iteration takes minutes for."""
    return q.stencil("poisson5:511"), np.ones(511 * 511)


def test_an_interrupt_stops_and_leaves_all_usable() -> None:
    timer = threading.Timer(1.0, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        q.solve(*slow(), method="jacobi", iterations=10**9)
    timer.join()
    assert q.solve(q.stencil("poisson5:9"), np.ones(81)).converged


def test_progress_is_told_and_an_exception_of_it_stops() -> None:
    told: list[tuple[int, int | None, float | None]] = []

    def tell(done: int, expected: int | None, residual: float | None) -> None:
        told.append((done, expected, residual))
        if len(told) == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        q.solve(*slow(), method="jacobi", iterations=10**9, progress=tell)
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert all(residual is not None and residual > 0 for _, _, residual in told)


def test_another_call_goes_on_from_a_checkpoint() -> None:
    a, b = q.stencil("poisson5:90x70"), side(6300).reshape(70, 90)
    kept: list[tuple[int, npt.NDArray[np.float64]]] = []
    with pytest.raises(q.ConvergenceError, match="after 100 iterations"):
        q.solve(a, b, method="cg", preconditioner="none", iterations=100, checkpoint=lambda done, x: kept.append((done, x)), every=0)
    done, x = kept[-1]
    assert [done for done, _ in kept] == sorted({done for done, _ in kept}) and 0 < done <= 100
    assert x.shape == b.shape and x.dtype == np.float64
    whole = q.solve(a, b, method="cg", preconditioner="none")
    rest = q.solve(a, b, method="cg", preconditioner="none", x0=x)
    assert rest.residual <= 1e-8 and rest.iterations < whole.iterations
    # An hour does not pass; and it is of one right-hand side.
    q.solve(a, b, checkpoint=lambda done, x: kept.append((done, x)), every=3600)
    assert kept[-1][0] == done
    with pytest.raises(q.InputError, match="checkpoint is of one right-hand side, got 2"):
        q.solve(a, side(6300, 2), checkpoint=print)


def test_an_exception_of_a_checkpoint_stops() -> None:
    def full(iterations: int, x: npt.NDArray[np.float64]) -> None:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        q.solve(*slow(), method="jacobi", iterations=10**9, checkpoint=full, every=0.01)


@pytest.mark.skipif(importlib.util.find_spec("tqdm") is None, reason="tqdm is not installed")
def test_a_bar_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    s = q.solve(q.stencil("poisson5:63"), np.ones(63 * 63), progress=True)
    shown = capsys.readouterr().err
    assert str(s.iterations) in shown and f"residual {s.residual:.1e}" in shown


def test_stencils_are_named_by_texts() -> None:
    a = q.stencil("fe9:5x4:angle=30")
    assert str(a) == "fe9:5x4:angle=30" and repr(a) == 'quadrille_gl.stencil("fe9:5x4:angle=30")'
    assert a == q.stencil("fe9:5x4:angle=30") and a != q.stencil("fe9:5x4")
    with pytest.raises(q.InputError, match="unknown stencil `cross5`: the stencils are"):
        q.stencil("cross5:9")
    dense = q.stencil("poisson5:3x2").tocoo().toarray()
    line, unit = np.diag([-1.0, -1], 1) + np.diag([-1.0, -1], -1), np.eye(3)
    np.testing.assert_array_equal(dense, np.block([[line + 4 * unit, -unit], [-unit, line + 4 * unit]]))


def test_a_context_may_be_named() -> None:
    with q.Context("llvmpipe", api=APIS[-1]) as context:
        s = q.solve(q.stencil("poisson5:9"), np.ones(81), context=context)
        assert (s.device, s.software) == (context.renderer, True)
        assert s.api.startswith("OpenGL ES") == (APIS[-1] == "gles")
