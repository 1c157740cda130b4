"""The picture of each step's observation: what the camera saw last."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stma_ros.library.scene.thumbnails import thumbnail
from stma_ros.memory.snapshots import snapshot_id
from stma_ros.sensing.camera_frame import NEEDED, CameraFrame
from stma_ros.sensing.pose_jump_filter import FrameConfig
from stma_ros.types import topics
from stma_ros.types.causality import message_ref
from stma_ros.types.component import Emission
from stma_ros.types.exploration import Snapshot, VisualBelief
from stma_ros.types.message import Message
from stma_ros.types.sensing import Observation
from stma_ros.types.settings import setting
from stma_ros.types.standard import Header
from stma_ros.types.stepped import StepStamp

_MAX_FRAMES = 64  # that wait for the observation of their step
_MAX_STEPS = 8  # that wait for their frame


@dataclass(frozen=True)
class LatestViewConfig(FrameConfig):
    picture_width: int = setting(640, "width of the picture at most", unit="px", low=16, high=4096)

    def uses(self, part: str) -> bool:
        return part in (topics.COLOR, *NEEDED)


class LatestView:
    """Sends the picture of the last frame of each step as its visual belief.

    A step without a usable picture has an empty belief: the task goes on without.
    """

    def __init__(self, config: LatestViewConfig) -> None:
        self._width = config.picture_width
        self._frames: OrderedDict[int, CameraFrame] = OrderedDict()
        self._arrived_up_to = 0
        self._waiting: OrderedDict[tuple[str, int], Observation] = OrderedDict()
        self._sent: deque[tuple[str, int]] = deque(maxlen=_MAX_FRAMES)

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        match message:
            case CameraFrame():
                self._arrived_up_to = max(self._arrived_up_to, message.stamp.nanoseconds)
                self._frames[message.stamp.nanoseconds] = message
                while len(self._frames) > _MAX_FRAMES:
                    self._frames.popitem(last=False)
            case Observation() if message.task_id and (message.task_id, message.step) not in self._sent:
                self._waiting.setdefault((message.task_id, message.step), message)
                while len(self._waiting) > _MAX_STEPS:
                    self._waiting.popitem(last=False)
            case _:
                return ()
        return self._settle()

    def _settle(self) -> Iterator[Emission]:
        """Makes the beliefs of the steps up to whose last frame the camera has come."""
        ready = [
            key for key, each in self._waiting.items() if each.watermark.nanoseconds <= self._arrived_up_to
        ]
        for key in ready:
            observation = self._waiting.pop(key)
            self._sent.append(key)
            frame = self._frames.get(observation.watermark.nanoseconds)
            yield (
                topics.VISUAL_BELIEF,
                VisualBelief(
                    at=StepStamp(header=Header(observation.header.stamp), task_id=key[0], step=key[1]),
                    snapshots=() if frame is None or frame.color is None else (self._snapshot(frame),),
                    derived_from=(message_ref(topics.OBSERVATION, observation),),
                ),
            )
            for stamp in [each for each in self._frames if each < observation.watermark.nanoseconds]:
                del self._frames[stamp]

    def _snapshot(self, frame: CameraFrame) -> Snapshot:
        assert frame.color is not None
        return Snapshot(
            id=snapshot_id(frame.stamp),
            stamp=frame.stamp,
            picture=thumbnail(frame.header, frame.color, self._width),
        )
