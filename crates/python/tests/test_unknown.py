"""A keyword that a function does not have is an error that names the nearest it has."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quadrille_gl as q

COPY = "uniform sampler2D a; out float y; void main() { y = READ(a, TEXEL).r; }"
# The tests' checker refuses these calls too.
loose: Any = q


@pytest.mark.parametrize(("call", "text"), [
    (lambda: loose.Kernel(COPY, defin={}), r"Kernel\(\) got an unexpected keyword argument `defin`: did you mean `define`\?"),
    (lambda: loose.Pass(COPY, uniform={}), "Pass.*did you mean `uniforms`"),
    (lambda: loose.Context(apis="gl"), "Context.*did you mean `api`"),
    (lambda: loose.Context(colour=1), "Context.*`colour`: it has device, api, tuned"),
    (lambda: loose.array([1.0], contex=None), "did you mean `context`"),
    (lambda: loose.solve(q.stencil("poisson5:3"), np.ones(9), tolerence=1), r"solve\(\).*did you mean `tolerance`"),
    (lambda: loose.matmul([1.0], [1.0], methode="auto"), "did you mean `method`"),
    (lambda: loose.sat([[1]], seeds=1), "did you mean `seed`"),
    (lambda: loose.vp("END", [1.0], constant={}), "did you mean `constants`"),
    (lambda: loose.card(sed=1), "did you mean `seed`"),
    (lambda: loose.Experiment(COPY, a=[1.0]).step(progres=True), r"Experiment\.step\(\).*did you mean `progress`"),
    (lambda: loose.Experiment(COPY, a=[1.0]).read("y", output="y"), "multiple values"),
    (lambda: loose.Experiment(COPY, a=[1.0]).read("y", outs=0), "did you mean `out`"),
])
def test_of_a_function_without_a_shader(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(TypeError, match=text):
        call()


@pytest.mark.parametrize(("call", "text"), [
    (lambda: loose.run(COPY, a=[1.0], defin={"N": 3}), r"\nrun\(\) has no keyword `defin`: did you mean `define`\?$"),
    (lambda: loose.run(COPY, {"a": [1.0]}, siez=(1, 1)), r"has no uniform `siez`.*\nrun\(\) .*did you mean `size`"),
    (lambda: loose.run(COPY, a=[1.0], includes=["."]), "did you mean `include`"),
    (lambda: loose.run(COPY, siez=(1, 1)), "did you mean `size`"),
    (lambda: loose.Kernel(COPY)(a=[1.0], warp="repeat"), r"Kernel\.__call__\(\) has no keyword `warp`: did you mean `wrap`"),
    (lambda: loose.Kernel(COPY)(a=[1.0], define={}), r"Kernel\.__call__\(\) has no keyword `define`: `define` is one of Kernel\(\)"),
    (lambda: loose.Experiment(COPY, a=[1.0], feedbak={"y": "a"}), r"Experiment\(\) has no keyword `feedbak`: did you mean `feedback`"),
    (lambda: loose.Experiment(COPY, a=[1.0]).set(feedback={"y": "a"}), r"`feedback` is one of Experiment\(\)"),
])
def test_of_a_call_that_takes_a_shaders_names_too(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(q.InputError, match=f"(?s){text}"):
        call()


def test_of_a_shader_that_does_not_compile_without_it() -> None:
    text = "out float y; void main() { y = K; }"
    meant = r"(?s)`K' undeclared.*\n{} has no keyword `defin` unless the shader declares it: did you mean `define`\?$"
    with pytest.raises(q.CompileError, match=meant.format(r"run\(\)")) as raised:
        loose.run(text, size=(1, 1), defin={"K": 3})
    assert raised.value.diagnostics[0].line == 1
    with pytest.raises(q.CompileError, match=meant.format(r"Experiment\(\)")):
        loose.Experiment(text, size=(1, 1), defin={"K": 3})


def test_names_of_a_shader_that_are_near_to_keywords_are_its_own() -> None:
    text = "uniform float sizes, unused_flop; out float y; void main() { y = sizes; }"
    assert q.run(text, sizes=2.0, size=(1, 1)) == 2
    with pytest.raises(q.InputError) as raised:
        q.run(text, sizes="x", size=(1, 1))
    assert "did you mean" not in str(raised.value)


def test_control_characters_of_files_are_shown(tmp_path: Path) -> None:
    folder = tmp_path / "red\x1b[31m"
    folder.mkdir()
    shader = folder / "a.frag"
    shader.write_text("out float y; // \x1b[2J\nvoid main() { y = missing\x1b[1m; }")
    with pytest.raises(q.CompileError) as raised:
        q.run(shader, size=(1, 1))
    texts = [str(raised.value), *(found.message for found in raised.value.diagnostics)]
    with pytest.raises(q.InputError) as unread:
        q.run(folder / "none.frag")
    with pytest.warns(UserWarning) as warned:
        with pytest.raises(q.InputError):
            q.run(COPY, {"b\x1b[0m": np.array([0.1])})
    with pytest.raises(TypeError) as unknown:
        loose.array([1.0], **{"contex\x1b": 1})
    texts += [str(error.value) for error in (unread, unknown)] + [str(one.message) for one in warned]
    assert not any("\x1b" in text for text in texts), texts
    assert all("␛" in text for text in texts if "red" in text or "contex" in text or "b" == text[0]), texts
