"""A session on a graph of ROS nodes: starts the processes, sends tasks, and ends them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path

from stma_ros.agents.bringup import bring_up
from stma_ros.agents.local_runtime import Tap
from stma_ros.apps.memory_use import memory_use
from stma_ros.apps.session.session import Progress, Session, SessionSpec, check_retry
from stma_ros.ros.namespace_check import refuse_taken_namespace
from stma_ros.ros.processes import NodeProcesses, ProcessEndedError
from stma_ros.ros.task_client import PROGRESS_TOPICS, TaskClient
from stma_ros.storage.run_folder import RunFolder
from stma_ros.storage.state_file import RECORDED_STATES
from stma_ros.types import topics
from stma_ros.types.errors import StmaError
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskResult
from stma_ros.types.settings import SettingValue, configure
from stma_ros.worlds.registry import world_entry, world_offer

_START = 30.0  # time for all nodes to become active, beyond the lifecycle manager's own deadline [s]
_LOOK_AROUND = (
    1.0  # [s] for robots of other hosts, and for who else publishes; one of this host is noticed at once
)
_RESET = 60.0  # [s] for the components to start afresh
_FOLLOWED = (
    *PROGRESS_TOPICS,
    topics.SCENE_GRAPH,
    topics.MAP,
    topics.MEMORY_REPLY,
    topics.KEYFRAME_DETECTIONS,
    topics.GROUND_TRUTH,
    topics.ROLE_CALLS,
    topics.MODEL_CALL,
)


class RosSession:
    """A Session on the ROS graph. Its nodes are started with the first episode."""

    def __init__(
        self,
        spec: SessionSpec,
        folder: RunFolder,
        record: bool,
        tell: Progress = lambda _: None,
        host_settings: Mapping[str, SettingValue] | None = None,
    ) -> None:
        """Creates a session.

        Args:
            spec: the session.
            folder: receives the nodes' output and the bag.
            record: whether to record.
            tell: receives a line now and then about the nodes until they are ready.
            host_settings: of every component's host (ros.host.HostConfig), as in bring_up.
        """
        self._agent = spec.agent()
        self._preset = spec.preset
        self._registry = spec.registry
        self._world = spec.world
        self._load_time = world_entry(spec.world).load_time
        self._world_settings = asdict(
            configure(world_entry(spec.world).config, spec.world_options, spec.world)
        )
        self._folder = folder
        self._record = record
        self._tell = tell
        self._models = asdict(spec.model_config())
        self._host_settings = host_settings
        self._recording = asdict(spec.recording_config())
        self._about = {**folder.settings(), "preset": spec.preset}
        self._stack = ExitStack()
        self._nodes: NodeProcesses | None = None
        self._client: TaskClient | None = None
        self._taps: tuple[Tap, ...] = ()
        self._begun = "", 0  # scene and seed

    def start_episode(
        self, scene: str, seed: int, taps: Iterable[Tap] = (), folder: RunFolder | None = None
    ) -> str:
        """Starts an episode. Replies of all episodes go to the session's own folder, which the nodes get when they
        start."""
        self._taps = tuple(taps)
        self._begun = scene, seed
        if self._client is None:
            return self._start(scene, seed)
        with self._naming_the_dead():
            self._client.restart(_RESET + self._load_time)  # the bridge may load its world again
            return self._client.reset_world(scene, seed, self._load_time)

    def run_task(self, text: str, max_commands: int = 0) -> TaskResult:
        if self._client is None:
            raise StmaError("no episode has begun; start_episode comes before run_task")
        with self._naming_the_dead():
            return self._client.execute(text, max_commands, self._heard)

    def retry(self) -> None:
        if self._client is None:
            raise StmaError("no episode has begun; start_episode comes before retry")
        check_retry(self._agent.wiring)
        with self._naming_the_dead():
            self._client.reset_world(*self._begun, self._load_time)

    def memory(self) -> float:
        return memory_use(self._nodes.pids if self._nodes is not None else ())

    def close(self) -> None:
        """Ends the client and every process."""
        self._client = self._nodes = None
        self._stack.close()

    def _start(self, scene: str, seed: int) -> str:
        specs = bring_up(
            preset=self._preset,
            registry=self._registry,
            offer=world_offer(self._world, self._world_settings),
            world=self._world,
            scene=scene,
            seed=seed,
            world_settings=self._world_settings,
            component_settings={name: asdict(config) for name, config in self._agent.configs.items()},
            host_settings=self._host_settings,
            bag=str(self._folder.path.absolute()) if self._record else "",
            recorder_settings=self._recording,
            about=self._about,
            models=self._models,
            replies=str(self._folder.path.absolute()),
            state_dir=str((self._folder.path / RECORDED_STATES).absolute()),
            start_deadline=self._load_time,
        )
        self._tell("looking whether another robot is running")
        refuse_taken_namespace([spec.name for spec in specs], listen=_LOOK_AROUND)
        self._tell(f"starting {len(specs)} ROS nodes")
        self._nodes = self._stack.enter_context(NodeProcesses(specs, _unused(self._folder.logs)))
        try:
            client = self._stack.enter_context(TaskClient(follow=_FOLLOWED))
            with self._naming_the_dead():
                client.wait_until_active(self._load_time + _START, self._tell, self._nodes.check)
        except BaseException:
            self.close()  # the started nodes would block the next attempt
            raise
        self._client = client
        return scene

    def _heard(self, topic: str, message: Message) -> None:
        for tap in self._taps:
            tap(topic, message)

    @contextmanager
    def _naming_the_dead(self) -> Iterator[None]:
        """Adds a dead node's last output to errors caused by the end of its process."""
        try:
            yield
        except ProcessEndedError:
            raise
        except StmaError as error:
            try:
                if self._nodes is not None:
                    self._nodes.check()
            except ProcessEndedError as ended:
                raise StmaError(f"{error}\n{ended}") from error
            raise


def _unused(logs: Path) -> Path:
    """Returns the folder, or a new one within it when the graph is started again, so that the first logs remain."""
    if not any(logs.glob("*.log")):
        return logs
    return logs / f"start_{len(list(logs.glob('start_*'))) + 2}"


@contextmanager
def open_ros(spec: SessionSpec, folder: RunFolder, record: bool, tell: Progress) -> Iterator[Session]:
    """Implements open_session.open_session."""
    session = RosSession(spec, folder, record, tell)
    try:
        yield session
    finally:
        session.close()
