"""The objects of the scene graph: their identity across keyframes, and where each one is and was."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from stma_ros.memory import face_evidence, negative_evidence, object_tracks, placement
from stma_ros.memory.appearance_arrays import AppearanceArrays
from stma_ros.memory.assignment import AssociationConfig
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Corner
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.data_association import DataAssociation
from stma_ros.memory.detected_relations import DetectedRelations
from stma_ros.memory.find_scores import FindScores
from stma_ros.memory.keyframe_observation import KeyframeObservation
from stma_ros.memory.place_history import KeyframePicture, PictureStore
from stma_ros.memory.separations import Separations, sorted_pair
from stma_ros.memory.states import PRESENCE, dimension, with_reported
from stma_ros.memory.track_merging import TrackMerging
from stma_ros.memory.tracked_object import CorrectionLookup, ObjectStatus, TrackedObject
from stma_ros.memory.viewpoints import ELSEWHERE
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.floors import Floors
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Pose, Time

MAX_MISSING = 64
"""Missing objects that are stored, and likewise objects that were not seen since the frame of the map jumped; of each,
those that were not seen for longest are forgotten."""

MAX_RENAMED = 512
"""Former ids that are still resolved; the newest ones."""

_REPORTED = (words.STATE, words.HELD_BY, words.IN, words.ON, words.NEAR)  # predicates of results of actions
_RESERVED = frozenset({"room", "frontier", words.ROBOT})
"""Stems of other ids: an object of a category with such a name gets another stem."""

_NO_IDS: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True)
class SavedObjects:
    """The contents of an ObjectMemory as plain values.

    Attributes:
        objects: the tracked objects, in the order of their ids' first use.
        counts: how many ids of each stem were given out.
        renamed: former and present ids of merged objects.
        apart: pairs of ids of objects of one category that keyframes showed, see Separations.
        pictures: of keyframes, by their stamps.
        relations: that detectors reported.
    """

    objects: tuple[TrackedObject, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    apart: tuple[tuple[str, str, int], ...] = ()
    pictures: tuple[tuple[Time, KeyframePicture], ...] = ()
    relations: tuple[Relation, ...] = ()


class ObjectMemory:
    """Tracks objects over keyframes. Objects are in the order in which they were first seen; ids are never reused."""

    def __init__(
        self,
        knowledge: CategoryKnowledge,
        config: AssociationConfig = AssociationConfig(),
        floors: Floors = Floors(),
    ) -> None:
        """Creates an empty memory.

        Args:
            knowledge: of the categories of the domain.
            config: limits for partial views of one object.
            floors: of the building.
        """
        self._knowledge = knowledge
        self._appearances = AppearanceArrays(knowledge)
        self._association = DataAssociation(self._appearances, config)
        self._merging = TrackMerging(self._appearances)
        self._objects: dict[str, TrackedObject] = {}
        self._counts: dict[str, int] = {}
        self._now_called: dict[str, str] = {}
        self._apart = Separations()
        self._pictures = PictureStore()
        self._detected = DetectedRelations()
        self._scores = FindScores()
        self._viewpoint: Corner | None = None
        self._floors = floors

    @classmethod
    def restored(
        cls,
        saved: SavedObjects,
        knowledge: CategoryKnowledge,
        config: AssociationConfig = AssociationConfig(),
        floors: Floors = Floors(),
    ) -> ObjectMemory:
        """Returns the memory with the contents that `saved` returned."""
        memory = cls(knowledge, config, floors)
        memory._objects = {item.id: item for item in saved.objects}
        memory._counts = dict(saved.counts)
        memory._now_called = dict(saved.renamed)
        memory._apart = Separations(saved.apart)
        memory._pictures = PictureStore(saved.pictures)
        memory._detected = DetectedRelations(saved.relations)
        return memory

    def saved(self) -> SavedObjects:
        """Returns the contents as plain values."""
        return SavedObjects(
            self.objects,
            tuple(self._counts.items()),
            tuple(self._now_called.items()),
            self._apart.saved(),
            self._pictures.saved(),
            self._detected.saved(),
        )

    def copy(self) -> ObjectMemory:
        """Returns a memory with the same contents, which changes by itself from then on."""
        other = copy.copy(self)
        other._objects = dict(self._objects)
        other._counts = dict(self._counts)
        other._now_called = dict(self._now_called)
        other._apart = Separations(self._apart.saved())
        other._pictures = PictureStore(self._pictures.saved())
        other._detected = DetectedRelations(self._detected.saved())
        other._scores = self._scores.copy()
        return other

    def rewound(self, earlier: ObjectMemory) -> ObjectMemory:
        """Returns this memory as it was earlier, in which no id that was given out since is given out again. earlier: a
        copy from then."""
        memory = earlier.copy()
        memory._counts |= self._counts
        return memory

    @property
    def objects(self) -> tuple[TrackedObject, ...]:
        """All objects, in the order in which they were first seen."""
        return tuple(self._objects.values())

    @property
    def believed(self) -> tuple[TrackedObject, ...]:
        """The objects without those of which another view must tell whether they exist: those that are tentative, those
        that were seen from one place where another one is known to be, and those that were seen before the frame of
        the map jumped."""
        settled = [
            item
            for item in self._objects.values()
            if not item.is_tentative and item.status is not ObjectStatus.SUSPECT
        ]
        contested = self._merging.contested(settled, self.objects)
        return tuple(item for item in settled if item.id not in contested)

    @property
    def unconfirmed(self) -> tuple[TrackedObject, ...]:
        """The small objects that are tentative, of which a look from near by would tell whether they exist: furniture
        shows from afar. What overlaps a believed one is likely a part of it."""
        likely = [item for item in self._objects.values() if item.is_tentative and item.is_worth_a_look]
        return self._merging.small_apart_from(self.believed, likely) if likely else ()

    @property
    def detected_relations(self) -> tuple[Relation, ...]:
        """What detectors say of how the objects are to each other, as far as they are where they were then."""
        return self._detected.between(self._objects)

    def find(self, name: str) -> TrackedObject | None:
        """Returns the object with this id, or with this former id; None if there is none."""
        return self._objects.get(self._now_called.get(name, name))

    def picture(self, stamp: Time) -> KeyframePicture | None:
        """Returns the picture of the keyframe with this stamp, if it is stored (see PlaceInterval.picture)."""
        return self._pictures.get(stamp)

    def forget(self, name: str) -> None:
        """Forgets an object with its history; its id is not reused."""
        item = self.find(name)
        if item is not None:
            del self._objects[item.id]
            self._now_called = {old: new for old, new in self._now_called.items() if new != item.id}
            self._apart.forget(item.id)
            self._detected.forget(item.id)
            self._drop_pictures()

    # -- detections

    def merge(
        self, keyframe: KeyframeObservation, former_ids: Mapping[int, str] = _NO_IDS
    ) -> Mapping[int, str]:
        """Merges the detections of one keyframe; called in the order of stamps.

        Args:
            keyframe: the detections.
            former_ids: where the keyframe was merged before the memory was rewound, ids of the objects that it showed
                then, by the numbers of the detections; new objects get them again.

        Returns:
            Ids of the objects that it shows, by the numbers of the detections.
        """
        if keyframe.viewpoint is not None:
            self._viewpoint = keyframe.viewpoint
        self._scores.add(keyframe.detections)
        keyframe = replace(keyframe, usual_scores=self._scores.means)
        keyframe = self._association.align(self.objects, keyframe)
        order, keyframe = keyframe.order, keyframe.in_order()
        detections = keyframe.detections
        names = self._association.match_in_place(self.objects, detections)
        left = [index for index in range(len(detections)) if index not in names]
        names |= self._association.match_expected(self.objects, left, detections, self.find)
        known = [(detections[index], self._objects[name]) for index, name in names.items()]
        left = [index for index in left if index not in names]
        parts = self._association.split_parts(left, detections, [item for _, item in known])
        left = [index for index in left if index not in parts]
        for (detection, item), hidden, freed in zip(
            known,
            face_evidence.occlusion(keyframe, known),
            face_evidence.freed_faces(keyframe, known),
            strict=True,
        ):
            if item.id in parts.values():
                item = object_tracks.update(item, detection, keyframe, hidden=True)
            else:
                item = object_tracks.update(item, detection, keyframe, hidden, freed)
            self._objects[item.id] = self._without_contradiction(item, detection, keyframe.stamp)
        self._doubt(keyframe, frozenset(names.values()))
        for index, name in parts.items():
            item = self._objects[name]
            self._objects[name] = object_tracks.update(item, detections[index], keyframe, hidden=True)
        moved = self._association.match_moved(self.objects, left, detections)
        for index in left:
            if index in moved:
                item = object_tracks.relocate(self._objects[moved[index]], detections[index], keyframe)
            else:
                name = former_ids.get(order[index], "")
                if not name or self.find(name) is not None:
                    name = self._new_name(detections[index].category)
                item = object_tracks.create(name, detections[index], keyframe)
            self._objects[item.id] = item
            names[index] = item.id
        named = [names[index] for index in sorted(names)]
        pairs = [(detections[index], self._objects[names[index]]) for index in sorted(names)]
        self._apart.add_apart(self._merging.neighbours(pairs))
        self._apart.add_whole(self._merging.covered(pairs, self.objects))
        self._take_relations(keyframe, {**parts, **names})
        self._join(named)
        if keyframe.picture is not None:
            self._pictures.add(keyframe.stamp, KeyframePicture(keyframe.picture, keyframe.camera))
            self._drop_pictures()
        for item in self.objects:
            if item.status is ObjectStatus.HELD:
                self._move(item, placement.carry(item, self._viewpoint), keyframe.stamp)
        shown = {**parts, **names}
        return {order[index]: self._now_called.get(name, name) for index, name in shown.items()}

    def _take_relations(self, keyframe: KeyframeObservation, names: Mapping[int, str]) -> None:
        """Takes the relations that detectors report. names: ids of the objects by the numbers of the detections."""
        for each in keyframe.relations:
            subject, object_ = names[each.subject], names[each.object]
            if subject == object_:
                continue  # two parts of one object
            self._detected.add(
                Relation(
                    subject,
                    each.predicate,
                    object_,
                    source=EvidenceSource.DETECTOR,
                    confidence=each.confidence,
                    first_seen=keyframe.stamp,
                    last_seen=keyframe.stamp,
                    detectors=(each.source,) if each.source else (),
                )
            )

    def _without_contradiction(self, item: TrackedObject, detection: Detection, stamp: Time) -> TrackedObject:
        """Returns the object without its placement, and without its holder, if the detection clearly shows it
        elsewhere."""
        if item.placement is None or detection.truncated:
            return item
        place = self.find(item.placement.object)
        if place is None or placement.is_where_put(item, place, self._floors):
            return item
        return item.without_placement(stamp).with_place("", "", item.place_history[-1].room)

    def _new_name(self, category: str) -> str:
        stem = category.replace(" ", "_")
        if stem in _RESERVED:
            stem = f"thing_{stem}"
        self._counts[stem] = self._counts.get(stem, 0) + 1
        return f"{stem}_{self._counts[stem]}"

    def _join(self, shown: Sequence[str]) -> None:
        """Merges tracks that turn out to be of one object; the older id remains.

        Args:
            shown: ids of the objects that were just seen, or moved with the map.
        """
        seen = [self._objects[name] for name in shown]
        for one, other in self._still_one(self._merging.overlapping(self.objects, seen, self._apart)):
            self._replace(other.id, object_tracks.merge(one, other))
        seen = [self._objects[name] for name in shown if name in self._objects]
        duplicates = self._merging.duplicates(self.objects, seen, self._apart)
        fragments = self._merging.fragments(self.objects, seen, self._apart)
        for ghost, thing in self._still_one((*duplicates, *fragments)):
            older, younger = sorted((ghost, thing), key=lambda item: item.first_seen.nanoseconds)
            # Its place is that of the one that is seen, or seen well.
            whole = replace(
                object_tracks.merge(older, younger),
                closed_shape=thing.closed_shape,
                open_shape=thing.open_shape,
                doubt=0.0,
            )
            self._replace(younger.id, whole)

    def _still_one(
        self, pairs: Sequence[tuple[TrackedObject, TrackedObject]]
    ) -> Iterator[tuple[TrackedObject, TrackedObject]]:
        """Yields the pairs of tracks to be merged, each as it is after those before it were: without those of which one
        was merged, of which the robot has put one in or on the other, or of which one was merged with a third that is
        known not to be the other."""
        names = [(one.id, other.id) for one, other in pairs]
        were_apart = [sorted_pair(*each) in self._apart for each in names]
        for (one, other), was_apart in zip(names, were_apart, strict=True):
            if one not in self._objects or other not in self._objects:
                continue
            items = self._objects[one], self._objects[other]
            put_at = {item.placement.object for item in items if item.placement is not None}
            if not put_at & {one, other} and (was_apart or sorted_pair(one, other) not in self._apart):
                yield items

    def _replace(self, old: str, item: TrackedObject) -> None:
        """Replaces the track `old` by the merged object that it is a part of."""
        del self._objects[old]
        self._objects[item.id] = item
        self._rename(old, item.id)

    def _rename(self, old: str, new: str) -> None:
        """Moves everything that refers to the id `old` to the id `new`."""
        for earlier, name in self._now_called.items():
            if name == old:
                self._now_called[earlier] = new
        self._now_called[old] = new
        for item in self.objects:
            if item.placement is not None and item.placement.object == old:
                self._objects[item.id] = replace(item, placement=replace(item.placement, object=new))
        self._bound_former_ids()
        self._apart.rename(old, new)
        self._detected.rename(old, new)

    def also_call(self, name: str, former: str) -> None:
        """Lets an object be found by the id of another one that it turns out to be, and that is no more."""
        self._now_called[former] = name
        self._bound_former_ids()

    def _bound_former_ids(self) -> None:
        while len(self._now_called) > MAX_RENAMED:
            del self._now_called[next(iter(self._now_called))]

    # -- negative evidence

    def _doubt(self, keyframe: KeyframeObservation, seen: frozenset[str]) -> None:
        """Adds negative evidence to objects that the keyframe should show and does not."""
        if keyframe.viewpoint is None or keyframe.visibility_test is None:
            return
        expected = [item for item in self.objects if item.id not in seen and self._is_expected(item)]
        looked = [(item, keyframe.recall_of(item.detectors)) for item in expected]
        due = [item for item, recall in looked if recall > 0]
        if not due:
            return
        recalls = np.array([recall for _, recall in looked if recall > 0])
        boxes = BoxArray.of(item.shape.box for item in due)
        small = np.array([self._appearances.is_small(item.category) for item in due])
        confirmed = np.array([item.keyframes > 1 for item in due])
        eyes = np.array([(at.x, at.y, at.z) for at in (item.doubted_from for item in due)])
        repeated = np.linalg.norm(eyes - keyframe.viewpoint, axis=1) < ELSEWHERE
        found = negative_evidence.absence_evidence(
            boxes, small, confirmed, repeated, recalls, keyframe.viewpoint, keyframe.visibility_test
        )
        for item, recall, look in zip(due, recalls.tolist(), found, strict=True):
            if look.is_overlooked:
                item = replace(item, existence=item.existence.overlooked(recall, keyframe.viewpoint))
            if look.doubt > 0:
                item = replace(
                    item, doubt=min(item.doubt + look.doubt, 1.0), doubted_from=keyframe.camera_position
                )
            self._objects[item.id] = item
            if item.doubt >= 1 and (look.is_empty or item.keyframes > 1):
                self._objects[item.id] = item.marked_missing(keyframe.stamp)
            elif item.doubt >= 1:
                self.forget(item.id)  # a mistake of the detector
        self._bound(ObjectStatus.MISSING)

    def _bound(self, status: ObjectStatus) -> None:
        """Forgets the objects of a status beyond MAX_MISSING, those that were not seen for longest."""
        items = [item for item in self.objects if item.status is status]
        items.sort(key=lambda item: item.last_seen.nanoseconds)
        for item in items[: max(len(items) - MAX_MISSING, 0)]:
            self.forget(item.id)

    def _is_expected(self, item: TrackedObject) -> bool:
        """Whether the object would be detected if its place was in view: it is not inside of something closed."""
        if item.status is not ObjectStatus.SEEN:
            return False
        here = item.place_history[-1]
        place = self.find(here.holder) if here.predicate == words.IN else None
        return place is None or place.is_open or not self._knowledge.is_openable(place.category)

    # -- results of actions

    def add_fact(self, fact: Relation, put_at: Pose | None = None) -> None:
        """Adds a fact that follows from an action: a state, or a place (HELD_BY, IN, ON, or NEAR: on the floor there).

        A newer fact replaces an older one; facts on unknown ids are ignored. Call it before merging keyframes from the
        time on at which the fact may have begun to hold (`first_seen`).

        Args:
            fact: the fact.
            put_at: of a place, where the robot put the object, as in `placement.put_down`.
        """
        item = self.find(fact.subject)
        if item is None or fact.predicate not in _REPORTED:
            return
        fact = replace(fact, subject=item.id, object=self._now_called.get(fact.object, fact.object))
        if fact.predicate == words.STATE and dimension(fact.object) != PRESENCE:
            self._objects[item.id] = item.with_states(with_reported(item.states, fact))
            return
        stamp = fact.last_seen
        if not item.placement_stamp < stamp or stamp < item.last_seen:
            return  # it is known already, or the object was seen since
        item = replace(item, placement_stamp=stamp)
        if fact.predicate == words.STATE:
            if item.status is ObjectStatus.HELD:  # it fell
                self._move(item, placement.drop(item, stamp, self._viewpoint, self._floors), stamp)
                item = self._objects[item.id]
            self._objects[item.id] = item.marked_missing(stamp)
        elif fact.predicate == words.HELD_BY:
            self.release_held(stamp)  # there is one hand
            self._move(item, placement.pick_up(item, fact, self._viewpoint), stamp)
        else:
            place = self._freed_from(item, self.find(fact.object), stamp)
            put = placement.put_down(item, fact, place, self._viewpoint, put_at, self._floors)
            self._move(item, put, stamp)

    def release_held(self, stamp: Time) -> None:
        """Takes an object out of the hand, which was found empty: if it was not put anywhere, it lies on the floor
        next to the robot."""
        for item in self.objects:
            if item.status is ObjectStatus.HELD:
                self._move(item, placement.drop(item, stamp, self._viewpoint, self._floors), stamp)

    def _freed_from(
        self, item: TrackedObject, place: TrackedObject | None, stamp: Time
    ) -> TrackedObject | None:
        """Returns the place where an object was put. If it was believed to be in or on that object, it was not."""
        holder, passed = place, set[str]()
        while place is not None and holder is not None and holder.id not in passed:
            passed.add(holder.id)
            if holder.id == item.id:
                place = place.without_placement(stamp).with_place("", "", "")
                self._objects[place.id] = place
            holder = self.find(holder.place_history[-1].holder) if holder.place_history else None
        return place

    def _move(
        self, item: TrackedObject, moved: TrackedObject, stamp: Time, under: frozenset[str] = frozenset()
    ) -> None:
        """Puts an object where the robot has brought it, with what is in or on it.

        Args:
            item: the object.
            moved: the same after the move.
            stamp: of the move.
            under: ids of what moved with it in or on it.
        """
        self._objects[item.id] = moved
        moving = under | {item.id}
        for thing in self.objects:
            is_there = thing.is_present and bool(thing.place_history) and thing.id not in moving
            if is_there and thing.place_history[-1].holder == item.id:
                along = placement.take_along(thing, item.id, item.box, moved.box, stamp)
                self._move(thing, along, stamp, moving)

    # -- relations and corrections

    def set_relations(self, relations: Iterable[Relation]) -> None:
        """Takes the relations of the scene graph, so that the place history says what each object is in or on, and in
        which room."""
        facts = tuple(relations)
        places = {f.subject: (f.predicate, f.object) for f in facts if f.predicate in (words.IN, words.ON)}
        rooms = {f.subject: f.object for f in facts if f.predicate == words.IN_ROOM}
        for item in self.objects:
            if item.is_present:
                place = places.get(item.id, ("", ""))
                self._objects[item.id] = item.with_place(*place, rooms.get(item.id, ""))

    def suspect(self) -> None:
        """Takes notice that the frame of the map has jumped: what is not in the hand must be seen again."""
        for item in self.objects:
            if item.status is not ObjectStatus.HELD:
                self._objects[item.id] = item.suspected()
        self._bound(ObjectStatus.SUSPECT)

    def correct(self, move: CorrectionLookup) -> None:
        """Moves the objects after a correction of the map, each like the keyframe that showed it last.

        A duplicate that a wrongly localised view created may then lie on its object, and is merged.
        """
        self._objects = {name: item.corrected(move) for name, item in self._objects.items()}
        self._join([item.id for item in self.objects if item.status is ObjectStatus.SEEN])

    def _drop_pictures(self) -> None:
        intervals = (interval for item in self._objects.values() for interval in item.place_history)
        self._pictures.retain(frozenset(interval.picture.nanoseconds for interval in intervals))
