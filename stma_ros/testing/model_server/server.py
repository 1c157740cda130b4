"""Serves the rules as a chat model over HTTP, for tests and demos of roles that models answer.

Its input is that of a model: the text of the prompt and its pictures.
"""

from __future__ import annotations

import hmac
import json
import re
import select
import socket
import socketserver
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, cast

from stma_ros.testing.model_server.api import RefusedError, models_body, read_call, reply_body
from stma_ros.testing.model_server.misbehaviour import Misbehaviour, MisbehaviourKind
from stma_ros.testing.model_server.model import RulesModel
from stma_ros.testing.model_server.role_answers import STAND_INS, StandIns
from stma_ros.types.errors import ConfigurationError

MODELS = ("rules",)

_LENGTH = re.compile(r"[0-9]{1,10}")
_MAX_BODY = 64 * 1024 * 1024  # of a request [bytes]
_IDLE_TIMEOUT = 300.0  # after which an idle connection is closed [s]
_POLL_INTERVAL = 0.05  # between checks for the end of the server and for disconnected clients [s]


@dataclass(frozen=True)
class ServerOptions:
    """Options of a server.

    Attributes:
        key: Key that requests must have; empty = none.
        misbehaviour: Faults of responses.
        stand_ins: Functions that answer, by domain and role.
    """

    key: str = ""
    misbehaviour: Misbehaviour = Misbehaviour()
    stand_ins: StandIns = field(default_factory=lambda: STAND_INS)


class ModelServer(socketserver.ThreadingTCPServer):
    """A server that listens from its construction on; `serving` runs it.

    Attributes:
        options: The options.
        model: The model that answers.
        stopping: Set when the server stops.
    """

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, host: str, port: int, options: ServerOptions) -> None:
        """Binds the address.

        Args:
            host: Address to listen at.
            port: Port; 0 = any free one.
            options: Options of the server.

        Raises:
            ConfigurationError: The server cannot listen at the address.
        """
        try:
            super().__init__((host, port), _Handler)
        except (OSError, OverflowError) as error:
            raise ConfigurationError(
                f"cannot serve at {host}:{port}: {error}; choose another port, or 0 for any that is free"
            ) from None
        self.options = options
        self.model = RulesModel(options.stand_ins)
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._requests = 0
        self._pending = 0
        self._connections: set[socket.socket] = set()

    @property
    def url(self) -> str:
        """Address of the API, http://HOST:PORT/v1."""
        host, port = cast("tuple[str, int]", self.server_address)
        return f"http://{host}:{port}/v1"

    @property
    def requests(self) -> int:
        """Number of chat requests, including those that failed."""
        return self._requests

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def pending(self) -> int:
        """Number of chat requests that are being answered; those whose client has disconnected are not counted."""
        return self._pending

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Counts a chat request as pending during the block."""
        with self._lock:
            self._pending += 1
        try:
            yield
        finally:
            with self._lock:
                self._pending -= 1

    def count(self) -> int:
        """Counts a chat request, and returns its number, from 1 on."""
        with self._lock:
            self._requests += 1
            return self._requests

    def stop(self) -> None:
        """Stops the server and closes all connections, including idle ones."""
        self.stopping.set()
        self.shutdown()
        self.server_close()
        with self._lock:
            connections = tuple(self._connections)
        for connection in connections:
            with suppress(OSError):  # it is closed already
                connection.shutdown(socket.SHUT_RDWR)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores broken connections, since clients may disconnect at any time; shows other errors."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


@contextmanager
def serving(
    port: int = 0, *, host: str = "127.0.0.1", options: ServerOptions | None = None
) -> Iterator[ModelServer]:
    """Runs a server during the block.

    Args:
        port: Port; 0 = any free one.
        host: Address to listen at.
        options: Options of the server.

    Raises:
        ConfigurationError: The server cannot listen at the address.
    """
    server = ModelServer(host, port, options or ServerOptions())
    thread = threading.Thread(
        target=server.serve_forever, args=(_POLL_INTERVAL,), name="model server", daemon=True
    )
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # otherwise a reply waits up to 40 ms for the client's acknowledgement
    wbufsize = -1
    timeout = _IDLE_TIMEOUT

    def do_POST(self) -> None:
        try:
            body = self._body()
            self._authorise()
            if not self._path.endswith("/chat/completions"):
                raise RefusedError(404, f"There is no {self._path}; chats go to /v1/chat/completions.")
            with self.server.answering():
                self._chat(body)
        except RefusedError as error:
            self._send(error.status, error.body)

    def do_GET(self) -> None:
        try:
            self._authorise()
            if not self._path.endswith("/models"):
                raise RefusedError(404, f"There is no {self._path}; the models are listed at /v1/models.")
            self._send(200, models_body(MODELS))
        except RefusedError as error:
            self._send(error.status, error.body)

    @property
    def _path(self) -> str:
        return self.path.partition("?")[0].rstrip("/")

    def _body(self) -> bytes:
        """Reads the body of a request, also of one that is refused, because the next request follows it."""
        length = self.headers.get("Content-Length", "")
        if not _LENGTH.fullmatch(length) or int(length) > _MAX_BODY:
            self.close_connection = True
            status = 413 if length else 411
            raise RefusedError(status, f"A request needs a Content-Length, of {_MAX_BODY} at most.")
        return self.rfile.read(int(length))

    def _authorise(self) -> None:
        key = self.server.options.key
        given = self.headers.get("Authorization", "")
        if key and not hmac.compare_digest(given.encode(), f"Bearer {key}".encode()):
            raise RefusedError(401, "The key is wrong, or there is none.", "invalid_api_key")

    def _chat(self, body: bytes) -> None:
        number = self.server.count()
        call = read_call(body)
        if call.model not in MODELS:
            raise RefusedError(
                404,
                f"There is no model {call.model!r}; there are: {', '.join(MODELS)}.",
                "model_not_found",
            )
        faults = self._faults(body)
        try:
            completion = self.server.model.answer(call, faults)
        except Exception as error:
            cause = f"The stand-in cannot answer: {type(error).__name__}: {error}"
            print(cause, file=sys.stderr)
            raise RefusedError(400, cause) from error
        reply = reply_body(number, call.model, completion)
        self._send(200, reply, hang_up=MisbehaviourKind.HANG_UP in faults)

    def _faults(self, body: bytes) -> frozenset[MisbehaviourKind]:
        """Draws the faults of the response, and waits if it is to be slow.

        Raises:
            RefusedError: The fault is an error response.
        """
        misbehaviour = self.server.options.misbehaviour
        faults = misbehaviour.drawn_for(body, self.server.model.count_repeats(body))
        if MisbehaviourKind.SLOW in faults:
            self._delay(misbehaviour.seconds)
        if MisbehaviourKind.TOO_MANY in faults:
            raise RefusedError(429, "Too many requests; ask again later.", "rate_limit_exceeded")
        if MisbehaviourKind.FAILING in faults:
            raise RefusedError(500, "The server had an error.")
        return faults

    def _delay(self, seconds: float) -> None:
        """Waits, at most until the server stops.

        Raises:
            ConnectionAbortedError: The client has disconnected.
        """
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.server.stopping.wait(_POLL_INTERVAL):
            readable, _, _ = select.select([self.connection], [], [], 0.0)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                raise ConnectionAbortedError

    def _send(self, status: int, content: Mapping[str, Any], *, hang_up: bool = False) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if hang_up else body)
        self.close_connection = self.close_connection or hang_up

    def log_message(self, format: str, *args: Any) -> None:
        """Does nothing: the client logs its requests."""
