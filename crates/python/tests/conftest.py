"""What the tests share."""

import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest


# A shell that starts the tests in the background has SIGINT ignored, and no interrupt would end a
# test that waits for one.
signal.signal(signal.SIGINT, signal.default_int_handler)


APIS = os.environ.get("QUADRILLE_FLAVOURS", "gl gles").split()
"""What a test runs on: both, or what QUADRILLE_FLAVOURS says that the machine has alone, `gl` or `gles`."""


LONG_DOUBLE = pytest.mark.skipif(np.dtype("g").itemsize == 8, reason="a long double is a double")
"""As on Windows."""


def interrupt() -> None:
    """Ctrl-C. Windows has no signals to send: there os.kill ends the process."""
    if sys.platform == "win32":
        signal.raise_signal(signal.SIGINT)
    else:
        os.kill(os.getpid(), signal.SIGINT)


def f4(numbers: npt.ArrayLike) -> npt.NDArray[np.float32]:
    return np.asarray(numbers, "f4")


def example(name: str) -> Any:
    """A program of the folder examples, as a module."""
    path = Path(__file__).parents[3] / f"examples/{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCALE = "uniform sampler2D a; uniform float s; out float y; void main() { y = s * READ(a, TEXEL).r; }"


@pytest.fixture
def random() -> Callable[..., npt.NDArray[np.float32]]:
    """Makes random float32 arrays in [0, 1)."""
    generator = np.random.default_rng(1)
    return lambda *shape: generator.random(shape, dtype=np.float32)


@pytest.fixture
def script() -> Callable[[str], str]:
    """Runs a program in an interpreter of its own, which must end well; returns what it printed."""

    def run(text: str) -> str:
        arguments = [sys.executable, "-X", "faulthandler", "-c", text]
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
        assert done.stderr == "", done.stderr
        return done.stdout

    return run
