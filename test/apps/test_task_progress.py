"""Tests of the progress of a task on the terminal."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from stma_ros.apps.progress import TaskProgress
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.control import Fault
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import StateEstimate
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    ActionProposal,
    Criterion,
    Critique,
    Outcome,
    Plan,
    Result,
    SkillRequest,
    Task,
    TaskResult,
    TaskStatus,
    Verdict,
)
from stma_ros.types.remembering import MemoryReply
from stma_ros.types.scene_graph import ObjectNode, RoomNode, SceneGraph
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.standard import Header, MapMetaData, OccupancyGrid, Time
from stma_ros.types.stepped import StepStamp

OPEN = Action("open", ("fridge_1",))


def shown(*messages: tuple[str, Message], terminal: bool = False) -> list[str]:
    console = Console(file=io.StringIO(), width=200, force_terminal=terminal, color_system=None)
    with TaskProgress(console) as progress:
        for topic, message in messages:
            progress(topic, message)
    output = console.file.getvalue()  # type: ignore[attr-defined]
    return [line.strip() for line in output.splitlines() if line.strip()]


def test_progress_shows_a_task_from_its_text_to_its_end() -> None:
    assert shown(
        (topics.TASK, Task(task_id="t", text="find the milk", max_commands=9)),
        (topics.PLAN, Plan(at=StepStamp(task_id="t", step=0), subgoal="look inside fridge_1")),
        (topics.ACTION_PROPOSAL, ActionProposal(at=StepStamp(task_id="t", step=0), action=OPEN)),
        (topics.CRITIQUE, Critique(at=StepStamp(task_id="t", step=0), verdict=Verdict.ACCEPTED)),
        (topics.SKILL_REQUEST, SkillRequest(task_id="t", step=1, action=OPEN)),
        (topics.OUTCOME, Outcome(task_id="t", step=1, action=OPEN, result=Result.SUCCEEDED, distance=2.04)),
        (topics.PLAN, Plan(at=StepStamp(task_id="t", step=1), subgoal="look inside fridge_1")),
        (topics.TASK_RESULT, TaskResult(status=TaskStatus.SUCCEEDED, text="It is in fridge_1.", commands=1)),
    ) == [
        "find the milk  at most 9 commands",
        "look inside fridge_1",
        "1  open(fridge_1)  2.0 m",
        "succeeded  It is in fridge_1.  1 command",
    ]


@pytest.mark.parametrize("known", [True, False])
def test_progress_shows_a_rejection_with_action_criterion_and_reason(known: bool) -> None:
    critique = Critique(
        at=StepStamp(task_id="t"),
        verdict=Verdict.REJECTED,
        criterion=Criterion.TEMPORAL,
        reason="it was opened [before]",
    )
    proposal = (topics.ACTION_PROPOSAL, ActionProposal(at=StepStamp(task_id="t"), action=OPEN))
    lines = shown(*([proposal] if known else []), (topics.CRITIQUE, critique))
    action = "open(fridge_1)" if known else "the action"
    assert lines == [f"{action} rejected by the critic temporal: it was opened [before]"]


def test_progress_shows_why_a_saved_memory_was_not_used() -> None:
    error = Error(ErrorCode.MEMORY_VERSION, "memory.stma is a memory of version [0]")
    reply = MemoryReply(text=error.text, error=error)
    assert shown((topics.MEMORY_REPLY, reply)) == ["memory.stma is a memory of version [0]"]


def test_progress_shows_an_error_of_perception_once_for_each_task() -> None:
    blind = KeyframeDetections(keyframe=True, error=Error(ErrorCode.BAD_IMAGE, "it sees nothing"))
    task = topics.TASK, Task(task_id="t", text="find the milk")
    frames = [(topics.KEYFRAME_DETECTIONS, blind)] * 3
    assert shown(task, *frames, task, *frames) == ["find the milk", "perception: it sees nothing"] * 2


def test_progress_shows_a_fault_of_a_node_once_for_each_task() -> None:
    full = Fault(node="recorder", error=Error(ErrorCode.MESSAGES_LOST, "recording ends [no space]"))
    fatal = Fault(node="planner", fatal=True, error=Error(ErrorCode.NODE_FAILED, "it ended"))
    task = topics.TASK, Task(task_id="t", text="find the milk")
    faults = [(topics.FAULT, full), (topics.FAULT, full), (topics.FAULT, fatal)]
    lines = ["find the milk", "recorder: recording ends [no space]"]
    assert shown(task, *faults, task, *faults) == lines * 2


def test_progress_shows_the_reason_of_a_failure() -> None:
    error = Error(ErrorCode.TOO_FAR, "the fridge is 3 m away")
    outcome = Outcome(step=4, action=OPEN, result=Result.FAILED, error=error)
    assert shown((topics.OUTCOME, outcome)) == ["4  open(fridge_1)  failed the fridge is 3 m away"]


def test_progress_says_that_a_task_could_not_be_verified() -> None:
    result = TaskResult(status=TaskStatus.UNVERIFIED, text="The oven is off.", commands=3)
    assert shown((topics.TASK_RESULT, result)) == [
        "unverified  I believe so, but could not check: The oven is off.  3 commands"
    ]


def test_progress_names_new_objects_only_and_the_mapped_area() -> None:
    objects = [ObjectNode(id=f"{kind}_{k}", category=kind) for k, kind in enumerate(("mug", "mug", "pan"))]
    cells = np.array([-1, 0, 100, 50] * 100, np.int8)
    grid = OccupancyGrid(info=MapMetaData(resolution=0.5, width=20, height=20), data=cells)
    first = SceneGraph(objects=tuple(objects), rooms=(RoomNode(id="room_1"),))
    more = SceneGraph(objects=(*objects, ObjectNode(id="bed_1", category="bed")), rooms=first.rooms)
    messages = [(topics.SCENE_GRAPH, graph) for graph in (first, first, more)]
    assert shown(*messages[:2], (topics.MAP, grid), *messages[1:]) == [
        "sees 2 mugs, pan; knows 3 objects in 1 room",
        "sees bed; knows 4 objects in 1 room, 75 m² mapped",
    ]


def test_progress_reports_a_missing_object_once_each_time_that_it_is_lost() -> None:
    def graph(*states: str) -> tuple[str, Message]:
        return topics.SCENE_GRAPH, SceneGraph(
            objects=(
                ObjectNode(
                    id="mug_1", category="mug", states=tuple(StateEstimate(state=state) for state in states)
                ),
            )
        )

    lost = "mug_1 not where it was"
    messages = [graph(), graph("missing"), graph("missing", "full"), graph("full"), graph("missing")]
    assert shown(*messages) == ["sees mug; knows 1 object in 0 rooms", lost, lost]


def test_progress_does_not_report_objects_of_a_saved_memory_as_seen() -> None:
    nodes = [
        ObjectNode(id=f"mug_{k}", category="mug", first_seen=stamp)
        for k, stamp in enumerate((Time(-9), Time(3), Time(5)))
    ]
    graph = SceneGraph(objects=tuple(nodes))
    task = Task(header=Header(Time(4)), task_id="t", text="find the mug")
    assert shown((topics.TASK, task), (topics.SCENE_GRAPH, graph))[1:] == [
        "remembers 2 objects in 0 rooms",
        "sees mug; knows 3 objects in 0 rooms",
    ]


def test_progress_on_a_terminal_shows_the_action_under_way_and_the_same_lines() -> None:
    messages = (
        (topics.SKILL_REQUEST, SkillRequest(step=1, action=OPEN)),
        (topics.OUTCOME, Outcome(step=1, action=OPEN, result=Result.SUCCEEDED)),
    )
    assert any(line.endswith("open(fridge_1)") for line in shown(*messages, terminal=True))
    assert shown(*messages) == ["1  open(fridge_1)"]
