"""Numeric computing through OpenGL: a fragment shader over NumPy arrays, headless.

>>> import numpy as np, quadrille_gl as q
>>> q.run("uniform sampler2D x; out float y; void main() { y = sqrt(READ(x, TEXEL).r); }", x=np.float32([[1, 4], [9, 16]]))
array([[1., 2.],
       [3., 4.]], dtype=float32)
"""

from . import results, testing
from ._quadrille import (
    Array,
    Context,
    Device,
    Experiment,
    Kernel,
    Pass,
    Stencil,
    __version__,
    array,
    card,
    devices,
    doctor,
    matmul,
    maximum,
    minimum,
    run,
    sat,
    solve,
    sparse,
    stencil,
    vp,
    where,
)
from .errors import (
    CompileError,
    ConvergenceError,
    DeviceError,
    Diagnostic,
    Error,
    InputError,
    LimitError,
    OutOfMemoryError,
)

__all__ = [
    "Array",
    "CompileError",
    "Context",
    "ConvergenceError",
    "Device",
    "DeviceError",
    "Diagnostic",
    "Error",
    "Experiment",
    "InputError",
    "Kernel",
    "LimitError",
    "OutOfMemoryError",
    "Pass",
    "Stencil",
    "__version__",
    "array",
    "card",
    "devices",
    "doctor",
    "matmul",
    "maximum",
    "minimum",
    "results",
    "run",
    "sat",
    "solve",
    "sparse",
    "stencil",
    "testing",
    "vp",
    "where",
]
