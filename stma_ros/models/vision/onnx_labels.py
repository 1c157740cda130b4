"""Labels of the classes in the metadata of ONNX files, compared with those that a description gives."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stma_ros.types.errors import ConfigurationError

LABELS = "labels"
"""Key of the labels in the metadata, a JSON list."""

NAMES = "names"
"""Key under which ultralytics exports them, as Python writes a dictionary by their numbers."""


def check_labels(path: Path, session: Any, labels: Sequence[str]) -> None:
    """Raises ConfigurationError if the file of a network of regions names other labels than these."""
    text = session.get_modelmeta().custom_metadata_map.get(LABELS)
    if text is None:
        return
    try:
        own = json.loads(text)
    except ValueError:
        own = None
    if own == list(labels):
        return
    if not isinstance(own, list):
        raise ConfigurationError(f"{path} has {LABELS!r} in its metadata which are no JSON list: {text!r}")
    differing = next(
        (f"{n} is {a!r}, not {b!r}" for n, (a, b) in enumerate(zip(own, labels, strict=False)) if a != b),
        f"there are {len(own)}, not {len(labels)}",
    )
    raise ConfigurationError(
        f"{path} is of other labels than the network whose regions it is to name: {differing}"
    )


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
