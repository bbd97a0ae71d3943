"""Searches for models of formulas."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quadrille_gl as q


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


def test_clauses_are_a_file_or_lists(tmp_path: Path) -> None:
    clauses = planted(40, 120)
    file = q.sat(write(tmp_path / "a.cnf", 40, clauses), candidates=128, seed=3)
    assert file.model is not None
    forms: list[Any] = [clauses, np.array(clauses), (tuple(clause) for clause in clauses)]
    for given in forms:
        found = q.sat(given, candidates=128, seed=3)
        assert found.model is not None and np.array_equal(found.model, file.model) and found.flips == file.flips
    assert q.sat([]).satisfiable is True
    assert q.sat([[1], []]).satisfiable is False


def test_engines_search_alike() -> None:
    clauses = planted(20, 80)
    looks = []
    for engine in ["fragment", "vertex", "feedback", "simulator", "host"]:
        found = q.sat(clauses, candidates=1, engine=engine, seed=2, flips=3000)  # type: ignore[arg-type]
        assert found.engine == engine
        looks.append((found.flips, found.restarts, found.satisfied, None if found.model is None else found.model.tolist()))
    assert looks.count(looks[0]) == 5


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


@pytest.mark.parametrize(("formula", "options", "match"), [
    (7, {}, "expected the name of a DIMACS file, or a list of clauses, got <class 'int'>"),
    ([1, 2], {}, r"clause 0: expected a list of literals, integers such as \[1, -2\]; got 1"),
    ([[1], [1.5]], {}, r"clause 1: expected a list of literals.*got \[1.5\]"),
    ([[1], ["x"]], {}, "clause 1: expected a list"),
    ([[1], "x"], {}, "clause 1: expected a list"),
    ([[2**31]], {}, "clause 0: expected a list"),
    ([[1, 0]], {}, "literal"),
    ([[-(2**31)]], {}, "variables"),
    ([[1, 2]], {"engine": "host", "candidates": 128}, "the engine host works on one candidate"),
])
def test_wrong_clauses_and_engines_are_refused(formula: Any, options: dict[str, Any], match: str) -> None:
    with pytest.raises(q.InputError, match=match):
        q.sat(formula, **options)
