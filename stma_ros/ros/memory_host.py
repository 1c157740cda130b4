"""Hosts the spatial memory: it also serves last_seen, ask, save and forget."""

from __future__ import annotations

from typing import Any, TypeAlias

from rclpy.callback_groups import ReentrantCallbackGroup
from std_srvs.srv import Trigger

from stma_ros.agents.registry import AgentRegistry
from stma_ros.components.memory_requests import merged_reply
from stma_ros.ros.completion import Completion
from stma_ros.ros.conversions import from_msg, msg_class, to_msg
from stma_ros.ros.graph import SPATIAL_MEMORY
from stma_ros.ros.host import ComponentHost
from stma_ros.ros.qos import PROFILES
from stma_ros.ros.unique_ids import UniqueIds
from stma_ros.srv import AskMemory, ForgetObjects, LastSeen
from stma_ros.types import topics
from stma_ros.types.common import Error
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

Answer: TypeAlias = "ObjectQueryResult | MemoryAnswer | MemoryReply"


class MemoryHost(ComponentHost):
    """Converts service requests to messages for the component, and its answers to responses. A request to save or to
    forget is for all memories of the agent, and is answered when all of them have replied."""

    def __init__(self, agents: AgentRegistry, **node_options: Any) -> None:
        super().__init__(SPATIAL_MEMORY, agents, **node_options)
        self._ids = UniqueIds(self.get_name())  # a memory in another process would ignore a known one
        self._waiting: dict[str, Completion[Answer]] = {}
        self._replies: dict[str, list[MemoryReply]] = {}
        components = self._matched.wiring.components.values()
        self._memories = sum(topics.MEMORY_REQUEST in spec.messages for spec in components)
        spec = topics.TOPICS[topics.MEMORY_REPLY]
        self.create_subscription(msg_class(spec.type), spec.name, self._replied, PROFILES[spec.delivery])
        # The callback group lets the node receive messages, of replies too, while a service waits.
        waiting = ReentrantCallbackGroup()
        self._served = [
            self.create_service(kind, f"~/{name}", serve, callback_group=waiting)
            for kind, name, serve in (
                (LastSeen, "last_seen", self._last_seen),
                (AskMemory, "ask", self._answer),
                (Trigger, "save", self._save),
                (ForgetObjects, "forget", self._forget),
            )
        ]

    def deactivate(self) -> None:
        super().deactivate()
        for request_id in tuple(self._waiting):
            self._answered(_not_active(request_id))

    def emitted(self, topic: str, message: Message) -> None:
        super().emitted(topic, message)
        if isinstance(message, ObjectQueryResult | MemoryAnswer):
            self.call_soon(self._answered, message)

    def failed(self, topic: str, error: Exception) -> None:
        if topic in (topics.OBJECT_QUERY, topics.MEMORY_QUESTION, topics.MEMORY_REQUEST):
            failure = Error(ErrorCode.NODE_FAILED, f"{type(error).__name__}: {error}")
            self.call_soon(self._fail, failure)

    # -- in the executor thread

    async def _last_seen(self, request: LastSeen.Request, response: LastSeen.Response) -> LastSeen.Response:
        query = ObjectQuery(
            header=self.header(),
            request_id=self._ids.new(),
            description=request.description,
            limit=request.limit,
        )
        answer = await self._ask(topics.OBJECT_QUERY, query)
        if isinstance(answer, MemoryReply):
            answer = ObjectQueryResult(
                header=answer.header,
                request_id=answer.request_id,
                text=answer.text,
                sightings=(),
                error=answer.error,
            )
        response.answer = to_msg(answer)
        return response

    async def _answer(self, request: AskMemory.Request, response: AskMemory.Response) -> AskMemory.Response:
        question = MemoryQuestion(header=self.header(), request_id=self._ids.new(), question=request.question)
        answer = await self._ask(topics.MEMORY_QUESTION, question)
        if not isinstance(answer, MemoryAnswer):
            answer = MemoryAnswer(
                header=answer.header, request_id=answer.request_id, text=answer.text, error=answer.error
            )
        response.answer = to_msg(answer)
        return response

    async def _save(self, request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        reply = await self._request(MemoryAction.SAVE)
        response.success, response.message = not reply.error, reply.text
        return response

    async def _forget(
        self, request: ForgetObjects.Request, response: ForgetObjects.Response
    ) -> ForgetObjects.Response:
        reply = await self._request(MemoryAction.FORGET, request.subject)
        response.success, response.message = not reply.error, reply.text
        response.error = to_msg(reply.error)
        return response

    async def _request(self, kind: MemoryAction, subject: str = "") -> Answer:
        message = MemoryRequest(header=self.header(), request_id=self._ids.new(), kind=kind, subject=subject)
        return await self._ask(topics.MEMORY_REQUEST, message)

    async def _ask(self, topic: str, message: ObjectQuery | MemoryQuestion | MemoryRequest) -> Answer:
        if self.activation is None:
            return _not_active(message.request_id)
        completion: Completion[Answer] = Completion(self)
        self._waiting[message.request_id] = completion
        self.inject(topic, message)
        return await completion

    def _replied(self, msg: Any) -> None:
        """Takes the reply of a memory, of this node's component as well, to a request."""
        reply = from_msg(msg, MemoryReply)
        if reply.request_id in self._waiting:
            replies = self._replies.setdefault(reply.request_id, [])
            replies.append(reply)
            if len(replies) == self._memories:
                self._answered(merged_reply(replies))

    def _answered(self, answer: Answer) -> None:
        self._replies.pop(answer.request_id, None)
        completion = self._waiting.pop(answer.request_id, None)
        if completion is not None:
            completion.set(answer)

    def _fail(self, error: Error) -> None:
        """Answers all waiting requests with the error, as the failing one is unknown."""
        for request_id in tuple(self._waiting):
            self._answered(
                MemoryReply(header=self.header(), request_id=request_id, text=error.text, error=error)
            )


def _not_active(request_id: str) -> MemoryReply:
    text = f"{SPATIAL_MEMORY} is not active; call lifecycle_manager/startup and wait for its answer"
    return MemoryReply(request_id=request_id, text=text, error=Error(ErrorCode.NOT_ACTIVE, text))
