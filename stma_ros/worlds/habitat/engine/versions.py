"""Imports habitat_sim and checks its version. No other module names versions."""

from __future__ import annotations

import importlib
import re
import sys
from typing import Any

from .errors import Code, EngineError

KNOWN = ("0.2.4", "0.2.5", "0.3")
"""Versions, or prefixes of versions, whose interface is complete for this package. The tests ran with 0.3.4, which
reports itself as 0.3.3; of the others the bindings were compared."""


def import_habitat(any_version: bool) -> Any:
    """Returns the module habitat_sim. Raises EngineError when it is missing, or its version unknown without
    `any_version`."""
    try:
        habitat = importlib.import_module("habitat_sim")
    except ImportError as error:
        raise EngineError(
            Code.NO_ENGINE,
            f"habitat_sim cannot be imported by {sys.executable}: {error}. Install habitat-sim for that Python, with "
            "Bullet (`conda install habitat-sim withbullet headless -c conda-forge -c aihabitat`, or your own build), "
            "or name the interpreter that has it",
        ) from None
    version = str(getattr(habitat, "__version__", "of unknown version"))
    if not any_version and not is_known(version):
        raise EngineError(
            Code.UNKNOWN_VERSION,
            f"habitat_sim {version} is not known to work; known are {', '.join(KNOWN)}. Install one of these, or set "
            "any_version to try it all the same",
        )
    return habitat


def is_known(version: str) -> bool:
    numbers = re.match(r"[\d.]*", version)
    parts = [] if numbers is None else numbers.group().strip(".").split(".")
    return any(parts[: len(known)] == known for known in (text.split(".") for text in KNOWN))
