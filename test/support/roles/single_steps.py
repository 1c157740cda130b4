"""Single steps of planner and critic of household tasks, in a kitchen whose beliefs a test writes down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stma_ros.components.decision.scene_grounding import allowed_actions
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.goals import Goal, PlaceGoal, goal_message
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.memory.descriptions import Description
from stma_ros.roles.critic import CritiqueAnswer, CritiqueQuery
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.planning import Action, Outcome, SkillSchema
from stma_ros.types.scene_graph import Frontier, Frontiers, ObjectNode, RoomNode, SceneGraph
from support.roles.scripted_home import Belief, temporal
from support.roles.scripted_household import SKILLS

MUG, SINK = Description("mug"), Description("sink")
IN_SINK = PlaceGoal(MUG, 1, words.IN, SINK)


def do(skill: str, target: str) -> Action:
    return Action(skill, (target,))


def kitchen() -> Belief:
    belief = Belief().room("room_1", "kitchen").thing("sink_1", "sink", "room_1", 4.0)
    belief.thing("counter_1", "counter", "room_1", 3.0)
    return belief.thing("cupboard_1", "cupboard", "room_1", 5.0, state="closed")


def actions(belief: Belief, skills: Sequence[SkillSchema] = SKILLS) -> tuple[Action, ...]:
    kinds = [(fact.subject, fact.object) for fact in belief.facts if fact.predicate == words.IS_A]
    rooms = household_categories().rooms
    nodes = tuple(
        ObjectNode(id=name, category=kind) for name, kind in kinds if kind not in (*rooms, words.FRONTIER)
    )
    seeming = dict.fromkeys(fact.subject for fact in belief.facts if fact.predicate == words.SEEMS)
    unconfirmed = tuple(ObjectNode(id=name) for name in seeming)
    frontiers = Frontiers(
        frontiers=tuple(Frontier(id=name) for name, kind in kinds if kind == words.FRONTIER)
    )
    return allowed_actions(
        skills,
        SceneGraph(objects=nodes, unconfirmed=unconfirmed, rooms=(RoomNode(),)),
        frontiers,
        household_categories(),
    )


def beliefs_of(goals: tuple[Goal, ...], *past: Outcome) -> TemporalBelief:
    return replace(temporal(*past), goals=tuple(map(goal_message, goals)))


def plan(
    belief: Belief,
    *past: Outcome,
    goals: tuple[Goal, ...] = (IN_SINK,),
    skills: Sequence[SkillSchema] = SKILLS,
) -> PlanAnswer:
    planner = SymbolicPlanner(household_categories())
    return planner.answer(PlanQuery("", beliefs_of(goals, *past), belief.done(), actions(belief, skills)))


def judge(
    action: Action, belief: Belief, *past: Outcome, goals: tuple[Goal, ...] = (IN_SINK,)
) -> CritiqueAnswer:
    critic = SymbolicCritic(household_categories())
    return critic.answer(
        CritiqueQuery("", "", action, actions(belief), beliefs_of(goals, *past), belief.done())
    )
