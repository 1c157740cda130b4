"""Tests of the reporter of model calls, which wraps a component whose roles ask models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from stma_ros.components.model_call_reporter import ModelCallReporter
from stma_ros.models.chat import ChatMessage, MessageRole, ReplySchema
from stma_ros.models.errors import ModelError, UnreachableError
from stma_ros.models.model_pool import ModelPool, RoleClient
from stma_ros.models.scripted import ScriptedModel
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.component import Closeable, Component, Emission, OpenQuestion
from stma_ros.types.errors import StorageError
from stma_ros.types.message import Message
from stma_ros.types.planning import PlanRequest, Task, TaskResult
from stma_ros.types.scene_answer import SceneAnswer
from stma_ros.types.sensing import Observation, Step
from stma_ros.types.standard import Clock, Header, Image, Time
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import ModelCall, RoleCall

Script = Callable[["Asker", Message], Iterator[Emission]]


class Asker:
    """A component that runs the script of a test and may ask a model."""

    def __init__(self, client: RoleClient, script: Script) -> None:
        self._client = client
        self._script = script
        self.closed = 0

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        return self._script(self, message)

    def close(self) -> None:
        self.closed += 1

    def ask(self, question: str) -> str:
        try:
            message = ChatMessage(MessageRole.USER, (question,))
            return self._client.ask((message,), ReplySchema("Any", {}), 10).text
        except ModelError as error:
            return str(error)


def role_call(text: str) -> Emission:
    return topics.ROLE_CALLS, RoleCall(role=text)


def once(asker: Asker, message: Message) -> Iterator[Emission]:
    asker.ask("what now?")
    yield role_call("answer")


@pytest.fixture
def models() -> ModelPool:
    model = ScriptedModel(
        lambda request: (
            UnreachableError("script", PLANNER.name, "no connection")
            if request.messages[0].text == "gone?"
            else request.messages[0].text
        )
    )
    return ModelPool(RoleModelConfig(planner="scripted:lines"), lambda *_: model)


def asker_of(models: ModelPool, script: Script) -> Asker:
    client = models.client(PLANNER.name)
    assert client is not None
    return Asker(client, script)


def emitted(user: Component, message: Message, topic: str = topics.PLAN_REQUEST) -> list[str]:
    """Returns the emissions in order: "!" for a model call, with its error code if it failed, or the name of a role."""
    seen = []
    for on, emission in user.handle(topic, message):
        assert (on == topics.MODEL_CALL) == isinstance(emission, ModelCall)
        if isinstance(emission, ModelCall):
            seen.append(f"!{emission.error.code.name}" if emission.error else "!")
        elif isinstance(emission, RoleCall):
            seen.append(emission.role)
    return seen


def calls(user: Component, message: Message) -> list[ModelCall]:
    return [message for _, message in user.handle("any", message) if isinstance(message, ModelCall)]


def test_reporter_emits_calls_before_the_messages_they_led_to(models: ModelPool) -> None:
    def script(asker: Asker, message: Message) -> Iterator[Emission]:
        yield role_call("before")
        asker.ask("one?")
        asker.ask("gone?")
        yield role_call("between")
        yield role_call("at once")
        asker.ask("three?")
        yield role_call("after")
        asker.ask("four?")

    user = ModelCallReporter(asker_of(models, script), models)
    assert emitted(user, PlanRequest(at=StepStamp(task_id="t"))) == [
        "before",
        "!",
        "!MODEL_UNREACHABLE",
        "between",
        "at once",
        "!",
        "after",
        "!",
    ]


def test_reporter_changes_nothing_for_a_component_that_asks_no_model(models: ModelPool) -> None:
    def script(asker: Asker, message: Message) -> Iterator[Emission]:
        yield role_call("this")

    assert emitted(ModelCallReporter(asker_of(models, script), models), Clock()) == ["this"]


def test_reported_call_has_the_stamp_of_the_message_being_handled(models: ModelPool) -> None:
    user = ModelCallReporter(asker_of(models, once), models)
    (call,) = calls(user, PlanRequest(at=StepStamp(header=Header(Time(7), "map"), task_id="t", step=3)))
    assert (call.header, call.task_id, call.step) == (Header(Time(7)), "t", 3)


def test_reported_calls_for_messages_without_a_task_belong_to_the_task_before(models: ModelPool) -> None:
    user = ModelCallReporter(asker_of(models, once), models)
    (call,) = calls(user, Image(Header(Time(1))))
    assert (call.task_id, call.step) == ("", 0)
    calls(user, Observation(header=Header(Time(2)), task_id="t", step=4))
    for message in (Image(Header(Time(3), "camera")), TaskResult(header=Header(Time(3)), task_id="t")):
        (call,) = calls(user, message)
        assert (call.header, call.task_id, call.step) == (Header(Time(3)), "t", 4)
    (call,) = calls(user, Task(header=Header(Time(5)), task_id="u"))
    assert (call.task_id, call.step) == ("u", 0)


def test_reported_calls_while_no_task_runs_belong_to_no_task_and_are_not_canceled(
    models: ModelPool,
) -> None:
    user = ModelCallReporter(asker_of(models, once), models)
    calls(user, Observation(task_id="t", step=4))
    models.cancel("the user", "t")
    for message in (Step(header=Header(Time(5)), step=2), Image(Header(Time(6)))):
        (call,) = calls(user, message)
        assert (call.task_id, call.step, call.error) == ("", 2, Error())


def test_canceled_task_stays_canceled_when_frames_arrive(models: ModelPool) -> None:
    user = ModelCallReporter(asker_of(models, once), models)
    assert emitted(user, Observation(task_id="t", step=1)) == ["!", "answer"]
    models.cancel("the user", "t")
    for message in (Image(), Observation(task_id="t", step=2)):
        assert emitted(user, message) == ["!MODEL_DEADLINE", "answer"]
    assert emitted(user, Observation(task_id="u")) == ["!", "answer"]


def test_reporter_emits_calls_before_an_error_with_the_next_message(models: ModelPool) -> None:
    def script(asker: Asker, message: Message) -> Iterator[Emission]:
        asker.ask("what now?")
        if isinstance(message, Clock):
            raise StorageError("the disk is full")
        yield role_call("answer")

    user = ModelCallReporter(asker_of(models, script), models)
    with pytest.raises(StorageError):
        emitted(user, Clock())
    assert emitted(user, PlanRequest(at=StepStamp(task_id="t"))) == ["!", "!", "answer"]


def test_close_of_a_reporter_closes_its_component(models: ModelPool) -> None:
    asker = asker_of(models, once)
    user = ModelCallReporter(asker, models)
    assert isinstance(user, Closeable)
    user.close()
    assert asker.closed == 1


def test_close_of_a_reporter_does_nothing_for_a_component_without_close(models: ModelPool) -> None:
    class Plain:
        def handle(self, topic: str, message: Message) -> Iterable[Emission]:
            return ()

    ModelCallReporter(Plain(), models).close()


class Wondering(Asker):
    """A component with one open question, which is asked by another thread later."""

    def take_questions(self) -> list[OpenQuestion]:
        def ask() -> SceneAnswer:
            return SceneAnswer(room=self.ask("which room?"))

        at = StepStamp(header=Header(Time(3), "camera"), task_id="t", step=2)
        return [OpenQuestion(topics.SCENE_ANSWER, at, ask)]


def test_calls_of_an_open_question_come_with_its_answer_and_belong_to_its_step(models: ModelPool) -> None:
    client = models.client(PLANNER.name)
    assert client is not None
    user = ModelCallReporter(Wondering(client, once), models)
    calls(user, Observation(header=Header(Time(9)), task_id="u", step=5))
    (question,) = user.take_questions()
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(question.ask).result()
    assert answer.room == "which room?"
    assert [(call.header, call.task_id, call.step) for call in answer.calls] == [(Header(Time(3)), "t", 2)]
    assert models.log.take() == ()


def test_a_component_without_open_questions_has_none(models: ModelPool) -> None:
    assert not ModelCallReporter(asker_of(models, once), models).take_questions()
