"""Takes the place of the robot's hardware: a simulated world behind the same actions, topics and services."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.callback_groups import ReentrantCallbackGroup

from stma_ros.action import ExecuteSkill
from stma_ros.agents.node_spec import WORLD
from stma_ros.agents.registry import DEFAULT_PRESET
from stma_ros.agents.spec import Wiring
from stma_ros.ros.completion import Completion
from stma_ros.ros.conversions import from_msg, to_msg
from stma_ros.ros.graph import EXECUTOR, LIFECYCLE_MANAGER, Graph, cannot_be_answered, unconnected
from stma_ros.ros.managed_node import ManagedNode
from stma_ros.ros.worker import Worker
from stma_ros.srv import Reset
from stma_ros.storage.recording import excluded_topics
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ConfigurationError, ErrorCode, StmaError, WorldError
from stma_ros.types.planning import Outcome, Result, SkillRequest, SkillSet
from stma_ros.types.settings import setting
from stma_ros.types.standard import Odometry, Point
from stma_ros.types.world import World

MakeWorld: TypeAlias = Callable[[str, Mapping[str, Any]], World]
"""Makes a world from its name and options; raises ConfigurationError or MissingDependencyError."""
About: TypeAlias = Callable[[str, str, str], tuple[type, Wiring]]
"""Returns the config class of a world, and the wiring of an agent in it, from the names of the world, the agent and its
registry (registry.load_registry). Raises ConfigurationError for unknown names, and for an agent that does not fit the
world."""

_ACTION = "execute_skill"
_CANCELED = "the client canceled it"


@dataclass(frozen=True)
class BridgeConfig:
    world: str = setting("house", "the engine")
    scene: str = setting("", "scene to load; empty = the world's own choice by seed")
    seed: int = setting(1000, "seed of the episode", low=0)
    registry: str = setting(
        "", "where the agent is found: MODULE:NAME of an AgentRegistry; empty = the agents of stma_ros"
    )
    agent: str = setting(DEFAULT_PRESET, "the agent that acts in it")
    recorder: str = setting(
        "", "name of the recording node that must listen before anything is said; empty = none"
    )
    excluded_topics: str = setting("", "topics that the recorder excludes, with commas between")


class WorldBridge(ManagedNode):
    """Executes one skill at a time. All calls into the world come from one thread, as engines want it."""

    def __init__(
        self,
        make_world: MakeWorld,
        about: About,
        name: str = "sim_bridge",
        **node_options: Any,
    ) -> None:
        super().__init__(name, **node_options)
        self._make_world = make_world
        self._about = about
        self._wiring: Wiring | None = None
        self._world_config: type | None = None
        self._world: World | None = None
        self._worker: Worker[Callable[[], None]] | None = None
        self._skill: CancelToken | None = None
        self._used_in: int | None = None
        self._begun = "", 0  # scene and seed of the last reset
        self.parameters.declare(BridgeConfig)
        self._server = ActionServer(
            self,
            ExecuteSkill,
            _ACTION,
            self._execute,
            goal_callback=lambda _: GoalResponse.REJECT if self._skill else GoalResponse.ACCEPT,
            cancel_callback=self._cancel,
        )
        # Reentrant: the node answers other requests while the world is being reset.
        self.create_service(Reset, "reset", self._reset, callback_group=ReentrantCallbackGroup())

    # -- lifecycle

    def declare(self) -> None:
        bridge = self.parameters.build(BridgeConfig)
        config, self._wiring = self._about(bridge.world, bridge.agent, bridge.registry)
        if self._world_config is None:
            self._world_config = config
            self.parameters.declare(config, WORLD)
        elif self._world_config is not config:
            raise ConfigurationError("another world has other parameters: restart the bridge to change it")

    def configure(self) -> None:
        assert self._world_config is not None
        assert self._wiring is not None
        config = self.parameters.build(BridgeConfig)
        options = asdict(self.parameters.build(self._world_config, WORLD))
        excluded = excluded_topics(config.excluded_topics)
        self._graph = Graph(self._wiring, self.get_name(), config.recorder, excluded)
        self._worker = Worker(self.get_name(), lambda job: job(), lambda _, error: self.report(error))
        self.open_topics(self._graph.publications(self.get_name()))

        def make() -> None:
            self._world = self._make_world(config.world, options)
            scene = self._world.reset(config.scene, config.seed)
            self._begun = config.scene, config.seed
            self.get_logger().info(f"{config.world}: scene {scene}, seed {config.seed}")

        self._wait_for(make)

    def waiting_for(self) -> list[str]:
        missing = unconnected(self, self._graph, self.publications, {})
        return missing + cannot_be_answered(self, _ACTION, EXECUTOR)

    def activate(self) -> None:
        self._offer_skills()

    def deactivate(self) -> None:
        if self._skill is not None:
            self._skill.cancel("the bridge was deactivated")

    def cleanup(self) -> None:
        worker, world = self._worker, self._world
        self._worker = self._world = None
        if worker is not None:
            if world is not None:
                worker.inbox.put(world.close)
            worker.inbox.put(worker.inbox.close)

    def close(self, timeout: float) -> bool:
        worker = self._worker
        if self._skill is not None:
            self._skill.cancel("the bridge ends")
        self.cleanup()
        return worker is None or worker.join(timeout)

    def destroy_node(self) -> None:
        self._server.destroy()
        super().destroy_node()

    # -- in the executor thread

    def _offer_skills(self) -> None:
        if self._world is not None:
            self.publish(
                topics.SKILLS, SkillSet(header=self.header(), skills=self._world.skills), self.activation
            )

    async def _execute(self, goal: ServerGoalHandle[Any, Any, Any]) -> ExecuteSkill.Result:
        outcome = await self._outcome(goal)
        if outcome.result == Result.SUCCEEDED:
            goal.succeed()
        elif outcome.result == Result.CANCELED and goal.is_cancel_requested:
            goal.canceled()
        else:
            goal.abort()
        return ExecuteSkill.Result(outcome=to_msg(outcome))

    async def _outcome(self, goal: ServerGoalHandle[Any, Any, Any]) -> Outcome:
        try:
            request = from_msg(goal.request.request, SkillRequest)
        except ValueError as error:
            return _failure(
                SkillRequest(header=self.header()),
                Error(ErrorCode.SKILL_UNKNOWN, f"unreadable request: {error}"),
            )
        worker, world, activation = self._worker, self._world, self.activation
        if worker is None or world is None or activation is None:
            text = f"{self.get_name()} is not active; call lifecycle_manager/startup"
            return _failure(request, Error(ErrorCode.NOT_ACTIVE, text))
        token = self._skill = CancelToken()
        self._used_in = activation
        if goal.is_cancel_requested:  # canceled after its acceptance
            token.cancel(_CANCELED)
        done: Completion[Outcome] = Completion(self)
        worker.inbox.put(lambda: done.set(self._perform(world, request, token, goal, activation)))
        outcome = await done
        self._skill = None
        if (
            outcome.result == Result.CANCELED
            and activation != self.activation
            and not goal.is_cancel_requested
        ):
            text = (
                f"{self.get_name()} was deactivated; activate it again, or call {LIFECYCLE_MANAGER}/startup"
            )
            return _failure(request, Error(ErrorCode.NOT_ACTIVE, text))
        return outcome

    def _cancel(self, _: ServerGoalHandle[Any, Any, Any]) -> CancelResponse:
        if self._skill is not None:
            self._skill.cancel(_CANCELED)
        return CancelResponse.ACCEPT

    async def _reset(self, request: Reset.Request, response: Reset.Response) -> Reset.Response:
        worker, world = self._worker, self._world
        if worker is None or world is None:
            response.error = to_msg(Error(ErrorCode.NOT_ACTIVE, f"{self.get_name()} is not configured"))
            return response
        if self._skill is not None:
            response.error = to_msg(
                Error(ErrorCode.BUSY, "a skill is being executed; cancel it or wait for its end")
            )
            return response
        begun = request.scene, request.seed
        if self.activation is not None and self.activation == self._used_in and not self._may_retry(begun):
            text = (
                "skills have been executed, and what they showed is in the components' memories: "
                f"call {LIFECYCLE_MANAGER}/reset, then this service before the first task"
            )
            response.error = to_msg(Error(ErrorCode.BUSY, text))
            return response
        done: Completion[str | StmaError] = Completion(self)

        def reset() -> None:
            result: str | StmaError
            try:
                result = world.reset(request.scene, request.seed)
            except StmaError as error:
                result = error
            except Exception as error:  # noqa: BLE001 - the boundary to the engine
                result = WorldError(f"{type(error).__name__}: {error}")
            done.set(result)

        worker.inbox.put(reset)
        result = await done
        if isinstance(result, StmaError):
            self.report(result, doing="reset")
            response.error = to_msg(Error.of(result))
        else:
            self._begun = begun
            self._offer_skills()
            response.success, response.scene = True, result
        return response

    def _may_retry(self, begun: tuple[str, int]) -> bool:
        """Whether the same text game begins again: its clock continues, and memories of it stay valid."""
        return self._wiring is not None and not self._wiring.has_camera and begun == self._begun

    # -- in the worker

    def _perform(
        self,
        world: World,
        request: SkillRequest,
        token: CancelToken,
        goal: ServerGoalHandle[Any, Any, Any],
        activation: int,
    ) -> Outcome:
        outcome: Outcome | None = None
        start: Point | None = None
        try:
            for topic, message in world.execute(request, token):
                if isinstance(message, Outcome):
                    outcome = message  # the client publishes it
                    continue
                self.publish(topic, message, activation)
                if isinstance(message, Odometry):
                    here = message.pose.pose.position
                    start = start or here
                    distance = math.hypot(here.x - start.x, here.y - start.y)
                    goal.publish_feedback(ExecuteSkill.Feedback(distance=distance))
        except Exception as error:  # noqa: BLE001 - the boundary to the engine
            self.report(error, doing=str(request.action))
            return _failure(request, Error(ErrorCode.WORLD_FAILED, f"{self.get_name()}: {error}"))
        if outcome is None:
            return _failure(
                request, Error(ErrorCode.WORLD_FAILED, f"{request.action} ended without an outcome")
            )
        return outcome

    def _wait_for(self, job: Callable[[], None]) -> None:
        """Runs a job in the worker and waits; raises what it raises, or WorldError when the process ends."""
        assert self._worker is not None
        done = threading.Event()
        errors: list[Exception] = []

        def run() -> None:
            try:
                job()
            except Exception as error:  # noqa: BLE001 - handed to the caller
                errors.append(error)
            done.set()

        self._worker.inbox.put(run)
        while not done.wait(0.1):
            if not self.context.ok():
                raise WorldError("shut down before the world was loaded")
        if errors:
            raise errors[0]


def _failure(request: SkillRequest, error: Error) -> Outcome:
    return Outcome(
        header=request.header,
        request_id=request.request_id,
        task_id=request.task_id,
        step=request.step,
        action=request.action,
        result=Result.FAILED,
        error=error,
    )
