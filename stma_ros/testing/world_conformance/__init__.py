"""Checks that a world fulfils the contract of types/world.py. docs/howto/own_world.md shows how to run them."""

from stma_ros.testing.world_conformance.checks import CHECKS, Check, checks_for
from stma_ros.testing.world_conformance.played import NonConformance, Played
from stma_ros.testing.world_conformance.subject import Requests, Subject, command, request, target
from stma_ros.testing.world_conformance.trial import Trial

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
