"""Networks that come with the package, by name: each a YAML file that describes it, and its ONNX files.

`house` finds the things of the simulated house (docs/house_network.md).
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

HOUSE = "house"

HOUSE_LIMIT = "of the simulated house, and takes all others for these"
"""What things it finds."""

PACKAGED = (HOUSE,)


def network_path(name: str) -> Path:
    """Returns the YAML file of a network of this package, or the file with that name."""
    return Path(str(files(__name__).joinpath(f"{name}.yaml"))) if name in PACKAGED else Path(name)
