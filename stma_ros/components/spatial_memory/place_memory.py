"""All that is remembered of the place: the map, the things and the rooms; asked for, saved and forgotten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sized

from stma_ros.components.memory_requests import NotRememberedError, RequestDesk, complaints, lateness
from stma_ros.components.spatial_memory.last_seen import Recollection
from stma_ros.components.spatial_memory.place_persistence import MemoryKeeper, SavedMemory
from stma_ros.mapping.survey import SpatialMap, SurveyConfig
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import DescriptionReader
from stma_ros.memory.room_sightings import RoomSightings
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.sensing.camera_frame import DepthView
from stma_ros.storage.codec import shifted
from stma_ros.types.component import Emission
from stma_ros.types.remembering import MemoryRequest, ObjectQuery, ObjectQueryResult
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.standard import Header, Time


class Home:
    """Begins with what was kept, if anything was. map, objects, rooms, room_kinds (by id): what is remembered now."""

    def __init__(
        self,
        survey: SurveyConfig,
        keeper: MemoryKeeper,
        knowledge: CategoryKnowledge,
        reader: DescriptionReader,
    ) -> None:
        self._survey = survey
        self._keeper = keeper
        self._knowledge = knowledge
        self._reader = reader
        self._requests = RequestDesk(self)
        self._start(keeper.recall())

    def _start(self, saved: SavedMemory | None) -> None:
        if saved is None:
            self.map = SpatialMap(self._survey)
            self.objects = ObjectMemory(self._knowledge)
            self.rooms = RoomSightings()
        else:
            self.map = SpatialMap.restored(self._survey, saved.map)
            self.objects = ObjectMemory.restored(saved.objects, self._knowledge)
            self.rooms = RoomSightings(saved.rooms)
        self.room_kinds: Mapping[str, str] = dict(saved.room_kinds) if saved else {}
        self._stamp = saved.stamp if saved else Time()
        self._kept_up_to = saved.stamp if saved else None
        self._is_dated = saved is None
        self._changed = False

    # -- what is seen

    @property
    def on_trial(self) -> bool:
        """Whether it is not known yet if what was kept is of this place."""
        return self._keeper.on_trial

    def look(self, view: DepthView, stamp: Time) -> None:
        """A frame is about to be mapped. `stamp`: the frame's; call in the order of stamps."""
        self._keeper.look(view)
        self._stamp = stamp
        self._changed = True

    def begin(self, stamp: int) -> None:
        """Before the first frame, at `stamp` [ns]: a clock that was set back since must not make the past the future.
        All that is remembered is moved, keeping its distances in time; its stamps may become negative."""
        if self._is_dated or self._kept_up_to is None:
            return
        self._is_dated = True
        late = lateness(self._kept_up_to, Time.from_nanoseconds(stamp))
        if late:
            self.objects = ObjectMemory.restored(shifted(self.objects.saved(), -late), self._knowledge)
            self.rooms = RoomSightings(shifted(self.rooms.saved(), -late))
            self._stamp = self._kept_up_to = shifted(self._kept_up_to, -late)

    def is_elsewhere(self) -> bool:
        """Whether what was kept turns out to be of another place. It is given up then, for the next older one or for
        a clean start, and all that was seen has to be taken again."""
        if not self._keeper.is_of_another_place():
            return False
        self._start(self._keeper.recall())
        return True

    def note(self, graph: SceneGraph) -> None:
        """Take what kinds of rooms there are."""
        self.room_kinds = {room.id: room.category for room in graph.rooms}

    # -- what is asked

    def complaints(self, frame_id: str) -> Iterator[Emission]:
        """Why what was kept is not used; each is told once."""
        return complaints(self._keeper.refused(), Header(self._stamp, frame_id))

    def answer(self, request: ObjectQuery | MemoryRequest, frame_id: str) -> Iterator[Emission]:
        """The answer to a question or a request; nothing for one that was answered before."""
        return self._requests.answer(request, Header(self._stamp, frame_id))

    def close(self) -> None:
        """Saves what is new, where memories are kept. Raises MemoryNotKeptError."""
        if self._changed and self._keeper.keeps:
            self.save()

    # -- what is done about it (memory_requests.Rememberer)

    def recall(self, query: ObjectQuery, header: Header) -> ObjectQueryResult:
        return self._recollection().answer(query, header)

    def save(self) -> str:
        changes = [] if self._kept_up_to is None else self._recollection().changes_since(self._kept_up_to)
        saved = SavedMemory(
            self._stamp,
            self.map.saved(),
            self.objects.saved(),
            self.rooms.saved(),
            tuple(self.room_kinds.items()),
        )
        path = self._keeper.save(saved)
        self._changed = False
        things, rooms = _count(saved.objects.objects, "thing"), _count(saved.room_kinds, "room")
        text = f"Saved {things} in {rooms} to {path}."
        return f"{text} Since the last time: {'; '.join(changes)}." if changes else text

    def forget(self, subject: str) -> str:
        if not subject:
            path = self._keeper.forget()
            self._start(None)
            return f"Forgot everything; removed {path}." if path else "Forgot everything."
        names = self._named(subject)
        if not names:
            raise NotRememberedError(f"There is nothing to forget: no {subject!r} is remembered.")
        for name in names:
            self.objects.forget(name)
        self._changed = True
        text = f"Forgot {', '.join(names)}"
        if self._keeper.file is None:
            return f"{text}."
        self.save()
        return f"{text}, also in {self._keeper.file}."

    def _named(self, subject: str) -> list[str]:
        """Ids of the thing, or of the things of the kind."""
        thing = self.objects.find(subject)
        if thing is not None:
            return [thing.id]
        return [item.id for item in self.objects.objects if self._knowledge.is_kind(item.category, subject)]

    def _recollection(self) -> Recollection:
        things = self.objects.objects
        kinds = {**self.room_kinds, **{thing.id: thing.category for thing in things}}
        return Recollection(self._knowledge, self._reader, things, kinds, self.objects.picture)


def _count(items: Sized, noun: str) -> str:
    return f"{len(items)} {noun}" if len(items) == 1 else f"{len(items)} {noun}s"
