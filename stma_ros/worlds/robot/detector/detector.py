"""The simulated detector: turns a rendered image into numbered segments with labels, as a real one would."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.evidence import StateEstimate
from stma_ros.types.sensing import SegmentLabel
from stma_ros.types.standard import Time
from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.camera import Camera, CameraPose
from stma_ros.worlds.robot.detector import masks
from stma_ros.worlds.robot.detector.confusions import confused
from stma_ros.worlds.robot.detector.draws import Chance, Draws, cell_of, key_of
from stma_ros.worlds.robot.detector.errors import FLAWLESS, DetectorErrors
from stma_ros.worlds.robot.detector.inventions import Invention, Inventions, Sized
from stma_ros.worlds.robot.detector.scores import missed_share, weak_score
from stma_ros.worlds.robot.detector.sight import seen_from, sight_of, standing
from stma_ros.worlds.robot.detector.state_reports import reported_states
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.picture import Picture
from stma_ros.worlds.robot.scene import Scene, Thing, item_box
from stma_ros.worlds.robot.state import SceneState

_WRONG, _MISSED, _MERGED, _STATES = 0, 1, 2, 3  # numbers of the events; states take six
_WHICH, _SPLITS, _ANGLE = 0, 1, 2  # numbers of the choices
_LEAST_TO_SPLIT = 30  # smaller segments stay whole [px]


@dataclass(frozen=True, eq=False)
class Segmentation:
    """Segments of one frame: number of each pixel (H, W), 0 = none, and the labels in the order of the numbers."""

    ids: NDArray[np.uint16]
    labels: tuple[SegmentLabel, ...]


@dataclass(frozen=True)
class Viewpoint:
    """From where and when an image was taken.

    Attributes:
        base: pose of the base; of a hand-held camera, the place below it.
        state: of the scene.
        stamp: of the image.
        held: pose of a hand-held camera; None = it is on the base.
    """

    base: Placement
    state: SceneState
    stamp: Time
    held: CameraPose | None = None


@dataclass(frozen=True, eq=False)
class _Seen:
    """A visible thing: its owner's index, its size as a share of the image, and its draws of this frame."""

    owner: int
    thing: Thing
    size: float
    draws: Draws


class SimulatedDetector:
    """Segments the images of one episode.

    Floors, walls and ceilings are no things: they are neither missed nor confused, only their edges err, and a
    detector of boxes does not return them.

    Args:
        scene: its things.
        camera: the camera.
        errors: of the detector.
        seed: draws the errors.
        numbering: draws the order in which a frame numbers its segments.
    """

    def __init__(
        self, scene: Scene, camera: Camera, errors: DetectorErrors, seed: int, numbering: np.random.Generator
    ) -> None:
        self._scene = scene
        self._camera = camera
        self._errors = errors
        self._chance = Chance(seed)
        self._numbering = numbering
        self._seed = seed

    def segment(self, picture: Picture, owners: Sequence[str], view: Viewpoint) -> Segmentation:
        """Returns the segments of an image.

        Args:
            picture: the rendered image.
            owners: names of the owners of its pixels.
            view: from where it was taken.
        """
        # Counted, as sorting this many pixels takes a fifth of the rendering time.
        counts = np.bincount(picture.owner.ravel() + 1, minlength=len(owners) + 1)[1:]
        shown = np.flatnonzero(counts)
        if self._errors == FLAWLESS:
            numbers = np.zeros(len(owners) + 1, np.uint16)  # the last entry is for owner -1, none
            numbers[shown] = self._numbering.permutation(len(shown)) + 1
            labels = [
                SegmentLabel(id=int(numbers[owner]), category=self._scene.categories[owners[owner]])
                for owner in shown.tolist()
            ]
            return Segmentation(numbers[picture.owner], _by_number(labels))
        return self._with_errors(picture, owners, view, counts, shown)

    def _with_errors(
        self,
        picture: Picture,
        owners: Sequence[str],
        view: Viewpoint,
        counts: NDArray[np.intp],
        shown: NDArray[np.intp],
    ) -> Segmentation:
        errors, things = self._errors, self._things
        seen = self._seen(
            [(owner, things[owners[owner]]) for owner in shown.tolist() if owners[owner] in things],
            counts,
            view,
        )
        structure = [owner for owner in shown.tolist() if owners[owner] not in things]
        found = [one for one in seen if not one.draws.happens(_MISSED, self._missed(one))]
        # Segments 1 to n are things, then the building, then the second halves of split ones.
        segment_of = np.zeros(len(owners) + 1, np.int32)
        for number, one in enumerate(found, start=1):
            segment_of[one.owner] = number
        labels: list[SegmentLabel | None] = [
            None,
            *(self._label(one, counts[one.owner], view) for one in found),
        ]
        for owner in () if errors.boxes else structure:
            segment_of[owner] = len(labels)
            labels.append(SegmentLabel(category=self._scene.categories[owners[owner]]))
        ids = segment_of[picture.owner]
        self._merge_and_split(ids, found, labels, counts)
        if errors.inventions:
            self._invent(ids, labels, picture, view)
        if errors.boxes:
            ids = masks.boxed(ids, len(labels), errors.jitter, self._chance.frames)
        elif errors.jitter:
            ids = masks.displaced(ids, errors.jitter, self._chance.frames)
        return self._numbered(ids, labels)

    def _missed(self, one: _Seen) -> float:
        share = self._errors.missed
        return missed_share(share, one.size) if self._errors.missed_by_size else share

    def _invent(
        self, ids: masks.Ids, labels: list[SegmentLabel | None], picture: Picture, view: Viewpoint
    ) -> None:
        """Adds inventions to `ids` and `labels`, near ones over far ones."""
        found = self._inventions.of(picture, view.held or self._camera.pose(view.base))
        for invention in sorted(found, key=_nearest_last):
            ids[invention.pixels] = len(labels)
            score = invention.score if self._errors.weak_scores else 1.0
            labels.append(SegmentLabel(category=invention.category, confidence=score))

    def _seen(
        self, visible: Sequence[tuple[int, Thing]], counts: NDArray[np.intp], view: Viewpoint
    ) -> list[_Seen]:
        """Returns the visible things in an order of their geometry, with their draws."""
        cells = []
        for owner, thing in visible:
            bearing, distance = seen_from(standing(thing, view.state), view.base)
            cells.append((cell_of(self._keys[thing.name], bearing, distance), owner, thing))
        cells.sort(key=lambda each: each[0].key)
        draws = self._chance.of([cell for cell, _, _ in cells])
        image = self._camera.width * self._camera.height
        return [
            _Seen(owner, thing, float(counts[owner]) / image, drawn)
            for (_, owner, thing), drawn in zip(cells, draws, strict=True)
        ]

    def _label(self, one: _Seen, pixels: int, view: Viewpoint) -> SegmentLabel:
        errors, thing, draws = self._errors, one.thing, one.draws
        category = thing.category
        is_wrong = draws.happens(_WRONG, errors.wrong)
        if is_wrong:
            alike = self._alike[thing.portable]
            category = confused(category, alike, draws.choice(_WRONG, errors.wrong, _WHICH))
        states: tuple[StateEstimate, ...] = ()
        if errors.states and category == thing.category:
            place = standing(thing, view.state)
            sight = sight_of(thing, self._box(thing, view.state), place, view.base, self._camera, int(pixels))
            states = tuple(reported_states(thing, view.state, sight, draws, _STATES, errors, view.stamp))
        if errors.weak_scores:
            score = weak_score(one.size, is_wrong, draws.generator)
        else:
            score = draws.score(_WRONG, errors.wrong)
        return SegmentLabel(category=category, confidence=score, states=states)

    def _merge_and_split(
        self,
        ids: masks.Ids,
        found: Sequence[_Seen],
        labels: list[SegmentLabel | None],
        counts: NDArray[np.intp],
    ) -> None:
        """Merges and splits segments in `ids` and `labels`. A pair takes the label of its larger part; what has no
        neighbour is split."""
        share = self._errors.merged
        sizes = {number: counts[one.owner] for number, one in enumerate(found, start=1)}
        for number, one in enumerate(found, start=1):
            if number not in sizes or not one.draws.happens(_MERGED, share):
                continue
            splits = one.draws.choice(_MERGED, share, _SPLITS) < 0.5
            other = 0 if splits else masks.neighbour(ids, number, len(found) + 1)
            if other:
                small, large = sorted((number, other), key=lambda each: (sizes[each], each))
                ids[ids == small] = large
                sizes[large] += sizes.pop(small)
            elif sizes[number] >= _LEAST_TO_SPLIT:
                angle = 2 * math.pi * one.draws.choice(_MERGED, share, _ANGLE)
                masks.split(ids, number, len(labels), angle)
                labels.append(labels[number])

    def _numbered(self, ids: masks.Ids, labels: Sequence[SegmentLabel | None]) -> Segmentation:
        """Numbers the segments that are left in an order without meaning."""
        left = np.flatnonzero(np.bincount(ids.ravel(), minlength=len(labels)))
        left = left[left > 0]
        numbers = np.zeros(len(labels), np.uint16)
        numbers[left] = self._numbering.permutation(len(left)) + 1
        named = []
        for segment in left.tolist():
            label = labels[segment]
            assert label is not None
            named.append(
                SegmentLabel(
                    id=int(numbers[segment]),
                    category=label.category,
                    confidence=label.confidence,
                    states=label.states,
                )
            )
        return Segmentation(numbers[ids], _by_number(named))

    def _box(self, thing: Thing, state: SceneState) -> Box:
        return item_box(thing, state) if thing.portable else thing.box_when(thing.name in state.open_names)

    @cached_property
    def _things(self) -> dict[str, Thing]:
        return {**self._scene.fixed_by_name, **self._scene.items_by_name}

    @cached_property
    def _keys(self) -> dict[str, int]:
        """A number of each thing that depends on its geometry at the start."""
        keys = {}
        for name, thing in self._things.items():
            place = standing(thing, self._scene.initial)
            height = self._scene.initial.spots[name].z if thing.portable else 0.0
            keys[name] = key_of(thing.category, place.x, place.y, height, place.yaw)
        return keys

    @cached_property
    def _inventions(self) -> Inventions:
        sizes: dict[str, float] = {}
        for thing in self._things.values():
            longest = max(self._box(thing, self._scene.initial).size)
            sizes[thing.category] = max(sizes.get(thing.category, 0.0), longest)
        listed = [Sized(category, sizes[category]) for category in sorted(sizes)]
        return Inventions(self._errors.inventions, listed, self._camera, self._seed)

    @cached_property
    def _alike(self) -> dict[bool, list[str]]:
        """The categories of the fixed and of the portable things, sorted."""
        return {
            kind: sorted({thing.category for thing in self._things.values() if thing.portable == kind})
            for kind in (False, True)
        }


def _nearest_last(invention: Invention) -> tuple[float, int]:
    return -invention.depth, invention.key


def _by_number(labels: Sequence[SegmentLabel]) -> tuple[SegmentLabel, ...]:
    return tuple(sorted(labels, key=lambda label: label.id))
