"""Tests of the planner that explores: it asks its roles in order, and ends with an answer, a guess, or none."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import pytest

from stma_ros.components.decision.exploration_planner import ExplorationPlanner, ExplorationPlannerConfig
from stma_ros.roles.answerer import AnswerQuery, CloserLook, QuestionAnswer
from stma_ros.roles.exploration import FrontierQuery
from stma_ros.roles.exploration_planner import ChecklistAnswer, ChecklistQuery
from stma_ros.roles.frontier_chooser import FORESIGHT, ChosenFrontier
from stma_ros.types import topics
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.errors import ErrorCode, RoleError, TaskNotUnderstoodError
from stma_ros.types.exploration import (
    ChecklistItem,
    ExplorationPlan,
    FrontierView,
    ItemState,
    Snapshot,
    VisualBelief,
)
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, Plan, PlanRequest
from stma_ros.types.scene_graph import ObjectNode, SceneGraph
from stma_ros.types.sensing import Detection, ObjectHypothesis
from stma_ros.types.standard import Header, Point, Pose, Time, Vector3
from stma_ros.types.stepped import StepStamp

LOOK = Action("look_around")
SNAPSHOT = Snapshot(id="snapshot_1", stamp=Time(3), camera=Pose.planar(1.0, 2.0, 0.5))
ITEM = ChecklistItem(text="Go on past the sofa", state=ItemState.IN_PROGRESS)


@dataclass
class Roles:
    """All three roles: they note what they are asked, and say what they are told to."""

    answers: list[QuestionAnswer | Exception] = field(default_factory=list)
    choice: ChosenFrontier | Exception = ChosenFrontier(0, "it is near")
    checklist: tuple[ChecklistItem, ...] | Exception = (ITEM,)
    asked: list[object] = field(default_factory=list)

    def answer(self, query):  # type: ignore[no-untyped-def]
        self.asked.append(query)
        if isinstance(query, AnswerQuery):
            return given(self.answers.pop(0) if self.answers else QuestionAnswer(""))
        if isinstance(query, ChecklistQuery):
            items = given(self.checklist)
            return ChecklistAnswer(items, "as before")
        return given(self.choice)


def given(value):  # type: ignore[no-untyped-def]
    if isinstance(value, Exception):
        raise value
    return value


def planner(roles: Roles, **settings: object) -> ExplorationPlanner:
    return ExplorationPlanner(ExplorationPlannerConfig(**settings), roles, roles, roles)  # type: ignore[arg-type]


def stamp(step: int, revision: int = 0) -> StepStamp:
    return StepStamp(header=Header(Time(step + 1)), task_id="a", step=step, revision=revision)


def request(step: int, feedback: str = "", revision: int = 0) -> tuple[str, Message]:
    asked = PlanRequest(
        at=stamp(step, revision), task="Is there a cat?", allowed_actions=(LOOK,), feedback=feedback
    )
    return topics.PLAN_REQUEST, asked


def inputs(step: int, frontiers: tuple[str, ...] = ("frontier_1",)) -> list[tuple[str, Message]]:
    views = tuple(FrontierView(frontier=name, length=2.0) for name in frontiers)
    return [
        (topics.SCENE_GRAPH, SceneGraph(at=stamp(step))),
        (topics.VISUAL_BELIEF, VisualBelief(at=stamp(step), snapshots=(SNAPSHOT,), frontiers=views)),
        (topics.TEMPORAL_BELIEF, TemporalBelief(at=stamp(step), observations=("I went on.",))),
    ]


def feed(component: ExplorationPlanner, messages: Iterable[tuple[str, Message]]) -> list[Message]:
    said = (emission for message in messages for emission in component.handle(*message))
    return [message for topic, message in said if topic in (topics.PLAN, topics.EXPLORATION_PLAN)]


def plan_of(component: ExplorationPlanner, *messages: tuple[str, Message]) -> Plan:
    (*_, plan) = feed(component, messages)
    assert isinstance(plan, Plan)
    return plan


def test_the_robot_looks_around_before_any_role_is_asked():
    roles = Roles()
    assert plan_of(planner(roles), request(0), *inputs(0)).actions == (LOOK,)
    assert roles.asked == []


def test_roles_are_asked_in_the_published_order_whatever_the_order_of_messages():
    expected = None
    for order in itertools.permutations([request(1), *inputs(1)]):
        roles = Roles()
        said = feed(planner(roles), [*order, *order])
        assert [type(query) for query in roles.asked] == [AnswerQuery, ChecklistQuery, FrontierQuery]
        assert [type(message) for message in said] == [ExplorationPlan, Plan]
        expected = expected or said
        assert said == expected
    assert expected[1].actions == (Action("explore", ("frontier_1",)),)
    assert expected[1].subgoal == ITEM.text


def test_answer_ends_the_exploration_with_the_pictures_that_it_rests_on():
    plan = plan_of(planner(Roles([QuestionAnswer("yes", (0,))])), request(1), *inputs(1))
    assert (plan.actions, plan.reasoning) == ((Action("answer"),), "yes")
    (evidence,) = plan.evidence
    assert (evidence.snapshot, evidence.stamp, evidence.camera) == ("snapshot_1", Time(3), SNAPSHOT.camera)


def test_answer_is_demanded_when_the_steps_are_spent_or_no_way_is_left():
    spent = Roles([QuestionAnswer("yes", is_sure=False)])
    assert plan_of(planner(spent, steps=3), request(4), *inputs(4)).actions == (Action("finish_unverified"),)
    assert spent.asked[0].must_answer  # type: ignore[attr-defined]
    assert not spent.asked[0].is_explored  # type: ignore[attr-defined]
    nowhere = Roles([QuestionAnswer("no")])
    assert plan_of(planner(nowhere), request(2), *inputs(2, ())).actions == (Action("answer"),)
    assert nowhere.asked[0].is_explored  # type: ignore[attr-defined]


def test_no_answer_to_the_last_question_gives_up_with_the_reason():
    roles = Roles([QuestionAnswer("", reasoning="I do not know.")])
    plan = plan_of(planner(roles), request(2), *inputs(2, ()))
    assert (plan.actions, plan.reasoning) == ((Action("give_up"),), "I do not know.")


def test_chooser_that_stops_the_exploration_has_the_question_answered():
    roles = Roles([QuestionAnswer(""), QuestionAnswer("no", is_sure=False)], ChosenFrontier(None, "enough"))
    assert plan_of(planner(roles), request(1), *inputs(1)).actions == (Action("finish_unverified"),)
    assert [query.must_answer for query in roles.asked if isinstance(query, AnswerQuery)] == [False, True]


def test_frontier_that_could_not_be_reached_is_not_shown_again():
    roles = Roles()
    component = planner(roles)
    assert plan_of(component, request(1), *inputs(1)).actions == (Action("explore", ("frontier_1",)),)
    failed = request(2, "explore(frontier_1) failed (UNREACHABLE): no way")
    plan = plan_of(component, failed, *inputs(2, ("frontier_1", "frontier_2")))
    assert plan.actions == (Action("explore", ("frontier_2",)),)
    plan_of(component, request(3), *inputs(3))
    last = [query for query in roles.asked if isinstance(query, AnswerQuery)][-1]
    assert (last.frontiers, last.must_answer, last.is_explored) == ((), True, False)


def test_frontier_that_was_reached_is_not_avoided_when_an_answer_cannot_be_read():
    roles = Roles()
    component = planner(roles)
    assert plan_of(component, request(1), *inputs(1)).actions == (Action("explore", ("frontier_1",)),)
    roles.choice = RoleError("no frontier 7")
    assert plan_of(component, request(2), *inputs(2)).error.code == ErrorCode.ROLE_FAILED
    roles.choice = ChosenFrontier(0, "it is near")
    again = request(2, "the last answer could not be used: no frontier 7", revision=1)
    assert plan_of(component, again).actions == (Action("explore", ("frontier_1",)),)


def test_planner_without_an_answer_leaves_the_checklist_as_it_was():
    roles = Roles()
    component = planner(roles)
    feed(component, [request(1), *inputs(1)])
    roles.checklist = RoleError("no checklist")
    checklist, _ = feed(component, [request(2), *inputs(2)])
    assert checklist.items == (ITEM,)  # type: ignore[attr-defined]


def test_chooser_without_an_answer_is_an_error_of_the_plan():
    plan = plan_of(planner(Roles(choice=RoleError("no frontier 7"))), request(1), *inputs(1))
    assert (plan.actions, plan.error.code, plan.error.text) == ((), ErrorCode.ROLE_FAILED, "no frontier 7")


def test_text_that_asks_nothing_ends_the_task_at_once():
    roles = Roles([TaskNotUnderstoodError("it asks nothing")])
    plan = plan_of(planner(roles), request(1), *inputs(1))
    assert (plan.actions, plan.error.code) == ((), ErrorCode.TASK_NOT_UNDERSTOOD)
    assert len(roles.asked) == 1


def test_only_the_planner_reads_the_trail_if_the_settings_say_so():
    roles = Roles()
    feed(planner(roles, trail_readers="planner"), [request(1), *inputs(1)])
    assert [len(query.trail) for query in roles.asked] == [0, 1, 0]  # type: ignore[attr-defined]


def test_without_a_plan_no_planner_is_asked():
    roles = Roles()
    feed(planner(roles, plan="none"), [request(1), *inputs(1)])
    assert [type(query) for query in roles.asked] == [AnswerQuery, FrontierQuery]


@pytest.mark.parametrize(("foresight", "mode"), [(True, FORESIGHT), (False, "")])
def test_chooser_is_asked_for_foresight_where_the_settings_say_so(foresight, mode):
    roles = Roles()
    feed(planner(roles, foresight=foresight), [request(1), *inputs(1)])
    assert [query.mode for query in roles.asked] == ["", "", mode]


def test_blind_planner_answers_at_once_and_its_answerer_is_shown_nothing():
    roles = Roles([QuestionAnswer("no", is_sure=False, reasoning="That is usual.")])
    said = feed(planner(roles, blind=True), [request(0), *inputs(0)])
    (query,) = roles.asked
    assert query == AnswerQuery("Is there a cat?", must_answer=True)
    checklist, plan = said
    assert isinstance(checklist, ExplorationPlan)
    assert isinstance(plan, Plan)
    assert checklist.assessment == "That is usual."
    assert plan.actions == (Action("finish_unverified"),)
    assert (plan.reasoning, plan.evidence) == ("no", ())


def test_blind_planner_gives_up_when_no_answer_is_usual():
    roles = Roles([QuestionAnswer("", is_sure=False, reasoning="I have seen nothing.")])
    assert plan_of(planner(roles, blind=True), request(0), *inputs(0)).actions == (Action("give_up"),)


# -- pictures of earlier tasks

OLD = Snapshot(id="snapshot_old", stamp=Time(-1000), camera=Pose.planar(4.0, 0.0, 0.0))
GO_BACK = Action("explore", ("snapshot_old",))
LOOK_AGAIN = QuestionAnswer("", (0,), is_sure=False, reasoning="I saw it long ago.")


def remembered(
    step: int, frontiers: tuple[str, ...] = ("frontier_1",), allowed: tuple[Action, ...] = (LOOK, GO_BACK)
) -> list[tuple[str, Message]]:
    """Returns the messages of a step at which a picture of an earlier task is known."""
    views = tuple(FrontierView(frontier=name, length=2.0) for name in frontiers)
    belief = VisualBelief(at=stamp(step), snapshots=(OLD, SNAPSHOT), frontiers=views)
    asked = PlanRequest(at=stamp(step), task="Is there a cat?", allowed_actions=allowed)
    return [
        (topics.PLAN_REQUEST, asked),
        (topics.SCENE_GRAPH, SceneGraph(at=stamp(step))),
        (topics.VISUAL_BELIEF, belief),
        (topics.TEMPORAL_BELIEF, TemporalBelief(at=stamp(step))),
    ]


def test_question_that_earlier_pictures_answer_takes_no_step():
    roles = Roles([QuestionAnswer("yes", (0,))])
    plan = plan_of(planner(roles), *remembered(0))
    assert (plan.actions, plan.reasoning) == ((Action("answer"),), "yes")
    assert [each.snapshot for each in plan.evidence] == ["snapshot_old"]


def test_robot_looks_around_first_if_earlier_pictures_do_not_answer_surely():
    assert plan_of(planner(Roles()), *remembered(0)).actions == (LOOK,)
    nowhere = Roles([QuestionAnswer(""), QuestionAnswer("no", is_sure=False)])
    assert plan_of(planner(nowhere), *remembered(0, ())).actions == (LOOK,)
    assert [query.must_answer for query in nowhere.asked] == [False, True]  # type: ignore[attr-defined]


def test_answerer_is_told_how_long_ago_old_pictures_were_taken():
    roles = Roles([QuestionAnswer("yes", (0,))])
    feed(planner(roles), remembered(0))
    (query,) = roles.asked
    assert (query.seen_ago, query.old) == (("16 min ago", ""), (0,))  # type: ignore[attr-defined]
    young = Roles([QuestionAnswer("yes", (0,))])
    feed(planner(young, recheck_after=2000.0), remembered(0))
    assert young.asked[0].seen_ago == ()  # type: ignore[attr-defined]


def test_pictures_of_the_running_task_do_not_become_old():
    roles = Roles()
    component = planner(roles, recheck_after=0.0)
    feed(component, [request(1), *inputs(1)])
    feed(component, [request(2), *inputs(2)])
    assert [query.seen_ago for query in roles.asked if isinstance(query, AnswerQuery)] == [(), ()]


def test_robot_goes_once_to_where_the_picture_was_taken_that_is_to_be_looked_at_again():
    roles = Roles([LOOK_AGAIN, LOOK_AGAIN, QuestionAnswer("yes, 16 min ago", (0,), is_sure=False)])
    component = planner(roles)
    assert plan_of(component, *remembered(0)).actions == (GO_BACK,)
    plan = plan_of(component, *remembered(1))
    assert (plan.actions, plan.reasoning) == ((Action("finish_unverified"),), "yes, 16 min ago")
    assert [query.must_answer for query in roles.asked] == [False, False, True]  # type: ignore[attr-defined]


def test_answer_is_unverified_if_the_place_of_the_picture_cannot_be_gone_to():
    roles = Roles([LOOK_AGAIN, QuestionAnswer("yes, 16 min ago", (0,), is_sure=False)])
    plan = plan_of(planner(roles), *remembered(1, allowed=(LOOK,)))
    assert plan.actions == (Action("finish_unverified"),)


def test_place_is_looked_at_again_where_no_frontier_is_left():
    roles = Roles([LOOK_AGAIN])
    assert plan_of(planner(roles), *remembered(1, ())).actions == (GO_BACK,)
    assert not roles.asked[0].must_answer  # type: ignore[attr-defined]
    assert roles.asked[0].is_explored  # type: ignore[attr-defined]


def test_planner_looks_at_no_place_again_once_the_steps_are_spent():
    roles = Roles([QuestionAnswer("yes", (0,), is_sure=False)])
    assert plan_of(planner(roles, steps=3), *remembered(4)).actions == (Action("finish_unverified"),)


# -- closer looks

CUP, LAMP = (BoundingBox3D.upright(Point(x, 0.0, 0.8), Vector3(0.1, 0.1, 0.1), 0.0) for x in (3.0, 6.0))
THINGS = (
    ObjectNode(id="cup_1", category="cup", box=CUP),
    ObjectNode(id="lamp_1", category="lamp", box=LAMP),
)
NEARER = QuestionAnswer(
    "", is_sure=False, reasoning="They are too small.", closer=(CloserLook(0, 0), CloserLook(0, 1))
)
GO_UP_TO = tuple(Action("explore", (thing.id,)) for thing in THINGS)


def in_view(
    step: int,
    allowed: tuple[Action, ...] = GO_UP_TO,
    frontiers: tuple[str, ...] = ("frontier_1",),
    feedback: str = "",
) -> list[tuple[str, Message]]:
    """Returns the messages of a step at which a picture shows a cup and a lamp."""
    detections = tuple(
        Detection(hypotheses=(ObjectHypothesis(category=thing.category),), box=thing.box) for thing in THINGS
    )
    views = tuple(FrontierView(frontier=name, length=2.0) for name in frontiers)
    shown = replace(SNAPSHOT, detections=detections)
    asked = PlanRequest(
        at=stamp(step), task="Is there a cat?", allowed_actions=(LOOK, *allowed), feedback=feedback
    )
    return [
        (topics.PLAN_REQUEST, asked),
        (topics.SCENE_GRAPH, SceneGraph(at=stamp(step), objects=THINGS)),
        (topics.VISUAL_BELIEF, VisualBelief(at=stamp(step), snapshots=(shown,), frontiers=views)),
        (topics.TEMPORAL_BELIEF, TemporalBelief(at=stamp(step))),
    ]


def test_robot_goes_up_to_one_thing_after_the_other_that_the_answerer_wants_to_see_from_nearer():
    component = planner(Roles([NEARER] * 4))
    assert plan_of(component, *in_view(1)).actions == GO_UP_TO[:1]
    turned_round = replace(NEARER, closer=NEARER.closer[::-1])
    component._answerer.answers.insert(0, turned_round)  # type: ignore[attr-defined]
    assert plan_of(component, *in_view(2)).actions == GO_UP_TO[:1]
    assert plan_of(component, *in_view(3, GO_UP_TO[1:])).actions == GO_UP_TO[1:]
    assert plan_of(component, *in_view(4, GO_UP_TO[:1])).actions == (Action("explore", ("frontier_1",)),)


def test_robot_does_not_try_again_to_go_up_to_what_it_could_not_reach():
    component = planner(Roles([NEARER] * 2))
    assert plan_of(component, *in_view(1)).actions == GO_UP_TO[:1]
    failed = in_view(2, feedback="explore(cup_1) failed (UNREACHABLE): no way")
    assert plan_of(component, *failed).actions == GO_UP_TO[1:]


def test_robot_goes_up_to_nothing_if_the_settings_or_the_ways_forbid_it():
    frontier = (Action("explore", ("frontier_1",)),)
    assert plan_of(planner(Roles([NEARER]), closer_looks=False), *in_view(1)).actions == frontier
    assert plan_of(planner(Roles([NEARER])), *in_view(1, ())).actions == frontier


def test_robot_looks_closer_where_no_frontier_is_left():
    roles = Roles([NEARER])
    assert plan_of(planner(roles), *in_view(1, frontiers=())).actions == GO_UP_TO[:1]
    assert not roles.asked[0].must_answer  # type: ignore[attr-defined]


def test_detection_is_no_thing_of_another_place():
    moved = replace(THINGS[0], box=BoundingBox3D.upright(Point(4.5, 0.0, 0.8), Vector3(0.1, 0.1, 0.1), 0.0))
    messages = dict(in_view(1))
    messages[topics.SCENE_GRAPH] = SceneGraph(at=stamp(1), objects=(moved,))
    plan = plan_of(planner(Roles([NEARER])), *messages.items())
    assert plan.actions == (Action("explore", ("frontier_1",)),)
