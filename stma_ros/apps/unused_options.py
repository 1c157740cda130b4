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


def refuse_unused(options: argparse.Namespace, reasons: Mapping[str, str]) -> None:
    """Raises ConfigurationError for the first of these options that was given, as it would be ignored silently."""
    for name, reason in reasons.items():
        if getattr(options, name):
            raise ConfigurationError(f"{_SPELLED.get(name, f'--{name}')} {reason}")
