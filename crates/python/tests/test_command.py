"""The command `quadrille` that is installed with the module: a program, which starts itself again where the work may have to be ended."""

import json
import shutil
import subprocess
import sysconfig
import time
from pathlib import Path

import numpy as np
import pytest

import quadrille_gl as q

HALVE = "uniform sampler2D x; out float y; void main() { y = 0.5 * READ(x, TEXEL).r; }"
TEST = 'shader = "halve.frag"\ninput.x = "ramp:3x1"\n[expect.y]\nvalues = [[0.0, 0.25, 0.5]]\nexact = true\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "halve.frag").write_text(HALVE)
    return tmp_path


def run(folder: Path, words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Runs the command of this installation, and none that the path may have."""
    program = shutil.which("quadrille", path=sysconfig.get_path("scripts"))
    assert program, f"no command in {sysconfig.get_path('scripts')}"
    done = subprocess.run([program, *words.split()], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done


def test_it_is_of_the_same_version_and_a_program(folder: Path) -> None:
    assert run(folder, "--version").stdout == f"quadrille {q.__version__}\n"
    program = Path(sysconfig.get_path("scripts"), "quadrille")
    # A script that starts an interpreter would begin with `#!`.
    assert program.with_suffix(".exe").exists() or program.read_bytes()[:4] == b"\x7fELF"


def test_it_finds_the_devices_that_the_module_finds(folder: Path) -> None:
    said = json.loads(run(folder, "doctor --json").stdout)
    assert [device["label"] for device in said["devices"]] == [device.label for device in q.devices()]


def test_a_run_within_its_limit_computes(folder: Path) -> None:
    run(folder, "run halve.frag --input x=ramp:3x1 --output y=y.npy --timeout 100")
    assert np.load(folder / "y.npy").ravel().tolist() == [0.0, 0.25, 0.5]


def test_a_run_ends_at_its_limit(folder: Path) -> None:
    begun = time.monotonic()
    words = "run halve.frag --input x=ramp:3x1 --feedback y=x --iterate 1000000000 --output y=y.npy --timeout 1.5"
    assert "--timeout 1.5: the time is over" in run(folder, words, code=1).stderr
    assert time.monotonic() - begun < 60


def test_tests_of_shaders_run_in_processes_of_their_own(folder: Path) -> None:
    (folder / "right.test.toml").write_text(TEST)
    (folder / "wrong.test.toml").write_text(TEST.replace("0.25", "0.75"))
    assert "expected 0.75, got 0.25" in run(folder, "test", code=1).stdout
    (folder / "wrong.test.toml").unlink()
    run(folder, "test --junit tests.xml")
    assert 'tests="1"' in (folder / "tests.xml").read_text()
