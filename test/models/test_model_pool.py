"""Tests of the pool of models: clients, cache, log, health, recording, and cancelling from other threads."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

from stma_ros.models.box_convention import BoxConvention
from stma_ros.models.call_log import StepContext
from stma_ros.models.chat import ChatModel, ChatReply, ChatRequest, Finish, Part, Usage
from stma_ros.models.errors import (
    BudgetSpentError,
    CallCanceledError,
    DeadlineError,
    ModelError,
    NotRecordedError,
    UnreachableError,
)
from stma_ros.models.images import picture, scaled
from stma_ros.models.limited_model import Budget
from stma_ros.models.model_pool import ModelPool, RoleClient
from stma_ros.models.sampling import Sampling
from stma_ros.models.scripted import ScriptedModel, ScriptEntry
from stma_ros.models.settings import RULES
from stma_ros.roles.answerer import ANSWERER
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER
from stma_ros.roles.recorder import RECORDER
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.roles.scene_graph import SCENE_GRAPH
from stma_ros.types.errors import ConfigurationError, ErrorCode, StorageError
from stma_ros.types.standard import Header, Time
from stma_ros.types.telemetry import REPLIES_FILE
from support.models.chat_requests import SCHEMA, SOON, ThinkingModel, messages, tile

AWAY = UnreachableError("script", PLANNER.name, "no connection")
USED = ChatReply("{}", Finish.STOP, Usage(100, 7, 60, 1), 0.5, 2)


def pool_of(model: ChatModel, **settings: object) -> ModelPool:
    """Returns a pool with the same model for all roles."""
    config = RoleModelConfig(**{"default": "scripted:lines", **settings})  # type: ignore[arg-type]
    return ModelPool(config, lambda spec, config, budget: model)


def scripted_pool(*lines: ScriptEntry, **settings: object) -> ModelPool:
    return pool_of(ScriptedModel(lines), **settings)


def echo(request: ChatRequest) -> str:
    return request.messages[-1].text


def client_of(models: ModelPool, role: str = PLANNER.name) -> RoleClient:
    client = models.client(role)
    assert client is not None
    return client


def ask(models: ModelPool, *question: Part, role: str = PLANNER.name, useful: bool = False) -> ChatReply:
    """Asks as a role and caches the reply if it is useful."""
    client = client_of(models, role)
    reply = client.ask(messages(*question), SCHEMA, 100)
    if useful:
        client.cache(messages(*question), SCHEMA, 100, reply)
    return reply


def begin(models: ModelPool, task_id: str, step: int = 0) -> None:
    models.begin(Header(Time(step)), task_id, step)


class Caller:
    """Asks in a thread of its own; the outcome is the reply or the error."""

    def __init__(self, models: ModelPool) -> None:
        self.outcome: ChatReply | ModelError | None = None
        self._models = models
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()

    def _ask(self) -> None:
        try:
            self.outcome = ask(self._models, "where to?")
        except ModelError as error:
            self.outcome = error

    def ended(self) -> ChatReply | ModelError | None:
        self._thread.join(SOON)
        assert not self._thread.is_alive()
        return self.outcome


class CallerAside(Caller):
    """Asks aside."""

    def _ask(self) -> None:
        with self._models.aside(StepContext(Header(), "t", 0)):
            super()._ask()


@pytest.fixture
def thinker() -> Iterator[ThinkingModel]:
    model = ThinkingModel()
    yield model
    model.ends.set()


@pytest.fixture
def thinking(thinker: ThinkingModel) -> ModelPool:
    """Returns a pool that has begun task t with a model that thinks until it is canceled."""
    models = pool_of(thinker)
    begin(models, "t")
    return models


def under_way(models: ModelPool, model: ThinkingModel) -> Caller:
    caller = Caller(models)
    assert model.begun.wait(SOON)
    return caller


class TestClients:
    def test_model_pool_makes_each_model_once_when_it_is_first_needed(self) -> None:
        made: list[str] = []

        def make(spec: str, config: RoleModelConfig, budget: Budget) -> ChatModel:
            made.append(spec)
            return ScriptedModel(echo)

        models = ModelPool(RoleModelConfig(default="scripted:a", critic="scripted:b", planner=RULES), make)
        assert made == []
        assert models.client(PLANNER.name) is None
        assert models.client(SCENE_GRAPH.name) is None
        for role in ("summariser", "reflector", CRITIC.name, CRITIC.name):
            assert client_of(models, role).role == role
        assert made == ["scripted:a", "scripted:b"]

    def test_model_pool_refuses_an_invalid_specification_before_it_makes_a_model(self) -> None:
        with pytest.raises(ConfigurationError, match="'gpt-4' is no model"):
            ModelPool(RoleModelConfig(planner="gpt-4"))

    def test_request_carries_the_settings(self) -> None:
        model = ScriptedModel(echo)
        models = pool_of(model, temperature=0.7, top_p=0.9, seed=3, deadline=7.0)
        ask(models, "where to?", role=CRITIC.name)
        (asked,) = model.requests
        assert (asked.role, asked.messages, asked.schema, asked.max_tokens) == (
            CRITIC.name,
            messages("where to?"),
            SCHEMA,
            100,
        )
        assert (asked.sampling.temperature, asked.sampling.top_p, asked.sampling.seed) == (0.7, 0.9, 3)
        assert asked.deadline == 7.0

    def test_published_sampling_applies_to_roles_whose_paper_has_it(self) -> None:
        model = ScriptedModel(echo)
        settings = {"temperature": 0.3, "top_k": 5, "presence_penalty": 0.5, "seed": 3}
        settings["answerer"] = "scripted:lines"
        published, own = pool_of(model, published_sampling=True, **settings), pool_of(model, **settings)

        for models, role in (
            (published, RECORDER),
            (published, ANSWERER),
            (published, CRITIC),
            (own, RECORDER),
        ):
            ask(models, "where to?", role=role.name)

        by_settings = Sampling(0.3, 1.0, 3, 5, 0.5)
        assert [request.sampling for request in model.requests] == [
            Sampling(1.0, 1.0, 3, 40, 2.0),
            Sampling(0.7, 0.8, 3, 20, 1.5),
            by_settings,
            by_settings,
        ]

    def test_request_has_no_seed_when_none_is_set(self) -> None:
        model = ScriptedModel(echo)
        ask(pool_of(model), "where to?")
        assert model.requests[0].sampling.seed is None


class TestCache:
    def test_cached_reply_is_returned_without_a_call_and_logged_as_cached(self) -> None:
        models = scripted_pool(USED)
        begin(models, "t", 1)
        first = ask(models, "where to?", useful=True)
        begin(models, "t", 2)
        again = ask(models, "where to?", useful=True)

        assert again.text == first.text
        assert (first.attempts, again.attempts, again.latency) == (2, 0, 0.5)
        called, repeated = models.log.take()
        assert (called.cached, repeated.cached) == (False, True)
        assert (repeated.step, repeated.role, repeated.model, repeated.finish) == (
            2,
            PLANNER.name,
            "script",
            "stop",
        )
        assert repeated.request == called.request
        assert (
            repeated.attempts,
            repeated.latency,
            repeated.prompt_tokens,
            repeated.cached_tokens,
            repeated.reply_tokens,
        ) == (
            0,
            0.0,
            -1,
            -1,
            -1,
        )
        assert models.log.health["answers cached"] == "1 of 2 questions"
        assert models.log.health["model script"].startswith("1 calls, 0 failed, 107 tokens")

    def test_reply_that_was_not_cached_is_requested_again(self) -> None:
        models = scripted_pool("one", "two")
        assert [ask(models, "where to?").text for _ in range(2)] == ["one", "two"]

    def test_cached_reply_answers_only_the_same_question_of_the_same_role(self) -> None:
        models = pool_of(ScriptedModel(echo))
        ask(models, "where to?", useful=True)
        assert ask(models, "and now?").text == "and now?"
        assert ask(models, "where to?", role=CRITIC.name).attempts == 1

    def test_sampled_reply_is_not_cached(self) -> None:
        models = scripted_pool("one", "two", temperature=0.1)
        assert [ask(models, "where to?", useful=True).text for _ in range(2)] == ["one", "two"]

    def test_reply_sampled_as_published_is_not_cached_at_a_temperature_of_zero(self) -> None:
        models = scripted_pool("one", "two", published_sampling=True, temperature=0.0)
        replies = [ask(models, "where to?", role=RECORDER.name, useful=True).text for _ in range(2)]
        assert replies == ["one", "two"]

    def test_cache_holds_the_replies_requested_last_up_to_its_size(self) -> None:
        model = ScriptedModel(echo)
        models = pool_of(model, cache_size=2)
        for question in ("one", "two", "one", "three"):
            ask(models, question, useful=True)
        asked = len(model.requests)
        assert [ask(models, question).attempts for question in ("one", "three", "two")] == [0, 0, 1]
        assert len(model.requests) == asked + 1

    def test_cache_of_size_zero_holds_no_reply(self) -> None:
        models = scripted_pool("one", "two", cache_size=0)
        assert [ask(models, "where to?", useful=True).text for _ in range(2)] == ["one", "two"]

    def test_cache_is_emptied_when_a_new_episode_starts(self) -> None:
        models = scripted_pool("one", "two")
        ask(models, "where to?", useful=True)
        models.start(None)
        assert ask(models, "where to?").text == "two"
        assert [call.cached for call in models.log.take()] == [False]


def test_pictures_of_all_roles_are_scaled_down_to_the_pixels_of_the_setting() -> None:
    model = ScriptedModel(["{}"])
    large, small = (
        picture(np.full((height, 100, 3), height, np.uint8), max_pixels=10_000) for height in (90, 5)
    )
    ask(pool_of(model, image_pixels=1000), large, "what is there?", small)

    (asked,) = model.requests
    assert asked.messages[-1].parts == (scaled(large, 1000), "what is there?", small)
    assert all(shown.width * shown.height <= 1000 for shown in asked.pictures)


class TestLog:
    def test_log_reports_each_call_once_with_its_task_and_step(self) -> None:
        models = scripted_pool(USED, AWAY)
        begin(models, "t", 3)
        ask(models, tile(1), "where to?", tile(2))
        models.begin(Header(Time(9)), "u", 4)
        with pytest.raises(UnreachableError):
            ask(models, "is it right?", role=CRITIC.name)

        good, bad = models.log.take()
        assert models.log.take() == ()
        assert (good.header, good.task_id, good.step, good.role) == (Header(Time(3)), "t", 3, PLANNER.name)
        assert (good.prompt_tokens, good.cached_tokens, good.reply_tokens) == (100, 60, 7)
        assert (good.images, good.images_cached, good.attempts, good.latency) == (2, 1, 2, 0.5)
        assert (good.finish, bool(good.error), good.cached) == ("stop", False, False)
        assert (bad.header, bad.task_id, bad.step, bad.role) == (Header(Time(9)), "u", 4, CRITIC.name)
        assert (bad.finish, bad.cached, bad.prompt_tokens) == ("", False, -1)
        assert (bad.error.code, bad.error.text) == (ErrorCode.MODEL_UNREACHABLE, str(AWAY))

    def test_log_reports_every_call_once_when_many_threads_ask(self) -> None:
        models = pool_of(ScriptedModel(echo), concurrency=8)
        client = client_of(models)
        logged: list[str] = []

        def run(name: int) -> None:
            for number in range(100):
                client.ask(messages(f"{name} {number}"), SCHEMA, 100)
                logged.extend(call.request for call in models.log.take())

        askers = [threading.Thread(target=run, args=(name,)) for name in range(4)]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join(SOON)
        logged.extend(call.request for call in models.log.take())
        assert len(logged) == len(set(logged)) == 400

    def test_log_drops_unreported_calls_when_a_new_episode_starts(self) -> None:
        models = scripted_pool("one")
        ask(models, "where to?")
        models.start(None)
        assert models.log.take() == ()


class TestHealth:
    def test_health_is_empty_before_the_first_call(self) -> None:
        models = scripted_pool()
        assert (models.log.trouble, models.log.health) == ("", {})

    def test_trouble_lasts_until_the_next_reply(self) -> None:
        models = scripted_pool(AWAY, AWAY, USED, USED)
        for _ in range(2):
            with pytest.raises(UnreachableError):
                ask(models, "where to?")
        assert models.log.trouble == str(AWAY)
        assert models.log.health == {
            "model script": "2 calls, 2 failed, 0 tokens, median nan s",
            "answers cached": "0 of 2 questions",
        }
        ask(models, "where to?")
        assert models.log.trouble == ""
        assert models.log.health["model script"] == "3 calls, 2 failed, 107 tokens, median 0.50 s"

    def test_trouble_tells_that_the_last_reply_was_used_in_part(self) -> None:
        models = scripted_pool(USED, "two")
        ask(models, "where to?")
        client_of(models).note("the reply was used in part")
        assert models.log.trouble == "the reply was used in part"
        assert "1 calls, 0 failed, 1 used in part," in models.log.health["model script"]
        assert not models.log.take()[0].error
        ask(models, "and now?")
        assert models.log.trouble == ""

    def test_trouble_does_not_include_canceled_calls(self) -> None:
        models = scripted_pool(CallCanceledError("script", PLANNER.name, "the user"))
        with pytest.raises(CallCanceledError):
            ask(models, "where to?")
        assert models.log.trouble == ""
        assert "1 calls, 0 failed" in models.log.health["model script"]

    def test_trouble_includes_every_model(self) -> None:
        def make(spec: str, config: RoleModelConfig, budget: Budget) -> ChatModel:
            model = ScriptedModel([UnreachableError(spec, "role", "no connection")])
            model.name = spec  # type: ignore[misc]
            return model

        models = ModelPool(RoleModelConfig(planner="scripted:a", critic="scripted:b"), make)
        for role in (PLANNER.name, CRITIC.name):
            with pytest.raises(UnreachableError):
                ask(models, "where to?", role=role)
        assert models.log.trouble.count("did not answer") == 2
        assert models.log.trouble.startswith("scripted:a did not answer")
        assert "; scripted:b did not" in models.log.trouble

    def test_health_can_be_read_while_models_are_asked(self) -> None:
        models = pool_of(ScriptedModel(echo))
        client = client_of(models)
        over = threading.Event()
        broken: list[Exception] = []

        def look() -> None:
            while not over.is_set():
                try:
                    assert models.log.trouble == ""
                    assert models.log.health is not None
                except Exception as error:  # noqa: BLE001 - the test reports every error
                    broken.append(error)
                    return

        looker = threading.Thread(target=look)
        looker.start()
        for number in range(1500):
            client.ask(messages(str(number)), SCHEMA, 100)
        over.set()
        looker.join(SOON)
        assert broken == []


class TestCanceling:
    def test_cancel_ends_a_call_under_way(self, thinking: ModelPool, thinker: ThinkingModel) -> None:
        caller = under_way(thinking, thinker)
        thinking.cancel("the user", "t")
        error = caller.ended()
        assert isinstance(error, CallCanceledError)
        assert "the user" in str(error)
        (call,) = thinking.log.take()
        assert (call.error.code, call.task_id) == (ErrorCode.MODEL_DEADLINE, "t")

    def test_cancel_refuses_later_calls_of_the_task_but_not_of_the_next_one(self) -> None:
        models = pool_of(ScriptedModel(echo))
        begin(models, "t")
        models.cancel("the user", "t")
        for step in range(2):
            begin(models, "t", step)
            with pytest.raises(CallCanceledError, match="the user"):
                ask(models, "where to?")
        begin(models, "u")
        assert ask(models, "where to?").text == "where to?"
        begin(models, "t")
        with pytest.raises(CallCanceledError):
            ask(models, "where to?")

    def test_cancel_does_not_refuse_cached_replies(
        self,
    ) -> None:
        models = pool_of(ScriptedModel(echo))
        begin(models, "t")
        ask(models, "where to?", useful=True)
        models.cancel("the user", "t")
        assert ask(models, "where to?").text == "where to?"
        with pytest.raises(CallCanceledError):
            ask(models, "and then?")

    def test_cancel_may_precede_the_first_call_of_the_task(self) -> None:
        models = pool_of(ScriptedModel(echo))
        begin(models, "before")
        models.cancel("the user", "t")
        assert ask(models, "where to?").text == "where to?"
        begin(models, "t")
        with pytest.raises(CallCanceledError, match="the user"):
            ask(models, "where to?")

    def test_cancel_of_another_task_ends_no_call(self, thinking: ModelPool, thinker: ThinkingModel) -> None:
        caller = under_way(thinking, thinker)
        thinking.cancel("the user", "u")
        assert thinker.begun.is_set()
        thinking.interrupt("the end", "t")
        assert "the end" in str(caller.ended())

    def test_cancel_is_effective_when_it_coincides_with_the_beginning_of_the_task(self) -> None:
        models = pool_of(ScriptedModel(echo))
        both = threading.Barrier(2)
        tasks = [f"t{number}" for number in range(300)]

        def cancel() -> None:
            for task_id in tasks:
                both.wait(SOON)
                models.cancel("the user", task_id)
                both.wait(SOON)

        canceler = threading.Thread(target=cancel)
        canceler.start()
        answered = []
        for task_id in tasks:
            both.wait(SOON)
            begin(models, task_id)
            both.wait(SOON)
            try:
                answered.append(ask(models, task_id).text)
            except CallCanceledError:
                continue
        canceler.join(SOON)
        assert answered == []

    def test_cancel_does_not_affect_a_task_of_the_same_name_in_the_next_episode(self) -> None:
        models = pool_of(ScriptedModel(echo))
        begin(models, "task_1")
        models.cancel("the user", "task_1")
        models.start(None)
        begin(models, "task_1")
        assert ask(models, "where to?").text == "where to?"


class TestInterrupting:
    @pytest.mark.parametrize("task_id", ["", "t"])
    def test_interrupt_ends_the_call_under_way_but_not_calls_of_later_messages(
        self, thinking: ModelPool, thinker: ThinkingModel, task_id: str
    ) -> None:
        first = under_way(thinking, thinker)
        thinking.interrupt("once", task_id)
        assert "once" in str(first.ended())
        begin(thinking, "t")
        second = under_way(thinking, thinker)
        thinking.interrupt("twice", task_id)
        assert "twice" in str(second.ended())

    def test_interrupt_refuses_further_calls_of_the_same_message(self) -> None:
        models = pool_of(ScriptedModel(echo))
        begin(models, "t")
        models.interrupt("once")
        with pytest.raises(CallCanceledError, match="once"):
            ask(models, "where to?")
        begin(models, "t")
        assert ask(models, "where to?").text == "where to?"

    def test_interrupt_of_another_task_ends_no_call(
        self, thinking: ModelPool, thinker: ThinkingModel
    ) -> None:
        caller = under_way(thinking, thinker)
        thinking.interrupt("other", "u")
        assert thinker.begun.is_set()
        thinking.interrupt("mine", "t")
        assert "mine" in str(caller.ended())

    def test_interrupt_does_not_revoke_a_cancel(self) -> None:
        models = pool_of(ScriptedModel(echo))
        begin(models, "t")
        models.cancel("the user", "t")
        models.interrupt("once", "t")
        with pytest.raises(CallCanceledError, match="the user"):
            ask(models, "where to?")


class TestClosing:
    def test_close_ends_the_call_under_way_before_it_closes_the_model(
        self, thinking: ModelPool, thinker: ThinkingModel
    ) -> None:
        thinker.ends.clear()
        caller = under_way(thinking, thinker)
        closing = threading.Thread(target=thinking.close)
        closing.start()
        assert thinker.closed_under is None
        thinker.ends.set()
        closing.join(SOON)
        assert thinker.closed_under == 0
        assert "the models are closed" in str(caller.ended())

    def test_close_refuses_later_calls(self) -> None:
        model = ScriptedModel(echo)
        models = pool_of(model)
        client = client_of(models)
        begin(models, "t")
        models.close()
        for task_id in ("t", "u"):
            begin(models, task_id)
            models.interrupt("once")
            with pytest.raises(CallCanceledError, match="the models are closed"):
                client.ask(messages("where to?"), SCHEMA, 100)
        assert model.requests == []

    def test_close_ends_the_recording(self, tmp_path: Path) -> None:
        models = pool_of(ScriptedModel(echo))
        models.start(tmp_path)
        client = client_of(models)
        models.close()
        with pytest.raises(CallCanceledError):
            client.ask(messages("where to?"), SCHEMA, 100)
        assert recorded(tmp_path) == []

    def test_close_may_be_called_twice(self) -> None:
        models = pool_of(ScriptedModel(echo))
        models.close()
        models.close()


def recorded(folder: Path) -> list[str]:
    """Returns the last text of each recorded request."""
    lines = (folder / REPLIES_FILE).read_text().splitlines()
    return [json.loads(line)["turns"][-1]["parts"][-1] for line in lines]


class TestRecording:
    def test_episodes_are_recorded_in_their_own_folders_and_not_at_all_without_one(
        self, tmp_path: Path
    ) -> None:
        models = pool_of(ScriptedModel(echo))
        ask(models, "before")
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            models.start(tmp_path / name)
            ask(models, name, useful=True)
            ask(models, name)  # answered from the cache
        models.start(None)
        ask(models, "after")
        models.close()
        assert [recorded(tmp_path / name) for name in ("one", "two")] == [["one"], ["two"]]

    def test_recording_writes_no_file_when_rules_answer_all_roles(self, tmp_path: Path) -> None:
        models = ModelPool(RoleModelConfig())
        models.start(tmp_path)
        models.close()
        assert list(tmp_path.iterdir()) == []

    def test_recording_into_an_unwritable_folder_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "taken").write_text("a file")
        with pytest.raises(StorageError, match="cannot be recorded"):
            scripted_pool().start(tmp_path / "taken")

    def test_recorded_run_is_repeated_with_its_errors(self, tmp_path: Path) -> None:
        late = DeadlineError("script", PLANNER.name, "no answer within 60 s")
        first = scripted_pool(USED, late, "three")
        first.start(tmp_path)
        first_outcomes = list(outcomes(first, 3))
        first.close()

        second = ModelPool(RoleModelConfig(default=f"recorded:{tmp_path}"))
        second.start(None)
        assert list(outcomes(second, 3)) == first_outcomes
        calls = second.log.take()
        assert [call.error.code for call in calls] == [
            ErrorCode.NONE,
            ErrorCode.MODEL_DEADLINE,
            ErrorCode.NONE,
        ]
        assert (calls[0].prompt_tokens, calls[0].latency, calls[0].attempts) == (100, 0.5, 2)
        second.close()

    @pytest.mark.parametrize(
        ("setting", "convention"), [("auto", BoxConvention.PIXELS), ("fractions", BoxConvention.FRACTIONS)]
    )
    def test_convention_of_boxes_is_that_of_the_setting_or_of_the_recorded_model(
        self, tmp_path: Path, setting: str, convention: BoxConvention
    ) -> None:
        model = ScriptedModel([USED, "two"])
        model.name = "qwen2.5-vl at http://here/v1"
        first = pool_of(model, boxes=setting, scene_graph="scripted:eyes")
        first.start(tmp_path)
        ask(first, "where to?")
        ask(first, "what is there?", role=SCENE_GRAPH.name)
        assert client_of(first, SCENE_GRAPH.name).boxes is convention
        first.close()
        again = ModelPool(RoleModelConfig(scene_graph=f"recorded:{tmp_path}", boxes=setting))
        assert client_of(again, SCENE_GRAPH.name).boxes is convention
        again.close()

    @pytest.mark.parametrize("early", [True, False])
    def test_recorded_episode_is_repeated_from_its_own_folder(self, tmp_path: Path, early: bool) -> None:
        """The model may be made before the episode begins or within it."""
        for name in ("000_a", "001_a"):
            folder = tmp_path / "then" / "full" / name
            folder.mkdir(parents=True)
            models = scripted_pool(name)
            models.start(folder)
            ask(models, "who?")
            models.close()
        again = ModelPool(RoleModelConfig(default=f"recorded:{tmp_path / 'then'}"))
        if early:
            again.client(PLANNER.name)
        for name in ("001_a", "000_a"):
            folder = tmp_path / "now" / "full" / name
            folder.mkdir(parents=True)
            again.start(folder)
            assert ask(again, "who?").text == name
        with pytest.raises(NotRecordedError):
            ask(again, "what?")
        again.close()

    def test_recording_and_log_contain_no_key(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-the-secret")
        monkeypatch.setenv("OTHER_KEY", "sk-the-other")
        server = "http://127.0.0.1:9/v1"  # the discard port, on which no server listens
        config = RoleModelConfig(
            planner=f"openai:m@{server}", critic=f"openai:m@{server}#OTHER_KEY", attempts=1
        )
        models = ModelPool(config)
        models.start(tmp_path)
        for role in (PLANNER.name, CRITIC.name):
            with pytest.raises(ModelError):
                ask(models, "where to?", role=role)
        models.close()
        text = (tmp_path / REPLIES_FILE).read_text()
        assert recorded(tmp_path) == ["where to?"] * 2
        assert "sk-the" not in text + models.log.trouble + str(models.log.health)
        assert "sk-the" not in str(models.log.take())


def outcomes(models: ModelPool, count: int) -> Iterable[str]:
    for _ in range(count):
        try:
            yield ask(models, "where to?").text
        except ModelError as error:
            yield str(error)


class TestBudgets:
    @pytest.mark.parametrize("tasks", [("task_1",), ("task_1", "task_2")])
    def test_each_task_has_its_own_budget_when_episodes_reuse_task_names(
        self, tmp_path: Path, tasks: tuple[str, ...]
    ) -> None:
        script = tmp_path / "script.jsonl"
        script.write_text('{"actions": []}\n' * 9)
        models = ModelPool(RoleModelConfig(default=f"scripted:{script}", tokens=1))
        for episode in range(2):
            models.start(None)
            for task_id in tasks:
                begin(models, task_id)
                assert ask(models, f"{episode} {task_id}").parsed == {"actions": []}
                with pytest.raises(BudgetSpentError):
                    ask(models, "and now?")
        models.close()


class TestAsides:
    """Questions that are asked by the side of a component, which goes on meanwhile."""

    def test_calls_aside_belong_to_their_own_step_and_are_not_taken_with_the_others(self) -> None:
        models = pool_of(ScriptedModel(echo))
        begin(models, "t", 7)
        with models.aside(StepContext(Header(Time(2)), "t", 2)) as calls:
            ask(models, "aside?")
        ask(models, "now?")
        assert [(call.header.stamp, call.step) for call in calls] == [(Time(2), 2)]
        assert [(call.header.stamp, call.step) for call in models.log.take()] == [(Time(7), 7)]

    def test_an_unusable_reply_aside_is_recorded_with_its_own_call(self) -> None:
        models = pool_of(ScriptedModel(echo))
        ask(models, "now?")
        with models.aside(StepContext()) as calls:
            ask(models, "aside?")
            client_of(models).reject("of no use")
        assert [call.error.text for call in calls] == ["of no use"]
        assert [call.error.text for call in models.log.take()] == [""]

    @pytest.mark.parametrize("end", ["interrupt", "cancel", "next step"])
    def test_a_question_aside_outlives_its_task(
        self, thinking: ModelPool, thinker: ThinkingModel, end: str
    ) -> None:
        caller = CallerAside(thinking)
        assert thinker.begun.wait(SOON)
        if end == "interrupt":
            thinking.interrupt("the task is over", "t")
        elif end == "cancel":
            thinking.cancel("the task was canceled", "t")
        else:
            begin(thinking, "t", 1)
        thinking.interrupt_all("enough")
        outcome = caller.ended()
        assert isinstance(outcome, CallCanceledError)
        assert outcome.cause.endswith("enough")

    def test_a_question_aside_ends_when_the_models_are_closed(
        self, thinking: ModelPool, thinker: ThinkingModel
    ) -> None:
        caller = CallerAside(thinking)
        assert thinker.begun.wait(SOON)
        thinking.close()
        assert isinstance(caller.ended(), CallCanceledError)
        assert thinker.closed_under == 0
        with thinking.aside(StepContext()), pytest.raises(ModelError):
            ask(thinking, "and now?")
