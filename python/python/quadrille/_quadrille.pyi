from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, Literal, Protocol, TypeAlias, final

import numpy.typing as npt
from typing_extensions import Self

from .results import Solution

__all__ = [
    "Context",
    "Device",
    "Experiment",
    "Kernel",
    "Pass",
    "Stencil",
    "__version__",
    "compare",
    "devices",
    "end_all",
    "judge_test",
    "read_test",
    "run",
    "run_test",
    "solve",
    "stencil",
]

__version__: str

# An array for a sampler, or a number, a text or numbers for a uniform.
_Given: TypeAlias = npt.ArrayLike
_Source: TypeAlias = str | PathLike[str]
# Arrays of float32, int32 or uint32, as the shader declares its outputs.
_Array: TypeAlias = npt.NDArray[Any]
_Out: TypeAlias = _Array | dict[str, _Array]
# Done, expected, residual.
_Progress: TypeAlias = bool | Callable[[int, int | None, float | None], object]

@final
class Device:
    @property
    def index(self) -> int: ...
    @property
    def label(self) -> str: ...
    @property
    def software(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Context:
    def __new__(
        cls, device: int | str | Device | None = None, *, api: str = "gl", tuned: bool = False
    ) -> Self: ...
    @property
    def renderer(self) -> str: ...
    @property
    def vendor(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def software(self) -> bool: ...
    @property
    def max_texture_size(self) -> int: ...
    @property
    def memory(self) -> int | None: ...
    @property
    def notice(self) -> str | None: ...
    def objects(self) -> dict[str, int]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: type[BaseException] | BaseException | TracebackType | None) -> None: ...

@final
class Pass:
    def __new__(
        cls,
        source: _Source,
        *,
        read: Mapping[str, str] | None = None,
        uniforms: dict[str, _Given] | None = None,
        size: tuple[int, int] | None = None,
        defines: dict[str, object] | None = None,
        include: Sequence[_Source] | None = None,
    ) -> Self: ...

@final
class Experiment:
    def __new__(
        cls,
        source: _Source | Mapping[str, _Source | Pass],
        mapping: Mapping[str, _Given | PathLike[str]] | None = None,
        /,
        *,
        feedback: Mapping[str, str] | None = None,
        size: tuple[int, int] | None = None,
        reads: Literal["fetch", "sample"] | None = None,
        seed: int = 1,
        defines: dict[str, object] | None = None,
        include: Sequence[_Source] | None = None,
        context: Context | None = None,
        **given: _Given | PathLike[str],
    ) -> Self: ...
    def step(self, count: int = 1, *, progress: _Progress | None = None) -> Self: ...
    def read(self, output: str, *, out: _Array | None = None) -> _Array: ...
    def __getitem__(self, output: str, /) -> _Array: ...
    def set(self, mapping: Mapping[str, _Given] | None = None, /, **given: _Given) -> Self: ...
    def restart(self) -> Self: ...
    @property
    def iteration(self) -> int: ...
    @property
    def inputs(self) -> list[str]: ...
    @property
    def uniforms(self) -> dict[str, str]: ...
    @property
    def outputs(self) -> list[str]: ...

@final
class Kernel:
    def __new__(
        cls,
        source: _Source,
        *,
        defines: dict[str, object] | None = None,
        include: Sequence[_Source] | None = None,
        context: Context | None = None,
    ) -> Self: ...
    @property
    def name(self) -> str: ...
    @property
    def inputs(self) -> list[str]: ...
    @property
    def uniforms(self) -> dict[str, str]: ...
    @property
    def outputs(self) -> list[str]: ...
    # Any: an array where there is one output, else a dict of arrays by name.
    def __call__(
        self,
        mapping: Mapping[str, _Given] | None = None,
        /,
        *,
        size: tuple[int, int] | None = None,
        out: _Out | None = None,
        **given: _Given,
    ) -> Any: ...

class _Sparse(Protocol):
    """Any of SciPy's sparse matrices."""

    def tocoo(self) -> Any: ...

@final
class Stencil:
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    def tocoo(self) -> Any: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def stencil(text: str, /) -> Stencil: ...
def solve(
    a: Stencil | _Source | _Sparse | npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    x0: npt.ArrayLike | None = None,
    width: int | None = None,
    tolerance: float = 1e-8,
    iterations: int = 100_000,
    method: Literal["auto", "cg", "fcg", "bicgstab", "jacobi", "multigrid", "mgcg"] = "auto",
    preconditioner: Literal["auto", "none", "jacobi", "chebyshev", "multigrid"] = "auto",
    smoother: str = "auto",
    coarsen: Literal["auto", "strong", "both"] = "auto",
    cycle: Literal["v", "w", "f"] = "v",
    full_start: bool = False,
    precision: Literal["mixed", "single"] = "mixed",
    progress: _Progress | None = None,
    context: Context | None = None,
) -> Solution: ...
def devices() -> list[Device]: ...
def run(
    source: _Source,
    mapping: Mapping[str, _Given] | None = None,
    /,
    *,
    size: tuple[int, int] | None = None,
    out: _Out | None = None,
    defines: dict[str, object] | None = None,
    include: Sequence[_Source] | None = None,
    context: Context | None = None,
    **given: _Given,
) -> Any: ...
def compare(
    got: npt.ArrayLike,
    expected: npt.ArrayLike,
    *,
    exact: bool,
    ulp: int | None,
    absolute: float | None,
    relative: float | None,
    outliers: int,
    nan: str,
    denormals: str | None,
) -> str | None: ...
def read_test(path: _Source) -> tuple[list[str], float]: ...
def run_test(path: _Source, context: Context) -> str: ...
def judge_test(
    path: _Source,
    api: str,
    device: str,
    *,
    answer: str | None = None,
    late: float | None = None,
    signal: int | None = None,
    code: int | None = None,
    words: str = "",
) -> tuple[str, list[str]]: ...
