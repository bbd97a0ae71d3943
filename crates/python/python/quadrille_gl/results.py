"""What functions return beside arrays: objects with the content of the command's `--json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


def _history(looks: list[tuple[int, int, float, float]]) -> npt.NDArray[np.void]:
    fields = [("rhs", "i4"), ("iteration", "i8"), ("residual", "f8"), ("milliseconds", "f8")]
    return np.array(looks, fields)


@dataclass(frozen=True, eq=False, kw_only=True)
class RightHandSide:
    """How one right-hand side was solved."""

    iterations: int
    applications: int
    """Products with the matrix on the device."""
    corrections: int
    """Residuals in double precision, from which x was corrected."""
    reached_at: int
    """The iterations after which x was reached: no look at a later x found a smaller residual."""
    residual: float
    projected_residual: float | None
    """Of b without its mean, over the norm of that, with `project=True` and a matrix that takes constants to zero."""
    convergence_factor: float | None
    """What an iteration multiplied the residual by, on average; None without iterations."""
    ending: str
    """`converged`, or how else it ended."""
    removed_mean: float | None
    """What was subtracted from the right-hand side of a singular system, in whose range are no constants."""
    milliseconds: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Solution:
    """What `solve` found, and how."""

    x: npt.NDArray[np.float64]
    """In the shape of b."""
    iterations: int
    """Of all right-hand sides together."""
    applications: int
    """Products with the matrix on the device."""
    residual: float
    """The 2-norm of b - A x over that of b, in float64, for this x and the b that was given; the largest of all right-hand sides."""
    projected_residual: float | None
    """The same of b without its mean, over the norm of that, with `project=True` and a matrix that takes constants to zero: this is what meets the tolerance then."""
    tolerance: float
    converged: bool
    history: npt.NDArray[np.void]
    """The looks at the residual: an array with the fields `rhs`, which counts from 0, `iteration`, `residual` and `milliseconds`."""
    right_hand_sides: list[RightHandSide]
    n: int
    """The unknowns."""
    m: int | None
    """Those in a row of the grid; None for a matrix by rows."""
    form: str
    """How the matrix was taken: `nine-banded`, or `csr` by its rows."""
    coefficients: str | None
    """How a nine-banded matrix has its coefficients: `constant`, the same at all points and not stored, `field`, from coefficients of diffusion, or `stored`; None for a matrix by rows."""
    method: str
    preconditioner: str
    smoother: str | None
    """Of multigrid; None without it, as the next two."""
    smoothers: list[str] | None
    """Of its levels, from the finest, without the last."""
    levels: int | None
    precision: str
    residual_on: str
    """Where residuals in double precision are computed, `host` or `device`; the last one is the host's."""
    why: str | None
    """Why the method was chosen; None where it was given."""
    multigrid_gave_up: str | None
    """How multigrid ended where it was chosen and another preconditioner has replaced it."""
    setup_milliseconds: float
    milliseconds: float
    """Of the iterations."""
    setup_times: dict[str, float]
    """The parts of the setup, in milliseconds: `examine`, `send`, `levels`, `compile`, `iterate`, `residual on the host` and `back`."""
    times: dict[str, float]
    """The same parts of all right-hand sides together."""
    device: str
    software: bool
    api: str

    def __repr__(self) -> str:
        word = "converged" if self.converged else "not converged"
        how = f"{self.method}, preconditioner {self.preconditioner}"
        residual = self.residual if self.projected_residual is None else self.projected_residual
        return f"<quadrille_gl.Solution of {self.n} unknowns by {how}: {word}, {self.iterations} iterations, residual {residual:.2e}>"


@dataclass(frozen=True, eq=False, kw_only=True)
class Satisfiability:
    """What `sat` found."""

    satisfiable: bool | None
    """None where the answer is unknown: only unit propagation can show that there is no model, and no search can."""
    model: npt.NDArray[np.bool_] | None
    """The value of each variable, the first of which is variable 1; None without a model."""
    variables: int
    clauses: int
    propagated: int
    """Variables whose values unit propagation fixed, before a search for the others."""
    satisfied: int
    """Clauses that the model satisfies, or the best assignment that there was at the end."""
    flips: int
    """Those of all candidates together."""
    restarts: int
    candidates: int
    """0 where no search was needed."""
    engine: str | None
    """What evaluated the clauses; None where no search was needed."""
    seed: int
    clause_evaluations_per_second: float
    milliseconds: float
    """The search, without set-up."""


class Report:
    """An object of a command's `--json`: its fields are attributes, and `dict(report)` has them by name."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"there is no field `{name}`; there are: {', '.join(self.keys())}")

    def __getitem__(self, name: str) -> Any:
        return self.__dict__[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__)

    def keys(self) -> list[str]:
        """The names of the fields."""
        return list(self.__dict__)

    def __repr__(self) -> str:
        return f"<quadrille_gl.Report of {', '.join(self.keys())}>"


def _report(text: str) -> Any:
    return json.loads(text, object_hook=Report)
