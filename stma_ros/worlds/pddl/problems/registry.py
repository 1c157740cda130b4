"""The registry of generators."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from stma_ros.worlds.pddl.problems import barman, blocksworld, gripper, tyreworld, vault
from stma_ros.worlds.pddl.problems.problem import Problem

GENERATORS: Mapping[str, Callable[[int], Problem]] = {
    "blocksworld": blocksworld.generate,
    "gripper": gripper.generate,
    "tyreworld": tyreworld.generate,
    "barman": barman.generate,
    "vault": vault.generate,
}
"""Makes the problem of a seed, by the name of the domain."""
