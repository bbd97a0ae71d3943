"""Searches for models of formulas."""

from pathlib import Path

import numpy as np
import pytest

import quadrille as q


def planted(variables: int, clauses: int) -> list[list[int]]:
    """Random clauses of three literals, each of which one assignment satisfies."""
    generator = np.random.default_rng(5)
    model = generator.integers(0, 2, variables) * 2 - 1
    made: list[list[int]] = []
    while len(made) < clauses:
        chosen = generator.choice(variables, 3, replace=False)
        signs = generator.integers(0, 2, 3) * 2 - 1
        if np.any(signs == model[chosen]):
            made.append([int(literal) for literal in (chosen + 1) * signs])
    return made


def write(path: Path, variables: int, clauses: list[list[int]]) -> Path:
    path.write_text(f"p cnf {variables} {len(clauses)}\n" + "".join(" ".join(map(str, clause)) + " 0\n" for clause in clauses))
    return path


@pytest.mark.parametrize("candidates", [None, 1, 130])
def test_models_satisfy_every_clause(candidates: int | None, tmp_path: Path) -> None:
    clauses = planted(40, 120)
    found = q.sat(write(tmp_path / "a.cnf", 40, clauses), candidates=candidates, seed=3)
    assert found.satisfiable is True and found.model is not None
    assert found.model.dtype == np.bool_ and found.model.shape == (40,)
    assert all(any(found.model[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses)
    assert (found.variables, found.clauses, found.satisfied, found.seed) == (40, 120, 120, 3)
    assert found.candidates == {1: 1, 130: 256}.get(candidates or 0, found.candidates)


def test_propagation_decides_some(tmp_path: Path) -> None:
    never = q.sat(write(tmp_path / "a.cnf", 2, [[1], [-1, 2], [-2]]))
    assert never.satisfiable is False and never.model is None and never.candidates == 0
    always = q.sat(write(tmp_path / "b.cnf", 2, [[1], [-1, 2]]))
    assert always.model is not None and always.model.tolist() == [True, True] and always.propagated == 2


def test_what_no_search_shows_is_unknown(tmp_path: Path) -> None:
    pigeons = [[1, 2], [-1, -2], [1, -2], [-1, 2]]
    found = q.sat(write(tmp_path / "a.cnf", 2, pigeons), flips=200, restarts=1, candidates=128)
    assert found.satisfiable is None and found.model is None and found.satisfied == 3
    assert found.flips > 0


def test_what_is_no_formula_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.cnf"
    file.write_text("p cnf 2 1\n1 7 0\n")
    with pytest.raises(q.InputError, match=r"a\.cnf:2"):
        q.sat(file)
    with pytest.raises(q.InputError, match=r"none\.cnf"):
        q.sat(str(tmp_path / "none.cnf"))
    with pytest.raises(q.InputError, match="candidates: expected at least 1"):
        q.sat(file, candidates=0)
    with pytest.raises(TypeError):
        q.sat(7)  # type: ignore[arg-type]
