"""The exceptions of quadrille: a class for each kind of failure, all below `Error`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .results import Solution


class Diagnostic(NamedTuple):
    """A line of a driver's log, in the user's own files and lines, which count from 1."""

    severity: str
    """`error`, `warning` or `note`."""
    file: str | None
    line: int | None
    column: int | None
    message: str


class Error(Exception):
    """Any failure that quadrille reports."""


class CompileError(Error):
    """A shader does not compile or link; `diagnostics` has what the driver says, line by line."""

    diagnostics: list[Diagnostic]

    def __init__(self, text: str, diagnostics: Iterable[Diagnostic] = ()) -> None:
        super().__init__(text, list(diagnostics))
        self.diagnostics = list(diagnostics)

    def __str__(self) -> str:
        return str(self.args[0])


class LimitError(Error):
    """This device, or its memory, cannot do what was asked for: another could, or this one with less."""


class OutOfMemoryError(LimitError, MemoryError):
    """The memory of the device or of this process does not hold what was asked for."""


class DeviceError(Error):
    """There is no usable device, it was lost, or its driver failed."""


class InputError(Error, ValueError):
    """An argument or a file is wrong: a name, a type, a shape, a number."""


class ConvergenceError(Error):
    """An iteration did not reach its tolerance; `x` is the last iterate, and `solution` describes the run."""

    x: npt.NDArray[np.float64] | None
    solution: Solution | None

    def __init__(
        self,
        text: str,
        x: npt.NDArray[np.float64] | None = None,
        solution: Solution | None = None,
    ) -> None:
        super().__init__(text, x, solution)
        self.x = x
        self.solution = solution

    def __str__(self) -> str:
        return str(self.args[0])
