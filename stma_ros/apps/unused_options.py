"""Refuses options that would have no effect with the rest of the command line, and names the remedy."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from stma_ros.types.errors import ConfigurationError

_SPELLED = {"assignments": "--set", "mapping": "--topics-file"}
_NEW_RUN = "makes nothing anew with --publish, which plays what was recorded: leave out one of the two"
_PLAYED = "goes with --publish, which plays the bag onto the ROS graph: add that, or leave this out"

PUBLISHED = dict.fromkeys(("assignments", "preset", "registry", "json", "ask", "mapping", "out"), _NEW_RUN)
"""Reasons against options of `stma replay --publish`, by their names in the parsed command line."""

REPLAYED = dict.fromkeys(("rate", "only", "namespace"), _PLAYED)
"""Reasons against options of `stma replay` without --publish."""

RECORDED_RUN = {
    "ask": "is for a robot's own recording; of a recorded run ask with `stma score --questions`",
    "mapping": "is for a robot's own recording, and the topics of a recorded run are known: leave it out",
    "out": "is for a robot's own recording: the replay of a recorded run leaves no folder, and --json FILE writes what "
    "came of it",
}
"""Reasons against options of `stma replay` of a run with journals."""

NO_BAG = {"mapping": "says which topics of a bag are which: name the bag, too, with --bag"}
"""Reasons against options of `stma doctor` without --bag."""

BAG_CHECKED = dict.fromkeys(
    ("model", "topics", "namespace", "assignments"),
    "has no effect with --bag, by which a recording is checked and nothing else: leave out one of the two",
)
"""Reasons against options of `stma doctor --bag`."""

MODEL_CHECKED = dict.fromkeys(
    ("topics", "namespace"),
    "has no effect with --model, by which models are checked and nothing else: leave out one of the two",
)
"""Reasons against options of `stma doctor --model`."""

NO_MODEL = {"assignments": "names the models that are checked: add --model, or leave this out"}
"""Reasons against options of `stma doctor` without --model."""

NO_TOPICS = {"namespace": "is that of the robot that --topics looks for: add that, or leave this out"}
"""Reasons against options of `stma doctor` without --topics."""


def refuse_unused(options: argparse.Namespace, reasons: Mapping[str, str]) -> None:
    """Raises ConfigurationError for the first of these options that was given, as it would be ignored silently."""
    for name, reason in reasons.items():
        if getattr(options, name):
            raise ConfigurationError(f"{_SPELLED.get(name, f'--{name}')} {reason}")
