"""Experiments and runs that a file describes: several passes, buffers between them, and what is given instead of what the file says."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quadrille_gl as q

from .conftest import f4

ADD = """
uniform sampler2D a; uniform sampler2D sum; uniform float k; out float next;
void main() { next = READ(sum, TEXEL).r + k * READ(a, TEXEL).r; }"""
HALVE = "uniform sampler2D x; out float y; void main() { y = 0.5 * READ(x, TEXEL).r; }"
SUMS = """
iterate = 3
input.a = "a.npy"
uniform.k = 2
[buffer.sum]
size = "a"
channels = 1
from = "add.next"
[pass.add]
shader = "add.frag"
[pass.halve]
shader = "halve.frag"
read.x = "add.next"
repeat = 2
feedback.y = "x"
"""


@pytest.fixture
def sums(tmp_path: Path) -> Path:
    """A file of two passes; the first adds up, the second halves twice."""
    (tmp_path / "add.frag").write_text(ADD)
    (tmp_path / "halve.frag").write_text(HALVE)
    np.save(tmp_path / "a.npy", f4([[1, 2, 3], [4, 5, 6]]))
    (tmp_path / "sums.run.toml").write_text(SUMS)
    return tmp_path / "sums.run.toml"


def test_a_file_describes_an_experiment(sums: Path) -> None:
    a = f4([[1, 2, 3], [4, 5, 6]])
    e = q.Experiment(str(sums))
    assert (e.inputs, e.outputs, e.uniforms) == (["a", "sum"], ["add.next", "halve.y"], {"k": "float"})
    assert repr(e) == f"<quadrille_gl.Experiment {sums}: a, sum -> add.next, halve.y>"
    for steps in (1, 2, 5):
        e.step(steps)
        np.testing.assert_array_equal(e["add.next"], 2 * a * e.iteration, strict=True)
        np.testing.assert_array_equal(e["halve.y"], a * e.iteration / 2, strict=True)
    e.set(k=1.0, a=10 * a).restart().step()
    np.testing.assert_array_equal(e["halve.y"], 10 * a / 4, strict=True)


def test_what_is_given_goes_before_the_file(sums: Path) -> None:
    sums.with_name("a.npy").unlink()
    a = f4([[1, 2]])
    e = q.Experiment(sums, a=a, k=4, sum=f4([[8, 16]]))
    np.testing.assert_array_equal(e.step(2)["add.next"], 8 * a + [[8, 16]])
    e = q.Experiment(sums, a="random:3x2", seed=7)
    other = q.Experiment(sums, a="random:3x2", seed=8)
    assert not np.array_equal(e.step()["add.next"], other.step()["add.next"])


def test_run_takes_as_many_steps_as_the_file_says(sums: Path) -> None:
    a = f4([[1, 2, 3], [4, 5, 6]])
    results = q.run(sums)
    assert list(results) == ["add.next", "halve.y"]
    np.testing.assert_array_equal(results["add.next"], 6 * a, strict=True)
    np.testing.assert_array_equal(results["halve.y"], 1.5 * a, strict=True)
    out = np.zeros((2, 3), np.float32)
    q.run(str(sums), a=10 * a, out={"halve.y": out})
    np.testing.assert_array_equal(out, 15 * a)


def test_mistakes_are_told_with_the_line(sums: Path) -> None:
    sums.write_text(SUMS.replace('"add.next"\nrepeat', '"halve.y"\nrepeat'))
    with pytest.raises(q.InputError, match=r":13:6: `pass.halve.read.x`: pass `halve` reads what it writes"):
        q.Experiment(sums)
    with pytest.raises(q.InputError, match=r"none.run.toml: cannot read it"):
        q.run("none.run.toml")


def test_a_pass_is_repeated_and_has_a_part_of_another_size() -> None:
    count = "uniform sampler2D x; uniform int repetition; out float y; void main() { y = 2.0 * READ(x, TEXEL).r + float(repetition); }"
    half = "uniform sampler2D z; out float y; void main() { y = READ(z, 2 * TEXEL).r; }"
    passes = {
        "count": q.Pass(count, repeat=3, feedback={"y": "x"}),
        "half": q.Pass(half, read={"z": "count.y"}, size="count.y / 2"),
    }
    e = q.Experiment(passes, x=f4([[1, 8, 2, 3, 5]])).step()
    np.testing.assert_array_equal(e["count.y"], f4([[12, 68, 20, 28, 44]]), strict=True)
    np.testing.assert_array_equal(e["half.y"], f4([[12, 20]]), strict=True)
    with pytest.raises(q.InputError, match=r"repeat: expected a number of repetitions from 1 on, got 0"):
        q.Pass(count, repeat=0)
    with pytest.raises(q.InputError, match=r"expected a size by its name, as in `image / 2` .*; got `x / y`"):
        q.Pass(count, size="x / y")


def test_a_file_names_those_of_its_folder_unless_others_are_allowed(sums: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("above") / "secret"
    secret.write_text("// root:secret:0:0\n")
    sums.write_text(f'common = "{secret}"\n{SUMS}')
    functions: list[Any] = [q.run, q.Experiment]
    for function in functions:
        with pytest.raises(q.InputError, match="`common` names .* which is outside of the folder"):
            function(sums)
        function(sums, allow_outside=True)
    with pytest.raises(q.InputError, match="allow_outside: it is for a file"):
        q.run(HALVE, x=[1.0], allow_outside=True)
