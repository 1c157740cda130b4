"""Plans activities by rules (STMA, section 4.3): one command at a time, since each one shows more of the home."""

from __future__ import annotations

from stma_ros.domains.programs.next_action import next_action
from stma_ros.roles.planner import PlanAnswer, PlanQuery


class ProgramsPlanner:
    """A PlannerRole."""

    def answer(self, query: PlanQuery) -> PlanAnswer:
        """Returns the next command. Raises as `next_action` does."""
        return next_action(query)
