"""How a task ends by the rules of planner and critic: as done, unverified, or given up."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import replace

import pytest

from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.roles.critic import CritiqueQuery
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.planning import Action, Criterion, Verdict
from support.roles.scripted_home import (
    GIVE_UP,
    HOUSEHOLD,
    LOOK_AROUND,
    Belief,
    allowed,
    explore,
    outcome,
    report,
    temporal,
    with_goals,
)

FINISH, UNVERIFIED = Action("finish"), Action("finish_unverified")
LOOKED = outcome(1, LOOK_AROUND)


def possible(belief: Belief, more: Iterable[Action] = ()) -> tuple[Action, ...]:
    """Returns what a robot with a hand may do: go to, take and report each thing, put things in and on each."""
    names = [fact.subject for fact in belief.facts if fact.predicate == words.IS_A]
    names = [name for name in names if not name.startswith(("room_", "frontier_"))]
    skills = (words.SKILL_PICK, *words.PLACINGS)
    handled = (Action(skill, (name,)) for skill in skills for name in names)
    return (*allowed(names), *handled, *more, FINISH, UNVERIFIED)


def plan(
    task: str,
    belief: Belief,
    more: Iterable[Action] = (),
    past: TemporalBelief | None = None,
    rejected: tuple[Action, ...] = (),
) -> PlanAnswer:
    """Returns the plan for a task; the critic accepts its first action."""
    known, actions = with_goals(past or temporal(LOOKED), task), possible(belief, more)
    answer = SymbolicPlanner(HOUSEHOLD).answer(PlanQuery(task, known, belief.done(), actions, "", rejected))
    query = CritiqueQuery(task, answer.subgoal, answer.actions[0], actions, known, belief.done())
    if not rejected:
        assert SymbolicCritic(HOUSEHOLD).answer(query).verdict == Verdict.ACCEPTED
    return answer


def ends(belief: Belief, tasks: Collection[str], more: Iterable[Action] = ()) -> dict[str, Action]:
    """Returns the first action of the plan for each task."""
    return {task: plan(task, belief, more).actions[0] for task in tasks}


def kitchen() -> Belief:
    belief = Belief().room("room_1", "kitchen")
    return belief.thing("table_1", "table", "room_1").thing("sink_1", "sink", "room_1")


def mugs_in_the_sink() -> Belief:
    belief = kitchen()
    for name in ("mug_1", "mug_2"):
        belief.thing(name, "mug", "room_1", inside="sink_1")
    return belief


@pytest.mark.parametrize("task", ["Put all the mugs in the sink.", "Find all the mugs."])
def test_task_about_all_of_a_kind_is_given_up_while_a_place_is_left_that_the_critic_refuses(
    task: str,
) -> None:
    belief = mugs_in_the_sink().frontier("frontier_1", 9.0, 3.0, "room_1")
    answer = plan(task, belief, (explore("frontier_1"),), rejected=(explore("frontier_1"), LOOK_AROUND))
    assert answer.actions == (GIVE_UP,)
    assert "(done with mug_1 and mug_2; not everything was searched)" in answer.reasoning


def test_critic_rejects_a_report_of_one_of_all_while_a_place_is_left() -> None:
    belief = mugs_in_the_sink().frontier("frontier_1", 9.0, 3.0, "room_1")
    task, actions = "Find all the mugs.", possible(belief, (explore("frontier_1"),))
    known = with_goals(temporal(LOOKED), task)
    query = CritiqueQuery(task, "", report("mug_1"), actions, known, belief.done())
    verdict = SymbolicCritic(HOUSEHOLD).answer(query)
    assert (verdict.verdict, verdict.criterion) == (Verdict.REJECTED, Criterion.ALIGNMENT)


def test_planner_plans_although_the_duration_of_the_first_action_was_not_measured() -> None:
    first = replace(LOOKED, duration=math.nan)
    assert plan("Put all the mugs in the sink.", mugs_in_the_sink(), past=temporal(first)).actions == (
        FINISH,
    )
