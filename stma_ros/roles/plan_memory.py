"""What a plan that is a program remembers: what came of it so far, and what its variables hold (AdaPlanner, Sun 2023).

AdaPlanner asks for a plan once, and again when something does not come out as the plan expects. It is told the plan,
what was asked of observations and put into variables, and what came of the plan since it was last revised. There is no
history of what was done before that.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from stma_ros.roles.contracts import SummariseQuery, Summary
from stma_ros.types.planning import Outcome


def of_the_plan(query: SummariseQuery) -> SummariseQuery:
    """The question with no more than the plan under way: where it began, and each action since; of what lies before it
    the instructions are kept. A plan lasts as long as its subgoal. What was never read before is left in, too."""
    subgoal = query.subgoals[-1] if query.subgoals else ""
    actions = sum(1 for _ in takewhile(lambda served: served == subgoal, reversed(query.subgoals)))
    count = min(len(query.records), max(actions + 1, query.fresh))
    records = query.records[len(query.records) - count :]
    if count == actions + 1:
        # What led to where the plan began belongs to the plan before it.
        records = (replace(records[0], last_outcome=Outcome()), *records[1:])
    instructions = query.previous.instructions
    known = "\n".join(("Instructions found:", *instructions)) if instructions else ""
    subgoals = query.subgoals[len(query.subgoals) - count :]
    return SummariseQuery(
        query.task, Summary(instructions=instructions, text=known), records, count, subgoals
    )
