"""Many calls: the objects on the device and the memory of the process stay as they are. QUADRILLE_THOROUGH=1 makes 100 000."""

import os
import sys
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quadrille_gl as q

from .conftest import SCALE

CALLS = 100_000 if os.environ.get("QUADRILLE_THOROUGH") == "1" else 6_000
HALVE = "uniform sampler2D state; out float next; void main() { next = 0.5 * READ(state, TEXEL).r; }"


def resident() -> int:
    """The bytes of the process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def work(calls: int, kernel: q.Kernel, context: q.Context) -> None:
    """Calls and new objects, of which the last few live on."""
    live: deque[Any] = deque(maxlen=8)
    a = np.arange(256, dtype="f4").reshape(16, 16)
    for call in range(calls):
        y = kernel(a=a, s=float(call % 7))
        assert y[1, 2] == 18 * (call % 7)
        live.append(y)
        if call % 50 == 0:
            live.append(q.Experiment(HALVE, state=a, feedback={"next": "state"}, context=context).step(2))
        if call % 50 == 0:
            live.append(q.Kernel(SCALE, define={"NUMBER": call % 3}, context=context))
        if call % 100 == 0:
            with pytest.raises(q.InputError):
                kernel(b=a, s=1)


def test_many_calls_leave_nothing_behind() -> None:
    # Wine shows Linux's /proc to programs for Windows.
    if sys.platform == "win32" or not Path("/proc/self/statm").exists():
        pytest.skip("needs /proc")
    context = q.Context()
    kernel = q.Kernel(SCALE, context=context)
    work(2_000, kernel, context)
    before, objects = resident(), context.objects()
    work(CALLS, kernel, context)
    assert context.objects() == objects
    # A leak of 100 bytes a call of the thorough test would be more; allocators keep some pages at
    # hand.
    assert resident() - before < 8 * 2**20
