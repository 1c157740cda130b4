"""Compilation of numerical kernels: one place for numba's options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile `function` for one thread, without the GIL, and keep the machine code on disk.

    numba looks for a folder it can write: `NUMBA_CACHE_DIR`, then `__pycache__` beside the source, then the
    user's cache folder. Where it finds none (a container without a home, say) the kernel is compiled anew in
    every process: slower to start, never a reason to fail.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    try:
        compiled: Function = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # numba's "cannot cache function: no locator available"
        compiled = numba.njit(**options)(function)
    return compiled
