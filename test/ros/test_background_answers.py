"""Tests of the thread that asks the open questions of a component."""

from __future__ import annotations

import threading
from collections.abc import Callable

from stma_ros.ros.background_answers import BackgroundAnswers
from stma_ros.types.component import OpenQuestion
from stma_ros.types.errors import ErrorCode
from stma_ros.types.scene_answer import SceneAnswer
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp
from support.ros.waiting import eventually

Ask = Callable[[], SceneAnswer]


def answer(second: int, room: str = "") -> SceneAnswer:
    return SceneAnswer(header=Header(Time(second)), room=room)


def question(second: int, ask: Ask | None = None) -> OpenQuestion:
    return OpenQuestion(
        "scene_answer", StepStamp(header=Header(Time(second))), ask or (lambda: answer(second))
    )


class Asker:
    """Records what is delivered and reported; delivers nothing while it is deaf."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, str]] = []
        self.errors: list[str] = []
        self.is_deaf = False
        self.answers = BackgroundAnswers("asker", self._hear, self._report)

    def _hear(self, topic: str, message: SceneAnswer) -> None:
        if not self.is_deaf:
            self.heard.append((message.header.stamp.sec, message.room or message.error.text))

    def _report(self, asked: OpenQuestion, error: Exception) -> None:
        self.errors.append(str(error))


def test_questions_are_asked_one_after_the_other_in_their_order() -> None:
    asker = Asker()
    asker.answers.put([question(1), question(2)])
    asker.answers.put([question(3)])
    eventually(lambda: [second for second, _ in asker.heard] == [1, 2, 3])


def test_an_answer_that_an_inactive_node_missed_is_delivered_again_and_not_asked_for() -> None:
    asker, asked = Asker(), []
    asker.is_deaf = True
    asker.answers.put([question(1, lambda: asked.append(1) or answer(1))])  # type: ignore[func-returns-value]
    eventually(lambda: asked)
    asker.answers.pause()
    asker.is_deaf = False
    asker.answers.resume()
    eventually(lambda: asker.heard == [(1, "")])
    assert asked == [1]


def test_an_answer_under_way_at_a_pause_is_asked_for_anew_before_later_ones() -> None:
    asker, begun, let_go = Asker(), threading.Event(), threading.Event()
    rooms = iter(("canceled", "kitchen"))

    def ask() -> SceneAnswer:
        begun.set()
        let_go.wait(10)
        return answer(1, next(rooms))

    asker.answers.put([question(1, ask), question(2)])
    assert begun.wait(10)
    asker.answers.pause()
    asker.answers.resume()
    let_go.set()
    eventually(lambda: asker.heard == [(1, "kitchen"), (2, "")])


def test_a_handled_answer_is_not_delivered_again() -> None:
    asker = Asker()
    asker.answers.put([question(1), question(2)])
    eventually(lambda: len(asker.heard) == 2)
    asker.answers.handled(str(Time(1).nanoseconds))
    asker.answers.pause()
    asker.answers.resume()
    eventually(lambda: len(asker.heard) == 3)
    assert asker.heard[-1] == (2, "")


def test_a_question_that_raises_is_reported_and_answered_with_the_error() -> None:
    def fails() -> SceneAnswer:
        raise ValueError("no such picture")

    asker = Asker()
    asker.answers.put([question(1, fails), question(2)])
    eventually(lambda: len(asker.heard) == 2)
    assert asker.errors == ["no such picture"]
    (second, text), later = asker.heard
    assert (second, later) == (1, (2, ""))
    assert "no such picture" in text


def test_an_answer_after_the_end_is_dropped() -> None:
    asker, begun, let_go = Asker(), threading.Event(), threading.Event()

    def ask() -> SceneAnswer:
        begun.set()
        let_go.wait(10)
        return answer(1)

    asker.answers.put([question(1, ask), question(2)])
    assert begun.wait(10)
    asker.answers.end()
    let_go.set()
    assert asker.answers.join(10)
    assert asker.heard == []


def test_the_error_of_a_failed_question_is_that_of_a_node() -> None:
    def fails() -> SceneAnswer:
        raise ValueError("no such picture")

    codes: list[ErrorCode] = []
    answers = BackgroundAnswers(
        "asker", lambda _, message: codes.append(message.error.code), lambda asked, error: None
    )
    answers.put([question(1, fails)])
    eventually(lambda: codes == [ErrorCode.NODE_FAILED])
