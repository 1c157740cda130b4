"""Tests of requests to the spatial memory: each is answered once, and a save names the changes since the last one."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from stma_ros.components.spatial_memory.spatial_memory import SpatialMemory, SpatialMemoryConfig
from stma_ros.types import topics
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.remembering import (
    MemoryAction,
    MemoryAnswer,
    MemoryQuestion,
    MemoryReply,
    MemoryRequest,
    ObjectQuery,
    ObjectQueryResult,
)
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Image, Time
from stma_ros.types.stepped import StepStamp
from support.components.wall_frames import HEIGHT, WIDTH, HandedParts, Patch, frame, perceiving, remembering

FRIDGE = Patch("fridge", (10, 50), (20, 40), (240, 240, 240))
MUG = Patch("mug", (16, 36), (46, 66))
MOVED = Patch("mug", (16, 36), (0, 18))


def memory_in(folder: Path) -> HandedParts[SpatialMemory]:
    return remembering(SpatialMemoryConfig(resolution=0.1, memory_dir=str(folder)))


def show(
    memory: HandedParts[SpatialMemory], patches: tuple[Patch, ...], *seconds: int, gone: Patch | None = None
) -> None:
    """Delivers one step for each second with the patches on the wall; the camera looks past a removed patch."""
    for second in seconds:
        perception = perceiving()  # a new one for each frame, so that each frame is a keyframe
        parts = frame(Time(second), patches)
        if gone is not None:
            depth_mm = np.full((HEIGHT, WIDTH), 2000, np.uint16)
            depth_mm[slice(*gone.rows), slice(*gone.columns)] = 2600
            parts[topics.DEPTH] = Image.from_array(parts[topics.DEPTH].header, depth_mm, "16UC1")
        updates = [sent for topic, part in parts.items() for sent in perception.handle(topic, part)]
        step = [
            *((topic, parts[topic]) for topic in topics.DEPTH_FRAME),
            *updates,
            (topics.OBSERVATION, Observation(task_id="t", step=second, watermark=Time(second))),
            (topics.TEMPORAL_BELIEF, TemporalBelief(at=StepStamp(task_id="t", step=second))),
        ]
        for topic, message in step:
            list(memory.handle(topic, message))


def answers_to(memory: HandedParts[SpatialMemory], topic: str, message: Message) -> list[Message]:
    return [answer for _, answer in memory.handle(topic, message)]


def save(memory: HandedParts[SpatialMemory], name: str = "s") -> MemoryReply:
    (reply,) = answers_to(
        memory, topics.MEMORY_REQUEST, MemoryRequest(request_id=name, kind=MemoryAction.SAVE)
    )
    assert isinstance(reply, MemoryReply)
    return reply


def ask(memory: HandedParts[SpatialMemory], description: str) -> ObjectQueryResult:
    query = ObjectQuery(request_id=description, description=description)
    (answer,) = answers_to(memory, topics.OBJECT_QUERY, query)
    assert isinstance(answer, ObjectQueryResult)
    return answer


def test_object_query_result_has_the_stamp_of_the_last_processed_frame(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    show(memory, (FRIDGE, MUG), 1, 4)
    assert ask(memory, "mug").header == Header(Time(4), "map")
    assert ask(memory, "mug_1").sightings[0].first_seen == Time(1)


def test_duplicate_of_a_memory_request_is_not_answered(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    query = ObjectQuery(request_id="q", description="mug")
    assert len(answers_to(memory, topics.OBJECT_QUERY, query)) == 1
    assert answers_to(memory, topics.OBJECT_QUERY, query) == []


def test_memory_request_of_unknown_kind_is_refused(tmp_path: Path) -> None:
    (reply,) = answers_to(memory_in(tmp_path), topics.MEMORY_REQUEST, MemoryRequest(request_id="r"))
    assert isinstance(reply, MemoryReply)
    assert reply.error
    assert "asks for nothing" in reply.text


def test_reply_to_a_save_names_the_changes_since_the_last_save(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    show(memory, (FRIDGE, MUG), 1, 2)
    assert save(memory).text == f"Saved 2 things in 1 room to {tmp_path / 'memory.stma'}."
    assert "Since" not in save(memory, "again").text

    memory.close()
    memory = memory_in(tmp_path)
    show(memory, (FRIDGE,), *range(3, 9), gone=MUG)
    assert "Since the last time: mug_1 is no longer in the kitchen." in save(memory).text
    show(memory, (FRIDGE, MOVED), *range(9, 12), gone=MUG)
    assert ask(memory, "mug").sightings[0].object_id == "mug_1"
    assert "Since the last time: mug_1 moved within room_1." in save(memory, "once more").text
    assert "Since" not in save(memory, "with nothing new").text


def test_loaded_memory_is_moved_into_the_past_when_the_clock_was_set_back(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    show(memory, (FRIDGE, MUG), 101, 110)
    memory.close()
    memory = memory_in(tmp_path)
    assert ask(memory, "mug").header.stamp == Time(110)
    show(memory, (FRIDGE,), 5)
    sighting = ask(memory, "mug_1").sightings[0]
    assert (sighting.first_seen, sighting.last_seen) == (Time(-5), Time(4))


def test_loaded_memory_preserves_its_stamps_when_the_clock_continues(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    show(memory, (FRIDGE, MUG), 101, 110)
    memory.close()
    memory = memory_in(tmp_path)
    show(memory, (FRIDGE,), 50_000)
    assert ask(memory, "mug_1").sightings[0].last_seen == Time(110)
    assert "13 h ago" in ask(memory, "mug").text


def test_close_of_a_memory_writes_no_file_when_nothing_was_seen(tmp_path: Path) -> None:
    memory_in(tmp_path).close()
    assert list(tmp_path.iterdir()) == []


def test_failed_save_is_answered_with_an_error(tmp_path: Path) -> None:
    memory = memory_in(tmp_path / "gone")
    show(memory, (MUG,), 1)
    (tmp_path / "gone").rmdir()
    reply = save(memory)
    assert reply.error.code == ErrorCode.MEMORY_NOT_KEPT
    assert "was not saved" in reply.text


def answer_to(memory: HandedParts[SpatialMemory], question: str) -> MemoryAnswer:
    asked = MemoryQuestion(request_id=question, question=question)
    (answer,) = answers_to(memory, topics.MEMORY_QUESTION, asked)
    assert isinstance(answer, MemoryAnswer)
    return answer


def test_memory_answers_a_question_with_where_and_when_the_evidence_was_seen(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    show(memory, (FRIDGE, MUG), 1, 4)
    answer = answer_to(memory, "What colour is the fridge?")
    assert (answer.answer, answer.is_sure, answer.header) == ("white", True, Header(Time(4), "map"))
    assert answer.text.startswith("White. I last saw the white fridge (fridge_1) just now")
    (fridge,) = answer.evidence
    assert (fridge.object_id, fridge.last_seen) == ("fridge_1", Time(4))
    assert len(fridge.picture.data) > 0
    assert fridge.camera.given


def test_memory_is_not_sure_of_what_it_has_not_seen(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    show(memory, (FRIDGE, MUG), 1, 4)
    answer = answer_to(memory, "Is there milk in the fridge?")
    assert (answer.answer, answer.is_sure) == ("no", False)
    assert answer.text.startswith("As far as I know: no. What is missing:")
    unknown = answer_to(memory, "Who made the mug?")
    assert (unknown.answer, unknown.text.startswith("I do not know.")) == ("", True)


def test_memory_answers_from_what_was_saved_and_not_from_what_is_forgotten(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    show(memory, (FRIDGE, MUG), 1, 4)
    memory.close()
    memory = memory_in(tmp_path)
    assert answer_to(memory, "What colour is the fridge?").answer == "white"
    assert answer_to(memory, "Is there a mug?").answer == "yes"
    forget = MemoryRequest(request_id="f", kind=MemoryAction.FORGET, subject="mug")
    answers_to(memory, topics.MEMORY_REQUEST, forget)
    assert answer_to(memory, "Is there any mug?").answer == "no"


def test_question_that_asks_nothing_is_answered_with_an_error(tmp_path: Path) -> None:
    answer = answer_to(memory_in(tmp_path), "sing")
    assert (answer.error.code, answer.answer) == (ErrorCode.TASK_NOT_UNDERSTOOD, "")


def test_duplicate_of_a_question_is_not_answered(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    answer_to(memory, "Is there a mug?")
    asked = MemoryQuestion(request_id="Is there a mug?", question="Is there a mug?")
    assert answers_to(memory, topics.MEMORY_QUESTION, asked) == []
