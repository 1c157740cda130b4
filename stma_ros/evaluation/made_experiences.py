"""Generates experiences of household tasks, of any number, from a seed, and vectors of their texts."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.home_graphs import CONTAINERS, ROOMS, SURFACES, THINGS
from stma_ros.types import vocabulary as words
from stma_ros.types.experience import Experience, ReasonedStep
from stma_ros.types.planning import Action, Result, TaskStatus
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time

DOMAIN = "household"

_IN_VAIN = 2  # containers that are opened before the things are found
_THINGS_MOVED = 2
_FURNITURE = 6  # pieces in a scene graph
_SEEN = 24  # other things that are seen in passing
_IN_VIEW = 0.3  # share of the facts that a step sees again, with a new time


class MadeExperiences:
    """An iterator over experiences as long as those of household tasks: 13 steps over some 25 facts, of which each step
    sees a part again.

    Two things are found after two containers were opened in vain, and are put in or on one piece of furniture. Many
    others are seen on the way.
    """

    def __init__(self, seed: int, *, all_different: bool = False) -> None:
        """Starts from a seed. all_different: number the tasks, of which there are some 800 else."""
        self._all_different = all_different
        self._rng = np.random.default_rng(seed)
        self._number = 0

    def __iter__(self) -> Iterator[Experience]:
        return self

    def __next__(self) -> Experience:
        self._number += 1
        things = self._draw(THINGS, _THINGS_MOVED)
        opened = self._draw(CONTAINERS, _IN_VAIN + 1)
        furniture = [*opened, *self._draw(SURFACES, _FURNITURE - len(opened))]
        target = furniture[-1]
        known = self._known(furniture)
        seen = [
            _fact(f"{thing}_1", *about)
            for thing in things
            for about in ((words.IS_A, thing), (words.IN, f"{opened[-1]}_1"))
        ]
        moved = [
            replace(fact, predicate=words.ON, object=f"{target}_1") if fact.predicate == words.IN else fact
            for fact in seen
        ]
        searched = [known] * 2 * _IN_VAIN
        graphs = [*searched, *[[*known, *seen]] * 4 * _THINGS_MOVED, [*known, *moved]]
        return Experience(
            domain=DOMAIN,
            task=f"put the {' and the '.join(things)} on the {target}{self._mark()}",
            robot=f"robot_{self._number % 8}",
            stamp=Time.from_nanoseconds(self._number * 1_000_000_000),
            status=TaskStatus.SUCCEEDED,
            score=float(self._rng.uniform(0.7, 1.0)),
            justification="Every step follows from the scene graph, and the task is complete.",
            steps=tuple(self._steps(graphs, _actions(opened, things, target))),
            surroundings=(*known, *self._seen_besides(furniture)),
        )

    def _mark(self) -> str:
        return f" number {self._number}" if self._all_different else ""

    def _draw(self, kinds: Sequence[str], count: int) -> list[str]:
        return [kinds[index] for index in self._rng.permutation(len(kinds))[:count]]

    def _known(self, furniture: Sequence[str]) -> list[Relation]:
        rooms = self._draw(ROOMS, 3)
        facts = [_fact(f"{room}_1", words.IS_A, room) for room in rooms]
        for piece in furniture:
            facts.append(_fact(f"{piece}_1", words.IS_A, piece))
            facts.append(_fact(f"{piece}_1", words.IN_ROOM, f"{rooms[self._rng.integers(len(rooms))]}_1"))
            if piece in CONTAINERS:
                facts.append(_fact(f"{piece}_1", words.STATE, words.STATE_CLOSED))
        return facts

    def _seen_besides(self, furniture: Sequence[str]) -> Iterator[Relation]:
        for number in range(2, 2 + _SEEN):
            thing = THINGS[int(self._rng.integers(len(THINGS)))]
            place = furniture[int(self._rng.integers(len(furniture)))]
            yield _fact(f"{thing}_{number}", words.IS_A, thing)
            yield _fact(f"{thing}_{number}", words.ON, f"{place}_1")

    def _steps(
        self, graphs: Sequence[Sequence[Relation]], actions: Sequence[Action]
    ) -> Iterator[ReasonedStep]:
        for number, (graph, action) in enumerate(zip(graphs, actions, strict=True)):
            again = self._rng.random(len(graph)) < _IN_VIEW
            now = Time.from_nanoseconds(number * 1_000_000_000)
            yield ReasonedStep(
                graph=tuple(
                    replace(fact, last_seen=now) if is_seen else fact
                    for fact, is_seen in zip(graph, again, strict=True)
                ),
                rationale=f"The task needs it, and the scene graph shows where: {action}.",
                action=action,
                result=Result.SUCCEEDED,
                score=float(self._rng.uniform(0.5, 1.0)),
                justification="It brings the task forward, and fits the scene.",
            )


def _actions(opened: Sequence[str], things: Sequence[str], target: str) -> list[Action]:
    places = [
        Action(skill, (f"{container}_1",))
        for container in opened[:_IN_VAIN]
        for skill in (words.SKILL_NAVIGATE, words.SKILL_OPEN)
    ]
    for thing in things:
        places += [
            Action(words.SKILL_NAVIGATE, (f"{opened[-1]}_1",)),
            Action(words.SKILL_PICK, (f"{thing}_1",)),
            Action(words.SKILL_NAVIGATE, (f"{target}_1",)),
            Action(words.SKILL_PLACE_ON, (f"{target}_1",)),
        ]
    return [*places, Action(words.SKILL_FINISH)]


def _fact(subject: str, predicate: str, item: str) -> Relation:
    return Relation(subject, predicate, item, confidence=0.9)


class WordVectors:
    """An Embedder whose vector of a text is the sum of a random vector for each word, so that texts with many words in
    common are similar."""

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._word = lru_cache(maxsize=None)(self._word_vector)

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = [sum(map(self._word, text.split()), self._word("")) for text in texts]
        return np.asarray(vectors, np.float32)

    def _word_vector(self, word: str) -> NDArray[np.float32]:
        rng = np.random.default_rng(zlib.crc32(word.encode()))
        return rng.standard_normal(self._dimensions, np.float32)
