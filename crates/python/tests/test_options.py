"""Options that the library specifies, each of another kind and out of range."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import quadrille_gl as q

# The tests' checker refuses these calls too.
loose: Any = q
COPY = "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r; }"
SQUARE = np.eye(2, dtype=np.float32)
CALLS: dict[str, Callable[..., Any]] = {
    "solve": lambda **options: loose.solve(q.stencil("poisson5:3"), np.ones(9), **options),
    "matmul": lambda **options: loose.matmul(SQUARE, SQUARE, **options),
    "sat": lambda **options: loose.sat([[1]], **options),
    "vp": lambda **options: loose.vp("!!VP1.0\nMOV o[COL0], v[1];\nEND", np.ones(4, np.float32), **options),
    "Experiment": lambda **options: loose.Experiment(COPY, x=[1.0], **options),
}
# What is no option of the library's.
OTHERS = {"a", "b", "coefficient", "x0", "width", "shape", "progress", "checkpoint", "every", "context", "out", "check", "formula"}
OTHERS |= {"program", "vectors", "constants", "source", "mapping", "stage", "allow_outside", "given"}
# A text of any kind may be theirs.
TEXTS = {"include", "common"}
OPTIONS = [(call, name) for call in CALLS for name in inspect.signature(getattr(q, call)).parameters if name not in OTHERS]


@pytest.mark.parametrize(("call", "name"), OPTIONS)
@pytest.mark.parametrize("value", [object(), [], -1, float("nan"), "maybe"])
def test_other_values_are_refused(call: str, name: str, value: Any) -> None:
    if name in TEXTS and isinstance(value, (str, list)) or name == "padding" and value == -1:
        return
    with pytest.raises(q.InputError, match=f"^{name}: expected .*; got "):
        CALLS[call](**{name: value})


@pytest.mark.parametrize(("call", "name"), OPTIONS)
def test_a_misspelt_option_is_told_by_the_nearest(call: str, name: str) -> None:
    misspelt = name + "q"
    with pytest.raises((TypeError, q.InputError), match=rf"(?s){misspelt}.*did you mean `{name}`"):
        CALLS[call](**{misspelt: 1})


@pytest.mark.parametrize("call", CALLS)
def test_none_leaves_an_option_as_it_is(call: str) -> None:
    CALLS[call](**{name: None for of, name in OPTIONS if of == call})


def test_an_option_that_the_command_and_the_browser_have_too() -> None:
    a, b = q.stencil("poisson5:20"), np.ones(400)
    often, seldom = (q.solve(a, b, method="cg", check_every=every) for every in (1, 7))
    assert len(often.history) > len(seldom.history)
    assert q.solve(a, b, residual_on="host").residual_on == "host"
