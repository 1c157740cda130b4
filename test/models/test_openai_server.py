"""Tests of a model behind an HTTP server: requests, replies, and every kind of failure."""

from __future__ import annotations

import base64
import datetime
import gzip
import json
import logging
import socket
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from email.utils import format_datetime
from typing import Any

import numpy as np
import pytest

from stma_ros.models.chat import (
    ChatMessage,
    ChatReply,
    ChatRequest,
    Finish,
    MessageRole,
    ReplySchema,
    Usage,
)
from stma_ros.models.errors import (
    BadRequestError,
    CallCanceledError,
    ConnectionLostError,
    ContextOverflowError,
    DeadlineError,
    ImageRefusedError,
    ModelError,
    RateLimitedError,
    SchemaRefusedError,
    ServerFailedError,
    UnknownModelError,
    UnreachableError,
    UnreadableReplyError,
    WrongKeyError,
)
from stma_ros.models.images import picture
from stma_ros.models.openai.server import OpenAiModel, Structured
from stma_ros.models.sampling import Sampling
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ConfigurationError
from support.models.chat_server import Answer, Asked, ChatServer, Handle, HangUp, Hold, Send, fails, says

KEY = "sk-very-secret-0123456789abcdef"
TEXT = (
    ChatMessage(MessageRole.SYSTEM, ("You plan.",)),
    ChatMessage(MessageRole.USER, ("The door", "is shut.")),
)
IMAGE = picture(np.arange(12 * 10 * 3, dtype=np.uint8).reshape(12, 10, 3))
SEEN = (ChatMessage(MessageRole.USER, ("What is it?", IMAGE, "Say it.")),)
FORM = ReplySchema("plan", {"type": "object", "properties": {"action": {"type": "string"}}})


def request(messages: tuple[ChatMessage, ...] = TEXT, **more: Any) -> ChatRequest:
    return ChatRequest("planner", messages, **{"deadline": 20.0, **more})


@contextmanager
def model_at(handle: Handle | Answer, **options: Any) -> Iterator[tuple[OpenAiModel, ChatServer]]:
    with ChatServer(handle) as server:
        model = OpenAiModel("small", server.address, **options)
        try:
            yield model, server
        finally:
            model.close()


def asked_with(request: ChatRequest, **options: Any) -> Mapping[str, Any]:
    """Returns the body that the server receives."""
    with model_at(says("yes"), **options) as (model, server):
        model.chat(request, CancelToken())
    body: Mapping[str, Any] = server.asked[0].body
    return body


def reply_to(answer: Answer, request: ChatRequest = request()) -> ChatReply:
    with model_at(answer) as (model, _):
        return model.chat(request, CancelToken())


def error_of(handle: Handle | Answer, asked: ChatRequest = request(), **options: Any) -> ModelError:
    with model_at(handle, **options) as (model, _), pytest.raises(ModelError) as caught:
        model.chat(asked, CancelToken())
    return caught.value


def message(**fields: Any) -> Send:
    return Send({"choices": [{"message": {"role": "assistant", **fields}, "finish_reason": "stop"}]})


class TestRequests:
    def test_request_sends_texts_as_plain_strings_in_order(self) -> None:
        with model_at(says("yes")) as (model, server):
            reply = model.chat(request(), CancelToken())

        assert reply.text == "yes"
        assert server.asked[0].path == "/v1/chat/completions"
        assert server.asked[0].body == {
            "model": "small",
            "messages": [
                {"role": "system", "content": "You plan."},
                {"role": "user", "content": "The door\nis shut."},
            ],
            "temperature": 0.0,
            "max_tokens": 1024,
        }

    def test_request_sends_images_byte_for_byte_between_the_texts(self) -> None:
        ((message),) = asked_with(request(SEEN))["messages"]

        assert [part["type"] for part in message["content"]] == ["text", "image_url", "text"]
        kind, _, data = message["content"][1]["image_url"]["url"].partition(",")
        assert kind == "data:image/png;base64"
        assert base64.b64decode(data, validate=True) == IMAGE.png

    def test_request_sends_the_sampling_that_is_set(self) -> None:
        body = asked_with(request(sampling=Sampling(0.7, 0.9, 11), max_tokens=77))

        sent = {name: body.get(name) for name in ("temperature", "top_p", "seed", "max_tokens")}
        assert sent == {"temperature": 0.7, "top_p": 0.9, "seed": 11, "max_tokens": 77}
        assert not {"top_k", "presence_penalty"} & body.keys()

    def test_request_sends_top_k_and_presence_penalty_when_they_are_set(self) -> None:
        body = asked_with(request(sampling=Sampling(0.7, 0.8, top_k=20, presence_penalty=1.5)))

        assert (body["top_k"], body["presence_penalty"]) == (20, 1.5)

    def test_request_sends_a_strict_schema(self) -> None:
        body = asked_with(request(schema=FORM))

        assert body["response_format"] == {
            "type": "json_schema",
            "json_schema": {"name": "plan", "schema": FORM.schema, "strict": True},
        }

    def test_request_asks_for_any_json_when_so_configured(self) -> None:
        body = asked_with(request(schema=FORM), structured=Structured.JSON)

        assert body["response_format"] == {"type": "json_object"}

    @pytest.mark.parametrize(
        ("structured", "schema"),
        [(Structured.NONE, FORM), (Structured.SCHEMA, None), (Structured.JSON, None)],
    )
    def test_request_has_no_response_format_when_none_is_wanted(
        self, structured: Structured, schema: ReplySchema | None
    ) -> None:
        assert "response_format" not in asked_with(request(schema=schema), structured=structured)

    def test_request_sends_the_key_in_its_header(self) -> None:
        with model_at(says("yes"), key=f" {KEY}\n") as (model, server):
            model.chat(request(), CancelToken())

        assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"

    def test_model_uses_max_completion_tokens_after_the_server_refuses_max_tokens(self) -> None:
        def picky(asked: Asked) -> Answer:
            if "max_tokens" in asked.body:
                return fails(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
            return says("yes")

        with model_at(picky) as (model, server):
            for _ in range(2):
                assert model.chat(request(max_tokens=9), CancelToken()).text == "yes"

        names = [[name for name in asked.body if name.startswith("max_")] for asked in server.asked]
        assert names == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]

    def test_model_gives_up_when_the_server_refuses_both_names_of_max_tokens(self) -> None:
        with model_at(fails(400, "max_tokens is not supported")) as (model, server):
            with pytest.raises(BadRequestError):
                model.chat(request(), CancelToken())

            assert len(server.asked) == 2

    def test_model_reuses_its_connection(self) -> None:
        with model_at(says("yes")) as (model, server):
            for _ in range(3):
                model.chat(request(), CancelToken())
            assert server.hung_up == 0


class TestReplies:
    def test_reply_of_an_openai_server_reports_its_usage(self) -> None:
        usage = {
            "prompt_tokens": 12,
            "completion_tokens": 3,
            "prompt_tokens_details": {"cached_tokens": 8},
        }

        assert reply_to(says("yes", usage=usage)).usage == Usage(12, 3, 8)

    @pytest.mark.parametrize("usage", [None, [], {}, {"prompt_tokens": None}, {"prompt_tokens": "many"}])
    def test_reply_has_unknown_usage_when_the_server_does_not_report_it(self, usage: object) -> None:
        assert reply_to(says("yes", usage=usage)).usage == Usage()

    @pytest.mark.parametrize(
        ("reason", "finish"),
        [
            ("stop", Finish.STOP),
            ("length", Finish.LENGTH),
            ("content_filter", Finish.OTHER),
            (None, Finish.OTHER),
        ],
    )
    def test_reply_reports_its_finish_reason(self, reason: str | None, finish: Finish) -> None:
        answer = Send({"choices": [{"message": {"content": "yes"}, "finish_reason": reason}]})

        assert reply_to(answer).finish == finish

    def test_reply_preserves_letters_of_any_script(self) -> None:
        assert reply_to(says("Tür öffnen 開ける 🚪")).text == "Tür öffnen 開ける 🚪"

    def test_reply_reports_its_latency(self) -> None:
        begun = time.monotonic()
        reply = reply_to(says("yes"))

        assert 0.0 < reply.latency <= time.monotonic() - begun
        assert reply.attempts == 1

    def test_two_models_on_two_servers_answer_at_once(self) -> None:
        both = threading.Barrier(2, timeout=20)

        def of(text: str) -> Handle:
            def answer(asked: Asked) -> Answer:
                both.wait()  # neither is answered before both are asked
                return says(text)

            return answer

        with (
            model_at(of("left")) as (left, _),
            model_at(of("right")) as (right, _),
            ThreadPoolExecutor() as pool,
        ):
            replies = pool.map(lambda model: model.chat(request(), CancelToken()).text, (left, right))
            assert list(replies) == ["left", "right"]

    def test_one_model_answers_many_requests_at_once(self) -> None:
        all_of_them = threading.Barrier(8, timeout=20)

        def answer(asked: Asked) -> Answer:
            all_of_them.wait()
            return says(asked.body["messages"][0]["content"])

        texts = [str(number) for number in range(8)]
        with model_at(answer) as (model, _), ThreadPoolExecutor(8) as pool:
            replies = pool.map(
                lambda text: (
                    model.chat(request((ChatMessage(MessageRole.USER, (text,)),)), CancelToken()).text
                ),
                texts,
            )
            assert list(replies) == texts


class TestUnreadableReplies:
    def error(self, answer: Answer, **options: Any) -> str:
        error = error_of(answer, request(**options))
        assert isinstance(error, UnreadableReplyError)
        return str(error)

    def test_reply_that_is_not_json_is_refused_and_quoted(self) -> None:
        assert "<html>it works" in self.error(Send(b"<html>it works\n</html>"))

    def test_reply_that_is_not_utf_8_is_refused(self) -> None:
        assert "UTF-8" in self.error(Send(b'{"choices": "\xff\xfe"}'))

    def test_reply_nested_too_deeply_is_refused(self) -> None:
        assert "JSON" in self.error(Send(b"[" * 200_000))

    @pytest.mark.parametrize(
        "body", [{}, [], {"choices": []}, {"choices": None}, {"choices": [7]}, {"choices": [{}]}, "text"]
    )
    def test_reply_without_a_choice_is_refused(self, body: object) -> None:
        assert "no message" in self.error(Send(json.dumps(body).encode()))

    @pytest.mark.parametrize("content", [None, 7, ["yes"]])
    def test_reply_without_a_text_is_refused(self, content: object) -> None:
        assert 'ends by "stop"' in self.error(message(content=content))

    def test_refusal_of_the_model_is_quoted(self) -> None:
        assert 'refuses: "I will not."' in self.error(message(content=None, refusal="I will not."))

    def test_tool_call_of_the_model_is_refused_by_its_name(self) -> None:
        call = {"id": "1", "type": "function", "function": {"name": "open_door", "arguments": "{}"}}

        assert 'calls a tool, "open_door"' in self.error(message(content=None, tool_calls=[call]))

    def test_reply_of_a_million_tokens_is_not_read_to_its_end(self) -> None:
        sent = 0

        def pieces() -> Iterator[bytes]:
            nonlocal sent
            yield b'{"choices": [{"message": {"content": "'
            for _ in range(1_000):
                yield b"word " * 10_000
                sent += 50_000

        with model_at(Send(pieces())) as (model, server):
            with pytest.raises(UnreadableReplyError, match="goes on after"):
                model.chat(request(max_tokens=10), CancelToken())
            assert server.wait(lambda server: server.hung_up == 1)
        assert sent < 25_000_000  # the buffers of the sockets

    def test_compressed_reply_that_unpacks_to_a_large_one_is_not_read_to_its_end(self) -> None:
        packed = gzip.compress(b" " * 50_000_000)

        assert "goes on after" in self.error(
            Send(packed, headers={"Content-Encoding": "gzip"}), max_tokens=10
        )

    def test_long_error_text_of_the_server_is_truncated(self) -> None:
        error = error_of(Send(b"wrong " * 1_000_000, status=400))

        assert isinstance(error, BadRequestError)
        assert "wrong wrong" in str(error)
        assert len(str(error)) < 600


class TestFailedCalls:
    def error_at(self, address: str) -> ModelError:
        model = OpenAiModel("small", address)
        try:
            with pytest.raises(ModelError) as caught:
                model.chat(request(), CancelToken())
        finally:
            model.close()
        return caught.value

    def test_address_without_a_server_is_unreachable(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            error = self.error_at(f"http://127.0.0.1:{free.getsockname()[1]}/v1")

        assert isinstance(error, UnreachableError)
        assert "/v1" in str(error)
        assert "planner" in str(error)

    def test_unknown_host_is_unreachable(self) -> None:
        assert isinstance(self.error_at("http://robot.invalid:8000/v1"), UnreachableError)

    def test_connection_that_ends_before_the_reply_is_an_error(self) -> None:
        assert isinstance(error_of(HangUp()), ConnectionLostError)

    def test_connection_that_ends_within_the_reply_is_an_error(self) -> None:
        assert isinstance(error_of(Send(says("yes").body, drop_after=20)), ConnectionLostError)

    def test_deadline_ends_a_call_and_its_connection(self) -> None:
        with model_at(Hold()) as (model, server):
            begun = time.monotonic()
            with pytest.raises(DeadlineError, match=r"within 0\.1 s"):
                model.chat(request(deadline=0.1), CancelToken())
            assert time.monotonic() - begun < 5.0
            assert server.wait(lambda server: server.hung_up == 1)

    def test_deadline_covers_all_of_a_reply_that_trickles(self) -> None:
        stop = threading.Event()

        def trickle() -> Iterator[bytes]:
            while not stop.wait(0.02):
                yield b" "

        with model_at(Send(trickle())) as (model, _):
            with pytest.raises(DeadlineError):
                model.chat(request(deadline=0.2), CancelToken())
            stop.set()

    def test_cancel_ends_the_call_and_its_connection_at_once(self) -> None:
        with model_at(Hold()) as (model, server), ThreadPoolExecutor() as pool:
            token = CancelToken()
            call = pool.submit(model.chat, request(deadline=30.0), token)
            assert server.wait(lambda server: len(server.asked) == 1)

            begun = time.monotonic()
            token.cancel("another task came")
            error = call.exception(timeout=20)

            assert time.monotonic() - begun < 0.5
            assert isinstance(error, CallCanceledError)
            assert "another task came" in str(error)
            assert server.wait(lambda server: server.hung_up == 1, 0.5)

    def test_cancel_ends_no_other_call(self) -> None:
        go_on = threading.Event()

        def answer(asked: Asked) -> Answer:
            go_on.wait(20)
            return says("yes")

        with model_at(answer) as (model, server), ThreadPoolExecutor() as pool:
            token = CancelToken()
            canceled = pool.submit(model.chat, request(), token)
            other = pool.submit(model.chat, request(), CancelToken())
            assert server.wait(lambda server: len(server.asked) == 2)

            token.cancel("enough")
            assert isinstance(canceled.exception(timeout=20), CallCanceledError)
            go_on.set()
            assert other.result(timeout=20).text == "yes"

    def test_request_canceled_in_advance_is_not_sent(self) -> None:
        token = CancelToken()
        token.cancel("enough")
        with model_at(says("yes")) as (model, server):
            with pytest.raises(CallCanceledError):
                model.chat(request(), token)
            assert not server.asked

    def test_close_ends_the_call_under_way(self) -> None:
        with model_at(Hold()) as (model, server), ThreadPoolExecutor() as pool:
            call = pool.submit(model.chat, request(), CancelToken())
            assert server.wait(lambda server: len(server.asked) == 1)

            model.close()

            assert isinstance(call.exception(timeout=20), CallCanceledError)
            assert server.wait(lambda server: server.hung_up == 1)

    def test_closed_model_sends_no_request(self) -> None:
        with model_at(says("yes")) as (model, server):
            model.close()
            with pytest.raises(CallCanceledError, match="closed"):
                model.chat(request(), CancelToken())
            assert not server.asked

    def test_close_ends_the_threads_of_the_model(self) -> None:
        before = set(threading.enumerate())
        with ChatServer(says("yes")) as server:
            model = OpenAiModel("small", server.address)
            model.chat(request(), CancelToken())
            model.close()
        left = {thread.name for thread in set(threading.enumerate()) - before}
        assert not [name for name in left if name.startswith("chat ")]


class TestRefusals:
    def test_busy_server_gives_its_pause_in_seconds(self) -> None:
        error = error_of(fails(429, "slow down", retry_after="7.5"))

        assert isinstance(error, RateLimitedError)
        assert error.retry_after == 7.5
        assert '"slow down"' in str(error)

    def test_busy_server_gives_its_pause_as_a_date(self) -> None:
        later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=90)

        error = error_of(fails(429, "slow down", retry_after=format_datetime(later, usegmt=True)))

        assert isinstance(error, RateLimitedError)
        assert 60.0 < error.retry_after <= 90.0

    @pytest.mark.parametrize("header", ["soon", "nan", "inf", "-3", "", "Mon, 99 Foo 2020 00:00:00 GMT"])
    def test_invalid_pause_of_a_busy_server_is_ignored(self, header: str) -> None:
        error = error_of(fails(429, "slow down", retry_after=header))

        assert isinstance(error, RateLimitedError)
        assert error.retry_after == 0.0

    @pytest.mark.parametrize("status", [500, 502, 503, 529])
    def test_failing_server_is_an_error_with_its_status_and_text(self, status: int) -> None:
        error = error_of(fails(status, "out of memory", retry_after="2"))

        assert isinstance(error, ServerFailedError)
        assert error.retry_after == 2.0
        assert f'{status} "out of memory"' in str(error)

    @pytest.mark.parametrize("status", [401, 403])
    def test_wrong_key_is_refused_by_the_name_of_its_variable(self, status: int) -> None:
        error = error_of(fails(status, "no"), key=KEY, key_name="ROBOT_KEY")

        assert isinstance(error, WrongKeyError)
        assert "environment variable ROBOT_KEY" in str(error)

    def test_unknown_model_is_refused_with_a_list_of_the_known_ones(self) -> None:
        def answer(asked: Asked) -> Answer:
            if asked.path == "/v1/models":
                return Send({"object": "list", "data": [{"id": f"m{number}"} for number in range(11)]})
            return fails(404, "The model `small` does not exist")

        error = error_of(answer)

        assert isinstance(error, UnknownModelError)
        assert "m0, m1, m2, m3, m4, m5, m6, m7, 3 more" in str(error)

    def test_wrong_path_of_a_server_is_refused_with_its_address(self) -> None:
        error = error_of(fails(404, "Not Found"))

        assert isinstance(error, UnknownModelError)
        assert "/v1" in str(error)

    def test_deadline_covers_the_list_of_known_models(self) -> None:
        def answer(asked: Asked) -> Answer:
            return Hold() if asked.path == "/v1/models" else fails(404, "no such model")

        begun = time.monotonic()
        error = error_of(answer, request(deadline=0.4))

        assert isinstance(error, UnknownModelError)
        assert time.monotonic() - begun < 2.0

    @pytest.mark.parametrize(
        "text",
        [
            "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens, max_tokens "
            "or 'max_completion_tokens' included; that is not supported",
            "the request exceeds the available context size, try increasing it",
            "prompt is too long: 5000 tokens > 4096 maximum",
            "too many tokens",
        ],
    )
    @pytest.mark.parametrize("status", [400, 413])
    def test_request_that_is_too_long_is_recognised_by_its_error_text(self, text: str, status: int) -> None:
        assert isinstance(error_of(fails(status, text)), ContextOverflowError)

    def test_request_that_is_too_long_is_recognised_by_its_error_code(self) -> None:
        answer = Send({"error": {"message": "Too much.", "code": "context_length_exceeded"}}, status=400)

        assert isinstance(error_of(answer), ContextOverflowError)

    @pytest.mark.parametrize(
        ("status", "text"),
        [
            (400, "small is not a multimodal model"),
            (422, "messages[0].content: expected a string, got a list"),
            (413, "Request Entity Too Large"),
            (415, "image/png is not taken"),
            (500, "image input is not supported - hint: you may need to provide the mmproj"),
        ],
    )
    def test_refusal_of_images_is_recognised_when_images_were_sent(self, status: int, text: str) -> None:
        assert isinstance(error_of(fails(status, text), request(SEEN)), ImageRefusedError)
        assert not isinstance(error_of(fails(status, text)), ImageRefusedError)  # none was sent

    @pytest.mark.parametrize(
        ("structured", "remedy"), [(Structured.SCHEMA, "=json or none"), (Structured.JSON, "=none")]
    )
    @pytest.mark.parametrize(
        "text", ["'response_format' is unknown", "json_schema is not supported", "cannot parse the grammar"]
    )
    def test_refusal_of_a_schema_names_the_remedy(
        self, structured: Structured, remedy: str, text: str
    ) -> None:
        error = error_of(fails(400, text), request(schema=FORM), structured=structured)

        assert isinstance(error, SchemaRefusedError)
        assert f"model.structured{remedy}" in str(error)

    def test_refusal_of_a_schema_is_a_bad_request_when_none_was_sent(self) -> None:
        error = error_of(fails(400, "bad json_schema"), request(schema=FORM), structured=Structured.NONE)

        assert isinstance(error, BadRequestError)

    @pytest.mark.parametrize("status", [400, 402, 405, 409, 422])
    def test_other_client_errors_are_bad_requests_that_quote_the_server(self, status: int) -> None:
        error = error_of(fails(status, "temperature must be 1"))

        assert isinstance(error, BadRequestError)
        assert "temperature must be 1" in str(error)

    def test_redirect_to_another_server_is_not_followed(self) -> None:
        with ChatServer(says("yes")) as other:
            moved = Send(b"", 307, {"Location": f"{other.address}/chat/completions"})
            error = error_of(moved, key=KEY)

            assert isinstance(error, BadRequestError)
            assert other.address in str(error)
            assert not other.asked

    @pytest.mark.parametrize(
        "body",
        [{"error": "out of luck"}, {"detail": "out of luck"}, {"message": "out of luck"}, b"out of luck"],
    )
    def test_error_text_of_the_server_is_found_in_every_form(self, body: object) -> None:
        assert '400 "out of luck"' in str(error_of(Send(body, status=400)))


class TestKey:
    FAILURES: Mapping[str, Handle | Answer] = {
        "refused": fails(401, f"Incorrect API key provided: {KEY}"),
        "at the cut": fails(400, "x" * 285 + KEY),
        "bare": Send(f"what is {KEY}?".encode(), status=500),
        "no JSON": Send(f"hello {KEY}".encode()),
        "refusal": message(content=None, refusal=KEY),
        "tool": message(content=None, tool_calls=[{"function": {"name": KEY}}]),
        "redirect": Send(b"", 308, {"Location": f"http://127.0.0.1/{KEY}"}),
        "list": lambda asked: (
            Send({"data": [{"id": KEY}]}) if asked.path == "/v1/models" else fails(404, "no")
        ),
        "hang up": HangUp(),
        "cut": Send(says("yes").body, drop_after=20),
        "late": Hold(),
    }

    @pytest.mark.parametrize("failure", FAILURES)
    def test_key_appears_in_no_error_and_no_log(self, failure: str, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.DEBUG)
        for name in ("openai", "httpx", "httpx2", "httpcore", "httpcore2"):
            caplog.set_level(logging.DEBUG, logger=name)

        with model_at(self.FAILURES[failure], key=KEY) as (model, _):
            with pytest.raises(ModelError) as caught:
                model.chat(request(deadline=0.3 if failure == "late" else 20.0), CancelToken())
            shown = [repr(model), model.name, *_chain(caught.value)]

        assert caplog.records  # without records the test would prove nothing
        shown.extend(traceback.format_exception(caught.value))
        # At DEBUG, httpcore logs the headers of answers: a server that repeats the key in one shows it there.
        own = ("asyncio", "openai", "httpx") if failure == "redirect" else ("",)
        for record in caplog.records:
            if record.name.startswith(own):
                shown.extend((record.getMessage(), str(record.__dict__)))
        assert KEY[:20] not in "\n".join(shown)

    @pytest.mark.parametrize("letter", ["\n", "ü", " ", "\x00"])
    def test_key_that_cannot_be_sent_is_refused_without_being_shown(self, letter: str) -> None:
        with pytest.raises(ConfigurationError, match="ROBOT_KEY") as caught:
            OpenAiModel("small", "http://127.0.0.1/v1", f"{KEY}{letter}x", key_name="ROBOT_KEY")

        assert KEY not in "".join(_chain(caught.value))

    @pytest.mark.parametrize(
        "address", ["http://me:pass@127.0.0.1/v1", "http://127.0.0.1/v1?key=pass", "http://h/v1#pass"]
    )
    def test_address_with_a_password_is_refused_without_showing_it(self, address: str) -> None:
        with pytest.raises(ConfigurationError) as caught:
            OpenAiModel("small", address)

        assert "pass" not in str(caught.value).replace("password", "")


def _chain(error: BaseException | None) -> Iterator[str]:
    while error is not None:
        yield f"{error!r} {error} {error.args} {vars(error)}"
        if error.__cause__ is not None:
            yield from _chain(error.__cause__)
        error = error.__context__


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1:8000", "ftp://h/v1", "http://", "http://h:port/v1", "http://["]
)
def test_invalid_address_is_refused(address: str) -> None:
    with pytest.raises(ConfigurationError, match="http://HOST:PORT/v1"):
        OpenAiModel("small", address)


def test_name_of_an_openai_model_contains_model_and_server() -> None:
    assert OpenAiModel("small", "http://h:8000/v1", KEY).name == "small at http://h:8000/v1"
