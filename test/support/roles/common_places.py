"""A kitchen with things in and on others within reach, and the plan of the rules there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stma_ros.components.decision.scene_grounding import allowed_actions
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.goals import Goal, goal_message
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action, Outcome
from stma_ros.types.scene_graph import Frontier, Frontiers, ObjectNode, SceneGraph
from support.roles.scripted_home import Belief, outcome, temporal
from support.roles.scripted_household import SKILLS

KNOWN = household_categories()
FINISH, UNVERIFIED = Action(words.SKILL_FINISH), Action(words.SKILL_FINISH_UNVERIFIED)
LOOKED = outcome(1, Action(words.SKILL_LOOK_AROUND))


def pick(name: str) -> Action:
    return Action(words.SKILL_PICK, (name,))


def place_on(name: str) -> Action:
    return Action(words.SKILL_PLACE_ON, (name,))


def place_in(name: str) -> Action:
    return Action(words.SKILL_PLACE_IN, (name,))


def kitchen(boxes: int, *, plates: int = 0, **things: str) -> Belief:
    """Returns a kitchen with boxes on the floor and plates on a table, and things, each with the id of its place."""
    belief = Belief().room("room_1", "kitchen")
    belief.thing("table_1", "table", "room_1", 0.2).thing("counter_1", "counter", "room_1", 0.2)
    for number in range(1, boxes + 1):
        belief.thing(f"cardboard_box_{number}", "cardboard box", "room_1", 0.2, 1.0)
    for number in range(1, plates + 1):
        belief.thing(f"plate_{number}", "plate", "room_1", 0.2, 1.0, on="table_1")
    for name, place in things.items():
        belief.thing(name, name.rpartition("_")[0].replace("_", " "), "room_1", 0.2, 1.0)
        belief.add(name, words.IN if "box" in place else words.ON, place)
    return belief


def plan(belief: Belief, *past: Outcome, goals: Sequence[Goal]) -> PlanAnswer:
    """Returns the plan after a look around and further outcomes."""
    kinds = {fact.subject: fact.object for fact in belief.facts if fact.predicate == words.IS_A}
    frontiers = tuple(name for name, kind in kinds.items() if kind == words.FRONTIER)
    nodes = tuple(
        ObjectNode(id=name, category=kind)
        for name, kind in kinds.items()
        if name not in frontiers and kind not in KNOWN.rooms
    )
    seen = Frontiers(frontiers=tuple(Frontier(id=name) for name in frontiers))
    allowed = allowed_actions(SKILLS, SceneGraph(objects=nodes), seen, KNOWN)
    known = replace(temporal(LOOKED, *past), goals=tuple(map(goal_message, goals)))
    return SymbolicPlanner(KNOWN).answer(PlanQuery("", known, belief.done(), allowed))
