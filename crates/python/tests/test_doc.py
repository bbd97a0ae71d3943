"""The examples of the documentation run, and everything public has documentation."""

import doctest
import inspect
from operator import attrgetter

import pytest

import quadrille_gl as q

PUBLIC = [name for name in q.__all__ if name not in ("__version__", "testing")] + ["testing.assert_same"]


@pytest.mark.parametrize("name", ["", *PUBLIC])
def test_examples_run(name: str) -> None:
    thing = attrgetter(name)(q) if name else q
    parts = {name: thing}
    if inspect.isclass(thing):
        parts |= {f"{name}.{part}": getattr(thing, part) for part in vars(thing)}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for label, part in parts.items():
        text = inspect.getdoc(part) or ""
        runner.run(parser.get_doctest(text, {}, label, None, 0))
    assert runner.summarize(verbose=False).failed == 0


CALLS = ["run", "Kernel.__call__", "Kernel", "Experiment", "Pass", "array", "matmul", "sat", "solve", "vp", "card", "Context"]


@pytest.mark.parametrize("name", CALLS)
def test_each_keyword_is_explained(name: str) -> None:
    thing = attrgetter(name)(q)
    text = inspect.getdoc(thing) or ""
    known = {parameter for parameter in inspect.signature(thing).parameters if parameter not in ("self", "given")}
    if name in ("run", "Kernel.__call__"):
        assert len(known) >= 10
        unexplained = {keyword for keyword in known if f"- `{keyword}" not in text} - {"source"}
    else:
        unexplained = {keyword for keyword in known if f"`{keyword}" not in text} - {"a", "b", "x", "mapping", "vectors", "context", "progress"}
    assert not unexplained


@pytest.mark.parametrize("name", PUBLIC)
def test_everything_public_is_documented(name: str) -> None:
    thing = attrgetter(name)(q)
    assert inspect.getdoc(thing)
    if inspect.isclass(thing) and thing.__module__ != "quadrille_gl.errors":
        for part, value in vars(thing).items():
            assert part.startswith("_") or inspect.getdoc(value), f"{name}.{part}"
