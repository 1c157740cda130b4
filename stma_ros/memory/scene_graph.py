"""The objects of the scene graph: who is who across keyframes, and where each thing is and was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from stma_ros.memory import absence, placing
from stma_ros.memory.association import AssociationConfig
from stma_ros.memory.boxes import Corner
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.history import PictureStore
from stma_ros.memory.recognition import Recognition, pair_of
from stma_ros.memory.sightings import Keyframe, joined, seen_again, seen_elsewhere, seen_first
from stma_ros.memory.states import PRESENCE, dimension, with_told
from stma_ros.memory.things import Reanchoring, RememberedObject, Whereabouts
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import CompressedImage, Time

MAX_MISSING = 64
"""Missing things that are remembered; the longest missed are forgotten."""

MAX_RENAMED = 512
"""Old names that are still understood; the newest."""

_RESERVED = frozenset({"room", "frontier", words.ROBOT})
"""Stems of other ids: a thing of such a category must not be taken for one of them."""


@dataclass(frozen=True)
class SavedObjects:
    """All that an ObjectMemory holds. counts: how many ids of each stem were given; renamed: old and new ids; apart:
    pairs of ids of things that were seen side by side; pictures: of keyframes, by their stamps."""

    objects: tuple[RememberedObject, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    pictures: tuple[tuple[Time, CompressedImage], ...] = ()


class ObjectMemory:
    """Objects by id, in the order in which they were first seen. Ids are never used again."""

    def __init__(self, knowledge: CategoryKnowledge, config: AssociationConfig = AssociationConfig()) -> None:
        self._knowledge = knowledge
        self._recognition = Recognition(knowledge, config)
        self._objects: dict[str, RememberedObject] = {}
        self._counts: dict[str, int] = {}
        self._now_called: dict[str, str] = {}
        self._apart: set[tuple[str, str]] = set()
        self._pictures = PictureStore()
        self._viewpoint: Corner | None = None

    @classmethod
    def restored(
        cls,
        saved: SavedObjects,
        knowledge: CategoryKnowledge,
        config: AssociationConfig = AssociationConfig(),
    ) -> ObjectMemory:
        """The memory that `saved()` came from."""
        memory = cls(knowledge, config)
        memory._objects = {item.id: item for item in saved.objects}
        memory._counts = dict(saved.counts)
        memory._now_called = dict(saved.renamed)
        memory._apart = set(saved.apart)
        memory._pictures = PictureStore(saved.pictures)
        return memory

    def saved(self) -> SavedObjects:
        return SavedObjects(
            self.objects,
            tuple(self._counts.items()),
            tuple(self._now_called.items()),
            tuple(sorted(self._apart)),
            self._pictures.saved(),
        )

    @property
    def objects(self) -> tuple[RememberedObject, ...]:
        return tuple(self._objects.values())

    def find(self, name: str) -> RememberedObject | None:
        """The thing of this id, also when it was given another one since; None: it is not remembered."""
        return self._objects.get(self._now_called.get(name, name))

    def picture(self, stamp: Time) -> CompressedImage | None:
        """The picture of the keyframe with this stamp, if it is kept (see Stay.picture)."""
        return self._pictures.get(stamp)

    def forget(self, name: str) -> None:
        """Forget a thing and all its history; its id is not used again."""
        item = self.find(name)
        if item is not None:
            del self._objects[item.id]
            self._now_called = {old: new for old, new in self._now_called.items() if new != item.id}
            self._apart = {pair for pair in self._apart if item.id not in pair}
            self._drop_pictures()

    # -- what is seen

    def merge(self, keyframe: Keyframe) -> None:
        """Take what one keyframe shows; call in the order of stamps."""
        if keyframe.viewpoint is not None:
            self._viewpoint = keyframe.viewpoint
        keyframe = self._recognition.registered(self.objects, keyframe)
        detections = keyframe.in_order()
        names = self._recognition.in_place(self.objects, detections)
        left = [index for index in range(len(detections)) if index not in names]
        names |= self._recognition.expected(self.objects, left, detections, self.find)
        known = [(detections[index], self._objects[name]) for index, name in names.items()]
        for (detection, item), hidden in zip(known, self._recognition.hidden(keyframe, known), strict=True):
            item = seen_again(item, detection, keyframe, hidden)
            self._objects[item.id] = self._without_contradiction(item, detection, keyframe.stamp)
        self._doubt(keyframe, frozenset(names.values()))
        left = [index for index in left if index not in names]
        moved = self._recognition.moved(self.objects, left, detections)
        for index in left:
            if index in moved:
                item = seen_elsewhere(self._objects[moved[index]], detections[index], keyframe)
            else:
                item = seen_first(self._new_name(detections[index].category), detections[index], keyframe)
            self._objects[item.id] = item
            names[index] = item.id
        shown = [names[index] for index in sorted(names)]
        self._apart |= self._recognition.side_by_side([self._objects[name] for name in shown])
        self._join(shown)
        if keyframe.picture is not None:
            self._pictures.keep(keyframe.stamp, keyframe.picture)
            self._drop_pictures()
        for item in self.objects:
            if item.whereabouts is Whereabouts.HELD:
                self._objects[item.id] = placing.carried(item, self._viewpoint)

    def _without_contradiction(
        self, item: RememberedObject, detection: Detection, stamp: Time
    ) -> RememberedObject:
        """What was told of a thing's place holds until it is clearly seen elsewhere."""
        if item.told is None or detection.truncated:
            return item
        place = self.find(item.told.object)
        return item if place is None or placing.is_at(item.box, place.shape.box) else item.untold(stamp)

    def _new_name(self, category: str) -> str:
        stem = category.replace(" ", "_")
        if stem in _RESERVED:
            stem = f"thing_{stem}"
        self._counts[stem] = self._counts.get(stem, 0) + 1
        return f"{stem}_{self._counts[stem]}"

    def _join(self, shown: Sequence[str]) -> None:
        """Make one of things that turn out to be one; the older id stays. shown: ids of what has been seen anew, or
        has moved with the map."""
        seen = [self._objects[name] for name in shown]
        for one, other in self._recognition.same_place(self.objects, seen, self._apart):
            if {one.id, other.id} <= self._objects.keys():
                self._replace(other.id, joined(self._objects[one.id], self._objects[other.id]))
        seen = [self._objects[name] for name in shown if name in self._objects]
        twins = self._recognition.twins(self.objects, seen, self._apart)
        slivers = self._recognition.slivers(self.objects, seen, self._apart)
        for ghost, thing in (*twins, *slivers):
            if {ghost.id, thing.id} <= self._objects.keys():
                older, younger = sorted((ghost, thing), key=lambda item: item.first_seen.nanoseconds)
                # Its place is that of the one that is seen, or seen well.
                whole = replace(joined(older, younger), shut=thing.shut, opened=thing.opened, doubt=0.0)
                self._replace(younger.id, whole)

    def _replace(self, old: str, item: RememberedObject) -> None:
        """The thing with the id `old` has become a part of another one."""
        del self._objects[old]
        self._objects[item.id] = item
        self._rename(old, item.id)

    def _rename(self, old: str, new: str) -> None:
        """What was told of the old id is told of the new one from now on."""
        for earlier, name in self._now_called.items():
            if name == old:
                self._now_called[earlier] = new
        self._now_called[old] = new
        for item in self.objects:
            if item.told is not None and item.told.object == old:
                self._objects[item.id] = replace(item, told=replace(item.told, object=new))
        while len(self._now_called) > MAX_RENAMED:
            del self._now_called[next(iter(self._now_called))]
        renamed = {pair_of(*(new if name == old else name for name in pair)) for pair in self._apart}
        self._apart = {pair for pair in renamed if pair[0] != pair[1]}

    # -- what is not seen

    def _doubt(self, keyframe: Keyframe, seen: frozenset[str]) -> None:
        """Things that the keyframe should show and does not may have gone."""
        if keyframe.viewpoint is None or keyframe.glimpse is None:
            return
        due = [item for item in self.objects if item.id not in seen and self._is_expected(item)]
        if not due:
            return
        faces = np.array([item.shape.faces for item in due])
        small = np.array([self._recognition.is_small(item.category) for item in due])
        found = absence.doubts(faces, small, keyframe.viewpoint, keyframe.glimpse)
        for item, doubt in zip(due, found, strict=True):
            if doubt > 0:
                item = replace(item, doubt=min(item.doubt + doubt, 1.0))
                self._objects[item.id] = item.missed(keyframe.stamp) if item.doubt >= 1 else item
        missing = [item for item in self.objects if item.whereabouts is Whereabouts.MISSING]
        missing.sort(key=lambda item: item.last_seen.nanoseconds)
        for item in missing[: max(len(missing) - MAX_MISSING, 0)]:
            self.forget(item.id)

    def _is_expected(self, item: RememberedObject) -> bool:
        """Whether it would be seen if the place that it is remembered at was in view."""
        if item.whereabouts is not Whereabouts.SEEN:
            return False
        here = item.stays[-1]
        place = self.find(here.holder) if here.predicate == words.IN else None
        return place is None or place.is_open or not self._knowledge.is_openable(place.category)

    # -- what is told

    def note(self, fact: Relation) -> None:
        """Take a fact that follows from what was done: a state, or a place (HELD_BY, IN, ON). A newer one replaces an
        older one; unknown ids are passed over. Call it before the keyframes from the fact's stamp on are merged.
        """
        item = self.find(fact.subject)
        if item is None or fact.predicate not in (words.STATE, words.HELD_BY, words.IN, words.ON):
            return
        fact = replace(fact, subject=item.id, object=self._now_called.get(fact.object, fact.object))
        if fact.predicate == words.STATE and dimension(fact.object) != PRESENCE:
            self._objects[item.id] = item.with_states(with_told(item.states, fact))
            return
        stamp = fact.last_seen
        if not item.told_up_to < stamp or stamp < item.last_seen:
            return  # it is known already, or the thing has been seen since
        item = replace(item, told_up_to=stamp)
        if fact.predicate == words.STATE:
            if item.whereabouts is Whereabouts.HELD:  # it fell
                item = placing.let_go(item, stamp, self._viewpoint)
            item = item.missed(stamp)
        elif fact.predicate == words.HELD_BY:
            self.let_go(stamp)  # there is one hand
            item = placing.taken_up(item, fact, self._viewpoint)
        else:
            item = placing.put_down(item, fact, self.find(fact.object), self._viewpoint)
        self._objects[item.id] = item

    def let_go(self, stamp: Time) -> None:
        """The hand is empty: what it held, and was not put anywhere, lies on the floor beside the robot."""
        for item in self.objects:
            if item.whereabouts is Whereabouts.HELD:
                self._objects[item.id] = placing.let_go(item, stamp, self._viewpoint)

    # -- what follows

    def settle(self, relations: Iterable[Relation]) -> None:
        """Take the relations that were found, so that each thing's stay says what it is in or on, and in which room."""
        facts = tuple(relations)
        places = {f.subject: (f.predicate, f.object) for f in facts if f.predicate in (words.IN, words.ON)}
        rooms = {f.subject: f.object for f in facts if f.predicate == words.IN_ROOM}
        for item in self.objects:
            if item.is_here:
                place = places.get(item.id, ("", ""))
                self._objects[item.id] = item.with_place(*place, rooms.get(item.id, ""))

    def reanchor(self, move: Reanchoring) -> None:
        """The map was corrected: each thing moves as the keyframe does that showed it last. What was taken for
        another thing, because it was seen from a wrongly known place, may now lie where the thing is."""
        self._objects = {name: item.reanchored(move) for name, item in self._objects.items()}
        self._join([item.id for item in self.objects if item.whereabouts is Whereabouts.SEEN])

    def _drop_pictures(self) -> None:
        stays = (stay for item in self._objects.values() for stay in item.stays)
        self._pictures.let_go(frozenset(stay.picture.nanoseconds for stay in stays))
