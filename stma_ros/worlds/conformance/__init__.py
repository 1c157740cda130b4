"""What every world promises (types/world.py), as checks that the author of any world can run. How to:
docs/howto/own_world.md."""

from stma_ros.worlds.conformance.checks import CHECKS, Check, checks_for
from stma_ros.worlds.conformance.played import NonConformance, Played
from stma_ros.worlds.conformance.subject import Requests, Subject, command, request, target
from stma_ros.worlds.conformance.trial import Trial

__all__ = [
    "CHECKS",
    "Check",
    "NonConformance",
    "Played",
    "Requests",
    "Subject",
    "Trial",
    "checks_for",
    "command",
    "request",
    "target",
]
