"""Where things are that the robot held when its task began, once it has put them down."""

from __future__ import annotations

from dataclasses import replace

from stma_ros.components.spatial_memory.last_action import placed_by_last_action
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.scene_graph import Relation
from support.memory.keyframes import RED, look, seen
from support.roles.scripted_home import outcome, temporal


def mug(status: ObjectStatus) -> TrackedObject:
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("mug", (0.0, 0.3, 0.8), (0.08, 0.08, 0.1), RED))
    return replace(memory.objects[0], status=status)


def placed(last: Outcome, thing: TrackedObject, *known: Relation) -> list[tuple[str, str, str]]:
    belief = temporal(last)
    belief = replace(belief, at=replace(belief.at, step=last.step))
    facts = placed_by_last_action(belief, (thing,), known)
    return [(fact.subject, fact.predicate, fact.object) for fact in facts]


def test_thing_that_was_in_the_hand_before_the_task_is_where_the_robot_puts_it() -> None:
    held, put = mug(ObjectStatus.HELD), outcome(1, Action(words.SKILL_PLACE_ON, ("table_1",)))
    assert placed(put, held) == [("mug_1", words.ON, "table_1")]
    inside = outcome(1, Action(words.SKILL_PLACE_IN, ("fridge_1",)))
    assert placed(inside, held) == [("mug_1", words.IN, "fridge_1")]


def test_no_place_is_added_where_the_history_tells_it_or_nothing_was_put_down() -> None:
    held, put = mug(ObjectStatus.HELD), outcome(1, Action(words.SKILL_PLACE_ON, ("table_1",)))
    assert placed(put, held, Relation("mug_1", words.ON, "table_1")) == []
    assert placed(put, mug(ObjectStatus.SEEN)) == []
    assert placed(replace(put, result=Result.FAILED), held) == []
    assert placed(outcome(1, Action(words.SKILL_NAVIGATE, ("table_1",))), held) == []
