"""A planner that chooses at random, without a plan or a memory."""

from __future__ import annotations

import zlib

import numpy as np

from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import RoleError


class RandomChoice:
    """A PlannerRole that draws an allowed action from a uniform distribution; it never gives up.

    The same question at the same step gets the same answer.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def answer(self, query: PlanQuery) -> PlanAnswer:
        """Returns a plan of one action. Raises RoleError if no action but giving up is allowed."""
        allowed = [action for action in query.allowed_actions if action.skill != words.SKILL_GIVE_UP]
        choice = [action for action in allowed if action not in query.rejected] or allowed
        if not choice:
            raise RoleError("no action is allowed but to give up")
        # The texts are part of the seed, so that the choices differ between games.
        texts = "\n".join((query.task, query.observation, *map(str, allowed)))
        step, attempt = query.temporal.step, len(query.rejected)
        generator = np.random.default_rng((self._seed, zlib.crc32(texts.encode()), step, attempt))
        action = choice[int(generator.integers(len(choice)))]
        return PlanAnswer("whatever is allowed", (action,), "It was picked at random.")
