"""Options that the library specifies, each of another kind and out of range."""

import inspect
from typing import Any

import numpy as np
import pytest

import quadrille_gl as q

loose: Any = q
OPTIONS = [name for name in inspect.signature(q.solve).parameters
           if name not in ("a", "b", "coefficient", "x0", "width", "shape", "progress", "context")]


def solve(**options: Any) -> Any:
    return loose.solve(q.stencil("poisson5:3"), np.ones(9), **options)


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("value", [object(), [], -1, float("nan"), "maybe"])
def test_other_values_are_refused(name: str, value: Any) -> None:
    with pytest.raises(q.InputError, match=f"^{name}: expected .*; got "):
        solve(**{name: value})


def test_none_leaves_an_option_as_it_is() -> None:
    assert solve(**dict.fromkeys(OPTIONS)).converged


def test_an_option_that_the_command_and_the_browser_have_too() -> None:
    a, b = q.stencil("poisson5:20"), np.ones(400)
    often, seldom = (q.solve(a, b, method="cg", check_every=every) for every in (1, 7))
    assert len(often.history) > len(seldom.history)
    assert q.solve(a, b, residual_on="host").residual_on == "host"
