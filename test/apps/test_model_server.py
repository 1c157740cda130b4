"""Tests of the model server over HTTP: the chat API, refused requests, and every kind of misbehaviour."""

from __future__ import annotations

import base64
import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import fields
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from PIL import Image

from stma_ros.models.json_text import read_json
from stma_ros.roles.critic import CritiqueQuery, CritiqueReply
from stma_ros.roles.planner import PlanQuery, PlanReply
from stma_ros.roles.reflector import ReflectionReply
from stma_ros.roles.registry import ROLES
from stma_ros.roles.relation_aggregator import DescriptionReply
from stma_ros.roles.relation_retriever import FactsReply
from stma_ros.roles.reply import reply_json
from stma_ros.roles.reply_form import ReplyForm
from stma_ros.roles.scene_graph_form import Position, SceneGraphReply
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.roles.summariser import Note, SummaryReply
from stma_ros.testing.model_server.misbehaviour import (
    UNSEEN,
    Misbehaviour,
    MisbehaviourKind,
    invented,
    read_misbehaviour,
)
from stma_ros.testing.model_server.role_answers import NOT_UNDERSTOOD
from stma_ros.testing.model_server.server import ModelServer, ServerOptions, serving
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.prompt_length import count_tokens
from support.roles.scripted_client import prompt_of, read_reply, text_of
from support.roles.scripted_text_home import small_home
from support.roles.text_player import TASK, Player

TIMEOUT = 60.0


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving() as running:
        yield running


# -- requests

_HOME = Player(small_home())
_MOMENT = {"observation": _HOME.observation}
PLAN = text_of(PlanQuery(TASK, _HOME.temporal, _HOME.spatial, _HOME.allowed, **_MOMENT))
_EAT = next(action for action in _HOME.allowed if str(action).startswith("eat"))
CRITIQUE = text_of(CritiqueQuery(TASK, "", _EAT, _HOME.allowed, _HOME.temporal, _HOME.spatial, **_MOMENT))
RIGHT = "examine cookbook"
ACTIONS = {"action", "actions"}
"""Fields of replies that name actions."""


def chat(question: object = PLAN, prompt: str = "cooking/planner", **more: object) -> dict[str, Any]:
    system = {"role": "system", "content": prompt_of(prompt).text}
    return {"model": "rules", "messages": [system, {"role": "user", "content": question}], **more}


def connection(server: ModelServer) -> closing[HTTPConnection]:
    address = urlsplit(server.url)
    assert address.hostname is not None
    return closing(HTTPConnection(address.hostname, address.port, timeout=TIMEOUT))


def ask(
    server: ModelServer, body: object, path: str = "/v1/chat/completions", **headers: str
) -> tuple[int, Any]:
    """Returns the status and the JSON of the reply. A body of bytes is sent unchanged, any other as JSON."""
    with connection(server) as http:
        return over(http, body, path, **headers)


def over(
    http: HTTPConnection, body: object, path: str = "/v1/chat/completions", **headers: str
) -> tuple[int, Any]:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    http.request("POST", path, sent, headers)
    answer = http.getresponse()
    return answer.status, json.loads(answer.read())


def models(server: ModelServer, **headers: str) -> tuple[int, Any]:
    with connection(server) as http:
        http.request("GET", "/v1/models", headers=headers)
        answer = http.getresponse()
        return answer.status, json.loads(answer.read())


def reply_text(server: ModelServer, body: object) -> str:
    status, reply = ask(server, body)
    assert status == 200, reply
    text: str = reply["choices"][0]["message"]["content"]
    return text


def misbehaving(**rates: Any) -> ServerOptions:
    return ServerOptions(misbehaviour=Misbehaviour(**rates))


# -- the API


def test_model_server_lists_its_models(server: ModelServer) -> None:
    status, reply = models(server)

    assert (status, [model["id"] for model in reply["data"]]) == (200, ["rules"])


@pytest.mark.parametrize(
    "path", ["/v1/chat/completions", "/chat/completions/", "/a/b/chat/completions?version=1"]
)
def test_model_server_answers_a_role_in_its_reply_form(server: ModelServer, path: str) -> None:
    status, reply = ask(server, chat(), path)

    (choice,) = reply["choices"]
    assert (status, reply["model"], choice["finish_reason"]) == (200, "rules", "stop")
    assert read_reply(PlanReply, choice["message"]["content"]).actions == [RIGHT]


def test_model_server_reads_a_question_in_parts_with_images(server: ModelServer) -> None:
    red = np.full((40, 60, 3), 200, np.uint8)
    red[10:20, 20:30] = 220, 20, 20
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{_png(red)}"}}

    asked = chat([image, {"type": "text", "text": "Look."}], "household/scene_graph")

    reply = read_reply(SceneGraphReply, reply_text(server, asked))
    assert [item.name for item in reply.objects] == ["red thing"]


def _png(pixels: np.ndarray) -> str:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


def test_model_server_answers_a_request_without_a_role_in_prose(server: ModelServer) -> None:
    assert (
        reply_text(server, {"model": "rules", "messages": [{"role": "user", "content": "Hello!"}]})
        == NOT_UNDERSTOOD
    )


def test_model_server_counts_tokens(server: ModelServer) -> None:
    _, reply = ask(server, chat())

    usage = reply["usage"]
    assert usage["completion_tokens"] == count_tokens(reply["choices"][0]["message"]["content"])
    assert usage["prompt_tokens"] > count_tokens(prompt_of("cooking/planner").text) + count_tokens(PLAN)
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]


def test_model_server_reports_cached_prompt_tokens(server: ModelServer) -> None:
    usages = [ask(server, body)[1]["usage"] for body in (chat(), chat(), chat("Another question."))]

    cached = [usage["prompt_tokens_details"]["cached_tokens"] for usage in usages]
    prompt = count_tokens(prompt_of("cooking/planner").text)
    assert cached[:2] == [0, usages[1]["prompt_tokens"]]
    assert prompt < cached[2] < usages[2]["prompt_tokens"]


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_model_server_truncates_a_reply_at_max_tokens(server: ModelServer, name: str) -> None:
    whole = reply_text(server, chat())

    _, reply = ask(server, chat(**{name: 7}))

    (choice,) = reply["choices"]
    assert (choice["finish_reason"], reply["usage"]["completion_tokens"]) == ("length", 7)
    assert whole.startswith(choice["message"]["content"])


def test_connection_to_the_model_server_survives_refused_requests(server: ModelServer) -> None:
    with connection(server) as http:
        statuses = [over(http, body)[0] for body in (chat(), b"nonsense", chat("Hello?"), chat())]

    assert statuses == [200, 400, 200, 200]
    assert server.requests == 4


def test_model_server_answers_concurrent_requests_separately(server: ModelServer) -> None:
    bodies = [chat(), chat(CRITIQUE, "cooking/critic")] * 10

    with ThreadPoolExecutor(2) as threads:
        replies = list(threads.map(lambda body: reply_text(server, body), bodies))

    assert set(replies[::2]) == {reply_text(server, bodies[0])}
    assert set(replies[1::2]) == {reply_text(server, bodies[1])}
    assert replies[0] != replies[1]


# -- refused requests


def refused(server: ModelServer, body: object, **headers: str) -> tuple[int, str]:
    """Returns the status and the message of a refused request."""
    status, reply = ask(server, body, **headers)
    assert {"message", "type", "code"} <= reply["error"].keys()
    return status, reply["error"]["message"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[" * 100_000,
        "caf\xe9".encode("latin-1"),
        [],
        {},
        {"model": "rules"},
        {"model": "rules", "messages": []},
        {"model": "rules", "messages": ["Hello"]},
        {"model": "rules", "messages": [{"role": "user", "content": "\ud800"}]},
        {"model": "rules", "messages": [{"role": "cook", "content": "Hello"}]},
        {"model": "rules", "messages": [{"role": ["user"], "content": "Hello"}]},
        {"model": "rules", "messages": [{"role": "user"}]},
        {"model": "rules", "messages": [{"role": "user", "content": [{"type": "audio"}]}]},
        chat(max_tokens=0),
        chat(stream=True),
    ],
)
def test_model_server_refuses_an_invalid_request(server: ModelServer, body: object) -> None:
    status, message = refused(server, body)

    assert status == 400
    assert message


@pytest.mark.parametrize(
    "url",
    ["https://example.org/cat.png", "data:image/png;base64,???", "data:image/png;base64,QUJD", "data:,x"],
)
def test_model_server_refuses_an_unreadable_image(server: ModelServer, url: str) -> None:
    status, message = refused(server, chat([{"type": "image_url", "image_url": {"url": url}}]))

    assert status == 400
    assert "image" in message


def test_model_server_refuses_an_unknown_model_by_its_name(server: ModelServer) -> None:
    status, message = refused(server, chat() | {"model": "huge"})

    assert status == 404
    assert "'huge'" in message


def test_model_server_answers_an_unknown_path_with_not_found(server: ModelServer) -> None:
    assert ask(server, chat(), "/v1/embeddings")[0] == 404


@pytest.mark.parametrize(("length", "status"), [((), 411), (("-1",), 413), (("9" * 5000,), 413)])
def test_model_server_refuses_a_request_without_a_valid_content_length(
    server: ModelServer, length: tuple[str, ...], status: int
) -> None:
    with connection(server) as http:
        http.putrequest("POST", "/v1/chat/completions")
        for value in length:
            http.putheader("Content-Length", value)
        http.endheaders()
        assert http.getresponse().status == status


def test_model_server_answers_only_requests_with_its_key() -> None:
    with serving(options=ServerOptions(key="s3cret")) as server:
        for headers in ({}, {"Authorization": "Bearer other"}, {"Authorization": "s3cret"}):
            assert refused(server, chat(), **headers)[0] == 401
            assert models(server, **headers)[0] == 401
        assert ask(server, chat(), Authorization="Bearer s3cret")[0] == 200
        assert models(server, Authorization="Bearer s3cret")[0] == 200


def test_model_server_reports_a_port_in_use(server: ModelServer) -> None:
    with (
        pytest.raises(ConfigurationError, match="choose another port"),
        serving(urlsplit(server.url).port or 0),
    ):
        pass


# -- end of the server


def test_slow_answer_of_the_model_server_does_not_delay_others_and_ends_with_the_server() -> None:
    with (
        serving(options=misbehaving(slow=1.0, seconds=10 * TIMEOUT)) as server,
        connection(server) as waiting,
    ):
        waiting.request("POST", "/v1/chat/completions", json.dumps(chat()))
        assert models(server)[0] == 200


def test_connections_end_with_the_model_server() -> None:
    with ExitStack() as stack:
        with serving() as server:
            http = stack.enter_context(connection(server))
            assert over(http, chat())[0] == 200
        with pytest.raises((HTTPException, OSError)):
            over(http, chat())


# -- misbehaviour


def test_misbehaviour_slow_delays_a_valid_reply() -> None:
    begun = time.monotonic()
    with serving(options=misbehaving(slow=1.0, seconds=0.2)) as server:
        assert read_json(reply_text(server, chat())) is not None
    assert time.monotonic() - begun > 0.2


def test_misbehaviour_cut_off_truncates_a_reply_with_finish_reason_length() -> None:
    with serving(options=misbehaving(cut_off=1.0)) as server:
        (choice,) = ask(server, chat())[1]["choices"]

    assert choice["finish_reason"] == "length"
    assert _is_broken(choice["message"]["content"])


def test_misbehaviour_invalid_json_has_finish_reason_stop() -> None:
    with serving(options=misbehaving(invalid_json=1.0)) as server:
        (choice,) = ask(server, chat())[1]["choices"]

    assert choice["finish_reason"] == "stop"
    assert _is_broken(choice["message"]["content"])


def _is_broken(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return True
    return False


def test_misbehaviour_hang_up_ends_the_connection_within_the_reply() -> None:
    with serving(options=misbehaving(hang_up=1.0)) as server, pytest.raises(HTTPException):
        ask(server, chat())


@pytest.mark.parametrize(("rates", "status"), [({"too_many": 1.0}, 429), ({"failing": 1.0}, 500)])
def test_misbehaviour_failing_returns_an_error_status(rates: dict[str, float], status: int) -> None:
    with serving(options=misbehaving(**rates)) as server:
        assert refused(server, chat())[0] == status
        assert server.requests == 1


def test_misbehaviour_wrong_schema_gives_valid_json_of_another_form() -> None:
    with serving(options=misbehaving(wrong_schema=1.0)) as server:
        text = reply_text(server, chat())

    with pytest.raises(UnusableReplyError):
        read_reply(PlanReply, text)


def test_misbehaviour_prose_surrounds_a_valid_reply() -> None:
    with serving(options=misbehaving(prose=1.0)) as server:
        text = reply_text(server, chat())

    assert _is_broken(text)
    assert ReplyForm(PlanReply).read(read_json(text)).actions == [RIGHT]


def test_misbehaviour_disallowed_makes_the_planner_propose_a_disallowed_action() -> None:
    with serving(options=misbehaving(disallowed=1.0)) as server:
        reply = read_reply(PlanReply, reply_text(server, chat()))

    assert reply.actions[0] == f"examine {UNSEEN}"
    assert reply.actions[0] not in map(str, _HOME.allowed)


def test_misbehaviour_disallowed_makes_the_critic_accept_anything() -> None:
    verdicts = []
    for rate in (0.0, 1.0):
        with serving(options=misbehaving(disallowed=rate)) as server:
            verdicts.append(
                read_reply(CritiqueReply, reply_text(server, chat(CRITIQUE, "cooking/critic"))).verdict
            )

    assert verdicts == ["reject", "accept"]


NOTE = Note(step=3, note="Step 3 (look), hall. Exits: none. There: none. Carried: none.")


@pytest.mark.parametrize(
    "reply",
    [
        SummaryReply(goals=[], notes=[NOTE], instructions=[], progress="fine", suggestions=[]),
        FactsReply(facts=[], seen_whole=[]),
        DescriptionReply(description="The hall.", facts=[], ways=[]),
        ReflectionReply(lesson="I failed."),
        SceneGraphReply(position=Position(room="", near=[]), objects=[], rooms=[], relationships=[]),
        PlanReply(reasoning="", subgoal="", actions=["pick(mug_3)"], failure="none"),
    ],
)
def test_invented_reply_names_unseen_objects_in_the_requested_form(reply: object) -> None:
    wrong = invented(reply)

    assert UNSEEN in reply_json(wrong).replace("_", " ")
    assert read_reply(type(reply), reply_json(wrong)) == wrong


@pytest.mark.parametrize(
    "reply", [role.reply for role in ROLES if ACTIONS & {each.name for each in fields(role.reply)}]
)
def test_invented_reply_of_every_role_that_chooses_actions_names_one_that_is_not_allowed(
    reply: type[Any],
) -> None:
    said = {each.name: "none" for each in fields(reply)} | {
        "action": "pick(mug_3)",
        "actions": ["pick(mug_3)"],
    }
    wrong = invented(reply(**{each.name: said[each.name] for each in fields(reply)}))

    assert UNSEEN in reply_json(wrong).replace("_", " ")


def test_misbehaviour_does_not_depend_on_the_order_of_requests() -> None:
    bodies = [chat(f"Question {number}?") for number in range(20)]
    outcomes = []
    for order in (bodies, bodies[::-1]):
        with serving(options=misbehaving(failing=0.5, seed=3)) as server:
            outcomes.append({json.dumps(body): ask(server, body)[0] for body in order})

    assert outcomes[0] == outcomes[1]
    assert set(outcomes[0].values()) == {200, 500}


def test_misbehaviour_may_spare_a_repeated_request() -> None:
    with serving(options=misbehaving(failing=0.5)) as server:
        statuses = [ask(server, chat("Hello?"))[0] for _ in range(20)]

    assert set(statuses) == {200, 500}


def test_misbehaviour_occurs_at_its_rate() -> None:
    behaviour = Misbehaviour(slow=0.5, prose=0.5, failing=0.5)
    struck = [behaviour.drawn_for(str(number).encode(), 0) for number in range(400)]

    assert 140 < sum(MisbehaviourKind.SLOW in kinds for kinds in struck) < 260
    assert all(len(kinds - {MisbehaviourKind.SLOW}) <= 1 for kinds in struck)
    assert (
        240 < sum(bool(kinds - {MisbehaviourKind.SLOW}) for kinds in struck) < 360
    )  # three of four, by one or the other


def test_misbehaviour_is_read_from_arguments() -> None:
    read = read_misbehaviour(["all=0.1", "too_many=.5", "seconds=3"], seed=7)

    assert read == Misbehaviour(
        **{kind.value: 0.1 for kind in MisbehaviourKind} | {"too_many": 0.5}, seconds=3.0, seed=7
    )
    assert read_misbehaviour([]) == Misbehaviour()


@pytest.mark.parametrize(
    "text", ["lazy=0.1", "slow", "slow=", "slow=often", "slow=-1", "slow=1.5", "seed=1", ""]
)
def test_unknown_misbehaviour_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="misbehave"):
        read_misbehaviour([text])


# -- the command


def test_serve_model_command_prints_its_address_and_serves_until_interrupted() -> None:
    code = (
        "from stma_ros.testing.model_server.misbehaviour import read_misbehaviour\n"
        "from stma_ros.apps.serve_model import serve\n"
        "from stma_ros.testing.model_server.server import ServerOptions\n"
        "raise SystemExit(serve('127.0.0.1', 0, ServerOptions(misbehaviour=read_misbehaviour(['prose=0.25']))))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-c", code]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process,
        ExitStack() as at_exit,
    ):
        at_exit.callback(process.kill)
        assert process.stdout is not None
        first, misbehaves, hint, setting = (process.stdout.readline() for _ in range(4))
        address = urlsplit(first.split()[0])
        with socket.create_connection((address.hostname or "", address.port or 0), TIMEOUT):
            process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT) == 0

    assert "prose 25%" in misbehaves
    assert f"{address.geturl()}/models" in hint
    assert f"openai:rules@{address.geturl()}" in setting
