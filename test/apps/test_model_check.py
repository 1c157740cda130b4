"""`stma doctor --model`: what it asks, what it says about the answers, and its exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from stma_ros.apps.doctor import models as model_check
from stma_ros.apps.doctor.models import check_models
from stma_ros.domains.examples import examples
from stma_ros.models.settings import KEY_VARIABLE
from stma_ros.testing.model_server.server import serving
from stma_ros.types.errors import ConfigurationError
from support.models.chat_server import Asked, ChatServer, Hold, Send, fails, says

LESSON = {"lesson": "Do not look twice."}
BROKEN = {"advice": "Do not look twice."}
ACCEPT = {"reason": "it is needed", "criterion": "none", "verdict": "accept"}

Shown = Callable[[], str]


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Shown:
    """What was printed, in one line: a terminal's width breaks tables and texts where it likes."""
    return lambda: " ".join(capsys.readouterr().out.split())


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """A model that says these lines."""

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


def test_every_prompt_of_a_sound_server_has_usable_answers(shown: Shown) -> None:
    with serving() as server:
        spec = f"openai:rules@{server.url}"
        assert check_models({"default": spec, "scene_graph": spec, "task_parser": spec}, repeat=2) == 0
        assert server.requests == 20
    told = shown()
    for example in examples():
        assert f"{example.name}: 2 of 2 answers usable" in told
        assert f"│ {example.name} │ 2 of 2 │ 2 │ 0 │" in told
    assert "nothing to change" in told


def test_only_roles_that_a_model_answers_are_asked(script: Callable[..., str], shown: Shown) -> None:
    assert check_models({"reflector": script(LESSON)}, repeat=1) == 0
    told = shown()
    assert "reflector: 1 of 1 answers usable" in told
    assert "planner" not in told


def test_a_role_of_two_prompts_is_asked_by_both(script: Callable[..., str], shown: Shown) -> None:
    assert check_models({"critic": script(ACCEPT, BROKEN, BROKEN)}, repeat=1) == 1
    told = shown()
    assert "critic (household): 1 of 1 answers usable" in told
    assert "critic (cooking): 0 of 1 answers usable" in told
    assert "critic (cooking): 1 first replies could not be used" in told
    assert "model.critic=rules" in told


def test_each_repetition_is_asked_anew(script: Callable[..., str], shown: Shown) -> None:
    assert check_models({"reflector": script(LESSON, LESSON)}, repeat=3) == 0
    told = shown()
    assert "reflector: 2 of 3 answers usable" in told
    assert "the script is at its end" in told


def test_reply_that_is_valid_at_the_second_try_is_usable_and_reported(
    script: Callable[..., str], shown: Shown
) -> None:
    assert check_models({"reflector": script(BROKEN, LESSON, LESSON)}, repeat=2) == 0
    told = shown()
    assert "2 of 2 │ 1 │ 1 │" in told
    assert "reflector: 1 first replies could not be used." in told
    assert "model.reflector=rules" in told


def test_a_role_without_any_usable_answer_fails_the_check(script: Callable[..., str], shown: Shown) -> None:
    values = {"reflector": script(BROKEN, BROKEN), "temperature": "0.7"}
    assert check_models(values, repeat=1) == 1
    told = shown()
    assert "0 of 1" in told
    assert "lesson: Field required" in told
    assert "lower model.temperature" in told


@pytest.mark.parametrize(
    ("structured", "remedy"), [("json", "set model.structured=schema"), ("schema", "does hold replies")]
)
def test_model_check_recommends_how_to_enforce_the_schema(structured: str, remedy: str, shown: Shown) -> None:
    with ChatServer(says("I would take the knife.")) as server:
        assert check_models({"reflector": at(server), "structured": structured}, repeat=1) == 1
    told = shown()
    assert "holds no JSON object" in told
    assert remedy in told


def test_a_reply_that_was_cut_off_wants_room(shown: Shown) -> None:
    choice = {"message": {"content": '{"reason": "a kni'}, "finish_reason": "length"}
    with ChatServer(Send({"choices": [choice]})) as server:
        assert check_models({"reflector": at(server)}, repeat=1) == 1
    told = shown()
    assert "reflector: replies were cut off" in told
    assert "larger context" in told
    assert "first replies could not be used" not in told


def test_tokens_and_the_prefix_cache_are_shown(shown: Shown) -> None:
    usage = {"prompt_tokens": 900, "completion_tokens": 21, "prompt_tokens_details": {"cached_tokens": 450}}
    sound = {"message": {"content": json.dumps(LESSON)}, "finish_reason": "stop"}
    with ChatServer(Send({"choices": [sound], "usage": usage})) as server:
        assert check_models({"reflector": at(server)}, repeat=2) == 0
    told = shown()
    assert "│ 900 │ 50% │ 21 │" in told
    assert "nothing to change" in told


@pytest.mark.parametrize(
    ("details", "said"),
    [({}, "does not tell whether it has a prefix cache"), ({"cached_tokens": 0}, "read every prompt anew")],
)
def test_server_without_prefix_cache_is_reported(details: dict[str, int], said: str, shown: Shown) -> None:
    usage = {"prompt_tokens": 900, "completion_tokens": 21, "prompt_tokens_details": details}
    sound = {"message": {"content": json.dumps(LESSON)}, "finish_reason": "stop"}
    with ChatServer(Send({"choices": [sound], "usage": usage})) as server:
        assert check_models({"reflector": at(server)}, repeat=2) == 0
    told = shown()
    assert said in told
    assert "--enable-prefix-caching" in told


def test_a_wrong_key_ends_the_asking_and_names_its_variable(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "sk-secret")
    with ChatServer(fails(401, "no such key: sk-secret")) as server:
        assert check_models({"default": at(server)}) == 1
        assert len(server.asked) == 1
    told = shown()
    assert KEY_VARIABLE in told
    assert "sk-secret" not in told
    assert "not asked" in told


def test_unknown_model_is_reported_with_the_known_ones(shown: Shown) -> None:
    with serving() as server:
        assert check_models({"default": f"openai:other@{server.url}"}) == 1
        assert server.requests == 1
    assert "It has: rules" in shown()


def test_a_server_that_is_away_is_asked_one_question(shown: Shown) -> None:
    with ChatServer(Hold()) as server:
        address = at(server)
    assert check_models({"default": address, "attempts": "1", "on_failure": "retry"}) == 1
    told = shown()
    assert "summariser: 0 of 1 answers usable" in told
    assert "Is the server running" in told


def test_a_server_that_never_answers_in_time_is_given_up(shown: Shown) -> None:
    with ChatServer(Hold()) as server:
        assert check_models({"default": at(server), "deadline": "0.2"}) == 1
        assert len(server.asked) == 2
    told = shown()
    assert "model.deadline" in told
    assert "(2 times)" in told


def test_answer_near_the_deadline_is_reported(
    script: Callable[..., str], shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_check, "_NEAR", 0.0)  # no answer is that fast
    assert check_models({"reflector": script(LESSON), "deadline": "40"}, repeat=1) == 0
    assert "of the 40 s that model.deadline allows" in shown()


def test_a_model_that_takes_no_pictures_is_named(shown: Shown) -> None:
    with ChatServer(fails(400, "this model does not support image input")) as server:
        assert check_models({"scene_graph": at(server)}, repeat=1) == 1
        parts = server.asked[0].body["messages"][1]["content"]
    assert [part["type"] for part in parts] == ["image_url", "text"]
    assert "Ask a model that takes images" in shown()


def test_each_role_asks_its_own_model(script: Callable[..., str], shown: Shown) -> None:
    def says_lesson(asked: Asked) -> Send:
        return says(json.dumps(LESSON))

    with ChatServer(says_lesson) as server:
        values = {"reflector": at(server, "teacher"), "summariser": script(BROKEN, BROKEN)}
        assert check_models(values, repeat=1) == 1
        assert [asked.body["model"] for asked in server.asked] == ["teacher"]
    told = shown()
    assert "reflector: 1 of 1 answers usable" in told
    assert "summariser: 0 of 1 answers usable" in told
