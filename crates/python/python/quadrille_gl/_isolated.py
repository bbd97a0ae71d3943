"""The process of one test, `python -m quadrille_gl._isolated FILE API SECONDS [--allow-outside] [DEVICE]`: says the device, then the answer, a line of JSON each.

A shader without an end cannot be stopped, and a driver may crash: then this process ends, and none but it."""

from __future__ import annotations

import json
import os
import sys
import threading

import quadrille_gl
from quadrille_gl import _quadrille

LATE = '"late"'
ALLOW_OUTSIDE = "--allow-outside"


def end(answer: str) -> None:
    """Ends the process now, whatever a driver does."""
    print(answer, flush=True)
    os._exit(0)


def end_with_the_parent() -> None:
    """Standard input is a pipe that ends with the process that started this one."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def run(path: str, api: str, seconds: str, *rest: str) -> None:
    allow_outside = rest[:1] == (ALLOW_OUTSIDE,)
    device = next(iter(rest[allow_outside:]), None)
    threading.Thread(target=end_with_the_parent, daemon=True).start()
    try:
        context = quadrille_gl.Context(device, api=api)
    except quadrille_gl.Error as error:
        sys.exit(str(error))
    print(json.dumps(context.renderer), flush=True)
    timer = threading.Timer(float(seconds), end, [LATE])
    timer.daemon = True
    timer.start()
    end(_quadrille.run_test(path, context, allow_outside=allow_outside))


if __name__ == "__main__":
    run(*sys.argv[1:])
