"""Systems of three dimensions: stencils, matrices of SciPy with a shape, coefficients, against SciPy's direct solver."""

from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
import scipy.sparse.linalg as spl

import quadrille_gl as q

from .conftest import example

DEVICES_AGREE = 1e-9


def neighbours(shape: tuple[int, int, int], star: bool, seed: int) -> sp.csr_array:
    """A random matrix of the points of a grid and those around them, of a diagonal that dominates."""
    rng = np.random.default_rng(seed)
    total = sp.csr_array((int(np.prod(shape)),) * 2)
    for step in np.ndindex(3, 3, 3):
        by = np.array(step) - 1
        if not star or np.abs(by).sum() < 2:
            parts = [sp.diags_array(np.ones(n - abs(k)), offsets=k, shape=(n, n)) for n, k in zip(shape, by, strict=True)]
            total = total + sp.kron(sp.kron(parts[0], parts[1]), parts[2]).tocsr()
    total.data = rng.uniform(-1, 1, total.nnz)
    return (total + 30 * sp.eye_array(total.shape[0])).tocsr()


@pytest.mark.parametrize("text", ["fe27:5x6x7:z=0.1", "jump7:6x5x4:cell=2"])
def test_stencils_are_solved_as_by_a_direct_solver(text: str) -> None:
    stencil = q.stencil(text)
    a = stencil.tocoo().tocsc()
    assert (stencil.width, stencil.height, stencil.depth) == tuple(int(n) for n in text.split(":")[1].split("x"))
    assert a.shape == stencil.shape
    b = np.random.default_rng(1).standard_normal(a.shape[0])
    for preconditioner in ("auto", "multigrid"):
        solution = q.solve(stencil, b, tolerance=1e-12, preconditioner=preconditioner)
        assert np.abs(solution.x - spl.spsolve(a, b)).max() < DEVICES_AGREE
        assert solution.form == ("27-point" if text.startswith("fe27") else "7-point")


@pytest.mark.parametrize("star", [True, False])
def test_matrices_of_scipy_are_taken_with_a_shape(star: bool, tmp_path: Path) -> None:
    shape = (4, 5, 6)
    a = neighbours(shape, star, 2)
    b = np.random.default_rng(3).standard_normal(shape)
    expected = spl.spsolve(a.tocsc(), b.ravel()).reshape(shape)
    scipy.io.mmwrite(tmp_path / "a.mtx", a.tocoo())
    for matrix in (a, a.tocoo(), a.toarray(), tmp_path / "a.mtx"):
        solution = q.solve(matrix, b, shape=shape, tolerance=1e-12)
        assert solution.x.shape == shape
        assert np.abs(solution.x - expected).max() < DEVICES_AGREE
        assert (solution.form, solution.coefficients) == ("7-point" if star else "27-point", "stored")
    columns = q.solve(a, np.stack([b.ravel(), 2 * b.ravel()], axis=1), shape=shape, tolerance=1e-12).x
    assert np.abs(columns[:, 1] - 2 * expected.ravel()).max() < DEVICES_AGREE


def test_periodic_sides_are_seen_in_the_entries() -> None:
    a = q.stencil("poisson7:6x4x5:sides=periodic+dirichlet+neumann").tocoo()
    b = np.random.default_rng(3).standard_normal((5, 4, 6))
    solution = q.solve(a, b, shape=(5, 4, 6), tolerance=1e-12)
    assert np.abs(solution.x.ravel() - spl.spsolve(a.tocsc(), b.ravel())).max() < DEVICES_AGREE


def test_a_coefficient_of_three_axes_is_at_the_points_of_a_grid() -> None:
    rng = np.random.default_rng(4)
    k = 10.0 ** rng.uniform(-1, 1, (4, 5, 6))
    a = sp.lil_array((k.size, k.size))
    index = np.arange(k.size).reshape(k.shape)
    for place in np.ndindex(k.shape):
        i = int(index[place])
        for axis in range(3):
            for step in (-1, 1):
                there = list(place)
                there[axis] += step
                inside = 0 <= there[axis] < k.shape[axis]
                other = k[tuple(there)] if inside else k[place]
                face = 2 * k[place] * other / (k[place] + other)
                a[i, i] += face
                if inside:
                    a[i, int(index[tuple(there)])] = -face
    b = rng.standard_normal(k.shape)
    solution = q.solve(coefficient=k, b=b, tolerance=1e-12)
    assert np.abs(solution.x.ravel() - spl.spsolve(a.tocsc(), b.ravel())).max() < DEVICES_AGREE


def test_what_does_not_fit_is_said() -> None:
    a = neighbours((3, 4, 5), True, 1)
    b = np.ones(60)
    for arguments, part in [
        ({"a": a, "shape": (3, 4, 4)}, "60 rows.*48 points"),
        ({"a": a, "shape": (3, 4, 5), "width": 5}, "width="),
        ({"a": q.stencil("poisson7:5x4x3"), "shape": (3, 4, 5)}, "of its own"),
        ({"coefficient": np.ones((3, 4, 5)), "shape": (3, 4, 5)}, "of its own"),
    ]:
        with pytest.raises(q.InputError, match=part):
            q.solve(b=b, **arguments)
    with pytest.raises(q.InputError, match="expected the shape"):
        q.solve(a, np.ones((5, 4, 3)), shape=(3, 4, 5))


def test_the_wind_around_a_ball_keeps_its_air() -> None:
    channel = example("wind").Channel((10, 14, 24))
    before = [channel.step(1.0) for _ in range(3)]
    assert before[0] > 0.1
    assert np.abs(channel.divergence()).max() < 1e-4
    through = [velocity[~passes] for velocity, passes in zip(channel.velocity, channel.passes, strict=True)]
    assert all(np.all(closed == 0) for closed in through)
    # As much comes out as goes in, and faster beside the ball.
    assert abs(channel.velocity[2][:, :, -1].sum() - channel.velocity[2][:, :, 0].sum()) < 1e-2
    assert channel.speed()[channel.open].max() > 1.15


def test_the_block_is_hottest_at_its_chip_and_colder_along_the_copper() -> None:
    block = example("block")
    u = block.temperature((20, 20, 30))
    assert u.min() > 0
    hottest = np.unravel_index(u.argmax(), u.shape)
    assert abs(hottest[0] - 10) <= 3 and abs(hottest[1] - 10) <= 3 and 10 <= hottest[2] <= 15
    k = block.conductivity((20, 20, 30))
    assert np.all(k[10, 10, 16:] == block.COPPER) and k[0, 0, 0] == block.PLASTIC
    # The copper leads the heat away to its cold end; as far away on the other side it is warmer.
    assert u[10, 10, 22] < u[10, 10, 5] / 2
    assert block.colours(u[10], u.max()).shape == (20, 30, 3)
