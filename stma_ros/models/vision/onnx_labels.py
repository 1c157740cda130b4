"""Labels of the classes in the metadata of ONNX files, compared with those that a description gives."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stma_ros.types.errors import ConfigurationError

LABELS = "labels"
"""Key of the labels in the metadata, a JSON list."""

NAMES = "names"
"""Key under which ultralytics exports them, as Python writes a dictionary by their numbers."""


def check_number(path: Path, session: Any, labels: Sequence[str]) -> None:
    """Raises ConfigurationError if a network's file names another number of classes than a description, in whose words
    they may be."""
    about = session.get_modelmeta().custom_metadata_map
    for key in (LABELS, NAMES):
        try:
            own = ast.literal_eval(about[key])  # of a JSON list, too
        except (KeyError, ValueError, SyntaxError):
            continue
        if isinstance(own, list | dict) and len(own) != len(labels):
            raise ConfigurationError(
                f"{path} names {len(own)} classes in its metadata, and its description {len(labels)} labels: give one "
                "for each class, in the order of the network"
            )
