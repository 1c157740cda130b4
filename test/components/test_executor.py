"""Tests of the executor with all other components scripted: sequence, gate, budget and end of a task."""

from __future__ import annotations

import pytest

from stma_ros.components.decision.executor import Executor
from stma_ros.components.decision.executor_config import ExecutorConfig
from stma_ros.components.decision.scene_grounding import SceneGrounding
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.common import Error
from stma_ros.types.control import Alarm, Cancel, Fault
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import StateEstimate
from stma_ros.types.goals import Goal, GoalKind, ThingDescription
from stma_ros.types.planning import (
    Action,
    ArgumentKind,
    Evidence,
    Outcome,
    Plan,
    Result,
    SkillSchema,
    SkillSet,
    SkillTarget,
    Task,
    TaskStatus,
    Verdict,
)
from stma_ros.types.remembering import ObjectQuery, ObjectQueryResult, Sighting
from stma_ros.types.scene_graph import FreePlace, Frontiers, ObjectNode, Route, SceneGraph
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import CompressedImage, Header, Point, Pose
from stma_ros.types.stepped import StepStamp
from support.components.executor_game import ExecutorGame
from support.components.household_components import HOUSEHOLD

SKILLS = SkillSet(
    skills=(
        SkillSchema(name="look_around"),
        SkillSchema(name="navigate", arguments=(ArgumentKind.OBJECT,)),
        SkillSchema(name="open", arguments=(ArgumentKind.OPENABLE,)),
        SkillSchema(name="place_on", arguments=(ArgumentKind.SURFACE,)),
        SkillSchema(name="explore", arguments=(ArgumentKind.FRONTIER,)),
    )
)
ON_TABLE = Pose(Point(2.0, 1.0, 0.75))
OBJECTS = (
    ObjectNode(id="mug_1", category="mug", box=BoundingBox3D.aligned(Point(1.0, 2.0, 0.8))),
    ObjectNode(id="fridge_1", category="fridge"),
    ObjectNode(id="fridge_2", category="fridge", states=(StateEstimate(state="open"),)),
    ObjectNode(id="table_1", category="table"),
)


class Game(ExecutorGame):
    """A robot that looks for a mug."""

    def __init__(self, config: ExecutorConfig = ExecutorConfig(), max_commands: int = 0) -> None:
        task = Task(header=Header(), task_id="t", text="find the mug", max_commands=max_commands)
        super().__init__(Executor(config, SceneGrounding(HOUSEHOLD)), task, SKILLS)

    def step(self, number: int, result: Result = Result.SUCCEEDED, error: Error = Error()) -> None:
        """Delivers all inputs of a step: the outcome and the beliefs."""
        self.say(topics.TEMPORAL_BELIEF, TemporalBelief(at=StepStamp(task_id="t", step=number)))
        self.say(
            topics.SPATIAL_BELIEF,
            SpatialBelief(
                at=StepStamp(task_id="t", step=number),
                routes=(Route(target="mug_1", goal=Pose.planar(1, 1, 0), length=1.0),),
                free_places=(FreePlace(target="table_1", skill="place_on", pose=ON_TABLE),),
            ),
        )
        self.say(topics.OBSERVATION, Observation(task_id="t", step=number))
        self.say(
            topics.OUTCOME,
            Outcome(task_id="t", step=number, action=self.request.action, result=result, error=error),
        )
        self.say(topics.FRONTIERS, Frontiers(at=StepStamp(task_id="t", step=number)))
        self.say(topics.SCENE_GRAPH, SceneGraph(at=StepStamp(task_id="t", step=number), objects=OBJECTS))


LOOK = Action("look_around")
TO_MUG = Action("navigate", ("mug_1",))
REPORT = Action("report", ("mug_1",))
GIVE_UP = Action("give_up")


def test_task_begins_with_an_observation_and_waits_for_all_inputs_of_the_step() -> None:
    game = Game()
    assert game.request.action == Action("observe")
    game.say(topics.OUTCOME, Outcome(task_id="t", step=0, result=Result.SUCCEEDED))
    game.say(topics.OBSERVATION, Observation(task_id="t", step=0))
    game.say(topics.FRONTIERS, Frontiers(at=StepStamp(task_id="t", step=0)))
    game.say(topics.SCENE_GRAPH, SceneGraph(at=StepStamp(task_id="t", step=0)))
    game.say(topics.TEMPORAL_BELIEF, TemporalBelief(at=StepStamp(task_id="t", step=0)))
    assert game.count(topics.PLAN_REQUEST) == 0
    game.say(topics.SPATIAL_BELIEF, SpatialBelief(at=StepStamp(task_id="t", step=0)))
    assert game.count(topics.PLAN_REQUEST) == 1


def test_allowed_actions_name_perceived_objects() -> None:
    game = Game()
    game.step(0)
    assert game.plan_request.allowed_actions == (
        LOOK,
        TO_MUG,
        Action("navigate", ("fridge_1",)),
        Action("navigate", ("fridge_2",)),
        Action("navigate", ("table_1",)),
        Action("open", ("fridge_1",)),
        Action("open", ("fridge_2",)),
        Action("place_on", ("table_1",)),
        REPORT,
        Action("report", ("fridge_1",)),
        Action("report", ("fridge_2",)),
        Action("report", ("table_1",)),
        Action("answer"),
        Action("finish"),
        Action("finish_unverified"),
        GIVE_UP,
    )


def test_skill_request_names_the_place_of_its_target() -> None:
    game = Game()
    game.step(0)
    game.plan(TO_MUG)
    game.judge()
    (target,) = game.request.targets
    assert (target.category, target.pose.position) == ("mug", Point(1.0, 2.0, 0.8))
    assert game.request.base_goal == Pose.planar(1, 1, 0)
    assert game.request.step == 1


def test_skill_request_names_the_free_place_of_its_skill_alone() -> None:
    game = Game()
    game.step(0)
    game.plan(Action("place_on", ("table_1",)), TO_MUG)
    game.judge()
    assert game.request.place_goal == ON_TABLE
    game.step(1)
    game.judge()
    assert (game.request.action, game.request.place_goal.given) == (TO_MUG, False)


def test_every_action_of_a_plan_passes_the_critic_without_a_new_plan() -> None:
    game = Game()
    game.step(0)
    game.plan(LOOK, TO_MUG, REPORT, reasoning="The mug is on the table.")
    game.judge()
    game.step(1)
    assert game.proposal.action == TO_MUG
    game.judge()
    game.step(2)
    game.judge()
    assert (game.result.status, game.result.text) == (TaskStatus.SUCCEEDED, "The mug is on the table.")
    assert (game.result.target.id, game.result.commands) == ("mug_1", 2)
    assert game.count(topics.PLAN_REQUEST) == 1


def test_task_that_finishes_unverified_is_no_success() -> None:
    game = Game()
    game.step(0)
    game.plan(Action("finish_unverified"), reasoning="The door seems to be open.")
    game.judge()
    result = game.result
    assert (result.status, result.text) == (TaskStatus.UNVERIFIED, "The door seems to be open.")


def test_rejected_action_ends_the_plan_and_its_reason_goes_to_the_planner() -> None:
    game = Game()
    game.step(0)
    game.plan(TO_MUG, LOOK)
    game.judge(Verdict.REJECTED, "the mug is already here")
    assert "navigate(mug_1) was rejected: the mug is already here" in game.plan_request.feedback
    assert game.plan_request.rejected == (TO_MUG,)
    assert game.plan_request.revision == 1
    assert game.count(topics.SKILL_REQUEST) == 1


def test_failed_skill_ends_the_plan_and_its_reason_goes_to_the_planner() -> None:
    game = Game()
    game.step(0)
    game.plan(TO_MUG, LOOK)
    game.judge()
    game.step(1, Result.FAILED, Error(ErrorCode.UNREACHABLE, "a chair is in the way"))
    assert game.plan_request.feedback == "navigate(mug_1) failed (UNREACHABLE): a chair is in the way"


@pytest.mark.parametrize(
    "action", [Action("open", ("mug_1",)), Action("fly"), Action("navigate", ("unicorn_1",))]
)
def test_disallowed_action_is_never_executed_and_costs_a_command(action: Action) -> None:
    game = Game()
    game.step(0)
    game.plan(action)
    game.judge(Verdict.ACCEPTED)
    assert game.count(topics.SKILL_REQUEST) == 1
    assert "not among the allowed actions" in game.plan_request.feedback
    game.plan(GIVE_UP, reasoning="It is nowhere.")
    game.judge()
    assert (game.result.status, game.result.commands) == (TaskStatus.FAILED, 1)


def test_budget_of_commands_stops_skills_but_not_the_report() -> None:
    game = Game(max_commands=1)
    game.step(0)
    game.plan(LOOK, LOOK)
    game.judge()
    game.step(1)
    game.judge()
    assert game.result.error.code == ErrorCode.OUT_OF_COMMANDS
    game = Game(max_commands=1)
    game.step(0)
    game.plan(LOOK, REPORT)
    game.judge()
    game.step(1)
    game.judge()
    assert game.result.status == TaskStatus.SUCCEEDED


def test_planner_and_critic_that_never_agree_end_the_task() -> None:
    game = Game(ExecutorConfig(max_rounds=3))
    game.step(0)
    for _ in range(3):
        game.plan(LOOK)
        game.judge(Verdict.REJECTED, "no")
    assert game.result.error.code == ErrorCode.NO_PROGRESS
    assert "3 rounds" in game.result.text


def test_giving_up_fails_the_task_with_the_planners_reason() -> None:
    game = Game()
    game.step(0)
    game.plan(GIVE_UP, reasoning="I looked into 4 rooms.")
    game.judge()
    assert (game.result.error.code, game.result.text) == (
        ErrorCode.TARGET_NOT_FOUND,
        "I looked into 4 rooms.",
    )


def test_giving_up_carries_the_planners_error_code() -> None:
    game = Game()
    game.step(0)
    asked = game.plan_request
    error = Error(ErrorCode.IMPOSSIBLE, "the sink is full")
    plan = Plan(
        at=StepStamp(task_id="t", step=0, revision=asked.revision),
        actions=(GIVE_UP,),
        reasoning="full",
        error=error,
    )
    game.say(topics.PLAN, plan)
    assert game.count(topics.TASK_RESULT) == 0
    game.judge()
    assert (game.result.error.code, game.result.text) == (ErrorCode.IMPOSSIBLE, "full")


def test_plan_for_another_request_is_ignored() -> None:
    game = Game()
    game.step(0)
    game.say(topics.PLAN, Plan(at=StepStamp(task_id="t", step=0, revision=7), actions=(LOOK,)))
    game.say(topics.PLAN, Plan(at=StepStamp(task_id="other", step=0, revision=0), actions=(LOOK,)))
    assert game.count(topics.ACTION_PROPOSAL) == 0


def test_executor_ignores_duplicates() -> None:
    game = Game()
    for _ in range(2):
        game.step(0)
    game.plan(LOOK)
    game.plan(LOOK)
    game.judge()
    game.judge()
    assert game.count(topics.PLAN_REQUEST) == 1
    assert game.count(topics.SKILL_REQUEST) == 2


def test_second_task_is_refused_while_one_runs() -> None:
    game = Game()
    game.say(topics.TASK, Task(header=Header(), task_id="t2", text="find the bowl"))
    assert (game.result.task_id, game.result.error.code) == ("t2", ErrorCode.BUSY)
    game.step(0)
    assert game.count(topics.PLAN_REQUEST) == 1


def test_expired_alarm_names_the_missing_topics() -> None:
    game = Game()
    game.say(topics.OUTCOME, Outcome(task_id="t", step=0, result=Result.SUCCEEDED))
    game.say(topics.OBSERVATION, Observation(task_id="t", step=0))
    alarm = game.last(topics.ALARM, Alarm)
    game.say(topics.ALARM_EXPIRED, alarm)
    assert (game.result.status, game.result.error.code) == (TaskStatus.ERROR, ErrorCode.DEADLINE_EXPIRED)
    assert "missing: scene_graph, frontiers, temporal_belief, spatial_belief" in game.result.text


def test_alarm_of_an_earlier_wait_is_ignored() -> None:
    game = Game()
    early = game.last(topics.ALARM, Alarm)
    game.step(0)
    game.say(topics.ALARM_EXPIRED, early)
    assert game.count(topics.TASK_RESULT) == 0


def test_alarm_is_withdrawn_at_the_end_of_the_task() -> None:
    game = Game()
    game.step(0)
    game.plan(GIVE_UP)
    game.judge()
    alarm = game.last(topics.ALARM, Alarm)
    assert isinstance(alarm, Alarm)
    assert alarm.duration == 0


def test_cancel_waits_for_the_running_skill() -> None:
    game = Game()
    game.say(topics.CANCEL, Cancel(task_id="t", reason="enough"))
    assert game.count(topics.TASK_RESULT) == 0
    game.say(topics.OUTCOME, Outcome(task_id="t", step=0, result=Result.CANCELED))
    assert (game.result.status, game.result.text) == (TaskStatus.CANCELED, "enough")


def test_cancel_between_skills_ends_the_task_at_once() -> None:
    game = Game()
    game.step(0)
    game.say(topics.CANCEL, Cancel(task_id="another"))
    assert game.count(topics.TASK_RESULT) == 0
    game.say(topics.CANCEL, Cancel())
    assert game.result.status == TaskStatus.CANCELED


def test_fatal_fault_ends_the_task_and_names_the_node() -> None:
    game = Game()
    game.say(topics.FAULT, Fault(node="perception", error=Error(ErrorCode.BAD_IMAGE, "truncated")))
    assert game.count(topics.TASK_RESULT) == 0
    game.say(topics.FAULT, Fault(node="planner", fatal=True, error=Error(ErrorCode.NODE_DIED, "died")))
    assert (game.result.status, game.result.text) == (TaskStatus.ERROR, "planner: died")


def test_executor_names_a_node_once_when_its_fault_names_it_already() -> None:
    game = Game()
    text = "planner died; see its log, restart it and call lifecycle_manager/reset"
    game.say(topics.FAULT, Fault(node="planner", fatal=True, error=Error(ErrorCode.NODE_DIED, text)))
    assert game.result.text == text


def test_failed_world_ends_the_task() -> None:
    game = Game()
    game.say(
        topics.OUTCOME,
        Outcome(task_id="t", step=0, result=Result.FAILED, error=Error(ErrorCode.WORLD_FAILED, "engine")),
    )
    assert (game.result.status, game.result.text) == (TaskStatus.ERROR, "engine")


def test_task_that_is_not_understood_fails_with_the_planners_text() -> None:
    game = Game()
    game.step(0)
    asked = game.plan_request
    error = Error(ErrorCode.TASK_NOT_UNDERSTOOD, "say: find the mug")
    game.say(topics.PLAN, Plan(at=StepStamp(task_id="t", step=0, revision=asked.revision), error=error))
    assert (game.result.status, game.result.text) == (TaskStatus.FAILED, "say: find the mug")


def test_next_task_starts_without_state_of_the_last_one() -> None:
    game = Game(ExecutorConfig(max_rounds=1))
    game.step(0)
    game.plan(GIVE_UP)
    game.judge()
    game.say(topics.TASK, Task(header=Header(), task_id="t2", text="find the bowl"))
    assert (game.request.task_id, game.request.step) == ("t2", 0)


def test_duplicate_of_an_ended_task_is_ignored() -> None:
    game = Game()
    game.step(0)
    game.plan(GIVE_UP)
    game.judge()
    before = len(game.sent)
    game.say(topics.TASK, Task(header=Header(), task_id="t", text="find the mug"))
    assert len(game.sent) == before


def test_alarm_of_an_earlier_round_of_the_step_is_ignored() -> None:
    game = Game()
    game.step(0)
    early = game.last(topics.ALARM, Alarm)
    game.plan(LOOK)
    game.judge(Verdict.REJECTED, "no")
    game.say(topics.ALARM_EXPIRED, early)
    assert game.count(topics.TASK_RESULT) == 0


def test_blocked_action_counts_against_the_budget() -> None:
    game = Game(max_commands=1)
    game.step(0)
    game.plan(Action("fly"))
    game.judge()
    assert (game.result.error.code, game.result.commands) == (ErrorCode.OUT_OF_COMMANDS, 1)


def test_messages_name_the_critique_or_outcome_that_caused_them() -> None:
    game = Game()
    game.step(0)
    assert topics.OUTCOME in {made_from.topic for made_from in game.plan_request.derived_from}
    game.plan(TO_MUG)
    game.judge(Verdict.REJECTED, "no")
    assert topics.CRITIQUE in {made_from.topic for made_from in game.plan_request.derived_from}
    game.plan(LOOK)
    game.judge()
    assert topics.CRITIQUE in {made_from.topic for made_from in game.request.derived_from}
    game.say(topics.FAULT, Fault(node="planner", fatal=True, error=Error(ErrorCode.NODE_DIED, "died")))
    assert topics.FAULT in {made_from.topic for made_from in game.result.derived_from}


# -- evidence of an answer


def answering(*things: str) -> Game:
    """Returns the game after an answer that rests on things was accepted."""
    game = Game()
    game.step(0)
    evidence = tuple(Evidence(thing=SkillTarget(id=name)) for name in things)
    game.say(
        topics.PLAN,
        Plan(at=StepStamp(task_id="t"), actions=(Action("answer"),), reasoning="yes", evidence=evidence),
    )
    game.judge()
    return game


def test_answer_is_given_with_the_places_and_pictures_of_the_things_that_it_rests_on() -> None:
    game = answering("mug_1", "table_1")
    assert game.count(topics.TASK_RESULT) == 0
    queries = [message for topic, message in game.sent if topic == topics.EVIDENCE_QUERY]
    assert [(query.description, query.limit) for query in queries if isinstance(query, ObjectQuery)] == [
        ("mug_1", 1),
        ("table_1", 1),
    ]
    game.say(topics.OBJECT_QUERY_RESULT, ObjectQueryResult(request_id="somebody else's"))
    picture, camera = CompressedImage(format="jpeg"), Pose.planar(1, 2, 0)
    sighting = Sighting(picture=picture, camera=camera)
    for query, sightings in zip(queries, ((sighting,), ()), strict=True):
        assert isinstance(query, ObjectQuery)
        game.say(
            topics.OBJECT_QUERY_RESULT, ObjectQueryResult(request_id=query.request_id, sightings=sightings)
        )
    assert (game.result.status, game.result.text) == (TaskStatus.SUCCEEDED, "yes")
    mug, table = game.result.evidence
    assert (mug.thing.category, mug.thing.pose.position) == ("mug", Point(1.0, 2.0, 0.8))
    assert (mug.picture, mug.camera, table.picture.format) == (picture, camera, "")
    assert game.result.target == mug.thing


def test_answer_is_given_without_pictures_when_the_memory_does_not_send_them() -> None:
    game = answering("mug_1")
    assert game.executor.waiting_for() == (topics.OBJECT_QUERY_RESULT,)
    game.say(topics.ALARM_EXPIRED, game.last(topics.ALARM, Alarm))
    assert (game.result.status, game.result.evidence[0].thing.id) == (TaskStatus.SUCCEEDED, "mug_1")


def test_answer_that_rests_on_nothing_ends_the_task_at_once() -> None:
    game = answering()
    assert (game.result.status, game.result.evidence) == (TaskStatus.SUCCEEDED, ())


def test_thing_onto_which_a_task_wants_another_is_offered_as_a_place_for_it() -> None:
    goal = Goal(
        kind=GoalKind.PLACE,
        what=(ThingDescription(category="mug"),),
        relation="on",
        destination=(ThingDescription(category="mug"),),
    )
    on_mug = Action("place_on", ("mug_1",))
    for goals in ((), (goal,)):
        game = Game()
        game.say(topics.TEMPORAL_BELIEF, TemporalBelief(at=StepStamp(task_id="t", step=0), goals=goals))
        game.step(0)
        assert (on_mug in game.plan_request.allowed_actions) == bool(goals)
