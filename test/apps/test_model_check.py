"""Tests of `stma doctor --model`: its questions, its findings, and its exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from stma_ros.apps.doctor import models as model_check
from stma_ros.apps.doctor.models import check_models
from stma_ros.domains.examples import examples
from stma_ros.models.settings import KEY_VARIABLE
from stma_ros.roles.registry import ROLES
from stma_ros.testing.model_server.server import serving
from stma_ros.types.errors import ConfigurationError
from support.models.chat_server import Asked, ChatServer, Hold, Send, fails, says

LESSON = {"lesson": "Do not look twice."}
BROKEN = {"advice": "Do not look twice."}
ACCEPT = {"reason": "it is needed", "criterion": "none", "verdict": "accept"}

Shown = Callable[[], str]


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Shown:
    """Returns the output in one line, because the width of a terminal breaks tables and texts."""
    return lambda: " ".join(capsys.readouterr().out.split())


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Returns a function that makes the specification of a model with these replies."""

    def written(*replies: object) -> str:
        file = tmp_path / "replies.jsonl"
        file.write_text("".join(json.dumps(reply) + "\n" for reply in replies))
        return f"scripted:{file}"

    return written


def at(server: ChatServer, model: str = "small") -> str:
    return f"openai:{model}@{server.address}"


def test_model_check_without_a_model_names_the_option() -> None:
    with pytest.raises(ConfigurationError, match="--set model=openai:NAME@http://localhost:8000/v1"):
        check_models({})


def test_model_check_finds_usable_answers_to_every_prompt_of_a_sound_server(shown: Shown) -> None:
    with serving() as server:
        spec = f"openai:rules@{server.url}"
        own = {role.name: spec for role in ROLES if not role.follows_default}
        assert check_models({"default": spec, **own}, repeat=2) == 0
        boxes = 1  # the scene graph is asked about one picture more
        assert server.requests == 2 * len(tuple(examples())) + boxes
    output = shown()
    for example in examples():
        assert f"{example.name}: 2 of 2 answers usable" in output
        assert f"│ {example.name} │ 2 of 2 │ 2 │ 0 │" in output
    assert "nothing to change" in output


def test_model_check_asks_only_roles_that_a_model_answers(script: Callable[..., str], shown: Shown) -> None:
    assert check_models({"reflector": script(LESSON)}, repeat=1) == 0
    output = shown()
    assert "reflector: 1 of 1 answers usable" in output
    assert "planner" not in output


def test_model_check_asks_a_role_by_each_of_its_prompts(script: Callable[..., str], shown: Shown) -> None:
    assert check_models({"critic": script(ACCEPT, BROKEN, BROKEN)}, repeat=1) == 1
    output = shown()
    assert "critic (household): 1 of 1 answers usable" in output
    assert "critic (cooking): 0 of 1 answers usable" in output
    assert "critic (cooking): 1 first replies could not be used" in output
    assert "model.critic=rules" in output


def test_model_check_sends_each_repetition(script: Callable[..., str], shown: Shown) -> None:
    assert check_models({"reflector": script(LESSON, LESSON)}, repeat=3) == 0
    output = shown()
    assert "reflector: 2 of 3 answers usable" in output
    assert "the script is at its end" in output


def test_model_check_reports_a_reply_that_is_valid_at_the_second_try_as_usable(
    script: Callable[..., str], shown: Shown
) -> None:
    assert check_models({"reflector": script(BROKEN, LESSON, LESSON)}, repeat=2) == 0
    output = shown()
    assert "2 of 2 │ 1 │ 1 │" in output
    assert "reflector: 1 first replies could not be used." in output
    assert "model.reflector=rules" in output


def test_model_check_fails_when_a_role_has_no_usable_answer(script: Callable[..., str], shown: Shown) -> None:
    values = {"reflector": script(BROKEN, BROKEN), "temperature": "0.7"}
    assert check_models(values, repeat=1) == 1
    output = shown()
    assert "0 of 1" in output
    assert "lesson: Field required" in output
    assert "lower model.temperature" in output


@pytest.mark.parametrize(
    ("structured", "remedy"), [("json", "set model.structured=schema"), ("schema", "does hold replies")]
)
def test_model_check_recommends_how_to_enforce_the_schema(structured: str, remedy: str, shown: Shown) -> None:
    with ChatServer(says("I would take the knife.")) as server:
        assert check_models({"reflector": at(server), "structured": structured}, repeat=1) == 1
    output = shown()
    assert "holds no JSON object" in output
    assert remedy in output


def test_model_check_recommends_more_tokens_for_truncated_replies(shown: Shown) -> None:
    choice = {"message": {"content": '{"reason": "a kni'}, "finish_reason": "length"}
    with ChatServer(Send({"choices": [choice]})) as server:
        assert check_models({"reflector": at(server)}, repeat=1) == 1
    output = shown()
    assert "reflector: replies were cut off" in output
    assert "larger context" in output
    assert "first replies could not be used" not in output


def test_model_check_shows_tokens_and_the_share_of_the_prefix_cache(shown: Shown) -> None:
    usage = {"prompt_tokens": 900, "completion_tokens": 21, "prompt_tokens_details": {"cached_tokens": 450}}
    sound = {"message": {"content": json.dumps(LESSON)}, "finish_reason": "stop"}
    with ChatServer(Send({"choices": [sound], "usage": usage})) as server:
        assert check_models({"reflector": at(server)}, repeat=2) == 0
    output = shown()
    assert "│ 900 │ 50% │ 21 │" in output
    assert "nothing to change" in output


@pytest.mark.parametrize(
    ("details", "message"),
    [({}, "does not tell whether it has a prefix cache"), ({"cached_tokens": 0}, "read every prompt anew")],
)
def test_model_check_reports_a_server_without_prefix_cache(
    details: dict[str, int], message: str, shown: Shown
) -> None:
    usage = {"prompt_tokens": 900, "completion_tokens": 21, "prompt_tokens_details": details}
    sound = {"message": {"content": json.dumps(LESSON)}, "finish_reason": "stop"}
    with ChatServer(Send({"choices": [sound], "usage": usage})) as server:
        assert check_models({"reflector": at(server)}, repeat=2) == 0
    output = shown()
    assert message in output
    assert "--enable-prefix-caching" in output


def test_model_check_stops_at_a_wrong_key_and_names_its_variable(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "sk-secret")
    with ChatServer(fails(401, "no such key: sk-secret")) as server:
        assert check_models({"default": at(server)}) == 1
        assert len(server.asked) == 1
    output = shown()
    assert KEY_VARIABLE in output
    assert "sk-secret" not in output
    assert "not asked" in output


def test_model_check_reports_an_unknown_model_with_the_known_ones(shown: Shown) -> None:
    with serving() as server:
        assert check_models({"default": f"openai:other@{server.url}"}) == 1
        assert server.requests == 1
    assert "It has: rules" in shown()


def test_model_check_stops_after_one_question_to_an_unreachable_server(shown: Shown) -> None:
    with ChatServer(Hold()) as server:
        address = at(server)
    assert check_models({"default": address, "attempts": "1", "on_failure": "retry"}) == 1
    output = shown()
    assert "summariser (cooking): 0 of 1 answers usable" in output
    assert "Is the server running" in output


def test_model_check_stops_when_a_server_never_answers_in_time(shown: Shown) -> None:
    with ChatServer(Hold()) as server:
        assert check_models({"default": at(server), "deadline": "0.2"}) == 1
        assert len(server.asked) == 2
    output = shown()
    assert "model.deadline" in output
    assert "(2 times)" in output


def test_model_check_reports_answers_near_the_deadline(
    script: Callable[..., str], shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_check, "_NEAR", 0.0)  # no answer is that fast
    assert check_models({"reflector": script(LESSON), "deadline": "40"}, repeat=1) == 0
    assert "of the 40 s that model.deadline allows" in shown()


def test_model_check_reports_a_model_that_takes_no_images(shown: Shown) -> None:
    with ChatServer(fails(400, "this model does not support image input")) as server:
        assert check_models({"scene_graph": at(server)}, repeat=1) == 1
        parts = server.asked[0].body["messages"][1]["content"]
    assert [part["type"] for part in parts] == ["image_url", "text"]
    assert "Ask a model that takes images" in shown()


def test_model_check_asks_each_role_by_its_own_model(script: Callable[..., str], shown: Shown) -> None:
    def says_lesson(asked: Asked) -> Send:
        return says(json.dumps(LESSON))

    with ChatServer(says_lesson) as server:
        values = {"reflector": at(server, "teacher"), "summariser": script(BROKEN, BROKEN)}
        assert check_models(values, repeat=1) == 1
        assert [asked.body["model"] for asked in server.asked] == ["teacher"]
    output = shown()
    assert "reflector: 1 of 1 answers usable" in output
    assert "summariser (cooking): 0 of 1 answers usable" in output
