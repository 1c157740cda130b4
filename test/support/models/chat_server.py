"""A local HTTP server that speaks the chat API of OpenAI, or misbehaves in a chosen way."""

from __future__ import annotations

import json
import select
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

PATIENCE = 30.0  # [s] after which a test that hangs goes on


@dataclass(frozen=True)
class Asked:
    """One request.

    Attributes:
        headers: by their names in lower case.
        body: content of the JSON; None = no body.
    """

    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Send:
    """An answer.

    Attributes:
        body: value for JSON, raw bytes, or pieces of unknown length.
        drop_after: number of bytes of the body after which the connection ends; None = complete.
    """

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    drop_after: int | None = None


@dataclass(frozen=True)
class Hold:
    """Does not answer until the client closes the connection."""


@dataclass(frozen=True)
class HangUp:
    """Closes the connection without an answer."""


Answer: TypeAlias = "Send | Hold | HangUp"
Handle: TypeAlias = Callable[[Asked], Answer]


def says(text: str, **more: Any) -> Send:
    """Returns a valid answer.

    Args:
        more: further fields, such as usage.
    """
    message = {"role": "assistant", "content": text}
    return Send({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], **more})


def fails(status: int, message: str, **headers: str) -> Send:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Send({"error": {"message": message}}, status, named)


def in_turn(*answers: Answer) -> Handle:
    """Answers with one item after the other and repeats the last one."""
    rest = list(answers)
    return lambda asked: rest.pop(0) if len(rest) > 1 else rest[0]


class ChatServer:
    """Listens while in its `with` block.

    Attributes:
        port: 0 = any free port.
        asked: all requests, in order.
        hung_up: number of connections that the client closed.
        most_at_once: largest number of simultaneous requests.
    """

    def __init__(self, handle: Handle | Answer, port: int = 0) -> None:
        self.asked: list[Asked] = []
        self.hung_up = 0
        self.most_at_once = 0
        self._at_once = 0
        self._handle = handle if callable(handle) else in_turn(handle)
        self._changed = threading.Condition()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> ChatServer:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def wait(self, condition: Callable[[ChatServer], bool], seconds: float = PATIENCE) -> bool:
        """Returns whether the condition became true within the given time."""
        with self._changed:
            return self._changed.wait_for(lambda: condition(self), seconds)

    # -- for connections

    def answer(self, asked: Asked) -> Answer:
        with self._changed:
            self.asked.append(asked)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            self._changed.notify_all()
        try:
            return self._handle(asked)
        finally:
            with self._changed:
                self._at_once -= 1

    def note_hang_up(self) -> None:
        with self._changed:
            self.hung_up += 1
            self._changed.notify_all()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    owner: ChatServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", 0))
        data = self.rfile.read(size)
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.server.owner.answer(Asked(self.path, headers, json.loads(data) if data else None))
        try:
            if isinstance(answer, Send):
                self._send(answer)
            else:
                self.close_connection = True
                if isinstance(answer, Hold) and self._client_goes():
                    self.server.owner.note_hang_up()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
            self.server.owner.note_hang_up()

    do_GET = do_POST

    def _client_goes(self) -> bool:
        readable, _, _ = select.select([self.connection], [], [], PATIENCE)
        return bool(readable) and not self.connection.recv(1)

    def _send(self, answer: Send) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if isinstance(answer.body, (bytes, dict, list, str)):
            data = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: answer.drop_after])
            self.close_connection = self.close_connection or answer.drop_after is not None
        else:
            self._send_pieces(answer.body)
        self.wfile.flush()

    def _send_pieces(self, pieces: Iterable[bytes]) -> None:
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in pieces:
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *arguments: Any) -> None:
        pass
