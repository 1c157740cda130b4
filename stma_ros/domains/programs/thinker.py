"""Thinks activities through by rules (MCoT-Memory, equation 3), with what experience tells of where things are."""

from __future__ import annotations

from stma_ros.domains.programs.next_action import next_action
from stma_ros.roles.planner import PlanAnswer
from stma_ros.roles.thinker import ThinkQuery


class ProgramsThinker:
    """A ThinkerRole. What experience tells orders the search, and never says where a thing is."""

    def answer(self, query: ThinkQuery) -> PlanAnswer:
        """Returns the next command. Raises as `next_action` does."""
        return next_action(query, query.rules)
